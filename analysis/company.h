/* What threads cost each other that work at the same time. */
#ifndef HW_COMPANY_H
#define HW_COMPANY_H

#include "analysis/reduce.h"

/* A thread that takes no longer than this, over what it takes alone, is not disturbed by others:
   what else lengthens work by less than a sixth is drift and noise.  One that takes this much
   longer is: who shares a core that is kept busy by either takes a third longer at least. */
#define HW_COMPANY_NONE 1.15
#define HW_COMPANY_SOME 1.25

enum hw_company {
  HW_COMPANY_ALONE,   /* the others do not disturb it */
  HW_COMPANY_SHARING, /* they do */
  HW_COMPANY_UNCLEAR
};

/* What a point says, y being the time of a thread in company over that alone.  One of no samples
   says nothing. */
enum hw_company hw_company_of(const struct hw_point *point);

/* Execution contexts (BB 3.4): x threads, y time of the slowest of them over that alone.  value:
   the most threads that do not disturb each other; that is, the first step (BB 4.2.1), for which
   there is a threshold here, as the last points need not be there.  No answer when the point behind
   it is missing or one of them is unclear. */
struct hw_answer hw_reduce_contexts(const struct hw_curve *curve);

/* Distance (x, growing) from which on the others do not disturb a thread, y being its time in
   company over that alone.  No answer when the least distance does not disturb it, the largest
   does, or a point is unclear or on the other side of it. */
struct hw_answer hw_reduce_distance(const struct hw_curve *curve);

/* What a point says, y being the time between two meetings of x threads (ns): alone, they run at
   the same time; sharing, they meet only when the scheduler has them take turns. */
enum hw_company hw_meeting_of(const struct hw_point *point);

/* Processors by meetings (BB 3.4, XT 3.6): x threads, y time from one meeting of them all to the
   next (ns).  value: the most that run at the same time; one more, and they meet only when the
   scheduler has them take turns.  No answer when either is missing or in between. */
struct hw_answer hw_reduce_meetings(const struct hw_curve *curve);

/* Time slot (BB 3.6), from a distribution: x time for which a thread ran, y how often.  value: the
   median of the window of HW_SLOT_WIDTH that has the most, which is the mode without its taste for
   values that are told more finely than they are the same; error: from its lower quartile to its
   upper one.  No answer for fewer than 16, or when more than half lie elsewhere: then those who cut
   slots short, or the system itself, have no one slot. */
struct hw_answer hw_reduce_slot(const struct hw_curve *distribution);

/* A window reaches from x to this much more. */
#define HW_SLOT_WIDTH 0.1

#endif
