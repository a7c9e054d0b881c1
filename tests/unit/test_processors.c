/* Simulated machines of many processors: their numbers, what threads cost each other, and how they
   are told of it; and teams of the real machine, which judge no time. */
#include "probes/machine/machine.h"
#include "sim/topology.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE                                                                                       \
  "machine m\ncycle 1 ns\nlevel 1 bytes 32K ways 8 line 64 latency 4\nmemory latency 200\n"        \
  "page bytes 4K\n"
#define DUNNINGTON                                                                                 \
  BASE "group 1 of 2 step 12 latency 25ns\ngroup 2 of 3 step 1 latency 55ns\n"                     \
       "group 3 of 4 step 3 latency 140ns\n"
#define CORES                                                                                      \
  BASE "group 1 of 2 step 1 latency 10ns core 1.5 fp 1\ngroup 2 of 2 step 2 latency 50ns\n"        \
       "scheduler slot 4ms\n"

static void read_text(struct hw_description *description, const char *text) {
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

  assert_non_null(in);
  assert_int_equal(hw_description_read(description, "text", in, stderr), 0);
  fclose(in);
}

static void test_numbers(void **state) {
  struct hw_description description;

  (void)state;
  read_text(&description, BASE);
  assert_int_equal(hw_processors_count(&description), 1);
  read_text(&description, DUNNINGTON);
  assert_int_equal(hw_processors_count(&description), 24);
  read_text(&description, DUNNINGTON "scheduler slot 4ms first 20\n");
  assert_int_equal(hw_processors_count(&description), 20);
  assert_int_equal(hw_processors_common(&description, 5, 5), 0);
  assert_int_equal(hw_processors_common(&description, 0, 12), 1);
  assert_int_equal(hw_processors_common(&description, 0, 14), 2);
  assert_int_equal(hw_processors_common(&description, 2, 13), 2);
  assert_int_equal(hw_processors_common(&description, 0, 3), 3);
  assert_int_equal(hw_processors_common(&description, 12, 15), 3);
  assert_int_equal(hw_processors_common(&description, 11, 23), 1);
}

struct bench {
  struct hw_description description;
  struct hw_pace pace;
};

static void start(struct bench *bench, const char *text) {
  read_text(&bench->description, text);
  hw_pace_start(&bench->pace, &bench->description.noise, 1);
}

static void run(struct bench *bench, struct hw_part *part, size_t n) {
  assert_int_equal(hw_processors_team(&bench->description, &bench->pace, part, n, NULL), 0);
}

/* Additions are four a cycle, divisions take 6 and 5 cycles, loads 4. */
static void test_core(void **state) {
  static const struct {
    enum hw_work work;
    double alone;
    double shared;
  } expected[] = {{HW_WORK_ISSUE, 250, 375},
                  {HW_WORK_INT, 6000, 9000},
                  {HW_WORK_FP, 5000, 5000},
                  {HW_WORK_WALK, 4000, 4080}};
  struct bench bench;

  (void)state;
  start(&bench, CORES);
  for (size_t i = 0; i < COUNT(expected); i++) {
    struct hw_part part[3] = {{.processor = 0, .work = expected[i].work, .n = 1000, .adds = 500},
                              {.processor = 1, .work = expected[i].work, .n = 1000},
                              {.processor = 2, .work = expected[i].work, .n = 1000}};

    run(&bench, part, 3);
    assert_near(part[0].work_ns, expected[i].shared);
    assert_near(part[1].work_ns, expected[i].shared);
    assert_near(part[2].work_ns, expected[i].alone);
    assert_near(part[0].cycle_ns, 1);
    assert_near(part[0].cpu_ns, part[0].wall_ns);
    assert_near(part[0].wall_ns, 500 + part[0].work_ns);
  }
}

/* A block takes longer by its bytes, and with other pairs that pass something in the same group. */
static void test_block(void **state) {
  struct hw_part part[4] = {{.processor = 0, .work = HW_WORK_PASS, .n = 10, .bytes = 1024},
                            {.processor = 2, .work = HW_WORK_PASS, .n = 10, .bytes = 1024},
                            {.processor = 1, .work = HW_WORK_PASS, .n = 10},
                            {.processor = 3, .work = HW_WORK_PASS, .n = 10}};
  struct bench bench;

  (void)state;
  start(&bench, BASE "group 1 of 2 step 1 latency 10ns fits 1K beyond 4\n"
                     "group 2 of 2 step 2 latency 50ns rate 2 crowd 1.5\n");
  run(&bench, part, 2);
  assert_near(part[0].work_ns, 20 * (50 + 512));
  run(&bench, part, 4);
  assert_near(part[0].work_ns, 20 * (50 + 512) * 1.5);
  assert_near(part[2].work_ns, 20 * 50 * 1.5);
  part[1].processor = 1;
  part[2].processor = 2;
  run(&bench, part, 4);
  assert_near(part[0].work_ns, 20 * (10 + 1024 * 10 / 256.0));
  part[0].bytes = 1536;
  run(&bench, part, 4);
  assert_near(part[0].work_ns, 20 * (10 + 1536 / 4.0));
}

/* Two on one processor: each takes twice as long and is charged half of it. */
static void test_turns(void **state) {
  struct hw_part part[2] = {{.processor = 3, .work = HW_WORK_INT, .n = 1000},
                            {.processor = 3, .work = HW_WORK_INT, .n = 1000}};
  struct bench bench;

  (void)state;
  start(&bench, CORES);
  run(&bench, part, 2);
  assert_near(part[0].wall_ns, 12000 * 1.5);
  assert_near(part[0].cpu_ns, 6000 * 1.5);
}

static void test_kind(void **state) {
  struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_INT, .n = 100, .adds = 100},
                            {.processor = 1, .work = HW_WORK_INT, .n = 100, .adds = 100}};
  struct bench bench;

  (void)state;
  start(&bench, BASE "group 1 of 2 step 1 latency 9ns\nkind from 1 speed 0.5\n");
  run(&bench, part, 2);
  assert_near(part[1].work_ns, 2 * part[0].work_ns);
  assert_near(part[1].cycle_ns, 2 * part[0].cycle_ns);
}

static void test_meet(void **state) {
  struct hw_part part[5];
  struct bench bench;

  (void)state;
  start(&bench, CORES);
  for (size_t i = 0; i < 5; i++)
    part[i] = (struct hw_part){.processor = i, .work = HW_WORK_MEET, .n = 14000000};
  run(&bench, part, 4);
  assert_near(part[3].done, 14000000 / (2 * 50 + 4 * 10) + 3);
  for (size_t i = 0; i < 5; i++)
    part[i].processor = HW_ANYWHERE;
  run(&bench, part, 5);
  assert_near(part[0].done, 3);
  part[0].processor = 4;
  assert_int_equal(hw_processors_team(&bench.description, &bench.pace, part, 5, NULL), -1);
}

static void test_pass(void **state) {
  struct hw_part part[4] = {{.processor = 0, .work = HW_WORK_PASS, .n = 100},
                            {.processor = 1, .work = HW_WORK_PASS, .n = 100},
                            {.processor = 3, .work = HW_WORK_PASS, .n = 100},
                            {.processor = 2, .work = HW_WORK_PASS, .n = 100}};
  struct bench bench;

  (void)state;
  start(&bench, CORES);
  part[2].processor = 2;
  part[1].processor = 3;
  part[3].processor = 3;
  run(&bench, part, 2);
  assert_near(part[0].work_ns, 200 * 50);
  assert_near(part[1].done, 100);
  part[1].processor = 1;
  part[2].processor = 2;
  run(&bench, part, 4);
  assert_near(part[1].work_ns, 200 * 10);
  assert_near(part[3].work_ns, 200 * 10);
  part[1].processor = 0; /* turns: the limit is 20 ms */
  run(&bench, part, 2);
  assert_near(part[0].done, 2);
}

static void test_watch(void **state) {
  struct hw_gap gap[2 * HW_GAPS];
  struct hw_part part[2] = {
      {.processor = 1, .work = HW_WORK_WATCH, .n = 40000000, .gap = gap},
      {.processor = 1, .work = HW_WORK_WATCH, .n = 40000000, .gap = gap + HW_GAPS}};
  struct bench bench;

  (void)state;
  start(&bench, CORES);
  run(&bench, part, 2);
  assert_int_equal(part[0].gaps, 4);
  assert_int_equal(part[1].gaps, 5);
  assert_near(gap[1].end - gap[1].start, 4e6);
  assert_near(gap[0].end, gap[HW_GAPS + 1].start);
  run(&bench, part, 1);
  assert_int_equal(part[0].gaps, 0);
  assert_near(part[0].cpu_ns, part[0].wall_ns);
}

/* Time passes as long as the slowest takes, jitter changes from thread to thread, and who is
   interrupted is not charged for it. */
static void test_noise(void **state) {
  struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_INT, .n = 1000},
                            {.processor = 2, .work = HW_WORK_INT, .n = 1000}};
  struct bench bench;
  double before;

  (void)state;
  start(&bench, CORES "noise jitter 5% outliers 100% 100us\n");
  before = bench.pace.now_ns;
  run(&bench, part, 2);
  assert_true(fabs(part[0].cpu_ns - part[1].cpu_ns) > 1);
  assert_true(part[0].cpu_ns < 8000 && part[0].wall_ns > part[0].cpu_ns);
  assert_near(bench.pace.now_ns - before, fmax(part[0].wall_ns, part[1].wall_ns));
}

static void test_strangers(void **state) {
  struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_INT, .n = 1000},
                            {.processor = 2, .work = HW_WORK_INT, .n = 1000}};
  struct bench bench;

  (void)state;
  start(&bench, BASE "group 1 of 4 step 1 latency 9ns\nscheduler slot 4ms others 100%\n");
  run(&bench, part, 2);
  assert_near(part[0].wall_ns, 6000); /* begins with its turn, or after another process's */
  assert_near(part[0].cpu_ns, 6000);
  part[0].n = 1000000;
  run(&bench, part, 2);
  assert_near(part[0].wall_ns, 12000000);
  assert_near(part[0].cpu_ns, 6000000);
  for (size_t i = 0; i < 2; i++)
    part[i] = (struct hw_part){.processor = i, .work = HW_WORK_MEET, .n = 15200000};
  run(&bench, part, 2);
  assert_near(part[0].done, 15200000 / (2 * 9 + 2 * 10) / 4 + 3);
}

/* Of two that read over one path, half of the time one is late: the other has all of it, and knows
   that somebody was missing. */
static void test_late(void **state) {
  struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_READ, .n = 1000},
                            {.processor = 1, .work = HW_WORK_READ, .n = 1000}};
  int early = 0, together = 0;
  struct bench bench;

  (void)state;
  start(&bench, "machine m\ncycle 1 ns\nlevel 1 bytes 32K ways 8 line 64 latency 4\n"
                "memory latency 200 read 4\npage bytes 4K\n"
                "group 1 of 2 step 1 latency 9ns path 4\nscheduler slot 4ms others 100%\n");
  for (int times = 0; times < 100; times++) {
    run(&bench, part, 2);
    for (size_t i = 0; i < 2; i++) {
      assert_near(part[i].work_ns, part[i].later > 0 ? 250 : 500);
      early += part[i].later > 0;
    }
    assert_true(part[0].later + part[1].later <= 1);
    together += part[0].later + part[1].later == 0;
  }
  assert_int_equal(early + together, 100);
  assert_true(early > 30 && early < 70);
}

static void test_bad(void **state) {
  static const struct {
    const char *text;
    const char *message;
  } bad[] = {
      {"group 1 of 2 step 2 latency 1ns\n", "the steps leave numbers out"},
      {"group 1 of 2 step 1 latency 1ns\ngroup 2 of 2 step 1 latency 1ns\n", "the steps leave"},
      {"group 1 of 2 step 1 latency 9ns\ngroup 2 of 2 step 2 latency 1ns\n", "latency is less"},
      {"group 1 of 1024 step 1 latency 1ns\ngroup 2 of 2 step 1024 latency 1ns\n",
       "more than 1024 processors"},
      {"group 2 of 2 step 1 latency 1ns\n", "group 2 without group 1"},
      {"group 1 of 1 step 1 latency 1ns\n", "of: '1' is out of range"},
      {"group 1 of 2 step 1\n", "latency is missing"},
      {"scheduler others 10%\n", "slot is missing"},
      {"kind from 0 speed 1\n", "from: '0' is out of range"},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct hw_description description;
    char text[1024], message[1024] = "";
    FILE *in, *err = fmemopen(message, sizeof message, "w");

    snprintf(text, sizeof text, "%s%s", BASE, bad[i].text);
    in = fmemopen(text, strlen(text), "r");
    assert_int_equal(hw_description_read(&description, "text", in, err), -1);
    fclose(in);
    fclose(err);
    if (strstr(message, bad[i].message) == NULL)
      fail_msg("%s instead of %s", message, bad[i].message);
  }
}

/* The real machine: threads begin and end, and say how they went. */
static void test_real(void **state) {
  const char *error;
  struct hw_machine *machine = hw_machine_real(NULL, &error);
  struct hw_gap gap[2 * HW_GAPS];
  struct hw_part part[2] = {{.processor = HW_ANYWHERE}, {.processor = HW_ANYWHERE}};
  static const enum hw_work work[] = {HW_WORK_ISSUE, HW_WORK_INT,  HW_WORK_FP,
                                      HW_WORK_MEET,  HW_WORK_PASS, HW_WORK_WATCH};
  const unsigned *number;
  size_t n;

  (void)state;
  assert_non_null(machine);
  number = machine->ops->processors(machine, &n);
  for (size_t i = 1; i < n; i++)
    assert_true(number[i - 1] < number[i]);
  for (size_t i = 0; i < COUNT(work); i++) {
    part[0].work = part[1].work = work[i];
    part[0].n = part[1].n = work[i] == HW_WORK_MEET || work[i] == HW_WORK_WATCH ? 1000000 : 1280;
    part[0].adds = part[1].adds = 1280;
    part[0].gap = gap;
    part[1].gap = gap + HW_GAPS;
    if (machine->ops->team(machine, part, 2) != 0)
      break; /* no threads here */
    for (size_t k = 0; k < 2; k++) {
      assert_true(part[k].work_ns > 0);
      assert_true(part[k].wall_ns >= part[k].work_ns);
      assert_true(part[k].gaps <= HW_GAPS);
    }
    if (work[i] == HW_WORK_INT)
      assert_near(part[0].done, 1280);
  }
  part[0].processor = n;
  assert_int_equal(machine->ops->team(machine, part, 1), -1);
  machine->ops->close(machine);
}

/* Two threads of one processor are never at work together, and one of them is told so. */
static void test_real_turns(void **state) {
  const char *error;
  struct hw_machine *machine = hw_machine_real(NULL, &error);
  struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_ISSUE, .n = 1280},
                            {.processor = 0, .work = HW_WORK_ISSUE, .n = 1280}};
  size_t n, told = 0;

  (void)state;
  assert_non_null(machine);
  (void)machine->ops->processors(machine, &n);
  /* The first may be preempted while it waits for the other; on a busy machine it mostly is. */
  for (int times = 0; n > 0 && times < 20 && machine->ops->team(machine, part, 2) == 0; times++) {
    assert_true(part[0].later + part[1].later <= 1);
    told += part[0].later + part[1].later;
  }
  machine->ops->close(machine);
  if (n == 0)
    skip();
  assert_true(told > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),   cmocka_unit_test(test_core),
      cmocka_unit_test(test_turns),     cmocka_unit_test(test_kind),
      cmocka_unit_test(test_meet),      cmocka_unit_test(test_pass),
      cmocka_unit_test(test_watch),     cmocka_unit_test(test_noise),
      cmocka_unit_test(test_strangers), cmocka_unit_test(test_bad),
      cmocka_unit_test(test_real),      cmocka_unit_test(test_block),
      cmocka_unit_test(test_late),      cmocka_unit_test(test_real_turns),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
