/* The clock and the cycle.

   Curve   clock_step: x difference of two readings (ns), y times it was seen.
           cycle: x dependent additions, y time (ns).
           issue: x independent additions, y time of one (cycles); one point.
   Method  Readings with more and more work between them, so that the differences fall on all
           phases of the clock.  The time of growing numbers of dependent additions.  The reciprocal
           throughput of independent additions without an SMT sibling at work shows later whether
           one is; a sibling that is busy while this is measured is idle in some samples.
   Rows    CLOCK_NS, CYCLE_PS, CPU_MHZ.
   Cost    120 ms; 40 ms in quick.
   See     XT 3.1; BB 3.3.1 for the difference of two lengths. */
#include "analysis/names.h"
#include "probes/probe.h"

/* Additions before anything is timed: some 10 ms, in which an idle processor raises its clock rate.
 */
#define CLOCK_WARM (1UL << 25)
/* Points of the curve cycle. */
#define CLOCK_LENGTHS 8

/* Does x additions. */
static double clock_add(void *context, double x) {
  struct hw_machine *machine = context;

  machine->ops->add(machine, (unsigned long)x);
  return 1;
}

/* Measures and publishes the time of growing numbers of dependent additions. */
static int clock_cycle(struct hw_bench *bench) {
  const struct hw_task add = {.work = clock_add, .context = bench->machine, .ns = true};
  double length[CLOCK_LENGTHS];
  struct hw_curve curve;

  for (size_t i = 0; i < CLOCK_LENGTHS; i++)
    length[i] = (double)(i + 1) * (double)bench->adds;
  hw_curve_init(&curve, HW_NAME_CYCLE, "dependent additions (count)", "time (ns)");
  return hw_publish(bench, &curve, "clock",
                    hw_sample_task(bench, &add, length, CLOCK_LENGTHS, &curve));
}

int hw_probe_clock(struct hw_bench *bench) {
  struct hw_curve steps;

  hw_curve_init(&steps, HW_NAME_CLOCK_STEP, "difference between two readings (ns)",
                "times seen (count)");
  if (hw_publish(bench, &steps, "clock", hw_bench_steps(bench, &steps)) < 0)
    return -1;
  bench->machine->ops->add(bench->machine, CLOCK_WARM);
  return clock_cycle(bench) < 0 ? -1 : hw_issue_measure(bench);
}
