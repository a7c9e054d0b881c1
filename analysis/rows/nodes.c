/* Nodes of processors with near memory, off the curves of probes/system/nodes.c.

   Rows    NUMA_NODES.
   Limits  Needs to know where memory begins.  Memory whose latency is up to 15 % more is as near;
           from 25 % on it is not, and in between it is unknown.
   See     BB 3.1.4; SV III-D. */
#include "analysis/rows/nodes.h"

#include "analysis/company.h"
#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/local_memory.h"

static const char nodes_method[] = "groups by pairs";

double hw_nodes_side(const struct hw_point *pair) {
  if (pair->y <= HW_COMPANY_NONE)
    return 1;
  return pair->y >= HW_COMPANY_SOME ? 2 : -1;
}

const char *hw_nodes_find(const struct hw_curves *curves, size_t *node, size_t n) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_NODE_PAIRS);

  if (curve == NULL || curve->n == 0)
    return "which memory is near was not measured";
  return hw_pairs_groups(curve, hw_nodes_side, "it is not clear whether memory is near", node, n);
}

struct hw_answer hw_read_numa_nodes(const struct hw_curves *curves) {
  size_t n, node[HW_THINGS];
  struct hw_answer answer;
  const char *why;

  if (!hw_local_memory_known(curves, nodes_method, &n, &answer))
    return answer;
  why = hw_nodes_find(curves, node, n);
  /* A search cut short lacks pairs that would join nodes. */
  if (why == NULL && hw_curves_get(curves, HW_NAME_NODES) == NULL &&
      hw_curves_get(curves, HW_NAME_NODE_PAIRS)->n < n * (n - 1) / 2)
    why = "there was no time for all pairs that tell";
  if (why != NULL)
    return hw_unknown(nodes_method, why);
  return hw_known(nodes_method, (double)hw_groups_count(node, n), 0, HW_CLARITY_MAX);
}
