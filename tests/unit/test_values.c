/* What several values have in common, and what they were read off. */
#include "analysis/trace.h"
#include "probes/probe.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"

/* A whole number is known where no other is within the error; two methods must both know it. */
static void test_together(void **state) {
  const struct hw_answer one = hw_known("one", 4.2, 0.2, 9), none = hw_unknown("none", "why");
  const struct hw_answer two = hw_known("two", 4.2, 0.1, 7), far = hw_known("far", 5, 0, 9);

  (void)state;
  known_is(hw_rounded(one), 4);
  check_unknown(hw_rounded(hw_known("one", 4.2, 0.3, 9)), "it lies between two whole numbers");
  check_unknown(hw_rounded(none), "why");
  known_is(hw_agreed(one, two), 4.2);
  assert_close(hw_agreed(one, two).clarity, 7, 0);
  check_unknown(hw_agreed(one, far), "two ways to measure it disagree");
  check_unknown(hw_agreed(far, one), "two ways to measure it disagree");
  check_unknown(hw_agreed(one, none), "why");
  check_unknown(hw_agreed(none, one), "why");
}

/* Each row with what it was read off, once. */
static void test_trace(void **state) {
  static const char expected[] =
      "HW_BRANCH_MISS unknown: a point is missing\n"
      "  by: walks\n"
      "  curve branches: 0 points of y over x\n"
      "  curve branches_taken: 0 points of y over x\n"
      "HW_L1_SETS unknown: the shape or line of the cache is not known\n"
      "  by: fit test\n"
      "  HW_L1_LINE unknown: the shape of the cache is not known\n"
      "    by: fit test\n"
      "    HW_L1_BYTES unknown: its sets are no power of two\n"
      "      by: fit test\n"
      "      curve l1_strides: 3 points of y over x\n"
      "HW_TLB1_REACH_BYTES unknown: its curve was not measured\n"
      "  by: none\n"
      "HW_TLB1_ENTRIES unknown: its curve was not measured\n"
      "  by: none\n"
      "  HW_TLB1_REACH_BYTES unknown: its curve was not measured, as above\n"
      "  HW_PAGE_BYTES = 4096\n"
      "    by: biggest scaled step, to 2.05e+03\n"
      "    curve page: 6 points of y over x\n"
      "    curve page_packed: 1 points of y over x\n"
      "HW_PAGE_BYTES = 4096, as above\n";
  static const double packed[1][2] = {{128, 5}}, three[3][2] = {{2048, 13}, {4096, 12}, {12288, 4}};
  static const double page[6][2] = {{1024, 8.5}, {2048, 8.5}, {4096, 12},
                                    {8192, 12},  {16384, 12}, {32768, 12}};
  struct hw_curves curves = {0};
  char text[2048] = "";
  FILE *out = fmemopen(text, sizeof text, "w");

  (void)state;
  assert_non_null(out);
  put_curve(&curves, curve_of("page_packed", packed, 1, 0, 12));
  put_curve(&curves, curve_of("page", page, 6, 0, 12));
  put_curve(&curves, curve_of("l1_strides", three, 3, 0, 12));
  put_curve(&curves, curve_of("branches", NULL, 0, 0, 0)); /* looked at twice */
  put_curve(&curves, curve_of("branches_taken", NULL, 0, 0, 0));
  assert_int_equal(hw_trace_begin(&curves), 0);
  check_unknown(hw_value_branch_miss(&curves), "a point is missing");
  assert_false(hw_value_l1_sets(&curves).known);
  assert_false(hw_value_tlb1_reach_bytes(&curves).known);
  assert_false(hw_value_tlb1_entries(&curves).known);
  known_is(hw_value_page_bytes(&curves), 4096);
  hw_trace_print(curves.trace, out);
  fclose(out);
  hw_trace_end(&curves);
  hw_trace_end(&curves);
  known_is(hw_value_page_bytes(&curves), 4096);
  curves.hidden = "HW_PAGE_BYTES";
  check_unknown(hw_value_page_bytes(&curves), "it is hidden");
  assert_true(hw_value_page_bytes(&curves).settled);
  assert_string_equal(text, expected);
  hw_curves_free(&curves);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_together),
      cmocka_unit_test(test_trace),
  };

  return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
