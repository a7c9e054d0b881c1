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

struct hw_answer hw_else(struct hw_answer answer, struct hw_answer ranged) {
  if (answer.known || answer.settled || !ranged.known || !(ranged.high > 0))
    return answer;
  answer.value = ranged.value;
  answer.error = ranged.error;
  answer.low = ranged.low;
  answer.high = ranged.high;
  answer.clarity = ranged.clarity;
  return answer;
}

struct hw_answer hw_inverse(struct hw_answer answer) {
  const double low = answer.low;

  if (!(answer.value > 0))
    return answer;
  answer.error /= answer.value * answer.value;
  answer.value = 1 / answer.value;
  answer.low = answer.high > 0 ? 1 / answer.high : 0;
  answer.high = answer.high > 0 ? 1 / low : 0;
  return answer;
}

/* The ends of a value: of its range, or if it has none by its error. */
static double values_low(const struct hw_answer *answer) {
  return answer->high > 0 ? answer->low : answer->value - answer->error;
}

static double values_high(const struct hw_answer *answer) {
  return answer->high > 0 ? answer->high : answer->value + answer->error;
}

struct hw_answer hw_difference(struct hw_answer more, struct hw_answer less) {
  if (!more.known || !less.known)
    return more.known ? less : more;
  return hw_ranged(more.method, more.value - less.value, values_low(&more) - values_high(&less),
                   values_high(&more) - values_low(&less));
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
