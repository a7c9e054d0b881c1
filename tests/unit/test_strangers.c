/* Other processes that come and go: probes of several threads on a simulated machine whose teams
   are slowed for a while. */
#include "analysis/names.h"
#include "probes/bench/ask.h"
#include "probes/bench/idle.h"
#include "probes/data/rise.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"
#include "tests/unit/long.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>

/* Two cores. */
#define MACHINE                                                                                    \
  "machine Two\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 3\n"          \
  "memory latency 100\ngroup 1 of 2 step 1 latency 50ns\nscheduler slot 4ms\n"                     \
  "tlb 1 entries 64 ways 4 miss 7\ntlb 2 entries 512 ways 4 miss 30\n"                             \
  "icache bytes 16K ways 4 line 64 miss 12\n"

/* Who slows threads that work at the same time, and what moves data. */
static struct {
  const struct hw_machine_ops *plain;
  double until; /* ns: threads take twice as long before */
  double from;  /* ns: loads take longer from here on */
  bool only;    /* those that do that work */
  enum hw_work work;
  bool blocks; /* those that pass blocks */
  bool away;   /* a thread is missing, instead of being slow */
  bool before; /* every other time that additions are done for a while */
  enum hw_work was;
  unsigned times;  /* that this was so */
  unsigned period; /* of so many runs in a row; the last of them take twice as long; 0: none */
  unsigned last;
  unsigned runs; /* so far */
} stranger;

static int disturbed(struct hw_machine *machine, struct hw_part *part, size_t n) {
  double now = stranger.plain->now(machine);
  int result = stranger.plain->team(machine, part, n);
  bool slow = now < stranger.until && (!stranger.only || part->work == stranger.work) &&
              (!stranger.blocks || part->bytes > 0);

  if (n < 2)
    return result;
  stranger.times += part->work == HW_WORK_ISSUE && stranger.was != HW_WORK_ISSUE;
  stranger.was = part->work;
  slow = slow || (stranger.before && part->work == HW_WORK_ISSUE && stranger.times % 2 == 1);
  if (stranger.period > 0)
    slow = slow || stranger.runs % stranger.period >= stranger.period - stranger.last;
  stranger.runs++;
  for (size_t i = 0; slow && i < n; i++)
    if (stranger.away)
      part[i].later = i;
    else
      part[i].work_ns *= 2;
  return result;
}

/* Takes twice as long. */
static void disturbed_stream(struct hw_machine *machine, struct hw_memory *memory,
                             enum hw_stream stream, size_t offset, size_t bytes) {
  if (stranger.plain->now(machine) < stranger.until)
    stranger.plain->stream(machine, memory, stream, offset, bytes);
  stranger.plain->stream(machine, memory, stream, offset, bytes);
}

/* An engine on a machine; no other process yet. */
static void begin_on(const char *text, struct hw_engine *engine, struct hw_machine_ops *ops) {
  *engine = engine_of(text, "default", (size_t)256 << 20);
  stranger.plain = engine->bench.machine->ops;
  stranger.until = 0;
  stranger.period = stranger.runs = 0;
  stranger.only = stranger.blocks = stranger.away = stranger.before = false;
  stranger.was = HW_WORK_TOUCH;
  stranger.times = 0;
  *ops = *stranger.plain;
  ops->team = disturbed;
  ops->stream = disturbed_stream;
  engine->bench.machine->ops = ops;
}

static void begin(struct hw_engine *engine, struct hw_machine_ops *ops) {
  begin_on(MACHINE, engine, ops);
}

/* The value of a row; 0 when it is unknown. */
static double value(struct hw_engine *engine, const char *row) {
  struct hw_answer answer = engine_row(engine, row);

  return answer.known ? answer.value : 0;
}

static void remove_curves(const char *folder) {
  DIR *open = opendir(folder);
  char file[512];

  assert_non_null(open);
  for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      remove(file);
  }
  closedir(open);
}

static const char *why(struct hw_engine *engine, const char *row) {
  return engine_row(engine, row).why;
}

/* The answer of a process that others follow, which makes one attempt. */
static struct hw_answer first_look(struct hw_engine *engine, const char *row) {
  return hw_engine_value(engine, hw_param_find(row));
}

/* How often there is no memory. */
static unsigned refused;

static struct hw_memory *refused_map(struct hw_machine *machine, size_t bytes,
                                     enum hw_placement placement) {
  return refused > 0 && refused-- > 0 ? NULL : stranger.plain->map(machine, bytes, placement);
}

/* Nothing larger than 64 MiB is to be had. */
static struct hw_memory *small_map(struct hw_machine *machine, size_t bytes,
                                   enum hw_placement placement) {
  if (bytes <= (size_t)64 << 20)
    return stranger.plain->map(machine, bytes, placement);
  machine->refused = "out of memory";
  return NULL;
}

/* The page is found in as much memory as there is: what may be used, or what can be mapped. */
static void test_page_small(void **state) {
  (void)state;
  for (int may = 0; may < 2; may++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin(&engine, &ops);
    ops.map = small_map;
    if (may)
      engine.bench.memory = (size_t)16 << 20;
    assert_int_equal((int)value(&engine, "HW_PAGE_BYTES"), 4096);
    engine_close(&engine);
  }
}

/* From now on, for so long, ns. */
static void come(const struct hw_engine *engine, double ns) {
  stranger.until = stranger.plain->now(engine->bench.machine) + ns;
}

/* Beside a sibling who is nearly always there all probes together wait for a quarter of the budget
   at most, and none for so long that the others cannot. */
static void test_wait(void **state) {
  static const char *const rows[] = {"HW_L1_BYTES", "HW_TLB1_ENTRIES", "HW_L1I_BYTES"};
  const struct hw_budget budget = {.seconds = 4, .left = 4};
  struct hw_machine_ops ops;
  struct hw_engine engine;
  double waited = 0;

  (void)state;
  begin_on(MACHINE "noise jitter 0.3% sibling streaming 60ms 2ms\n", &engine, &ops);
  hw_engine_budget(&engine, &budget);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const double before = engine.bench.waited;
    first_look(&engine, rows[i]);
    assert_true(engine.bench.waited - before <= 0.8e9);
    waited += engine.bench.waited - before;
  }
  assert_true(waited > 0 && waited <= 1e9);
  engine_close(&engine);
}

/* Who uses a page all the time, on the first of two cores. */
static struct {
  struct hw_memory *page;
  bool here; /* whether we are on that core */
} user;

static void shared_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  for (; user.here && n > HW_GRAIN; n -= HW_GRAIN) {
    stranger.plain->walk(machine, memory, HW_GRAIN);
    stranger.plain->walk(machine, user.page, HW_GRAIN);
  }
  stranger.plain->walk(machine, memory, n);
}

static void shared_move(struct hw_machine *machine) {
  (void)machine;
  user.here = !user.here;
}

/* An entry of the TLB that somebody always has is not missing on the other core. */
static void test_entries(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_machine *machine;
  size_t first = 0;

  (void)state;
  begin_on(
      "machine Shared\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 256K ways 16 line 64 latency 3\n"
      "memory latency 100\ntlb 1 entries 256 ways 256 miss 20\n",
      &engine, &ops);
  machine = engine.bench.machine;
  user.page = stranger.plain->map(machine, 4096, HW_PAGES_PLAIN);
  assert_non_null(user.page);
  assert_int_equal(stranger.plain->link(machine, user.page, &first, 1), 0);
  user.here = true;
  ops.walk = shared_walk;
  ops.move = shared_move;
  assert_int_equal((int)value(&engine, "HW_TLB1_ENTRIES"), 256);
  stranger.plain->unmap(machine, user.page);
  engine_close(&engine);
}

/* Another process that lengthens loads by this part, and independent additions. */
#define LONGER_LOADS 0.05
#define LONGER_ADDITIONS 0.2
/* ns of an addition that waits for another. */
#define LONGER_CYCLE 0.5

/* Spends such a part of the time since then. */
static void longer(struct hw_machine *machine, double start, double part) {
  static double owed;
  double now = stranger.plain->now(machine);
  unsigned long adds;

  if (now >= stranger.until)
    return;
  owed += (now - start) * part / LONGER_CYCLE;
  adds = (unsigned long)(owed / HW_GRAIN) * HW_GRAIN;
  owed -= (double)adds;
  if (adds > 0)
    stranger.plain->add(machine, adds);
}

static void longer_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  double start = stranger.plain->now(machine);

  stranger.plain->walk(machine, memory, n);
  longer(machine, start, LONGER_LOADS);
}

static void longer_issue(struct hw_machine *machine, unsigned long n) {
  double start = stranger.plain->now(machine);

  stranger.plain->issue(machine, n);
  longer(machine, start, LONGER_ADDITIONS);
}

/* Over so long, ns, it is told how much the core was left alone. */
#define SHARE_LOOK 1e6

static void test_alone_share(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_point share;

  (void)state;
  begin(&engine, &ops);
  ops.issue = longer_issue;
  assert_int_equal((int)hw_idle_share(&engine.bench, SHARE_LOOK).count, 0);
  assert_true(value(&engine, "HW_CYCLE_PS") > 0);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.count >= 10 && share.y > 0.999);
  come(&engine, INFINITY);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.count >= 10 && share.y < 0.001);
  come(&engine, SHARE_LOOK / 2);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.y > 0.3 && share.y < 0.7);
  engine_close(&engine);
}

/* What takes 14 cycles takes 14.7 beside a busy SMT sibling: that is no exact 15. */
static void test_beside(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_answer latency;

  (void)state;
  for (int comes = 0; comes < 2; comes++) {
    begin_on(
        "machine Beside\ncycle 0.5 ns\npage bytes 4K\nlevel 1  bytes 32K ways 8 line 64 latency 4\n"
        "level 2  bytes 512K ways 8 line 64 latency 14\nmemory latency 200\ntlb 1 entries 64 ways "
        "4 miss 7\n",
        &engine, &ops);
    ops.walk = longer_walk;
    ops.issue = longer_issue;
    assert_int_equal((int)value(&engine, "HW_L1_BYTES"), 32768);
    if (comes)
      come(&engine, INFINITY);
    latency = engine_row(&engine, "HW_L2_LAT");
    assert_true(latency.known ? latency.high > 0 ? latency.low <= 14 && latency.high >= 14
                                                 : lround(latency.value) == 14
                              : comes);
    engine_close(&engine);
  }
}

/* A host that puts both processors on one core for a third of a second, or for longer. */
static void test_cores(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CPUS"), 2);
  engine_close(&engine);
  begin(&engine, &ops);
  come(&engine, 3e8);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  engine_close(&engine);
  begin(&engine, &ops);
  come(&engine, 8e8);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  engine_close(&engine);
  begin(&engine, &ops);
  come(&engine, INFINITY);
  assert_int_equal((int)value(&engine, "HW_CORES"), 1);
  engine_close(&engine);
}

static void test_contexts(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  come(&engine, 3e8);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_INT"), 2);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_FP"), 2);
  engine_close(&engine);
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  come(&engine, INFINITY);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_INT"), 0); /* the host keeps them on one core */
  engine_close(&engine);
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  stranger.only = true;
  stranger.work = HW_WORK_INT;
  come(&engine, INFINITY);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_INT"), 1); /* cores that share what divides */
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_FP"), 2);
  engine_close(&engine);
}

/* Another process that keeps what divides busy for half a second, longer than the looks that follow
   each other take: a second look, later, does not find it. */
static void test_contexts_twice(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  stranger.only = true;
  stranger.work = HW_WORK_INT;
  engine.bench.effort.attempts = 1;
  come(&engine, 5e8);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_INT"), 0);
  assert_int_equal((int)value(&engine, "HW_CONTEXTS_FP"), 2);
  engine_close(&engine);
}

#define SHARED                                                                                     \
  "machine Shared\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 8K ways 4 line 64 latency 4\n"        \
  "level 2  bytes 64K ways 8 line 64 latency 14\nmemory latency 30\n"                              \
  "group 1 of 2 step 1 latency 50ns\ntlb 1 entries 64 ways 4 miss 7\n"

/* The same of two who seem to share level 2 for as long, and of some who do so whenever it is
   looked at. */
static void test_sharing_twice(void **state) {
  static const double ns[] = {0, 4e8, INFINITY};
  static const int shared[] = {1, 0, 2};

  (void)state;
  for (size_t i = 0; i < COUNT(ns); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(SHARED, &engine, &ops);
    assert_int_equal((int)value(&engine, "HW_L2_BYTES"), 65536);
    assert_int_equal((int)value(&engine, "HW_CORES"), 2);
    stranger.only = true;
    stranger.work = HW_WORK_CHASE;
    engine.bench.effort.attempts = 1;
    come(&engine, ns[i]);
    assert_int_equal((int)value(&engine, "HW_L2_SHARED_BY"), shared[i]);
    if (shared[i] == 0)
      assert_string_equal(why(&engine, "HW_L2_SHARED_BY"), "it is not clear whether two share it");
    engine_close(&engine);
  }
}

/* An engine that knows its cores, and another process beside that work for so long, ns. */
static void begin_beside(struct hw_engine *engine, struct hw_machine_ops *ops, enum hw_work work,
                         double ns) {
  begin(engine, ops);
  assert_int_equal((int)value(engine, "HW_CORES"), 2);
  stranger.only = true;
  stranger.work = work;
  come(engine, ns);
}

/* A host that moves a processor away while the pairs are measured, and for longer: that it was not
   there at first is seen.  A time of a pair that was another one before is not told again. */
static void test_comm(void **state) {
  static const double ns[] = {0, 1e8, INFINITY};
  static const int known[] = {50, 0, 0};

  (void)state;
  for (size_t i = 0; i < COUNT(ns); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_beside(&engine, &ops, HW_WORK_PASS, ns[i]);
    assert_int_equal(lround(value(&engine, "HW_COMM1_LAT_NS")), known[i]);
    assert_int_equal((int)value(&engine, "HW_COMM_LAYERS"), 1);
    engine_close(&engine);
  }
}

/* Another process that is there while blocks are handed on, which words do not tell: that they take
   another time later does. */
static void test_comm_rate(void **state) {
  double mbs[2];

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin(&engine, &ops);
    assert_int_equal((int)value(&engine, "HW_CORES"), 2);
    stranger.blocks = true;
    come(&engine, i == 0 ? 0 : 1e8);
    mbs[i] = value(&engine, "HW_COMM1_MBS");
    engine_close(&engine);
  }
  assert_true(mbs[0] > 0);
  assert_true(mbs[1] == 0);
}

/* A host that puts both processors on one core, for a while and for longer than anybody waits: what
   they pass then is not what two cores pass. */
static void test_comm_core(void **state) {
  static const double ns[] = {0, 1e9, INFINITY};

  (void)state;
  for (size_t i = 0; i < COUNT(ns); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_beside(&engine, &ops, HW_WORK_ISSUE, ns[i]);
    assert_int_equal(value(&engine, "HW_COMM1_LAT_NS") > 0, i == 0);
    assert_int_equal(value(&engine, "HW_COMM1_MBS") > 0, i == 0);
    assert_int_equal((int)value(&engine, "HW_COMM1_SIZE"), 2);
    engine_close(&engine);
  }
}

/* A host that puts both on one core always before blocks are handed on for the last time, and never
   after. */
static void test_comm_before(void **state) {
  for (int before = 0; before < 2; before++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    (void)state;
    begin(&engine, &ops);
    assert_int_equal((int)value(&engine, "HW_CORES"), 2);
    stranger.before = before == 1;
    stranger.times = 0;
    stranger.was = HW_WORK_TOUCH;
    assert_int_equal(value(&engine, "HW_COMM1_MBS") > 0, before == 0);
    engine_close(&engine);
  }
}

/* What tells of communication is kept: by the probe that measured it. */
static void test_comm_kept(void **state) {
  static const char *const name[][2] = {
      {"comm_early", "processors"},    {"comm_look", "processors"},
      {"comm_pairs", "comm"},          {"comm_size_1", "comm"},
      {"comm_crowd_1", "comm_later"},  {"comm_again_1", "comm_later"},
      {"comm_company_1", "comm_later"}};
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  assert_true(value(&engine, "HW_COMM1_MBS") > 0);
  for (size_t i = 0; i < COUNT(name); i++)
    assert_string_equal(hw_curves_get(&engine.bench.curves, name[i][0])->probe, name[i][1]);
  engine_close(&engine);
}

/* One who disturbs all that is measured of every seventh distance, and of every other. */
static void test_destructive(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  stranger.period = 84;
  stranger.last = 12;
  stranger.runs = 0;
  assert_int_equal((int)value(&engine, "HW_DESTRUCTIVE_BYTES"), 64);
  engine_close(&engine);
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CORES"), 2);
  stranger.period = 24;
  stranger.last = 12;
  stranger.runs = 0;
  assert_int_equal((int)value(&engine, "HW_DESTRUCTIVE_BYTES"), 0);
  engine_close(&engine);
}

/* A host that puts both processors on one core, until within the third time that distances are
   looked at, or for longer than anybody waits: no words are then near each other. */
static void test_destructive_core(void **state) {
  (void)state;
  for (int i = 0; i <= 40; i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    double ns = i == 40 ? INFINITY : 1.8e7 + i * 2e5;

    begin_beside(&engine, &ops, HW_WORK_STORE, 0);
    assert_int_equal((int)value(&engine, "HW_L1_LINE"), 64);
    come(&engine, ns);
    assert_int_equal((int)value(&engine, "HW_DESTRUCTIVE_BYTES"), isinf(ns) ? 0 : 64);
    engine_close(&engine);
  }
}

#define PATH                                                                                       \
  "machine Path\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 3\n"         \
  "memory latency 100 read 4\ngroup 1 of 2 step 1 latency 50ns path 4\nscheduler slot 4ms\n"       \
  "tlb 1 entries 64 ways 4 miss 7\ntlb 2 entries 512 ways 4 miss 30\n"

/* The groups that share a path; -1 when they are unknown.  Everything they depend on is known. */
static int path_groups(struct hw_engine *engine) {
  struct hw_answer answer = engine_row(engine, "HW_MEM_GROUPS");

  return answer.known ? (int)answer.value : -1;
}

/* A host that moves a processor between the look at pairs and that at their paths: a word between
   them takes another time. */
static void test_path_moved(void **state) {
  static const double ns[] = {0, INFINITY};

  (void)state;
  for (size_t i = 0; i < COUNT(ns); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    assert_int_equal((int)value(&engine, "HW_COMM_LAYERS"), 1);
    assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
    stranger.only = true;
    stranger.work = HW_WORK_PASS;
    come(&engine, ns[i]);
    assert_int_equal(path_groups(&engine), i == 0 ? 1 : -1);
    assert_int_equal(value(&engine, "HW_MEM_TOTAL_MBS") > 0, i == 0);
    engine_close(&engine);
  }
}

/* Two whose path to memory costs each of them so many percent when both read, with noise or not: up
   to 13 % they are no group, from 20 % on they are one, and between it is unknown; beside noise it
   may be unknown. */
static void path_costs(const int *cost, size_t n, const char *noise, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    const int groups = cost[i] <= 13 ? 0 : cost[i] >= 20 ? 1 : -1;
    struct hw_machine_ops ops;
    struct hw_engine engine;
    char text[1024];
    int found;

    snprintf(text, sizeof text,
             "machine Path\ncycle 1 ns\npage bytes 4K\nseed %u\n"
             "level 1  bytes 16K ways 4 line 64 latency 3\nmemory latency 100 read 4\n"
             "group 1 of 2 step 1 latency 50ns path %g\n%s",
             seed, 8 * (1 - cost[i] / 100.0), noise);
    begin_on(text, &engine, &ops);
    found = path_groups(&engine);
    if (found != groups && (noise[0] == '\0' || found != -1))
      fail_msg("%d instead of %d for %d %%, %s", found, groups, cost[i], noise);
    engine_close(&engine);
  }
}

#define PATH_NOISE "noise jitter 5% outliers 1% 50us\n"

static void test_path_costs(void **state) {
  static const int cost[] = {5, 15, 25};

  (void)state;
  path_costs(cost, COUNT(cost), PATH_NOISE, 1);
}

static void test_path_costs_long(void **state) {
  static const int cost[] = {5, 10, 13, 15, 18, 20, 25, 30, 40, 50, 60};

  (void)state;
  path_costs(cost, COUNT(cost), "", 1);
  for (unsigned seed = 2; seed <= 3; seed++) {
    path_costs(cost, COUNT(cost), PATH_NOISE, seed);
    path_costs(cost, COUNT(cost), "noise jitter 2% bursts 2ms 2ms 1.5\n", seed);
  }
}

/* Two that take each other's bandwidth for a while, whatever each has alone: one attempt finds them
   on one path and on two, and says neither; for as long as it looks, they are one group. */
static void test_path_twice(void **state) {
  static const double ns[] = {3e8, INFINITY};
  static const int groups[] = {-1, 1};

  (void)state;
  for (size_t i = 0; i < COUNT(ns); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on("machine Two\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 3\n"
             "memory latency 100 read 4\ngroup 1 of 2 step 1 latency 50ns path 8\n",
             &engine, &ops);
    assert_int_equal((int)value(&engine, "HW_COMM_LAYERS"), 1);
    assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
    engine.bench.effort.attempts = 1;
    stranger.only = true;
    stranger.work = HW_WORK_READ;
    come(&engine, ns[i]);
    assert_int_equal(path_groups(&engine), groups[i]);
    engine_close(&engine);
  }
}

/* Other processes that want the processors all the time from then on: where these run varies from
   time to time. */
static void test_wanted(void **state) {
  (void)state;
  for (int wanted = 0; wanted < 2; wanted++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    assert_int_equal((int)value(&engine, "HW_COMM_LAYERS"), 1);
    assert_int_equal((int)value(&engine, "HW_CORES"), 2);
    assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
    stranger.away = stranger.only = true;
    stranger.work = HW_WORK_WATCH;
    come(&engine, wanted ? INFINITY : 0);
    assert_int_equal(path_groups(&engine), wanted ? -1 : 1);
    assert_int_equal(value(&engine, "HW_COMM1_LAT_NS") > 0, !wanted);
    assert_int_equal(value(&engine, "HW_COMM1_MBS") > 0, !wanted);
    assert_int_equal(value(&engine, "HW_PAR_MIN_NS") > 0, !wanted);
    if (wanted)
      assert_string_equal(why(&engine, "HW_PAR_MIN_NS"), "other processes use the processors");
    assert_int_equal((int)value(&engine, "HW_COMM1_SIZE"), 2);
    engine_close(&engine);
  }
}

/* What lacks another row says so, in a later process too. */
static void test_lacking(void **state) {
  char folder[] = "strangers-XXXXXX";

  (void)state;
  assert_non_null(mkdtemp(folder));
  for (int later = 0; later < 2; later++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    engine.directory = folder;
    engine.bench.memory = later ? (size_t)256 << 20 : 100000;
    assert_string_equal(why(&engine, "HW_FETCH_BYTES"), "HW_CACHE_LEVELS is unknown");
    engine_close(&engine);
  }
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* Leaves a folder as a process does that has measured a curve of a probe in a storm. */
static void leave_storm_of(const char *folder, const char *probe, const char *name) {
  struct hw_engine engine = {.directory = folder, .bench = {.log = stderr}};
  struct hw_curve curve;

  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  for (int i = 0; i < 8; i++)
    put_point(&curve, 4096 << i, i % 2 ? 100 : 3, 0, 12);
  hw_curve_set(&curve, HW_CURVE_FIELD_PROBE, probe);
  put_curve(&engine.bench.curves, curve);
  hw_engine_keep(&engine, probe);
  hw_curves_free(&engine.bench.curves);
}

static void leave_storm(const char *folder) { leave_storm_of(folder, "map", "levels"); }

/* Replaces the baseline by that of a Zen 3 guest beside a busy SMT sibling: it is not clear. */
static void disturb_baseline(struct hw_engine *engine) {
  struct hw_curve curve;

  hw_curve_init(&curve, HW_NAME_ISSUE, "independent additions (count)", "time of one (cycles)");
  put_point(&curve, 65536, 0.2709109742, 0.02751, 4714);
  hw_curve_set(&curve, HW_CURVE_FIELD_PROBE, "clock");
  put_curve(&engine->bench.curves, curve);
  assert_false(hw_issue_clear(&engine->bench.curves));
}

/* Two lines in one set do not fit beside as many as its ways, which nobody needs a baseline for: a
   set that is as full fits in the same rounds. */
static void test_blind_line(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on(PATH, &engine, &ops);
  assert_true(value(&engine, "HW_L1_BYTES") > 0);
  disturb_baseline(&engine);
  assert_int_equal((int)value(&engine, "HW_L1_LINE"), 64);
  engine_close(&engine);
}

static const unsigned *no_processors(struct hw_machine *machine, size_t *n) {
  (void)machine;
  *n = 0;
  return NULL;
}

/* The other process has the second processor for itself: all threads take turns on the first, and
   are charged for exactly that. */
static int crowded(struct hw_machine *machine, struct hw_part *part, size_t n) {
  for (size_t i = 0; i < n; i++)
    part[i].processor = 0;
  return stranger.plain->team(machine, part, n);
}

/* Where threads cannot be bound, another process that stays hides a processor. */
static void test_hidden(void **state) {
  (void)state;
  for (int hidden = 0; hidden < 2; hidden++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin(&engine, &ops);
    ops.processors = no_processors;
    if (hidden)
      ops.team = crowded;
    assert_int_equal((int)value(&engine, "HW_CPUS"), hidden ? 0 : 2);
    engine_close(&engine);
  }
}

/* The baseline that a later probe measures is that of all processes after it. */
static void test_baseline(void **state) {
  char folder[] = "strangers-XXXXXX";

  (void)state;
  assert_non_null(mkdtemp(folder));
  for (int process = 0; process < 3; process++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    engine.directory = folder;
    if (process == 0) {
      assert_true(value(&engine, "HW_CLOCK_NS") > 0);
      disturb_baseline(&engine);
      hw_engine_keep(&engine, "clock");
    } else if (process == 1) {
      assert_true(value(&engine, "HW_L1_BYTES") > 0);
    } else {
      assert_true(hw_engine_recall(&engine, "clock"));
      assert_true(hw_issue_clear(&engine.bench.curves));
    }
    engine_close(&engine);
  }
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* The end of a loop is mispredicted at every second call or so. */
static void ended_issue(struct hw_machine *machine, unsigned long n) {
  static struct hw_random random = {1};

  stranger.plain->issue(machine, n);
  if (hw_random_below(&random, 2) > 0)
    stranger.plain->add(machine, HW_GRAIN);
}

/* That does not make the baseline unclear, as a busy SMT sibling would. */
static void test_loop_ends(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on("machine Ends\ncycle 0.25 ns\nclock step 8ns cost 20ns\npage bytes 4K\n"
           "level 1  bytes 32K ways 8 line 64 latency 4\nmemory latency 200\n"
           "tlb 1 entries 64 ways 4 miss 7\n",
           &engine, &ops);
  ops.issue = ended_issue;
  assert_int_equal((int)value(&engine, "HW_L1_BYTES"), 32768);
  assert_true(hw_issue_clear(&engine.bench.curves));
  engine_close(&engine);
}

/* A baseline below 0.97 of the one that there is replaces it. */
static void test_lower_baseline(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on(PATH, &engine, &ops);
  assert_true(value(&engine, "HW_CLOCK_NS") > 0);
  disturb_baseline(&engine);
  engine.bench.issue = (struct hw_point){.y = 0.268, .count = 24};
  assert_int_equal(hw_issue_lower(&engine.bench), 0);
  assert_close(hw_issue(&engine.bench.curves).y, 0.2709, 1e-4);
  engine.bench.issue.y = 0.254;
  assert_int_equal(hw_issue_lower(&engine.bench), 0);
  assert_close(hw_issue(&engine.bench.curves).y, 0.254, 1e-9);
  engine_close(&engine);
}

/* A probe that reads nothing of an unclear one does not name it as what it lacks. */
static void test_blame(void **state) {
  char folder[] = "strangers-XXXXXX";
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  assert_non_null(mkdtemp(folder));
  leave_storm_of(folder, "tlb", "tlb");
  begin_on(PATH, &engine, &ops);
  engine.directory = folder;
  engine.bench.memory = 1000;
  assert_false(first_look(&engine, "HW_L1_EFF_BYTES").known);
  assert_string_equal(first_look(&engine, "HW_CACHE_LEVELS").why, "nothing could be measured");
  engine_close(&engine);
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* When the budget is spent what is settled keeps its reason, and only what had no time says so. */
static void test_spent(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on(PATH, &engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
  engine.bench.deadline = 0;
  assert_string_equal(why(&engine, "HW_L2_LAT"), "there is no such level");
  assert_string_equal(why(&engine, "HW_FETCH_BYTES"), "the budget is spent");
  engine_close(&engine);
}

/* Nor does it hide what an attempt has said, if there is no time for another. */
static void test_said(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on(PATH, &engine, &ops);
  engine.bench.memory = 1000;
  for (int late = 0; late < 2; late++) {
    assert_string_equal(first_look(&engine, "HW_CACHE_LEVELS").why, "nothing could be measured");
    assert_int_equal(hw_engine_again(&engine), !late);
    engine.bench.deadline = 0;
  }
  engine_close(&engine);
}

/* What an earlier process has left unclear is measured again where that is asked for, and what
   needs it then. */
static void test_again(void **state) {
  char folder[] = "strangers-XXXXXX";

  (void)state;
  assert_non_null(mkdtemp(folder));
  leave_storm(folder);
  for (int again = 0; again < 2; again++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    engine.directory = folder;
    if (again)
      assert_true(hw_engine_again(&engine));
    assert_int_equal(first_look(&engine, "HW_CACHE_LEVELS").known, again);
    if (again)
      assert_int_equal((int)value(&engine, "HW_FETCH_BYTES"), 64);
    else
      assert_string_equal(first_look(&engine, "HW_FETCH_BYTES").why, "HW_CACHE_LEVELS is unknown");
    engine_close(&engine);
  }
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* So is what no program relies on, while the effort has patience. */
static void test_again_others(void **state) {
  char folder[] = "strangers-XXXXXX";

  (void)state;
  assert_non_null(mkdtemp(folder));
  leave_storm_of(folder, "fetch", "fetch");
  for (int patient = 0; patient < 2; patient++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    engine.directory = folder;
    engine.bench.spent = patient ? 0 : engine.bench.effort.patience;
    assert_true(first_look(&engine, "HW_CACHE_LEVELS").known);
    assert_true(hw_engine_again(&engine));
    assert_int_equal(first_look(&engine, "HW_FETCH_BYTES").known, patient);
    engine_close(&engine);
  }
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

#define CORE                                                                                       \
  "machine Core\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 2\n"         \
  "memory latency 100\ncore width 3 loop 2\n"                                                      \
  "operation store any latency 1 units 1\noperation load any latency 2 units 1\n"                  \
  "operation add i32 latency 1 units 3\noperation mul i32 latency 3 units 1\n"                     \
  "operation add f64 latency 4 units 1\noperation mul f64 latency 5 units 1\n"

static const char *const core_rows[] = {"HW_LAT_ADD_I32", "HW_LAT_MUL_I32", "HW_LAT_ADD_F64",
                                        "HW_LAT_MUL_F64"};

/* The known ones of the rows of scalars where the probe has that much time, ns, which it took in
   *took; all of them are right.  Where it is less than it wants the others say so, in a later
   process too. */
static size_t core_known(double ns, double *took) {
  static const double latency[] = {1, 3, 4, 5};
  char folder[] = "strangers-XXXXXX";
  size_t known = 0;

  assert_non_null(mkdtemp(folder));
  for (int later = 0; later < 2; later++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    double start;
    begin_on(CORE, &engine, &ops);
    engine.directory = folder;
    first_look(&engine, "HW_CLOCK_NS");
    start = hw_now(&engine.bench);
    if (!later)
      engine.bench.deadline = start + ns;
    known = 0;
    for (size_t i = 0; i < COUNT(core_rows); i++) {
      struct hw_answer answer = first_look(&engine, core_rows[i]);
      known += answer.known;
      if (answer.known)
        assert_int_equal((int)answer.value, (int)latency[i]);
      else
        assert_string_equal(answer.why, "the budget is spent");
    }
    if (!later)
      *took = hw_now(&engine.bench) - start;
    engine_close(&engine);
  }
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
  return known;
}

/* The shorter body of a loop takes half as long again, as where wide units are switched on for it.
 */
static void slow_short(struct hw_machine *machine, size_t i, bool longer, unsigned long n) {
  stranger.plain->nano(machine, i, longer, n);
  if (!longer)
    machine->ops->add(machine, 12 * n);
}

/* Then the difference of both lengths is not that of their operations. */
static void test_slow_short(void **state) {
  (void)state;
  for (int slow = 0; slow < 2; slow++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(CORE, &engine, &ops);
    if (slow)
      ops.nano = slow_short;
    assert_int_equal((int)value(&engine, "HW_LAT_ADD_F64_X100"), slow ? 0 : 400);
    engine_close(&engine);
  }
}

/* A core whose vectors of 64 bytes have units that sleep. */
#define WIDE_ADDS(bytes, units)                                                                    \
  "operation add f32v" bytes " latency 4 units " units "\noperation add f64v" bytes                \
  " latency 4 units " units "\n"
#define WIDE                                                                                       \
  "machine Wide\ncycle 0.3 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 2\n"       \
  "memory latency 100\ncore width 4 loop 2\nnoise jitter 0.3%\n"                                   \
  "operation store any latency 1 units 1\noperation load any latency 2 units 2\n"                  \
  "operation add i32 latency 1 units 4\noperation add f32 latency 4 units 2\n"                     \
  "operation add f64 latency 4 units 2\n" WIDE_ADDS("8", "2") WIDE_ADDS("16", "2")                 \
      WIDE_ADDS("32", "2") WIDE_ADDS("64", "2") WIDE_ADDS("128", "1")

/* They fall asleep so long, ns, after their last use, for which the core stands still; and work at
   a quarter of their rate while they wake. */
#define SLEEPER_STAYS 3000.0
#define SLEEPER_STILL 1200.0
#define SLEEPER_WAKES 8000.0
#define SLEEPER_CYCLE 0.3

static struct {
  const struct hw_nano *nano;
  double stays; /* ns until they fall asleep; below 0: they are */
  double wakes; /* ns until they are awake */
} sleeper;

static int sleeper_take(struct hw_machine *machine, const struct hw_nano *nano, size_t n) {
  sleeper.nano = nano;
  return stranger.plain->nano_take(machine, nano, n);
}

/* So long, ns, they have not been used. */
static void sleeper_rest(struct hw_machine *machine, double ns) {
  bool awake = sleeper.stays >= 0;

  sleeper.stays -= ns;
  if (!awake || sleeper.stays >= 0)
    return;
  sleeper.wakes = SLEEPER_WAKES;
  stranger.plain->add(machine, hw_grains(SLEEPER_STILL / SLEEPER_CYCLE));
}

static void sleeper_add(struct hw_machine *machine, unsigned long n) {
  stranger.plain->add(machine, n);
  sleeper_rest(machine, SLEEPER_CYCLE * (double)n);
}

static void sleeper_issue(struct hw_machine *machine, unsigned long n) {
  stranger.plain->issue(machine, n);
  sleeper_rest(machine, SLEEPER_CYCLE / 4 * (double)n);
}

static void sleeper_nano(struct hw_machine *machine, size_t i, bool longer, unsigned long n) {
  double start = stranger.plain->now(machine), ns, slow;

  stranger.plain->nano(machine, i, longer, n);
  ns = stranger.plain->now(machine) - start;
  if (strcmp(sleeper.nano[i].part[0].type + 3, "v64") != 0) {
    sleeper_rest(machine, ns);
    return;
  }
  slow = fmin(3 * ns, 3 / 4.0 * sleeper.wakes);
  stranger.plain->add(machine, hw_grains(slow / SLEEPER_CYCLE));
  sleeper.wakes = fmax(sleeper.wakes - ns - slow, 0);
  sleeper.stays = SLEEPER_STAYS;
}

/* They are awake while they are timed, and what is timed beside them is not when the core stands
   still. */
static void test_sleeper(void **state) {
  static const char *const rows[] = {"HW_VEC_BYTES", "HW_LAT_ADD_VF32_X100", "HW_RTP_ADD_VF32_X100",
                                     "HW_LAT_ADD_VF64_X100"};
  static const double right[] = {64, 400, 50, 400};
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on(WIDE, &engine, &ops);
  ops.nano = sleeper_nano;
  ops.nano_take = sleeper_take;
  ops.add = sleeper_add;
  ops.issue = sleeper_issue;
  sleeper.stays = -1;
  sleeper.wakes = SLEEPER_WAKES;
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_true(fabs(value(&engine, rows[i]) - right[i]) <= 0.01 * right[i]);
  engine_close(&engine);
}

/* A probe that is out of time keeps what is clear by then. */
static void test_late(void **state) {
  double took, less;
  size_t some = 0;

  (void)state;
  assert_int_equal(core_known(INFINITY, &took), COUNT(core_rows));
  for (int tenths = 1; tenths < 10; tenths++)
    some += core_known(took * tenths / 10, &less);
  assert_true(some > 0);
  assert_int_equal(core_known(0, &less), 0);
}

/* What others need, and costs little, is tried a second time when they ask for it, a tenth of a
   second later or more; and a third time when others have had their turn. */
static void test_needed(void **state) {
  (void)state;
  for (unsigned times = 1; times <= 4; times++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    double start;

    begin_on(PATH, &engine, &ops);
    ops.map = refused_map;
    first_look(&engine, "HW_CLOCK_NS");
    refused = times;
    start = hw_now(&engine.bench);
    assert_false(first_look(&engine, "HW_L1_BYTES").known);
    assert_int_equal(first_look(&engine, "HW_L1_LINE").known, times < 2);
    assert_true(hw_now(&engine.bench) - start >= 1e8);
    refused = times > 2 ? times : 0;
    assert_int_equal(engine_row(&engine, "HW_L1_LINE").known, times < 3);
    refused = 0;
    engine_close(&engine);
  }
}

/* How often the log tells of each probe, in turn, up to one that it tells of for the third time; or
   to its end.  Their number. */
static size_t tell_tries(FILE *log, char probe[][64], unsigned *times) {
  char line[512];
  size_t n = 0;

  rewind(log);
  while (fgets(line, sizeof line, log) != NULL) {
    size_t i = 0;
    char *end = strstr(line, ": measured in ");
    if (end == NULL)
      continue;
    *end = '\0';
    while (i < n && strcmp(probe[i], line) != 0)
      i++;
    if (i == n) {
      assert_true(n < 16 && strlen(line) < 64);
      strcpy(probe[n], line);
      times[n++] = 0;
    }
    if (++times[i] > 2)
      return n;
  }
  return n;
}

static void tell_nobody(void *context, const struct hw_param *param, struct hw_answer answer,
                        enum hw_telling telling) {
  (void)context, (void)param, (void)answer, (void)telling;
}

static void tell_kinds(void *context, const struct hw_param *param, struct hw_answer answer,
                       enum hw_telling telling) {
  (void)telling;
  if (strcmp(param->name, "HW_CPU_KINDS") == 0)
    *(double *)context += answer.known ? answer.value : 0;
}

/* That there are several kinds of processors is told with any row, since that is of one of them. */
static void test_kinds(void **state) {
  const struct hw_param *row[] = {hw_param_find("HW_CLOCK_NS"), hw_param_find("HW_CPU_KINDS")};

  (void)state;
  for (int several = 0; several < 2; several++)
    for (size_t n = 1; n <= 2; n++) {
      struct hw_machine_ops ops;
      struct hw_engine engine;
      double told = 0;

      begin_on(several ? MACHINE "kind from 1 speed 0.5\n" : MACHINE, &engine, &ops);
      hw_engine_ask(&engine, row, n, &(struct hw_told){tell_kinds, &told});
      assert_int_equal((int)told, several ? 2 : (int)n - 1);
      engine_close(&engine);
    }
}

/* Where many fail, none is tried a third time before the last has had its second. */
static void test_third(void **state) {
  static const char *const names[] = {"HW_FETCH_BYTES", "HW_L1_LINE", "HW_PAGE_BYTES",
                                      "HW_L1I_BYTES", "HW_L1_WRITE_BACK"};
  const struct hw_param *row[COUNT(names)];
  unsigned times[16];
  char probe[16][64];
  struct hw_machine_ops ops;
  struct hw_engine engine;
  size_t n, thirds = 0;

  (void)state;
  for (size_t i = 0; i < COUNT(names); i++)
    row[i] = hw_param_find(names[i]);
  begin_on(PATH, &engine, &ops);
  ops.map = refused_map;
  refused = 1000000;
  hw_engine_ask(&engine, row, COUNT(names), &(struct hw_told){tell_nobody, NULL});
  n = tell_tries(engine.bench.log, probe, times);
  assert_true(n > COUNT(names));
  for (size_t i = 0; i < n; i++) {
    if (times[i] < 2 && strcmp(probe[i], "clock") != 0 && strcmp(probe[i], "kinds") != 0)
      fail_msg("%s was tried once only", probe[i]);
    thirds += times[i] > 2;
  }
  assert_int_equal(thirds, 1);
  refused = 0;
  engine_close(&engine);
}

/* An attempt that is cut short and knows no more leaves the curves of the one before, and its
 * reason.
 */
static void test_cut(void **state) {
  char folder[] = "strangers-XXXXXX";
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_answer answer;

  (void)state;
  assert_non_null(mkdtemp(folder));
  leave_storm_of(folder, "fetch", "fetch");
  begin(&engine, &ops);
  engine.directory = folder;
  assert_true(value(&engine, "HW_CACHE_LEVELS") > 0);
  engine.bench.limit = 1;
  answer = engine_row(&engine, "HW_FETCH_BYTES");
  assert_false(answer.known);
  assert_string_equal(answer.why, "a distance was not measured");
  assert_int_equal(hw_curves_get(&engine.bench.curves, "fetch")->n, 8);
  engine_close(&engine);
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* Rows that were told, in turn. */
struct told {
  const char *row[8];
  bool known[8];
  size_t n;
};

static void tell(void *context, const struct hw_param *param, struct hw_answer answer,
                 enum hw_telling telling) {
  struct told *told = context;

  assert_true(told->n < COUNT(told->row));
  told->row[told->n] = param->name;
  assert_true(answer.known || telling == HW_TELL_OPEN);
  told->known[told->n++] = answer.known;
}

/* What was unclear is measured again when the others have had their turn, not before: first what
   programs rely on. */
static void test_turns(void **state) {
  static const char *const turns[] = {"HW_FETCH_BYTES", "HW_CACHE_LEVELS", "HW_CLOCK_NS",
                                      "HW_CACHE_LEVELS", "HW_FETCH_BYTES"};
  const struct hw_param *row[] = {hw_param_find(turns[0]), hw_param_find(turns[1]),
                                  hw_param_find(turns[2])};
  char folder[] = "strangers-XXXXXX";
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct told told = {.n = 0};

  (void)state;
  assert_non_null(mkdtemp(folder));
  leave_storm(folder);
  begin_on(PATH, &engine, &ops);
  engine.directory = folder;
  hw_engine_ask(&engine, row, COUNT(row), &(struct hw_told){tell, &told});
  assert_int_equal(told.n, COUNT(turns));
  for (size_t i = 0; i < COUNT(turns); i++) {
    assert_string_equal(told.row[i], turns[i]);
    assert_int_equal(told.known[i], i >= 2);
  }
  engine_close(&engine);
  remove_curves(folder);
  assert_int_equal(rmdir(folder), 0);
}

/* Other processes that want a processor now and then, and often. */
static void test_path_wanted(void **state) {
  (void)state;
  for (unsigned period = 3; period <= 9; period += 6) {
    struct hw_machine_ops ops;
    struct hw_engine engine;

    begin_on(PATH, &engine, &ops);
    assert_int_equal((int)value(&engine, "HW_COMM_LAYERS"), 1);
    assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
    stranger.away = true;
    stranger.period = period;
    stranger.last = 1;
    assert_int_equal(path_groups(&engine), period == 9 ? 1 : -1);
    engine_close(&engine);
  }
}

/* What reading costs, with one who moves data himself for so long, ns: additions do not tell of
 * him.
 */
static double rate(double ns) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  double mbs;

  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 1);
  come(&engine, ns);
  mbs = value(&engine, "HW_L1_READ_MBS");
  engine_close(&engine);
  return mbs;
}

/* For as long as all samples of one time take. */
static void test_rate(void **state) {
  double quiet = rate(0);

  (void)state;
  assert_true(quiet > 0);
  assert_true(fabs(rate(1e7) - quiet) < 0.1 * quiet);
  assert_true(fabs(rate(1e8) - quiet) < 0.1 * quiet);
  assert_true(fabs(rate(INFINITY) - quiet / 2) < 0.1 * quiet); /* nobody could tell */
}

/* What an earlier attempt was sure of is not measured again; a point of one sample is. */
static void test_rate_again(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_curve earlier;
  const struct hw_curve *curve;

  (void)state;
  begin(&engine, &ops);
  assert_true(value(&engine, "HW_L1_READ_MBS") > 0);
  for (unsigned long samples = 1; samples < 3; samples++) {
    hw_curve_init(&earlier, "bandwidth_read", "x", "y");
    curve = hw_curves_get(&engine.bench.curves, "bandwidth_read");
    for (size_t i = 0; i < curve->n; i++) {
      struct hw_point p = curve->point[i];
      p.y = 99;
      p.count = i == 0 ? samples : 12;
      assert_int_equal(hw_curve_put(&earlier, p), 0);
    }
    put_curve(&engine.bench.curves, earlier);
    assert_int_equal(hw_probe_bandwidth(&engine.bench), 0);
    curve = hw_curves_get(&engine.bench.curves, "bandwidth_read");
    assert_true(curve->n > 1);
    assert_true((curve->point[0].y < 10) == (samples == 1));
    assert_true(curve->point[1].y > 98);
  }
  engine_close(&engine);
}

/* Marks what has been measured; later, whether it was measured again. */
static void mark(struct hw_engine *engine) {
  struct hw_curves *curves = &engine->bench.curves;

  for (size_t i = 0; i < curves->n; i++)
    curves->curve[i]->seed = 77;
}

static bool again(const struct hw_engine *engine, const char *name) {
  const struct hw_curve *curve = hw_curves_get(&engine->bench.curves, name);

  assert_non_null(curve);
  return curve->seed != 77;
}

/* The same of the second TLB, whose entries are told, and of an instruction cache, where the cost
   of a miss is. */
static void test_told_again(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin(&engine, &ops);
  assert_int_equal((int)value(&engine, "HW_TLB2_ENTRIES"), 512);
  assert_int_equal((int)value(&engine, "HW_TLB_LEVELS"), 2);
  assert_int_equal((int)value(&engine, "HW_L1I_BYTES"), 16384);
  mark(&engine);
  assert_int_equal(hw_probe_tlbs(&engine.bench), 0);
  assert_false(again(&engine, "tlbs_pages"));
  assert_int_equal(hw_probe_icache(&engine.bench), 0);
  assert_true(again(&engine, "icache_miss"));
  assert_false(again(&engine, "icache_strides"));
  engine_close(&engine);
}

/* Another process beside which loads take a little longer. */
static void slower_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  double now = stranger.plain->now(machine);

  stranger.plain->walk(machine, memory, n);
  for (; now >= stranger.from && now < stranger.until && n >= HW_GRAIN; n -= HW_GRAIN)
    stranger.plain->issue(machine, HW_GRAIN);
}

/* Whether the costs of single lines are known beside somebody who comes after so long and stays for
   3 ms (ns): then none lies between those of two levels. */
static bool lines_beside(struct hw_engine *engine, struct hw_rise_pages *pages, double after) {
  static const double latency[] = {13, 100};
  struct hw_curve lines;
  int result;

  stranger.from = stranger.plain->now(engine->bench.machine) + after;
  stranger.until = stranger.from + 3e6;
  hw_curve_init(&lines, "lines", "x", "y");
  result =
      hw_rise_lines(&engine->bench, pages, (size_t)320 << 10, (size_t)96 << 10, latency, &lines);
  assert_true(result >= 0);
  for (size_t i = 0; i < lines.n; i++)
    assert_true(fabs(lines.point[i].y - latency[0]) < 3 || lines.point[i].y > latency[1] - 3);
  hw_curve_free(&lines);
  return result == 0;
}

/* Lines that take longer beside somebody who came after those that are held were timed do not
   count, and others are known once he has gone. */
static void test_lines(void **state) {
  struct hw_rise_pages pages = {
      .mapped = (size_t)1 << 20, .page = 4096, .line = 64, .cycle_ns = 0.5};
  struct hw_machine_ops ops;
  struct hw_engine engine;
  int known = 0;

  (void)state;
  begin_on(
      "machine Lines\ncycle 0.5 ns\nclock step 1 ns cost 4 ns\npage bytes 4K placement random\n"
      "level 1  bytes 16K ways 4 line 64 latency 3\n"
      "level 2  bytes 256K ways 8 line 64 latency 13\nmemory latency 100\n",
      &engine, &ops);
  ops.walk = slower_walk;
  assert_true(value(&engine, "HW_CLOCK_NS") > 0);
  pages.memory = ops.map(engine.bench.machine, pages.mapped, HW_PAGES_PLAIN);
  assert_non_null(pages.memory);
  for (int i = 0; i < 20; i++)
    known += lines_beside(&engine, &pages, 2e5 * i);
  assert_true(known >= 15);
  ops.unmap(engine.bench.machine, pages.memory);
  engine_close(&engine);
}

/* The parts of a shared level lie at different distances, and the same lines of all pages in one:
   its latency is the average. */
static void test_uneven(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;

  (void)state;
  begin_on("machine Uneven\ncycle 0.5 ns\npage bytes 4K placement random\n"
           "level 1  bytes 16K ways 4 line 64 latency 3\n"
           "level 2  bytes 1M ways 8 line 64 latency 13\n"
           "level 3  bytes 16M ways 16 line 64 latency 50 uneven 20\nmemory latency 300\n",
           &engine, &ops);
  assert_int_equal((int)value(&engine, "HW_CACHE_LEVELS"), 3);
  assert_int_equal((int)value(&engine, "HW_L2_LAT"), 13);
  assert_true(fabs(value(&engine, "HW_L3_LAT") - 50) <= 1);
  engine_close(&engine);
}

/* Level 1 keeps ways for another thread of the core as long as that runs, most of the time: what
   fits otherwise never does then, in no set, and what is nearly as full always. */
static void test_kept_ways(void **state) {
  unsigned known = 0;

  (void)state;
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    char text[512];
    int bytes;

    snprintf(text, sizeof text,
             "machine Keeps\ncycle 0.25 ns\npage bytes 4K placement random\nseed %u\n"
             "level 1  bytes 48K ways 12 line 64 latency 4 keeps 2\n"
             "level 2  bytes 1M ways 16 line 64 latency 14\nmemory latency 300\n"
             "clock step 10 ns cost 20 ns\nnoise sibling computing 10 ms 4 ms\n",
             seed);
    begin_on(text, &engine, &ops);
    bytes = (int)value(&engine, "HW_L1_BYTES");
    assert_true(bytes == 0 || bytes == 48 << 10);
    assert_true(bytes == 0 || (int)value(&engine, "HW_L1_ASSOC") == 12);
    known += bytes != 0;
    engine_close(&engine);
  }
  assert_true(known >= 3);
}

/* What looks like a stride of level 1 from one side: of an inclusive level behind it, which takes
   lines out of it; or half of its own, where that is longer than any that is tried. */
static void test_other_stride(void **state) {
  static const struct {
    const char *text;
    int bytes, ways;
  } machine[] = {{"machine Behind\ncycle 0.5 ns\nseed 3\npage bytes 4096 placement coloured 16\n"
                  "level 1  bytes 64K ways 8 line 32 latency 3\n"
                  "level 2  bytes 256K ways 4 line 32 latency 14 policy random inclusive\n"
                  "memory latency 152\n",
                  64 << 10, 8},
                 {"machine Long\ncycle 0.5 ns\nseed 2\npage bytes 16384 placement random\n"
                  "level 1  bytes 512K ways 2 line 64 latency 5 policy plru\n"
                  "level 2  bytes 2M ways 8 line 64 latency 12 policy random independent\n"
                  "memory latency 88\n",
                  512 << 10, 2}};

  (void)state;
  for (size_t i = 0; i < COUNT(machine); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    int bytes, ways;

    begin_on(machine[i].text, &engine, &ops);
    bytes = (int)value(&engine, "HW_L1_BYTES");
    ways = (int)value(&engine, "HW_L1_ASSOC");
    assert_true(bytes == 0 || bytes == machine[i].bytes);
    assert_true(ways == 0 || ways == machine[i].ways);
    engine_close(&engine);
  }
}

/* A clock that never advances, or in long steps, tells nothing, and that at once. */
static void test_clock(void **state) {
  static const char *const clock[][2] = {
      {"clock step 1000 ms cost 0 ns\n", "the clock does not advance"},
      {"clock step 10 ms cost 20 ns\n", "the clock's steps are too long"}};

  (void)state;
  for (size_t i = 0; i < COUNT(clock); i++) {
    struct hw_machine_ops ops;
    struct hw_engine engine;
    char text[512];

    snprintf(
        text, sizeof text,
        "machine Slow\ncycle 0.25 ns\npage bytes 4K\nlevel 1 bytes 48K ways 12 line 64 latency 4\n"
        "memory latency 300\n%s",
        clock[i][0]);
    begin_on(text, &engine, &ops);
    for (const struct hw_param *param = hw_params; param->name != NULL; param++) {
      struct hw_answer answer = hw_engine_value(&engine, param);
      assert_false(answer.known);
      assert_string_equal(answer.why, clock[i][1]);
    }
    engine_close(&engine);
  }
}

/* Nor does a question end in a yes or no, or never, of which it tells none. */
static void test_clock_question(void **state) {
  struct hw_machine_ops ops;
  struct hw_engine engine;
  struct hw_memory *memory;
  struct hw_fit_found found;
  const struct hw_fit_question ask = {.target = {.n = 8, .stride = 4096, .kept = 8},
                                      .full = {.n = 8, .stride = 4096, .kept = 7},
                                      .control = {.n = 8, .stride = 4096},
                                      .missing = {.n = 64, .stride = 4096, .kept = 64},
                                      .odds = HW_FIT_LIKELY,
                                      .align = 128};

  (void)state;
  begin_on(
      "machine Slow\ncycle 0.25 ns\npage bytes 4K\nlevel 1 bytes 48K ways 12 line 64 latency 4\n"
      "memory latency 300\nclock step 1000 ms cost 0 ns\n",
      &engine, &ops);
  memory = ops.map(engine.bench.machine, (size_t)1 << 20, HW_PAGES_PLAIN);
  assert_non_null(memory);
  assert_int_equal(hw_fit_ask(&engine.bench, memory, &ask, 1e7, &found), -1);
  ops.unmap(engine.bench.machine, memory);
  engine_close(&engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_alone_share),
      cmocka_unit_test(test_cores),
      cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_contexts_twice),
      cmocka_unit_test(test_sharing_twice),
      cmocka_unit_test(test_comm),
      cmocka_unit_test(test_comm_rate),
      cmocka_unit_test(test_comm_core),
      cmocka_unit_test(test_comm_before),
      cmocka_unit_test(test_comm_kept),
      cmocka_unit_test(test_destructive),
      cmocka_unit_test(test_destructive_core),
      cmocka_unit_test(test_path_moved),
      cmocka_unit_test(test_path_wanted),
      cmocka_unit_test(test_path_costs),
      cmocka_unit_test(test_path_twice),
      cmocka_unit_test(test_lacking),
      cmocka_unit_test(test_blind_line),
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_hidden),
      cmocka_unit_test(test_loop_ends),
      cmocka_unit_test(test_lower_baseline),
      cmocka_unit_test(test_wait),
      cmocka_unit_test(test_again),
      cmocka_unit_test(test_again_others),
      cmocka_unit_test(test_blame),
      cmocka_unit_test(test_spent),
      cmocka_unit_test(test_said),
      cmocka_unit_test(test_needed),
      cmocka_unit_test(test_third),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_page_small),
      cmocka_unit_test(test_late),
      cmocka_unit_test(test_slow_short),
      cmocka_unit_test(test_sleeper),
      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_wanted),
      cmocka_unit_test(test_rate_again),
      cmocka_unit_test(test_told_again),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_clock_question),
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_beside),       cmocka_unit_test(test_rate),
      cmocka_unit_test(test_uneven),       cmocka_unit_test(test_kept_ways),
      cmocka_unit_test(test_other_stride), cmocka_unit_test(test_path_costs_long),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests_name("strangers", long_tests, NULL, NULL);
  return cmocka_run_group_tests_name("strangers", tests, NULL, NULL);
}
