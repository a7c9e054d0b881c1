/* Kinds of processors: a single thread is to be measured on one of them, always the same. */
#ifndef HW_KINDS_H
#define HW_KINDS_H

#include "probes/probe.h"

/* Has what follows measured on a processor of that kind: on the one that it is on, if it is one. */
void hw_kinds_settle(struct hw_bench *bench);

#endif
