/* What processors share: teams of simulated machines and of the real one. */
#include "probes/machine/machine.h"
#include "sim/topology.h"
#include "tests/unit/unit.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated),
      cmocka_unit_test(test_real),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
