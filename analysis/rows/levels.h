/* What the other probes of memory take from the size curve. */
#ifndef HW_LEVELS_H
#define HW_LEVELS_H

#include "analysis/values.h"

/* Most levels that are told apart. */
#define HW_LEVELS 8u

/* A plateau of the size curve: a cache level, or memory, the last. */
struct hw_level {
  struct hw_answer latency;   /* cycles */
  struct hw_answer effective; /* bytes: the end of the plateau; unknown where it ends by degrees */
  bool hidden;                /* single lines show it: its plateau is too short */
  double bound;               /* cycles: a load of a working set in the level takes no more */
  double least;               /* working sets (bytes) between these two surely lie in the level: */
  double most;                /* the first and last point of the plateau itself */
};

/* The plateaus off the map, level[0] that of level 1, the last that of memory.  Returns
   how many: one more than there are cache levels; 0 when it is not clear. */
size_t hw_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS]);

/* The plateaus that are clear, from level 1 on, and how many.  *whole: there are no others, and the
   last is the memory's.  Else the last is a cache's if its effective size is known, and may be the
   memory's if not. */
size_t hw_levels_seen(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                      bool *whole);

/* Memory, the last plateau, whatever level hides before it; known when its working sets lie in no
   cache.  *memory is filled in, too, where a cache holds a part of the largest. */
struct hw_answer hw_levels_last(const struct hw_curves *curves, struct hw_level *memory);

/* The working set (bytes) that level n, from 1 on, can hold, as the size curve shows it, and the
   level; absent where there is none. */
struct hw_answer hw_levels_effective(const struct hw_curves *curves, size_t n,
                                     struct hw_level *level);

/* The latency of memory (cycles), with its range. */
struct hw_answer hw_levels_memory(const struct hw_curves *curves);

#endif
