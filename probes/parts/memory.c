/* The probes of memory: they say what is to be timed, and time nothing themselves.  See frame.c.
   HW_WITHOUT_MEMORY: none. */
#include "probes/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Headers of the system that check buffers want to be read optimized. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O0")
#elif defined __clang__
#pragma clang optimize off
#endif

#ifndef HW_WITHOUT_MEMORY
#include "analysis/rows/bandwidth.c"
#include "analysis/rows/colours.c"
#include "analysis/rows/fetch.c"
#include "analysis/rows/fira.c"
#include "analysis/rows/hint.c"
#include "analysis/rows/huge.c"
#include "analysis/rows/icache.c"
#include "analysis/rows/l1.c"
#include "analysis/rows/latency.c"
#include "analysis/rows/levels.c"
#include "analysis/rows/line.c"
#include "analysis/rows/page.c"
#include "analysis/rows/parallel.c"
#include "analysis/rows/size_curve.c"
#include "analysis/rows/tlb.c"
#include "analysis/rows/tlbs.c"
#include "analysis/rows/traffic.c"
#include "analysis/rows/write.c"
#include "probes/code/icache.c"
#include "probes/data/bandwidth.c"
#include "probes/data/colours.c"
#include "probes/data/eviction_sets.c"
#include "probes/data/fetch.c"
#include "probes/data/fira.c"
#include "probes/data/gather.c"
#include "probes/data/l1.c"
#include "probes/data/latency.c"
#include "probes/data/levels.c"
#include "probes/data/line.c"
#include "probes/data/map.c"
#include "probes/data/one_colour.c"
#include "probes/data/parallel.c"
#include "probes/data/pool.c"
#include "probes/data/rise.c"
#include "probes/data/traffic.c"
#include "probes/data/write.c"
#include "probes/tlb/huge.c"
#include "probes/tlb/page.c"
#include "probes/tlb/sets.c"
#include "probes/tlb/spread.c"
#include "probes/tlb/strides.c"
#include "probes/tlb/tlb.c"
#include "probes/tlb/tlbs.c"
#endif
