/* Pairs of processors that are told apart by what a team of two says. */
#ifndef HW_PAIRS_H
#define HW_PAIRS_H

#include "analysis/groups.h"
#include "probes/bench/team.h"
#include "probes/system/pairs_search.h"

/* Whether the effort is one that measures every pair, not only as many as tell the groups. */
bool hw_every_pair(const struct hw_bench *bench);

/* Publishes what pairs have, and says how many there are. */
int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, const char *probe,
                     const char *name, const char *y_title);

/* The groups of a layer, each thing with the place of the first of its group, as they are noted in
   a curve: x place, y that of the first.  0, or -1. */
int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name);

#endif
