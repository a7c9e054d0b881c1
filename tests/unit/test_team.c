/* What may be believed of threads that work at the same time. */
#include "probes/bench/team.h"
#include "tests/unit/machine.h"

#include <math.h>

static void test_away(void **state) {
  static const struct {
    struct hw_part part;
    bool away;
  } expected[] = {
      {{.wall_ns = 1e6, .cpu_ns = 1e6}, false},
      {{.wall_ns = 1e6, .cpu_ns = 9.8e5}, false},
      {{.wall_ns = 1e6, .cpu_ns = 9e5}, true},
      {{.wall_ns = 5e3, .cpu_ns = 1e2}, false}, /* what reading the clocks costs */
      {{.wall_ns = 1e4, .cpu_ns = 1e2}, true},
      {{.wall_ns = 1e6, .cpu_ns = -1}, false}, /* nobody can tell */
  };

  (void)state;
  for (size_t i = 0; i < COUNT(expected); i++)
    assert_int_equal(hw_team_away(&expected[i].part), expected[i].away);
}

/* One that is preempted or late is missed by up to 31, more by more. */
static void test_missing(void **state) {
  static const size_t threads[] = {1, 2, 31, 32, 63, 64, 512};
  struct hw_part part[512];

  (void)state;
  for (size_t i = 0; i < COUNT(threads); i++) {
    size_t n = threads[i], may = n / 32;

    for (size_t k = 0; k < n; k++)
      part[k] = (struct hw_part){.wall_ns = 1e6, .cpu_ns = k < may ? 0 : 1e6};
    assert_false(hw_team_missing(part, n));
    part[may].cpu_ns = 0;
    assert_true(hw_team_missing(part, n));
    for (size_t k = 0; k < n; k++)
      part[k] = (struct hw_part){.wall_ns = 1e6, .cpu_ns = 1e6, .later = may};
    assert_false(hw_team_missing(part, n));
    part[n - 1].later++;
    assert_true(hw_team_missing(part, n));
  }
}

/* Two processors that share a path to memory. */
#define PAIR                                                                                       \
  "machine m\ncycle 1 ns\npage bytes 4K\n"                                                         \
  "level 1 bytes 32K ways 8 line 64 latency 4\nmemory latency 200 read 4\n"                        \
  "group 1 of 2 step 1 latency 9ns path 4\n"

/* Two that take turns with other processes: only where both are at work do they count, and nothing
   does where there is too little of that. */
static void test_sample(void **state) {
  static const char *const text[] = {PAIR, PAIR "scheduler slot 4ms others 100%\n"};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct hw_bench bench = {.machine = machine_of(text[i]), .deadline = INFINITY};
    struct hw_part part[3];
    const struct hw_team team[] = {{part, 1, 0}, {&part[1], 2, 0}};
    struct hw_point point[3];

    for (size_t k = 0; k < 3; k++)
      part[k] = (struct hw_part){.processor = k / 2, .work = HW_WORK_READ, .n = 100000};
    assert_int_equal(hw_team_sample(&bench, team, 2, 40, point), 0);
    assert_true(fabs(point[0].y - 0.25) < 1e-9 && point[0].count == 40);
    for (size_t k = 1; k < 3; k++) {
      assert_true(fabs(point[k].y - 0.5) < 1e-9);
      assert_true(i == 0 ? point[k].count == 40 : point[k].count < 30);
    }
    assert_int_equal(hw_team_sample(&bench, team, 2, HW_TEAM_TRUSTED - 1, point), 0);
    assert_true(point[0].count == 0 && point[1].count == 0);
    bench.machine->ops->close(bench.machine);
  }
}

/* A unit in ns, in cycles where additions tell them, and one way of what is passed, for both; the
   offset grows from round to round. */
static void test_rounds(void **state) {
  struct hw_bench bench = {.machine = machine_of(PAIR "kind     from 1 speed 0.5\n"),
                           .deadline = INFINITY};
  struct hw_part part[4] = {
      {.processor = 1, .work = HW_WORK_INT, .n = 100 * HW_GRAIN},
      {.processor = 1, .work = HW_WORK_INT, .n = 100 * HW_GRAIN, .adds = 100 * HW_GRAIN},
      {.work = HW_WORK_PASS, .n = 10},
      {.work = HW_WORK_PASS, .n = 10, .processor = 1},
  };
  const struct hw_team team[] = {{&part[0], 1, 64}, {&part[1], 1, 0}, {&part[2], 2, 0}};
  double cost[2][4];

  (void)state;
  assert_int_equal(hw_team_rounds(&bench, team, 3, 2, cost[0]), 0);
  assert_int_equal(part[0].offset, 128);
  assert_int_equal(part[1].offset, 0);
  for (size_t r = 0; r < 2; r++) {
    assert_true(fabs(cost[r][0] - 2 * cost[r][1]) < 1e-9);
    assert_true(fabs(cost[r][2] - 9) < 1e-9 && fabs(cost[r][3] - 9) < 1e-9);
  }
  bench.machine->ops->close(bench.machine);
}

/* Other processes are noticed on a processor of one's own, always and now and then; an idle machine
   has none. */
static void test_wanted(void **state) {
  static const struct {
    const char *text;
    bool wanted;
  } expected[] = {
      {PAIR "scheduler slot 4ms others 100%\n", true},
      {PAIR "scheduler slot 10ms others 100%\n", true},
      {PAIR "scheduler slot 4ms\n", false},
      {PAIR "scheduler slot 4ms\nnoise jitter 5% outliers 1% 50us\n", false},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(expected); i++) {
    struct hw_bench bench = {.machine = machine_of(expected[i].text), .log = stderr};

    assert_int_equal(hw_team_wanted(&bench, 2), expected[i].wanted);
    bench.machine->ops->close(bench.machine);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_away),   cmocka_unit_test(test_missing), cmocka_unit_test(test_sample),
      cmocka_unit_test(test_rounds), cmocka_unit_test(test_wanted),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
