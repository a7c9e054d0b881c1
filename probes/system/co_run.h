/* Threads that work at the same time, against each of them alone. */
#ifndef HW_CO_RUN_H
#define HW_CO_RUN_H

#include "probes/bench/sampler.h"

/* The same work, on each of some processors. */
struct hw_co_run {
  struct hw_bench *bench;
  enum hw_work work;
  struct hw_memory *memory;   /* to walk, its ring linked; or NULL */
  const struct hw_part *part; /* or NULL; of each place, what its thread does instead */
  unsigned long units;        /* of a thread, in one sample; set by hw_co_run_init */
  unsigned rounds;            /* of samples; set by hw_co_run_init */
};

/* Memory that holds a ring of loads that all hit level 1; or NULL. */
struct hw_memory *hw_co_run_ring(struct hw_machine *machine);

/* Sets the units of work of a sample, and the rounds to those of the bench.  0, or -1 when there
 * are no threads. */
int hw_co_run_init(struct hw_co_run *run);

/* Cost of a unit of work for each of n threads, on those processors, when all work at once, over
   its cost for that thread alone; point[i].x becomes the processor's place.  The low end of the
   samples in which the thread was not preempted, if that is no more than HW_COMPANY_NONE; else
   only of samples before and after which the thread alone ran at its floor, since otherwise another
   guest may be what slows it.  Of more than eight threads only three are measured alone, and one of
   each kind; the cost of the others alone is the median of those of their kind.  count is 0 when
   samples are too few.  0, or -1 when there are no threads, or without memory. */
int hw_co_run_sample(const struct hw_co_run *run, const size_t *processor, size_t n,
                     struct hw_point *point);

/* Whether n virtual processors that are known to have a core each share cores at the moment, since
   the host may move them: additions that saturate a core's issue width are then slowed.  1, 0 if
   not, or -1 if that cannot be told. */
int hw_co_run_together(struct hw_bench *bench, const size_t *processor, size_t n);

#endif
