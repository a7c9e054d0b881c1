/* The fit test, on literal and on simulated samples: how often it errs, beside other processes, and
   on a clock that lies. */
#include "analysis/fit.h"
#include "tests/unit/long.h"
#include "tests/unit/rounds.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

/* What a number of decisions said. */
struct tally {
  unsigned yes;
  unsigned no;
  unsigned others;
};

static struct tally repeat(struct sim sim, struct hw_fit_odds odds, unsigned times) {
  struct tally tally = {0, 0, 0};

  sim.random.state = 7;
  for (unsigned i = 0; i < times; i++)
    switch (sim_decide(&sim, odds)) {
    case HW_FIT_YES:
      tally.yes++;
      break;
    case HW_FIT_NO:
      tally.no++;
      break;
    default:
      tally.others++;
    }
  return tally;
}

/* In quiet a few rounds decide, and of what does not fit as many as its part asks for. */
static void test_quiet(void **state) {
  struct sim sim = {.stay = 1, .fits = true};
  struct tally tally;

  (void)state;
  tally = repeat(sim, HW_FIT_SURE, 1000);
  assert_int_equal(tally.yes, 1000);
  sim.fits = false;
  tally = repeat(sim, HW_FIT_SURE, 1000);
  assert_int_equal(tally.no, 1000);
}

/* Another process that is there for a share of the time costs rounds, not truth. */
static void test_neighbour(void **state) {
  static const double there[] = {0.25, 0.5, 0.75, 0.9, 0.97};

  (void)state;
  for (size_t i = 0; i < COUNT(there); i++)
    for (int fits = 0; fits < 2; fits++) {
      const struct sim sim = {.there = there[i], .stay = 8, .spoils = 0.35, .fits = fits};
      struct tally tally = repeat(sim, HW_FIT_SURE, 200);
      assert_int_equal(fits ? tally.no : tally.yes, 0);
      if (there[i] < 0.8)
        assert_int_equal(tally.others, 0);
    }
}

/* A cycle sample that was lengthened makes a miss look like a hit.  As often as here, it does so
   for what surely misses too; and a control in the same round is too fast then. */
static void test_lengthened(void **state) {
  static const double longer[] = {1.5, 2.4, 3, 4};

  (void)state;
  for (size_t i = 0; i < COUNT(longer); i++)
    for (int fits = 0; fits < 2; fits++) {
      const struct sim sim = {
          .stay = 1, .fakes = 0.005, .longer = longer[i], .spoils = 0.35, .fits = fits};
      struct tally tally = repeat(sim, HW_FIT_SURE, 200);
      assert_int_equal(fits ? tally.no : tally.yes, 0);
      assert_int_equal(fits ? tally.yes : tally.no + tally.others, 200);
    }
}

/* Who errs in the hardest case that the odds allow: what fits reaches the floor at just their part
   of the rate of what is nearly as full.  That rate is low for some rounds and high for others. */
static struct tally hardest(struct hw_fit_odds odds, double low, double high, unsigned times) {
  struct tally tally = {0, 0, 0};
  struct hw_random random = {7};

  for (unsigned i = 0; i < times; i++) {
    struct hw_fit_counts counts = {0};
    struct hw_fit_answer answer = {HW_FIT_UNKNOWN, 1, NULL};
    while (answer.verdict == HW_FIT_UNKNOWN && counts.rounds < 2000) {
      double rate = counts.rounds / 8 % 2 == 0 ? low : high;
      counts.target.floor += hw_random_unit(&random) < odds.part * rate;
      counts.full.floor += hw_random_unit(&random) < rate;
      counts.rounds = ++counts.target.n;
      counts.full.n = counts.missing.n = counts.rounds;
      if (counts.rounds % OFTEN == 0)
        answer = hw_fit_decide(&counts, odds);
    }
    tally.no += answer.verdict == HW_FIT_NO;
    tally.yes += answer.verdict == HW_FIT_YES;
  }
  return tally;
}

/* The answer is wrong about as often as is accepted, and no more, though it is asked for again and
   again, and whether rates change or not. */
static void test_error_rate(void **state) {
  static const double rate[][2] = {{0.9, 0.9}, {0.3, 0.3}, {0.1, 1}};
  const struct hw_fit_odds loose = {1e-2, HW_FIT_SURE.part};

  (void)state;
  for (size_t i = 0; i < COUNT(rate); i++) {
    struct tally tally = hardest(loose, rate[i][0], rate[i][1], 10000);
    printf("# epsilon 0.01, rates %g and %g: %u of 10000 wrong\n", rate[i][0], rate[i][1],
           tally.no);
    assert_in_range(tally.no, 5, 100);
  }
  assert_int_equal(hardest(HW_FIT_SURE, 0.9, 0.9, 50000).no, 0);
  assert_int_equal(hardest(HW_FIT_SURE, 0.1, 1, 50000).no, 0);
}

/* The same of what does not fit: mistaken readings bring it to the floor as often as what surely
   misses. */
static void test_mistaken(void **state) {
  const struct hw_fit_odds loose = {1e-2, HW_FIT_SURE.part};
  struct hw_random random = {7};
  unsigned yes = 0;

  (void)state;
  for (unsigned i = 0; i < 10000; i++) {
    struct hw_fit_counts counts = {0};
    struct hw_fit_answer answer = {HW_FIT_UNKNOWN, 1, NULL};
    while (answer.verdict == HW_FIT_UNKNOWN && counts.rounds < 500) {
      counts.target.floor += hw_random_unit(&random) < 0.1;
      counts.missing.floor += hw_random_unit(&random) < 0.1;
      counts.full.floor += hw_random_unit(&random) < 0.9;
      counts.rounds = ++counts.target.n;
      counts.full.n = counts.missing.n = counts.rounds;
      if (counts.rounds % OFTEN == 0)
        answer = hw_fit_decide(&counts, loose);
    }
    yes += answer.verdict == HW_FIT_YES;
  }
  printf("# epsilon 0.01, mistaken readings: %u of 10000 wrong\n", yes);
  assert_in_range(yes, 1, 100);
}

/* Literal counts: what decides, and what does not. */
static void test_counts(void **state) {
  const struct hw_fit_counts none = {0}, fits = {36, {30, 36}, {36, 36}, {0, 36}},
                             not = {300, {0, 300}, {280, 300}, {0, 300}},
                             few = {60, {0, 60}, {58, 60}, {0, 60}},
                             now = {300, {15, 300}, {280, 300}, {0, 300}},
                             alike = {60, {60, 60}, {60, 60}, {60, 60}};

  (void)state;
  assert_int_equal(hw_fit_decide(&none, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  assert_int_equal(hw_fit_decide(&fits, HW_FIT_SURE).verdict, HW_FIT_YES);
  assert_int_equal(hw_fit_decide(&not, HW_FIT_SURE).verdict, HW_FIT_NO);
  assert_true(hw_fit_decide(&not, HW_FIT_SURE).error <= 1e-6);
  assert_int_equal(hw_fit_decide(&few, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  assert_int_equal(hw_fit_decide(&few, HW_FIT_LIKELY).verdict, HW_FIT_NO);
  assert_int_equal(hw_fit_decide(&now, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  assert_string_equal(hw_fit_decide(&now, HW_FIT_SURE).why,
                      "it fits in some rounds and not in others");
  assert_int_equal(hw_fit_decide(&alike, HW_FIT_SURE).verdict, HW_FIT_ALIKE);
}

/* A literal floor: single samples that are too fast are not it, nor is what others leave. */
static void test_floor(void **state) {
  static const struct hw_fit_round round[] = {{{5, 5, 15, 5.00, 5.02}}, {{5, 5, 15, 3.10, 5.01}},
                                              {{5, 5, 15, 5.01, 7.40}}, {{5, 5, 15, 9.00, 6.30}},
                                              {{5, 4, 15, 5.03, 5.00}}, {{5, 12, 15, 5.02, 5.04}}};
  double scratch[12];
  struct hw_fit_floor floor = hw_fit_floor(round, 6, 0.4, scratch);
  struct hw_fit_counts counts = hw_fit_count(round, 6, &floor);

  (void)state;
  assert_true(floor.low > 4.99 && floor.low < 5.01 && floor.high < 5.5);
  assert_int_equal(counts.rounds, 3);
  assert_int_equal(counts.target.floor, 1);
  assert_int_equal(counts.target.n, 2); /* one was faster than any control */
  floor = hw_fit_floor(round, 2, 0.4, scratch);
  assert_true(floor.high <= 0);
}

/* What is published decides again. */
static void test_curves(void **state) {
  const struct hw_fit_counts fits = {36, {30, 36}, {33, 35}, {0, 36}},
                             not = {400, {0, 399}, {370, 400}, {1, 400}}, none = {0};
  struct hw_curve fit, full;

  (void)state;
  hw_curve_init(&fit, "fit", "lines (count)", "share");
  hw_curve_init(&full, "full", "lines (count)", "share");
  assert_int_equal(hw_fit_put(&fit, &full, 12, &fits), 0);
  assert_int_equal(hw_fit_put(&fit, &full, 13, &not ), 0);
  assert_int_equal(hw_fit_read(&fit, &full, 12, HW_FIT_SURE).verdict, HW_FIT_YES);
  assert_int_equal(hw_fit_read(&fit, &full, 13, HW_FIT_SURE).verdict, HW_FIT_NO);
  assert_int_equal(hw_fit_read(&fit, &full, 14, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  assert_int_equal(hw_fit_put(&fit, &full, 14, &none), 0);
  assert_close(hw_curve_at(&fit, 14)->y, 0, 0);
  assert_int_equal(hw_fit_read(&fit, &full, 14, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  assert_int_equal(hw_fit_read(NULL, &full, 12, HW_FIT_SURE).verdict, HW_FIT_UNKNOWN);
  hw_curve_free(&fit);
  hw_curve_free(&full);
}

static void test_clarity(void **state) {
  (void)state;
  assert_true(fabs(hw_fit_clarity(1e-6) - 4.753) < 0.001);
  assert_true(fabs(hw_fit_clarity(0.5)) < 0.001);
  assert_true(hw_fit_clarity(0) < 41);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quiet),    cmocka_unit_test(test_lengthened),
      cmocka_unit_test(test_mistaken), cmocka_unit_test(test_counts),
      cmocka_unit_test(test_floor),    cmocka_unit_test(test_curves),
      cmocka_unit_test(test_clarity),
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_error_rate),
      cmocka_unit_test(test_neighbour),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests_name("fit", long_tests, NULL, NULL);
  return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
