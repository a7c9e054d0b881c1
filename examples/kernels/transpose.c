/* B = A', by square tiles that pass through one contiguous tile: rows of A are read and rows of B
   written whole, and a leading dimension that maps a column to few sets does no harm.  Of three
   tiles that fit level 1 this takes one, the lines read and those written the others.  Those of the
   next tile are fetched meanwhile: a row of a tile is too short for a prefetcher. */
#include "kernels.h"
#include "vectors.h"

#include <stdbool.h>

#define TRANSPOSE_MOST 256

/* Brings m rows of n elements nearer, some of which are read next, or written. */
static void transpose_nearer(bool write, size_t m, size_t n, const double *from, size_t distance) {
  const size_t step = HW_L1_LINE > sizeof *from ? HW_L1_LINE / sizeof *from : 1;

  for (size_t x = 0; x < m; x++)
    for (size_t y = 0; y < n; y += step) {
      if (write)
        KERNEL_PREFETCH_WRITE(from + x * distance + y);
      else
        KERNEL_PREFETCH(from + x * distance + y);
    }
}

void transpose_f64(size_t edge, size_t m, size_t n, const double *a, size_t lda, double *b,
                   size_t ldb) {
  _Alignas(64) double tile[TRANSPOSE_MOST * TRANSPOSE_MOST];

  edge = edge == 0 ? HW_TILE_F64 : edge;
  /* Three tiles of the header's: that in between, and the next. */
  const bool near = edge <= HW_TILE_F64;
  edge = edge > TRANSPOSE_MOST ? TRANSPOSE_MOST : edge;
  for (size_t i = 0; i < m; i += edge)
    for (size_t j = 0; j < n; j += edge) {
      const size_t mb = m - i < edge ? m - i : edge, nb = n - j < edge ? n - j : edge;
      if (near && n - j >= 2 * edge) {
        transpose_nearer(false, mb, edge, a + i * lda + j + edge, lda);
        transpose_nearer(true, edge, mb, b + (j + edge) * ldb + i, ldb);
      }
      for (size_t x = 0; x < mb; x++)
        for (size_t y = 0; y < nb; y++)
          tile[x * edge + y] = a[(i + x) * lda + j + y];
      for (size_t y = 0; y < nb; y++)
        for (size_t x = 0; x < mb; x++)
          b[(j + y) * ldb + i + x] = tile[x * edge + y];
    }
}
