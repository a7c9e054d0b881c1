/* Rings of loads over pages: as many pages as wanted, always the same number of lines. */
#ifndef HW_SPREAD_H
#define HW_SPREAD_H

#include "probes/bench/sampler.h"

/* How pages are laid out and loaded from. */
struct hw_spread {
  size_t page;  /* bytes */
  size_t line;  /* of level 1, bytes */
  size_t lines; /* that a ring loads from, on however many pages */
  size_t all;   /* pages that a ring visits, one circle after another; 0: one circle */
  size_t group; /* pages next to each other that are visited one after another; 0: any */
};

/* Fewest pages that have so many lines. */
size_t hw_spread_least(const struct hw_spread *spread);

/* Offsets that a ring may need. */
size_t hw_spread_room(const struct hw_spread *spread);

/* Lays out x pages.  The ring goes around all of them, in a random order that stays the same, as
   often as it takes to load from all lines: at each page it comes to another line.  So the data
   caches hold the same at every x, and a TLB is asked for the pages in a circle.  Where the spread
   has more pages than x, the ring goes on to the next x: then each line is loaded from once a lap,
   all of them whatever x is, and a data cache cannot tell one x from another.  context: the spread.
 */
void hw_spread_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring);

#endif
