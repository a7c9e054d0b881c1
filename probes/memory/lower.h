/* The curves within one colour of a level below the first. */
#ifndef HW_LOWER_H
#define HW_LOWER_H

#include "probes/memory/pool.h"

/* Most colours that are looked at one by one. */
#define HW_LOWER_COLOURS 4u

/* Pages of one colour, and some of others. */
struct hw_colour {
  struct hw_pool *pool;
  unsigned level;
  size_t ways;         /* as many of one colour stay together */
  struct hw_pages own; /* of the colour */
  struct hw_pages other;
};

/* Measures l<n>_colour_<number>: how many pages of the colour stay, others between. */
int hw_lower_ways(const struct hw_colour *colour, unsigned number);

/* Measures l<n>_alone: the same, with no others between, of numbers of pages that tell an exclusive
   level from another; an empty curve where there are none. */
int hw_lower_alone(const struct hw_colour *colour);

/* How many pages of one class and colour crowd the level above, which holds so many of them, so
   that few hit there however it replaces: half as many more, and two at least, but of a level of
   fewer ways no more than half of these, as both are to have places for them. */
size_t hw_lower_crowd(size_t held, size_t ways);

/* Measures l<n>_cyclic: pages of the colour in turn. */
int hw_lower_cyclic(const struct hw_colour *colour);

/* Adds samples of the points of that which tell the replacement. */
int hw_lower_cyclic_again(const struct hw_colour *colour);

/* Measures l<n>_cyclic_<number>: the same of another colour, from 1 on. */
int hw_lower_cyclic_other(const struct hw_colour *colour, unsigned number);

/* Measures l<n>_apart and l<n>_before: how far from a line another set begins, behind it and before
   it. */
int hw_lower_line(const struct hw_colour *colour);

#endif
