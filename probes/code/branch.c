/* What a branch costs that goes another way than foretold.

   Curve   branches: x random bits that a walk goes by (count), y time of a walk (cycles);
           branches_taken: a walk in which all are taken.
   Method  A binary tree of code, each of its branches at an address of its own, walked from the
           root to a leaf by the bits of a word (DM II-A, figure 1).  All 0 and all 1 are foretold.
           A random bit that never came before, as likely 0 as 1, is foretold wrong half the time,
           whatever foretells it: what the walk with a bit for each branch takes longer than those
           that are foretold is what half as many mispredictions cost.  One bit for two or four
           branches that follow each other, of which the others are foretold by the first: by how
           much each bit more makes a walk longer tells the same in another way, and so how many
           mispredictions the walk has.  Branches that are foretold cost some part of a cycle more
           where they go both ways, since what foretells them is slower than what foretells those
           that do not.  The tree is small: all of it stays where instructions come from soonest,
           however many of its ways are gone.
   Rows    BRANCH_.
   Cost    60 ms.
   Limits  The penalty is the mean over what the front end does meanwhile.  A compiler that makes no
           branches of them gets no answer, nor does one that does not optimize: its branches wait
           for memory.
   See     DM II-A. */
#include "analysis/names.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Levels of the tree: 15 branches.  With 255 what a misprediction costs grew with the bits, as more
   of the tree was gone. */
#define BRANCH_LEVELS 4u
/* A misprediction throws away what was fetched behind it: a cycle of it at the very least. */
#define BRANCH_LEAST 1.0
#define BRANCH_HALF (BRANCH_LEVELS / 2)
#define BRANCH_FEW (BRANCH_LEVELS / 4)
/* A branch that is foretold costs no more than this part of a misprediction, because it goes both
   ways: where it does, it may not be foretold. */
#define BRANCH_FORETOLD 0.125
/* Relative standard error that is wanted of a walk: a quarter of 3 % and of half a cycle in tens.
 */
#define BRANCH_PRECISION 0.003
/* Numbers of random bits that tell what each more costs, at least: there are two unknowns. */
#define BRANCH_POINTS 3u
/* Points of the task from this one on are those with the other branches taken. */
#define BRANCH_TAKEN 100.0

struct branch_job {
  struct hw_bench *bench;
  unsigned outcomes[HW_NANO_OUTCOMES];
};

/* As many random bits in a walk as x says, each for as many branches that follow each other. */
static void branch_fill(struct branch_job *job, double x, struct hw_random *random) {
  unsigned bits = (unsigned)fmod(x, BRANCH_TAKEN);

  for (size_t i = 0; i < HW_NANO_OUTCOMES; i++) {
    unsigned drawn = (unsigned)(hw_random_bits(random) >> 32);
    job->outcomes[i] = x >= BRANCH_TAKEN ? ~0u : 0;
    for (unsigned level = 0; bits > 0 && level < BRANCH_LEVELS; level++)
      job->outcomes[i] |= (drawn >> (level * bits / BRANCH_LEVELS) & 1) << level;
  }
}

static double branch_work(void *context, double x) {
  const struct branch_job *job = context;
  struct hw_machine *machine = job->bench->machine;

  (void)x;
  machine->ops->nano(machine, 0, true, HW_NANO_OUTCOMES);
  return HW_NANO_OUTCOMES;
}

/* The predictor gets used to the point's kind, by bits that do not come again. */
static int branch_prepare(void *context, double x, struct hw_random *random) {
  struct branch_job *job = context;

  branch_fill(job, x, random);
  branch_work(job, x);
  branch_fill(job, x, random);
  return 0;
}

/* Splits what was sampled into the two curves. */
static int branch_publish(struct hw_bench *bench, const struct hw_curve *both) {
  static const char *const name[2] = {"branches", HW_NAME_BRANCHES_TAKEN};
  int result = 0;

  for (size_t k = 0; k < 2 && result == 0; k++) {
    struct hw_curve curve;
    hw_curve_init(&curve, name[k], "branches of a walk at random (count)",
                  "time of a walk (cycles)");
    for (size_t i = 0; i < both->n && result == 0; i++) {
      struct hw_point p = both->point[i];
      if ((p.x >= BRANCH_TAKEN) != (k == 1))
        continue;
      p.x = fmod(p.x, BRANCH_TAKEN);
      result = hw_curve_put(&curve, p);
    }
    if (result == 0)
      result = hw_publish(bench, &curve, "branch", 2);
    else
      hw_curve_free(&curve);
  }
  return result;
}

int hw_probe_branch(struct hw_bench *bench) {
  static const double x[] = {0, BRANCH_FEW, BRANCH_HALF, BRANCH_LEVELS, BRANCH_TAKEN};
  const struct hw_nano nano = {
      .part = {{.op = "tree", .type = "i32", .variables = BRANCH_LEVELS, .count = 1}},
      .groups = {0, 1}};
  struct hw_machine *machine = bench->machine;
  struct branch_job *job;
  struct hw_curve both;
  int result = -1;

  if (hw_nano_need(bench, &nano, 1) != 0)
    return -1;
  if (!hw_nano_ready(bench, &nano))
    return 0;
  job = calloc(1, sizeof *job);
  hw_curve_init(&both, "branch", "x", "y");
  if (job != NULL && machine->ops->nano_take(machine, &nano, 1) == 0) {
    const struct hw_task task = {.prepare = branch_prepare,
                                 .work = branch_work,
                                 .context = job,
                                 .issue = hw_issue(&bench->curves),
                                 .anywhere = true,
                                 .precision = BRANCH_PRECISION};
    job->bench = bench;
    machine->ops->nano_outcomes(machine, job->outcomes);
    result = hw_sample_apart(bench, &task, x, sizeof x / sizeof x[0], &both);
  }
  if (result == 0)
    result = branch_publish(bench, &both);
  hw_curve_free(&both);
  free(job);
  return result;
}

/* The y of a point. */
static struct hw_answer branch_walk(const struct hw_point *p) {
  static const char method[] = "walks";

  return p != NULL ? hw_known(method, p->y, 2 * hw_point_error(p), HW_CLEAR)
                   : hw_unknown(method, "a point is missing");
}

/* By how much a walk takes longer at a point than those that are foretold. */
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

/* By how much a walk takes longer with a random bit for each of its branches; their number to
 *levels. */
static struct hw_answer branch_all(const struct hw_curves *curves, double *levels) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_BRANCHES);
  const struct hw_point *last;
  struct hw_answer all;

  if (curve == NULL || hw_curves_get(curves, HW_NAME_BRANCHES_TAKEN) == NULL)
    return hw_absent("walks", "there is no code for it");
  last = curve->n > 0 ? &curve->point[curve->n - 1] : NULL;
  *levels = last != NULL ? last->x : 0;
  all = branch_longer(curves, last);
  if (all.known && all.error > HW_LEVEL_ERROR * all.value)
    return hw_unknown(all.method, "the samples scatter by more than 3 %");
  return all;
}

/* Longer walks as random bits being foretold wrong half the time and other branches not: what each
   misprediction costs, and each of the others because it goes both ways. */
struct branch_line {
  double miss;
  double other;
  double left; /* what is farthest from it: cycles, and cycles beyond its own error */
  double beyond;
};

/* The line whose squares of what is left are least; branches cost no less because they go both
   ways. */
static void branch_fit(const double *bits, const double *longer, size_t n, double levels,
                       struct branch_line *line) {
  double xx = 0, xo = 0, oo = 0, xy = 0, oy = 0;

  for (size_t i = 0; i < n; i++) {
    double x = bits[i] / 2, other = levels - bits[i];
    xx += x * x;
    xo += x * other;
    oo += other * other;
    xy += x * longer[i];
    oy += other * longer[i];
  }
  line->other = fmax(0, (xx * oy - xo * xy) / (xx * oo - xo * xo));
  line->miss = (xy - line->other * xo) / xx;
}

/* What a misprediction costs, by how much a walk takes longer with more random bits. */
static struct hw_answer branch_each(const struct hw_curves *curves, double levels,
                                    struct branch_line *line) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_BRANCHES);
  double bits[BRANCH_LEVELS], longer[BRANCH_LEVELS], error[BRANCH_LEVELS];
  size_t n = 0;

  for (size_t i = 0; i < curve->n && n < BRANCH_LEVELS; i++) {
    struct hw_answer some = branch_longer(curves, &curve->point[i]);
    if (curve->point[i].x < 1)
      continue;
    if (!some.known)
      return some;
    bits[n] = curve->point[i].x;
    error[n] = some.error;
    longer[n++] = some.value;
  }
  if (n < BRANCH_POINTS)
    return hw_unknown("walks", "a point is missing");
  branch_fit(bits, longer, n, levels, line);
  line->left = line->beyond = 0;
  for (size_t i = 0; i < n; i++) {
    double left = fabs(longer[i] - line->miss * bits[i] / 2 - line->other * (levels - bits[i]));
    line->left = fmax(line->left, left);
    line->beyond = fmax(line->beyond, left - error[i]);
  }
  return hw_known("walks", line->miss, line->left, HW_CLEAR);
}

/* What a misprediction costs on average, as DM has it: two random bits are one. */
static struct hw_answer branch_cost(const struct hw_curves *curves) {
  double levels = 0;
  struct hw_answer all = branch_all(curves, &levels);

  return all.known ? hw_scaled(all, 2 / levels) : all;
}

struct hw_answer hw_value_branch_miss(const struct hw_curves *curves) {
  return hw_rounded(branch_cost(curves));
}

struct hw_answer hw_value_branch_miss_rate_x100(const struct hw_curves *curves) {
  static const char uneven[] = "mispredictions do not cost the same each";
  static const char both[] = "a branch is not foretold by the one before";
  double levels = 0, rate, least;
  struct hw_answer all = branch_all(curves, &levels), each;
  struct branch_line line = {0};

  if (!all.known)
    return all;
  each = branch_each(curves, levels, &line);
  if (!each.known)
    return each;
  least = HW_LEVEL_ERROR * all.value;
  if (line.other > BRANCH_FORETOLD * line.miss)
    return hw_absent(all.method, both);
  if (line.beyond > least)
    return hw_absent(all.method, uneven);
  if (line.left > least)
    return hw_unknown(all.method, uneven);
  rate = 1e4 * all.value / (levels * line.miss);
  return hw_known(all.method, rate, rate * (all.error + line.left) / all.value, HW_CLEAR);
}
