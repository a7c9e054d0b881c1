/* product [N [CACHE]]: multiplies two matrices of N rows as one writes it down, and block by block,
   and tells what either took; and whether the matrix fits CACHE bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void product(double *c, const double *a, const double *b, size_t n) {
  size_t distance = row_distance(n);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++)
        sum += a[i * distance + k] * b[k * distance + j];
      c[i * distance + j] = sum;
    }
}

/* Three blocks are in use, one of each matrix. */
static void product_blocked(double *c, const double *a, const double *b, size_t n, size_t side) {
  size_t distance = row_distance(n);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      c[i * distance + j] = 0;
  for (size_t ii = 0; ii < n; ii += side)
    for (size_t kk = 0; kk < n; kk += side)
      for (size_t jj = 0; jj < n; jj += side)
        for (size_t i = ii; i < least(ii + side, n); i++)
          for (size_t k = kk; k < least(kk + side, n); k++) {
            double factor = a[i * distance + k];
            for (size_t j = jj; j < least(jj + side, n); j++)
              c[i * distance + j] += factor * b[k * distance + j];
          }
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 800;
  size_t side = block_side(3);
  double *a, *b, *naive, *blocked;
  double start, middle, end;

  if (n < 1 || n > 20000) {
    fprintf(stderr, "product: %s: not a number of rows from 1 to 20000\n", argv[1]);
    return 2;
  }
  a = matrix(n, 1);
  b = matrix(n, 2);
  naive = matrix(n, 3);
  blocked = matrix(n, 4);
  if (!a || !b || !naive || !blocked) {
    fprintf(stderr, "product: not enough memory for four matrices of %zu rows\n", n);
    return 1;
  }
  print_machine();
  printf("blocks of %zu x %zu\n", side, side);
  if (argc > 2)
    printf("the matrix %s a level-2 cache of %s bytes\n",
           n * row_distance(n) * sizeof *a > strtoul(argv[2], NULL, 10) ? "exceeds" : "fits",
           argv[2]);
  /* The entries are small whole numbers, so that the order of additions does not matter. */
  start = seconds();
  product(naive, a, b, n);
  middle = seconds();
  product_blocked(blocked, a, b, n, side);
  end = seconds();
  n = (size_t)compare("product", naive, middle - start, blocked, end - middle, n);
  free(a);
  free(b);
  free(naive);
  free(blocked);
  return (int)n;
}
