/* Kinds of processors: a single thread is to be measured on one of them, always the same. */
#ifndef HW_KINDS_H
#define HW_KINDS_H

#include "probes/probe.h"

/* The place of the first processor of the quickest kind, as the curves have it; of the quickest
   processor where the kinds are not known; 0 where nothing is. */
size_t hw_kinds_lead(const struct hw_curves *curves);

/* Has what follows measured on a processor of that kind: on the one that it is on, if it is one. */
void hw_kinds_settle(struct hw_bench *bench);

#endif
