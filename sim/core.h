/* What a group of statements costs on a simulated core. */
#ifndef HW_CORE_H
#define HW_CORE_H

#include "probes/nano/nano.h"
#include "sim/description.h"

/* The state of a branch predictor: the last outcome of the branch of each level after each
   history. */
struct hw_predictor {
  unsigned char outcome[32][1u << HW_SIM_HISTORY];
  unsigned history; /* the last outcomes */
};

/* Mispredicted branches of a walk, whose outcomes are the bits of outcomes.  Updates the state. */
unsigned hw_core_mispredictions(const struct hw_sim_core *core, struct hw_predictor *predictor,
                                unsigned levels, unsigned outcomes);

/* Cycles of a group of the nano-benchmark, where what keeps the core busy takes share times as long
   as without an SMT sibling; negative when the core lacks an operation of it. */
double hw_core_group(const struct hw_sim_core *core, const struct hw_nano *nano, double share);

#endif
