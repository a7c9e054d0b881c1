/* Groups of processors, and their pairs, as curves.  See groups.h. */
#include "probes/system/groups.h"

int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name) {
  struct hw_curve curve;

  hw_curve_init(&curve, name, "place of the processor", "place of its group's first");
  return hw_publish(bench, &curve, probe, hw_groups_put(&curve, group, n));
}

int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, unsigned long count,
                     const char *probe, const char *name, const char *y_title) {
  struct hw_curve curve;

  hw_curve_init(&curve, name, HW_PAIRS_TITLE, y_title);
  fprintf(bench->log, "%s: %zu of %zu pairs measured\n", name, pairs->measured,
          pairs->n * (pairs->n - 1) / 2);
  return hw_publish(bench, &curve, probe, hw_pairs_put_all(pairs, count, &curve));
}
