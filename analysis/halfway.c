/* Curves that lie on two levels: where they change, and points in between. */
#include "analysis/reduce.h"

#include <math.h>

/* A point this near to halfway, as a part of the difference, belongs to neither level. */
#define HALFWAY_NEAR 0.1
/* A share is known well when its error is at most this. */
#define HALFWAY_SURE 0.03
/* With one line too many, LRU misses all: its share, with the error, is above HALFWAY_ALL.  Random
   replacement of two ways keeps a third, of more ways more: below HALFWAY_PART. */
#define HALFWAY_ALL (1 - 2 * HALFWAY_SURE)
#define HALFWAY_PART 0.85

/* Points within this part of the difference are on one level; a drop is twice that. */
#define HALFWAY_LEVEL 0.05
#define HALFWAY_DROP 0.1
/* Below this part of the difference a drop is complete. */
#define HALFWAY_LOW 0.25

/* The clarity of a point's distance from halfway. */
static double halfway_clarity(const struct hw_curve *curve, size_t i, double middle, double gap) {
  const struct hw_point *p = &curve->point[i];
  double error = hw_rise_error(curve, p, p), distance = fabs(p->y - middle);

  if (distance < HALFWAY_NEAR * gap)
    return 0;
  return error * HW_CLARITY_MAX > distance ? distance / error : HW_CLARITY_MAX;
}

struct hw_answer hw_reduce_crossing(const struct hw_curve *curve, double low, double high) {
  static const char method[] = "halfway";
  double middle = low + (high - low) / 2, clarity;
  size_t n = 0;

  while (n < curve->n && curve->point[n].y < middle)
    n++;
  if (!(high > low) || n == 0 || n == curve->n)
    return hw_unknown(method, "the curve does not cross");
  for (size_t i = n; i < curve->n; i++)
    if (curve->point[i].y < middle)
      return hw_unknown(method, "the curve crosses more than once");
  clarity = fmin(halfway_clarity(curve, n - 1, middle, high - low),
                 halfway_clarity(curve, n, middle, high - low));
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "the curve is not clear of halfway");
  return hw_known(method, curve->point[n - 1].x, curve->point[n].x - curve->point[n - 1].x,
                  clarity);
}

struct hw_answer hw_reduce_halfway(const struct hw_curve *curve) {
  if (curve->n < 2)
    return hw_unknown("halfway", "fewer than two points");
  return hw_reduce_crossing(curve, curve->point[0].y, curve->point[curve->n - 1].y);
}

struct hw_answer hw_reduce_first_drop(const struct hw_curve *curve, double least) {
  static const char method[] = "first drop";
  double high = 0, sum = 0, low = INFINITY, level, clarity, shorter = 0;
  size_t below = 0, n;

  for (size_t i = 0; i < curve->n; i++)
    low = fmin(low, curve->point[i].y);
  for (; below < curve->n && curve->point[below].x < least; below++) {
    sum += curve->point[below].y;
    high = fmax(high, curve->point[below].y);
  }
  if (below == 0 || below == curve->n)
    return hw_unknown(method, "the curve lacks a point");
  level = sum / (double)below;
  for (n = below; n < curve->n; n++)
    if (level - curve->point[n].y > fmax(HALFWAY_LEVEL * (level - low), high - level))
      break;
  if (n == curve->n)
    return hw_unknown(method, "the curve is level everywhere");
  /* If something else raises a point, its fastest samples show that. */
  for (size_t i = below; i < n; i++)
    if (curve->point[i].y * (1 - curve->point[i].spread) < (level + low) / 2)
      return hw_unknown(method, "a point before the drop scatters down to it");
  for (size_t i = n; i < curve->n; i++) {
    if (curve->point[i].y > level - HALFWAY_DROP * (level - low))
      return hw_unknown(method, "a point lies between the level and the drop");
    if (curve->point[i].y > low + HALFWAY_LOW * (level - low))
      shorter = curve->point[n].x - least;
  }
  clarity = (level - curve->point[n].y) / hw_rise_error(curve, &curve->point[n], &curve->point[0]);
  if (!(clarity >= HW_CLEAR))
    return hw_unknown(method, "the drop is not clear of the noise");
  return hw_known(method, curve->point[n].x, shorter, fmin(clarity, HW_CLARITY_MAX));
}

/* The share of misses at over, all being misses at miss; its uncertainty in *error. */
static double halfway_share(const struct hw_curve *curve, const struct hw_point *hit,
                            const struct hw_point *over, const struct hw_point *miss,
                            double *error) {
  *error = HW_CLEAR * hw_rise_error(curve, over, miss) / (miss->y - hit->y);
  return (over->y - hit->y) / (miss->y - hit->y);
}

struct hw_answer hw_reduce_lru(const struct hw_curve *curve, double ways) {
  static const char method[] = "misses of one line too many";
  const struct hw_point *hit = NULL, *full = NULL, *over = NULL, *next = NULL, *miss = NULL;
  double error;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (p->x < ways + 0.5) {
      hit = hit == NULL || p->y < hit->y ? p : hit;
      full = p;
    } else if (over == NULL)
      over = p;
    else if (next == NULL)
      next = p;
    /* The first such point: further on a TLB may miss as well. */
    if (miss == NULL && p->x > 2 * ways - 0.5)
      miss = p;
  }
  if (hit == NULL || over == NULL || over->x > ways + 1.5 || next == NULL || miss == NULL ||
      !(over->y > hit->y))
    return hw_unknown(method, "the curve lacks a point");
  /* Another thread that holds a way makes a full set miss as one line too many does. */
  if (halfway_share(curve, hit, full, miss, &error) > HALFWAY_DROP)
    return (error < HALFWAY_SURE ? hw_absent : hw_unknown)(method, "a full set does not hit");
  /* Nor may another thread be what makes all of them miss. */
  if ((over->y >= next->y || halfway_share(curve, hit, over, next, &error) > HALFWAY_ALL) &&
      halfway_share(curve, hit, over, miss, &error) - error > HALFWAY_ALL)
    return hw_known(method, 1, 0, HW_CLEAR);
  if (over->y < next->y && halfway_share(curve, hit, over, next, &error) + error < HALFWAY_ALL &&
      halfway_share(curve, hit, over, miss, &error) + error < HALFWAY_PART)
    return hw_known(method, 0, 0, HW_CLEAR);
  /* If the error is small, more samples do not help. */
  return (error < HALFWAY_SURE ? hw_absent : hw_unknown)(method,
                                                         "neither all miss nor clearly less");
}
