/* The clock and the cycle, off the curves of probes/core/clock.c.

   Method  The slope of the time of a dependent chain of additions is the cycle; the cost of
           reading the clock is in the intercept.
   Rows    CLOCK_NS, CYCLE_PS, CPU_MHZ.
   Limits  Of a processor whose additions take half a cycle (Pentium 4) the cycle published is
           that half, the unit of all other rows (XT 5.3).
   See     XT 3.1; BB 3.3.1 for the difference of two lengths. */
#include "analysis/names.h"
#include "analysis/values.h"

struct hw_answer hw_read_clock_ns(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_CLOCK_STEP, hw_reduce_tick);
}

struct hw_answer hw_read_cycle_ps(const struct hw_curves *curves) {
  return hw_scaled(hw_reduce_named(curves, HW_NAME_CYCLE, hw_reduce_slope), 1000);
}

struct hw_answer hw_read_cpu_mhz(const struct hw_curves *curves) {
  struct hw_answer ps = hw_value_cycle_ps(curves);

  if (!ps.known)
    return ps;
  return hw_known(ps.method, 1e6 / ps.value, 1e6 / ps.value * (ps.error / ps.value), ps.clarity);
}

struct hw_answer hw_in_ps(const struct hw_curves *curves, struct hw_answer cycles) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);

  /* Of an unknown one its range. */
  return cycle.known    ? hw_scaled(cycles, cycle.value)
         : cycles.known ? cycle
                        : hw_unknown(cycles.method, cycles.why);
}
