/* The cost of single lines, where the size curve rises. */
#ifndef HW_RISE_H
#define HW_RISE_H

#include "probes/probe.h"

/* The memory of the lines, and units. */
struct hw_rise_pages {
  struct hw_memory *memory;
  size_t mapped;   /* bytes */
  size_t page;     /* bytes */
  size_t line;     /* bytes, of level 1, at least */
  double cycle_ns; /* ns */
};

/* The largest working set of which lines are timed, in pages: a lap costs some 20 ms. */
#define HW_RISE_LINES_PAGES 32768u

/* The least working set, bytes, of which lines can be timed with pages of this size, bytes. */
size_t hw_rise_least(size_t page);

/* Puts the costs of single lines of a working set (cycles), between levels of two latencies
   (cycles), into the curve, by ascending cost; x is the part of the working set (bytes) that costs
   no more.  The overhead is subtracted: what lines of a working set of held bytes, which the lower
   level holds, cost more than latency[0].  0; 1, and the curve stays empty, when a page is too
   small, the working set too large, the clock too coarse, or when held lines do not cost the same;
   -1 when memory or time is short. */
int hw_rise_lines(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                  size_t held, const double latency[2], struct hw_curve *curve);

#endif
