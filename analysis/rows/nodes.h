/* What the probe of nodes takes from its reader. */
#ifndef HW_NODES_H
#define HW_NODES_H

#include "analysis/company.h"
#include "analysis/values.h"

/* Whether memory that takes so many times as long as one's own is as near. */
enum hw_company hw_nodes_near(double far);

/* The node of each of n processors, by the place of its first.  NULL, or why not. */
const char *hw_nodes_find(const struct hw_curves *curves, size_t *node, size_t n);

#endif
