/* The sampler: repetition and spread.  Points of a curve are measured in interleaved rounds, each
   sample long enough for the clock and next to one of the cycle, disturbed samples are thrown
   away, and rounds go on until the low end of each point stands still. */
#ifndef HW_SAMPLER_H
#define HW_SAMPLER_H

#include "probes/bench/idle.h"

#include <stdbool.h>

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
  double agree; /* by which share two times may differ, for hw_sample_apart; 0: 1 % */
  double apart; /* and how far apart they begin at least, ns; 0: 20 ms */
  const struct hw_effort *effort; /* how hard to try; NULL: as the bench does */
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

#endif
