/* Whether processors can be compared by memory that each of them owns. */
#ifndef HW_ROWS_LOCAL_MEMORY_H
#define HW_ROWS_LOCAL_MEMORY_H

#include "analysis/rows/levels.h"

/* The level of memory, and its latency, ns.  False if that is not known. */
bool hw_local_memory_level(const struct hw_curves *curves, struct hw_level *memory,
                           double *latency);

/* Whether n processors, two or more, can be compared; sets *n.  If not, *answer says by that method
   that there is nothing to know. */
bool hw_local_memory_known(const struct hw_curves *curves, const char *method, size_t *n,
                           struct hw_answer *answer);

#endif
