/* B = A', two lines of a row of B at a time, from as many rows of A: they are written whole, so
   that leading dimensions that map a column of B to few sets do little harm, and nothing is copied
   in between.  Of A as many columns at a time as level 1 holds of these rows: where lines of B
   begin elsewhere in each row, the parts of one are written soon after each other. */
#include "kernels.h"
#include "vectors.h"

#include <stdint.h>

#define TRANSPOSE_ROWS (HW_L1_LINE > sizeof(double) ? 2 * HW_L1_LINE / sizeof(double) : 2)

static size_t transpose_least(size_t a, size_t b) { return a < b ? a : b; }

void transpose_f64(size_t block, size_t m, size_t n, const double *a, size_t lda, double *b,
                   size_t ldb) {
  block = transpose_least(block == 0 ? HW_L1_EFF_BYTES / sizeof *a / TRANSPOSE_ROWS : block, n);
  for (size_t from = 0, to; from < n; from = to) {
    to = transpose_least(from + block, n);
    for (size_t i = 0, rows; i < m; i += rows) {
      rows = TRANSPOSE_ROWS - (uintptr_t)(b + i) / sizeof *b % TRANSPOSE_ROWS;
      rows = transpose_least(rows, m - i);
      for (size_t j = from; j < to; j++) {
        const double *column = a + i * lda + j;
        double *row = b + j * ldb + i, piece[TRANSPOSE_ROWS];
        /* All are read before one is written, so that they can be vectors. */
        if (rows == TRANSPOSE_ROWS) {
          KERNEL_UNROLL for (size_t x = 0; x < TRANSPOSE_ROWS; x++) piece[x] = column[x * lda];
          KERNEL_UNROLL for (size_t x = 0; x < TRANSPOSE_ROWS; x++) row[x] = piece[x];
        } else
          for (size_t x = 0; x < rows; x++)
            row[x] = column[x * lda];
      }
    }
  }
}
