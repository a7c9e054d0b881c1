/* The loops that tell what operations cost. */
#ifndef HW_OPERATIONS_H
#define HW_OPERATIONS_H

#include "analysis/reduce.h"
#include "probes/nano/nano.h"

/* The loop of so many independent streams of the operation on the type. */
void hw_operations_spec(struct hw_nano *nano, const char *op, const char *type, unsigned streams);

/* Cycles from an operation to the one that waits for it, and cycles from one to the next that does
   not.  tag: the type as rows name it, in lower case. */
struct hw_answer hw_operations_latency(const struct hw_curves *curves, const char *op,
                                       const char *tag);
struct hw_answer hw_operations_throughput(const struct hw_curves *curves, const char *op,
                                          const char *tag);

#endif
