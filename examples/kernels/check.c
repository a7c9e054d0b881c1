/* check [LIBRARY]: each kernel against a naive version, over many shapes, and the products against
   the CBLAS in that shared library, or in one of those that are usual, where there is one.  Speaks
   TAP. */
#include "kernels.h"
#include "vectors.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static unsigned tests, failures;
static unsigned long state = 1;

static void ok(bool good, const char *title) {
  failures += !good;
  printf("%sok %u - %s\n", good ? "" : "not ", ++tests, title);
}

/* A number between -1 and 1. */
static double some(void) {
  state = state * 1103515245UL + 12345UL;
  return (double)(state >> 8 & 0xffff) / 32768 - 1;
}

/* Random elements, and NAN around them where nothing is to be touched. */
static void *memory(size_t bytes) {
  void *p = malloc(bytes > 0 ? bytes : 1);

  if (p == NULL) {
    puts("Bail out! no memory");
    exit(1);
  }
  return p;
}

/* ---- Products ---- */

typedef void (*check_dgemm)(int, int, int, int, int, int, double, const double *, int,
                            const double *, int, double, double *, int);
typedef void (*check_sgemm)(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);

static check_dgemm cblas_f64;
static check_sgemm cblas_f32;

/* The CBLAS: its numbers for the order and for no transposition. */
static int check_order(enum kernel_order order) { return order == KERNEL_ROWS ? 101 : 102; }
#define CHECK_PLAIN 111

#define TYPE double
#define NAME(x) x##_f64
#define CHECK_EPSILON DBL_EPSILON
#define CHECK_TITLE " of F64"
#include "check_type.h"
#define TYPE float
#define NAME(x) x##_f32
#define CHECK_EPSILON FLT_EPSILON
#define CHECK_TITLE " of F32"
#include "check_type.h"

/* ---- The others ---- */

/* C += A B, or C -= A B, as plain loops do it. */
static bool check_update(bool subtract, size_t m, size_t n, size_t k) {
  const size_t lda = k + 1, ldb = n + 2, ldc = n + 3;
  double *a = memory(m * lda * sizeof *a), *b = memory(k * ldb * sizeof *b);
  double *c = memory(m * ldc * sizeof *c), *d = memory(m * ldc * sizeof *d);
  bool good = true;

  for (size_t i = 0; i < m * lda; i++)
    a[i] = some();
  for (size_t i = 0; i < k * ldb; i++)
    b[i] = some();
  for (size_t i = 0; i < m * ldc; i++)
    c[i] = d[i] = some();
  if (subtract)
    schur_f64(m, n, k, a, lda, b, ldb, c, ldc);
  else
    product_f64(m, n, k, a, lda, b, ldb, c, ldc);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t p = 0; p < k; p++)
        d[i * ldc + j] += (subtract ? -1 : 1) * a[i * lda + p] * b[p * ldb + j];
  for (size_t i = 0; i < m * ldc; i++)
    good = good && fabs(c[i] - d[i]) < 100 * (double)(k + 1) * DBL_EPSILON;
  free(a);
  free(b);
  free(c);
  free(d);
  return good;
}

static void check_schur(void) {
  bool good = true;

  for (size_t m = 0; m < 20; m++)
    for (size_t n = 0; n < 20; n++)
      for (size_t k = 0; k < 12; k += 1 + k / 3)
        good = check_update(true, m, n, k) && good;
  ok(good, "Schur complement: C -= A B, and nothing else is written");
  ok(schur_edge > 0 && (schur_edge < schur_columns || schur_edge % schur_columns == 0),
     "Schur complement: blocks of whole vectors fill its edge");
}

static void check_product(void) {
  static const size_t edges[] = {0, 1, HW_BLOCK_ROWS, HW_BLOCK_ROWS + 1, 2 * HW_BLOCK_ROWS + 1};
  const size_t columns = HW_BLOCK_ROW_BYTES / sizeof(double);
  bool good = true;

  for (size_t m = 0; m <= 2 * columns + 1; m += m % columns == 1 ? columns - 1 : 1)
    for (size_t n = 0; n <= 2 * columns + 1; n += n % columns == 1 ? columns - 1 : 1)
      for (size_t e = 0; e < COUNT(edges); e++)
        good = check_update(false, m, n, edges[e]) && good;
  ok(good, "plain product: C += A B, and nothing else is written");
}

static void check_transpose(void) {
  static const size_t edges[] = {0, 1, 7, 32, 300};
  bool good = true;

  for (size_t e = 0; e < COUNT(edges); e++)
    for (size_t m = 0; m < 80; m += 1 + m / 2)
      for (size_t n = 0; n < 300; n += 1 + n / 2) {
        const size_t lda = n + 1, ldb = m + 2;
        double *a = memory(m * lda * sizeof *a), *b = memory(n * ldb * sizeof *b);
        for (size_t i = 0; i < m * lda; i++)
          a[i] = some();
        for (size_t i = 0; i < n * ldb; i++)
          b[i] = 2;
        transpose_f64(edges[e], m, n, a, lda, b, ldb);
        for (size_t j = 0; j < n; j++)
          for (size_t i = 0; i < ldb; i++)
            good = good && fabs(b[j * ldb + i] - (i < m ? a[i * lda + j] : 2)) <= 0;
        free(a);
        free(b);
      }
  ok(good, "transpose");
}

static void check_stencils(void) {
  static const size_t blocks[] = {0, 1, 3, 1000};
  bool good2 = true, good3 = true;

  for (size_t e = 0; e < COUNT(blocks); e++)
    for (size_t n = 0; n < 12; n++)
      for (size_t nx = 0; nx < 12; nx++) {
        const size_t nz = 4, size = nz * n * nx;
        double *in = memory(size * sizeof *in), *out = memory(size * sizeof *out);
        for (size_t i = 0; i < size; i++) {
          in[i] = some();
          out[i] = 2;
        }
        stencil2_f64(blocks[e], n, nx, in, out);
        for (size_t y = 0; y < n; y++)
          for (size_t x = 0; x < nx; x++) {
            const size_t at = y * nx + x;
            const double want = y > 0 && y + 1 < n && x > 0 && x + 1 < nx
                                    ? (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]) / 4
                                    : 2;
            good2 = good2 && fabs(out[at] - want) < 10 * DBL_EPSILON;
            out[at] = 2;
          }
        stencil3_f64(blocks[e], nz, n, nx, in, out);
        for (size_t at = 0; at < size; at++) {
          const size_t x = at % nx, y = at / nx % n, z = at / nx / n, plane = n * nx;
          const double want = z > 0 && z + 1 < nz && y > 0 && y + 1 < n && x > 0 && x + 1 < nx
                                  ? (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] +
                                     in[at - plane] + in[at + plane]) /
                                        6
                                  : 2;
          good3 = good3 && fabs(out[at] - want) < 10 * DBL_EPSILON;
        }
        free(in);
        free(out);
      }
  ok(good2, "2-D stencil");
  ok(good3, "3-D stencil");
}

static void check_sieve(void) {
  static const size_t limits[] = {0, 1, 2, 3, 4, 5, 9, 10, 25, 100, 121, 1000, 7919, 100000};
  static const size_t counts[] = {0, 0, 1, 2, 2, 3, 4, 4, 9, 25, 30, 168, 1000, 9592};
  static const size_t segments[] = {0, 1, 10, 4096};
  bool good = true;

  for (size_t i = 0; i < COUNT(limits); i++)
    for (size_t s = 0; s < COUNT(segments); s++)
      good = good && sieve_count(segments[s], limits[i]) == counts[i];
  ok(good, "sieve");
}

/* Of keys below so many, each of which is in either relation some times. */
#define CHECK_KEYS 65536u

static void check_join(void) {
  static const size_t fanouts[] = {0, 1, 2, 8, 4096}, sizes[] = {0, 1, 2, 1000, 300000};
  static uint32_t key[2][300000], times[2][CHECK_KEYS];
  bool good = true;

  for (size_t f = 0; f < COUNT(fanouts); f++)
    for (size_t i = 0; i < COUNT(sizes); i++)
      for (size_t j = 0; j < COUNT(sizes); j++) {
        const size_t n[2] = {sizes[i], sizes[j]};
        void *room = memory(join_room(fanouts[f], n[0], n[1]));
        size_t pairs = 0;
        memset(times, 0, sizeof times);
        for (size_t side = 0; side < 2; side++)
          for (size_t k = 0; k < n[side]; k++)
            times[side][key[side][k] = (uint32_t)((some() + 1) / 2 * CHECK_KEYS)]++;
        for (size_t k = 0; k < CHECK_KEYS; k++)
          pairs += (size_t)times[0][k] * times[1][k];
        good = good && join_count(fanouts[f], n[0], key[0], n[1], key[1], room) == pairs;
        free(room);
      }
  ok(good, "hash join");
}

static void *check_library(const char *name) {
  static const char *const usual[] = {"libopenblas.so.0", "libopenblas.so", "libcblas.so.3",
                                      "libblas.so.3", "libcblas.so"};
  void *library = NULL;

  if (name != NULL)
    return dlopen(name, RTLD_NOW);
  for (size_t i = 0; library == NULL && i < COUNT(usual); i++)
    library = dlopen(usual[i], RTLD_NOW);
  return library;
}

int main(int argc, char **argv) {
  void *library = check_library(argc > 1 ? argv[1] : NULL);

  if (library != NULL) {
    *(void **)&cblas_f64 = dlsym(library, "cblas_dgemm");
    *(void **)&cblas_f32 = dlsym(library, "cblas_sgemm");
  }
  check_gemm_f64();
  check_gemm_f32();
  check_schur();
  check_product();
  check_transpose();
  check_stencils();
  check_sieve();
  check_join();
  gemm_release();
  printf("1..%u\n", tests);
  return failures > 0;
}
