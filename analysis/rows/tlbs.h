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
  size_t run; /* pages of those that met in its sets; 0: fully associative */
  size_t ways;
  size_t entries;
};

/* How many pages of one set the second level holds, where so many others that do not meet them are
   visited between: the last number of which a lap costs less than half of a miss more than the
   fewest.  A miss costs what a lap of most pages costs more, over their number.  error: to the next
   number that was measured.  No answer when none misses, or the noise is not clear of half a miss.
 */
struct hw_answer hw_tlbs_held(const struct hw_curve *curve, double others);

/* The shape of the second level.  NULL, or why it is not known. */
const char *hw_tlbs_shape(const struct hw_curves *curves, const struct hw_tlbs_first *first,
                          struct hw_tlbs_second *second);

/* Whether the far curve has a rise that is a TLB's. */
bool hw_tlbs_far_clear(const struct hw_curve *far, const struct hw_tlbs_first *first);

/* Whether more samples would say no more: one level, or more than that, or noise is not in the way.
 */
bool hw_tlbs_circles_clear(const struct hw_curve *circles, const struct hw_tlbs_first *first);

/* Whether no rise is seen although it would be. */
bool hw_tlbs_flat(const struct hw_curve *pages, const struct hw_tlbs_first *first);

#endif
