/* What a group of statements costs on a simulated core. */
#ifndef HW_CORE_H
#define HW_CORE_H

#include "probes/nano/nano.h"
#include "sim/description.h"

/* What a predictor of branches remembers: the last outcome of a branch of each level after each
   history. */
struct hw_predictor {
  unsigned char outcome[32][1u << HW_SIM_HISTORY];
  unsigned history; /* the last outcomes */
};

/* Branches of the walk, by the bits of outcomes, that it foretells wrong.  It learns. */
unsigned hw_core_mispredictions(const struct hw_sim_core *core, struct hw_predictor *predictor,
                                unsigned levels, unsigned outcomes);

/* Cycles of a group of the nano-benchmark, where what keeps the core busy takes share times as long
   as with the core to oneself; negative when the core has not got its operations. */
double hw_core_group(const struct hw_sim_core *core, const struct hw_nano *nano, double share);

#endif
