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
           mispredictions the walk has.
   Rows    BRANCH_.
   Cost    60 ms.
   Limits  The penalty is the mean over what the front end does meanwhile.  A compiler that makes no
           branches of them gets no answer, nor does one that does not optimize: its branches wait
           for memory.
   See     DM II-A. */
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Levels of the tree: 255 branches. */
#define BRANCH_LEVELS 8u
/* A misprediction throws away what was fetched behind it: a cycle of it at the very least. */
#define BRANCH_LEAST 1.0
#define BRANCH_HALF (BRANCH_LEVELS / 2)
#define BRANCH_FEW (BRANCH_LEVELS / 4)
/* More random bits add the same each when they do to this share. */
#define BRANCH_EVEN 0.1
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
  static const char *const name[2] = {"branches", "branches_taken"};
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
      result = hw_publish(bench, &curve, "branch", 1);
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
                                 .anywhere = true};
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

/* The y at so many random bits, or of all taken. */
static struct hw_answer branch_walk(const struct hw_curves *curves, const char *name, double x) {
  static const char method[] = "walks";
  const struct hw_curve *curve = hw_curves_get(curves, name);
  const struct hw_point *p = hw_curve_at(curve, x);

  if (curve == NULL)
    return hw_absent(method, "there is no code for it");
  if (p == NULL)
    return hw_unknown(method, "a point is missing");
  return hw_known(method, p->y, 2 * hw_point_error(p), HW_CLEAR);
}

/* By how much a walk takes longer with so many random bits. */
static struct hw_answer branch_longer(const struct hw_curves *curves, double x) {
  struct hw_answer none = branch_walk(curves, "branches", 0);
  struct hw_answer taken = branch_walk(curves, "branches_taken", 0);
  struct hw_answer some = branch_walk(curves, "branches", x);
  double longer = some.value - (none.value + taken.value) / 2;
  double error = some.error + (none.error + taken.error) / 2;

  if (!none.known || !taken.known || !some.known)
    return !none.known ? none : !taken.known ? taken : some;
  if (longer < x * BRANCH_LEAST / 2)
    return hw_absent(some.method, "random outcomes cost nothing");
  if (error > HW_LEVEL_ERROR * longer)
    return hw_unknown(some.method, "the samples scatter by more than 3 %");
  return hw_known(some.method, longer, error, HW_CLEAR);
}

/* What a misprediction costs on average, as DM has it: two random bits are one.  One that follows
   another soon costs less, as less is left to be done meanwhile: what the last bits add is less. */
static struct hw_answer branch_cost(const struct hw_curves *curves) {
  return hw_scaled(branch_longer(curves, BRANCH_LEVELS), 2.0 / BRANCH_LEVELS);
}

/* What one misprediction more takes, from so many random bits to more. */
static struct hw_answer branch_more(struct hw_answer less, struct hw_answer more, double bits) {
  return hw_known(more.method, 2 * (more.value - less.value) / bits,
                  2 * (more.error + less.error) / bits, HW_CLEAR);
}

/* The same by how much a walk takes longer with more random bits, when each adds the same. */
static struct hw_answer branch_slope(const struct hw_curves *curves) {
  static const char uneven[] = "a branch is not foretold by the one before";
  struct hw_answer few = branch_longer(curves, BRANCH_FEW);
  struct hw_answer half = branch_longer(curves, BRANCH_HALF);
  struct hw_answer all = branch_longer(curves, BRANCH_LEVELS);
  struct hw_answer lower, upper;
  double apart, least;

  if (!few.known || !half.known || !all.known)
    return !all.known ? all : !few.known ? few : half;
  lower = branch_more(few, half, BRANCH_HALF - BRANCH_FEW);
  upper = branch_more(half, all, BRANCH_LEVELS - BRANCH_HALF);
  apart = fabs(upper.value - lower.value);
  least = BRANCH_EVEN * upper.value;
  if (apart - lower.error - upper.error >= least)
    return hw_absent(all.method, uneven);
  return apart < least ? upper : hw_unknown(all.method, uneven);
}

struct hw_answer hw_value_branch_miss(const struct hw_curves *curves) {
  return hw_rounded(branch_cost(curves));
}

struct hw_answer hw_value_branch_miss_rate_x100(const struct hw_curves *curves) {
  struct hw_answer all = branch_longer(curves, BRANCH_LEVELS), cost = branch_slope(curves);
  double besides, rate;

  if (!cost.known || !all.known)
    return cost.known ? all : cost;
  /* What the first random bit costs besides is no misprediction. */
  besides = fabs(all.value - BRANCH_LEVELS / 2 * cost.value);
  if (besides > HW_LEVEL_ERROR * all.value)
    return hw_unknown(all.method, "random outcomes cost more than their mispredictions");
  rate = 1e4 * all.value / (BRANCH_LEVELS * cost.value);
  return hw_known(all.method, rate,
                  rate * ((all.error + besides) / all.value + cost.error / cost.value), HW_CLEAR);
}
