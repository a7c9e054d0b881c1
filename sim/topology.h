/* The processors of a simulated machine, and threads that work on them at the same time. */
#ifndef HW_PROCESSORS_H
#define HW_PROCESSORS_H

#include "probes/machine/machine.h"
#include "sim/description.h"
#include "sim/neighbour.h"
#include "sim/pace.h"

/* The first bytes of simulated memory: the processor that touched it first. */
struct hw_sim_home {
  size_t processor;
};

/* How many processors the description has. */
size_t hw_processors_count(const struct hw_description *description);

/* The number of the smallest group that has both, from 1; 0 when they are the same processor. */
unsigned hw_processors_common(const struct hw_description *description, size_t one, size_t other);

/* Runs a team as hw_machine_ops.team has it, and passes the time that it takes.  0, or -1 without
   memory or when a part's processor does not exist. */
int hw_processors_team(const struct hw_description *description, struct hw_pace *pace,
                       struct hw_part *part, size_t n, struct hw_neighbours *neighbours);

#endif
