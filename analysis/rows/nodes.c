/* Nodes of processors with near memory, off the curves of probes/system/nodes.c.

   Rows    NUMA_NODES, NUMA_REMOTE_LAT_NS, NUMA_REMOTE_X100.
   Limits  Needs to know where memory begins.  Memory whose latency is up to 15 % more is as near;
           from 25 % on it is not, and in between it is unknown.  Of nodes at several distances the
           median of the pairs measured.
   See     BB 3.1.4; SV III-D. */
#include "analysis/rows/nodes.h"

#include "analysis/company.h"
#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/local_memory.h"

#include <math.h>
#include <stdlib.h>

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
    why = "there was no time to measure all pairs that are needed";
  if (why != NULL)
    return hw_unknown(nodes_method, why);
  return hw_known(nodes_method, (double)hw_groups_count(node, n), 0, HW_CLARITY_MAX);
}

/* Puts into y[], the least first, what a curve has of those pairs that are of two nodes and were
   measured, of each the middle of its least and its most: those that were taken over from others
   have no time.  Returns how many, and the range of all samples. */
static size_t nodes_remote(const struct hw_curves *curves, const char *name, double *y, double *low,
                           double *high) {
  const struct hw_curve *pairs = hw_curves_get(curves, HW_NAME_NODE_PAIRS);
  const struct hw_curve *time = hw_curves_get(curves, HW_NAME_NODE_PAIRS_NS);
  const struct hw_curve *from = hw_curves_get(curves, name);
  size_t n = 0;

  *low = INFINITY;
  *high = 0;
  for (size_t i = 0; i < pairs->n; i++) {
    const struct hw_point *at = hw_curve_at(from, pairs->point[i].x);

    if (at == NULL || hw_curve_at(time, at->x) == NULL || hw_nodes_side(&pairs->point[i]) != 2)
      continue;
    y[n++] = at->y * (1 + at->spread / 2);
    *low = fmin(*low, at->y);
    *high = fmax(*high, at->y * (1 + at->spread));
  }
  hw_sort(y, n);
  return n;
}

/* The median of what a curve has of pairs of two nodes, with the range of all samples and of what
   others make of it by a factor. */
static struct hw_answer nodes_row(const struct hw_curves *curves, const char *name, double others) {
  static const char method[] = "median of pairs of two nodes";
  struct hw_answer answer = hw_read_numa_nodes(curves);
  double low, high, *y;
  size_t n;

  if (!answer.known)
    return answer;
  if (answer.value < 2)
    return hw_absent(method, "there is one node");
  y = calloc(hw_curves_get(curves, HW_NAME_NODE_PAIRS)->n, sizeof *y);
  n = y == NULL ? 0 : nodes_remote(curves, name, y, &low, &high);
  if (n == 0)
    answer = hw_unknown(method, "its curve was not measured");
  else if (high > HW_RANGE_WIDEST * low)
    answer = hw_unknown(method, "some nodes' memory takes more than twice as long as others'");
  else
    answer = hw_at_other_times(hw_ranged(method, y[(n - 1) / 2], low, high), others);
  free(y);
  return answer;
}

struct hw_answer hw_read_numa_remote_lat_ns(const struct hw_curves *curves) {
  return nodes_row(curves, HW_NAME_NODE_PAIRS_NS, HW_OTHERS_MEMORY);
}

struct hw_answer hw_read_numa_remote_x100(const struct hw_curves *curves) {
  return hw_scaled(nodes_row(curves, HW_NAME_NODE_PAIRS, HW_OTHERS_CACHE), 100);
}
