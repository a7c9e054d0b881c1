/* The share of pages that a level does not hold, by their number. */
#ifndef HW_SHARE_H
#define HW_SHARE_H

#include "probes/memory/gather.h"

/* Whether there is time for it. */
bool hw_share_affordable(const struct hw_gather *job);

/* Measures l<n>_share with the pages of the pool.  0, or -1 when memory or time was short or pages
   are put out by parts: then there is no curve. */
int hw_share(struct hw_gather *job);

#endif
