/* Pairs of processors, as measured by teams of two threads. */
#ifndef HW_PAIRS_H
#define HW_PAIRS_H

#include "analysis/groups.h"
#include "probes/bench/team.h"
#include "probes/system/pairs_search.h"

/* Searches the pairs of n processors, of which those that share a level of cache, or a core, are
   likely to be alike, as far as these are known. */
int hw_pairs_of(struct hw_bench *bench, struct hw_pairs *pairs, hw_measure_pair *measure,
                void *context);

#endif
