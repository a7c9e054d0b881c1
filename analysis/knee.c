/* Where a curve that falls as 1/x turns flat. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Points fall while y is above the flat part by this factor: nearer to it they are neither.  They
   come near when y is below the other: far above, what one waits for has not grown yet by the
   traffic of the others. */
#define KNEE_NEAR 1.2
#define KNEE_FAR 2.2
/* The two halves of the flat part differ by less than this share, or it still falls. */
#define KNEE_FLAT 0.1
/* What each stream more adds to y is less than this share of the flat part. */
#define KNEE_SHAPE 0.4
/* Where both lines meet lies outside of the points that fall: their line is known so much less well
   there than among them.  How many standard errors a value may be off. */
#define KNEE_FURTHER 2.0
#define KNEE_SURE 2.0
/* Quartiles of few values lie too close together by this share, over their number. */
#define KNEE_FEW 3.0

static int knee_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* The median of n values, and in *error its standard error.  Sorts them. */
static double knee_middle(double *value, size_t n, double *error) {
  double deviation;

  qsort(value, n, sizeof *value, knee_order);
  deviation = (value[n - 1 - (n - 1) / 4] - value[(n - 1) / 4]) / 1.35;
  *error = 1.25 * deviation * (1 + KNEE_FEW / (double)n) / sqrt((double)n);
  return (value[(n - 1) / 2] + value[n / 2]) / 2;
}

/* The median of y over the points with low <= x <= high, and its error, which is no less than that
   of its points. */
static double knee_flat(const struct hw_curve *curve, double low, double high, double *value,
                        double *error) {
  double own = 0, middle;
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].x >= low && curve->point[i].x <= high) {
      own += hw_point_error(&curve->point[i]);
      value[n++] = curve->point[i].y;
    }
  if (n == 0)
    return 0;
  middle = knee_middle(value, n, error);
  *error = fmax(*error, own / (double)n / sqrt((double)n));
  return middle;
}

/* The points that fall, as x = 1/x: y = a x + b.  Returns how many. */
static size_t knee_falling(const struct hw_curve *curve, double flat, struct hw_point *fall) {
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (p->y > KNEE_NEAR * flat && p->y < KNEE_FAR * flat) {
      fall[n] = *p;
      fall[n++].x = 1 / p->x;
    }
  }
  return n;
}

/* The answer for a curve that is flat at y = flat, known to error. */
static struct hw_answer knee_meet(const struct hw_curve *curve, double flat, double error,
                                  struct hw_point *fall, double *value) {
  static const char method[] = "knee";
  size_t n = knee_falling(curve, flat, fall), pairs = 0;
  double own = 0, a, b, meet, off;

  if (n == 0)
    return curve->point[0].y < KNEE_NEAR * flat
               ? hw_known(method, curve->point[0].x, 0, HW_CLEAR)
               : hw_unknown(method, "no point comes near to where it turns flat");
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      value[pairs++] = (fall[i].y - fall[j].y) / (fall[i].x - fall[j].x);
  a = pairs > 0 ? knee_middle(value, pairs, &off) : fall[0].y / fall[0].x;
  for (size_t i = 0; i < n; i++) {
    value[i] = fall[i].y - a * fall[i].x;
    own += hw_point_error(&fall[i]);
  }
  b = knee_middle(value, n, &off);
  if (!(a > 0) || fabs(b) > KNEE_SHAPE * flat * (double)(n > 1) + KNEE_FLAT * flat)
    return hw_unknown(method, "it does not fall as 1/x");
  meet = a / (flat - b);
  off = KNEE_FURTHER * fmax(off, own / (double)n / sqrt((double)n));
  error = KNEE_SURE * meet * hypot(off, error) / (flat - b);
  if (error > fmax(0.5, HW_KNEE_ERROR * meet))
    return hw_unknown(method, "where it turns flat is not clear of the noise");
  return hw_known(method, meet, error, HW_CLEAR);
}

struct hw_answer hw_reduce_knee(const struct hw_curve *curve) {
  static const char method[] = "knee";
  struct hw_answer answer = hw_unknown(method, "it still falls at its end");
  double most, flat, error, first, last, error_first, error_last;
  double *value = calloc(curve->n * curve->n + 1, sizeof *value);
  struct hw_point *fall = calloc(curve->n + 1, sizeof *fall);

  if (value == NULL || fall == NULL || curve->n < 8) {
    free(value);
    free(fall);
    return hw_unknown(method, "fewer than eight points, or out of memory");
  }
  most = curve->point[curve->n - 1].x;
  flat = knee_flat(curve, most / 2, most, value, &error);
  first = knee_flat(curve, most / 2, most * 3 / 4, value, &error_first);
  last = knee_flat(curve, most * 3 / 4, most, value, &error_last);
  if (!(flat > 0))
    answer = hw_unknown(method, "not positive");
  else if (fabs(first - last) < KNEE_FLAT * flat)
    answer = knee_meet(curve, flat, error, fall, value);
  free(value);
  free(fall);
  return answer;
}
