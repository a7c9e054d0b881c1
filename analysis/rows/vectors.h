/* What the probe of vectors takes from its reader. */
#ifndef HW_VECTORS_H
#define HW_VECTORS_H

#include "analysis/values.h"

/* The widest vector of the curve at which elements per cycle grow. */
struct hw_answer hw_vectors_widest(const struct hw_curve *widths);

#endif
