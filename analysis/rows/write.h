/* What the probe of write modes takes from its readers. */
#ifndef HW_WRITE_H
#define HW_WRITE_H

#include "analysis/fit.h"
#include "analysis/values.h"

/* A line that was stored to is evicted as one that was loaded, and its samples hit at half the rate
   at least. */
#define HW_WRITE_SURE ((struct hw_fit_odds){1e-6, 1 / 2.0})

#endif
