/* The loops that are timed on the real machine. */
#ifndef HW_LOOPS_H
#define HW_LOOPS_H

#include "probes/machine/machine.h"

#include <stddef.h>

/* Operands and results, volatile so that the compiler cannot fold or drop the loops. */
struct hw_loops_ends {
  volatile unsigned addend;
  volatile unsigned mask;
  volatile unsigned sum;
  volatile unsigned one;
  volatile double fp_one;
  void *volatile place;
};

/* n operations in one dependent chain (add), or in eight independent chains (issue).  n is a
   multiple of HW_GRAIN. */
void hw_loops_add(struct hw_loops_ends *ends, unsigned long n);
void hw_loops_issue(struct hw_loops_ends *ends, unsigned long n);

/* n divisions, in four independent chains. */
void hw_loops_divide_int(struct hw_loops_ends *ends, unsigned long n);
void hw_loops_divide_fp(struct hw_loops_ends *ends, unsigned long n);

/* Without optimization variables are in memory, whose page takes a TLB entry in each iteration; but
   not register variables with GCC.  TCC defines __OPTIMIZE__, but keeps no variables in
   registers. */
#if (defined __OPTIMIZE__ && !defined __TINYC__) ||                                                \
    (defined __GNUC__ && !defined __clang__ && !defined __INTEL_COMPILER)
#define HW_LOOPS_WALK_PAGES NULL
#else
#define HW_LOOPS_WALK_PAGES "compiled without optimization: the walk itself takes an entry"
#endif

/* n dependent loads from at on (pointer chasing); a multiple of HW_GRAIN.  Returns where the next
   would be. */
void **hw_loops_walk(struct hw_loops_ends *ends, void **at, unsigned long n);

/* The same, any number, with pauses times HW_PAUSE dependent additions before each load. */
void **hw_loops_walk_slowly(struct hw_loops_ends *ends, void **at, unsigned long n,
                            unsigned pauses);

/* n loads in each of some independent chains, which start and end at these offsets from base. */
void hw_loops_walk_chains(struct hw_loops_ends *ends, char *base, size_t *start, size_t chains,
                          unsigned long n);

/* Stores a word at each of n offsets, after the link that may be there. */
void hw_loops_store(char *memory, const size_t *offsets, size_t n);

/* Reads, writes or copies bytes, a multiple of HW_STREAM_GRAIN, in accesses as wide as the flags
   allow. */
void hw_loops_stream(struct hw_loops_ends *ends, enum hw_stream stream, void *memory, size_t bytes);

/* Copies the first half of bytes, twice such a multiple, to the second by stores that bypass the
   caches, and waits for them.  0, or -1 where the compiler has none. */
int hw_loops_bypass(void *memory, size_t bytes);

#endif
