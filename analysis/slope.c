/* Level of a flat curve, slope of a straight one: medians, which a few bad points do not move. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Quartiles of few values lie too close together by this share, over their number. */
#define SLOPE_FEW 3.0
/* Standard errors by which a value may be off. */
#define SLOPE_SURE 2.0

/* The median of n values from this many points, with its error; unknown if that exceeds the share
   most.  A standard error is 1.25 standard deviations over the root of the number of points, the
   deviation taken from the quartiles. */
static struct hw_answer slope_middle(const char *method, double *value, size_t n, size_t points,
                                     double most) {
  double median, deviation, error;

  hw_sort(value, n);
  median = (value[(n - 1) / 2] + value[n / 2]) / 2;
  deviation = (value[n - 1 - (n - 1) / 4] - value[(n - 1) / 4]) / 1.35;
  deviation *= 1 + SLOPE_FEW / (double)n;
  error = SLOPE_SURE * 1.25 * deviation / sqrt((double)points);
  if (!(median > 0))
    return hw_unknown(method, "not positive");
  if (error > most * median)
    return hw_unknown(method, "the points scatter by more than 3 %");
  return hw_known(method, median, error, HW_CLEAR);
}

struct hw_answer hw_reduce_slope(const struct hw_curve *curve) {
  static const char method[] = "median slope";
  double *slope;
  size_t n = 0;
  struct hw_answer answer;

  if (curve->n < 4)
    return hw_unknown(method, "fewer than four points");
  slope = calloc(curve->n * curve->n, sizeof *slope);
  if (slope == NULL)
    return hw_unknown(method, "out of memory");
  for (size_t i = 0; i < curve->n; i++)
    for (size_t j = i + 1; j < curve->n; j++)
      slope[n++] =
          (curve->point[j].y - curve->point[i].y) / (curve->point[j].x - curve->point[i].x);
  answer = slope_middle(method, slope, n, curve->n, HW_CYCLES_ERROR);
  free(slope);
  return answer;
}

static struct hw_answer slope_level(const struct hw_curve *curve, double error_most) {
  static const char method[] = "median level";
  double *level;
  struct hw_answer answer;

  if (curve->n < 3)
    return hw_unknown(method, "fewer than three points");
  level = calloc(curve->n, sizeof *level);
  if (level == NULL)
    return hw_unknown(method, "out of memory");
  for (size_t i = 0; i < curve->n; i++)
    level[i] = curve->point[i].y;
  answer = slope_middle(method, level, curve->n, curve->n, error_most);
  free(level);
  return answer;
}

struct hw_answer hw_reduce_level(const struct hw_curve *curve) {
  return slope_level(curve, HW_CYCLES_ERROR);
}

struct hw_answer hw_reduce_level_range(const struct hw_curve *curve) {
  struct hw_answer level = slope_level(curve, INFINITY);
  double low = level.value;

  for (size_t i = 0; i < curve->n; i++)
    low = fmin(low, hw_point_least(&curve->point[i]));
  return level.known ? hw_ranged(level.method, level.value, low, level.value + level.error) : level;
}
