/* Threads, and the probes of processors.  See frame.c.  HW_WITHOUT_SYSTEM: only what finds out the
   kind of processors to measure on. */
#include "probes/machine/bind.c" /* first: it asks the system for more than POSIX */

#include "probes/machine/threads.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O0")
#elif defined __clang__
#pragma clang optimize off
#endif

#include "analysis/company.c"
#include "analysis/groups.c"
#include "analysis/rows/kinds.c"
#include "probes/bench/team.c"
#include "probes/system/co_run.c"
#include "probes/system/kinds.c"
#include "probes/system/pairs.c"
#include "probes/system/pairs_search.c"

#ifndef HW_WITHOUT_SYSTEM
#include "analysis/rows/comm.c"
#include "analysis/rows/contexts.c"
#include "analysis/rows/cores.c"
#include "analysis/rows/destructive.c"
#include "analysis/rows/handing.c"
#include "analysis/rows/local_memory.c"
#include "analysis/rows/nodes.c"
#include "analysis/rows/paths.c"
#include "analysis/rows/processors.c"
#include "analysis/rows/sharing.c"
#include "analysis/rows/slot.c"
#include "analysis/worth.c"
#include "probes/mpi/mpi.c"
#include "probes/system/comm.c"
#include "probes/system/contexts.c"
#include "probes/system/cores.c"
#include "probes/system/destructive.c"
#include "probes/system/handing.c"
#include "probes/system/local_memory.c"
#include "probes/system/nodes.c"
#include "probes/system/paths.c"
#include "probes/system/processors.c"
#include "probes/system/sharing.c"
#include "probes/system/slot.c"
#endif
