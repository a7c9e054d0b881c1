/* Entries, associativity and miss penalty of the first-level TLB.

   Curve   tlb_fit_<S>: x pages S bytes apart, y share of their samples at the floor, spread the
           share of pages that surely miss.
           tlb_full_<S>: x the same, y share of the same rounds' samples of nearly as many pages.
           tlb_stride_<S>: x the same, y time of a load (cycles), without interference.
           tlb_strides: x stride S (bytes), y largest number of pages that the TLB holds.
   Method  The TLB is a cache with lines of a page, indexed by virtual addresses: the search for
           compact sequences (probes/search/search.c) measures it (XM 3.2).  Each page is loaded
           from at another line, so that the data cache holds them all; the control is as many loads
           in few pages.  Half of the own stride may be half a page: twice as many loads then fit if
           it is pages that count.
   Rows    TLB1_ENTRIES, TLB1_ASSOC, TLB1_REACH_BYTES, TLB1_MISS.
   Cost    100 ms, some hundred pages.
   Limits  Nothing is measured if it is known that the walk uses entries of the TLB.
   See     XM 6; BB 3.2. */
#include "analysis/rows/hint.h"
#include "probes/probe.h"
#include "probes/search/search.h"

#include <math.h>
#include <stdio.h>

/* Pages of a sequence at most, and pages that it may span. */
#define TLB_PAGES ((size_t)4096)
#define TLB_SPAN ((size_t)16384)
/* A stride beyond that of any first-level TLB, pages. */
#define TLB_BEYOND ((size_t)256)
/* Pages that surely miss, more than most TLBs have entries. */
#define TLB_MISSING ((size_t)256)
/* Laps of a sample at least: what reads the clock uses pages too, so that up to TLB_LOST of them
   miss where the TLB is full.  If the replaced page is random, one too many makes two loads of each
   lap miss. */
#define TLB_LAPS 64u
#define TLB_LOST 2
/* Slow walks. */
#define TLB_TIMES 3u
/* Time for a fit test of few pages, ns, per round of the effort: its samples are longer than those
   of level 1. */
#define TLB_PATIENCE 2e7

/* The time of a slow lap, in that of one that misses and, where one page too many makes only a part
   of the loads miss, in that of the laps that hit, one after the other, until it does: twice what
   another thread may take between two entries that would make the last page seem one too many. */
#define TLB_SLOW 3
#define TLB_SLOWER 2

/* Pauses of a slow walk, which evicts what another thread has in the TLB at times. */
static unsigned tlb_pauses(const struct hw_search *search) {
  const double some = fmax(search->some, search->most / TLB_LAPS);
  const double laps = search->most > 0 ? search->most / some : 1;

  return 1 + (unsigned)((TLB_SLOW * (search->hit + search->most) +
                         TLB_SLOWER * search->hit * (laps - 1)) /
                        HW_PAUSE);
}

/* As many loads, in few pages, fit.  Again in slow walks: an SMT sibling that uses ever new pages
   takes the more entries the slower a lap is. */
static struct hw_fit_question tlb_question(const struct hw_search *search, size_t stride, size_t n,
                                           size_t known) {
  const size_t page = search->stride, line = hw_hint_line(&search->bench->curves, HW_HINT_SHORT);
  const size_t few = (n - 1) / (page / line) + 1;
  struct hw_fit_sequence pages = {.n = n, .stride = stride, .kept = n, .page = page, .line = line};
  struct hw_fit_question ask = {.target = pages,
                                .full = pages,
                                .control = pages,
                                .missing = pages,
                                .align = page < HW_FIT_START ? page : HW_FIT_START,
                                .laps = TLB_LAPS};

  ask.full.kept = known > 0 ? known : few;
  ask.control.stride = ask.missing.stride = page;
  ask.control.kept = few;
  ask.missing.n = ask.missing.kept = search->missing;
  /* The floor lies below half of this, over n loads. */
  ask.miss = 2 * TLB_LOST * search->most * (double)n / TLB_LAPS;
  if (search->again) {
    ask.pauses = tlb_pauses(search);
    ask.miss = search->most * (double)n;
    ask.laps = 1;
  }
  return ask;
}

int hw_probe_tlb(struct hw_bench *bench) {
  const size_t page = hw_hint_page(&bench->curves);
  struct hw_search search = {.bench = bench,
                             .probe = "tlb",
                             .title = "pages",
                             .stride = page,
                             .beyond = TLB_BEYOND * page,
                             .least = page / 2,
                             .span = TLB_SPAN * page,
                             .elements = TLB_PAGES,
                             .twice = true,
                             .times = TLB_TIMES,
                             .patience = TLB_PATIENCE,
                             .missing = TLB_MISSING,
                             .question = tlb_question};

  if (bench->machine->pages != NULL) {
    fprintf(bench->log, "tlb: %s\n", bench->machine->pages);
    return hw_lacks(bench, bench->machine->pages);
  }
  return hw_search(&search);
}
