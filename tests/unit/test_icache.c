/* The instruction cache: the toe of a rise, values from curves that other parts of a machine would
   make, and the whole probe on simulated machines. */
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The real machine's pieces as a compiler makes them that is told to unroll all loops. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC push_options
#pragma GCC optimize("O2", "unroll-all-loops")
#endif
#include "probes/machine/code.c"
#if defined __GNUC__ && !defined __clang__
#pragma GCC pop_options
#endif

/* ---- the toe ---- */

/* A part that holds so many, and what it costs when it does not. */
struct part {
  double holds;
  double cost;
};

/* Visits of 1 to n pieces over parts that each overflow by degrees. */
static void rises(struct hw_curve *curve, const struct part *part, size_t parts, int n) {
  hw_curve_init(curve, "rises", "pieces (count)", "time (cycles)");
  for (int x = 1; x <= n; x++) {
    double y = 20;
    for (size_t i = 0; i < parts; i++)
      if (x > part[i].holds)
        y += part[i].cost * (1 - pow(part[i].holds / x, 2));
    put_point(curve, x, y, 0.002, 12);
  }
}

static struct hw_answer toe_of(const struct part *part, size_t parts) {
  struct hw_curve curve, flat;
  struct hw_answer answer;

  rises(&curve, part, parts, 64);
  rises(&flat, NULL, 0, 8);
  answer = hw_reduce_toe(&curve, &flat);
  hw_curve_free(&curve);
  hw_curve_free(&flat);
  return answer;
}

static void assert_toe(struct hw_answer answer, double value) {
  known_is(answer, value);
  assert_true(answer.clarity >= HW_CLEAR);
}

static void test_toe_one(void **state) {
  static const struct part cache = {8, 13}, wide = {20, 13}, single = {1, 13};

  (void)state;
  assert_toe(toe_of(&cache, 1), 8);
  assert_toe(toe_of(&wide, 1), 20);
  assert_toe(toe_of(&single, 1), 1);
}

/* Decoded instructions overflow before or behind: what costs more is found. */
static void test_toe_two(void **state) {
  static const struct part before[] = {{8, 3}, {16, 13}}, behind[] = {{8, 13}, {30, 4}};

  (void)state;
  assert_toe(toe_of(before, 2), 16);
  assert_toe(toe_of(behind, 2), 8);
}

static void test_toe_none(void **state) {
  static const struct part much = {100, 13};
  struct hw_answer answer = toe_of(&much, 1);

  (void)state;
  assert_false(answer.known);
  assert_non_null(answer.why);
}

/* A rise that begins by degrees has no toe. */
static void test_toe_slow(void **state) {
  struct hw_curve curve, flat;

  (void)state;
  hw_curve_init(&curve, "slow", "x", "y");
  for (int x = 1; x <= 32; x++)
    put_point(&curve, x, 20 + pow(x, 3) / 1000, 0.002, 12);
  rises(&flat, NULL, 0, 8);
  assert_false(hw_reduce_toe(&curve, &flat).known);
  hw_curve_free(&curve);
  hw_curve_free(&flat);
}

/* What everything costs changes while the curve is measured, so that it falls to where it seems to
   begin to rise, and one more rise before that is hidden. */
static void test_toe_falls(void **state) {
  struct hw_curve curve, flat;

  (void)state;
  hw_curve_init(&curve, "falls", "x", "y");
  for (int x = 1; x <= 24; x++)
    put_point(&curve, x, x < 9 ? 35 : x < 15 ? 35 + 1.4 * (x - 8) : 41 + 1.4 * (x - 15), 0.002, 12);
  rises(&flat, NULL, 0, 8);
  assert_true(hw_reduce_falls(&curve, 15));
  assert_false(hw_reduce_falls(&curve, 8));
  assert_true(!hw_reduce_toe(&curve, &flat).known || hw_reduce_toe(&curve, &flat).value < 15);
  hw_curve_free(&curve);
  hw_curve_free(&flat);
}

/* The control takes away what the curve has without any cache. */
static void test_toe_control(void **state) {
  struct hw_curve curve, control;

  (void)state;
  hw_curve_init(&curve, "curve", "x", "y");
  hw_curve_init(&control, "control", "x", "y");
  for (int x = 1; x <= 16; x++) {
    double base = 24 - 20.0 / (x * x);
    if (x <= 8)
      put_point(&control, x, base, 0.002, 12);
    put_point(&curve, x, base + (x > 4 ? 12 * (1 - 16.0 / (x * x)) : 0), 0.002, 12);
  }
  assert_toe(hw_reduce_toe(&curve, &control), 4);
  hw_curve_free(&curve);
  hw_curve_free(&control);
}

/* ---- values ---- */

/* The curves of a machine of 8 ways of 4 KiB, and what may be odd about them. */
struct shape {
  double pair; /* length with two entries */
  double full; /* an overfull set */
  double near; /* shifted by 16 bytes */
  double far;  /* shifted by more than a line */
  double half; /* shifted by half of the stride */
  double more; /* of more pieces than all that miss */
  double miss; /* time of a visit that misses */
  double hit;  /* of one that hits, in the same rounds */
};
#define SOUND                                                                                      \
  { .pair = 8, .full = 34, .near = 34, .far = 24, .half = 24, .more = 37, .miss = 37, .hit = 24 }

#define KEEP(curves, name, ...) PUT_XY(curves, name, 0.002, 12, __VA_ARGS__)

static void draw(struct hw_curves *curves, struct shape shape) {
  struct hw_curve packed;

  *curves = (struct hw_curves){0};
  KEEP(curves, "icache_strides", {2048, 16}, {4096, 8}, {8192, 8}, {12288, 8});
  KEEP(curves, "icache_pair_strides", {4096, shape.pair}, {8192, shape.pair});
  rises(&packed, NULL, 0, 8);
  hw_curve_set(&packed, HW_CURVE_FIELD_NAME, "icache_packed");
  for (size_t i = 0; i < packed.n; i++)
    packed.point[i].y = 24;
  put_curve(curves, packed);
  KEEP(curves, "icache_offset", {0, shape.full}, {16, shape.near}, {32, shape.near},
       {64, shape.far}, {128, shape.far}, {256, shape.far}, {2048, shape.half});
  KEEP(curves, "icache_miss", {24, shape.miss}, {32, shape.more});
  KEEP(curves, "icache_hit", {24, shape.hit});
}

static void test_values(void **state) {
  struct shape shape = SOUND;
  struct hw_curves curves;

  (void)state;
  draw(&curves, shape);
  known_is(hw_value_l1i_bytes(&curves), 32768);
  known_is(hw_value_l1i_assoc(&curves), 8);
  known_is(hw_value_l1i_line(&curves), 64);
  known_is(hw_value_l1i_miss(&curves), 13);
  hw_curves_free(&curves);
}

/* Nothing is known of a machine of that shape but, perhaps, why. */
static void assert_nothing(struct shape shape, const char *why) {
  struct hw_curves curves;

  draw(&curves, shape);
  assert_false(hw_value_l1i_bytes(&curves).known);
  assert_string_equal(hw_value_l1i_bytes(&curves).why, why);
  assert_false(hw_value_l1i_assoc(&curves).known);
  assert_false(hw_value_l1i_line(&curves).known);
  assert_false(hw_value_l1i_miss(&curves).known);
  hw_curves_free(&curves);
}

/* The curves of Zen 5, measured: 16 pieces are held as decoded instructions wherever there are 8
   ways of 4 KiB. */
static void draw_zen(struct hw_curves *curves) {
  static const double quad[] = {25.4, 28.4, 30.2, 30.7, 32.4, 33.4, 34.1, 34.7,
                                36.9, 38.7, 40.1, 41.2, 42.2, 43.0, 43.8, 44.2};
  const struct shape shape = {8, 41.7, 41.7, 32, 32, 52, 52, 31};
  struct hw_curve curve;

  draw(curves, shape);
  KEEP(curves, "icache_strides", {2048, 32}, {4096, 16}, {8192, 16}, {16384, 16});
  KEEP(curves, "icache_pair_packed", {8, 31});
  hw_curve_init(&curve, "icache_quad_stride_32768", "x", "y");
  for (size_t i = 0; i < COUNT(quad); i++)
    put_point(&curve, (double)(i + 1), quad[i], 0.002, 12);
  put_curve(curves, curve);
  KEEP(curves, "icache_quad_offset", {0, 44.3}, {64, 35.1}, {2048, 35.0}, {4096, 45.6},
       {8192, 45.4}, {16384, 45.5});
}

static void test_zen(void **state) {
  struct hw_curves curves;

  (void)state;
  draw_zen(&curves);
  known_is(hw_value_l1i_bytes(&curves), 32768);
  known_is(hw_value_l1i_assoc(&curves), 8);
  known_is(hw_value_l1i_line(&curves), 64);
  known_is(hw_value_l1i_miss(&curves), 21);
  hw_curves_free(&curves);
}

/* Nothing is known of Zen 5 when a point of that curve is another. */
static void assert_no_zen(const char *name, double x, double y, const char *why) {
  struct hw_curves curves;

  draw_zen(&curves);
  put_point((struct hw_curve *)(uintptr_t)hw_curves_get(&curves, name), x, y, 0.002, 12);
  assert_false(hw_value_l1i_assoc(&curves).known);
  assert_false(hw_value_l1i_bytes(&curves).known);
  assert_false(hw_value_l1i_line(&curves).known);
  assert_string_equal(hw_value_l1i_assoc(&curves).why, why);
  hw_curves_free(&curves);
}

static void test_zen_unclear(void **state) {
  static const char decoded[] = "it may be the micro-op cache";
  static const char unclear[] = "it is not clear which shifts leave the set";

  (void)state;
  assert_no_zen("icache_quad_stride_32768", 9, 35.2, decoded);
  assert_no_zen("icache_quad_stride_32768", 4, 34.5, decoded); /* held up to 8 */
  assert_no_zen("icache_quad_offset", 4096, 40, unclear);
  assert_no_zen("icache_quad_offset", 8192, 39, unclear);
  assert_no_zen("icache_quad_offset", 64, 44, "too few shifts were tried");
  assert_no_zen("icache_quad_offset", 2048, 38, unclear);
  assert_no_zen("icache_offset", 32, 35, "the micro-op cache may be tagged finer than a line");
  assert_no_zen("icache_offset", 64, 41,
                "two and four entries do not leave the set at the same shift");
}

/* Shifted by just a line, half of the set may meet lines that are fetched with the other half. */
static void test_zen_next_line(void **state) {
  struct hw_curves curves;

  (void)state;
  draw_zen(&curves);
  put_point((struct hw_curve *)(uintptr_t)hw_curves_get(&curves, "icache_quad_offset"), 64, 38.5,
            0.002, 12);
  known_is(hw_value_l1i_bytes(&curves), 32768);
  known_is(hw_value_l1i_line(&curves), 64);
  hw_curves_free(&curves);
}

/* Pieces of three entries, of which as many fit the cache as of four, or not. */
static void test_zen_again(void **state) {
  static const char other[] = "pieces of three entries tell another number of ways";
  struct hw_curves curves;

  (void)state;
  for (int ways = 7; ways <= 9; ways++) {
    struct hw_curve curve;
    draw_zen(&curves);
    hw_curve_init(&curve, "icache_triple_stride_32768", "x", "y");
    for (int x = 1; x <= 16; x++)
      put_point(&curve, x, 25 + 0.3 * x + (x > ways ? 2 * (x - ways) : 0), 0.002, 12);
    put_curve(&curves, curve);
    assert_true(hw_value_l1i_assoc(&curves).known == (ways == 8));
    assert_true(hw_value_l1i_bytes(&curves).known == (ways == 8));
    if (ways != 8)
      assert_string_equal(hw_value_l1i_assoc(&curves).why, other);
    hw_curves_free(&curves);
  }
}

static void test_decoded(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.pair = 4;
  assert_nothing(shape, "the length changes with the entries to a piece");
}

static void test_tlb(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.far = 33;
  assert_nothing(shape, "pieces that leave the set still miss");
}

/* A search that took 8 pieces at 4 KiB for all that there are at 2 KiB and less. */
static void test_half(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.half = 34;
  assert_nothing(shape, "half of its stride does not leave the set");
}

static void test_half_missing(void **state) {
  struct shape shape = SOUND;
  struct hw_curves curves;
  struct hw_curve *offset;

  (void)state;
  draw(&curves, shape);
  offset = (struct hw_curve *)(uintptr_t)hw_curves_get(&curves, "icache_offset");
  offset->n--;
  assert_false(hw_value_l1i_bytes(&curves).known);
  assert_string_equal(hw_value_l1i_bytes(&curves).why, "half of its stride was not tried");
  hw_curves_free(&curves);
}

/* A search that took too few ways. */
static void test_few(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.full = 24;
  assert_nothing(shape, "an overfull set does not clearly miss");
}

static void test_targets(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.near = 24;
  assert_nothing(shape, "pieces of code in one line count as several");
}

static void test_cheap(void **state) {
  struct shape shape = SOUND;

  (void)state;
  shape.miss = shape.more = 26;
  assert_nothing(shape, "a miss costs less than a cache behind it could");
}

/* Some pieces were still there: only the penalty is not known. */
static void test_not_all_miss(void **state) {
  struct shape shape = SOUND;
  struct hw_curves curves;

  (void)state;
  shape.more = 40;
  draw(&curves, shape);
  known_is(hw_value_l1i_bytes(&curves), 32768);
  assert_false(hw_value_l1i_miss(&curves).known);
  hw_curves_free(&curves);
}

/* What a visit costs had changed since the strides were measured: what counts is that of the same
   rounds.  Some more of many pieces cost a little more. */
static void test_same_rounds(void **state) {
  struct shape shape = SOUND;
  struct hw_curves curves;

  (void)state;
  shape.hit = 26;
  draw(&curves, shape);
  known_is(hw_value_l1i_miss(&curves), 11);
  hw_curves_free(&curves);
  shape.more = 37.3;
  draw(&curves, shape);
  known_is(hw_value_l1i_miss(&curves), 11.3);
  hw_curves_free(&curves);
  shape.more = 38; /* four times as much may be left */
  draw(&curves, shape);
  assert_false(hw_value_l1i_miss(&curves).known);
  hw_curves_free(&curves);
}

static void test_nothing(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  assert_false(hw_value_l1i_bytes(&curves).known);
  assert_false(hw_value_l1i_assoc(&curves).known);
  assert_false(hw_value_l1i_line(&curves).known);
  assert_false(hw_value_l1i_miss(&curves).known);
}

/* ---- simulated machines ---- */

/* bytes, ways, line: as they are; exact: they must be known.  Returns what a miss costs. */
static struct hw_answer check_machine(const char *side, double bytes, double ways, double line,
                                      bool exact) {
  struct hw_engine engine;
  char text[512];
  struct hw_answer answer[3], miss;
  const double truth[] = {bytes, ways, line};
  bool alone = strstr(side, "opcache") == NULL && strstr(side, "targets") == NULL;

  snprintf(text, sizeof text,
           "machine t\ncycle 0.3 ns\nlevel 1 bytes 32K ways 8 line 64 latency 4\n"
           "memory latency 200\npage bytes 4K placement random\n%s\n",
           side);
  engine = engine_of(text, "quick", (size_t)1 << 24);
  answer[0] = engine_row(&engine, "HW_L1I_BYTES");
  answer[1] = engine_row(&engine, "HW_L1I_ASSOC");
  answer[2] = engine_row(&engine, "HW_L1I_LINE");
  for (size_t i = 0; i < COUNT(answer); i++) {
    assert_true(answer[i].known || !exact);
    if (answer[i].known)
      assert_true(fabs(answer[i].value - truth[i]) < 0.5);
  }
  miss = engine_row(&engine, "HW_L1I_MISS");
  if (exact && alone && miss.known)
    assert_true(fabs(miss.value - strtod(strstr(side, "miss ") + 5, NULL)) < 0.5);
  engine_close(&engine);
  return miss;
}

static void test_machine_plain(void **state) {
  (void)state;
  check_machine("icache bytes 32K ways 8 line 64 miss 14", 32768, 8, 64, true);
  check_machine("icache bytes 48K ways 3 line 64 miss 9", 49152, 3, 64, true);
  check_machine("icache bytes 32K ways 2 line 32 miss 9 policy random", 32768, 2, 32, true);
}

/* Parts smaller than the first stride. */
static void test_machine_many_ways(void **state) {
  (void)state;
  check_machine("icache bytes 16K ways 32 line 32 miss 25", 16384, 32, 32, true);
  check_machine("icache bytes 32K ways 128 line 128 miss 10", 32768, 128, 128, true);
}

/* Branch targets overflow first, and their number stays from a small stride on. */
static void test_machine_targets(void **state) {
  (void)state;
  check_machine("icache bytes 64K ways 2 line 64 miss 14\n"
                "targets entries 512 ways 4 miss 3",
                65536, 2, 64, true);
}

/* Decoded instructions and branch targets overflow first. */
static void test_machine_decoded(void **state) {
  (void)state;
  check_machine("icache bytes 64K ways 16 line 64 miss 14 policy plru\n"
                "opcache bytes 32K ways 8 line 64 miss 4\n"
                "targets entries 4096 ways 8 miss 2",
                65536, 16, 64, true);
  check_machine("icache bytes 64K ways 4 line 64 miss 12\n"
                "opcache bytes 16K ways 8 line 64 miss 3\n"
                "targets entries 512 ways 4 miss 4",
                65536, 4, 64, true);
}

/* Decoded instructions outlast the cache: with one entry to a piece, as those of Zen 4 and Zen 5.
 */
static void test_machine_outlasted(void **state) {
  (void)state;
  check_machine("icache bytes 32K ways 8 line 64 miss 12\n"
                "opcache bytes 48K ways 12 line 64 miss 2 shields 1",
                32768, 8, 64, true);
  check_machine("icache bytes 32K ways 8 line 64 miss 12 policy plru\n"
                "opcache bytes 64K ways 16 line 64 miss 2 shields 1 policy plru\n"
                "targets entries 4096 ways 8 miss 2",
                32768, 8, 64, true);
  /* What is decoded has sets that come again later than the cache's. */
  check_machine("icache bytes 32K ways 8 line 64 miss 12\n"
                "opcache bytes 128K ways 16 line 64 miss 2 shields 1",
                32768, 8, 64, false);
  check_machine("icache bytes 64K ways 4 line 128 miss 12\n"
                "opcache bytes 24K ways 6 line 64 miss 2 shields 1",
                65536, 4, 128, false);
  check_machine("icache bytes 32K ways 8 line 64 miss 12\n"
                "opcache bytes 32K ways 8 line 64 miss 2 shields 1",
                32768, 8, 64, true);
}

/* The next line is fetched too, where it begins near enough: half of a set shifted by one line then
   meets lines of the other half, and some of it still misses. */
static void test_machine_next_line(void **state) {
  (void)state;
  check_machine("icache bytes 32K ways 8 line 64 miss 12 ahead 32\n"
                "opcache bytes 48K ways 12 line 64 miss 2 shields 1",
                32768, 8, 64, true);
  check_machine("icache bytes 32K ways 8 line 64 miss 12 policy plru ahead 32\n"
                "opcache bytes 64K ways 16 line 64 miss 2 shields 1 policy plru",
                32768, 8, 64, true);
  check_machine("icache bytes 32K ways 8 line 64 miss 12 ahead 64\n"
                "opcache bytes 48K ways 12 line 64 miss 2 shields 1",
                32768, 8, 64, false);
  check_machine("icache bytes 32K ways 8 line 64 miss 14 ahead 32", 32768, 8, 64, false);
  check_machine("icache bytes 64K ways 4 line 128 miss 12 ahead 64\n"
                "opcache bytes 24K ways 6 line 64 miss 2 shields 1",
                65536, 4, 128, false);
}

/* What has a place for each of some pages of code, as a TLB: pieces that all miss the cache, and
   what is decoded, are no more. */
static void test_machine_few_pages(void **state) {
  struct hw_answer miss = check_machine("icache bytes 32K ways 8 line 64 miss 12\n"
                                        "opcache bytes 48K ways 12 line 64 miss 2 shields 1\n"
                                        "targets entries 52 ways 52 miss 8",
                                        32768, 8, 64, true);

  (void)state;
  assert_true(miss.known);
  assert_true(fabs(miss.value - 14) < 0.5);
}

/* Decoded instructions hold the sets of a smaller cache, as many pieces as that has ways. */
static void test_machine_hidden(void **state) {
  (void)state;
  check_machine("icache bytes 16K ways 8 line 64 miss 18 policy random\n"
                "opcache bytes 32K ways 8 line 64 miss 5 policy random shields 1",
                16384, 8, 64, false);
}

/* Decoded instructions that are told by less than a line are not taken for the cache. */
static void test_machine_windows(void **state) {
  (void)state;
  check_machine("icache bytes 32K ways 4 line 64 miss 12\n"
                "opcache bytes 192K ways 24 line 32 miss 8 shields 1",
                32768, 4, 64, false);
  check_machine("icache bytes 8K ways 4 line 64 miss 8 policy plru\n"
                "opcache bytes 128K ways 16 line 32 miss 8 policy random shields 1\n"
                "targets entries 1024 ways 4 miss 3",
                8192, 4, 64, false);
}

/* What cannot be told is unknown. */
static void test_machine_unclear(void **state) {
  (void)state;
  check_machine("icache bytes 192K ways 6 line 64 miss 15\n"
                "targets entries 1024 ways 4 miss 2",
                196608, 6, 64, false);
  check_machine("icache bytes 64K ways 4 line 64 miss 12 index physical", 65536, 4, 64, false);
  check_machine("icache bytes 32K ways 8 line 64 miss 6\n"
                "opcache bytes 8K ways 4 line 64 miss 6",
                32768, 8, 64, false);
  check_machine("icache bytes 24K ways 2 line 64 miss 12", 24576, 2, 64, false);
}

/* ---- the real machine's pieces ---- */

static void test_pieces(void **state) {
  const char *error;
  struct hw_machine *machine = hw_machine_real(NULL, &error);
  const size_t *position;
  size_t n, order[4 * HW_GRAIN];

  (void)state;
  assert_non_null(machine);
  position = machine->ops->code(machine, &n);
  if (position != NULL) {
    assert_true(n > 0);
    for (size_t i = 1; i < n; i++)
      assert_true(position[i - 1] < position[i]);
    for (size_t i = 0; i < COUNT(order); i++)
      order[i] = i * 7 % n;
    assert_int_equal(machine->ops->code_link(machine, order, COUNT(order)), 0);
    assert_int_equal(machine->ops->code_walk(machine, HW_GRAIN), 0);
    assert_int_equal(machine->ops->code_walk(machine, 100 * HW_GRAIN), 0);
  }
  machine->ops->close(machine);
}

#ifdef __GNUC__

/* Jumps from two places. */
static unsigned twice(hw_code_piece *const *visit, size_t n) {
  unsigned sum = 0;

  for (size_t i = 0; i + 1 < n; i += 2) {
    sum += visit[i]();
    sum += visit[i + 1]();
  }
  return n % 2 == 0 ? sum : sum + visit[n - 1]();
}

/* What jumps to the pieces does so from one place, whatever loops are unrolled, and no piece shares
   a set with it. */
static void test_jumps(void **state) {
  struct hw_code code = {0};
  size_t n;

  (void)state;
  assert_false(code_single(twice));
#if !defined __clang__ && __GNUC__ >= 8
  assert_true(code_single(code_jumps));
  assert_true(code_single(code_leaps));
#endif
  if (hw_code_list(&code, &n) != NULL) {
    size_t at = (size_t)((uintptr_t)code.jumps - (uintptr_t)code.piece[0]) + code.position[0];
    assert_true(code_single(code.jumps));
    for (size_t i = 0; i < n; i++)
      assert_true((code.position[i] - at) % CODE_WAY >= code_span(code.jumps));
  }
  hw_code_free(&code);
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_toe_one),
      cmocka_unit_test(test_toe_falls),
      cmocka_unit_test(test_toe_two),
      cmocka_unit_test(test_toe_none),
      cmocka_unit_test(test_toe_slow),
      cmocka_unit_test(test_toe_control),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_zen),
      cmocka_unit_test(test_zen_unclear),
      cmocka_unit_test(test_zen_next_line),
      cmocka_unit_test(test_zen_again),
      cmocka_unit_test(test_decoded),
      cmocka_unit_test(test_tlb),
      cmocka_unit_test(test_half),
      cmocka_unit_test(test_half_missing),
      cmocka_unit_test(test_few),
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_cheap),
      cmocka_unit_test(test_not_all_miss),
      cmocka_unit_test(test_same_rounds),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_machine_plain),
      cmocka_unit_test(test_machine_many_ways),
      cmocka_unit_test(test_machine_targets),
      cmocka_unit_test(test_machine_decoded),
      cmocka_unit_test(test_machine_hidden),
      cmocka_unit_test(test_machine_next_line),
      cmocka_unit_test(test_machine_few_pages),
      cmocka_unit_test(test_pieces),
#ifdef __GNUC__
      cmocka_unit_test(test_jumps),
#endif
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_machine_windows),
      cmocka_unit_test(test_machine_unclear),
      cmocka_unit_test(test_machine_outlasted),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests_name("icache", long_tests, NULL, NULL);
  return cmocka_run_group_tests_name("icache", tests, NULL, NULL);
}
