/* C += A B as a plain loop, the one of hwconfig's README.  A block of B stays in level 2 while all
   rows of A pass; its rows are as long as level 1 holds beside as much of a row of C, so that the
   inner loop is long and prefetchers follow it. */
#include "kernels.h"
#include "vectors.h"

static size_t product_least(size_t a, size_t b) { return a < b ? a : b; }

void product_f64(size_t rows, size_t columns, size_t m, size_t n, size_t k,
                 const double *restrict a, size_t lda, const double *restrict b, size_t ldb,
                 double *restrict c, size_t ldc) {
  rows = rows == 0 ? HW_BLOCK_ROWS : rows;
  columns = columns == 0 ? HW_BLOCK_ROW_BYTES / sizeof *b : columns;
  for (size_t j = 0; j < n; j += columns)
    for (size_t p = 0; p < k; p += rows)
      for (size_t x = 0; x < m; x++)
        for (size_t z = p, last = product_least(k, p + rows); z < last; z++)
          for (size_t y = j, end = product_least(n, j + columns); y < end; y++)
            c[x * ldc + y] += a[x * lda + z] * b[z * ldb + y];
}
