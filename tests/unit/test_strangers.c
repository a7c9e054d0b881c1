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

/* The engine, and what its machine does. */
static struct hw_engine engine;
static struct hw_machine_ops ops;

/* Opens it on a machine; no other process yet. */
static void begin_on(const char *text) {
  engine = engine_of(text, "default", (size_t)256 << 20);
  memset(&stranger, 0, sizeof stranger);
  stranger.plain = engine.bench.machine->ops;
  stranger.was = HW_WORK_TOUCH;
  ops = *stranger.plain;
  ops.team = disturbed;
  ops.stream = disturbed_stream;
  engine.bench.machine->ops = &ops;
}

static void begin(void) { begin_on(MACHINE); }

static void end(void) { engine_close(&engine); }

/* The value of a row; 0 when it is unknown. */
static double value(const char *row) {
  struct hw_answer answer = engine_row(&engine, row);

  return answer.known ? answer.value : 0;
}

/* That a row has that whole number; 0: is unknown. */
static void is(const char *row, long expected) {
  struct hw_answer answer = engine_row(&engine, row);
  long got = answer.known ? lround(answer.value) : 0;

  if (got != expected)
    fail_msg("%s is %ld instead of %ld: %s", row, got, expected, answer.known ? "" : answer.why);
}

/* A folder for curves. */
static char folder[32];

static void open_folder(void) {
  strcpy(folder, "strangers-XXXXXX");
  assert_non_null(mkdtemp(folder));
}

static void close_folder(void) {
  DIR *open = opendir(folder);
  char file[512];

  assert_non_null(open);
  for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      remove(file);
  }
  closedir(open);
  assert_int_equal(rmdir(folder), 0);
}

static const char *why(const char *row) { return engine_row(&engine, row).why; }

/* The answer of a process that others follow, which makes one attempt. */
static struct hw_answer first_look(const char *row) {
  return hw_engine_value(&engine, hw_param_find(row));
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
    begin();
    ops.map = small_map;
    if (may)
      engine.bench.memory = (size_t)16 << 20;
    is("HW_PAGE_BYTES", 4096);
    end();
  }
}

/* From now on, for so long, ns. */
static void come(double ns) { stranger.until = stranger.plain->now(engine.bench.machine) + ns; }

/* Beside a sibling who is nearly always there all probes together wait for a quarter of the budget
   at most, and none for so long that the others cannot. */
static void test_wait(void **state) {
  static const char *const rows[] = {"HW_L1_BYTES", "HW_TLB1_ENTRIES", "HW_L1I_BYTES"};
  const struct hw_budget budget = {.seconds = 4, .left = 4};
  double waited = 0;

  (void)state;
  begin_on(MACHINE "noise jitter 0.3% sibling streaming 60ms 2ms\n");
  hw_engine_budget(&engine, &budget);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const double before = engine.bench.waited;
    first_look(rows[i]);
    assert_true(engine.bench.waited - before <= 0.8e9);
    waited += engine.bench.waited - before;
  }
  assert_true(waited > 0 && waited <= 1e9);
  end();
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
  struct hw_machine *machine;
  size_t first = 0;

  (void)state;
  begin_on(
      "machine Shared\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 256K ways 16 line 64 latency 3\n"
      "memory latency 100\ntlb 1 entries 256 ways 256 miss 20\n");
  machine = engine.bench.machine;
  user.page = stranger.plain->map(machine, 4096, HW_PAGES_PLAIN);
  assert_non_null(user.page);
  assert_int_equal(stranger.plain->link(machine, user.page, &first, 1), 0);
  user.here = true;
  ops.walk = shared_walk;
  ops.move = shared_move;
  is("HW_TLB1_ENTRIES", 256);
  stranger.plain->unmap(machine, user.page);
  end();
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
  struct hw_point share;

  (void)state;
  begin();
  ops.issue = longer_issue;
  assert_int_equal((int)hw_idle_share(&engine.bench, SHARE_LOOK).count, 0);
  assert_true(value("HW_CYCLE_PS") > 0);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.count >= 10 && share.y > 0.999);
  come(INFINITY);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.count >= 10 && share.y < 0.001);
  come(SHARE_LOOK / 2);
  share = hw_idle_share(&engine.bench, SHARE_LOOK);
  assert_true(share.y > 0.3 && share.y < 0.7);
  end();
}

/* What takes 14 cycles takes 14.7 beside a busy SMT sibling: that is no exact 15. */
static void test_beside(void **state) {
  struct hw_answer latency;

  (void)state;
  for (int comes = 0; comes < 2; comes++) {
    begin_on(
        "machine Beside\ncycle 0.5 ns\npage bytes 4K\nlevel 1  bytes 32K ways 8 line 64 latency 4\n"
        "level 2  bytes 512K ways 8 line 64 latency 14\nmemory latency 200\ntlb 1 entries 64 ways "
        "4 miss 7\n");
    ops.walk = longer_walk;
    ops.issue = longer_issue;
    is("HW_L1_BYTES", 32768);
    if (comes)
      come(INFINITY);
    latency = engine_row(&engine, "HW_L2_LAT");
    assert_true(latency.known ? latency.high > 0 ? latency.low <= 14 && latency.high >= 14
                                                 : lround(latency.value) == 14
                              : comes);
    end();
  }
}

#define SHARED                                                                                     \
  "machine Shared\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 8K ways 4 line 64 latency 4\n"        \
  "level 2  bytes 64K ways 8 line 64 latency 14\nmemory latency 30\n"                              \
  "group 1 of 2 step 1 latency 50ns\ntlb 1 entries 64 ways 4 miss 7\n"
#define PATH_OF(path)                                                                              \
  "machine Path\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 3\n"         \
  "memory latency 100 read 4\ngroup 1 of 2 step 1 latency 50ns path " path "\n"
#define PATH                                                                                       \
  PATH_OF("4")                                                                                     \
  "scheduler slot 4ms\ntlb 1 entries 64 ways 4 miss 7\ntlb 2 entries 512 ways 4 miss 30\n"

/* What is asked, in turn, and who comes meanwhile:
     ROW = N, ROW ? [REASON], ROW *    it is that, unknown, or known
     come WORK NS                      threads that do that work take twice as long for so long
     away NS                           those that look out are not there
     every PERIOD LAST                 the last of so many runs take twice as long
     before, missing, attempts N */
static const struct {
  const char *what;
  const char *machine;
  const char *asks;
} scripts[] = {
    {"quiet", MACHINE, "CPUS = 2"},
    /* A host that puts both processors on one core for a third of a second, or for longer. */
    {"cores", MACHINE, "come all 3e8, CORES = 2"},
    {"cores for longer", MACHINE, "come all 8e8, CORES = 2"},
    {"one core", MACHINE, "come all inf, CORES = 1"},
    {"contexts", MACHINE, "CORES = 2, come all 3e8, CONTEXTS_INT = 2, CONTEXTS_FP = 2"},
    {"the host keeps them on one core", MACHINE, "CORES = 2, come all inf, CONTEXTS_INT ?"},
    {"cores that share what divides", MACHINE,
     "CORES = 2, come int inf, CONTEXTS_INT = 1, CONTEXTS_FP = 2"},
    /* For half a second, longer than the looks that follow each other take. */
    {"a second look, later, does not find it", MACHINE,
     "CORES = 2, attempts 1, come int 5e8, CONTEXTS_INT ?, CONTEXTS_FP = 2"},
    {"level 2 is not shared", SHARED, "L2_BYTES = 65536, CORES = 2, L2_SHARED_BY = 1"},
    {"it seems to be for a while", SHARED,
     "L2_BYTES = 65536, CORES = 2, attempts 1, come chase 4e8, "
     "L2_SHARED_BY ? it is not clear whether two share it"},
    {"or whenever it is looked at", SHARED,
     "L2_BYTES = 65536, CORES = 2, attempts 1, come chase inf, L2_SHARED_BY = 2"},
    /* A host that moves a processor away while the pairs are measured, and for longer: a time of a
       pair that was another one before is not told again. */
    {"words", MACHINE, "CORES = 2, COMM1_LAT_NS = 50, COMM_LAYERS = 1"},
    {"words of a moved processor", MACHINE,
     "CORES = 2, come pass 1e8, COMM1_LAT_NS ?, COMM_LAYERS = 1"},
    {"for longer", MACHINE, "CORES = 2, come pass inf, COMM1_LAT_NS ?, COMM_LAYERS = 1"},
    /* That blocks take another time later tells, where words do not. */
    {"blocks", MACHINE, "CORES = 2, COMM1_MBS *"},
    {"blocks beside another process", MACHINE, "CORES = 2, come blocks 1e8, COMM1_MBS ?"},
    /* A host that puts both processors on one core, for a while and for longer than anybody waits:
       what they pass then is not what two cores pass. */
    {"passing", MACHINE, "CORES = 2, COMM1_LAT_NS *, COMM1_MBS *, COMM1_SIZE = 2"},
    {"passing on one core", MACHINE,
     "CORES = 2, come issue 1e9, COMM1_LAT_NS ?, COMM1_MBS ?, COMM1_SIZE = 2"},
    {"for ever", MACHINE, "CORES = 2, come issue inf, COMM1_LAT_NS ?, COMM1_MBS ?, COMM1_SIZE = 2"},
    {"on one core always before blocks are passed for the last time, and never after", MACHINE,
     "CORES = 2, before, COMM1_MBS ?"},
    /* Who disturbs all that is measured of each seventh distance, and of each second. */
    {"some distances", MACHINE, "CORES = 2, every 84 12, DESTRUCTIVE_BYTES = 64"},
    {"each second", MACHINE, "CORES = 2, every 24 12, DESTRUCTIVE_BYTES ?"},
    {"no words are near each other on one core", MACHINE,
     "CORES = 2, L1_LINE = 64, come store inf, DESTRUCTIVE_BYTES ?"},
    {"a path", PATH, "COMM_LAYERS = 1, CACHE_LEVELS = 1, MEM_GROUPS = 1, MEM_TOTAL_MBS *"},
    {"a processor is moved between the look at pairs and that at their paths", PATH,
     "COMM_LAYERS = 1, CACHE_LEVELS = 1, come pass inf, MEM_GROUPS ?, MEM_TOTAL_MBS ?"},
    /* Two that take each other's bandwidth for a while, whatever each has alone. */
    {"on one path and on two", PATH_OF("8"),
     "COMM_LAYERS = 1, CACHE_LEVELS = 1, attempts 1, come read 3e8, MEM_GROUPS ?"},
    {"for as long as it looks, one", PATH_OF("8"),
     "COMM_LAYERS = 1, CACHE_LEVELS = 1, attempts 1, come read inf, MEM_GROUPS = 1"},
    {"no other process", PATH,
     "COMM_LAYERS = 1, CORES = 2, CACHE_LEVELS = 1, MEM_GROUPS = 1, COMM1_LAT_NS *, COMM1_MBS *, "
     "PAR_MIN_NS *, COMM1_SIZE = 2"},
    {"others want the processors all the time: where these run varies", PATH,
     "COMM_LAYERS = 1, CORES = 2, CACHE_LEVELS = 1, away inf, MEM_GROUPS ?, COMM1_LAT_NS ?, "
     "COMM1_MBS ?, PAR_MIN_NS ? other processes use the processors, COMM1_SIZE = 2"},
    {"often", PATH, "COMM_LAYERS = 1, CACHE_LEVELS = 1, missing, every 3 1, MEM_GROUPS ?"},
    {"now and then", PATH, "COMM_LAYERS = 1, CACHE_LEVELS = 1, missing, every 9 1, MEM_GROUPS = 1"},
};

static void come_for(const char *work, double ns) {
  static const char *const names[] = {"issue", "int", "chase", "pass", "store", "read"};
  static const enum hw_work works[] = {HW_WORK_ISSUE, HW_WORK_INT,   HW_WORK_CHASE,
                                       HW_WORK_PASS,  HW_WORK_STORE, HW_WORK_READ};

  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(work, names[i]) == 0) {
      stranger.only = true;
      stranger.work = works[i];
    }
  stranger.blocks = strcmp(work, "blocks") == 0;
  assert_true(stranger.only || stranger.blocks || strcmp(work, "all") == 0);
  come(ns);
}

/* What is asked of a row. */
static bool ask_is(const char *row, const char *verb, const char *wanted) {
  char name[64];
  struct hw_answer answer;

  snprintf(name, sizeof name, "HW_%s", row);
  answer = engine_row(&engine, name);
  if (verb[0] == '=')
    return answer.known && lround(answer.value) == strtol(wanted, NULL, 10);
  if (verb[0] == '?')
    return !answer.known && (*wanted == '\0' || strcmp(answer.why, wanted) == 0);
  return answer.known && verb[0] == '*';
}

static bool do_ask(const char *ask) {
  char word[32] = "", verb[32] = "", last[32] = "";
  int at = 0;

  sscanf(ask, "%31s %31s %n%31s", word, verb, &at, last);
  if (strcmp(word, "come") == 0) {
    come_for(verb, strtod(last, NULL));
  } else if (strcmp(word, "away") == 0) {
    stranger.away = stranger.only = true;
    stranger.work = HW_WORK_WATCH;
    come(strtod(verb, NULL));
  } else if (strcmp(word, "every") == 0) {
    stranger.period = (unsigned)strtoul(verb, NULL, 10);
    stranger.last = (unsigned)strtoul(last, NULL, 10);
    stranger.runs = 0;
  } else if (strcmp(word, "before") == 0) {
    stranger.before = true;
    stranger.times = 0;
    stranger.was = HW_WORK_TOUCH;
  } else if (strcmp(word, "missing") == 0) {
    stranger.away = true;
  } else if (strcmp(word, "attempts") == 0) {
    engine.bench.effort.attempts = (unsigned)strtoul(verb, NULL, 10);
  } else {
    return ask_is(word, verb, at > 0 ? ask + at : "");
  }
  return true;
}

static void test_scripts(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(scripts); i++) {
    char asks[512], *rest;
    snprintf(asks, sizeof asks, "%s", scripts[i].asks);
    begin_on(scripts[i].machine);
    for (char *ask = strtok_r(asks, ",", &rest); ask != NULL; ask = strtok_r(NULL, ",", &rest))
      if (!do_ask(ask + strspn(ask, " ")))
        fail_msg("%s:%s", scripts[i].what, ask);
    end();
  }
}

/* A host that puts both processors on one core until within the third time that distances are
   looked at. */
static void test_destructive_core(void **state) {
  (void)state;
  for (int i = 0; i < 40; i++) {
    begin();
    is("HW_CORES", 2);
    is("HW_L1_LINE", 64);
    come_for("store", 1.8e7 + i * 2e5);
    is("HW_DESTRUCTIVE_BYTES", 64);
    end();
  }
}

/* What tells of communication is kept: by the probe that measured it. */
static void test_comm_kept(void **state) {
  static const char *const name[][2] = {
      {"comm_early", "processors"},    {"comm_look", "processors"},
      {"comm_pairs", "comm"},          {"comm_size_1", "comm"},
      {"comm_crowd_1", "comm_later"},  {"comm_again_1", "comm_later"},
      {"comm_company_1", "comm_later"}};

  (void)state;
  begin();
  is("HW_CORES", 2);
  assert_true(value("HW_COMM1_MBS") > 0);
  for (size_t i = 0; i < COUNT(name); i++)
    assert_string_equal(hw_curves_get(&engine.bench.curves, name[i][0])->probe, name[i][1]);
  end();
}

/* The curve has 1, 2, 4 ... pairs at once, up to 6 of twelve processors; the first takes y ns, each
   other pair adds a tenth. */
static void crowd_is(const char *name, double y) {
  const struct hw_curve *curve = hw_curves_get(&engine.bench.curves, name);

  assert_non_null(curve);
  assert_int_equal(curve->n, 4);
  for (size_t i = 0; i < 4; i++) {
    double pairs = i < 3 ? exp2((double)i) : 6;

    assert_close(curve->point[i].x, pairs, 1e-9);
    assert_close(curve->point[i].y, y * (1 + (pairs - 1) / 10), 0.001 * y);
  }
}

static void test_comm_crowds(void **state) {
  (void)state;
  begin_on("machine Twelve\ncycle 1 ns\npage bytes 4K\nlevel 1 bytes 16K ways 4 line 64 latency 3\n"
           "memory latency 100\ngroup 1 of 12 step 1 latency 50ns rate 8 crowd 1.1\n");
  assert_int_equal(value("HW_COMM1_SLOWDOWN_X100"), 150);
  assert_int_equal(value("HW_COMM1_GATHER_BYTES"), 8);
  crowd_is("comm_crowd_1", 50);
  crowd_is("comm_crowd_large_1", 50 + 65536 / 8);
  end();
}

/* The groups that share a path; -1 when they are unknown.  Everything they depend on is known. */
static int path_groups(void) {
  struct hw_answer answer = engine_row(&engine, "HW_MEM_GROUPS");

  return answer.known ? (int)answer.value : -1;
}

/* Two whose path to memory costs each of them so many percent when both read, with noise or not: up
   to 13 % they are no group, from 20 % on they are one, and between it is unknown; beside noise it
   may be unknown. */
static void path_costs(const int *cost, size_t n, const char *noise, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    const int groups = cost[i] <= 13 ? 0 : cost[i] >= 20 ? 1 : -1;
    char text[1024];
    int found;

    snprintf(text, sizeof text,
             "machine Path\ncycle 1 ns\npage bytes 4K\nseed %u\n"
             "level 1  bytes 16K ways 4 line 64 latency 3\nmemory latency 100 read 4\n"
             "group 1 of 2 step 1 latency 50ns path %g\n%s",
             seed, 8 * (1 - cost[i] / 100.0), noise);
    begin_on(text);
    found = path_groups();
    if (found != groups && (noise[0] == '\0' || found != -1))
      fail_msg("%d instead of %d for %d %%, %s", found, groups, cost[i], noise);
    end();
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

/* What lacks another row says so, in a later process too. */
static void test_lacking(void **state) {
  (void)state;
  open_folder();
  for (int later = 0; later < 2; later++) {
    begin_on(PATH);
    engine.directory = folder;
    engine.bench.memory = later ? (size_t)256 << 20 : 100000;
    assert_string_equal(why("HW_FETCH_BYTES"), "HW_CACHE_LEVELS is unknown");
    end();
  }
  close_folder();
}

/* Memory that is read is no more than half of what is allowed, so that two of it can be compared:
   three times what no cache holds would be more. */
static void test_allowed(void **state) {
  (void)state;
  begin_on(
      "machine Allowed\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 2M ways 4 line 64 latency 3\n"
      "memory latency 400 read 4\ngroup 1 of 2 step 1 latency 50ns path 4\n");
  engine.bench.memory = (size_t)12 << 20;
  is("HW_NUMA_NODES", 1);
  end();
}

/* Leaves a folder as a process does that has measured a curve of a probe in a storm. */
static void leave_storm_of(const char *probe, const char *name) {
  struct hw_engine other = {.directory = folder, .bench = {.log = stderr}};
  struct hw_curve curve;

  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  for (int i = 0; i < 8; i++)
    put_point(&curve, 4096 << i, i % 2 ? 100 : 3, 0, 12);
  hw_curve_set(&curve, HW_CURVE_FIELD_PROBE, probe);
  put_curve(&other.bench.curves, curve);
  hw_engine_keep(&other, probe);
  hw_curves_free(&other.bench.curves);
}

static void leave_storm(void) { leave_storm_of("map", "levels"); }

/* Replaces the baseline by that of a Zen 3 guest beside a busy SMT sibling: it is not clear. */
static void disturb_baseline(void) {
  struct hw_curve curve;

  hw_curve_init(&curve, HW_NAME_ISSUE, "independent additions (count)", "time of one (cycles)");
  put_point(&curve, 65536, 0.2709109742, 0.02751, 4714);
  hw_curve_set(&curve, HW_CURVE_FIELD_PROBE, "clock");
  put_curve(&engine.bench.curves, curve);
  assert_false(hw_issue_clear(&engine.bench.curves));
}

/* Two lines in one set do not fit beside as many as its ways, which nobody needs a baseline for: a
   set that is as full fits in the same rounds. */
static void test_blind_line(void **state) {
  (void)state;
  begin_on(PATH);
  assert_true(value("HW_L1_BYTES") > 0);
  disturb_baseline();
  is("HW_L1_LINE", 64);
  end();
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
    begin();
    ops.processors = no_processors;
    if (hidden)
      ops.team = crowded;
    is("HW_CPUS", hidden ? 0 : 2);
    end();
  }
}

/* The baseline that a later probe measures is that of all processes after it. */
static void test_baseline(void **state) {
  (void)state;
  open_folder();
  for (int process = 0; process < 3; process++) {
    begin_on(PATH);
    engine.directory = folder;
    if (process == 0) {
      assert_true(value("HW_CLOCK_NS") > 0);
      disturb_baseline();
      hw_engine_keep(&engine, "clock");
    } else if (process == 1) {
      assert_true(value("HW_L1_BYTES") > 0);
    } else {
      assert_true(hw_engine_recall(&engine, "clock"));
      assert_true(hw_issue_clear(&engine.bench.curves));
    }
    end();
  }
  close_folder();
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
  (void)state;
  begin_on("machine Ends\ncycle 0.25 ns\nclock step 8ns cost 20ns\npage bytes 4K\n"
           "level 1  bytes 32K ways 8 line 64 latency 4\nmemory latency 200\n"
           "tlb 1 entries 64 ways 4 miss 7\n");
  ops.issue = ended_issue;
  is("HW_L1_BYTES", 32768);
  assert_true(hw_issue_clear(&engine.bench.curves));
  end();
}

/* A baseline below 0.97 of the one that there is replaces it. */
static void test_lower_baseline(void **state) {
  (void)state;
  begin_on(PATH);
  assert_true(value("HW_CLOCK_NS") > 0);
  disturb_baseline();
  engine.bench.issue = (struct hw_point){.y = 0.268, .count = 24};
  assert_int_equal(hw_issue_lower(&engine.bench), 0);
  assert_close(hw_issue(&engine.bench.curves).y, 0.2709, 1e-4);
  engine.bench.issue.y = 0.254;
  assert_int_equal(hw_issue_lower(&engine.bench), 0);
  assert_close(hw_issue(&engine.bench.curves).y, 0.254, 1e-9);
  end();
}

/* A probe that reads nothing of an unclear one does not name it as what it lacks. */
static void test_blame(void **state) {
  (void)state;
  open_folder();
  leave_storm_of("tlb", "tlb");
  begin_on(PATH);
  engine.directory = folder;
  engine.bench.memory = 1000;
  assert_false(first_look("HW_L1_EFF_BYTES").known);
  assert_string_equal(first_look("HW_CACHE_LEVELS").why, "nothing could be measured");
  end();
  close_folder();
}

/* When the budget is spent what is settled keeps its reason, and only what had no time says so. */
static void test_spent(void **state) {
  (void)state;
  begin_on(PATH);
  is("HW_CACHE_LEVELS", 1);
  engine.bench.deadline = 0;
  assert_string_equal(why("HW_L2_LAT"), "there is no such level");
  assert_string_equal(why("HW_FETCH_BYTES"), "the budget is spent");
  end();
}

/* Nor does it hide what an attempt has said, if there is no time for another. */
static void test_said(void **state) {
  (void)state;
  begin_on(PATH);
  engine.bench.memory = 1000;
  for (int late = 0; late < 2; late++) {
    assert_string_equal(first_look("HW_CACHE_LEVELS").why, "nothing could be measured");
    assert_int_equal(hw_engine_again(&engine), !late);
    engine.bench.deadline = 0;
  }
  end();
}

/* What an earlier process has left unclear is measured again where that is asked for, and what
   needs it then. */
static void test_again(void **state) {
  (void)state;
  open_folder();
  leave_storm();
  for (int again = 0; again < 2; again++) {
    begin_on(PATH);
    engine.directory = folder;
    if (again)
      assert_true(hw_engine_again(&engine));
    assert_int_equal(first_look("HW_CACHE_LEVELS").known, again);
    if (again)
      is("HW_FETCH_BYTES", 64);
    else
      assert_string_equal(first_look("HW_FETCH_BYTES").why, "HW_CACHE_LEVELS is unknown");
    end();
  }
  close_folder();
}

/* So is what no program relies on, while the effort has patience. */
static void test_again_others(void **state) {
  (void)state;
  open_folder();
  leave_storm_of("fetch", "fetch");
  for (int patient = 0; patient < 2; patient++) {
    begin_on(PATH);
    engine.directory = folder;
    engine.bench.spent = patient ? 0 : engine.bench.effort.patience;
    assert_true(first_look("HW_CACHE_LEVELS").known);
    assert_true(hw_engine_again(&engine));
    assert_int_equal(first_look("HW_FETCH_BYTES").known, patient);
    end();
  }
  close_folder();
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
  size_t known = 0;

  open_folder();
  for (int later = 0; later < 2; later++) {
    double start;
    begin_on(CORE);
    engine.directory = folder;
    first_look("HW_CLOCK_NS");
    start = hw_now(&engine.bench);
    if (!later)
      engine.bench.deadline = start + ns;
    known = 0;
    for (size_t i = 0; i < COUNT(core_rows); i++) {
      struct hw_answer answer = first_look(core_rows[i]);
      known += answer.known;
      if (answer.known)
        assert_int_equal((int)answer.value, (int)latency[i]);
      else
        assert_string_equal(answer.why, "the budget is spent");
    }
    if (!later)
      *took = hw_now(&engine.bench) - start;
    end();
  }
  close_folder();
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
    begin_on(CORE);
    if (slow)
      ops.nano = slow_short;
    is("HW_LAT_ADD_F64_X100", slow ? 0 : 400);
    end();
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

  (void)state;
  begin_on(WIDE);
  ops.nano = sleeper_nano;
  ops.nano_take = sleeper_take;
  ops.add = sleeper_add;
  ops.issue = sleeper_issue;
  sleeper.stays = -1;
  sleeper.wakes = SLEEPER_WAKES;
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_true(fabs(value(rows[i]) - right[i]) <= 0.01 * right[i]);
  end();
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
    double start;

    begin_on(PATH);
    ops.map = refused_map;
    first_look("HW_CLOCK_NS");
    refused = times;
    start = hw_now(&engine.bench);
    assert_false(first_look("HW_L1_BYTES").known);
    assert_int_equal(first_look("HW_L1_LINE").known, times < 2);
    assert_true(hw_now(&engine.bench) - start >= 1e8);
    refused = times > 2 ? times : 0;
    assert_int_equal(engine_row(&engine, "HW_L1_LINE").known, times < 3);
    refused = 0;
    end();
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
      double told = 0;

      begin_on(several ? MACHINE "kind from 1 speed 0.5\n" : MACHINE);
      hw_engine_ask(&engine, row, n, &(struct hw_told){tell_kinds, &told});
      assert_int_equal((int)told, several ? 2 : (int)n - 1);
      end();
    }
}

/* Where many fail, none is tried a third time before the last has had its second. */
static void test_third(void **state) {
  static const char *const names[] = {"HW_FETCH_BYTES", "HW_L1_LINE", "HW_PAGE_BYTES",
                                      "HW_L1I_BYTES", "HW_L1_WRITE_BACK"};
  const struct hw_param *row[COUNT(names)];
  unsigned times[16];
  char probe[16][64];
  size_t n, thirds = 0;

  (void)state;
  for (size_t i = 0; i < COUNT(names); i++)
    row[i] = hw_param_find(names[i]);
  begin_on(PATH);
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
  end();
}

/* An attempt that is cut short and knows no more leaves the curves of the one before, and its
 * reason.
 */
static void test_cut(void **state) {
  struct hw_answer answer;

  (void)state;
  open_folder();
  leave_storm_of("fetch", "fetch");
  begin();
  engine.directory = folder;
  assert_true(value("HW_CACHE_LEVELS") > 0);
  engine.bench.limit = 1;
  answer = engine_row(&engine, "HW_FETCH_BYTES");
  assert_false(answer.known);
  assert_string_equal(answer.why, "a distance was not measured");
  assert_int_equal(hw_curves_get(&engine.bench.curves, "fetch")->n, 8);
  end();
  close_folder();
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
  struct told told = {.n = 0};

  (void)state;
  open_folder();
  leave_storm();
  begin_on(PATH);
  engine.directory = folder;
  hw_engine_ask(&engine, row, COUNT(row), &(struct hw_told){tell, &told});
  assert_int_equal(told.n, COUNT(turns));
  for (size_t i = 0; i < COUNT(turns); i++) {
    assert_string_equal(told.row[i], turns[i]);
    assert_int_equal(told.known[i], i >= 2);
  }
  end();
  close_folder();
}

/* What reading costs, with one who moves data himself for so long, ns: additions do not tell of
 * him.
 */
static double rate(double ns) {
  double mbs;

  begin();
  is("HW_CACHE_LEVELS", 1);
  come(ns);
  mbs = value("HW_L1_READ_MBS");
  end();
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
  struct hw_curve earlier;
  const struct hw_curve *curve;

  (void)state;
  begin();
  assert_true(value("HW_L1_READ_MBS") > 0);
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
  end();
}

/* Marks what has been measured; later, whether it was measured again. */
static void mark(void) {
  struct hw_curves *curves = &engine.bench.curves;

  for (size_t i = 0; i < curves->n; i++)
    curves->curve[i]->seed = 77;
}

static bool again(const char *name) {
  const struct hw_curve *curve = hw_curves_get(&engine.bench.curves, name);

  assert_non_null(curve);
  return curve->seed != 77;
}

/* The same of the second TLB, whose entries are told, and of an instruction cache, where the cost
   of a miss is. */
static void test_told_again(void **state) {
  (void)state;
  begin();
  is("HW_TLB2_ENTRIES", 512);
  is("HW_TLB_LEVELS", 2);
  is("HW_L1I_BYTES", 16384);
  mark();
  assert_int_equal(hw_probe_tlbs(&engine.bench), 0);
  assert_false(again("tlbs_pages"));
  assert_int_equal(hw_probe_icache(&engine.bench), 0);
  assert_true(again("icache_miss"));
  assert_false(again("icache_strides"));
  end();
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
static bool lines_beside(struct hw_rise_pages *pages, double after) {
  static const double latency[] = {13, 100};
  struct hw_curve lines;
  int result;

  stranger.from = stranger.plain->now(engine.bench.machine) + after;
  stranger.until = stranger.from + 3e6;
  hw_curve_init(&lines, "lines", "x", "y");
  result =
      hw_rise_lines(&engine.bench, pages, (size_t)320 << 10, (size_t)96 << 10, latency, &lines);
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
  int known = 0;

  (void)state;
  begin_on(
      "machine Lines\ncycle 0.5 ns\nclock step 1 ns cost 4 ns\npage bytes 4K placement random\n"
      "level 1  bytes 16K ways 4 line 64 latency 3\n"
      "level 2  bytes 256K ways 8 line 64 latency 13\nmemory latency 100\n");
  ops.walk = slower_walk;
  assert_true(value("HW_CLOCK_NS") > 0);
  pages.memory = ops.map(engine.bench.machine, pages.mapped, HW_PAGES_PLAIN);
  assert_non_null(pages.memory);
  for (int i = 0; i < 20; i++)
    known += lines_beside(&pages, 2e5 * i);
  assert_true(known >= 15);
  ops.unmap(engine.bench.machine, pages.memory);
  end();
}

/* The parts of a shared level lie at different distances, and the same lines of all pages in one:
   its latency is the average. */
static void test_uneven(void **state) {
  (void)state;
  begin_on("machine Uneven\ncycle 0.5 ns\npage bytes 4K placement random\n"
           "level 1  bytes 16K ways 4 line 64 latency 3\n"
           "level 2  bytes 1M ways 8 line 64 latency 13\n"
           "level 3  bytes 16M ways 16 line 64 latency 50 uneven 20\nmemory latency 300\n");
  is("HW_CACHE_LEVELS", 3);
  is("HW_L2_LAT", 13);
  assert_true(fabs(value("HW_L3_LAT") - 50) <= 1);
  end();
}

/* Level 1 keeps ways for another thread of the core as long as that runs, most of the time: what
   fits otherwise never does then, in no set, and what is nearly as full always. */
static void test_kept_ways(void **state) {
  unsigned known = 0;

  (void)state;
  for (unsigned seed = 1; seed <= 4; seed++) {
    char text[512];
    int bytes;

    snprintf(text, sizeof text,
             "machine Keeps\ncycle 0.25 ns\npage bytes 4K placement random\nseed %u\n"
             "level 1  bytes 48K ways 12 line 64 latency 4 keeps 2\n"
             "level 2  bytes 1M ways 16 line 64 latency 14\nmemory latency 300\n"
             "clock step 10 ns cost 20 ns\nnoise sibling computing 10 ms 4 ms\n",
             seed);
    begin_on(text);
    bytes = (int)value("HW_L1_BYTES");
    assert_true(bytes == 0 || bytes == 48 << 10);
    assert_true(bytes == 0 || (int)value("HW_L1_ASSOC") == 12);
    known += bytes != 0;
    end();
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
    int bytes, ways;

    begin_on(machine[i].text);
    bytes = (int)value("HW_L1_BYTES");
    ways = (int)value("HW_L1_ASSOC");
    assert_true(bytes == 0 || bytes == machine[i].bytes);
    assert_true(ways == 0 || ways == machine[i].ways);
    end();
  }
}

/* A clock that never advances, or in long steps, tells nothing, and that at once. */
static void test_clock(void **state) {
  static const char *const clock[][2] = {
      {"clock step 1000 ms cost 0 ns\n", "the clock does not advance"},
      {"clock step 10 ms cost 20 ns\n", "the clock's steps are too long"}};

  (void)state;
  for (size_t i = 0; i < COUNT(clock); i++) {
    char text[512];

    snprintf(
        text, sizeof text,
        "machine Slow\ncycle 0.25 ns\npage bytes 4K\nlevel 1 bytes 48K ways 12 line 64 latency 4\n"
        "memory latency 300\n%s",
        clock[i][0]);
    begin_on(text);
    for (const struct hw_param *param = hw_params; param->name != NULL; param++) {
      struct hw_answer answer = hw_engine_value(&engine, param);
      assert_false(answer.known);
      assert_string_equal(answer.why, clock[i][1]);
    }
    end();
  }
}

/* Nor does a question end in a yes or no, or never, of which it tells none. */
static void test_clock_question(void **state) {
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
      "memory latency 300\nclock step 1000 ms cost 0 ns\n");
  memory = ops.map(engine.bench.machine, (size_t)1 << 20, HW_PAGES_PLAIN);
  assert_non_null(memory);
  assert_int_equal(hw_fit_ask(&engine.bench, memory, &ask, 1e7, &found), -1);
  ops.unmap(engine.bench.machine, memory);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scripts),
      cmocka_unit_test(test_destructive_core),
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_alone_share),
      cmocka_unit_test(test_comm_kept),
      cmocka_unit_test(test_path_costs),
      cmocka_unit_test(test_lacking),
      cmocka_unit_test(test_allowed),
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
      cmocka_unit_test(test_rate_again),
      cmocka_unit_test(test_told_again),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_clock_question),
      cmocka_unit_test(test_comm_crowds),
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
