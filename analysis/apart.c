/* The latency without prefetchers and TLBs, from loads at growing distances.

   Near each other loads hit lines that a prefetcher brought, and cost less; far apart each has a
   page of its own, and pays for a TLB miss besides.  The loads of a page share that miss, so that
   its part grows with their distance, and no faster at first than later.  Lines that a prefetcher
   no longer brings make loads dearer at once: from where that ends the curve is flat, but for the
   TLB. */
#include "analysis/reduce.h"

#include <math.h>

/* Points from the flat part's begin on, at least: two do not show how they grow. */
#define APART_POINTS 3u
/* Points used at most. */
#define APART_MOST 16u
/* Standard errors by which a point may be off; and the share by which it may be off anyway, a third
   of the error allowed for a latency. */
#define APART_SURE 2.0
#define APART_SHARE (HW_LEVEL_ERROR / 3)

/* The error, as a share, above which a point is not used. */
#define APART_CLEAR (2 * HW_LEVEL_ERROR)

/* The error allowed for a point, in units of y. */
static double apart_error(const struct hw_point *p) {
  return fmax(APART_SURE * hw_point_error(p), APART_SHARE * p->y);
}

/* The slope from a point to the last; 0 if it is negative. */
static double apart_slope(const struct hw_point *from, const struct hw_point *last) {
  return fmax(0, (last->y - from->y) / (last->x - from->x));
}

/* The n points whose error is small enough. */
struct apart_points {
  struct hw_point point[APART_MOST];
  size_t n;
};

static struct apart_points apart_points(const struct hw_curve *curve) {
  struct apart_points clear = {.n = 0};

  for (size_t i = 0; i < curve->n && clear.n < APART_MOST; i++)
    if (apart_error(&curve->point[i]) <= APART_CLEAR * curve->point[i].y)
      clear.point[clear.n++] = curve->point[i];
  return clear;
}

/* Whether the curve is flat but for the TLB from a point on: all later ones lie on a straight line
   to the last, none clearly above, and none far below, as chance lets some lines hit; and none
   before it costs more, as a prefetcher delays nothing. */
static bool apart_still(const struct apart_points *points, size_t from, double slope) {
  const struct hw_point *first = &points->point[from];
  double little = HW_LEVEL_ERROR * first->y;

  for (size_t i = 0; i < points->n; i++) {
    const struct hw_point *p = &points->point[i];
    double more = p->y - first->y, unsure = hypot(apart_error(p), apart_error(first));
    double page = slope * (p->x - first->x);
    if (i < from ? more > unsure + little
                 : more > page + unsure || more < fmax(page - little, 0) - unsure)
      return false;
  }
  return true;
}

struct hw_answer hw_reduce_apart(const struct hw_curve *curve) {
  static const char method[] = "where distance stands still";
  const struct apart_points points = apart_points(curve);
  const struct hw_point *last = points.point + points.n - (points.n > 0);

  if (points.n < APART_POINTS)
    return hw_unknown(method, "the samples scatter by more than 3 %");
  for (const struct hw_point *p = points.point; p + APART_POINTS <= last + 1; p++) {
    double slope = apart_slope(p, last), latency = p->y - slope * p->x;
    double part = p->x / (last->x - p->x);
    double error = hypot((1 + part) * APART_SURE * hw_point_error(p),
                         part * APART_SURE * hw_point_error(last));
    if (!apart_still(&points, (size_t)(p - points.point), slope))
      continue;
    /* For an even scatter the lower quartile lies two thirds of it below the median: more samples
       do not change that. */
    if (!(latency > 0) || p->spread > HW_LEVEL_ERROR || error > fmax(HW_LEVEL_ERROR * latency, 0.5))
      return hw_unknown(method, "the samples scatter by more than 3 %");
    return hw_known(method, latency, error, HW_CLEAR);
  }
  return hw_unknown(method, "the latency keeps changing as loads lie farther apart");
}
