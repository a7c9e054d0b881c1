/* What the curves say of the shape of the levels below the first, for the probe that decides what
   else to measure. */
#ifndef HW_ROWS_COLOURS_H
#define HW_ROWS_COLOURS_H

#include "analysis/rows/levels.h"

#include <stddef.h>

/* The hit latency of a level (cycles): the lowest point of its plateau. */
double hw_colours_latency(const struct hw_curves *curves, const struct hw_level *level);

/* The ways of level n as its page colour of this number shows them: the pages of it that stay. */
struct hw_answer hw_colours_step(const struct hw_curves *curves, unsigned n, unsigned number);

/* The number of adjacent pages, of page bytes each, that share no sets of the level above level
   n. */
size_t hw_colours_classes(const struct hw_curves *curves, unsigned n, size_t page);

/* The number of pages of one such class and one colour of level n that the levels above hold; 0
   if it is not known. */
size_t hw_colours_held(const struct hw_curves *curves, unsigned n, size_t page);

/* Most colours of a level that are measured one by one. */
#define HW_COLOURS_TRIED 4u

/* Bins, and one more, of the histogram of readings of pages between a hit and a miss. */
#define HW_COLOURS_BINS 10u
/* A reading within this part of the way from hit to miss of one end counts as that end. */
#define HW_COLOURS_QUARTER 0.25
/* If more than this part of the readings that are no hits lie between, pages are evicted in
   parts. */
#define HW_COLOURS_BETWEEN 0.2

/* The readings that lie between hit and miss, and all that are no hits. */
void hw_colours_between(const double count[HW_COLOURS_BINS + 1], double *between, double *gone);

/* Pages beyond the capacity of a set: as few as surely evict one.  Lines that prefetchers bring in
   beside them must not fill the set. */
#define HW_COLOURS_MORE 2u

/* The number of pages of one class and colour that overflow the level above, which holds this many
   of them, so that few hit there under any replacement policy: half as many more, and two at least,
   but no more than half of the ways of a level of fewer, as both levels are to have places for
   them. */
size_t hw_colours_crowd(size_t held, size_t ways);

/* The rows of level n. */
enum hw_colours_row { HW_COLOURS_BYTES, HW_COLOURS_WAYS, HW_COLOURS_EXCLUSIVE, HW_COLOURS_LINE };
struct hw_answer hw_colours_row(const struct hw_curves *curves, unsigned n,
                                enum hw_colours_row row);

#endif
