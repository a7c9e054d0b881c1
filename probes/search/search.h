/* The search for compact sequences: how many elements at which stride a cache or a TLB holds at
   once (XM 3.2, 4.1.2), by the fit test. */
#ifndef HW_SEARCH_H
#define HW_SEARCH_H

#include "probes/bench/ask.h"

/* Strides that are asked about, at most: all powers of two up to the largest, and odd multiples. */
#define HW_SEARCH_STRIDES 24u

/* What was found at one stride. */
struct hw_search_stride {
  size_t stride;
  struct hw_curve fit;
  struct hw_curve full;
  struct hw_curve level;
};

struct hw_search {
  struct hw_bench *bench;
  const char *probe; /* that publishes the curves: <probe>_fit_<S> and so on */
  const char *title; /* of its elements, as "lines" */
  size_t stride;     /* the first that is tried, bytes */
  size_t beyond;     /* one that is longer than the structure's own, where the first is not */
  size_t packed;     /* one for a structure of one set; 0: there is none such */
  size_t least;      /* one at which elements lie in different sets */
  size_t span;       /* of a sequence, at most, bytes */
  size_t elements;   /* of a sequence, at most */
  bool twice;        /* whether twice as many elements as ways are to fit at half of the own stride,
                        and not just one more; and misses are timed at several numbers of them */
  unsigned times;    /* that a full set is asked about again */
  double patience;   /* for a fit test of few elements, ns, per round of the effort */
  size_t missing;    /* elements that surely miss, more of them if they do not */
  /* The question whether n elements at the stride fit, of which known do. */
  struct hw_fit_question (*question)(const struct hw_search *search, size_t stride, size_t n,
                                     size_t known);

  /* What was found so far. */
  struct hw_memory *memory;
  struct hw_search_stride found[HW_SEARCH_STRIDES];
  size_t strides;
  bool one_set;
  bool coarse; /* a sequence that does not fit misses more than once a lap */
  bool again;  /* the ways were found, and fit: they are asked about again, in other conditions */
  size_t ways;
  double hit;  /* hit latency, cycles, or 0 */
  double miss; /* miss penalty, cycles, or 0 */
  double most; /* what a load of a sequence that does not fit costs more, at most, cycles, and at */
  double some; /* least */
};

/* Searches, and publishes the curves: of each stride S, x elements, <probe>_fit_<S> and
   <probe>_full_<S> as hw_fit_put has them, and <probe>_stride_<S>, y time of a load (cycles); and
   <probe>_strides, x stride (bytes), y elements that fit: at half of the own stride, at the own
   one, and at odd multiples of it.  0, or -1 when memory or time was short. */
int hw_search(struct hw_search *search);

#endif
