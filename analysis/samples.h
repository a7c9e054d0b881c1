/* The low end of samples of one quantity, which is undisturbed. */
#ifndef HW_SAMPLES_H
#define HW_SAMPLES_H

#include "analysis/curve.h"

#include <stdbool.h>
#include <stddef.h>

/* The low end of n samples: their lower quartile in y, its scatter (the distance to the lowest
   twentieth) in spread.  Sorts the samples. */
struct hw_point hw_low_end(double *sample, size_t n);

/* The low end of the lowest cluster of n values; in *clear whether it has an edge.  count is 0 when
   there is no cluster.  Sorts the values. */
struct hw_point hw_lowest(double *sample, size_t n, bool *clear);

#endif
