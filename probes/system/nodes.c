/* Whose memory is near.

   Curve   node_pairs: x places of two processors, one * 1024 + other, y time of a load from memory
           that the other has touched first, over that from memory of one's own; the least of
           several, from either side.
           nodes: x place, y place of the first whose memory is as near.
   Method  Loads that wait for each other, over memory that a thread on another processor has
           touched first, tell whose memory it is.  Only as many pairs as tell the groups.
   Rows    NUMA_NODES.
   Cost    Two processors: 0.15 s with 32 MiB of cache, and three times that much memory for each
           of the two; none of it in quick.
   Limits  Needs threads that are bound, and to know where memory begins.  Memory that takes up to
           15 % more is as near; from 25 % on it is not, and in between it is unknown.
   See     BB 3.1.4; SV III-D. */
#include "analysis/company.h"
#include "analysis/names.h"
#include "probes/system/local_memory.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Loads of a sample, each from a line of its own that nobody has loaded since all was driven out of
   the caches; the lines of which one is loaded, at most; and rounds. */
#define NODES_LOADS 512u
#define NODES_LINES 8u
#define NODES_ROUNDS 16u
/* They scatter no more. */
#define NODES_SPREAD 0.1
/* So often it is tried until they do. */
#define NODES_TIMES 3u

struct nodes {
  struct hw_local_memory owned;
  struct hw_curve far;
};

static const char nodes_method[] = "groups by pairs";

/* Bytes from the lines of one round to those of the next: all lie within the first quarter, and
   what is read behind them drives them out of the caches. */
static size_t nodes_step(const struct hw_local_memory *owned) {
  size_t lines = owned->bytes / 4 / owned->line / NODES_ROUNDS / NODES_LOADS;

  return (lines < NODES_LINES ? lines : NODES_LINES) * NODES_LOADS * owned->line;
}

/* Makes a ring of the lines of each round, in random order, from the first on. */
static int nodes_rings(const struct hw_local_memory *owned, struct hw_memory *memory) {
  struct hw_machine *machine = owned->bench->machine;
  size_t step = nodes_step(owned), n = step / owned->line, *offset = calloc(n + 1, sizeof *offset);
  int result = offset == NULL || n < NODES_LOADS ? -1 : 0;

  for (size_t r = 0; result == 0 && r < NODES_ROUNDS; r++) {
    for (size_t i = 0; i < n; i++)
      offset[i] = r * step + i * owned->line;
    hw_random_order(&owned->bench->random, offset + 1, n - 1);
    result = machine->ops->link(machine, memory, offset, NODES_LOADS);
  }
  free(offset);
  return result;
}

/* Makes the rings of both memories, and has the two processors read all of their own, so that no
   cache holds them. */
static int nodes_ready(struct hw_local_memory *owned) {
  struct hw_part part[2];

  for (size_t k = 0; k < 2; k++) {
    part[k] = hw_local_memory_part(owned, owned->owner[k], owned->own[k]);
    part[k].warm = 0;
    part[k].n = owned->bytes;
    if (nodes_rings(owned, owned->own[k]) != 0)
      return -1;
  }
  return owned->bench->machine->ops->team(owned->bench->machine, part, 2);
}

/* Whether those were loads from memory: a cache that strangers leave alone for a while may hold
   more than it did. */
static bool nodes_clear(const struct hw_local_memory *owned, const struct hw_point *point) {
  return point->count > 0 && point->spread <= NODES_SPREAD && point->y >= owned->latency;
}

/* What loads of the k-th processor take from the other's memory over those from its own; negative
   when it is not clear. */
static double nodes_ratio(struct hw_local_memory *owned, size_t k) {
  struct hw_part part[2];
  const struct hw_team team[] = {{&part[0], 1, nodes_step(owned)},
                                 {&part[1], 1, nodes_step(owned)}};
  struct hw_point point[2];

  for (unsigned times = 0; times < NODES_TIMES; times++) {
    if (nodes_ready(owned) != 0)
      return -1;
    for (size_t i = 0; i < 2; i++)
      part[i] = (struct hw_part){.processor = owned->owner[k],
                                 .work = HW_WORK_CHASE,
                                 .memory = owned->own[i],
                                 .n = NODES_LOADS,
                                 .bytes = owned->bytes};
    if (hw_team_sample(owned->bench, team, 2, NODES_ROUNDS, point) != 0)
      return -1;
    if (nodes_clear(owned, &point[0]) && nodes_clear(owned, &point[1]))
      return point[1 - k].y / point[k].y;
  }
  return -1;
}

/* How far two are from each other's memory: what looks far must do so from both sides, twice. */
static double nodes_apart(struct hw_local_memory *owned, size_t i, size_t j) {
  double least = INFINITY;

  if (hw_local_memory_pair(owned, i, j) != 0)
    return -1;
  for (size_t side = 0; side < 4 && least > HW_COMPANY_NONE; side++) {
    double far = nodes_ratio(owned, 1 - side % 2);

    if (far < 0)
      return -1;
    least = fmin(least, far);
  }
  return least;
}

/* Whether the other's memory is as near as one's own. */
static enum hw_company nodes_near(double far) {
  if (far <= HW_COMPANY_NONE)
    return HW_COMPANY_ALONE;
  return far >= HW_COMPANY_SOME ? HW_COMPANY_SHARING : HW_COMPANY_UNCLEAR;
}

/* The same for the search: 1 near, 2 far. */
static double nodes_pair(void *context, size_t i, size_t j) {
  struct nodes *nodes = context;
  double far = nodes_apart(&nodes->owned, i, j);
  struct hw_point point = {.x = (double)(i * HW_THINGS + j), .y = far, .count = 1};

  if (far < 0 || hw_curve_put(&nodes->far, point) < 0)
    return -1;
  return nodes_near(far) == HW_COMPANY_UNCLEAR ? -1 : nodes_near(far) == HW_COMPANY_ALONE ? 1 : 2;
}

/* The node of each of n processors, by the place of its first.  NULL, or why not. */
static const char *nodes_find(const struct hw_curves *curves, size_t *node, size_t n) {
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
      if (nodes_near(pairs.y[i]) == HW_COMPANY_UNCLEAR)
        why = "it is not clear whether memory is near";
      pairs.y[i] = nodes_near(pairs.y[i]) == HW_COMPANY_ALONE ? 1 : 2;
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

int hw_probe_nodes(struct hw_bench *bench) {
  bool all = hw_every_pair(bench);
  size_t n, node[HW_THINGS];
  struct hw_pairs pairs;
  struct nodes nodes;
  int result;

  (void)bench->machine->ops->processors(bench->machine, &n);
  if (n < 2 || hw_local_memory_open(bench, &nodes.owned, n) != 0 || hw_pairs_init(&pairs, n) != 0)
    return -1;
  hw_curve_init(&nodes.far, HW_NAME_NODE_PAIRS, "places of two processors (one * 1024 + other)",
                "load from memory that one has touched, by the other, over one of its own");
  result = hw_pairs_search(&pairs, all, bench->seed, nodes_pair, &nodes);
  hw_local_memory_close(&nodes.owned);
  fprintf(bench->log, "nodes: %zu of %zu pairs measured\n", pairs.measured, n * (n - 1) / 2);
  hw_pairs_free(&pairs);
  if (hw_publish(bench, &nodes.far, "nodes", 0) != 0)
    return -1;
  if (result == 0 && nodes_find(&bench->curves, node, n) == NULL)
    result = hw_groups_publish(bench, node, n, "nodes", "nodes");
  return result;
}

struct hw_answer hw_read_numa_nodes(const struct hw_curves *curves) {
  size_t n, nodes = 0, node[HW_THINGS];
  struct hw_answer answer;
  const char *why;

  if (!hw_local_memory_known(curves, nodes_method, &n, &answer))
    return answer;
  why = nodes_find(curves, node, n);
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
