/* Gathering the pages that a level holds together. */
#ifndef HW_GATHER_H
#define HW_GATHER_H

#include "analysis/rows/colours.h"
#include "probes/data/pool.h"
#include "probes/probe.h"

/* What is known of a level and of the one above it when it is looked at. */
struct hw_one_colour_level {
  unsigned n;
  size_t above;  /* bytes that the level above holds */
  double hit;    /* cycles */
  double miss;   /* cycles */
  size_t beyond; /* bytes that surely do not fit */
};

struct hw_gather {
  const struct hw_one_colour_level *level;
  struct hw_pool pool;
  size_t *page; /* all pages; those that stay together come first */
  size_t fit;   /* how many do */
  size_t tried; /* times that a page was tried */
  size_t alike; /* of those that fit, pages of a colour that all share level 1's sets: those of
                   others were too few to put one of them out of it; 0: none was so */
  double readings[HW_SHAPE_BINS + 1];
  struct hw_curve grown;
  double patience; /* ns that it may wait for the core, from the start */
  double start;    /* by the machine's clock, ns, */
  double cpu_ns;   /* and the processor time then; negative: unknown */
  double deadline; /* by hw_gather_clock */
};

/* Starts its clock.  patience is set. */
void hw_gather_start(struct hw_gather *job);

/* Its clock, ns, less what was waited for the core and what others had the processor for: a
   neighbour's time is not ours. */
double hw_gather_clock(const struct hw_gather *job);

/* Whether its time is over. */
bool hw_gather_late(const struct hw_gather *job);

/* What the level above holds, in pages. */
size_t hw_gather_held(const struct hw_gather *job);

/* What gathering is going to cost, ns. */
double hw_gather_cost(const struct hw_gather *job);

/* Gathers the pages that fit: until each one stays, and no other does.  publish: with its curves.
   0, or -1 when memory or time was short, or when pages are put out by parts. */
int hw_gather_pages(struct hw_gather *job, bool publish);

#endif
