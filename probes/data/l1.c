/* Capacity and associativity of the level-1 data cache.

   Curve   l1_fit_<S>: x lines S bytes apart, y share of their samples at the floor, spread the
           share of a sequence that surely misses.
           l1_full_<S>: x the same, y share of the same rounds' samples of a full set at the floor.
           l1_stride_<S>: x the same, y time of a load (cycles), without interference.
           l1_strides: x stride S (bytes), y largest number of lines that fit.
   Method  The search for compact sequences (probes/search/search.c): the fit test decides for each
           number of lines.  It counts samples at the floor between two of a control, which has as
           many lines in the same pages, but spread over the sets.
   Rows    L1_BYTES, L1_ASSOC, L1_LRU.
   Cost    20 ms, some 5 MiB.
   Limits  Caches indexed by virtual addresses, as level 1 is, with a power of two of sets.  If
           there is only one set, the control is one line less.
   See     XM 3, 4.1.2; XT 4.2. */
#include "analysis/environment.h"
#include "probes/probe.h"
#include "probes/search/search.h"

/* The stride of most level-1 caches, and one beyond that of any (32 KiB at most), bytes. */
#define L1_PAGE ((size_t)4 << 10)
#define L1_BEYOND ((size_t)64 << 10)
/* The stride, bytes, for a cache of one set: its few pages fit into any TLB. */
#define L1_PACKED ((size_t)512)
/* Lines of a sequence at most, up to L1_BEYOND apart: more than any level 1 has ways.  Lines of the
   sequence that surely misses, more than most have ways. */
#define L1_LINES ((size_t)512)
#define L1_MISSING ((size_t)64)
/* Places at which a full set is tested, each in fixed pages: where these may have two colours, half
   of the places fit at best, by chance. */
#define L1_PLACES 8u
/* Time for a fit test of few lines, ns, per round of the effort: enough for a thousand rounds of
   some 6 us, without interference. */
#define L1_PATIENCE 1e7

/* Again at random places: in a physically indexed cache some pages happen to be spread evenly over
   the sets, and hold more than the ways; but not all that are tried. */
static struct hw_fit_question l1_question(const struct hw_search *search, size_t stride, size_t n,
                                          size_t known) {
  struct hw_fit_question ask = {
      .target = {.n = n, .stride = stride, .kept = n},
      .full = {.n = n, .stride = stride, .kept = known},
      .control = {.n = n, .stride = stride},
      .missing = {.n = search->missing, .stride = L1_PAGE, .kept = search->missing},
      .miss = search->coarse ? 0 : search->miss,
      .align = HW_LINE_USUAL,
      .still = search->again};

  if (search->one_set) { /* more lines than the ways fit nowhere */
    ask.full.n = known;
    ask.control = ask.full;
    ask.missing.stride = L1_PACKED;
  }
  return ask;
}

int hw_probe_l1(struct hw_bench *bench) {
  struct hw_search search = {.bench = bench,
                             .probe = "l1",
                             .title = "lines",
                             .stride = L1_PAGE,
                             .beyond = L1_BEYOND,
                             .packed = L1_PACKED,
                             .least = sizeof(void *),
                             .span = L1_LINES * L1_BEYOND,
                             .elements = L1_LINES,
                             .times = L1_PLACES,
                             .patience = L1_PATIENCE,
                             .missing = L1_MISSING,
                             .question = l1_question};

  return hw_search(&search);
}
