/* What the probe of the line takes from its readers. */
#ifndef HW_LINE_H
#define HW_LINE_H

#include "analysis/values.h"

/* Sequences start at a multiple of this, bytes, and no line is longer: the longest in use are of
   256. */
#define HW_LINE_ALIGNMENT 512u

#endif
