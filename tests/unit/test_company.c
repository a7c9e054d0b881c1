/* What a processor beside others costs, and messages between processes. */
#include "analysis/company.h"
#include "analysis/groups.h"
#include "probes/probe.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"

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

#define PAIR(i, j, y)                                                                              \
  { (i) * HW_THINGS + (j), y, 0, 0 }

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_company),
      cmocka_unit_test(test_mpi),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
