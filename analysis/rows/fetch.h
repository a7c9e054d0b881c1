/* What the probe of fetches takes from its reader. */
#ifndef HW_FETCH_H
#define HW_FETCH_H

#include "analysis/values.h"

/* Largest distance (bytes) of the two loads of a pair. */
#define HW_FETCH_DISTANCE ((size_t)1024)

#endif
