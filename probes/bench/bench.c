/* What a probe measures with.  See bench.h. */
#include "probes/bench/bench.h"

#include "analysis/reduce.h"
#include "analysis/samples.h"

#include <math.h>

/* A sample is at least this many of the clock's steps, and takes a multiple of what a reading
   costs: the error of its two ends is then below 1 %.  No longer: an SMT sibling may leave the core
   alone for no more than some ten us at a time. */
#define BENCH_STEPS 200
#define BENCH_READS 50
/* Differences of readings that show the clock's step, with work between them that grows up to so
   many grains of additions. */
#define BENCH_DIFFERENCES 4096
#define BENCH_SPACING 16
/* The clock's cost is taken from batches of readings in a row; and how often that is repeated at
   most for a clock that does not step. */
#define BENCH_READINGS 64
#define BENCH_BATCHES 16
#define BENCH_PATIENCE 10000
/* A sample takes no longer than this, ns, or nothing is measured: a curve has some hundred samples,
   a probe some seconds. */
#define BENCH_LONGEST 1e7
/* Samples of which the least is taken to be undisturbed. */
#define BENCH_TRIES 3
/* Levels of cache that have rows. */
#define BENCH_LEVELS 3u

double hw_now(const struct hw_bench *bench) { return bench->machine->ops->now(bench->machine); }

unsigned long hw_grains(double n) { return (unsigned long)ceil(n / HW_GRAIN) * HW_GRAIN; }

/* Time for n additions. */
static double bench_adds(const struct hw_bench *bench, unsigned long n) {
  double start = hw_now(bench);

  bench->machine->ops->add(bench->machine, n);
  return hw_now(bench) - start;
}

int hw_bench_steps(const struct hw_bench *bench, struct hw_curve *steps) {
  int result = 0;

  for (unsigned long i = 0; i < BENCH_DIFFERENCES && result == 0; i++) {
    double first = hw_now(bench), second;
    bench->machine->ops->add(bench->machine, i % BENCH_SPACING * HW_GRAIN);
    second = round(hw_now(bench) - first);
    if (second > 0)
      result = hw_curve_count(steps, second, 1);
  }
  return result;
}

/* The clock's step, ns; no more than least, the smallest difference of two readings that was seen:
   a clock that is read more slowly than it steps never shows a single step. */
static double bench_step(const struct hw_bench *bench, double least) {
  struct hw_answer tick = hw_unknown("none", "not measured");
  struct hw_curve steps;

  hw_curve_init(&steps, "steps", "difference", "times");
  if (hw_bench_steps(bench, &steps) == 0)
    tick = hw_reduce_tick(&steps);
  hw_curve_free(&steps);
  return tick.known ? fmin(tick.value, least) : least;
}

/* The cost of a reading, and in *step the smallest difference seen, over some readings in a row. */
static double bench_readings(const struct hw_bench *bench, double *step) {
  double first = hw_now(bench), last = first;

  for (int i = 0; i < BENCH_READINGS; i++) {
    double now = hw_now(bench);
    if (now > last)
      *step = fmin(*step, now - last);
    last = now;
  }
  return (last - first) / BENCH_READINGS;
}

/* Why nothing can be timed by a clock of that step, or NULL. */
static const char *bench_doubt(double step) {
  if (step == INFINITY)
    return "the clock does not advance";
  return BENCH_STEPS * step > BENCH_LONGEST ? "the clock's steps are too long" : NULL;
}

void hw_bench_calibrate(struct hw_bench *bench) {
  double cost[BENCH_BATCHES], step = INFINITY, least = INFINITY;

  bench->random.state = bench->seed;
  bench->wait = bench->effort.wait;
  for (int i = 0; i < BENCH_PATIENCE && step == INFINITY; i++)
    for (size_t batch = 0; batch < BENCH_BATCHES; batch++)
      cost[batch] = bench_readings(bench, &step);
  bench->read_ns = hw_low_end(cost, BENCH_BATCHES).y;
  bench->adds = HW_GRAIN;
  if (bench->machine->doubt == NULL)
    bench->machine->doubt = bench_doubt(step);
  if (bench->machine->doubt != NULL)
    return;
  bench->step_ns = bench_step(bench, step);
  bench->sample_ns = fmax(BENCH_STEPS * bench->step_ns, BENCH_READS * bench->read_ns);
  /* XT figure 2: doubled until the clock suffices, by the least of a few so that one disturbed
     sample does not end it. */
  for (; bench->adds < 1UL << 30; bench->adds *= 2) {
    least = INFINITY;
    for (int i = 0; i < BENCH_TRIES; i++)
      least = fmin(least, bench_adds(bench, bench->adds));
    if (least >= bench->sample_ns)
      break;
  }
  bench->adds = hw_grains((double)bench->adds * fmin(1, bench->sample_ns / least));
}

int hw_late(const struct hw_bench *bench) { return hw_now(bench) > bench->deadline; }

unsigned hw_last_level(const struct hw_bench *bench) {
  return bench->level > 0 ? bench->level : BENCH_LEVELS;
}

unsigned hw_map_reach(const struct hw_bench *bench) {
  return bench->reach > 0 ? bench->reach : HW_LEVEL_MEMORY;
}

void hw_pause(const struct hw_bench *bench, double ns) {
  double end = hw_now(bench) + ns;

  while (hw_now(bench) < end && !hw_late(bench))
    bench->machine->ops->add(bench->machine, bench->adds);
}

size_t hw_processors(const struct hw_bench *bench) {
  size_t n;

  (void)bench->machine->ops->processors(bench->machine, &n);
  return n;
}

int hw_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result) {
  char clock[HW_CURVE_TEXT];

  snprintf(clock, sizeof clock, "%s, %.4g ns a reading, samples of %.4g ns", bench->machine->clock,
           bench->read_ns, bench->sample_ns);
  hw_curve_set(curve, HW_CURVE_FIELD_PROBE, probe);
  hw_curve_set(curve, HW_CURVE_FIELD_CLOCK, clock);
  hw_curve_set(curve, HW_CURVE_FIELD_COMPILER, bench->compiler);
  hw_curve_set(curve, HW_CURVE_FIELD_FLAGS, bench->flags);
  curve->seed = bench->seed;
  if (result == 0 && hw_curves_put(&bench->curves, curve) == 0)
    return 0;
  hw_curve_free(curve);
  return -1;
}

int hw_publish_some(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result) {
  if (result < 0 || curve->n > 0)
    return hw_publish(bench, curve, probe, result);
  hw_curve_free(curve);
  return 0;
}
