/* The step of a clock, off a distribution of differences between its readings. */
#include "analysis/reduce.h"

#include <math.h>

/* A reading may be off by one unit either way where the clock's own units are converted: neighbours
   are no more than so many then, and fewer than half of what lies between one step and the next. */
#define TICK_NEIGHBOURS 4u
/* Distances below so many times the least are one step. */
#define TICK_ONE 1.5

/* Differences that are neighbours, one unit apart: one step, or several. */
struct tick_run {
  double x; /* their average */
  size_t n;
};

/* The run that starts at point i. */
static struct tick_run tick_run(const struct hw_curve *d, size_t i) {
  struct tick_run run = {0, 0};
  double seen = 0;

  do {
    const struct hw_point *point = &d->point[i + run.n++];
    run.x += point->x * point->y;
    seen += point->y;
  } while (i + run.n < d->n && d->point[i + run.n].x - d->point[i + run.n - 1].x <= 1);
  run.x /= seen;
  return run;
}

/* The average of the distances between runs, and from 0 to the first, that are less than most; in
 *least the least of them. */
static double tick_distance(const struct hw_curve *d, double most, double *least) {
  double last = 0, sum = 0, n = 0;
  struct tick_run run;

  *least = INFINITY;
  for (size_t i = 0; i < d->n; i += run.n) {
    double distance;
    run = tick_run(d, i);
    distance = run.x - last;
    last = run.x;
    *least = fmin(*least, distance);
    sum += distance < most ? distance : 0;
    n += distance < most;
  }
  return sum / n;
}

struct hw_answer hw_reduce_tick(const struct hw_curve *d) {
  static const char method[] = "smallest step";
  struct tick_run run;
  size_t longest = 0;
  double least, step;

  if (d->n == 0 || !(d->point[0].x > 0))
    return hw_unknown(method, "the clock was never seen to step");
  for (size_t i = 0; i < d->n; i += run.n) {
    run = tick_run(d, i);
    longest = run.n > longest ? run.n : longest;
  }
  (void)tick_distance(d, INFINITY, &least);
  step = tick_distance(d, TICK_ONE * least, &least);
  if (longest > TICK_NEIGHBOURS || (longest > 2 && 2 * (double)longest >= least))
    return hw_known(method, 1, 2, HW_CLEAR);
  return hw_known(method, round(step), 1, HW_CLEAR);
}
