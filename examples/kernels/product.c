/* C += A B as a plain loop, the one of hwconfig's README.  Level 1 holds a block of B while all
   rows of A pass: a copy of it, whose rows lie one after the other.  As they lie in B they fall
   into few sets where their length is near a power of two, and are of more lines where it is no
   multiple of a line. */
#include "kernels.h"
#include "vectors.h"

#include <string.h>

enum { ROWS = HW_BLOCK_ROWS, COLUMNS = HW_BLOCK_ROW_BYTES / sizeof(double) };

static size_t product_least(size_t a, size_t b) { return a < b ? a : b; }

void product_f64(size_t m, size_t n, size_t k, const double *restrict a, size_t lda,
                 const double *restrict b, size_t ldb, double *restrict c, size_t ldc) {
  /* By a pointer: gcc makes less of an array that it sees. */
  double room[ROWS][COLUMNS], (*restrict block)[COLUMNS] = room;

  for (size_t i = 0; i < m; i += COLUMNS)
    for (size_t j = 0; j < n; j += COLUMNS)
      for (size_t p = 0; p < k; p += ROWS) {
        size_t end = product_least(m, i + COLUMNS);
        size_t columns = product_least(COLUMNS, n - j), rows = product_least(ROWS, k - p);
        for (size_t z = 0; z < rows; z++)
          memcpy(block[z], &b[(p + z) * ldb + j], columns * sizeof *b);
        for (size_t x = i; x < end; x++)
          for (size_t z = 0; z < rows; z++)
            for (size_t y = 0; y < columns; y++)
              c[x * ldc + j + y] += a[x * lda + p + z] * block[z][y];
      }
}
