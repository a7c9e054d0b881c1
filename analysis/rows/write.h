/* What the probe of write modes takes from its readers. */
#ifndef HW_WRITE_H
#define HW_WRITE_H

#include "analysis/fit.h"

/* Accepted error, and part of the control's rate: a line that was stored to is evicted like one
   that was loaded, so that its samples hit at half the rate at least. */
#define HW_WRITE_SURE ((struct hw_fit_odds){1e-6, 1 / 2.0})

#endif
