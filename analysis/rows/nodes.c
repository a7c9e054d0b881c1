/* Whose memory is near, off the curves of probes/system/nodes.c.

   Rows    NUMA_NODES.
   Limits  Needs to know where memory begins.  Memory that takes up to 15 % more is as near; from
           25 % on it is not, and in between it is unknown.
   See     BB 3.1.4; SV III-D. */
#include "analysis/rows/nodes.h"

#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/local_memory.h"

#include <math.h>

static const char nodes_method[] = "groups by pairs";

enum hw_company hw_nodes_near(double far) {
  if (far <= HW_COMPANY_NONE)
    return HW_COMPANY_ALONE;
  return far >= HW_COMPANY_SOME ? HW_COMPANY_SHARING : HW_COMPANY_UNCLEAR;
}

const char *hw_nodes_find(const struct hw_curves *curves, size_t *node, size_t n) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_NODE_PAIRS);
  struct hw_layers layers;
  struct hw_pairs pairs;
  const char *why = NULL;

  if (curve == NULL || curve->n == 0)
    return "which memory is near was not measured";
  if (hw_pairs_read(&pairs, curve) != 0)
    return "out of memory";
  for (size_t i = 0; i < pairs.n * pairs.n; i++)
    if (!isnan(pairs.y[i])) {
      if (hw_nodes_near(pairs.y[i]) == HW_COMPANY_UNCLEAR)
        why = "it is not clear whether memory is near";
      pairs.y[i] = hw_nodes_near(pairs.y[i]) == HW_COMPANY_ALONE ? 1 : 2;
    }
  if (why == NULL)
    why = pairs.n != n ? "processors are missing" : hw_layers_find(&pairs, &layers);
  hw_pairs_free(&pairs);
  if (why != NULL)
    return why;
  for (size_t i = 0; i < n; i++)
    node[i] = layers.y[0] < 1.5 ? layers.group[i] : i;
  hw_layers_free(&layers);
  return NULL;
}

struct hw_answer hw_read_numa_nodes(const struct hw_curves *curves) {
  size_t n, nodes = 0, node[HW_THINGS];
  struct hw_answer answer;
  const char *why;

  if (!hw_local_memory_known(curves, nodes_method, &n, &answer))
    return answer;
  why = hw_nodes_find(curves, node, n);
  /* Of a search that did not come to its end pairs are missing that would join nodes. */
  if (why == NULL && hw_curves_get(curves, HW_NAME_NODES) == NULL &&
      hw_curves_get(curves, HW_NAME_NODE_PAIRS)->n < n * (n - 1) / 2)
    why = "there was no time for all pairs that tell";
  if (why != NULL)
    return hw_unknown(nodes_method, why);
  for (size_t i = 0; i < n; i++)
    nodes += node[i] == i;
  return hw_known(nodes_method, (double)nodes, 0, HW_CLARITY_MAX);
}
