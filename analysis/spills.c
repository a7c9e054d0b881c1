/* Stores that a loop does more than it says. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Points of a plateau at least. */
#define SPILLS_PLATEAU 3u
/* A variable that is stored costs one store each time; what costs less than half is none. */
#define SPILLS_HALF 0.5

/* The level of the plateau: the point that is second lowest, since the lowest may be luck. */
static const struct hw_point *spills_level(const struct hw_curve *curve) {
  const struct hw_point *lowest = NULL, *second = NULL;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (lowest == NULL || p->y < lowest->y) {
      second = lowest;
      lowest = p;
    } else if (second == NULL || p->y < second->y) {
      second = p;
    }
  }
  return second;
}

/* Stores at the point beyond the loop's own; their standard error in *error. */
static double spills_more(const struct hw_point *p, const struct hw_point *level, double each,
                          double least, double *error) {
  double stores = each * fmax(p->x, least);

  *error = stores * hypot(hw_point_error(p), hw_point_error(level)) / level->y;
  return stores * (p->y / level->y - 1);
}

/* Whether the point has less than half a store more. */
static bool spills_none(const struct hw_point *p, const struct hw_point *level, double each,
                        double least) {
  double error;

  return spills_more(p, level, each, least, &error) < SPILLS_HALF;
}

struct hw_answer hw_reduce_spills(const struct hw_curve *curve, double each, double least) {
  static const char method[] = "stores more";
  const struct hw_point *level = spills_level(curve);
  double clarity = HW_CLARITY_MAX;
  size_t first, last = curve->n;

  if (curve->n < SPILLS_PLATEAU + 1 || !(level->y > 0))
    return hw_unknown(method, "fewer than four points");
  for (size_t i = 0; i < curve->n; i++)
    if (spills_none(&curve->point[i], level, each, least))
      last = i;
  for (first = last; first > 0; first--)
    if (!spills_none(&curve->point[first - 1], level, each, least))
      break;
  /* Few variables wait for each other. */
  for (size_t i = 0; i < first; i++)
    if (curve->point[i].x >= least && !spills_none(&curve->point[i], level, each, least))
      return hw_unknown(method, "it rises more than once");
  if (last + 1 - first < SPILLS_PLATEAU)
    return hw_unknown(method, "there is no plateau");
  if (last + 1 == curve->n)
    return hw_absent(method, "it does not rise");
  /* More variables are no fewer stores: what costs more before was disturbed. */
  for (size_t i = last + 2; i < curve->n; i++) {
    double error, before = spills_more(&curve->point[last + 1], level, each, least, &error);
    if (spills_more(&curve->point[i], level, each, least, &error) < before - SPILLS_HALF)
      return hw_unknown(method, "it falls behind the rise");
  }
  for (size_t i = last; i <= last + 1; i++) {
    double error, more = spills_more(&curve->point[i], level, each, least, &error);
    if (error > 0)
      clarity = fmin(clarity, fabs(more - SPILLS_HALF) / error);
  }
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "not clear of half a store");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  clarity);
}
