/* Line size of the level-1 data cache, and its sets.

   Curve   l1_line_fit: x offset of the second half of a sequence (bytes), y share of its samples at
           the floor, spread the share of a sequence that surely misses.
           l1_line_full: x the same, y share of the same rounds' samples of a full set at the floor.
   Method  Twice as many loads as ways at the cache's own stride, the second half shifted by an
           offset: an offset of a line or more leads into another set, and all fit (XM 4.1.3).  The
           fit test decides for each offset; the offsets are bisected.
   Rows    L1_LINE; L1_SETS.
   Cost    10 ms.
   See     XM 4.1.3. */
#include "analysis/rows/line.h"

#include "analysis/names.h"
#include "analysis/rows/l1.h"
#include "probes/probe.h"

#include "probes/bench/ask.h"

/* Lines in one set that surely miss: a multiple of the ways, and at least this many. */
#define LINE_MORE 4u
#define LINE_MISSING 64u
/* Time for a fit test, ns, per round of the effort: twice that of level 1, whose sequences have
   half as many loads. */
#define LINE_PATIENCE 2e7

struct line_job {
  struct hw_bench *bench;
  struct hw_memory *memory;
  struct hw_l1_shape l1;
  size_t missing; /* lines that surely miss */
  struct hw_curve fit;
  struct hw_curve full;
};

/* The fit test of twice as many loads as ways, the second half shifted by shift bytes. */
static struct hw_fit_question line_question(const struct line_job *job, size_t shift) {
  size_t stride = job->l1.stride, half = stride / 2, n = 2 * job->l1.ways;
  struct hw_fit_question ask = {
      .target = {.n = n, .stride = stride, .shift = shift, .kept = n},
      .full = {.n = n, .stride = stride, .shift = half, .kept = n},
      .control = {.n = n, .stride = stride},
      .missing = {.n = job->missing, .stride = stride, .kept = job->missing},
      .align = HW_LINE_ALIGNMENT,
      .filled = true,
      .odds = HW_FIT_SURE};

  if (shift == half) { /* not known yet whether that leads into another set */
    ask.full.kept = job->l1.ways;
    ask.full.shift = 0;
  }
  return ask;
}

/* Runs the test, and puts the counts into the curves. */
static enum hw_fit_verdict line_ask(struct line_job *job, const struct hw_fit_question *ask) {
  struct hw_bench *bench = job->bench;
  struct hw_fit_found found;

  if (hw_fit_ask(bench, job->memory, ask, LINE_PATIENCE * bench->effort.rounds, &found) < 0)
    return HW_FIT_UNKNOWN;
  return hw_fit_put(&job->fit, &job->full, (double)ask->target.shift, &found.counts) < 0
             ? HW_FIT_UNKNOWN
             : found.answer.verdict;
}

/* Tests whether half of the stride leads into another set.  If the stride is longer than any
   line there are other sets, and the control can be spread over them. */
static enum hw_fit_verdict line_half(struct line_job *job) {
  size_t half = job->l1.stride / 2;
  struct hw_fit_question ask = line_question(job, half);
  enum hw_fit_verdict verdict = line_ask(job, &ask);

  if (verdict == HW_FIT_YES || job->l1.stride > HW_LINE_ALIGNMENT)
    return verdict;
  /* There may be no other set: more than the ways then fit nowhere. */
  ask.full.n = ask.full.kept = job->l1.ways;
  ask.control = ask.full;
  return line_ask(job, &ask);
}

/* Bisects the offsets.  0, or -1 when one of them is not clear. */
static int line_search(struct line_job *job) {
  size_t apart = job->l1.stride / 2, same = sizeof(void *) / 2;
  enum hw_fit_verdict verdict = line_half(job);

  if (verdict != HW_FIT_YES)
    return verdict == HW_FIT_NO ? 0 : -1;
  while (2 * same < apart) {
    size_t middle = same;
    struct hw_fit_question ask;

    while (middle * middle < same * apart)
      middle *= 2;
    ask = line_question(job, middle);
    verdict = line_ask(job, &ask);
    if (verdict == HW_FIT_YES)
      apart = middle;
    else if (verdict == HW_FIT_NO)
      same = middle;
    else
      return -1;
  }
  return 0;
}

int hw_probe_line(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct line_job job = {.bench = bench};
  int result;

  if (hw_l1_shape(&bench->curves, &job.l1) < 0)
    return hw_lacks(bench, "HW_L1_BYTES is unknown");
  job.missing = LINE_MORE * job.l1.ways > LINE_MISSING ? LINE_MORE * job.l1.ways : LINE_MISSING;
  job.memory = machine->ops->map(machine, (job.missing + 1) * job.l1.stride + 2 * HW_FIT_START,
                                 HW_PAGES_PLAIN);
  if (job.memory == NULL)
    return -1;
  hw_curve_init(&job.fit, HW_NAME_L1_LINE_FIT, "offset of the second half (bytes)",
                "samples at the floor (share)");
  hw_curve_init(&job.full, HW_NAME_L1_LINE_FULL, "offset of the second half (bytes)",
                "samples of a full set at the floor (share)");
  result = line_search(&job);
  machine->ops->unmap(machine, job.memory);
  if (hw_publish(bench, &job.fit, "line", 0) < 0)
    result = -1;
  return hw_publish(bench, &job.full, "line", 0) < 0 ? -1 : result;
}
