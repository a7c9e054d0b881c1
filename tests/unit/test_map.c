/* The map (probes/data/map.c): what it tells of a machine of which nothing but the clock is known.
 */
#include "analysis/rows/size_curve.h"
#include "probes/data/map.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <stdio.h>

/* Three levels and memory, of which a line tells what else there is. */
#define MAP_MACHINE(more)                                                                          \
  "machine Map\ncycle 0.3 ns\n" more "level 1  bytes 8K ways 4 line 64 latency 4\n"                \
  "level 2  bytes 64K ways 8 line 64 latency 12\n"                                                 \
  "level 3  bytes 512K ways 16 line 64 latency 40\nmemory latency 1200\n"                          \
  "tlb 1    entries 64 miss 7\ntlb 2    entries 1024 ways 8 miss 30\n"                             \
  "page     bytes 4K placement random\n"
#define MAP_NOISE(seed)                                                                            \
  MAP_MACHINE("noise jitter 5% bursts 200us 2000us 3 drift 3% 50ms\nseed " seed "\n")

static bool holds(const struct hw_answer *answer, double truth) {
  return answer->known && answer->low <= truth && answer->high >= truth;
}

/* It needs the clock, and no other probe. */
static void test_alone(void **state) {
  struct hw_engine engine = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);
  struct hw_answer memory = engine_row(&engine, "HW_MEM_LAT");

  (void)state;
  assert_true(holds(&memory, 1200));
  assert_true(memory.high < 1.5 * memory.low);
  for (size_t i = 0; i < HW_PROBES; i++)
    assert_true(!engine.measured[i] || i == HW_PROBE_kinds || i == HW_PROBE_clock ||
                i == HW_PROBE_map);
  for (unsigned k = 1; k <= 3; k++)
    assert_non_null(hw_size_curve_round(&engine.bench.curves, k));
  engine_close(&engine);
}

/* Jitter, bursts that treble everything for a tenth of the time, and a rate that drifts make no row
   wrong, and hide the levels in one of three runs at most. */
static void test_noise(void **state) {
  const char *machine[] = {MAP_NOISE("3"), MAP_NOISE("5"), MAP_NOISE("6")};
  unsigned seen = 0;

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    struct hw_engine engine = engine_of(machine[i], "default", (size_t)256 << 20);
    struct hw_answer memory = engine_row(&engine, "HW_MEM_LAT");
    struct hw_answer third = engine_row(&engine, "HW_L3_LAT");
    struct hw_answer second = engine_row(&engine, "HW_L2_LAT_X100");
    struct hw_answer levels = engine_row(&engine, "HW_CACHE_LEVELS");
    assert_true(!memory.known || holds(&memory, 1200));
    assert_true(!third.known || holds(&third, 40));
    assert_true(!second.known || holds(&second, 1200));
    assert_true(!levels.known || (int)levels.value == 3);
    seen += memory.known && levels.known;
    engine_close(&engine);
  }
  assert_true(seen >= 2);
}

/* With little memory what fits is mapped, and memory is unknown; with less nothing is. */
static void test_little(void **state) {
  for (size_t memory = (size_t)64 << 20; memory >= 64 << 10; memory /= 8) {
    struct hw_engine engine = engine_of(MAP_MACHINE(""), "default", memory);
    struct hw_answer answer = engine_row(&engine, "HW_MEM_LAT");
    (void)state;
    assert_true(!answer.known || holds(&answer, 1200));
    assert_true(answer.known || answer.why != NULL);
    engine_close(&engine);
  }
}

/* A second attempt adds rounds to those of the first. */
static void test_again(void **state) {
  struct hw_engine engine = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);

  (void)state;
  assert_true(engine_row(&engine, "HW_MEM_LAT").known);
  assert_int_equal(hw_probe_map(&engine.bench), 0);
  assert_non_null(hw_size_curve_round(&engine.bench.curves, 6));
  assert_int_equal((int)engine_row(&engine, "HW_CACHE_LEVELS").value, 3);
  engine_close(&engine);
}

static double map_largest(const struct hw_engine *engine) {
  const struct hw_curve *curve = hw_curves_get(&engine->bench.curves, "levels");

  return curve->point[curve->n - 1].x;
}

/* If level 1 alone is asked for, no more is measured than shows its end. */
static void test_near(void **state) {
  struct hw_engine all = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);
  struct hw_engine near = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);
  double most, held;

  (void)state;
  (void)engine_row(&all, "HW_L2_EFF_BYTES");
  held = hw_value_l1_eff_bytes(&all.bench.curves).value;
  most = map_largest(&all);
  assert_true(most > (double)((size_t)1 << 20));
  assert_true(fabs(engine_row(&near, "HW_L1_EFF_BYTES").value - held) <= held / 8);
  assert_true(map_largest(&near) <= (double)((size_t)1 << 20));
  assert_int_equal(near.tries[HW_PROBE_map], 1);
  engine_close(&all);
  engine_close(&near);
}

/* If that does not show it, all is measured. */
static void test_near_end(void **state) {
  static const char text[] =
      "machine One\ncycle 0.3 ns\nlevel 1  bytes 2M ways 8 line 64 latency 4\n"
      "memory latency 400\npage     bytes 4K placement random\n";
  struct hw_engine engine = engine_of(text, "default", (size_t)256 << 20);
  struct hw_answer held = engine_row(&engine, "HW_L1_EFF_BYTES");

  (void)state;
  assert_true(held.known);
  assert_true(map_largest(&engine) > (double)((size_t)4 << 20));
  engine_close(&engine);
}

/* Pages of level 3 are looked for only if a row of it is asked for. */
static void test_last_level(void **state) {
  struct hw_engine two = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);
  struct hw_engine three = engine_of(MAP_MACHINE(""), "default", (size_t)256 << 20);

  (void)state;
  assert_int_equal((int)engine_row(&two, "HW_L2_BYTES").value, 64 << 10);
  assert_int_equal((int)engine_row(&three, "HW_L3_BYTES").value, 512 << 10);
  assert_null(hw_curves_get(&two.bench.curves, "l3_fit"));
  assert_non_null(hw_curves_get(&three.bench.curves, "l3_fit"));
  engine_close(&two);
  engine_close(&three);
}

/* Visits a working set, MiB: each load misses level 2. */
static void part_visit(struct hw_engine *engine, size_t size) {
  struct hw_point point;
  struct hw_map map;

  assert_int_equal(hw_map_open(&map, &engine->bench, (size_t)64 << 20), 0);
  assert_int_equal(hw_map_visit(&map, hw_map_packed, (double)(size << 20), &point), 0);
  assert_close(point.y, 60, 3);
  hw_map_close(&map);
}

static void part_misses(const char *text, size_t size) {
  struct hw_engine engine = engine_of(text, "default", (size_t)64 << 20);

  part_visit(&engine, size);
  engine_close(&engine);
}
#define PART_MACHINE(step, bytes)                                                                  \
  "machine Part\ncycle 1 ns\nclock step " step " cost 20 ns\n"                                     \
  "level 1  bytes 32K ways 8 line 64 latency 4\n"                                                  \
  "level 2  bytes " bytes " ways 16 line 64 latency 12\nmemory   latency 60\n"                     \
  "page     bytes 4K placement contiguous\n"

/* A clock of long steps asks for more loads than a part of a lap has, and level 2 holds that part:
   a second walk along it would hit there. */
static void test_part(void **state) {
  (void)state;
  part_misses(PART_MACHINE("1 us", "2M"), 32);
  part_misses(PART_MACHINE("5 us", "2M"), 32);
}

/* The end of a part does not hit in a level that is a little smaller than the working set. */
static void test_end(void **state) {
  (void)state;
  part_misses(PART_MACHINE("1 ns", "4M"), 5);
}

/* Reads nothing: what is streamed evicts nothing, as in a level 2 that resists scans. */
static void stream_none(struct hw_machine *machine, struct hw_memory *memory, enum hw_stream stream,
                        size_t offset, size_t bytes) {
  (void)machine;
  (void)memory;
  (void)stream;
  (void)offset;
  (void)bytes;
}

/* A working set up to twice a level 2 that keeps what is streamed over misses it all the same. */
static void test_scan(void **state) {
  struct hw_engine engine = engine_of(PART_MACHINE("1 ns", "1M"), "default", (size_t)64 << 20);
  struct hw_machine_ops ops = *engine.bench.machine->ops;

  (void)state;
  ops.stream = stream_none;
  engine.bench.machine->ops = &ops;
  part_visit(&engine, 3);
  engine_close(&engine);
}

/* Bytes that were streamed over since memory was last linked. */
static size_t victim_streamed;
static const struct hw_machine_ops *victim_plain;

static int victim_link(struct hw_machine *machine, struct hw_memory *memory, const size_t *offset,
                       size_t n) {
  victim_streamed = 0;
  return victim_plain->link(machine, memory, offset, n);
}

static void victim_stream(struct hw_machine *machine, struct hw_memory *memory,
                          enum hw_stream stream, size_t offset, size_t bytes) {
  victim_streamed += bytes;
  victim_plain->stream(machine, memory, stream, offset, bytes);
}

static void victim_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  victim_plain->walk(machine, memory, n);
  if (victim_streamed < (size_t)3 << 20)
    victim_plain->add(machine, 400 * n);
}

/* A victim level 3 that has nothing of what was walked once has what was streamed over before. */
static void test_victim(void **state) {
  struct hw_engine engine = engine_of(PART_MACHINE("1 ns", "1M"), "default", (size_t)64 << 20);
  struct hw_machine_ops ops = *engine.bench.machine->ops;

  (void)state;
  victim_plain = engine.bench.machine->ops;
  ops.link = victim_link;
  ops.stream = victim_stream;
  ops.walk = victim_walk;
  engine.bench.machine->ops = &ops;
  part_visit(&engine, 3);
  engine.bench.machine->ops = victim_plain;
  engine_close(&engine);
}

/* What the wrapped operation of test_deadline needs. */
static struct {
  struct hw_bench *bench;
  const struct hw_machine_ops *plain;
  size_t seen; /* bytes that were streamed over so far */
} grown;

static void grown_stream(struct hw_machine *machine, struct hw_memory *memory,
                         enum hw_stream stream, size_t offset, size_t bytes) {
  grown.seen = offset + bytes > grown.seen ? offset + bytes : grown.seen;
  grown.plain->stream(machine, memory, stream, offset, bytes);
}

/* In the first round other processes make loads of what is larger than level 2 as slow as those
   from memory, so that a later round comes to a larger working set. */
static void grown_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  grown.plain->walk(machine, memory, n);
  if (grown.seen > (size_t)4 << 20 && hw_size_curve_round(&grown.bench->curves, 1) == NULL)
    grown.plain->add(machine, 1200 * n);
}

/* Measures the map until so many ns have passed; returns how many had passed at its end. */
static double map_until(double deadline) {
  struct hw_engine engine = engine_of(PART_MACHINE("1 ns", "1M"), "default", (size_t)256 << 20);
  struct hw_machine_ops ops = *engine.bench.machine->ops;
  const struct hw_curve *curve;
  double start, end;

  (void)engine_row(&engine, "HW_CYCLE_PS");
  grown.bench = &engine.bench;
  grown.plain = engine.bench.machine->ops;
  grown.seen = 0;
  engine.bench.reach = HW_LEVEL_MEMORY;
  ops.walk = grown_walk;
  ops.stream = grown_stream;
  engine.bench.machine->ops = &ops;
  start = hw_now(&engine.bench);
  engine.bench.deadline = start + deadline;
  (void)hw_probe_map(&engine.bench);
  end = hw_now(&engine.bench);
  curve = hw_curves_get(&engine.bench.curves, "levels");
  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    assert_true(curve->point[i].x > 0 && curve->point[i].y < INFINITY);
  engine.bench.machine->ops = grown.plain;
  engine_close(&engine);
  return end - start;
}

/* A working set that the deadline leaves out is no point of the curve, whenever the deadline is. */
static void test_deadline(void **state) {
  const double whole = map_until(INFINITY);

  (void)state;
  for (unsigned k = 1; k < 16; k++)
    map_until(whole * k / 16);
}

/* The lines of a page lie at no one distance, which a prefetcher would find. */
static void test_apart(void **state) {
  struct hw_engine engine = engine_of(PART_MACHINE("1 ns", "2M"), "default", (size_t)64 << 20);
  size_t place[((size_t)64 << 20) / 4096] = {0}, pages = 0, one = 0;
  struct hw_map map;

  (void)state;
  assert_int_equal(hw_map_open(&map, &engine.bench, (size_t)64 << 20), 0);
  assert_int_equal(hw_map_packed(&map, (size_t)32 << 20), 0);
  for (size_t i = 0; i < map.n; i++)
    place[map.offset[i] / 4096] |= (size_t)1 << map.offset[i] % 512 / 64;
  for (size_t page = 0; page < sizeof place / sizeof place[0]; page++) {
    pages += place[page] != 0;
    one += place[page] != 0 && (place[page] & (place[page] - 1)) == 0;
  }
  assert_true(pages > 1000);
  assert_true(one < pages / 10);
  hw_map_close(&map);
  engine_close(&engine);
}

/* How many levels there are beside level 1 and a level 2 of 768 KB, under that noise, if a row is
   hidden or none; 0: unknown. */
static int levels_beside(const char *third, const char *noise, const char *hidden) {
  char text[512];
  struct hw_engine engine;
  struct hw_answer levels;

  snprintf(text, sizeof text,
           "machine Lines\ncycle 0.3125 ns\nclock step 1 ns cost 23 ns\n%s"
           "level 1  bytes 32K ways 8 line 64 latency 4\n"
           "level 2  bytes 768K ways 12 line 64 latency 18\n%s"
           "memory latency 1200\npage     bytes 4K placement random\n",
           noise, third);
  engine = engine_of(text, "default", (size_t)64 << 20);
  engine.bench.curves.hidden = hidden;
  levels = engine_row(&engine, "HW_CACHE_LEVELS");
  if (levels.known)
    assert_non_null(hw_curves_get(&engine.bench.curves, "levels_lines_2_1"));
  engine_close(&engine);
  return levels.known ? (int)levels.value : 0;
}

/* Single lines tell of a level that hides, whatever their length. */
static void test_single_lines(void **state) {
  static const char third[] = "level 3  bytes 1536K ways 16 line 64 latency 100\n";

  (void)state;
  assert_int_equal(levels_beside(third, "", NULL), 3);
  assert_int_equal(levels_beside(third, "", "HW_L1_LINE"), 3);
  assert_int_equal(levels_beside("", "", "HW_L1_LINE"), 2);
}

/* They tell of none where the clock rate drifts from one working set to the next. */
static void test_single_lines_drift(void **state) {
  (void)state;
  assert_int_equal(levels_beside("", "noise jitter 0.3% drift 3% 10ms\nseed 3\n", NULL), 2);
  assert_int_equal(levels_beside("", "noise jitter 0.3% drift 3% 10ms\nseed 5\n", NULL), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alone),        cmocka_unit_test(test_little),
      cmocka_unit_test(test_again),        cmocka_unit_test(test_near),
      cmocka_unit_test(test_near_end),     cmocka_unit_test(test_last_level),
      cmocka_unit_test(test_part),         cmocka_unit_test(test_end),
      cmocka_unit_test(test_scan),         cmocka_unit_test(test_victim),
      cmocka_unit_test(test_deadline),     cmocka_unit_test(test_apart),
      cmocka_unit_test(test_single_lines),
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_single_lines_drift),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests_name("map", long_tests, NULL, NULL);
  return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
