/* Groups of processors as a curve.  See groups.h. */
#include "probes/system/groups.h"

int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, "place of the processor", "place of its group's first");
  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = (double)group[i]});
  return hw_publish(bench, &curve, probe, result);
}
