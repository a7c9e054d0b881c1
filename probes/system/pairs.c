/* Pairs of processors, as measured by teams.  See pairs.h. */
#include "probes/system/pairs.h"

#include "analysis/rows/processors.h"
#include "analysis/rows/sharing.h"

#include <math.h>
#include <stdlib.h>

/* Puts into group[] the largest groups of n processors that are known to share something.  Whether
   there are any. */
static bool pairs_alike(const struct hw_curves *curves, size_t *group, size_t n) {
  size_t known = 0;
  bool settled;

  for (unsigned level = HW_SHARING_LEVELS; level > 0; level--)
    if (hw_sharing_groups(curves, level, group, n) == NULL)
      return true;
  return hw_core_of(curves, group, &known, &settled) == NULL && known == n;
}

int hw_pairs_of(struct hw_bench *bench, struct hw_pairs *pairs, hw_measure_pair *measure,
                void *context) {
  size_t group[HW_THINGS];
  bool alike = pairs_alike(&bench->curves, group, pairs->n);

  return hw_pairs_search(pairs, alike ? group : NULL, bench->seed, measure, context);
}

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
