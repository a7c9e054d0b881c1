/* From which size on one function is quicker than another: decided by rounds, in each of which both
   are timed, one next to the other, in random order.

   A size is decided by a sign test, a bet (bet.h) on which of the two takes less time: noise that
   does not know which is timed makes either the quicker one as often.  Wrong by chance is one
   verdict in a million at most, however much noise there is and however often it was looked at; of
   a search, with 64 sizes at most, each of them looked at three times at most, one in 5000.

   The search doubles the size, from the first one, until the second function is the quicker one and
   stays so for two more doublings.  Then it bisects between the last size at which the first is the
   quicker one and the next at which the second is, and looks at three sizes of the octave above.

   Where noise hides which is the quicker one, or time is short, the crossover is known if those two
   sizes differ by a factor of two at most.

   Limits  What lies between the sizes that were looked at is not seen, nor what lies beyond two
           doublings. */
#ifndef HW_CROSSOVER_H
#define HW_CROSSOVER_H

#include <stdbool.h>

/* Sizes that a search looks at, at most. */
#define HW_CROSSOVER_POINTS 64u
/* Rounds from which on both functions may take as long, and those of a size at most. */
#define HW_CROSSOVER_ROUNDS 300u
#define HW_CROSSOVER_ROUNDS_MOST 1000u

/* Rounds of a size. */
struct hw_crossover_counts {
  unsigned long rounds;
  unsigned long quicker;      /* the second function took less time, */
  unsigned long slower;       /* or more; */
  unsigned long much_quicker; /* by more than 3 %, */
  unsigned long much_slower;  /* or more by that */
};

enum hw_crossover_verdict {
  HW_CROSSOVER_FIRST,  /* the first is the quicker one */
  HW_CROSSOVER_SECOND, /* the second is */
  HW_CROSSOVER_ALIKE,  /* they take as long, within 3 % */
  HW_CROSSOVER_NOISE,  /* not decided (so far) */
  HW_CROSSOVER_LATE    /* there was no time for it */
};

/* Counts a round: the times of the two functions. */
void hw_crossover_add(struct hw_crossover_counts *counts, double first, double second);

/* Decides.  May be called after any round. */
enum hw_crossover_verdict hw_crossover_judge(const struct hw_crossover_counts *counts);

/* What a search has found. */
struct hw_crossover_answer {
  bool known;
  bool never;      /* known: the second function is not the quicker one up to the last size */
  long n;          /* known: from this size on it is */
  long low;        /* and the sizes between which that was seen */
  long high;       /* (the last size, if never) */
  const char *why; /* unknown: why; at the size n */
};

/* Searches sizes from first to last, 1 <= first <= last; ask tells which function is the quicker
   one at a size. */
struct hw_crossover_answer
hw_crossover_search(long first, long last, enum hw_crossover_verdict (*ask)(void *context, long n),
                    void *context);

#endif
