/* What the probe of nodes takes from its reader. */
#ifndef HW_NODES_H
#define HW_NODES_H

#include "analysis/values.h"

/* Whether the memory of two processors, which takes y times as long as one's own, is as near to the
   other: 1, or 2 where it is not, or -1 where that is not clear. */
double hw_nodes_side(const struct hw_point *pair);

/* The node of each of n processors, by the place of its first.  NULL, or why not. */
const char *hw_nodes_find(const struct hw_curves *curves, size_t *node, size_t n);

#endif
