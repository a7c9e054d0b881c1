/* The processors, and which of them share a core, for the probes that come after. */
#ifndef HW_PROCESSORS_PROBE_H
#define HW_PROCESSORS_PROBE_H

#include "probes/probe.h"
#include "probes/system/co_run.h"

/* Has all of n processors do additions at the same time, and looks again, so often at most, while
   one seems to be slowed by others: first so far apart, ns, and twice as far each time.  Publishes
   the quickest of each as that curve of the probe: x place, y time over that alone.  0, or -1. */
int hw_cores_look(const struct hw_co_run *run, size_t n, int looks, double apart, const char *name,
                  const char *probe);

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
