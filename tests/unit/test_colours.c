/* Pages of one colour: the levels below the first of simulated machines. */
#include "probes/data/eviction_sets.h"
#include "probes/data/one_colour.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size curve of a cache of so many colours and ways whose pages lie at random, by simulation.
 */
static struct hw_curve size_curve(size_t colours, size_t ways) {
  struct hw_random random = {12345};
  struct hw_curve curve;
  size_t *held = calloc(colours, sizeof *held);

  assert_non_null(held);
  hw_curve_init(&curve, "levels", "working set (bytes)", "time of a load (cycles)");
  for (double x = 0.25; x < 4; x *= 1.189) {
    size_t pages = (size_t)((double)(colours * ways) * x), missed = 0;
    for (unsigned round = 0; round < 50; round++) {
      memset(held, 0, colours * sizeof *held);
      for (size_t i = 0; i < pages; i++)
        held[hw_random_below(&random, colours)]++;
      for (size_t i = 0; i < colours; i++)
        missed += held[i] > ways ? held[i] : 0;
    }
    put_point(&curve, (double)pages * 4096, 12 + 34.0 * (double)missed / (50.0 * (double)pages),
              0.01, 12);
  }
  free(held);
  return curve;
}

static void test_servet(void **state) {
  static const size_t shape[][2] = {{16, 8}, {32, 16}, {64, 24}, {64, 2}, {16, 12}};

  (void)state;
  for (size_t i = 0; i < COUNT(shape); i++) {
    struct hw_curve curve = size_curve(shape[i][0], shape[i][1]);
    const struct hw_rise rise = {12, 46, 4096, (double)shape[i][1]};
    struct hw_answer answer = hw_reduce_servet(&curve, &rise);
    assert_true(answer.known);
    assert_true(fabs(log2(answer.value / (double)(shape[i][0] * shape[i][1] * 4096))) < 0.15);
    hw_curve_free(&curve);
  }
}

/* An engine on a machine with these statements. */
static struct hw_engine engine_of_levels(const char *levels) {
  char text[512];

  snprintf(text, sizeof text,
           "machine Test\ncycle 0.3 ns\n%smemory latency 200\ntlb 1 entries 64 miss 7\n", levels);
  return engine_of(text, "quick", (size_t)64 << 20);
}

/* Rows of a machine: the values, or -1 where unknown. */
static void machine_rows(const char *levels, const char *const *row, size_t n, long *value) {
  struct hw_engine engine = engine_of_levels(levels);

  for (size_t i = 0; i < n; i++) {
    struct hw_answer answer = engine_row(&engine, row[i]);
    value[i] = answer.known ? lround(answer.value) : -1;
  }
  engine_close(&engine);
}

/* Each value right or unknown; and right where it is said to be known. */
static void check_machine(const char *levels, const long *expected, bool known) {
  static const char *const row[] = {"HW_L2_BYTES", "HW_L2_ASSOC", "HW_L2_LINE", "HW_L2_SETS"};
  long value[4];

  machine_rows(levels, row, 4, value);
  for (size_t i = 0; i < 4; i++)
    if (known || value[i] != -1)
      assert_int_equal(value[i], expected[i]);
}

#define LEVEL_1 "level 1 bytes 16K ways 4 line 64 latency 4\n"

/* Where the system colours pages by what chooses level 1's sets, no page of another colour puts one
   out of it: one colour is looked for, and none that is the same. */
static void test_same_colours(void **state) {
  struct hw_engine engine =
      engine_of_levels("level 1 bytes 32K ways 2 line 64 latency 3\n"
                       "level 2 bytes 256K ways 16 line 64 latency 14 exclusive\n"
                       "page bytes 4K placement coloured 64\n");
  double start;

  (void)state;
  engine_row(&engine, "HW_HAVE_L2");
  start = engine.bench.machine->ops->now(engine.bench.machine);
  assert_false(engine_row(&engine, "HW_L2_BYTES").known);
  assert_true(engine.bench.machine->ops->now(engine.bench.machine) - start < 0.6e9);
  engine_close(&engine);
}

static void test_machines(void **state) {
  static const long plain[] = {131072, 8, 64, 256}, ways[] = {98304, 12, 64, 128};
  static const long two[] = {131072, 2, 128, 512}, exclusive[] = {524288, 16, 64, 512};

  (void)state;
  check_machine(LEVEL_1 "level 2 bytes 128K ways 8 line 64 latency 14\npage bytes 4K\n", plain,
                true);
  check_machine(LEVEL_1 "level 2 bytes 96K ways 12 line 64 latency 14\npage bytes 4K\n", ways,
                true);
  check_machine(LEVEL_1 "level 2 bytes 128K ways 2 line 128 latency 14\npage bytes 4K\n", two,
                false);
  check_machine(LEVEL_1 "level 2 bytes 128K ways 8 line 64 latency 14 inclusive\n"
                        "page bytes 4K placement contiguous\n",
                plain, false);
  check_machine(LEVEL_1 "level 2 bytes 128K ways 8 line 64 latency 14 exclusive\n"
                        "page bytes 4K\n",
                plain, false);
  check_machine("level 1 bytes 64K ways 2 line 64 latency 3\n"
                "level 2 bytes 512K ways 16 line 64 latency 14 exclusive\npage bytes 4K\n",
                exclusive, true);
}

/* Whether level 2 is exclusive, on a machine of those levels: 1, 0, or -1 when that is unknown. */
static long exclusive_of(const char *l1, const char *l2, const char *kind, unsigned long seed) {
  struct hw_engine engine;
  char levels[256];
  struct hw_answer answer;

  snprintf(levels, sizeof levels,
           "level 1 bytes %s line 64 latency 4\nlevel 2 bytes %s line 64 latency 14 %s\n"
           "page bytes 4K placement random\n",
           l1, l2, kind);
  engine = engine_of_levels(levels);
  engine.bench.seed = seed;
  answer = engine_row(&engine, "HW_L2_EXCLUSIVE");
  engine_close(&engine);
  return answer.known ? lround(answer.value) : -1;
}

/* Holds it against what the machines are: right or unknown.  Returns how many are known. */
static unsigned exclusive_check(const char *l1, const char *l2, unsigned long seed) {
  static const char *const kind[] = {"independent", "exclusive"};
  unsigned known = 0;

  for (long i = 0; i < 2; i++) {
    long answer = exclusive_of(l1, l2, kind[i], seed);
    if (answer >= 0 && answer != i)
      print_message("level 1 %s, level 2 %s %s, seed %lu\n", l1, l2, kind[i], seed);
    assert_true(answer < 0 || answer == i);
    known += answer >= 0;
  }
  return known;
}

/* Level 1 holds as many pages of a colour as level 2, in several classes of its sets. */
static void test_exclusive(void **state) {
  (void)state;
  assert_int_equal(exclusive_check("64K ways 2", "512K ways 16", 1), 2);
}

/* Level 1 holds fewer of them, or more. */
static void test_exclusive_ratios(void **state) {
  static const char *const level[][2] = {
      {"16K ways 2", "128K ways 8"},  {"32K ways 8", "256K ways 4"},
      {"64K ways 4", "512K ways 8"},  {"64K ways 4", "512K ways 4"},
      {"96K ways 12", "512K ways 8"}, {"192K ways 12", "1M ways 16"}};
  const size_t n = COUNT(level);
  unsigned known = 0;

  (void)state;
  for (size_t i = 0; i < n; i++) {
    char random[64];
    snprintf(random, sizeof random, "%s policy random", level[i][0]);
    known += exclusive_check(level[i][0], level[i][1], i + 1);
    if (i % 3 == 2) /* in an associative cache, of few ways and of many */
      exclusive_check(random, level[i][1], i + 1);
  }
  assert_true(known >= n);
}

/* Another process that comes to the core for so long, ns: it takes half of the core, and evicts
   all from level 2. */
#define NEIGHBOUR_STAYS 2e8
#define NEIGHBOUR_BYTES ((size_t)128 << 10)

static struct {
  const struct hw_machine_ops *plain;
  struct hw_memory *memory;
  double until;
} neighbour;

static bool neighbour_there(struct hw_machine *machine) {
  return neighbour.plain->now(machine) < neighbour.until;
}

static void neighbour_issue(struct hw_machine *machine, unsigned long n) {
  neighbour.plain->issue(machine, neighbour_there(machine) ? 2 * n : n);
}

static void neighbour_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  neighbour.plain->walk(machine, memory, n);
  if (neighbour_there(machine))
    neighbour.plain->stream(machine, neighbour.memory, HW_STREAM_READ, 0, NEIGHBOUR_BYTES);
}

static void neighbour_begin(struct hw_engine *engine, struct hw_machine_ops *ops) {
  struct hw_machine *machine = engine->bench.machine;

  neighbour.plain = machine->ops;
  neighbour.memory = neighbour.plain->map(machine, NEIGHBOUR_BYTES, HW_PAGES_PLAIN);
  neighbour.until = 0;
  assert_non_null(neighbour.memory);
  *ops = *neighbour.plain;
  ops->issue = neighbour_issue;
  ops->walk = neighbour_walk;
  machine->ops = ops;
}

static void neighbour_end(struct hw_engine *engine) {
  engine->bench.machine->ops = neighbour.plain;
  neighbour.plain->unmap(engine->bench.machine, neighbour.memory);
}

static void neighbour_comes(struct hw_engine *engine) {
  neighbour.until = neighbour.plain->now(engine->bench.machine) + NEIGHBOUR_STAYS;
}

static void neighbour_row(struct hw_engine *engine, const char *row, long expected) {
  struct hw_answer answer = engine_row(engine, row);

  assert_true(answer.known);
  assert_int_equal(lround(answer.value), expected);
}

/* The rows of level 2, if another process comes twice, or does not.  The effective capacity, which
   depends on where pages lie. */
static long neighbour_rows(bool comes) {
  struct hw_engine engine =
      engine_of_levels(LEVEL_1 "level 2 bytes 128K ways 8 line 64 latency 14\npage bytes 4K\n");
  struct hw_machine_ops ops;
  struct hw_answer effective;

  assert_int_equal(hw_effort_find("default", &engine.bench.effort), 0);
  engine.bench.effort.attempts = 2;
  /* From here on: that he is looked for takes time too. */
  neighbour_begin(&engine, &ops);
  assert_true(engine_row(&engine, "HW_TLB1_ENTRIES").known);
  if (comes)
    neighbour_comes(&engine);
  neighbour_row(&engine, "HW_L2_LAT", 14);
  effective = engine_row(&engine, "HW_L2_EFF_BYTES");
  assert_true(effective.known);
  if (comes)
    neighbour_comes(&engine);
  neighbour_row(&engine, "HW_L2_BYTES", 131072);
  neighbour_row(&engine, "HW_L2_ASSOC", 8);
  neighbour_row(&engine, "HW_L2_LINE", 64);
  neighbour_row(&engine, "HW_L2_SETS", 256);
  neighbour_end(&engine);
  engine_close(&engine);
  return lround(effective.value);
}

/* What he puts out was not put out by other pages, nor is the level smaller or slower: he is waited
   for. */
static void test_neighbour(void **state) {
  (void)state;
  assert_int_equal(neighbour_rows(true), neighbour_rows(false));
}

/* A bench, and a pool of pages of 4 KiB with 8 colours in a row. */
#define POOL_PAGES 64
static void pool_open(struct hw_engine *engine, struct hw_pool *pool) {
  *engine = engine_of_levels(LEVEL_1 "level 2 bytes 128K ways 4 line 64 latency 14\n"
                                     "page bytes 4K placement contiguous\n");
  *pool = (struct hw_pool){.bench = &engine->bench,
                           .pages = POOL_PAGES,
                           .page = 4096,
                           .lines = 16,
                           .spacing = 256,
                           .flush = 6,
                           .classes = 1,
                           .rounds = 1,
                           .laps = 2,
                           .own = 4};
  assert_true(engine_row(engine, "HW_L1_BYTES").known);
  assert_int_equal(hw_pool_open(pool), 0);
  assert_int_equal(hw_pool_learn(pool, 44), 0);
}

/* Of a colour of which no more pages were found than stay together there is no point beyond. */
static void test_few_pages(void **state) {
  static size_t page[] = {0, 8, 16, 24, 1, 2, 3, 4, 5, 6};
  struct hw_engine engine;
  struct hw_pool pool;
  const struct hw_colour colour = {
      .pool = &pool, .level = 2, .ways = 4, .own = {page, 4}, .other = {page + 4, 6}};
  const struct hw_curve *curve;

  (void)state;
  pool_open(&engine, &pool);
  assert_int_equal(hw_one_colour_ways(&colour, engine.bench.effort.rounds, 0), 0);
  curve = hw_curves_get(&engine.bench.curves, "l2_colour_0");
  assert_non_null(curve);
  assert_int_equal(curve->n, 4);
  hw_pool_close(&pool);
  engine_close(&engine);
}

/* What a load of a colour's pages costs beside the other process, if the probe waits for it and if
   not. */
static void test_pages_beside(void **state) {
  static size_t page[] = {0, 8, 16, 24, 1, 2, 3, 4, 5, 6};
  struct hw_engine engine;
  struct hw_pool pool;
  const struct hw_colour colour = {
      .pool = &pool, .level = 2, .ways = 4, .own = {page, 4}, .other = {page + 4, 6}};
  struct hw_machine_ops ops;
  const struct hw_curve *curve;

  (void)state;
  pool_open(&engine, &pool);
  assert_true(engine_row(&engine, "HW_CYCLE_PS").known);
  neighbour_begin(&engine, &ops);
  for (int waits = 1; waits >= 0; waits--) {
    engine.bench.wait = waits * 1e9;
    pool.alone = hw_idle_begin(&engine.bench, hw_issue(&engine.bench.curves), false, 1e9);
    neighbour_comes(&engine);
    assert_int_equal(hw_one_colour_ways(&colour, engine.bench.effort.rounds, 0), 0);
    curve = hw_curves_get(&engine.bench.curves, "l2_colour_0");
    assert_non_null(curve);
    for (size_t i = 0; i < curve->n; i++)
      assert_int_equal(curve->point[i].y < 20, waits);
  }
  neighbour_end(&engine);
  hw_pool_close(&pool);
  engine_close(&engine);
}

/* Whoever puts all out tells nothing of those that were asked. */
static void test_pages_spoiled(void **state) {
  static size_t page[] = {8, 16, 24, 32}, others[] = {1, 2, 3, 4, 5, 6};
  struct hw_engine engine;
  struct hw_pool pool;
  struct hw_machine_ops ops;

  (void)state;
  pool_open(&engine, &pool);
  assert_int_equal(hw_pool_evicts(&pool, page, 4, others, 6, 0), HW_POOL_PUT_OUT);
  assert_int_equal(hw_pool_evicts(&pool, page, 3, others, 6, 0), HW_POOL_STAYS);
  neighbour_begin(&engine, &ops);
  neighbour.until = INFINITY;
  assert_int_equal(hw_pool_evicts(&pool, page, 4, others, 6, 0), HW_POOL_SPOILED);
  assert_int_equal(hw_pool_evicts(&pool, page, 3, others, 6, 0), HW_POOL_SPOILED);
  neighbour_end(&engine);
  hw_pool_close(&pool);
  engine_close(&engine);
}

/* Whatever their order: those that put a page out are left of those that stay together. */
static void test_evictors(void **state) {
  static const struct hw_one_colour_level level = {
      .n = 2, .above = 16384, .hit = 14, .miss = 200, .beyond = 44 * 4096};
  size_t page[POOL_PAGES], seen[POOL_PAGES] = {0}, n;
  struct hw_gather job = {.level = &level, .page = page, .deadline = INFINITY};
  struct hw_pages none = {.page = seen};
  struct hw_colour colour;
  struct hw_engine engine;

  (void)state;
  pool_open(&engine, &job.pool);
  for (unsigned long seed = 1; seed <= 60; seed++) {
    struct hw_pages among = {.page = seen};
    engine.bench.random.state = seed;
    n = 0;
    for (size_t i = 8; i <= 32; i += 8)
      page[n++] = i;
    for (size_t i = 1; i < 19; i++)
      if (i % 8 != 0)
        page[n++] = i;
    job.fit = n;
    for (size_t i = 0; i < POOL_PAGES; i++)
      if (i == 0 || (i >= 19 && i != 24 && i != 32))
        page[n++] = i;
    assert_int_equal(n, POOL_PAGES);
    assert_int_equal(hw_eviction_sets_find(&job, 0, &among, &colour), 1);
    assert_int_equal(colour.ways, 4);
    for (size_t i = 0; i < colour.own.n; i++)
      assert_int_equal(colour.own.page[i] % 8, 0);
    hw_eviction_sets_forget(&colour);
  }
  /* Nobody puts it out: there is no colour, and nothing to forget. */
  for (size_t i = 0; i < 4; i++)
    page[i] = i + 1;
  job.fit = 4;
  assert_int_equal(hw_eviction_sets_find(&job, 0, &none, &colour), 0);
  assert_null(colour.own.page);
  assert_null(colour.other.page);
  hw_eviction_sets_forget(&colour);
  hw_pool_close(&job.pool);
  engine_close(&engine);
}

#define RANDOM "page bytes 4K placement random\n"

/* How often colours are measured on a machine with hashed sets, where so long is given to a probe,
   ns, and in *took how long all of it took. */
static unsigned machine_attempts(double limit, double *took) {
  static const char levels[] =
      LEVEL_1 "level 2 bytes 256K ways 8 line 64 latency 14 hash 8\n" RANDOM;
  static const char mark[] = "colours: measured in ";
  struct hw_engine engine = engine_of_levels(levels);
  char line[256];
  unsigned attempts = 0;

  assert_true(engine_row(&engine, "HW_HAVE_L2").known);
  engine.bench.limit = limit;
  assert_false(engine_row(&engine, "HW_L2_BYTES").known);
  rewind(engine.bench.log);
  for (*took = 0; fgets(line, sizeof line, engine.bench.log) != NULL;)
    if (strncmp(line, mark, sizeof mark - 1) == 0) {
      *took += 1e6 * strtod(line + sizeof mark - 1, NULL);
      attempts++;
    }
  engine_close(&engine);
  return attempts;
}

/* What is unclear is measured again, as often as the effort says, also where one probe has little
   time. */
static void test_attempts(void **state) {
  double all, took;

  (void)state;
  assert_int_equal(machine_attempts(0, &all), 2);
  assert_int_equal(machine_attempts(all, &took), 2);
  assert_int_equal(machine_attempts(0.6 * all, &took), 2);
}

/* A brief run tells level 1 and the levels, and leaves out the shape of level 2 and the second TLB.
 */
static void test_brief(void **state) {
  static const char levels[] = LEVEL_1 "level 2 bytes 256K ways 8 line 64 latency 14\n" RANDOM;
  struct hw_engine engine = engine_of_levels(levels);
  struct hw_answer answer;

  (void)state;
  engine.bench.effort.leaves = 2;
  answer = engine_row(&engine, "HW_TLB_LEVELS");
  assert_false(answer.known);
  assert_string_equal(answer.why, "a quick run leaves it out");
  assert_null(hw_curves_get(&engine.bench.curves, "tlbs_pages"));
  answer = engine_row(&engine, "HW_L2_LINE");
  assert_false(answer.known);
  assert_string_equal(answer.why, "a quick run leaves it out");
  answer = engine_row(&engine, "HW_HAVE_L2");
  known_is(answer, 1);
  assert_null(hw_curves_get(&engine.bench.curves, "l2_colour_0"));
  known_is(hw_value_l1_bytes(&engine.bench.curves), 16 << 10);
  engine_close(&engine);
}

/* Which part of the time counts as ours, of a while of additions. */
static double clock_share(const char *levels) {
  struct hw_engine engine = engine_of_levels(levels);
  struct hw_gather job = {.pool = {.bench = &engine.bench}};
  struct hw_machine *machine = engine.bench.machine;
  double start = machine->ops->now(machine), share;

  hw_gather_start(&job);
  for (unsigned i = 0; i < 10000; i++) /* some 0.4 s */
    machine->ops->add(machine, 1024 * HW_GRAIN);
  share = hw_gather_clock(&job) / (machine->ops->now(machine) - start);
  engine_close(&engine);
  return share;
}

/* Another process's turns are not ours. */
static void test_clock(void **state) {
  static const char levels[] =
      LEVEL_1 "level 2 bytes 128K ways 8 line 64 latency 14\npage bytes 4K\n";
  char beside[256];

  (void)state;
  snprintf(beside, sizeof beside, "%snoise process computing 6ms 2ms\n", levels);
  assert_true(fabs(clock_share(levels) - 1) < 0.001);
  assert_true(fabs(clock_share(beside) - 0.25) < 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_servet),        cmocka_unit_test(test_same_colours),
      cmocka_unit_test(test_few_pages),     cmocka_unit_test(test_pages_beside),
      cmocka_unit_test(test_pages_spoiled), cmocka_unit_test(test_evictors),
      cmocka_unit_test(test_brief),         cmocka_unit_test(test_exclusive),
      cmocka_unit_test(test_clock),
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_machines),
      cmocka_unit_test(test_exclusive_ratios),
      cmocka_unit_test(test_neighbour),
      cmocka_unit_test(test_attempts),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests(long_tests, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
