/* The whole probe program in one translation unit: configure compiles this one file, which is
   several times quicker than the parts.  Names with file scope begin with the name of their file,
   so that they do not meet here. */
#include "probes/machine/real.c" /* first: it asks the system for more than POSIX */

#include "probes/machine/code.c"

/* What is timed stands above, with the flags of the user.  What only computes need not be as good,
   and compiles in half the time. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O1")
#endif

#include "analysis/cliff.c"
#include "analysis/cluster.c"
#include "analysis/compact.c"
#include "analysis/curve.c"
#include "analysis/halfway.c"
#include "analysis/knee.c"
#include "analysis/mode.c"
#include "analysis/monotone.c"
#include "analysis/plateaus.c"
#include "analysis/rate.c"
#include "analysis/servet.c"
#include "analysis/slope.c"
#include "analysis/spills.c"
#include "analysis/steps.c"
#include "analysis/streams.c"
#include "analysis/toe.c"
#include "probes/core/branch.c"
#include "probes/core/clock.c"
#include "probes/core/fused.c"
#include "probes/core/mix.c"
#include "probes/core/operations.c"
#include "probes/core/registers.c"
#include "probes/core/vectors.c"
#include "probes/engine.c"
#include "probes/main.c"
#include "probes/memory/bandwidth.c"
#include "probes/memory/colours.c"
#include "probes/memory/compact.c"
#include "probes/memory/effective.c"
#include "probes/memory/fetch.c"
#include "probes/memory/fira.c"
#include "probes/memory/huge.c"
#include "probes/memory/icache.c"
#include "probes/memory/l1.c"
#include "probes/memory/latency.c"
#include "probes/memory/levels.c"
#include "probes/memory/line.c"
#include "probes/memory/lower.c"
#include "probes/memory/page.c"
#include "probes/memory/parallel.c"
#include "probes/memory/pool.c"
#include "probes/memory/spread.c"
#include "probes/memory/tlb.c"
#include "probes/memory/tlbs.c"
#include "probes/memory/traffic.c"
#include "probes/memory/write.c"
#include "probes/nano/generate.c"
#include "probes/nano/time.c"
#include "probes/probe.c"
#include "probes/random.c"
#include "probes/sampler.c"
