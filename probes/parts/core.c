/* The probes of the core, and the nano-benchmarks that they ask for.  See frame.c. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O1")
#endif

#include "probes/core/branch.c"
#include "probes/core/fused.c"
#include "probes/core/mix.c"
#include "probes/core/operations.c"
#include "probes/core/registers.c"
#include "probes/core/vectors.c"
#include "probes/nano/generate.c"
#include "probes/nano/time.c"
