/* A team of threads for one piece of work after another. */
#ifndef TEAM_H
#define TEAM_H

#include <stdatomic.h>
#include <stdbool.h>

/* All of a team wait for each other here. */
struct team_barrier {
  atomic_uint arrived;
};
void team_wait(struct team_barrier *barrier, unsigned threads);

/* Has up to so many threads for the caller, itself the first, until team_end.  Returns how many:
   fewer, at worst the caller alone, where somebody else has them or the system has none. */
unsigned team_begin(unsigned threads);
/* Each of those does the work, told its number from 0 on and how many they are; when it returns,
   all have. */
void team_run(void (*work)(void *argument, unsigned number, unsigned threads), void *argument);
void team_end(void);

#endif
