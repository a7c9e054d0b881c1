/* Does a sequence of loads fit?  Decided by counting samples, with a stated probability of error.

   Noise only adds time, so one sample at the floor proves a fit, up to wrong readings of the clock.
   Samples come in rounds: a control that surely fits, then in random order the target, a sequence
   that is nearly as full and fits, and one that surely misses, and the control once more.  A round
   counts where both controls reach the floor: then no other thread interfered, whatever share of
   the time one does.  So bursts of interference, in which samples are anything but independent,
   cost rounds, and do not count. */
#ifndef HW_FIT_H
#define HW_FIT_H

#include "analysis/curve.h"

#include <stdbool.h>
#include <stddef.h>

/* How sure a decision has to be. */
struct hw_fit_odds {
  double epsilon; /* the probability of error that is accepted */
  double part;    /* the part of the rate of a sequence nearly as full that one that fits has
                     at least: where other threads bring m lines into a set during a sample,
                     exp(-m) of samples with no way to spare keep all lines */
};

/* For published values: two lines of other threads in each set. */
#define HW_FIT_SURE ((struct hw_fit_odds){1e-6, 1 / 8.0})
/* For where to measure next: a stricter test follows. */
#define HW_FIT_LIKELY ((struct hw_fit_odds){1e-3, 1 / 4.0})

/* The samples of a round. */
enum hw_fit_sample {
  HW_FIT_FULL, /* nearly as full as the target, or as full, and fits */
  HW_FIT_TARGET,
  HW_FIT_MISSING, /* surely misses */
  HW_FIT_BEFORE,  /* the control */
  HW_FIT_AFTER,   /* the control once more */
  HW_FIT_SAMPLES
};

/* One round: cycles a load of each of its samples. */
struct hw_fit_round {
  double y[HW_FIT_SAMPLES];
};

/* The samples at the floor: from low to high, both included. */
struct hw_fit_floor {
  double low;
  double high;
};

/* Samples at the floor, and all.  Those below the floor count as neither: they are faster than any
   control, so that the cycle or the clock was disturbed. */
struct hw_fit_share {
  unsigned long floor;
  unsigned long n;
};

/* Counts over the rounds that count. */
struct hw_fit_counts {
  unsigned long rounds; /* that count */
  struct hw_fit_share target;
  struct hw_fit_share full;
  struct hw_fit_share missing;
};

enum hw_fit_verdict {
  HW_FIT_UNKNOWN, /* so far */
  HW_FIT_YES,
  HW_FIT_NO,
  HW_FIT_ALIKE /* the two controls do not differ: one of them is wrong */
};

struct hw_fit_answer {
  enum hw_fit_verdict verdict;
  double error;    /* probability that YES or NO is wrong, at most */
  const char *why; /* of others */
};

/* How wide a floor that begins at y may be: a certain share of y, and at most least, half of the
   least miss penalty (all in cycles a load). */
double hw_fit_width(double y, double least);

/* The floor: the lowest cluster of the controls, no wider than that; scratch has room for two
   values a round.  high is 0 if there is none. */
struct hw_fit_floor hw_fit_floor(const struct hw_fit_round *round, size_t n, double least,
                                 double *scratch);

/* Whether a round counts. */
bool hw_fit_bracket(const struct hw_fit_round *round, const struct hw_fit_floor *floor);

/* Adds n rounds to the counts. */
void hw_fit_add(struct hw_fit_counts *counts, const struct hw_fit_round *round, size_t n,
                const struct hw_fit_floor *floor);

/* Counts the rounds. */
struct hw_fit_counts hw_fit_count(const struct hw_fit_round *round, size_t n,
                                  const struct hw_fit_floor *floor);

/* Decides.  May be called after any round, as the rounds grow. */
struct hw_fit_answer hw_fit_decide(const struct hw_fit_counts *counts, struct hw_fit_odds odds);

/* Puts the counts of n lines into two curves: y of fit is the target's share at the floor, its
   spread that of the sequence that misses; y of full that of the one nearly as full.  0, or -1
   without memory. */
int hw_fit_put(struct hw_curve *fit, struct hw_curve *full, double n,
               const struct hw_fit_counts *counts);

/* Decides again, off these curves; they may be NULL. */
struct hw_fit_answer hw_fit_read(const struct hw_curve *fit, const struct hw_curve *full, double n,
                                 struct hw_fit_odds odds);

/* A probability of error as a clarity: the standard errors that chance exceeds with it. */
double hw_fit_clarity(double error);

#endif
