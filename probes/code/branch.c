/* The misprediction penalty of branches.

   Curve   branches: x random bits that choose the path of a walk (count), y time of a walk
           (cycles); branches_taken: a walk in which all branches are taken.
   Method  A binary tree of code, each of its branches at an address of its own, walked from the
           root to a leaf by the bits of a word (DM II-A, figure 1).  All 0 and all 1 are
           predicted.  A fresh random bit, as likely 0 as 1, is mispredicted half the time by any
           predictor.  A predicted branch takes part of a cycle more if it is taken, so that the
           baselines are walks of both kinds.  The tree is small: all of it stays in the fastest
           source of instructions (the micro-op cache, if any), whichever paths are walked.
   Rows    BRANCH_MISS.
   Cost    60 ms.
   Limits  A compiler that makes no branches of them gets no answer, nor does one that does not
           optimize: its branches wait for memory.
   See     DM II-A. */
#include "analysis/names.h"
#include "probes/nano/loops.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* Relative standard error wanted of a walk: a quarter of 3 % and of half a cycle in tens. */
#define BRANCH_PRECISION 0.003
/* Added to x of the points of branches_taken: their other branches are taken. */
#define BRANCH_TAKEN 100.0

struct branch_job {
  struct hw_bench *bench;
  unsigned outcomes[HW_NANO_OUTCOMES];
};

/* Fills the outcomes for x: branches all taken, none taken, or each at random. */
static void branch_fill(struct branch_job *job, double x, struct hw_random *random) {
  for (size_t i = 0; i < HW_NANO_OUTCOMES; i++) {
    unsigned drawn = (unsigned)(hw_random_bits(random) >> 32);
    job->outcomes[i] = x >= BRANCH_TAKEN ? ~0u : x > 0 ? drawn : 0;
  }
}

static double branch_work(void *context, double x) {
  const struct branch_job *job = context;
  struct hw_machine *machine = job->bench->machine;

  (void)x;
  machine->ops->nano(machine, 0, true, HW_NANO_OUTCOMES);
  return HW_NANO_OUTCOMES;
}

/* Trains the predictor on outcomes of the point's kind, and draws others for the sample. */
static int branch_prepare(void *context, double x, struct hw_random *random) {
  struct branch_job *job = context;

  branch_fill(job, x, random);
  branch_work(job, x);
  branch_fill(job, x, random);
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

int hw_probe_branch(struct hw_bench *bench) {
  static const double x[] = {0, HW_LOOPS_LEVELS, BRANCH_TAKEN};
  struct hw_machine *machine = bench->machine;
  struct hw_effort effort = bench->effort;
  struct branch_job *job;
  struct hw_curve both;
  struct hw_nano nano;
  int result = -1;

  hw_loops_tree(&nano, HW_LOOPS_LEVELS);
  effort.precision = BRANCH_PRECISION;
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
                                 .effort = &effort};
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
