/* Products of natural numbers of n limbs, the lowest first. */
#ifndef MULTIPLY_H
#define MULTIPLY_H

#include <stddef.h>
#include <stdint.h>

/* A limb, with room for products of two. */
typedef uint32_t limb;

/* Limbs that multiply() takes beside the product. */
#define MULTIPLY_SCRATCH(n) (4 * (n) + 128)

/* r = a b, of n limbs each; r has 2 n. */
void multiply(limb *r, const limb *a, const limb *b, size_t n, limb *scratch);

#endif
