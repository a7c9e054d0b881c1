#include "sim/pace.h"

#include <math.h>

/* The share of its period over which drift is taken as constant: on average within 0.4 % of the
   amplitude of its sine. */
#define PACE_DRIFT_STEP (1.0 / 256.0)
/* Standard deviations at which jitter is clipped. */
#define PACE_CLIP 3.0
#define PACE_TURN 6.283185307179586

double hw_pace_normal(struct hw_random *random) {
  double u = 1.0 - hw_random_unit(random);
  double v = hw_random_unit(random);

  return sqrt(-2.0 * log(u)) * cos(PACE_TURN * v);
}

double hw_pace_exponential(struct hw_random *random, double mean) {
  return -mean * log(1.0 - hw_random_unit(random));
}

static void pace_next_edge(struct hw_pace *pace) {
  double mean = pace->burst ? pace->noise.burst_ns : pace->noise.burst_gap_ns;

  pace->edge_ns += hw_pace_exponential(&pace->random, mean);
}

void hw_pace_start(struct hw_pace *pace, const struct hw_sim_noise *noise, uint64_t seed) {
  *pace = (struct hw_pace){.noise = *noise, .random = {seed}};
  pace->phase = PACE_TURN * hw_random_unit(&pace->random);
  if (noise->burst_ns > 0)
    pace_next_edge(pace);
  if (noise->shared_ns > 0)
    pace->shared_edge_ns = hw_pace_exponential(&pace->random, noise->shared_gap_ns);
}

/* Brings the bursts up to the present. */
static void pace_catch_up(struct hw_pace *pace) {
  if (pace->noise.burst_ns <= 0)
    return;
  while (pace->edge_ns <= pace->now_ns) {
    pace->burst = !pace->burst;
    pace_next_edge(pace);
  }
}

double hw_pace_share(struct hw_pace *pace) {
  const struct hw_sim_noise *noise = &pace->noise;

  if (noise->shared_ns <= 0)
    return 1;
  while (pace->shared_edge_ns <= pace->now_ns) {
    pace->shared = !pace->shared;
    pace->shared_edge_ns +=
        hw_pace_exponential(&pace->random, pace->shared ? noise->shared_ns : noise->shared_gap_ns);
  }
  return pace->shared ? noise->shared_factor : 1;
}

/* The factor by which drift and bursts slow work at present. */
static double pace_rate(const struct hw_pace *pace) {
  double turn = pace->noise.drift > 0 ? pace->now_ns / pace->noise.drift_ns : 0;
  double rate = pace->burst ? pace->noise.burst_factor : 1;

  return rate * (1 + pace->noise.drift * sin(PACE_TURN * turn + pace->phase));
}

void hw_pace_work(struct hw_pace *pace, double ns) {
  while (ns > 0) {
    double span = HUGE_VAL; /* wall time for which the rate stays */
    double rate;

    pace_catch_up(pace);
    rate = pace_rate(pace);
    if (pace->noise.drift > 0)
      span = pace->noise.drift_ns * PACE_DRIFT_STEP;
    if (pace->noise.burst_ns > 0)
      span = fmin(span, pace->edge_ns - pace->now_ns);
    if (ns * rate <= span) {
      pace->now_ns += ns * rate;
      return;
    }
    /* A span too short to advance the clock would make the loop endless. */
    pace->now_ns = fmax(pace->now_ns + span, nextafter(pace->now_ns, HUGE_VAL));
    ns -= span / rate;
  }
}

void hw_pace_away(struct hw_pace *pace, double ns) {
  pace->now_ns += ns;
  pace->preempted_ns += ns;
  pace->switches++;
}

void hw_pace_interval(struct hw_pace *pace, double ns) {
  const struct hw_sim_noise *noise = &pace->noise;

  if (noise->jitter > 0)
    ns *= 1 + noise->jitter * fmax(-PACE_CLIP, fmin(PACE_CLIP, hw_pace_normal(&pace->random)));
  hw_pace_work(pace, ns);
  if (noise->outliers > 0 && hw_random_unit(&pace->random) < noise->outliers)
    hw_pace_away(pace, hw_pace_exponential(&pace->random, noise->outlier_ns));
}
