/* The least work that is worth the cost of handing it over. */
#include "analysis/reduce.h"

#include <math.h>

/* A cost not known to this share is unknown. */
#define WORTH_ERROR 0.25

/* The cost over the work, as a logarithm. */
static double worth_log(const struct hw_point *point) { return log(point->y / point->x); }

struct hw_answer hw_reduce_worth(const struct hw_curve *curve) {
  static const char method[] = "worth";
  const struct hw_point *low, *high;
  double below, above, share, value, error;
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (!(curve->point[i].x > 0 && curve->point[i].y > 0))
      return hw_unknown(method, "a cost is not positive");
  while (n < curve->n && curve->point[n].y > curve->point[n].x)
    n++;
  if (n == 0 || n == curve->n)
    return hw_unknown(method, n == 0 ? "handing on the shortest piece of work pays"
                                     : "handing on no piece of work pays");
  for (size_t i = n; i < curve->n; i++)
    if (curve->point[i].y > curve->point[i].x)
      return hw_unknown(method, "handing on pays for one piece of work and not for a longer one");
  low = &curve->point[n - 1];
  high = &curve->point[n];
  below = worth_log(low);
  above = worth_log(high);
  share = below / (below - above);
  value = low->x * pow(high->x / low->x, share);
  /* The costs on either side are both of this one, and may be off by their noise. */
  error = value * (hw_point_error(low) / low->y + hw_point_error(high) / high->y) / 2;
  if (!(HW_CLEAR * error < WORTH_ERROR * value))
    return hw_unknown(method, "the cost is not clear of the noise");
  return hw_known(method, value, error, HW_CLEAR);
}
