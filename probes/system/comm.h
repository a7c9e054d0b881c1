/* Whether processors are still as far from each other as they were. */
#ifndef HW_COMM_H
#define HW_COMM_H

#include "analysis/groups.h"
#include "probes/bench/sampler.h"

/* Whether a host may have moved one of two processors, to another cache and another path to memory,
   since those layers were told: a word between them takes another time now, or that cannot be
   told. */
bool hw_comm_moved(struct hw_bench *bench, const struct hw_layers *layers, size_t i, size_t j);

/* Looks at some pairs of n processors long before they are all measured, into the curve comm_early:
   a host leaves processors for tens of seconds where they are not at home.  0, or -1 without
   memory. */
int hw_comm_early(struct hw_bench *bench, size_t n);

#endif
