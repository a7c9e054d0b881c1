/* Pages of one set of the second-level TLB. */
#ifndef HW_SETS_H
#define HW_SETS_H

#include "analysis/rows/tlbs.h"
#include "probes/probe.h"

/* The bench's effort, with fewer rounds: large steps of long rings need fewer samples. */
struct hw_effort hw_tlb_sets_effort(const struct hw_bench *bench);

/* Measures and publishes how many pages of one set the second level holds, at strides whose pages
   surely share a set; nothing where address space is short.  0, or -1 when memory or time was
   short. */
int hw_tlb_sets(struct hw_bench *bench, const struct hw_tlbs_first *first);

#endif
