/* The probes of level 1.  See frame.c.  HW_WITHOUT_LEVEL1: none. */
#include "probes/parts/plain.h"

#ifndef HW_WITHOUT_LEVEL1
#include "analysis/rows/l1.c"
#include "analysis/rows/latency.c"
#include "analysis/rows/line.c"
#include "probes/data/l1.c"
#include "probes/data/latency.c"
#include "probes/data/line.c"
#endif
