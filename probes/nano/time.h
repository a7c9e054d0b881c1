/* Times nano-benchmarks. */
#ifndef HW_NANO_TIME_H
#define HW_NANO_TIME_H

#include "probes/bench/sampler.h"

/* Looks for the nano-benchmarks.  0, or -1 if no code was compiled, which bench->codeless says: the
   probe must end. */
int hw_nano_need(struct hw_bench *bench, const struct hw_nano *nano, size_t n);

/* Whether one can be timed. */
bool hw_nano_ready(const struct hw_bench *bench, const struct hw_nano *nano);

/* Times n of them, at times apart, and puts cycles a group of the i-th into point[i]: from the
   difference of the two lengths, in which the loop overhead cancels (BB 3.3.1).  precision: the
   relative standard error wanted of a length, or 0: that of the effort, tightened; by a coarser one
   two times may differ, too.  count is 0 when one cannot be timed, and 1 when no two times agree.
   0, or -1 when memory or time was short. */
int hw_nano_sample(struct hw_bench *bench, const struct hw_nano *nano, size_t n, double precision,
                   struct hw_point *point);

/* Whether one of them that can be timed has no samples: the core was disturbed for too long, and
   the probe must be repeated. */
bool hw_nano_missed(const struct hw_bench *bench, const struct hw_nano *nano,
                    const struct hw_point *point, size_t n);

/* Puts those of n points that have been timed into the curve, at x[i]. */
int hw_nano_put(struct hw_curve *curve, const struct hw_point *point, const double *x, size_t n);

#endif
