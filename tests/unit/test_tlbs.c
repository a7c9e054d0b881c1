/* Cliffs and rises, rings over pages, and what the curves of the second-level TLB say. */
#include "analysis/rows/tlbs.h"
#include "probes/tlb/spread.h"
#include "tests/unit/another.h"
#include "tests/unit/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A curve of points that scatter by no more than one in a thousand, alone and among curves. */
#define CURVE(curve, ...)                                                                          \
  do {                                                                                             \
    static const double xy[][2] = {__VA_ARGS__};                                                   \
    (curve) = curve_of("curve", xy, COUNT(xy), 0.001, 20);                                         \
  } while (0)

static void test_cliff(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {4, 20}, {6, 20}, {8, 21}, {9, 60}, {10, 60}, {12, 61}, {14, 62}, {30, 90});
  known_is(hw_reduce_cliff(&curve, 3), 8);
  known_is(hw_reduce_middle(&curve, 3), 8);
  curve.point[3].spread = 0.5; /* from 21 to 60, and to 90 with points that scatter less */
  check_unknown(hw_reduce_cliff(&curve, 3), "the step is not clear of the noise");
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

/* What ends before the peak has its middle farther on than what ends behind it. */
static void test_peak(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {1, 20}, {2, 20}, {4, 20}, {5, 25.5}, {6, 25.6}, {7, 32}, {10.5, 30});
  alarm(600); /* rather than search for ever */
  known_is(hw_reduce_middle(&curve, 3), 6);
  alarm(0);
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
  struct hw_spread spread = {.page = 4096, .line = 64, .lines = 1024};
  struct hw_random random = {1};
  struct hw_ring ring = {.room = hw_spread_room(&spread)};

  (void)state;
  assert_int_equal(hw_spread_least(&spread), 64);
  ring.offset = calloc(ring.room, sizeof *ring.offset);
  assert_non_null(ring.offset);
  for (size_t k = 0; k < COUNT(pages); k++) {
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
  struct hw_spread spread = {.page = 4096, .line = 64, .lines = 1024};
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

/* Circles of a few pages of many: each line once, whatever the circle; each page of a circle again
   before the next circle; pages of a group next to each other. */
static void test_spread_circles(void **state) {
  static const size_t circle[] = {40, 100, 320};
  struct hw_spread spread = {.page = 4096, .line = 64, .lines = 640, .all = 320, .group = 32};
  struct hw_random random = {1};
  struct hw_ring ring = {.room = hw_spread_room(&spread)};

  (void)state;
  ring.offset = calloc(ring.room, sizeof *ring.offset);
  assert_non_null(ring.offset);
  for (size_t k = 0; k < COUNT(circle); k++) {
    size_t seen[320] = {0};
    hw_spread_arrange(&spread, (double)circle[k], &random, &ring);
    assert_int_equal(ring.n, 640);
    for (size_t i = 0; i + circle[k] < 2 * circle[k]; i++)
      assert_int_equal(ring.offset[i] / 4096, ring.offset[i + circle[k]] / 4096);
    for (size_t i = 0; i < 32; i++)
      assert_int_equal(ring.offset[i] / 4096 / 32, ring.offset[0] / 4096 / 32);
    for (size_t i = 0; i < ring.n; i++)
      seen[ring.offset[i] / 4096]++;
    for (size_t i = 0; i < 320; i++)
      assert_int_equal(seen[i], 2);
    qsort(ring.offset, ring.n, sizeof *ring.offset, size_order);
    for (size_t i = 1; i < ring.n; i++)
      assert_true(ring.offset[i] / 64 > ring.offset[i - 1] / 64);
  }
  free(ring.offset);
}

/* ---- levels ---- */

#define KEEP(curves, name, ...) PUT_XY(curves, name, 0.001, 20, __VA_ARGS__)

/* A first level of 16 entries of 4 ways, whose misses cost 8, and a rise from 22 to 42 at 256. */
static void two_levels(struct hw_curves *curves) {
  *curves = (struct hw_curves){0};
  KEEP(curves, "page", {512, 8}, {1024, 8}, {2048, 8}, {4096, 12}, {8192, 12}, {16384, 12});
  KEEP(curves, "page_packed", {1, 4});
  KEEP(curves, "tlb_strides", {8192, 8}, {16384, 4}, {32768, 4}, {65536, 4});
  KEEP(curves, "tlb_stride_4096", {1, 4}, {2, 4}, {3, 4}, {4, 4}, {16, 4}, {17, 8});
  KEEP(curves, "tlb_stride_16384", {1, 4}, {4, 4}, {5, 12}, {6, 12}, {7, 12}, {8, 12});
  KEEP(curves, "tlbs_pages", {64, 22}, {128, 22}, {256, 22}, {320, 42}, {512, 42}, {1024, 42});
}

/* Of a random one, few pages too many hardly miss. */
static void test_sharp(void **state) {
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  known_is(hw_value_tlb1_entries(&curves), 16);
  known_is(hw_value_tlb1_assoc(&curves), 4);
  KEEP(&curves, "tlb_stride_16384", {1, 4}, {4, 4.5}, {5, 6}, {6, 7}, {7, 12}, {8, 12});
  assert_false(hw_value_tlb1_entries(&curves).known);
  assert_false(hw_value_tlb1_assoc(&curves).known);
  assert_false(hw_value_tlb1_miss(&curves).known);
  hw_curves_free(&curves);
}

/* As recorded on Zen 3, in cycles: of 65 pages in 64 entries 7 miss in a lap where the replacement
   comes to rest well, 49 or all where it does not. */
static void test_rests(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  KEEP(&curves, "page", {512, 8}, {1024, 8}, {2048, 8}, {4096, 12}, {8192, 12}, {16384, 12});
  KEEP(&curves, "page_packed", {1, 4});
  KEEP(&curves, "tlb_strides", {2048, 128}, {4096, 64}, {8192, 64}, {12288, 64}, {20480, 64},
       {28672, 64});
  KEEP(&curves, "tlb_stride_2048", {1, 4}, {93, 4}, {117, 4.0216}, {128, 4.0376}, {129, 4.4248},
       {131, 4.9731}, {147, 5.9806}, {184, 7.4414}, {260, 8.8018});
  KEEP(&curves, "tlb_stride_4096", {1, 4}, {52, 4}, {64, 4.0561}, {65, 9.3131}, {66, 11.0102},
       {68, 11.0132}, {81, 11.0114}, {102, 11.0139}, {128, 11.0156});
  KEEP(&curves, "tlb_stride_28672", {1, 4.0025}, {2, 4}, {59, 4.0223}, {64, 4.0604}, {65, 9.3167},
       {66, 11.0102}, {68, 11.0112}, {93, 11.0141}, {130, 11.0113});
  known_is(hw_value_tlb1_entries(&curves), 64);
  known_is(hw_value_tlb1_assoc(&curves), 64);
  known_is(hw_value_tlb1_reach_bytes(&curves), 262144);
  known_is(hw_value_tlb1_miss(&curves), 7);
  hw_curves_free(&curves);
}

static void test_levels(void **state) {
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  known_is(hw_value_tlb1_miss(&curves), 8);
  KEEP(&curves, "tlb_stride_16384", {1, 4}, {4, 4}, {5, 6}, {6, 9}, {7, 10}, {8, 12}, {9, 12},
       {10, 12}, {11, 12}); /* not LRU: some pages too many still hit now and then */
  known_is(hw_value_tlb1_miss(&curves), 8);
  assert_false(hw_value_tlb_levels(&curves).known); /* its rise may be that of tables of pages */
  KEEP(&curves, "tlbs_far", {128, 100}, {768, 110});
  known_is(hw_value_tlb_levels(&curves), 2);
  KEEP(&curves, "tlbs_far", {128, 100}, {768, 100.5});
  assert_false(hw_value_tlb_levels(&curves).known);
  KEEP(&curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 4}); /* ways and sets tell as well */
  known_is(hw_value_tlb_levels(&curves), 2);
  hw_curves_free(&curves);
}

/* One level where circles of pages that it does not hold cost the same, however large, clear of
   what a second level would cost; where the larger costs more, nothing is known. */
static void test_one(void **state) {
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  KEEP(&curves, "tlbs_pages", {64, 100}, {128, 92}, {256, 107}, {512, 95}, {1024, 103});
  assert_false(hw_value_tlb_levels(&curves).known);
  KEEP(&curves, "tlbs_circles", {32, 100}, {1536, 100.5});
  known_is(hw_value_tlb_levels(&curves), 1);
  assert_true(hw_value_tlb2_entries(&curves).settled);
  KEEP(&curves, "tlbs_circles", {32, 100}, {1536, 103.8}); /* half of 8 is within its error */
  assert_false(hw_value_tlb_levels(&curves).known);
  KEEP(&curves, "tlbs_circles", {32, 100}, {1536, 110});
  assert_false(hw_value_tlb_levels(&curves).known);
  KEEP(&curves, "tlbs_circles", {32, 100}, {1536, 93});
  assert_false(hw_value_tlb_levels(&curves).known);
  KEEP(&curves, "tlbs_circles", {32, 100});
  assert_false(hw_value_tlb_levels(&curves).known);
  hw_curves_free(&curves);
}

/* Pages of one set, with others between: the last number that costs less than half of a miss more.
 */
static void test_held(void **state) {
  struct hw_curve curve;

  (void)state;
  /* 192 others: a lap of 9 costs 121 more, of 64 3840, which is 60 a page. */
  CURVE(curve, {1, 11}, {4, 11}, {8, 11.05}, {9, 11.6}, {12, 12.5}, {64, 26});
  known_is(hw_tlbs_held(&curve, 192), 8);
  hw_curve_free(&curve);
  CURVE(curve, {1, 11}, {4, 11}, {8, 11}, {11, 11}, {12, 12.5}, {64, 26});
  known_is(hw_tlbs_held(&curve, 192), 11);
  hw_curve_free(&curve);
  CURVE(curve, {1, 11}, {4, 11}, {8, 11.15}, {9, 11.6}, {12, 12.5}, {64, 26}); /* half of one */
  assert_false(hw_tlbs_held(&curve, 192).known);
  hw_curve_free(&curve);
  CURVE(curve, {1, 11}, {4, 11}, {8, 12}, {9, 11}, {12, 12.5}, {64, 26});
  assert_false(hw_tlbs_held(&curve, 192).known);
  hw_curve_free(&curve);
  CURVE(curve, {1, 11}, {4, 11}, {8, 11}, {12, 11}, {64, 11});
  assert_false(hw_tlbs_held(&curve, 192).known);
  hw_curve_free(&curve);
  CURVE(curve, {1, 11}, {4, 10}, {64, 10});
  check_unknown(hw_tlbs_held(&curve, 192), "its pages never miss");
  curve.n = 2;
  check_unknown(hw_tlbs_held(&curve, 192), "fewer than three points");
  hw_curve_free(&curve);
}

/* As recorded on Zen 4, in cycles: how many of 14 pages miss in a set of 12 ways varies, but some
   do in almost all samples. */
static void test_held_varies(void **state) {
  struct hw_curve curve;

  (void)state;
  CURVE(curve, {1, 11.033}, {4, 11.035}, {8, 11.032}, {11, 11.026}, {12, 11.032}, {13, 11.422},
        {14, 12.108}, {18, 14.458}, {23, 15.273}, {29, 16.166}, {37, 17.378}, {40, 17.77});
  curve.point[6].spread = 0.04197;
  curve.point[6].count = 12;
  known_is(hw_tlbs_held(&curve, 216), 12);
  curve.point[6].spread = 0.1; /* all may have fitted */
  check_unknown(hw_tlbs_held(&curve, 216), "its misses are not clear of the noise");
  hw_curve_free(&curve);
}

/* The ways are what each of the strides holds. */
static void test_ways(void **state) {
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  KEEP(&curves, "tlbs_later", {0, 42}, {1, 42}, {2, 41}, {3, 42}, {4, 42});
  KEEP(&curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 4}, {1 << 28, 4});
  known_is(hw_value_tlb2_assoc(&curves), 4);
  known_is(hw_value_tlb2_entries(&curves), 256);
  KEEP(&curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 3}, {1 << 28, 4});
  assert_false(hw_value_tlb2_assoc(&curves).known); /* entries are taken: of 5 ways one may be */
  KEEP(&curves, "tlbs_run_1", {1 << 26, 3}, {1 << 27, 4}, {1 << 28, 3});
  assert_false(hw_value_tlb2_assoc(&curves).known); /* once 4 were held: 3 is wrong */
  KEEP(&curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 4}, {1 << 28, 2});
  assert_false(hw_value_tlb2_assoc(&curves).known); /* two sets of 2 */
  KEEP(&curves, "tlbs_run_1", {1 << 26, 3}, {1 << 27, 3}, {1 << 28, 3});
  assert_false(hw_value_tlb2_assoc(&curves).known); /* 192 + 64 pages do not cost more */
  hw_curves_free(&curves);
}

/* The entries of the second level, by its ways and the curve of pages, unless that does not rise
   where so many overflow. */
static void test_entries(void **state) {
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  KEEP(&curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 4});
  assert_false(hw_value_tlb2_entries(&curves).known); /* not looked at again */
  KEEP(&curves, "tlbs_later", {0, 42}, {1, 42}, {2, 23}, {3, 42}, {4, 42});
  assert_false(hw_value_tlb2_entries(&curves).known); /* 384 pages fitted once */
  KEEP(&curves, "tlbs_later", {0, 42}, {1, 42}, {2, 41}, {3, 42}, {4, 42});
  known_is(hw_value_tlb2_entries(&curves), 256);
  known_is(hw_value_tlb2_assoc(&curves), 4);
  KEEP(&curves, "tlbs_pages", {64, 22}, {128, 22}, {256, 27}, {320, 42}, {512, 42}, {1024, 42});
  known_is(hw_value_tlb2_entries(&curves), 256);
  KEEP(&curves, "tlbs_pages", {64, 22}, {128, 22}, {256, 33}, {320, 42}, {512, 42}, {1024, 42});
  assert_false(hw_value_tlb2_entries(&curves).known);
  KEEP(&curves, "tlbs_pages", {64, 22}, {128, 22}, {256, 22}, {320, 42}, {512, 42}, {1e30, 42});
  alarm(600); /* rather than double the entries for ever */
  known_is(hw_value_tlb2_entries(&curves), 256);
  alarm(0);
  KEEP(&curves, "tlbs_pages", {64, 22}, {128, 22}, {168, 22}, {208, 42}, {512, 42}, {1024, 42});
  assert_false(hw_value_tlb2_entries(&curves).known);
  hw_curves_free(&curves);
}

/* The same with the ways of the second level, by pages at two strides. */
static void two_known(struct hw_curves *curves) {
  two_levels(curves);
  KEEP(curves, "tlbs_later", {0, 42}, {1, 42}, {2, 41}, {3, 42}, {4, 42});
  KEEP(curves, "tlbs_run_1", {1 << 26, 4}, {1 << 27, 4});
}

static void test_reasons(void **state) {
  static const char taken[] = "the SMT sibling takes entries at times";
  static const struct another one[] = {
      UNKNOWN(tlb_levels, "the rise is not clearly that of a TLB", "tlbs_far", {128, 100}),
      IS(tlb_levels, 1, "tlbs_pages", {64, 22}, {1024, 22}, {4096, 22}),
      UNKNOWN(tlb_levels, "the curve does not rise", "tlbs_pages", {64, 22}, {512, 22}, {1024, 22}),
      UNKNOWN(tlb_levels, "the curve does not rise", "tlbs_pages", {64, 22}, {1024, 18},
              {4096, 22}),
      UNKNOWN(tlb_levels, "fewer than three points", "tlbs_pages", {64, 22}, {4096, 22}),
      UNKNOWN(tlb_levels, "its curve was not measured", "tlbs_pages", {0}),
      UNKNOWN(tlb2_entries, "its sets are not clear", "none", {0}),
      UNKNOWN(tlb1_assoc, "fewer than three strides are clear", "tlb_strides", {0}),
      UNKNOWN(tlb1_assoc, "it is not clear which page is one too many", "tlb_stride_16384", {1, 4},
              {4, 4}),
      UNKNOWN(tlb1_miss, "fewer than three points", "tlb_stride_4096", {1, 4}),
      UNKNOWN(tlb1_miss, "fewer than three points", "tlb_stride_16384", {1, 4}, {4, 4}, {5, 12}),
  };
  static const struct another two[] = {
      IS(tlb2_miss, 20, "none", {0}),
      UNKNOWN(tlb2_miss, "the cost of a miss varies by more than 15 %", "tlbs_pages", {64, 22},
              {128, 22}, {256, 22}, {320, 42}, {340, 50}, {512, 42}, {1024, 42}),
      UNKNOWN(tlb2_miss, "no point", "tlbs_pages", {240, 22}, {256, 22}, {320, 42}, {512, 42}),
      UNKNOWN(tlb2_miss, taken, "tlbs_later", {1, 42}, {2, 42}),
      IS(tlb2_entries, 256, "tlbs_pages", {64, 22}, {256, 22}, {257, 42}, {320, 42}, {512, 42}),
      IS(tlb2_assoc, 256, "tlbs_pages", {64, 22}, {256, 22}, {257, 42}, {320, 42}, {512, 42}),
      IS(tlb2_miss, 20, "tlbs_pages", {64, 22}, {256, 22}, {257, 42}, {320, 42}, {512, 42}),
  };

  (void)state;
  check_another(two_levels, one, COUNT(one));
  check_another(two_known, two, COUNT(two));
}

/* Two circles tell: that they cost the same, that the larger costs more, or that no more samples
   would. */
static void test_circles_clear(void **state) {
  static const struct hw_tlbs_first first = {.miss = 8};
  struct hw_curve circles;

  (void)state;
  CURVE(circles, {32, 100}, {1536, 100.5});
  assert_true(hw_tlbs_circles_clear(&circles, &first));
  circles.point[1].y = 110;
  circles.point[0].spread = circles.point[1].spread = 0.01;
  assert_true(hw_tlbs_circles_clear(&circles, &first));
  circles.point[1].y = 90;
  circles.point[0].spread = circles.point[1].spread = 0.1;
  assert_false(hw_tlbs_circles_clear(&circles, &first));
  circles.point[0].spread = circles.point[1].spread = 0;
  assert_true(hw_tlbs_circles_clear(&circles, &first));
  hw_curve_free(&circles);
}

/* As recorded on Zen 4: with two pages too many all miss in most orders, not in all. */
static void test_miss(void **state) {
  static const double xy[][2] = {{1, 4},      {4, 4.11},  {5, 5.97}, {6, 10.72},
                                 {7, 11.024}, {8, 11.03}, {9, 11.03}};
  struct hw_curve curve = curve_of("tlb_stride_16384", xy, COUNT(xy), 0.001, 20);
  struct hw_curves curves;

  (void)state;
  two_levels(&curves);
  curve.point[3].spread = 0.1346;
  put_curve(&curves, curve);
  known_is(hw_value_tlb1_miss(&curves), 7);
  hw_curves_free(&curves);
}

/* The entries of a first level on a simulated machine. */
static struct hw_answer entries_of(const char *level) {
  static const char machine[] = "machine Entries\ncycle 0.4 ns\nmemory latency 200\n"
                                "level 1 bytes 32K ways 8 line 64 latency 4\n"
                                "page bytes 4K\n";
  struct hw_engine engine;
  struct hw_answer answer;
  char text[512];

  snprintf(text, sizeof text, "%s%s", machine, level);
  engine = engine_of(text, "quick", (size_t)1 << 30);
  answer = engine_row(&engine, "HW_TLB1_ENTRIES");
  engine_close(&engine);
  return answer;
}

/* Of one page too many a clock or a tree of bits makes a few miss, or all. */
static void test_clock(void **state) {
  (void)state;
  known_is(entries_of("tlb 1 entries 64 miss 7 policy clock\n"), 64);
  known_is(entries_of("tlb 1 entries 64 miss 7 policy plru\n"), 64);
}

/* Where the replaced page is random one page too many makes two loads of a lap miss. */
static void test_random(void **state) {
  (void)state;
  known_is(entries_of("tlb 1 entries 32 miss 7 policy random\n"), 32);
  known_is(entries_of("tlb 1 entries 64 ways 4 miss 7 policy random\n"), 64);
}

/* Of 24 sets, strides of powers of two fill three, others one. */
static void test_odd_sets(void **state) {
  (void)state;
  assert_false(entries_of("tlb 1 entries 96 ways 4 miss 8\n").known);
}

/* ---- The larger page ------------------------------------------------------------------------- */

/* What is said of it on a simulated machine with such pages. */
static struct hw_answer huge_of(const char *pages) {
  static const char machine[] = "machine Pages\ncycle 0.4 ns\nclock step 1ns cost 20ns\n"
                                "memory latency 200 parallel 8 write 8\n"
                                "level 1 bytes 32K ways 8 line 64 latency 4\n"
                                "tlb 1 entries 64 miss 7\n";
  struct hw_engine engine;
  struct hw_answer answer;
  char text[512];

  snprintf(text, sizeof text, "%s%s", machine, pages);
  engine = engine_of(text, "quick", (size_t)1 << 30);
  engine.bench.effort.patience = engine.bench.effort.wait = INFINITY;
  answer = engine_row(&engine, "HW_HUGE_PAGE_BYTES");
  engine_close(&engine);
  return answer;
}

static void test_huge(void **state) {
  (void)state;
  known_is(huge_of("page bytes 4K huge 2M first 500ns\n"), 2 << 20);
  known_is(huge_of("page bytes 4K huge 64K first 2us\n"), 64 << 10);
  known_is(huge_of("page bytes 16K huge 32M first 300ns\n"), 32 << 20);
  known_is(huge_of("page bytes 1K huge 8K first 1us placement contiguous\n"), 8 << 10);
  /* Noise, and another process that is there three quarters of the time. */
  known_is(huge_of("page bytes 4K huge 2M first 500ns\nseed 3\n"
                   "noise jitter 5% outliers 1% 20us bursts 200us 2000us 3\n"),
           2 << 20);
  known_is(huge_of("page bytes 4K huge 2M first 500ns\nseed 4\n"
                   "noise process computing 3ms 1ms\n"),
           2 << 20);
}

/* No answer: there is none, it costs more than the pages that it replaces, nothing shows, or it is
   too large. */
static void test_huge_none(void **state) {
  struct hw_answer none = huge_of("page bytes 4K first 500ns\n");
  struct hw_answer there = huge_of("page bytes 4K huge 2M\n");

  (void)state;
  assert_false(none.known);
  assert_string_equal(none.why, "the system hands out no larger page");
  assert_false(there.known);
  assert_string_equal(there.why, "a first store takes no longer than others");
  assert_false(huge_of("page bytes 4K huge 1G first 500ns\n").known);
}

/* The curves of two mappings whose pages are of so many bytes, and cost so much, ns. */
static struct hw_answer huge_read(double plain, double plain_ns, double asked, double asked_ns) {
  static const char *const name[][2] = {{"huge_plain_fit", "huge_plain_full"},
                                        {"huge_asked_fit", "huge_asked_full"}};
  const double page[] = {plain, asked}, cost[][2] = {{0, plain_ns}, {1, asked_ns}};
  struct hw_curves curves = {0};
  struct hw_answer answer;

  for (size_t kind = 0; kind < 2; kind++) {
    struct hw_curve fit, full;
    hw_curve_init(&fit, name[kind][0], "x", "y");
    hw_curve_init(&full, name[kind][1], "x", "y");
    for (double x = 512; x <= 4 * page[kind]; x *= 2)
      for (double at = x > 1024 ? x - 512 : x; at <= x; at += 512) {
        /* What is just below three pages and more was not stored to either. */
        bool there = at < page[kind] || (at > page[kind] && at < 2 * page[kind]);
        put_point(&fit, at, there, 0, 24);
        put_point(&full, at, 1, 0, 24);
      }
    put_curve(&curves, fit);
    put_curve(&curves, full);
  }
  put_curve(&curves, curve_of("huge_cost", cost, 2, 0.001, 20));
  answer = hw_value_huge_page_bytes(&curves);
  hw_curves_free(&curves);
  return answer;
}

static void test_huge_read(void **state) {
  (void)state;
  known_is(huge_read(4096, 1000, 2 << 20, 100000), 2 << 20);
  assert_string_equal(huge_read(4096, 1000, 2 << 20, 600000).why,
                      "a larger page costs more than the pages that it replaces");
  assert_string_equal(huge_read(4096, 1000, 4096, 1000).why, "the system hands out no larger page");
}

/* Holds the row of a machine with such a line, page and first TLB, of which a row is hidden: it has
   that value, or may be unknown. */
static void hidden(const char *machine, const char *without, const char *row, double value,
                   bool open) {
  struct hw_engine engine;
  struct hw_answer answer;
  char text[512];

  snprintf(text, sizeof text,
           "machine  Hidden\ncycle 1 ns\nlevel 1  bytes 32K ways 8 latency 3 %s\n"
           "level 2  bytes 1M ways 8 line 128 latency 12\nmemory latency 200\n",
           machine);
  engine = engine_of(text, "quick", (size_t)1 << 30);
  engine.bench.effort.patience = engine.bench.effort.wait = INFINITY;
  engine.bench.curves.hidden = without;
  answer = engine_row(&engine, row);
  if (!answer.known)
    print_message("%s without %s, %s: %s\n", machine, without, row, answer.why);
  assert_true(answer.known || open);
  assert_true(!answer.known || !(answer.value > value || answer.value < value));
  engine_close(&engine);
}

/* Where the line, level 1 or the page are unknown, an assumed one tells where to measure. */
static void test_hidden(void **state) {
  (void)state;
  for (unsigned line = 16; line <= 128; line *= 8)
    for (unsigned page = 1; page <= 64; page *= 4) {
      char machine[96];
      snprintf(machine, sizeof machine, "line %u\ntlb 1 entries 32 miss 12\npage bytes %uK", line,
               page);
      hidden(machine, "HW_L1_LINE", "HW_PAGE_BYTES", 1024.0 * page, false);
      hidden(machine, "HW_L1_BYTES", "HW_PAGE_BYTES", 1024.0 * page, false);
      hidden(machine, "HW_L1_LINE", "HW_TLB1_ENTRIES", 32, false);
      hidden(machine, "HW_PAGE_BYTES", "HW_TLB1_REACH_BYTES", 32768.0 * page, page != 4);
    }
  hidden("line 64\ntlb 1 entries 32 ways 4 miss 12\npage bytes 1K", "HW_PAGE_BYTES",
         "HW_TLB1_REACH_BYTES", 32768, true);
  hidden("line 64\ntlb 1 entries 32 ways 4 miss 12\npage bytes 16K", "HW_PAGE_BYTES",
         "HW_TLB1_ASSOC", 4, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cliff),
      cmocka_unit_test(test_two_sets),
      cmocka_unit_test(test_no_rise),
      cmocka_unit_test(test_peak),
      cmocka_unit_test(test_spread),
      cmocka_unit_test(test_spread_even),
      cmocka_unit_test(test_spread_circles),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_one),
      cmocka_unit_test(test_held),
      cmocka_unit_test(test_held_varies),
      cmocka_unit_test(test_ways),
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_reasons),
      cmocka_unit_test(test_circles_clear),
      cmocka_unit_test(test_sharp),
      cmocka_unit_test(test_rests),
      cmocka_unit_test(test_miss),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_odd_sets),
      cmocka_unit_test(test_huge),
      cmocka_unit_test(test_huge_none),
      cmocka_unit_test(test_huge_read),
      cmocka_unit_test(test_hidden),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
