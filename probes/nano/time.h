/* Times nano-benchmarks. */
#ifndef HW_NANO_TIME_H
#define HW_NANO_TIME_H

#include "probes/sampler.h"

/* Sees to it that the nano-benchmarks are there to be timed.  0, or -1 when they have first to be
   generated and compiled: they then stand in bench->wanted, and the probe is to end. */
int hw_nano_need(struct hw_bench *bench, const struct hw_nano *nano, size_t n);

/* Whether one can be timed. */
bool hw_nano_ready(const struct hw_bench *bench, const struct hw_nano *nano);

/* Times n of them, which are ready, and puts cycles a group into the curve, at x[i] for the i-th:
   the difference of the two lengths, in which the loop's own cost cancels (BB 3.3.1).  0, or -1
   when memory was short or it was late. */
int hw_nano_sample(struct hw_bench *bench, const struct hw_nano *nano, const double *x, size_t n,
                   struct hw_curve *curve);

/* A loop that fills the issue with additions of both kinds, and that a neighbour who shares the
   core's units makes slower.  To be needed, hw_nano_need, with those that are timed alone. */
void hw_nano_full(struct hw_nano *nano);

/* Times that loop some times, and publishes its least time as the curve "alone".  0, or -1 as
   above. */
int hw_nano_listen(struct hw_bench *bench, const char *probe);

/* As hw_nano_sample, for n up to 32, where a neighbour would be taken for the core being slower:
   with the full loop among them.  As long as that is slower than it is alone, again, some times;
   then what it is slower by is put into the points' spread. */
int hw_nano_sample_alone(struct hw_bench *bench, const struct hw_nano *nano, const double *x,
                         size_t n, struct hw_curve *curve);

#endif
