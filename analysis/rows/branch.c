/* What a misprediction of a branch costs, and how long a pattern of outcomes is predicted, off the
   curves of probes/code/branch.c.

   Method  A walk with a random bit for each branch takes longer than one that is predicted: by the
           penalty of half as many mispredictions.  The longest pattern that is predicted is the
           last before half of these come; its range goes from clearly less to clearly more.
   Rows    BRANCH_MISS, BRANCH_PERIOD, BRANCH_OUTCOMES.
   Limits  The penalty is a mean: it depends on the state of the front end.
   See     DM II-A. */
#include "analysis/names.h"
#include "analysis/rows/loops.h"
#include "analysis/values.h"

#include <math.h>

/* Cycles of a misprediction at least: it flushes what was fetched behind it. */
#define BRANCH_LEAST 1.0
#define BRANCH_NEAR 0.25
/* Of the mispredictions of outcomes that never repeat: the share up to which a pattern is clearly
   predicted, and from which on it is clearly not. */
#define BRANCH_FEW 0.4
#define BRANCH_MANY 0.6
#define BRANCH_METHOD "half of the mispredictions"

/* The time of a walk, off its point. */
static struct hw_answer branch_walk(const struct hw_point *p) {
  static const char method[] = "walks";

  return p != NULL ? hw_known(method, p->y, 2 * hw_point_error(p), HW_CLEAR)
                   : hw_unknown(method, "a point is missing");
}

/* By how many cycles the walk of a point takes longer than the predicted walks. */
static struct hw_answer branch_longer(const struct hw_curves *curves, const struct hw_point *p) {
  struct hw_answer none = branch_walk(hw_curve_at(hw_curves_get(curves, HW_NAME_BRANCHES), 0));
  struct hw_answer taken =
      branch_walk(hw_curve_at(hw_curves_get(curves, HW_NAME_BRANCHES_TAKEN), 0));
  struct hw_answer some = branch_walk(p);
  double longer = some.value - (none.value + taken.value) / 2;
  double error = hypot(some.error, hypot(none.error, taken.error) / 2);

  if (!none.known || !taken.known || !some.known)
    return !none.known ? none : !taken.known ? taken : some;
  if (longer < p->x * BRANCH_LEAST / 2)
    return hw_absent(some.method, "random outcomes cost nothing");
  return hw_known(some.method, longer, error, HW_CLEAR);
}

/* The range of the same: each of the walks took no longer than it was timed, and no less than its
   fastest samples. */
static struct hw_answer branch_range(const struct hw_curves *curves, const struct hw_point *p) {
  const struct hw_point *none = hw_curve_at(hw_curves_get(curves, HW_NAME_BRANCHES), 0);
  const struct hw_point *taken = hw_curve_at(hw_curves_get(curves, HW_NAME_BRANCHES_TAKEN), 0);
  double errors =
      2 * hypot(hw_point_error(p), hypot(hw_point_error(none), hw_point_error(taken)) / 2);

  return hw_ranged("range of walks", p->y - (none->y + taken->y) / 2,
                   hw_point_least(p) - (none->y + taken->y) / 2 - errors,
                   p->y - (hw_point_least(none) + hw_point_least(taken)) / 2 + errors);
}

/* By how many cycles a walk takes longer with a random bit for each of its branches; their number
   to *levels. */
static struct hw_answer branch_all(const struct hw_curves *curves, double *levels) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_BRANCHES);
  const struct hw_point *last;
  struct hw_answer all;

  if (curve == NULL || hw_curves_get(curves, HW_NAME_BRANCHES_TAKEN) == NULL)
    return hw_absent("walks", "there is no code for it");
  last = curve->n > 0 ? &curve->point[curve->n - 1] : NULL;
  *levels = last != NULL ? last->x : 0;
  all = branch_longer(curves, last);
  if (all.known && all.error > HW_CYCLES_ERROR * all.value)
    return hw_else(hw_unknown(all.method, "the samples scatter by more than 3 %"),
                   branch_range(curves, last));
  return all;
}

/* The misprediction penalty on average (cycles), as DM has it: one of two random outcomes is
   mispredicted. */
static struct hw_answer branch_cost(const struct hw_curves *curves) {
  double levels = 0;
  struct hw_answer all = branch_all(curves, &levels);

  return levels > 0 ? hw_scaled(all, 2 / levels) : all;
}

/* The penalty in whole cycles.  The mean need not be whole, as the state of the front end varies:
   if it is known to BRANCH_NEAR, the nearest whole number, whose distance is added to the
   error. */
struct hw_answer hw_read_branch_miss(const struct hw_curves *curves) {
  struct hw_answer cost = branch_cost(curves);
  double whole = round(cost.value);

  if (!cost.known || cost.error >= BRANCH_NEAR)
    return hw_rounded(cost);
  cost.error += fabs(cost.value - whole);
  cost.value = whole;
  return cost;
}

/* The share of its mispredictions that a pattern keeps: 0 of those that are predicted, 1 of those
   that never repeat. */
static double branch_share(const struct hw_curve *curve, size_t i) {
  const double none = curve->point[0].y, all = curve->point[curve->n - 1].y;

  return (curve->point[i].y - none) / (all - none);
}

/* The longest pattern that is predicted, outcomes: a walk has that many of them.  Points of which
   no two passes agree are left out. */
static struct hw_answer branch_edge(const struct hw_curve *curve, double outcomes) {
  const size_t end = curve->n - 1;
  double last = 0, low = 0, high = 0, share = 0;

  for (size_t i = 1; i < end && !(high > 0); i++) {
    if (curve->point[i].count <= 1)
      continue;
    share = branch_share(curve, i);
    last = share < 0.5 ? curve->point[i].x : last;
    low = share <= BRANCH_FEW ? curve->point[i].x : low;
    high = share >= BRANCH_MANY ? curve->point[i].x : high;
  }
  if (!(high > 0))
    return hw_unknown(BRANCH_METHOD, "the longest pattern that was tried is predicted");
  for (size_t i = end - 1; curve->point[i].x > high; i--)
    if (curve->point[i].count > 1 && branch_share(curve, i) < 0.5)
      return hw_unknown(BRANCH_METHOD, "mispredictions come and go as the pattern gets longer");
  if (!(low > 0))
    return hw_absent(BRANCH_METHOD, "the shortest pattern is not predicted");
  if (high > HW_RANGE_WIDEST * low)
    return hw_unknown(BRANCH_METHOD,
                      "mispredictions set in over more than a factor of two in length");
  return hw_ranged(BRANCH_METHOD, outcomes * last, outcomes * low, outcomes * high);
}

static struct hw_answer branch_longest(const struct hw_curve *curve, double outcomes) {
  const struct hw_point *none, *all;

  if (curve == NULL)
    return hw_absent(BRANCH_METHOD, "there is no code for it");
  none = hw_curve_at(curve, 0);
  all = hw_curve_at(curve, HW_BRANCH_NEVER);
  if (none == NULL || all == NULL)
    return hw_unknown(BRANCH_METHOD, "a point is missing");
  if (none->count <= 1 || all->count <= 1)
    return hw_unknown(BRANCH_METHOD, "no two passes agree");
  if (all->y - none->y < outcomes * BRANCH_LEAST / 2)
    return hw_absent(BRANCH_METHOD, "random outcomes cost nothing");
  return branch_edge(curve, outcomes);
}

struct hw_answer hw_read_branch_period(const struct hw_curves *curves) {
  return branch_longest(hw_curves_get(curves, HW_NAME_BRANCH_ONE), 1);
}

struct hw_answer hw_read_branch_outcomes(const struct hw_curves *curves) {
  return branch_longest(hw_curves_get(curves, HW_NAME_BRANCH_ALL), HW_LOOPS_LEVELS);
}
