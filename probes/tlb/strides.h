/* The search for compact sequences: how many elements at which stride a first-level TLB holds at
   once (XM 4.1.2).  It decides where to measure; the values are read off the curves. */
#ifndef HW_STRIDES_H
#define HW_STRIDES_H

#include "probes/probe.h"

#include <stdbool.h>

/* What is searched. */
struct hw_strides {
  const char *probe; /* that publishes the curves */
  const char *stem;  /* of their names: <stem>_stride_<S>, and <stem>_strides */
  size_t stride;     /* the first that is tried, and the largest, bytes */
  size_t stride_max;
  size_t span;      /* bytes that a sequence may span */
  size_t elements;  /* most of a sequence */
  size_t alignment; /* sequences start at a random multiple of this, below start */
  size_t start;
  size_t block;          /* elements are spread, line by line, over blocks of this many bytes, to */
  size_t line;           /* avoid conflict misses in another cache; block 0: they are not */
  struct hw_point issue; /* as of a task: samples count only if no SMT sibling is busy */
  bool slow;             /* slow and later walks show entries that an SMT sibling occupies */
};

/* Numbers from low to high, growing by about a quarter; at most room.  Returns how many. */
size_t hw_quarters(double *x, size_t room, size_t low, size_t high);

/* Measures and publishes the curves: of each stride, x elements and y the time of a load; of all,
   x stride and y the largest compact number of elements, the first step of the curve of that
   stride; and <stem>_slow for hw_reduce_kept and <stem>_later if that is wanted.  0, or -1 when
   memory or time was short. */
int hw_strides_search(struct hw_bench *bench, const struct hw_strides *compact);

#endif
