/* Whether the core is left alone, without work on its SMT sibling: looking, and waiting. */
#ifndef HW_IDLE_H
#define HW_IDLE_H

#include "probes/bench/bench.h"

#include <stdbool.h>

/* The curve, and the probe in its header, of whether the core was left alone while all probes
   measured.  It is for readers of curves: no value depends on it. */
#define HW_IDLE_CURVE "alone"

/* What needs the core to itself. */
struct hw_idle {
  struct hw_bench *bench;
  struct hw_point issue; /* baseline: cycles of an independent addition on a core left alone, and
                            their scatter; 0: a busy SMT sibling does not matter */
  bool anywhere;         /* whether it may be done on another processor of the same kind */
  double last;           /* cycles of an independent addition at the last look, or 0 */
  double wait;           /* ns that may still be waited */
};

/* Uses the bench's lower baseline, if there is one; waits no longer than the bench may. */
struct hw_idle hw_idle_begin(struct hw_bench *bench, struct hw_point issue, bool anywhere,
                             double wait);

/* Whether the core was left alone when an independent addition took issue cycles. */
bool hw_idle(const struct hw_idle *alone, double issue);

/* Waits until the core is left alone, for alone->wait at most, unless the last look found it so.
   Returns the cycles of an independent addition then; 0 when it does not matter. */
double hw_idle_await(struct hw_idle *alone);

/* Cycles of an independent addition now; 0 when it does not matter.  The cycle is measured for it:
   if samples were taken by their own cycle, those whose cycle was lengthened would pass. */
double hw_idle_look(struct hw_idle *alone);

/* Whether work that has ended is to be repeated, after try repetitions (from 0): the SMT sibling
   became busy meanwhile, and there is time left to wait for it. */
bool hw_idle_again(struct hw_idle *alone, unsigned try);

/* The baseline: cycles of an independent addition on a core left alone, and their scatter.  It is
   the lowest cluster of samples taken for ns on some cores of the same kind in turn, and for up to
   eight times as long if they have no clear edge.  One core's SMT sibling need only be idle for
   some 0.1 ms of it.  x is the number of additions of a sample.  0 in count when samples form no
   cluster, or without memory. */
struct hw_point hw_quiet(const struct hw_bench *bench, double ns);

/* The baseline as the clock's curve has it; 0 when it was not measured. */
struct hw_point hw_issue(const struct hw_curves *curves);

/* Measures the baseline and publishes it as the clock's curve, unless the one that is there is as
   low and no less clear.  0, or -1 when samples form no cluster or without memory. */
int hw_issue_measure(struct hw_bench *bench);

/* Replaces the baseline by the bench's lower one, if a probe has found one. */
int hw_issue_lower(struct hw_bench *bench);

/* Whether the baseline is clear: independent additions scattered no more than dependent ones.  Else
   the SMT sibling was busy at times, and a core shared with it may be taken for one left alone. */
bool hw_issue_clear(const struct hw_curves *curves);

/* In y the share of looks, over ns, at which the core was left alone, and in count their number: 0
   before the clock's curves are there. */
struct hw_point hw_idle_share(const struct hw_bench *bench, double ns);

#endif
