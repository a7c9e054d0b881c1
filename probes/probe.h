/* The probes of the registry. */
#ifndef HW_PROBE_H
#define HW_PROBE_H

#include "analysis/values.h"
#include "probes/bench/sampler.h"

/* Measures the curves of a probe and publishes them on the bench.  What it needs of other probes
   it reads off their curves there, which the engine has measured before.  0, or -1 when memory or
   time was short. */
#define HW_PROBE(name, group, needs) int hw_probe_##name(struct hw_bench *bench);
#include "probes/params.h"

/* What a probe returns that lacks what another would have told: -1, and says so. */
static inline int hw_lacks(struct hw_bench *bench, const char *why) {
  bench->why = why;
  return -1;
}

/* The n-th, from 0, of the numbers in which the one bit set in bit is clear. */
static inline size_t hw_skip_bit(size_t n, size_t bit) {
  return (n & (bit - 1)) | (n & ~(bit - 1)) << 1;
}

#endif
