/* BlackjackBench's kernel (BB 6, figure 12): C -= A B of a tile that stays in level 1, nothing
   packed.  As there, m x n of C stay in registers while one column of A and one row of B at a time
   are taken; m and n are the even ones of the model, n counted in vectors. */
#include "kernels.h"
#include "vectors.h"

#if defined HW_GEMM_BB_EVEN_M && defined HW_GEMM_BB_EVEN_N
#define SCHUR_M HW_GEMM_BB_EVEN_M
#define SCHUR_N HW_GEMM_BB_EVEN_N
#else
#define SCHUR_M 2
#define SCHUR_N 2
#endif
#ifdef HW_GEMM_BB_L1_EVEN
#define SCHUR_EDGE HW_GEMM_BB_L1_EVEN
#else
#define SCHUR_EDGE 32
#endif

#if KERNEL_VECTOR > 8
#define SCHUR_LANES (KERNEL_VECTOR / 8)
typedef double schur_vector __attribute__((vector_size(KERNEL_VECTOR), may_alias, aligned(8)));
#else
#define SCHUR_LANES 1
typedef double schur_vector;
#endif
#define SCHUR_ROW (SCHUR_N * SCHUR_LANES)
/* The model's edge suits SCHUR_M and SCHUR_N elements: columns beyond whole vectors cost more than
   those of the cache that would stay empty. */
const size_t schur_columns = SCHUR_ROW;
const size_t schur_edge = SCHUR_EDGE < SCHUR_ROW ? SCHUR_EDGE : SCHUR_EDGE - SCHUR_EDGE % SCHUR_ROW;

/* SCHUR_M x SCHUR_ROW of C.  B is read a row ahead, so that its row stays in registers. */
static inline void schur_block(size_t k, const double *restrict a, size_t lda,
                               const double *restrict b, size_t ldb, double *restrict c,
                               size_t ldc) {
  schur_vector sum[SCHUR_M][SCHUR_N], row[SCHUR_N];

  KERNEL_UNROLL for (int i = 0; i < SCHUR_M; i++) {
    KERNEL_UNROLL for (int j = 0; j < SCHUR_N; j++) sum[i][j] = (schur_vector){0};
  }
  KERNEL_UNROLL for (int j = 0; j < SCHUR_N; j++) row[j] =
      *(const schur_vector *)(b + j * SCHUR_LANES);
  for (size_t p = 0; p < k; p++) {
    b += p + 1 < k ? ldb : 0; /* after the last there is none */
    KERNEL_UNROLL for (int i = 0; i < SCHUR_M; i++) {
      KERNEL_UNROLL for (int j = 0; j < SCHUR_N; j++) sum[i][j] += a[(size_t)i * lda + p] * row[j];
    }
    KERNEL_UNROLL for (int j = 0; j < SCHUR_N; j++) row[j] =
        *(const schur_vector *)(b + j * SCHUR_LANES);
  }
  KERNEL_UNROLL for (int i = 0; i < SCHUR_M; i++) {
    schur_vector *to = (schur_vector *)(c + (size_t)i * ldc);
    KERNEL_UNROLL for (int j = 0; j < SCHUR_N; j++) to[j] -= sum[i][j];
  }
}

void schur_f64(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b,
               size_t ldb, double *c, size_t ldc) {
  const size_t whole_m = m / SCHUR_M * SCHUR_M, whole_n = n / SCHUR_ROW * SCHUR_ROW;

  for (size_t j = 0; k > 0 && j < whole_n; j += SCHUR_ROW)
    for (size_t i = 0; i < whole_m; i += SCHUR_M)
      schur_block(k, a + i * lda, lda, b + j, ldb, c + i * ldc + j, ldc);
  /* What is left at the right and below. */
  for (size_t i = 0; i < m; i++)
    for (size_t p = 0; p < k; p++)
      for (size_t j = i < whole_m ? whole_n : 0; j < n; j++)
        c[i * ldc + j] -= a[i * lda + p] * b[p * ldb + j];
}
