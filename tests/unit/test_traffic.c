/* Traffic between the levels: misses in flight on random curves, and probes on simulated machines.
 */
#include "probes/bench/random.h"
#include "probes/data/traffic.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A curve of latency cycles a miss, most of them in flight, with noise of that share. */
static void chains(struct hw_curve *curve, double latency, double most, double noise,
                   struct hw_random *random) {
  hw_curve_init(curve, "parallel", "x", "y");
  for (unsigned k = 1; k <= 64; k += k < 32 ? k : 2) {
    double g = 0;
    for (int i = 0; i < 12; i++)
      g += hw_random_unit(random) - 0.5;
    put_point(curve, k, latency / fmin(k, most) * (1 + noise * g), noise, 12);
  }
}

static void test_sustained(void **state) {
  static const double most[] = {1, 2, 3, 4.5, 6, 8, 10, 12.3, 16, 20, 24, 32};
  struct hw_random random = {1};

  (void)state;
  for (size_t i = 0; i < COUNT(most); i++) {
    struct hw_curve curve;
    struct hw_answer answer;
    chains(&curve, 300, most[i], 0, &random);
    answer = hw_reduce_sustained(&curve);
    assert_true(answer.known && fabs(answer.value - most[i]) < 1e-6);
    assert_true(answer.low > answer.value - 1e-6 && answer.high < answer.value + 0.1);
    hw_curve_free(&curve);
  }
}

/* With noise: always known, and hardly off. */
static void test_sustained_noise(void **state) {
  struct hw_random random = {7};

  (void)state;
  for (int i = 0; i < 400; i++) {
    struct hw_curve curve;
    struct hw_answer answer;
    double most = 4 + i % 20;
    chains(&curve, 300, most, 0.02, &random);
    answer = hw_reduce_sustained(&curve);
    assert_true(answer.known && fabs(answer.value - most) < 0.1 * most);
    hw_curve_free(&curve);
  }
}

/* A step, beyond which more are in flight: the range is that of both; and, with noise, one chain
   for each miss always falls. */
static void test_sustained_step(void **state) {
  struct hw_random random = {3};
  struct hw_answer answer;
  struct hw_curve curve;

  (void)state;
  chains(&curve, 553, 18.6, 0.01, &random);
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i].y *= curve.point[i].x > 47 ? 0.86 : 1;
  answer = hw_reduce_sustained(&curve);
  assert_true(answer.known && answer.low < 18.7 && answer.high > 18.6 / 0.86);
  hw_curve_free(&curve);
  for (int i = 0; i < 400; i++) {
    chains(&curve, 300, 64, 0.02, &random);
    assert_false(hw_reduce_sustained(&curve).known);
    hw_curve_free(&curve);
  }
}

/* An engine that waits, and measures again, without a limit. */
static struct hw_engine patient(const char *text) {
  struct hw_engine engine = engine_of(text, "quick", (size_t)256 << 20);

  engine.bench.effort.patience = engine.bench.effort.wait = INFINITY;
  return engine;
}

/* Level 1 and its line are not known where it is indexed by physical addresses: the other levels,
   memory and their rates are, off loads that are farther apart than any line. */
static void test_without_line(void **state) {
  struct hw_engine engine =
      patient("machine physical\n"
              "cycle 1 ns\n"
              "level 1 bytes 32K ways 4 line 64 latency 4 policy lru index physical\n"
              "level 2 bytes 256K ways 8 line 64 latency 12 policy lru independent\n"
              "memory latency 400 parallel 8\n"
              "tlb 1 entries 64 miss 5\n"
              "page bytes 4K placement random\n");
  struct hw_answer memory;

  (void)state;
  engine.bench.memory = (size_t)64 << 20;
  assert_false(engine_row(&engine, "HW_L1_LINE").known);
  assert_int_equal((int)engine_row(&engine, "HW_CACHE_LEVELS").value, 2);
  assert_int_equal((int)engine_row(&engine, "HW_L2_LAT").value, 12);
  memory = engine_row(&engine, "HW_MEM_LAT");
  assert_true(memory.known && memory.low <= 400 && memory.high >= 400);
  assert_int_equal((int)round(engine_row(&engine, "HW_MEM_PARALLEL").value), 8);
  assert_true(engine_row(&engine, "HW_L1_READ_MBS").known);
  assert_true(engine_row(&engine, "HW_MEM_READ_MBS").known);
  assert_int_equal((int)engine_row(&engine, "HW_L1_WRITE_ALLOCATE").value, 1);
  engine_close(&engine);
}

#define FIRA(levels)                                                                               \
  "machine  Small\ncycle 1 ns\ntlb 1 entries 64 miss 5\npage bytes 4K placement "                  \
  "contiguous\n" levels
#define FIRA_TWO                                                                                   \
  FIRA("level 1  bytes 32K ways 4 line 64 latency 3\nmemory latency 100\n"                         \
       "level 2  bytes 256K ways 8 line 64 latency 12\n")
#define FIRA_THREE                                                                                 \
  FIRA(                                                                                            \
      "level 1  bytes 8K ways 4 line 64 latency 4\nlevel 2  bytes 64K ways 8 line 64 latency 13\n" \
      "level 3  bytes 512K ways 16 line 64 latency 45\nmemory latency 220\n")

#define FIRA_LONG                                                                                  \
  FIRA("level 1  bytes 16K ways 4 line 64 latency 4\nlevel 2  bytes 64K ways 8 line 128 latency "  \
       "13\nlevel 3  bytes 512K ways 16 line 128 latency 45\nmemory latency 220\n")

/* The whole way on simulated machines: 9 cycles more in level 2, 32 more in level 3, and 175 more
   in memory, also where lines of these are longer than those of level 1; and where there is no
   level 3, or an array that this cannot hold is too large. */
static void test_fira_probe(void **state) {
  static const struct {
    const char *text;
    size_t memory;
    double two, three; /* 0: unknown */
  } sample[] = {{FIRA_TWO, (size_t)64 << 20, 88, 0},
                {FIRA_THREE, (size_t)64 << 20, 32, 175},
                {FIRA_LONG, (size_t)64 << 20, 32, 175},
                {FIRA_THREE, (size_t)1 << 20, 32, 0}};

  (void)state;
  for (size_t i = 0; i < COUNT(sample); i++) {
    struct hw_engine engine = patient(sample[i].text);
    struct hw_answer one, two, three;

    assert_true(engine_row(&engine, "HW_CACHE_LEVELS").known);
    engine.bench.memory = sample[i].memory;
    one = engine_row(&engine, "HW_L1_MISS_FIRA");
    two = engine_row(&engine, "HW_L2_MISS_FIRA");
    three = engine_row(&engine, "HW_L3_MISS_FIRA");
    assert_true(one.known && fabs(one.value - 9) < 0.5);
    assert_true(two.known && fabs(two.value - sample[i].two) < 3);
    assert_true(three.known == (sample[i].three > 0) && (three.known || three.settled));
    assert_true(!three.known || fabs(three.value - sample[i].three) < 3);
    engine_close(&engine);
  }
}

static int no_bypass(struct hw_machine *machine, struct hw_memory *memory, size_t bytes) {
  (void)machine;
  (void)memory;
  (void)bytes;
  return -1;
}

/* The row on a machine whose level 2 has 256 KiB, with that memory allowed for it, and stores that
   bypass the caches or none: unknown for that reason, or without one around half of level 2, which
   source and copy fit up to there; of what is larger all is then in memory. */
static void bypass_at(size_t memory, bool stores, const char *why) {
  struct hw_engine engine = patient("machine  Small\ncycle 1 ns\nmemory latency 100\n"
                                    "level 1  bytes 32K ways 4 line 64 latency 3\n"
                                    "level 2  bytes 256K ways 8 line 64 latency 12\n"
                                    "tlb 1    entries 64 miss 5\npage bytes 4K\n");
  struct hw_machine_ops ops = *engine.bench.machine->ops;
  struct hw_answer answer;

  assert_true(engine_row(&engine, "HW_CACHE_LEVELS").known);
  ops.bypass = stores ? ops.bypass : no_bypass;
  engine.bench.machine->ops = &ops;
  engine.bench.memory = memory;
  answer = engine_row(&engine, "HW_STREAM_BYTES");
  if (why != NULL)
    check_unknown(answer, why);
  else
    assert_true(answer.known && answer.low < 131072 * sqrt(2) && answer.high > 131072);
  engine_close(&engine);
}

static void test_bypass_probe(void **state) {
  (void)state;
  bypass_at((size_t)256 << 20, true, NULL);
  bypass_at((size_t)256 << 20, false, "the compiler has no stores that bypass the caches");
  bypass_at(65536, true, "a copy that no cache holds is larger than the memory allowed");
}

/* On a machine with these two levels, and such noise: whether each brings in what is stored to.
   Without noise that has to be known, and with noise where the levels are.  How many are. */
static int allocates(const char *one, const char *two, const char *noise, bool first, bool second) {
  static const char *const row[] = {"HW_L1_WRITE_ALLOCATE", "HW_L2_WRITE_ALLOCATE"};
  const bool right[] = {first, second};
  struct hw_engine engine;
  char text[1024];
  int known = 0;

  snprintf(text, sizeof text,
           "machine  Small\ncycle 0.5 ns\nclock step 1ns cost 20ns\nmemory latency 200\n"
           "level 1  bytes 32K ways 8 line 64 latency 4 %s\n"
           "level 2  bytes 256K ways 8 line 64 latency 14 %s\n"
           "tlb 1    entries 64 miss 7\npage bytes 4K\n%s",
           one, two, noise);
  engine = patient(text);
  for (size_t i = 0; i < 2; i++) {
    struct hw_answer answer = engine_row(&engine, row[i]);
    if (!answer.known)
      print_message("%s, %s, %s%s: %s\n", one, two, noise, row[i], answer.why);
    assert_true(answer.known || (noise[0] != '\0' && (strstr(answer.why, "levels are not clear") ||
                                                      strstr(answer.why, " is unknown"))));
    assert_true(!answer.known || (answer.value > 0.5) == right[i]);
    known += answer.known;
  }
  engine_close(&engine);
  return known;
}

static void test_write_probe(void **state) {
  (void)state;
  assert_int_equal(allocates("", "exclusive", "", true, true), 2);
  assert_int_equal(allocates("through around", "", "", false, true), 2);
}

static void test_write_probe_beside(void **state) {
  static const char *const noise[] = {"", "noise process computing 2ms 2ms\nseed 3\n",
                                      "noise jitter 5% bursts 200us 2000us 3\nseed 3\n"};
  int known = 0;

  (void)state;
  for (size_t i = 0; i < COUNT(noise); i++) {
    known += allocates("", "", noise[i], true, true);
    known += allocates("through around", "", noise[i], false, true);
    known += allocates("through around", "through around", noise[i], false, false);
    known += allocates("", "through policy plru", noise[i], true, true);
    known += allocates("policy random", "inclusive", noise[i], true, true);
    known += allocates("", "exclusive", noise[i], true, true);
  }
  print_message("%d of 36 known\n", known);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sustained),      cmocka_unit_test(test_sustained_noise),
      cmocka_unit_test(test_sustained_step), cmocka_unit_test(test_without_line),
      cmocka_unit_test(test_fira_probe),     cmocka_unit_test(test_write_probe),
      cmocka_unit_test(test_bypass_probe)};
  const struct CMUnitTest long_tests[] = {cmocka_unit_test(test_write_probe_beside)};

  if (hw_long_wanted())
    return cmocka_run_group_tests(long_tests, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
