/* Where a rise by degrees has its middle, from where on work is worth handing over: the reductions
   on synthetic curves, the probes on simulated machines. */
#include "probes/bench/random.h"
#include "probes/engine.h"
#include "probes/probe.h"
#include "tests/unit/long.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void put(struct hw_curve *curve, double x, double y, double spread) {
  assert_int_equal(hw_curve_put(curve, (struct hw_point){x, y, spread, 12}), 0);
}

/* ---- A rise by degrees ------------------------------------------------------------------------
 */

/* From 1 to high, half of it at the middle, over so many doublings of x, with noise. */
static void rise(struct hw_curve *curve, double high, double middle, double doublings, double noise,
                 struct hw_random *random) {
  hw_curve_init(curve, "copying", "x", "y");
  for (double x = 1e6; x < 70e6; x *= sqrt(2)) {
    double share = fmin(fmax(0.5 + log2(x / middle) / doublings, 0), 1);
    put(curve, x, (1 + (high - 1) * share) * (1 + noise * (hw_random_unit(random) - 0.5)),
        noise / 4);
  }
}

static void test_degrees(void **state) {
  struct hw_random random = {3};

  (void)state;
  for (double middle = 4e6; middle < 20e6; middle *= 1.1)
    for (double doublings = 0.1; doublings < 3; doublings *= 2) {
      struct hw_curve curve;
      struct hw_answer answer;
      rise(&curve, 2, middle, doublings, 0, &random);
      answer = hw_reduce_degrees(&curve);
      assert_true(answer.known);
      assert_true(answer.value > middle / sqrt(2) && answer.value < middle * sqrt(2));
      assert_true(fabs(answer.value - middle) <= answer.error + middle * 0.2);
      hw_curve_free(&curve);
    }
}

/* With noise: never far off, mostly known. */
static void test_degrees_noise(void **state) {
  struct hw_random random = {11};
  int known = 0, off = 0;

  (void)state;
  for (int i = 0; i < 400; i++) {
    struct hw_curve curve;
    struct hw_answer answer;
    double middle = 4e6 * pow(1.004, i);
    rise(&curve, 1.8, middle, 1, 0.1, &random);
    answer = hw_reduce_degrees(&curve);
    known += answer.known;
    off += answer.known && !(answer.value > middle / 2 && answer.value < middle * 2);
    hw_curve_free(&curve);
  }
  assert_int_equal(off, 0);
  assert_true(known > 200);
}

static void test_degrees_none(void **state) {
  struct hw_random random = {5};
  struct hw_curve curve;

  (void)state;
  rise(&curve, 1.1, 8e6, 1, 0.01, &random); /* hardly any */
  assert_false(hw_reduce_degrees(&curve).known);
  hw_curve_free(&curve);
  rise(&curve, 2, 8e6, 1, 1.2, &random); /* noise */
  assert_false(hw_reduce_degrees(&curve).known);
  hw_curve_free(&curve);
  hw_curve_init(&curve, "copying", "x", "y"); /* nothing near the middle */
  put(&curve, 1e6, 1, 0.01);
  put(&curve, 2e6, 1, 0.01);
  put(&curve, 16e6, 2, 0.01);
  put(&curve, 32e6, 2, 0.01);
  assert_false(hw_reduce_degrees(&curve).known);
  hw_curve_free(&curve);
  hw_curve_init(&curve, "copying", "x", "y");
  put(&curve, 1e6, 1, 0.01);
  put(&curve, 2e6, 2, 0.01);
  assert_false(hw_reduce_degrees(&curve).known);
  hw_curve_free(&curve);
}

/* ---- What is worth handing over ---------------------------------------------------------------
 */

static struct hw_answer worth(const double (*point)[2], size_t n, double spread) {
  struct hw_curve curve;
  struct hw_answer answer;

  hw_curve_init(&curve, "handing", "x", "y");
  for (size_t i = 0; i < n; i++)
    put(&curve, point[i][0], point[i][1], spread);
  answer = hw_reduce_worth(&curve);
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

/* The value of a row on a machine of these lines too; 0 when it is unknown. */
static double measure(const char *lines, const char *row, const char *effort) {
  char name[] = "worth-XXXXXX";
  int fd = mkstemp(name);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
  struct hw_engine engine = {.bench = {.deadline = INFINITY,
                                       .memory = (size_t)256 << 20,
                                       .compiler = "none",
                                       .flags = "none",
                                       .seed = 1,
                                       .log = tmpfile()}};
  struct hw_answer answer;

  assert_non_null(out);
  assert_true(fputs(MACHINE, out) >= 0 && fputs(lines, out) >= 0);
  assert_int_equal(fclose(out), 0);
  engine.bench.machine = hw_machine_simulated(name);
  unlink(name);
  assert_non_null(engine.bench.machine);
  assert_non_null(engine.bench.log);
  assert_int_equal(hw_effort_find(effort, &engine.bench.effort), 0);
  hw_bench_calibrate(&engine.bench);
  answer = hw_engine_value(&engine, hw_param_find(row));
  hw_curves_free(&engine.bench.curves);
  engine.bench.machine->ops->close(engine.bench.machine);
  fclose(engine.bench.log);
  return answer.known ? answer.value : 0;
}

#define PAIR "memory latency 100\ngroup 1 of 2 step 1 latency 50ns\n"
#define NOISE "noise jitter 5%% bursts 200us 2ms 3 drift 5%% 20ms\n"

/* Two wakings, and what a thread that is woken costs is never the machine's own work. */
static void test_handing(void **state) {
  static const double wake[] = {200, 1000, 5000, 60000};

  (void)state;
  for (size_t i = 0; i < sizeof wake / sizeof wake[0]; i++) {
    char lines[256];
    double got;
    snprintf(lines, sizeof lines, PAIR "scheduler slot 4ms wake %.0fns\n", wake[i]);
    got = measure(lines, "HW_PAR_MIN_NS", "default");
    assert_true(fabs(got - 2 * wake[i]) < 0.05 * 2 * wake[i]);
    snprintf(lines, sizeof lines, PAIR "scheduler slot 4ms wake %.0fns\n" NOISE, wake[i]);
    got = measure(lines, "HW_PAR_MIN_NS", "default");
    assert_true(got <= 0 || fabs(got - 2 * wake[i]) < 0.25 * 2 * wake[i]);
  }
}

/* With one processor, or with strangers always there, there is nothing to gain. */
static void test_handing_alone(void **state) {
  (void)state;
  assert_true(measure("memory latency 100\n", "HW_PAR_MIN_NS", "default") <= 0);
  assert_true(measure(PAIR "scheduler slot 4ms others 100%\n", "HW_PAR_MIN_NS", "default") <= 0);
}

/* Twice what is copied fits the last cache. */
static void test_copying(void **state) {
  static const char two[] = "memory latency 200\nlevel 2  bytes 128K ways 8 line 64 latency 12\n";
  double got = measure("memory latency 100\n", "HW_STREAM_BYTES", "default");

  (void)state;
  assert_true(got > 0.7 * 8192 && got < 1.45 * 8192);
  got = measure(two, "HW_STREAM_BYTES", "default");
  assert_true(got > 0.7 * 65536 && got < 1.45 * 65536);
  /* Memory that is as quick as the cache; too little effort. */
  assert_true(measure("memory latency 3 read 64 write 64\n", "HW_STREAM_BYTES", "default") <= 0);
  assert_true(measure(two, "HW_STREAM_BYTES", "quick") <= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_degrees),      cmocka_unit_test(test_degrees_noise),
      cmocka_unit_test(test_degrees_none), cmocka_unit_test(test_worth),
      cmocka_unit_test(test_handing),      cmocka_unit_test(test_handing_alone),
  };
  const struct CMUnitTest long_tests[] = {
      cmocka_unit_test(test_copying),
  };

  if (hw_long_wanted())
    return cmocka_run_group_tests(long_tests, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
