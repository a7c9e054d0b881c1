/* A transpose in tiles that fit level 1 of the machine it runs on, wherever it was built.

   tiles [N]: an N x N matrix of double; prints the tile and where it comes from, and checks the
   result. */
#include "hwconfig-runtime.h"

#include <stdio.h>
#include <stdlib.h>

/* Built with hwconfig.h of the machine where it is built, or without any. */
#ifdef HAVE_HWCONFIG_H
#include "hwconfig.h"
#else
#define HW_L1_BYTES 16384
#endif

/* Two tiles of double share level 1; a tile is of at least 4 x 4. */
static size_t tile(void) {
  size_t bytes = (size_t)hw_runtime("L1_BYTES", HW_L1_BYTES), n = 4;

  while (2 * (n + 4) * (n + 4) * sizeof(double) <= bytes)
    n += 4;
  return n;
}

static void transpose(size_t n, size_t t, const double *from, double *to) {
  for (size_t i = 0; i < n; i += t)
    for (size_t j = 0; j < n; j += t)
      for (size_t k = i; k < n && k < i + t; k++)
        for (size_t l = j; l < n && l < j + t; l++)
          to[l * n + k] = from[k * n + l];
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000, t = tile(), wrong = 0;
  double *from = calloc(n * n, sizeof *from), *to = calloc(n * n, sizeof *to);

  if (n == 0 || from == NULL || to == NULL) {
    fprintf(stderr, "tiles: no memory\n");
    return 1;
  }
  for (size_t i = 0; i < n * n; i++)
    from[i] = (double)i;
  transpose(n, t, from, to);
  for (size_t i = 0; i < n * n; i++)
    wrong += to[i % n * n + i / n] != from[i];
  printf("tiles of %zu x %zu: %s\n", t, t, hw_runtime_source());
  free(from);
  free(to);
  return wrong != 0;
}
