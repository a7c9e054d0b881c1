/* What the probe of the TLB levels takes from its readers. */
#ifndef HW_TLBS_H
#define HW_TLBS_H

#include "analysis/values.h"

/* Pages: without a second rise up to here there is no second level.  No machine known to us has a
   larger one: the Cortex-A55 has 16 and 1024, the POWER10 64 and 4096. */
#define HW_TLBS_PAGES ((size_t)4096)
/* Lines of each page of a circle: loads of a page, of which only the first must miss a TLB that
   holds the circle. */
#define HW_TLBS_TWICE ((size_t)2)
/* A miss of the second level costs at least this share of one of the first. */
#define HW_TLBS_RISE 0.5
/* At this many times the entries of a level all pages miss it; much further the page tables no
   longer fit the caches. */
#define HW_TLBS_BEYOND 1.5

/* How many times the second level is measured again. */
#define HW_TLBS_LATER 5u

/* What is known of the first level. */
struct hw_tlbs_first {
  size_t page;
  size_t entries;
  size_t sets;   /* 0: it is not known */
  size_t beyond; /* this many adjacent pages all miss it */
  double miss;   /* cycles */
  bool assumed;  /* entries or miss are: a second level may hide behind them, but none is seen that
                    is  not there */
};

/* Reads the first level off the curves, and assumes what is unknown of it.  0, or -1 where the page
   is unknown. */
int hw_tlbs_first(const struct hw_curves *curves, struct hw_tlbs_first *first);

/* The second level. */
struct hw_tlbs_second {
  size_t ways; /* as many as entries: fully associative */
  size_t entries;
};

/* The number of pages of one set that the second level holds, with this many others of other sets
   visited between: the last number of which a lap costs less than half a miss more than the fewest.
   A miss costs the extra time of a lap of most pages, over their number.  error: to the next number
   that was measured.  No answer when none misses, or the noise is not clear of half a miss. */
struct hw_answer hw_tlbs_held(const struct hw_curve *curve, double others);

/* The shape of the second level.  NULL, or why it is not known. */
const char *hw_tlbs_shape(const struct hw_curves *curves, const struct hw_tlbs_first *first,
                          struct hw_tlbs_second *second);

/* Whether the far curve has a rise due to a TLB. */
bool hw_tlbs_far_clear(const struct hw_curve *far, const struct hw_tlbs_first *first);

/* Whether more samples would change nothing: one level, more than one, or noise is not in the
   way. */
bool hw_tlbs_circles_clear(const struct hw_curve *circles, const struct hw_tlbs_first *first);

/* Whether the curve is flat, and a rise would be seen. */
bool hw_tlbs_flat(const struct hw_curve *pages, const struct hw_tlbs_first *first);

#endif
