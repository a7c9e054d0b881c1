/* The processors, and which of them share a core, for the probes that come after. */
#ifndef HW_ROWS_PROCESSORS_H
#define HW_ROWS_PROCESSORS_H

#include "analysis/values.h"

/* Puts in the place of each point one of a later time when that is quicker: another thread of the
   core, or a host that has moved a processor, comes and goes, and the other half of a core stays.
 */
void hw_processors_quicker(struct hw_point *point, const struct hw_point *later, size_t n);

/* Puts into core[], which has room for HW_THINGS, the place of the first processor of the core of
   each of *n processors, the number that the curves have.  NULL, or why it is not known; *settled
   is whether more measuring cannot tell either. */
const char *hw_core_of(const struct hw_curves *curves, size_t *core, size_t *n, bool *settled);

/* The places of n processors, in an order in which each core comes once before one comes twice, as
   the curves have it.  NULL, or why it is not known. */
const char *hw_core_order(const struct hw_curves *curves, size_t *place, size_t n);

/* Whether the processors at two places of n share a core, as the curves have it; false as well when
   that is not known. */
bool hw_core_shared(const struct hw_curves *curves, size_t one, size_t other, size_t n);

#endif
