/* Pairs of processors, as measured by teams.  See pairs.h. */
#include "probes/system/pairs.h"

#include "analysis/rows/processors.h"
#include "analysis/rows/sharing.h"

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
