/* Whether processors can be compared by memory that each of them owns. */
#include "analysis/rows/local_memory.h"

#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/colours.h"
#include "analysis/rows/traffic.h"

bool hw_local_memory_level(const struct hw_curves *curves, struct hw_level *memory,
                           double *latency) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);
  struct hw_level level[HW_LEVELS];
  bool last;
  size_t levels = hw_traffic_levels(curves, level, &last);

  if (levels < 2 || !last || !cycle.known)
    return false;
  *memory = level[levels - 1];
  *latency = hw_colours_latency(curves, memory) * cycle.value / 1000;
  return true;
}

bool hw_local_memory_known(const struct hw_curves *curves, const char *method, size_t *n,
                           struct hw_answer *answer) {
  const struct hw_curve *list = hw_curves_get(curves, HW_NAME_PROCESSORS);
  struct hw_level memory;
  double latency;

  *n = list == NULL ? 0 : list->n;
  if (*n < 2 || *n > HW_THINGS)
    *answer = hw_absent(method, "there are no two processors to bind threads to");
  else if (!hw_local_memory_level(curves, &memory, &latency))
    *answer = hw_absent(method, "it is not known where memory begins");
  else
    return true;
  return false;
}
