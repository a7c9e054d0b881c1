/* Timing nano-benchmarks: two tasks a point, one for each length. */
#include "probes/nano/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The difference of two lengths is known less well than each. */
#define TIME_PRECISION 0.5
/* Most nano-benchmarks of one call. */
#define TIME_MOST 256u
/* No clock needs more loops than these: one that takes less has been folded. */
#define TIME_LOOPS (1UL << 26)
/* The full loop: additions of whole numbers and variables of floating point, of which half as many
   are added to.  How often it is timed to know it alone, and how often points that a neighbour was
   beside are timed again. */
#define TIME_WHOLE 8u
#define TIME_FLOAT 12u
#define TIME_GROUPS 12u
#define TIME_LISTEN 6
#define TIME_AGAIN 3
/* It is slower when it is by this share: the core's own unevenness is less, and what it makes where
   the code lies. */
#define TIME_SLOWER 0.04
#define TIME_ELSEWHERE 0.12
#define TIME_ALONE 32u
/* How often a length is tried, so that one disturbed try does not end the search. */
#define TIME_TRIES 2

int hw_nano_need(struct hw_bench *bench, const struct hw_nano *nano, size_t n) {
  struct hw_machine *machine = bench->machine;
  size_t missing = 0;

  for (size_t i = 0; i < n; i++)
    missing += machine->ops->nano_state(machine, &nano[i]) == HW_NANO_MISSING;
  if (missing == 0)
    return 0;
  free(bench->wanted);
  bench->wanted = calloc(n, sizeof *nano);
  bench->wants = bench->wanted != NULL ? n : 0;
  if (bench->wanted != NULL)
    memcpy(bench->wanted, nano, n * sizeof *nano);
  return -1;
}

bool hw_nano_ready(const struct hw_bench *bench, const struct hw_nano *nano) {
  return bench->machine->ops->nano_state(bench->machine, nano) == HW_NANO_READY;
}

struct time_job {
  struct hw_bench *bench;
  const struct hw_nano *nano;
  unsigned long loops[TIME_MOST];
};

/* Point 2i is the i-th one's shorter loop, 2i+1 its longer one. */
static double time_work(void *context, double x) {
  const struct time_job *job = context;
  struct hw_machine *machine = job->bench->machine;
  size_t point = (size_t)x;

  machine->ops->nano(machine, point / 2, point % 2 == 1, job->loops[point / 2]);
  return (double)job->loops[point / 2];
}

/* How often the shorter loop of the i-th must run to be long enough for the clock (XT figure 2).
   Both run as often, so that what a call costs cancels too. */
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
  for (size_t i = 0; i < both->n; i++)
    if ((size_t)both->point[i].x == x)
      return both->point[i];
  return (struct hw_point){0};
}

/* Cycles a group of the i-th, from both lengths. */
static struct hw_point time_difference(const struct hw_nano *nano, const struct hw_curve *both,
                                       size_t i) {
  struct hw_point p = time_point(both, 2 * i + 1), shorter = time_point(both, 2 * i);
  double scatter = hypot(shorter.y * shorter.spread, p.y * p.spread);

  p.y = (p.y - shorter.y) / hw_nano_difference(nano);
  p.spread = p.y > 0 ? scatter / hw_nano_difference(nano) / p.y : 0;
  if (nano->groups[0] > 0 && shorter.count < p.count)
    p.count = shorter.count;
  return p;
}

int hw_nano_sample(struct hw_bench *bench, const struct hw_nano *nano, const double *x, size_t n,
                   struct hw_curve *curve) {
  struct time_job job = {.bench = bench, .nano = nano};
  const struct hw_task task = {.work = time_work, .context = &job};
  const double precision = bench->effort.precision;
  double point[2 * TIME_MOST] = {0};
  struct hw_curve both;
  size_t points = 0;
  int result;

  if (n > TIME_MOST || bench->machine->ops->nano_take(bench->machine, nano, n) != 0)
    return -1;
  for (size_t i = 0; i < n; i++) {
    time_loops(&job, i);
    if (nano[i].groups[0] > 0)
      point[points++] = (double)(2 * i);
    point[points++] = (double)(2 * i + 1);
  }
  hw_curve_init(&both, curve->name, "length", "cycles");
  bench->effort.precision *= TIME_PRECISION;
  result = hw_sample_task(bench, &task, point, points, &both);
  bench->effort.precision = precision;
  for (size_t i = 0; i < n && result == 0; i++) {
    struct hw_point p = time_difference(&nano[i], &both, i);
    p.x = x[i];
    if (p.y > 0)
      result = hw_curve_put(curve, p);
  }
  hw_curve_free(&both);
  return result;
}

void hw_nano_full(struct hw_nano *nano) {
  static const struct hw_nano full = {
      .part = {{.op = "add", .type = "i32", .variables = TIME_WHOLE, .count = TIME_WHOLE},
               {.op = "add", .type = "f64", .variables = TIME_FLOAT, .count = TIME_WHOLE / 2}},
      .groups = {0, TIME_GROUPS}};

  *nano = full;
}

/* The least time of the full loop of some; x = -1.  0, or -1. */
static int time_listen(struct hw_bench *bench, struct hw_point *least) {
  const double x = TIME_WHOLE;
  struct hw_nano full;
  int result = 0;

  hw_nano_full(&full);
  for (int i = 0; i < TIME_LISTEN && result == 0; i++) {
    struct hw_curve curve;
    hw_curve_init(&curve, "alone", "x", "y");
    result = hw_nano_sample(bench, &full, &x, 1, &curve);
    if (result == 0 && curve.n > 0 && (i == 0 || curve.point[0].y < least->y))
      *least = curve.point[0];
    hw_curve_free(&curve);
  }
  return result;
}

int hw_nano_listen(struct hw_bench *bench, const char *probe) {
  struct hw_point least = {0};
  struct hw_nano full;
  struct hw_curve curve;
  int result;

  hw_nano_full(&full);
  if (!hw_nano_ready(bench, &full))
    return 0;
  hw_curve_init(&curve, "alone", "additions of I32, and half as many of F64 (count)",
                "time of all (cycles)");
  result = time_listen(bench, &least);
  if (result == 0 && least.count > 0)
    result = hw_curve_put(&curve, least);
  if (result == 0)
    return hw_publish(bench, &curve, probe, 1);
  hw_curve_free(&curve);
  return -1;
}

/* By which share the full loop, the first point, was slower than alone, if by more than its own
   unevenness: than where it lies now, and than it was when it was first timed, perhaps elsewhere.
 */
static double time_slower(const struct hw_curve *all, double here, const struct hw_curve *before) {
  double y, slower = 0;

  if (all->n == 0 || all->point[0].x >= 0)
    return 0;
  y = all->point[0].y;
  if (here > 0 && y > (1 + TIME_SLOWER) * here)
    slower = y / here - 1;
  if (before != NULL && before->n > 0 && y > (1 + TIME_ELSEWHERE) * before->point[0].y)
    slower = fmax(slower, y / before->point[0].y - 1);
  return slower;
}

int hw_nano_sample_alone(struct hw_bench *bench, const struct hw_nano *nano, const double *x,
                         size_t n, struct hw_curve *curve) {
  struct hw_nano with[TIME_ALONE + 1];
  double at[TIME_ALONE + 1] = {-1};
  struct hw_point least = {0};
  int result = 0;

  hw_nano_full(&with[0]);
  if (n > TIME_ALONE)
    return -1;
  if (!hw_nano_ready(bench, &with[0]))
    return hw_nano_sample(bench, nano, x, n, curve);
  if (bench->alone <= 0) {
    result = time_listen(bench, &least);
    bench->alone = least.y;
  }
  for (size_t i = 0; i < n; i++) {
    with[i + 1] = nano[i];
    at[i + 1] = x[i];
  }
  for (int again = 0; again < TIME_AGAIN && result == 0; again++) {
    struct hw_curve all;
    double slower;
    hw_curve_init(&all, curve->name, "x", "y");
    result = hw_nano_sample(bench, with, at, n + 1, &all);
    slower = time_slower(&all, bench->alone, hw_curves_get(&bench->curves, "alone"));
    if (result == 0 && slower > 0 && again + 1 < TIME_AGAIN) {
      hw_curve_free(&all);
      continue;
    }
    for (size_t i = 0; i < all.n && result == 0; i++)
      if (all.point[i].x >= 0) {
        struct hw_point p = all.point[i];
        if (slower > 0) {
          p.spread = fmax(p.spread, slower);
          p.count = 1;
        }
        result = hw_curve_put(curve, p);
      }
    hw_curve_free(&all);
    break;
  }
  return result;
}
