/* The sampler, on a machine whose every answer the test sets, and on the real one. */
#include "tests/unit/curve.h"
#include "tests/unit/stub.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A ring of one load that costs x ns. */
static void stub_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  (void)context;
  (void)random;
  ring->offset[0] = (size_t)x;
  ring->n = 1;
}

static const struct hw_series stub_series = {.room = 1, .arrange = stub_arrange};

/* The curve of n loads, each of which is to cost its x to that share. */
static struct hw_curve stub_loads(struct hw_bench *bench, const double *x, size_t n, double share) {
  struct hw_curve curve;

  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample(bench, &stub_series, x, n, &curve), 0);
  assert_int_equal(curve.n, n);
  for (size_t i = 0; i < n; i++)
    assert_close(curve.point[i].y, x[i], share * x[i]);
  return curve;
}

/* A sample is long enough for the clock, whatever its step. */
static void test_calibrate(void **state) {
  static const double steps[] = {1, 41.67, 1000};
  struct stub stub;

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    struct hw_bench bench = stub_bench(&stub);
    stub.step = steps[i];
    hw_bench_calibrate(&bench);
    assert_true(bench.sample_ns > 199 * steps[i]);
    assert_true((double)bench.adds >= bench.sample_ns - 2 * steps[i] - 20);
    assert_true(fabs(bench.read_ns - 10) < 1 + 0.001 * bench.sample_ns);
  }
}

/* Loads are told in additions: five here, at every frequency. */
static void test_cycles(void **state) {
  static const double x[] = {5, 16};
  struct stub stub;
  struct hw_bench bench = stub_bench(&stub);
  struct hw_curve curve;

  (void)state;
  stub.slow = 1.7;
  hw_bench_calibrate(&bench);
  curve = stub_loads(&bench, x, 2, 0.00375);
  assert_int_equal(curve.point[0].count, 8);
  hw_curve_free(&curve);
}

/* What scatters by 5 % is told to the 1 % that is wanted, and neither too low nor too high on
   average: the cycle is the low end of fewer samples than a point is. */
static void test_jitter(void **state) {
  const size_t times = 40;
  double sum = 0;

  (void)state;
  for (size_t i = 0; i < times; i++) {
    const double x = 7;
    struct stub stub;
    struct hw_bench bench = stub_bench(&stub);
    struct hw_curve curve;
    stub.random.state = i;
    hw_bench_calibrate(&bench);
    stub.jitter = 0.05;
    bench.effort.rounds_max = 256;
    curve = stub_loads(&bench, &x, 1, 4 * 0.01);
    sum += curve.point[0].y;
    hw_curve_free(&curve);
  }
  assert_true(fabs(sum / (double)times - 7) < 0.004 * 7);
}

/* A frequency that falls to less than half meanwhile does not show. */
static void test_drift(void **state) {
  static const double x[] = {5, 6, 7, 8};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  bench.effort = (struct hw_effort){60, 60, 1, 0.01, 0, 0, false};
  stub.growth = 0.0015;
  curve = stub_loads(&bench, x, 4, 0.02);
  assert_true(stub.slow > 2.5);
  hw_curve_free(&curve);
}

/* A sample next to an addition that nothing lengthened is told in that, though most of those around
   it were lengthened. */
static void test_lengthened(void **state) {
  static const double x[] = {5, 6, 7, 8, 9, 10, 11, 12, 13};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  bench.effort = (struct hw_effort){1, 1, 1, 0.01, 0, 0, false};
  stub.slow = 3;
  stub.calm = 9;
  curve = stub_loads(&bench, x, 9, 0.02);
  assert_int_equal(stub.calm, 0);
  hw_curve_free(&curve);
}

/* What the system's code evicts, when it is asked what was used, is no part of a sample. */
static void test_evicted(void **state) {
  static const double x[] = {4, 40};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  stub.evicted = 1e5;
  curve = stub_loads(&bench, x, 2, 0.01);
  hw_curve_free(&curve);
}

/* Samples during which the thread was away are thrown away, and taken again. */
static void test_stolen(void **state) {
  static const double x[] = {5};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  stub.stolen = 1e6;
  curve = stub_loads(&bench, x, 1, 0.004);
  assert_true(stub.away > 0);
  assert_true(curve.point[0].spread < 0.001);
  hw_curve_free(&curve);
}

/* A sample that must have the core to itself waits for it, though it is shared nine tenths of the
   time; another does not. */
static void test_shared(void **state) {
  static const double x[] = {5};
  struct hw_series series = stub_series;
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  stub.everywhere = true;
  stub.period = 9e5;
  stub.rest = 1e5;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample(&bench, &series, x, 1, &curve), 0);
  assert_true(curve.point[0].y > 9);
  series.issue.y = 0.25;
  assert_int_equal(hw_sample(&bench, &series, x, 1, &curve), 0);
  assert_true(fabs(curve.point[0].y - 5) < 0.05);
  /* As well when the clock was measured while it was shared. */
  series.issue.y = 0.5;
  stub.period = 1e5;
  assert_int_equal(hw_sample(&bench, &series, x, 1, &curve), 0);
  assert_true(fabs(curve.point[0].y - 5) < 0.05);
  hw_curve_free(&curve);
}

/* One that never leaves is waited for no longer than a second, and no point is known; nor is
   anything done for a sample that would not count. */
static void test_shared_always(void **state) {
  static const double x[] = {5};
  struct hw_series series = stub_series;
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;
  double start;

  (void)state;
  stub.everywhere = true;
  stub.period = 1;
  series.issue.y = 0.25;
  start = stub.now;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample(&bench, &series, x, 1, &curve), -1);
  assert_true(stub.now - start < 1e9);
  assert_int_equal(stub.walks, 0);
  hw_curve_free(&curve);
}

/* Work that takes longer each time. */
static double stub_slower(void *context, double x) {
  struct stub *stub = context;

  stub->cost += x;
  stub_spend(stub, 1000 * stub->cost);
  return 1000;
}

/* Cycles of work of five; 0 when it could not be measured. */
static double stub_five(struct hw_bench *bench, const struct hw_task *task) {
  static const double x[] = {5};
  struct hw_curve curve;
  double y = 0;

  hw_curve_init(&curve, "a", "x", "y");
  if (hw_sample_task(bench, task, x, 1, &curve) == 0)
    y = curve.point[0].y;
  hw_curve_free(&curve);
  return y;
}

/* One who takes little of the core is seen too, where nothing else makes additions scatter. */
static void test_light(void **state) {
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_task task = {.work = stub_work, .context = &stub, .issue.y = 0.25};

  (void)state;
  stub.period = 9e5;
  stub.rest = 1e5;
  stub.share = 1.1;
  assert_true(fabs(stub_five(&bench, &task) - 5) < 0.05);
  task.issue.spread = 0.03;
  assert_true(stub_five(&bench, &task) > 5.2);
}

/* Where one never leaves the core, another core will do for what can be done anywhere. */
static void test_elsewhere(void **state) {
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_task task = {.work = stub_work, .context = &stub, .issue.y = 0.25};

  (void)state;
  stub.period = 1;
  assert_true(!(stub_five(&bench, &task) > 0));
  task.anywhere = true;
  assert_true(fabs(stub_five(&bench, &task) - 5) < 0.05);
}

/* What somebody comes to is done again, some times, while he may yet go. */
static void test_again(void **state) {
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_idle alone;

  (void)state;
  stub.everywhere = true;
  stub.period = 9e5;
  stub.rest = 1e5;
  alone = hw_idle_begin(&bench, (struct hw_point){.y = 0.25}, false, 1e7);
  assert_true(hw_idle(&alone, hw_idle_await(&alone)));
  assert_false(hw_idle_again(&alone, 0));
  stub.now += 2e5;
  assert_true(hw_idle_again(&alone, 0));
  assert_false(hw_idle_again(&alone, 3));
  assert_true(hw_idle(&alone, hw_idle_await(&alone)));
  /* He does not go. */
  stub.rest = 0;
  assert_false(hw_idle(&alone, hw_idle_await(&alone)));
  assert_false(hw_idle_again(&alone, 0));
  /* It does not matter. */
  alone = hw_idle_begin(&bench, (struct hw_point){.y = 0}, false, 1e7);
  assert_true(hw_idle(&alone, hw_idle_await(&alone)));
  assert_false(hw_idle_again(&alone, 0));
}

/* What an addition costs with the core to oneself is found beside one who leaves it for a fiftieth
   of the time, when now and then something lengthens what it is compared with. */
static void test_quiet(void **state) {
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_point quiet;
  double start;

  (void)state;
  stub.period = 9.8e5;
  stub.rest = 2e4;
  stub.everywhere = true;
  stub.share = 1.05;
  stub.scatter = 0.9;
  stub.jolts = 51;
  start = stub.now;
  quiet = hw_quiet(&bench, 1e7);
  assert_true(fabs(quiet.y - 0.25) < 0.003);
  assert_true(quiet.spread < 0.01);
  assert_true(quiet.count >= 24);
  assert_true(stub.now - start < 1.1e7);
  /* One who never leaves it is looked at for longer. */
  stub.rest = 0;
  start = stub.now;
  quiet = hw_quiet(&bench, 1e7);
  assert_true(quiet.y > 0.26 && quiet.y < 0.33);
  assert_true(stub.now - start > 7e7 && stub.now - start < 9e7);
  /* Another core will do. */
  stub.everywhere = false;
  quiet = hw_quiet(&bench, 1e7);
  assert_true(fabs(quiet.y - 0.25) < 0.003);
  /* Too few to gather. */
  assert_int_equal(hw_quiet(&bench, 1e3).count, 0);
}

/* Another process that stays for as long as all samples of a time take, and that nothing tells of:
   the lowest that two times agree on counts.  Where no two times agree the point is not known. */
static void test_apart(void **state) {
  static const double x[] = {5};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  const struct hw_task task = {.work = stub_work, .context = &stub};
  const struct hw_task slower = {.work = stub_slower, .context = &stub};
  struct hw_curve curve;

  (void)state;
  stub.period = 1.5e7;
  stub.rest = 9e7;
  stub.now = 0;
  assert_true(stub_five(&bench, &task) > 9);
  stub.now = 0;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample_apart(&bench, &task, x, 1, &curve), 0);
  assert_true(fabs(curve.point[0].y - 5) < 0.05);
  assert_true(curve.point[0].count > 1);
  /* What was not sure before is when a later time agrees. */
  stub.period = 0;
  curve.point[0].count = 1;
  curve.point[0].y *= 0.995;
  assert_int_equal(hw_sample_apart(&bench, &task, x, 1, &curve), 0);
  assert_true(fabs(curve.point[0].y - 5) < 0.03);
  assert_true(curve.point[0].count > 1);
  hw_curve_free(&curve);
  stub.cost = 0;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample_apart(&bench, &slower, x, 1, &curve), 0);
  assert_int_equal((int)curve.point[0].count, 1);
  hw_curve_free(&curve);
}

/* Work that tells when it was begun. */
struct stub_times {
  struct stub *stub;
  unsigned times; /* runs of work without another task's between */
  double begun;   /* ns, the last of these */
  double apart;   /* ns, the least from the beginning of one to that of the next */
  double end;     /* ns */
};

static struct stub_times *stub_last;

static double stub_timed(void *context, double x) {
  struct stub_times *times = context;

  if (stub_last != times || times->stub->now - times->end > 1e6) {
    if (times->times++ > 0)
      times->apart = fmin(times->apart, times->stub->now - times->begun);
    times->begun = times->stub->now;
  }
  stub_last = times;
  stub_spend(times->stub, 1e5 * x);
  times->end = times->stub->now;
  return 1e5;
}

/* Tasks in turn are no nearer to each other than they must be, and what is known is not done. */
static void test_turns(void **state) {
  static const double x[] = {5};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct stub_times times[] = {{.stub = &stub, .apart = INFINITY},
                               {.stub = &stub, .apart = INFINITY},
                               {.stub = &stub, .apart = INFINITY}};
  struct hw_task task[] = {{.work = stub_timed, .context = &times[0], .apart = 5e7},
                           {.work = stub_timed, .context = &times[1], .apart = 5e7},
                           {.work = stub_timed, .context = &times[2], .apart = 5e7}};
  struct hw_curve curve[3];

  (void)state;
  for (size_t i = 0; i < 3; i++)
    hw_curve_init(&curve[i], "a", "x", "y");
  put_point(&curve[2], 5, 7, 0, 2);
  assert_int_equal(hw_sample_turns(&bench, task, 3, x, 1, curve), 0);
  for (size_t i = 0; i < 2; i++) {
    assert_true(fabs(curve[i].point[0].y - 5) < 0.05);
    assert_int_equal(times[i].times, 2);
    assert_true(times[i].apart >= 5e7 && times[i].apart < 5.2e7);
  }
  assert_true(times[1].begun - times[0].end < 1e6);
  assert_int_equal(times[2].times, 0);
  assert_true(fabs(curve[2].point[0].y - 7) < 0.05);
  for (size_t i = 0; i < 3; i++)
    hw_curve_free(&curve[i]);
}

/* Work at two places, at the second of which it scatters. */
struct stub_scatter {
  struct stub *stub;
  bool enough;
};

static double stub_scattered(void *context, double x) {
  struct stub *stub = ((struct stub_scatter *)context)->stub;
  double more = x > 5 ? (double)hw_random_below(&stub->random, 1000) / 1000 : 0;

  stub_spend(stub, 1000 * x * (1 + more));
  return 1000;
}

static bool stub_enough(void *context, const struct hw_curve *curve) {
  assert_int_equal(curve->n, 2);
  return ((struct stub_scatter *)context)->enough;
}

/* All points are sampled until each stands still, which are to be compared, or there is enough. */
static void test_enough(void **state) {
  static const double x[] = {5, 6};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct stub_scatter scatter = {.stub = &stub};
  const struct hw_task task = {.work = stub_scattered, .enough = stub_enough, .context = &scatter};
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample_task(&bench, &task, x, 2, &curve), 0);
  assert_int_equal((int)curve.point[0].count, (int)bench.effort.rounds_max);
  assert_int_equal((int)curve.point[1].count, (int)bench.effort.rounds_max);
  scatter.enough = true;
  assert_int_equal(hw_sample_task(&bench, &task, x, 2, &curve), 0);
  assert_int_equal((int)curve.point[1].count, (int)bench.effort.rounds);
  hw_curve_free(&curve);
}

/* No sample starts after the deadline, and a point without one is an error. */
static void test_deadline(void **state) {
  static const double x[] = {5, 6};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;
  unsigned long before;

  (void)state;
  bench.deadline = stub.now;
  before = stub.n;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample(&bench, &stub_series, x, 2, &curve), -1);
  assert_true(stub.n - before < 20000);
  assert_true(hw_late(&bench));
  hw_curve_free(&curve);
}

/* A machine without memory for the ring is an error. */
static void test_no_memory(void **state) {
  static const double x[] = {5};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  struct hw_curve curve;

  (void)state;
  stub.out_of_links = 1;
  hw_curve_init(&curve, "a", "x", "y");
  assert_int_equal(hw_sample(&bench, &stub_series, x, 1, &curve), -1);
  hw_curve_free(&curve);
}

/* Values that a row may have are printed as make reads them, with the reason where there is none.
 */
static void test_print(void **state) {
  char text[128];
  FILE *out = tmpfile();
  const struct hw_param *row = hw_param_find("HW_L1_BYTES");

  (void)state;
  assert_non_null(out);
  assert_non_null(row);
  hw_engine_print(row, hw_known("m", 49152, 0, 5), out);
  hw_engine_print(row, hw_unknown("m", "because"), out);
  rewind(out);
  assert_non_null(fgets(text, sizeof text, out));
  assert_string_equal(text, "HW_L1_BYTES = 49152\n");
  assert_non_null(fgets(text, sizeof text, out));
  assert_string_equal(text, "# HW_L1_BYTES unknown: because\n");
  fclose(out);
}

/* The range of a value goes with it, outward to whole numbers, but of a row that is exact. */
static void test_print_range(void **state) {
  const struct hw_param *row = hw_param_find("HW_MEM_LAT");
  const struct hw_answer answer = hw_ranged("m", 450.2, 429.6, 494.1);
  char text[256] = "";
  FILE *out = tmpfile();

  (void)state;
  assert_non_null(out);
  hw_engine_print(row, answer, out);
  hw_engine_print_range(row, answer, true, out);
  hw_engine_print(row, hw_known("m", 450, 1, 5), out);
  hw_engine_print(row, hw_unknown("m", "because"), out);
  hw_engine_print(hw_param_find("HW_L1_LAT"), answer, out);
  hw_engine_print(hw_param_find("HW_L1_ASSOC"), answer, out);
  hw_engine_print(hw_param_find("HW_MEM_LAT_PS"), hw_scaled(answer, 1000), out);
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = '\0';
  assert_string_equal(text, "HW_MEM_LAT = 450\n# HW_MEM_LAT range 429 495\n"
                            "hw_cv_mem_lat_range=429:495\n"
                            "HW_MEM_LAT = 450\n"
                            "# HW_MEM_LAT unknown: because\n"
                            "HW_L1_LAT = 450\n# HW_L1_LAT range 429 495\n"
                            "HW_L1_ASSOC = 450\n"
                            "HW_MEM_LAT_PS = 450200\n# HW_MEM_LAT_PS range 429600 494100\n");
  fclose(out);
}

static struct hw_answer sampler_answer;
static struct hw_answer sampler_value(const struct hw_curves *curves) {
  (void)curves;
  return sampler_answer;
}

/* A time in cycles stands alone within 3 % or its part of a cycle, any other range stays. */
static void test_alone(void **state) {
  static const struct {
    const char *row;
    double low, value, high;
    bool alone;
  } example[] = {
      {"HW_L1_LAT_X100", 376, 400, 424, true},    {"HW_L1_LAT_X100", 376, 400, 426, false},
      {"HW_L1_LAT_X100", 374, 400, 410, false},   {"HW_L2_LAT", 44, 45, 46, true},
      {"HW_L2_LAT", 43, 45, 46, false},           {"HW_L1_LAT", 3.8, 4, 4.2, true},
      {"HW_L1_LAT", 3.7, 4, 4.2, false},          {"HW_RTP_ADD_F32_X100", 49, 50, 51, true},
      {"HW_RTP_ADD_F32_X100", 48, 50, 51, false}, {"HW_MEM_LAT", 449, 450, 451, false}};
  const struct hw_curves none = {.n = 0};

  (void)state;
  for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
    struct hw_param row = *hw_param_find(example[i].row);
    row.value = sampler_value;
    sampler_answer = hw_ranged("m", example[i].value, example[i].low, example[i].high);
    assert_int_equal(!(hw_param_reduce(&row, &none, stderr).high > 0), example[i].alone);
  }
}

/* An answer that is unknown for now is told with its range, no narrower than 3 % or a part of a
   cycle, of a row in cycles alone. */
static void test_published(void **state) {
  const struct hw_curves none = {.n = 0};
  const struct hw_answer unknown = hw_unknown("m", "it scatters");
  struct hw_answer answer = hw_else(unknown, hw_ranged("m", 500, 499, 501)), published;

  (void)state;
  assert_false(answer.known);
  published = hw_param_published(hw_param_find("HW_LAT_ADD_F64_X100"), &none, answer);
  assert_true(published.known && published.low <= 475 && published.high >= 525);
  published = hw_param_published(hw_param_find("HW_RTP_ADD_F64_X100"), &none, answer);
  assert_true(published.known && published.low <= 485 && published.low > 484);
  assert_false(hw_param_published(hw_param_find("HW_MEM_LAT_X100"), &none, answer).known);
  assert_false(hw_param_published(hw_param_find("HW_L1_SETS"), &none, answer).known);
  assert_false(hw_param_published(hw_param_find("HW_LAT_ADD_F64_X100"), &none, unknown).known);
  answer = hw_inverse(hw_scaled(answer, 0.01));
  assert_true(!answer.known && answer.low > 0.199 && answer.high < 0.201);
  answer = hw_else(hw_absent("m", "there is none"), hw_ranged("m", 500, 499, 501));
  assert_false(answer.high > 0);
  answer = hw_difference(hw_ranged("m", 12, 11, 13), hw_known("m", 4, 0.5, HW_CLEAR));
  assert_true(answer.known && fabs(answer.low - 6.5) < 1e-9 && fabs(answer.high - 9.5) < 1e-9);
}

/* Names that are no row or effort are refused. */
static void test_names(void **state) {
  struct hw_effort effort;

  (void)state;
  assert_null(hw_param_find("HW_L1"));
  assert_null(hw_param_find(""));
  assert_int_equal(hw_effort_find("fast", &effort), -1);
  assert_int_equal(hw_effort_find("quick", &effort), 0);
}

/* The real machine: each operation does its work, and times grow with it.  No judgement of how
   much: the machine may be busy. */
static void test_real(void **state) {
  const char *error;
  struct hw_machine *machine = hw_machine_real(NULL, &error);
  struct hw_memory *memory;
  size_t ring[3] = {64, 0, 128};
  struct hw_usage usage;
  double start, few, many;

  (void)state;
  assert_non_null(machine);
  memory = machine->ops->map(machine, 4096, HW_PAGES_HUGE);
  assert_non_null(memory);
  assert_int_equal(machine->ops->link(machine, memory, ring, 3), 0);
  start = machine->ops->now(machine);
  machine->ops->walk(machine, memory, HW_GRAIN);
  machine->ops->add(machine, HW_GRAIN);
  machine->ops->issue(machine, HW_GRAIN);
  few = machine->ops->now(machine) - start;
  start = machine->ops->now(machine);
  machine->ops->walk(machine, memory, 4096 * HW_GRAIN);
  machine->ops->add(machine, 4096 * HW_GRAIN);
  many = machine->ops->now(machine) - start;
  assert_true(few >= 0);
  /* 524288 loads and as many additions take 100 microseconds at 10 GHz: less was folded away. */
  assert_true(many > 1e5);
  start = machine->ops->now(machine);
  machine->ops->issue(machine, 16384 * HW_GRAIN);
  /* 2 million at ten a tick of 10 GHz. */
  assert_true(machine->ops->now(machine) - start > 2e4);
  machine->ops->usage(machine, &usage);
  assert_true(usage.switches >= 0);
  machine->ops->unmap(machine, memory);
  machine->ops->close(machine);
}

/* Lists of processors that are none are refused, with a reason. */
static void test_real_cpus(void **state) {
  static const char *const bad[] = {"", "x", "0,", "1-", "3-1", "-1", "0 1", "99999"};
  const char *error;

  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    error = NULL;
    assert_null(hw_machine_real(bad[i], &error));
    assert_non_null(error);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calibrate),     cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_lengthened),    cmocka_unit_test(test_jitter),
      cmocka_unit_test(test_drift),         cmocka_unit_test(test_stolen),
      cmocka_unit_test(test_evicted),       cmocka_unit_test(test_shared),
      cmocka_unit_test(test_shared_always), cmocka_unit_test(test_light),
      cmocka_unit_test(test_elsewhere),     cmocka_unit_test(test_again),
      cmocka_unit_test(test_quiet),         cmocka_unit_test(test_apart),
      cmocka_unit_test(test_turns),         cmocka_unit_test(test_enough),
      cmocka_unit_test(test_deadline),      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_print),         cmocka_unit_test(test_print_range),
      cmocka_unit_test(test_alone),         cmocka_unit_test(test_published),
      cmocka_unit_test(test_names),         cmocka_unit_test(test_real),
      cmocka_unit_test(test_real_cpus),
  };

  return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
