/* Paths to memory: which processors share bandwidth.

   Curve   mem_alone: x place of a processor, y time of a byte that it reads from memory alone (ns).
           mem_pairs: x places of two processors, one * 1024 + other, y time of a byte of one alone
           over that with both reading, of the one slowed more; 1 if they share no path.
           mem_pairs_ns: x the same, y the time with both reading (ns).
           mem_groups_<k>: x place, y place of the first of those that slow each other that much.
           mem_threads: x threads that read at once, y their total bandwidth (bytes in 1 ns).
           mem_threads_<k>: the same within one of these groups, unless that has all processors.
   Method  Two threads read memory of their own, which each has touched first, more than any cache
           holds, each alone and then both, in turn, until the rounds tell (doc/statistics.md);
           some pairs again, later.  Only as many pairs as tell the groups.  Then ever more threads,
           those first that slow each other least; also within a group.  A host that migrates
           virtual processors puts them on other paths: when other processes use them too, or when
           the time of a word between two differs from that of the comm probe, nothing is known.
   Rows    MEM_GROUPS, MEM_GROUP1_SIZE, MEM_GROUP1_MBS, MEM_GROUP1_THREADS and so on, MEM_THREADS,
           MEM_TOTAL_MBS.
   Cost    Two processors: 0.1 s, 0.7 s where they share a path; with 32 MiB of cache three times
           that much memory for each thread; none of it in quick.
   Limits  Needs threads that are bound, and the size from which on loads come from memory.  Threads
           for which there is not enough memory are not tried.
   See     SV III-C, figures 6 and 9. */
#include "analysis/rows/paths.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/comm.h"
#include "analysis/rows/processors.h"
#include "analysis/samples.h"
#include "probes/system/co_run.h"
#include "probes/system/comm.h"
#include "probes/system/groups.h"
#include "probes/system/local_memory.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Groups that have rows. */
#define PATHS_GROUPS 4u
/* Disturbed looks after which nothing is known; and looks with another time of a word. */
#define PATHS_TIMES 3u
#define PATHS_MOVED 6u
/* Least undisturbed part of the samples, and of the rounds: beside more, a host migrates virtual
   processors. */
#define PATHS_QUIET 0.75
/* Rounds that show that two share a path, all of them slow; that show that they do not; how many
   times as many these must be as the others; and rounds at most. */
#define PATHS_SLOW 20u
#define PATHS_FREE 6u
#define PATHS_CLEARLY 4u
#define PATHS_MOST 60u

struct paths {
  struct hw_local_memory owned;
  struct hw_layers comm; /* how far processors are from each other */
  struct hw_curve alone;
  struct hw_curve time;
};

/* Whether one of n points has too few undisturbed samples, of that many rounds. */
static bool paths_disturbed(const struct hw_point *point, size_t n, unsigned rounds) {
  for (size_t i = 0; i < n; i++)
    if ((double)point[i].count < PATHS_QUIET * rounds)
      return true;
  return false;
}

/* The looks so far, counted. */
struct paths_looks {
  unsigned told;      /* valid */
  unsigned disturbed; /* other processes used the processors */
  unsigned moved;     /* the time of a word had changed */
};

/* Counts a look of n points as valid, disturbed, or moved (processor i or j). */
static void paths_count(struct paths *paths, struct paths_looks *looks,
                        const struct hw_point *point, size_t n, size_t i, size_t j) {
  if (paths_disturbed(point, n, paths->owned.rounds))
    looks->disturbed++;
  else if (i != j && hw_comm_moved(paths->owned.bench, &paths->comm, i, j))
    looks->moved++;
  else
    looks->told++;
}

/* What the rounds of a pair have shown.  Only those count before and after which each of the two
   had as much alone as ever: then others took nothing. */
struct paths_tally {
  double alone[2][2 * PATHS_MOST]; /* time of a byte of each alone, ns */
  size_t alones[2];
  double base[2];             /* the least median of a batch of those */
  double time[2][PATHS_MOST]; /* with both reading, of the rounds that count */
  size_t rounds;              /* their number */
  size_t slow;                /* of them, either was slowed as on one path */
  size_t free;                /* neither was slowed */
  size_t tried;               /* all rounds */
};

/* Takes a batch of rounds, each of the two times alone and then of the two at once. */
static void paths_take(struct paths_tally *tally, double (*cost)[4], unsigned rounds) {
  for (size_t k = 0; k < 2; k++) {
    double alone[HW_LOCAL_MEMORY_ROUNDS + 1];
    size_t n = 0;

    for (size_t r = 0; r <= rounds; r++)
      if (!isnan(cost[r][k])) {
        alone[n++] = cost[r][k];
        if (tally->alones[k] < 2 * PATHS_MOST)
          tally->alone[k][tally->alones[k]++] = cost[r][k];
      }
    hw_sort(alone, n);
    if (n > 0 && (tally->base[k] <= 0 || alone[n / 2] < tally->base[k]))
      tally->base[k] = alone[n / 2];
  }
  for (size_t r = 0; r < rounds && tally->rounds < PATHS_MOST; r++) {
    double ratio = 0;
    bool quiet = true;

    for (size_t k = 0; k < 2; k++) {
      const double most = HW_COMPANY_NONE * tally->base[k];

      quiet = quiet && cost[r][k] <= most && cost[r + 1][k] <= most && !isnan(cost[r][2 + k]);
      tally->time[k][tally->rounds] = cost[r][2 + k];
      ratio = fmax(ratio, cost[r][2 + k] / tally->base[k]);
    }
    tally->rounds += quiet;
    tally->slow += quiet && ratio >= HW_COMPANY_SOME;
    tally->free += quiet && ratio <= HW_COMPANY_NONE;
  }
  tally->tried += rounds + (isnan(cost[rounds][2]) || isnan(cost[rounds][3]));
}

/* What the rounds so far say (doc/statistics.md). */
static enum hw_company paths_company(const struct paths_tally *tally) {
  if ((double)tally->rounds < PATHS_QUIET * (double)tally->tried)
    return HW_COMPANY_UNCLEAR;
  if (tally->free >= PATHS_FREE && tally->free >= PATHS_CLEARLY * (tally->rounds - tally->free))
    return HW_COMPANY_ALONE;
  if (tally->free == 0 && tally->rounds >= PATHS_SLOW &&
      tally->slow >= PATHS_CLEARLY * (tally->rounds - tally->slow))
    return HW_COMPANY_SHARING;
  return HW_COMPANY_UNCLEAR;
}

/* Measures rounds of a pair until these tell whether it shares a path, or are too many.  0, or -1
   when there are no threads. */
static int paths_rounds(struct paths *paths, size_t i, size_t j, struct paths_tally *tally) {
  const unsigned rounds = paths->owned.rounds;
  struct hw_part part[4];
  const struct hw_team team[] = {{part, 1, 0}, {&part[1], 1, 0}, {&part[2], 2, 0}};
  double cost[HW_LOCAL_MEMORY_ROUNDS + 1][4];

  *tally = (struct paths_tally){.rounds = 0};
  for (size_t k = 0; k < 4; k++)
    part[k] = hw_local_memory_part(&paths->owned, k % 2 == 0 ? i : j, paths->owned.own[k % 2]);
  while (paths_company(tally) == HW_COMPANY_UNCLEAR && tally->tried < 2 * PATHS_MOST &&
         tally->rounds < PATHS_MOST) {
    if (hw_team_rounds(paths->owned.bench, team, 3, rounds + 1, cost[0]) != 0)
      return -1;
    paths_take(tally, cost, rounds);
  }
  return 0;
}

/* The same, again while the host moves them.  0, or -1. */
static int paths_decide(struct paths *paths, size_t i, size_t j, struct paths_tally *tally) {
  if (hw_local_memory_pair(&paths->owned, i, j) != 0)
    return -1;
  for (unsigned moved = 0; moved < PATHS_MOVED; moved++) {
    if (paths_rounds(paths, i, j, tally) != 0)
      return -1;
    if (!hw_comm_moved(paths->owned.bench, &paths->comm, i, j))
      return 0;
  }
  return -1;
}

/* The least part of its bandwidth that either keeps, by the faster quarter of the times; both[]:
   the time of a byte of each with both reading. */
static double paths_left(struct paths_tally *tally, struct hw_point *both) {
  double left = INFINITY;

  for (size_t k = 0; k < 2; k++) {
    both[k] = hw_low_end(tally->time[k], tally->rounds);
    left = fmin(left, hw_low_end(tally->alone[k], tally->alones[k]).y / both[k].y);
  }
  return left;
}

/* Looks at a pair; *left becomes 1 if it shares no path, else the part that either keeps.
   UNCLEAR as well for two that keep more in the faster rounds, and for two that seem to share a
   path, are known to have a core each, and are on one core at the moment.  0, or -1. */
static int paths_look(struct paths *paths, size_t i, size_t j, struct paths_tally *tally,
                      struct hw_point *both, double *left, enum hw_company *company) {
  const size_t place[2] = {i, j};

  if (paths_decide(paths, i, j, tally) != 0)
    return -1;
  *company = paths_company(tally);
  *left = paths_left(tally, both);
  if (*company == HW_COMPANY_SHARING &&
      (*left > HW_PATHS_SHARED ||
       (!hw_core_shared(&paths->owned.bench->curves, i, j, paths->comm.n) &&
        hw_co_run_together(paths->owned.bench, place, 2) != 0)))
    *company = HW_COMPANY_UNCLEAR;
  if (*company == HW_COMPANY_ALONE)
    *left = 1; /* whatever the noise */
  return 0;
}

/* The value of a pair, as paths_look has it; negative when it is not clear. */
static double paths_pair(void *context, size_t i, size_t j) {
  struct paths *paths = context;
  struct paths_tally tally;
  struct hw_point both[2];
  enum hw_company company;
  double left;

  if (paths_look(paths, i, j, &tally, both, &left, &company) != 0 || company == HW_COMPANY_UNCLEAR)
    return -1;
  for (size_t k = 0; k < 2; k++)
    if (hw_curve_put(&paths->alone, (struct hw_point){.x = (double)(k == 0 ? i : j),
                                                      .y = tally.base[k],
                                                      .count = tally.rounds}) < 0)
      return -1;
  return hw_curve_put(&paths->time,
                      (struct hw_point){.x = hw_pair_x(i, j),
                                        .y = (both[0].y + both[1].y) / 2,
                                        .spread = fmax(both[0].spread, both[1].spread),
                                        .count = tally.rounds}) < 0
             ? -1
             : left;
}

/* Looks again at the first of the pairs that share a path, and of those that do not: later than a
   host leaves two processors on one core where some share one.  One of which that is not so any
   more is not clear.  0, or -1. */
static int paths_again(struct paths *paths, const struct hw_pairs *pairs) {
  size_t first[2] = {pairs->n * pairs->n, pairs->n * pairs->n}; /* by enum hw_company */

  for (size_t k = pairs->n * pairs->n; k-- > 0;)
    if (!isnan(pairs->y[k]))
      first[pairs->y[k] < HW_PATHS_APART ? HW_COMPANY_SHARING : HW_COMPANY_ALONE] = k;
  hw_pause(paths->owned.bench,
           first[HW_COMPANY_SHARING] < pairs->n * pairs->n ? HW_HOST_MOVES_NS : HW_HOST_SLICE_NS);
  for (size_t before = 0; before < 2; before++) {
    struct paths_tally tally;
    struct hw_point both[2];
    enum hw_company company;
    double left;

    if (first[before] == pairs->n * pairs->n)
      continue;
    if (paths_look(paths, first[before] / pairs->n, first[before] % pairs->n, &tally, both, &left,
                   &company) != 0)
      return -1;
    if (company != before)
      pairs->y[first[before]] = HW_PATHS_UNCLEAR;
  }
  return 0;
}

/* How many of the first n in order are in the group of i in that layer. */
static size_t paths_before(const struct hw_layers *layers, size_t layer, const size_t *order,
                           size_t n, size_t i) {
  const size_t *group = &layers->group[layer * layers->n];
  size_t before = 0;

  for (size_t j = 0; j < n; j++)
    before += group[order[j]] == group[i];
  return before;
}

/* Orders processors greedily: next comes the one that shares least with those before, and among
   equals, the first in order of cores. */
static void paths_order(const struct hw_curves *curves, size_t *order, size_t n) {
  size_t place[HW_THINGS], shared = 0;
  bool taken[HW_THINGS] = {false};
  struct hw_layers layers = {0};

  if (hw_paths_layers(curves, &layers, &shared) != NULL || layers.n != n)
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

/* Has threads read at once until a look is valid; *rate: their bandwidth, bytes in 1 ns. */
static int paths_threads(struct paths *paths, const size_t *order, struct hw_memory **memory,
                         size_t threads, struct hw_curve *curve, double *rate) {
  struct hw_part *part = calloc(threads, sizeof *part);
  struct hw_point *point = calloc(threads, sizeof *point);
  struct hw_point all = {.x = (double)threads};
  const struct hw_team team = {part, threads, 0};
  const unsigned rounds = paths->owned.rounds;
  int result = part == NULL || point == NULL ? -1 : 0;
  struct paths_looks looks = {0};

  for (size_t i = 0; result == 0 && i < threads; i++)
    if (memory[i] == NULL)
      memory[i] = hw_local_memory_take(&paths->owned, order[i]);
  if (result == 0)
    result = hw_local_memory_fill(&paths->owned, order, memory, threads);
  for (size_t i = 0; result == 0 && i < threads; i++)
    part[i] = hw_local_memory_part(&paths->owned, order[i], memory[i]);
  while (result == 0 && looks.told == 0) {
    result = looks.disturbed < PATHS_TIMES && looks.moved < PATHS_MOVED
                 ? hw_team_sample(paths->owned.bench, &team, 1, rounds, point)
                 : -1;
    if (result == 0)
      paths_count(paths, &looks, point, threads, order[0], order[threads - 1]);
  }
  all.count = rounds;
  for (size_t i = 0; result == 0 && i < threads; i++) {
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

/* Measures one of n threads, all, and by binary search where their total bandwidth saturates. */
static int paths_scale(struct paths *paths, const size_t *order, struct hw_memory **memory,
                       size_t n, const char *name) {
  size_t low = 0, high = n;
  struct hw_curve curve;
  double most, rate;
  int result;

  hw_curve_init(&curve, name, "threads (count)", "bytes that all read (1/ns)");
  result = paths_threads(paths, order, memory, n, &curve, &most);
  while (result == 0 && high - low > 1) {
    size_t threads = low == 0 ? 1 : low + (high - low) / 2;

    result = paths_threads(paths, order, memory, threads, &curve, &rate);
    if (rate < HW_PATHS_ENOUGH * most)
      low = threads;
    else
      high = threads;
  }
  return hw_publish(paths->owned.bench, &curve, "paths", result);
}

/* The same of the threads within a group of each kind, if that has not all n. */
static int paths_scale_groups(struct paths *paths, const size_t *order, struct hw_memory **memory,
                              size_t n) {
  struct hw_memory *theirs[HW_THINGS];
  size_t some[HW_THINGS], shared;
  struct hw_layers layers;
  int result = 0;

  if (hw_paths_layers(&paths->owned.bench->curves, &layers, &shared) != NULL)
    return 0;
  for (size_t k = 0; result == 0 && k < shared && k < PATHS_GROUPS; k++) {
    const size_t *group = &layers.group[k * n];
    char name[HW_CURVE_NAME];
    size_t members = 0;

    for (size_t i = 0; i < n; i++)
      if (group[order[i]] == group[order[0]]) {
        some[members] = order[i];
        theirs[members++] = memory[i];
      }
    snprintf(name, sizeof name, "mem_threads_%zu", k + 1);
    result = members < n ? paths_scale(paths, some, theirs, members, name) : 0;
  }
  hw_layers_free(&layers);
  return result;
}

/* What ever more threads read, of all n and of groups. */
static int paths_threads_all(struct paths *paths, size_t n) {
  struct hw_machine *machine = paths->owned.bench->machine;
  size_t *order = calloc(n, sizeof *order);
  struct hw_memory **memory = calloc(n, sizeof *memory);
  int result = order == NULL || memory == NULL || paths->owned.most < n ? -1 : 0;

  if (result == 0) {
    paths_order(&paths->owned.bench->curves, order, n);
    result = paths_scale(paths, order, memory, n, HW_NAME_MEM_THREADS);
  }
  if (result == 0)
    result = paths_scale_groups(paths, order, memory, n);
  for (size_t i = 0; memory != NULL && i < n; i++)
    machine->ops->unmap(machine, memory[i]);
  free(memory);
  free(order);
  return result;
}

/* Measures the pairs, and publishes their curves. */
static int paths_pairs(struct paths *paths, size_t n) {
  struct hw_bench *bench = paths->owned.bench;
  struct hw_pairs pairs;
  int result;

  if (hw_pairs_init(&pairs, n) != 0)
    return -1;
  hw_curve_init(&paths->alone, HW_NAME_MEM_ALONE, "place of the processor",
                "time of a byte that it reads alone (ns)");
  hw_curve_init(&paths->time, HW_NAME_MEM_PAIRS_NS, HW_PAIRS_TITLE,
                "time of a byte that both read (ns)");
  result = hw_pairs_of(bench, &pairs, paths_pair, paths);
  if (result == 0)
    result = paths_again(paths, &pairs);
  if (result == 0)
    result = hw_pairs_publish(bench, &pairs, 1, "paths", HW_NAME_MEM_PAIRS,
                              "time of a byte alone over that with both reading");
  hw_pairs_free(&pairs);
  if (hw_publish(bench, &paths->alone, "paths", 0) != 0)
    result = -1;
  if (hw_publish(bench, &paths->time, "paths", 0) != 0)
    result = -1;
  return result;
}

static int paths_groups(struct hw_bench *bench) {
  struct hw_layers layers;
  size_t shared;
  int result = 0;

  if (hw_paths_layers(&bench->curves, &layers, &shared) != NULL)
    return 0; /* the rows say why */
  for (size_t k = 0; result == 0 && k < shared && k < PATHS_GROUPS; k++) {
    char name[HW_CURVE_NAME];

    snprintf(name, sizeof name, "mem_groups_%zu", k + 1);
    result = hw_groups_publish(bench, &layers.group[k * layers.n], layers.n, "paths", name);
  }
  hw_layers_free(&layers);
  return result;
}

int hw_probe_paths(struct hw_bench *bench) {
  struct paths paths = {.comm = {.n = 0}};
  size_t n = hw_processors(bench);
  int result = 0;

  if (n == 0 || hw_local_memory_open(bench, &paths.owned, n) != 0)
    return -1;
  if (n >= 2 && hw_team_wanted(bench, n))
    return -1;
  bench->why = n < 2 ? NULL : hw_comm_layers(&bench->curves, &paths.comm);
  if (bench->why != NULL)
    return -1;
  if (n >= 2 && !hw_paths_paired(&bench->curves))
    result = paths_pairs(&paths, n);
  if (result == 0)
    result = paths_groups(bench);
  /* If memory does not suffice for all, another attempt is useless. */
  if (paths_threads_all(&paths, n) != 0 && paths.owned.most >= n)
    result = -1;
  hw_local_memory_close(&paths.owned);
  hw_layers_free(&paths.comm);
  return result;
}
