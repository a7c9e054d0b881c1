/* Which processors belong together, and the pairs that tell it, as curves. */
#ifndef HW_GROUPS_PUBLISH_H
#define HW_GROUPS_PUBLISH_H

#include "analysis/groups.h"
#include "probes/bench/bench.h"

/* Publishes the groups of n processors as a curve: x place, y that of the first of its group.  0,
   or -1. */
int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name);

/* Publishes the pairs that are known, of count samples each, and logs how many were measured.  0,
   or -1. */
int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, unsigned long count,
                     const char *probe, const char *name, const char *y_title);

#endif
