/* What the values of several probes have in common. */
#include "analysis/values.h"

#include <math.h>

/* The rows that nothing measures. */
#define HW_NEVER(value, reason)                                                                    \
  struct hw_answer hw_read_##value(const struct hw_curves *curves) {                               \
    (void)curves;                                                                                  \
    return hw_absent("none", #reason);                                                             \
  }
#include "probes/params.h"

struct hw_answer hw_reduce_named(const struct hw_curves *curves, const char *name,
                                 struct hw_answer (*reduce)(const struct hw_curve *)) {
  const struct hw_curve *curve = hw_curves_get(curves, name);

  return curve != NULL ? reduce(curve) : hw_unknown(HW_NO_METHOD, "its curve was not measured");
}

struct hw_answer hw_scaled(struct hw_answer answer, double factor) {
  answer.value *= factor;
  answer.error *= factor;
  answer.low *= factor;
  answer.high *= factor;
  return answer;
}

struct hw_answer hw_rounded(struct hw_answer answer) {
  double whole = round(answer.value);

  if (answer.known && fabs(answer.value - whole) + answer.error >= 0.5)
    return hw_unknown(answer.method, "it lies between two whole numbers");
  answer.value = whole;
  return answer;
}

struct hw_answer hw_agreed(struct hw_answer one, struct hw_answer other) {
  if (!one.known)
    return one;
  if (!other.known)
    return other;
  if (one.value < other.value || one.value > other.value)
    return hw_unknown(one.method, "two ways to measure it disagree");
  one.clarity = fmin(one.clarity, other.clarity);
  return one;
}
