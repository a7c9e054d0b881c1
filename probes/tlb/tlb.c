/* Entries, associativity and miss penalty of the first-level TLB.

   Curve   tlb_stride_<S>: x pages S bytes apart, y time of a load (cycles).
           tlb_strides: x stride S (bytes), y largest number of pages that the TLB holds, the first
           step of the curve above.
           tlb_slow: x half of that number, all, twice as many, walked slowly, y as above.
           tlb_later: x look, y time of a load of one page too many at the last stride, in the
           quickest samples (cycles).
   Method  The TLB is a cache with lines of a page, indexed by virtual addresses: compact sequences
           of pages measure it (XM 3.2).  Each page is loaded from at another line, so that the data
           cache holds them all.  An SMT sibling takes the more TLB entries the slower the walk is:
           the number that the TLB seems to hold is walked slowly too.  An SMT sibling that uses the
           same few pages over and over shows in looks at times apart and on other cores.
   Rows    TLB1_ENTRIES, TLB1_ASSOC, TLB1_REACH_BYTES, TLB1_MISS.
   Cost    100 ms, some hundred pages.
   Limits  Nothing is measured if it is known that the walk uses entries of the TLB.
   See     XM 6; BB 3.2. */
#include "analysis/rows/hint.h"
#include "probes/probe.h"
#include "probes/tlb/strides.h"

#include <stdio.h>

/* Pages of a sequence, and pages that it may span. */
#define TLB_ELEMENTS ((size_t)4096)
#define TLB_SPAN ((size_t)16384)
/* Pages within which sequences start. */
#define TLB_START ((size_t)64)

int hw_probe_tlb(struct hw_bench *bench) {
  struct hw_strides compact = {.probe = "tlb", .stem = "tlb", .elements = TLB_ELEMENTS};
  const size_t bytes = hw_hint_page(&bench->curves);

  if (bench->machine->pages != NULL) {
    fprintf(bench->log, "tlb: %s\n", bench->machine->pages);
    return hw_lacks(bench, bench->machine->pages);
  }
  compact.stride = bytes;
  compact.stride_max = TLB_SPAN / 8 * bytes;
  compact.span = TLB_SPAN * bytes;
  compact.alignment = bytes;
  compact.start = TLB_START * bytes;
  compact.block = bytes;
  compact.line = hw_hint_line(&bench->curves, HW_HINT_SHORT);
  compact.issue = hw_issue(&bench->curves);
  compact.slow = true;
  return hw_strides_search(bench, &compact);
}
