/* Reductions on some hundred random curves each whose truth is known, and on odd ones; on literal
   ones see tests/unit/readers/reduce.  On those a reduction may say unknown, never a wrong value.

   The random curves follow from HW_TEST_SEED, or 1; a failure prints the seed. */
#include "tests/reductions.h"
#include "tests/unit/answer.h"
#include "tests/unit/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct hw_answer reduction(const struct hw_curve *);

static struct hw_answer biggest_relative(const struct hw_curve *curve) {
  return hw_reduce_biggest_step(curve, HW_STEP_RELATIVE);
}

static struct hw_answer biggest_scaled(const struct hw_curve *curve) {
  return hw_reduce_biggest_step(curve, HW_STEP_SCALED);
}

/* ---- numbers by chance ---- */

static unsigned long test_seed(void) {
  const char *text = getenv("HW_TEST_SEED");

  return text == NULL ? 1 : strtoul(text, NULL, 10);
}

/* SplitMix64. */
static uint64_t random_bits(uint64_t *random) {
  uint64_t x = *random += UINT64_C(0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static double random_unit(uint64_t *random) {
  return ((double)(random_bits(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double random_between(uint64_t *random, double low, double high) {
  return low + random_unit(random) * (high - low);
}

/* Evenly in the logarithm. */
static double random_scale(uint64_t *random, double low, double high) {
  return low * pow(high / low, random_unit(random));
}

static size_t random_size(uint64_t *random, size_t low, size_t high) {
  return low + (size_t)(random_bits(random) % (high - low + 1));
}

static bool random_chance(uint64_t *random, double share) { return random_unit(random) < share; }

static double random_gauss(uint64_t *random) {
  return sqrt(-2 * log(random_unit(random))) * cos(6.283185307179586 * random_unit(random));
}

/* ---- literal curves ---- */

#define POINTS 128

/* A curve in the test's own memory. */
struct literal {
  struct hw_curve curve;
  struct hw_point point[POINTS];
};

static struct hw_curve *literal_init(struct literal *l) {
  memset(l, 0, sizeof *l);
  l->curve.point = l->point;
  l->curve.room = POINTS;
  return &l->curve;
}

static void literal_add(struct literal *l, double x, double y, double spread, unsigned long count) {
  assert_true(l->curve.n < POINTS);
  l->point[l->curve.n++] = (struct hw_point){x, y, spread, count};
}

/* Points at x = 1, 2, 3 ... up to the first y that is 0, each without noise. */
static struct hw_curve *literal_of(struct literal *l, const double *y) {
  literal_init(l);
  for (size_t i = 0; y[i] > 0 || y[i] < 0; i++)
    literal_add(l, (double)(i + 1), y[i], 0, 0);
  return &l->curve;
}

static void check_known(struct hw_answer answer, double value, double error) {
  if (!answer.known)
    fail_msg("unknown (%s) instead of %.10g", answer.why, value);
  assert_close(answer.value, value, 1e-9 * fabs(value));
  assert_close(answer.error, error, 1e-9 * fabs(value));
  assert_true(answer.clarity >= HW_CLEAR);
  assert_null(answer.why);
  assert_non_null(answer.method);
}

/* An answer is what it was made of. */
static void test_answers(void **state) {
  struct hw_answer known = hw_known("m", 3, 2, 5), unknown = hw_unknown("n", "why");

  (void)state;
  check_known(known, 3, 2);
  assert_close(known.clarity, 5, 0);
  assert_string_equal(known.method, "m");
  check_unknown(unknown, "why");
  assert_string_equal(unknown.method, "n");
}

/* Each y becomes the least of those from there on, with its spread and count; the rest stays. */
static void test_monotone(void **state) {
  static const double y[] = {3, 2, 5, 4, 4, 9, 7, 8};
  static const double risen_y[] = {2, 2, 4, 4, 4, 7, 7, 8};
  static const unsigned long from[] = {1, 1, 3, 3, 4, 6, 6, 7}; /* the last of equals */
  struct literal l;
  struct hw_curve risen;

  (void)state;
  literal_init(&l);
  assert_int_equal(hw_monotone(&l.curve, &risen), 0);
  assert_int_equal(risen.n, 0);
  hw_curve_set(&l.curve, HW_CURVE_FIELD_NAME, "name");
  for (size_t i = 0; i < COUNT(y); i++)
    literal_add(&l, (double)(10 * i), y[i], (double)i / 100, i);
  assert_int_equal(hw_monotone(&l.curve, &risen), 0);
  assert_int_equal(risen.n, COUNT(y));
  assert_string_equal(risen.name, "name");
  for (size_t i = 0; i < COUNT(y); i++) {
    const struct hw_point *p = &risen.point[i];
    assert_close(p->x, (double)(10 * i), 0);
    assert_close(p->y, risen_y[i], 0);
    assert_true(p->count == from[i] || y[p->count] <= p->y);
    assert_close(p->spread, (double)p->count / 100, 0);
    assert_close(l.point[i].y, y[i], 0);
  }
  assert_int_equal(risen.point[0].count, 1);
  assert_int_equal(risen.point[5].count, 6);
  hw_curve_free(&risen);
}

/* Points of one x, as no curve of a file has them, count as one. */
static void test_monotone_repeated(void **state) {
  struct literal l;
  struct hw_curve risen;

  (void)state;
  literal_init(&l);
  literal_add(&l, 1, 5, 0, 9);
  literal_add(&l, 1, 7, 0, 9);
  literal_add(&l, 2, 6, 0, 9);
  assert_int_equal(hw_monotone(&l.curve, &risen), 0);
  assert_int_equal(risen.n, 2);
  assert_close(risen.point[0].y, 6, 0);
  assert_close(risen.point[1].y, 6, 0);
  hw_curve_free(&risen);
}

/* ---- curves that no probe should leave ---- */

static struct hw_answer middle_of_none(const struct hw_curve *curve) {
  return hw_reduce_middle(curve, 0);
}

static struct hw_answer cliff_of_none(const struct hw_curve *curve) {
  return hw_reduce_cliff(curve, 0);
}

static struct hw_answer bound_of_none(const struct hw_curve *curve) {
  return hw_reduce_throughput_bound(curve, 0);
}

static struct hw_answer in_flight(const struct hw_curve *curve) {
  return hw_reduce_in_flight(curve, hw_reduce_throughput_unit(curve));
}

static struct hw_answer spills_of_one(const struct hw_curve *curve) {
  return hw_reduce_spills(curve, 1, 1);
}

static struct hw_answer first_drop(const struct hw_curve *curve) {
  return hw_reduce_first_drop(curve, 0);
}

static struct hw_answer crossing(const struct hw_curve *curve) {
  return hw_reduce_crossing(curve, 1, 2);
}

static struct hw_answer lru_of_four(const struct hw_curve *curve) {
  return hw_reduce_lru(curve, 4);
}

static struct hw_answer toe_of_itself(const struct hw_curve *curve) {
  return hw_reduce_toe(curve, curve);
}

static reduction *const every_reduction[] = {PLAIN_REDUCTIONS, biggest_relative, biggest_scaled,
                                             toe_of_itself,    middle_of_none,   cliff_of_none,
                                             crossing,         first_drop,       lru_of_four,
                                             bound_of_none,    in_flight,        spills_of_one};

/* Whatever the curve, a value is a number, and not of the point before the first. */
static void check_odd(double x, double dx, double y, double dy, size_t n) {
  struct hw_point point[POINTS + 2];

  for (unsigned long count = 0; count < 16; count += 5)
    for (size_t r = 0; r < COUNT(every_reduction); r++) {
      struct hw_curve curve = {.n = n, .room = n, .point = n > 0 ? point + 1 : NULL};
      struct hw_answer answer;
      for (size_t i = 0; i < COUNT(point); i++)
        point[i] = (struct hw_point){x + dx * ((double)i - 1), y + dy * ((double)i - 1), 0, count};
      point[0].x = -12345;
      answer = every_reduction[r](&curve);
      assert_true(answer.known ? isfinite(answer.value) : answer.why != NULL);
      assert_true(!answer.known || answer.value > -12345 || answer.value < -12345);
    }
}

static void test_odd_curves(void **state) {
  static const double odd[] = {0, 1, -1, NAN, INFINITY, -INFINITY, 1e300, 1e-300};
  static const size_t number[] = {0, 1, 2, 3, 4, 9, POINTS};

  (void)state;
  for (size_t n = 0; n < COUNT(number); n++)
    for (size_t i = 0; i < COUNT(odd); i++)
      for (size_t k = 0; k < COUNT(odd); k++) {
        check_odd(1, 1, odd[i], odd[k], number[n]);
        if (isinf(odd[i]) || isinf(odd[k]))
          continue;
        check_odd(odd[i], odd[k], 4, 0, number[n]);
        check_odd(odd[i], odd[k], 4, 1, number[n]);
      }
}

/* Thousands of points, as a file may have them, take no minutes. */
static void test_many_points(void **state) {
  uint64_t random = test_seed();
  struct hw_plateau plateau[4];
  struct hw_curve curve;
  clock_t begun;

  (void)state;
  hw_curve_init(&curve, "many", "x", "y");
  for (size_t i = 0; i < 4000; i++)
    put_point(&curve, 64.0 * (double)(i + 1), (i < 2000 ? 4 : 13) + random_unit(&random) / 10, 0.01,
              12);
  begun = clock();
  assert_int_equal(hw_plateaus(&curve, plateau, COUNT(plateau)), 2);
  assert_true(biggest_relative(&curve).method != NULL);
  assert_true((double)(clock() - begun) < 5.0 * CLOCKS_PER_SEC);
  hw_curve_free(&curve);
}

/* ---- quality-threshold clusters ---- */

/* By hand, after BB figure 10.  Of 4 10 11 12 13 20 21, from 13: 12 (1 <= 0.25 * 13), 11 (2 <= 0.25
 * 12.5), 10 (3 <= 0.25 * 12, just), not 20.  Four is the most; then 20 and 21; then 4. */
static void test_clusters_by_hand(void **state) {
  static const double y[] = {13, 4, 20, 11, 10, 21, 12, 0};
  static const size_t member[] = {1, 0, 2, 1, 1, 2, 1};
  static const struct hw_cluster cluster[] = {{1, 4, 4}, {4, 10, 13}, {2, 20, 21}};
  struct literal l;
  size_t got_member[COUNT(member)];
  struct hw_cluster got[COUNT(member)];

  (void)state;
  assert_int_equal(hw_qt_clusters(literal_of(&l, y), got_member, got), COUNT(cluster));
  assert_memory_equal(got_member, member, sizeof member);
  for (size_t i = 0; i < COUNT(cluster); i++) {
    assert_int_equal(got[i].n, cluster[i].n);
    assert_close(got[i].y_low, cluster[i].y_low, 0);
    assert_close(got[i].y_high, cluster[i].y_high, 0);
  }
  assert_int_equal(hw_qt_clusters(literal_init(&l), got_member, got), 0);
}

/* The cluster of figure 10 that value seed starts, of those not taken.  Returns its size. */
static size_t reference_cluster(const double *y, size_t n, const bool *taken, size_t seed,
                                bool *in) {
  size_t size = 1;
  double sum = y[seed];

  memset(in, 0, 16 * sizeof *in);
  in[seed] = true;
  for (;;) {
    double least = INFINITY;
    size_t next = n;
    for (size_t j = 0; j < n; j++) {
      double diameter = 0;
      for (size_t k = 0; k < n; k++)
        if (in[k])
          diameter = fmax(diameter, fabs(y[k] - y[j]));
      for (size_t k = 0; k < n * n; k++)
        if (in[k / n] && in[k % n])
          diameter = fmax(diameter, fabs(y[k / n] - y[k % n]));
      if (!in[j] && !taken[j] && diameter < least) {
        least = diameter;
        next = j;
      }
    }
    if (next == n || least > 0.25 * sum / (double)size)
      return size;
    in[next] = true;
    sum += y[next];
    size++;
  }
}

/* BB figure 10 as it stands, on n values y that ascend: number[i] becomes the cluster of value i,
   in the order in which they are taken.  Of several as large, the first.  Returns their number. */
static size_t reference_clusters(const double *y, size_t n, size_t *number) {
  bool in[16], best[16], taken[16] = {false};
  size_t left = n, clusters = 0;

  for (; left > 0; clusters++) {
    size_t most = 0;
    for (size_t seed = 0; seed < n; seed++) {
      size_t size = taken[seed] ? 0 : reference_cluster(y, n, taken, seed, in);
      if (size > most) {
        most = size;
        memcpy(best, in, sizeof best);
      }
    }
    for (size_t i = 0; i < n; i++)
      if (best[i]) {
        taken[i] = true;
        number[i] = clusters;
        left--;
      }
  }
  return clusters;
}

/* On small random sets the clusters are those of figure 10. */
static void test_clusters_reference(void **state) {
  uint64_t random = test_seed();

  (void)state;
  for (int set = 0; set < 2000; set++) {
    size_t n = random_size(&random, 1, 12), number[16], member[16];
    struct hw_cluster cluster[16];
    struct literal l;
    double y[17] = {0};
    for (size_t i = 0; i < n; i++)
      y[i] = random_scale(&random, 10, 40);
    hw_sort(y, n);
    assert_int_equal(hw_qt_clusters(literal_of(&l, y), member, cluster),
                     reference_clusters(y, n, number));
    for (size_t i = 0; i < n; i++) {
      assert_in_range(y[i] * 1e6, cluster[member[i]].y_low * 1e6, cluster[member[i]].y_high * 1e6);
      for (size_t j = 0; j < n; j++)
        if ((member[i] == member[j]) != (number[i] == number[j]))
          fail_msg("HW_TEST_SEED=%lu: set %d: %.6g and %.6g", test_seed(), set, y[i], y[j]);
    }
  }
}

/* ---- slope and level ---- */

/* ---- distributions ---- */

/* ---- compact sequences ---- */

/* The lengths of theorem 1 at n strides from first on, of a cache of that shape. */
static struct hw_curve *lengths(struct literal *l, double ways, double stride, double first,
                                size_t n) {
  literal_init(l);
  for (double x = first; l->curve.n < n; x *= 2)
    literal_add(l, x, x < stride ? ways * stride / x : ways, 0, 30);
  return &l->curve;
}

static const double some_ways[] = {1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 20, 24, 32, 64, 128, 1024};

/* Every shape is found, from every first stride and as far as the lengths were measured; a fully
   associative cache is one whose stride is its line. */
static void test_compact_shapes(void **state) {
  struct literal l;

  (void)state;
  for (size_t w = 0; w < COUNT(some_ways); w++)
    for (double stride = 32; stride <= 1 << 20; stride *= 2)
      for (int below = 1; below <= 4; below++)
        for (int behind = 1; behind <= 3; behind++) {
          lengths(&l, some_ways[w], stride, ldexp(stride, -below), (size_t)(below + 1 + behind));
          check_known(hw_reduce_compact_ways(&l.curve), some_ways[w], 0);
          check_known(hw_reduce_compact_capacity(&l.curve), some_ways[w] * stride, 0);
        }
}

/* Whether the lengths are exactly those of some cache: then they are right, whatever was meant. */
static bool is_shape(const struct hw_curve *c) {
  size_t foot = c->n - 1;

  while (foot > 0 && fabs(c->point[foot - 1].y - c->point[foot].y) < 0.5)
    foot--;
  for (size_t i = 0; i < foot; i++)
    if (fabs(c->point[i].y * c->point[i].x - c->point[foot].y * c->point[foot].x) > 0.5)
      return false;
  return c->point[foot].y > 0.5;
}

/* Lengths of which one, or the last two alike, are off by one or two, or doubled or halved, are the
   true shape or unknown, unless they are just those of another cache. */
static void test_compact_perturbed(void **state) {
  struct literal l;

  (void)state;
  for (size_t w = 0; w < COUNT(some_ways); w++)
    for (size_t at = 0; at < 7; at++)
      for (int how = -2; how <= 3; how++) {
        double value;
        struct hw_answer ways, bytes;
        lengths(&l, some_ways[w], 4096, 512, 6);
        value = l.point[at].y + how;
        if (at == 6)
          l.point[4].y = l.point[5].y = some_ways[w] + how;
        else
          l.point[at].y = how == 3 ? 2 * l.point[at].y : how == -2 ? l.point[at].y / 2 : value;
        if (is_shape(&l.curve))
          continue;
        if (at == 6)
          l.curve.n = 6;
        ways = hw_reduce_compact_ways(&l.curve);
        bytes = hw_reduce_compact_capacity(&l.curve);
        assert_int_equal(ways.known, bytes.known);
        if (ways.known) {
          assert_close(ways.value, some_ways[w], 0);
          assert_close(bytes.value, some_ways[w] * 4096, 0);
        }
      }
}

/* ---- random curves ---- */

/* How one curve is disturbed. */
struct noise {
  double sigma;    /* of a sample, as a share of it */
  double outliers; /* share of samples that take up to four times as long */
  double drift;    /* of y over the whole curve, as a share */
  double missing;  /* share of points */
  size_t samples;  /* of a point */
};

/* 0.1 % to 10 %, up to a tenth of outliers, drift of up to 2 %, the samples of the three efforts.
 */
static struct noise random_noise(uint64_t *random) {
  struct noise noise = {.sigma = random_scale(random, 0.001, 0.1),
                        .outliers = random_chance(random, 0.5) ? random_unit(random) / 10 : 0,
                        .drift =
                            random_chance(random, 0.5) ? random_between(random, -0.02, 0.02) : 0,
                        .missing = random_chance(random, 0.5) ? 0.15 : 0,
                        .samples = random_size(random, 7, 60)};

  return noise;
}

/* The value below which a share of n sorted values lies, interpolated. */
static double quantile(const double *sorted, size_t n, double share) {
  double at = share * (double)(n - 1);
  size_t i = (size_t)at;

  return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* The expected lower quartile of n normal samples, in standard deviations below the average. */
static double low_end(size_t n) { return 0.674 * (1 - 1.0 / (double)n); }

/* A point as the sampler would have it: the lower quartile of its samples, and how far it is to
   the lowest twentieth. */
static struct hw_point sampled(double x, double y, const struct noise *noise, uint64_t *random) {
  double sample[64];
  struct hw_point p = {.x = x, .count = noise->samples};

  for (size_t i = 0; i < noise->samples; i++) {
    sample[i] = y * fmax(0.1, 1 + noise->sigma * random_gauss(random));
    if (random_chance(random, noise->outliers))
      sample[i] *= random_between(random, 1, 4);
  }
  hw_sort(sample, noise->samples);
  p.y = quantile(sample, noise->samples, 0.25);
  p.spread = (p.y - quantile(sample, noise->samples, 0.05)) / p.y;
  return p;
}

/* A random curve and what is known of it. */
struct trial {
  uint64_t random;
  struct noise noise;
  struct literal l;     /* without noise; then with it */
  double clean[POINTS]; /* y of the points that are left, without noise */
  double value;         /* the truth, or NAN where none is to be told */
  double within;        /* how far from it is right */
  bool own_error;       /* or as far as the answer itself says */
  bool clear;           /* the truth stands out so much that unknown is a pity */
};

/* Takes points away, though never from the first two and the last two, nor below six; puts drift
   and samples on the rest. */
static void trial_disturb(struct trial *t) {
  size_t n = t->l.curve.n, kept = 0;

  for (size_t i = 0; i < n; i++) {
    struct hw_point p = t->l.point[i];
    double drift = 1 + t->noise.drift * (double)i / (double)n;
    if (i > 1 && i + 2 < n && n - i + kept > 6 && random_chance(&t->random, t->noise.missing))
      continue;
    t->clean[kept] = p.y;
    t->l.point[kept++] = sampled(p.x, p.y * drift, &t->noise, &t->random);
  }
  t->l.curve.n = kept;
}

struct tally {
  unsigned long known, clear, missed;
};

/* Prints the trial's curve, as a curve file has it, and fails. */
static void trial_fail(const struct trial *t, struct hw_answer answer, const char *name,
                       unsigned i) {
  print_message("%s: HW_TEST_SEED=%lu, curve %u: noise %.3g %%, outliers %.3g, drift %.3g\n", name,
                test_seed(), i, 100 * t->noise.sigma, t->noise.outliers, t->noise.drift);
  for (size_t k = 0; k < t->l.curve.n; k++)
    print_message("%.10g %.10g %.4g %lu\n", t->l.point[k].x, t->l.point[k].y, t->l.point[k].spread,
                  t->l.point[k].count);
  fail_msg("%s says %.10g, the truth is %.10g", answer.method, answer.value, t->value);
}

static void trial_judge(const struct trial *t, struct hw_answer answer, struct tally *tally,
                        const char *name, unsigned i) {
  double within = t->own_error ? fmax(t->within, answer.error) : t->within;

  tally->known += answer.known;
  tally->clear += t->clear;
  tally->missed += t->clear && !answer.known;
  if (answer.known && !(fabs(answer.value - t->value) <= within))
    trial_fail(t, answer, name, i);
}

/* Reduces n random curves.  No answer may be wrong, and at most a share of the clear ones may be
   missed. */
static void trials(const char *name, void (*make)(struct trial *), reduction *reduce, unsigned n,
                   double share) {
  struct tally tally = {0};
  static struct trial t;

  for (unsigned i = 0; i < n; i++) {
    memset(&t, 0, sizeof t);
    t.random = test_seed() * UINT64_C(1000003) + i;
    t.noise = random_noise(&t.random);
    make(&t);
    trial_judge(&t, reduce(&t.l.curve), &tally, name, i);
  }
  print_message("%s: %u curves, %lu known, of %lu clear %lu unknown\n", name, n, tally.known,
                tally.clear, tally.missed);
  if ((double)tally.missed > share * (double)tally.clear)
    fail_msg("HW_TEST_SEED=%lu: %lu of %lu clear curves are unknown", test_seed(), tally.missed,
             tally.clear);
}

/* Curves of a kind.  No answer may be wrong.  With other seeds chance passes the reductions' limits
   now and then: of 60000 curves of a kind it was at most three. */
#define CURVES 600

/* Adds n points at the next places, a random distance apart. */
static void trial_flat(struct trial *t, size_t n, double y) {
  double x = t->l.curve.n == 0 ? 0 : t->l.point[t->l.curve.n - 1].x;
  double gap = (double)random_size(&t->random, 1, 3);

  for (size_t i = 0; i < n; i++)
    literal_add(&t->l, x += gap, y, 0, 0);
}

static void make_flat(struct trial *t) {
  literal_init(&t->l);
  trial_flat(t, random_size(&t->random, 3, 40), random_scale(&t->random, 1, 300));
  t->value = NAN;
  trial_disturb(t);
}

/* Whether a rise h stands out against the noise of the trial's points: eight of the errors that
   the spread of normal samples makes of them, and eight times what drifts in all. */
static bool stands_out(const struct trial *t, double h) {
  double error = 1.36 * t->noise.sigma / sqrt((double)t->noise.samples);

  return h > 8 * sqrt(2) * 2 * error && h > 8 * fabs(t->noise.drift);
}

/* Steps of any height, two to five. */
static void trial_stairs(struct trial *t) {
  double y = random_scale(&t->random, 1, 300);

  literal_init(&t->l);
  for (size_t k = random_size(&t->random, 3, 6); k > 0; k--) {
    trial_flat(t, random_size(&t->random, 2, 8), y);
    y *= 1 + random_scale(&t->random, 0.02, 10);
  }
  trial_disturb(t);
}

/* How big the step after point i is without noise. */
static double trial_step(const struct trial *t, size_t i, bool scaled) {
  double y = t->clean[i], step = t->clean[i + 1] - y;

  return scaled ? step * y : step / y;
}

/* The truth is the biggest step.  It is clear where the next is half of it or less, and it stands
   out by so much even at the end of the next, where its noise is. */
static void trial_biggest(struct trial *t, bool scaled) {
  size_t best = 0;
  double second = 0, unit, high;

  for (size_t i = 1; i + 1 < t->l.curve.n; i++)
    if (trial_step(t, i, scaled) > trial_step(t, best, scaled))
      best = i;
  for (size_t i = 0; i + 1 < t->l.curve.n; i++)
    if (i != best)
      second = fmax(second, trial_step(t, i, scaled));
  unit = scaled ? t->clean[best] * t->clean[best] : 1;
  high = scaled ? t->clean[t->l.curve.n - 1] / t->clean[best] : t->clean[best + 1] / t->clean[best];
  t->value = t->l.point[best].x;
  t->clear = second < trial_step(t, best, scaled) / 2 &&
             stands_out(t, trial_step(t, best, scaled) / unit / 2 / (scaled ? high * high : high));
}

static void make_relative(struct trial *t) {
  trial_stairs(t);
  trial_biggest(t, false);
}

static void make_scaled(struct trial *t) {
  trial_stairs(t);
  trial_biggest(t, true);
}

/* Stairs down: those up, in a mirror; the truth is the first point behind the drop. */
static void make_drop(struct trial *t) {
  size_t n;

  make_relative(t);
  n = t->l.curve.n;
  for (size_t i = 0; i < n / 2; i++) {
    struct hw_point swap = t->l.point[i];
    t->l.point[i] = t->l.point[n - 1 - i];
    t->l.point[n - 1 - i] = swap;
  }
  for (size_t i = 0; i < n; i++)
    t->l.point[i].x = 1000 - t->l.point[i].x;
  t->value = 1000 - t->value;
}

/* A flat curve, of which a tenth of the points may be disturbed as a whole.  A level that is told
   is right within HW_CYCLES_ERROR, after what outliers and the lower quartile take from it. */
static void make_level(struct trial *t) {
  double y = random_scale(&t->random, 1, 300);

  literal_init(&t->l);
  trial_flat(t, random_size(&t->random, 3, 40), y);
  t->noise.drift = 0;
  t->noise.outliers = 0;
  trial_disturb(t);
  for (size_t i = 0; i < t->l.curve.n; i++)
    t->l.point[i].y *= random_chance(&t->random, 0.03) ? random_between(&t->random, 1, 4) : 1;
  t->value = y * (1 - t->noise.sigma * low_end(t->noise.samples));
  t->within = 1.5 * HW_CYCLES_ERROR * t->value;
  t->clear = t->l.curve.n >= 8 && t->noise.sigma < 0.02;
}

/* A line with an overhead, as work of growing length takes.  A slope that is told is right within
   HW_CYCLES_ERROR. */
static void make_slope(struct trial *t) {
  size_t n = random_size(&t->random, 4, 30);
  double slope = random_scale(&t->random, 0.01, 100), start = random_unit(&t->random);

  literal_init(&t->l);
  for (size_t i = 1; i <= n; i++)
    literal_add(&t->l, (double)i, slope * ((double)i + start), 0, 0);
  t->noise.drift = 0;
  t->noise.outliers = 0;
  trial_disturb(t);
  t->value = slope * (1 - t->noise.sigma * low_end(t->noise.samples));
  t->within = 1.5 * HW_CYCLES_ERROR * t->value;
  t->clear = t->l.curve.n >= 8 && t->noise.sigma < 0.01;
}

/* Counts a value in a distribution. */
static void trial_count(struct trial *t, double x) {
  struct hw_curve *d = &t->l.curve;
  size_t i = d->n;

  while (i > 0 && d->point[i - 1].x >= x)
    i--;
  if (i == d->n || d->point[i].x > x) {
    assert_true(d->n < POINTS);
    memmove(d->point + i + 1, d->point + i, (d->n++ - i) * sizeof *d->point);
    d->point[i] = (struct hw_point){.x = x};
  }
  d->point[i].y++;
  d->point[i].count++;
}

/* A clock of step ns, read in whole ns, with work of changing length between readings; some
   readings are converted a unit too high. */
static void trial_tick(struct trial *t, double step) {
  double cost = random_between(&t->random, 10, 40);
  double high = step >= 10 && random_size(&t->random, 0, 1) == 1 ? 0.1 : 0;

  literal_init(&t->l);
  for (int i = 0; i < 4096; i++) {
    double first = 1e6 * random_unit(&t->random);
    double work = cost + (double)random_size(&t->random, 0, 15) * 3.2;
    double second = floor(step * floor((first + work) / step)) - floor(step * floor(first / step));
    if (second > 0)
      second += (random_unit(&t->random) < high) - (random_unit(&t->random) < high);
    if (second > 0)
      trial_count(t, second);
  }
  t->value = step;
  t->within = step < 3 ? 2 : 1;
  t->clear = step <= 1000;
}

static void make_tick(struct trial *t) {
  static const double step[] = {1, 2, 10, 20, 30.5, 41.666667, 52.083333, 100, 1000, 1000000};

  trial_tick(t, step[random_size(&t->random, 0, COUNT(step) - 1)]);
}

static void make_any_tick(struct trial *t) { trial_tick(t, random_scale(&t->random, 1, 1000)); }

/* Flat curves have no step, whatever the noise; the biggest step, by each of its measures, is found
   or unknown; a level and a slope are right within 3 %, or unknown; clocks of any step, read in
   whole units, are told within one. */
static void test_random(void **state) {
  static const struct {
    const char *name;
    void (*make)(struct trial *);
    reduction *reduce;
    unsigned n;
    double share;
  } kinds[] = {{"flat, biggest relative step", make_flat, biggest_relative, CURVES, 0},
               {"flat, biggest scaled step", make_flat, biggest_scaled, CURVES, 0},
               {"flat, biggest drop", make_flat, hw_reduce_biggest_drop, CURVES, 0},
               {"biggest relative step", make_relative, biggest_relative, CURVES, 0.05},
               {"biggest scaled step", make_scaled, biggest_scaled, CURVES, 0.05},
               {"biggest drop", make_drop, hw_reduce_biggest_drop, CURVES, 0.05},
               {"level", make_level, hw_reduce_level, CURVES, 0.05},
               {"slope", make_slope, hw_reduce_slope, CURVES, 0.05},
               {"tick", make_tick, hw_reduce_tick, CURVES / 10, 0},
               {"any tick", make_any_tick, hw_reduce_tick, CURVES / 10, 0}};

  (void)state;
  for (size_t i = 0; i < COUNT(kinds); i++)
    trials(kinds[i].name, kinds[i].make, kinds[i].reduce, kinds[i].n, kinds[i].share);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),           cmocka_unit_test(test_answers),
      cmocka_unit_test(test_monotone),         cmocka_unit_test(test_monotone_repeated),
      cmocka_unit_test(test_odd_curves),       cmocka_unit_test(test_many_points),
      cmocka_unit_test(test_clusters_by_hand), cmocka_unit_test(test_clusters_reference),

      cmocka_unit_test(test_compact_shapes),   cmocka_unit_test(test_compact_perturbed),

  };

  return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
