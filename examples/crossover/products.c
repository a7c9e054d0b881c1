/* Compares products by either way, of all sizes around the threshold. */
#include <stdio.h>
#include <string.h>

#include "multiply.h"

#define MOST 300

/* a b by the definition: column by column, in sums of three limbs. */
static void product(limb *r, const limb *a, const limb *b, size_t n) {
  uint64_t low = 0, high = 0;

  for (size_t k = 0; k + 1 < 2 * n; k++) {
    for (size_t i = k < n ? 0 : k - n + 1; i < n && i <= k; i++) {
      uint64_t one = (uint64_t)a[i] * b[k - i];
      low += one;
      high += low < one;
    }
    r[k] = (limb)low;
    low = low >> 32 | high << 32;
    high >>= 32;
  }
  r[2 * n - 1] = (limb)low;
}

int main(void) {
  static limb a[MOST], b[MOST], r[2 * MOST], expected[2 * MOST], scratch[MULTIPLY_SCRATCH(MOST)];
  uint64_t x = 1;

  for (size_t n = 1; n <= MOST; n++) {
    for (size_t i = 0; i < n; i++) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      a[i] = n % 3 == 0 ? ~(limb)0 : (limb)(x >> 32);
      b[i] = n % 5 == 0 ? ~(limb)0 : (limb)(x >> 16);
    }
    product(expected, a, b, n);
    multiply(r, a, b, n, scratch);
    if (memcmp(r, expected, 2 * n * sizeof *r) != 0) {
      printf("the product of %zu limbs is wrong\n", n);
      return 1;
    }
  }
  return 0;
}
