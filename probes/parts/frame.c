/* The probe program without the probes of memory and of the core.  The files of this folder list
   its sources, each in one go, which is several times quicker to compile than what they include one
   by one.  configure compiles those that its selection needs (probes/sources.awk).  Names with file
   scope begin with the name of their file, so that they do not meet here. */
#include "probes/machine/features.h" /* first */

#include "probes/parts/plain.h"

#include "analysis/bet.c"
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
#include "probes/bench/ask.c"
#include "probes/bench/bench.c"
#include "probes/bench/idle.c"
#include "probes/bench/sampler.c"
#include "probes/core/clock.c"
#include "probes/engine.c"
#include "probes/main.c"
#include "probes/reread.c"
#include "probes/search/search.c"
