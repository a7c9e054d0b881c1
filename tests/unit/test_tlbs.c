/* Cliffs and rises, rings over pages, and what the curves of the second-level TLB say. */
#include "probes/memory/spread.h"
#include "probes/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A curve of n points that scatter by no more than one in a thousand. */
static void curve_of(struct hw_curve *curve, const char *name, const double (*xy)[2], size_t n) {
  hw_curve_init(curve, name, "x (count)", "y (cycles)");
  for (size_t i = 0; i < n; i++)
    assert_int_equal(hw_curve_put(curve, (struct hw_point){xy[i][0], xy[i][1], 0.001, 20}), 0);
}

static void known_is(struct hw_answer answer, double value) {
  assert_true(answer.known);
  assert_int_equal((long)answer.value, (long)value);
}

#define CURVE(curve, ...)                                                                          \
  do {                                                                                             \
    static const double xy[][2] = {__VA_ARGS__};                                                   \
    curve_of(&(curve), "curve", xy, sizeof xy / sizeof xy[0]);                                     \
  } while (0)

static void test_cliff(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {4, 20}, {6, 20}, {8, 21}, {9, 60}, {10, 60}, {12, 61}, {14, 62}, {30, 90});
  known_is(hw_reduce_cliff(&curve, 3), 8);
  known_is(hw_reduce_middle(&curve, 3), 8);
  hw_curve_free(&curve);
}

/* Two sets with half of the elements each, of which one overflows first. */
static void test_two_sets(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {12, 20}, {14, 20}, {16, 20}, {17, 41.2}, {18, 60}, {20, 60}, {28, 60});
  assert_false(hw_reduce_cliff(&curve, 3).known);
  known_is(hw_reduce_middle(&curve, 3), 16);
  hw_curve_free(&curve);
  /* The same with an early start. */
  CURVE(curve, {12, 20}, {14, 20}, {16, 28}, {17, 49}, {18, 60}, {20, 60}, {28, 60});
  assert_false(hw_reduce_cliff(&curve, 3).known);
  hw_curve_free(&curve);
}

static void test_no_rise(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {1, 20}, {2, 20.1}, {3, 19.9}, {4, 20}, {8, 21});
  assert_false(hw_reduce_middle(&curve, 3).known);
  hw_curve_free(&curve);
  CURVE(curve, {1, 20}, {2, 31}, {3, 22}, {4, 33}, {8, 40});
  assert_false(hw_reduce_middle(&curve, 3).known);
  hw_curve_free(&curve);
  CURVE(curve, {4, 20}, {6, 20}, {8, 20}, {9, 60}, {10, 60});
  assert_false(hw_reduce_middle(&curve, 3).known); /* it may rise further */
  hw_curve_free(&curve);
  CURVE(curve, {4, 20}, {6, 40});
  assert_false(hw_reduce_cliff(&curve, 3).known);
  hw_curve_free(&curve);
}

static int size_order(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;

  return (x > y) - (x < y);
}

/* Whatever the number of pages: no word twice, the same number of lines, pages in a circle. */
static void test_spread(void **state) {
  static const size_t pages[] = {64, 100, 333, 512, 1000, 1024};
  struct hw_spread spread = {.page = 4096, .line = 64, .lines = 1024, .run = 1, .stride = 1};
  struct hw_random random = {1};
  struct hw_ring ring = {.room = hw_spread_room(&spread)};

  (void)state;
  assert_int_equal(hw_spread_least(&spread), 64);
  ring.offset = calloc(ring.room, sizeof *ring.offset);
  assert_non_null(ring.offset);
  for (size_t k = 0; k < sizeof pages / sizeof pages[0]; k++) {
    size_t lines = 1;
    hw_spread_arrange(&spread, (double)pages[k], &random, &ring);
    assert_true(ring.n >= spread.lines && ring.n < spread.lines + pages[k]);
    for (size_t i = 0; i < ring.n; i++)
      assert_int_equal(ring.offset[i] / 4096, ring.offset[i % pages[k]] / 4096);
    qsort(ring.offset, ring.n, sizeof *ring.offset, size_order);
    for (size_t i = 1; i < ring.n; i++) {
      assert_true(ring.offset[i] > ring.offset[i - 1]);
      lines += ring.offset[i] / 64 != ring.offset[i - 1] / 64;
    }
    assert_int_equal(lines, spread.lines);
    assert_true(ring.offset[ring.n - 1] / 4096 == pages[k] - 1);
  }
  free(ring.offset);
}

/* Each set of a cache gets its share, however large the part of the page's number in it. */
static void test_spread_even(void **state) {
  struct hw_spread spread = {.page = 4096, .line = 64, .lines = 1024, .run = 1, .stride = 1};
  struct hw_random random = {1};
  struct hw_ring ring = {.room = hw_spread_room(&spread)};

  (void)state;
  ring.offset = calloc(ring.room, sizeof *ring.offset);
  assert_non_null(ring.offset);
  for (size_t pages = 64; pages <= 1024; pages *= 2) {
    unsigned count[512] = {0};
    hw_spread_arrange(&spread, (double)pages, &random, &ring);
    for (size_t i = 0; i < ring.n; i++)
      count[ring.offset[i] / 64 % 512]++;
    for (size_t i = 0; i < 512; i++)
      assert_int_equal(count[i], 2);
  }
  free(ring.offset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cliff),       cmocka_unit_test(test_two_sets),
      cmocka_unit_test(test_no_rise),     cmocka_unit_test(test_spread),
      cmocka_unit_test(test_spread_even),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
