/* Gathers the pages that a level holds together. */
#ifndef HW_GATHER_H
#define HW_GATHER_H

#include "analysis/rows/colours.h"
#include "probes/data/pool.h"

/* What is known of a level, and of the one above it, before it is measured. */
struct hw_one_colour_level {
  unsigned n;
  size_t above;  /* bytes that the level above holds */
  double hit;    /* cycles */
  double miss;   /* cycles */
  size_t beyond; /* a working set that surely does not fit, bytes */
};

struct hw_gather {
  const struct hw_one_colour_level *level;
  struct hw_pool pool;
  size_t *page; /* all pages; those that stay together come first */
  size_t fit;   /* their number */
  size_t tried; /* pages tried so far, each time counted */
  size_t alike; /* pages of a colour that all share level 1's sets, among those that fit: others
                   had too few pages to evict one of them from level 1; 0: no such colour */
  double readings[HW_COLOURS_BINS + 1];
  struct hw_curve grown;
  double patience; /* ns that it may wait for an idle SMT sibling, from the start */
  double start;    /* wall clock, ns */
  double cpu_ns;   /* processor time at the start; negative: unknown */
  double deadline; /* by hw_gather_clock */
};

/* Starts its clock.  patience is set. */
void hw_gather_start(struct hw_gather *job);

/* Time since the start, ns, less the waits for the SMT sibling and the time that other processes
   had the processor. */
double hw_gather_clock(const struct hw_gather *job);

/* Whether its time is over. */
bool hw_gather_late(const struct hw_gather *job);

/* Capacity of the level above, in pages, rounded up. */
size_t hw_gather_held(const struct hw_gather *job);

/* Estimated time of gathering, ns. */
double hw_gather_cost(const struct hw_gather *job);

/* Gathers the pages that fit: until each of them stays, and no further page does.  publish: whether
   to publish the curves.  0, or -1 when memory or time was short, or pages are evicted in part. */
int hw_gather_pages(struct hw_gather *job, bool publish);

#endif
