/* The probes and values of the registry. */
#ifndef HW_PROBE_H
#define HW_PROBE_H

#include "analysis/reduce.h"
#include "probes/sampler.h"

/* Measures the curves of a probe and publishes them on the bench.  What it needs of other probes
   it reads off their curves there; the engine has seen to it that they are clear.  0, or -1 when
   memory or time was short. */
#define HW_PROBE(name, group, needs) int hw_probe_##name(struct hw_bench *bench);
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)
#define HW_MODEL(name, group)
#define HW_DERIVED(macro, model, value, unit, low, high, fallback, reported, paper, title)
#include "probes/params.def"
#undef HW_PROBE
#undef HW_PARAM
#undef HW_MODEL
#undef HW_DERIVED

/* Reduces the curves to the value of a row, in the unit of the row.  Pure. */
#define HW_PROBE(name, group, needs)
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)           \
  struct hw_answer hw_value_##value(const struct hw_curves *curves);
#define HW_MODEL(name, group)
#define HW_DERIVED(macro, model, value, unit, low, high, fallback, reported, paper, title)
#include "probes/params.def"
#undef HW_PROBE
#undef HW_PARAM
#undef HW_MODEL
#undef HW_DERIVED

/* The curve of that name reduced, or no answer when it is not there. */
struct hw_answer hw_reduce_named(const struct hw_curves *curves, const char *name,
                                 struct hw_answer (*reduce)(const struct hw_curve *));

/* The answer times factor. */
struct hw_answer hw_scaled(struct hw_answer answer, double factor);

/* The answer rounded to a whole number.  No answer when a neighbouring whole number is within its
   error. */
struct hw_answer hw_rounded(struct hw_answer answer);

/* The answer of two ways to the same value: the first, when both are known and agree. */
struct hw_answer hw_agreed(struct hw_answer one, struct hw_answer other);

/* The n-th of the numbers that lack the bit that is set in bit. */
size_t hw_skip_bit(size_t n, size_t bit);

#endif
