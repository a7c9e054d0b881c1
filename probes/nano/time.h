/* Times nano-benchmarks. */
#ifndef HW_NANO_TIME_H
#define HW_NANO_TIME_H

#include "probes/bench/sampler.h"

/* Sees to it that the nano-benchmarks are there to be timed.  0, or -1 when they have first to be
   generated and compiled: they then stand in bench->wanted, and the probe is to end. */
int hw_nano_need(struct hw_bench *bench, const struct hw_nano *nano, size_t n);

/* Whether one can be timed. */
bool hw_nano_ready(const struct hw_bench *bench, const struct hw_nano *nano);

/* Times n of them, at times apart, and puts cycles a group of the i-th into point[i]: the
   difference of the two lengths, in which the loop's own cost cancels (BB 3.3.1).  precision: the
   relative standard error that is wanted of a length, or 0: as the effort has it.  Its count is 0
   when it cannot be timed.  0, or -1 when memory was short or it was late. */
int hw_nano_sample(struct hw_bench *bench, const struct hw_nano *nano, size_t n, double precision,
                   struct hw_point *point);

/* Whether one of them that can be timed has no samples: the core was not left alone for long
   enough, and the probe is not done. */
bool hw_nano_missed(const struct hw_bench *bench, const struct hw_nano *nano,
                    const struct hw_point *point, size_t n);

/* Puts those of n points that have been timed into the curve, at x[i]. */
int hw_nano_put(struct hw_curve *curve, const struct hw_point *point, const double *x, size_t n);

#endif
