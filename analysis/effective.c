/* The effective capacity of a level, off a size curve: see hw_reduce_effective. */
#include "analysis/reduce.h"

#include <math.h>

/* Standard errors by which a working set must cost more than the level for some of its lines to
   miss. */
#define EFFECTIVE_SURE 2.0
/* Share by which a working set costs more before its misses count. */
#define EFFECTIVE_FLAT 0.03

/* Bytes that a level and those above hold at least, off the working set that shows most: in a lap
   no more lines hit than they hold.  Noise only adds to the time of a load, so that it hides what
   larger working sets would show. */
static double effective_held(const struct hw_curve *curve, double low, double high) {
  double held = 0;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *point = &curve->point[i];
    double least = point->y - EFFECTIVE_SURE * hw_point_error(point);
    double missed = least > (1 + EFFECTIVE_FLAT) * low ? (point->y - low) / (high - low) : 0;
    held = fmax(held, point->x * (1 - missed));
  }
  return held;
}

/* The largest step that is no larger than bytes. */
static double effective_step(double bytes) {
  double step = exp2(floor(log2(bytes))) / HW_EFFECTIVE_OCTAVE;

  return floor(bytes / step) * step;
}

/* x at which the curve, between point i below y and the next above it, is y. */
static double effective_at(const struct hw_curve *curve, size_t i, double y) {
  const struct hw_point *here = &curve->point[i], *next = here + 1;

  if (!(here->y < y) || !(next->y > here->y))
    return here->x;
  return here->x + (next->x - here->x) * fmin(1, (y - here->y) / (next->y - here->y));
}

struct hw_answer hw_reduce_effective(const struct hw_curve *curve, const struct hw_plateau *level,
                                     double low, double high) {
  static const char method[] = "share of misses";
  double y = fmax(low + (high - low) / HW_EFFECTIVE_MISSES, (1 + EFFECTIVE_FLAT) * low), held;
  size_t first = level->last, last = curve->n - 1;
  struct hw_answer answer;

  if (!(high > low && low > 0))
    return hw_unknown(method, "a miss costs no more than a hit");
  while (first > level->first && curve->point[first].y > y)
    first--;
  while (first < last && curve->point[first + 1].y <= y)
    first++;
  while (last > first && curve->point[last].y > y)
    last--;
  if (last + 1 == curve->n)
    return hw_unknown(method, "no end of the plateau was seen");
  held = effective_held(curve, low, high);
  answer = hw_known(method, effective_step(fmin(effective_at(curve, last, y), held)), 0, HW_CLEAR);
  answer.error = curve->point[last + 1].x - answer.value;
  answer.high = answer.value;
  answer.low = fmin(effective_step(effective_at(curve, first, y)), answer.value);
  return answer;
}
