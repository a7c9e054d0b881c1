/* Effective capacity of the level-1 data cache, off the curve of probes/data/effective.c.

   Method  The end of the first quality-threshold cluster, if its floor is the latency of level 1:
           else the SMT sibling holds a part of the level.
   Rows    L1_EFF_BYTES.
   Limits  Known to the next smaller working set on the curve, 1/8 to 1/15 below.
   See     BB 4.2.3, 5. */
#include "analysis/names.h"
#include "analysis/values.h"

#include <math.h>

/* A working set whose loads take longer than a hit by more than this share misses. */
#define EFFECTIVE_MISSES 0.03

/* Whether even the cheapest working sets cost more than a hit in level 1: the SMT sibling, which
   slows them, holds a part of the level as well. */
static bool effective_shared(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_EFFECTIVE);
  struct hw_answer latency = hw_scaled(hw_value_l1_lat_x100(curves), 0.01);
  double least = INFINITY;

  if (curve == NULL || curve->n == 0 || !latency.known)
    return false;
  for (size_t i = 0; i < curve->n; i++)
    least = fmin(least, curve->point[i].y - hw_point_error(&curve->point[i]));
  return least > (1 + EFFECTIVE_MISSES) * (latency.value + latency.error);
}

struct hw_answer hw_read_l1_eff_bytes(const struct hw_curves *curves) {
  struct hw_answer effective = hw_reduce_named(curves, HW_NAME_EFFECTIVE, hw_reduce_first_cluster);
  struct hw_answer bytes = hw_value_l1_bytes(curves);

  if (effective.known && bytes.known && effective.value > bytes.value)
    return hw_unknown(effective.method, "it is larger than the capacity");
  if (effective.known && effective_shared(curves))
    return hw_unknown(effective.method, "what fits costs more than a load of level 1");
  return effective;
}
