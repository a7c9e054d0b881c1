/* Simulated rounds of the fit test: a set of a cache that another thread disturbs. */
#ifndef HW_UNIT_ROUNDS_H
#define HW_UNIT_ROUNDS_H

#include "analysis/fit.h"
#include "probes/bench/random.h"

#include <math.h>

/* Cycles of a load that hits, what a miss adds, and the lines of the target. */
#define HIT 5.0
#define MISS 10.0
#define LINES 13
#define ROUNDS 4000
/* Asked for again after so many rounds. */
#define OFTEN 24
/* Half of the least that a miss adds. */
#define LEAST (MISS / (2 * LINES))

/* A machine that takes samples. */
struct sim {
  struct hw_random random;
  double there;  /* share of the time that another process is there, */
  double stay;   /* and rounds for which it stays */
  double spoils; /* probability that a full set is spoiled though nobody is there */
  double fakes;  /* probability that a sample seems this much shorter than it is, */
  double longer; /* because its cycle was that many times too long */
  bool fits;
  bool busy;
};

static inline double sim_noise(struct sim *sim) { return 0.01 * hw_random_unit(&sim->random); }

/* A sample that takes so many cycles when nobody is there. */
static inline double sim_sample(struct sim *sim, double cycles) {
  double y = cycles * (1 + sim_noise(sim));

  if (sim->busy)
    y *= 1.2 + 2 * hw_random_unit(&sim->random);
  if (hw_random_unit(&sim->random) < sim->fakes)
    y /= sim->longer;
  return y;
}

/* A sample of a set that is full, or too full. */
static inline double sim_filled(struct sim *sim, bool fits) {
  bool spoiled = hw_random_unit(&sim->random) < sim->spoils;

  return sim_sample(sim, fits ? HIT + (spoiled ? MISS / LINES : 0) : HIT + MISS * 0.7);
}

/* The other process comes or goes, in bursts. */
static inline void sim_turn(struct sim *sim) {
  double leaves = 1 / sim->stay, comes = leaves * sim->there / (1 - sim->there);

  if (hw_random_unit(&sim->random) < (sim->busy ? leaves : fmin(comes, 1)))
    sim->busy = !sim->busy;
}

static inline struct hw_fit_round sim_round(struct sim *sim) {
  struct hw_fit_round round;

  sim_turn(sim);
  round.y[HW_FIT_BEFORE] = sim_sample(sim, HIT);
  round.y[HW_FIT_FULL] = sim_filled(sim, true);
  round.y[HW_FIT_TARGET] = sim_filled(sim, sim->fits);
  round.y[HW_FIT_MISSING] = sim_sample(sim, HIT + MISS);
  round.y[HW_FIT_AFTER] = sim_sample(sim, HIT);
  return round;
}

/* Takes rounds until it is decided, or their number is reached. */
static inline enum hw_fit_verdict sim_decide(struct sim *sim, struct hw_fit_odds odds) {
  static struct hw_fit_round round[ROUNDS];
  static double scratch[2 * ROUNDS];
  size_t n = 0, next = 24;

  for (; next <= ROUNDS; next += next / 4) {
    struct hw_fit_floor floor;
    struct hw_fit_counts counts;
    struct hw_fit_answer answer;
    while (n < next)
      round[n++] = sim_round(sim);
    floor = hw_fit_floor(round, n, LEAST, scratch);
    counts = hw_fit_count(round, n, &floor);
    answer = hw_fit_decide(&counts, odds);
    if (answer.verdict != HW_FIT_UNKNOWN)
      return answer.verdict;
  }
  return HW_FIT_UNKNOWN;
}

#endif
