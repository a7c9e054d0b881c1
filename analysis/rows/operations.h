/* What the probes of the core take from the readers of operations.  op: the operation, tag: the
   type as rows name it, in lower case. */
#ifndef HW_ROWS_OPERATIONS_H
#define HW_ROWS_OPERATIONS_H

#include "analysis/values.h"

/* Cycles, a quarter of how far from a whole number a latency may be: one known to this comes no
   nearer to a whole number with more effort. */
#define HW_OPERATIONS_SURE 0.0625

/* Whether an operation on that type uses a unit that is not pipelined. */
bool hw_operations_divides(const char *op, const char *tag);

/* "STEM_OPERATION_TAG", the name of a curve, and the curve or NULL. */
void hw_operations_name(char name[HW_CURVE_NAME], const char *stem, const char *op,
                        const char *tag);
const struct hw_curve *hw_operations_curve(const struct hw_curves *curves, const char *stem,
                                           const char *op, const char *tag);

/* A latency in whole cycles.  One that depends on the order of operations, or is truly a half, has
   a range: more effort would not make it a whole number. */
struct hw_answer hw_operations_whole(struct hw_answer latency, bool divides);

/* Latency and reciprocal throughput of an operation, cycles: to the next dependent one, and to the
   next independent one. */
struct hw_answer hw_operations_latency(const struct hw_curves *curves, const char *op,
                                       const char *tag);
struct hw_answer hw_operations_throughput(const struct hw_curves *curves, const char *op,
                                          const char *tag);

/* A reciprocal throughput that is no more than the latency: a little more is that.  No answer when
   it is more than that: an SMT sibling held the units up. */
struct hw_answer hw_operations_bounded(const struct hw_curves *curves, const char *op,
                                       const char *tag, struct hw_answer time);

/* Operations in flight, as rows have them. */
struct hw_answer hw_operations_flight(const struct hw_curves *curves, const char *op,
                                      const char *tag);

/* The time of a dependent chain, by the first curve of streams. */
struct hw_answer hw_operations_first(const struct hw_curves *curves, const char *op,
                                     const char *tag);

/* The same; for a unit that is not pipelined, if both curves agree. */
struct hw_answer hw_operations_confirmed(const struct hw_curves *curves, const char *op,
                                         const char *tag);

#endif
