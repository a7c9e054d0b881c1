/* Threads that work at the same time: which of their samples are undisturbed. */
#ifndef HW_TEAM_H
#define HW_TEAM_H

#include "probes/bench/sampler.h"

/* Undisturbed samples that a point needs at least. */
#define HW_TEAM_TRUSTED 3u

/* Parts that work at the same time. */
struct hw_team {
  struct hw_part *part;
  size_t n;
  size_t step; /* bytes by which the offset of each grows from round to round */
};

/* Whether a thread was preempted: it was charged for less processor time than passed. */
bool hw_team_away(const struct hw_part *part);

/* Whether enough of n threads were preempted, or had not begun when another's timed work began,
   that the others met less contention: one of up to 31, and one more for each 32. */
bool hw_team_missing(const struct hw_part *part, size_t n);

/* Whether other processes load n processors, by hw_team_missing: threads on them are preempted in
   each of some watches.  Under load, a hypervisor may migrate virtual processors, to other caches
   and other paths to memory: what lies between them then differs.  Takes 25 ms; more if they
   are loaded.  False if there are no threads. */
bool hw_team_wanted(struct hw_bench *bench, size_t n);

/* Runs the teams in turn in each round, so that a burst of noise hits all of them.  cost[] has a
   row for each round, of one for each part, team after team: the time of a unit, in cycles of the
   part's own additions if it does some, else in ns; of what is passed, one way of the pair; NAN
   if it was preempted or a thread of the team was missing.  0, or -1 when there are no such
   threads, or it is late. */
int hw_team_rounds(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, double *cost);

/* The same, at the low end: point[] has one for each part; count 0 when too few samples were
   undisturbed.  0, or -1 as well when memory is short. */
int hw_team_sample(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, struct hw_point *point);

/* The low end of one column of a table of rounds rows and that many columns; samples that are NAN
   were disturbed, and are left out. */
struct hw_point hw_column_low(const double *column, size_t columns, unsigned rounds,
                              double *scratch);

#endif
