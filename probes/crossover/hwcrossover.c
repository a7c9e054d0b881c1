/* hwcrossover FIRST LAST SECONDS [SECONDS]: from which size on a function of another package is
   quicker than another, for HW_CHECK_CROSSOVER (m4/hw_check_crossover.m4).  A program of its own,
   linked with these functions.

   Method  Both functions are timed in rounds, one next to the other, on one processor, in random
           order; a sample is of as many calls as the clock resolves.  analysis/crossover.h
           decides.
   Cost    As many seconds, at most; of functions that take microseconds some tenths.
   Limits  The time is that of the thread, so that other processes on the processor do not count,
           nor do threads that a function starts.  What the functions work on is in the caches, as
           far as it fits there: it has just been worked on.

   Output: "N LOW HIGH", the size and those between which it was seen, or "N", the first one;
   "never" if the second function is not the quicker one up to LAST; or "unknown REASON".  The
   rounds of each size go to stderr. */
#include "probes/machine/features.h" /* first */

#include "analysis/bet.c"
#include "analysis/crossover.c"
#include "probes/bench/random.c"
#include "probes/machine/bind.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A sample takes at least this many times as long as a reading of the clock, or its step: both ends
   together are wrong by some hundredths then, which is noise like other noise.  A clock that steps
   by more than that, ns, is one of ticks. */
#define CROSSOVER_TICKS 50
#define CROSSOVER_STEP_MOST 5e3
/* Samples of which the least is taken to be undisturbed. */
#define CROSSOVER_LEAST 3
/* Readings of the clock, of which the smallest step counts. */
#define CROSSOVER_READINGS 1000
/* Part of the time left that one size may take, and the grace after which a function that does not
   return is stopped, seconds. */
#define CROSSOVER_PART 2
#define CROSSOVER_GRACE 2

/* The functions. */
extern void (*const hw_crossover_of[2])(long n);

struct crossover_timer {
  clockid_t clock;
  double step;     /* of the clock, ns: its own, or what a reading takes */
  double deadline; /* by the monotonic clock, ns */
  struct hw_random random;
};

static double crossover_read(clockid_t clock) {
  struct timespec now;

  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The smallest step of the clock that was seen, ns: its own, or what a reading takes. */
static double crossover_tick(clockid_t clock) {
  double step = INFINITY, last = crossover_read(clock);

  for (int i = 0; i < CROSSOVER_READINGS; i++) {
    double now = crossover_read(clock);
    if (now > last)
      step = fmin(step, now - last);
    last = now;
  }
  return step;
}

/* The thread's own clock, where it is a fine one. */
static void crossover_clock(struct crossover_timer *timer) {
  timer->step = INFINITY;
#ifdef CLOCK_THREAD_CPUTIME_ID
  timer->clock = CLOCK_THREAD_CPUTIME_ID;
  timer->step = crossover_tick(timer->clock);
#endif
  if (timer->step > CROSSOVER_STEP_MOST) {
    timer->clock = CLOCK_MONOTONIC;
    timer->step = crossover_tick(timer->clock);
  }
}

/* ns of that many calls, without the reading of the clock. */
static double crossover_time(const struct crossover_timer *timer, int which, long n,
                             unsigned long calls) {
  double start = crossover_read(timer->clock);

  for (unsigned long i = 0; i < calls; i++)
    hw_crossover_of[which](n);
  return crossover_read(timer->clock) - start - timer->step;
}

/* Calls of a sample, after one that readies what the function works on. */
static unsigned long crossover_calls(const struct crossover_timer *timer, int which, long n) {
  unsigned long calls = 1;

  for (hw_crossover_of[which](n); calls < 1UL << 30; calls *= 2) {
    double least = INFINITY;
    for (int try = 0; try < CROSSOVER_LEAST && least >= CROSSOVER_TICKS * timer->step; try++)
      least = fmin(least, crossover_time(timer, which, n, calls));
    if (least >= CROSSOVER_TICKS * timer->step)
      break;
  }
  return calls;
}

static double crossover_now(void) { return crossover_read(CLOCK_MONOTONIC); }

/* Which function is the quicker one at a size. */
static enum hw_crossover_verdict crossover_ask(void *context, long n) {
  static const char *const word[] = {"first", "second", "alike", "noise", "late"};
  struct crossover_timer *timer = context;
  const double start = crossover_now(), end = start + (timer->deadline - start) / CROSSOVER_PART;
  struct hw_crossover_counts counts = {0};
  enum hw_crossover_verdict verdict = HW_CROSSOVER_NOISE;
  unsigned long calls[2] = {1, 1};
  double ns[2] = {0, 0};

  for (int which = 0; which < 2 && start < end; which++)
    calls[which] = crossover_calls(timer, which, n);
  while (verdict == HW_CROSSOVER_NOISE && counts.rounds < HW_CROSSOVER_ROUNDS_MOST &&
         crossover_now() < end) {
    int which = (int)(hw_random_bits(&timer->random) & 1);
    for (int turn = 0; turn < 2; turn++, which = !which)
      ns[which] = crossover_time(timer, which, n, calls[which]) / (double)calls[which];
    hw_crossover_add(&counts, ns[0], ns[1]);
    verdict = hw_crossover_judge(&counts);
  }
  if (verdict == HW_CROSSOVER_NOISE && counts.rounds < HW_CROSSOVER_ROUNDS_MOST)
    verdict = HW_CROSSOVER_LATE;
  fprintf(
      stderr,
      "%ld: %s; %lu rounds, the second quicker in %lu and slower in %lu; %.4g and %.4g ns last\n",
      n, word[verdict], counts.rounds, counts.quicker, counts.slower, ns[0], ns[1]);
  return verdict;
}

static void crossover_print(struct hw_crossover_answer answer) {
  if (!answer.known)
    printf("unknown %s, at %ld\n", answer.why, answer.n);
  else if (answer.never)
    puts("never");
  else if (answer.low == answer.high)
    printf("%ld\n", answer.n);
  else
    printf("%ld %ld %ld\n", answer.n, answer.low, answer.high);
}

int main(int argc, char **argv) {
  struct crossover_timer timer = {.random = hw_random_of(1, "crossover", 0)};
  double seconds = INFINITY;
  const long first = argc > 3 ? strtol(argv[1], NULL, 10) : 0;
  const long last = argc > 3 ? strtol(argv[2], NULL, 10) : 0;

  for (int i = 3; i < argc; i++)
    seconds = fmin(seconds, strtod(argv[i], NULL));
  if (first < 1 || last < first || !(seconds > 0) || seconds > 1e6) {
    fputs("usage: hwcrossover FIRST LAST SECONDS\n", stderr);
    return 2;
  }
  alarm((unsigned)ceil(seconds) + CROSSOVER_GRACE);
  (void)hw_bind_one(hw_bind_where()); /* refused: wherever it is */
  timer.deadline = crossover_now() + seconds * 1e9;
  crossover_clock(&timer);
  if (timer.step >= INFINITY)
    puts("unknown the clock does not advance");
  else
    crossover_print(hw_crossover_search(first, last, crossover_ask, &timer));
  return fflush(stdout) != 0;
}
