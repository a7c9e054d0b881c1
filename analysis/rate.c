/* Rate: the level of points that differ by more than noise. */
#include "analysis/reduce.h"

#include <math.h>

/* The i-th y of the curve by size. */
static double rate_ranked(const struct hw_curve *curve, size_t rank) {
  for (size_t i = 0; i < curve->n; i++) {
    size_t below = 0;
    for (size_t j = 0; j < curve->n; j++)
      if (curve->point[j].y < curve->point[i].y ||
          (j < i && !(curve->point[j].y > curve->point[i].y)))
        below++;
    if (below == rank)
      return curve->point[i].y;
  }
  return 0;
}

struct hw_answer hw_reduce_rate(const struct hw_curve *curve) {
  static const char method[] = "median rate";
  double middle, error = 0, apart = 0;

  if (curve->n == 0)
    return hw_unknown(method, "no point");
  middle = (rate_ranked(curve, (curve->n - 1) / 2) + rate_ranked(curve, curve->n / 2)) / 2;
  if (!(middle > 0))
    return hw_unknown(method, "not positive");
  for (size_t i = 0; i < curve->n; i++) {
    double off = fabs(curve->point[i].y - middle), own = hw_point_error(&curve->point[i]);
    error = fmax(error, off + own);
    apart = fmax(apart, off - HW_CLEAR * own);
  }
  if (apart > HW_RATE_ERROR * middle)
    return hw_absent(method, "it depends on x: the points differ by more than 15 %");
  if (error > HW_RATE_ERROR * middle)
    return hw_unknown(method, "the points differ by more than 15 %");
  return hw_known(method, middle, error, HW_CLEAR);
}
