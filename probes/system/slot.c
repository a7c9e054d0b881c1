/* The time slot of the scheduler.

   Curve   slot: x time for which one of two threads of a processor ran, from a gap to the next
           (us), y times seen.
   Method  Two threads on one processor read the clock and note when it ran on without them by more
           than 20 us.  With no other process there, the gaps of one are the slots of the other
           (BB 3.6); but another process's slot makes a gap longer, while the time between two gaps
           remains a slot of the thread itself, which is always ready and never alone.
   Rows    SCHED_SLOT_US.
   Cost    80 ms, up to 240 ms where slots are few, and again in each attempt.
   Limits  Needs threads that are bound.
   See     BB 3.6. */
#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/names.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* Time that threads watch, ns; and watches, each twice as long, until the slots are clear. */
#define SLOT_WATCH 80000000ul
#define SLOT_TIMES 2

/* Counts the times between two gaps of a thread as slots.  0, or -1 without memory. */
static int slot_runs(struct hw_curve *curve, const struct hw_part *part) {
  double begin = -1;

  for (size_t i = 0; i < part->gaps; i++) {
    const struct hw_gap *gap = &part->gap[i];

    if (gap->end - gap->start < HW_SLOT_LEAST_NS) /* interrupted, in its slot still */
      continue;
    if (begin >= 0 && hw_curve_count(curve, round((gap->start - begin) / 1000), 1) < 0)
      return -1;
    begin = gap->end;
  }
  return 0;
}

/* Watches a processor once.  0, or -1. */
static int slot_watch(struct hw_bench *bench, struct hw_curve *curve, struct hw_gap *gap,
                      size_t processor, unsigned long ns) {
  struct hw_part part[2] = {
      {.processor = processor, .work = HW_WORK_WATCH, .n = ns, .gap = gap},
      {.processor = processor, .work = HW_WORK_WATCH, .n = ns, .gap = gap + HW_GAPS}};

  if (hw_late(bench) || bench->machine->ops->team(bench->machine, part, 2) != 0)
    return -1;
  return slot_runs(curve, &part[0]) < 0 || slot_runs(curve, &part[1]) < 0 ? -1 : 0;
}

/* Adds the counts of an earlier attempt.  0, or -1 without memory. */
static int slot_before(const struct hw_bench *bench, struct hw_curve *curve) {
  const struct hw_curve *before = hw_curves_get(&bench->curves, HW_NAME_SLOT);

  for (size_t i = 0; before != NULL && i < before->n; i++)
    if (hw_curve_count(curve, before->point[i].x, before->point[i].y) < 0)
      return -1;
  return 0;
}

int hw_probe_slot(struct hw_bench *bench) {
  struct hw_gap *gap = calloc(2 * HW_GAPS, sizeof *gap);
  size_t processors = hw_processors(bench);
  struct hw_curve curve;
  int result;

  hw_curve_init(&curve, HW_NAME_SLOT, "time from a gap to the next (us)", "times seen (count)");
  result = gap == NULL || processors == 0 ? -1 : slot_before(bench, &curve);
  for (unsigned i = 0; result == 0 && i < SLOT_TIMES && !hw_reduce_slot(&curve).known; i++) {
    size_t processor = hw_random_below(&bench->random, processors); /* others may occupy some */

    result = slot_watch(bench, &curve, gap, processor, SLOT_WATCH << i);
  }
  free(gap);
  return hw_publish(bench, &curve, "slot", result);
}
