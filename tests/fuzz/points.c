/* Arbitrary points out of the bytes of a fuzzer. */
#include "tests/fuzz/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned fuzz_byte(struct fuzz_bytes *bytes) {
  if (bytes->n == 0)
    return 0;
  bytes->n--;
  return *bytes->data++;
}

double fuzz_number(struct fuzz_bytes *bytes) {
  unsigned kind = fuzz_byte(bytes), small = fuzz_byte(bytes);
  uint64_t bits = 0;
  double number;

  switch (kind % 4) {
  case 0:
    return small;
  case 1:
    return ldexp(1, (int)(small % 48)) + (double)(kind / 4 % 3) - 1;
  case 2:
    return (double)(kind / 4) + small / 256.0;
  default:
    for (size_t i = 0; i < sizeof bits; i++)
      bits = bits << 8 | fuzz_byte(bytes);
    memcpy(&number, &bits, sizeof number);
    return number;
  }
}

void fuzz_curve(struct fuzz_bytes *bytes, struct hw_curve *curve, size_t most) {
  unsigned kind = fuzz_byte(bytes);
  size_t n = fuzz_byte(bytes) % (most + 1);

  hw_curve_init(curve, "any", "x", "y");
  if (kind % 4 != 0) {
    /* As probes measure. */
    double x = 0;
    for (size_t i = 0; i < n; i++) {
      double step = kind % 4 == 1 ? 1 : fabs(fuzz_number(bytes));
      struct hw_point point = {.y = fuzz_number(bytes)};
      x = kind % 4 == 3 ? 2 * x + 1 : x + step;
      point.x = x;
      point.spread = fuzz_byte(bytes) / 1024.0;
      point.count = fuzz_byte(bytes);
      if (isfinite(point.x) && isfinite(point.y) && hw_curve_put(curve, point) < 0)
        abort();
    }
    return;
  }
  curve->point = calloc(n > 0 ? n : 1, sizeof *curve->point);
  if (curve->point == NULL)
    abort();
  curve->n = curve->room = n;
  for (size_t i = 0; i < n; i++)
    curve->point[i] = (struct hw_point){.x = fuzz_number(bytes),
                                        .y = fuzz_number(bytes),
                                        .spread = fuzz_number(bytes),
                                        .count = fuzz_byte(bytes)};
}

void fuzz_refute(const char *file, int line, const char *claim) {
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, claim);
  abort();
}
