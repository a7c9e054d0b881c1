/* Mode of a distribution, and the smallest step of a clock from one. */
#include "analysis/reduce.h"

#include <math.h>

/* Fewer observations than this have no mode. */
#define MODE_OBSERVATIONS 16

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

  for (size_t i = 0; i < d->n; i++) {
    rest -= d->point[i].y;
    if (rest <= 0)
      return d->point[i].x;
  }
  return d->point[d->n - 1].x;
}

/* Observations in the window of that width that starts at point i. */
static double mode_window(const struct hw_curve *d, size_t i, double width) {
  double sum = 0;

  for (size_t j = i; j < d->n && d->point[j].x <= d->point[i].x + width; j++)
    sum += d->point[j].y;
  return sum;
}

/* Their average. */
static double mode_average(const struct hw_curve *d, size_t i, double width) {
  double sum = 0;

  for (size_t j = i; j < d->n && d->point[j].x <= d->point[i].x + width; j++)
    sum += d->point[j].x * d->point[j].y;
  return sum / mode_window(d, i, width);
}

/* Whether between windows a and b the distribution goes below half of what b holds: b is then a
   peak of its own. */
static bool mode_valley(const struct hw_curve *d, size_t a, size_t b, double width) {
  size_t first = a < b ? a : b, last = a < b ? b : a;
  double rival = mode_window(d, b, width);

  for (size_t i = first; i < last; i++) {
    double end = d->point[i].x + width;
    size_t next = i + 1;
    if (mode_window(d, i, width) < rival / 2 && i != a)
      return true;
    while (next < d->n && d->point[next].x <= end)
      next++;
    if (next <= last && d->point[next].x > end + width) /* an empty window lies between */
      return true;
  }
  return false;
}

struct hw_answer hw_reduce_mode(const struct hw_curve *d) {
  static const char method[] = "mode";
  double total = mode_total(d), width, best_count, expected, rival = 0, clarity;
  size_t best = 0;

  if (total < MODE_OBSERVATIONS)
    return hw_unknown(method, "too few observations");
  width = 2 * (mode_quantile(d, 0.75) - mode_quantile(d, 0.25)) / cbrt(total);
  for (size_t i = 1; i < d->n; i++)
    if (mode_window(d, i, width) > mode_window(d, best, width))
      best = i;
  best_count = mode_window(d, best, width);
  for (size_t i = 0; i < d->n; i++)
    if (fabs(d->point[i].x - d->point[best].x) > width && mode_valley(d, best, i, width))
      rival = fmax(rival, mode_window(d, i, width));
  /* What the window would hold if all values were equally frequent. */
  expected = d->n < 2 ? 0 : total * width / (d->point[d->n - 1].x - d->point[0].x + width);
  if (width > 0)
    rival = fmax(rival, expected);
  clarity = (best_count - rival) / sqrt(best_count + rival);
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "no value is clearly the most frequent");
  return hw_known(method, mode_average(d, best, width), width / 2, clarity);
}

struct hw_answer hw_reduce_tick(const struct hw_curve *d) {
  static const char method[] = "smallest step";
  double least = INFINITY;

  if (d->n == 0 || !(d->point[0].x > 0))
    return hw_unknown(method, "the clock was never seen to step");
  least = d->point[0].x;
  for (size_t i = 0; i + 1 < d->n; i++) {
    double gap = d->point[i + 1].x - d->point[i].x;
    bool rounding = gap <= 1 && (i + 2 >= d->n || d->point[i + 2].x - d->point[i + 1].x > 1) &&
                    (i == 0 || d->point[i].x - d->point[i - 1].x > 1);
    if (!rounding)
      least = fmin(least, gap);
  }
  return hw_known(method, least, 0, HW_CLEAR);
}
