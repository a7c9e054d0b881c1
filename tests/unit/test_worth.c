/* From where on work is worth handing over: the reduction on literal curves, the probe on simulated
   machines. */
#include "probes/probe.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"

#include <math.h>
#include <stdio.h>

/* ---- What is worth handing over ---------------------------------------------------------------
 */

static struct hw_answer worth(const double (*point)[2], size_t n, double spread) {
  struct hw_curve curve = curve_of("handing", point, n, spread, 12);
  struct hw_answer answer = hw_reduce_worth(&curve);

  hw_curve_free(&curve);
  return answer;
}

static void test_worth(void **state) {
  static const double flat[][2] = {{1e3, 1e4}, {4e3, 1e4}, {16e3, 1e4}, {64e3, 1e4}};
  static const double rises[][2] = {{5e3, 8e3}, {1e4, 11e3}, {2e4, 12e3}};
  static const double never[][2] = {{1e3, 1e4}, {4e3, 1e4}, {8e3, 1e4}};
  static const double always[][2] = {{1e4, 1e3}, {2e4, 1e3}};
  static const double twice[][2] = {{1e3, 1e4}, {16e3, 1e4}, {32e3, 4e4}, {64e3, 1e4}};
  static const double negative[][2] = {{1e3, 1e4}, {16e3, -1}};
  struct hw_answer answer = worth(flat, 4, 0.02);

  (void)state;
  assert_true(answer.known);
  assert_true(fabs(answer.value - 1e4) < 1 && answer.error < 500);
  answer = worth(rises, 3, 0.02);
  assert_true(answer.known && answer.value > 11e3 && answer.value < 12e3);
  assert_false(worth(flat, 4, 0.5).known);
  assert_false(worth(never, 3, 0.02).known);
  assert_false(worth(always, 2, 0.02).known);
  assert_false(worth(twice, 4, 0.02).known);
  assert_false(worth(negative, 2, 0.02).known);
  assert_false(worth(flat, 0, 0.02).known);
}

/* ---- The probes -------------------------------------------------------------------------------
 */

#define MACHINE                                                                                    \
  "machine Small\ncycle 1 ns\npage bytes 4K placement contiguous\nlevel 1  bytes 16K ways 4 line " \
  "64 latency 3\ntlb 1 "                                                                           \
  "entries 16 miss 20\n"

/* HW_PAR_MIN_NS on a machine of these lines too; 0 when it is unknown. */
static double measure(const char *lines) {
  struct hw_engine engine;
  struct hw_answer answer;
  char text[512];

  snprintf(text, sizeof text, "%s%s", MACHINE, lines);
  engine = engine_of(text, "default", (size_t)256 << 20);
  answer = engine_row(&engine, "HW_PAR_MIN_NS");
  engine_close(&engine);
  return answer.known ? answer.value : 0;
}

#define PAIR "memory latency 100\ngroup 1 of 2 step 1 latency 50ns\n"
#define NOISE "noise jitter 5%% bursts 200us 2ms 3 drift 5%% 20ms\n"

/* Two wakings, and what a thread that is woken costs is never the machine's own work. */
static void test_handing(void **state) {
  static const double wake[] = {200, 1000, 5000, 60000};

  (void)state;
  for (size_t i = 0; i < COUNT(wake); i++) {
    char lines[256];
    double got;
    snprintf(lines, sizeof lines, PAIR "scheduler slot 4ms wake %.0fns\n", wake[i]);
    got = measure(lines);
    assert_true(fabs(got - 2 * wake[i]) < 0.05 * 2 * wake[i]);
    snprintf(lines, sizeof lines, PAIR "scheduler slot 4ms wake %.0fns\n" NOISE, wake[i]);
    got = measure(lines);
    assert_true(got <= 0 || fabs(got - 2 * wake[i]) < 0.25 * 2 * wake[i]);
  }
}

/* With one processor, or with other processes always there, there is nothing to gain. */
static void test_handing_alone(void **state) {
  (void)state;
  assert_true(measure("memory latency 100\n") <= 0);
  assert_true(measure(PAIR "scheduler slot 4ms others 100%\n") <= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_worth),
      cmocka_unit_test(test_handing),
      cmocka_unit_test(test_handing_alone),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
