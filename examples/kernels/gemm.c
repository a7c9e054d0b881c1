/* The matrix product, for both types. */
#include "kernels.h"
#include "team.h"
#include "vectors.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* What the header says, unless a search wants something else. */
#ifndef GEMM_F64_MR
#define GEMM_F64_MR HW_GEMM_F64_MR
#define GEMM_F64_NR HW_GEMM_F64_NR
#endif
#ifndef GEMM_F32_MR
#define GEMM_F32_MR HW_GEMM_F32_MR
#define GEMM_F32_NR HW_GEMM_F32_NR
#endif

/* Where blocks begin: a page, so that each starts at the same set. */
#define GEMM_ALIGN ((size_t)HW_PAGE_BYTES)
/* Multiply-adds of vectors that are worth a thread of their own: two a cycle, where that is known.
 */
#if defined HW_PAR_MIN_NS && defined HW_CYCLE_PS
#define GEMM_WORTH (2e3 * HW_PAR_MIN_NS / HW_CYCLE_PS)
#else
#define GEMM_WORTH 2.5e5
#endif
/* Of what is left each thread takes so much of its share at a time, and micro-panels at least: one
   may have less of its processor than another. */
#define GEMM_SHARE 0.75
#define GEMM_LEAST 4
/* Up to so many micro-panels of B, or where level 2 holds both matrices, A is taken as it lies: to
   pack it would take longer than what its rows cost that lie apart. */
#define GEMM_FEW 4
/* Micro-panels of B that are packed at a time, a row of B through all of them: as many as half of
   level 1 holds the ends of, which end within a line or two. */
#define GEMM_WIDE(bytes) (HW_L1_EFF_BYTES / 2 / (bytes + HW_L1_LINE) + 1)

/* Steps before its last one with which a micro-kernel asks for C, of so many multiply-adds, two a
   cycle: twice what memory takes, where others wait as well. */
#ifdef HW_MEM_LAT
#define GEMM_SOON(adds) ((size_t)4 * HW_MEM_LAT / (adds))
#else
#define GEMM_SOON(adds) ((size_t)1200 / (adds))
#endif

/* Elements of a line. */
#define GEMM_LINE(type) ((int)(HW_L1_LINE > sizeof(type) ? HW_L1_LINE / sizeof(type) : 1))

static size_t gemm_least(size_t a, size_t b) { return a < b ? a : b; }

/* Blocks, and what they take. */
struct gemm_plan {
  size_t kc, mc, nc;
  size_t block; /* bytes of A */
  size_t panel; /* and B, packed */
};

/* x in whole units, rounded up. */
static size_t gemm_whole(size_t x, size_t unit) { return (x + unit - 1) / unit * unit; }

/* The same number of blocks of at most that many units as evenly as can be, in whole units. */
static size_t gemm_even(size_t n, size_t block, size_t unit) {
  size_t blocks;

  block = block < unit ? unit : block / unit * unit;
  blocks = (n + block - 1) / block;
  return blocks < 2 ? gemm_whole(n, unit) : gemm_whole((n + blocks - 1) / blocks, unit);
}

/* Takes the next of m rows, at most so many, in whole units: returns how many, from *from on; 0
   when none are left. */
static size_t gemm_take(atomic_size_t *row, size_t m, size_t most, size_t unit, unsigned threads,
                        size_t *from) {
  size_t take;

  *from = atomic_load(row);
  do {
    if (*from >= m)
      return 0;
    take = most;
    if (threads > 1) {
      take = gemm_whole((size_t)(GEMM_SHARE * (double)(m - *from) / threads), unit);
      take = gemm_least(most, take < GEMM_LEAST * unit ? GEMM_LEAST * unit : take);
    }
  } while (!atomic_compare_exchange_weak(row, from, *from + take));
  return gemm_least(take, m - *from);
}

/* True when level 1 holds k rows of so many bytes of B as they lie, a stride apart, with as many
   packed bytes of A and a way for C.  Rows come to lie in the same sets after a turn through a way:
   with strides of a large power of two few of them fit. */
static bool gemm_near(size_t k, size_t packed, size_t row, size_t stride) {
#ifdef HW_L1_ASSOC
  const size_t way = HW_L1_BYTES / HW_L1_ASSOC;
  size_t common = way, left = stride, turn, deep;

  while (left > 0) {
    const size_t rest = common % left;
    common = left;
    left = rest;
  }
  turn = way / common;
  deep = (row + common - 1) / common;
  return k / turn * deep + gemm_least(k % turn, deep) + (k * packed + way - 1) / way < HW_L1_ASSOC;
#else
  (void)row;
  return k * (packed + stride) < HW_L1_EFF_BYTES;
#endif
}

#ifdef TEAM_THREADS
#define GEMM_OWN _Thread_local
#else
#define GEMM_OWN /* there is one thread */
#endif

/* Room for packed blocks, kept from call to call by each thread, since what malloc and free give
   back to the system has to come from there page by page. */
static GEMM_OWN struct {
  void *base;
  size_t bytes;
} gemm_kept;

void gemm_release(void) {
  free(gemm_kept.base);
  gemm_kept.base = NULL;
  gemm_kept.bytes = 0;
}

/* So many bytes at the start of a page, or NULL. */
static void *gemm_room(size_t bytes) {
  if (bytes > SIZE_MAX - GEMM_ALIGN)
    return NULL;
  if (bytes + GEMM_ALIGN > gemm_kept.bytes) {
    gemm_release();
    gemm_kept.base = malloc(bytes + GEMM_ALIGN);
    if (gemm_kept.base == NULL)
      return NULL;
    gemm_kept.bytes = bytes + GEMM_ALIGN;
  }
  return (char *)gemm_kept.base +
         (GEMM_ALIGN - (uintptr_t)gemm_kept.base % GEMM_ALIGN) % GEMM_ALIGN;
}

#define TYPE double
#define TYPE_BYTES 8
#define NAME(x) x##_f64
#define MR GEMM_F64_MR
#define NR GEMM_F64_NR
#define KC HW_GEMM_F64_KC
#define MC HW_GEMM_F64_MC
#define NC HW_GEMM_F64_NC
#define SMALL HW_GEMM_F64_SMALL
#include "gemm_type.h"

#define TYPE float
#define TYPE_BYTES 4
#define NAME(x) x##_f32
#define MR GEMM_F32_MR
#define NR GEMM_F32_NR
#define KC HW_GEMM_F32_KC
#define MC HW_GEMM_F32_MC
#define NC HW_GEMM_F32_NC
#define SMALL HW_GEMM_F32_SMALL
#include "gemm_type.h"
