/* What the probe of kinds, and the choice of one, take from their readers. */
#ifndef HW_ROWS_KINDS_H
#define HW_ROWS_KINDS_H

#include "analysis/groups.h"

/* Whether all n take the same time. */
bool hw_kinds_alike(const double *least, size_t n);

/* The kind of each processor, by the index of its first.  NULL, or why they are unknown. */
const char *hw_kinds_find(const struct hw_curves *curves, size_t kind[HW_THINGS]);

/* The index of the first processor of the fastest kind, as the curves have it; of the fastest
   processor where the kinds are unknown; 0 if nothing is known. */
size_t hw_kinds_lead(const struct hw_curves *curves);

#endif
