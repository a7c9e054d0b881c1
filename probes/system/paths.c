/* Paths to memory, and whose memory is near.

   Curve   mem_alone: x place of a processor, y time of a byte that it reads from memory alone (ns).
           mem_pairs: x places of two processors, one * 1024 + other, y time of a byte of one alone
           over that with both reading, of the one that suffers more; 1 where that is hardly less.
           mem_pairs_ns: x the same, y the latter (ns).
           mem_groups_<k>: x place, y place of the first of those that hinder each other so much.
           mem_threads: x threads that read at once, y bytes that they read together in 1 ns.
           node_pairs: x as of mem_pairs, y time of a load from memory that the other has touched
           first, over that from memory of one's own; the least of several, from either side.
           nodes: x place, y place of the first whose memory is as near.
   Method  Two threads read memory of their own, which each has touched first, more than any cache
           holds.  Only as many pairs as tell the groups.  Then more and more threads, those first
           that hinder each other least.  Loads that wait for each other, over memory that a thread
           on another processor has touched first, tell whose memory it is.
   Rows    MEM_GROUPS, MEM_GROUP1_SIZE, MEM_GROUP1_MBS and so on, MEM_THREADS, MEM_TOTAL_MBS;
           NUMA_NODES.
   Cost    Two processors: 0.4 s with 32 MiB of cache, and three times that much memory for each
           thread; none of it in quick.
   Limits  Needs threads that are bound, and to know where memory begins.  Threads for which there
           is not enough memory are not tried.  Groups of which one of two keeps 87 % are none; from
           80 % on they are, and in between it is unknown.
   See     SV III-C, figure 6; BB 3.1.4. */
#include "analysis/company.h"
#include "probes/memory/levels.h"
#include "probes/system/pairs.h"
#include "probes/system/processors.h"

#include <math.h>
#include <stdlib.h>

/* Groups that have rows. */
#define PATHS_GROUPS 4u
/* What one of two keeps who share a path, at most, and who do not, at least. */
#define PATHS_SHARED (1 / HW_COMPANY_SOME)
#define PATHS_APART (1 / HW_COMPANY_NONE)
/* Bytes of a sample; of which so much is read before it counts. */
#define PATHS_BYTES ((size_t)4 << 20)
#define PATHS_WARM ((size_t)1 << 20)
/* A pair that seems to share a path is measured so often, each time for longer. */
#define PATHS_TIMES 3u
/* Rounds at most: a sample is long. */
#define PATHS_ROUNDS 8u
/* Who is content with this is in a hurry; who wants this gets every pair. */
#define PATHS_HURRY 0.015
#define PATHS_PRECISE 0.01
/* Threads saturate memory that get all but so much of what more threads get. */
#define PATHS_ENOUGH 0.9
#define PATHS_DOUBT 0.03
/* Loads of a sample from memory of a node, each from a line of its own; and rounds at most, in
   which all is driven out of the caches twice. */
#define PATHS_LOADS 8192u
#define PATHS_NODE_ROUNDS 5u
/* Loads from memory take all but so much of what the size curve has, and scatter no more. */
#define PATHS_NODE_LATENCY 0.75
#define PATHS_NODE_SPREAD 0.1
/* Memory that is read, over what no cache seemed to hold. */
#define PATHS_BEYOND 3

struct paths {
  struct hw_bench *bench;
  size_t line;
  size_t bytes;   /* of the memory that a thread reads */
  double latency; /* of a load from memory, ns, at least */
  unsigned rounds;
  size_t most;              /* memory that may be mapped at once, in such pieces */
  struct hw_memory *own[2]; /* of the two processors that were measured last */
  size_t owner[2];
  struct hw_curve alone;
  struct hw_curve time;
};

/* Maps memory that a processor touches first.  NULL without. */
static struct hw_memory *paths_map(const struct paths *paths, size_t processor) {
  struct hw_machine *machine = paths->bench->machine;
  struct hw_memory *memory = machine->ops->map(machine, paths->bytes, HW_PAGES_PLAIN);
  struct hw_part part = {.processor = processor,
                         .work = HW_WORK_TOUCH,
                         .memory = memory,
                         .n = HW_STREAM_GRAIN,
                         .bytes = paths->bytes};

  if (memory != NULL && machine->ops->team(machine, &part, 1) == 0)
    return memory;
  machine->ops->unmap(machine, memory);
  return NULL;
}

static void paths_unmap(const struct paths *paths, struct hw_memory *memory) {
  if (memory != NULL)
    paths->bench->machine->ops->unmap(paths->bench->machine, memory);
}

/* Memory of its own for each of the two; what is there is kept.  0, or -1. */
static int paths_own(struct paths *paths, size_t i, size_t j) {
  const size_t wanted[2] = {i, j};

  if (paths->own[1] != NULL && paths->owner[1] == i) {
    paths_unmap(paths, paths->own[0]);
    paths->own[0] = paths->own[1];
    paths->owner[0] = i;
    paths->own[1] = NULL;
  }
  for (size_t k = 0; k < 2; k++) {
    if (paths->own[k] != NULL && paths->owner[k] == wanted[k])
      continue;
    paths_unmap(paths, paths->own[k]);
    paths->own[k] = paths_map(paths, wanted[k]);
    paths->owner[k] = wanted[k];
    if (paths->own[k] == NULL)
      return -1;
  }
  return 0;
}

static struct hw_part paths_part(const struct paths *paths, size_t processor,
                                 struct hw_memory *memory) {
  return (struct hw_part){.processor = processor,
                          .work = HW_WORK_READ,
                          .memory = memory,
                          .n = PATHS_BYTES,
                          .warm = PATHS_WARM,
                          .bytes = paths->bytes};
}

/* What the one keeps of its rate that loses more: alone they are the first two points. */
static double paths_left(const struct hw_point *point) {
  return fmin(point[0].y / point[2].y, point[1].y / point[3].y);
}

/* The same in the quickest samples. */
static double paths_most_left(const struct hw_point *point) {
  return fmin(point[0].y / hw_team_best(&point[2]), point[1].y / hw_team_best(&point[3]));
}

/* What a pair has: how much of its rate the one keeps that loses more; negative when it could not
   be measured. */
static double paths_pair(void *context, size_t i, size_t j) {
  struct paths *paths = context;
  struct hw_point point[4], time = {.x = (double)(i * HW_THINGS + j)};
  double left = 0;

  if (paths_own(paths, i, j) != 0)
    return -1;
  /* Who seems to lose must do so each time. */
  for (size_t times = 1; times <= PATHS_TIMES && left < PATHS_APART; times++) {
    struct hw_part part[4];
    const struct hw_team team[] = {{part, 1}, {&part[1], 1}, {&part[2], 2}};

    for (size_t k = 0; k < 4; k++)
      part[k] = paths_part(paths, k % 2 == 0 ? i : j, paths->own[k % 2]);
    if (hw_team_sample(paths->bench, team, 3, (unsigned)times * paths->rounds, point) != 0)
      return -1;
    if (point[0].count > 0 && point[1].count > 0 && point[2].count > 0 && point[3].count > 0)
      left = fmax(left, paths_left(point));
    else if (times == PATHS_TIMES)
      return -1;
  }
  if (left < PATHS_APART && paths_most_left(point) > PATHS_SHARED)
    return -1; /* only now and then */
  for (size_t k = 0; k < 2; k++) {
    point[k].x = (double)(k == 0 ? i : j);
    if (hw_curve_put(&paths->alone, point[k]) < 0)
      return -1;
  }
  time.y = (point[2].y + point[3].y) / 2;
  time.spread = fmax(point[2].spread, point[3].spread);
  time.count = point[2].count;
  if (hw_curve_put(&paths->time, time) < 0)
    return -1;
  /* Who does not lose is alike, whatever noise there is. */
  return left >= PATHS_APART ? 1 : left;
}

/* Bytes beyond all caches that are known, and what a load from there takes, ns.  0 when it is not
   known where memory begins. */
static size_t paths_bytes(const struct hw_curves *curves, double *latency) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);
  struct hw_level level[HW_LEVELS], *memory;
  bool whole;
  size_t levels = hw_levels_seen(curves, level, &whole);
  double bytes;

  if (levels < 2 || !whole || !cycle.known || !level[levels - 1].latency.known)
    return 0;
  memory = &level[levels - 1];
  *latency = memory->latency.value * cycle.value / 1000;
  bytes = fmax(PATHS_BEYOND * memory->least, (double)(PATHS_BYTES + PATHS_WARM));
  return ((size_t)(bytes / HW_STREAM_GRAIN) + 1) * HW_STREAM_GRAIN;
}

static int paths_open(struct hw_bench *bench, struct paths *paths, size_t n) {
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  unsigned rounds = bench->effort.rounds;

  *paths = (struct paths){.bench = bench,
                          .line = line.known ? (size_t)line.value : 0,
                          .rounds = rounds < PATHS_ROUNDS ? rounds : PATHS_ROUNDS};
  paths->bytes = paths_bytes(&bench->curves, &paths->latency);
  paths->latency *= PATHS_NODE_LATENCY;
  if (paths->bytes == 0 || bench->effort.precision > PATHS_HURRY)
    return -1;
  paths->most = bench->memory / paths->bytes;
  return paths->most < (n < 2 ? n : 2) || n > HW_THINGS || paths->line == 0 ? -1 : 0;
}

static void paths_close(struct paths *paths) {
  for (size_t k = 0; k < 2; k++) {
    paths_unmap(paths, paths->own[k]);
    paths->own[k] = NULL;
  }
}

/* The layers of the pairs that hinder each other; *shared is their number.  NULL, or why there are
   none. */
static const char *paths_layers(const struct hw_curves *curves, struct hw_layers *layers,
                                size_t *shared) {
  const struct hw_curve *curve = hw_curves_get(curves, "mem_pairs");
  struct hw_pairs pairs;
  const char *why;

  *shared = 0;
  if (curve == NULL)
    return "no pair was measured";
  if (hw_pairs_read(&pairs, curve) != 0)
    return "out of memory";
  why = hw_layers_find(&pairs, layers);
  hw_pairs_free(&pairs);
  if (why != NULL)
    return why;
  while (*shared < layers->layers && layers->low[*shared] < PATHS_APART)
    if (layers->high[(*shared)++] > PATHS_SHARED) {
      hw_layers_free(layers);
      return "it is not clear whether two hinder each other";
    }
  return NULL;
}

/* How many of those that come before share a group of that layer. */
static size_t paths_before(const struct hw_layers *layers, size_t layer, const size_t *order,
                           size_t n, size_t i) {
  const size_t *group = &layers->group[layer * layers->n];
  size_t before = 0;

  for (size_t j = 0; j < n; j++)
    before += group[order[j]] == group[i];
  return before;
}

/* Orders processors so that each comes next that shares least with those before, a core that is not
   taken first. */
static void paths_order(const struct hw_curves *curves, size_t *order, size_t n) {
  size_t place[HW_THINGS], shared = 0;
  bool taken[HW_THINGS] = {false};
  struct hw_layers layers = {0};

  if (paths_layers(curves, &layers, &shared) != NULL || layers.n != n)
    shared = 0;
  if (hw_core_order(curves, place, n) != NULL)
    for (size_t i = 0; i < n; i++)
      place[i] = i;
  for (size_t put = 0; put < n; put++) {
    size_t best = n, least[HW_LAYERS];

    for (size_t i = 0; i < n; i++) {
      bool better = best == n;

      if (taken[i])
        continue;
      for (size_t k = shared; k > 0; k--) {
        size_t before = paths_before(&layers, k - 1, order, put, place[i]);

        if (!better && before > least[k - 1])
          break;
        better = better || before < least[k - 1];
        if (better)
          least[k - 1] = before;
      }
      best = better ? i : best;
    }
    taken[best] = true;
    order[put] = place[best];
  }
  hw_layers_free(&layers);
}

/* Has so many threads read at once. */
static int paths_threads(struct paths *paths, const size_t *order, struct hw_memory **memory,
                         size_t threads, struct hw_curve *curve, double *rate) {
  struct hw_part *part = calloc(threads, sizeof *part);
  struct hw_point *point = calloc(threads, sizeof *point);
  struct hw_point all = {.x = (double)threads};
  const struct hw_team team = {part, threads};
  int result = part == NULL || point == NULL ? -1 : 0;

  for (size_t i = 0; result == 0 && i < threads; i++) {
    if (memory[i] == NULL)
      memory[i] = paths_map(paths, order[i]);
    part[i] = paths_part(paths, order[i], memory[i]);
    result = memory[i] == NULL ? -1 : 0;
  }
  if (result == 0)
    result = hw_team_sample(paths->bench, &team, 1, paths->rounds, point);
  all.count = paths->rounds;
  for (size_t i = 0; result == 0 && i < threads; i++) {
    result = point[i].count == 0 ? -1 : 0;
    all.y += 1 / point[i].y;
    all.spread = fmax(all.spread, point[i].spread);
    all.count = point[i].count < all.count ? point[i].count : all.count;
  }
  *rate = all.y;
  if (result == 0 && hw_curve_put(curve, all) < 0)
    result = -1;
  free(part);
  free(point);
  return result;
}

/* Measures one thread, all, and where it becomes no more. */
static int paths_scale(struct paths *paths, size_t n) {
  size_t *order = calloc(n, sizeof *order), low = 0, high = n;
  struct hw_memory **memory = calloc(n, sizeof *memory);
  struct hw_curve curve;
  double most, rate;
  int result = order == NULL || memory == NULL || paths->most < n ? -1 : 0;

  hw_curve_init(&curve, "mem_threads", "threads (count)", "bytes that all read (1/ns)");
  if (result == 0) {
    paths_order(&paths->bench->curves, order, n);
    result = paths_threads(paths, order, memory, n, &curve, &most);
  }
  while (result == 0 && high - low > 1) {
    size_t threads = low == 0 ? 1 : low + (high - low) / 2;

    result = paths_threads(paths, order, memory, threads, &curve, &rate);
    if (rate < PATHS_ENOUGH * most)
      low = threads;
    else
      high = threads;
  }
  for (size_t i = 0; memory != NULL && i < n; i++)
    paths_unmap(paths, memory[i]);
  free(memory);
  free(order);
  if (result == 0)
    return hw_publish(paths->bench, &curve, "paths", 1);
  hw_curve_free(&curve);
  return -1;
}

/* Measures the pairs, and publishes what they tell. */
static int paths_pairs(struct paths *paths, size_t n) {
  struct hw_bench *bench = paths->bench;
  bool all = bench->effort.precision < PATHS_PRECISE;
  struct hw_pairs pairs;
  int result;

  if (hw_pairs_init(&pairs, n) != 0)
    return -1;
  hw_curve_init(&paths->alone, "mem_alone", "place of the processor",
                "time of a byte that it reads alone (ns)");
  hw_curve_init(&paths->time, "mem_pairs_ns", "places of two processors (one * 1024 + other)",
                "time of a byte that both read (ns)");
  result = hw_pairs_search(&pairs, all, bench->seed, paths_pair, paths);
  paths_close(paths);
  if (result == 0)
    result = hw_pairs_publish(bench, &pairs, "paths", "mem_pairs",
                              "time of a byte alone over that with both reading");
  hw_pairs_free(&pairs);
  if (hw_publish(bench, &paths->alone, "paths", 1) != 0)
    result = -1;
  if (hw_publish(bench, &paths->time, "paths", 1) != 0)
    result = -1;
  return result;
}

static int paths_groups(struct hw_bench *bench) {
  struct hw_layers layers;
  size_t shared;
  int result = 0;

  if (paths_layers(&bench->curves, &layers, &shared) != NULL)
    return 0; /* the rows say why */
  for (size_t k = 0; result == 0 && k < shared && k < PATHS_GROUPS; k++) {
    char name[HW_CURVE_NAME];

    snprintf(name, sizeof name, "mem_groups_%zu", k + 1);
    result = hw_groups_publish(bench, &layers.group[k * layers.n], layers.n, "paths", name);
  }
  hw_layers_free(&layers);
  return result;
}

/* Whether an earlier attempt has told the groups. */
static bool paths_paired(const struct hw_curves *curves) {
  struct hw_layers layers;
  size_t shared;

  if (paths_layers(curves, &layers, &shared) != NULL)
    return false;
  hw_layers_free(&layers);
  return true;
}

int hw_probe_paths(struct hw_bench *bench) {
  struct paths paths;
  int result;
  size_t n;

  (void)bench->machine->ops->processors(bench->machine, &n);
  if (n == 0 || paths_open(bench, &paths, n) != 0)
    return -1;
  result = n < 2 || paths_paired(&bench->curves) ? 0 : paths_pairs(&paths, n);
  if (result == 0)
    result = paths_groups(bench);
  /* Where there is not memory for all there will be none later. */
  if (paths_scale(&paths, n) != 0 && paths.most >= n)
    result = -1;
  return result;
}

/* ---- Whose memory is near ---- */

/* Makes a ring of lines at random within the first quarter, from the first line on: what is read
   behind them drives them out of the caches. */
static int paths_ring(const struct paths *paths, struct hw_memory *memory) {
  struct hw_machine *machine = paths->bench->machine;
  size_t n = paths->bytes / 4 / paths->line, *offset = calloc(n + 1, sizeof *offset);
  int result = -1;

  for (size_t i = 0; offset != NULL && i < n; i++)
    offset[i] = i * paths->line;
  if (offset != NULL && n >= PATHS_LOADS) {
    hw_random_order(&paths->bench->random, offset + 1, n - 1);
    result = machine->ops->link(machine, memory, offset, PATHS_LOADS);
  }
  free(offset);
  return result;
}

/* Whether those were loads from memory: a cache that strangers leave alone for a while may hold
   more than it did. */
static bool paths_clear(const struct paths *paths, const struct hw_point *point) {
  return point->count > 0 && point->spread <= PATHS_NODE_SPREAD && point->y >= paths->latency;
}

/* What loads of a processor take from the first of two memories over those from the second, its
   own; negative when it is not clear. */
static double paths_node(struct paths *paths, size_t processor, struct hw_memory *other,
                         struct hw_memory *own) {
  struct hw_part part[4];
  const struct hw_team team[] = {{part, 1}, {&part[1], 1}, {&part[2], 1}, {&part[3], 1}};
  struct hw_point point[4];
  double far = -1;

  /* From its own, the other's driven out; from the other's, its own driven out. */
  for (size_t k = 0; k < 4; k++) {
    part[k] = paths_part(paths, processor, k == 0 || k == 3 ? own : other);
    part[k].warm = 0;
    part[k].work = k % 2 == 0 ? HW_WORK_CHASE : HW_WORK_READ;
    part[k].n = k % 2 == 0 ? PATHS_LOADS : paths->bytes;
  }
  for (unsigned times = 1; times <= 2 && far < 0; times++) {
    if (hw_team_sample(paths->bench, team, 4, times * paths->rounds, point) != 0)
      return -1;
    if (paths_clear(paths, &point[0]) && paths_clear(paths, &point[2]))
      far = point[2].y / point[0].y;
  }
  return far;
}

/* How far two are from each other's memory: what looks far must do so from both sides, twice. */
static double paths_apart(struct paths *paths, size_t i, size_t j) {
  double least = INFINITY;

  if (paths_own(paths, i, j) != 0 || paths_ring(paths, paths->own[0]) != 0 ||
      paths_ring(paths, paths->own[1]) != 0)
    return -1;
  for (int side = 0; side < 4 && least > HW_COMPANY_NONE; side++) {
    double far = side % 2 == 0 ? paths_node(paths, j, paths->own[0], paths->own[1])
                               : paths_node(paths, i, paths->own[1], paths->own[0]);

    if (far < 0)
      return -1;
    least = fmin(least, far);
  }
  return least;
}

/* Whether the other's memory is as near as one's own. */
static enum hw_company paths_near(double far) {
  if (far <= HW_COMPANY_NONE)
    return HW_COMPANY_ALONE;
  return far >= HW_COMPANY_SOME ? HW_COMPANY_SHARING : HW_COMPANY_UNCLEAR;
}

/* The same for the search: 1 near, 2 far. */
static double paths_node_pair(void *context, size_t i, size_t j) {
  struct paths *paths = context;
  double far = paths_apart(context, i, j);
  struct hw_point point = {.x = (double)(i * HW_THINGS + j), .y = far, .count = 1};

  if (far < 0 || hw_curve_put(&paths->time, point) < 0)
    return -1;
  return paths_near(far) == HW_COMPANY_UNCLEAR ? -1 : paths_near(far) == HW_COMPANY_ALONE ? 1 : 2;
}

/* The node of each of n processors, by the place of its first.  NULL, or why not. */
static const char *paths_nodes(const struct hw_curves *curves, size_t *node, size_t n) {
  const struct hw_curve *curve = hw_curves_get(curves, "node_pairs");
  struct hw_layers layers;
  struct hw_pairs pairs;
  const char *why = NULL;

  if (curve == NULL)
    return "it was not measured whose memory is near";
  if (hw_pairs_read(&pairs, curve) != 0)
    return "out of memory";
  for (size_t i = 0; i < pairs.n * pairs.n; i++)
    if (!isnan(pairs.y[i])) {
      if (paths_near(pairs.y[i]) == HW_COMPANY_UNCLEAR)
        why = "it is not clear whether memory is near";
      pairs.y[i] = paths_near(pairs.y[i]) == HW_COMPANY_ALONE ? 1 : 2;
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
  bool all = bench->effort.precision < PATHS_PRECISE;
  size_t n, node[HW_THINGS];
  struct hw_pairs pairs;
  struct paths paths;
  int result;

  (void)bench->machine->ops->processors(bench->machine, &n);
  if (n < 2 || paths_open(bench, &paths, n) != 0 || hw_pairs_init(&pairs, n) != 0)
    return -1;
  paths.rounds = paths.rounds < PATHS_NODE_ROUNDS ? paths.rounds : PATHS_NODE_ROUNDS;
  hw_curve_init(&paths.time, "node_pairs", "places of two processors (one * 1024 + other)",
                "load from memory that one has touched, by the other, over one of its own");
  result = hw_pairs_search(&pairs, all, bench->seed, paths_node_pair, &paths);
  paths_close(&paths);
  fprintf(bench->log, "nodes: %zu of %zu pairs measured\n", pairs.measured, n * (n - 1) / 2);
  hw_pairs_free(&pairs);
  if (hw_publish(bench, &paths.time, "nodes", 1) != 0)
    return -1;
  if (result == 0 && paths_nodes(&bench->curves, node, n) == NULL)
    result = hw_groups_publish(bench, node, n, "nodes", "nodes");
  return result;
}

/* ---- Values ---- */

static const char paths_method[] = "groups by pairs";

/* How many processors there are to compare.  False when they are less than two, or nothing of them
   will be measured, and *answer says so. */
static bool paths_known(const struct hw_curves *curves, size_t *n, struct hw_answer *answer) {
  const struct hw_curve *list = hw_curves_get(curves, "processors");
  double latency;

  *n = list == NULL ? 0 : list->n;
  if (*n < 2 || *n > HW_THINGS)
    *answer = hw_absent(paths_method, "there are no two processors to bind threads to");
  else if (paths_bytes(curves, &latency) == 0)
    *answer = hw_absent(paths_method, "it is not known where memory begins");
  else
    return true;
  return false;
}

struct hw_answer hw_value_numa_nodes(const struct hw_curves *curves) {
  size_t n, nodes = 0, node[HW_THINGS];
  struct hw_answer answer;
  const char *why;

  if (!paths_known(curves, &n, &answer))
    return answer;
  why = paths_nodes(curves, node, n);
  if (why != NULL)
    return hw_unknown(paths_method, why);
  for (size_t i = 0; i < n; i++)
    nodes += node[i] == i;
  return hw_known(paths_method, (double)nodes, 0, HW_CLARITY_MAX);
}

/* The layers and how many of them are groups.  False when they are not known, and *answer says
   why. */
static bool paths_shared(const struct hw_curves *curves, struct hw_layers *layers, size_t *shared,
                         struct hw_answer *answer) {
  const char *why;
  size_t n;

  if (!paths_known(curves, &n, answer))
    return false;
  why = paths_layers(curves, layers, shared);
  if (why == NULL && layers->n != n) {
    hw_layers_free(layers);
    why = "processors are missing";
  }
  if (why != NULL)
    *answer = hw_unknown(paths_method, why);
  return why == NULL;
}

struct hw_answer hw_value_mem_groups(const struct hw_curves *curves) {
  struct hw_layers layers;
  struct hw_answer answer;
  size_t shared;

  if (!paths_shared(curves, &layers, &shared, &answer))
    return answer;
  hw_layers_free(&layers);
  return hw_known(paths_method, (double)shared, 0, HW_CLARITY_MAX);
}

static struct hw_answer paths_size(const struct hw_curves *curves, const struct hw_layers *layers,
                                   size_t k) {
  size_t size = hw_layer_size(layers, k);

  (void)curves;
  if (size == 0)
    return hw_absent(paths_method, HW_GROUPS_UNEVEN);
  return hw_known(paths_method, (double)size, 0, HW_CLARITY_MAX);
}

/* What one of two has left, by the pairs of the layer: a byte a ns is 1000 MB/s. */
static struct hw_answer paths_rate(const struct hw_curves *curves, const struct hw_layers *layers,
                                   size_t k) {
  const struct hw_curve *pairs = hw_curves_get(curves, "mem_pairs");
  const struct hw_curve *time = hw_curves_get(curves, "mem_pairs_ns");
  struct hw_curve part;
  struct hw_answer answer;

  if (time == NULL || time->n != pairs->n)
    return hw_unknown("median rate", "its curve was not measured");
  hw_curve_init(&part, "part", "", "");
  for (size_t i = 0; i < time->n; i++)
    if (pairs->point[i].y >= layers->low[k] && pairs->point[i].y <= layers->high[k] &&
        hw_curve_put(&part, time->point[i]) < 0)
      part.n = 0;
  answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  if (answer.known)
    answer = hw_known(answer.method, 1000 / answer.value,
                      1000 / answer.value * (answer.error / answer.value), answer.clarity);
  return answer;
}

static struct hw_answer paths_row(const struct hw_curves *curves, size_t k,
                                  struct hw_answer (*row)(const struct hw_curves *,
                                                          const struct hw_layers *, size_t)) {
  struct hw_layers layers;
  struct hw_answer answer;
  size_t shared;

  if (!paths_shared(curves, &layers, &shared, &answer))
    return answer;
  if (k >= shared)
    answer = hw_absent(paths_method, "there are no such groups");
  else
    answer = row(curves, &layers, k);
  hw_layers_free(&layers);
  return answer;
}

#define PATHS_ROWS(n)                                                                              \
  struct hw_answer hw_value_mem_group##n##_size(const struct hw_curves *curves) {                  \
    return paths_row(curves, (n)-1, paths_size);                                                   \
  }                                                                                                \
  struct hw_answer hw_value_mem_group##n##_mbs(const struct hw_curves *curves) {                   \
    return paths_row(curves, (n)-1, paths_rate);                                                   \
  }

PATHS_ROWS(1)
PATHS_ROWS(2)
PATHS_ROWS(3)
PATHS_ROWS(4)

/* The curve of threads that read, and the most of it.  NULL, and *answer says why. */
static const struct hw_curve *paths_most(const struct hw_curves *curves, double *most,
                                         struct hw_answer *answer) {
  static const char method[] = "fewest threads";
  const struct hw_curve *curve = hw_curves_get(curves, "mem_threads");
  size_t n;

  *most = 0;
  if (!paths_known(curves, &n, answer) && n != 1)
    return NULL;
  if (curve == NULL || curve->n == 0) {
    *answer = hw_curves_get(curves, "mem_pairs") != NULL
                  ? hw_absent(method, "there is no memory or time for all threads")
                  : hw_unknown(method, "its curve was not measured");
    return NULL;
  }
  for (size_t i = 0; i < curve->n; i++) {
    *most = fmax(*most, curve->point[i].y);
    if (curve->point[i].spread > HW_RATE_ERROR) {
      *answer = hw_unknown(method, "samples differ by more than 15 %");
      return NULL;
    }
  }
  return curve;
}

struct hw_answer hw_value_mem_total_mbs(const struct hw_curves *curves) {
  struct hw_answer answer;
  double most;

  if (paths_most(curves, &most, &answer) == NULL)
    return answer;
  return hw_known("most", 1000 * most, 1000 * most * PATHS_DOUBT, HW_CLARITY_MAX);
}

struct hw_answer hw_value_mem_threads(const struct hw_curves *curves) {
  static const char method[] = "fewest threads";
  struct hw_answer answer;
  const struct hw_curve *curve;
  double most;
  size_t first = 0;

  curve = paths_most(curves, &most, &answer);
  if (curve == NULL)
    return answer;
  while (curve->point[first].y < PATHS_ENOUGH * most)
    first++;
  for (size_t i = 0; i < curve->n; i++)
    if (fabs(curve->point[i].y - PATHS_ENOUGH * most) < PATHS_DOUBT * most)
      return hw_unknown(method, "it is not clear whether more threads get more");
  if (first > 0 && curve->point[first].x > curve->point[first - 1].x + 1)
    return hw_unknown(method, "points are missing");
  return hw_known(method, curve->point[first].x, 0, HW_CLARITY_MAX);
}
