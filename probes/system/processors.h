/* All processors measured at the same time. */
#ifndef HW_PROCESSORS_PROBE_H
#define HW_PROCESSORS_PROBE_H

#include "probes/probe.h"
#include "probes/system/co_run.h"

/* Has all of n processors do additions at the same time; again, up to that many looks, while one
   seems to be slowed by others: the first pause is apart, ns, and doubles each time.  Publishes the
   quickest of each as that curve of the probe: x place, y time over that alone.  0, or -1. */
int hw_cores_look(const struct hw_co_run *run, size_t n, int looks, double apart, const char *name,
                  const char *probe);

#endif
