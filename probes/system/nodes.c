/* NUMA nodes: which processors' memory is near.

   Curve   node_pairs: x places of two processors, one * 1024 + other, y time of a load from memory
           that the other has touched first, over that from its own; the least of several, from
           either side; spread: how far the most of them lies above it.
           node_pairs_ns: x the same, y that time (ns).
           nodes: x place, y place of the first whose memory is as near.
   Method  The latency of dependent loads, from memory that a thread on another processor has
           touched first, tells whether it is local.  Only as many pairs as tell the groups.
   Rows    NUMA_NODES, NUMA_REMOTE_LAT_NS, NUMA_REMOTE_X100.
   Cost    Two processors: 0.15 s with 32 MiB of cache, and three times that much memory for each
           of the two; none of it in quick.
   Limits  Needs threads that are bound, and the size from which on loads come from memory.
   See     BB 3.1.4; SV III-D. */
#include "analysis/rows/nodes.h"

#include "analysis/company.h"
#include "analysis/names.h"
#include "probes/system/groups.h"
#include "probes/system/local_memory.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Loads of a sample, each from a line of its own that was not loaded since all were evicted from
   the caches; lines for each that is loaded, at most; and rounds. */
#define NODES_LOADS 512u
#define NODES_LINES 8u
#define NODES_ROUNDS 16u
/* Most relative spread of loads that count. */
#define NODES_SPREAD 0.1
/* Tries at most until the spread is no more. */
#define NODES_TIMES 3u

struct nodes {
  struct hw_local_memory owned;
  struct hw_curve far;
  struct hw_curve time;
};

/* Bytes from the lines of one round to those of the next: all lie within the first quarter, and
   reading the memory behind them evicts them from the caches. */
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

/* Makes the rings of both memories, and has the two processors read all of their own, which evicts
   the rings from the caches. */
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

/* Whether those were loads from memory: a shared cache holds more than it did while other guests
   leave it alone. */
static bool nodes_clear(const struct hw_local_memory *owned, const struct hw_point *point) {
  return point->count > 0 && point->spread <= NODES_SPREAD && point->y >= owned->latency;
}

/* Latency of loads of the k-th processor from the other's memory over that from its own, and in *ns
   itself; negative when it is not clear. */
static double nodes_ratio(struct hw_local_memory *owned, size_t k, double *ns) {
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
    *ns = point[1 - k].y;
    if (nodes_clear(owned, &point[0]) && nodes_clear(owned, &point[1]))
      return point[1 - k].y / point[k].y;
  }
  return -1;
}

/* Adds one of several to a point of the least of them. */
static void nodes_add(struct hw_point *least, double y) {
  double most = fmax(least->y * (1 + least->spread), y);

  least->y = least->y > 0 ? fmin(least->y, y) : y;
  least->spread = most / least->y - 1;
}

/* The least of such ratios for two processors, and of the times: memory that looks far must do so
   from both sides, twice.  0, or -1 when it is not clear. */
static int nodes_apart(struct hw_local_memory *owned, size_t i, size_t j, struct hw_point *far,
                       struct hw_point *time) {
  *far = *time = (struct hw_point){.x = hw_pair_x(i, j), .count = 1};
  if (hw_local_memory_pair(owned, i, j) != 0)
    return -1;
  for (size_t side = 0; side < 4 && (side == 0 || far->y > HW_COMPANY_NONE); side++) {
    double ns, ratio = nodes_ratio(owned, 1 - side % 2, &ns);

    if (ratio < 0)
      return -1;
    nodes_add(far, ratio);
    nodes_add(time, ns);
  }
  return 0;
}

/* For the search, whether memory of either is near to the other: 1 near, 2 far, -1 unclear. */
static double nodes_pair(void *context, size_t i, size_t j) {
  struct nodes *nodes = context;
  struct hw_point far, time;

  if (nodes_apart(&nodes->owned, i, j, &far, &time) != 0 || hw_curve_put(&nodes->far, far) < 0 ||
      hw_curve_put(&nodes->time, time) < 0)
    return -1;
  return hw_nodes_side(&far);
}

/* Puts the pairs that were taken over from others into the curve, as one that was measured on their
   side.  0, or -1 without memory. */
static int nodes_taken(struct hw_curve *far, const struct hw_pairs *pairs) {
  double y[3] = {0};

  for (size_t k = 0; k < far->n; k++)
    y[(size_t)hw_nodes_side(&far->point[k])] = far->point[k].y;
  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; j < pairs->n; j++) {
      double x = hw_pair_x(i, j), side = hw_pairs_get(pairs, i, j);

      if (side > 0 && hw_curve_at(far, x) == NULL &&
          hw_curve_put(far, (struct hw_point){.x = x, .y = y[(size_t)side]}) < 0)
        return -1;
    }
  return 0;
}

int hw_probe_nodes(struct hw_bench *bench) {
  size_t n = hw_processors(bench), node[HW_THINGS];
  struct hw_pairs pairs;
  struct nodes nodes;
  int result;

  if (n < 2 || hw_local_memory_open(bench, &nodes.owned, n) != 0 || hw_pairs_init(&pairs, n) != 0)
    return -1;
  hw_curve_init(&nodes.far, HW_NAME_NODE_PAIRS, HW_PAIRS_TITLE,
                "load from memory that one has touched, by the other, over one of its own");
  hw_curve_init(&nodes.time, HW_NAME_NODE_PAIRS_NS, HW_PAIRS_TITLE,
                "load from memory that one has touched, by the other (ns)");
  result = hw_pairs_of(bench, &pairs, nodes_pair, &nodes);
  if (result == 0)
    result = nodes_taken(&nodes.far, &pairs);
  hw_local_memory_close(&nodes.owned);
  fprintf(bench->log, "nodes: %zu of %zu pairs measured\n", pairs.measured, n * (n - 1) / 2);
  hw_pairs_free(&pairs);
  if (hw_publish(bench, &nodes.time, "nodes", 0) != 0)
    result = -1;
  if (hw_publish(bench, &nodes.far, "nodes", 0) != 0)
    return -1;
  if (result == 0 && hw_nodes_find(&bench->curves, node, n) == NULL)
    result = hw_groups_publish(bench, node, n, "nodes", "nodes");
  return result;
}
