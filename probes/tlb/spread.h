/* Rings of loads over any number of pages, always with the same number of lines. */
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

/* Fewest pages that provide the lines of the spread. */
size_t hw_spread_least(const struct hw_spread *spread);

/* Offsets that a ring may need. */
size_t hw_spread_room(const struct hw_spread *spread);

/* Lays out x pages.  The ring visits all of them in a fixed random order, in as many rounds as it
   takes to load from all lines, in each round at another line of a page.  So the cache footprint is
   the same at every x, and a TLB sees the pages in a circle.  If the spread has more pages than
   x, the ring goes on to the next x: then each line is loaded from once a lap, all of them whatever
   x is, so that x makes no difference to a data cache.  context: the spread. */
void hw_spread_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring);

/* Numbers from low to high, growing by about a quarter; at most room.  Returns how many. */
size_t hw_quarters(double *x, size_t room, size_t low, size_t high);

#endif
