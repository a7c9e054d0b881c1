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
#include "probes/memory/bandwidth.c"
#include "probes/memory/colours.c"
#include "probes/memory/compact.c"
#include "probes/memory/copying.c"
#include "probes/memory/effective.c"
#include "probes/memory/evictors.c"
#include "probes/memory/fetch.c"
#include "probes/memory/fira.c"
#include "probes/memory/gather.c"
#include "probes/memory/huge.c"
#include "probes/memory/icache.c"
#include "probes/memory/l1.c"
#include "probes/memory/lap.c"
#include "probes/memory/latency.c"
#include "probes/memory/levels.c"
#include "probes/memory/levels_values.c"
#include "probes/memory/line.c"
#include "probes/memory/lower.c"
#include "probes/memory/page.c"
#include "probes/memory/parallel.c"
#include "probes/memory/pool.c"
#include "probes/memory/rise.c"
#include "probes/memory/shape.c"
#include "probes/memory/spread.c"
#include "probes/memory/stairs.c"
#include "probes/memory/tlb.c"
#include "probes/memory/tlbs.c"
#include "probes/memory/traffic.c"
#include "probes/memory/write.c"
#endif
