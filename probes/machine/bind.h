/* Binding of threads to processors: by hwloc when configured with it, else by Linux's calls.  If
   neither is there, the system's scheduler places threads. */
#ifndef HW_BIND_H
#define HW_BIND_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of processors, as the system has them, are below this, twice what Linux allows. */
#define HW_BIND_MOST 16384

/* Whether threads can be bound on this system at all. */
bool hw_bind_offered(void);

/* Sets allowed[p] for each processor p that the calling thread may run on, and clears the others.
   0, or -1 where the system does not say. */
int hw_bind_allowed(bool allowed[HW_BIND_MOST]);

/* How many processors the system says there are, or 0. */
size_t hw_bind_online(void);

/* The processor that the calling thread is on, or -1. */
int hw_bind_where(void);

/* Binds the calling thread, and those that it starts, to the processors p with set[p].  0, or -1
   when that is refused. */
int hw_bind_set(const bool set[HW_BIND_MOST]);

/* The same to one processor.  -1 also when there is none of that number. */
int hw_bind_one(int processor);

#endif
