/* The loops that are timed.  A compiler must not fold operations in them, nor spill registers:
   tests/loops.sh checks the code that it makes. */
#include "probes/machine/loops.h"

#include <stdint.h>
#include <string.h>

/* Dependent operations.  A sum of sums would be folded; additions that alternate with exclusive-ors
   are folded by no compiler, and both have a latency of one cycle everywhere.  Written as one
   expression, so that the chain stays in a register even when variables do not (-O0). */
#define LOOPS_ADD2(x) (((x) + addend) ^ mask)
#define LOOPS_ADD4(x) LOOPS_ADD2(LOOPS_ADD2(x))
#define LOOPS_ADD16(x) LOOPS_ADD4(LOOPS_ADD4(LOOPS_ADD4(LOOPS_ADD4(x))))
#define LOOPS_ADD64(x) LOOPS_ADD16(LOOPS_ADD16(LOOPS_ADD16(LOOPS_ADD16(x))))
#define LOOPS_ADD128(x) LOOPS_ADD64(LOOPS_ADD64(x))

void hw_loops_add(struct hw_loops_ends *ends, unsigned long n) {
  unsigned addend = ends->addend, mask = ends->mask, sum = ends->sum;

  for (unsigned long i = n / HW_GRAIN; i > 0; i--)
    sum = LOOPS_ADD128(sum);
  ends->sum = sum;
}

/* The same in eight independent chains: more than any core adds in a cycle, and no more than it
   has registers for.  Each alternates two operations of its own, all of one cycle: of any four
   chains too few are alike for a compiler to vectorize them, which would use other units. */
#define LOOPS_PLUS(x) (((x) + addend) ^ mask)
#define LOOPS_EXOR(x) (((x) ^ mask) + addend)
#define LOOPS_LESS(x) (((x)-addend) ^ mask)
#define LOOPS_OR(x) (((x) | addend) - mask)
#define LOOPS_REST(x) (((x)-mask) | addend)
#define LOOPS_AND(x) (((x)&mask) + addend)
#define LOOPS_MASK(x) (((x) + mask) & addend)
#define LOOPS_AWAY(x) (((x) ^ addend) - mask)
#define LOOPS_ISSUE                                                                                \
  a = LOOPS_PLUS(LOOPS_PLUS(a));                                                                   \
  b = LOOPS_EXOR(LOOPS_EXOR(b));                                                                   \
  c = LOOPS_LESS(LOOPS_LESS(c));                                                                   \
  d = LOOPS_OR(LOOPS_OR(d));                                                                       \
  e = LOOPS_REST(LOOPS_REST(e));                                                                   \
  f = LOOPS_AND(LOOPS_AND(f));                                                                     \
  g = LOOPS_MASK(LOOPS_MASK(g));                                                                   \
  h = LOOPS_AWAY(LOOPS_AWAY(h))

void hw_loops_issue(struct hw_loops_ends *ends, unsigned long n) {
  unsigned addend = ends->addend, mask = ends->mask, a = ends->sum;
  unsigned b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;

  for (unsigned long i = n / HW_GRAIN; i > 0; i--) {
    LOOPS_ISSUE;
    LOOPS_ISSUE;
    LOOPS_ISSUE;
    LOOPS_ISSUE;
  }
  ends->sum = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

/* Divisions of ones by a one that the compiler does not know (BB 3.4), in four independent chains.
 */
#define LOOPS_DIVISIONS(type, n, one)                                                              \
  do {                                                                                             \
    type divisor = (one), p = (one), q = (one), r = (one), s = (one);                              \
    for (unsigned long i = (n) / 8; i > 0; i--) {                                                  \
      p /= divisor;                                                                                \
      q /= divisor;                                                                                \
      r /= divisor;                                                                                \
      s /= divisor;                                                                                \
      p /= divisor;                                                                                \
      q /= divisor;                                                                                \
      r /= divisor;                                                                                \
      s /= divisor;                                                                                \
    }                                                                                              \
    (one) = p * q * r * s;                                                                         \
  } while (0)

void hw_loops_divide_int(struct hw_loops_ends *ends, unsigned long n) {
  LOOPS_DIVISIONS(unsigned, n, ends->one);
}

void hw_loops_divide_fp(struct hw_loops_ends *ends, unsigned long n) {
  LOOPS_DIVISIONS(double, n, ends->fp_one);
}

/* Dependent loads, again as one expression, so that the pointer stays in a register. */
#define LOOPS_LOAD4(p) (*(void ***)*(void ***)*(void ***)*(void ***)(p))
#define LOOPS_LOAD16(p) LOOPS_LOAD4(LOOPS_LOAD4(LOOPS_LOAD4(LOOPS_LOAD4(p))))
#define LOOPS_LOAD64(p) LOOPS_LOAD16(LOOPS_LOAD16(LOOPS_LOAD16(LOOPS_LOAD16(p))))
#define LOOPS_LOAD128(p) LOOPS_LOAD64(LOOPS_LOAD64(p))

void **hw_loops_walk(struct hw_loops_ends *ends, void **at, unsigned long n) {
  register void **p = at;
  register unsigned long i;

  for (i = n / HW_GRAIN; i > 0; i--)
    p = LOOPS_LOAD128(p);
  ends->place = p;
  return p;
}

void **hw_loops_walk_slowly(struct hw_loops_ends *ends, void **at, unsigned long n,
                            unsigned pauses) {
  register uintptr_t addend = ends->addend, mask = ends->mask, p = (uintptr_t)at;
  register unsigned long i;
  register unsigned j;

  addend -= ends->addend; /* 0, but no compiler knows */
  mask -= ends->mask;
  for (i = n; i > 0; i--) {
    for (j = pauses; j > 0; j--)
      p = LOOPS_ADD4(p);
    p = *(uintptr_t *)p;
  }
  ends->place = (void *)p;
  return (void **)p;
}

/* Falls into the next case on purpose. */
#if defined __GNUC__ && __GNUC__ >= 7
#define LOOPS_ON __attribute__((fallthrough))
#else
#define LOOPS_ON
#endif
/* Follows the link of chain k, and then those of the chains below.  Volatile, so that no compiler
   makes a gather of several loads. */
#define LOOPS_CHAIN(k)                                                                             \
  case (k) + 1:                                                                                    \
    place[k] = *(void **volatile *)(void *)place[k];                                               \
    LOOPS_ON
#define LOOPS_CHAINS8(k)                                                                           \
  LOOPS_CHAIN((k) + 7);                                                                            \
  LOOPS_CHAIN((k) + 6);                                                                            \
  LOOPS_CHAIN((k) + 5);                                                                            \
  LOOPS_CHAIN((k) + 4);                                                                            \
  LOOPS_CHAIN((k) + 3);                                                                            \
  LOOPS_CHAIN((k) + 2);                                                                            \
  LOOPS_CHAIN((k) + 1);                                                                            \
  LOOPS_CHAIN(k)

/* The pointers of all chains are in an array, spilled: one more load and store for each link, which
   a miss hides.  Each chain has instructions of its own, with constant addresses, so that they are
   as few without optimization, and there is no inner loop to be mispredicted. */
void hw_loops_walk_chains(struct hw_loops_ends *ends, char *base, size_t *start, size_t chains,
                          unsigned long n) {
  void **place[HW_CHAINS];

  for (size_t k = 0; k < chains; k++)
    place[k] = (void **)(void *)(base + start[k]);
  for (unsigned long i = 0; i < n; i++)
    switch (chains) {
      LOOPS_CHAINS8(56);
      LOOPS_CHAINS8(48);
      LOOPS_CHAINS8(40);
      LOOPS_CHAINS8(32);
      LOOPS_CHAINS8(24);
      LOOPS_CHAINS8(16);
      LOOPS_CHAINS8(8);
      LOOPS_CHAINS8(0);
    default:
      break;
    }
  for (size_t k = 0; k < chains; k++) {
    ends->place = place[k];
    start[k] = (size_t)((char *)place[k] - base);
  }
}

#define LOOPS_GROUP 8u
#define LOOPS_STORE(offset) (*(volatile size_t *)(void *)(base + (offset)) = n)

void hw_loops_store(char *memory, const size_t *offsets, size_t n) {
  const size_t *at = offsets, *end = offsets + n, *groups = end - n % LOOPS_GROUP;
  char *base = memory + sizeof(void *);

  for (; at < groups; at += LOOPS_GROUP) {
    LOOPS_STORE(at[0]);
    LOOPS_STORE(at[1]);
    LOOPS_STORE(at[2]);
    LOOPS_STORE(at[3]);
    LOOPS_STORE(at[4]);
    LOOPS_STORE(at[5]);
    LOOPS_STORE(at[6]);
    LOOPS_STORE(at[7]);
  }
  for (; at < end; at++)
    LOOPS_STORE(*at);
}

/* The type of a stream's loads and stores: as wide as the flags allow. */
#if defined __GNUC__ && defined __AVX512F__
typedef unsigned long loops_wide __attribute__((vector_size(64), may_alias));
#elif defined __GNUC__ && defined __AVX__
typedef unsigned long loops_wide __attribute__((vector_size(32), may_alias));
#elif defined __GNUC__
typedef unsigned long loops_wide __attribute__((vector_size(16), may_alias));
#else
typedef unsigned long loops_wide;
#endif
#define LOOPS_WIDE (HW_STREAM_GRAIN / sizeof(loops_wide))

/* Volatile accesses keep the compiler from dropping loads and stores, and from replacing a loop by
   a library call.  Several sums, so that they are independent. */
static void loops_read(struct hw_loops_ends *ends, const volatile loops_wide *from, size_t grains) {
  const volatile loops_wide *end = from + grains * LOOPS_WIDE;
  loops_wide a = *from, b = a, c = a, d = a;
  unsigned word;

  for (; from < end; from += 8) {
    a ^= from[0];
    b ^= from[1];
    c ^= from[2];
    d ^= from[3];
    a ^= from[4];
    b ^= from[5];
    c ^= from[6];
    d ^= from[7];
  }
  a ^= b ^ c ^ d;
  memcpy(&word, &a, sizeof word);
  ends->sum += word;
}

static void loops_read_down(struct hw_loops_ends *ends, const volatile loops_wide *from,
                            size_t grains) {
  const volatile loops_wide *at = from + grains * LOOPS_WIDE;
  loops_wide a = *from, b = a, c = a, d = a;
  unsigned word;

  for (; at > from; at -= 8) {
    a ^= at[-1];
    b ^= at[-2];
    c ^= at[-3];
    d ^= at[-4];
    a ^= at[-5];
    b ^= at[-6];
    c ^= at[-7];
    d ^= at[-8];
  }
  a ^= b ^ c ^ d;
  memcpy(&word, &a, sizeof word);
  ends->sum += word;
}

static void loops_write(volatile loops_wide *to, size_t grains) {
  volatile loops_wide *end = to + grains * LOOPS_WIDE;
  loops_wide value = *to;

  for (; to < end; to += 8) {
    to[0] = value;
    to[1] = value;
    to[2] = value;
    to[3] = value;
    to[4] = value;
    to[5] = value;
    to[6] = value;
    to[7] = value;
  }
}

static void loops_copy(volatile loops_wide *to, const volatile loops_wide *from, size_t grains) {
  const volatile loops_wide *end = from + grains * LOOPS_WIDE;

  for (; from < end; from += 8, to += 8) {
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
    to[4] = from[4];
    to[5] = from[5];
    to[6] = from[6];
    to[7] = from[7];
  }
}

void hw_loops_stream(struct hw_loops_ends *ends, enum hw_stream stream, void *memory,
                     size_t bytes) {
  volatile loops_wide *at = memory;
  size_t grains = bytes / HW_STREAM_GRAIN;

  if (stream == HW_STREAM_WRITE)
    loops_write(at, grains);
  else if (stream == HW_STREAM_COPY)
    loops_copy(at + grains / 2 * LOOPS_WIDE, at, grains / 2);
  else if (stream == HW_STREAM_READ_DOWN)
    loops_read_down(ends, at, grains);
  else
    loops_read(ends, at, grains);
}

#if defined __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define LOOPS_BYPASS(to, value) __builtin_nontemporal_store(value, to)
#endif
#endif
#if !defined LOOPS_BYPASS && defined __GNUC__ && defined __SSE__
#define LOOPS_BYPASS(to, value) __builtin_ia32_movntps((float *)(to), value)
#endif

int hw_loops_bypass(void *memory, size_t bytes) {
#ifdef LOOPS_BYPASS
  typedef float part __attribute__((vector_size(16), may_alias));
  part *from = memory, *end = from + bytes / 2 / sizeof *from, *to = end;

  for (; from < end; from += 4, to += 4) {
    part a = from[0], b = from[1], c = from[2], d = from[3];
    LOOPS_BYPASS(to, a);
    LOOPS_BYPASS(to + 1, b);
    LOOPS_BYPASS(to + 2, c);
    LOOPS_BYPASS(to + 3, d);
  }
  __sync_synchronize();
  return 0;
#else
  (void)memory;
  (void)bytes;
  return -1;
#endif
}
