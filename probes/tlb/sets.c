/* Pages of one set of the second-level TLB: its ways.

   Curve   tlbs_run_1_<S>: x pages S bytes apart, y time of a load from these and from others that
           lie between (cycles).
           tlbs_run_1: x stride S (bytes), y most of its pages that the TLB holds.
   Method  Pages at a stride far larger than the number of sets fall into one set.  A lap visits
           them in a random order, and between them pages that share a set of the first level with
           them, but none of the second, at least twice as many as the first level's ways: so each
           load misses the first level, and the time of a lap rises only by conflict misses of the
           second.  A level that is not LRU keeps stale entries for a while, so that each lap before
           a sample has an order of its own.  An SMT sibling may occupy some ways of each set: so
           the strides are measured at times apart and on one core after the other, with different
           numbers of pages between, and all have to hold as many.
   Rows    TLB2_ASSOC, TLB2_ENTRIES: see analysis/rows/tlbs.c.
   Cost    12 ms a stride, and 20 ms between two; 16 GiB of address space, some hundred pages.
   Limits  Up to 64 ways, and level 1 has to hold a line of all pages.
   See     XM 6. */
#include "probes/tlb/sets.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/hint.h"
#include "probes/tlb/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Most pages of one set that are visited, and fewest that are worth it. */
#define SETS_MOST ((size_t)64)
#define SETS_LEAST ((size_t)8)
/* Strides whose pages surely share a set, pages, as powers of two: an index that folds two parts of
   the page number takes 2 times 7 bits. */
#define SETS_FAR 14u
#define SETS_FARTHEST 17u
/* Address space that is mapped, bytes. */
#define SETS_SPAN ((uint64_t)1 << 34)
/* Laps, each in an order of its own, before a sample. */
#define SETS_ORDERS 16u
/* Points of a curve, and those that are inserted between two around the step. */
#define SETS_POINTS 24u
#define SETS_BETWEEN 7u

struct sets_job {
  struct hw_bench *bench;
  const struct hw_tlbs_first *first;
  struct hw_memory *memory;
  size_t line;   /* bytes */
  size_t stride; /* pages */
  size_t most;   /* pages of the set */
  size_t others; /* pages between */
  size_t *place; /* of the pages of the set, in order */
  size_t *offset;
  size_t n; /* loads of a lap */
};

/* Offset of the i-th load from pages of the set, or from others, of that page.  Their lines vary,
   and lie in one half of the page for those of the set and in the other for others: a level-1 cache
   that predicts ways by a part of the address misses two lines of one set that look alike. */
static size_t sets_offset(const struct sets_job *job, size_t page, size_t i, bool other) {
  const size_t bytes = job->first->page, half = bytes / job->line / 2;

  return page * bytes + (half == 0 ? 0 : (i % half + (other ? half : 0)) * job->line);
}

/* Links a lap of n pages of the set, in a new order, and walks it once.  0, or -1. */
static int sets_lap(struct sets_job *job, size_t n, struct hw_random *random) {
  struct hw_machine *machine = job->bench->machine;
  size_t other = 0;

  for (size_t i = 0; i < n; i++)
    job->place[i] = i;
  hw_random_order(random, job->place, n);
  job->n = 0;
  for (size_t i = 0; i < n; i++) {
    job->offset[job->n++] = sets_offset(job, job->place[i] * job->stride, job->place[i], false);
    for (; other < (i + 1) * job->others / n; other++)
      job->offset[job->n++] = sets_offset(job, (2 * other + 1) * job->first->sets, other, true);
  }
  if (machine->ops->link(machine, job->memory, job->offset, job->n) < 0)
    return -1;
  machine->ops->walk(machine, job->memory, hw_grains((double)job->n));
  return 0;
}

static int sets_prepare(void *context, double x, struct hw_random *random) {
  struct sets_job *job = context;
  int result = 0;

  for (unsigned lap = 0; lap < SETS_ORDERS && result == 0; lap++)
    result = sets_lap(job, (size_t)x, random);
  return result;
}

static double sets_work(void *context, double x) {
  struct sets_job *job = context;
  struct hw_machine *machine = job->bench->machine;
  unsigned long loads = hw_grains((double)job->bench->adds / 4 + (double)job->n);

  (void)x;
  machine->ops->walk(machine, job->memory, loads);
  return (double)loads;
}

/* Samples between the last number of pages that is held and the next measured one until they are
   adjacent.  The number, or no answer. */
static struct hw_answer sets_refine(struct sets_job *job, const struct hw_task *task,
                                    struct hw_curve *curve) {
  for (;;) {
    struct hw_answer held = hw_tlbs_held(curve, (double)job->others);
    size_t gap = (size_t)held.error, n = gap < SETS_BETWEEN + 1 ? gap : SETS_BETWEEN + 1;
    double x[SETS_BETWEEN + 2];
    if (!held.known || gap <= 1)
      return held;
    for (size_t i = 0; i <= n; i++)
      x[i] = held.value + (double)(i * gap / n);
    if (hw_sample_task(job->bench, task, x, n + 1, curve) < 0)
      return hw_unknown(held.method, "time or memory was short");
  }
}

/* The most pages of one set that were held at that stride, in earlier attempts too: these are
   certain.  0: none is known. */
static double sets_held(const struct sets_job *job, double bytes, const struct hw_answer *held) {
  const struct hw_curve *before = hw_curves_get(&job->bench->curves, HW_NAME_TLBS_RUN_1);
  double most = held->known ? held->value : 0;

  for (size_t i = 0; before != NULL && i < before->n; i++)
    if (!(before->point[i].x < bytes) && !(before->point[i].x > bytes))
      most = fmax(most, before->point[i].y);
  return most;
}

/* Measures a stride, and puts the pages that are held into lengths if that is clear.  0, or -1
   when time or memory was short. */
static int sets_stride(struct sets_job *job, struct hw_curve *lengths) {
  struct hw_bench *bench = job->bench;
  const struct hw_effort effort = hw_tlb_sets_effort(bench);
  const struct hw_task task = {.prepare = sets_prepare,
                               .work = sets_work,
                               .context = job,
                               .issue = hw_issue(&bench->curves),
                               .effort = &effort};
  const size_t bytes = job->stride * job->first->page;
  struct hw_answer held = hw_unknown("pages of one set", "time or memory was short");
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  struct hw_curve curve;
  unsigned long count;
  double x[SETS_POINTS], most;
  int result;

  snprintf(name, sizeof name, "tlbs_run_1_%zu", bytes);
  snprintf(title, sizeof title, "pages %zu bytes apart (count)", bytes);
  hw_curve_init(&curve, name, title, "time of a load (cycles)");
  result = hw_sample_task(bench, &task, x, hw_quarters(x, SETS_POINTS, 1, job->most), &curve);
  if (result == 0)
    held = sets_refine(job, &task, &curve);
  count = curve.n;
  if (hw_publish(bench, &curve, "tlbs", 0) < 0 || result < 0 || hw_late(bench))
    return -1;
  fprintf(bench->log, "tlbs: stride %zu: %s %.0f\n", bytes, held.known ? "held up to" : held.why,
          held.known ? held.value : 0.0);
  most = sets_held(job, (double)bytes, &held);
  return most > 0 ? hw_curve_put(lengths, (struct hw_point){(double)bytes, most, 0, count}) : 0;
}

/* Most pages of the set at the stride, so that the level-1 data cache holds a line of each. */
static size_t sets_most(const struct sets_job *job) {
  const size_t lines = hw_hint_l1_bytes(&job->bench->curves) / job->line / 2,
               bytes = job->stride * job->first->page;
  size_t most = job->others < lines ? lines - job->others : 0;

  if (most > SETS_MOST)
    most = SETS_MOST;
  return most * (uint64_t)bytes > SETS_SPAN ? (size_t)(SETS_SPAN / bytes) : most;
}

/* Measures all strides, at times apart and on one core after the other: an SMT sibling occupies its
   part of a set while it runs.  0, or -1. */
static int sets_measure(struct sets_job *job) {
  const size_t ways = job->first->entries / job->first->sets;
  struct hw_machine *machine = job->bench->machine;
  struct hw_curve lengths;
  int result = 0;

  hw_curve_init(&lengths, HW_NAME_TLBS_RUN_1, "stride (bytes)", "pages that are held (count)");
  for (unsigned power = SETS_FAR; power <= SETS_FARTHEST && result == 0; power++) {
    job->stride = (size_t)1 << power;
    job->others = (2 + power % 2) * ways;
    job->most = sets_most(job);
    if (job->most < SETS_LEAST)
      break;
    result = sets_stride(job, &lengths);
    hw_pause(job->bench, HW_PROCESS_STAYS_NS);
    machine->ops->move(machine);
  }
  return hw_publish(job->bench, &lengths, "tlbs", 0) < 0 ? -1 : result;
}

struct hw_effort hw_tlb_sets_effort(const struct hw_bench *bench) {
  struct hw_effort effort = bench->effort;

  effort.rounds_max = effort.rounds;
  effort.rounds = (effort.rounds + 1) / 2;
  return effort;
}

int hw_tlb_sets(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  struct sets_job job = {.bench = bench, .first = first};
  struct hw_machine *machine = bench->machine;
  int result = -1;

  if (first->sets == 0) { /* no other page surely shares a set of the first level alone */
    fprintf(bench->log, "tlbs: the sets of the first level are unknown\n");
    return 0;
  }
  if (SETS_SPAN <= SIZE_MAX / 2)
    job.memory = machine->ops->map(machine, (size_t)SETS_SPAN, HW_PAGES_SPARSE);
  if (job.memory == NULL) {
    fprintf(bench->log, "tlbs: address space is short for pages of one set\n");
    machine->refused = NULL;
    return 0;
  }
  job.line = hw_hint_line(&bench->curves, HW_HINT_SHORT);
  job.place = calloc(SETS_MOST, sizeof *job.place);
  job.offset = calloc(SETS_MOST + 3 * first->entries, sizeof *job.offset);
  if (job.place != NULL && job.offset != NULL)
    result = sets_measure(&job);
  machine->ops->unmap(machine, job.memory);
  free(job.offset);
  free(job.place);
  return result;
}
