/* Threads that work at the same time.

   Each round runs every thread alone, and then all of them; of many threads, some alone.  Times are
   in cycles that the thread itself has timed next to its work, so that the clock rate may drift, or
   drop when many cores are busy.  A thread that was preempted was charged less than the wall clock
   ran: that is no interference.  Another guest on the host may slow a thread without steal time
   being reported; it does not run all the time, so that some samples are free of it.  A slowdown in
   all samples is only attributed to the other threads if the thread was quick alone just before and
   just after. */
#include "probes/system/co_run.h"

#include "analysis/company.h"
#include "analysis/rows/kinds.h"
#include "probes/bench/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Least length of a sample: ns, and in multiples of the clock's samples. */
#define CO_RUN_SAMPLE 1e5
#define CO_RUN_CLOCK 8
/* Least additions next to the work: reading the clock costs below 1 % of them. */
#define CO_RUN_ADDS 8192ul
/* Least samples from which a slowdown by the other threads is reported; half of the rounds if these
   are few. */
#define CO_RUN_TRUSTED 4u
/* Of more threads than this, only some are measured alone. */
#define CO_RUN_MANY 8u
#define CO_RUN_SOME 3u
/* Threads of a team of which one may be missing. */
#define CO_RUN_LARGE 32u
/* The ring that is walked: its bytes, less than any level 1, and those between two loads. */
#define CO_RUN_RING 2048u
#define CO_RUN_STRIDE 16u

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

struct hw_memory *hw_co_run_ring(struct hw_machine *machine) {
  struct hw_memory *memory = machine->ops->map(machine, CO_RUN_RING, HW_PAGES_PLAIN);
  size_t offset[CO_RUN_RING / CO_RUN_STRIDE], n = 0;

  for (; n < CO_RUN_RING / CO_RUN_STRIDE; n++)
    offset[n] = n * CO_RUN_STRIDE;
  if (memory == NULL || machine->ops->link(machine, memory, offset, n) == 0)
    return memory;
  machine->ops->unmap(machine, memory);
  return NULL;
}

/* The samples of a co-run: in a row for each round, those of the threads that run alone, then those
   of all at once, which have one round less. */
struct co_run_samples {
  const struct hw_co_run *run;
  const size_t *processor;
  size_t n;
  size_t *chosen; /* threads that run alone, in order */
  size_t alone;   /* their number */
  size_t *kind;   /* of each place */
  double *cost;
  double *floor; /* of each of them alone */
  double *scratch;
};

static size_t co_run_columns(const struct co_run_samples *samples) {
  return samples->alone + samples->n;
}

/* The column of samples of thread i with all at work. */
static double *co_run_column(const struct co_run_samples *samples, size_t i) {
  return &samples->cost[samples->alone + i];
}

/* The cost of a unit alone for a thread: its own, or the median of those of its kind; *own: which
   of those that run alone it is, or their number.  NAN when none is known. */
static double co_run_base(const struct co_run_samples *samples, size_t i, size_t *own) {
  size_t like = 0;

  for (*own = 0; *own < samples->alone; *own += 1)
    if (samples->chosen[*own] == i)
      return samples->floor[*own];
  for (size_t k = 0; k < samples->alone; k++)
    if (samples->floor[k] > 0 && samples->kind[samples->processor[samples->chosen[k]]] ==
                                     samples->kind[samples->processor[i]])
      samples->scratch[like++] = samples->floor[k];
  hw_sort(samples->scratch, like);
  return like > 0 ? samples->scratch[like / 2] : NAN;
}

/* Whether a thread is chosen, or another of its kind. */
static bool co_run_chosen(const struct co_run_samples *samples, size_t i, bool like) {
  const size_t *kind = samples->kind, *processor = samples->processor;

  for (size_t k = 0; k < samples->alone; k++)
    if (samples->chosen[k] == i ||
        (like && kind[processor[samples->chosen[k]]] == kind[processor[i]]))
      return true;
  return false;
}

/* Chooses the threads that run alone: all if these are few, else one of each kind, and then
   others, spread evenly. */
static void co_run_choose(struct co_run_samples *samples) {
  const size_t n = samples->n, most = n > CO_RUN_MANY ? CO_RUN_SOME : n;

  if (hw_kinds_find(&samples->run->bench->curves, samples->kind) != NULL)
    memset(samples->kind, 0, HW_THINGS * sizeof *samples->kind);
  for (size_t i = 0; i < n && n > CO_RUN_MANY && samples->alone < CO_RUN_MANY; i++)
    if (!co_run_chosen(samples, i, true))
      samples->chosen[samples->alone++] = i;
  for (size_t k = 1; samples->alone < most; k++)
    if (!co_run_chosen(samples, k * n / most % n, false))
      samples->chosen[samples->alone++] = k * n / most % n;
}

/* Drops samples of a thread before or after which it was slower alone than its floor. */
static void co_run_trust(const struct co_run_samples *samples, size_t i, size_t own) {
  const double limit = HW_COMPANY_SOME * samples->floor[own]; /* a busy SMT sibling exceeds it */
  const size_t columns = co_run_columns(samples);

  for (size_t r = 0; r < samples->run->rounds; r++) {
    const double *alone = &samples->cost[r * columns + own];

    if (!(alone[0] <= limit && alone[columns] <= limit))
      co_run_column(samples, i)[r * columns] = NAN;
  }
}

static struct hw_point co_run_all(const struct co_run_samples *samples, size_t i) {
  return hw_column_low(co_run_column(samples, i), co_run_columns(samples), samples->run->rounds,
                       samples->scratch);
}

/* Drops the fastest sample of a thread with all at work: the one that slows it may be missing from
   a team of that many (hw_team_missing). */
static void co_run_drop(const struct co_run_samples *samples, size_t i) {
  double *column = co_run_column(samples, i), *fastest = NULL;

  for (size_t r = 0; r < samples->run->rounds; r++) {
    double *sample = &column[r * co_run_columns(samples)];

    if (!isnan(*sample) && (fastest == NULL || *sample < *fastest))
      fastest = sample;
  }
  if (fastest != NULL)
    *fastest = NAN;
}

/* Reduces the samples of a thread to a point: y is its slowdown.  count is 0 if unclear. */
static struct hw_point co_run_point(const struct co_run_samples *samples, size_t i) {
  const unsigned rounds = samples->run->rounds;
  size_t own;
  double base = co_run_base(samples, i, &own);
  struct hw_point point = {.count = 0};

  if (base > 0)
    point = co_run_all(samples, i);
  if (point.count > 0 && point.y > HW_COMPANY_NONE * base && own < samples->alone) {
    co_run_trust(samples, i, own);
    point = co_run_all(samples, i);
    if (point.count < CO_RUN_TRUSTED && 2 * point.count < rounds)
      point.count = 0;
  }
  if (point.count > 1 && samples->n >= CO_RUN_LARGE && point.y > HW_COMPANY_NONE * base) {
    co_run_drop(samples, i);
    point = co_run_all(samples, i);
  }
  point.y = point.count > 0 ? point.y / base : 0;
  point.spread = point.count > 0 ? point.spread : 0;
  point.x = (double)samples->processor[i];
  return point;
}

/* What a thread does. */
static struct hw_part co_run_part(const struct hw_co_run *run, size_t processor) {
  unsigned long adds = run->bench->adds > CO_RUN_ADDS ? run->bench->adds : CO_RUN_ADDS;

  if (run->part != NULL)
    return run->part[processor];
  return (struct hw_part){.processor = processor,
                          .work = run->work,
                          .n = run->units,
                          .adds = adds,
                          .memory = run->memory};
}

/* Runs some threads alone, and then all at once, in each round.  0, or -1. */
static int co_run_rounds(const struct co_run_samples *samples) {
  const struct hw_co_run *run = samples->run;
  const size_t alone = samples->alone, columns = co_run_columns(samples);
  struct hw_part *part = calloc(columns, sizeof *part);
  struct hw_team *team = calloc(alone + 1, sizeof *team);
  int result = part == NULL || team == NULL ? -1 : 0;

  for (size_t i = 0; result == 0 && i < alone; i++) {
    part[i] = co_run_part(run, samples->processor[samples->chosen[i]]);
    team[i] = (struct hw_team){.part = &part[i], .n = 1};
  }
  for (size_t i = 0; result == 0 && i < samples->n; i++)
    part[alone + i] = co_run_part(run, samples->processor[i]);
  if (result == 0) {
    team[alone] = (struct hw_team){.part = &part[alone], .n = samples->n};
    result = hw_team_rounds(run->bench, team, alone + 1, run->rounds + 1, samples->cost);
  }
  for (size_t i = 0; result == 0 && i < alone; i++)
    samples->floor[i] =
        hw_column_low(&samples->cost[i], columns, run->rounds + 1, samples->scratch).y;
  free(part);
  free(team);
  return result;
}

int hw_co_run_sample(const struct hw_co_run *run, const size_t *processor, size_t n,
                     struct hw_point *point) {
  const size_t most = n > CO_RUN_MANY ? CO_RUN_MANY : n;
  struct co_run_samples samples = {.run = run,
                                   .processor = processor,
                                   .n = n,
                                   .chosen = calloc(most, sizeof(size_t)),
                                   .kind = calloc(HW_THINGS, sizeof(size_t)),
                                   .cost = calloc((run->rounds + 1) * (most + n), sizeof(double)),
                                   .floor = calloc(most, sizeof(double)),
                                   .scratch = calloc(run->rounds + 1 + most, sizeof(double))};
  int result = -1;

  if (samples.chosen != NULL && samples.kind != NULL && samples.cost != NULL &&
      samples.floor != NULL && samples.scratch != NULL) {
    co_run_choose(&samples);
    result = co_run_rounds(&samples);
  }
  for (size_t i = 0; result == 0 && i < n; i++)
    point[i] = co_run_point(&samples, i);
  free(samples.chosen);
  free(samples.kind);
  free(samples.cost);
  free(samples.floor);
  free(samples.scratch);
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
