/* What the other probes of memory take from the level-1 cache. */
#ifndef HW_L1_H
#define HW_L1_H

#include "analysis/values.h"

struct hw_l1_shape {
  size_t ways;
  size_t bytes;  /* capacity */
  size_t stride; /* capacity over ways */
};

/* The shape, off the curves.  0, or -1 when it is not clear. */
int hw_l1_shape(const struct hw_curves *curves, struct hw_l1_shape *shape);

#endif
