/* Memory local to processors: each has touched its own first, and no cache holds all of it. */
#ifndef HW_LOCAL_MEMORY_H
#define HW_LOCAL_MEMORY_H

#include "analysis/groups.h"
#include "probes/probe.h"

/* Rounds at most: a sample is long. */
#define HW_LOCAL_MEMORY_ROUNDS 8u

struct hw_local_memory {
  struct hw_bench *bench;
  size_t line;
  size_t bytes;   /* of the memory that a thread reads */
  double latency; /* least of a load from memory, ns */
  unsigned rounds;
  size_t most;              /* pieces of that many bytes that may be mapped at once */
  struct hw_memory *own[2]; /* of the two processors that were measured last */
  size_t owner[2];
};

/* For n processors.  0, or -1 if it is not known from which size on loads come from memory, or
   there is not enough of it for two. */
int hw_local_memory_open(struct hw_bench *bench, struct hw_local_memory *owned, size_t n);

/* Maps local memory for each of two processors, into own[0] and own[1]; that of either which is
   there already is kept.  0, or -1. */
int hw_local_memory_pair(struct hw_local_memory *owned, size_t i, size_t j);

/* Takes that of a processor out of the two; NULL if it has none there. */
struct hw_memory *hw_local_memory_take(struct hw_local_memory *owned, size_t processor);

/* Maps memory for each of n processors that has none, and has them touch it all at once.  0, or -1.
 */
int hw_local_memory_fill(const struct hw_local_memory *owned, const size_t *processor,
                         struct hw_memory **memory, size_t n);

/* Unmaps those of the two that were not taken. */
void hw_local_memory_close(struct hw_local_memory *owned);

/* A processor's part of a team: it reads such memory. */
struct hw_part hw_local_memory_part(const struct hw_local_memory *owned, size_t processor,
                                    struct hw_memory *memory);

#endif
