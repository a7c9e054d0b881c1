/* Pairs of processors, as measured by teams of two threads. */
#ifndef HW_PAIRS_H
#define HW_PAIRS_H

#include "analysis/groups.h"
#include "probes/bench/team.h"
#include "probes/system/pairs_search.h"

/* Whether the effort measures every pair, instead of only as many as tell the groups. */
bool hw_every_pair(const struct hw_bench *bench);

/* Publishes the values of the measured pairs as a curve, and logs how many these are. */
int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, const char *probe,
                     const char *name, const char *y_title);

/* Publishes the groups of a layer as a curve: x place of a processor, y that of the first of its
   group.  0, or -1. */
int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name);

#endif
