/* B = A', a line of a row of B at a time, from as many rows of A: it is written whole, so that
   leading dimensions that map a column of B to few sets do little harm, and nothing is copied in
   between.  No more rows: those of A may all fall into one set, and its ways hold eight.  Of A as
   many columns at a time as level 1 holds of these rows: where lines of B begin elsewhere in each
   row, the parts of one are written soon after each other. */
#include "kernels.h"
#include "vectors.h"

#include <stdint.h>

#define TRANSPOSE_ROWS (HW_L1_LINE > sizeof(double) ? HW_L1_LINE / sizeof(double) : 1)

static size_t transpose_least(size_t a, size_t b) { return a < b ? a : b; }

/* A whole line of so many rows of B: all are read before one is written, so that they can be
 * vectors. */
static void transpose_lines(size_t n, const double *a, size_t lda, double *b, size_t ldb) {
  for (size_t j = 0; j < n; j++) {
    double piece[TRANSPOSE_ROWS];
    KERNEL_UNROLL for (size_t x = 0; x < TRANSPOSE_ROWS; x++) piece[x] = a[x * lda + j];
    KERNEL_UNROLL for (size_t x = 0; x < TRANSPOSE_ROWS; x++) b[j * ldb + x] = piece[x];
  }
}

void transpose_f64(size_t block, size_t m, size_t n, const double *a, size_t lda, double *b,
                   size_t ldb) {
  block = transpose_least(block == 0 ? HW_L1_EFF_BYTES / sizeof *a / TRANSPOSE_ROWS : block, n);
  for (size_t from = 0, to; from < n; from = to) {
    to = transpose_least(from + block, n);
    for (size_t i = 0, rows; i < m; i += rows) {
      rows = TRANSPOSE_ROWS - (uintptr_t)(b + i) / sizeof *b % TRANSPOSE_ROWS;
      rows = transpose_least(rows, m - i);
      if (rows == TRANSPOSE_ROWS)
        transpose_lines(to - from, a + i * lda + from, lda, b + from * ldb + i, ldb);
      else
        for (size_t j = from; j < to; j++)
          for (size_t x = 0; x < rows; x++)
            b[j * ldb + i + x] = a[(i + x) * lda + j];
    }
  }
}
