/* The distance at which two threads' writes stop disturbing each other.

   Curve   destructive: x distance of two words (bytes), y time of adding to one of them with
           another core adding to the other, over that alone.
   Method  Two threads on different cores add to words at growing distance, each to its own, by
           atomic additions: a plain store would wait for the line in the store buffer, which hides
           that the other core owns it.  While both words lie in one unit of coherence (false
           sharing), each thread waits for the other.  As a control, before and after, words a page
           apart must not slow each other: a host may put both threads on one core for a while.
   Rows    DESTRUCTIVE_BYTES.
   Cost    70 ms; up to 0.5 s, and that again, where two processors stand on one core.
   Limits  Needs threads that are bound, and two cores.  Distances double.
   See     C++17, hardware_destructive_interference_size. */
#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"
#include "probes/bench/team.h"
#include "probes/probe.h"

#include <stdlib.h>

/* Distances: from a word of four bytes up to a page. */
#define DESTRUCTIVE_LEAST 4u
#define DESTRUCTIVE_POINTS 11u
#define DESTRUCTIVE_MOST ((size_t)DESTRUCTIVE_LEAST << (DESTRUCTIVE_POINTS - 1))
/* They are measured in turn, each until DESTRUCTIVE_AGREE times agree, and these are at least
   DESTRUCTIVE_AGREE times those that disagree; DESTRUCTIVE_TIMES times at most. */
#define DESTRUCTIVE_AGREE 3u
#define DESTRUCTIVE_TIMES 8u
/* Rounds of a time, at most: more times tell more than more rounds. */
#define DESTRUCTIVE_ROUNDS 6u
/* Additions of a sample: at some ns each, much longer than the skew between the threads' starts. */
#define DESTRUCTIVE_ADDS 6144ul

/* The votes of a distance: for each company the last point that gave it, and how many did. */
struct destructive_tally {
  struct hw_point point[HW_COMPANY_UNCLEAR];
  unsigned times[HW_COMPANY_UNCLEAR];
};

struct destructive {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t place[2];
  struct destructive_tally tally[DESTRUCTIVE_POINTS];
};

/* Result of the votes: another process may preempt the other thread, or disturb this one itself. */
static enum hw_company destructive_settled(const struct destructive_tally *tally) {
  for (unsigned company = 0; company < HW_COMPANY_UNCLEAR; company++)
    if (tally->times[company] >= DESTRUCTIVE_AGREE &&
        tally->times[company] >= DESTRUCTIVE_AGREE * tally->times[1 - company])
      return (enum hw_company)company;
  return HW_COMPANY_UNCLEAR;
}

/* What a point says; unclear where the thread was slower alone, since it was disturbed there. */
static enum hw_company destructive_company(const struct hw_point *point) {
  return point->y < 1 / HW_COMPANY_NONE ? HW_COMPANY_UNCLEAR : hw_company_of(point);
}

/* Measures one distance: y of *point is the time of a thread with the other over that alone; count
   is 0 if that cannot be told.  0, or -1. */
static int destructive_look(const struct destructive *destructive, size_t at,
                            struct hw_point *point) {
  struct hw_bench *bench = destructive->bench;
  unsigned rounds =
      bench->effort.rounds < DESTRUCTIVE_ROUNDS ? bench->effort.rounds : DESTRUCTIVE_ROUNDS;
  const unsigned long n = DESTRUCTIVE_ADDS;
  struct hw_part part[3];
  const struct hw_team team[] = {{part, 1, 0}, {&part[1], 2, 0}};
  struct hw_point time[3];

  for (size_t i = 0; i < 3; i++)
    part[i] = (struct hw_part){.processor = destructive->place[i / 2],
                               .work = HW_WORK_STORE,
                               .memory = destructive->memory,
                               .n = n,
                               .warm = n / 4,
                               .offset = i / 2 * ((size_t)DESTRUCTIVE_LEAST << at)};
  if (hw_team_sample(bench, team, 2, rounds, time) != 0)
    return -1;
  *point = (struct hw_point){0};
  if (time[0].count > 0 && time[1].count > 0) {
    *point = time[1];
    point->y /= time[0].y;
  }
  return 0;
}

static void destructive_count(struct destructive_tally *tally, const struct hw_point *point) {
  enum hw_company company = destructive_company(point);

  if (company == HW_COMPANY_UNCLEAR)
    return;
  tally->point[company] = *point;
  tally->times[company]++;
}

/* Measures each unsettled distance, between two controls at the farthest: if that slows threads,
   they share a core, and the time does not count.  1 if it counts, 0 if not, -1 on failure. */
static int destructive_time(struct destructive *destructive) {
  const size_t farthest = DESTRUCTIVE_POINTS - 1;
  struct hw_point point[DESTRUCTIVE_POINTS] = {{0}}, after;

  if (destructive_look(destructive, farthest, &point[farthest]) != 0)
    return -1;
  if (destructive_company(&point[farthest]) != HW_COMPANY_ALONE)
    return 0;
  for (size_t at = 0; at < farthest; at++)
    if (destructive_settled(&destructive->tally[at]) == HW_COMPANY_UNCLEAR &&
        destructive_look(destructive, at, &point[at]) != 0)
      return -1;
  if (destructive_look(destructive, farthest, &after) != 0)
    return -1;
  if (destructive_company(&after) != HW_COMPANY_ALONE)
    return 0;
  for (size_t at = 0; at < DESTRUCTIVE_POINTS; at++)
    destructive_count(&destructive->tally[at], &point[at]);
  return 1;
}

static bool destructive_done(const struct destructive *destructive) {
  for (size_t at = 0; at < DESTRUCTIVE_POINTS; at++)
    if (destructive_settled(&destructive->tally[at]) == HW_COMPANY_UNCLEAR)
      return false;
  return true;
}

/* Measures all distances and puts them into the curve; those that are not settled get a count of
   0. */
static int destructive_all(struct destructive *destructive, struct hw_curve *curve) {
  int result = 0;

  for (unsigned time = 0; time < DESTRUCTIVE_TIMES && !destructive_done(destructive); time++) {
    int counts = destructive_time(destructive);
    if (counts < 0)
      return -1;
    if (counts == 0)
      hw_pause(destructive->bench, HW_HOST_SLICE_NS);
  }
  for (size_t at = 0; result == 0 && at < DESTRUCTIVE_POINTS; at++) {
    enum hw_company company = destructive_settled(&destructive->tally[at]);
    struct hw_point point = {.y = 1};
    if (company != HW_COMPANY_UNCLEAR)
      point = destructive->tally[at].point[company];
    point.x = (double)((size_t)DESTRUCTIVE_LEAST << at);
    result = hw_curve_put(curve, point);
  }
  return result;
}

/* Two processors of different cores, the first and the last in order of cores.  0, or -1 when there
   are none or it is not known. */
static int destructive_place(const struct hw_curves *curves, size_t *place) {
  struct hw_answer cores = hw_value_cores(curves), cpus = hw_value_cpus(curves);
  size_t *order;
  int result = -1;

  if (!cores.known || !cpus.known || cores.value < 2)
    return -1;
  order = calloc((size_t)cpus.value, sizeof *order);
  if (order != NULL && hw_core_order(curves, order, (size_t)cpus.value) == NULL) {
    place[0] = order[0];
    place[1] = order[(size_t)cores.value - 1];
    result = 0;
  }
  free(order);
  return result;
}

int hw_probe_destructive(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct destructive destructive = {.bench = bench};
  struct hw_curve curve;
  int result;

  if (destructive_place(&bench->curves, destructive.place) != 0)
    return hw_value_cores(&bench->curves).known ? -1 : hw_lacks(bench, "HW_CORES is unknown");
  destructive.memory = machine->ops->map(machine, 2 * DESTRUCTIVE_MOST, HW_PAGES_PLAIN);
  if (destructive.memory == NULL)
    return -1;
  hw_curve_init(&curve, HW_NAME_DESTRUCTIVE, "distance of two words (bytes)",
                "time of adding to one with another core at the other, over that alone");
  result = destructive_all(&destructive, &curve);
  machine->ops->unmap(machine, destructive.memory);
  return hw_publish(bench, &curve, "destructive", result);
}
