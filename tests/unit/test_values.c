/* Values on literal curves: what one alone cannot tell must stay unknown. */
#include "analysis/rows/l1.h"
#include "analysis/rows/vectors.h"
#include "analysis/trace.h"
#include "probes/probe.h"
#include "tests/unit/another.h"

/* What the page is, when packed loads cost 5 cycles and pairs at these strides so much. */
static struct hw_answer page_of(const double (*point)[2], size_t n) {
  static const double packed[1][2] = {{128, 5}};
  struct hw_curves curves = {0};
  struct hw_answer answer;

  put_curve(&curves, curve_of("page_packed", packed, 1, 0, 12));
  put_curve(&curves, curve_of("page", point, n, 0, 12));
  answer = hw_value_page_bytes(&curves);
  hw_curves_free(&curves);
  return answer;
}

/* Where the machine's own width was not timed, twice that is not the widest. */
static void test_width_missing(void **state) {
  static const double times[][2] = {{16, 0.5}, {32, 0.5}, {64, 0.5}, {128, 1}};
  struct hw_curve curve = curve_of("vectors", times, 4, 0.001, 24);

  (void)state;
  assert_int_equal((int)hw_vectors_widest(&curve).value, 64);
  curve.point[2] = curve.point[--curve.n];
  assert_false(hw_vectors_widest(&curve).known);
  hw_curve_free(&curve);
}

/* The second load costs what the first does, from 4096 on. */
static void test_page(void **state) {
  static const double point[6][2] = {{1024, 8.5}, {2048, 8.5}, {4096, 12},
                                     {8192, 12},  {16384, 12}, {32768, 12}};

  (void)state;
  assert_true(page_of(point, 6).known);
  assert_true(page_of(point, 6).value > 4095 && page_of(point, 6).value < 4097);
}

/* A TLB that still holds most pages of the small strides, and whose sets make the step. */
static void test_page_half_filled(void **state) {
  static const double point[6][2] = {{1024, 5.5}, {2048, 5.5}, {4096, 5.5},
                                     {8192, 5.5}, {16384, 12}, {32768, 12}};

  (void)state;
  assert_false(page_of(point, 6).known);
}

/* Something that is not the TLB costs most. */
static void test_page_drowned(void **state) {
  static const double point[4][2] = {{1024, 60}, {2048, 60}, {4096, 65}, {8192, 65}};

  (void)state;
  assert_false(page_of(point, 4).known);
}

/* A second step of like size. */
static void test_page_two_steps(void **state) {
  static const double point[6][2] = {{1024, 8.5}, {2048, 8.5}, {4096, 12},
                                     {8192, 12},  {16384, 15}, {32768, 15}};

  (void)state;
  assert_false(page_of(point, 6).known);
}

/* The ways when the lengths are those of 4 KiB times 12, 12 and 13 lines reach the floor so often
   in so many rounds, and one and two lines too many cost so much; hits cost 5, misses 16. */
static struct hw_answer ways_of(double fits, double more, unsigned long rounds, double over,
                                double next) {
  static const double lengths[5][2] = {
      {2048, 13}, {4096, 12}, {12288, 12}, {20480, 12}, {28672, 12}};
  static const double full[2][2] = {{12, 0.9}, {13, 0.9}};
  const double fit[2][2] = {{12, fits}, {13, more}};
  const double level[3][2] = {{12, 5}, {13, over}, {14, next}};
  struct hw_curves curves = {0};
  struct hw_answer answer;

  put_curve(&curves, curve_of("l1_strides", lengths, 5, 0, 12));
  put_curve(&curves, curve_of("l1_fit_4096", fit, 2, 0, rounds));
  put_curve(&curves, curve_of("l1_full_4096", full, 2, 0, rounds));
  put_curve(&curves, curve_of("l1_stride_4096", level, 3, 0, 12));
  answer = hw_value_l1_assoc(&curves);
  hw_curves_free(&curves);
  return answer;
}

/* Each number of lines is decided again off the curves. */
static void test_ways(void **state) {
  struct hw_answer answer = ways_of(0.7, 0, 400, 14, 15);

  (void)state;
  assert_true(answer.known && answer.value > 11.5 && answer.value < 12.5);
  assert_true(answer.clarity > 4.5);
  assert_true(ways_of(0.7, 0, 400, 16, 16).known);
  /* Too few rounds, one that fits after all, and one that does not. */
  assert_false(ways_of(0.7, 0, 40, 14, 15).known);
  assert_false(ways_of(0.7, 0.5, 400, 14, 15).known);
  assert_false(ways_of(0, 0, 400, 14, 15).known);
  /* The first that seems too many costs a part of what the next does. */
  assert_false(ways_of(0.7, 0, 400, 6, 16).known);
}

/* What the lengths say of the stride, or nothing. */
static void test_lengths(void **state) {
  static const double three[3][2] = {{2048, 13}, {4096, 12}, {12288, 4}};
  static const double gap[3][2] = {{1024, 13}, {4096, 12}, {12288, 12}};
  struct hw_curves curves = {0};
  struct hw_l1_shape l1;

  (void)state;
  put_curve(&curves, curve_of("l1_strides", three, 3, 0, 12));
  assert_int_equal(hw_l1_shape(&curves, &l1), -1);
  assert_string_equal(hw_value_l1_bytes(&curves).why, "its sets are no power of two");
  put_curve(&curves, curve_of("l1_strides", gap, 3, 0, 12));
  assert_string_equal(hw_value_l1_bytes(&curves).why, "half of its stride was not asked about");
  hw_curves_free(&curves);
}

/* A level 1 of 48 KiB in 12 ways, with lines of 64 bytes. */
static void put_level1(struct hw_curves *curves) {
  const struct hw_point line_fit[] = {{32, 0, 0, 400}, {64, 0.9, 0, 400}};
  const struct hw_point fit[] = {{12, 0.9, 0, 400}, {13, 0, 0, 400}};

  PUT_XY(curves, "l1_strides", 0, 12, {2048, 24}, {4096, 12}, {12288, 12}, {20480, 12});
  PUT_XY(curves, "l1_stride_4096", 0, 12, {11, 5}, {12, 5}, {13, 16}, {14, 16}, {24, 16});
  put_points(curves, "l1_fit_4096", fit, 2);
  PUT_XY(curves, "l1_full_4096", 0, 400, {12, 0.9}, {13, 0.9});
  put_points(curves, "l1_line_fit", line_fit, 2);
  PUT_XY(curves, "l1_line_full", 0, 400, {32, 0.9}, {64, 0.9});
}

static void test_reasons(void **state) {
  static const struct another another[] = {
      IS(l1_bytes, 49152, "none", {0}),
      IS(l1_sets, 64, "none", {0}),
      IS(l1_lru, 1, "none", {0}),
      UNKNOWN(l1_lru, "another thread holds a part of the last way", "l1_stride_4096", {0}),
      UNKNOWN(l1_assoc, "it was not asked", "l1_fit_4096", {14, 0.9}),
      UNKNOWN(l1_bytes, "no stride and no number of lines is as large", "l1_strides", {2048, 24},
              {4096, 1e10}),
      UNKNOWN(l1_bytes, "its sets are no power of two", "l1_strides", {2048, 24}, {4096, 0.5}),
      UNKNOWN(l1_eff_bytes, "it is larger than the capacity", "levels", {16384, 5}, {32768, 5},
              {65536, 5}, {131072, 14}, {262144, 14}, {524288, 14}),
      IS(destructive_bytes, 64, "destructive", {16, 3}, {32, 3}, {64, 1}, {128, 1}),
      UNKNOWN(destructive_bytes, "it is less than a line", "destructive", {8, 3}, {16, 3}, {32, 1},
              {64, 1}),
      UNKNOWN(page_bytes, "its curve was not measured", "page", {1024, 8.5}),
  };

  (void)state;
  check_another(put_level1, another, COUNT(another));
}

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
      cmocka_unit_test(test_width_missing),    cmocka_unit_test(test_page),
      cmocka_unit_test(test_page_half_filled), cmocka_unit_test(test_page_drowned),
      cmocka_unit_test(test_page_two_steps),   cmocka_unit_test(test_ways),
      cmocka_unit_test(test_lengths),          cmocka_unit_test(test_together),
      cmocka_unit_test(test_reasons),          cmocka_unit_test(test_trace),
  };

  return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
