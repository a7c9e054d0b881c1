#define _POSIX_C_SOURCE 200809L
#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hwconfig.h"

/* HW_L1_EFF_BYTES, HW_L1_LINE and HW_PAD_BYTES always have a value, at least a careful default. */
enum {
  LINE = HW_L1_LINE < sizeof(double) ? 1 : HW_L1_LINE / sizeof(double),
  PAD = HW_PAD_BYTES < sizeof(double) ? 1 : HW_PAD_BYTES / sizeof(double)
};

size_t block_side(size_t blocks) {
  size_t most = HW_L1_EFF_BYTES / sizeof(double) / blocks;
  size_t side = 1;

#ifdef HW_TLB1_ENTRIES
  /* Each row of a block may lie on a page of its own. */
  size_t rows = HW_TLB1_ENTRIES / blocks;
#else
  size_t rows = most;
#endif

  while ((side + 1) * (side + 1) <= most && side < rows)
    side++;
  return side > LINE ? side / LINE * LINE : side;
}

size_t row_distance(size_t n) {
  size_t units = (n + PAD - 1) / PAD;

  return (units | 1) * PAD;
}

double *matrix(size_t n, unsigned seed) {
  size_t size = n * row_distance(n);
  double *a = malloc(size * sizeof *a);

  for (size_t i = 0; a && i < size; i++)
    a[i] = (double)((i * 7 + seed) % 11);
  return a;
}

void print_machine(void) {
  char bytes[32] = "";
  char line[32] = "";

#ifdef FROBNICATE
  printf("frobnicated\n");
#endif
  if (HW_L1_BYTES_SRC != HW_SRC_DEFAULT)
    snprintf(bytes, sizeof bytes, "%ld", (long)HW_L1_BYTES);
  if (HW_L1_LINE_SRC != HW_SRC_DEFAULT)
    snprintf(line, sizeof line, "%ld", (long)HW_L1_LINE);
  printf("L1: '%s' bytes in lines of '%s', of which %ld serve one thread%s\n", bytes, line,
         (long)HW_L1_EFF_BYTES, HW_L1_EFF_BYTES_SRC == HW_SRC_DEFAULT ? " (a default)" : "");
}

double seconds(void) {
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int compare(const char *what, const double *naive, double naive_time, const double *blocked,
            double blocked_time, size_t n) {
  size_t distance = row_distance(n);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (naive[i * distance + j] != blocked[i * distance + j]) {
        fprintf(stderr, "%s: row %zu, column %zu differs\n", what, i, j);
        return 1;
      }
  printf("%s of %zu x %zu: naive %.6f s, blocked %.6f s: %.2f times as fast\n", what, n, n,
         naive_time, blocked_time, naive_time / blocked_time);
  return 0;
}
