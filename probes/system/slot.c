/* The time slot of the scheduler.

   Curve   slot: x time for which one of two threads of a processor ran while the other did not
   (us), y times seen. Method  Two threads on one processor read the clock and note when it ran on
   without them by more than 20 us.  A gap of one counts when the other ran all the while: a
   stranger's slot does not, nor the sum of two. Rows    SCHED_SLOT_US. Cost    160 ms, up to 320 ms
   where gaps are few. Limits  Slots of a machine that is as it is: a scheduler may make them
   shorter where more threads are ready.  Needs threads that are bound. See     BB 3.6. */
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* How long threads watch, ns; as long and then twice as long, unless there are so many gaps. */
#define SLOT_WATCH 80000000ul
#define SLOT_TIMES 2
#define SLOT_GAPS 24
/* The other thread may begin and end to run so much later or earlier, as a share of the gap: what
   the system itself needs in between. */
#define SLOT_SLACK 0.02

/* Whether the thread ran all through a gap of another, but for its ends. */
static bool slot_ran(const struct hw_part *part, const struct hw_gap *gap) {
  double slack = SLOT_SLACK * (gap->end - gap->start) + HW_GAP_NS;

  for (size_t i = 0; i < part->gaps; i++)
    if (part->gap[i].end > gap->start + slack && part->gap[i].start < gap->end - slack)
      return false;
  return true;
}

/* Counts a gap.  0, or -1 without memory. */
static int slot_count(struct hw_curve *curve, double us, double times) {
  struct hw_point p = {.x = us, .y = times};

  for (size_t k = 0; k < curve->n; k++)
    if (fabs(curve->point[k].x - us) < 0.5)
      p.y += curve->point[k].y;
  p.count = (unsigned long)p.y;
  return hw_curve_put(curve, p);
}

/* Counts the gaps of one in which the other ran, but for the first and the last, when the other may
   have been there only for a part.  Returns how many, or -1 without memory. */
static int slot_gaps(struct hw_curve *curve, const struct hw_part *one,
                     const struct hw_part *other) {
  int counted = 0;

  for (size_t i = 1; i + 1 < one->gaps; i++) {
    if (!slot_ran(other, &one->gap[i]))
      continue;
    if (slot_count(curve, round((one->gap[i].end - one->gap[i].start) / 1000), 1) < 0)
      return -1;
    counted++;
  }
  return counted;
}

/* Watches once.  Returns the gaps counted, or -1. */
static int slot_watch(struct hw_bench *bench, struct hw_curve *curve, struct hw_gap *gap,
                      unsigned long ns) {
  struct hw_part part[2] = {{.work = HW_WORK_WATCH, .n = ns, .gap = gap},
                            {.work = HW_WORK_WATCH, .n = ns, .gap = gap + HW_GAPS}};
  int one, other;

  if (hw_late(bench) || bench->machine->ops->team(bench->machine, part, 2) != 0)
    return -1;
  one = slot_gaps(curve, &part[0], &part[1]);
  other = slot_gaps(curve, &part[1], &part[0]);
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

  hw_curve_init(&curve, "slot", "length of a gap (us)", "times seen (count)");
  (void)bench->machine->ops->processors(bench->machine, &processors);
  counted = gap == NULL || processors == 0 ? -1 : slot_before(bench, &curve);
  for (unsigned i = 0; counted >= 0 && i < SLOT_TIMES && (i == 0 || counted < SLOT_GAPS); i++) {
    int more = slot_watch(bench, &curve, gap, SLOT_WATCH << i);

    counted = more < 0 ? -1 : counted + more;
  }
  free(gap);
  if (counted > 0)
    return hw_publish(bench, &curve, "slot", 1);
  hw_curve_free(&curve);
  return -1;
}

struct hw_answer hw_value_sched_slot_us(const struct hw_curves *curves) {
  return hw_reduce_named(curves, "slot", hw_reduce_mode);
}
