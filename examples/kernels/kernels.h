/* Kernels whose every block size comes from hwconfig.h.

   All matrices are of double (f64) or float (f32).  A leading dimension is the distance of two
   rows, or of two columns where the order says so. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum kernel_order { KERNEL_ROWS, KERNEL_COLUMNS };

/* Cache blocks of the product, where they are not to be those of hwconfig.h.  Positive. */
struct gemm_blocks {
  size_t kc;
  size_t mc;
  size_t nc;
};

/* C = alpha A B + beta C, of m x k, k x n and m x n.  Where beta is 0 C is not read.  No two of
   them overlap.  blocks may be NULL.  0, or -1 when there is no memory.  A thread keeps what it
   packs into; gemm_release frees that of the thread that calls. */
void gemm_release(void);
int gemm_f64(enum kernel_order order, size_t m, size_t n, size_t k, double alpha, const double *a,
             size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc);
int gemm_f32(enum kernel_order order, size_t m, size_t n, size_t k, float alpha, const float *a,
             size_t lda, const float *b, size_t ldb, float beta, float *c, size_t ldc);
int gemm_blocked_f64(const struct gemm_blocks *blocks, enum kernel_order order, size_t m, size_t n,
                     size_t k, double alpha, const double *a, size_t lda, const double *b,
                     size_t ldb, double beta, double *c, size_t ldc);
int gemm_blocked_f32(const struct gemm_blocks *blocks, enum kernel_order order, size_t m, size_t n,
                     size_t k, float alpha, const float *a, size_t lda, const float *b, size_t ldb,
                     float beta, float *c, size_t ldc);

/* The same by up to so many threads, fewer where there is little to do. */
int gemm_threads_f64(unsigned threads, enum kernel_order order, size_t m, size_t n, size_t k,
                     double alpha, const double *a, size_t lda, const double *b, size_t ldb,
                     double beta, double *c, size_t ldc);
int gemm_threads_f32(unsigned threads, enum kernel_order order, size_t m, size_t n, size_t k,
                     float alpha, const float *a, size_t lda, const float *b, size_t ldb,
                     float beta, float *c, size_t ldc);

/* C -= A B in place, nothing packed: the Schur complement's update of a tile that is to stay in
   level 1, by rows.  SCHUR_EDGE is the edge that the model takes for it, in whole blocks of
   SCHUR_COLUMNS, if it holds one. */
void schur_f64(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b,
               size_t ldb, double *c, size_t ldc);
extern const size_t schur_edge, schur_columns;

/* C += A B, of m x k, k x n and m x n by rows, as a plain loop, in copies of blocks of B. */
void product_f64(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b,
                 size_t ldb, double *c, size_t ldc);

/* B = A', A of m x n by rows, in blocks of that many columns of A; 0: from hwconfig.h. */
void transpose_f64(size_t block, size_t m, size_t n, const double *a, size_t lda, double *b,
                   size_t ldb);

/* One step of Jacobi on the inner points of ny rows of nx, or of nz planes of them: the mean of the
   nearest neighbours.  In blocks of that many columns, or rows; 0: from hwconfig.h. */
void stencil2_f64(size_t block, size_t ny, size_t nx, const double *in, double *out);
void stencil3_f64(size_t block, size_t nz, size_t ny, size_t nx, const double *in, double *out);

/* Primes up to a limit, in segments of that many bytes; 0: from hwconfig.h.  SIZE_MAX when there is
   no memory. */
size_t sieve_count(size_t segment, size_t limit);

/* Pairs of equal keys of two relations, of n and of m keys, fewer than 2^32; a pass makes that many
   partitions, a power of two, 1 for none; 0: as many as hwconfig.h says.  room: memory of join_room
   bytes, which begins where malloc's does. */
size_t join_room(size_t fanout, size_t n, size_t m);
size_t join_count(size_t fanout, size_t n, const uint32_t *first, size_t m, const uint32_t *second,
                  void *room);

#endif
