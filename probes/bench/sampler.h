/* The sampler: repetition and spread.  Points of a curve are measured in interleaved rounds, each
   sample long enough for the clock and next to one of the cycle, disturbed samples are dropped, and
   rounds go on until the low end of each point is settled: its error is within the effort's. */
#ifndef HW_SAMPLER_H
#define HW_SAMPLER_H

#include "probes/bench/idle.h"

#include <stdbool.h>

/* A ring of loads, as a probe lays it out for one sample. */
struct hw_ring {
  size_t *offset; /* of the loads, bytes, in order */
  size_t n;
  size_t room;        /* of offset */
  unsigned long warm; /* loads before the timed ones */
  unsigned long walk; /* timed loads, at least */
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
  struct hw_point issue; /* as of a task, one that may be done anywhere */
  bool (*enough)(void *context, const struct hw_curve *curve); /* as of a task */
  const struct hw_effort *effort;                              /* as of a task */
};

/* Measures cycles per load at each of the n places x and puts them into the curve.  0, or -1 when
   memory is short or the deadline has passed before each point had a sample. */
int hw_sample(struct hw_bench *bench, const struct hw_series *series, const double *x, size_t n,
              struct hw_curve *curve);

/* What is sampled where a ring of loads does not fit. */
struct hw_task {
  /* Readies the point x; not timed.  0, or -1 when memory is short.  NULL: nothing to ready. */
  int (*prepare)(void *context, double x, struct hw_random *random);
  /* Does the work; timed.  Returns its units, 0 when it could not be done. */
  double (*work)(void *context, double x);
  /* Wakes units of the core that the work needs and that fall asleep within microseconds; not
     timed.  A core stands still for about one when they do, so that all that is timed follows this
     or the work at once.  NULL: there are no such units. */
  void (*wake)(void *context, double x);
  /* Whether the curve needs no more samples, though points are not settled.  NULL: it does. */
  bool (*enough)(void *context, const struct hw_curve *curve);
  void *context;
  bool ns; /* whether y is ns a unit, and not cycles a unit */
  /* Cycles of an independent addition on a core left alone, and their scatter: samples are taken
     only while it takes no more, so not while the SMT sibling is busy.  0: at any time. */
  struct hw_point issue;
  /* Whether all that it needs is a core: it may be done on another processor of the same kind when
     the core is not left alone. */
  bool anywhere;
  double agree; /* share by which two passes of hw_sample_apart may differ; 0: 1 % */
  double apart; /* least time between the beginnings of two passes, ns; 0: 20 ms */
  const struct hw_effort *effort; /* how hard to try; NULL: as the bench does */
};

/* The same for a task. */
int hw_sample_task(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                   struct hw_curve *curve);

/* The same in several passes, with pauses between: another process that runs at times disturbs all
   samples of one pass.  The lowest y of a place counts if another pass agrees, with the samples of
   both; if none does, the point is not known: it has count 1.  If samples scatter too much for
   the effort's precision there are more passes, and longer ones.  Places that the curve has already
   are not sampled. */
int hw_sample_apart(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                    struct hw_curve *curve);

/* The same for some tasks in turn, each with its curve: the passes of one are the pauses of the
   others. */
int hw_sample_turns(struct hw_bench *bench, const struct hw_task *task, size_t tasks,
                    const double *x, size_t n, struct hw_curve *curve);

#endif
