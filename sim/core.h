/* What a group of statements costs on a simulated core. */
#ifndef HW_CORE_H
#define HW_CORE_H

#include "probes/nano/nano.h"
#include "sim/description.h"

#include <stdint.h>

/* Contexts that a branch predictor has room for: more than it may use, lest they collide. */
#define HW_PREDICTOR_CONTEXTS 131072u

/* The state of a branch predictor: what came after each context, the branch and the 64 outcomes
   before it, and when.  Branches that go one way have no contexts, and are in none. */
struct hw_predictor {
  struct {
    uint32_t key; /* of the context and its outcome */
    uint32_t one; /* outcomes of that branch by then */
    uint32_t all; /* of all branches */
  } context[HW_PREDICTOR_CONTEXTS];
  struct {
    unsigned last;
    unsigned same; /* how often that came */
    uint32_t outcomes;
  } branch[32];
  uint64_t history;
  uint32_t outcomes;
};

/* Mispredicted branches of a walk, whose outcomes are the bits of outcomes.  Updates the state. */
unsigned hw_core_mispredictions(const struct hw_sim_core *core, struct hw_predictor *predictor,
                                unsigned levels, unsigned outcomes);

/* Cycles of a group of the nano-benchmark, where what keeps the core busy takes share times as long
   as without an SMT sibling; negative when the core lacks an operation of it. */
double hw_core_group(const struct hw_sim_core *core, const struct hw_nano *nano, double share);

#endif
