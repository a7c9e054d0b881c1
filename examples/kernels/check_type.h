/* The checks of a product, for TYPE. */

/* One shape: all of C, its margins as well.  which: 0 naive, 1 CBLAS. */
static bool NAME(check_shape)(int which, unsigned threads, enum kernel_order order, size_t m,
                              size_t n, size_t k, TYPE alpha, TYPE beta,
                              const struct gemm_blocks *blocks) {
  const bool rows = order == KERNEL_ROWS;
  const size_t lda = (rows ? k : m) + 2, ldb = (rows ? n : k) + 1, ldc = (rows ? n : m) + 3;
  const size_t na = (rows ? m : k) * lda, nb = (rows ? k : n) * ldb, nc = (rows ? m : n) * ldc;
  TYPE *a = memory(na * sizeof *a), *b = memory(nb * sizeof *b), *c = memory(nc * sizeof *c),
       *d = memory(nc * sizeof *d);
  bool good;

  for (size_t i = 0; i < na; i++)
    a[i] = (TYPE)some();
  for (size_t i = 0; i < nb; i++)
    b[i] = (TYPE)some();
  for (size_t i = 0; i < nc; i++) /* where beta is 0 C is not read: what it holds is no matter */
    c[i] = d[i] = beta == 0 && i % ldc < ldc - 3 ? (TYPE)NAN : (TYPE)some();
  if (threads > 0)
    good = NAME(gemm_threads)(threads, order, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) == 0;
  else if (blocks != NULL)
    good = NAME(gemm_blocked)(blocks, order, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) == 0;
  else
    good = NAME(gemm)(order, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) == 0;
  if (which == 1)
    NAME(cblas)
  (check_order(order), CHECK_PLAIN, CHECK_PLAIN, (int)m, (int)n, (int)k, alpha, a, (int)lda, b,
   (int)ldb, beta, d, (int)ldc);
  else for (size_t i = 0; i < m; i++) for (size_t j = 0; j < n; j++) {
    TYPE *to = d + (rows ? i * ldc + j : j * ldc + i);
    double sum = 0;
    for (size_t p = 0; p < k; p++)
      sum +=
          (double)a[rows ? i * lda + p : p * lda + i] * (double)b[rows ? p * ldb + j : j * ldb + p];
    *to = (TYPE)((double)alpha * sum + (beta == 0 ? 0 : (double)beta * (double)*to));
  }
  for (size_t i = 0; i < nc; i++)
    good = good && fabs((double)c[i] - (double)d[i]) <= 8 * (double)CHECK_EPSILON * ((double)k + 4);
  free(a);
  free(b);
  free(c);
  free(d);
  return good;
}

static void NAME(check_gemm)(void) {
  static const size_t edges[] = {0, 1, 2, 3, 5, 8, 11, 13, 16, 24, 25, 37, 64};
  static const TYPE factors[][2] = {{1, 0}, {1, 1}, {(TYPE)-0.5, (TYPE)0.25}, {0, 2}, {2, 0}};
  const struct gemm_blocks tiny = {.kc = 5, .mc = 7, .nc = 9}, one = {.kc = 1, .mc = 1, .nc = 1};
  const struct gemm_blocks long_rows = {.kc = 4, .mc = 8, .nc = 1000};
  bool good[4] = {true, true, true, true};
  size_t count = 0;

  for (int o = 0; o < 2; o++)
    for (size_t i = 0; i < COUNT(edges); i++)
      for (size_t j = 0; j < COUNT(edges); j++)
        for (size_t p = 0; p < COUNT(edges); p++, count++) {
          const enum kernel_order order = o == 0 ? KERNEL_ROWS : KERNEL_COLUMNS;
          const TYPE alpha = factors[count % COUNT(factors)][0];
          const TYPE beta = factors[count % COUNT(factors)][1];
          const size_t m = edges[i], n = edges[j], k = edges[p];
          good[0] = good[0] && NAME(check_shape)(0, 0, order, m, n, k, alpha, beta, NULL);
          good[1] = good[1] &&
                    NAME(check_shape)(0, 0, order, m, n, k, alpha, beta, count % 2 ? &tiny : &one);
          if (NAME(cblas) != NULL && m > 0 && n > 0 && k > 0)
            good[2] = good[2] && NAME(check_shape)(1, 0, order, m, n, k, alpha, beta, NULL);
        }
  /* Each end that a row of C may have, of A and B packed or as they lie, and the same of what
     threads pack. */
  for (size_t n = 1; n < 200; n++) {
    const TYPE alpha = factors[n % COUNT(factors)][0], beta = factors[n % COUNT(factors)][1];
    const size_t m = 1 + n % 9;
    good[0] = good[0] && NAME(check_shape)(0, 0, KERNEL_ROWS, m, n, 7, alpha, beta, NULL);
    good[1] = good[1] && NAME(check_shape)(0, 0, KERNEL_ROWS, m, n, 7, alpha, beta, &long_rows);
    if (n % 7 == 0)
      good[3] = good[3] && NAME(check_shape)(0, 2, KERNEL_ROWS, 301, n, 302, alpha, beta, NULL);
  }
  for (unsigned threads = 1; threads < 8; threads++)
    for (int o = 0; o < 2; o++) {
      const enum kernel_order order = o == 0 ? KERNEL_ROWS : KERNEL_COLUMNS;
      good[3] = good[3] && NAME(check_shape)(0, threads, order, 213, 187, 205, 1, 1, NULL);
      good[3] = good[3] && NAME(check_shape)(0, threads, order, 3, 1000, 900, 2, 0, NULL);
      good[3] = good[3] && NAME(check_shape)(0, threads, order, 5, 4, 3, 2, 0, NULL);
    }
  ok(good[0], "product" CHECK_TITLE ": the header's blocks, against the naive one");
  ok(good[1], "product" CHECK_TITLE ": tiny blocks, against the naive one");
  ok(good[2], NAME(cblas) != NULL ? "product" CHECK_TITLE ": against CBLAS"
                                  : "product" CHECK_TITLE ": against CBLAS # SKIP there is none");
  ok(good[3], "product" CHECK_TITLE ": threads");
}

#undef TYPE
#undef NAME
#undef CHECK_EPSILON
#undef CHECK_TITLE
