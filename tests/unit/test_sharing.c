/* What processors share: teams of simulated machines and of the real one, and the values read off
   curves. */
#include "analysis/company.h"
#include "analysis/groups.h"
#include "analysis/rows/kinds.h"
#include "analysis/rows/paths.h"
#include "analysis/rows/sharing.h"
#include "probes/probe.h"
#include "probes/system/pairs.h"
#include "sim/topology.h"
#include "tests/unit/another.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Level 2 shared by 0 and 2, and by 1 and 3; all on one path; memory of 1 and 3 far from 0 and 2.
 */
#define MACHINE                                                                                    \
  "machine m\ncycle 1 ns\nlevel 1 bytes 8K ways 4 line 64 latency 4\n"                             \
  "level 2 bytes 64K ways 8 line 64 latency 10\nmemory latency 100 read 2\npage bytes 4K\n"        \
  "group 1 of 2 step 2 latency 10ns cache 2\n"                                                     \
  "group 2 of 2 step 1 latency 20ns path 3 far 1.5\n"

static void run(struct hw_part *part, size_t n) {
  struct hw_description description;
  struct hw_pace pace;
  FILE *in = fmemopen((void *)(uintptr_t)MACHINE, strlen(MACHINE), "r");

  assert_non_null(in);
  assert_int_equal(hw_description_read(&description, "text", in, stderr), 0);
  fclose(in);
  hw_pace_start(&pace, &description.noise, 1);
  assert_int_equal(hw_processors_team(&description, &pace, part, n, NULL), 0);
}

/* ns a unit of the first, with another of the same kind. */
static double beside(struct hw_part one, size_t processor, size_t offset) {
  struct hw_part part[2] = {one, one};

  part[1].processor = processor;
  part[1].offset = offset;
  run(part, processor == one.processor ? 1 : 2);
  return part[0].work_ns / part[0].done;
}

static void test_simulated(void **state) {
  struct hw_sim_home home = {0};
  struct hw_memory *memory = (void *)&home;
  struct hw_part chase = {.work = HW_WORK_CHASE, .n = 1280, .memory = memory};
  struct hw_part store = {.work = HW_WORK_STORE, .n = 1280, .memory = memory};
  struct hw_part stream = {.work = HW_WORK_READ, .n = 1024, .bytes = 1 << 20, .memory = memory};
  struct hw_part touch = {.work = HW_WORK_TOUCH, .n = 512, .processor = 3, .memory = memory};

  (void)state;
  chase.bytes = 6 << 10;
  assert_near(beside(chase, 0, 0), 4);
  assert_near(beside(chase, 2, 0), 4);
  chase.bytes = 40 << 10;
  assert_near(beside(chase, 0, 0), 10);
  assert_near(beside(chase, 1, 0), 10);
  assert_near(beside(chase, 3, 0), 10);
  assert_near(beside(chase, 2, 0), 100);
  assert_near(beside(stream, 0, 0), 0.5);
  assert_near(beside(stream, 1, 0), 2.0 / 3);
  assert_near(beside(store, 1, 60), 4);
  assert_near(beside(store, 2, 60), 4);
  assert_near(beside(store, 1, 64), 1);
  run(&touch, 1);
  assert_int_equal(home.processor, 3);
  chase.bytes = 128 << 10;
  assert_near(beside(chase, 0, 0), 150);
  chase.processor = 1;
  assert_near(beside(chase, 1, 0), 100);
  /* What is done before counts to the time of the thread, and not of the work. */
  chase.warm = 1280;
  run(&chase, 1);
  assert_near(chase.work_ns, 128000);
  assert_near(chase.wall_ns, 256000);
}

/* The real machine does what it is told; how quickly is not judged. */
static void test_real(void **state) {
  static const enum hw_work work[] = {HW_WORK_CHASE, HW_WORK_READ, HW_WORK_STORE, HW_WORK_TOUCH};
  const size_t offset[] = {0, 64, 1024, 128}, other[] = {4096, 4160};
  const char *error;
  struct hw_machine *machine = hw_machine_real(NULL, &error);
  struct hw_memory *memory;

  (void)state;
  assert_non_null(machine);
  memory = machine->ops->map(machine, 65536, HW_PAGES_PLAIN);
  assert_non_null(memory);
  for (size_t i = 0; i < COUNT(work); i++) {
    struct hw_part part[2] = {
        {.processor = HW_ANYWHERE, .work = work[i], .n = 5120, .memory = memory},
        {.processor = HW_ANYWHERE, .work = work[i], .n = 5120, .memory = memory}};

    assert_int_equal(machine->ops->link(machine, memory, offset, 4), 0);
    assert_int_equal(machine->ops->link(machine, memory, other, 2), 0);
    for (size_t k = 0; k < 2; k++) {
      part[k].offset = work[i] == HW_WORK_READ || work[i] == HW_WORK_TOUCH ? 0 : k * 4096;
      part[k].bytes = 3072; /* not a divisor of what is read */
      part[k].warm = 512;
    }
    if (machine->ops->team(machine, part, work[i] == HW_WORK_READ ? 1 : 2) != 0)
      break; /* no threads here */
    assert_near(part[0].done, 5120);
    assert_true(part[0].work_ns >= 0);
    assert_true(part[0].wall_ns >= part[0].work_ns);
  }
  machine->ops->unmap(machine, memory);
  machine->ops->close(machine);
}

/* What one thread sees of two levels, and so many processors. */
static void put_machine(struct hw_curves *curves, size_t n) {
  struct hw_point point[64], place[8];
  size_t points = 0;

  for (double x = 1024; x <= 4294967296.0; x *= 1.5)
    point[points++] = (struct hw_point){.x = round(x),
                                        .y = x <= 32 << 10    ? 4
                                             : x <= 512 << 10 ? 14
                                                              : 200,
                                        .spread = 0.001,
                                        .count = 12};
  put_points(curves, "levels", point, points);
  for (size_t i = 0; i < n; i++)
    place[i] = (struct hw_point){.x = (double)i, .y = (double)i};
  put_points(curves, "processors", place, n);
}

/* All pairs of four, 0 with 1 and 2 with 3 alike. */
static void put_pairs(struct hw_curves *curves, const char *name, double near, double far) {
  struct hw_point point[6];
  size_t n = 0;

  for (size_t i = 0; i < 4; i++)
    for (size_t j = i + 1; j < 4; j++)
      point[n++] = (struct hw_point){
          .x = (double)(i * HW_THINGS + j), .y = i / 2 == j / 2 ? near : far, .count = 8};
  put_points(curves, name, point, n);
}

/* A level 1 of 64 lines in one set, 256 bytes apart. */
static void put_level1(struct hw_curves *curves) {
  static const struct hw_point lengths[] = {
      {128, 65, 0, 0}, {256, 64, 0, 0}, {768, 64, 0, 0}, {1280, 64, 0, 0}};
  static const struct hw_point fit[] = {{64, 0.9, 0, 400}, {65, 0, 0, 400}};
  static const struct hw_point full[] = {{64, 1, 0, 400}, {65, 0.9, 0, 400}};
  static const struct hw_point level[] = {{64, 4, 0, 400}, {65, 14, 0, 400}, {66, 14, 0, 400}};

  put_points(curves, "l1_strides", lengths, 4);
  put_points(curves, "l1_fit_256", fit, 2);
  put_points(curves, "l1_full_256", full, 2);
  put_points(curves, "l1_stride_256", level, 3);
}

static void test_caches(void **state) {
  static const char unsure[] =
      "processors that seem not to share it may do so: its capacity is unknown";
  static const char torn[] = "processors that share one level do not share the next";
  const struct hw_point fits[] = {{16384, 0, 0, 1}, {32768, 1, 0, 1}};
  const struct hw_point uneven[] = {{16384, 0.7, 0, 1}, {32768, 1, 0, 1}};
  struct hw_curves curves = {0};

  (void)state;
  put_machine(&curves, 4);
  check_unknown(hw_value_l2_shared_by(&curves), "which processors share it was not measured");
  put_pairs(&curves, "l1_pairs", 0.02, 0);
  put_pairs(&curves, "l2_pairs", 0.9, 0.1);
  /* Two that seem to be apart may share what holds more than they took. */
  check_unknown(hw_value_l1_shared_by(&curves), unsure);
  check_unknown(hw_value_l2_shared_by(&curves), unsure);
  put_level1(&curves);
  known_is(hw_value_l1_shared_by(&curves), 1);
  put_pairs(&curves, "l2_pairs", 0.9, 0.9);
  known_is(hw_value_l2_shared_by(&curves), 4);
  assert_true(hw_value_l3_shared_by(&curves).settled);
  /* Nothing is said of a level of which the capacity is not known. */
  check_unknown(hw_value_l2_share_bytes(&curves), "the capacity of the level is unknown");
  put_points(&curves, "l2_busy", fits, 2);
  put_points(&curves, "l2_busy", uneven, 2);
  assert_false(hw_value_l2_share_bytes(&curves).known);
  /* Who shares level 1 shares level 2: neither is known. */
  put_pairs(&curves, "l1_pairs", 0.9, 0.1);
  known_is(hw_value_l1_shared_by(&curves), 2);
  put_pairs(&curves, "l2_pairs", 0.1, 0.1);
  check_unknown(hw_value_l1_shared_by(&curves), torn);
  check_unknown(hw_value_l2_shared_by(&curves), torn);
  put_pairs(&curves, "l2_pairs", 0.9, 0.4);
  check_unknown(hw_value_l2_shared_by(&curves), "it is not clear whether two share it");
  hw_curves_free(&curves);
  put_machine(&curves, 1);
  check_unknown(hw_value_l1_shared_by(&curves), "there are no two processors to bind threads to");
  assert_true(hw_value_l1_shared_by(&curves).settled);
  hw_curves_free(&curves);
}

static struct hw_answer distance(const double *y, size_t n) {
  struct hw_curve curve;
  struct hw_answer answer;

  hw_curve_init(&curve, "destructive", "x", "y");
  for (size_t i = 0; i < n; i++)
    put_point(&curve, (double)(4u << i), y[i], 0, 12);
  answer = hw_reduce_distance(&curve);
  hw_curve_free(&curve);
  return answer;
}

static void test_distance(void **state) {
  (void)state;
  known_is(distance((const double[]){3, 3, 2.5, 3, 1, 1}, 6), 64);
  known_is(distance((const double[]){1.3, 1.1}, 2), 8);
  check_unknown(distance((const double[]){3, 3, 1.2, 1}, 4),
                "it is not clear from which distance on writes do not disturb each other");
  check_unknown(distance((const double[]){3, 1, 3, 1}, 4),
                "it is not clear from which distance on writes do not disturb each other");
  check_unknown(distance((const double[]){1, 1}, 2), "no step was seen");
  check_unknown(distance((const double[]){3, 3}, 2), "no step was seen");
}

static void put_cycle(struct hw_curves *curves) {
  struct hw_point point[8];

  for (size_t i = 0; i < 8; i++)
    point[i] = (struct hw_point){
        .x = 1000.0 * (double)(i + 1), .y = 500.0 * (double)(i + 1), .spread = 0.001, .count = 12};
  put_points(curves, "cycle", point, 8);
}

/* Of two processors a pair that is in doubt takes the rows of one group with it, not of four. */
static void test_grey(void **state) {
  const struct hw_point pair[] = {{1, 0.83, 0, 8}};
  struct hw_curves curves = {0};

  (void)state;
  put_machine(&curves, 2);
  put_cycle(&curves);
  put_points(&curves, "mem_pairs", pair, 1);
  assert_false(hw_value_mem_groups(&curves).known);
  assert_false(hw_value_mem_group1_size(&curves).settled);
  check_unknown(hw_value_mem_group2_size(&curves), "there are no such groups");
  assert_true(hw_value_mem_group2_mbs(&curves).settled);
  assert_true(hw_value_mem_group4_mbs(&curves).settled);
  hw_curves_free(&curves);
}

static void test_paths(void **state) {
  const struct hw_point threads[] = {{1, 5, 0.01, 8}, {2, 9.5, 0.01, 8}, {4, 10, 0.01, 8}};
  const struct hw_point doubt[] = {{1, 5, 0.01, 8}, {2, 9.1, 0.01, 8}, {4, 10, 0.01, 8}};
  const struct hw_point noise[] = {{1, 5, 0.2, 8}, {2, 9.5, 0.01, 8}};
  const struct hw_point some[] = {{1, 1.5, 0, 1}, {2 * 1024 + 3, 1.5, 0, 1}};
  struct hw_curves curves = {0};

  (void)state;
  put_machine(&curves, 4);
  check_unknown(hw_value_mem_groups(&curves), "it is not known where memory begins");
  put_cycle(&curves);
  put_pairs(&curves, "mem_pairs", 0.5, 1);
  put_pairs(&curves, "mem_pairs_ns", 0.4, 0.2);
  known_is(hw_value_mem_groups(&curves), 1);
  known_is(hw_value_mem_group1_size(&curves), 2);
  known_is(hw_value_mem_group1_mbs(&curves), 2500);
  put_pairs(&curves, "mem_pairs", 0.83, 1);
  assert_false(hw_value_mem_groups(&curves).known);
  put_points(&curves, "mem_threads", threads, 3);
  known_is(hw_value_mem_threads(&curves), 2);
  known_is(hw_value_mem_total_mbs(&curves), 10000);
  put_points(&curves, "mem_threads", doubt, 3);
  assert_false(hw_value_mem_threads(&curves).known);
  put_points(&curves, "mem_threads", noise, 2);
  assert_false(hw_value_mem_total_mbs(&curves).known);
  put_pairs(&curves, "node_pairs", 1.02, 1.5);
  known_is(hw_value_numa_nodes(&curves), 2);
  put_pairs(&curves, "node_pairs", 1.02, 1.2);
  assert_false(hw_value_numa_nodes(&curves).known);
  put_points(&curves, "node_pairs", some, 2);
  check_unknown(hw_value_numa_nodes(&curves), "there was no time for all pairs that tell");
  hw_curves_free(&curves);
}

/* Four processors: pairs share level 1, all level 2, and pairs a path to memory. */
static void put_shared(struct hw_curves *curves) {
  put_machine(curves, 4);
  put_cycle(curves);
  put_level1(curves);
  put_pairs(curves, "l1_pairs", 0.9, 0.1);
  put_pairs(curves, "l2_pairs", 0.9, 0.9);
  put_pairs(curves, "mem_pairs", 0.5, 1);
  put_pairs(curves, "mem_pairs_ns", 0.4, 0.2);
  PUT_XY(curves, "l1_busy", 0, 12, {8192, 0.1}, {10922, 0.9});
  PUT_XY(curves, "mem_threads", 0.001, 12, {1, 5}, {2, 9.5}, {4, 10});
}

static void test_reasons(void **state) {
  static const char parts[] = "the processors that share it do not get equal parts";
  static const struct another another[] = {
      IS(l1_share_bytes, 8192, "none", {0}),
      UNKNOWN(l1_share_bytes, "it was not measured with all busy", "l1_busy", {8192, 0.1}),
      UNKNOWN(l1_share_bytes, parts, "l1_busy", {8192, 0.4}, {10922, 0.9}),
      UNKNOWN(l1_share_bytes, parts, "l1_busy", {8192, 0.1}, {10922, 0.2}),
      IS(l1_share_bytes, 16384, "l1_pairs", {1, 0.1}, {2, 0.1}, {3, 0.1}, {1026, 0.1}, {1027, 0.1},
         {2051, 0.1}),
      UNKNOWN(l1_shared_by, HW_GROUPS_UNEVEN, "l1_pairs", {1, 0.9}, {2, 0.9}, {3, 0.1}, {1026, 0.9},
              {1027, 0.1}, {2051, 0.1}),
      UNKNOWN(l1_share_bytes, HW_GROUPS_UNEVEN, "l1_pairs", {1, 0.9}, {2, 0.9}, {3, 0.1},
              {1026, 0.9}, {1027, 0.1}, {2051, 0.1}),
      IS(mem_groups, 1, "none", {0}),
      UNKNOWN(mem_groups, "processors are missing", "mem_pairs", {1, 0.5}),
      UNKNOWN(mem_groups, "it is not clear whether two hinder each other", "mem_pairs", {1, 0.78},
              {2, 1.1}, {3, 1.1}, {1026, 1.1}, {1027, 1.1}, {2051, 0.85}),
      UNKNOWN(mem_group1_size, HW_GROUPS_UNEVEN, "mem_pairs", {1, 0.5}, {2, 0.5}, {3, 1},
              {1026, 0.5}, {1027, 1}, {2051, 1}),
      UNKNOWN(mem_group2_size, "there are no such groups", "none", {0}),
      IS(mem_group1_mbs, 2500, "none", {0}),
      UNKNOWN(mem_group1_mbs, "its curve was not measured", "mem_pairs_ns", {2, 0.4}),
      UNKNOWN(mem_group1_mbs, "it depends on x: the points differ by more than 15 %",
              "mem_pairs_ns", {1, 0.4}, {2, 0.2}, {3, 0.2}, {1026, 0.2}, {1027, 0.2}, {2051, 0.8}),
      UNKNOWN(mem_total_mbs, "there is no memory or time for all threads", "mem_threads", {0}),
      IS(mem_threads, 1, "mem_threads", {1, 10}, {2, 10}),
      UNKNOWN(mem_threads, "points are missing", "mem_threads", {1, 5}, {3, 10}),
  };
  struct hw_curves curves = {0};

  (void)state;
  check_another(put_shared, another, COUNT(another));
  put_machine(&curves, 4);
  put_cycle(&curves);
  check_unknown(hw_value_mem_threads(&curves), "its curve was not measured");
  assert_false(hw_sharing_done(&curves, 1)); /* the pairs are to be measured */
  put_level1(&curves);
  put_pairs(&curves, "l1_pairs", 0.1, 0.1);
  assert_true(hw_sharing_done(&curves, 1));
  hw_curves_free(&curves);
  put_shared(&curves);
  assert_true(hw_paths_paired(&curves));
  assert_true(hw_sharing_done(&curves, 1));
  assert_false(hw_sharing_done(&curves, 2)); /* all four at once are */
  hw_curves_free(&curves);
}

/* Processors 0 to 3 with loads, and additions, of so many ns. */
static void put_kinds(struct hw_curves *curves, const double walk[4], const double issue[4]) {
  struct hw_point point[4];

  for (size_t i = 0; i < 4; i++)
    point[i] = (struct hw_point){.x = (double)i, .y = walk[i], .count = 1};
  put_points(curves, "kinds_walk", point, 4);
  for (size_t i = 0; i < 4; i++)
    point[i].y = issue[i];
  put_points(curves, "kinds_issue", point, 4);
}

/* Kinds by loads that the additions do not contradict; the quickest kind leads. */
static void test_kinds(void **state) {
  const double even[] = {1, 1.05, 1.1, 1.02}, issue[] = {0.25, 0.26, 0.25, 0.25};
  const double none[] = {0, 1, 1, 1}; /* no factor apart from others */
  const double two[] = {1.6, 1, 1.65, 1.1}, slower[] = {0.5, 0.25, 0.5, 0.26};
  const double degrees[] = {1, 1.1, 1.2, 1}, neighbour[] = {0.25, 0.5, 0.25, 0.25};
  const struct hw_point groups[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 0, 0, 0}, {3, 1, 0, 0}};
  struct hw_curves curves = {0};

  (void)state;
  check_unknown(hw_value_cpu_kinds(&curves), "the processors could not be compared");
  put_kinds(&curves, even, issue);
  known_is(hw_value_cpu_kinds(&curves), 1);
  put_kinds(&curves, degrees, issue);
  assert_false(hw_value_cpu_kinds(&curves).known);
  put_kinds(&curves, even, neighbour);
  assert_false(hw_value_cpu_kinds(&curves).known);
  assert_int_equal(hw_kinds_lead(&curves), 0);
  put_kinds(&curves, none, issue);
  check_unknown(hw_value_cpu_kinds(&curves), "the processors could not be compared");
  put_kinds(&curves, two, slower);
  known_is(hw_value_cpu_kinds(&curves), 2);
  put_points(&curves, "kinds", groups, 4);
  assert_int_equal(hw_kinds_lead(&curves), 1);
  hw_curves_free(&curves);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated), cmocka_unit_test(test_real),
      cmocka_unit_test(test_caches),    cmocka_unit_test(test_distance),
      cmocka_unit_test(test_grey),      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_kinds),     cmocka_unit_test(test_reasons)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
