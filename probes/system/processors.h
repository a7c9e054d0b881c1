/* The processors, and which of them share a core, for the probes that come after. */
#ifndef HW_PROCESSORS_PROBE_H
#define HW_PROCESSORS_PROBE_H

#include "probes/probe.h"

/* The places of n processors, in an order in which each core comes once before one comes twice, as
   the curves have it.  NULL, or why it is not known. */
const char *hw_core_order(const struct hw_curves *curves, size_t *place, size_t n);

/* Whether the processors at two places of n share a core, as the curves have it; false as well when
   that is not known. */
bool hw_core_shared(const struct hw_curves *curves, size_t one, size_t other, size_t n);

#endif
