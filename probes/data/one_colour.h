/* The curves within one colour of a level below the first. */
#ifndef HW_ONE_COLOUR_H
#define HW_ONE_COLOUR_H

#include "analysis/rows/colours.h"
#include "probes/data/pool.h"

/* Pages of one colour, and some of others. */
struct hw_colour {
  struct hw_pool *pool;
  unsigned level;
  size_t ways;         /* pages of one colour that stay together */
  struct hw_pages own; /* of the colour */
  struct hw_pages other;
};

/* Measures l<n>_colour_<number> in this many rounds: how many pages of the colour stay, if pages of
   other colours flush the level above. */
int hw_one_colour_ways(const struct hw_colour *colour, unsigned rounds, unsigned number);

/* Measures l<n>_alone: the same without other pages, for numbers of pages that tell an exclusive
   level from another; an empty curve if there are no such numbers. */
int hw_one_colour_alone(const struct hw_colour *colour, unsigned rounds);

/* Measures l<n>_apart and l<n>_before: the distance from a line to another set, behind it and
   before it. */
int hw_one_colour_line(const struct hw_colour *colour, unsigned rounds);

#endif
