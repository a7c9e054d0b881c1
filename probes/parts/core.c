/* The probes of the core, and the nano-benchmarks that they ask for.  See frame.c, which calls what
   generates these; HW_WITHOUT_CORE: nothing else. */
#include "probes/machine/machine.h"

#include <ctype.h>
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

#include "probes/nano/generate.c"

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
#include "probes/nano/time.c"
#endif
