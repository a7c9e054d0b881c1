/* The matrix product of one TYPE: gemm.c includes this for each.  The loops of Goto and BLIS:

     for each NC columns of B and C
       for each KC columns of A, rows of B      pack B: KC x NC, for level 3
         for each MC rows of A and C            pack A: MC x KC, for level 2
           for each NR columns                  KC x NR of B, for level 1
             for each MR rows                   MR x NR of C, in registers

   Packed, a micro-panel of A is MR rows with MR elements of a column side by side, one of B NR
   columns with NR elements of a row side by side.  At the edges rows of A and columns of B are
   there twice, so that vectors are whole. */

/* Vectors no longer than a row: where nothing was measured NR is for short ones. */
#if KERNEL_VECTOR > TYPE_BYTES && NR * TYPE_BYTES % KERNEL_VECTOR == 0
#define VECTOR KERNEL_VECTOR
#elif KERNEL_VECTOR > 16 && NR * TYPE_BYTES % 16 == 0
#define VECTOR (NR * TYPE_BYTES % 32 == 0 && KERNEL_VECTOR > 32 ? 32 : 16)
#endif
#ifdef VECTOR
#define LANES (VECTOR / TYPE_BYTES)
typedef TYPE NAME(vector) __attribute__((vector_size(VECTOR), may_alias));
typedef TYPE NAME(anywhere) __attribute__((vector_size(VECTOR), may_alias, aligned(TYPE_BYTES)));
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

/* Columns of the next block of C where so many are left: what is no multiple of NR is cut so that
   no block is less than a vector wide, if there is more than that, and none has more than four
   vectors without having all. */
static size_t NAME(gemm_width)(size_t left) {
  const size_t few = ROW < 5 ? ROW - 1 : 4;

  if (ROW == 1 || left >= NR + LANES)
    return gemm_least(left, NR);
  if (left <= NR && (left <= (size_t)4 * LANES || left > NR - LANES))
    return left;
  return (left - few * LANES < LANES ? few - 1 : few) * LANES;
}

/* Where a part ends that begins there: nothing that is less than a vector is left. */
static size_t NAME(gemm_end)(size_t from, size_t part, size_t n) {
  return n - from < part + LANES ? n : from + part;
}

/* A row of B: its last vector begins at last. */
KERNEL_INLINE void NAME(gemm_read)(int vectors, const TYPE *b, size_t last, NAME(vector) * row) {
  KERNEL_UNROLL for (int j = 0; j < vectors; j++) row[j] =
      *(const NAME(anywhere) *)(b + (j + 1 < vectors ? (size_t)j * LANES : last));
}

/* A step: a column of A by the row of B, which then becomes the one at next. */
KERNEL_INLINE void NAME(gemm_step)(int vectors, size_t p, const TYPE *const *a, size_t step,
                                   const TYPE *next, size_t last, NAME(vector) * row,
                                   NAME(vector) (*sum)[ROW]) {
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[i][j] += a[i][p * step] * row[j];
  }
  NAME(gemm_read)(vectors, next, last, row);
}

/* The micro-kernel: an m x n block of C, at most MR rows of so many vectors, from k steps.  step
   MR: A is packed; 1: as it lies.  ldb 0: B is packed.  A row of B is read a step ahead, so that it
   stays in registers for all of MR, and C is asked for when it will soon be needed.  Where a few
   sums would wait for themselves, even and odd steps have their own.  Instead of rows that are not
   there the last is taken again, and the last vector ends where the columns do: what is computed
   twice is the same, and all of C is read before any is written. */
KERNEL_INLINE void NAME(gemm_micro)(int vectors, size_t m, size_t n, size_t k, const TYPE *from,
                                    size_t lda, size_t step, const TYPE *restrict b, size_t ldb,
                                    TYPE alpha, TYPE beta, TYPE *restrict c, size_t ldc) {
  const size_t sets = ROW > 2 && 2 * vectors <= ROW ? 2 : 1, end = n - LANES;
  const size_t last = ldb == 0 ? (size_t)(vectors - 1) * LANES : end;
  const size_t row_step = ldb == 0 ? (size_t)vectors * LANES : ldb;
  const size_t late = GEMM_SOON((size_t)(MR * vectors)) + sets;
  NAME(vector) sum[2][MR][ROW], row[ROW];
  const TYPE *a[MR];
  TYPE *to[MR];
  size_t p = 0;

  KERNEL_UNROLL for (size_t i = 0; i < MR; i++) {
    a[i] = from + (step == MR ? i : gemm_least(i, m - 1) * lda);
    to[i] = c + gemm_least(i, m - 1) * ldc;
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[0][i][j] = sum[1][i][j] = (NAME(vector)){0};
  }
  NAME(gemm_read)(vectors, b, last, row);
  for (size_t part = 0, steps = k > late ? k - late : 0; part < 2; part++, steps = k) {
    for (; p + sets < steps; p += sets)
      KERNEL_UNROLL for (size_t s = 0; s < sets; s++)
          NAME(gemm_step)(vectors, p + s, a, step, b += row_step, last, row, sum[s]);
    if (part == 0)
      KERNEL_UNROLL for (int i = 0; i < MR; i++) {
        KERNEL_UNROLL for (int j = 0; j < vectors * LANES; j += GEMM_LINE(TYPE))
            KERNEL_PREFETCH(to[i] + j);
        KERNEL_PREFETCH(to[i] + n - 1);
      }
  }
  /* There is nothing after the last row. */
  if (sets > 1 && p + 2 == k)
    NAME(gemm_step)(vectors, p++, a, step, b += row_step, last, row, sum[sets - 1]);
  NAME(gemm_step)(vectors, p, a, step, b, last, row, sum[0]);
#define GEMM_TO(i, j) *(NAME(anywhere) *)(to[i] + ((j) + 1 < vectors ? (size_t)(j)*LANES : end))
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    if (sets > 1)
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[0][i][j] += sum[1][i][j];
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[0][i][j] *= alpha;
  }
  if (beta != 0)
    KERNEL_UNROLL for (int i = 0; i < MR; i++) {
      KERNEL_UNROLL for (int j = 0; j < vectors; j++) sum[0][i][j] += beta * GEMM_TO(i, j);
    }
  KERNEL_UNROLL for (int i = 0; i < MR; i++) {
    KERNEL_UNROLL for (int j = 0; j < vectors; j++) GEMM_TO(i, j) = sum[0][i][j];
  }
#undef GEMM_TO
}

/* Whole blocks, of A packed or as it lies. */
static void NAME(gemm_packed)(size_t k, const TYPE *a, const TYPE *b, TYPE alpha, TYPE beta,
                              TYPE *c, size_t ldc) {
  NAME(gemm_micro)(ROW, MR, NR, k, a, 0, MR, b, 0, alpha, beta, c, ldc);
}

static void NAME(gemm_plain)(size_t k, const TYPE *a, size_t lda, const TYPE *b, size_t ldb,
                             TYPE alpha, TYPE beta, TYPE *c, size_t ldc) {
  NAME(gemm_micro)(ROW, MR, NR, k, a, lda, 1, b, ldb == 0 ? NR : ldb, alpha, beta, c, ldc);
}

/* Where less than MR x NR of C is there: no more vectors than needed, and where not even one is
   whole, by way of a block of its own. */
static void NAME(gemm_edge)(size_t m, size_t n, size_t k, const TYPE *a, size_t lda, size_t step,
                            const TYPE *b, size_t ldb, TYPE alpha, TYPE beta, TYPE *c, size_t ldc) {
  const size_t vectors = (n + LANES - 1) / LANES;
  TYPE block[MR * LANES];

  if (n < LANES) {
    NAME(gemm_micro)(1, m, LANES, k, a, lda, step, b, ldb, alpha, 0, block, LANES);
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < n; j++)
        c[i * ldc + j] = block[i * LANES + j] + (beta == 0 ? 0 : beta * c[i * ldc + j]);
    return;
  }
#define GEMM_EDGE(v)                                                                               \
  if ((v) <= ROW && vectors == (v))                                                                \
  NAME(gemm_micro)((v) < ROW ? (v) : ROW, m, n, k, a, lda, step, b, ldb, alpha, beta, c, ldc)
  GEMM_EDGE(1);
  else GEMM_EDGE(2);
  else GEMM_EDGE(3);
  else GEMM_EDGE(4);
  else GEMM_EDGE(ROW);
#undef GEMM_EDGE
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
          to[p * MR + r] = a[gemm_least(i + r, m - 1) * lda + p];
  }
}

/* A row of a micro-panel of B: its last vector ends where the row does. */
KERNEL_INLINE void NAME(gemm_pack_row)(size_t n, const TYPE *b, TYPE *restrict to) {
  size_t j = 0;

  for (; j + LANES < n; j += LANES)
    *(NAME(vector) *)(to + j) = *(const NAME(anywhere) *)(b + j);
  if (n >= LANES)
    *(NAME(vector) *)(to + j) = *(const NAME(anywhere) *)(b + n - LANES);
  else
    for (size_t r = 0; r < LANES; r++)
      to[r] = r < n ? b[r] : 0;
}

/* Many micro-panels at a time: rows of B come best in long pieces. */
static void NAME(gemm_pack_b)(size_t k, size_t n, const TYPE *b, size_t ldb, TYPE *restrict to) {
  const size_t columns = GEMM_WIDE(NR * sizeof(TYPE)) * NR;

  for (size_t wide = 0, end; wide < n; wide = end) {
    end = NAME(gemm_end)(wide, columns, n);
    for (size_t p = 0; p < k; p++)
      for (size_t j = wide, width; j < end; j += width) {
        width = NAME(gemm_width)(n - j);
        if (width == NR)
          NAME(gemm_pack_row)(NR, b + p * ldb + j, to + j * k + p * NR);
        else
          NAME(gemm_pack_row)
        (width, b + p * ldb + j, to + j * k + p * gemm_whole(width, LANES));
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
   0: the panel is packed, which it is with a packed block.  Where both fill level 2, a strip of B
   that takes half of it after the other, along the rows of C, whose pages and next lines are then
   near; the next strip comes nearer meanwhile, a part with each block of C.  Else a micro-panel of
   B stays in level 1. */
static void NAME(gemm_block)(size_t m, size_t n, size_t k, TYPE alpha, const TYPE *a, size_t lda,
                             size_t step, const TYPE *b, size_t ldb, TYPE beta, TYPE *c,
                             size_t ldc) {
  const size_t apart = ldb == 0 ? k : 1, row = k * sizeof(TYPE), half = HW_L2_EFF_BYTES / 2;
  const bool far = ldb == 0 && (m + n) * row > half;
  const size_t columns = far ? (half / row / NR + 1) * NR : NR;
  const size_t ahead = NR * row / ((m + MR - 1) / MR) + HW_L1_LINE;

  for (size_t strip = 0, end; strip < n; strip = end) {
    const char *next = (const char *)(b + (end = NAME(gemm_end)(strip, columns, n)) * apart);
    for (size_t i = 0; i < m; i += MR)
      for (size_t j = strip, width; j < end; j += width) {
        const TYPE *rows = a + i * (step == MR ? k : lda);
        TYPE *to = c + i * ldc + j;
        width = NAME(gemm_width)(n - j);
        if (far && end < n)
          for (const char *part = next + ahead; next < part; next += HW_L1_LINE)
            KERNEL_PREFETCH_FAR(next);
        if (m - i < MR || width < NR)
          NAME(gemm_edge)
        (gemm_least(m - i, MR), width, k, rows, lda, step, b + j * apart, ldb, alpha, beta, to,
         ldc);
        else if (step == MR) NAME(gemm_packed)(k, rows, b + j * apart, alpha, beta, to, ldc);
        else NAME(gemm_plain)(k, rows, lda, b + j * apart, ldb, alpha, beta, to, ldc);
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
  const size_t from = number * share;

  if (from == 0 || from + LANES <= n)
    NAME(gemm_pack_b)(k, NAME(gemm_end)(from, share, n) - from, b + from, ldb, panel + from * k);
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

/* True when nothing is worth packing: level 1 holds a micro-panel of each matrix as it lies.  No
   block may be less than a vector wide. */
static bool NAME(gemm_small)(size_t m, size_t n, size_t k, size_t ldb) {
  return MR > 1 && k <= SMALL && m + n <= 2 * (size_t)SMALL &&
         (n % LANES == 0 || (n > LANES && ROW > 1)) &&
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
#undef VECTOR
#undef LANES
#undef ROW
#undef QUADS
