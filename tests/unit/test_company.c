/* What threads cost each other: contexts and processors from curves, and the rows that say who
   shares a core. */
#include "analysis/company.h"
#include "analysis/groups.h"
#include "analysis/rows/processors.h"
#include "probes/probe.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hw_answer reduce(struct hw_answer (*reduction)(const struct hw_curve *),
                               const struct hw_point *point, size_t n) {
  struct hw_curve curve = curve_of_points("curve", point, n);
  struct hw_answer answer = reduction(&curve);

  hw_curve_free(&curve);
  return answer;
}

static void test_company(void **state) {
  static const struct {
    struct hw_point point;
    enum hw_company company;
  } expected[] = {
      {{1, 1.00, 0.01, 12}, HW_COMPANY_ALONE},   {{1, 1.15, 0.01, 12}, HW_COMPANY_ALONE},
      {{1, 1.20, 0.01, 12}, HW_COMPANY_UNCLEAR}, {{1, 1.30, 0.01, 12}, HW_COMPANY_SHARING},
      {{1, 1.30, 0.10, 12}, HW_COMPANY_UNCLEAR}, {{1, 2.00, 0.30, 12}, HW_COMPANY_SHARING},
      {{1, 1.00, 0, 0}, HW_COMPANY_UNCLEAR},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(expected); i++)
    assert_int_equal(hw_company_of(&expected[i].point), expected[i].company);
}

static void test_contexts(void **state) {
  static const struct hw_point eight[] = {
      {1, 1, 0, 12}, {8, 1.05, 0.02, 12}, {9, 1.7, 0.02, 12}, {16, 2, 0, 12}, {17, 2, 0, 1}};
  static const struct hw_point all[] = {{1, 1, 0, 9}, {2, 1.01, 0, 9}, {3, 2, 0, 1}};
  static const struct hw_point apart[] = {{1, 1, 0, 9}, {4, 1.9, 0, 9}, {5, 2, 0, 1}};
  static const struct hw_point back[] = {{1, 1, 0, 9}, {2, 1.9, 0, 9}, {3, 1.01, 0, 9}};
  static const struct hw_point open[] = {{1, 1, 0, 9}, {2, 1.01, 0, 9}};

  (void)state;
  known_is(reduce(hw_reduce_contexts, eight, COUNT(eight)), 8);
  known_is(reduce(hw_reduce_contexts, all, COUNT(all)), 2);
  check_unknown(reduce(hw_reduce_contexts, apart, COUNT(apart)), "points are missing");
  check_unknown(reduce(hw_reduce_contexts, back, COUNT(back)),
                "it is not clear whether threads wait for each other");
  check_unknown(reduce(hw_reduce_contexts, open, COUNT(open)), "no step was seen");
  check_unknown(reduce(hw_reduce_contexts, open, 0), "no step was seen");
}

static void test_meetings(void **state) {
  static const struct hw_point two[] = {{2, 300, 0, 1}, {3, 4e6, 0, 1}};
  static const struct hw_point many[] = {{256, 1.5e5, 0, 1}, {257, 4e6, 0, 1}};
  static const struct hw_point between[] = {{2, 1e5, 0, 1}, {3, 4e6, 0, 1}};
  static const struct hw_point quick[] = {{2, 300, 0, 1}, {3, 1e5, 0, 1}};

  (void)state;
  known_is(reduce(hw_reduce_meetings, two, COUNT(two)), 2);
  known_is(reduce(hw_reduce_meetings, many, COUNT(many)), 256);
  assert_false(reduce(hw_reduce_meetings, between, COUNT(between)).known);
  assert_false(reduce(hw_reduce_meetings, quick, COUNT(quick)).known);
}

static void test_slot(void **state) {
  static const struct hw_point clear[] = {{1800, 3, 0, 3}, {3880, 4, 0, 4}, {3940, 9, 0, 9},
                                          {3960, 8, 0, 8}, {4300, 2, 0, 2}, {7900, 3, 0, 3}};
  static const struct hw_point split[] = {{2000, 8, 0, 8}, {4000, 10, 0, 10}, {9000, 2, 0, 2}};
  static const struct hw_point few[] = {{4000, 15, 0, 15}};

  (void)state;
  known_is(reduce(hw_reduce_slot, clear, COUNT(clear)), 3940);
  check_unknown(reduce(hw_reduce_slot, split, COUNT(split)),
                "no value is clearly the most frequent");
  check_unknown(reduce(hw_reduce_slot, few, COUNT(few)), "too few observations");
}

/* ---- the rows ---- */

/* Curves of n processors, of which those set in sharing share a core. */
static void machine(struct hw_curves *curves, size_t n, unsigned sharing, bool bound) {
  const struct hw_point meetings[] = {{(double)n, 500, 0, 1}, {(double)n + 1, 4e6, 0, 1}};
  struct hw_point list[8], cores[8];

  for (size_t i = 0; i < n; i++) {
    list[i] = (struct hw_point){(double)i, (double)i, 0, 0};
    cores[i] = (struct hw_point){(double)i, sharing >> i & 1 ? 1.8 : 1, 0, 12};
  }
  put_points(curves, "meetings", meetings, 2);
  if (bound) {
    put_points(curves, "processors", list, n);
    put_points(curves, "cores", cores, n);
  }
}

#define PAIR(i, j, y)                                                                              \
  { (i) * HW_THINGS + (j), y, 0, 0 }

static void test_cores(void **state) {
  /* 0 and 2 are a core, 1 and 3 another, 4 one of its own. */
  static const struct hw_point pairs[] = {PAIR(0, 1, 1),   PAIR(0, 2, 0.55), PAIR(0, 3, 0.98),
                                          PAIR(1, 2, 1.0), PAIR(1, 3, 0.56), PAIR(2, 3, 1.01)};
  static const size_t expected[] = {0, 1, 4, 2, 3};
  struct hw_curves curves = {0};
  size_t place[5];

  (void)state;
  machine(&curves, 5, 0xf, true);
  assert_false(hw_value_cores(&curves).known);
  put_points(&curves, "core_pairs", pairs, COUNT(pairs));
  known_is(hw_value_cpus(&curves), 5);
  known_is(hw_value_cores(&curves), 3);
  check_unknown(hw_value_core_threads(&curves), "some cores have more processors than others");
  assert_true(hw_value_core_threads(&curves).settled);
  assert_null(hw_core_order(&curves, place, 5));
  assert_memory_equal(place, expected, sizeof expected);
  assert_non_null(hw_core_order(&curves, place, 4));
  hw_curves_free(&curves);
}

static void test_one_core(void **state) {
  static const struct hw_point pairs[] = {PAIR(0, 1, 0.5)};
  struct hw_curves curves = {0};

  (void)state;
  machine(&curves, 2, 3, true);
  put_points(&curves, "core_pairs", pairs, COUNT(pairs));
  known_is(hw_value_cores(&curves), 1);
  known_is(hw_value_core_threads(&curves), 2);
  hw_curves_free(&curves);
}

/* Who shared a core and does not any more has one; where that is unclear, or some do still with
   whom they shared it, nothing is known. */
static void test_cores_later(void **state) {
  static const struct hw_point pairs[] = {PAIR(0, 1, 0.5)};
  static const struct hw_point still[] = {{0, 1.8, 0, 12}, {1, 1.9, 0, 12}};
  static const struct hw_point apart[] = {{0, 1.01, 0, 12}, {1, 1, 0, 12}};
  static const struct hw_point unclear[] = {{0, 1.01, 0, 12}, {1, 1.2, 0, 12}};
  static const struct hw_point one[] = {{0, 1.01, 0, 12}, {1, 1.8, 0, 12}};
  static const struct hw_point none[] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  struct hw_curves curves = {0};

  (void)state;
  machine(&curves, 2, 3, true);
  put_points(&curves, "core_pairs", pairs, COUNT(pairs));
  put_points(&curves, "cores_later", still, 0);
  known_is(hw_value_cores(&curves), 1);
  put_points(&curves, "cores_later", still, COUNT(still));
  known_is(hw_value_cores(&curves), 1);
  assert_true(hw_core_shared(&curves, 0, 1, 2));
  put_points(&curves, "cores_later", none, COUNT(none));
  known_is(hw_value_cores(&curves), 1);
  put_points(&curves, "cores_later", apart, COUNT(apart));
  known_is(hw_value_cores(&curves), 2);
  known_is(hw_value_core_threads(&curves), 1);
  assert_false(hw_core_shared(&curves, 0, 1, 2));
  put_points(&curves, "cores_later", unclear, COUNT(unclear));
  check_unknown(hw_value_cores(&curves), "it is not clear whether others slow a processor");
  put_points(&curves, "cores_later", one, COUNT(one));
  check_unknown(hw_value_cores(&curves),
                "some are slowed by all others together, but by no single one");
  hw_curves_free(&curves);
}

/* With all busy two are slowed, and with each other they are not; and one alone is slowed. */
static void test_contradiction(void **state) {
  static const struct hw_point pairs[] = {PAIR(0, 1, 1)};
  static const struct hw_point between[] = {PAIR(0, 1, 0.84)};
  struct hw_curves curves = {0}, one = {0};

  (void)state;
  machine(&curves, 2, 3, true);
  put_points(&curves, "core_pairs", pairs, COUNT(pairs));
  check_unknown(hw_value_cores(&curves),
                "some are slowed by all others together, but by no single one");
  put_points(&curves, "core_pairs", between, COUNT(between));
  check_unknown(hw_value_cores(&curves), "it is not clear which processors share a core");
  hw_curves_free(&curves);
  machine(&one, 2, 1, true);
  check_unknown(hw_value_cores(&one), "one processor is slowed and no other");
  hw_curves_free(&one);
}

/* Where nothing binds, the system must not have more processors than threads have met on. */
static void test_unbound(void **state) {
  static const struct hw_point none = {0, 0, 0, 1}, two = {0, 2, 0, 1}, three = {0, 3, 0, 1};
  struct hw_curves curves = {0};

  (void)state;
  machine(&curves, 2, 0, false);
  assert_false(hw_value_cpus(&curves).known);
  put_points(&curves, "online", &none, 1);
  assert_false(hw_value_cpus(&curves).known);
  put_points(&curves, "online", &three, 1);
  check_unknown(hw_value_cpus(&curves), "other processes may keep processors busy");
  put_points(&curves, "online", &two, 1);
  known_is(hw_value_cpus(&curves), 2);
  check_unknown(hw_value_cores(&curves), "threads cannot be bound to processors");
  assert_true(hw_value_cores(&curves).settled);
  hw_curves_free(&curves);
}

/* ---- communication ---- */

/* Two groups of two, 0 with 2 and 1 with 3. */
static void comm_curves(struct hw_curves *curves) {
  static const struct hw_point pairs[] = {PAIR(0, 1, 101), PAIR(0, 2, 20), PAIR(0, 3, 99),
                                          PAIR(1, 2, 100), PAIR(1, 3, 21), PAIR(2, 3, 100)};
  static const struct hw_point size[] = {{8, 100, 0, 6},
                                         {1024, 400, 0.3, 6},
                                         {16384, 4096, 0.01, 6},
                                         {65536, 40000, 0.3, 6},
                                         {4194304, 4194304, 0.02, 6}};
  static const struct hw_point again[] = {{16384, 4096, 0, 6}, {4194304, 4194304, 0, 6}};
  static const struct hw_point crowd[] = {{1, 100, 0.01, 12}, {2, 130, 0.01, 12}};
  static const struct hw_point one[] = {{1, 20, 0.01, 12}};

  put_points(curves, "comm_pairs", pairs, COUNT(pairs));
  put_points(curves, "comm_size_2", size, COUNT(size));
  put_points(curves, "comm_again_2", again, COUNT(again));
  put_points(curves, "comm_crowd_1", one, 1);
  put_points(curves, "comm_crowd_2", crowd, 2);
}

static void test_comm(void **state) {
  static const struct hw_point few[] = {{1, 100, 0.01, 12}, {2, 130, 0.3, 4}};
  static const struct hw_point later[] = {{16384, 5200, 0, 6}, {4194304, 5e6, 0.01, 6}};
  static const struct hw_point small[] = {{8, 100, 0, 6}, {16384, 4096, 0, 6}};
  static const struct hw_point moved[] = {{1, 30, 0.01, 12}}, farther[] = {{1, 115, 0.01, 12}};
  static const struct hw_point same[] = {PAIR(0, 1, 105), PAIR(0, 2, 21)};
  static const struct hw_point early[] = {PAIR(0, 1, 105), PAIR(0, 2, 17)};
  static const struct hw_point three[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0}};
  struct hw_curves curves = {0};

  (void)state;
  check_unknown(hw_value_comm_layers(&curves), "no pair was measured");
  /* Three processors have two layers at most. */
  put_points(&curves, "processors", three, COUNT(three));
  check_unknown(hw_value_comm2_lat_ns(&curves), "no pair was measured");
  assert_false(hw_value_comm2_lat_ns(&curves).settled);
  check_unknown(hw_value_comm3_size(&curves), "there is no such layer");
  assert_true(hw_value_comm3_lat_ns(&curves).settled);
  hw_curves_free(&curves);
  curves = (struct hw_curves){0};
  comm_curves(&curves);
  known_is(hw_value_comm_layers(&curves), 2);
  known_is(hw_value_comm1_lat_ns(&curves), 20);
  known_is(hw_value_comm2_lat_ns(&curves), 100);
  known_is(hw_value_comm1_size(&curves), 2);
  known_is(hw_value_comm2_size(&curves), 4);
  known_is(hw_value_comm2_mbs(&curves), 4000);
  assert_true(hw_value_comm2_mbs(&curves).low < 3700 && hw_value_comm2_mbs(&curves).high > 4300);
  known_is(hw_value_comm2_large_mbs(&curves), 1000); /* a bend is no noise */
  check_unknown(hw_value_comm1_mbs(&curves), "its curve was not measured");
  check_unknown(hw_value_comm1_large_mbs(&curves), "its curve was not measured");
  known_is(hw_value_comm2_slowdown_x100(&curves), 130);
  check_unknown(hw_value_comm1_slowdown_x100(&curves), "there is one pair only");
  check_unknown(hw_value_comm3_lat_ns(&curves), "there is no such layer");
  assert_true(hw_value_comm3_lat_ns(&curves).settled);
  put_points(&curves, "comm_early", same, 2);
  known_is(hw_value_comm1_lat_ns(&curves), 20);
  known_is(hw_value_comm2_mbs(&curves), 4000);
  put_points(&curves, "comm_early", early, 2);
  check_unknown(hw_value_comm1_lat_ns(&curves), "its processors were moved while configure ran");
  known_is(hw_value_comm2_lat_ns(&curves), 100);
  put_points(&curves, "comm_early", same, 2);
  put_points(&curves, "comm_crowd_2", farther, 1);
  check_unknown(hw_value_comm2_lat_ns(&curves), "it changed while it was measured");
  put_points(&curves, "comm_crowd_2", few, 2);
  check_unknown(hw_value_comm2_slowdown_x100(&curves), "samples differ too much");
  known_is(hw_value_comm1_lat_ns(&curves), 20);
  put_points(&curves, "comm_again_2", later, COUNT(later));
  check_unknown(hw_value_comm2_mbs(&curves), "it changed while it was measured");
  assert_true(hw_value_comm2_large_mbs(&curves).high > 1000);
  put_points(&curves, "comm_again_2", later, 0);
  check_unknown(hw_value_comm2_mbs(&curves), "it was not measured a second time");
  put_points(&curves, "comm_size_2", small, COUNT(small));
  check_unknown(hw_value_comm2_large_mbs(&curves), "the largest block was not measured");
  put_points(&curves, "comm_crowd_1", moved, 1);
  check_unknown(hw_value_comm1_lat_ns(&curves), "it changed while it was measured");
  put_points(&curves, "comm_crowd_2", moved, 1);
  check_unknown(hw_value_comm2_lat_ns(&curves), "it changed while it was measured");
  hw_curves_free(&curves);
}

/* Times of messages around powers of two: 1 us and a ns a byte, and ns more from a size on. */
static void mpi_sizes(struct hw_curves *curves, double from, double more) {
  struct hw_point point[32] = {{8, 1008, 0, 12}};
  size_t n = 1;

  for (size_t at = HW_COMM_STEP_LEAST; at <= HW_COMM_STEP_MOST; at *= 2)
    for (int side = -1; side <= 1; side += 2) {
      double x = (double)at + side * (double)HW_COMM_STEP_BESIDE;

      point[n++] = (struct hw_point){x, 1000 + x + (x > from ? more : 0), 0, 12};
    }
  point[n++] = (struct hw_point){4194304, 4194304 + more, 0, 12};
  put_points(curves, "mpi_size_1", point, n);
}

/* Messages between processes: the bandwidth of the longest, and where the protocol changes. */
static void test_mpi(void **state) {
  static const struct hw_point pair[] = {PAIR(0, 1, 1000)};
  static const struct hw_point few[] = {{8, 1008, 0, 12}, {4194304, 4194304, 0.05, 12}};
  struct hw_curves curves = {0};

  (void)state;
  put_points(&curves, "mpi_pairs", pair, 1);
  check_unknown(hw_value_mpi1_eager_bytes(&curves), "its curve was not measured");
  mpi_sizes(&curves, 8192, 5000);
  known_is(hw_value_mpi1_eager_bytes(&curves), 8192);
  mpi_sizes(&curves, 131072, 50000);
  known_is(hw_value_mpi1_eager_bytes(&curves), 131072);
  mpi_sizes(&curves, 131072, 10000);
  check_unknown(hw_value_mpi1_eager_bytes(&curves), "no size takes a quarter more time at once");
  assert_true(hw_value_mpi1_eager_bytes(&curves).settled);
  mpi_sizes(&curves, 131072, -50000); /* as if short ones had been disturbed */
  check_unknown(hw_value_mpi1_eager_bytes(&curves),
                "longer messages took less time than shorter ones");
  put_points(&curves, "mpi_size_1", few, 2);
  check_unknown(hw_value_mpi1_eager_bytes(&curves), "messages of some sizes were disturbed");
  known_is(hw_value_mpi1_mbs(&curves), 1000);
  check_unknown(hw_value_mpi2_eager_bytes(&curves), "there is no such layer");
  hw_curves_free(&curves);
}

/* Groups of two and of one; and pairs that are no groups. */
static void test_comm_uneven(void **state) {
  static const struct hw_point uneven[] = {PAIR(0, 1, 20), PAIR(0, 2, 100), PAIR(1, 2, 100)};
  static const struct hw_point chain[] = {PAIR(0, 1, 20), PAIR(0, 2, 100), PAIR(1, 2, 20)};
  static const struct hw_point alone[] = {{0, 0, 0, 0}};
  struct hw_curves curves = {0}, single = {0};

  (void)state;
  put_points(&curves, "comm_pairs", uneven, COUNT(uneven));
  known_is(hw_value_comm_layers(&curves), 2);
  check_unknown(hw_value_comm1_size(&curves), "groups differ in size");
  known_is(hw_value_comm2_size(&curves), 3);
  put_points(&curves, "comm_pairs", chain, COUNT(chain));
  check_unknown(hw_value_comm_layers(&curves), "a pair is farther apart than its group");
  assert_false(hw_value_comm_layers(&curves).settled);
  hw_curves_free(&curves);
  put_points(&single, "comm_groups_1", alone, 1);
  assert_true(hw_value_comm_layers(&single).settled);
  hw_curves_free(&single);
}

/* Threads that saturate memory: what one has of the most may lie on either side of what is enough
   as far as samples scatter. */
static void test_threads(void **state) {
  static const struct {
    double rate;
    double spread;
    double threads; /* 0: not clear */
  } expected[] = {{30, 0.01, 2}, {30, 0.05, 2}, {35, 0.01, 0}, {36, 0, 0},
                  {38, 0.01, 1}, {38, 0.06, 0}, {33, 0, 2},    {33, 0.1, 0}};
  static const struct hw_point processor = {.x = 0, .y = 0};

  (void)state;
  for (size_t i = 0; i < COUNT(expected); i++) {
    const struct hw_point point[] = {{1, expected[i].rate, expected[i].spread, 8},
                                     {2, 40, 0.01, 8}};
    struct hw_curves curves = {0};

    put_points(&curves, "processors", &processor, 1);
    put_points(&curves, "mem_threads", point, COUNT(point));
    known_is(hw_value_mem_total_mbs(&curves), 40000);
    if (expected[i].threads > 0)
      known_is(hw_value_mem_threads(&curves), expected[i].threads);
    else
      check_unknown(hw_value_mem_threads(&curves), "it is not clear whether more threads get more");
    hw_curves_free(&curves);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_company),     cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_meetings),    cmocka_unit_test(test_slot),
      cmocka_unit_test(test_cores),       cmocka_unit_test(test_one_core),
      cmocka_unit_test(test_cores_later), cmocka_unit_test(test_contradiction),
      cmocka_unit_test(test_unbound),     cmocka_unit_test(test_comm),
      cmocka_unit_test(test_mpi),         cmocka_unit_test(test_comm_uneven),
      cmocka_unit_test(test_threads),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
