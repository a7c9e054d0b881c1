/* What samples of one thing say: what lies at their low end is undisturbed. */
#ifndef HW_SAMPLES_H
#define HW_SAMPLES_H

#include "analysis/curve.h"

#include <stdbool.h>
#include <stddef.h>

/* The low end of n samples: their lower quartile in y, its scatter (the distance to the lowest
   twentieth) in spread.  Sorts the samples. */
struct hw_point hw_low_end(double *sample, size_t n);

/* The low end of the lowest of n values that gather, and in *clear whether they have an edge.  0 in
   count when they gather nowhere.  Sorts the values. */
struct hw_point hw_lowest(double *sample, size_t n, bool *clear);

#endif
