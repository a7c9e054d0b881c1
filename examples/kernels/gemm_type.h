/* The matrix product of one TYPE: gemm.c includes this for each.  The loops of Goto and BLIS:

     for each NC columns of B and C
       for each KC columns of A, rows of B      pack B: KC x NC, for level 3
         for each MC rows of A and C            pack A: MC x KC, for level 2
           for each NR columns                  KC x NR of B, for level 1
             for each MR rows                   MR x NR of C, in registers

   Packed, a micro-panel of A is MR rows with MR elements of a column side by side, one of B NR
   columns with NR elements of a row side by side; what is beyond the edge is 0. */

#if KERNEL_VECTOR > TYPE_BYTES && NR * TYPE_BYTES % KERNEL_VECTOR == 0
#define LANES (KERNEL_VECTOR / TYPE_BYTES)
typedef TYPE NAME(vector) __attribute__((vector_size(KERNEL_VECTOR), may_alias));
typedef TYPE NAME(anywhere)
    __attribute__((vector_size(KERNEL_VECTOR), may_alias, aligned(TYPE_BYTES)));
#else
#define LANES 1
typedef TYPE NAME(vector);
typedef TYPE NAME(anywhere);
#endif
#define ROW (NR / LANES)

/* The micro-kernel: an MR x NR block of C, or its first vectors alone, from k steps.  Of A the rows
   are a + r lda, with the steps that far apart; B is packed and read a row ahead, so that its row
   stays in registers for all of MR; the panel has that much room behind it. */
KERNEL_INLINE void NAME(gemm_micro)(int vectors, size_t k, const TYPE *const *from, size_t step,
                                    const TYPE *restrict b, TYPE alpha, TYPE beta, TYPE *restrict c,
                                    size_t ldc) {
  NAME(vector) sum[MR][ROW], row[ROW];
  const TYPE *a[MR];

  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    KERNEL_PREFETCH(c + (size_t)i * ldc);
    KERNEL_PREFETCH(c + (size_t)i * ldc + vectors * LANES - 1);
    a[i] = from[i];
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[i][j] = (NAME(vector)){0};
  }
  KERNEL_UNROLL for (int j = 0; j < vectors; j++) row[j] = *(const NAME(vector) *)(b + j * LANES);
  for (size_t p = 0; p < k; p++) {
    b += NR;
    KERNEL_UNROLL for (int i = 0; i < MR; i++) {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[i][j] += a[i][p * step] * row[j];
    }
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) row[j] = *(const NAME(vector) *)(b + j * LANES);
  }
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    NAME(anywhere) *to = (NAME(anywhere) *)(c + (size_t)i * ldc);
    if (beta == 0) {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) to[j] = alpha * sum[i][j];
    } else {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) to[j] = alpha * sum[i][j] + beta * to[j];
    }
  }
}

/* Of A packed, or as it lies. */
static void NAME(gemm_packed)(size_t k, const TYPE *a, const TYPE *b, TYPE alpha, TYPE beta,
                              TYPE *c, size_t ldc) {
  const TYPE *from[MR];

  KERNEL_UNROLL for (int r = 0; r < MR; r++) from[r] = a + r;
  NAME(gemm_micro)(ROW, k, from, MR, b, alpha, beta, c, ldc);
}

static void NAME(gemm_plain)(size_t k, const TYPE *a, size_t lda, const TYPE *b, TYPE alpha,
                             TYPE beta, TYPE *c, size_t ldc) {
  const TYPE *from[MR];

  KERNEL_UNROLL for (int r = 0; r < MR; r++) from[r] = a + (size_t)r * lda;
  NAME(gemm_micro)(ROW, k, from, 1, b, alpha, beta, c, ldc);
}

/* Where less than MR x NR of C is there: by way of a block of its own, of no more vectors than
   needed.  step MR: A is packed; 1: as it lies, and rows that are not there are its last. */
static void NAME(gemm_edge)(size_t m, size_t n, size_t k, const TYPE *a, size_t lda, size_t step,
                            const TYPE *b, TYPE alpha, TYPE beta, TYPE *c, size_t ldc) {
  _Alignas(64) TYPE block[MR * NR];
  const size_t vectors = (n + LANES - 1) / LANES;
  const TYPE *from[MR];

  for (size_t r = 0; r < MR; r++)
    from[r] = a + (step == MR ? r : (r < m ? r : m - 1) * lda);
  if (step == MR && vectors == 1)
    NAME(gemm_micro)(1, k, from, MR, b, alpha, 0, block, NR);
  else if (step == MR && vectors == 2 && ROW > 2)
    NAME(gemm_micro)(ROW > 2 ? 2 : 1, k, from, MR, b, alpha, 0, block, NR);
  else if (step == MR)
    NAME(gemm_micro)(ROW, k, from, MR, b, alpha, 0, block, NR);
  else if (vectors == 1)
    NAME(gemm_micro)(1, k, from, 1, b, alpha, 0, block, NR);
  else if (vectors == 2 && ROW > 2)
    NAME(gemm_micro)(ROW > 2 ? 2 : 1, k, from, 1, b, alpha, 0, block, NR);
  else
    NAME(gemm_micro)(ROW, k, from, 1, b, alpha, 0, block, NR);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      c[i * ldc + j] = beta == 0 ? block[i * NR + j] : block[i * NR + j] + beta * c[i * ldc + j];
}

static void NAME(gemm_pack_a)(size_t m, size_t k, const TYPE *a, size_t lda, TYPE *restrict to) {
  for (size_t i = 0; i < m; i += MR) {
    const TYPE *from = a + i * lda;
    if (m - i >= MR) {
      for (size_t p = 0; p < k; p++, to += MR) {
        KERNEL_UNROLL for (size_t r = 0; r < MR; r++) to[r] = from[r * lda + p];
      }
    } else {
      for (size_t p = 0; p < k; p++, to += MR)
        for (size_t r = 0; r < MR; r++)
          to[r] = r < m - i ? from[r * lda + p] : 0;
    }
  }
}

/* Several micro-panels at a time, so that a page of B is not left for each line of it. */
static void NAME(gemm_pack_b)(size_t k, size_t n, const TYPE *b, size_t ldb, TYPE *restrict to) {
  for (size_t wide = 0; wide < n; wide += GEMM_WIDE * NR) {
    const size_t end = gemm_least(wide + GEMM_WIDE * NR, n);
    for (size_t p = 0; p < k; p++)
      for (size_t j = wide; j < end; j += NR) {
        const TYPE *from = b + p * ldb + j;
        TYPE *row = to + j * k + p * NR;
        if (n - j >= NR) {
          KERNEL_UNROLL for (int v = 0; v < ROW; v++) * (NAME(vector) *)(row + v * LANES) =
              *(const NAME(anywhere) *)(from + v * LANES);
        } else {
          for (size_t r = 0; r < NR; r++)
            row[r] = r < n - j ? from[r] : 0;
        }
      }
  }
}

/* C = beta C, for a product of nothing. */
static void NAME(gemm_scale)(size_t m, size_t n, TYPE beta, TYPE *c, size_t ldc) {
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
}

/* A block of A, m x k, by a packed panel of B, k x n.  step MR: the block is packed. */
static void NAME(gemm_block)(size_t m, size_t n, size_t k, TYPE alpha, const TYPE *a, size_t lda,
                             size_t step, const TYPE *b, TYPE beta, TYPE *c, size_t ldc) {
  for (size_t j = 0; j < n; j += NR)
    for (size_t i = 0; i < m; i += MR) {
      const TYPE *rows = a + i * (step == MR ? k : lda);
      TYPE *to = c + i * ldc + j;
      if (m - i < MR || n - j < NR)
        NAME(gemm_edge)
      (gemm_least(m - i, MR), gemm_least(n - j, NR), k, rows, lda, step, b + j * k, alpha, beta, to,
       ldc);
      else if (step == MR) NAME(gemm_packed)(k, rows, b + j * k, alpha, beta, to, ldc);
      else NAME(gemm_plain)(k, rows, lda, b + j * k, alpha, beta, to, ldc);
    }
}

static struct gemm_plan NAME(gemm_plan)(const struct gemm_blocks *blocks, size_t m, size_t n,
                                        size_t k) {
  static const struct gemm_blocks model = {.kc = KC, .mc = MC, .nc = NC};
  struct gemm_plan plan;

  blocks = blocks == NULL ? &model : blocks;
  plan.kc = gemm_even(k, blocks->kc, 1);
  plan.mc = gemm_even(m, blocks->mc, MR);
  plan.nc = gemm_even(n, blocks->nc, NR);
  plan.block = gemm_whole(plan.mc * plan.kc * sizeof(TYPE), GEMM_ALIGN);
  plan.bytes = plan.block + gemm_whole((plan.nc * plan.kc + NR) * sizeof(TYPE), GEMM_ALIGN);
  return plan;
}

/* Some rows of C, as planned. */
static void NAME(gemm_rows)(const struct gemm_plan *plan, void *room, size_t m, size_t n, size_t k,
                            TYPE alpha, const TYPE *a, size_t lda, const TYPE *b, size_t ldb,
                            TYPE beta, TYPE *c, size_t ldc) {
  TYPE *block = room, *panel = (TYPE *)((char *)room + plan->block);
  const bool plain = MR > 1 && n <= GEMM_FEW * NR;

  for (size_t j = 0; j < n; j += plan->nc) {
    const size_t nb = gemm_least(plan->nc, n - j);
    for (size_t p = 0; p < k; p += plan->kc) {
      const size_t kb = gemm_least(plan->kc, k - p);
      NAME(gemm_pack_b)(kb, nb, b + p * ldb + j, ldb, panel);
      memset(panel + gemm_whole(nb, NR) * kb, 0, NR * sizeof(TYPE));
      for (size_t i = 0; i < m; i += plan->mc) {
        const size_t mb = gemm_least(plan->mc, m - i);
        if (plain) {
          NAME(gemm_block)
          (mb, nb, kb, alpha, a + i * lda + p, lda, 1, panel, p == 0 ? beta : 1, c + i * ldc + j,
           ldc);
          continue;
        }
        NAME(gemm_pack_a)(mb, kb, a + i * lda + p, lda, block);
        NAME(gemm_block)
        (mb, nb, kb, alpha, block, 0, MR, panel, p == 0 ? beta : 1, c + i * ldc + j, ldc);
      }
    }
  }
}

/* ---- Threads: each has some rows of C for itself ---- */

struct NAME(gemm_part) {
  struct gemm_plan plan;
  void *room;
  size_t m, n, k, lda, ldb, ldc;
  const TYPE *a, *b;
  TYPE *c;
  TYPE alpha, beta;
  bool alone; /* there was no thread for it */
  pthread_t thread;
};

static void *NAME(gemm_run)(void *argument) {
  struct NAME(gemm_part) *part = argument;

  NAME(gemm_rows)
  (&part->plan, part->room, part->m, part->n, part->k, part->alpha, part->a, part->lda, part->b,
   part->ldb, part->beta, part->c, part->ldc);
  return NULL;
}

/* So many rows to each part, the first of them ours. */
static int NAME(gemm_parts)(const struct gemm_blocks *blocks, size_t rows, size_t m, size_t n,
                            size_t k, TYPE alpha, const TYPE *a, size_t lda, const TYPE *b,
                            size_t ldb, TYPE beta, TYPE *c, size_t ldc) {
  const struct gemm_plan plan = NAME(gemm_plan)(blocks, rows, n, k);
  struct NAME(gemm_part) part[GEMM_THREADS];
  size_t parts = 0;
  char *room = gemm_room((m + rows - 1) / rows * plan.bytes);

  if (room == NULL)
    return -1;
  for (size_t i = 0; i < m; i += rows, parts++)
    part[parts] = (struct NAME(gemm_part)){.plan = plan,
                                           .room = room + parts * plan.bytes,
                                           .m = gemm_least(rows, m - i),
                                           .n = n,
                                           .k = k,
                                           .a = a + i * lda,
                                           .lda = lda,
                                           .b = b,
                                           .ldb = ldb,
                                           .c = c + i * ldc,
                                           .ldc = ldc,
                                           .alpha = alpha,
                                           .beta = beta};
  for (size_t t = 1; t < parts; t++)
    part[t].alone = pthread_create(&part[t].thread, NULL, NAME(gemm_run), &part[t]) != 0;
  NAME(gemm_run)(&part[0]);
  for (size_t t = 1; t < parts; t++)
    if (part[t].alone)
      NAME(gemm_run)(&part[t]);
    else
      pthread_join(part[t].thread, NULL);
  return 0;
}

/* By rows, with up to so many threads. */
static int NAME(gemm_all)(const struct gemm_blocks *blocks, unsigned threads, size_t m, size_t n,
                          size_t k, TYPE alpha, const TYPE *a, size_t lda, const TYPE *b,
                          size_t ldb, TYPE beta, TYPE *c, size_t ldc) {
  const double worth = (double)m * (double)n * (double)k / GEMM_WORTH;

  if (m == 0 || n == 0)
    return 0;
  if (k == 0 || alpha == 0) {
    NAME(gemm_scale)(m, n, beta, c, ldc);
    return 0;
  }
  threads = worth < threads ? (unsigned)worth : threads;
  threads = threads > GEMM_THREADS ? GEMM_THREADS : threads;
  threads = threads < 1 ? 1 : threads;
  return NAME(gemm_parts)(blocks, gemm_whole((m + threads - 1) / threads, MR), m, n, k, alpha, a,
                          lda, b, ldb, beta, c, ldc);
}

/* C' = B' A' by rows is C = A B by columns. */
int NAME(gemm_blocked)(const struct gemm_blocks *blocks, enum kernel_order order, size_t m,
                       size_t n, size_t k, TYPE alpha, const TYPE *a, size_t lda, const TYPE *b,
                       size_t ldb, TYPE beta, TYPE *c, size_t ldc) {
  if (order == KERNEL_COLUMNS)
    return NAME(gemm_all)(blocks, 1, n, m, k, alpha, b, ldb, a, lda, beta, c, ldc);
  return NAME(gemm_all)(blocks, 1, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int NAME(gemm_threads)(unsigned threads, enum kernel_order order, size_t m, size_t n, size_t k,
                       TYPE alpha, const TYPE *a, size_t lda, const TYPE *b, size_t ldb, TYPE beta,
                       TYPE *c, size_t ldc) {
  if (order == KERNEL_COLUMNS)
    return NAME(gemm_all)(NULL, threads, n, m, k, alpha, b, ldb, a, lda, beta, c, ldc);
  return NAME(gemm_all)(NULL, threads, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int NAME(gemm)(enum kernel_order order, size_t m, size_t n, size_t k, TYPE alpha, const TYPE *a,
               size_t lda, const TYPE *b, size_t ldb, TYPE beta, TYPE *c, size_t ldc) {
  return NAME(gemm_blocked)(NULL, order, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#undef TYPE
#undef TYPE_BYTES
#undef NAME
#undef MR
#undef NR
#undef KC
#undef MC
#undef NC
#undef LANES
#undef ROW
