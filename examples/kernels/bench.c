/* bench WHAT ARGUMENT...: how fast the kernels are beside others.

     product LIBRARY THREADS N...   against the CBLAS in a shared library
     schur LIBRARY N...             figure 12 of BB: the tile kernel and a library's product
     small N...                     as it lies or packed, as the model chooses, against packed
     search TYPE N FILE...          each FILE a build of gemm.c as mrXnr.so, the first the model's,
                                    over cache blocks around and away from the model's
     loops WHAT                     transpose, stencil2, stencil3, sieve or join: the header's
                                    block, or fan-out, against a naive loop and common constants
     plain KERNEL N...              loops as they are written first, product, transpose, stencil2,
                                    stencil3, join or sieve: "plain KERNEL N MS" of the header's
                                    blocks, and how many times that take none, none with padded
                                    rows (or the header's again), blocks of 16, 32, 64 and 128, and
                                    the best edge
     serve KERNEL N [BUILD]         for an autotuner: reads points, NAME=VALUE ... in a line, and
                                    answers each with seconds, or with "no" where BUILD, a
                                    command, cannot make f64.MRxNR.so of gemm.c in this folder

   Two are compared in turn, in pairs, and judged by the median of the pairs' ratios.  Each line of
   output, but of plain and serve, is "point CURVE X Y SPREAD COUNT" or a remark that begins with #.
 */
#include "hwconfig.h"
#include "kernels.h"
#include "vectors.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
/* Pairs at least and at most, seconds for more than the least, seconds of one timed run, and the
 * pause in which a library's threads stop spinning. */
#define BENCH_PAIRS 15
#define BENCH_PAIRS_MOST 61
#define BENCH_PAIRS_SECONDS 3
#define BENCH_RUN 0.005
#define BENCH_PAUSE 0.02

/* Seconds; of this thread alone, so that neighbours do not count, where the system tells and the
   work is all done in it. */
static double bench_now(bool alone) {
  struct timespec now;

#ifdef CLOCK_THREAD_CPUTIME_ID
  if (alone && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
#endif
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *bench_memory(size_t bytes) {
  char *p = aligned_alloc(4096, (bytes + 8191) / 4096 * 4096);

  if (p == NULL) {
    fputs("bench: no memory\n", stderr);
    exit(1);
  }
  memset(p, 0, bytes);
  return p;
}

/* ---- Pairs ---- */

/* Something that is timed: the same work each time. */
struct bench_task {
  void (*run)(void *argument);
  void *argument;
  bool threads; /* in threads, which may spin a while afterwards */
};

static int bench_compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double bench_seconds(const struct bench_task *task, unsigned times) {
  const double start = bench_now(!task->threads);
  double seconds;

  for (unsigned i = 0; i < times; i++)
    task->run(task->argument);
  seconds = (bench_now(!task->threads) - start) / times;
  if (task->threads) {
    const struct timespec pause = {0, (long)(BENCH_PAUSE * 1e9)};
    nanosleep(&pause, NULL);
  }
  return seconds;
}

struct bench_result {
  double ratio;  /* how much faster the first is: median over the pairs */
  double spread; /* half of what lies between the quartiles, as a share */
  double first;  /* seconds, the quickest */
  double second;
  unsigned pairs;
};

/* Times two in turn, the order changing. */
static struct bench_result bench_pairs(const struct bench_task *first,
                                       const struct bench_task *second, unsigned pairs) {
  struct bench_result result = {.first = INFINITY, .second = INFINITY};
  double ratio[BENCH_PAIRS_MOST], pause;
  unsigned times, more;

  times = (unsigned)(BENCH_RUN / fmax(bench_seconds(first, 1), 1e-9)) + 1;
  if (times > 1) /* the first time is slow */
    times = (unsigned)(BENCH_RUN / fmax(bench_seconds(first, times), 1e-9)) + 1;
  pause = first->threads || second->threads ? BENCH_PAUSE : 0;
  more = (unsigned)fmin(BENCH_PAIRS_SECONDS / 2 / (times * bench_seconds(second, 1) + pause), 1e6);
  if (pairs == BENCH_PAIRS && more > pairs)
    pairs = more > BENCH_PAIRS_MOST ? BENCH_PAIRS_MOST : more;
  result.pairs = pairs;
  for (unsigned i = 0; i < pairs; i++) {
    double one, two;
    if (i % 2 == 0) {
      one = bench_seconds(first, times);
      two = bench_seconds(second, times);
    } else {
      two = bench_seconds(second, times);
      one = bench_seconds(first, times);
    }
    ratio[i] = two / one;
    result.first = fmin(result.first, one);
    result.second = fmin(result.second, two);
  }
  qsort(ratio, pairs, sizeof *ratio, bench_compare);
  result.ratio = ratio[pairs / 2];
  result.spread = (ratio[pairs * 3 / 4] - ratio[pairs / 4]) / 2 / result.ratio;
  return result;
}

static void bench_point(const char *curve, double x, double y, double spread, unsigned count) {
  printf("point %s %.10g %.4f %.4f %u\n", curve, x, y, spread, count);
  fflush(stdout);
}

/* ---- Products ---- */

typedef void (*bench_dgemm)(int, int, int, int, int, int, double, const double *, int,
                            const double *, int, double, double *, int);
typedef void (*bench_sgemm)(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);
typedef int (*bench_f64)(const struct gemm_blocks *, enum kernel_order, size_t, size_t, size_t,
                         double, const double *, size_t, const double *, size_t, double, double *,
                         size_t);
typedef int (*bench_f32)(const struct gemm_blocks *, enum kernel_order, size_t, size_t, size_t,
                         float, const float *, size_t, const float *, size_t, float, float *,
                         size_t);

struct bench_product {
  size_t n;
  unsigned threads;
  bool f32;
  void *a, *b, *c;
  bench_dgemm dgemm;
  bench_sgemm sgemm;
  bench_f64 f64;
  bench_f32 f32_blocked;
  struct gemm_blocks blocks;
};

static void bench_own(void *argument) {
  const struct bench_product *p = argument;

  if (p->f32)
    gemm_threads_f32(p->threads, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c,
                     p->n);
  else
    gemm_threads_f64(p->threads, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c,
                     p->n);
}

static void bench_cblas(void *argument) {
  const struct bench_product *p = argument;
  const int n = (int)p->n;

  if (p->f32)
    p->sgemm(101, 111, 111, n, n, n, 1, p->a, n, p->b, n, 1, p->c, n);
  else
    p->dgemm(101, 111, 111, n, n, n, 1, p->a, n, p->b, n, 1, p->c, n);
}

/* Matrices of so much: small numbers, so that sums stay finite. */
static void bench_fill(struct bench_product *p) {
  const size_t size = p->n * p->n * (p->f32 ? 4 : 8);

  p->a = bench_memory(size);
  p->b = bench_memory(size);
  p->c = bench_memory(size);
  for (size_t i = 0; i < p->n * p->n; i++)
    if (p->f32)
      ((float *)p->a)[i] = ((float *)p->b)[i] = (float)(i % 7) / 1024;
    else
      ((double *)p->a)[i] = ((double *)p->b)[i] = (double)(i % 7) / 1024;
}

static void bench_empty(struct bench_product *p) {
  free(p->a);
  free(p->b);
  free(p->c);
}

/* The library, with that many threads; NULL where there is none. */
static void *bench_library(const char *name, const char *threads) {
  void *library;

  setenv("OPENBLAS_NUM_THREADS", threads, 1);
  setenv("BLIS_NUM_THREADS", threads, 1);
  setenv("OMP_NUM_THREADS", threads, 1);
  /* Threads that spin for longer than from one call to the next take the processor from others. */
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("OPENBLAS_THREAD_TIMEOUT", "22", 1);
  library = dlopen(name, RTLD_NOW);
  if (library == NULL || dlsym(library, "cblas_dgemm") == NULL) {
    printf("# %s: no such library\n", name);
    return NULL;
  }
  return library;
}

static int bench_products(int argc, char **argv) {
  const unsigned threads = (unsigned)atoi(argv[1]);
  void *library = bench_library(argv[0], argv[1]);
  char curve[80];

  for (int f = 0; library != NULL && f < 2; f++)
    for (int i = 2; i < argc; i++) {
      struct bench_product p = {.n = (size_t)atol(argv[i]), .threads = threads, .f32 = f == 1};
      struct bench_task own = {bench_own, &p, threads > 1}, other = {bench_cblas, &p, threads > 1};
      struct bench_result result;
      double work = 2e-9 * pow((double)p.n, 3);
      *(void **)&p.dgemm = dlsym(library, "cblas_dgemm");
      *(void **)&p.sgemm = dlsym(library, "cblas_sgemm");
      bench_fill(&p);
      result = bench_pairs(&own, &other, BENCH_PAIRS);
      snprintf(curve, sizeof curve, "product_f%d_%u_%s", f ? 32 : 64, threads, argv[0]);
      bench_point(curve, (double)p.n, result.ratio, result.spread, result.pairs);
      snprintf(curve, sizeof curve, "gflops_f%d_%u", f ? 32 : 64, threads);
      bench_point(curve, (double)p.n, work / result.first, 0, result.pairs);
      bench_empty(&p);
    }
  return 0;
}

/* ---- Without packing ---- */

static void bench_packed(void *argument) {
  const struct bench_product *p = argument;

  if (p->f32)
    gemm_blocked_f32(&p->blocks, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c,
                     p->n);
  else
    gemm_blocked_f64(&p->blocks, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c,
                     p->n);
}

static struct gemm_blocks bench_model(bool f32) {
  return f32 ? (struct gemm_blocks){HW_GEMM_F32_KC, HW_GEMM_F32_MC, HW_GEMM_F32_NC}
             : (struct gemm_blocks){HW_GEMM_F64_KC, HW_GEMM_F64_MC, HW_GEMM_F64_NC};
}

static int bench_small(int argc, char **argv) {
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < argc; i++) {
      struct bench_product p = {
          .n = (size_t)atol(argv[i]), .threads = 1, .f32 = f == 1, .blocks = bench_model(f == 1)};
      struct bench_task model = {bench_own, &p, false}, packed = {bench_packed, &p, false};
      struct bench_result result;
      bench_fill(&p);
      result = bench_pairs(&model, &packed, BENCH_PAIRS);
      bench_point(p.f32 ? "small_f32" : "small_f64", (double)p.n, result.ratio, result.spread,
                  result.pairs);
      bench_empty(&p);
    }
  return 0;
}

/* ---- The search ---- */

static void bench_blocked(void *argument) {
  const struct bench_product *p = argument;

  if (p->f32)
    p->f32_blocked(&p->blocks, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c,
                   p->n);
  else
    p->f64(&p->blocks, KERNEL_ROWS, p->n, p->n, p->n, 1, p->a, p->n, p->b, p->n, 1, p->c, p->n);
}

struct bench_choice {
  const char *name;
  struct bench_product product;
  double ratio; /* against the model's */
};

static int bench_better(const void *a, const void *b) {
  const struct bench_choice *x = a, *y = b;

  return (x->ratio < y->ratio) - (x->ratio > y->ratio);
}

/* Factors to the model's blocks, in eighths, for the model's kernel and for the others. */
static const unsigned bench_kc[] = {2, 4, 6, 8, 12, 16, 32};
static const unsigned bench_mc[] = {1, 4, 6, 8, 16, 32};
static const size_t bench_nc[] = {96, 192, 0};
static const unsigned bench_few[] = {4, 8, 16};
#define BENCH_CHOICES 2000
#define BENCH_FINAL 8
#define BENCH_FINAL_PAIRS 31
#define BENCH_CHOSEN_PAIRS 61

/* One point of the search against the model. */
static void bench_try(struct bench_choice *choice, struct bench_product *model, unsigned pairs) {
  struct bench_task first = {bench_blocked, &choice->product, false},
                    second = {bench_blocked, model, false};

  choice->ratio = bench_pairs(&first, &second, pairs).ratio;
}

static int bench_search(int argc, char **argv) {
  static struct bench_choice choice[BENCH_CHOICES];
  const double start = bench_now(false);
  struct bench_product model = {.n = (size_t)atol(argv[1]), .f32 = strcmp(argv[0], "f32") == 0};
  size_t n = 0;

  model.blocks = bench_model(model.f32);
  bench_fill(&model);
  for (int i = 2; i < argc; i++) {
    void *library = dlopen(argv[i], RTLD_NOW);
    struct bench_product p = model;
    const bool own = i == 2;
    if (library == NULL) {
      fprintf(stderr, "bench: %s\n", dlerror());
      return 1;
    }
    *(void **)&p.f64 = dlsym(library, "gemm_blocked_f64");
    *(void **)&p.f32_blocked = dlsym(library, "gemm_blocked_f32");
    if (own) {
      model.f64 = p.f64;
      model.f32_blocked = p.f32_blocked;
    }
    for (size_t k = 0; k < (own ? COUNT(bench_kc) : COUNT(bench_few)); k++)
      for (size_t m = 0; m < (own ? COUNT(bench_mc) : COUNT(bench_few)); m++)
        for (size_t c = own ? 0 : COUNT(bench_nc) - 1; c < COUNT(bench_nc); c++) {
          p.blocks.kc = model.blocks.kc * (own ? bench_kc[k] : bench_few[k]) / 8 + 1;
          p.blocks.mc = model.blocks.mc * (own ? bench_mc[m] : bench_few[m]) / 8 + 1;
          p.blocks.nc = bench_nc[c] > 0 ? bench_nc[c] : model.blocks.nc;
          if (n < BENCH_CHOICES)
            choice[n++] = (struct bench_choice){argv[i], p, 0};
        }
  }
  for (size_t i = 0; i < n; i++) {
    bench_try(&choice[i], &model, 3);
    printf("# %s kc %zu mc %zu nc %zu: %.3f of the model\n", choice[i].name,
           choice[i].product.blocks.kc, choice[i].product.blocks.mc, choice[i].product.blocks.nc,
           choice[i].ratio);
  }
  printf("# %s: %zu points in %.1f s; the best once more, in more pairs\n", argv[0], n,
         bench_now(false) - start);
  qsort(choice, n, sizeof *choice, bench_better);
  for (size_t i = 0; i < n; i++)
    bench_point(model.f32 ? "search_f32" : "search_f64", (double)i, choice[i].ratio, 0, 3);
  for (size_t i = 0; i < n && i < BENCH_FINAL; i++)
    bench_try(&choice[i], &model, BENCH_FINAL_PAIRS);
  qsort(choice, n < BENCH_FINAL ? n : BENCH_FINAL, sizeof *choice, bench_better);
  for (size_t i = 0; i < n && i < BENCH_FINAL; i++) {
    printf("# %s kc %zu mc %zu nc %zu: %.3f of the model\n", choice[i].name,
           choice[i].product.blocks.kc, choice[i].product.blocks.mc, choice[i].product.blocks.nc,
           choice[i].ratio);
    bench_point(model.f32 ? "best_f32" : "best_f64", (double)i, choice[i].ratio, 0,
                BENCH_FINAL_PAIRS);
  }
  /* The best of several is so by luck too: what it is worth tells a measurement of its own.  What
     differs by no more than the model from itself does not differ. */
  bench_try(&choice[0], &model, BENCH_CHOSEN_PAIRS);
  bench_point(model.f32 ? "found_f32" : "found_f64", 0, choice[0].ratio, 0, BENCH_CHOSEN_PAIRS);
  choice[1].product = model;
  bench_try(&choice[1], &model, BENCH_CHOSEN_PAIRS);
  printf("# the best of these once more: %.3f; the model's kc %zu mc %zu nc %zu: %.3f of itself\n",
         choice[0].ratio, model.blocks.kc, model.blocks.mc, model.blocks.nc, choice[1].ratio);
  bench_empty(&model);
  return 0;
}

/* ---- The Schur complement ---- */

static void bench_schur_own(void *argument) {
  const struct bench_product *p = argument;

  schur_f64(p->n, p->n, p->n, p->a, p->n, p->b, p->n, p->c, p->n);
}

static void bench_schur_other(void *argument) {
  const struct bench_product *p = argument;
  const int n = (int)p->n;

  p->dgemm(101, 111, 111, n, n, n, -1, p->a, n, p->b, n, 1, p->c, n);
}

static int bench_schur(int argc, char **argv) {
  void *library = bench_library(argv[0], "1");

  for (int i = 1; library != NULL && i < argc; i++) {
    struct bench_product p = {.n = (size_t)atol(argv[i])};
    struct bench_task own = {bench_schur_own, &p, false}, other = {bench_schur_other, &p, false};
    const double work = 2e-9 * pow((double)p.n, 3);
    struct bench_result result;
    *(void **)&p.dgemm = dlsym(library, "cblas_dgemm");
    bench_fill(&p);
    result = bench_pairs(&own, &other, BENCH_PAIRS);
    bench_point("schur_gflops", (double)p.n, work / result.first, result.spread, result.pairs);
    bench_point("schur_library_gflops", (double)p.n, work / result.second, 0, result.pairs);
    if (p.n == schur_edge)
      bench_point("schur_model", (double)p.n, work / result.first, result.spread, result.pairs);
    bench_point("schur_ratio", (double)p.n, result.ratio, result.spread, result.pairs);
    bench_empty(&p);
  }
  return 0;
}

/* ---- Transpose, stencils, sieve ---- */

struct bench_loop {
  size_t n, block;
  double *in, *out;
  size_t result;
};

static void bench_transpose_naive(void *argument) {
  const struct bench_loop *p = argument;

  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->n; j++)
      p->out[j * p->n + i] = p->in[i * p->n + j];
}

static void bench_transpose(void *argument) {
  const struct bench_loop *p = argument;

  transpose_f64(p->block, p->n, p->n, p->in, p->n, p->out, p->n);
}

static void bench_stencil2(void *argument) {
  const struct bench_loop *p = argument;

  stencil2_f64(p->block, 16 * 1048576 / p->n, p->n, p->in, p->out);
}

static void bench_stencil3(void *argument) {
  const struct bench_loop *p = argument;

  stencil3_f64(p->block, 16 * 1048576 / (p->n * p->n), p->n, p->n, p->in, p->out);
}

static void bench_sieve(void *argument) {
  struct bench_loop *p = argument;

  p->result = sieve_count(p->block, p->n);
}

static void bench_join(void *argument) {
  struct bench_loop *p = argument;
  const uint32_t *key = (const uint32_t *)p->in;

  p->result = join_count(p->block, p->n, key, p->n, key + p->n, p->out);
}

/* Two relations of n keys, all in either, in different orders. */
static void bench_keys(size_t n, uint32_t *key) {
  uint32_t state = 1;

  for (size_t i = 0; i < n; i++) {
    uint32_t k = (uint32_t)i;
    k = (k ^ k >> 16) * UINT32_C(0x7feb352d);
    k = (k ^ k >> 15) * UINT32_C(0x846ca68b);
    key[i] = key[n + i] = k ^ k >> 16;
  }
  for (size_t i = n; i > 1; i--) {
    const size_t j = n + (state = state * UINT32_C(1664525) + UINT32_C(1013904223)) % i;
    const uint32_t kept = key[j];
    key[j] = key[n + i - 1];
    key[n + i - 1] = kept;
  }
}

/* The header's block against another: how much faster. */
static void bench_loop(const char *curve, void (*run)(void *), void (*against)(void *), size_t n,
                       size_t block, double *in, double *out) {
  struct bench_loop header = {.n = n, .block = 0, .in = in, .out = out}, other = header;
  struct bench_task first = {run, &header, false}, second = {against, &other, false};
  struct bench_result result;

  other.block = block;
  result = bench_pairs(&first, &second, BENCH_PAIRS);
  bench_point(curve, (double)n, result.ratio, result.spread, result.pairs);
}

/* Common constants: 32 elements, 64 KiB, 16 times level 1. */
static const size_t bench_64k = 65536, bench_16_l1 = (size_t)16 * HW_L1_BYTES;

static int bench_loops(const char *what) {
  static const size_t sizes[] = {500, 1000, 1024, 2048, 3000, 4096};
  const size_t elements = (size_t)17 << 20, never = (size_t)1 << 40;
  double *in = bench_memory(elements * sizeof *in), *out = bench_memory(elements * sizeof *out);

  for (size_t i = 0; strcmp(what, "transpose") == 0 && i < COUNT(sizes); i++) {
    bench_loop("transpose_naive", bench_transpose, bench_transpose_naive, sizes[i], 0, in, out);
    bench_loop("transpose_8", bench_transpose, bench_transpose, sizes[i], 8, in, out);
    bench_loop("transpose_32", bench_transpose, bench_transpose, sizes[i], 32, in, out);
    bench_loop("transpose_64k", bench_transpose, bench_transpose, sizes[i],
               (size_t)sqrt((double)bench_64k / 8), in, out);
    bench_loop("transpose_16_l1", bench_transpose, bench_transpose, sizes[i],
               (size_t)sqrt((double)bench_16_l1 / 8), in, out);
  }
  for (size_t n = 1024; strcmp(what, "stencil2") == 0 && n <= 262144; n *= 4) {
    bench_loop("stencil2_naive", bench_stencil2, bench_stencil2, n, never, in, out);
    bench_loop("stencil2_32", bench_stencil2, bench_stencil2, n, 32, in, out);
    bench_loop("stencil2_64k", bench_stencil2, bench_stencil2, n, bench_64k / 32, in, out);
    bench_loop("stencil2_16_l1", bench_stencil2, bench_stencil2, n, bench_16_l1 / 32, in, out);
  }
  for (size_t n = 128; strcmp(what, "stencil3") == 0 && n <= 1024; n *= 2) {
    bench_loop("stencil3_naive", bench_stencil3, bench_stencil3, n, never, in, out);
    bench_loop("stencil3_8", bench_stencil3, bench_stencil3, n, 8, in, out);
    bench_loop("stencil3_32", bench_stencil3, bench_stencil3, n, 32, in, out);
    bench_loop("stencil3_64k", bench_stencil3, bench_stencil3, n, bench_64k / 32 / n, in, out);
    bench_loop("stencil3_16_l1", bench_stencil3, bench_stencil3, n, bench_16_l1 / 32 / n, in, out);
  }
  for (size_t n = 10000000; strcmp(what, "sieve") == 0 && n <= 100000000; n *= 10) {
    bench_loop("sieve_naive", bench_sieve, bench_sieve, n, n, in, out);
    bench_loop("sieve_32k", bench_sieve, bench_sieve, n, 32768, in, out);
    bench_loop("sieve_64k", bench_sieve, bench_sieve, n, bench_64k, in, out);
    bench_loop("sieve_16_l1", bench_sieve, bench_sieve, n, bench_16_l1, in, out);
  }
  for (size_t n = 65536; strcmp(what, "join") == 0 && n <= 4194304; n *= 4) {
    char curve[80];
    bench_keys(n, (uint32_t *)in);
    bench_loop("join_naive", bench_join, bench_join, n, 1, in, out);
    for (size_t fanout = 4; fanout <= 4096; fanout *= 4) {
      snprintf(curve, sizeof curve, "join_%zu", fanout);
      bench_loop(curve, bench_join, bench_join, n, fanout, in, out);
    }
  }
  free(in);
  free(out);
  return 0;
}

/* ---- Points for an autotuner ---- */

/* Pairs, and where their ratios spread by more, more of them. */
#define BENCH_SERVE_PAIRS 5
#define BENCH_SERVE_SPREAD 0.02
#define BENCH_SERVE_MORE 25
/* Elements of the stencils, and of the arrays of all loops. */
#define BENCH_ELEMENTS ((size_t)16 << 20)
#define BENCH_ROOM (BENCH_ELEMENTS + (BENCH_ELEMENTS >> 4))

enum { POINT_MR, POINT_NV, POINT_KC, POINT_MC, POINT_NC, POINT_BLOCK, POINT_FANOUT, POINT_NAMES };
static const char *const point_name[] = {"MR", "NV", "KC", "MC", "NC", "BLOCK", "FANOUT"};

/* False where a word is no positive value of a parameter, or where one from first to last is
 * missing. */
static bool bench_read(char *line, size_t *point, size_t first, size_t last) {
  memset(point, 0, POINT_NAMES * sizeof *point);
  for (char *word = strtok(line, " \n"); word != NULL; word = strtok(NULL, " \n")) {
    const size_t length = strcspn(word, "=");
    char *end = word;
    size_t i = 0;
    while (i < POINT_NAMES &&
           (strlen(point_name[i]) != length || strncmp(word, point_name[i], length) != 0))
      i++;
    if (i < POINT_NAMES && word[length] == '=')
      point[i] = strtoul(word + length + 1, &end, 10);
    if (*end != '\0' || i == POINT_NAMES || point[i] == 0 || point[i] > SIZE_MAX >> 16) {
      fprintf(stderr, "bench: no positive value of a parameter: %s\n", word);
      return false;
    }
  }
  for (size_t i = first; i <= last; i++)
    if (point[i] == 0) {
      fprintf(stderr, "bench: a point without %s\n", point_name[i]);
      return false;
    }
  return true;
}

/* The product of that shape, which is built where it is not there; false where it cannot be. */
static bool bench_shape(struct bench_product *p, const size_t *point, const char *build) {
  const size_t bytes = p->f32 ? 4 : 8, lanes = KERNEL_VECTOR > bytes ? KERNEL_VECTOR / bytes : 1;
  char file[80], command[4096];
  void *library;

  snprintf(file, sizeof file, "./%s.%zux%zu.so", p->f32 ? "f32" : "f64", point[POINT_MR],
           point[POINT_NV] * lanes);
  library = dlopen(file, RTLD_NOW); /* again and again the same */
  if (library == NULL && build != NULL) {
    snprintf(command, sizeof command, "%s %s >&2", build, file);
    library = system(command) == 0 ? dlopen(file, RTLD_NOW) : NULL;
  }
  if (library == NULL)
    return false;
  *(void **)&p->f64 = dlsym(library, "gemm_blocked_f64");
  *(void **)&p->f32_blocked = dlsym(library, "gemm_blocked_f32");
  p->blocks = (struct gemm_blocks){point[POINT_KC], point[POINT_MC], point[POINT_NC]};
  return true;
}

/* Seconds of the header's, from a file in this folder: what was timed at another hour compares. */
static double bench_reference(const struct bench_task *task, const char *kernel, size_t n) {
  char name[80];
  double seconds = 0;
  FILE *file;

  snprintf(name, sizeof name, "%s.%zu.reference", kernel, n);
  file = fopen(name, "r");
  if (file == NULL || fscanf(file, "%lf", &seconds) != 1 || !(seconds > 0)) {
    seconds = bench_pairs(task, task, BENCH_SERVE_MORE).first;
    if (file != NULL)
      fclose(file);
    file = fopen(name, "w");
    if (file != NULL)
      fprintf(file, "%.9f\n", seconds);
  }
  if (file != NULL)
    fclose(file);
  return seconds;
}

/* Each point against the header's, so that it matters little what else the processor does: the
   answer is the time that the header's took once, by how much faster this one is. */
static int bench_serve(const char *kernel, size_t n, const char *build) {
  static const struct {
    const char *name;
    void (*run)(void *);
    unsigned power; /* of n that the arrays hold */
  } loops[] = {{"transpose_f64", bench_transpose, 2},
               {"stencil2_f64", bench_stencil2, 1},
               {"stencil3_f64", bench_stencil3, 2},
               {"join", bench_join, 1}};
  const bool product = strcmp(kernel, "product_f64") == 0 || strcmp(kernel, "product_f32") == 0;
  struct bench_product p = {.n = n, .threads = 1, .f32 = strcmp(kernel, "product_f32") == 0}, own;
  struct bench_loop loop = {.n = n}, header;
  struct bench_task task = {bench_blocked, &p, false}, reference = {bench_own, &own, false};
  size_t l = 0, first = POINT_MR, last = POINT_NC, point[POINT_NAMES];
  double seconds;
  char line[4096];

  while (!product && l < COUNT(loops) && strcmp(kernel, loops[l].name) != 0)
    l++;
  if (l == COUNT(loops) || n < 3 || pow((double)n, product ? 2 : loops[l].power) > BENCH_ELEMENTS) {
    fprintf(stderr, "bench: serve: no such kernel, or size: %s, %zu\n", kernel, n);
    return 2;
  }
  if (product)
    bench_fill(&p);
  else {
    loop.in = bench_memory(BENCH_ROOM * sizeof *loop.in);
    loop.out = bench_memory(BENCH_ROOM * sizeof *loop.out);
    task = (struct bench_task){loops[l].run, &loop, false};
    reference = (struct bench_task){loops[l].run, &header, false};
    first = last = task.run == bench_join ? POINT_FANOUT : POINT_BLOCK;
    if (task.run == bench_join)
      bench_keys(n, (uint32_t *)loop.in);
  }
  own = p;
  header = loop;
  seconds = bench_reference(&reference, kernel, n);
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (!bench_read(line, point, first, last))
      return 1;
    loop.block = point[last];
    if (product
            ? !bench_shape(&p, point, build)
            : task.run == bench_join && join_room(loop.block, n, n) > BENCH_ROOM * sizeof *loop.out)
      puts("no");
    else {
      struct bench_result result = bench_pairs(&task, &reference, BENCH_SERVE_PAIRS);
      if (result.spread > BENCH_SERVE_SPREAD)
        result = bench_pairs(&task, &reference, BENCH_SERVE_MORE);
      printf("%.9f\n", seconds / result.ratio);
    }
    fflush(stdout);
  }
  if (product)
    bench_empty(&p);
  free(loop.in);
  free(loop.out);
  return 0;
}

/* ---- Plain loops ---- */

/* Rounds at least and at most, and seconds for more than the least. */
#define PLAIN_ROUNDS 2
#define PLAIN_ROUNDS_MOST 41
#define PLAIN_SECONDS 4
#define PLAIN_MOST 32

struct plain_loop {
  size_t n, ld, block;
  double *in, *out, *more;
};

static size_t plain_least(size_t a, size_t b) { return a < b ? a : b; }

/* As one writes it: gcc believes restrict of parameters alone. */
static void plain_rows(size_t n, size_t ld, const double *restrict a, const double *restrict b,
                       double *restrict c) {
  for (size_t x = 0; x < n; x++)
    for (size_t z = 0; z < n; z++)
      for (size_t y = 0; y < n; y++)
        c[x * ld + y] += a[x * ld + z] * b[z * ld + y];
}

static void plain_product_none(void *argument) {
  const struct plain_loop *p = argument;

  plain_rows(p->n, p->ld, p->in, p->more, p->out);
}

static void plain_squares(size_t edge, size_t n, size_t ld, const double *restrict a,
                          const double *restrict b, double *restrict c) {
  for (size_t i = 0; i < n; i += edge)
    for (size_t j = 0; j < n; j += edge)
      for (size_t k = 0; k < n; k += edge)
        for (size_t x = i; x < plain_least(n, i + edge); x++)
          for (size_t z = k, last = plain_least(n, k + edge); z < last; z++)
            for (size_t y = j, end = plain_least(n, j + edge); y < end; y++)
              c[x * ld + y] += a[x * ld + z] * b[z * ld + y];
}

static void plain_product_square(void *argument) {
  const struct plain_loop *p = argument;

  plain_squares(p->block, p->n, p->ld, p->in, p->more, p->out);
}

static void plain_product(void *argument) {
  const struct plain_loop *p = argument;
  const size_t n = p->n, ld = p->ld;

  product_f64(n, n, n, p->in, ld, p->more, ld, p->out, ld);
}

static void plain_transpose_none(void *argument) {
  const struct plain_loop *p = argument;

  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->n; j++)
      p->out[j * p->ld + i] = p->in[i * p->ld + j];
}

static void plain_transpose_square(void *argument) {
  const struct plain_loop *p = argument;
  const size_t n = p->n, edge = p->block;

  for (size_t x = 0; x < n; x += edge)
    for (size_t y = 0; y < n; y += edge)
      for (size_t i = x; i < plain_least(n, x + edge); i++)
        for (size_t j = y; j < plain_least(n, y + edge); j++)
          p->out[j * p->ld + i] = p->in[i * p->ld + j];
}

static void plain_transpose(void *argument) {
  const struct plain_loop *p = argument;

  transpose_f64(0, p->n, p->n, p->in, p->ld, p->out, p->ld);
}

static void plain_stencil2(void *argument) {
  const struct plain_loop *p = argument;

  stencil2_f64(p->block, p->n, p->n, p->in, p->out);
}

static size_t plain_planes(size_t n) { return plain_least(n, BENCH_ELEMENTS / n / n); }

static void plain_stencil3(void *argument) {
  const struct plain_loop *p = argument;

  stencil3_f64(p->block, plain_planes(p->n), p->n, p->n, p->in, p->out);
}

static void plain_join(void *argument) {
  const struct plain_loop *p = argument;
  const uint32_t *key = (const uint32_t *)p->in;

  join_count(p->block, p->n * p->n, key, p->n * p->n, key + p->n * p->n, p->out);
}

static void plain_sieve(void *argument) {
  const struct plain_loop *p = argument;

  sieve_count(p->block, 8 * p->n * p->n);
}

/* A kernel: with the header's blocks, without any, and in blocks of that edge, or so many of a
   unit. A block of the header's is 0, and none is as many as none. */
static const struct plain_kernel {
  const char *name;
  void (*header)(void *), (*none)(void *), (*block)(void *);
  size_t unit, without;
  bool square, rows; /* of matrices; rows may be longer than n */
} plain_kernels[] = {
    {"product", plain_product, plain_product_none, plain_product_square, 1, 0, true, true},
    {"transpose", plain_transpose, plain_transpose_none, plain_transpose_square, 1, 0, true, true},
    {"stencil2", plain_stencil2, plain_stencil2, plain_stencil2, 1, SIZE_MAX / 4, true, false},
    {"stencil3", plain_stencil3, plain_stencil3, plain_stencil3, 1, SIZE_MAX / 4, true, false},
    {"join", plain_join, plain_join, plain_join, 1, 1, false, false},
    {"sieve", plain_sieve, plain_sieve, plain_sieve, 1024, SIZE_MAX / 4, false, false}};

/* Rows of an odd multiple of HW_PAD_BYTES fall into different sets. */
static size_t plain_padded(size_t n) {
  const size_t pad = HW_PAD_BYTES / sizeof(double);

  return ((n + pad - 1) / pad | 1) * pad;
}

/* What is compared: the header's, none, none with longer rows, or the header's again if there are
   no rows to pad, and blocks. */
static size_t plain_choices(const struct plain_kernel *kernel, struct plain_loop loop,
                            struct bench_task *task, struct plain_loop *loops) {
  static const size_t edges[] = {16, 32, 64, 128, 8, 24, 48, 96, 192, 256, 384, 512, 768, 1024};
  size_t count = 0;

  loops[count] = loop;
  task[count] = (struct bench_task){kernel->header, &loops[count], false};
  loops[++count] = loop;
  loops[count].block = kernel->without;
  task[count] = (struct bench_task){kernel->none, &loops[count], false};
  loops[++count] = loop;
  loops[count].ld = kernel->rows ? plain_padded(loop.n) : loop.n;
  task[count] =
      (struct bench_task){kernel->rows ? kernel->none : kernel->header, &loops[count], false};
  for (size_t e = 0; e < COUNT(edges); e++) {
    if (kernel->square ? edges[e] >= loop.n : (edges[e] & (edges[e] - 1)) != 0)
      continue;
    loops[++count] = loop;
    loops[count].block = edges[e] * kernel->unit;
    task[count] = (struct bench_task){kernel->block, &loops[count], false};
  }
  return count + 1;
}

/* Each in turn, a round after the other: the quickest time of each.  Every second round goes back,
   since what ran before has left its branches and its lines. */
static void plain_rounds(const struct bench_task *task, size_t count, double *best) {
  const double start = bench_now(true);
  unsigned times[PLAIN_MOST];

  for (size_t i = 0; i < count; i++) {
    best[i] = bench_seconds(&task[i], 1);
    if (best[i] < BENCH_RUN) /* the first time is slow */
      best[i] = bench_seconds(&task[i], 1);
    times[i] = (unsigned)(BENCH_RUN / fmax(best[i], 1e-9)) + 1;
  }
  for (unsigned r = 0; r < PLAIN_ROUNDS_MOST; r++) {
    if (r >= PLAIN_ROUNDS && bench_now(true) - start > PLAIN_SECONDS)
      return;
    for (size_t i = 0; i < count; i++) {
      const size_t k = r % 2 == 0 ? i : count - 1 - i;
      best[k] = fmin(best[k], bench_seconds(&task[k], times[k]));
    }
  }
}

/* A line: how much slower than with the header's blocks is each of the others. */
static void plain_line(const struct plain_kernel *kernel, size_t n, double *in, double *out,
                       double *more) {
  struct plain_loop loops[PLAIN_MOST];
  struct bench_task task[PLAIN_MOST];
  double best[PLAIN_MOST];
  const size_t count =
      plain_choices(kernel, (struct plain_loop){n, n, 0, in, out, more}, task, loops);
  size_t quickest = 3;

  if (kernel->header == plain_join)
    bench_keys(n * n, (uint32_t *)in);
  plain_rounds(task, count, best);
  for (size_t i = 4; i < count; i++)
    quickest = best[i] < best[quickest] ? i : quickest;
  printf("plain %s %zu %.6f", kernel->name, n, best[0] * 1e3);
  for (size_t i = 1; i < 7; i++)
    printf(" %.3f", best[i] / best[0]);
  printf(" %.3f %zu\n", best[quickest] / best[0], loops[quickest].block / kernel->unit);
  fflush(stdout);
}

static int bench_plain(const char *name, int argc, char **argv) {
  const size_t elements = BENCH_ROOM;
  double *in = bench_memory(elements * sizeof *in), *out = bench_memory(elements * sizeof *out);
  double *more = bench_memory(elements * sizeof *more);

  for (size_t i = 0; i < elements; i++)
    in[i] = more[i] = (double)(i % 7) / 1024;
  for (size_t k = 0; k < COUNT(plain_kernels); k++)
    for (int i = 0; strcmp(name, plain_kernels[k].name) == 0 && i < argc; i++) {
      const size_t n = (size_t)atol(argv[i]);
      if (n > 128 && n <= 2048 && (plain_kernels[k].header != plain_stencil3 || n <= 1024))
        plain_line(&plain_kernels[k], n, in, out, more);
    }
  free(in);
  free(out);
  free(more);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 4 && strcmp(argv[1], "product") == 0)
    return bench_products(argc - 2, argv + 2);
  if (argc > 3 && strcmp(argv[1], "schur") == 0)
    return bench_schur(argc - 2, argv + 2);
  if (argc > 2 && strcmp(argv[1], "small") == 0)
    return bench_small(argc - 2, argv + 2);
  if (argc > 4 && strcmp(argv[1], "search") == 0)
    return bench_search(argc - 2, argv + 2);
  if (argc == 3 && strcmp(argv[1], "loops") == 0)
    return bench_loops(argv[2]);
  if (argc > 3 && strcmp(argv[1], "plain") == 0)
    return bench_plain(argv[2], argc - 3, argv + 3);
  if ((argc == 4 || argc == 5) && strcmp(argv[1], "serve") == 0)
    return bench_serve(argv[2], strtoul(argv[3], NULL, 10), argv[4]);
  fputs("usage: bench product LIBRARY THREADS N... | schur LIBRARY N... | small N... |"
        " search TYPE N FILE... | loops WHAT | plain KERNEL N... | serve KERNEL N [BUILD]\n",
        stderr);
  return 2;
}
