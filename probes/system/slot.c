/* The time slot of the scheduler.

   Curve   slot: x time for which one of two threads of a processor ran, from a gap to the next
           (us), y times seen.
   Method  Two threads on one processor read the clock and note when it ran on without them by more
           than 20 us.  With nobody else there, the gaps of one are the slots of the other (BB 3.6);
           but a stranger's slot makes a gap longer, while what lies between two gaps remains a slot
           of the thread itself, who is always ready and never alone.
   Rows    SCHED_SLOT_US.
   Cost    80 ms, up to 240 ms where slots are few, and again in each attempt.
   Limits  Slots of a machine that is as it is: a scheduler may make them shorter where more threads
           are ready.  Needs threads that are bound.
   See     BB 3.6. */
#include "analysis/company.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* How long threads watch, ns; as long and then twice as long, unless there are so many slots. */
#define SLOT_WATCH 80000000ul
#define SLOT_TIMES 2
#define SLOT_ENOUGH 24
/* Who is away for less, ns, was interrupted, and has its slot still. */
#define SLOT_INTERRUPT 2e5

/* Counts a slot.  0, or -1 without memory. */
static int slot_count(struct hw_curve *curve, double us, double times) {
  struct hw_point p = {.x = us, .y = times};

  for (size_t k = 0; k < curve->n; k++)
    if (fabs(curve->point[k].x - us) < 0.5)
      p.y += curve->point[k].y;
  p.count = (unsigned long)p.y;
  return hw_curve_put(curve, p);
}

/* Counts what lies between two gaps of a thread.  Returns how many, or -1 without memory. */
static int slot_runs(struct hw_curve *curve, const struct hw_part *part) {
  double begin = -1;
  int counted = 0;

  for (size_t i = 0; i < part->gaps; i++) {
    const struct hw_gap *gap = &part->gap[i];

    if (gap->end - gap->start < SLOT_INTERRUPT)
      continue;
    if (begin >= 0) {
      if (slot_count(curve, round((gap->start - begin) / 1000), 1) < 0)
        return -1;
      counted++;
    }
    begin = gap->end;
  }
  return counted;
}

/* Watches a processor once.  Returns the slots counted, or -1. */
static int slot_watch(struct hw_bench *bench, struct hw_curve *curve, struct hw_gap *gap,
                      size_t processor, unsigned long ns) {
  struct hw_part part[2] = {
      {.processor = processor, .work = HW_WORK_WATCH, .n = ns, .gap = gap},
      {.processor = processor, .work = HW_WORK_WATCH, .n = ns, .gap = gap + HW_GAPS}};
  int one, other;

  if (hw_late(bench) || bench->machine->ops->team(bench->machine, part, 2) != 0)
    return -1;
  one = slot_runs(curve, &part[0]);
  other = slot_runs(curve, &part[1]);
  return one < 0 || other < 0 ? -1 : one + other;
}

/* Takes over what an earlier attempt has counted.  Returns how many, or -1. */
static int slot_before(const struct hw_bench *bench, struct hw_curve *curve) {
  const struct hw_curve *before = hw_curves_get(&bench->curves, "slot");
  double counted = 0;

  for (size_t i = 0; before != NULL && i < before->n; i++) {
    counted += before->point[i].y;
    if (slot_count(curve, before->point[i].x, before->point[i].y) < 0)
      return -1;
  }
  return (int)counted;
}

int hw_probe_slot(struct hw_bench *bench) {
  struct hw_gap *gap = calloc(2 * HW_GAPS, sizeof *gap);
  struct hw_curve curve;
  size_t processors;
  int counted;

  hw_curve_init(&curve, "slot", "time from a gap to the next (us)", "times seen (count)");
  (void)bench->machine->ops->processors(bench->machine, &processors);
  counted = gap == NULL || processors == 0 ? -1 : slot_before(bench, &curve);
  for (unsigned i = 0; counted >= 0 && i < SLOT_TIMES && (i == 0 || counted < SLOT_ENOUGH); i++) {
    size_t processor = hw_random_below(&bench->random, processors); /* strangers keep to some */
    int more = slot_watch(bench, &curve, gap, processor, SLOT_WATCH << i);

    counted = more < 0 ? -1 : counted + more;
  }
  free(gap);
  if (counted >= 0)
    return hw_publish(bench, &curve, "slot", 1);
  hw_curve_free(&curve);
  return -1;
}

struct hw_answer hw_value_sched_slot_us(const struct hw_curves *curves) {
  return hw_reduce_named(curves, "slot", hw_reduce_slot);
}
