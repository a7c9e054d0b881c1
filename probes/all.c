/* The whole probe program in one translation unit: configure compiles this one file, which is
   several times quicker than the parts.  Names with file scope begin with the name of their file,
   so that they do not meet here. */
#include "probes/machine/real.c" /* first: it asks the system for more than POSIX */

#include "analysis/cluster.c"
#include "analysis/compact.c"
#include "analysis/curve.c"
#include "analysis/mode.c"
#include "analysis/monotone.c"
#include "analysis/slope.c"
#include "analysis/steps.c"
#include "probes/core/clock.c"
#include "probes/engine.c"
#include "probes/main.c"
#include "probes/memory/compact.c"
#include "probes/memory/l1.c"
#include "probes/memory/latency.c"
#include "probes/memory/levels.c"
#include "probes/memory/line.c"
#include "probes/memory/page.c"
#include "probes/memory/tlb.c"
#include "probes/probe.c"
#include "probes/random.c"
#include "probes/sampler.c"
