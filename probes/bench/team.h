/* Threads that work at the same time: what may be believed of how they went. */
#ifndef HW_TEAM_H
#define HW_TEAM_H

#include "probes/bench/sampler.h"

/* Samples that were not disturbed, at least, for a point to say anything. */
#define HW_TEAM_TRUSTED 3u

/* Parts that work at the same time. */
struct hw_team {
  struct hw_part *part;
  size_t n;
  size_t step; /* by which the offset of each grows from round to round */
};

/* Whether a thread was preempted: it was charged for less of its time than passed. */
bool hw_team_away(const struct hw_part *part);

/* Whether so many of n threads were preempted, or had not begun when what counts of another began,
   that the others had it easier: one of up to 31, and one more for each 32. */
bool hw_team_missing(const struct hw_part *part, size_t n);

/* Whether others want n processors, or so many of them that hw_team_missing says so: a thread on
   each of them is preempted whenever that is looked at.  A host that sees them wanted deals them
   out anew, to other caches and other paths to memory, so that what lies between them is not what
   it is else.  Takes 25 ms; more where others want them.  False where there are no threads. */
bool hw_team_wanted(struct hw_bench *bench, size_t n);

/* Runs some teams in turn, so many rounds, so that a burst of noise hits all of them.  cost[] has a
   row for each round, of one for each part, team after team: what a unit took it, in cycles of its
   own additions where it does some, else in ns; of what is passed, one way of the pair; NAN where
   it was preempted or somebody of the team missing.  0, or -1 when there are no such threads, or it
   is late. */
int hw_team_rounds(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, double *cost);

/* The same, at the low end: point[] has one for each part; count 0 when too few samples were
   undisturbed.  0, or -1 as well when memory is short. */
int hw_team_sample(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, struct hw_point *point);

/* The low end of the samples of one column of a table that has so many columns, NAN where it was
   disturbed. */
struct hw_point hw_column_low(const double *column, size_t columns, unsigned rounds,
                              double *scratch);

#endif
