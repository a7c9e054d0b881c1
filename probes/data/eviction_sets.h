/* Who puts a page out: the pages of its colour. */
#ifndef HW_EVICTION_SETS_H
#define HW_EVICTION_SETS_H

#include "probes/data/gather.h"
#include "probes/data/one_colour.h"

/* Finds the colour of page x, and pages of it: most of them when it is the first one that is looked
   at.  1, 0 when x is of none or of one that was seen, -1 when memory or time was short.  The pages
   of the colour are the caller's. */
int hw_eviction_sets_find(struct hw_gather *job, size_t x, struct hw_pages *seen,
                          struct hw_colour *colour);

void hw_eviction_sets_forget(struct hw_colour *colour);

#endif
