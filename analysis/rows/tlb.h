/* What other probes take from the readers of the first-level TLB. */
#ifndef HW_TLB_H
#define HW_TLB_H

#include "analysis/values.h"

/* The number of adjacent pages of that size, as measured, from which on all of them miss a first
   level of that number of entries; 0: it was not measured. */
double hw_tlb_missed(const struct hw_curves *curves, double page, double entries);

#endif
