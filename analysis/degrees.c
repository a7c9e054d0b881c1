/* Middle of a rise by degrees. */
#include "analysis/reduce.h"

#include <math.h>

/* The middle lies between points that are at most this factor apart. */
#define DEGREES_BRACKET 2.0

/* Whether the point is clearly on one side of the middle: 1 above, -1 below, 0 neither. */
static int degrees_side(const struct hw_curve *curve, size_t i, double middle, double error) {
  const struct hw_point *p = &curve->point[i];
  double off = p->y - middle;

  if (fabs(off) <= HW_CLEAR * hypot(error, hw_rise_error(curve, p, p) / 2))
    return 0;
  return off > 0 ? 1 : -1;
}

/* x where the curve that never falls passes the middle, along logarithms of x. */
static double degrees_crossing(const struct hw_curve *curve, double middle) {
  const struct hw_point *low = &curve->point[0], *high;

  while (low[1].y < middle)
    low++;
  high = low + 1;
  return low->x * pow(high->x / low->x, (middle - low->y) / (high->y - low->y));
}

static struct hw_answer degrees_answer(const char *method, const struct hw_curve *curve) {
  const struct hw_point *first = &curve->point[0], *last = &curve->point[curve->n - 1];
  double rise = last->y - first->y, middle = first->y + rise / 2;
  double error = hw_rise_error(curve, first, last) / 2, value;
  size_t below = 0, above = curve->n;

  if (!(rise > HW_RATE_ERROR * first->y && rise > 2 * HW_CLEAR * error))
    return hw_unknown(method, "the curve does not rise");
  for (size_t i = 0; i < curve->n; i++)
    if (degrees_side(curve, i, middle, error) < 0)
      below = i + 1;
  for (size_t i = curve->n; i-- > below && degrees_side(curve, i, middle, error) > 0;)
    above = i;
  if (below == 0 || above == curve->n)
    return hw_unknown(method, "the curve ends before its rise does");
  if (curve->point[above].x > DEGREES_BRACKET * curve->point[below - 1].x)
    return hw_unknown(method, "it is not clear where the middle of the rise is");
  value = degrees_crossing(curve, middle);
  return hw_known(method, value,
                  fmax(value - curve->point[below - 1].x, curve->point[above].x - value), HW_CLEAR);
}

struct hw_answer hw_reduce_degrees(const struct hw_curve *curve) {
  static const char method[] = "middle of a rise by degrees";
  struct hw_answer answer;
  struct hw_curve risen;

  if (curve->n < 3)
    return hw_unknown(method, "fewer than three points");
  if (hw_monotone(curve, &risen) < 0)
    return hw_unknown(method, "out of memory");
  answer = degrees_answer(method, &risen);
  hw_curve_free(&risen);
  return answer;
}
