/* The probes of the core, and the nano-benchmarks that they ask for.  See frame.c, which calls what
   generates these; HW_WITHOUT_CORE: nothing else. */
#include "probes/parts/plain.h"

#include "probes/nano/nano.c"

#ifndef HW_WITHOUT_CORE
#include "analysis/rows/branch.c"
#include "analysis/rows/fused.c"
#include "analysis/rows/mix.c"
#include "analysis/rows/operations.c"
#include "analysis/rows/registers.c"
#include "analysis/rows/vectors.c"
#include "probes/code/branch.c"
#include "probes/core/fused.c"
#include "probes/core/mix.c"
#include "probes/core/operations.c"
#include "probes/core/registers.c"
#include "probes/core/vectors.c"
#include "probes/nano/loops.c"
#include "probes/nano/time.c"
#endif
