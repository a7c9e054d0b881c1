/* The fit test: see fit.h.

   The target's rate of samples at the floor, r, is compared with p', that of what is nearly as full
   and fits, and q, that of what surely misses.  A sequence that fits reaches the floor at a rate of
   some part of p' at least, one that does not at no more than q: a miss a lap keeps every sample
   off it.  r is held against a part of p' by Chernoff's bound, P(k of n | r) <= exp(-n D(k/n ||
   r)), D the relative entropy, p' being at the unfavourable end of its confidence interval: for
   none of n it is (1 - r)^n exactly.  It is held against q by Fisher's exact test, which needs no
   interval.  As the rounds are looked at again and again, the k-th time may spend 1/(k (k + 1)) of
   epsilon, which is 1 in all. */
#include "analysis/fit.h"

#include <math.h>
#include <stdlib.h>

/* The floor is no wider than this part of its y: a load of the next level takes at least half as
   long again as a hit, and of what is twice too full half misses. */
#define FIT_WIDTH (1 / 8.0)
/* A cluster has this many controls at least, and is this part as dense as the densest: fewer that
   lie lower are mistaken readings, of which there are some in a hundred. */
#define FIT_CLUSTER 4u
#define FIT_DENSE 2
/* What fits reaches the floor at this part of p' at least.  Where what is nearly as full has a way
   to spare, a line of another thread spoils the target's sample alone; a thread of the same core
   that brings new lines as fast as its level 2 delivers puts 2.5 of them into each set during a
   sample of some 600 cycles, of which exp(-2.5) have none. */
#define FIT_PART (1 / 16.0)
/* What reaches the floor more often than what surely misses, with this probability that chance has
   it so, is not said not to fit. */
#define FIT_ALIKE 0.01
/* More lines of others in a set during a sample than leave any at the floor. */
#define FIT_LINES 64
/* Tests that share epsilon: of the target's rate, and of the one that it is compared with. */
#define FIT_TESTS 2
/* Steps of a bisection: as many as a double has digits. */
#define FIT_BISECT 53

static int fit_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* The cluster that begins at the lowest of n sorted values, and in *count how many are in it. */
static struct hw_fit_floor fit_cluster(const double *sorted, size_t n, double least,
                                       size_t *count) {
  struct hw_fit_floor cluster = {sorted[0], sorted[0] + fmin(least, FIT_WIDTH * sorted[0])};

  while (*count < n && sorted[*count] <= cluster.high)
    ++*count;
  return cluster;
}

/* The lowest cluster of so many values at least; in *most how many are in the densest up to there.
 */
static struct hw_fit_floor fit_lowest(const double *sorted, size_t n, double least, size_t dense,
                                      size_t *most) {
  struct hw_fit_floor none = {0, 0};
  size_t count = 0;

  *most = 0;
  for (size_t i = 0; i < n; i++) {
    struct hw_fit_floor cluster = fit_cluster(sorted + i, n - i, least, &count);
    if (count > *most)
      *most = count;
    if (cluster.low > 0 && count >= dense)
      return cluster;
    if (count > 0)
      count--;
  }
  return none;
}

struct hw_fit_floor hw_fit_floor(const struct hw_fit_round *round, size_t n, double least,
                                 double *scratch) {
  size_t most, none;

  for (size_t i = 0; i < n; i++) {
    scratch[2 * i] = round[i].before;
    scratch[2 * i + 1] = round[i].after;
  }
  qsort(scratch, 2 * n, sizeof *scratch, fit_order);
  fit_lowest(scratch, 2 * n, least, 2 * n + 1, &most);
  if (most / FIT_DENSE < FIT_CLUSTER)
    most = FIT_DENSE * FIT_CLUSTER;
  return fit_lowest(scratch, 2 * n, least, most / FIT_DENSE, &none);
}

static bool fit_within(const struct hw_fit_floor *floor, double y) {
  return y >= floor->low && y <= floor->high;
}

bool hw_fit_bracket(const struct hw_fit_round *round, const struct hw_fit_floor *floor) {
  return floor->high > 0 && fit_within(floor, round->before) && fit_within(floor, round->after);
}

static void fit_add(struct hw_fit_share *share, const struct hw_fit_floor *floor, double y) {
  share->floor += fit_within(floor, y);
  share->n += y >= floor->low;
}

struct hw_fit_counts hw_fit_count(const struct hw_fit_round *round, size_t n,
                                  const struct hw_fit_floor *floor) {
  struct hw_fit_counts counts = {0};

  for (size_t i = 0; i < n; i++)
    if (hw_fit_bracket(&round[i], floor)) {
      counts.rounds++;
      fit_add(&counts.target, floor, round[i].target);
      fit_add(&counts.full, floor, round[i].full);
      fit_add(&counts.missing, floor, round[i].missing);
    }
  return counts;
}

static double fit_rate(const struct hw_fit_share *share) {
  return share->n > 0 ? (double)share->floor / (double)share->n : 0;
}

/* x log(x / y), also at 0. */
static double fit_entropy(double x, double y) { return x > 0 ? x * log(x / y) : 0; }

/* Chernoff's bound on the probability of a share so far from the rate. */
static double fit_chance(const struct hw_fit_share *share, double rate) {
  double seen = fit_rate(share);

  return exp(-(double)share->n * (fit_entropy(seen, rate) + fit_entropy(1 - seen, 1 - rate)));
}

/* The end of the confidence interval of the rate behind a share, towards end, 0 or 1: what lies
   beyond would show such a share with a probability below epsilon. */
static double fit_end(const struct hw_fit_share *share, double end, double epsilon) {
  double in = fit_rate(share), out = end;

  if (share->n == 0)
    return end;
  for (int i = 0; i < FIT_BISECT; i++) {
    double middle = (in + out) / 2;
    if (fit_chance(share, middle) < epsilon)
      out = middle;
    else
      in = middle;
  }
  return out;
}

static struct hw_fit_answer fit_undecided(enum hw_fit_verdict verdict, const char *why) {
  return (struct hw_fit_answer){.verdict = verdict, .error = 1, .why = why};
}

/* The rate of what has no way to spare where what has one reaches the floor at this rate.  Lines of
   others come into a set like a Poisson process: k of them during a sample, of the mean m, leave
   exp(-m) of the samples of the first at the floor, and (1 + m) exp(-m) of the second.  Where m
   varies it is more, as the one is a convex function of the other (Jensen). */
static double fit_no_spare(double rate) {
  double low = 0, high = FIT_LINES;

  for (int i = 0; i < FIT_BISECT; i++) {
    double mean = (low + high) / 2;
    if ((1 + mean) * exp(-mean) > rate)
      low = mean;
    else
      high = mean;
  }
  return exp(-high);
}

/* Why it is not decided. */
static struct hw_fit_answer fit_why(const struct hw_fit_counts *counts, double q_low, double rate) {
  if (counts->rounds == 0)
    return fit_undecided(HW_FIT_UNKNOWN, "no two controls in a row were left alone");
  if (q_low > rate)
    return fit_undecided(HW_FIT_ALIKE, "what misses does not differ from what fits");
  if (counts->target.floor > 0)
    return fit_undecided(HW_FIT_UNKNOWN, "it fits now and then");
  return fit_undecided(HW_FIT_UNKNOWN, "too few samples were left alone");
}

/* log of n over k. */
static double fit_choose(double n, double k) {
  return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* The probability that of two shares of one rate the first has as many of both's at the floor, or
   more (Fisher's exact test). */
static double fit_same(const struct hw_fit_share *share, const struct hw_fit_share *other) {
  double n = (double)share->n, m = (double)other->n;
  double all = (double)(share->floor + other->floor), sum = 0;

  for (double k = (double)share->floor; k <= fmin(n, all); k++)
    sum += exp(fit_choose(n, k) + fit_choose(m, all - k) - fit_choose(n + m, all));
  return fmin(sum, 1);
}

struct hw_fit_answer hw_fit_decide(const struct hw_fit_counts *counts, struct hw_fit_odds odds,
                                   unsigned look) {
  const struct hw_fit_share *target = &counts->target;
  double spend = look > 0 ? 1 / ((double)look * (look + 1.0)) : 1; /* 1 in all */
  double each = odds.epsilon / FIT_TESTS * spend, seen = fit_rate(target), chance;
  /* The rate of what fits, at least. */
  double least = odds.part * fit_no_spare(fit_end(&counts->full, 0, each));
  double some = FIT_PART * fit_end(&counts->full, 1, each); /* what only fits reaches it so often */

  double same = fit_same(target, &counts->missing);

  chance = fit_chance(target, least);
  if (target->n > 0 && seen < least && chance <= each && same > FIT_ALIKE)
    return (struct hw_fit_answer){.verdict = HW_FIT_NO, .error = chance + each};
  chance = seen > some ? fmax(fit_chance(target, some), same) : 1;
  if (target->n > 0 && chance <= each)
    return (struct hw_fit_answer){.verdict = HW_FIT_YES, .error = chance + each};
  return fit_why(counts, fit_end(&counts->missing, 0, each), some);
}

int hw_fit_put(struct hw_curve *fit, struct hw_curve *full, double n,
               const struct hw_fit_counts *counts) {
  double missing = fit_rate(&counts->missing);

  if (hw_curve_put(fit,
                   (struct hw_point){n, fit_rate(&counts->target), missing, counts->target.n}) < 0)
    return -1;
  return hw_curve_put(full, (struct hw_point){n, fit_rate(&counts->full), 0, counts->full.n});
}

/* The share that a point tells. */
static struct hw_fit_share fit_share(double rate, unsigned long n) {
  return (struct hw_fit_share){.floor = (unsigned long)lround(rate * (double)n), .n = n};
}

struct hw_fit_answer hw_fit_read(const struct hw_curve *fit, const struct hw_curve *full, double n,
                                 struct hw_fit_odds odds) {
  const struct hw_point *target = hw_curve_at(fit, n), *control = hw_curve_at(full, n);
  struct hw_fit_counts counts;

  if (target == NULL || control == NULL)
    return fit_undecided(HW_FIT_UNKNOWN, "it was not asked");
  counts = (struct hw_fit_counts){.rounds = target->count,
                                  .target = fit_share(target->y, target->count),
                                  .full = fit_share(control->y, control->count),
                                  .missing = fit_share(target->spread, target->count)};
  return hw_fit_decide(&counts, odds, 0);
}

double hw_fit_clarity(double error) {
  double low = 0, high = 40; /* standard errors that no double surpasses */

  for (int i = 0; i < FIT_BISECT; i++) {
    double middle = (low + high) / 2;
    if (erfc(middle / sqrt(2)) / 2 > error)
      low = middle;
    else
      high = middle;
  }
  return low;
}
