/* Arbitrary points out of the bytes of a fuzzer. */
#ifndef HW_FUZZ_POINTS_H
#define HW_FUZZ_POINTS_H

#include "analysis/curve.h"

#include <stdint.h>

/* What is left of the input. */
struct fuzz_bytes {
  const uint8_t *data;
  size_t n;
};

/* The next byte, or 0. */
unsigned fuzz_byte(struct fuzz_bytes *bytes);

/* The next number: a small whole one, a power of two and its neighbours, a part of one, or any
   bits, which may be infinite or no number at all. */
double fuzz_number(struct fuzz_bytes *bytes);

/* A curve of up to most points, which stand as they come or, sorted, as a probe puts them. */
void fuzz_curve(struct fuzz_bytes *bytes, struct hw_curve *curve, size_t most);

/* Ends the process, and says which claim does not hold. */
void fuzz_refute(const char *file, int line, const char *claim);
#define FUZZ_CLAIM(claim) ((claim) ? (void)0 : fuzz_refute(__FILE__, __LINE__, #claim))

#endif
