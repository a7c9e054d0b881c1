/* Which processors belong together, as a curve. */
#ifndef HW_GROUPS_PUBLISH_H
#define HW_GROUPS_PUBLISH_H

#include "probes/bench/bench.h"

/* Publishes the groups of a layer as a curve: x place of a processor, y that of the first of its
   group.  0, or -1. */
int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name);

#endif
