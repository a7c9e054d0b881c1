/* What the probe of nodes takes from its reader. */
#ifndef HW_NODES_H
#define HW_NODES_H

#include "analysis/values.h"

/* Whether the memory of two processors, of y times the latency of local memory, is as near: 1; 2
   if it is not; -1 if that is not clear. */
double hw_nodes_side(const struct hw_point *pair);

/* The node of each of n processors, by the index of its first.  NULL, or why they are unknown. */
const char *hw_nodes_find(const struct hw_curves *curves, size_t *node, size_t n);

#endif
