/* Eviction sets: pages of one colour that evict another page of it. */
#ifndef HW_EVICTION_SETS_H
#define HW_EVICTION_SETS_H

#include "probes/data/gather.h"
#include "probes/data/one_colour.h"

/* Finds an eviction set of page x, and more pages of its colour, most of them for the first colour.
   1; 0 when there is none, or the colour was seen; -1 when memory or time was short.  The caller
   frees the colour with hw_eviction_sets_forget. */
int hw_eviction_sets_find(struct hw_gather *job, size_t x, struct hw_pages *seen,
                          struct hw_colour *colour);

void hw_eviction_sets_forget(struct hw_colour *colour);

#endif
