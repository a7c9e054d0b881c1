/* What the curves say of the shape of the levels below the first, for the probe that decides what
   else to measure. */
#ifndef HW_SHAPE_H
#define HW_SHAPE_H

#include "analysis/rows/levels.h"

#include <stddef.h>

/* What a load costs in a level, cycles: the least on its plateau. */
double hw_shape_latency(const struct hw_curves *curves, const struct hw_level *level);

/* How many pages of that colour stay in level n. */
struct hw_answer hw_shape_step(const struct hw_curves *curves, unsigned n, unsigned number);

/* How many pages next to each other, of so many bytes, share no sets of the level above level n. */
size_t hw_shape_classes(const struct hw_curves *curves, unsigned n, size_t page);

/* How many pages of one such class, and of one colour of level n, the levels above hold; 0: that is
   not known. */
size_t hw_shape_held(const struct hw_curves *curves, unsigned n, size_t page);

/* Most colours of a level that are looked at one by one. */
#define HW_SHAPE_COLOURS 4u

/* Where between a hit and a miss the readings of pages lay is counted in so many bins, and one
 * more. */
#define HW_SHAPE_BINS 10u
/* What lies this near to a hit, as a part of the way to a miss, is one; and to a miss. */
#define HW_SHAPE_QUARTER 0.25
/* Where more of the readings of pages that are not there lie in between, pages are put out by
 * parts. */
#define HW_SHAPE_BETWEEN 0.2

/* How many lie between, and how many are of pages that are not there. */
void hw_shape_between(const double count[HW_SHAPE_BINS + 1], double *between, double *gone);

/* Pages too many at a distance: as few as surely put one out.  What prefetchers bring in beside
   them must not fill the set. */
#define HW_SHAPE_MORE 2u

/* How many pages of one class and colour crowd the level above, which holds so many of them, so
   that few hit there however it replaces: half as many more, and two at least, but of a level of
   fewer ways no more than half of these, as both are to have places for them. */
size_t hw_shape_crowd(size_t held, size_t ways);

/* The rows of level n. */
enum hw_shape_row { HW_SHAPE_BYTES, HW_SHAPE_WAYS, HW_SHAPE_EXCLUSIVE, HW_SHAPE_LINE };
struct hw_answer hw_shape_row(const struct hw_curves *curves, unsigned n, enum hw_shape_row row);

#endif
