/* Servet's probabilistic estimate of a capacity (SV III-A, figure 3). */
#include "analysis/reduce.h"

#include <math.h>

/* Capacities tried in each octave. */
#define SERVET_OCTAVE 16
/* At most as many octaves as an address has bits. */
#define SERVET_OCTAVES 64
/* Above this mean distance to the predicted miss rates a curve is not that of pages at random. */
#define SERVET_FIT 0.15
/* The share of accesses that miss when n pages lie at random in this many colours of ways pages
   each.  A page misses when ways or more of the others have its colour: a miss rate counts
   accesses, so that each colour counts by its pages. */
static double servet_share(double n, double colours, double ways) {
  double p = 1 / colours, others = n - 1, share = 1;
  double term = others > 0 ? exp(others * log1p(-p)) : 1; /* that none has it */

  if (colours <= 1)
    return n > ways * colours ? 1 : 0;
  for (double k = 0; k < ways && k <= others && term > 0; k++) {
    share -= term;
    term *= (others - k) / (k + 1) * p / (1 - p);
  }
  return fmin(1, fmax(0, share));
}

/* Root mean square of the differences between the miss rates of the curve and those predicted. */
static double servet_distance(const struct hw_curve *curve, const struct hw_rise *rise,
                              double bytes) {
  double sum = 0;

  for (size_t i = 0; i < curve->n; i++) {
    double share = (curve->point[i].y - rise->low) / (rise->high - rise->low);
    double expected =
        servet_share(curve->point[i].x / rise->page, bytes / (rise->ways * rise->page), rise->ways);
    sum += pow(fmin(1, fmax(0, share)) - expected, 2);
  }
  return sqrt(sum / (double)curve->n);
}

struct hw_answer hw_reduce_servet(const struct hw_curve *curve, const struct hw_rise *rise) {
  static const char method[] = "binomial miss rates";
  double best = INFINITY, bytes = 0;

  if (curve->n < 3 || !(rise->high > rise->low))
    return hw_unknown(method, "fewer than three points");
  if (!(curve->point[0].x > 0))
    return hw_unknown(method, "a working set is not positive");
  if (!(curve->point[curve->n - 1].x <= ldexp(curve->point[0].x, SERVET_OCTAVES)))
    return hw_unknown(method, "the working sets differ by more than addresses can");
  for (int step = 0; curve->point[0].x / 2 * exp2((double)step / SERVET_OCTAVE) <=
                     2 * curve->point[curve->n - 1].x;
       step++) {
    double tried = curve->point[0].x / 2 * exp2((double)step / SERVET_OCTAVE);
    double distance = servet_distance(curve, rise, tried);
    if (distance < best) {
      best = distance;
      bytes = tried;
    }
  }
  if (!(best < SERVET_FIT))
    return hw_unknown(method, "the rise is not that of pages at random places");
  return hw_known(method, bytes, bytes * (exp2(1.0 / SERVET_OCTAVE) - 1), HW_CLEAR);
}
