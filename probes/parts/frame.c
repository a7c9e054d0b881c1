/* The probe program without the probes of memory and of the core.  configure compiles the files of
   this folder side by side, each in one go, which is several times quicker than what they include
   one by one.  Names with file scope begin with the name of their file, so that they do not meet
   here. */
#include "probes/machine/real.c" /* first: it asks the system for more than POSIX */

#include "probes/machine/code.c"
#include "probes/machine/emulator.c"
#include "probes/machine/loops.c"
#include "probes/machine/memory.c"

/* What is timed stands above, with the flags of the user.  What only computes need not be as good,
   and half of compiling is optimizing: much for what runs between two samples, none for the
   rest. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O1")
#endif

#include "analysis/curve.c"
#include "analysis/fit.c"
#include "analysis/samples.c"
#include "probes/bench/bench.c"
#include "probes/bench/fit.c"
#include "probes/bench/idle.c"
#include "probes/bench/random.c"
#include "probes/bench/sampler.c"

#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O0")
#elif defined __clang__
#pragma clang optimize off
#endif

#include "analysis/cliff.c"
#include "analysis/cluster.c"
#include "analysis/compact.c"
#include "analysis/effective.c"
#include "analysis/halfway.c"
#include "analysis/monotone.c"
#include "analysis/plateaus.c"
#include "analysis/rate.c"
#include "analysis/rows/clock.c"
#include "analysis/servet.c"
#include "analysis/slope.c"
#include "analysis/spills.c"
#include "analysis/steps.c"
#include "analysis/streams.c"
#include "analysis/tick.c"
#include "analysis/toe.c"
#include "analysis/trace.c"
#include "analysis/values.c"
#include "probes/core/clock.c"
#include "probes/engine.c"
#include "probes/main.c"
#include "probes/reread.c"
