/* The plateaus of the size curve, and what may lie between them. */
#ifndef HW_SIZE_CURVE_H
#define HW_SIZE_CURVE_H

#include "analysis/rows/levels.h"

/* The spacing of lines at which prefetchers and TLBs show: it is so many times the ordinary one. */
#define HW_SIZE_CURVE_FARTHER 4u
/* A page that is not known is no smaller than this, bytes.  Of a page no more lines are visited at
   once than the least page has of HW_LINE_USUAL: where pages share the fate of their lines,
   few of them would stand for all. */
#define HW_SIZE_CURVE_PAGE ((size_t)4096)
/* The ordinary spacing (bytes), with lines and pages of so many bytes. */
double hw_size_curve_apart(double line, double page);

/* Two plateaus whose latencies differ by less than this factor are measured again by turns. */
#define HW_SIZE_CURVE_NEAR 2.0
/* Another visit that costs this much more or less, half of what keeps all points of two levels
   apart, does not confirm a point. */
#define HW_SIZE_CURVE_DIFFER (HW_CLUSTER_WIDTH / 2)

/* Where another level may hide single lines are timed: in so many working sets, at which the curve
   has risen by equal ratios, and in one behind the rise. */
#define HW_SIZE_CURVE_SETS 4u
/* The memory shows in a plateau beyond this (bytes), or needs a larger ratio; see size_curve.c. */
#define HW_SIZE_CURVE_BYTES ((double)((size_t)128 << 20))

/* What the first TLB does to a working set. */
struct hw_size_curve_tlb {
  double holds; /* up to so many bytes it holds all pages; infinite where it is not known */
  double none;  /* from so many on none */
  double miss;  /* cycles, of which a load */
  double share; /* of a lap has this share */
};

/* A size curve without what misses of the first TLB add, and its plateaus. */
struct hw_size_curve {
  const struct hw_curves *curves; /* with the others of the probe */
  struct hw_size_curve_tlb tlb;
  struct hw_curve pure;
  struct hw_plateau plateau[HW_LEVELS];
  size_t n;    /* plateaus */
  double held; /* what part of the last, where lines told of it, the one before holds */
};

/* Reads the plateaus off a size curve.  0, to be freed, or -1 without memory. */
int hw_size_curve_read(const struct hw_curves *curves, const struct hw_curve *curve,
                       struct hw_size_curve *sizes);
void hw_size_curve_free(struct hw_size_curve *sizes);

/* What a load of a lap takes without the misses of the first TLB (cycles), where these are known
   and the same for all pages. */
double hw_size_curve_pure(const struct hw_curves *curves, const struct hw_point *point);

/* Whether the curve rises behind its last plateau. */
bool hw_size_curve_rising(const struct hw_size_curve *sizes);

/* The last point of the first octave of a plateau, or of all of it where it is shorter. */
size_t hw_size_curve_octave(const struct hw_size_curve *sizes, const struct hw_plateau *plateau);

/* The last point of plateau n, and the first of the next. */
const struct hw_point *hw_size_curve_low(const struct hw_size_curve *sizes, size_t n);
const struct hw_point *hw_size_curve_high(const struct hw_size_curve *sizes, size_t n);

/* Cycles that a load at a point of the curve may take less than this says, or, where what is loaded
   farther apart takes less, more: what TLBs add that are not known, or not known to be in the way.
   0 on the first plateau, infinite behind it where the time was spent before it was measured. */
double hw_size_curve_translation(const struct hw_size_curve *sizes, size_t point);

/* Whether the last plateau is the memory's. */
bool hw_size_curve_memory(const struct hw_size_curve *sizes);

/* Whether the next plateau is so near to plateau n, or one of the two so unsure, that both have to
   be measured by turns; and whether they differ, by more than TLBs may add in the whole of the
   next one or its first octave, and measured by turns too where they have to be. */
bool hw_size_curve_near(const struct hw_size_curve *sizes, size_t n);
enum hw_differ {
  HW_DIFFER_UNCLEAR,
  HW_DIFFER_NOT, /* by turns they cost the same: one level, which was slower for a while */
  HW_DIFFER_YES
};
enum hw_differ hw_size_curve_differ(const struct hw_size_curve *sizes, size_t n);

/* Whether the rise behind plateau n has the shape of two: another level may hide in it. */
bool hw_size_curve_bent(const struct hw_size_curve *sizes, size_t n);

/* The names of the curves of the ends of plateau n and the next, of the lines of working set k in
   the rise between them, 0 being behind it, and of the loads of a working set at growing distances;
   and whose the last one is (bytes), 0: another curve's. */
void hw_size_curve_near_name(char name[HW_CURVE_NAME + 1], size_t n);
void hw_size_curve_lines_name(char name[HW_CURVE_NAME + 1], size_t n, unsigned k);
void hw_size_curve_apart_name(char name[HW_CURVE_NAME + 1], double bytes);
double hw_size_curve_apart_bytes(const char *name);

#endif
