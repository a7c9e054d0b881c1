/* The interface between generated files and the probes. */
#ifndef HW_NANO_TABLE_H
#define HW_NANO_TABLE_H

/* Words of outcomes; a tree of code starts over after the last. */
#define HW_NANO_OUTCOMES 32768u

/* A generated function.  It runs its loop n times, with the longer body if second is not 0.  A tree
   of code is walked n times, each time by the bits of the next word of outcomes. */
struct hw_nano_entry {
  const char *name;
  /* NULL: the compiler has no such type or code */
  void (*run)(unsigned long n, int second, const unsigned *outcomes);
};

/* Ends with NULL; each of the tables ends with an entry without a name. */
extern const struct hw_nano_entry *const hw_nano_tables[];

/* What the compiler of generated code has: vector types, and variables in registers. */
#if defined __GNUC__ && !defined HW_NANO_PLAIN
#define HW_NANO_VECTORS
#endif
#if defined __OPTIMIZE__ || !defined __GNUC__
#define HW_NANO_REGISTERS
#endif

/* A loop that the compiler neither unrolls nor vectorizes. */
#if defined __clang__
#define HW_NANO_ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")
#elif defined __GNUC__ && __GNUC__ >= 8
#define HW_NANO_ROLLED _Pragma("GCC unroll 1")
#else
#define HW_NANO_ROLLED
#endif

/* A function that uses no vector registers; and one that compiles quickly: without passes that find
   nothing in it, which take a quarter of its time. */
#if defined __GNUC__ && __GNUC__ >= 8 && !defined __clang__ && !defined __INTEL_COMPILER &&        \
    (defined __x86_64__ || defined __i386__ || defined __aarch64__)
#define HW_NANO_WHOLE __attribute__((target("general-regs-only")))
#else
#define HW_NANO_WHOLE
#endif
#if defined __GNUC__ && defined __OPTIMIZE__ && !defined __clang__ && !defined __INTEL_COMPILER
#define HW_NANO_BRIEF                                                                              \
  __attribute__((optimize("O1", "expensive-optimizations", "no-tree-pta", "no-tree-ccp",           \
                          "no-tree-fre", "no-tree-dse", "no-tree-sink", "no-tree-loop-im",         \
                          "no-tree-reassoc", "no-tree-sra", "no-tree-ch", "no-thread-jumps",       \
                          "no-if-conversion", "no-if-conversion2")))
#else
#define HW_NANO_BRIEF
#endif

#endif
