/* A team of threads for one piece of work after another. */
#ifndef TEAM_H
#define TEAM_H

#include <stdbool.h>
#include <stddef.h>

/* Not every compiler of C11 that has atomics says when it has no header for them.  Without them the
   team is the caller. */
#if !defined __STDC_NO_ATOMICS__ && !defined __TINYC__
#include <stdatomic.h>
#define TEAM_THREADS
#else
typedef size_t atomic_size_t;
typedef unsigned atomic_uint;
#define atomic_load(word) (*(word))
#define atomic_store(word, value) (*(word) = (value))
#define atomic_compare_exchange_weak(word, old, value) (*(word) = (value), true)
#endif

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
