/* Capacity and associativity of the level-1 data cache, off the curves of probes/data/l1.c.

   Rows    L1_BYTES, L1_ASSOC, L1_LRU.
   See     XM 3, 4.1.2; XT 4.2. */
#include "analysis/rows/l1.h"

#include "analysis/names.h"

#include "analysis/fit.h"

#include <stdio.h>

/* No stride (bytes) and no number of lines is larger. */
#define L1_LARGEST 1e9

/* The shape that the lengths give (XM 3.2, theorem 1): from the cache's own stride on as many lines
   fit as it has ways, at half of it more.  NULL, or why there is none. */
static const char *l1_shape(const struct hw_curve *lengths, struct hw_l1_shape *shape) {
  const struct hw_point *p;

  if (lengths == NULL || lengths->n < 2)
    return "it is not clear how many lines fit";
  p = lengths->point;
  for (size_t i = 0; i < lengths->n; i++)
    if (!(p[i].x >= 0 && p[i].x <= L1_LARGEST && p[i].y >= 0 && p[i].y <= L1_LARGEST))
      return "a stride or a number of lines is out of range";
  *shape = (struct hw_l1_shape){.ways = (size_t)p[1].y, .stride = (size_t)p[1].x};
  shape->bytes = shape->ways * shape->stride;
  for (size_t i = 1; i < lengths->n; i++)
    if (shape->ways == 0 || (size_t)p[i].y != shape->ways)
      return "its sets are no power of two";
  return (size_t)p[0].y > shape->ways && 2 * (size_t)p[0].x == shape->stride
             ? NULL
             : "half of its stride was not asked about";
}

/* The curve of that stem at the cache's own stride, or NULL. */
static const struct hw_curve *l1_curve(const struct hw_curves *curves, const char *stem,
                                       const struct hw_l1_shape *l1) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "l1_%s_%zu", stem, l1->stride);
  return hw_curves_get(curves, name);
}

/* Whether the second line beyond the ways costs clearly more than the first: then another thread
   holds a part of the last way, and the first only seems to be too many. */
static bool l1_held(const struct hw_curve *level, const struct hw_l1_shape *l1) {
  const double ways = (double)l1->ways;
  const struct hw_point *full = hw_curve_at(level, ways), *over = hw_curve_at(level, ways + 1),
                        *next = hw_curve_at(level, ways + 2);
  double error;

  if (full == NULL || over == NULL || next == NULL)
    return true;
  error = hw_rise_error(level, over, full) + hw_rise_error(level, next, over);
  return next->y - over->y > over->y - full->y + HW_CLEAR * error;
}

/* The shape; in *answer how sure the ways are, or why there is none.  0 or -1. */
static int l1_decide(const struct hw_curves *curves, struct hw_l1_shape *l1,
                     struct hw_answer *answer) {
  static const char method[] = "fit test";
  struct hw_fit_answer fits, more;
  const struct hw_curve *fit, *full;
  const char *why = l1_shape(hw_curves_get(curves, HW_NAME_L1_STRIDES), l1);

  *answer = hw_unknown(method, why);
  if (why != NULL)
    return -1;
  fit = l1_curve(curves, "fit", l1);
  full = l1_curve(curves, "full", l1);
  fits = hw_fit_read(fit, full, (double)l1->ways, HW_FIT_SURE);
  more = hw_fit_read(fit, full, (double)l1->ways + 1, HW_FIT_SURE);
  if (fits.verdict != HW_FIT_YES || more.verdict != HW_FIT_NO) {
    why = fits.verdict == HW_FIT_YES ? more.why : fits.why;
    *answer = hw_unknown(method, why != NULL ? why : "another number of lines fits");
    return -1;
  }
  if (l1_held(l1_curve(curves, "stride", l1), l1)) {
    *answer = hw_unknown(method, "another thread holds a part of the last way");
    return -1;
  }
  *answer = hw_known(method, 0, 0, hw_fit_clarity(fits.error + more.error));
  return 0;
}

struct hw_answer hw_read_l1_assoc(const struct hw_curves *curves) {
  struct hw_answer answer;
  struct hw_l1_shape l1;

  if (l1_decide(curves, &l1, &answer) == 0)
    answer.value = (double)l1.ways;
  return answer;
}

struct hw_answer hw_read_l1_bytes(const struct hw_curves *curves) {
  struct hw_answer answer;
  struct hw_l1_shape l1;

  if (l1_decide(curves, &l1, &answer) == 0)
    answer.value = (double)l1.bytes;
  return answer;
}

int hw_l1_shape(const struct hw_curves *curves, struct hw_l1_shape *shape) {
  struct hw_answer answer;

  return hw_value_l1_bytes(curves).known ? l1_decide(curves, shape, &answer) : -1;
}

/* Off the curve of the cache's own stride, at which all lines map to one set.  If as many lines
   as ways surely fit, one more does not, and the policy still is unclear, it is neither kind:
   measuring again gives the same. */
struct hw_answer hw_read_l1_lru(const struct hw_curves *curves) {
  struct hw_answer answer;
  struct hw_l1_shape l1;

  if (l1_decide(curves, &l1, &answer) < 0)
    return answer;
  answer = hw_reduce_lru(l1_curve(curves, "stride", &l1), (double)l1.ways);
  answer.settled = !answer.known;
  return answer;
}
