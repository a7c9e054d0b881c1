/* Plateaus and levels on random curves whose truth is known; on literal ones see
   tests/unit/readers/levels. */
#include "analysis/rows/size_curve.h"
#include "probes/probe.h"
#include "tests/unit/curve.h"

#include <math.h>

/* The curve under test: four points an octave from 1 KiB on. */
static struct hw_curve curve;

/* The working set of point i. */
static double size_of(size_t i) { return 1024 * pow(2, (double)i / 4); }

/* So many points more of that y. */
static void flat(double y, size_t n) {
  for (size_t i = 0; i < n; i++)
    put_point(&curve, size_of(curve.n), y, 0.001, 12);
}

/* The share of pages that miss a cache of so many ways, when so many times as many lie at random as
   it has sets for. */
static double share_of(double load, unsigned ways) {
  double term = exp(-load), hit = 0;

  for (unsigned k = 0; k < ways; term *= load / ++k)
    hit += term;
  return 1 - hit;
}

/* One cache under pages that lie at random, whatever its ways and however far the next level is,
   has two plateaus and nothing between; of four ways or more nothing can hide in its rise. */
static void test_one_cache(void **state) {
  static const double ratios[] = {1.7, 2, 3, 5, 10, 30};

  (void)state;
  for (unsigned ways = 1; ways <= 16; ways *= 2)
    for (size_t r = 0; r < COUNT(ratios); r++) {
      struct hw_plateau plateau[HW_LEVELS];
      size_t n;
      hw_curve_init(&curve, "levels", "x", "y");
      for (int i = 0; i < 88; i++) { /* the sizes that the probe takes */
        double load = pow(2, i / 4 - 14) * (1 + i % 4 / 4.0) * ways;
        double y = 10 + 10 * (ratios[r] - 1) * share_of(load, ways);
        put_point(&curve, load, y, 0.001, 12);
      }
      n = hw_plateaus(&curve, plateau, HW_LEVELS);
      assert_int_equal(n, 2);
      if (ways >= 4)
        assert_false(hw_plateau_wide(&curve, &plateau[0], &plateau[1]));
      if (ways >= 2)
        assert_false(hw_plateau_shoulder(&curve, &plateau[0], &plateau[1]));
      hw_curve_free(&curve);
    }
}

/* Puts the curve among the curves, and a cycle of so many ps. */
static void publish(struct hw_curves *curves, double ps) {
  struct hw_curve clock;

  hw_curve_init(&clock, "cycle", "additions", "time (ns)");
  for (size_t i = 1; i <= 6; i++)
    put_point(&clock, (double)i * 128, (double)i * 128 * ps / 1000, 0, 9);
  put_curve(curves, clock);
  put_curve(curves, curve);
}

/* How many levels there are where level 2 has so many ways, and a level 3 that holds twice as much
   has more of them, or none; pages lie at random, memory costs 340 cycles and each point is up to
   noise times dearer or cheaper.  0: unknown. */
static int two_caches(unsigned ways, unsigned more, double third, double noise) {
  struct hw_random random = {.state = ways};
  struct hw_curves curves = {0};
  struct hw_answer levels;

  hw_curve_init(&curve, "levels", "x", "y");
  for (int i = 0; i < 72; i++) { /* the sizes that the probe takes */
    double kib = pow(2, i / 4) * (1 + i % 4 / 4.0), load = kib / (12 << 10);
    double missed = share_of(load * ways, ways), again = share_of(load / 2 * more, more);
    double y = 18 + (third - 18) * missed + (340 - third) * fmin(missed, again);
    put_point(&curve, kib * 1024,
              (kib > 48 ? y : 4) * (1 + noise * (2 * hw_random_unit(&random) - 1)), 0.03, 32);
  }
  publish(&curves, 312);
  assert_int_equal((int)hw_value_have_l2(&curves).value, 1);
  levels = hw_value_cache_levels(&curves);
  assert_int_equal(levels.known, hw_value_have_l3(&curves).known);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* A rise that two caches may make as well as one of fewer ways is not said to be that of one, where
   no lines were timed; a narrower one is. */
static void test_two_caches(void **state) {
  (void)state;
  for (unsigned ways = 6; ways <= 16; ways++)
    for (double third = 40; third <= 160; third += 20) {
      assert_int_not_equal(two_caches(ways, 16, third, 0), 2);
      assert_int_not_equal(two_caches(ways, 16, third, 0.05), 2);
    }
  for (unsigned ways = 17; ways <= 24; ways++)
    assert_int_not_equal(two_caches(ways, 24, 100, 0), 2);
  for (unsigned ways = 20; ways <= 24; ways++)
    assert_int_equal(two_caches(ways, ways, 340, 0), 2);
  assert_int_equal(two_caches(4, 4, 340, 0), 0); /* as two of sixteen */
}

/* What is said to be the effective size of a level 2 that holds so many bytes, at whose loads miss
   what must, or as many times that as given, where the next level costs ratio times as much. */
static double effective_of(double bytes, double ratio, double times) {
  struct hw_curves curves = {0};
  struct hw_answer answer;
  struct hw_level level;

  hw_curve_init(&curve, "levels", "x", "y");
  flat(4, 20);
  while (curve.n < 69) {
    double missed = fmin(1, times * fmax(0, 1 - bytes / size_of(curve.n)));
    flat(12 * (1 + (ratio - 1) * (curve.n < 56 ? missed : 1)), 1);
  }
  publish(&curves, 300);
  answer = hw_levels_effective(&curves, 2, &level);
  hw_curves_free(&curves);
  return answer.known ? answer.value : 0;
}

/* However little more the next level costs, and however well lines are replaced: no more than the
   capacity, but for what misses within a latency's error; and where the end is sharp no less than
   the next smaller working set, rounded down. */
static void test_effective(void **state) {
  (void)state;
  for (double bytes = size_of(30); bytes < size_of(34); bytes *= 1.03)
    for (double ratio = 1.6; ratio < 20; ratio *= 1.3)
      for (double times = 1; times < 20; times *= 2) {
        double effective = effective_of(bytes, ratio, times);
        assert_true(effective * (1 - HW_CYCLES_ERROR / (ratio - 1)) <= bytes);
        assert_true(times < 8 || effective == 0 || effective > bytes / 1.3);
      }
  assert_true(effective_of(size_of(32), 3.4, 1) > 0.75 * size_of(32));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_cache),
      cmocka_unit_test(test_effective),
      cmocka_unit_test(test_two_caches),
  };

  return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
