/* What a load costs page by page, where the size curve rises. */
#ifndef HW_RISE_H
#define HW_RISE_H

#include "probes/probe.h"

/* What the pages are walked with. */
struct hw_rise_pages {
  struct hw_memory *memory;
  size_t mapped;   /* bytes */
  size_t page;     /* bytes */
  size_t line;     /* bytes, of level 1 */
  double hit;      /* cycles of a load that hits level 1 */
  double apart;    /* cycles by which loads of two levels differ, at least */
  double cycle_ns; /* ns */
};

/* Puts the costs of a load (cycles) in the pages of such a working set into the curve, by ascending
   cost; x is how much of the working set (bytes) costs no more.  0; 1 when a page is too small, the
   working set too large, or the clock too coarse for that, and the curve stays empty; -1 when
   memory or time is short. */
int hw_rise_measure(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                    struct hw_curve *curve);

/* The largest working set of which lines are timed, in pages: a lap costs some 10 ms. */
#define HW_RISE_LINES_PAGES 16384u

/* The same of single lines, between levels of two latencies (cycles): their costs, less what lines
   of a working set of held bytes, which the lower level holds, cost more than low.  1 as well when
   such lines do not cost the same. */
int hw_rise_lines(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                  size_t held, const double latency[2], struct hw_curve *curve);

#endif
