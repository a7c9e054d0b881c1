/* What the probes of the core take from the readers of operations.  op: the operation, tag: the
   type as rows name it, in lower case. */
#ifndef HW_ROWS_OPERATIONS_H
#define HW_ROWS_OPERATIONS_H

#include "analysis/values.h"

/* A latency that is known to so much of a cycle, a quarter of what a whole one may be off, comes no
   nearer to a whole one with more effort. */
#define HW_OPERATIONS_SURE 0.0625

/* Whether operations on that type wait for each other at their unit. */
bool hw_operations_divides(const char *op, const char *tag);

/* "STEM_OPERATION_TAG", the name of a curve, and the curve or NULL. */
void hw_operations_name(char name[HW_CURVE_NAME], const char *stem, const char *op,
                        const char *tag);
const struct hw_curve *hw_operations_curve(const struct hw_curves *curves, const char *stem,
                                           const char *op, const char *tag);

/* A latency in whole cycles.  One that depends on the order of operations, or is truly a half, is
   no whole number, and more effort would not make it one. */
struct hw_answer hw_operations_whole(struct hw_answer latency, bool divides);

/* Cycles from an operation to the one that waits for it, and cycles from one to the next that does
   not. */
struct hw_answer hw_operations_latency(const struct hw_curves *curves, const char *op,
                                       const char *tag);
struct hw_answer hw_operations_throughput(const struct hw_curves *curves, const char *op,
                                          const char *tag);

/* Operations in flight, as rows have them. */
struct hw_answer hw_operations_flight(const struct hw_curves *curves, const char *op,
                                      const char *tag);

/* The time of a chain, by the first streams. */
struct hw_answer hw_operations_first(const struct hw_curves *curves, const char *op,
                                     const char *tag);

/* The same; where it waits for a unit, as both curves have it. */
struct hw_answer hw_operations_confirmed(const struct hw_curves *curves, const char *op,
                                         const char *tag);

#endif
