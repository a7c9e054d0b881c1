/* From which size on one function is quicker than another, of functions whose times are known. */
#include "analysis/crossover.h"
#include "probes/bench/random.h"
#include "tests/unit/unit.h"

/* Two functions, and the noise beside them. */
struct functions {
  double (*ns[2])(double n);
  double jitter;   /* part of the time that noise adds on average, exponentially */
  double bursts;   /* part of the samples that take up to ten times as long */
  unsigned rounds; /* at most; 0: as many as it takes */
  long late;       /* from this size on there is no time; 0: there is */
  unsigned looks;
  struct hw_random random;
};

static double functions_time(struct functions *functions, int which, double n) {
  struct hw_random *random = &functions->random;
  double ns = functions->ns[which](n);

  ns *= 1 - functions->jitter * log(1 - hw_random_unit(random));
  return hw_random_unit(random) < functions->bursts ? ns * (1 + 9 * hw_random_unit(random)) : ns;
}

static enum hw_crossover_verdict functions_ask(void *context, long n) {
  struct functions *functions = context;
  struct hw_crossover_counts counts = {0};
  enum hw_crossover_verdict verdict = HW_CROSSOVER_NOISE;

  functions->looks++;
  if (functions->late > 0 && n >= functions->late)
    return HW_CROSSOVER_LATE;
  while (verdict == HW_CROSSOVER_NOISE && counts.rounds < HW_CROSSOVER_ROUNDS_MOST) {
    double first = functions_time(functions, 0, (double)n);
    hw_crossover_add(&counts, first, functions_time(functions, 1, (double)n));
    verdict = hw_crossover_judge(&counts);
  }
  return verdict;
}

static double square(double n) { return n * n; }
static double linear(double n) { return 100 * n; }
static double constant(double n) { return n > 0 ? 1000 : 0; }
/* The work is that of the next power of two: quicker for 16, slower for 17 to 32 and 36. */
static double padded(double n) { return 12 * exp2(2 * ceil(log2(n) - 1e-9)) / n; }
/* Quicker for small sizes, and again for large ones. */
static double twice(double n) { return n < 5 ? n * n / 2 : linear(n); }

static struct hw_crossover_answer found(struct functions functions, uint64_t seed, long first,
                                        long last) {
  struct hw_crossover_answer answer;

  functions.random = hw_random_of(seed, "crossover", 0);
  answer = hw_crossover_search(first, last, functions_ask, &functions);
  assert_true(functions.looks <= 3 * HW_CROSSOVER_POINTS);
  return answer;
}

static void known_within(struct hw_crossover_answer answer, long least, long most) {
  if (!answer.known || answer.never || answer.n < least || answer.n > most ||
      answer.low > answer.n || answer.high < answer.n)
    fail_msg("%s%ld (%ld to %ld) %s", answer.known ? "" : "unknown ", answer.n, answer.low,
             answer.high, answer.known ? "" : answer.why);
}

/* Without noise: the last size at which they take as long, or the one behind. */
static void test_quiet(void **state) {
  const struct functions functions = {.ns = {square, linear}};

  (void)state;
  known_within(found(functions, 1, 1, 10000), 97, 103);
  known_within(found(functions, 1, 3, 110), 97, 103);
  known_within(found(functions, 1, 99, 110), 99, 101);
  known_within(found((struct functions){.ns = {square, constant}}, 1, 1, 1000), 31, 33);
  known_within(found((struct functions){.ns = {square, padded}}, 1, 1, 100000), 37, 37);
}

/* From the start, never, and neither the one nor the other. */
static void test_ends(void **state) {
  const struct functions functions = {.ns = {square, linear}};
  struct hw_crossover_answer answer = found(functions, 1, 150, 1000);

  (void)state;
  known_within(answer, 150, 150);
  assert_int_equal(answer.low, answer.high);
  answer = found(functions, 1, 2, 80);
  assert_true(answer.known && answer.never && answer.high == 80);
  answer = found((struct functions){.ns = {linear, linear}, .jitter = 0.01}, 1, 2, 80);
  assert_true(answer.known && answer.never);
  /* It stays quicker beyond two doublings, and not before. */
  known_within(found((struct functions){.ns = {square, twice}}, 1, 2, 1000), 97, 103);
}

/* Beside noise the value lies near; or it is unknown, beside as much as the time itself. */
static void test_noise(void **state) {
  static const struct functions noisy[] = {{{square, linear}, .jitter = 0.02},
                                           {{square, linear}, .jitter = 0.3, .bursts = 0.2},
                                           {{square, linear}, .jitter = 1, .bursts = 0.5}};

  (void)state;
  for (size_t i = 0; i < COUNT(noisy); i++)
    for (uint64_t seed = 0; seed < 100; seed++) {
      struct hw_crossover_answer answer = found(noisy[i], seed, 1, 10000);
      if (i == 2 && !answer.known)
        continue;
      known_within(answer, i == 0 ? 90 : 65, i == 0 ? 110 : 128);
      assert_true(answer.low <= 100 && answer.high >= 100);
    }
}

/* Where time ends: what was seen by then stands, if it says enough. */
static void test_late(void **state) {
  struct functions functions = {.ns = {square, linear}, .late = 100};
  struct hw_crossover_answer answer = found(functions, 1, 1, 10000);

  (void)state;
  assert_false(answer.known);
  assert_string_equal(answer.why, "the time is spent");
  assert_int_equal(answer.n, 128);
  functions.late = 200;
  assert_false(found(functions, 1, 1, 10000).known);
  functions.late = 300;
  known_within(found(functions, 1, 1, 10000), 97, 103);
}

/* A verdict is wrong once in a million at most: of equal functions none is the quicker one. */
static void test_error(void **state) {
  struct functions functions = {
      .ns = {linear, linear}, .jitter = 0.5, .random = hw_random_of(7, "equal", 0)};

  (void)state;
  for (int i = 0; i < 500; i++)
    assert_true(functions_ask(&functions, 10) >= HW_CROSSOVER_ALIKE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_quiet), cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_noise), cmocka_unit_test(test_late),
                                     cmocka_unit_test(test_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
