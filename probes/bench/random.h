/* Pseudo-random numbers and orders (SplitMix64), the same for the same seed on every machine. */
#ifndef HW_RANDOM_H
#define HW_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A stream of numbers.  Any state is a good seed. */
struct hw_random {
  uint64_t state;
};

/* A bijection of 64-bit numbers that leaves no pattern. */
static inline uint64_t hw_random_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* The stream that belongs to a name and a number, another for another seed. */
struct hw_random hw_random_of(uint64_t seed, const char *name, unsigned number);

/* The next 64 bits. */
uint64_t hw_random_bits(struct hw_random *random);

/* A number in [0, 1). */
double hw_random_unit(struct hw_random *random);

/* A number in [0, n); n > 0. */
size_t hw_random_below(struct hw_random *random, size_t n);

/* Puts the n items into a random order. */
void hw_random_order(struct hw_random *random, size_t *item, size_t n);

#endif
