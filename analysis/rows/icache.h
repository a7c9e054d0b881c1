/* What the probe of the instruction cache takes from its readers. */
#ifndef HW_ICACHE_H
#define HW_ICACHE_H

#include "analysis/values.h"

/* Pieces behind the last compact number, at least. */
#define HW_ICACHE_BEHIND 2u
/* Cycles of a miss at least: no cache behind the first answers in less. */
#define HW_ICACHE_MISS_LEAST 4
/* Bytes of code by which decoded instructions are told at least, where they outlast the cache. */
#define HW_ICACHE_DECODED ((size_t)64)
/* A second entry lies so many bytes behind the first at most; no line is shorter. */
#define HW_ICACHE_PAIR 16u
/* Entries of the pieces that there are most of; and of those that are farthest apart. */
#define HW_ICACHE_ENTRIES ((size_t)2)
#define HW_ICACHE_QUAD ((size_t)4)
/* Entries that are taken of those pieces when they are looked at once more. */
#define HW_ICACHE_TRIPLE ((size_t)3)

/* The shape that the lengths tell, of a cache or not.  0, or -1 when it is not clear. */
int hw_icache_shape(const struct hw_curves *curves, size_t *ways, size_t *stride);

/* Whether what is held with two entries is what is held with one.  That need not be exact, since a
   cache of decoded instructions would only hold half as many. */
bool hw_icache_alike(const struct hw_curves *curves);

/* Whether decoded instructions outlast the cache with one entry, so that more are looked at. */
bool hw_icache_outlasted(const struct hw_curves *curves);

/* The ways behind decoded instructions that outlast the cache.  Those of pieces of four entries
   overflow at a quarter of what was held with one: each piece more then costs less than the one
   before, until the cache overflows too. */
struct hw_answer hw_icache_behind_ways(const struct hw_curves *curves);

/* Whether an overfull set clearly misses, and pieces of code in one line count as several. */
bool hw_icache_apart(const struct hw_curves *curves);

/* What the shifts of half an overfull set tell behind decoded instructions. */
struct hw_icache_shifts {
  double line;
  double period; /* after so many bytes sets come again */
};

/* The line, and after how many bytes sets come again, behind decoded instructions that outlast the
   cache.  NULL, or why they are not clear. */
const char *hw_icache_behind_shifts(const struct hw_curves *curves, double ways,
                                    struct hw_icache_shifts *shifts);

#endif
