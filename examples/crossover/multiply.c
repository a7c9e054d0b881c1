/* Products: by the schoolbook where that is quicker, else by Karatsuba's method. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "multiply.h"

#include <string.h>

/* From how many limbs on Karatsuba's method is used: configure has measured it, by tune.c, for
   which it is a variable. */
#ifdef TUNE
static size_t tuned;
#undef KARATSUBA_LIMBS
#define KARATSUBA_LIMBS tuned
#elif !defined KARATSUBA_LIMBS
#define KARATSUBA_LIMBS 40
#endif

/* Adds a to r, and returns the carry. */
static limb add(limb *r, const limb *a, size_t n) {
  uint64_t carry = 0;

  for (size_t i = 0; i < n; i++) {
    carry += (uint64_t)r[i] + a[i];
    r[i] = (limb)carry;
    carry >>= 32;
  }
  return (limb)carry;
}

/* Takes a from r, and returns the borrow. */
static limb subtract(limb *r, const limb *a, size_t n) {
  uint64_t borrow = 0;

  for (size_t i = 0; i < n; i++) {
    borrow = (uint64_t)r[i] - a[i] - borrow;
    r[i] = (limb)borrow;
    borrow = borrow >> 63;
  }
  return (limb)borrow;
}

/* Adds one limb to r, which has room for it. */
static void carry_on(limb *r, limb carry) {
  for (; carry != 0; r++) {
    *r += carry;
    carry = *r < carry;
  }
}

/* Adds a times the limb to r, and returns the carry. */
static limb add_times(limb *r, const limb *a, size_t n, limb times) {
  uint64_t carry = 0;

  for (size_t i = 0; i < n; i++) {
    carry += (uint64_t)a[i] * times + r[i];
    r[i] = (limb)carry;
    carry >>= 32;
  }
  return (limb)carry;
}

static void school(limb *r, const limb *a, const limb *b, size_t n) {
  memset(r, 0, n * sizeof *r);
  for (size_t i = 0; i < n; i++)
    r[i + n] = add_times(r + i, b, n, a[i]);
}

/* r = |a - b| of n limbs; whether b is the larger one. */
static int distance(limb *r, const limb *a, const limb *b, size_t n) {
  size_t i = n;

  while (i > 0 && a[i - 1] == b[i - 1])
    i--;
  if (i > 0 && a[i - 1] < b[i - 1]) {
    memcpy(r, b, n * sizeof *r);
    subtract(r, a, n);
    return 1;
  }
  memcpy(r, a, n * sizeof *r);
  subtract(r, b, n);
  return 0;
}

/* Three products of half of the size: (a1 B + a0) (b1 B + b0) =
   a1 b1 B^2 + (a1 b1 + a0 b0 - (a1 - a0) (b1 - b0)) B + a0 b0.  n is even. */
static void halves(limb *r, const limb *a, const limb *b, size_t n, limb *scratch) {
  const size_t half = n / 2;
  limb *middle = scratch, *sum = scratch + n, carry = 0;
  int negative;

  negative = distance(r, a + half, a, half) ^ distance(r + half, b + half, b, half);
  multiply(middle, r, r + half, half, scratch + 2 * n);
  multiply(r, a, b, half, scratch + n);
  multiply(r + n, a + half, b + half, half, scratch + n);
  memcpy(sum, r, n * sizeof *sum);
  carry = add(sum, r + n, n);
  carry = negative ? carry + add(sum, middle, n) : carry - subtract(sum, middle, n);
  carry += add(r + half, sum, n);
  carry_on(r + half + n, carry);
}

/* Of an odd number of limbs the last ones are multiplied by the schoolbook. */
static void karatsuba(limb *r, const limb *a, const limb *b, size_t n, limb *scratch) {
  const size_t even = n - n % 2;

  halves(r, a, b, even, scratch);
  if (even < n) {
    r[2 * even] = add_times(r + even, b, even, a[even]);
    r[2 * even + 1] = add_times(r + even, a, n, b[even]);
  }
}

void multiply(limb *r, const limb *a, const limb *b, size_t n, limb *scratch) {
  if (n >= KARATSUBA_LIMBS && n > 1)
    karatsuba(r, a, b, n, scratch);
  else
    school(r, a, b, n);
}
