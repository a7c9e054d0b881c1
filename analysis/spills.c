/* Spills: the stores of a loop beyond its own. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Points of a plateau at least. */
#define SPILLS_PLATEAU 3u
/* A spilled variable costs one store each time; a rise by less than half of one is no spill, nor is
   a rise by less for each variable more: a loop may be too long for the front end to keep up.  Not
   all of a store need show, where two stores to one line complete at once. */
#define SPILLS_HALF 0.5
/* What a spilled loop counter costs without a variable's spill, in stores: it is stored once in a
   loop of four groups. */
#define SPILLS_COUNTER 0.25
/* The error of a point, in stores: two points make the difference that is to be clear of half a
   store, also beside a spilled counter, and each may be off by two such errors itself. */
#define SPILLS_PRECISE ((SPILLS_HALF - SPILLS_COUNTER) / (HW_CLEAR + 2) / 1.42)
/* Points behind the rise at least, and points at most that stand out of the plateau by a whole
   store: the placement of a loop in memory may cost it a cycle or two.  What stands out by less is
   none, as more variables need no fewer stores. */
#define SPILLS_BEHIND 2u
#define SPILLS_BAD 1u
#define SPILLS_OUT 1.0
/* With few variables their dependent chains bind where the loop costs this many stores more; it
   then costs less besides. */
#define SPILLS_WAIT 1.5

/* The level of the plateau up to a point: the second lowest point, since the lowest may be luck.
   Not of the whole curve: with more variables, less of the time is the loop's own. */
static const struct hw_point *spills_level(const struct hw_curve *curve, size_t last) {
  const struct hw_point *lowest = curve->point, *second = curve->point;

  for (size_t i = 1; i <= last; i++) {
    const struct hw_point *p = &curve->point[i];
    if (p->y < lowest->y) {
      second = lowest;
      lowest = p;
    } else if (second == lowest || p->y < second->y) {
      second = p;
    }
  }
  return second;
}

/* Stores at the point beyond the loop's own, over that level; their standard error in *error. */
static double spills_over(const struct hw_point *p, const struct hw_point *level, double each,
                          double least, double *error) {
  double stores = each * fmax(p->x, least);

  *error = stores * hypot(hw_point_error(p), hw_point_error(level)) / level->y;
  return stores * (p->y / level->y - 1);
}

/* The same over the level up to there. */
static double spills_more(const struct hw_curve *curve, size_t i, double each, double least,
                          double *error) {
  return spills_over(&curve->point[i], spills_level(curve, i), each, least, error);
}

/* Whether the point has less than half a store more. */
static bool spills_none(const struct hw_curve *curve, size_t i, double each, double least) {
  double error;

  return spills_more(curve, i, each, least, &error) < SPILLS_HALF;
}

/* The number of points up to the last without a spill, but for those bound by dependent chains.
   Higher ones among them are badly placed loops: their number in *bad. */
static size_t spills_plateau(const struct hw_curve *curve, double each, double least, size_t last,
                             size_t *bad) {
  const struct hw_point *level = spills_level(curve, last);
  size_t n = 0;
  double error;

  *bad = 0;
  for (size_t i = 0; i <= last; i++) {
    const struct hw_point *p = &curve->point[i];
    if (!spills_none(curve, i, each, least))
      *bad += p->x >= least && spills_more(curve, i, each, least, &error) >= SPILLS_OUT;
    else if (p->x >= least || spills_over(p, level, each, least, &error) < SPILLS_WAIT)
      n++;
  }
  return n;
}

size_t hw_spills_last(const struct hw_curve *curve, double each, double least) {
  size_t last = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (spills_none(curve, i, each, least))
      last = i;
  return last;
}

double hw_spills_precision(double x, double each, double least) {
  return SPILLS_PRECISE / (each * fmax(x, least));
}

struct hw_answer hw_reduce_spills(const struct hw_curve *curve, double each, double least) {
  static const char method[] = "stores more";
  double clarity = HW_CLARITY_MAX, error, before;
  size_t last, bad;

  if (curve->n < SPILLS_PLATEAU + 1 || !(curve->point[0].y > 0))
    return hw_unknown(method, "fewer than four points");
  last = hw_spills_last(curve, each, least);
  if (spills_plateau(curve, each, least, last, &bad) < SPILLS_PLATEAU)
    return hw_unknown(method, "there is no plateau");
  if (bad > SPILLS_BAD)
    return hw_unknown(method, "the curve rises more than once");
  if (last + 1 == curve->n)
    return hw_absent(method, "it does not rise");
  /* More variables need no fewer stores: a point before that costs more was disturbed. */
  before = spills_more(curve, last + 1, each, least, &error);
  for (size_t i = last + 1; i < curve->n; i++) {
    double more = spills_more(curve, i, each, least, &error);
    if (more < before - SPILLS_HALF)
      return hw_unknown(method, "the curve falls after its rise");
    if (more < SPILLS_HALF * (curve->point[i].x - curve->point[last + 1].x + 1))
      return hw_unknown(method, "the curve rises by less than a store for each variable");
  }
  if (curve->point[last + 1].x - curve->point[last].x < 1.5 && last + SPILLS_BEHIND >= curve->n)
    return hw_unknown(method, "too few points lie behind the rise");
  for (size_t i = last; i <= last + 1; i++) {
    double more = spills_more(curve, i, each, least, &error);
    if (error > 0)
      clarity = fmin(clarity, fabs(more - SPILLS_HALF) / error);
  }
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "not clear of half a store");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  clarity);
}
