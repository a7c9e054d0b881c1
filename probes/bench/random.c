/* Pseudo-random numbers and orders. */
#include "probes/bench/random.h"

struct hw_random hw_random_of(uint64_t seed, const char *name, unsigned number) {
  struct hw_random random = {hw_random_mix(seed) + number};

  for (; *name != '\0'; name++)
    random.state = hw_random_bits(&random) + (unsigned char)*name;
  return random;
}

uint64_t hw_random_bits(struct hw_random *random) {
  random->state += UINT64_C(0x9e3779b97f4a7c15);
  return hw_random_mix(random->state);
}

double hw_random_unit(struct hw_random *random) {
  return (double)(hw_random_bits(random) >> 11) / 9007199254740992.0;
}

size_t hw_random_below(struct hw_random *random, size_t n) {
  return (size_t)(hw_random_bits(random) % n);
}

void hw_random_order(struct hw_random *random, size_t *item, size_t n) {
  for (size_t i = n; i > 1; i--) {
    size_t j = hw_random_below(random, i);
    size_t swap = item[i - 1];
    item[i - 1] = item[j];
    item[j] = swap;
  }
}
