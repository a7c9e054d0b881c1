/* What the probe of kinds, and what settles on one, take from their readers. */
#ifndef HW_ROWS_KINDS_H
#define HW_ROWS_KINDS_H

#include "analysis/groups.h"
#include "analysis/values.h"

/* Whether all n take the same time. */
bool hw_kinds_alike(const double *least, size_t n);

/* The kind of each processor, by the place of its first.  NULL, or why not. */
const char *hw_kinds_find(const struct hw_curves *curves, size_t kind[HW_THINGS]);

/* The place of the first processor of the quickest kind, as the curves have it; of the quickest
   processor where the kinds are not known; 0 where nothing is. */
size_t hw_kinds_lead(const struct hw_curves *curves);

#endif
