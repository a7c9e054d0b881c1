/* Monotonicity enforcement, the error of a rise, and the two ways to end a reduction. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

struct hw_answer hw_known(const char *method, double value, double error, double clarity) {
  if (!isfinite(value))
    return hw_unknown(method, "it is no number");
  return (struct hw_answer){
      .known = true, .value = value, .error = error, .clarity = clarity, .method = method};
}

struct hw_answer hw_ranged(const char *method, double value, double low, double high) {
  struct hw_answer answer = hw_known(method, value, fmax(value - low, high - value), HW_CLEAR);

  if (!(low > 0 && low <= value && value <= high))
    return hw_unknown(method, "its range holds no positive value");
  if (!(high <= HW_RANGE_WIDEST * low))
    return hw_unknown(method, "its rounds differ by more than a factor of two");
  answer.low = low;
  answer.high = high;
  return answer;
}

struct hw_answer hw_at_other_times(struct hw_answer ranged, double factor) {
  if (!ranged.known)
    return ranged;
  factor = fmin(factor, sqrt(HW_RANGE_WIDEST * ranged.low / ranged.high));
  ranged.low /= factor;
  ranged.high *= factor;
  ranged.error = fmax(ranged.value - ranged.low, ranged.high - ranged.value);
  return ranged;
}

struct hw_answer hw_unknown(const char *method, const char *why) {
  return (struct hw_answer){.known = false, .method = method, .why = why};
}

struct hw_answer hw_absent(const char *method, const char *why) {
  return (struct hw_answer){.known = false, .method = method, .why = why, .settled = true};
}

int hw_monotone(const struct hw_curve *curve, struct hw_curve *risen) {
  struct hw_point least;

  hw_curve_init(risen, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n; i++)
    if (hw_curve_put(risen, curve->point[i]) < 0) {
      hw_curve_free(risen);
      return -1;
    }
  if (risen->n == 0)
    return 0;
  least = risen->point[risen->n - 1];
  for (size_t i = risen->n; i-- > 0;) {
    if (risen->point[i].y < least.y)
      least = risen->point[i];
    risen->point[i].y = least.y;
    risen->point[i].spread = least.spread;
    risen->point[i].count = least.count;
  }
  return 0;
}

/* The median of the relative errors of a single sample over the curve's points; points of which it
   is unknown count as more. */
static double monotone_middling(const struct hw_curve *curve) {
  double *error = calloc(curve->n + 1, sizeof *error);
  double middling = INFINITY;
  size_t n = 0;

  for (size_t i = 0; error != NULL && i < curve->n; i++) {
    const struct hw_point *point = &curve->point[i];
    error[n] = hw_point_error(point) / fabs(point->y) * sqrt((double)point->count);
    n += isnan(error[n]) ? 0 : 1;
  }
  if (n > 0) {
    hw_sort(error, n);
    middling = (curve->n - 1) / 2 < n ? error[(curve->n - 1) / 2] : INFINITY;
  }
  free(error);
  return middling;
}

/* The error of a point whose samples scatter by at least this. */
static double monotone_least(const struct hw_point *point, double scatter) {
  double n = fmax(1, (double)point->count);

  return fmax(hw_point_error(point), scatter * fabs(point->y) / sqrt(n));
}

double hw_rise_error(const struct hw_curve *curve, const struct hw_point *low,
                     const struct hw_point *high) {
  double least = monotone_middling(curve);

  return hypot(monotone_least(low, least), monotone_least(high, least));
}
