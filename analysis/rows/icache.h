/* What the probe of the instruction cache takes from its readers. */
#ifndef HW_ICACHE_H
#define HW_ICACHE_H

#include "analysis/values.h"

/* Points measured behind the last compact number of pieces, at least. */
#define HW_ICACHE_BEHIND 2u
/* Cycles of a miss at least: no cache behind the first answers in less. */
#define HW_ICACHE_MISS_LEAST 4
/* Bytes of code by which a micro-op cache that holds more lines is tagged, at least. */
#define HW_ICACHE_DECODED ((size_t)64)
/* A second entry lies this many bytes behind the first at most; no line is shorter. */
#define HW_ICACHE_PAIR 16u
/* Entries of the usual pieces; and of the largest ones. */
#define HW_ICACHE_ENTRIES ((size_t)2)
#define HW_ICACHE_QUAD ((size_t)4)
/* Entries of those pieces that are visited when they are measured once more. */
#define HW_ICACHE_TRIPLE ((size_t)3)

/* The shape that the lengths give, of the cache or of another structure.  0, or -1 when it is not
   clear. */
int hw_icache_shape(const struct hw_curves *curves, size_t *ways, size_t *stride);

/* Whether as many lines are held with two entries as with one.  That need not be exact: a micro-op
   cache would hold only half as many. */
bool hw_icache_alike(const struct hw_curves *curves);

/* Whether the micro-op cache holds more lines than the instruction cache with one entry, so that
   pieces of more entries are measured. */
bool hw_icache_outlasted(const struct hw_curves *curves);

/* The ways behind a micro-op cache that holds more lines.  Of pieces of four entries it overflows
   at a quarter of what it held with one: each further piece then costs less than the one before,
   until the instruction cache overflows too. */
struct hw_answer hw_icache_behind_ways(const struct hw_curves *curves);

/* Whether an overfull set clearly misses, and pieces of code in one line count as several. */
bool hw_icache_apart(const struct hw_curves *curves);

/* What the shifts of half an overfull set give behind a micro-op cache, bytes. */
struct hw_icache_shifts {
  double line;
  double period; /* the stride after which sets repeat */
};

/* The line and the stride after which sets repeat, behind a micro-op cache that holds more lines.
   NULL, or why they are not clear. */
const char *hw_icache_behind_shifts(const struct hw_curves *curves, double ways,
                                    struct hw_icache_shifts *shifts);

#endif
