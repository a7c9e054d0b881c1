/* What unit tests have in common: cmocka, and before it what it needs; numbers that are near. */
#ifndef HW_UNIT_UNIT_H
#define HW_UNIT_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* That the value is off by no more than error. */
static inline void assert_close(double value, double expected, double error) {
  if (!(fabs(value - expected) <= error))
    fail_msg("%.10g is not %.10g +- %.3g", value, expected, error);
}

/* That it is off by no more than a millionth. */
static inline void assert_near(double value, double expected) {
  assert_close(value, expected, 1e-6 * fabs(expected));
}

#endif
