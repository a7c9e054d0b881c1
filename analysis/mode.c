/* Mode of a distribution, and the smallest step of a clock from one. */
#include "analysis/reduce.h"

#include <math.h>

/* Fewer observations than this have no mode. */
#define MODE_OBSERVATIONS 16
/* The middle part of a distribution: what lies outside may be anywhere. */
#define MODE_MIDDLE 0.9

/* Number of observations. */
static double mode_total(const struct hw_curve *d) {
  double total = 0;

  for (size_t i = 0; i < d->n; i++)
    total += d->point[i].y;
  return total;
}

/* The value below which a share of the observations lies. */
static double mode_quantile(const struct hw_curve *d, double share) {
  double rest = share * mode_total(d);
  size_t i = 0;

  while (i + 1 < d->n && (rest -= d->point[i].y) > 0)
    i++;
  return d->point[i].x;
}

/* The width of a window: 2 IQR / cbrt n, in whole multiples of the values' own distance, at least
   one: a window that falls between values that are told in whole units sees gaps that are none. */
static double mode_width(const struct hw_curve *d) {
  double width = 2 * (mode_quantile(d, 0.75) - mode_quantile(d, 0.25)) / cbrt(mode_total(d));
  double gap = INFINITY;

  for (size_t i = 0; i + 1 < d->n; i++)
    gap = fmin(gap, d->point[i + 1].x - d->point[i].x);
  return d->n < 2 ? 0 : gap * fmax(1, floor(width / gap));
}

/* The first point behind the window of that width that starts at point i. */
static size_t mode_end(const struct hw_curve *d, size_t i, double width) {
  size_t end = i + 1;

  while (end < d->n && d->point[end].x < d->point[i].x + width)
    end++;
  return end;
}

/* Observations in that window. */
static double mode_window(const struct hw_curve *d, size_t i, double width) {
  double sum = 0;

  for (size_t j = i, end = mode_end(d, i, width); j < end; j++)
    sum += d->point[j].y;
  return sum;
}

/* Their average. */
static double mode_average(const struct hw_curve *d, size_t i, double width) {
  double sum = 0;

  for (size_t j = i, end = mode_end(d, i, width); j < end; j++)
    sum += d->point[j].x * d->point[j].y;
  return sum / mode_window(d, i, width);
}

/* Whether between windows a and b the distribution goes below half of what b holds: b is then a
   peak of its own. */
static bool mode_valley(const struct hw_curve *d, size_t a, size_t b, double width) {
  size_t first = a < b ? a : b, last = a < b ? b : a;
  double rival = mode_window(d, b, width);

  for (size_t i = first; i < last; i++) {
    size_t next = mode_end(d, i, width);
    if (mode_window(d, i, width) < rival / 2 && i != a)
      return true;
    if (next <= last && d->point[next].x >= d->point[i].x + 2 * width) /* an empty window */
      return true;
  }
  return false;
}

/* What a window would hold if the values were equally frequent.  The range is that of the middle
   part, which a few values far away do not widen. */
static double mode_even(const struct hw_curve *d, double width) {
  double tail = (1 - MODE_MIDDLE) / 2;
  double range = mode_quantile(d, 1 - tail) - mode_quantile(d, tail);

  return width > 0 ? MODE_MIDDLE * mode_total(d) * width / (range + width) : 0;
}

/* How clearly one window of so many observations is denser than another. */
static double mode_clarity(double one, double other) { return (one - other) / sqrt(one + other); }

/* The densest window that is a peak of its own beside the best one. */
static double mode_rival(const struct hw_curve *d, size_t best, double width) {
  double rival = 0;

  for (size_t i = 0; i < d->n; i++)
    if (fabs(d->point[i].x - d->point[best].x) >= width && mode_valley(d, best, i, width))
      rival = fmax(rival, mode_window(d, i, width));
  return rival;
}

/* How far off the value may be: to the end of the furthest window that is not clearly less dense
   than the best one. */
static double mode_error(const struct hw_curve *d, size_t best, double width, double value) {
  double count = mode_window(d, best, width), error = 0;

  for (size_t i = 0; i < d->n; i++)
    if (mode_clarity(count, mode_window(d, i, width)) < HW_CLEAR)
      error =
          fmax(error, fmax(value - d->point[i].x, d->point[mode_end(d, i, width) - 1].x - value));
  return error;
}

struct hw_answer hw_reduce_mode(const struct hw_curve *d) {
  static const char method[] = "mode";
  double width, clarity, value;
  size_t best = 0;

  if (mode_total(d) < MODE_OBSERVATIONS)
    return hw_unknown(method, "too few observations");
  width = mode_width(d);
  for (size_t i = 1; i < d->n; i++)
    if (mode_window(d, i, width) > mode_window(d, best, width))
      best = i;
  clarity = mode_clarity(mode_window(d, best, width),
                         fmax(mode_rival(d, best, width), mode_even(d, width)));
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "no value is clearly the most frequent");
  value = mode_average(d, best, width);
  return hw_known(method, value, mode_error(d, best, width, value), clarity);
}

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
