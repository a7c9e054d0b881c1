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
#if LANES > 1 && MR % 4 == 0 && defined KERNEL_SHUFFLE
#define QUADS
typedef TYPE NAME(quad)
    __attribute__((vector_size(4 * TYPE_BYTES), may_alias, aligned(TYPE_BYTES)));
#endif

/* A step: a column of A by the row of B, which then becomes the one at next. */
KERNEL_INLINE void NAME(gemm_step)(int vectors, size_t p, const TYPE *const *a, size_t step,
                                   const TYPE *next, NAME(vector) * row, NAME(vector) (*sum)[ROW]) {
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[i][j] += a[i][p * step] * row[j];
  }
  KERNEL_UNROLL for (int j = 0; j < vectors; j++) row[j] =
      *(const NAME(anywhere) *)(next + j * LANES);
}

/* The micro-kernel: an MR x NR block of C, or its first vectors alone, from k steps.  Of A the rows
   are a + r lda, with the steps that far apart; a row of B is read a step ahead, so that it stays
   in registers for all of MR.  Where a few sums would wait for themselves, even and odd steps have
   their own. */
KERNEL_INLINE void NAME(gemm_micro)(int vectors, size_t k, const TYPE *const *from, size_t step,
                                    const TYPE *restrict b, size_t ldb, TYPE alpha, TYPE beta,
                                    TYPE *restrict c, size_t ldc) {
  const size_t sets = ROW > 2 && vectors == 1 ? 2 : 1;
  NAME(vector) sum[2][MR][ROW], row[ROW];
  const TYPE *a[MR];
  size_t p = 0;

  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    KERNEL_UNROLL for (int j = 0; j < vectors * LANES; j += GEMM_LINE(TYPE))
        KERNEL_PREFETCH(c + (size_t)i * ldc + j);
    KERNEL_PREFETCH(c + (size_t)i * ldc + vectors * LANES - 1);
    a[i] = from[i];
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[0][i][j] = sum[1][i][j] = (NAME(vector)){0};
  }
  KERNEL_UNROLL for (int j = 0; j < vectors; j++) row[j] = *(const NAME(anywhere) *)(b + j * LANES);
  for (; p + sets < k; p += sets)
    KERNEL_UNROLL for (size_t s = 0; s < sets; s++)
        NAME(gemm_step)(vectors, p + s, a, step, b += ldb, row, sum[s]);
  /* There is nothing after the last row. */
  if (sets > 1 && p + 2 == k)
    NAME(gemm_step)(vectors, p++, a, step, b += ldb, row, sum[sets - 1]);
  NAME(gemm_step)(vectors, p, a, step, b, row, sum[0]);
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    NAME(anywhere) *to = (NAME(anywhere) *)(c + (size_t)i * ldc);
    if (sets > 1)
      sum[0][i][0] += sum[1][i][0];
    if (beta == 0) {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) to[j] = alpha * sum[0][i][j];
    } else {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) to[j] = alpha * sum[0][i][j] + beta * to[j];
    }
  }
}

/* Of A packed, or as it lies. */
static void NAME(gemm_packed)(size_t k, const TYPE *a, const TYPE *b, TYPE alpha, TYPE beta,
                              TYPE *c, size_t ldc) {
  const TYPE *from[MR];

  KERNEL_UNROLL for (int r = 0; r < MR; r++) from[r] = a + r;
  NAME(gemm_micro)(ROW, k, from, MR, b, NR, alpha, beta, c, ldc);
}

static void NAME(gemm_plain)(size_t k, const TYPE *a, size_t lda, const TYPE *b, size_t ldb,
                             TYPE alpha, TYPE beta, TYPE *c, size_t ldc) {
  const TYPE *from[MR];

  KERNEL_UNROLL for (int r = 0; r < MR; r++) from[r] = a + (size_t)r * lda;
  NAME(gemm_micro)(ROW, k, from, 1, b, ldb, alpha, beta, c, ldc);
}

/* Where less than MR x NR of C is there: no more vectors than needed (a row has five at most with
   32 registers), and where they are not whole, by way of a block of its own.  step MR: A is packed;
   1: as it lies, and rows that are not there are its last. */
static void NAME(gemm_edge)(size_t m, size_t n, size_t k, const TYPE *a, size_t lda, size_t step,
                            const TYPE *b, size_t ldb, TYPE alpha, TYPE beta, TYPE *c, size_t ldc) {
  _Alignas(64) TYPE block[MR * NR];
  const size_t needed = (n + LANES - 1) / LANES, vectors = needed < 5 ? needed : ROW;
  const bool whole = m == MR && n == vectors * LANES;
  TYPE *to = whole ? c : block;
  const size_t ldto = whole ? ldc : NR;
  const TYPE times = whole ? beta : 0;
  const TYPE *from[MR];

#define GEMM_VECTORS(v, step, ldb)                                                                 \
  NAME(gemm_micro)((v) < ROW ? (v) : ROW, k, from, step, b, ldb, alpha, times, to, ldto)
#define GEMM_EDGE(v) step == MR ? GEMM_VECTORS(v, MR, NR) : GEMM_VECTORS(v, 1, ldb)
  for (size_t r = 0; r < MR; r++)
    from[r] = a + (step == MR ? r : (r < m ? r : m - 1) * lda);
  if (vectors == 1)
    GEMM_EDGE(1);
  else if (vectors == 2)
    GEMM_EDGE(2);
  else if (vectors == 3)
    GEMM_EDGE(3);
  else if (vectors == 4)
    GEMM_EDGE(4);
  else
    GEMM_EDGE(ROW);
#undef GEMM_EDGE
#undef GEMM_VECTORS
  for (size_t i = 0; !whole && i < m; i++)
    for (size_t j = 0; j < n; j++)
      c[i * ldc + j] = beta == 0 ? block[i * NR + j] : block[i * NR + j] + beta * c[i * ldc + j];
}

#ifdef QUADS
/* Four elements of each of four rows, turned. */
KERNEL_INLINE void NAME(gemm_turn)(const TYPE *a, size_t lda, TYPE *restrict to) {
  const NAME(quad) p = *(const NAME(quad) *)a, q = *(const NAME(quad) *)(a + lda),
                   r = *(const NAME(quad) *)(a + 2 * lda), s = *(const NAME(quad) *)(a + 3 * lda);
  const NAME(quad) even = KERNEL_SHUFFLE(p, q, 0, 4, 2, 6), odd = KERNEL_SHUFFLE(p, q, 1, 5, 3, 7);
  const NAME(quad) low = KERNEL_SHUFFLE(r, s, 0, 4, 2, 6), high = KERNEL_SHUFFLE(r, s, 1, 5, 3, 7);

  *(NAME(quad) *)to = KERNEL_SHUFFLE(even, low, 0, 1, 4, 5);
  *(NAME(quad) *)(to + MR) = KERNEL_SHUFFLE(odd, high, 0, 1, 4, 5);
  *(NAME(quad) *)(to + (size_t)2 * MR) = KERNEL_SHUFFLE(even, low, 2, 3, 6, 7);
  *(NAME(quad) *)(to + (size_t)3 * MR) = KERNEL_SHUFFLE(odd, high, 2, 3, 6, 7);
}
#endif

/* A whole micro-panel; the rows that come after begin at next. */
static void NAME(gemm_pack_rows)(size_t k, const TYPE *a, size_t lda, const TYPE *next,
                                 TYPE *restrict to) {
  size_t p = 0;

  (void)next; /* nothing is fetched where elements are not turned */
#ifdef QUADS
  for (; p + 4 <= k; p += 4, to += (size_t)4 * MR) {
    KERNEL_UNROLL for (size_t r = 0; r < MR; r++) KERNEL_PREFETCH(next + r * lda + p);
    KERNEL_UNROLL for (size_t r = 0; r < MR; r += 4) NAME(gemm_turn)(a + r * lda + p, lda, to + r);
  }
#endif
  for (; p < k; p++, to += MR) {
    KERNEL_UNROLL for (size_t r = 0; r < MR; r++) to[r] = a[r * lda + p];
  }
}

static void NAME(gemm_pack_a)(size_t m, size_t k, const TYPE *a, size_t lda, TYPE *restrict to) {
  for (size_t i = 0; i < m; i += MR, to += MR * k) {
    if (m - i >= MR)
      NAME(gemm_pack_rows)(k, a + i * lda, lda, a + (m - i < 2 * MR ? i : i + MR) * lda, to);
    else
      for (size_t p = 0; p < k; p++)
        for (size_t r = 0; r < MR; r++)
          to[p * MR + r] = r < m - i ? a[(i + r) * lda + p] : 0;
  }
}

/* Many micro-panels at a time: rows of B come best in long pieces. */
static void NAME(gemm_pack_b)(size_t k, size_t n, const TYPE *b, size_t ldb, TYPE *restrict to) {
  const size_t columns = GEMM_WIDE(NR * sizeof(TYPE)) * NR;

  for (size_t wide = 0; wide < n; wide += columns) {
    const size_t end = gemm_least(wide + columns, n);
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

/* A block of A, m x k, by a panel of B, k x n.  step MR: the block is packed; 1: as it lies.  ldb
   0: the panel is packed, which it is with a packed block.  Where level 2 does not hold the panel,
   its next micro-panel comes nearer meanwhile, a part with each block of C. */
static void NAME(gemm_block)(size_t m, size_t n, size_t k, TYPE alpha, const TYPE *a, size_t lda,
                             size_t step, const TYPE *b, size_t ldb, TYPE beta, TYPE *c,
                             size_t ldc) {
  const size_t apart = ldb == 0 ? k : 1, row = ldb == 0 ? NR : ldb;
  const size_t ahead = NR * k * sizeof(TYPE) / ((m + MR - 1) / MR) + HW_L1_LINE;
  const bool far = n * k * sizeof(TYPE) > HW_L2_EFF_BYTES;

  for (size_t j = 0; j < n; j += NR) {
    const char *next = (const char *)(b + (j + NR) * apart);
    for (size_t i = 0; i < m; i += MR) {
      const TYPE *rows = a + i * (step == MR ? k : lda);
      TYPE *to = c + i * ldc + j;
      if (far && j + NR < n)
        for (const char *end = next + ahead; next < end; next += HW_L1_LINE)
          KERNEL_PREFETCH_FAR(next);
      if (m - i < MR || n - j < NR)
        NAME(gemm_edge)
      (gemm_least(m - i, MR), gemm_least(n - j, NR), k, rows, lda, step, b + j * apart, row, alpha,
       beta, to, ldc);
      else if (step == MR) NAME(gemm_packed)(k, rows, b + j * apart, alpha, beta, to, ldc);
      else NAME(gemm_plain)(k, rows, lda, b + j * apart, row, alpha, beta, to, ldc);
    }
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
  plan.panel = gemm_whole(plan.nc * plan.kc * sizeof(TYPE), GEMM_ALIGN);
  return plan;
}

/* A product, by all of a team. */
struct NAME(gemm_product) {
  struct gemm_plan plan;
  char *room; /* two panels of B, in turn, and a block of A for each thread */
  size_t m, n, k, lda, ldb, ldc;
  const TYPE *a, *b;
  TYPE *c;
  TYPE alpha, beta;
  struct team_barrier packed;
  atomic_size_t row[2]; /* the next of C, with each panel */
};

/* One thread's part of packing B: whole groups of micro-panels. */
static void NAME(gemm_pack_part)(unsigned number, unsigned threads, size_t k, size_t n,
                                 const TYPE *b, size_t ldb, TYPE *panel) {
  const size_t share = gemm_whole((n + threads - 1) / threads, NR);
  const size_t from = gemm_least(number * share, n), to = gemm_least(from + share, n);

  if (from < to)
    NAME(gemm_pack_b)(k, to - from, b + from, ldb, panel + from * k);
}

/* Blocks of rows, one after another as threads are free, by a panel. */
static void NAME(gemm_rows)(struct NAME(gemm_product) * product, unsigned threads,
                            atomic_size_t *row, TYPE *block, size_t n, size_t k, const TYPE *a,
                            const TYPE *panel, TYPE beta, TYPE *c) {
  const bool plain =
      MR > 1 && (product->n <= GEMM_FEW * NR ||
                 (product->m + product->n) * product->k * sizeof(TYPE) <= HW_L2_EFF_BYTES);
  const size_t lda = product->lda, ldc = product->ldc;
  size_t i, rows;

  while ((rows = gemm_take(row, product->m, product->plan.mc, MR, threads, &i)) > 0) {
    if (!plain)
      NAME(gemm_pack_a)(rows, k, a + i * lda, lda, block);
    NAME(gemm_block)
    (rows, n, k, product->alpha, plain ? a + i * lda : block, lda, plain ? 1 : MR, panel, 0, beta,
     c + i * ldc, ldc);
  }
}

/* What thread number of them does.  They wait for each other when a panel is packed; the one before
   is then no longer needed. */
static void NAME(gemm_work)(void *argument, unsigned number, unsigned threads) {
  struct NAME(gemm_product) *product = argument;
  const struct gemm_plan *plan = &product->plan;
  const size_t panels = threads < 2 ? 1 : 2, n = product->n, k = product->k;
  TYPE *block = (TYPE *)(product->room + panels * plan->panel + number * plan->block);
  size_t turn = 0;

  for (size_t j = 0; j < n; j += plan->nc)
    for (size_t p = 0; p < k; p += plan->kc, turn++) {
      const size_t nb = gemm_least(plan->nc, n - j), kb = gemm_least(plan->kc, k - p);
      TYPE *panel = (TYPE *)(product->room + turn % panels * plan->panel);
      NAME(gemm_pack_part)
      (number, threads, kb, nb, product->b + p * product->ldb + j, product->ldb, panel);
      if (threads > 1)
        team_wait(&product->packed, threads);
      if (number == 0)
        atomic_store(&product->row[(turn + 1) % 2], 0);
      NAME(gemm_rows)
      (product, threads, &product->row[turn % 2], block, nb, kb, product->a + p, panel,
       p == 0 ? product->beta : 1, product->c + j);
    }
}

/* True when nothing is worth packing: level 1 holds a micro-panel of each matrix as it lies.  A row
   of B must end with a vector that gemm_edge reads. */
static bool NAME(gemm_small)(size_t m, size_t n, size_t k, size_t ldb) {
  const size_t whole = ROW > 5 ? NR : LANES;

  return MR > 1 && k <= SMALL && m + n <= 2 * (size_t)SMALL && n % whole == 0 &&
         gemm_near(k, MR * sizeof(TYPE), NR * sizeof(TYPE), ldb * sizeof(TYPE));
}

/* By rows, with up to so many threads. */
static int NAME(gemm_all)(const struct gemm_blocks *blocks, unsigned threads, size_t m, size_t n,
                          size_t k, TYPE alpha, const TYPE *a, size_t lda, const TYPE *b,
                          size_t ldb, TYPE beta, TYPE *c, size_t ldc) {
  const double worth = (double)m * (double)n * (double)k / (GEMM_WORTH * LANES);
  struct NAME(gemm_product) product = {.m = m,
                                       .n = n,
                                       .k = k,
                                       .lda = lda,
                                       .ldb = ldb,
                                       .ldc = ldc,
                                       .a = a,
                                       .b = b,
                                       .c = c,
                                       .alpha = alpha,
                                       .beta = beta};

  if (m == 0 || n == 0)
    return 0;
  if (k == 0 || alpha == 0) {
    NAME(gemm_scale)(m, n, beta, c, ldc);
    return 0;
  }
  if (blocks == NULL && NAME(gemm_small)(m, n, k, ldb)) {
    NAME(gemm_block)(m, n, k, alpha, a, lda, 1, b, ldb, beta, c, ldc);
    return 0;
  }
  threads = worth < threads ? (unsigned)worth : threads;
  threads = team_begin(threads);
  product.plan = NAME(gemm_plan)(blocks, m, n, k);
  product.room =
      gemm_room((threads < 2 ? 1 : 2) * product.plan.panel + threads * product.plan.block);
  if (product.room != NULL && threads > 1)
    team_run(NAME(gemm_work), &product);
  else if (product.room != NULL)
    NAME(gemm_work)(&product, 0, 1);
  if (threads > 1)
    team_end();
  return product.room == NULL ? -1 : 0;
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
#undef SMALL
#undef LANES
#undef ROW
#undef QUADS
