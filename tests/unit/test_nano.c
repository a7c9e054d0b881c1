/* The generator's specifications. */
#include "analysis/names.h"
#include "analysis/rows/mix.h"
#include "probes/nano/loops.h"
#include "probes/nano/nano.h"
#include "probes/nano/time.h"
#include "probes/probe.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"

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
  static const char *const bundles[] = {"bundle", NULL};
  const struct hw_loops_target target[] = {
      {.widest = 16, .integers = 16, .floats = 16, .family = families},
      {.widest = 16, .integers = 16, .floats = 16},
      {.widest = 32, .integers = 16, .floats = 16},
      {.widest = 32, .integers = 32, .floats = 32, .slow = true},
      {.widest = 32, .integers = 16, .floats = 16, .family = bundles}};
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

/* Bundles of three kinds and eight operations at most, each once; their code is their digits. */
static void test_bundles(void **state) {
  unsigned count[HW_BUNDLE_KINDS] = {0};
  struct hw_nano nano;
  char name[HW_NANO_NAME];
  double before = 0;
  size_t n = 0;

  (void)state;
  for (; hw_loops_next(count); n++) {
    unsigned size = 0, kinds = 0;
    for (size_t k = 0; k < HW_BUNDLE_KINDS; k++) {
      size += count[k];
      kinds += count[k] > 0;
    }
    assert_true(size >= 1 && size <= HW_BUNDLE_MOST && kinds <= HW_BUNDLE_PARTS);
    assert_true(hw_mix_code(count) > before);
    before = hw_mix_code(count);
  }
  assert_int_equal(n, 1008);
  count[0] = count[4] = count[6] = 2;
  hw_loops_bundle(&nano, count, 32);
  hw_nano_name(&nano, name);
  assert_string_equal(name, "add_i32_2x3_branch_i32_2x2_add_f32v32_2x8_4_26");
  assert_int_equal((int)hw_mix_code(count), 2020002);
}

/* On a core of four a cycle those bundles issue, and no others, of which it has the units. */
static void test_issue(void **state) {
  static const unsigned units[HW_BUNDLE_KINDS] = {3, 2, 2, 1, 1, 1, 0};
  unsigned count[HW_BUNDLE_KINDS] = {0};
  struct hw_engine engine = engine_of("machine x\ncycle 500 ps\n"
                                      "level 1 bytes 32K ways 8 line 64 latency 4\n"
                                      "memory latency 200\npage bytes 4K\ncore width 4 loop 2\n"
                                      "operation add i32 latency 1 units 3\n"
                                      "operation add f64 latency 4 units 2\n"
                                      "operation load any latency 4 units 2\n"
                                      "operation store any latency 1 units 1\n"
                                      "operation branch i32 latency 1 units 1\n"
                                      "operation mul i32 latency 3 units 1\n",
                                      "default", 1 << 24);
  const struct hw_curve *curve;

  (void)state;
  assert_int_equal((int)engine_row(&engine, "HW_ISSUE_BUNDLE").value, 4);
  curve = hw_curves_get(&engine.bench.curves, HW_NAME_BUNDLES);
  while (hw_loops_next(count)) {
    unsigned size = 0;
    bool issues = true;
    for (size_t k = 0; k < HW_BUNDLE_KINDS; k++) {
      size += count[k];
      issues = issues && count[k] <= units[k];
    }
    assert_true(hw_mix_issues(curve, hw_mix_code(count)) == (issues && size <= 4));
  }
  assert_false(hw_mix_largest(curve, 111));
  assert_true(hw_mix_largest(curve, 112));
  engine_close(&engine);
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

/* Points that scatter by as little as is asked of them are enough. */
static void test_spills(void **state) {
  static const double xy[][2] = {{8, 1},     {12, 1},  {14, 1}, {15, 1 + 0.25 / 16},
                                 {16, 1.08}, {17, 1.2}};
  struct hw_curve curve = curve_of("c", xy, COUNT(xy), 1, 24);

  (void)state;
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i].spread = hw_spills_precision(curve.point[i].x, 1, 16) * curve.point[i].y /
                            hw_point_error(&curve.point[i]);
  assert_int_equal((int)hw_reduce_spills(&curve, 1, 16).value, 15);
  hw_curve_free(&curve);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write),    cmocka_unit_test(test_groups),
      cmocka_unit_test(test_bundles),  cmocka_unit_test(test_issue),
      cmocka_unit_test(test_missed),   cmocka_unit_test(test_streams_enough),
      cmocka_unit_test(test_spills),   cmocka_unit_test(test_all_loops),
      cmocka_unit_test(test_families), cmocka_unit_test(test_no_loop),
      cmocka_unit_test(test_bundle),
  };

  return cmocka_run_group_tests_name("nano", tests, NULL, NULL);
}
