/* The instruction cache: the toe of a rise, and the whole probe on simulated machines. */
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

/* ---- simulated machines ---- */

#define ICACHE(bytes, ways, line, more)                                                            \
  "icache bytes " bytes " ways " ways " line " line " " more "\n"
#define SHIELDS(bytes, ways) "opcache bytes " bytes " ways " ways " line 64 miss 2 shields 1"

/* Instruction caches, with what is to come out, or may be unknown where it is not exact. */
static const struct {
  const char *side;
  double bytes;
  double ways;
  double line;
  bool exact;
  double miss; /* known, too; 0: if it is known, that of the cache where there is nothing else */
  bool takes_long;
} machines[] = {
    {ICACHE("32K", "8", "64", "miss 14"), 32768, 8, 64, true, 0, false},
    {ICACHE("48K", "3", "64", "miss 9"), 49152, 3, 64, true, 0, false},
    {ICACHE("32K", "2", "32", "miss 9 policy random"), 32768, 2, 32, true, 0, false},
    /* Parts smaller than the first stride. */
    {ICACHE("16K", "32", "32", "miss 25"), 16384, 32, 32, true, 0, false},
    {ICACHE("32K", "128", "128", "miss 10"), 32768, 128, 128, true, 0, false},
    /* Branch targets overflow first, and their number stays from a small stride on. */
    {ICACHE("64K", "2", "64", "miss 14") "targets entries 512 ways 4 miss 3", 65536, 2, 64, true, 0,
     false},
    /* Decoded instructions and branch targets overflow first. */
    {ICACHE("64K", "16", "64", "miss 14 policy plru") "opcache bytes 32K ways 8 line 64 miss 4\n"
                                                      "targets entries 4096 ways 8 miss 2",
     65536, 16, 64, true, 0, false},
    {ICACHE("64K", "4", "64", "miss 12") "opcache bytes 16K ways 8 line 64 miss 3\n"
                                         "targets entries 512 ways 4 miss 4",
     65536, 4, 64, true, 0, false},
    /* The next line is fetched too, where it begins near enough: half of a set shifted by one line
       then meets lines of the other half, and some of it still misses. */
    {ICACHE("32K", "8", "64", "miss 12 ahead 32") SHIELDS("48K", "12"), 32768, 8, 64, true, 0,
     false},
    {ICACHE("32K", "8", "64", "miss 12 policy plru ahead 32") SHIELDS("64K", "16") " policy plru",
     32768, 8, 64, true, 0, false},
    {ICACHE("32K", "8", "64", "miss 12 ahead 64") SHIELDS("48K", "12"), 32768, 8, 64, false, 0,
     false},
    {ICACHE("32K", "8", "64", "miss 14 ahead 32"), 32768, 8, 64, false, 0, false},
    {ICACHE("64K", "4", "128", "miss 12 ahead 64") SHIELDS("24K", "6"), 65536, 4, 128, false, 0,
     false},
    /* What has a place for each of some pages of code, as a TLB: pieces that all miss the cache,
       and what is decoded, are no more. */
    {ICACHE("32K", "8", "64", "miss 12") SHIELDS("48K", "12") "\ntargets entries 52 ways 52 miss 8",
     32768, 8, 64, true, 14, false},
    /* Decoded instructions hold the sets of a smaller cache, as many pieces as that has ways. */
    {ICACHE(
         "16K", "8", "64",
         "miss 18 policy random") "opcache bytes 32K ways 8 line 64 miss 5 policy random shields 1",
     16384, 8, 64, false, 0, false},
    /* Decoded instructions outlast the cache: with one entry to a piece, as those of Zen 4 and 5.
     */
    {ICACHE("32K", "8", "64", "miss 12") SHIELDS("48K", "12"), 32768, 8, 64, true, 0, true},
    {ICACHE("32K", "8", "64", "miss 12 policy plru")
         SHIELDS("64K", "16") " policy plru\ntargets entries 4096 ways 8 miss 2",
     32768, 8, 64, true, 0, true},
    {ICACHE("32K", "8", "64", "miss 12") SHIELDS("32K", "8"), 32768, 8, 64, true, 0, true},
    /* What is decoded has sets that come again later than the cache's. */
    {ICACHE("32K", "8", "64", "miss 12") SHIELDS("128K", "16"), 32768, 8, 64, false, 0, true},
    {ICACHE("64K", "4", "128", "miss 12") SHIELDS("24K", "6"), 65536, 4, 128, false, 0, true},
    /* Decoded instructions that are told by less than a line are not taken for the cache. */
    {ICACHE("32K", "4", "64", "miss 12") "opcache bytes 192K ways 24 line 32 miss 8 shields 1",
     32768, 4, 64, false, 0, true},
    {ICACHE(
         "8K", "4", "64",
         "miss 8 policy plru") "opcache bytes 128K ways 16 line 32 miss 8 policy random shields 1\n"
                               "targets entries 1024 ways 4 miss 3",
     8192, 4, 64, false, 0, true},
    /* What cannot be told is unknown. */
    {ICACHE("192K", "6", "64", "miss 15") "targets entries 1024 ways 4 miss 2", 196608, 6, 64,
     false, 0, true},
    {ICACHE("64K", "4", "64", "miss 12 index physical"), 65536, 4, 64, false, 0, true},
    {ICACHE("32K", "8", "64", "miss 6") "opcache bytes 8K ways 4 line 64 miss 6", 32768, 8, 64,
     false, 0, true},
    {ICACHE("24K", "2", "64", "miss 12"), 24576, 2, 64, false, 0, true},
};

/* A row of machine i: that value, within a half, or unknown where it need not be known. */
static void check_row(struct hw_engine *engine, size_t i, const char *row, double value,
                      bool known) {
  struct hw_answer answer = engine_row(engine, row);

  if (answer.known ? fabs(answer.value - value) >= 0.5 : known)
    fail_msg("%s: %s is %g instead of %g: %s", machines[i].side, row, answer.value, value,
             answer.known ? "" : answer.why);
}

static void test_machines(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(machines); i++) {
    const char *side = machines[i].side;
    bool alone = machines[i].exact && !strstr(side, "opcache") && !strstr(side, "targets");
    double miss = alone ? strtod(strstr(side, "miss ") + 5, NULL) : machines[i].miss;
    struct hw_engine engine;
    char text[512];
    if (machines[i].takes_long != hw_long_wanted())
      continue;
    snprintf(text, sizeof text,
             "machine t\ncycle 0.3 ns\nlevel 1 bytes 32K ways 8 line 64 latency 4\n"
             "memory latency 200\npage bytes 4K placement random\n%s\n",
             side);
    engine = engine_of(text, "quick", (size_t)1 << 24);
    check_row(&engine, i, "HW_L1I_BYTES", machines[i].bytes, machines[i].exact);
    check_row(&engine, i, "HW_L1I_ASSOC", machines[i].ways, machines[i].exact);
    check_row(&engine, i, "HW_L1I_LINE", machines[i].line, machines[i].exact);
    if (miss > 0)
      check_row(&engine, i, "HW_L1I_MISS", miss, machines[i].miss > 0);
    engine_close(&engine);
  }
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
      cmocka_unit_test(test_toe_one),     cmocka_unit_test(test_toe_two),
      cmocka_unit_test(test_toe_none),    cmocka_unit_test(test_toe_slow),
      cmocka_unit_test(test_toe_control), cmocka_unit_test(test_machines),
      cmocka_unit_test(test_pieces),
#ifdef __GNUC__
      cmocka_unit_test(test_jumps),
#endif
  };
  const struct CMUnitTest long_tests[] = {cmocka_unit_test(test_machines)};

  if (hw_long_wanted())
    return cmocka_run_group_tests_name("icache", long_tests, NULL, NULL);
  return cmocka_run_group_tests_name("icache", tests, NULL, NULL);
}
