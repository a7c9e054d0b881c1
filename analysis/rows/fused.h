/* What the probe of multiply-adds takes from its readers. */
#ifndef HW_FUSED_H
#define HW_FUSED_H

#include "analysis/rows/loops.h"
#include "analysis/values.h"

/* Loops timed: multiplications with some additions, with one more, multiply-adds with some. */
#define HW_FUSED_LOOPS 3u

/* By how many cycles the latency of a multiply-add is less than that of a multiplication and an
   addition. */
struct hw_answer hw_fused_less(const struct hw_curves *curves, const char *tag);

/* Whether the difference is clearly that of one instruction. */
bool hw_fused_is_less(struct hw_answer less);

#endif
