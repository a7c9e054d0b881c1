/* Timing nano-benchmarks: two tasks a point, one for each length. */
#include "probes/nano/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most nano-benchmarks of one call. */
#define TIME_MOST 256u
/* Most runs of a loop that any clock needs: a body that needs more has been folded. */
#define TIME_LOOPS (1UL << 26)
/* Precision of a length, as a part of the effort's: the error of the difference of two lengths is
   larger, by half if one is three times as long, and by more where both need several cycles. */
#define TIME_PRECISION (1.0 / 3)
/* A core switches wide units off some microseconds after their last use, and issues to them at a
   fraction of their rate for as long when they are used again: they are awake when a loop takes no
   longer, by this share, than it has before.  A loop that is slow for other reasons runs for no
   more than TIME_WAKE_NS. */
#define TIME_AWAKE 0.1
#define TIME_WAKE_NS 5e4
/* Tries of a length, so that a single disturbed one does not end the search. */
#define TIME_TRIES 2

int hw_nano_need(struct hw_bench *bench, const struct hw_nano *nano, size_t n) {
  for (size_t i = 0; i < n; i++)
    bench->codeless |= bench->machine->ops->nano_state(bench->machine, &nano[i]) == HW_NANO_MISSING;
  return bench->codeless ? -1 : 0;
}

bool hw_nano_ready(const struct hw_bench *bench, const struct hw_nano *nano) {
  return bench->machine->ops->nano_state(bench->machine, nano) == HW_NANO_READY;
}

struct time_job {
  struct hw_bench *bench;
  const struct hw_nano *nano;
  unsigned long loops[TIME_MOST];
  double least[2 * TIME_MOST]; /* time of each length, ns; 0: it has not been run */
};

/* Point 2i is the i-th one's shorter loop, 2i+1 its longer one. */
static double time_work(void *context, double x) {
  const struct time_job *job = context;
  struct hw_machine *machine = job->bench->machine;
  size_t point = (size_t)x;

  machine->ops->nano(machine, point / 2, point % 2 == 1, job->loops[point / 2]);
  return (double)job->loops[point / 2];
}

/* Runs a loop until the units that it uses are awake. */
static void time_wake(void *context, double x) {
  struct time_job *job = context;
  const double start = hw_now(job->bench);
  double *least = &job->least[(size_t)x], before, now = start;

  do {
    before = now;
    time_work(context, x);
    now = hw_now(job->bench);
    *least = *least > 0 ? fmin(*least, now - before) : now - before;
  } while (now - before > (1 + TIME_AWAKE) * *least && now - start < TIME_WAKE_NS);
}

/* Sets how often the shorter loop of the i-th must run to be long enough for the clock (XT figure
   2).  Both loops run as often, so that the overhead of a call cancels too. */
static void time_loops(struct time_job *job, size_t i) {
  const struct hw_bench *bench = job->bench;
  struct hw_machine *machine = bench->machine;
  unsigned long *loops = &job->loops[i];

  for (*loops = 1; *loops < TIME_LOOPS; *loops *= 2) {
    double least = INFINITY;
    for (int k = 0; k < TIME_TRIES; k++) {
      double start = machine->ops->now(machine);
      time_work(job, (double)(job->nano[i].groups[0] > 0 ? 2 * i : 2 * i + 1));
      least = fmin(least, machine->ops->now(machine) - start - bench->read_ns);
    }
    if (least >= bench->sample_ns)
      return;
    if (least * 64 < bench->sample_ns)
      *loops *= 16;
  }
}

/* The point of that x; one without samples when there is none. */
static struct hw_point time_point(const struct hw_curve *both, size_t x) {
  const struct hw_point *p = hw_curve_at(both, (double)x);

  return p != NULL ? *p : (struct hw_point){0};
}

/* The part of the shorter length that its overhead may be, and may be below none by noise.  Where
   wide units are switched on and off one length may run slower than the other: their difference is
   none of groups then. */
#define TIME_OVERHEAD 0.5
#define TIME_BELOW 0.125

/* Cycles a group of the i-th, from both lengths; unsure where these do not belong together. */
static struct hw_point time_difference(const struct hw_nano *nano, const struct hw_curve *both,
                                       size_t i) {
  struct hw_point p = time_point(both, 2 * i + 1), shorter = time_point(both, 2 * i);
  double scatter = hypot(shorter.y * shorter.spread, p.y * p.spread), groups = p.y - shorter.y;
  double overhead = shorter.y - groups * nano->groups[0] / hw_nano_difference(nano);

  p.y = groups / hw_nano_difference(nano);
  p.spread = p.y > 0 ? scatter / hw_nano_difference(nano) / p.y : 0;
  if (nano->groups[0] > 0 && shorter.count < p.count)
    p.count = shorter.count;
  if (nano->groups[0] > 0 && p.count > 1 &&
      (overhead > TIME_OVERHEAD * shorter.y || overhead < -TIME_BELOW * shorter.y))
    p.count = 1;
  if (!(p.y > 0))
    p.count = 0;
  return p;
}

int hw_nano_sample(struct hw_bench *bench, const struct hw_nano *nano, size_t n, double precision,
                   struct hw_point *point) {
  struct time_job job = {.bench = bench, .nano = nano};
  struct hw_effort effort = bench->effort;
  struct hw_task task = {.work = time_work,
                         .context = &job,
                         .issue = hw_issue(&bench->curves),
                         .anywhere = true,
                         .agree = precision > bench->effort.precision ? precision : 0,
                         .effort = &effort};
  double length[2 * TIME_MOST];
  struct hw_curve both;
  size_t lengths = 0;
  int result = 0;

  if (n == 0)
    return 0;
  if (n > TIME_MOST || bench->machine->ops->nano_take(bench->machine, nano, n) != 0)
    return -1;
  effort.precision = precision > 0 ? precision : TIME_PRECISION * effort.precision;
  for (size_t i = 0; i < n; i++) {
    if (!hw_nano_ready(bench, &nano[i]))
      continue;
    if (hw_nano_is_vector(&nano[i]))
      task.wake = time_wake;
    time_loops(&job, i);
    if (nano[i].groups[0] > 0)
      length[lengths++] = (double)(2 * i);
    length[lengths++] = (double)(2 * i + 1);
  }
  hw_curve_init(&both, "nano", "length", "cycles");
  if (lengths > 0)
    result = hw_sample_apart(bench, &task, length, lengths, &both);
  for (size_t i = 0; i < n; i++)
    point[i] = time_difference(&nano[i], &both, i);
  hw_curve_free(&both);
  return result;
}

bool hw_nano_missed(const struct hw_bench *bench, const struct hw_nano *nano,
                    const struct hw_point *point, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (point[i].count == 0 && hw_nano_ready(bench, &nano[i]))
      return true;
  return false;
}

int hw_nano_put(struct hw_curve *curve, const struct hw_point *point, const double *x, size_t n) {
  int result = 0;

  for (size_t i = 0; i < n && result == 0; i++) {
    struct hw_point p = point[i];
    p.x = x[i];
    if (p.count > 0)
      result = hw_curve_put(curve, p);
  }
  return result;
}
