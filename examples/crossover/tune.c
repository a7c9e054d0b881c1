/* What configure times: a product of n limbs, either way.  It is no part of the library, but has
   the library's source, in which the threshold is a variable here: of n limbs one step of
   Karatsuba's method is timed, whose halves are multiplied by the schoolbook. */
#define TUNE
#include "multiply.c"

#define MOST 2048
static limb a[MOST], b[MOST], r[2 * MOST], scratch[MULTIPLY_SCRATCH(MOST)];

/* Random limbs, once. */
static void begin(void) {
  uint64_t x = 1;

  for (size_t i = 0; i < MOST && a[MOST - 1] == 0; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    a[i] = (limb)(x >> 32) | 1;
    b[i] = ~(limb)x;
  }
}

void by_school(long n);
void by_karatsuba(long n);

void by_school(long n) {
  begin();
  tuned = (size_t)n + 1;
  multiply(r, a, b, (size_t)n, scratch);
}

void by_karatsuba(long n) {
  begin();
  tuned = (size_t)n;
  multiply(r, a, b, (size_t)n, scratch);
}
