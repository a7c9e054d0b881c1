/* What the readers of traffic between the levels have in common: which levels there are, and what
   curves over working sets have in each. */
#ifndef HW_ROWS_TRAFFIC_H
#define HW_ROWS_TRAFFIC_H

#include "analysis/rows/levels.h"

/* The points of a curve over working sets that lie in a level, 1 the first, as hw_curve_part has
   them.  None of a curve that is not there. */
struct hw_curve hw_traffic_part(const struct hw_curves *curves, const char *name, size_t level);

/* The levels that are clear, and memory behind them, also where another may hide between: *memory
   says whether that is the last, which else may be one more cache.  Returns how many. */
size_t hw_traffic_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                         bool *memory);

/* The number of levels known to be caches: one less.  0 when nothing is known. */
size_t hw_traffic_caches(const struct hw_curves *curves, bool *memory);

/* Why there is no value of a cache level (1 is the first) that takes the next one, too; or known
   when there may be one. */
struct hw_answer hw_traffic_has(const struct hw_curves *curves, size_t level, const char *method);

/* The answer for a level, settled from level 3 on: other processes or guests share it, and what
   their noise leaves unclear is not worth more rounds of all levels. */
struct hw_answer hw_traffic_settled(struct hw_answer answer, size_t level);

/* The median of y of the points in a level; negative when there are none. */
double hw_traffic_middle(const struct hw_curves *curves, const char *name, size_t level);

/* Memory's latency in cycles, as the size curve has it; negative when it is not known. */
double hw_traffic_memory(const struct hw_curves *curves);

#endif
