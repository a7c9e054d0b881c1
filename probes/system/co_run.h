/* Threads that work at the same time, against each of them alone. */
#ifndef HW_CO_RUN_H
#define HW_CO_RUN_H

#include "probes/bench/sampler.h"

/* The same work, on each of some processors. */
struct hw_co_run {
  struct hw_bench *bench;
  enum hw_work work;
  struct hw_memory *memory; /* to walk, its ring linked; or NULL */
  unsigned long units;      /* of a thread, in one sample; set by hw_co_run_init */
  unsigned rounds;          /* of samples; set by hw_co_run_init */
};

/* Finds out how much work makes a sample, of as many rounds as the bench takes.  0, or -1 when
 * there are no threads. */
int hw_co_run_init(struct hw_co_run *run);

/* What a unit of work costs each of n threads, on those processors, when all work at once, over
   what it costs that thread alone; point[i].x becomes the processor's place.  The low end of the
   samples in which the thread was not preempted, where that is no more than HW_COMPANY_NONE; else
   of those only before and after which it worked alone as quickly as ever, since otherwise it may
   be strangers that make it wait.  count is 0 when there are too few.  0, or -1 when there are no
   threads, or without memory. */
int hw_co_run_sample(const struct hw_co_run *run, const size_t *processor, size_t n,
                     struct hw_point *point);

/* Whether n processors, each of which has a core as far as is known, stand on fewer at the moment:
   additions that take all that a core has are slowed.  A host may move them.  1, 0 when they are
   not, or -1 when that cannot be told. */
int hw_co_run_together(struct hw_bench *bench, const size_t *processor, size_t n);

#endif
