/* Rate: the level of points that differ by more than noise, and ratios of such levels. */
#include "analysis/reduce.h"

#include <math.h>

/* Chains that limit the misses in flight make the second half of the flat part lower than the first
   by a third, and the last quarter of it than the one before by an eighth.  It ends flat if the
   first is no more than SUSTAINED_FLAT, or no more than SUSTAINED_STEP and the other than
   SUSTAINED_END: more chains may leave less to a prefetcher. */
#define SUSTAINED_FLAT 0.1
#define SUSTAINED_STEP 0.2
#define SUSTAINED_END 0.05

double hw_ranked(const struct hw_curve *curve, size_t rank) {
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

/* The median of y; the curve has a point. */
static double rate_middle(const struct hw_curve *curve) {
  return (hw_ranked(curve, (curve->n - 1) / 2) + hw_ranked(curve, curve->n / 2)) / 2;
}

struct hw_answer hw_reduce_rate(const struct hw_curve *curve) {
  static const char method[] = "median rate";
  double middle, error = 0, apart = 0;

  if (curve->n == 0)
    return hw_unknown(method, "no point");
  middle = rate_middle(curve);
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

struct hw_answer hw_reduce_range(const struct hw_curve *curve, double others, double alone) {
  static const char method[] = "range of rates";
  double least = INFINITY, most = 0, low = INFINITY;
  struct hw_curve sure = {.n = 0};
  struct hw_answer answer = hw_unknown(method, "no point");

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    low = fmin(low, p->y);
    if (p->count < 2)
      continue;
    if (hw_curve_put(&sure, *p) < 0)
      break;
    least = fmin(least, p->y - hw_point_error(p));
    most = fmax(most, p->y + hw_point_error(p));
  }
  if (sure.n > 0)
    answer = hw_at_other_times(hw_ranged(method, rate_middle(&sure), least, most), others);
  else if (curve->n > 0)
    answer = hw_at_other_times(hw_ranged(method, low, low / alone, low), HW_RANGE_WIDEST);
  hw_curve_free(&sure);
  return answer;
}

/* The points with low < x <= high. */
static struct hw_curve rate_part(const struct hw_curve *curve, double low, double high) {
  return hw_curve_part(curve, nextafter(low, INFINITY), high);
}

/* By how much the median of the points up to high is lower beyond the middle of low and high than
   before, as a share of that of all. */
static double rate_falls(const struct hw_curve *curve, double low, double high) {
  struct hw_curve early = rate_part(curve, low, (low + high) / 2);
  struct hw_curve late = rate_part(curve, (low + high) / 2, high);

  return early.n > 0 && late.n > 0 ? (rate_middle(&early) - rate_middle(&late)) / rate_middle(curve)
                                   : INFINITY;
}

struct hw_answer hw_reduce_sustained(const struct hw_curve *streams) {
  static const char method[] = "Little's law";
  const struct hw_point *one = hw_curve_at(streams, 1);
  double most = streams->n > 0 ? streams->point[streams->n - 1].x : 0, many, error, falls;
  struct hw_curve flat = rate_part(streams, most / 2, most);
  struct hw_curve late = rate_part(&flat, most * 3 / 4, most);

  if (one == NULL || flat.n < late.n + 2 || late.n < 2)
    return hw_unknown(method, "too few points");
  many = rate_middle(&flat);
  if (!(many > 0) || !(one->y > 0))
    return hw_unknown(method, "not positive");
  falls = rate_falls(&flat, most / 2, most);
  if (falls > SUSTAINED_FLAT &&
      (falls > SUSTAINED_STEP || rate_falls(&late, most * 3 / 4, most) > SUSTAINED_END))
    return hw_unknown(method, "it still falls at its end");
  error = hw_point_error(one);
  return hw_ranged(method, one->y / many, (one->y - error) / hw_ranked(&flat, flat.n - 1),
                   (one->y + error) / hw_ranked(&flat, 0));
}
