/* The fit test: see fit.h.

   Three rates of samples at the floor are compared: r of the target, p of a sequence that is nearly
   as full and fits, and q of one that surely misses.  A sequence that fits reaches the floor at
   some part of p at least; one that does not at q at most: a miss a lap keeps its samples off the
   floor, but for wrong readings.

   Each comparison is a bet on the rounds (bet.h): against r <= s, say, it wins when the first
   sample of a round is at the floor, and loses when the second is. */
#include "analysis/fit.h"

#include "analysis/bet.h"

#include <math.h>
#include <stdlib.h>

/* The floor is no wider than this part of its y: a load of the next level takes at least half as
   long again as a hit, and of a sequence twice too full half misses. */
#define FIT_WIDTH (1 / 8.0)
/* A cluster has this many controls at least, and is 1/FIT_DENSE as dense as the densest: fewer that
   lie lower are wrong readings, of which there are some in a hundred. */
#define FIT_CLUSTER 4u
#define FIT_DENSE 2
/* A sequence that fits reaches the floor at this part of p' at least.  If the one nearly as full
   has a way to spare, a line of another thread spoils the target's sample alone; an SMT sibling
   that brings new lines as fast as its level 2 delivers puts 2.5 of them into each set during a
   sample of some 600 cycles, and exp(-2.5) of the samples have none. */
#define FIT_PART (1 / 16.0)
/* A sequence found not to fit must not reach the floor more often than the one that surely misses:
   not with less than this probability of chance. */
#define FIT_ALIKE 0.01
/* Steps of a bisection: the bits of a double. */
#define FIT_BISECT 53

double hw_fit_width(double y, double least) { return fmin(least, FIT_WIDTH * y); }

/* The cluster that begins at the lowest of n sorted values; its size in *count. */
static struct hw_fit_floor fit_cluster(const double *sorted, size_t n, double least,
                                       size_t *count) {
  struct hw_fit_floor cluster = {sorted[0], sorted[0] + hw_fit_width(sorted[0], least)};

  while (*count < n && sorted[*count] <= cluster.high)
    ++*count;
  return cluster;
}

/* The lowest cluster of at least dense values; in *most the size of the densest up to there. */
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
    scratch[2 * i] = round[i].y[HW_FIT_BEFORE];
    scratch[2 * i + 1] = round[i].y[HW_FIT_AFTER];
  }
  hw_sort(scratch, 2 * n);
  fit_lowest(scratch, 2 * n, least, 2 * n + 1, &most);
  if (most / FIT_DENSE < FIT_CLUSTER)
    most = FIT_DENSE * FIT_CLUSTER;
  return fit_lowest(scratch, 2 * n, least, most / FIT_DENSE, &none);
}

static bool fit_within(const struct hw_fit_floor *floor, double y) {
  return y >= floor->low && y <= floor->high;
}

bool hw_fit_bracket(const struct hw_fit_round *round, const struct hw_fit_floor *floor) {
  return floor->high > 0 && fit_within(floor, round->y[HW_FIT_BEFORE]) &&
         fit_within(floor, round->y[HW_FIT_AFTER]);
}

static void fit_add(struct hw_fit_share *share, const struct hw_fit_floor *floor, double y) {
  share->floor += fit_within(floor, y);
  share->n += y >= floor->low;
}

void hw_fit_add(struct hw_fit_counts *counts, const struct hw_fit_round *round, size_t n,
                const struct hw_fit_floor *floor) {
  for (size_t i = 0; i < n; i++)
    if (hw_fit_bracket(&round[i], floor)) {
      counts->rounds++;
      fit_add(&counts->target, floor, round[i].y[HW_FIT_TARGET]);
      fit_add(&counts->full, floor, round[i].y[HW_FIT_FULL]);
      fit_add(&counts->missing, floor, round[i].y[HW_FIT_MISSING]);
    }
}

struct hw_fit_counts hw_fit_count(const struct hw_fit_round *round, size_t n,
                                  const struct hw_fit_floor *floor) {
  struct hw_fit_counts counts = {0};

  hw_fit_add(&counts, round, n, floor);
  return counts;
}

static double fit_rate(const struct hw_fit_share *share) {
  return share->n > 0 ? (double)share->floor / (double)share->n : 0;
}

/* The bet that one reaches the floor no more often than the part of the other. */
static double fit_chance(const struct hw_fit_share *one, const struct hw_fit_share *other,
                         double one_part, double other_part) {
  return hw_bet((double)one->floor, (double)other->floor, one_part, other_part);
}

static struct hw_fit_answer fit_undecided(enum hw_fit_verdict verdict, const char *why) {
  return (struct hw_fit_answer){.verdict = verdict, .error = 1, .why = why};
}

/* Why it is not decided. */
static struct hw_fit_answer fit_why(const struct hw_fit_counts *counts, double epsilon) {
  if (counts->rounds == 0)
    return fit_undecided(HW_FIT_UNKNOWN, "other work disturbed one of each two controls");
  if (fit_chance(&counts->missing, &counts->full, 1, FIT_PART) <= epsilon)
    return fit_undecided(HW_FIT_ALIKE, "what misses does not differ from what fits");
  if (counts->target.floor > 0)
    return fit_undecided(HW_FIT_UNKNOWN, "it fits in some rounds and not in others");
  return fit_undecided(HW_FIT_UNKNOWN, "too few samples were left alone");
}

struct hw_fit_answer hw_fit_decide(const struct hw_fit_counts *counts, struct hw_fit_odds odds) {
  double fits = fit_chance(&counts->full, &counts->target, odds.part, 1);
  double misses = fit_chance(&counts->target, &counts->missing, 1, 1);
  double rare = fit_chance(&counts->target, &counts->full, 1, FIT_PART);

  if (fits <= odds.epsilon && misses > FIT_ALIKE)
    return (struct hw_fit_answer){.verdict = HW_FIT_NO, .error = fits};
  if (fmax(misses, rare) <= odds.epsilon)
    return (struct hw_fit_answer){.verdict = HW_FIT_YES, .error = fmax(misses, rare)};
  return fit_why(counts, odds.epsilon);
}

int hw_fit_put(struct hw_curve *fit, struct hw_curve *full, double n,
               const struct hw_fit_counts *counts) {
  double missing = fit_rate(&counts->missing);

  if (hw_curve_put(fit,
                   (struct hw_point){n, fit_rate(&counts->target), missing, counts->target.n}) < 0)
    return -1;
  return hw_curve_put(full, (struct hw_point){n, fit_rate(&counts->full), 0, counts->full.n});
}

/* The counts behind a point. */
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
  return hw_fit_decide(&counts, odds);
}

double hw_fit_clarity(double error) {
  double low = 0, high = 40; /* no double is beyond these standard errors */

  for (int i = 0; i < FIT_BISECT; i++) {
    double middle = (low + high) / 2;
    if (erfc(middle / sqrt(2)) / 2 > error)
      low = middle;
    else
      high = middle;
  }
  return low;
}
