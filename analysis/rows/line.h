/* What the probe of the line takes from its readers. */
#ifndef HW_LINE_H
#define HW_LINE_H

#include "analysis/environment.h"

/* Bytes: sequences start at a multiple of this, and no line is longer: twice the longest in use, so
   that a longer one would show. */
#define HW_LINE_ALIGNMENT (2 * HW_LINE_LONGEST)

#endif
