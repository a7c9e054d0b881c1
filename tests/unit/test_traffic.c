/* Traffic between the levels: the reductions on synthetic curves, the values on literal ones, and
   the probe of reverse access on a simulated machine. */
#include "analysis/fit.h"
#include "probes/bench/random.h"
#include "probes/data/traffic.h"
#include "tests/unit/another.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void publish(struct hw_curves *curves, const char *name, const double (*point)[2],
                    size_t n) {
  put_curve(curves, curve_of(name, point, n, 0.001, 12));
}

/* ---- Sustained ------------------------------------------------------------------------------- */

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

static void sustained_unknown(const struct hw_curve *curve, const char *why) {
  struct hw_answer answer = hw_reduce_sustained(curve);

  assert_false(answer.known);
  assert_string_equal(answer.why, why);
}

static void test_sustained_none(void **state) {
  struct hw_random random = {1};
  struct hw_curve curve;
  size_t n;

  (void)state;
  chains(&curve, 300, 60, 0, &random); /* more in flight than there are chains */
  sustained_unknown(&curve, "it still falls at its end");
  hw_curve_free(&curve);
  chains(&curve, 300, 10, 0, &random);
  n = curve.n;
  curve.n = 3;
  sustained_unknown(&curve, "too few points");
  curve.n = 4; /* at 1, 2, 4 and 8: two in no half of the flat part */
  sustained_unknown(&curve, "too few points");
  curve.n = 0;
  sustained_unknown(&curve, "too few points");
  curve.n = n;
  for (size_t i = n - 8; i < n; i++)
    curve.point[i].y *= 1.2;
  assert_true(hw_reduce_sustained(&curve).low < 8.4);
  for (size_t i = n - 8; i < n; i++)
    curve.point[i].y *= 2;
  sustained_unknown(&curve, "its rounds differ by more than a factor of two");
  curve.point[0].y = 0;
  sustained_unknown(&curve, "not positive");
  curve.point[0].x = 0.5;
  sustained_unknown(&curve, "too few points");
  hw_curve_free(&curve);
}

/* ---- Rate ------------------------------------------------------------------------------------ */

static void test_rate(void **state) {
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "rate", "x", "y");
  assert_false(hw_reduce_rate(&curve).known);
  put_point(&curve, 1, 100, 0.01, 12);
  assert_true(hw_reduce_rate(&curve).known);
  put_point(&curve, 2, 104, 0.01, 12);
  put_point(&curve, 3, 108, 0.01, 12);
  assert_true(fabs(hw_reduce_rate(&curve).value - 104) < 1e-9);
  /* The middle one, and not the average; how far off is the furthest. */
  put_point(&curve, 3, 113, 0.01, 12);
  assert_true(fabs(hw_reduce_rate(&curve).value - 104) < 1e-9);
  assert_true(fabs(hw_reduce_rate(&curve).error - 9) < 1);
  put_point(&curve, 4, 110, 0.01, 12);
  assert_true(fabs(hw_reduce_rate(&curve).value - 107) < 1e-9);
  put_point(&curve, 4, 140, 0.01, 12);
  assert_false(hw_reduce_rate(&curve).known);
  assert_true(hw_reduce_rate(&curve).settled);
  /* Noise may go away. */
  put_point(&curve, 4, 126, 0.2, 12);
  assert_false(hw_reduce_rate(&curve).known);
  assert_false(hw_reduce_rate(&curve).settled);
  hw_curve_free(&curve);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Two levels of cache, 32 KiB and 512 KiB, and memory, as hw_levels reads them. */
static void levels(struct hw_curves *curves) {
  static const double step[][2] = {
      {4096, 4},       {8192, 4},       {16384, 4},       {32768, 4},        {65536, 14},
      {131072, 14},    {262144, 14},    {524288, 14},     {1048576, 200},    {4194304, 200},
      {16777216, 200}, {67108864, 200}, {268435456, 200}, {1073741824, 200}, {4294967296, 200}};

  publish(curves, "levels", step, COUNT(step));
}

/* What is said of level 1 when a store costs so much in level 1, 2 and memory. */
static struct hw_answer back_of(double few, double one, double two, double memory) {
  const double point[][2] = {{512, few},    {8192, one},   {16384, one},
                             {131072, two}, {262144, two}, {4194304, memory}};
  struct hw_curves curves = {0};
  struct hw_answer answer;

  levels(&curves);
  publish(&curves, "write", point, COUNT(point));
  answer = hw_value_l1_write_back(&curves);
  hw_curves_free(&curves);
  return answer;
}

static void test_write_back(void **state) {
  (void)state;
  assert_true(back_of(1, 1, 4, 40).known);
  assert_true(back_of(1, 1, 4, 40).value > 0.5);
  /* As much in both, and not for the instructions. */
  assert_true(back_of(8, 8, 8, 40).known);
  assert_true(back_of(8, 8, 8, 40).value < 0.5);
  assert_true(back_of(1, 4, 4, 40).value < 0.5);
  /* Perhaps for the instructions; written through and brought in, or not. */
  assert_false(back_of(4, 4, 4, 40).known);
  assert_false(back_of(4, 4, 6, 40).known);
}

/* What is said of level 1 where stores do not tell, but so many of so many evictions of lines that
   were stored to took longer than those of loaded and of written-back ones. */
static struct hw_answer dirty_of(unsigned clean, unsigned washed, unsigned n) {
  static const double point[][2] = {{512, 4},    {8192, 4},   {16384, 4},
                                    {131072, 6}, {262144, 6}, {4194304, 40}};
  const struct hw_point share[] = {{.y = (double)clean / n, .count = n},
                                   {.x = 1, .y = (double)washed / n, .count = n}};
  struct hw_curves curves = {0};
  struct hw_answer answer;

  levels(&curves);
  publish(&curves, "write", point, COUNT(point));
  put_points(&curves, "write_dirty", share, 2);
  answer = hw_value_l1_write_back(&curves);
  assert_false(hw_value_l2_write_back(&curves).known && hw_value_l2_write_back(&curves).value < 1);
  hw_curves_free(&curves);
  return answer;
}

static void test_write_dirty(void **state) {
  (void)state;
  assert_true(dirty_of(160, 150, 200).known);
  assert_true(dirty_of(160, 150, 200).value > 0.5);
  assert_false(dirty_of(160, 130, 200).known); /* chance, or what washing changes besides */
  assert_false(dirty_of(130, 160, 200).known);
  assert_false(dirty_of(16, 15, 20).known);
}

/* What is said of level 1 when so many of so many samples hit after loads, stores and neither. */
static struct hw_answer allocate_of(unsigned loaded, unsigned stored, unsigned neither,
                                    unsigned n) {
  const struct hw_fit_counts counts = {n, {stored, n}, {loaded, n}, {neither, n}};
  struct hw_curves curves = {0};
  struct hw_curve fit, full;
  struct hw_answer answer;

  levels(&curves);
  hw_curve_init(&fit, "write_fit", "x", "y");
  hw_curve_init(&full, "write_full", "x", "y");
  assert_int_equal(hw_fit_put(&fit, &full, 1, &counts), 0);
  put_curve(&curves, fit);
  put_curve(&curves, full);
  answer = hw_value_l1_write_allocate(&curves);
  assert_false(hw_value_l2_write_allocate(&curves).known);
  hw_curves_free(&curves);
  return answer;
}

static void test_write_allocate(void **state) {
  (void)state;
  assert_true(allocate_of(48, 48, 0, 48).known);
  assert_true(allocate_of(48, 48, 0, 48).value > 0.5);
  assert_true(allocate_of(90, 60, 4, 96).value > 0.5);
  assert_true(allocate_of(48, 0, 0, 48).known);
  assert_true(allocate_of(48, 0, 0, 48).value < 0.5);
  /* Too few, some of them, or all alike. */
  assert_false(allocate_of(8, 8, 0, 8).known);
  assert_false(allocate_of(8, 0, 0, 8).known);
  assert_false(allocate_of(48, 15, 10, 48).known);
  assert_false(allocate_of(48, 48, 48, 48).known);
}

/* Pairs: the first load costs 200, the second so much below unit upwards and downwards, else 200.
 */
static struct hw_answer fetch_of(double up, double down, double part) {
  struct hw_curves curves = {0};
  struct hw_answer answer;
  struct hw_curve curve;

  levels(&curves);
  hw_curve_init(&curve, "fetch", "x", "y");
  for (double d = 8; d <= 1024; d *= 2) {
    put_point(&curve, d, (200 + (d < up ? 4 + part : 200)) / 2, 0.001, 12);
    put_point(&curve, -d, (200 + (d < down ? 4 + part : 200)) / 2, 0.001, 12);
  }
  put_curve(&curves, curve);
  answer = hw_value_fetch_bytes(&curves);
  hw_curves_free(&curves);
  return answer;
}

static void test_fetch(void **state) {
  (void)state;
  assert_true(fetch_of(64, 64, 0).known);
  assert_true(fabs(fetch_of(64, 64, 0).value - 64) < 0.5);
  assert_true(fabs(fetch_of(128, 128, 0).value - 128) < 0.5);
  /* The next line is fetched ahead: it is no part of the unit. */
  assert_true(fabs(fetch_of(128, 64, 0).value - 64) < 0.5);
  /* All come. */
  assert_false(fetch_of(4096, 4096, 0).known);
}

/* The size from which on bypassing pays, off n sizes from 1 MiB on, two an octave.  An octave is a
   little more than a factor of two, as where sizes are rounded. */
static struct hw_answer bypass_of(const double *ratio, size_t n, double spread) {
  struct hw_curves curves = {0};
  struct hw_answer answer;
  struct hw_curve curve;

  hw_curve_init(&curve, "bypass", "x", "y");
  for (size_t i = 0; i < n; i++)
    put_point(&curve, 1048576 * pow(2.0001, (double)i / 2), ratio[i], spread, 3);
  put_curve(&curves, curve);
  answer = hw_value_stream_bytes(&curves);
  hw_curves_free(&curves);
  return answer;
}

static void test_bypass(void **state) {
  static const double falls[] = {2, 1.2, 0.8, 0.7, 0.6}, rises[] = {2, 0.8, 1.2, 0.7, 0.6},
                      near[] = {2, 1.2, 1.02, 0.8, 0.6}, flat[] = {1.2, 1.03, 1.01, 0.98, 0.6},
                      never[] = {2, 1.5, 1.2}, ends[] = {2, 1.2, 0.99}, begins[] = {0.8, 0.7};
  struct hw_answer at = bypass_of(falls, COUNT(falls), 0.01);

  (void)state;
  known_is(at, 1048576 * 2.0001);
  assert_true(at.low < 1048576 * sqrt(2) && at.high > 2097152 && at.high < 2 * at.low);
  /* From a size on, whatever is below; noise moves it up, within the range. */
  known_is(bypass_of(rises, COUNT(rises), 0.01), 1048576 * pow(2.0001, 1.5));
  at = bypass_of(near, COUNT(near), 0.05);
  known_is(at, 1048576 * pow(2.0001, 1.5));
  assert_true(at.low < 1.001 * 1048576 * sqrt(2));
  /* Where both take as long over more than an octave, the range is one. */
  at = bypass_of(flat, COUNT(flat), 0.05);
  known_is(at, 1048576 * pow(2.0001, 2));
  assert_true(at.high < 2.001 * at.low && at.low < at.value / 1.9);
  check_unknown(bypass_of(ends, COUNT(ends), 0.05), "the largest copies take as long either way");
  check_unknown(bypass_of(begins, COUNT(begins), 0.01),
                "no size was seen at which an ordinary copy is the quicker one");
  at = bypass_of(never, COUNT(never), 0.01);
  check_unknown(at, "up to the largest copy that was timed an ordinary one is the quicker one");
  assert_true(at.settled);
  check_unknown(bypass_of(never, 0, 0), "its curve was not measured");
}

static void test_rates(void **state) {
  static const double point[][2] = {
      {8192, 0.02}, {16384, 0.02}, {131072, 0.05}, {262144, 0.05}, {16777216, 0.5}};
  struct hw_curves curves = {0};

  (void)state;
  assert_false(hw_value_l1_read_mbs(&curves).known);
  levels(&curves);
  publish(&curves, "bandwidth_read", point, COUNT(point));
  assert_true(fabs(hw_value_l1_read_mbs(&curves).value - 50000) < 1);
  assert_true(fabs(hw_value_l2_read_mbs(&curves).value - 20000) < 1);
  assert_true(fabs(hw_value_mem_read_mbs(&curves).value - 2000) < 1);
  assert_false(hw_value_l3_read_mbs(&curves).known);
  assert_true(hw_value_l3_read_mbs(&curves).settled);
  assert_false(hw_value_l2_copy_mbs(&curves).known);
  hw_curves_free(&curves);
}

/* Whether a rate has that value (MB/s), and a range up to that. */
static void rate_is(struct hw_answer rate, double value, double high) {
  assert_true(rate.known && fabs(rate.value - value) < 1);
  assert_true(fabs(rate.high / high - 1) < 0.01 && rate.low < value);
  assert_true(rate.high < 1.001 * HW_RANGE_WIDEST * rate.low);
}

/* Points of a level that others move are a range of rates; where no two looks agreed, the quickest
   may have been beside an SMT sibling. */
static void test_range(void **state) {
  static const double point[][2] = {
      {8192, 0.02}, {16384, 0.025}, {131072, 0.05}, {262144, 0.1}, {16777216, 0.5}};
  struct hw_curves curves = {0};
  const struct hw_curve *curve;

  (void)state;
  levels(&curves);
  publish(&curves, "bandwidth_copy", point, COUNT(point));
  curve = hw_curves_get(&curves, "bandwidth_copy");
  rate_is(hw_value_l1_copy_mbs(&curves), 1e3 / 0.0225, 1.1e3 / 0.02);
  curve->point[3].count = 1; /* it does not count */
  rate_is(hw_value_l2_copy_mbs(&curves), 20000, 22000);
  curve->point[2].count = 1;
  rate_is(hw_value_l2_copy_mbs(&curves), 20000, 20000 * sqrt(1.6 * 2));
  curve->point[4].count = 1;
  rate_is(hw_value_mem_copy_mbs(&curves), 2000, 2000 * sqrt(2));
  hw_curves_free(&curves);
}

static void test_fira(void **state) {
  static const double point[][2] = {{8192, 4},      {16384, 4},     {131072, 14},
                                    {262144, 14.2}, {1048576, 190}, {2097152, 200}};
  struct hw_curves curves = {0};

  (void)state;
  levels(&curves);
  publish(&curves, "fira", point, COUNT(point));
  assert_true(fabs(hw_value_l1_miss_fira(&curves).value - 10.1) < 0.01);
  assert_true(fabs(hw_value_l2_miss_fira(&curves).value - 180.9) < 0.01);
  hw_curves_free(&curves);
}

/* The hit's place lies past the middle of its plateau: it does not count; nor does a miss that
   costs no more than a hit. */
static void test_fira_place(void **state) {
  static const double past[][2] = {{8192, 4}, {16384, 4}, {32768, 90}, {131072, 14}, {262144, 14}};
  static const double flat[][2] = {{8192, 4}, {16384, 4}, {131072, 4}, {262144, 4}};
  struct hw_curves curves = {0};

  (void)state;
  levels(&curves);
  publish(&curves, "fira", past, COUNT(past));
  assert_true(fabs(hw_value_l1_miss_fira(&curves).value - 10) < 0.01);
  publish(&curves, "fira", flat, COUNT(flat));
  assert_false(hw_value_l1_miss_fira(&curves).known);
  hw_curves_free(&curves);
}

static void test_reasons(void **state) {
  static const char back[] = "its curve was not measured there";
  static const struct another another[] = {
      UNKNOWN(mem_read_mbs, "it may be one more cache, and not memory", "levels", {4096, 4},
              {8192, 4}, {16384, 4}, {32768, 4}, {65536, 14}, {131072, 14}, {262144, 14},
              {524288, 14}, {1048576, 60}, {2097152, 60}, {4194304, 60}),
      UNKNOWN(l1_read_mbs, "the levels are not clear", "levels", {4096, 4}, {8192, 4}),
      UNKNOWN(l1_read_mbs, back, "bandwidth_read", {131072, 0.05}),
      UNKNOWN(l1_read_mbs, "its rounds differ by more than a factor of two", "bandwidth_read",
              {8192, 0.02}, {16384, 0.05}),
      UNKNOWN(l1_write_back, back, "write", {512, 1}, {8192, 1}),
      UNKNOWN(l1_write_back, back, "write", {131072, 1}, {262144, 1}),
      UNKNOWN(l1_write_back, "it is not clear how much more a store costs in the next level",
              "write", {512, 1}, {8192, 1}, {131072, 2.5}, {262144, 2.5}),
      UNKNOWN(l1_write_back, "a store costs more in one of the two levels, but not much more",
              "write", {512, 1}, {8192, 1}, {131072, 2}, {262144, 2}),
      UNKNOWN(l1_write_back, "what a store costs may be hidden in both levels", "write", {512, 4},
              {8192, 4}, {131072, 4}, {262144, 4}),
      UNKNOWN(l1_write_allocate, "its curve was not measured", "none", {0}),
      UNKNOWN(fetch_bytes, "its curve or the levels were not measured", "none", {0}),
      UNKNOWN(fetch_bytes, "a distance was not measured", "fetch", {8, 102}, {1024, 200}),
      UNKNOWN(fetch_bytes, "a distance was not measured", "fetch", {-1024, 200}, {8, 102}),
      UNKNOWN(fetch_bytes, "the loads do not miss", "fetch", {-1024, 60}, {-8, 50}, {8, 50},
              {1024, 60}),
      UNKNOWN(fetch_bytes, "the loads do not miss", "fetch", {-1024, 110}, {-8, 102}, {8, 102},
              {1024, 110}),
      UNKNOWN(fetch_bytes, "a farther line was prefetched, and a nearer one was not", "fetch",
              {-1024, 200}, {-64, 200}, {-8, 102}, {8, 102}, {64, 200}, {1024, 200}),
      UNKNOWN(fetch_bytes, "some adjacent lines are fetched, and some are not", "fetch",
              {-1024, 200}, {-64, 150}, {-8, 102}, {8, 102}, {64, 150}, {1024, 200}),
      UNKNOWN(l1_miss_fira, "no working set lies in the level", "fira", {131072, 14}),
      UNKNOWN(l1_miss_fira, "no working set lies in the level", "fira", {8192, 4}),
      UNKNOWN(mem_parallel, "a single chain costs less than memory's latency", "parallel", {1, 100},
              {2, 50}, {4, 25}, {5, 25}, {6, 25}, {7, 25}, {8, 25}),
  };

  (void)state;
  check_another(levels, another, COUNT(another));
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

/* The whole way on a simulated machine: 9 cycles more in level 2, and 88 more in memory. */
static void test_fira_probe(void **state) {
  struct hw_engine engine;
  struct hw_answer one, two;

  (void)state;
  engine = patient("machine  Small\ncycle 1 ns\nmemory latency 100\n"
                   "level 1  bytes 32K ways 4 line 64 latency 3\n"
                   "level 2  bytes 256K ways 8 line 64 latency 12\n"
                   "tlb 1    entries 64 miss 5\npage bytes 4K\n");
  one = engine_row(&engine, "HW_L1_MISS_FIRA");
  two = engine_row(&engine, "HW_L2_MISS_FIRA");
  assert_true(one.known && fabs(one.value - 9) < 0.5);
  assert_true(two.known && fabs(two.value - 88) < 3);
  engine_close(&engine);
}

static int no_bypass(struct hw_machine *machine, struct hw_memory *memory, size_t bytes) {
  (void)machine;
  (void)memory;
  (void)bytes;
  return -1;
}

/* The row on a machine whose level 2 has 256 KiB, with that memory allowed for it, and stores that
   bypass the caches or none. */
static struct hw_answer bypass_at(size_t memory, bool stores) {
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
  engine_close(&engine);
  return answer;
}

/* Source and copy fit level 2 up to half of it; of what is larger all is then in memory. */
static void test_bypass_probe(void **state) {
  struct hw_answer answer = bypass_at((size_t)256 << 20, true);

  (void)state;
  assert_true(answer.known && answer.low < 131072 * sqrt(2) && answer.high > 131072);
  check_unknown(bypass_at((size_t)256 << 20, false),
                "the compiler has no stores that bypass the caches");
  check_unknown(bypass_at(65536, true),
                "a copy that no cache holds is larger than the memory allowed");
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
      cmocka_unit_test(test_sustained_step), cmocka_unit_test(test_sustained_none),
      cmocka_unit_test(test_rate),           cmocka_unit_test(test_write_back),
      cmocka_unit_test(test_write_dirty),    cmocka_unit_test(test_write_allocate),
      cmocka_unit_test(test_fetch),          cmocka_unit_test(test_rates),
      cmocka_unit_test(test_fira),           cmocka_unit_test(test_range),
      cmocka_unit_test(test_without_line),   cmocka_unit_test(test_fira_place),
      cmocka_unit_test(test_fira_probe),     cmocka_unit_test(test_write_probe),
      cmocka_unit_test(test_reasons),        cmocka_unit_test(test_bypass),
      cmocka_unit_test(test_bypass_probe)};
  const struct CMUnitTest long_tests[] = {cmocka_unit_test(test_write_probe_beside)};

  if (hw_long_wanted())
    return cmocka_run_group_tests(long_tests, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
