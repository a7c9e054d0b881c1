/* Foot of a rise. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Points of a plateau at least. */
#define FOOT_PLATEAU 4u

/* The last point on the plateau must be this low. */
#define FOOT_DOUBT 0.045
/* A rise of less than this share is none. */
#define FOOT_LEAST 0.01

static int foot_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* The level of the plateau: the second lowest point, since the lowest may be luck. */
static double foot_level(const struct hw_curve *curve) {
  double *y = calloc(curve->n, sizeof *y), level = NAN;

  if (y == NULL)
    return level;
  for (size_t i = 0; i < curve->n; i++)
    y[i] = curve->point[i].y;
  qsort(y, curve->n, sizeof *y, foot_order);
  level = y[1];
  free(y);
  return level;
}

/* The last point on the plateau, given the last one that is not clearly above it.  A rise that is
   slow hides its first points among those of the plateau: the line through the first two clear
   points tells how high they should be, and those that are at least half as high belong to the
   rise. */
static size_t foot_last(const struct hw_curve *curve, size_t last, double level) {
  const struct hw_point *p = curve->point;
  double slope;

  if (last + 2 >= curve->n)
    return last;
  slope = (p[last + 2].y - p[last + 1].y) / (p[last + 2].x - p[last + 1].x);
  for (size_t i = last; i > 0; i--) {
    double rise = p[last + 1].y - slope * (p[last + 1].x - p[i].x) - level;
    if (slope <= 0 || rise <= 0 || p[i].y - level < fmax(rise / 2, FOOT_LEAST * level))
      return i;
  }
  return 0;
}

struct hw_answer hw_reduce_foot(const struct hw_curve *curve) {
  static const char method[] = "foot of the rise";
  double level, most = 0;
  size_t last = 0, on = 0;

  if (curve->n < FOOT_PLATEAU + 1)
    return hw_unknown(method, "fewer than five points");
  level = foot_level(curve);
  if (!(level > 0))
    return hw_unknown(method, "out of memory");
  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].y <= (1 + HW_FOOT) * level) {
      last = i;
      on++;
    }
  if (on < FOOT_PLATEAU)
    return hw_unknown(method, "there is no plateau");
  if (last + 1 == curve->n)
    return hw_absent(method, "it does not rise");
  for (size_t i = last + 1; i < curve->n; i++)
    most = fmax(most, curve->point[i].y / level - 1);
  if (most < 2 * HW_FOOT)
    return hw_unknown(method, "the rise is not clear");
  /* The end of the plateau is whole: what lies between two of its points is no rise. */
  for (size_t i = last, left = FOOT_PLATEAU; i > 0 && left > 0; i--, left--)
    if (curve->point[i].y > (1 + HW_FOOT) * level)
      return hw_unknown(method, "it rises more than once");
  last = foot_last(curve, last, level);
  if (curve->point[last].y > (1 + FOOT_DOUBT) * level)
    return hw_unknown(method, "its last point may belong to the rise");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  HW_CLEAR * most / HW_FOOT);
}
