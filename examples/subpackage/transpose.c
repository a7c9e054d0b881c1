/* transpose [N [CACHE]]: transposes a matrix of N rows row by row, and block by block, and tells
   what either took; and whether the matrix fits CACHE bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void transpose(double *to, const double *from, size_t n) {
  size_t distance = row_distance(n);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      to[j * distance + i] = from[i * distance + j];
}

/* Two blocks are in use, one of each matrix. */
static void transpose_blocked(double *to, const double *from, size_t n, size_t side) {
  size_t distance = row_distance(n);

  for (size_t ii = 0; ii < n; ii += side)
    for (size_t jj = 0; jj < n; jj += side)
      for (size_t i = ii; i < least(ii + side, n); i++)
        for (size_t j = jj; j < least(jj + side, n); j++)
          to[j * distance + i] = from[i * distance + j];
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
  size_t side = block_side(2);
  double *from, *naive, *blocked;
  double start, middle, end;

  if (n < 1 || n > 20000) {
    fprintf(stderr, "transpose: %s: not a number of rows from 1 to 20000\n", argv[1]);
    return 2;
  }
  from = matrix(n, 1);
  naive = matrix(n, 2);
  blocked = matrix(n, 3);
  if (!from || !naive || !blocked) {
    fprintf(stderr, "transpose: not enough memory for three matrices of %zu rows\n", n);
    return 1;
  }
  print_machine();
  printf("blocks of %zu x %zu\n", side, side);
  if (argc > 2)
    printf("the matrix %s a level-2 cache of %s bytes\n",
           n * row_distance(n) * sizeof *from > strtoul(argv[2], NULL, 10) ? "exceeds" : "fits",
           argv[2]);
  start = seconds();
  transpose(naive, from, n);
  middle = seconds();
  transpose_blocked(blocked, from, n, side);
  end = seconds();
  n = (size_t)compare("transpose", naive, middle - start, blocked, end - middle, n);
  free(from);
  free(naive);
  free(blocked);
  return (int)n;
}
