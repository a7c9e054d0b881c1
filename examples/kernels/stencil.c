/* Jacobi in two and three dimensions.  What a point needs of its neighbours was read for the row,
   or the plane, before: blocks are cut so that it is still there.
     2-D: columns, of which four rows (three read, one written) fit
     3-D: rows, of which four planes fit
   level 2, or level 1 without it: shorter pieces would stay nearer, but what comes from memory
   comes best in long ones.  They are not cut where half of the last level holds them whole and it
   is near, or where it is not known what that holds: prefetchers hide its latency, and to begin a
   piece costs more. */
#include "kernels.h"
#include "vectors.h"

#include <stdint.h>

#if KERNEL_FAR
#define STENCIL_WHOLE (HW_L2_EFF_BYTES / 2)
#elif HW_L3_EFF_BYTES_SRC != HW_SRC_DEFAULT
#define STENCIL_WHOLE (HW_L3_EFF_BYTES / 2)
#elif HW_HAVE_L3_SRC == HW_SRC_DEFAULT || HW_HAVE_L3
#define STENCIL_WHOLE SIZE_MAX
#else
#define STENCIL_WHOLE (HW_L2_EFF_BYTES / 2)
#endif

static size_t stencil_least(size_t a, size_t b) { return a < b ? a : b; }

/* The block of four pieces of so many bytes for each of all: from hwconfig.h if it is 0. */
static size_t stencil_block(size_t block, size_t all, size_t bytes) {
  if (block == 0)
    block = all <= STENCIL_WHOLE / bytes ? all : HW_L2_EFF_BYTES / bytes;
  return block < 1 ? 1 : block;
}

void stencil2_f64(size_t block, size_t ny, size_t nx, const double *in, double *out) {
  block = stencil_block(block, nx, 4 * sizeof *in);
  for (size_t from = 1; from + 1 < nx; from += block) {
    const size_t to = stencil_least(from + block, nx - 1);
    for (size_t y = 1; y + 1 < ny; y++) {
      const double *restrict row = in + y * nx;
      const double *restrict above = row - nx, *restrict below = row + nx;
      double *restrict sum = out + y * nx;
      for (size_t x = from; x < to; x++)
        sum[x] = 0.25 * (row[x - 1] + row[x + 1] + above[x] + below[x]);
    }
  }
}

void stencil3_f64(size_t block, size_t nz, size_t ny, size_t nx, const double *in, double *out) {
  const size_t plane = nx * ny;

  block = stencil_block(block, ny, 4 * sizeof *in * (nx > 0 ? nx : 1));
  for (size_t from = 1; from + 1 < ny; from += block) {
    const size_t to = stencil_least(from + block, ny - 1);
    for (size_t z = 1; z + 1 < nz; z++)
      for (size_t y = from; y < to; y++) {
        const double *restrict row = in + z * plane + y * nx;
        const double *restrict above = row - nx, *restrict below = row + nx;
        const double *restrict before = row - plane, *restrict behind = row + plane;
        double *restrict sum = out + z * plane + y * nx;
        for (size_t x = 1; x + 1 < nx; x++)
          sum[x] =
              (row[x - 1] + row[x + 1] + above[x] + below[x] + before[x] + behind[x]) * (1.0 / 6);
      }
  }
}
