/* The core to oneself: looking for it, and waiting. */
#ifndef HW_IDLE_H
#define HW_IDLE_H

#include "probes/bench/bench.h"

#include <stdbool.h>

/* The curve, and the probe in its header, of whether the core was left alone while all probes
   measured.  It is for who reads curves: no value depends on it. */
#define HW_IDLE_CURVE "alone"

/* What needs the core to itself. */
struct hw_idle {
  struct hw_bench *bench;
  struct hw_point issue; /* cycles of an addition that waits for no other, with the core to oneself,
                            and their scatter; 0: it does not matter who else is there */
  bool anywhere;         /* whether it may be done on another processor of the same kind */
  double last;           /* what such an addition cost when it was last looked at, or 0 */
  double wait;           /* ns that may still be waited */
};

/* With the lowest such cost that the bench knows; waits no longer than the bench may. */
struct hw_idle hw_idle_begin(struct hw_bench *bench, struct hw_point issue, bool anywhere,
                             double wait);

/* Whether it was left alone when an addition that waits for no other cost so much. */
bool hw_idle(const struct hw_idle *alone, double issue);

/* Waits until it is left alone, or for as long as may be.  Returns what such an addition costs
   then; 0 when it does not matter.  What was seen when it was last looked at is still so. */
double hw_idle_await(struct hw_idle *alone);

/* Looks what it costs now; 0 when it does not matter. */
double hw_idle_look(struct hw_idle *alone);

/* Whether what was begun when the core was left alone is to be done again, for the try-th time,
   from 0 on: somebody came, and may yet go. */
bool hw_idle_again(struct hw_idle *alone, unsigned try);

/* Cycles of an addition that waits for no other, with the core to oneself, and their scatter: the
   lowest at which they gather when that is looked at for so long, ns, on some cores of the same
   kind in turn, and up to eight times as long where they have no edge.  Another thread of one core
   need only rest for some 0.1 ms of it.  x is how many additions it is taken from.  0 in count when
   they gather nowhere, or without memory. */
struct hw_point hw_quiet(const struct hw_bench *bench, double ns);

/* The same as the clock's curve has it; 0 when it was not measured. */
struct hw_point hw_issue(const struct hw_curves *curves);

/* Measures and publishes that as the clock's curve; again, where somebody was there before.  0, or
   -1 when they gather nowhere or without memory. */
int hw_issue_measure(struct hw_bench *bench);

/* Whether that is clear: additions that wait for no other scattered no more than those that do
   wait. Else somebody came and went while it was looked for, and may be taken for nobody. */
bool hw_issue_clear(const struct hw_curves *curves);

/* The same where the curve of that name was measured before, so that it was not clear; none the
   first time: what is clear beside a neighbour need not wait for it to go. */
struct hw_point hw_issue_again(const struct hw_curves *curves, const char *name);

/* In y the share of looks, over so long, ns, at which the core was left alone, and in count how
   many there were: 0 before the clock's curves are there. */
struct hw_point hw_idle_share(const struct hw_bench *bench, double ns);

#endif
