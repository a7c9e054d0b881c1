/* What the probe of the TLB levels takes from its readers. */
#ifndef HW_TLBS_H
#define HW_TLBS_H

#include "analysis/values.h"

/* Without a second rise up to so many pages there is no second level.  No machine known to us has a
   larger one: the Cortex-A55 has 16 and 1024, the POWER10 64 and 4096. */
#define HW_TLBS_PAGES ((size_t)4096)
/* Lines of each page of a circle: so many loads of a page, of which only the first must miss a TLB
   that holds the circle. */
#define HW_TLBS_TWICE ((size_t)2)
/* Shortest run. */
#define HW_TLBS_RUN_MIN ((size_t)4)
/* A miss of the second level costs at least this share of one of the first. */
#define HW_TLBS_RISE 0.5
/* So many times as far on as a level is full, all miss it; much further the tables of pages leave
   the caches. */
#define HW_TLBS_BEYOND 1.5

/* How often the second level is looked at again. */
#define HW_TLBS_LATER 5u

/* What is known of the first level. */
struct hw_tlbs_first {
  size_t page;
  size_t entries;
  size_t sets;
  size_t beyond; /* so many pages next to each other all miss it */
  double miss;   /* cycles */
};

/* What the curves say of it.  0, or -1 where it is not known. */
int hw_tlbs_first(const struct hw_curves *curves, struct hw_tlbs_first *first);

/* What the curves say of the second level. */
struct hw_tlbs_second {
  size_t run; /* 1: fully associative */
  size_t ways;
  size_t entries;
};

/* The last two strides of a run, when they hold the same number and one is twice the other. */
const struct hw_point *hw_tlbs_foot(const struct hw_curve *lengths);

/* The shape of the second level.  NULL, or why it is not known. */
const char *hw_tlbs_shape(const struct hw_curves *curves, const struct hw_tlbs_first *first,
                          struct hw_tlbs_second *second);

/* Whether the far curve tells whether there is a third level. */
bool hw_tlbs_far_clear(const struct hw_curve *far, const struct hw_tlbs_first *first);

/* Whether more samples would say no more: one level, or more than that, or noise is not in the way.
 */
bool hw_tlbs_circles_clear(const struct hw_curve *circles, const struct hw_tlbs_first *first);

/* Whether no rise is seen although it would be. */
bool hw_tlbs_flat(const struct hw_curve *pages, const struct hw_tlbs_first *first);

/* Whether an earlier attempt has told of the second level what there is to be told, so that only a
   third one is open. */
bool hw_tlbs_told(const struct hw_curves *curves);

#endif
