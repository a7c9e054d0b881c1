/* The time of a simulated machine: work takes time, and noise makes it take longer. */
#ifndef HW_PACE_H
#define HW_PACE_H

#include "probes/bench/random.h"
#include "sim/description.h"

#include <stdbool.h>
#include <stdint.h>

struct hw_pace {
  struct hw_sim_noise noise;
  double now_ns;       /* the wall clock */
  double preempted_ns; /* of that, time in which the thread did not run */
  long switches;       /* involuntary ones */
  double phase;        /* of the drift, radians */
  bool burst;
  double edge_ns; /* when the burst, or the gap between two, ends */
  bool shared;    /* another thread takes a share of the core */
  double shared_edge_ns;
  struct hw_random random;
};

/* A standard normal deviate (Box and Muller). */
double hw_pace_normal(struct hw_random *random);

/* A time that is distributed exponentially. */
double hw_pace_exponential(struct hw_random *random, double mean);

void hw_pace_start(struct hw_pace *pace, const struct hw_sim_noise *noise, uint64_t seed);

/* Passes the time that ns of work take, with drift and bursts. */
void hw_pace_work(struct hw_pace *pace, double ns);

/* The same for an interval that can be timed: it jitters, and may be preempted. */
void hw_pace_interval(struct hw_pace *pace, double ns);

/* The thread is preempted for ns: another one runs. */
void hw_pace_away(struct hw_pace *pace, double ns);

/* The factor by which the core's other thread slows, at present, what keeps the core busy. */
double hw_pace_share(struct hw_pace *pace);

#endif
