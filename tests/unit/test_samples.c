/* What samples of one thing say, on literal numbers. */
#include "analysis/samples.h"
#include "tests/unit/unit.h"

#include <math.h>

/* The lower quartile, interpolated; the distance to the lowest twentieth as its scatter. */
static void test_low_end(void **state) {
  double five[] = {5, 1, 4, 2, 3}, one[] = {7};
  struct hw_point p = hw_low_end(five, 5);

  (void)state;
  assert_true(fabs(p.y - 2) < 1e-9);
  assert_true(fabs(p.spread - 0.4) < 1e-9);
  assert_int_equal(p.count, 5);
  p = hw_low_end(one, 1);
  assert_true(fabs(p.y - 7) < 1e-9);
  assert_true(fabs(p.spread) < 1e-9);
  assert_int_equal(hw_low_end(one, 0).count, 0);
}

/* Three quarters of the samples may be disturbed, by whatever, and the low end stays. */
static void test_low_end_outliers(void **state) {
  double sample[40];

  (void)state;
  for (size_t i = 0; i < 40; i++)
    sample[i] = i % 4 == 0 ? 10 : 10 + 100.0 * (double)(i + 1);
  sample[1] = 10; /* the quartile is interpolated */
  assert_true(fabs(hw_low_end(sample, 40).y - 10) < 1e-9);
}

/* n values from low on, each a share above the one before. */
static void samples_of(double *sample, size_t n, double low, double share) {
  for (size_t i = 0; i < n; i++)
    sample[i] = low * (1 + share * (double)i);
}

/* The lowest that gather have an edge: those above are far away, however many they are. */
static void test_lowest(void **state) {
  double sample[300];
  struct hw_point p;
  bool clear;

  (void)state;
  samples_of(sample, 10, 80, 0.01);         /* too few, and scattered */
  samples_of(sample + 10, 40, 100, 0.0001); /* these */
  samples_of(sample + 50, 250, 150, 0.0001);
  p = hw_lowest(sample, 300, &clear);
  assert_true(clear);
  assert_int_equal(p.count, 40);
  assert_true(p.y > 100 && p.y < 100.2);
}

/* Values without an edge: they gather, but it is not clear where. */
static void test_lowest_even(void **state) {
  double sample[1000];
  struct hw_point p;
  bool clear;

  (void)state;
  samples_of(sample, 1000, 100, 0.0002);
  p = hw_lowest(sample, 1000, &clear);
  assert_false(clear);
  assert_true(p.count > 0 && p.y < 111);
}

/* Too few, or too far apart, to gather anywhere. */
static void test_lowest_nowhere(void **state) {
  double sample[100];
  bool clear;

  (void)state;
  samples_of(sample, 20, 100, 0);
  assert_int_equal(hw_lowest(sample, 20, &clear).count, 0);
  assert_false(clear);
  samples_of(sample, 100, 100, 0.01);
  assert_int_equal(hw_lowest(sample, 100, &clear).count, 0);
  assert_false(clear);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_low_end),        cmocka_unit_test(test_low_end_outliers),
      cmocka_unit_test(test_lowest),         cmocka_unit_test(test_lowest_even),
      cmocka_unit_test(test_lowest_nowhere),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
