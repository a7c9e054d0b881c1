/* The misprediction penalty of branches, and how long a pattern of outcomes is predicted.

   Curve   branches: x random bits that choose the path of a walk (count), y time of a walk
           (cycles); branches_taken: a walk in which all branches are taken.
           branch_one, branch_all: x walks after which outcomes repeat (count), 0: none is taken,
           HW_BRANCH_NEVER: they never do; y time of a walk (cycles).  The outcomes at random are
           those of one branch, of the last level, or of all branches.
   Method  A binary tree of code, each of its branches at an address of its own, walked from the
           root to a leaf by the bits of a word (DM II-A, figure 1).  All 0 and all 1 are
           predicted.  A fresh random bit, as likely 0 as 1, is mispredicted half the time by any
           predictor.  A predicted branch takes part of a cycle more if it is taken, so that the
           baselines are walks of both kinds.  The tree is small: all of it stays in the fastest
           source of instructions (the micro-op cache, if any), whichever paths are walked.
           Outcomes at random that repeat are mispredicted like those that never do once the
           predictor has forgotten them; until then they cost as little as branches never taken.
   Rows    BRANCH_MISS; BRANCH_PERIOD and BRANCH_OUTCOMES.
   Cost    60 ms; patterns 1 to 3 s.
   Limits  The lengths are a factor of 4/3 or 3/2 apart.  A compiler that makes no branches of them
           gets no answer, nor does one that does not optimize: its branches wait for memory.
   See     DM II-A. */
#include "analysis/names.h"
#include "probes/nano/loops.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative standard error wanted of a walk: a quarter of 3 % and of half a cycle in tens. */
#define BRANCH_PRECISION 0.003
/* Added to x of the points of branches_taken: their other branches are taken. */
#define BRANCH_TAKEN 100.0
/* Walks of a sample, at least. */
#define BRANCH_WALKS 4096u
/* Shortest and longest pattern, walks, and how often it is walked before it is timed.  With four
   times as many the lengths of a Xeon are the same, with a quarter they are half as long. */
#define BRANCH_SHORT 16u
#define BRANCH_LONG HW_NANO_OUTCOMES
#define BRANCH_TRAIN 16u
#define BRANCH_POINTS 32u
/* The relative standard error wanted of a walk of a pattern: what is looked for is half of a
   misprediction. */
#define BRANCH_COARSE 0.05
/* Samples of a pattern before it is looked at: to have it learned takes longer than to time it. */
#define BRANCH_ROUNDS 3

struct branch_job {
  struct hw_bench *bench;
  unsigned long walks;
  unsigned mask;      /* of the levels whose outcomes are at random */
  unsigned *outcomes; /* HW_NANO_OUTCOMES */
};

/* Fills the outcomes for x: branches all taken, none taken, or each at random. */
static void branch_fill(struct branch_job *job, double x, struct hw_random *random) {
  for (size_t i = 0; i < job->walks; i++) {
    unsigned drawn = (unsigned)(hw_random_bits(random) >> 32);
    job->outcomes[i] = x >= BRANCH_TAKEN ? ~0u : x > 0 ? drawn : 0;
  }
}

static double branch_work(void *context, double x) {
  const struct branch_job *job = context;
  struct hw_machine *machine = job->bench->machine;

  (void)x;
  machine->ops->nano(machine, 0, true, job->walks);
  return (double)job->walks;
}

/* Trains the predictor on outcomes of the point's kind, and draws others for the sample. */
static int branch_prepare(void *context, double x, struct hw_random *random) {
  struct branch_job *job = context;

  branch_fill(job, x, random);
  branch_work(job, x);
  branch_fill(job, x, random);
  return 0;
}

/* Has a pattern learned that repeats after x walks: a new one for each sample. */
static int branch_train(void *context, double x, struct hw_random *random) {
  struct branch_job *job = context;
  const size_t period = x > 0 && x <= BRANCH_LONG ? (size_t)x : BRANCH_LONG;

  for (size_t i = 0; i < BRANCH_LONG; i++)
    job->outcomes[i] = i < period ? (unsigned)(hw_random_bits(random) >> 32) & job->mask
                                  : job->outcomes[i - period];
  if (!(x > 0))
    memset(job->outcomes, 0, BRANCH_LONG * sizeof *job->outcomes);
  job->walks = BRANCH_LONG / period * period;
  for (size_t done = 0; x <= BRANCH_LONG && done < BRANCH_TRAIN * period; done += job->walks)
    branch_work(job, x);
  job->walks =
      x <= 0 || x > BRANCH_LONG ? BRANCH_WALKS : (BRANCH_WALKS + period - 1) / period * period;
  return 0;
}

/* Splits the samples into the two curves, and publishes these. */
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
    result = hw_publish(bench, &curve, "branch", result);
  }
  return result;
}

/* Readies the tree of code, and what it branches by.  1, or 0 if there is no code for it, or -1. */
static int branch_ready(struct branch_job *job, struct hw_nano *nano) {
  struct hw_bench *bench = job->bench;
  struct hw_machine *machine = bench->machine;

  hw_loops_tree(nano, HW_LOOPS_LEVELS);
  if (hw_nano_need(bench, nano, 1) != 0)
    return -1;
  if (!hw_nano_ready(bench, nano))
    return 0;
  job->outcomes = calloc(HW_NANO_OUTCOMES, sizeof *job->outcomes);
  if (job->outcomes == NULL || machine->ops->nano_take(machine, nano, 1) != 0)
    return -1;
  machine->ops->nano_outcomes(machine, job->outcomes);
  return 1;
}

int hw_probe_branch(struct hw_bench *bench) {
  static const double x[] = {0, HW_LOOPS_LEVELS, BRANCH_TAKEN};
  struct branch_job job = {.bench = bench, .walks = BRANCH_WALKS};
  struct hw_effort effort = bench->effort;
  const struct hw_task task = {.prepare = branch_prepare,
                               .work = branch_work,
                               .context = &job,
                               .issue = hw_issue(&bench->curves),
                               .anywhere = true,
                               .effort = &effort};
  struct hw_curve both;
  struct hw_nano nano;
  int result = branch_ready(&job, &nano);

  effort.precision = BRANCH_PRECISION;
  hw_curve_init(&both, "branch", "x", "y");
  if (result > 0) {
    result = hw_sample_apart(bench, &task, x, sizeof x / sizeof x[0], &both);
    if (result == 0)
      result = branch_publish(bench, &both);
  }
  hw_curve_free(&both);
  free(job.outcomes);
  return result;
}

/* The lengths, and no pattern before and behind them.  Their number. */
static size_t branch_lengths(double x[BRANCH_POINTS]) {
  size_t n = 0;

  x[n++] = 0;
  for (unsigned k = BRANCH_SHORT; k <= BRANCH_LONG; k *= 2) {
    x[n++] = k;
    if (k < BRANCH_LONG)
      x[n++] = k + k / 2;
  }
  x[n++] = HW_BRANCH_NEVER;
  return n;
}

int hw_probe_patterns(struct hw_bench *bench) {
  static const char *const name[2] = {HW_NAME_BRANCH_ONE, HW_NAME_BRANCH_ALL};
  struct branch_job job[2] = {{.bench = bench}, {.bench = bench}};
  struct hw_effort effort = bench->effort;
  struct hw_task task[2];
  struct hw_curve curve[2];
  struct hw_nano nano;
  double x[BRANCH_POINTS];
  size_t n = branch_lengths(x);
  int result = branch_ready(&job[0], &nano);

  job[0].mask = 1u << (HW_LOOPS_LEVELS - 1);
  job[1].mask = (1u << HW_LOOPS_LEVELS) - 1;
  job[1].outcomes = job[0].outcomes;
  effort.precision = BRANCH_COARSE;
  effort.rounds = BRANCH_ROUNDS;
  for (size_t k = 0; k < 2; k++) {
    task[k] = (struct hw_task){.prepare = branch_train,
                               .work = branch_work,
                               .context = &job[k],
                               .issue = hw_issue(&bench->curves),
                               .anywhere = true,
                               .agree = BRANCH_COARSE,
                               .effort = &effort};
    hw_curve_init(&curve[k], name[k], "walks after which outcomes repeat (count)",
                  "time of a walk (cycles)");
  }
  if (result > 0)
    result = hw_sample_turns(bench, task, 2, x, n, curve);
  for (size_t k = 0; k < 2; k++)
    result = hw_publish_some(bench, &curve[k], "patterns", result);
  free(job[0].outcomes);
  return result;
}
