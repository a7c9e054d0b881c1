/* Threads that work at the same time.

   Each round has every thread alone, and then all of them.  Times are in cycles that the thread
   itself has timed next to its work, so that the rate may drift, and be another one when many cores
   are busy.  A thread that was preempted was charged less than the wall clock ran: that is no
   interference.  Strangers on a virtual machine may slow a thread and be charged to nobody; they
   come and go, so that some samples are free of them.  What is slow in all samples is only held
   against the other threads when the thread was quick alone, just before and just after. */
#include "probes/system/crew.h"

#include "analysis/company.h"
#include "probes/system/team.h"

#include <math.h>
#include <stdlib.h>

/* How long a sample is, ns, and of the clock's samples at least so many. */
#define CREW_SAMPLE 1e5
#define CREW_CLOCK 8
/* Additions next to the work, at least: what reading the clock costs is below 1 % of them. */
#define CREW_ADDS 8192ul
/* Samples from which it is said that others make a thread wait. */
#define CREW_TRUSTED 4u

/* Runs a team.  Cycles a unit of each, NAN where it was preempted or somebody was missing.  0, or
   -1. */
static int crew_run(const struct hw_crew *crew, const size_t *processor, size_t n, double *cost) {
  struct hw_machine *machine = crew->bench->machine;
  struct hw_part *part = calloc(n, sizeof *part);
  int result = -1;
  bool missing;

  for (size_t i = 0; part != NULL && i < n; i++)
    part[i] =
        (struct hw_part){.processor = processor[i],
                         .work = crew->work,
                         .n = crew->units,
                         .adds = crew->bench->adds > CREW_ADDS ? crew->bench->adds : CREW_ADDS,
                         .memory = crew->memory};
  if (part != NULL)
    result = machine->ops->team(machine, part, n);
  missing = result == 0 && hw_team_missing(part, n);
  for (size_t i = 0; result == 0 && i < n; i++) {
    double work = part[i].work_ns - crew->bench->read_ns;

    cost[i] = missing || hw_team_away(&part[i]) || !(part[i].cycle_ns > 0)
                  ? NAN
                  : work / (part[i].cycle_ns * part[i].done);
  }
  free(part);
  return result;
}

int hw_crew_init(struct hw_crew *crew) {
  struct hw_machine *machine = crew->bench->machine;
  double sample = fmax(CREW_SAMPLE, CREW_CLOCK * crew->bench->sample_ns);
  struct hw_part part = {.work = crew->work, .memory = crew->memory};

  for (crew->units = HW_GRAIN; crew->units < 1ul << 24; crew->units *= 2) {
    part.n = crew->units;
    if (machine->ops->team(machine, &part, 1) != 0)
      return -1;
    if (part.work_ns >= sample)
      break;
  }
  return 0;
}

/* The samples of a call: of round r, thread i is at [r * n + i]. */
struct crew_samples {
  size_t n;
  size_t rounds;
  double *alone; /* one round more */
  double *all;
  double *scratch;
};

/* The low end of one thread's samples, where they are. */
static struct hw_point crew_low(struct crew_samples *samples, const double *from, size_t rounds,
                                size_t i) {
  size_t n = 0;

  for (size_t r = 0; r < rounds; r++)
    if (!isnan(from[r * samples->n + i]))
      samples->scratch[n++] = from[r * samples->n + i];
  return hw_low_end(samples->scratch, n);
}

/* Drops what a thread has not been alone before and after as quickly as ever. */
static void crew_trust(struct crew_samples *samples, double base, size_t i) {
  const double limit = HW_COMPANY_SOME * base; /* a stranger of the same core makes it more */

  for (size_t r = 0; r < samples->rounds; r++) {
    size_t at = r * samples->n + i;

    if (!(samples->alone[at] <= limit && samples->alone[at + samples->n] <= limit))
      samples->all[at] = NAN;
  }
}

/* What the samples of a thread say. */
static struct hw_point crew_point(struct crew_samples *samples, size_t i) {
  double base = crew_low(samples, samples->alone, samples->rounds + 1, i).y;
  struct hw_point point;

  if (!(base > 0))
    return (struct hw_point){0};
  point = crew_low(samples, samples->all, samples->rounds, i);
  if (point.count > 0 && point.y > HW_COMPANY_NONE * base) {
    crew_trust(samples, base, i);
    point = crew_low(samples, samples->all, samples->rounds, i);
    if (point.count < CREW_TRUSTED)
      return (struct hw_point){0};
  }
  point.y /= base;
  return point;
}

static int crew_rounds(const struct hw_crew *crew, const size_t *processor,
                       const struct crew_samples *samples) {
  size_t n = samples->n;

  for (size_t r = 0; r <= samples->rounds; r++) {
    if (hw_late(crew->bench))
      return -1;
    for (size_t i = 0; i < n; i++)
      if (crew_run(crew, &processor[i], 1, &samples->alone[r * n + i]) != 0)
        return -1;
    if (r < samples->rounds && crew_run(crew, processor, n, &samples->all[r * n]) != 0)
      return -1;
  }
  return 0;
}

int hw_crew_sample(const struct hw_crew *crew, const size_t *processor, size_t n,
                   struct hw_point *point) {
  struct crew_samples samples = {.n = n, .rounds = crew->bench->effort.rounds};
  int result = -1;

  samples.alone = calloc((samples.rounds + 1) * n, sizeof *samples.alone);
  samples.all = calloc(samples.rounds * n, sizeof *samples.all);
  samples.scratch = calloc(samples.rounds + 1, sizeof *samples.scratch);
  if (samples.alone != NULL && samples.all != NULL && samples.scratch != NULL)
    result = crew_rounds(crew, processor, &samples);
  for (size_t i = 0; result == 0 && i < n; i++) {
    point[i] = crew_point(&samples, i);
    point[i].x = (double)processor[i];
  }
  free(samples.alone);
  free(samples.all);
  free(samples.scratch);
  return result;
}

int hw_crew_together(struct hw_bench *bench, const size_t *processor, size_t n) {
  struct hw_crew crew = {.bench = bench, .work = HW_WORK_ISSUE};
  struct hw_point *point = calloc(n, sizeof *point);
  int result = point == NULL || hw_crew_init(&crew) != 0 ? -1 : 0;

  if (result == 0)
    result = hw_crew_sample(&crew, processor, n, point);
  for (size_t i = 0; result >= 0 && i < n; i++)
    if (hw_company_of(&point[i]) != HW_COMPANY_ALONE)
      result = hw_company_of(&point[i]) == HW_COMPANY_SHARING ? 1 : -1;
  free(point);
  return result;
}
