/* The probe program without the probes of memory and of the core.  configure compiles the files of
   this folder side by side, each in one go, which is several times quicker than what they include
   one by one.  Names with file scope begin with the name of their file, so that they do not meet
   here. */
#ifdef __linux__
#define _GNU_SOURCE /* a time of day and signals, also of a compiler that claims to be of C99 */
#else
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE
#endif
#include "probes/parts/plain.h"

#include "analysis/cliff.c"
#include "analysis/cluster.c"
#include "analysis/compact.c"
#include "analysis/curve.c"
#include "analysis/effective.c"
#include "analysis/fit.c"
#include "analysis/halfway.c"
#include "analysis/monotone.c"
#include "analysis/plateaus.c"
#include "analysis/rate.c"
#include "analysis/rows/clock.c"
#include "analysis/samples.c"
#include "analysis/servet.c"
#include "analysis/slope.c"
#include "analysis/spills.c"
#include "analysis/steps.c"
#include "analysis/streams.c"
#include "analysis/tick.c"
#include "analysis/toe.c"
#include "analysis/trace.c"
#include "analysis/values.c"
#include "probes/bench/bench.c"
#include "probes/bench/fit.c"
#include "probes/bench/idle.c"
#include "probes/bench/sampler.c"
#include "probes/core/clock.c"
#include "probes/engine.c"
#include "probes/main.c"
#include "probes/reread.c"
