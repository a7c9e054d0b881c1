/* Threads of the real machine: POSIX threads. */
#include "probes/machine/features.h" /* first */

#include "probes/machine/threads.h"

#include "analysis/environment.h"
#include "probes/machine/bind.h"
#include "probes/machine/memory.h"

#include <unistd.h>

/* TCC does not define __STDC_NO_ATOMICS__, though it may lack the header for atomics. */
#if defined __TINYC__ && !defined HW_WITHOUT_THREADS
#define HW_WITHOUT_THREADS
#endif

/* Defined by configure where a program with threads cannot be linked. */
#if !defined HW_WITHOUT_THREADS && defined _POSIX_THREADS && _POSIX_THREADS > 0 &&                 \
    !defined __STDC_NO_ATOMICS__

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes; much less than the system's default, for which some hundred threads have no room. */
#define THREADS_STACK ((size_t)256 << 10)
/* Looks at a word between two looks at the clock. */
#define THREADS_PATIENCE 256
/* Parts of its work in which a thread that is done early goes on. */
#define THREADS_PARTS 8
/* A thread that has begun waits this long for the others, and this for each of them, ns: they are
   woken one after the other.  A thread that waits for its processor comes too late. */
#define THREADS_GATHER 1e5
#define THREADS_WAKE 1e4
/* A word that one thread writes and another reads, padded to the longest line: no false sharing. */
struct threads_word {
  atomic_ulong value;
  char apart[HW_LINE_LONGEST - sizeof(atomic_ulong)];
};

struct threads_team {
  size_t n;
  size_t bytes; /* of the largest block that is passed */
  char *room;   /* allocation of the blocks */
  char *block;  /* one of each pair */
  hw_threads_piece *piece;
  hw_threads_block *pass;
  pthread_mutex_t mutex;       /* of the next three */
  pthread_cond_t changed;      /* all are ready, or one is missing */
  size_t ready;                /* threads that are ready */
  bool broken;                 /* one of them is missing */
  struct threads_word begun;   /* threads that have begun, and run */
  struct threads_word done;    /* threads that are done */
  struct threads_word arrived; /* arrivals at all barriers so far */
  atomic_bool over;            /* no thread waits any more */
  struct threads_word *word;   /* THREADS_WORDS of each pair */
  struct threads_hand *hand;   /* one of each pair, or NULL if nothing is handed over */
};

/* Work handed over between two threads: turn is odd while the second has it. */
struct threads_hand {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  unsigned long turn;
};

struct threads_member {
  struct threads_team *team;
  struct hw_thread *thread;
  size_t number;
};

static double threads_now(const struct threads_member *member) {
  struct hw_machine *machine = member->thread->machine;

  return machine->ops->now(machine);
}

/* Times dependent additions, if there are any; keeps the shorter time of one, ns. */
static void threads_cycle(const struct threads_member *member) {
  struct hw_machine *machine = member->thread->machine;
  struct hw_part *part = member->thread->part;
  double start = threads_now(member), cycle;

  if (part->adds == 0)
    return;
  machine->ops->add(machine, part->adds);
  cycle = (threads_now(member) - start) / (double)part->adds;
  if (part->cycle_ns <= 0 || cycle < part->cycle_ns)
    part->cycle_ns = cycle;
}

/* Number of threads that have not begun yet. */
static size_t threads_missing(struct threads_team *team) {
  return team->n - atomic_load(&team->begun.value);
}

/* Begins together with the others, if they come in time. */
static void threads_gather(const struct threads_member *member) {
  struct threads_team *team = member->team;
  double end = threads_now(member) + THREADS_GATHER + THREADS_WAKE * (double)team->n;

  atomic_fetch_add(&team->begun.value, 1);
  while (threads_missing(team) > 0 && threads_now(member) < end)
    continue;
}

static void threads_count(const struct threads_member *member) {
  struct hw_part *part = member->thread->part;
  double start;

  if (part->warm > 0)
    member->team->piece(member->thread->machine, part, part->warm);
  threads_cycle(member);
  part->later = threads_missing(member->team);
  start = threads_now(member);
  member->team->piece(member->thread->machine, part, part->n);
  part->work_ns = threads_now(member) - start;
  part->done = (double)part->n;
  threads_cycle(member);
}

/* Goes on with the work until all threads are done, so that contention stays the same. */
static void threads_go_on(const struct threads_member *member) {
  struct threads_team *team = member->team;
  const struct hw_part *part = member->thread->part;
  unsigned long n = part->n / THREADS_PARTS / HW_STREAM_GRAIN * HW_STREAM_GRAIN;

  while (atomic_load(&team->done.value) < team->n)
    team->piece(member->thread->machine, part, n > 0 ? n : HW_STREAM_GRAIN);
}

/* Spins until the word has that value at least.  False when no thread waits any more, or after the
   end, ns, which stops the others' waits too. */
static bool threads_wait(const struct threads_member *member, struct threads_word *word,
                         unsigned long value, double end) {
  for (;;) {
    for (int i = 0; i < THREADS_PATIENCE; i++)
      if (atomic_load(&word->value) >= value)
        return true;
    if (atomic_load(&member->team->over))
      return false;
    if (threads_now(member) > end) {
      atomic_store(&member->team->over, true);
      return false;
    }
  }
}

static void threads_meet(const struct threads_member *member) {
  struct threads_team *team = member->team;
  struct hw_part *part = member->thread->part;
  double start = threads_now(member), end = start + (double)part->n, now = start;
  unsigned long rounds = 0;

  while (now < end) {
    atomic_fetch_add(&team->arrived.value, 1);
    if (!threads_wait(member, &team->arrived, (rounds + 1) * team->n, end))
      break;
    rounds++;
    now = threads_now(member);
  }
  atomic_store(&team->over, true);
  part->done = (double)rounds;
  part->work_ns = threads_now(member) - start;
}

/* Words that a pair passes in turn, each once untimed, the last of them with the block, and then
   round trips with each in turn: the distance of a line's home (its slice or node) from the two
   cores depends on its address. */
#define THREADS_WORDS 32
#define THREADS_TRIPS 8

/* The word of the i-th round trip. */
static struct threads_word *threads_passed(const struct threads_member *member, unsigned long i) {
  unsigned long word = i < THREADS_WORDS ? i : i / THREADS_TRIPS % THREADS_WORDS;

  return &member->team->word[member->number / 2 * THREADS_WORDS + word];
}

static void threads_pass(const struct threads_member *member) {
  struct hw_part *part = member->thread->part;
  char *block = part->memory != NULL
                    ? part->memory->base
                    : member->team->block + member->number / 2 * member->team->bytes;
  unsigned long turn = member->number % 2, i;
  double start, end;

  part->later = threads_missing(member->team);
  start = threads_now(member);
  end = start + HW_PROCESS_STAYS_NS; /* later, the two do not run at the same time */
  for (i = 0; i < THREADS_WORDS + part->n; i++) {
    unsigned long last = i + turn > 0 ? i + turn - 1 : 0; /* whose word this one answers */

    if (i == THREADS_WORDS)
      start = threads_now(member);
    if (!threads_wait(member, threads_passed(member, last), 2 * i + turn, end))
      break;
    if (part->bytes > 0 && i + 1 >= THREADS_WORDS)
      member->team->pass(member->thread->machine, block, part->bytes);
    atomic_store(&threads_passed(member, i)->value, 2 * i + turn + 1);
  }
  part->done = (double)(i > THREADS_WORDS ? i - THREADS_WORDS : 0);
  part->work_ns = threads_now(member) - start;
}

static void threads_watch(const struct threads_member *member) {
  struct hw_part *part = member->thread->part;
  double start = threads_now(member), last = start, now = start;

  part->gaps = 0;
  while (now < start + (double)part->n) {
    now = threads_now(member);
    if (now - last > HW_GAP_NS && part->gaps < HW_GAPS)
      part->gap[part->gaps++] = (struct hw_gap){last, now};
    last = now;
  }
  part->done = part->work_ns = now - start;
}

/* Sleeps until it is that turn; does not spin, like most programs. */
static void threads_sleep(struct threads_hand *hand, unsigned long turn) {
  pthread_mutex_lock(&hand->mutex);
  while (hand->turn != turn)
    pthread_cond_wait(&hand->changed, &hand->mutex);
  pthread_mutex_unlock(&hand->mutex);
}

static void threads_wake(struct threads_hand *hand) {
  pthread_mutex_lock(&hand->mutex);
  hand->turn++;
  pthread_cond_signal(&hand->changed);
  pthread_mutex_unlock(&hand->mutex);
}

static void threads_hand(const struct threads_member *member) {
  struct hw_machine *machine = member->thread->machine;
  struct hw_part *part = member->thread->part;
  struct threads_hand *hand = &member->team->hand[member->number / 2];
  bool first = member->number % 2 == 0;

  threads_cycle(member);
  part->work_ns = 0;
  for (unsigned long i = 0; i < part->n; i++) {
    double start;

    if (first)
      machine->ops->add(machine, HW_HAND_APART);
    else
      threads_sleep(hand, 2 * i + 1);
    start = threads_now(member);
    if (first)
      threads_wake(hand);
    machine->ops->add(machine, part->piece);
    if (first)
      threads_sleep(hand, 2 * i + 2);
    else
      threads_wake(hand);
    part->work_ns += threads_now(member) - start;
  }
  part->done = (double)part->n;
  threads_cycle(member);
}

static bool threads_counts(enum hw_work work) {
  return work != HW_WORK_MEET && work != HW_WORK_PASS && work != HW_WORK_WATCH &&
         work != HW_WORK_HAND;
}

static void threads_work(const struct threads_member *member) {
  struct hw_machine *machine = member->thread->machine;
  struct hw_part *part = member->thread->part;
  struct hw_usage before, after;
  double start;

  machine->ops->usage(machine, &before);
  start = threads_now(member);
  part->later = 0;
  if (threads_counts(part->work) || part->work == HW_WORK_PASS)
    threads_gather(member);
  if (part->work == HW_WORK_MEET)
    threads_meet(member);
  else if (part->work == HW_WORK_PASS)
    threads_pass(member);
  else if (part->work == HW_WORK_WATCH)
    threads_watch(member);
  else if (part->work == HW_WORK_HAND)
    threads_hand(member);
  else
    threads_count(member);
  part->wall_ns = threads_now(member) - start;
  machine->ops->usage(machine, &after);
  part->cpu_ns = before.cpu_ns < 0 ? -1 : after.cpu_ns - before.cpu_ns;
}

/* Tells all threads that one is missing. */
static void threads_break(struct threads_team *team) {
  pthread_mutex_lock(&team->mutex);
  team->broken = true;
  pthread_cond_broadcast(&team->changed);
  pthread_mutex_unlock(&team->mutex);
}

/* Sleeps until all are ready: where other processes load its processor, a thread that wakes gets it
   at once, and one that yields waits for its next time slice.  False when one is missing. */
static bool threads_ready(struct threads_team *team) {
  bool all;

  pthread_mutex_lock(&team->mutex);
  team->ready++;
  if (team->ready == team->n)
    pthread_cond_broadcast(&team->changed);
  while (team->ready < team->n && !team->broken)
    pthread_cond_wait(&team->changed, &team->mutex);
  all = !team->broken;
  pthread_mutex_unlock(&team->mutex);
  return all;
}

static void *threads_body(void *context) {
  struct threads_member *member = context;
  struct threads_team *team = member->team;
  struct hw_part *part = member->thread->part;

  if (member->thread->processor >= 0 && hw_bind_one(member->thread->processor) != 0)
    threads_break(team);
  part->cycle_ns = 0;
  if (!threads_ready(team))
    return NULL;
  threads_work(member);
  atomic_fetch_add(&team->done.value, 1);
  if (threads_counts(part->work) && part->work != HW_WORK_TOUCH)
    threads_go_on(member);
  return NULL;
}

/* Starts the threads and waits for them.  NULL, or why one could not be started or bound. */
static const char *threads_start(struct threads_team *team, struct threads_member *member,
                                 pthread_t *id) {
  pthread_attr_t attributes;
  size_t started = 0;

  if (pthread_attr_init(&attributes) != 0)
    return "out of memory";
  (void)pthread_attr_setstacksize(&attributes, THREADS_STACK); /* refused: the default */
  while (started < team->n &&
         pthread_create(&id[started], &attributes, threads_body, &member[started]) == 0)
    started++;
  if (started < team->n)
    threads_break(team);
  for (size_t i = 0; i < started; i++)
    pthread_join(id[i], NULL);
  pthread_attr_destroy(&attributes);
  if (started < team->n)
    return "threads cannot be started";
  return team->broken ? "threads cannot be bound to processors" : NULL;
}

/* Allocates what pairs hand over.  0, or -1 without memory or when n is odd. */
static int threads_hands(struct threads_team *team, const struct hw_thread *thread, size_t n) {
  if (thread->part->work != HW_WORK_HAND)
    return 0;
  if (n % 2 == 0)
    team->hand = calloc(n / 2, sizeof *team->hand);
  for (size_t i = 0; team->hand != NULL && i < n / 2; i++) {
    pthread_mutex_init(&team->hand[i].mutex, NULL);
    pthread_cond_init(&team->hand[i].changed, NULL);
  }
  return team->hand == NULL ? -1 : 0;
}

/* Allocates the blocks of n threads, aligned to a line, and touches their pages.  0, or -1. */
static int threads_blocks(struct threads_team *team, const struct hw_thread *thread, size_t n) {
  size_t bytes;

  for (size_t i = 0; i < n; i++)
    if (thread[i].part->work == HW_WORK_PASS && thread[i].part->memory == NULL &&
        thread[i].part->bytes > team->bytes)
      team->bytes = thread[i].part->bytes;
  bytes = (n / 2 + 1) * team->bytes + HW_LINE_LONGEST;
  team->room = malloc(bytes);
  if (team->room == NULL)
    return -1;
  memset(team->room, 1, bytes);
  team->block = team->room + (HW_LINE_LONGEST - (uintptr_t)team->room % HW_LINE_LONGEST);
  return 0;
}

/* A team of n threads that does nothing yet; NULL without memory. */
static struct threads_team *threads_new(size_t n) {
  struct threads_team *team = calloc(1, sizeof *team);

  if (team == NULL)
    return NULL;
  team->n = n;
  team->word = calloc((n / 2 + 1) * THREADS_WORDS, sizeof *team->word);
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->changed, NULL);
  return team;
}

static void threads_free(struct threads_team *team) {
  for (size_t i = 0; team->hand != NULL && i < team->n / 2; i++) {
    pthread_cond_destroy(&team->hand[i].changed);
    pthread_mutex_destroy(&team->hand[i].mutex);
  }
  pthread_cond_destroy(&team->changed);
  pthread_mutex_destroy(&team->mutex);
  free(team->word);
  free(team->room);
  free(team->hand);
  free(team);
}

const char *hw_threads_run(struct hw_thread *thread, size_t n, hw_threads_piece *piece,
                           hw_threads_block *block) {
  struct threads_team *team = threads_new(n);
  struct threads_member *member = calloc(n, sizeof *member);
  pthread_t *id = calloc(n, sizeof *id);
  const char *why = "out of memory";

  if (team != NULL && team->word != NULL && member != NULL && id != NULL &&
      threads_blocks(team, thread, n) == 0 && threads_hands(team, thread, n) == 0) {
    team->piece = piece;
    team->pass = block;
    for (size_t i = 0; i < n; i++)
      member[i] = (struct threads_member){team, &thread[i], i};
    why = threads_start(team, member, id);
  }
  if (team != NULL)
    threads_free(team);
  free(member);
  free(id);
  return why;
}

void hw_threads_add(void *word, unsigned long n) {
  atomic_uint *value = word;

  for (; n > 0; n--)
    atomic_fetch_add_explicit(value, 1, memory_order_relaxed);
}

#else /* no threads */

void hw_threads_add(void *word, unsigned long n) {
  (void)word;
  (void)n;
}

const char *hw_threads_run(struct hw_thread *thread, size_t n, hw_threads_piece *piece,
                           hw_threads_block *block) {
  (void)thread;
  (void)n;
  (void)piece;
  (void)block;
  return "threads cannot be started";
}

#endif
