/* The plateaus of the size curve, and what may lie between them. */
#ifndef HW_SIZE_CURVE_H
#define HW_SIZE_CURVE_H

#include "analysis/rows/levels.h"

/* Two plateaus whose latencies differ by less than this factor are measured again by turns. */
#define HW_SIZE_CURVE_NEAR 2.0
/* Another measurement that differs by this share, half of what keeps all points of two levels
   apart, does not confirm a point. */
#define HW_SIZE_CURVE_DIFFER (HW_CLUSTER_WIDTH / 2)

/* If another level may hide, single lines are timed: in this many working sets, at which the
   curve has risen by equal ratios, and in one behind the rise. */
#define HW_SIZE_CURVE_SETS 4u
/* Bytes: memory has a plateau beyond this, or needs a larger ratio; see size_curve.c. */
#define HW_SIZE_CURVE_BYTES ((double)((size_t)128 << 20))

/* A size curve without what TLB misses add, and its plateaus. */
struct hw_size_curve {
  const struct hw_curves *curves; /* with the others of the probe */
  struct hw_curve pure;
  struct hw_plateau plateau[HW_LEVELS];
  size_t n;    /* plateaus */
  double held; /* the part of the last plateau, off single lines, that the level before holds */
};

/* Reads the plateaus off a size curve.  0, and sizes is to be freed, or -1 without memory. */
int hw_size_curve_read(const struct hw_curves *curves, const struct hw_curve *curve,
                       struct hw_size_curve *sizes);
void hw_size_curve_free(struct hw_size_curve *sizes);

/* Cycles of a load without what is surely due to TLB misses. */
double hw_size_curve_pure(const struct hw_curves *curves, const struct hw_point *point);

/* Whether the curve rises behind its last plateau. */
bool hw_size_curve_rising(const struct hw_size_curve *sizes);

/* The last point of the first octave of a plateau, or of all of it if it is shorter. */
size_t hw_size_curve_octave(const struct hw_size_curve *sizes, const struct hw_plateau *plateau);

/* The last point of plateau n, and the first of the next. */
const struct hw_point *hw_size_curve_low(const struct hw_size_curve *sizes, size_t n);
const struct hw_point *hw_size_curve_high(const struct hw_size_curve *sizes, size_t n);

/* By how many cycles a load at a point of the curve may be cheaper than the curve says: what TLBs
   may add beyond what is surely theirs.  0 on the first plateau. */
double hw_size_curve_translation(const struct hw_size_curve *sizes, size_t point);

/* Whether the last plateau is the memory's. */
bool hw_size_curve_memory(const struct hw_size_curve *sizes);

/* Whether the next plateau is close to plateau n in latency, or one of the two unsure, so that both
   have to be measured by turns; and whether they differ, by more than TLBs may add in the whole of
   the next one or its first octave, and by turns too if they were so measured. */
bool hw_size_curve_near(const struct hw_size_curve *sizes, size_t n);
enum hw_differ {
  HW_DIFFER_UNCLEAR,
  HW_DIFFER_NOT, /* by turns they cost the same: one level, which was slower for a while */
  HW_DIFFER_YES
};
enum hw_differ hw_size_curve_differ(const struct hw_size_curve *sizes, size_t n);

/* Whether the rise behind plateau n has the shape of two rises: another level may hide in it. */
bool hw_size_curve_bent(const struct hw_size_curve *sizes, size_t n);

/* Whether the rise behind plateau n may as well be that of two caches, whatever its shape.  If
   three levels are seen it is not: no processor is known with a fourth that holds less than some
   times as much as the third.  Nor behind level 1, whose capacity tells what must miss. */
bool hw_size_curve_two(const struct hw_size_curve *sizes, size_t n);

/* The names of the curves of the ends of plateau n and the next, and of the lines of working set k
   in the rise between them, 0 being behind it. */
void hw_size_curve_near_name(char name[HW_CURVE_NAME + 1], size_t n);
void hw_size_curve_lines_name(char name[HW_CURVE_NAME + 1], size_t n, unsigned k);

/* The curve of round k of the map, from 1 on, or NULL; and its name. */
const struct hw_curve *hw_size_curve_round(const struct hw_curves *curves, unsigned k);
void hw_size_curve_round_name(char name[HW_CURVE_NAME + 1], const char *stem, unsigned k);

#endif
