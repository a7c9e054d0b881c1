/* Whether processors are still as far from each other as they were. */
#ifndef HW_COMM_H
#define HW_COMM_H

#include "analysis/groups.h"
#include "probes/bench/sampler.h"

/* Whether a host may have moved one of two virtual processors, to another cache and another path to
   memory, since those layers were found: the time of a word between them differs now, or cannot be
   told. */
bool hw_comm_moved(struct hw_bench *bench, const struct hw_layers *layers, size_t i, size_t j);

/* Measures some pairs of n processors early, long before all pairs, into the curve comm_early: a
   host may leave virtual processors on cores other than their usual ones for tens of seconds.  0,
   or -1 without memory. */
int hw_comm_early(struct hw_bench *bench, size_t n);

#endif
