/* Tables of rows, each read off the same curves with another in place of one of them. */
#ifndef HW_UNIT_ANOTHER_H
#define HW_UNIT_ANOTHER_H

#include "analysis/values.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"

/* What a row is, or why it is not known, with another curve in place of one, or besides. */
struct another {
  struct hw_answer (*value)(const struct hw_curves *);
  const char *why; /* NULL: known */
  double is;
  const char *name;
  double xy[12][2]; /* up to the first with y 0 */
};

#define IS(row, value, name, ...)                                                                  \
  {                                                                                                \
    hw_value_##row, NULL, value, name, { __VA_ARGS__ }                                             \
  }
#define UNKNOWN(row, why, name, ...)                                                               \
  {                                                                                                \
    hw_value_##row, why, 0, name, { __VA_ARGS__ }                                                  \
  }

/* Checks n of them, each on what put() puts. */
static inline void check_another(void (*put)(struct hw_curves *), const struct another *a,
                                 size_t n) {
  for (; n > 0; a++, n--) {
    struct hw_curves curves = {0};
    struct hw_answer answer;
    size_t points = 0;
    put(&curves);
    while (points < COUNT(a->xy) && (a->xy[points][1] > 0 || a->xy[points][1] < 0))
      points++;
    put_curve(&curves, curve_of(a->name, a->xy, points, 0.001, 12));
    answer = a->value(&curves);
    hw_curves_free(&curves);
    if (a->why != NULL)
      check_unknown(answer, a->why);
    else
      known_is(answer, a->is);
  }
}

#endif
