/* What the probe of multiply-adds takes from its readers. */
#ifndef HW_FUSED_H
#define HW_FUSED_H

#include "analysis/values.h"

/* Multiplications in a round: few enough for 16 registers. */
#define HW_FUSED_STREAMS 4u
/* Multiplications with some additions and with one more, multiply-adds with some. */
#define HW_FUSED_LOOPS 3u

/* By how much a multiply-add waits less than a multiplication and an addition. */
struct hw_answer hw_fused_less(const struct hw_curves *curves, const char *tag);

/* Whether that is clearly less than of two instructions. */
bool hw_fused_is_less(struct hw_answer less);

#endif
