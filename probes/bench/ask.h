/* Asks the machine whether sequences of loads fit, until analysis/fit.h has decided it. */
#ifndef HW_ASK_H
#define HW_ASK_H

#include "analysis/fit.h"
#include "probes/bench/sampler.h"

/* A sequence of loads. */
struct hw_fit_sequence {
  size_t n;
  size_t stride; /* bytes */
  size_t shift;  /* of the second half, bytes */
  size_t kept;   /* loads that lie at the stride; the others are spread over the sets, each within
                    its page: as many pages are visited, and these fill no set */
  size_t page; /* bytes, or 0: the others lie in the pages of those kept, and each load of a page at
                  another line */
  size_t line; /* bytes, with a page */
};

/* Whether the target fits. */
struct hw_fit_question {
  struct hw_fit_sequence target;
  struct hw_fit_sequence control; /* surely fits */
  struct hw_fit_sequence full;    /* fits, and is as full as the target, or a little less */
  struct hw_fit_sequence missing; /* surely does not fit */
  double miss;                    /* miss penalty, cycles, or 0: not known yet */
  size_t align;                   /* sequences begin at a random multiple of this, bytes, which
                                     divides HW_FIT_START */
  bool still;                     /* whether all rounds lie in the same pages */
  bool filled;                    /* full is as full as the target: what an SMT sibling takes of the
                                     cache, it takes of full in the same round */
  unsigned long laps;             /* of a sample at least, as long as the bench's; 0: a few */
  unsigned pauses;                /* before each load, of HW_PAUSE additions */
  struct hw_fit_odds odds;
};

/* What was found out. */
struct hw_fit_found {
  struct hw_fit_answer answer;
  struct hw_fit_counts counts;
  struct hw_fit_floor floor; /* of the controls */
  struct hw_point level;     /* low end of the target's samples in the rounds that count, cycles a
                                load */
  struct hw_point hit;       /* the same of the controls */
};

/* Takes rounds of samples until the question is decided, for ns at most; memory holds all
   sequences, wherever they begin within HW_FIT_START.  0, or -1 when memory was short, it is
   late or the clock resolves no sample. */
int hw_fit_ask(struct hw_bench *bench, struct hw_memory *memory,
               const struct hw_fit_question *question, double ns, struct hw_fit_found *found);

/* Sequences begin below this. */
#define HW_FIT_START ((size_t)64 << 10)

#endif
