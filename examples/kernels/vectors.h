/* What the compiler can do beyond C11, and what stands in for it where it cannot. */
#ifndef VECTORS_H
#define VECTORS_H

#include "hwconfig.h"

/* Bytes of a vector, or 0 for scalars. */
#if defined __GNUC__ && defined HW_VEC_BYTES
#define KERNEL_VECTOR HW_VEC_BYTES
#else
#define KERNEL_VECTOR 0
#endif

/* Whether level 3 is far, as on servers whose cores share one by a mesh: a load of it takes more
   cycles than this.  What it holds is then worth blocking for level 2: of what overlaps some five
   loads do, so that a miss costs as much as the 12 cycles of another pass over a key. */
#if defined HW_L3_LAT && HW_L3_LAT > 60
#define KERNEL_FAR 1
#else
#define KERNEL_FAR 0
#endif

/* Elements of two vectors by their numbers. */
#if defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define KERNEL_SHUFFLE __builtin_shufflevector
#endif
#endif

/* A loop whose bounds are constant is written out, so that its arrays become registers. */
#if defined __clang__
#define KERNEL_UNROLL _Pragma("clang loop unroll(full)")
#elif defined __GNUC__ && __GNUC__ >= 8
#define KERNEL_UNROLL _Pragma("GCC unroll 128")
#else
#define KERNEL_UNROLL
#endif

/* A function whose constant arguments are to be constants in its body. */
#ifdef __GNUC__
#define KERNEL_INLINE static inline __attribute__((always_inline))
#else
#define KERNEL_INLINE static inline
#endif

#ifdef __GNUC__
#define KERNEL_PREFETCH(address) __builtin_prefetch(address)
/* Into the level after the first. */
#define KERNEL_PREFETCH_FAR(address) __builtin_prefetch(address, 0, 2)
#else
#define KERNEL_PREFETCH(address) ((void)0)
#define KERNEL_PREFETCH_FAR(address) ((void)0)
#endif

#endif
