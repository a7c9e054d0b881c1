/* The step of a clock, off a distribution of differences between its readings. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A reading may be off by one unit either way where the clock's own units are converted: then at
   most this many adjacent values are one, and fewer than half of the distance to the next step. */
#define TICK_NEIGHBOURS 4u
/* Units by which the distance between two values may then be off. */
#define TICK_OFF 2.0
/* A distance of more steps than this does not show a step that is known to a part of a unit. */
#define TICK_FEW 4.0
/* Distances used, from the least value on: some of each number of steps. */
#define TICK_DISTANCES 64u

/* Distances between adjacent values, and from 0 to the first.  Differences one unit apart are one
   value, their average. */
struct tick {
  double distance[TICK_DISTANCES];
  size_t n;
  size_t longest; /* adjacent differences that are one value, at most */
};

/* Reads the distances; values up to apart units from each other are one. */
static void tick_read(const struct hw_curve *d, double apart, struct tick *tick) {
  double last = 0;

  *tick = (struct tick){.n = 0};
  for (size_t i = 0; i < d->n && tick->n < TICK_DISTANCES; tick->n++) {
    double sum = 0, seen = 0;
    size_t run = 0;
    do {
      const struct hw_point *point = &d->point[i + run++];
      sum += point->x * point->y;
      seen += point->y;
    } while (i + run < d->n && d->point[i + run].x - d->point[i + run - 1].x <= apart);
    i += run;
    tick->longest = run > tick->longest ? run : tick->longest;
    tick->distance[tick->n] = sum / seen - last;
    last = sum / seen;
  }
}

static int tick_order(const void *a, const void *b) {
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static double tick_median(const struct tick *tick) {
  double sorted[TICK_DISTANCES];

  memcpy(sorted, tick->distance, tick->n * sizeof *sorted);
  qsort(sorted, tick->n, sizeof *sorted, tick_order);
  return sorted[tick->n / 2];
}

/* The step, off distances of few steps. */
static double tick_average(const struct tick *tick, double step) {
  double sum = 0, steps = 0;

  for (size_t i = 0; i < tick->n; i++)
    if (tick->distance[i] < (TICK_FEW + 0.5) * step) {
      sum += tick->distance[i];
      steps += round(tick->distance[i] / step);
    }
  return steps > 0 ? sum / steps : step;
}

/* How far distances of few steps are from whole numbers of them, at most. */
static double tick_rest(const struct tick *tick, double step) {
  double rest = 0;

  for (size_t i = 0; i < tick->n; i++)
    if (tick->distance[i] < (TICK_FEW + 0.5) * step)
      rest = fmax(rest, fabs(tick->distance[i] - step * round(tick->distance[i] / step)));
  return rest;
}

struct hw_answer hw_reduce_tick(const struct hw_curve *d) {
  static const char method[] = "greatest common step";
  struct tick tick;
  double least = INFINITY, step, rest;

  if (d->n == 0 || !(d->point[0].x > 0))
    return hw_unknown(method, "the clock was never seen to step");
  tick_read(d, 1, &tick);
  /* If most distances exceed the error of readings, closer values are one value of which the
     middle was never seen. */
  if (tick_median(&tick) > 2 * TICK_OFF)
    tick_read(d, TICK_OFF, &tick);
  for (size_t i = 0; i < tick.n; i++)
    least = fmin(least, tick.distance[i]);
  if (!(least > 0))
    return hw_unknown(method, "a count is negative");
  step = tick_average(&tick, least);
  /* The remainder is less than three quarters of the step each time. */
  while ((rest = tick_rest(&tick, step)) > TICK_OFF)
    step = tick_average(&tick, rest);
  if (tick.longest > TICK_NEIGHBOURS || (tick.longest > 2 && 2 * (double)tick.longest >= least) ||
      (step < least / 2 && step < 2 * TICK_OFF))
    return hw_known(method, 1, 2, HW_CLEAR);
  return hw_known(method, round(step), 1, HW_CLEAR);
}
