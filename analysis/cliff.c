/* Middle of a rise, and a rise that is one step. */
#include "analysis/reduce.h"

#include <math.h>

/* At this multiple of the x of its middle a rise has ended: a later one is another. */
#define CLIFF_AFTER 1.5
/* A cliff is one step: up to CLIFF_BEFORE of the rise lies before it, CLIFF_BEHIND at its end.  Of
   two sets of which one overflows first, with two ways or more each, 1/2 to 3/5 miss: a point there
   is neither.  CLIFF_BEHIND is halfway from 3/5 to all; CLIFF_BEFORE is nearer to 1/2 than to none,
   since misses due to another process raise the point that fits, and nothing lowers it. */
#define CLIFF_BEFORE 0.4
#define CLIFF_BEHIND 0.8

/* A rise: the first n points, one at least, lie below its middle, the next does not. */
struct cliff {
  double low;
  double high;
  size_t n;
};

/* The number of points up to x, and one at least. */
static size_t cliff_upto(const struct hw_curve *curve, double x) {
  size_t n = 1;

  while (n < curve->n && curve->point[n].x <= x)
    n++;
  return n;
}

/* The deepest fall among the first n points, from a point to a later one. */
static double cliff_fall(const struct hw_curve *curve, size_t n) {
  double most = curve->point[0].y, fall = 0;

  for (size_t i = 1; i < n; i++) {
    most = fmax(most, curve->point[i].y);
    fall = fmax(fall, most - curve->point[i].y);
  }
  return fall;
}

/* Finds the rise of the first end points.  NULL, or why there is none. */
static const char *cliff_of(const struct hw_curve *curve, size_t end, double least,
                            struct cliff *cliff) {
  const struct hw_point *first = &curve->point[0], *last = &curve->point[end - 1];
  double rise = last->y - first->y, middle = (first->y + last->y) / 2;

  *cliff = (struct cliff){.low = first->y, .high = last->y, .n = 1};
  if (!(rise > 0) || rise < least || rise < HW_CLEAR * hw_rise_error(curve, first, last))
    return "the curve does not rise";
  if (rise < HW_CLEAR * cliff_fall(curve, end))
    return "the curve rises no more than it falls";
  while (cliff->n + 1 < end && curve->point[cliff->n].y < middle)
    cliff->n++;
  return NULL;
}

/* Finds the rise, leaving out what lies far behind it.  NULL, or why there is none. */
static const char *cliff_find(const struct hw_curve *curve, double least, struct cliff *cliff) {
  size_t end = curve->n, last = end + 1;
  const char *why = curve->n < 3 ? "fewer than three points" : NULL;

  /* With fewer points the middle of the rise may lie farther on: then repeat. */
  while (why == NULL && end < last) {
    last = end;
    why = cliff_of(curve, end, least, cliff);
    if (why == NULL)
      end = cliff_upto(curve, CLIFF_AFTER * curve->point[cliff->n].x);
  }
  if (why == NULL && curve->point[curve->n - 1].x < CLIFF_AFTER * curve->point[cliff->n].x)
    why = "the curve ends before its rise does";
  return why;
}

/* The answer for the rise: its step over the noise. */
static struct hw_answer cliff_answer(const char *method, const struct hw_curve *curve,
                                     const struct cliff *cliff) {
  const struct hw_point *in = &curve->point[cliff->n - 1], *out = in + 1;
  double noise = hw_rise_error(curve, in, out), rise = cliff->high - cliff->low;

  return hw_known(method, in->x, out->x - in->x,
                  noise * HW_CLARITY_MAX > rise ? rise / noise : HW_CLARITY_MAX);
}

struct hw_answer hw_reduce_middle(const struct hw_curve *curve, double least) {
  static const char method[] = "middle of the rise";
  struct cliff cliff;
  const char *why = cliff_find(curve, least, &cliff);

  return why == NULL ? cliff_answer(method, curve, &cliff) : hw_unknown(method, why);
}

struct hw_answer hw_reduce_cliff(const struct hw_curve *curve, double least) {
  static const char method[] = "cliff";
  struct cliff cliff;
  const char *why = cliff_find(curve, least, &cliff);
  const struct hw_point *in, *out;
  double rise;

  if (why != NULL)
    return hw_unknown(method, why);
  in = &curve->point[cliff.n - 1];
  out = in + 1;
  rise = cliff.high - cliff.low;
  if (in->y - cliff.low > CLIFF_BEFORE * rise || out->y - cliff.low < CLIFF_BEHIND * rise)
    return hw_unknown(method, "the curve rises by degrees");
  if (out->y - in->y < HW_CLEAR * hw_rise_error(curve, in, out))
    return hw_unknown(method, "the step is not clear of the noise");
  return cliff_answer(method, curve, &cliff);
}
