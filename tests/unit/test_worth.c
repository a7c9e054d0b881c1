/* From where on work is worth handing over, on simulated machines. */
#include "probes/probe.h"
#include "tests/unit/engine.h"

#include <math.h>
#include <stdio.h>

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
      cmocka_unit_test(test_handing),
      cmocka_unit_test(test_handing_alone),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
