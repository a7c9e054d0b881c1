/* What a probe measures with: the machine, its clock, how hard to try, and the curves so far. */
#ifndef HW_BENCH_H
#define HW_BENCH_H

#include "analysis/curve.h"
#include "probes/bench/random.h"
#include "probes/machine/machine.h"

#include <stdbool.h>
#include <stdio.h>

/* How hard to try. */
struct hw_effort {
  unsigned rounds;     /* samples of a point before its error is looked at */
  unsigned rounds_max; /* samples of a point at most */
  unsigned attempts;   /* how often an unclear answer is measured again */
  double precision;    /* relative standard error at which a point is settled */
  double patience;     /* ns of measuring, of all probes, after which nothing is measured again */
  double wait;         /* ns that a probe may wait for the core to be left alone */
  unsigned leaves;     /* out, unless it is named: 1 what is rare, 2 what takes long too */
};

/* What a probe measures with. */
struct hw_bench {
  struct hw_machine *machine;
  struct hw_effort effort;
  struct hw_random random;
  struct hw_curves curves; /* what has been measured so far */
  double deadline;         /* by the machine's clock, ns; no sample starts after it */
  double limit;            /* ns that one probe may take; 0: as long as there is time */
  double spent;            /* ns of measuring by earlier processes */
  double read_ns;          /* what reading the clock costs */
  double step_ns;          /* its step, ns */
  double sample_ns;        /* shortest sample that the clock resolves, ns */
  unsigned long adds;      /* dependent additions that take as long */
  struct hw_point issue;   /* lower baseline: least cycles of an independent addition, from samples
                              that had to have the core to themselves; 0: there were none */
  bool renewed;            /* the baseline has been replaced, and is to be kept */
  double wait;             /* ns that the probe may still wait for the core to be left alone */
  double waited;           /* ns that all probes have waited for that, in earlier processes too */
  size_t memory;           /* bytes that a probe may have mapped at once */
  unsigned level;          /* the last level of cache that rows are asked for of; 0: not set */
  unsigned reach;          /* how far the map has to: that, or HW_LEVEL_MEMORY; 0: not set */
  const char *compiler;    /* for the curves' headers */
  const char *flags;
  unsigned long seed;
  FILE *log;
  bool codeless;   /* a probe needs generated code, and none was compiled */
  const char *why; /* why the probe has measured nothing, if it has said so, or NULL */
};

/* Measures the clock, and from it how long a sample must be.  machine, effort, deadline and the
   texts are set by the caller; seed starts the random orders.  A clock that does not advance, or in
   steps too long for samples, is a doubt about the machine. */
void hw_bench_calibrate(struct hw_bench *bench);

/* Counts the differences between readings of the clock, with more and more work between them, so
   that they fall on all phases of the clock: x the difference (ns), y times seen.  0, or -1 without
   memory. */
int hw_bench_steps(const struct hw_bench *bench, struct hw_curve *steps);

/* The last level of cache that a probe has to look at: what lies beyond was not asked for. */
unsigned hw_last_level(const struct hw_bench *bench);

/* The same of the map, which for other rows has to reach HW_LEVEL_MEMORY. */
#define HW_LEVEL_MEMORY 4u
unsigned hw_map_reach(const struct hw_bench *bench);

/* How many processors can be bound to. */
size_t hw_processors(const struct hw_bench *bench);

/* The time by the machine's clock, ns. */
double hw_now(const struct hw_bench *bench);

/* The least multiple of the grain that is not below n. */
unsigned long hw_grains(double n);

/* Fills in the header and hands the curve to bench->curves, unless result says that measuring it
   failed.  0, or -1 after that or without memory; the curve is the bench's or gone. */
int hw_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result);

/* The same, if it is no failure that nothing was measured: frees a curve without points. */
int hw_publish_some(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result);

/* Does additions for ns of time, so that the processor keeps its frequency. */
void hw_pause(const struct hw_bench *bench, double ns);

/* Whether the deadline has passed. */
int hw_late(const struct hw_bench *bench);

#endif
