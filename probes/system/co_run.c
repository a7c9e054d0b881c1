/* Threads that work at the same time.

   Each round runs every thread alone, and then all of them.  Times are in cycles that the thread
   itself has timed next to its work, so that the clock rate may drift, or drop when many cores are
   busy.  A thread that was preempted was charged less than the wall clock ran: that is no
   interference.  Another guest on the host may slow a thread without steal time being reported;
   it does not run all the time, so that some samples are free of it.  A slowdown in all samples is
   only attributed to the other threads if the thread was quick alone just before and just after. */
#include "probes/system/co_run.h"

#include "analysis/company.h"
#include "probes/bench/team.h"

#include <math.h>
#include <stdlib.h>

/* Least length of a sample: ns, and in multiples of the clock's samples. */
#define CO_RUN_SAMPLE 1e5
#define CO_RUN_CLOCK 8
/* Least additions next to the work: reading the clock costs below 1 % of them. */
#define CO_RUN_ADDS 8192ul
/* Least samples from which a slowdown by the other threads is reported. */
#define CO_RUN_TRUSTED 4u

int hw_co_run_init(struct hw_co_run *run) {
  struct hw_machine *machine = run->bench->machine;
  double sample = fmax(CO_RUN_SAMPLE, CO_RUN_CLOCK * run->bench->sample_ns);
  struct hw_part part = {.work = run->work, .memory = run->memory};

  run->rounds = run->bench->effort.rounds;
  for (run->units = HW_GRAIN; run->units < 1ul << 24; run->units *= 2) {
    part.n = run->units;
    if (machine->ops->team(machine, &part, 1) != 0)
      return -1;
    if (part.work_ns >= sample)
      break;
  }
  return 0;
}

/* The samples of one thread: column i of the thread alone, and column n + i with all threads at
   work, which have one round less. */
struct co_run_samples {
  double *alone;
  double *all;
  size_t columns;
  unsigned rounds;
  double *scratch;
};

/* Drops samples before or after which the thread alone was slower than its floor. */
static void co_run_trust(const struct co_run_samples *samples, double base) {
  const double limit = HW_COMPANY_SOME * base; /* a busy SMT sibling exceeds it */

  for (size_t r = 0; r < samples->rounds; r++) {
    const double *alone = &samples->alone[r * samples->columns];

    if (!(alone[0] <= limit && alone[samples->columns] <= limit))
      samples->all[r * samples->columns] = NAN;
  }
}

static struct hw_point co_run_all(const struct co_run_samples *samples) {
  return hw_column_low(samples->all, samples->columns, samples->rounds, samples->scratch);
}

/* Reduces the samples of a thread to a point: y is its slowdown.  count is 0 if unclear. */
static struct hw_point co_run_point(const struct co_run_samples *samples) {
  double base =
      hw_column_low(samples->alone, samples->columns, samples->rounds + 1, samples->scratch).y;
  struct hw_point point;

  if (!(base > 0))
    return (struct hw_point){0};
  point = co_run_all(samples);
  if (point.count > 0 && point.y > HW_COMPANY_NONE * base) {
    co_run_trust(samples, base);
    point = co_run_all(samples);
    if (point.count < CO_RUN_TRUSTED)
      return (struct hw_point){0};
  }
  point.y /= base;
  return point;
}

/* Sets up the teams: each thread alone, and then all of them. */
static void co_run_teams(const struct hw_co_run *run, const size_t *processor, size_t n,
                         struct hw_part *part, struct hw_team *team) {
  for (size_t i = 0; i < 2 * n; i++)
    part[i] =
        (struct hw_part){.processor = processor[i % n],
                         .work = run->work,
                         .n = run->units,
                         .adds = run->bench->adds > CO_RUN_ADDS ? run->bench->adds : CO_RUN_ADDS,
                         .memory = run->memory};
  for (size_t i = 0; i < n; i++)
    team[i] = (struct hw_team){.part = &part[i], .n = 1};
  team[n] = (struct hw_team){.part = &part[n], .n = n};
}

int hw_co_run_sample(const struct hw_co_run *run, const size_t *processor, size_t n,
                     struct hw_point *point) {
  const unsigned rounds = run->rounds;
  struct hw_part *part = calloc(2 * n, sizeof *part);
  struct hw_team *team = calloc(n + 1, sizeof *team);
  double *cost = calloc((rounds + 1) * 2 * n, sizeof *cost);
  double *scratch = calloc(rounds + 1, sizeof *scratch);
  int result = -1;

  if (part != NULL && team != NULL && cost != NULL && scratch != NULL) {
    co_run_teams(run, processor, n, part, team);
    result = hw_team_rounds(run->bench, team, n + 1, rounds + 1, cost);
  }
  for (size_t i = 0; result == 0 && i < n; i++) {
    const struct co_run_samples samples = {&cost[i], &cost[n + i], 2 * n, rounds, scratch};

    point[i] = co_run_point(&samples);
    point[i].x = (double)processor[i];
  }
  free(part);
  free(team);
  free(cost);
  free(scratch);
  return result;
}

int hw_co_run_together(struct hw_bench *bench, const size_t *processor, size_t n) {
  struct hw_co_run run = {.bench = bench, .work = HW_WORK_ISSUE};
  struct hw_point *point = calloc(n, sizeof *point);
  int result = point == NULL || hw_co_run_init(&run) != 0 ? -1 : 0;

  if (result == 0)
    result = hw_co_run_sample(&run, processor, n, point);
  for (size_t i = 0; result >= 0 && i < n; i++)
    if (hw_company_of(&point[i]) != HW_COMPANY_ALONE)
      result = hw_company_of(&point[i]) == HW_COMPANY_SHARING ? 1 : -1;
  free(point);
  return result;
}
