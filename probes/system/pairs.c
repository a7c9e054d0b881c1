/* Pairs of processors, as measured by teams.  See pairs.h. */
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Every pair is measured for a precision finer than this, relative. */
#define PAIRS_PRECISE 0.01

bool hw_every_pair(const struct hw_bench *bench) { return bench->effort.precision < PAIRS_PRECISE; }

int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, const char *probe,
                     const char *name, const char *y_title) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, "places of two processors (one * 1024 + other)", y_title);
  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; result == 0 && j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)))
        result = hw_curve_put(&curve, (struct hw_point){.x = (double)(i * HW_THINGS + j),
                                                        .y = hw_pairs_get(pairs, i, j),
                                                        .count = 1});
  fprintf(bench->log, "%s: %zu of %zu pairs measured\n", name, pairs->measured,
          pairs->n * (pairs->n - 1) / 2);
  return hw_publish(bench, &curve, probe, result);
}

int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, "place of the processor", "place of its group's first");
  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = (double)group[i]});
  return hw_publish(bench, &curve, probe, result);
}
