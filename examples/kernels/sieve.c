/* The sieve of Eratosthenes over odd numbers, a byte each, in segments.  A segment is gone through
   once for each prime, every second byte or fewer of it: it stays in level 1, which alone is quick
   to write to out of order, in all but one way of it, which is for the primes that pass.  Where
   there are so many primes that to begin with each takes longer than to strike out, which is a
   misprediction each against a cycle or two a byte, it is larger, up to half of level 2, the rest
   being for the primes. */
#include "kernels.h"
#include "vectors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Cycles to begin with a prime. */
#ifdef HW_BRANCH_MISS
#define SIEVE_BEGIN HW_BRANCH_MISS
#else
#define SIEVE_BEGIN 16
#endif

/* Bytes of level 1 for the segment. */
#if defined HW_L1_ASSOC && HW_L1_ASSOC > 2
#define SIEVE_NEAR (HW_L1_EFF_BYTES / HW_L1_ASSOC * (HW_L1_ASSOC - 1))
#else
#define SIEVE_NEAR HW_L1_EFF_BYTES
#endif

static size_t sieve_segment(size_t primes) {
  const size_t most = HW_L2_EFF_BYTES / 2, segment = primes * SIEVE_BEGIN;

  if (segment <= SIEVE_NEAR || most <= SIEVE_NEAR)
    return SIEVE_NEAR;
  return segment < most ? segment : most;
}

/* The odd primes up to a root, for those beyond it, and where in its segment each strikes next. */
#define SIEVE_MOST ((size_t)1 << 31) /* bytes of a segment */
struct sieve_prime {
  uint32_t prime;
  uint32_t next;
};

static size_t sieve_root(size_t limit) {
  size_t root = 1;

  while (root <= limit / root)
    root++;
  return root - 1;
}

static size_t sieve_square(const struct sieve_prime *p) { return (size_t)p->prime * p->prime; }

/* Fills primes, which has room, and tells how many. */
static size_t sieve_small(size_t root, struct sieve_prime *primes) {
  size_t n = 0;

  for (size_t p = 3; p <= root; p += 2) {
    size_t i = 0;
    while (i < n && sieve_square(&primes[i]) <= p && p % primes[i].prime != 0)
      i++;
    if (i == n || sieve_square(&primes[i]) > p)
      primes[n++].prime = (uint32_t)p;
  }
  return n;
}

size_t sieve_count(size_t segment, size_t limit) {
  const size_t root = sieve_root(limit), odd = limit < 3 ? 0 : (limit + 1) / 2;
  size_t count = limit >= 2 ? 1 : 0, begun = 0, n;
  struct sieve_prime *primes = malloc((root / 2 + 1) * sizeof *primes);
  unsigned char *marks;

  if (primes == NULL)
    return SIZE_MAX;
  n = sieve_small(root, primes);
  segment = segment == 0 ? sieve_segment(n) : segment;
  segment = segment < SIEVE_MOST ? segment : SIEVE_MOST;
  marks = malloc(segment);
  if (marks == NULL) {
    free(primes);
    return SIZE_MAX;
  }
  for (size_t from = 0; from < odd; from += segment) {
    const size_t length = odd - from < segment ? odd - from : segment;
    memset(marks, 1, length);
    if (from == 0)
      marks[0] = 0; /* 1 */
    /* Index i stands for 2 i + 1: those whose squares lie here begin. */
    for (; begun < n && sieve_square(&primes[begun]) / 2 < from + length; begun++)
      primes[begun].next = (uint32_t)(sieve_square(&primes[begun]) / 2 - from);
    for (size_t i = 0; i < begun; i++) {
      const size_t prime = primes[i].prime;
      size_t at = primes[i].next;
      for (; at < length; at += prime)
        marks[at] = 0;
      primes[i].next = (uint32_t)(at - length);
    }
    for (size_t i = 0; i < length; i++)
      count += marks[i];
  }
  free(primes);
  free(marks);
  return count;
}
