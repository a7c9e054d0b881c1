/* Stores that a loop does more than it says. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Points of a plateau at least. */
#define SPILLS_PLATEAU 3u
/* A variable that is stored costs one store each time; what costs less than half is none, nor is a
   rise by less for each variable more: a loop may be too long for its instructions to come as fast
   as they are done.  All of a store need not show, where two to one line are done at once. */
#define SPILLS_HALF 0.5
/* So many points behind the rise at least, and so many at most that stand out of the plateau: where
   a loop lies in memory may cost it a cycle or two. */
#define SPILLS_BEHIND 2u
#define SPILLS_BAD 1u

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

/* Points up to the last that have no store more.  What is higher among them, but for few variables,
   which wait for each other, is a loop that lies badly: how many of those, in *bad. */
static size_t spills_plateau(const struct hw_curve *curve, const struct hw_point *level,
                             double each, double least, size_t last, size_t *bad) {
  size_t n = 0;

  *bad = 0;
  for (size_t i = 0; i <= last && i < curve->n; i++)
    if (spills_none(&curve->point[i], level, each, least))
      n++;
    else if (curve->point[i].x >= least)
      ++*bad;
  return n;
}

struct hw_answer hw_reduce_spills(const struct hw_curve *curve, double each, double least) {
  static const char method[] = "stores more";
  const struct hw_point *level = spills_level(curve);
  double clarity = HW_CLARITY_MAX, error, before;
  size_t last = curve->n, bad;

  if (curve->n < SPILLS_PLATEAU + 1 || !(level->y > 0))
    return hw_unknown(method, "fewer than four points");
  for (size_t i = 0; i < curve->n; i++)
    if (spills_none(&curve->point[i], level, each, least))
      last = i;
  if (spills_plateau(curve, level, each, least, last, &bad) < SPILLS_PLATEAU)
    return hw_unknown(method, "there is no plateau");
  if (bad > SPILLS_BAD)
    return hw_unknown(method, "it rises more than once");
  if (last + 1 == curve->n)
    return hw_absent(method, "it does not rise");
  /* More variables are no fewer stores: what costs more before was disturbed. */
  before = spills_more(&curve->point[last + 1], level, each, least, &error);
  for (size_t i = last + 1; i < curve->n; i++) {
    double more = spills_more(&curve->point[i], level, each, least, &error);
    if (more < before - SPILLS_HALF)
      return hw_unknown(method, "it falls behind the rise");
    if (more < SPILLS_HALF * (curve->point[i].x - curve->point[last + 1].x + 1))
      return hw_unknown(method, "it rises by less than a store for each");
  }
  if (last + SPILLS_BEHIND >= curve->n)
    return hw_unknown(method, "too few points lie behind the rise");
  for (size_t i = last; i <= last + 1; i++) {
    double more = spills_more(&curve->point[i], level, each, least, &error);
    if (error > 0)
      clarity = fmin(clarity, fabs(more - SPILLS_HALF) / error);
  }
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "not clear of half a store");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  clarity);
}
