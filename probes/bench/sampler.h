/* The sampler: repetition and spread.  Points of a curve are measured in interleaved rounds, each
   sample long enough for the clock and next to one of the cycle, disturbed samples are thrown
   away, and rounds go on until the low end of each point stands still. */
#ifndef HW_SAMPLER_H
#define HW_SAMPLER_H

#include "probes/bench/idle.h"
#include "probes/bench/random.h"
#include "probes/machine/machine.h"

#include <stdbool.h>
#include <stdio.h>

/* How hard to try. */
struct hw_effort {
  unsigned rounds;     /* samples of a point before it is looked at */
  unsigned rounds_max; /* samples of a point at most */
  unsigned attempts;   /* how often an unclear answer is measured again */
  double precision;    /* relative standard error at which a point stands still */
  double patience;     /* ns of measuring, of all probes, after which nothing is measured again */
  double wait;         /* ns that a probe may wait for the core to be left alone */
  bool brief;          /* leaves out what takes long and few ask for */
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
  double sample_ns;        /* length of a sample that the clock can tell */
  unsigned long adds;      /* additions that take as long */
  struct hw_point issue;   /* least cycles of an addition that waits for no other, where samples had
                              to have the core to themselves; 0: there were none */
  double wait;             /* ns that the probe may still wait for the core to be left alone */
  size_t memory;           /* bytes that a probe may have mapped at once */
  const char *compiler;    /* for the curves' headers */
  const char *flags;
  unsigned long seed;
  FILE *log;
  struct hw_nano *wanted; /* nano-benchmarks that a probe waits for, or NULL; to be freed */
  size_t wants;           /* their number */
  const char *why;        /* why the probe has measured nothing, where it has said so, or NULL */
};

/* Measures the clock, and from it how long a sample must be.  machine, effort, deadline and the
   texts are set by the caller; seed starts the random orders.  A clock that does not advance, or in
   steps too long for samples, is a doubt about the machine. */
void hw_bench_calibrate(struct hw_bench *bench);

/* A ring of loads, as a probe lays it out for one sample. */
struct hw_ring {
  size_t *offset; /* where the loads go, in order */
  size_t n;
  size_t room;        /* of offset */
  unsigned long warm; /* loads to do before the timed ones */
  unsigned long walk; /* loads to time at least */
};

/* Lays out the ring for a point, anew for each sample.  At most ring->room loads.  Presets: warm
   and walk are twice the ring. */
typedef void hw_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring);

/* What is sampled for one curve. */
struct hw_series {
  struct hw_memory *memory;
  size_t room; /* loads of the largest ring */
  hw_arrange *arrange;
  void *context;
  struct hw_point issue; /* as of a task that may be done anywhere */
  unsigned pauses;       /* before each load, of HW_PAUSE additions */
  bool (*enough)(void *context, const struct hw_curve *curve); /* as of a task */
};

/* The least multiple of the grain that is not below n. */
unsigned long hw_grains(double n);

/* Measures cycles per load at each of the n places x and puts them into the curve.  0, or -1 when
   memory is short or the deadline has passed before each point had a sample. */
int hw_sample(struct hw_bench *bench, const struct hw_series *series, const double *x, size_t n,
              struct hw_curve *curve);

/* What is sampled where a ring of loads does not fit. */
struct hw_task {
  /* Readies the point x; not timed.  0, or -1 when memory is short.  NULL: nothing to ready. */
  int (*prepare)(void *context, double x, struct hw_random *random);
  /* Does the work; timed.  Returns how many units it was, 0 when it could not be done. */
  double (*work)(void *context, double x);
  /* Whether the curve needs no more samples, though points do not stand still.  NULL: it does. */
  bool (*enough)(void *context, const struct hw_curve *curve);
  void *context;
  bool ns; /* whether y is ns a unit, and not cycles a unit */
  /* Cycles of an addition that waits for no other, with the core to oneself, and their scatter:
     samples are taken only while it costs no more, and not while another thread takes a share of
     the core.  0: whenever. */
  struct hw_point issue;
  /* Whether all that it needs is a core: it may be done on another processor of the same kind when
     the core is not left alone. */
  bool anywhere;
  double agree;     /* by which share two times may differ, for hw_sample_apart; 0: 1 % */
  double apart;     /* and how far apart they begin at least, ns; 0: 20 ms */
  double precision; /* relative standard error that is wanted; 0: the effort's */
};

/* The same for a task. */
int hw_sample_task(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                   struct hw_curve *curve);

/* The same, but all of it some times, with pauses between: a neighbour who comes and goes spoils
   all samples that are taken together.  Of each place the lowest y counts, when another time
   agrees, with the samples of both; when none does, the point is not known: it has too few samples.
   Where samples scatter so much that this is not precise there are more times, and longer ones.
   What the curve knows of before is not sampled. */
int hw_sample_apart(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                    struct hw_curve *curve);

/* The same for some tasks in turn, each with its curve: the times of one are the pauses of the
   others. */
int hw_sample_turns(struct hw_bench *bench, const struct hw_task *task, size_t tasks,
                    const double *x, size_t n, struct hw_curve *curve);

/* The low end of n samples: their lower quartile in y, its scatter (the distance to the lowest
   twentieth) in spread.  Sorts the samples. */
struct hw_point hw_low_end(double *sample, size_t n);

/* Fills in the header and hands the curve to bench->curves.  0, or -1 without memory; the curve
   is the bench's or gone. */
int hw_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe, unsigned serial);

/* Passes time, ns, awake, so that the processor stays at its rate. */
void hw_pause(const struct hw_bench *bench, double ns);

/* Whether the deadline has passed. */
int hw_late(const struct hw_bench *bench);

#endif
