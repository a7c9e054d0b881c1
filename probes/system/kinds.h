/* Kinds of processors: a single thread is to be measured on one of them, always the same. */
#ifndef HW_KINDS_H
#define HW_KINDS_H

#include "probes/probe.h"

/* Binds later measurements to a processor of the leading kind: to the current one, if it is one. */
void hw_kinds_settle(struct hw_bench *bench);

#endif
