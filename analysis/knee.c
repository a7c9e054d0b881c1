/* Where a curve that falls as 1/x turns flat. */
#include "analysis/reduce.h"

#include <math.h>

/* Points fall while y is above the flat part by this factor. */
#define KNEE_NEAR 1.2
/* Points are looked at below the flat part by these factors, one after the other: far above it,
   what one waits for has not grown yet by the traffic of the others.  Where the model holds, how
   far one looks changes nothing. */
static const double knee_far[] = {1.6, 2.2, 3.0};
/* The two halves of the flat part differ by less than this share, or it still falls. */
#define KNEE_FLAT 0.1
/* What each stream more adds to y is less than this share of the flat part. */
#define KNEE_SHAPE 0.4
/* Points lie this near to the model, as a share of y, or it is none. */
#define KNEE_MISFIT 0.06
/* Knees are tried this many to a whole number, and up to so many streams: no core has as many loads
   under way. */
#define KNEE_STEPS 32
#define KNEE_MOST 1024

/* The average of y over the points with low < x <= high. */
static double knee_average(const struct hw_curve *curve, double low, double high) {
  double sum = 0;
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].x > low && curve->point[i].x <= high) {
      sum += curve->point[i].y;
      n++;
    }
  return n > 0 ? sum / (double)n : 0;
}

/* Sums over the points that are looked at: of weights, of u = 1 / min(x, knee), of y and of their
   products, with y as the unit of each point. */
struct knee_sums {
  double n;
  double w;
  double u;
  double uu;
  double uy;
  double y;
  double own; /* of squares of the points' own errors */
};

static struct knee_sums knee_sums(const struct hw_curve *curve, double most, double knee) {
  struct knee_sums s = {0};

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    double u = 1 / fmin(p->x, knee), w = 1 / p->y;
    if (p->y > most)
      continue;
    s.n++;
    s.w += w * w;
    s.u += u * w * w;
    s.uu += u * u * w * w;
    s.uy += u * w;
    s.y += w;
    s.own += pow(hw_point_error(p) * w, 2);
  }
  return s;
}

/* What the points below most are off y = a u + b, with the best a and b: the sum of squares, as
   shares of y. */
static double knee_misfit(const struct knee_sums *s, double flat) {
  double determinant = s->uu * s->w - s->u * s->u, a, b = 0;

  if (determinant > 1e-9 * s->uu * s->w)
    b = fmin(fmax((s->uu * s->y - s->u * s->uy) / determinant, 0), KNEE_SHAPE * flat);
  a = (s->uy - b * s->u) / s->uu;
  return fmax(0, s->n - 2 * a * s->uy - 2 * b * s->y + a * a * s->uu + 2 * a * b * s->u +
                     b * b * s->w);
}

/* Whether a point that falls lies below most. */
static bool knee_falls(const struct hw_curve *curve, double flat, double most) {
  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].y > KNEE_NEAR * flat && curve->point[i].y <= most)
      return true;
  return false;
}

/* The knees that fit the points below most: the middle of them, and how far from it they reach.
   NULL, or why there are none. */
static const char *knee_fit(const struct hw_curve *curve, double flat, double most, double *middle,
                            double *reach) {
  size_t last = (size_t)(KNEE_STEPS * curve->point[curve->n - 1].x / 2);
  struct knee_sums s = {0};
  double least = INFINITY, low = INFINITY, high = 0, noise;

  for (size_t i = KNEE_STEPS; i <= last; i++) {
    s = knee_sums(curve, most, (double)i / KNEE_STEPS);
    least = fmin(least, knee_misfit(&s, flat));
  }
  noise = least / fmax(s.n - 3, 1);
  if (noise > KNEE_MISFIT * KNEE_MISFIT)
    return "it does not fall as 1/x";
  noise = fmax(noise, s.own / s.n);
  for (size_t i = KNEE_STEPS; i <= last; i++) {
    double knee = (double)i / KNEE_STEPS;
    s = knee_sums(curve, most, knee);
    if (knee_misfit(&s, flat) - least <= HW_CLEAR * HW_CLEAR * noise) {
      low = fmin(low, knee);
      high = fmax(high, knee);
    }
  }
  *middle = (low + high) / 2;
  *reach = (high - low) / 2;
  return NULL;
}

struct hw_answer hw_reduce_knee(const struct hw_curve *curve) {
  static const char method[] = "knee";
  double most, flat, first, last, low = INFINITY, high = 0, middle = 0, reach = 0;

  if (curve->n < 8)
    return hw_unknown(method, "fewer than eight points");
  most = curve->point[curve->n - 1].x;
  if (!(most <= KNEE_MOST))
    return hw_unknown(method, "more streams than there can be");
  flat = knee_average(curve, most / 2, most);
  first = knee_average(curve, most / 2, most * 3 / 4);
  last = knee_average(curve, most * 3 / 4, most);
  if (!(flat > 0))
    return hw_unknown(method, "not positive");
  if (fabs(first - last) > KNEE_FLAT * flat)
    return hw_unknown(method, "it still falls at its end");
  for (size_t i = 0; i < sizeof knee_far / sizeof knee_far[0]; i++)
    if (curve->point[0].y <= KNEE_NEAR * flat || knee_falls(curve, flat, knee_far[i] * flat)) {
      const char *why = knee_fit(curve, flat, knee_far[i] * flat, &middle, &reach);
      if (why != NULL)
        return hw_unknown(method, why);
      low = fmin(low, middle);
      high = fmax(high, middle);
    }
  if (!(low <= high))
    return hw_unknown(method, "no point lies near the knee");
  /* The last, of most points, is known best; what the others are off it shows how far the model is
     off. */
  return hw_known(method, middle, reach + high - low, HW_CLEAR);
}
