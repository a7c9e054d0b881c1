/* The probes of level 1.  See frame.c. */
#include "probes/parts/plain.h"

#include "analysis/rows/l1.c"
#include "analysis/rows/latency.c"
#include "analysis/rows/line.c"
#include "probes/data/l1.c"
#include "probes/data/latency.c"
#include "probes/data/line.c"
