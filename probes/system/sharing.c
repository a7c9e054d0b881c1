/* Caches that processors share.

   Curve   l<n>_fits: x working set (bytes), y time of a load (ns) of one thread: of one that fits
           level n, and of twice that.
           l<n>_pairs: x places of two processors, one * 1024 + other, y time of a load of the one,
           with the other walking over a working set of the same size, scaled linearly so that the
           first of these is 0 (they do not share the level) and the second 1 (they do).
           l<n>_groups: x place, y place of the first of those that share an instance.
           l<n>_busy: x working set (bytes) of each of those of one group, all at work, y the time
           of a load of the slowest, on the same scale.
   Method  Threads walk over two thirds of the level each, each on its own.  The working sets of two
           together do not fit one instance; a thread alone with a working set of that size gives
           the time of a load in that case, so that nothing has to be known of the level but what
           fits.  Crowds of threads tell the groups (crowds.h): those that fit touch nothing beyond
           the level, and disturb no other.  After levels 1 and 2, and after level 3, the groups are
           proved again, later than a host leaves two processors on one core if some seem to share a
           level: what another process does for a moment does not count.  Then all of one group walk
           over two thirds of their equal parts, and over four thirds.
   Rows    L1_SHARED_BY, L1_SHARE_BYTES, the same of L2 and L3.
   Cost    Two processors: 60 ms a level, a second where a level has 32 MiB, 150 ms where other
           guests occupy it, and none of it in quick; 600 ms of waiting where some share a level.
           Maps what fits each once for each processor; if that is too much, for one of those that
           share the level before.
   Limits  Needs threads that are bound.
   See     SV III-B, figure 5. */
#include "analysis/rows/sharing.h"

#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/rows/colours.h"
#include "probes/data/traffic.h"
#include "probes/probe.h"
#include "probes/system/co_run.h"
#include "probes/system/crowds.h"
#include "probes/system/groups.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Part of a level that one thread walks over (SV III-B). */
#define SHARING_PART (2.0 / 3)
/* Least factor by which twice the working set must raise the time of a load. */
#define SHARING_RISE 1.3
/* Loads of a sample of level 1, and half of the level before of each other: much longer than the
   skew between the threads' starts. */
#define SHARING_LOADS 65536ul
/* Additions that time the cycle, next to loads of levels that run by the core's clock; and the last
   of these. */
#define SHARING_ADDS 8192ul
#define SHARING_CLOCKED 2u
/* Longest lap of a working set that does not fit, ns, to measure a level: in quick, and else. */
#define SHARING_QUICK 4e6
#define SHARING_LONG 1e8
/* Rounds at most; time of laps that do not fit, ns, beyond which they are fewer; and the fewest: of
   a large level a single sample is precise.  Of more places than SHARING_MANY, a crowd is one of
   many, and has half as many. */
#define SHARING_ROUNDS 8u
#define SHARING_MANY 8u
#define SHARING_SPENT 1e8
#define SHARING_LEAST 3u
/* Working sets that are mapped at least: with all of a group busy, they take two, and a control
 * one.
 */
#define SHARING_SETS 3u

/* A level, as it is measured. */
struct sharing_level {
  struct hw_bench *bench;
  const struct hw_traffic *traffic;
  unsigned number; /* from 1 */
  size_t x;        /* working set of one thread, bytes */
  struct hw_memory *memory;
  size_t *offset; /* room for a ring of twice x */
  unsigned rounds;
  double next;             /* latency of the next level, ns */
  double rise;             /* time of a load of twice x, over that of x */
  size_t place[HW_THINGS]; /* that walk: all, or the firsts of those that share the level before */
  size_t group[HW_THINGS]; /* of each of them */
  struct hw_point beside[HW_THINGS];
  struct hw_part part[HW_THINGS]; /* of each place */
  struct hw_co_run run;
  struct hw_crowds crowds;
  struct hw_curve pairs; /* scaled times of pairs */
};

/* Links a ring over x bytes from base on, through the word at that offset in each line.  0, or -1.
 */
static int sharing_ring(const struct sharing_level *level, size_t base, size_t x, size_t word) {
  struct hw_machine *machine = level->bench->machine;
  size_t n = hw_traffic_lines(level->traffic, x, &level->bench->random, level->offset);

  for (size_t i = 0; i < n; i++)
    level->offset[i] += base + word;
  /* The segment that comes first begins anywhere. */
  return n == 0 || machine->ops->link(machine, level->memory, level->offset, n) != 0 ? -1 : 0;
}

/* A part that walks x bytes, from an offset on, after a lap to warm the caches. */
static struct hw_part sharing_part(const struct sharing_level *level, size_t processor,
                                   size_t offset, size_t x) {
  unsigned long lap = (x / level->traffic->line / HW_GRAIN + 1) * HW_GRAIN;
  unsigned long loads = SHARING_LOADS >> level->number, adds = level->bench->adds;

  return (struct hw_part){.processor = processor,
                          .work = HW_WORK_CHASE,
                          .memory = level->memory,
                          .n = adds > loads ? adds : loads,
                          .warm = lap > loads ? lap : loads,
                          .bytes = x,
                          .offset = offset};
}

/* The rings of the places lie one behind the other, each through the first word of its lines; that
   of twice the working set, from the beginning on, goes through another word. */
#define SHARING_ONE ((size_t)0)
#define SHARING_TWICE sizeof(void *)

/* y scaled so that fits becomes 0 and full becomes 1. */
static double sharing_way(double fits, double full, double y) { return (y - fits) / (full - fits); }

/* A point of times, scaled so. */
static struct hw_point sharing_point(double fits, double full, const struct hw_point *time) {
  struct hw_point way = {.y = fmax(sharing_way(fits, full, time->y), 0), .count = time->count};
  double best = fmax(sharing_way(fits, full, hw_point_best(time)), 0);

  way.spread = way.y > 0 ? (way.y - best) / way.y : 0;
  return way;
}

/* Has some places walk at once, for the search; a point becomes the scaled time. */
static int sharing_crowd(void *context, const size_t *place, size_t n, struct hw_point *point) {
  struct sharing_level *level = context;

  if (hw_co_run_sample(&level->run, place, n, point) != 0)
    return -1;
  for (size_t i = 0; i < n; i++)
    point[i] = sharing_point(1, level->rise, &point[i]);
  return 0;
}

/* Links one ring.  Whether its time of a load is far enough below the next level's latency for a
   rise to show: where other guests occupy the level, it is not. */
static bool sharing_holds(const struct sharing_level *level) {
  struct hw_part one = sharing_part(level, 0, SHARING_ONE, level->x);
  const struct hw_team team = {.part = &one, .n = 1};
  struct hw_point point;

  return sharing_ring(level, 0, level->x, SHARING_ONE) == 0 &&
         hw_team_sample(level->bench, &team, 1, SHARING_LEAST, &point) == 0 &&
         (point.count == 0 || SHARING_RISE * hw_point_best(&point) < level->next);
}

/* Links the others.  0, or -1. */
static int sharing_rings(struct sharing_level *level) {
  unsigned long adds = level->bench->adds > SHARING_ADDS ? level->bench->adds : SHARING_ADDS;

  if (sharing_ring(level, 0, 2 * level->x, SHARING_TWICE) != 0)
    return -1;
  for (size_t k = 0; k < level->crowds.n; k++) {
    struct hw_part *part = &level->part[level->place[k]];

    *part = sharing_part(level, level->place[k], k * level->x, level->x);
    part->adds = level->number <= SHARING_CLOCKED ? adds : 0;
    if (k > 0 && sharing_ring(level, k * level->x, level->x, SHARING_ONE) != 0)
      return -1;
  }
  return 0;
}

/* Measures a working set that fits the level, and twice that.  Whether the times of a load differ
   enough; -1 when that cannot be told. */
static int sharing_rises(struct sharing_level *level) {
  struct hw_part one = sharing_part(level, 0, SHARING_ONE, level->x);
  struct hw_part twice = sharing_part(level, 0, SHARING_TWICE, 2 * level->x);
  const struct hw_team team[] = {{&one, 1, 0}, {&twice, 1, 0}};
  struct hw_point point[2];
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result;

  if (hw_team_sample(level->bench, team, 2, level->rounds, point) != 0)
    return -1;
  point[0].x = (double)level->x;
  point[1].x = 2 * (double)level->x;
  hw_sharing_name(name, level->number, "fits");
  hw_curve_init(&curve, name, "working set (bytes)", "time of a load of one thread (ns)");
  result = hw_curve_put(&curve, point[0]) < 0 || hw_curve_put(&curve, point[1]) < 0 ? -1 : 0;
  if (hw_publish(level->bench, &curve, "sharing", result) < 0 || point[0].count == 0 ||
      point[1].count == 0)
    return -1;
  level->rise = point[1].y / point[0].y;
  return level->rise >= SHARING_RISE;
}

/* Chooses the rounds.  Whether a lap of a working set that does not fit takes no longer than this
   effort allows. */
static bool sharing_worth(struct sharing_level *level) {
  const struct hw_effort *effort = &level->bench->effort;
  const struct hw_curves *curves = &level->bench->curves;
  struct hw_answer cycle = hw_value_cycle_ps(curves);
  double next = hw_colours_latency(curves, &level->traffic->level[level->number]);
  double loads = 2 * (double)level->x / (double)level->traffic->line;
  double lap = loads * next * cycle.value / 1000;

  level->next = next * cycle.value / 1000;
  level->rounds = (unsigned)fmax(SHARING_LEAST, fmin(SHARING_ROUNDS, SHARING_SPENT / lap));
  level->rounds = level->rounds < effort->rounds ? level->rounds : effort->rounds;
  return cycle.known && lap > 0 && lap <= (effort->leaves > 1 ? SHARING_QUICK : SHARING_LONG);
}

/* Chooses the places of n processors that walk: one of each group that shares the level before, if
   the memory does not suffice for all, and of many processors beyond level 2.  Whether there is
   enough. */
static bool sharing_places(struct sharing_level *level, size_t n) {
  const size_t most = level->bench->memory / level->x;
  size_t near[HW_THINGS];
  bool all = (n <= (level->number > SHARING_CLOCKED ? SHARING_MANY : most)) || level->number < 2 ||
             hw_sharing_groups(&level->bench->curves, level->number - 1, near, n) != NULL;

  level->crowds.n = 0;
  for (size_t i = 0; i < n; i++)
    if (all || near[i] == i)
      level->place[level->crowds.n++] = i;
  return level->crowds.n <= most && most >= SHARING_SETS;
}

/* Maps the memory for a level of n processors.  0, or -1. */
static int sharing_open(struct sharing_level *level, size_t n) {
  struct hw_machine *machine = level->bench->machine;
  size_t sets;

  level->offset = NULL;
  level->memory = NULL;
  if (level->x < 2 * level->traffic->line || level->traffic->line < 2 * sizeof(void *) ||
      !sharing_places(level, n) || !sharing_worth(level))
    return -1;
  sets = level->crowds.n > SHARING_SETS ? level->crowds.n : SHARING_SETS;
  level->offset = calloc(2 * level->x / level->traffic->line + 1, sizeof *level->offset);
  level->memory = machine->ops->map(machine, sets * level->x, HW_PAGES_PLAIN);
  return level->offset == NULL || level->memory == NULL ? -1 : 0;
}

static void sharing_close(struct sharing_level *level) {
  free(level->offset);
  level->bench->machine->ops->unmap(level->bench->machine, level->memory);
  level->offset = NULL;
  level->memory = NULL;
}

/* Chooses the working set of one thread: two thirds of the capacity, or the most that surely fits,
   if that is less; or, if twice that raises the time too little, that most, or else those two
   thirds: a level may seem to end before its capacity.  0 with all mapped and linked, or -1. */
static int sharing_choose(struct sharing_level *level, size_t n, struct hw_answer bytes) {
  const struct hw_level *at = &level->traffic->level[level->number - 1];
  double part = bytes.known ? bytes.value : at->effective.known ? at->effective.value : at->most;
  const double x[] = {fmin(SHARING_PART * part, at->most), at->most, SHARING_PART * part};
  bool holds = true; /* else larger working sets, which take longer, are no use */

  for (size_t i = 0; i < sizeof x / sizeof x[0] && holds; i++) {
    bool open;

    level->x = (size_t)(x[i] / (double)HW_TRAFFIC_UNIT) * HW_TRAFFIC_UNIT;
    open = sharing_open(level, n) == 0;
    holds = !open || sharing_holds(level);
    if (open && holds && sharing_rings(level) == 0) {
      int rises = sharing_rises(level);
      if (rises > 0)
        return 0;
      holds = rises == 0;
    }
    sharing_close(level);
  }
  return -1;
}

/* Links rings of x bytes for all of the first group, one behind the other, and has them all walk.
 *slowest becomes the scaled time of the slowest.  0, or -1. */
static int sharing_parts(struct sharing_level *level, const size_t *group, size_t n, size_t size,
                         size_t x, struct hw_point *slowest) {
  struct hw_part *part = calloc(size + 2, sizeof *part);
  struct hw_point *point = calloc(size + 2, sizeof *point);
  size_t members = 0;
  int result = part == NULL || point == NULL
                   ? -1
                   : sharing_ring(level, 2 * level->x, level->x, SHARING_TWICE);

  for (size_t i = 0; result == 0 && i < n && members < size; i++)
    if (group[i] == 0) {
      result = sharing_ring(level, members * x, x, SHARING_ONE);
      part[members] = sharing_part(level, i, members * x, x);
      members++;
    }
  if (result == 0) {
    const struct hw_team team[] = {{part, size, 0}, {&part[size], 1, 0}, {&part[size + 1], 1, 0}};

    part[size] = sharing_part(level, 0, 2 * level->x + SHARING_TWICE, level->x);
    part[size + 1] = sharing_part(level, 0, SHARING_TWICE, 2 * level->x);
    result = hw_team_sample(level->bench, team, 3, level->rounds, point);
  }
  *slowest = (struct hw_point){.x = (double)x, .count = result == 0 ? 1 : 0};
  for (size_t i = 0; result == 0 && i < size; i++) {
    struct hw_point way = sharing_point(point[size].y, point[size + 1].y, &point[i]);

    slowest->count = point[i].count == 0 ? 0 : slowest->count;
    if (way.y > slowest->y) {
      slowest->y = way.y;
      slowest->spread = way.spread;
    }
  }
  if (result == 0 &&
      (point[size].count == 0 || !(point[size + 1].y >= SHARING_RISE * point[size].y)))
    slowest->count = 0;
  free(part);
  free(point);
  return result;
}

/* Measures the capacity left to each when all of a group are busy. */
static int sharing_busy(struct sharing_level *level, const size_t *group, size_t n) {
  size_t size = hw_groups_size(group, n);
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result = 0;

  if (size < 2)
    return 0;
  hw_sharing_name(name, level->number, "busy");
  hw_curve_init(&curve, name, "working set of each (bytes)",
                "slowest load of all at once (0 fits)");
  for (size_t times = 1; result == 0 && times <= 2; times++) {
    size_t unit = 2 * level->traffic->line; /* the set that fits is rounded down, the other up */
    size_t x = (times * level->x / size + (times - 1) * (unit - 1)) / unit * unit;
    struct hw_point slowest;

    result = x == 0 || size * x > SHARING_SETS * level->x
                 ? -1
                 : sharing_parts(level, group, n, size, x, &slowest);
    if (result == 0 && slowest.count > 0)
      result = hw_curve_put(&curve, slowest) < 0 ? -1 : 0;
  }
  return hw_publish(level->bench, &curve, "sharing", result);
}

/* Puts the pairs of those that share the level before, which were not measured, into the curve. */
static int sharing_near(struct sharing_level *level, size_t n) {
  size_t near[HW_THINGS];

  if (level->crowds.n == n)
    return 0;
  if (hw_sharing_groups(&level->bench->curves, level->number - 1, near, n) != NULL)
    return -1;
  for (size_t i = 0; i < n; i++)
    if (near[i] != i &&
        hw_curve_put(&level->pairs,
                     (struct hw_point){.x = hw_pair_x(near[i], i), .y = 1, .count = 1}) < 0)
      return -1;
  return 0;
}

/* Measures a level a first time.  0, or -1. */
static int sharing_first(struct sharing_level *level, size_t n) {
  struct hw_crowds *crowds = &level->crowds;

  crowds->bench = level->bench;
  crowds->thing = level->place;
  crowds->measure = sharing_crowd;
  crowds->of = hw_sharing_of;
  crowds->context = level;
  crowds->beside = level->beside;
  level->run = (struct hw_co_run){.bench = level->bench,
                                  .part = level->part,
                                  .rounds = crowds->n > SHARING_MANY ? (level->rounds + 1) / 2
                                                                     : level->rounds};
  if (hw_crowds_search(crowds, level->group) != 0 ||
      hw_crowds_put(crowds, level->group, &level->pairs) != 0)
    return -1;
  fprintf(level->bench->log, "sharing of level %u: %zu crowds measured\n", level->number,
          crowds->asked);
  return sharing_near(level, n);
}

/* Whether two seem to share the level. */
static bool sharing_some(const struct sharing_level *level) {
  for (size_t k = 0; k < level->pairs.n; k++)
    if (hw_sharing_of(&level->pairs.point[k]) == HW_COMPANY_SHARING)
      return true;
  return false;
}

/* Measures a level a second time, and publishes what both times said.  0, or -1. */
static int sharing_level(struct sharing_level *level, size_t n) {
  char name[HW_CURVE_NAME];
  size_t *group = calloc(n, sizeof *group);
  int result = group == NULL ? -1 : 0;

  if (hw_crowds_prove(&level->crowds, level->group) != 0) /* then they are not clear */
    for (size_t k = 0; k < level->pairs.n; k++)
      level->pairs.point[k].count = 0;
  result = hw_publish(level->bench, &level->pairs, "sharing", result);
  if (result == 0 && hw_sharing_groups(&level->bench->curves, level->number, group, n) == NULL) {
    hw_sharing_name(name, level->number, "groups");
    result = hw_groups_publish(level->bench, group, n, "sharing", name);
    if (result == 0)
      result = sharing_busy(level, group, n);
  }
  free(group);
  return result;
}

/* Measures a level a first time, unless an earlier attempt has told it; *found: to be measured
   again.  0, or -1 if another attempt may help: level 3 takes long. */
static int sharing_begin(struct sharing_level *level, size_t n, bool *found) {
  struct hw_answer (*const bytes[HW_SHARING_LEVELS])(const struct hw_curves *) = {
      hw_value_l1_bytes, hw_value_l2_bytes, hw_value_l3_bytes};
  const struct hw_curves *curves = &level->bench->curves;
  char name[HW_CURVE_NAME];

  *found = false;
  if (hw_late(level->bench) || hw_sharing_done(curves, level->number) ||
      !hw_traffic_has(curves, level->number, "").known)
    return 0;
  hw_sharing_name(name, level->number, "pairs");
  hw_curve_init(&level->pairs, name, HW_PAIRS_TITLE,
                "time of a load with both (0 as one, 1 as one over twice as much)");
  *found = sharing_choose(level, n, bytes[level->number - 1](curves)) == 0 &&
           sharing_first(level, n) == 0;
  return *found || level->number == HW_SHARING_LEVELS ? 0 : -1;
}

/* Measures some levels once, and later again.  0, or -1. */
static int sharing_twice(struct sharing_level *level, size_t levels, size_t n) {
  struct hw_bench *bench = level->bench;
  double begun = hw_now(bench), apart = 0, passed;
  bool found[HW_SHARING_LEVELS] = {false};
  int result = 0;

  for (size_t k = 0; k < levels; k++) {
    if (sharing_begin(&level[k], n, &found[k]) != 0)
      result = -1;
    if (found[k])
      apart = fmax(apart, sharing_some(&level[k]) ? HW_HOST_MOVES_NS : HW_HOST_SLICE_NS);
  }
  passed = hw_now(bench) - begun;
  if (passed < apart)
    hw_pause(bench, apart - passed);
  for (size_t k = 0; k < levels; k++) {
    if (found[k] && sharing_level(&level[k], n) != 0 && level[k].number < HW_SHARING_LEVELS)
      result = -1;
    if (!found[k])
      hw_curve_free(&level[k].pairs);
    sharing_close(&level[k]);
  }
  return result;
}

int hw_probe_sharing(struct hw_bench *bench) {
  struct sharing_level *level;
  const size_t last = HW_SHARING_LEVELS - 1;
  struct hw_traffic traffic;
  size_t n = hw_processors(bench);
  int result;

  if (n < 2 || n > HW_THINGS)
    return n < 2 ? hw_groups_publish(bench, &n, n < 1 ? n : 1, "sharing", "l1_groups") : -1;
  if (hw_traffic_open(&bench->curves, &traffic) != 0)
    return hw_traffic_lacks(bench);
  level = calloc(HW_SHARING_LEVELS, sizeof *level);
  if (level == NULL)
    return -1;
  for (unsigned k = 0; k < HW_SHARING_LEVELS; k++) {
    level[k].bench = bench;
    level[k].traffic = &traffic;
    level[k].number = k + 1;
  }
  result = sharing_twice(level, last, n);
  if (hw_last_level(bench) > last && sharing_twice(&level[last], 1, n) != 0)
    result = -1;
  free(level);
  return result;
}
