/* The generator's specifications, and what is read off the curves of loops. */
#include "probes/nano/loops.h"
#include "probes/nano/nano.h"
#include "probes/nano/time.h"
#include "probes/probe.h"
#include "tests/unit/another.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of C for the specification; -1 when it is refused. */
static long written(const struct hw_nano *nano) {
  FILE *out = tmpfile();
  long bytes = -1;

  assert_non_null(out);
  if (hw_nano_write(nano, 1, 1, out) == 0)
    bytes = ftell(out);
  fclose(out);
  return bytes;
}

static void test_write(void **state) {
  struct hw_nano nano;

  (void)state;
  hw_loops_streams(&nano, "add", "f64v32", 8, false);
  assert_true(written(&nano) > 0);
  nano.part[0].op = "none";
  assert_int_equal(written(&nano), -1);
  hw_loops_streams(&nano, "sqrt", "i32", 8, false);
  assert_int_equal(written(&nano), -1);
  hw_loops_streams(&nano, "add", "i16", 8, false);
  assert_int_equal(written(&nano), -1);
  hw_loops_streams(&nano, "add", "i32", 8, false);
  nano.groups[1] = nano.groups[0];
  assert_int_equal(written(&nano), -1);
}

static void take_loop(void *context, const struct hw_nano *nano) {
  size_t *n = context;

  assert_true(hw_loops_has(nano));
  assert_true(written(nano) > 0);
  ++*n;
}

/* All that is generated for a target the simulated cores have, too, and can be written; of all
   families, with more registers, wider vectors and slow additions there is more. */
static void test_all_loops(void **state) {
  static const char *const families[] = {"add_vf32", "live_i32", "fused_f64", "mix", "tree", NULL};
  const struct hw_loops_target target[] = {
      {.widest = 16, .integers = 16, .floats = 16, .family = families},
      {.widest = 16, .integers = 16, .floats = 16},
      {.widest = 32, .integers = 16, .floats = 16},
      {.widest = 32, .integers = 32, .floats = 32, .slow = true}};
  size_t before = 0;

  (void)state;
  for (size_t i = 0; i < sizeof target / sizeof target[0]; i++) {
    size_t n = 0;
    hw_loops_all(&target[i], take_loop, &n);
    assert_true(n > before);
    before = n;
  }
}

static void take_part(void *context, const struct hw_nano *nano) {
  size_t *n = context;

  assert_string_equal(nano->part[0].op, "div");
  assert_string_equal(nano->part[0].type, "f64");
  ++*n;
}

/* Of families that are named only these: as many as the row of the operation has numbers. */
static void test_families(void **state) {
  static const char *const families[] = {"div_f64", "none", NULL};
  const struct hw_loops_target target = {
      .widest = 16, .integers = 16, .floats = 16, .family = families};
  size_t n = 0;

  (void)state;
  hw_loops_all(&target, take_part, &n);
  assert_int_equal(n, 6);
}

/* What is not generated is not timed: another number of streams, or of stores. */
static void test_no_loop(void **state) {
  struct hw_nano nano;

  (void)state;
  hw_loops_streams(&nano, "add", "f64", 9, false);
  assert_false(hw_loops_has(&nano));
  hw_loops_live(&nano, "f64", 16, 3, 14);
  assert_false(hw_loops_has(&nano));
  assert_int_equal(hw_loops_fused_number(7.5), 0);
  assert_int_equal(hw_loops_fused_number(2.5), 4);
}

/* The bundle with the most operations a cycle: of four additions, two others and two loads. */
static void test_bundle(void **state) {
  struct hw_nano nano;

  (void)state;
  assert_int_equal((int)hw_loops_mix(&nano, 4, 2, 2), 60303);
  assert_int_equal((int)hw_loops_mix(&nano, 4, 2, 0), 80400);
  assert_int_equal((int)hw_loops_mix(&nano, 0, 1, 1), 606);
}

/* A loop of one group could be folded with the next time round. */
static void test_groups(void **state) {
  struct hw_nano nano;

  (void)state;
  for (unsigned n = 1; n <= 20; n++) {
    hw_loops_streams(&nano, "add", "i32", n, false);
    assert_true(nano.groups[0] >= 2 && nano.groups[1] >= nano.groups[0] + 2);
  }
}

static struct hw_answer flight(const struct hw_curve *streams) {
  return hw_reduce_in_flight(streams, hw_reduce_throughput(streams));
}

static void test_streams(void **state) {
  static const double flat[4][2] = {{1, 3}, {2, 3}, {3, 3}, {4, 4}};
  static const double odd[4][2] = {{1, 3}, {2, 3}, {3, 1.2}, {4, 4}};
  static const double roots[5][2] = {{1, 23.8}, {3, 27.1}, {4, 33}, {6, 54.2}, {8, 72.3}};
  static const double slow[4][2] = {{1, 3.12}, {2, 3}, {3, 3}, {4, 4}};
  static const double near[4][2] = {{1, 3.06}, {2, 3}, {3, 3}, {4, 4}};
  struct hw_curve curve;

  (void)state;
  curve = curve_of("c", slow, 4, 0, 24); /* a chain that waits for more than itself */
  assert_false(hw_reduce_chain(&curve).known);
  hw_curve_free(&curve);
  curve = curve_of("c", near, 4, 0, 24); /* not by much: its error tells */
  assert_true(hw_reduce_chain(&curve).known);
  assert_true(fabs(hw_reduce_chain(&curve).value - 3.06) < 1e-9);
  assert_true(fabs(hw_reduce_chain(&curve).error - 0.06) < 1e-9);
  hw_curve_free(&curve);
  curve = curve_of("c", flat, 4, 0, 24);
  assert_true(hw_reduce_chain(&curve).known);
  assert_true(hw_reduce_throughput(&curve).known);
  assert_int_equal((int)flight(&curve).value, 3);
  hw_curve_free(&curve);
  curve = curve_of("c", odd, 4, 0, 24);
  assert_false(hw_reduce_throughput(&curve).known);
  hw_curve_free(&curve);
  curve = curve_of("c", roots, 5, 0, 24);
  curve.point[2].count = 1; /* not clear, but less than all others */
  assert_false(hw_reduce_throughput(&curve).known);
  curve.point[2].spread = 0.1; /* within what its samples scatter */
  assert_true(hw_reduce_throughput(&curve).known);
  curve.point[2].spread = 0;
  curve.point[2].y = 38;
  assert_true(hw_reduce_throughput(&curve).known);
  hw_curve_free(&curve);
}

/* A chain, and a throughput, of samples that scatter have a range: up to the least of all, down to
   what the fastest samples leave; none without passes that agree. */
static void test_stream_ranges(void **state) {
  static const double flat[5][2] = {{1, 3.2}, {2, 3.1}, {3, 3.1}, {4, 4.2}, {5, 5.2}};
  struct hw_curve curve;
  struct hw_answer range;

  (void)state;
  curve = curve_of("c", flat, 5, 0.1, 24);
  assert_false(hw_reduce_chain(&curve).known);
  range = hw_reduce_chain_range(&curve);
  assert_true(range.known);
  assert_true(range.value < 3.11 && range.low < 2.5 && range.high > 3.1 && range.high < 3.5);
  assert_false(hw_reduce_throughput(&curve).known);
  range = hw_reduce_throughput_range(&curve);
  assert_true(range.known);
  assert_true(range.low < 0.83 && range.low > 0.7 && range.high >= 1.04 && range.high < 1.1);
  curve.point[0].count = 1;
  assert_false(hw_reduce_chain_range(&curve).known);
  for (size_t i = 1; i < curve.n; i++)
    curve.point[i].count = 1;
  assert_false(hw_reduce_throughput_range(&curve).known);
  hw_curve_free(&curve);
  curve = curve_of("c", flat, 5, 0.3, 24); /* that is more than a factor of two */
  assert_false(hw_reduce_chain_range(&curve).known);
  hw_curve_free(&curve);
}

/* What agrees: to a share, and to what is not known of either; the last one counts twice, unless
   the time falls there. */
static void test_agree(void **state) {
  static const double noisy[4][2] = {{1, 4}, {8, 3.84}, {10, 5}, {12, 6.03}};
  static const double falls[3][2] = {{4, 4}, {6, 4.338}, {7, 4.886}};
  static const double falls_less[3][2] = {{4, 4}, {6, 4.338}, {7, 4.956}};
  struct hw_curve curve;

  (void)state;
  curve = curve_of("c", noisy, 4, 0, 24);
  assert_false(hw_reduce_throughput(&curve).known);
  for (size_t i = 0; i < curve.n; i++) {
    curve.point[i].spread = 0.05;
    curve.point[i].count = 100;
  }
  assert_true(hw_reduce_throughput(&curve).known);
  assert_true(fabs(hw_reduce_throughput(&curve).value - 0.5) < 1e-9);
  assert_true(hw_reduce_throughput(&curve).error > 0.02); /* not to that which takes most */
  assert_true(hw_reduce_throughput(&curve).error < 0.0225);
  hw_curve_free(&curve);
  curve = curve_of("c", falls, 3, 0, 24);
  curve.point[2].spread = 0.05;
  curve.point[2].count = 100;
  assert_false(hw_reduce_throughput(&curve).known);
  hw_curve_free(&curve);
  curve = curve_of("c", falls_less, 3, 0, 24);
  assert_true(hw_reduce_throughput(&curve).known);
  hw_curve_free(&curve);
}

/* A divider that holds a lone operation up by a cycle, and one whose unit another process has kept
   busy while one stream was timed. */
static void test_dividers(void **state) {
  static const double held[5][2] = {{1, 11.08}, {2, 10.04}, {4, 12.04}, {5, 15.05}, {6, 18.05}};
  static const double kept[5][2] = {{1, 13.08}, {2, 10.04}, {4, 12.04}, {5, 15.05}, {6, 18.05}};
  struct hw_curve curve;

  (void)state;
  curve = curve_of("c", held, 5, 0, 24);
  assert_false(hw_reduce_chain(&curve).known);
  assert_true(fabs(hw_reduce_chains(&curve).value - 10.04) < 1e-9);
  assert_int_equal((int)hw_streams_quickest(&curve)->x, 2);
  assert_int_equal((int)flight(&curve).value, 3);
  curve.point[1].count = 1; /* not clear */
  assert_int_equal((int)hw_streams_quickest(&curve)->x, 1);
  assert_false(hw_reduce_chains(&curve).known);
  hw_curve_free(&curve);
  curve = curve_of("c", kept, 5, 0, 24);
  assert_false(hw_reduce_chains(&curve).known);
  hw_curve_free(&curve);
}

/* A divider whose times agree with no three numbers of streams: a range, that is told only of a
   unit that takes one operation at a time, no wider than a rate may be, and of clear points. */
static void test_unit(void **state) {
  static const double range[6][2] = {{1, 23.87}, {2, 23.83}, {4, 32.98},
                                     {5, 45.16}, {6, 54.18}, {8, 72.29}};
  struct hw_curve curve;
  struct hw_answer answer;

  (void)state;
  curve = curve_of("c", range, 6, 0, 24);
  curve.point[4].y = 6 * 8.6; /* no three agree */
  assert_false(hw_reduce_throughput(&curve).known);
  answer = hw_reduce_throughput_unit(&curve);
  assert_true(answer.known && fabs(answer.value - (8.245 + 9.03625) / 2) < 1e-6);
  assert_true(answer.error > 0.39 && answer.error < 0.41);
  assert_int_equal((int)hw_reduce_in_flight(&curve, answer).value, 2);
  curve.point[5].y = 8 * 8.245 * (1 + HW_RATE_ERROR) + 0.1;
  assert_false(hw_reduce_throughput_unit(&curve).known);
  curve.point[5].y = 8 * 8.25; /* as good as the least */
  assert_true(fabs(hw_reduce_throughput_unit(&curve).value - 8.25) < 1e-6);
  curve.point[5].y = 72.29;
  curve.point[4].count = 1; /* not clear, and not less: it does not count */
  assert_true(hw_reduce_throughput_unit(&curve).known);
  curve.point[3].count = 1; /* the least and one more are enough */
  assert_true(hw_reduce_throughput_unit(&curve).known);
  curve.point[5].count = 1;
  assert_false(hw_reduce_throughput_unit(&curve).known);
  curve.point[5].count = 24;
  curve.point[4].y = 6 * 7.9; /* it may be the least */
  assert_false(hw_reduce_throughput_unit(&curve).known);
  hw_curve_free(&curve);
}

/* Two numbers of streams of such a unit take the least time, and noise decides which of them less:
   the value is the same. */
static void test_unit_either(void **state) {
  static const double either[6][2] = {{1, 13.09}, {2, 14.1},  {4, 18.12},
                                      {5, 22.66}, {6, 30.24}, {8, 40.29}};
  struct hw_curve curve = curve_of("c", either, 6, 0, 24);
  struct hw_answer answer;

  (void)state;
  for (double least = 18.11; least < 18.16; least += 0.04) {
    curve.point[2].y = least;
    answer = hw_reduce_throughput_unit(&curve);
    assert_true(answer.known);
    assert_close(answer.value, 4.53, 0.01);
    assert_true(answer.error <= HW_CYCLES_ERROR * answer.value);
  }
  hw_curve_free(&curve);
}

/* Where what is in flight is almost one more, it is not rounded down; where it may be one more, a
   point with one more that is known must tell. */
static void test_almost(void **state) {
  static const double almost[5][2] = {
      {1, 1.0024}, {4, 1.0012}, {5, 1.2854}, {6, 1.5469}, {8, 2.0243}};
  static const double next[5][2] = {
      {1, 1.0024}, {4, 1.0312}, {5, 1.2854}, {6, 1.5469}, {8, 2.0643}};
  static const double grown[5][2] = {{1, 1.0024}, {4, 1.06}, {5, 1.325}, {6, 1.59}, {8, 2.12}};
  /* A division that takes 13.5 cycles, or now and then 13, and of which one begins every 4.5. */
  static const double less[5][2] = {
      {1, 13.533}, {2, 13.078}, {3, 14.466}, {4, 18.071}, {6, 27.103}};
  static const double three[5][2] = {
      {1, 13.529}, {2, 13.286}, {3, 14.495}, {4, 18.048}, {6, 27.048}};
  struct hw_curve curve;

  (void)state;
  curve = curve_of("c", almost, 5, 0, 24);
  assert_int_equal((int)flight(&curve).value, 4);
  curve.point[1].count = 1;
  assert_true(hw_reduce_throughput(&curve).known);
  assert_false(flight(&curve).known);
  hw_curve_free(&curve);
  /* 3.9 are next to 4. */
  curve = curve_of("c", next, 5, 0, 24);
  check_unknown(flight(&curve), "it is almost one more");
  hw_curve_free(&curve);
  curve = curve_of("c", grown, 5, 0, 24);
  assert_int_equal((int)flight(&curve).value, 3);
  /* All are slower than they might be: what has grown there may not have. */
  assert_false(hw_reduce_in_flight(&curve, hw_known("m", 0.265, 0.012, HW_CLEAR)).known);
  hw_curve_free(&curve);
  /* 2.9 in one run, and 3 in another: never 2. */
  curve = curve_of("c", less, 5, 0, 24);
  check_unknown(flight(&curve), "it is almost one more");
  hw_curve_free(&curve);
  curve = curve_of("c", three, 5, 0.005, 24);
  assert_int_equal((int)flight(&curve).value, 3);
  hw_curve_free(&curve);
}

/* Multiply-adds of two instructions whose streams get into each other's way before the units are
   busy, now more and now less. */
static void test_uneven(void **state) {
  static const double uneven[9][2] = {{1, 4.02},    {6, 4.31},    {8, 4.62},
                                      {10, 5.14},   {11, 5.456},  {12, 6.01},
                                      {13, 6.6924}, {14, 7.0686}, {16, 8.50}};
  struct hw_curve curve;

  (void)state;
  curve = curve_of("c", uneven, 9, 0, 24);
  curve.point[1].spread = 0.08;
  assert_int_equal((int)(100 * hw_reduce_throughput(&curve).value), 50);
  assert_int_equal((int)flight(&curve).value, 8);
  curve.point[1].x = 2; /* would tell whether one waits for its unit */
  assert_false(flight(&curve).known);
  hw_curve_free(&curve);
}

/* Three numbers of streams must take the least time, the last of which may count twice.  Nine
   multiplications in flight saturate three units, ten additions five; of thirteen some spill, where
   registers are sixteen. */
static void test_streams_enough(void **state) {
  static const char *const op[] = {"mul", "fma", "add"};

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    const bool longer = i == 2;
    unsigned enough = longer;
    for (unsigned streams = longer ? 10 : 9; streams < 13; streams++) {
      struct hw_nano nano;
      hw_loops_streams(&nano, op[i], "i32", streams, longer);
      enough += hw_loops_has(&nano);
    }
    assert_true(enough >= 3);
  }
}

/* Points of a spread, or of the one that is asked of them: 0. */
static struct hw_answer spills_of(const double (*point)[2], size_t n, double spread) {
  struct hw_curve curve;
  struct hw_answer answer;

  curve = curve_of("c", point, n, 0, 24);
  for (size_t i = 0; i < n; i++) {
    struct hw_point *p = &curve.point[i];
    p->spread = spread > 0 ? spread : 1;
    p->spread *= spread > 0 ? 1 : hw_spills_precision(p->x, 1, 16) * p->y / hw_point_error(p);
  }
  answer = hw_reduce_spills(&curve, 1, 16);
  hw_curve_free(&curve);
  return answer;
}

static struct hw_answer spills(const double (*point)[2], size_t n) {
  return spills_of(point, n, 0.003);
}

/* One variable too many is one store more: 16 of 15 cost 17 stores, 17 of 15 cost 19. */
static void test_spills(void **state) {
  static const double step[7][2] = {{3, 1.4}, {8, 1},          {12, 1},        {14, 1},
                                    {15, 1},  {16, 17.0 / 16}, {17, 19.0 / 17}};
  static const double counter[6][2] = {{8, 1},     {12, 1},  {14, 1}, {15, 1 + 0.25 / 16},
                                       {16, 1.08}, {17, 1.2}};
  static const double doubt[6][2] = {{8, 1},     {12, 1},  {14, 1}, {15, 1 + 0.5 / 16},
                                     {16, 1.08}, {17, 1.2}};
  static const double twice[8][2] = {{15, 1},   {16, 1}, {17, 1.2}, {18, 1},
                                     {20, 1.2}, {22, 1}, {24, 1.1}, {28, 1.5}};
  static const double bump[9][2] = {{12, 1}, {15, 1}, {16, 1},    {17, 1.06}, {20, 1},
                                    {24, 1}, {32, 1}, {33, 1.06}, {36, 1.2}};
  /* With 32 registers, by wide vectors: several loops cost half a store more. */
  static const double wide[14][2] = {{12, 1.02}, {13, 1.02}, {14, 1.02}, {15, 1.02}, {16, 1.02},
                                     {17, 1.05}, {20, 1.04}, {24, 1.03}, {28, 1.02}, {30, 1.04},
                                     {31, 1.04}, {32, 1.02}, {33, 1.10}, {36, 1.19}};
  static const double level[5][2] = {{12, 1}, {13, 1}, {14, 1}, {15, 1}, {16, 1}};
  static const double none[5][2] = {{12, 1}, {13, 1}, {14, 1.3}, {15, 1.4}, {16, 1.5}};
  /* Instructions that come too slowly; the 33rd is the first that is stored. */
  static const double creeps[9][2] = {{8, 1},     {16, 1},    {22, 1},     {23, 1},   {24, 1.03},
                                      {28, 1.06}, {31, 1.08}, {32, 1.085}, {33, 1.43}};
  static const double falls[6][2] = {{8, 1}, {12, 1}, {14, 1}, {15, 1}, {16, 1.22}, {17, 1.13}};

  (void)state;
  assert_int_equal((int)spills(step, 7).value, 15);
  assert_int_equal((int)spills(counter, 6).value, 15);
  assert_int_equal((int)spills_of(counter, 6, 0).value, 15);
  assert_false(spills(doubt, 6).known);
  assert_false(spills(twice, 8).known);
  assert_int_equal((int)spills(bump, 9).value, 32); /* a loop that lies badly */
  assert_int_equal((int)spills(wide, 14).value, 32);
  assert_false(spills(bump, 4).known);
  assert_false(spills(level, 5).known);
  assert_true(spills(level, 5).settled);
  assert_false(spills(none, 5).known);
  assert_false(spills(step, 3).known);
  assert_false(spills(falls, 6).known); /* 16 and 17 variables: 3.5 stores more and 2.2 */
  assert_false(spills(creeps, 9).known);
}

/* A curve of that name among curves. */
static void publish(struct hw_curves *curves, const char *name, const double (*point)[2],
                    size_t n) {
  put_curve(curves, curve_of(name, point, n, 0.002, 24));
}

/* A misprediction of 16 cycles: each random bit adds 8.  Points between, as recordings have them,
   do not matter. */
static void test_branch(void **state) {
  static const double even[4][2] = {{0, 10}, {2, 29}, {4, 44}, {8, 74}};
  static const double small[2][2] = {{0, 10}, {4, 42}};
  static const double half[2][2] = {{0, 10}, {8, 75.9}};
  static const double none[2][2] = {{0, 10}, {4, 10}};
  static const double taken[1][2] = {{0, 10}};
  struct hw_curves curves = {0};

  (void)state;
  assert_false(hw_value_branch_miss(&curves).known);
  publish(&curves, "branches_taken", taken, 1);
  publish(&curves, "branches", even, 4);
  assert_true(fabs(hw_value_branch_miss(&curves).value - 16) < 0.01);
  publish(&curves, "branches", small, 2);
  assert_true(fabs(hw_value_branch_miss(&curves).value - 16) < 0.01);
  assert_true(hw_value_branch_miss_rate_x100(&curves).settled);
  publish(&curves, "branches", half, 2); /* 16.475: no whole number, and known well enough */
  assert_true(fabs(hw_value_branch_miss(&curves).value - 16) < 0.01);
  assert_true(hw_value_branch_miss(&curves).error > 0.47);
  publish(&curves, "branches", none, 2);
  assert_false(hw_value_branch_miss(&curves).known);
  hw_curves_free(&curves);
}

static void test_widths(void **state) {
  static const double sse[4][2] = {{8, 0.5}, {16, 0.5}, {32, 1}, {64, 2}};
  static const double avx512[6][2] = {{8, 0.5},  {16, 0.5}, {32, 0.5},
                                      {64, 0.5}, {128, 1},  {256, 2}};
  static const double doubt[4][2] = {{8, 0.5}, {16, 0.5}, {32, 0.85}, {64, 2}};
  struct hw_point spilled[4] = {
      {8, 0.5, 0.01, 10}, {16, 0.5, 0.01, 11}, {32, 2, 0.02, 14}, {64, 4.08, 0.3, 1}};
  struct hw_curves curves = {0};

  (void)state;
  assert_true(hw_value_vec_bytes(&curves).settled);
  publish(&curves, "vectors", sse, 4);
  assert_int_equal((int)hw_value_vec_bytes(&curves).value, 16);
  publish(&curves, "vectors", avx512, 6);
  assert_int_equal((int)hw_value_vec_bytes(&curves).value, 64);
  publish(&curves, "vectors", doubt, 4);
  assert_false(hw_value_vec_bytes(&curves).known);
  /* A width with few samples: 64 bytes take no less than the 2 cycles of 32, and would have to take
     1.5 to be the widest; with 1 cycle for 32 they may be. */
  put_points(&curves, "vectors", spilled, 4);
  assert_int_equal((int)hw_value_vec_bytes(&curves).value, 16);
  spilled[2].y = 1;
  put_points(&curves, "vectors", spilled, 4);
  assert_false(hw_value_vec_bytes(&curves).known);
  spilled[3].count = 6; /* 4 cycles, give or take 1 */
  put_points(&curves, "vectors", spilled, 4);
  assert_int_equal((int)hw_value_vec_bytes(&curves).value, 16);
  spilled[2].count = 1; /* what is not known tells nothing of the next */
  spilled[3].count = 1;
  put_points(&curves, "vectors", spilled, 4);
  assert_false(hw_value_vec_bytes(&curves).known);
  hw_curves_free(&curves);
}

static void test_mix(void **state) {
  static const double bundles[3][2] = {{402, 1.5}, {40002, 1}, {40200, 1.2}};
  struct hw_curves curves = {0};

  (void)state;
  publish(&curves, "mix", bundles, 3);
  assert_int_equal((int)hw_value_issue_mix_x100(&curves).value, 600);
  hw_curves_free(&curves);
}

/* What waits less than two operations is one; what waits as long is told by its throughput. */
static void test_fused(void **state) {
  static const double three[1][2] = {{1, 3}}, four[1][2] = {{1, 4}}, six[1][2] = {{1, 6}};
  static const double two[3][2] = {{5, 10}, {5.5, 12}, {6, 12}};
  static const double one[3][2] = {{5, 10}, {5.5, 10}, {6, 12}};
  static const double doubt[3][2] = {{5, 10}, {5.5, 11}, {6, 12}};
  static const double busy[3][2] = {{5, 11}, {5.5, 12}, {6, 12.6}};
  static const double adds[4][2] = {{1, 3}, {6, 3}, {8, 4}, {10, 5}};
  static const double spilled[4][2] = {{1, 6}, {6, 6}, {10, 6.9}, {13, 16}};
  static const double slow[4][2] = {{1, 6}, {6, 6.4}, {10, 10.2}, {13, 16}};
  static const double apart[4][2] = {{4, 3}, {5, 3.3}, {6, 3.01}, {7, 12}};
  static const double together[4][2] = {{4, 4}, {5, 5}, {6, 6}, {7, 7}};
  static const double spills[4][2] = {{4, 4}, {5, 4}, {6, 4}, {7, 12}};
  static const double lucky[4][2] = {{4, 3}, {5, 3.3}, {6, 2.7}, {7, 12}};
  static const double luck[4][2] = {{6, 6.01}, {10, 6.9}, {12, 5.4}, {20, 15}};
  struct hw_curves curves = {0};
  struct hw_answer range;

  (void)state;
  publish(&curves, "start_mul_f64", three, 1);
  publish(&curves, "start_add_f64", three, 1);
  publish(&curves, "start_fma_f64", four, 1);
  assert_int_equal((int)hw_value_have_fma_f64(&curves).value, 1);
  publish(&curves, "start_fma_f64", six, 1);
  assert_false(hw_value_have_fma_f64(&curves).known);
  publish(&curves, "fused_f64", two, 3);
  assert_true(hw_value_have_fma_f64(&curves).known);
  assert_int_equal((int)hw_value_have_fma_f64(&curves).value, 0);
  publish(&curves, "fused_f64", one, 3);
  assert_int_equal((int)hw_value_have_fma_f64(&curves).value, 1);
  publish(&curves, "fused_f64", doubt, 3);
  assert_false(hw_value_have_fma_f64(&curves).known);
  /* Two additions a cycle: a round with one more takes 12 cycles, and not the 12.6 of that loop. */
  publish(&curves, "fused_f64", busy, 3);
  assert_false(hw_value_have_fma_f64(&curves).known);
  publish(&curves, "streams_add_f64", adds, 4);
  assert_int_equal((int)hw_value_have_fma_f64(&curves).value, 0);
  assert_true(hw_value_have_fma_f64(&curves).known);
  /* Its throughput is that of the two where registers are too few for more streams: as good as it
     can be, or as several numbers of streams have it. */
  publish(&curves, "streams_mul_f64", adds, 4);
  publish(&curves, "streams_fma_f64", spilled, 4);
  range = hw_value_rtp_fma_f64_x100(&curves);
  assert_true(range.known);
  assert_close(range.low, 50, 0.5);
  assert_close(range.high, 69, 0.5);
  publish(&curves, "split_f64", apart, 4);
  assert_int_equal(lround(hw_value_rtp_fma_f64_x100(&curves).value), 50);
  assert_int_equal((int)hw_value_ilp_fma_f64(&curves).value, 12);
  publish(&curves, "streams_fma_f64", luck, 4); /* less than two instructions can take */
  assert_int_equal(lround(hw_value_rtp_fma_f64_x100(&curves).value), 50);
  publish(&curves, "split_f64", lucky, 4);
  assert_false(hw_value_rtp_fma_f64_x100(&curves).known);
  publish(&curves, "streams_fma_f64", spilled, 4);
  publish(&curves, "split_f64", together, 4);
  assert_close(hw_value_rtp_fma_f64_x100(&curves).high, 69, 0.5); /* ten streams take less */
  publish(&curves, "streams_fma_f64", slow, 4);
  assert_int_equal(lround(hw_value_rtp_fma_f64_x100(&curves).value), 100);
  publish(&curves, "split_f64", spills, 4);
  assert_false(hw_value_rtp_fma_f64_x100(&curves).known);
  publish(&curves, "split_f64", apart, 4);
  publish(&curves, "fused_f64", one, 3);
  assert_false(hw_value_rtp_fma_f64_x100(&curves).known); /* one instruction is not two */
  hw_curves_free(&curves);
}

/* An addition and a multiplication of 3 cycles, a multiply-add of 6, and branches of which a
   misprediction costs 16. */
static void put_loops(struct hw_curves *curves) {
  PUT_XY(curves, "start_mul_f64", 0.002, 24, {1, 3});
  PUT_XY(curves, "start_add_f64", 0.002, 24, {1, 3});
  PUT_XY(curves, "start_fma_f64", 0.002, 24, {1, 6});
  PUT_XY(curves, "branches_taken", 0.002, 24, {0, 10});
  PUT_XY(curves, "branches", 0.002, 24, {0, 10}, {4, 42});
}

static void test_reasons(void **state) {
  static const struct another another[] = {
      IS(have_fma_f64, 0, "fused_f64", {5, 10}, {5.5, 12}, {6, 12}),
      UNKNOWN(have_fma_f64, "there is only one stream", "none", {0}),
      UNKNOWN(have_fma_f64, "a point is missing", "fused_f64", {5, 10}, {5.5, 12}),
      UNKNOWN(have_fma_f64, "one more addition costs nothing", "fused_f64", {5, 10}, {5.5, 10},
              {6, 10}),
      UNKNOWN(have_fma_f64, "it takes half a cycle less than two operations", "start_fma_f64",
              {1, 5.5}),
      IS(have_fpu_f64, 1, "none", {0}),
      IS(have_fpu_f64, 0, "start_add_f64", {1, 30}),
      UNKNOWN(have_fpu_f64, "an addition takes about 10 cycles, in hardware or in software",
              "start_add_f64", {1, 10.5}),
      IS(branch_miss, 16, "none", {0}),
      UNKNOWN(branch_miss, "a point is missing", "branches_taken", {1, 10}),
      UNKNOWN(branch_miss, "a point is missing", "branches", {4, 42}),
      UNKNOWN(branch_miss, "a point is missing", "branches", {0}),
      UNKNOWN(branch_miss, "the samples scatter by more than 3 %", "branches", {0, 2000},
              {4, 1021}),
      UNKNOWN(branch_miss, "random outcomes cost nothing", "branches", {0, 10}, {4, 11}),
  };

  (void)state;
  check_another(put_loops, another, COUNT(another));
}

static enum hw_nano_state ready(struct hw_machine *machine, const struct hw_nano *nano) {
  (void)machine;
  return nano->groups[0] > 0 ? HW_NANO_READY : HW_NANO_REFUSED;
}

/* What could be timed and has no samples is to be timed again; what could not is not missed. */
static void test_missed(void **state) {
  static const struct hw_machine_ops ops = {.nano_state = ready};
  struct hw_machine machine = {.ops = &ops};
  struct hw_bench bench = {.machine = &machine};
  struct hw_nano nano[2] = {{.groups = {0, 1}}, {.groups = {2, 10}}};
  struct hw_point point[2] = {{.count = 0}, {.count = 3}};

  (void)state;
  assert_false(hw_nano_missed(&bench, nano, point, 2));
  point[1].count = 0;
  assert_true(hw_nano_missed(&bench, nano, point, 2));
}

/* A latency that a divider makes is one on which two times agree. */
static void test_twice(void **state) {
  static const double add[][2] = {{1, 3}, {6, 3}, {8, 4}}, root[][2] = {{1, 17}, {2, 17}, {4, 20}};
  static const double slow[][2] = {{1, 17.8}, {2, 17.8}, {4, 20}}, few[][2] = {{2, 17}, {4, 20}};
  struct hw_curves curves = {0};

  (void)state;
  publish(&curves, "start_add_f32", add, 3);
  publish(&curves, "start_sqrt_f32", root, 3);
  assert_false(hw_value_lat_sqrt_f32(&curves).known);
  publish(&curves, "streams_sqrt_f32", slow, 3);
  assert_false(hw_value_lat_sqrt_f32(&curves).known);
  publish(&curves, "streams_sqrt_f32", few, 2);
  assert_false(hw_value_lat_sqrt_f32(&curves).known);
  publish(&curves, "streams_sqrt_f32", root, 3);
  assert_true(fabs(hw_value_lat_sqrt_f32(&curves).value - 14) < 0.01);
  assert_true(hw_value_lat_add_f32(&curves).known);
  hw_curves_free(&curves);
}

/* A divider that stays busy while the addition of its chain runs: the next division waits for it.
   And streams that take a little longer than a chain, which they cannot, or much longer. */
static void test_bounded(void **state) {
  static const double add[][2] = {{1, 0.97}};
  static const double busy[][2] = {{1, 28.06}, {2, 56.12}, {3, 84.2}, {4, 112.3}};
  static const double overlap[][2] = {{1, 28.06}, {2, 54.18}, {3, 81.27}, {4, 108.4}};
  static const double soft[][2] = {{1, 40}}, streams[][2] = {{1, 40.2}, {2, 80.5}, {3, 120.6}};
  static const double held[][2] = {{1, 44}, {2, 88}, {3, 132}};
  struct hw_curves curves = {0};

  (void)state;
  publish(&curves, "start_add_i64", add, 1);
  publish(&curves, "start_div_i64", busy, 4);
  publish(&curves, "streams_div_i64", busy, 4);
  assert_int_equal(lround(hw_value_rtp_div_i64_x100(&curves).value), 2806);
  assert_int_equal(lround(hw_value_lat_div_i64_x100(&curves).value), 2806);
  publish(&curves, "start_div_i64", overlap, 4);
  publish(&curves, "streams_div_i64", overlap, 4);
  assert_int_equal(lround(hw_value_rtp_div_i64_x100(&curves).value), 2709);
  assert_int_equal(lround(hw_value_lat_div_i64_x100(&curves).value), 2709);
  publish(&curves, "start_mul_f64", soft, 1);
  publish(&curves, "streams_mul_f64", streams, 3);
  assert_int_equal(lround(hw_value_rtp_mul_f64_x100(&curves).value), 4000);
  publish(&curves, "streams_mul_f64", held, 3);
  check_unknown(hw_value_rtp_mul_f64_x100(&curves),
                "independent ones take longer than dependent ones");
  hw_curves_free(&curves);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounded),       cmocka_unit_test(test_write),
      cmocka_unit_test(test_groups),        cmocka_unit_test(test_twice),
      cmocka_unit_test(test_missed),        cmocka_unit_test(test_streams),
      cmocka_unit_test(test_stream_ranges), cmocka_unit_test(test_agree),
      cmocka_unit_test(test_dividers),      cmocka_unit_test(test_unit),
      cmocka_unit_test(test_unit_either),   cmocka_unit_test(test_streams_enough),
      cmocka_unit_test(test_spills),        cmocka_unit_test(test_branch),
      cmocka_unit_test(test_almost),        cmocka_unit_test(test_widths),
      cmocka_unit_test(test_mix),           cmocka_unit_test(test_fused),
      cmocka_unit_test(test_uneven),        cmocka_unit_test(test_all_loops),
      cmocka_unit_test(test_families),      cmocka_unit_test(test_no_loop),
      cmocka_unit_test(test_bundle),        cmocka_unit_test(test_reasons),
  };

  return cmocka_run_group_tests_name("nano", tests, NULL, NULL);
}
