/* The loops that measure latency and throughput of operations. */
#ifndef HW_OPERATIONS_H
#define HW_OPERATIONS_H

#include "probes/nano/nano.h"

/* Specifies the loop of that many independent streams of the operation on the type. */
void hw_operations_spec(struct hw_nano *nano, const char *op, const char *type, unsigned streams);

#endif
