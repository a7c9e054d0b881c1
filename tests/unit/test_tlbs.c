/* Rings over pages, and the TLBs and larger pages of simulated machines. */
#include "probes/tlb/spread.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* A row on a simulated machine, the first of whose lines are those of machine. */
static struct hw_answer row_of(const char *machine, const char *more, const char *row) {
  struct hw_engine engine;
  struct hw_answer answer;
  char text[512];

  snprintf(text, sizeof text, "%s%s", machine, more);
  engine = engine_of(text, "quick", (size_t)1 << 30);
  engine.bench.effort.patience = engine.bench.effort.wait = INFINITY;
  answer = engine_row(&engine, row);
  engine_close(&engine);
  return answer;
}

/* The entries of such a first level. */
static struct hw_answer entries_of(const char *level) {
  return row_of("machine Entries\ncycle 0.4 ns\nmemory latency 200\n"
                "level 1 bytes 32K ways 8 line 64 latency 4\n"
                "page bytes 4K\n",
                level, "HW_TLB1_ENTRIES");
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

/* What is said of it on a machine with such pages. */
static struct hw_answer huge_of(const char *pages) {
  return row_of("machine Pages\ncycle 0.4 ns\nclock step 1ns cost 20ns\n"
                "memory latency 200 parallel 8 write 8\n"
                "level 1 bytes 32K ways 8 line 64 latency 4\n"
                "tlb 1 entries 64 miss 7\n",
                pages, "HW_HUGE_PAGE_BYTES");
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
      cmocka_unit_test(test_spread),         cmocka_unit_test(test_spread_even),
      cmocka_unit_test(test_spread_circles), cmocka_unit_test(test_clock),
      cmocka_unit_test(test_random),         cmocka_unit_test(test_odd_sets),
      cmocka_unit_test(test_huge),           cmocka_unit_test(test_huge_none),
      cmocka_unit_test(test_huge_read),      cmocka_unit_test(test_hidden),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
