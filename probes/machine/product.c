/* The loop that programs have for a product of matrices: nothing is packed, and the compiler makes
   of the innermost loop what the flags let it.  As in README the ends of loops are named: gcc -O2
   else takes the least of two each time. */
#include "probes/machine/product.h"

static size_t product_least(size_t x, size_t y) { return x < y ? x : y; }

#define PRODUCT(name, type)                                                                        \
  static void name(const struct hw_product *product, const type *restrict a,                       \
                   const type *restrict b, type *restrict c) {                                     \
    const size_t n = product->n, row = product->row, rows = product->rows, edge = product->edge;   \
    const size_t depth = product->depth, column = product->column;                                 \
                                                                                                   \
    for (size_t x = row, below = product_least(n, row + rows); x < below; x++)                     \
      for (size_t z = depth, last = product_least(n, depth + edge); z < last; z++)                 \
        for (size_t y = column, end = product_least(n, column + edge); y < end; y++)               \
          c[x * n + y] += a[x * n + z] * b[z * n + y];                                             \
  }

PRODUCT(product_f32, float)
PRODUCT(product_f64, double)

void hw_product(char *base, const struct hw_product *product) {
  void *a = base, *b = base + product->stride, *c = base + 2 * product->stride;

  if (product->single)
    product_f32(product, a, b, c);
  else
    product_f64(product, a, b, c);
}
