/* Misses that one thread keeps in flight, off the curve of probes/data/parallel.c.

   Method  Memory-level parallelism: the time of a load falls as 1/x until no more misses are in
           flight; that of one dependent chain over that of many is their number on average
           (Little's law).  One chain counts for no more than memory's latency, without TLB misses.
   Rows    MEM_PARALLEL, MEM_PARALLEL_X100.
   See     XM 9. */
#include "analysis/names.h"
#include "analysis/rows/levels.h"

#include <math.h>

/* A single chain costs at least this part of memory's latency, as the size curve has it: else it
   did not miss. */
#define PARALLEL_MISS 0.7

struct hw_answer hw_read_mem_parallel(const struct hw_curves *curves) {
  struct hw_answer flight = hw_reduce_named(curves, HW_NAME_PARALLEL, hw_reduce_sustained);
  const struct hw_point *one = hw_curve_at(hw_curves_get(curves, HW_NAME_PARALLEL), 1);
  struct hw_answer miss = hw_levels_memory(curves);

  if (!flight.known || !miss.known)
    return flight.known ? miss : flight;
  if (one->y < PARALLEL_MISS * miss.value)
    return hw_unknown(flight.method, "a single chain costs less than memory's latency");
  /* The cost beyond memory's latency is page walks, during which no miss is in flight. */
  return hw_at_other_times(hw_scaled(flight, fmin(1, miss.value / one->y)), HW_OTHERS_MEMORY);
}

struct hw_answer hw_read_mem_parallel_x100(const struct hw_curves *curves) {
  return hw_scaled(hw_value_mem_parallel(curves), 100);
}
