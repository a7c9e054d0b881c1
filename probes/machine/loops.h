/* The loops that are timed on the real machine. */
#ifndef HW_LOOPS_H
#define HW_LOOPS_H

#include "probes/machine/machine.h"

#include <stddef.h>

/* What the compiler must believe to be read and written elsewhere. */
struct hw_loops_ends {
  volatile unsigned addend;
  volatile unsigned mask;
  volatile unsigned sum;
  volatile unsigned one;
  volatile double fp_one;
  void *volatile place;
};

/* n operations, each of which waits for the one before, or in eight chains that do not wait for
   each other. n is a multiple of HW_GRAIN. */
void hw_loops_add(struct hw_loops_ends *ends, unsigned long n);
void hw_loops_issue(struct hw_loops_ends *ends, unsigned long n);

/* n divisions. */
void hw_loops_divide_int(struct hw_loops_ends *ends, unsigned long n);
void hw_loops_divide_fp(struct hw_loops_ends *ends, unsigned long n);

/* Where nothing is optimized variables lie in memory, whose page takes an entry of the TLB each
   time around the loop; but not those that GCC is asked to keep in registers.  TCC says that it
   optimizes, and has no variables in registers all the same. */
#if (defined __OPTIMIZE__ && !defined __TINYC__) ||                                                \
    (defined __GNUC__ && !defined __clang__ && !defined __INTEL_COMPILER)
#define HW_LOOPS_WALK_PAGES NULL
#else
#define HW_LOOPS_WALK_PAGES "compiled without optimization: the walk itself takes an entry"
#endif

/* n loads from there on, each from where the one before says; a multiple of HW_GRAIN.  Where the
 * next would be. */
void **hw_loops_walk(struct hw_loops_ends *ends, void **at, unsigned long n);

/* The same, any number, with so many times HW_PAUSE additions before each. */
void **hw_loops_walk_slowly(struct hw_loops_ends *ends, void **at, unsigned long n,
                            unsigned pauses);

/* n loads in each of so many chains at once, which start and end at these offsets from base. */
void hw_loops_walk_chains(struct hw_loops_ends *ends, char *base, size_t *start, size_t chains,
                          unsigned long n);

/* Stores a word at each of n offsets, behind the link that may be there. */
void hw_loops_store(char *memory, const size_t *offsets, size_t n);

/* Reads, writes or copies so many bytes, as wide as the flags allow; a multiple of HW_STREAM_GRAIN.
 */
void hw_loops_stream(struct hw_loops_ends *ends, enum hw_stream stream, void *memory, size_t bytes);

#endif
