/* What the search for compact sequences of pages takes from the readers of the first-level TLB. */
#ifndef HW_TLB_H
#define HW_TLB_H

#include "analysis/values.h"

/* Points of the curve tlb_later, at least. */
#define HW_TLB_LOOKS 5u

#endif
