/* Servet's probabilistic estimate of a capacity (SV III-A, figure 3). */
#include "analysis/reduce.h"

#include <math.h>

/* Capacities that are tried of an octave. */
#define SERVET_OCTAVE 16
/* A curve whose miss rates lie further from the predicted ones, on average, is not explained by
   pages that lie at random. */
#define SERVET_FIT 0.15
/* Ways that are tried. */
#define SERVET_WAYS 64
/* A share near its end, from which on none, or all, is meant. */
#define SERVET_ENDS 0.05
/* What a pool of pages, of which some colours have more, shifts a share by. */
#define SERVET_POOL 0.01

/* The share of accesses that miss when n pages are spread at random over so many colours with room
   for ways pages each.  A page misses when ways or more of the others have its colour: a miss rate
   counts accesses, so that a colour counts by its pages. */
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

/* Root mean square of what the curve's miss rates differ from the predicted ones. */
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
    return hw_unknown(method, "the curve does not rise as pages at random make it");
  return hw_known(method, bytes, bytes * (exp2(1.0 / SERVET_OCTAVE) - 1), HW_CLEAR);
}

/* The same when the pages are chosen of a pool in which each colour has as many. */
static double servet_share_even(double n, double colours, double ways, double pool) {
  double others = n - 1, alike = pool / colours - 1, rest = pool - 1 - alike, missed = 0;
  double k = fmax(0, others - rest), term;

  if (colours <= 1 || alike < 1 || others > pool - 1)
    return servet_share(n, colours, ways);
  term = exp(lgamma(alike + 1) - lgamma(k + 1) - lgamma(alike - k + 1) + lgamma(rest + 1) -
             lgamma(others - k + 1) - lgamma(rest - others + k + 1) - lgamma(pool) +
             lgamma(others + 1) + lgamma(pool - others));
  for (; k <= alike && k <= others; k++) {
    missed += k >= ways ? term : 0;
    term *= (alike - k) * (others - k) / ((k + 1) * (rest - others + k + 1));
  }
  return fmin(1, fmax(0, missed));
}

/* What a level of that shape differs from the curve by: chi squared. */
static double servet_chi(const struct hw_curve *curve, const struct hw_scatter *scatter,
                         double colours, double ways, unsigned kind) {
  double sum = 0;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    double n = fmax(1, p->x - (kind & 1u ? scatter->above : 0));
    double share = kind & 2u ? servet_share_even(n, colours, ways, scatter->pool)
                             : servet_share(n, colours, ways);
    double count = fmax(1, (double)p->count);
    double error = share * (1 - share) / count + SERVET_POOL * SERVET_POOL;
    sum += (p->y - share) * (p->y - share) / error;
  }
  return sum;
}

struct hw_answer hw_reduce_scattered(const struct hw_curve *curve,
                                     const struct hw_scatter *scatter) {
  static const char method[] = "binomial shares";
  double best = INFINITY, at = 0, low = INFINITY, high = 0, points = (double)curve->n;
  bool meant = !(scatter->ways > 0);

  if (curve->n < 3 || curve->point[0].y > SERVET_ENDS ||
      curve->point[curve->n - 1].y < 1 - SERVET_ENDS)
    return hw_unknown(method, "the curve does not go from none to all");
  /* First the best one, and then all that are as good. */
  for (unsigned turn = 0; turn < 2; turn++)
    for (double colours = 1; colours <= curve->point[curve->n - 1].x; colours *= 2)
      for (double ways = 1; ways <= SERVET_WAYS; ways++) {
        double pages = colours * ways;
        if (pages < curve->point[0].x || pages > curve->point[curve->n - 1].x)
          continue;
        for (unsigned kind = 0; kind < 4; kind++) {
          double chi = servet_chi(curve, scatter, colours, ways, kind);
          if (turn == 0 && chi < best) {
            best = chi;
            at = pages;
          } else if (turn == 1 && chi <= best + HW_CLEAR * HW_CLEAR) {
            low = fmin(low, pages);
            high = fmax(high, pages);
            meant = meant || fabs(ways - scatter->ways) < 0.5;
          }
        }
      }
  if (!(best <= points + HW_CLEAR * sqrt(2 * points)))
    return hw_unknown(method, "the curve does not rise as pages at random make it");
  if (low < high)
    return hw_unknown(method, "several shapes explain the curve");
  if (!meant)
    return hw_unknown(method, "the ways are others");
  return hw_known(method, at * scatter->page, 0, HW_CLEAR);
}
