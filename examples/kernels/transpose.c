/* B = A', by square tiles that pass through one contiguous tile: rows of A are read and rows of B
   written whole, and a leading dimension that maps a column to few sets does no harm.  Of three
   tiles that fit level 1 this takes one, the lines read and those written the others. */
#include "kernels.h"
#include "vectors.h"

#define TRANSPOSE_MOST 256

void transpose_f64(size_t edge, size_t m, size_t n, const double *a, size_t lda, double *b,
                   size_t ldb) {
  _Alignas(64) double tile[TRANSPOSE_MOST * TRANSPOSE_MOST];

  edge = edge == 0 ? HW_TILE_F64 : edge;
  edge = edge > TRANSPOSE_MOST ? TRANSPOSE_MOST : edge;
  for (size_t i = 0; i < m; i += edge)
    for (size_t j = 0; j < n; j += edge) {
      const size_t mb = m - i < edge ? m - i : edge, nb = n - j < edge ? n - j : edge;
      for (size_t x = 0; x < mb; x++)
        for (size_t y = 0; y < nb; y++)
          tile[x * edge + y] = a[(i + x) * lda + j + y];
      for (size_t y = 0; y < nb; y++)
        for (size_t x = 0; x < mb; x++)
          b[(j + y) * ldb + i + x] = tile[x * edge + y];
    }
}
