/* What answers are to say. */
#ifndef HW_UNIT_ANSWER_H
#define HW_UNIT_ANSWER_H

#include "analysis/reduce.h"
#include "tests/unit/unit.h"

/* That the answer is this value. */
static inline void known_is(struct hw_answer answer, double value) {
  if (!answer.known)
    fail_msg("unknown (%s) instead of %.10g", answer.why, value);
  assert_close(answer.value, value, 1e-9);
}

/* That there is none, and why. */
static inline void check_unknown(struct hw_answer answer, const char *why) {
  if (answer.known)
    fail_msg("%.10g instead of unknown (%s)", answer.value, why);
  assert_string_equal(answer.why, why);
  assert_non_null(answer.method);
}

#endif
