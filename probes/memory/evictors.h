/* Who puts a page out: the pages of its colour. */
#ifndef HW_EVICTORS_H
#define HW_EVICTORS_H

#include "probes/memory/gather.h"
#include "probes/memory/lower.h"

/* Finds the colour of page x, and pages of it: most of them when it is the first one that is looked
   at.  1, 0 when x is of none or of one that was seen, -1 when memory or time was short.  The pages
   of the colour are the caller's. */
int hw_evictors_find(struct hw_gather *job, size_t x, struct hw_pages *seen,
                     struct hw_colour *colour);

void hw_evictors_forget(struct hw_colour *colour);

#endif
