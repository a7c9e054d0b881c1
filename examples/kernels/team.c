/* Threads that stay, asleep, from one piece of work to the next: to start one takes longer than a
   small product.  Who waits looks again and again at first, for as long as waking it would take
   (HW_PAR_MIN_NS): more than twice the least wait is never lost.  Between looks it gives way, since
   processors may be shared. */
#include "team.h"

#ifdef TEAM_THREADS

#include "hwconfig.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#define TEAM_MOST 256u
#ifdef HW_PAR_MIN_NS
#define TEAM_PATIENCE HW_PAR_MIN_NS
#else
#define TEAM_PATIENCE 20000
#endif
/* Looks between two at the clock, or two times that it gives way. */
#define TEAM_LOOKS 256

static struct {
  pthread_mutex_t user;  /* whose the team is */
  pthread_mutex_t mutex; /* of what follows, where somebody sleeps */
  pthread_cond_t changed;
  unsigned sleeping;
  unsigned started;          /* threads beside the caller */
  unsigned threads;          /* that work, the caller too */
  unsigned birth[TEAM_MOST]; /* the turn in which each was started */
  void (*work)(void *argument, unsigned number, unsigned threads);
  void *argument;
  atomic_uint turn; /* grows with each piece of work */
  atomic_uint left; /* who has not done his part */
} team = {.user = PTHREAD_MUTEX_INITIALIZER,
          .mutex = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

static double team_now(void) {
  struct timespec now;

  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Looks until the word is another one; false when that takes too long. */
static bool team_look(atomic_uint *word, unsigned old) {
  const double start = team_now();

  do {
    for (int i = 0; i < TEAM_LOOKS; i++)
      if (atomic_load_explicit(word, memory_order_acquire) != old)
        return true;
    sched_yield();
  } while (team_now() - start < TEAM_PATIENCE);
  return false;
}

/* The turn that comes after the old one. */
static unsigned team_next(unsigned old) {
  if (!team_look(&team.turn, old)) {
    pthread_mutex_lock(&team.mutex);
    team.sleeping++;
    while (atomic_load(&team.turn) == old)
      pthread_cond_wait(&team.changed, &team.mutex);
    team.sleeping--;
    pthread_mutex_unlock(&team.mutex);
  }
  return atomic_load_explicit(&team.turn, memory_order_acquire);
}

/* number: 1 for the first beside the caller. */
static void *team_thread(void *number) {
  const unsigned self = (unsigned)(size_t)number;
  unsigned turn = team.birth[self];

  for (;;) {
    turn = team_next(turn);
    if (self < team.threads)
      team.work(team.argument, self, team.threads);
    atomic_fetch_sub_explicit(&team.left, 1, memory_order_release);
  }
  return NULL;
}

void team_wait(struct team_barrier *barrier, unsigned threads) {
  const unsigned before = atomic_fetch_add(&barrier->arrived, 1);
  const unsigned end = before / threads * threads + threads;

  for (unsigned i = 1; (int)(atomic_load(&barrier->arrived) - end) < 0; i++)
    if (i % TEAM_LOOKS == 0)
      sched_yield();
}

unsigned team_begin(unsigned threads) {
  threads = threads > TEAM_MOST ? TEAM_MOST : threads;
  if (threads < 2 || pthread_mutex_trylock(&team.user) != 0)
    return 1;
  while (team.started + 1 < threads) {
    pthread_t id;
    team.birth[team.started + 1] = atomic_load(&team.turn);
    if (pthread_create(&id, NULL, team_thread, (void *)(size_t)(team.started + 1)) != 0)
      break;
    pthread_detach(id);
    team.started++;
  }
  team.threads = threads > team.started + 1 ? team.started + 1 : threads;
  threads = team.threads;
  if (threads < 2)
    team_end();
  return threads;
}

void team_run(void (*work)(void *argument, unsigned number, unsigned threads), void *argument) {
  bool sleeping;

  team.work = work;
  team.argument = argument;
  atomic_store(&team.left, team.started);
  pthread_mutex_lock(&team.mutex);
  atomic_fetch_add_explicit(&team.turn, 1, memory_order_release);
  sleeping = team.sleeping > 0;
  pthread_mutex_unlock(&team.mutex);
  if (sleeping)
    pthread_cond_broadcast(&team.changed);
  work(argument, 0, team.threads);
  for (unsigned i = 1; atomic_load_explicit(&team.left, memory_order_acquire) > 0; i++)
    if (i % TEAM_LOOKS == 0)
      sched_yield();
}

void team_end(void) { pthread_mutex_unlock(&team.user); }

#else

void team_wait(struct team_barrier *barrier, unsigned threads) {
  (void)barrier;
  (void)threads;
}

unsigned team_begin(unsigned threads) {
  (void)threads;
  return 1;
}

void team_run(void (*work)(void *argument, unsigned number, unsigned threads), void *argument) {
  work(argument, 0, 1);
}

void team_end(void) {}

#endif
