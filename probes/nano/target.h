/* For which compiler and processor nano-benchmarks are generated, by what the compiler defines: the
   widest vector that it does not make of several, bytes; registers for integers, and for floating
   point. */
#ifndef HW_TARGET_H
#define HW_TARGET_H

#ifndef HW_LOOPS_WIDEST
#if defined __BIGGEST_ALIGNMENT__ && __BIGGEST_ALIGNMENT__ > 16
#define HW_LOOPS_WIDEST __BIGGEST_ALIGNMENT__
#else
#define HW_LOOPS_WIDEST 16
#endif
#endif

#ifndef HW_LOOPS_INTEGERS
#if defined __i386__ || defined __m68k__
#define HW_LOOPS_INTEGERS 8
#elif defined __x86_64__ || defined __arm__ || defined __s390x__ || defined __sh__
#define HW_LOOPS_INTEGERS 16
#elif defined __ia64__
#define HW_LOOPS_INTEGERS 128
#else
#define HW_LOOPS_INTEGERS 32
#endif
#endif

#ifndef HW_LOOPS_FLOATS
#if defined __AVX512F__ || defined __ARM_NEON
#define HW_LOOPS_FLOATS 32
#else
#define HW_LOOPS_FLOATS HW_LOOPS_INTEGERS
#endif
#endif

/* Whether an addition of floating point may take more than a cycle, of those that follow each
 * other. */
#ifndef HW_LOOPS_SLOW
#if defined __x86_64__ || defined __aarch64__ || defined __powerpc64__ || defined __s390x__
#define HW_LOOPS_SLOW 0
#else
#define HW_LOOPS_SLOW 1
#endif
#endif

#endif
