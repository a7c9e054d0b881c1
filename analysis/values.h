/* The values of the registry, each reduced off the curves of its probe. */
#ifndef HW_VALUES_H
#define HW_VALUES_H

#include "analysis/reduce.h"

/* The value of a row, in the unit of the row; and its reader, which reduces the curves to it. Pure,
   but that the former records it in a trace if there is one. */
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)           \
  struct hw_answer hw_value_##value(const struct hw_curves *curves);                               \
  struct hw_answer hw_read_##value(const struct hw_curves *curves);
#include "probes/params.h"

/* The curve of that name reduced, or no answer when it is not there. */
struct hw_answer hw_reduce_named(const struct hw_curves *curves, const char *name,
                                 struct hw_answer (*reduce)(const struct hw_curve *));

/* The answer times factor. */
struct hw_answer hw_scaled(struct hw_answer answer, double factor);

/* The answer rounded to a whole number.  No answer when an adjacent whole number is within its
   error. */
struct hw_answer hw_rounded(struct hw_answer answer);

/* An answer that is not known for now, with the range in which the value lies, if that is known:
   the row may be published with it where measuring again did not help. */
struct hw_answer hw_else(struct hw_answer answer, struct hw_answer ranged);

/* One over the answer, or over its range. */
struct hw_answer hw_inverse(struct hw_answer answer);

/* The difference of two answers, the range of which holds those of both. */
struct hw_answer hw_difference(struct hw_answer more, struct hw_answer less);

/* A time in cycles as ps. */
struct hw_answer hw_in_ps(const struct hw_curves *curves, struct hw_answer cycles);

/* The readers of the rows of a latency: in whole cycles, and those that need more digits.
   rows/levels.c has hw_read_l2_lat, hw_read_l2_lat_x100, hw_read_l2_lat_ps, hw_read_l3_lat,
   hw_read_l3_lat_x100, hw_read_l3_lat_ps, hw_read_mem_lat, hw_read_mem_lat_x100 and
   hw_read_mem_lat_ps by these, and hw_read_have_l2 and hw_read_have_l3 by a macro of its own. */
#define HW_LATENCY_ROWS(name, whole, cycles)                                                       \
  struct hw_answer hw_read_##name(const struct hw_curves *curves) {                                \
    return whole;                                                                                  \
  }                                                                                                \
  struct hw_answer hw_read_##name##_x100(const struct hw_curves *curves) {                         \
    return hw_scaled(cycles, 100);                                                                 \
  }
#define HW_LATENCY_ROWS_PS(name, whole, cycles)                                                    \
  HW_LATENCY_ROWS(name, whole, cycles)                                                             \
  struct hw_answer hw_read_##name##_ps(const struct hw_curves *curves) {                           \
    return hw_in_ps(curves, cycles);                                                               \
  }

/* The answer of two methods for the same value: the first, when both are known and agree. */
struct hw_answer hw_agreed(struct hw_answer one, struct hw_answer other);

#endif
