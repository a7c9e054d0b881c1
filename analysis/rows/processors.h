/* The processors, and which of them share a core, for the probes that come after. */
#ifndef HW_ROWS_PROCESSORS_H
#define HW_ROWS_PROCESSORS_H

#include "analysis/values.h"

/* Replaces each point by a later one that is faster: a busy SMT sibling, or a processor that the
   host has moved, is temporary; a shared core is not. */
void hw_processors_quicker(struct hw_point *point, const struct hw_point *later, size_t n);

/* Puts into core[], which has room for HW_THINGS, for each of *n processors, the number in the
   curves, the index of the first processor of its core.  NULL, or why it is not known; *settled:
   more measuring cannot tell either. */
const char *hw_core_of(const struct hw_curves *curves, size_t *core, size_t *n, bool *settled);

/* The indices of n processors, in an order in which each core comes once before one comes twice, as
   the curves have it.  NULL, or why it is not known. */
const char *hw_core_order(const struct hw_curves *curves, size_t *place, size_t n);

/* Whether the processors at two indices of n share a core, as the curves have it; false as well
   when that is not known. */
bool hw_core_shared(const struct hw_curves *curves, size_t one, size_t other, size_t n);

#endif
