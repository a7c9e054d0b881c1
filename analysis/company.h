/* How far threads that run at the same time slow each other. */
#ifndef HW_COMPANY_H
#define HW_COMPANY_H

#include "analysis/reduce.h"

/* A thread whose time is at most HW_COMPANY_NONE times that alone is not slowed by others: what
   else lengthens work by less than a sixth is drift and noise.  From HW_COMPANY_SOME on it is: SMT
   siblings on a core that either keeps busy take a third longer at least. */
#define HW_COMPANY_NONE 1.15
#define HW_COMPANY_SOME 1.25

enum hw_company {
  HW_COMPANY_ALONE,   /* the others do not slow it */
  HW_COMPANY_SHARING, /* they do */
  HW_COMPANY_UNCLEAR
};

/* The state by a point, y being the time of a thread beside others over that alone.  UNCLEAR
   without samples. */
enum hw_company hw_company_of(const struct hw_point *point);

/* Execution contexts (BB 3.4): x threads, y time of the slowest of them over that alone.  value:
   the most threads that do not slow each other, that is, the first step (BB 4.2.1); here it has a
   threshold, as the last points may be missing.  No answer when the point behind it is missing or
   one of them is unclear. */
struct hw_answer hw_reduce_contexts(const struct hw_curve *curve);

/* Distance (x, growing) from which on there is no false sharing, y being the time of a thread
   beside others over that alone.  No answer when the least distance does not slow it, the largest
   does, or a point is unclear or on the other side of it. */
struct hw_answer hw_reduce_distance(const struct hw_curve *curve);

/* The state by a point, y being the time between two meetings of x threads (ns): ALONE, they run at
   the same time; SHARING, they meet only when the scheduler makes them take turns. */
enum hw_company hw_meeting_of(const struct hw_point *point);

/* Processors by meetings (BB 3.4, XT 3.6): x threads, y time from one meeting of all to the next
   (ns).  value: the most that run at the same time; one more, and they meet only when the scheduler
   makes them take turns.  No answer when either is missing or in between. */
struct hw_answer hw_reduce_meetings(const struct hw_curve *curve);

/* Time slot (BB 3.6), from a distribution: x time for which a thread ran, y how often.  value: the
   median of the densest window of HW_SLOT_WIDTH, a mode that does not favour values recorded more
   finely than they repeat; error: from its lower quartile to its upper one.  No answer for fewer
   than 16, or when more than half lie elsewhere: then other threads that cut slots short, or the
   system itself, leave no one slot. */
struct hw_answer hw_reduce_slot(const struct hw_curve *distribution);

/* A window reaches from x to this much more. */
#define HW_SLOT_WIDTH 0.1

#endif
