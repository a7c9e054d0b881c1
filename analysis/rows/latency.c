/* Latency of the level-1 data cache, off the curve of probes/data/latency.c.

   Rows    L1_LAT, L1_LAT_X100, L1_LAT_PS.
   Limits  A processor that predicts the value of a load makes short rings faster than the cache;
           the curve is then not flat.  An SMT sibling that is always busy is not seen when it
           lengthens a load by just half a cycle.
   See     XM 4.1.1. */
#include "analysis/names.h"
#include "analysis/values.h"

#include <math.h>

/* A hit takes a whole number of the processor's ticks, and so does an addition: one, two, or half a
   one (Pentium 4).  A latency off by more than this share from a multiple of half was lengthened by
   the SMT sibling. */
#define LATENCY_TICKS 2
#define LATENCY_OFF 0.01

/* In cycles. */
static struct hw_answer latency_level(const struct hw_curves *curves) {
  return hw_else(hw_reduce_named(curves, HW_NAME_L1_LATENCY, hw_reduce_level),
                 hw_reduce_named(curves, HW_NAME_L1_LATENCY, hw_reduce_level_range));
}

/* The same, known to more than a whole number. */
static struct hw_answer latency_cycles(const struct hw_curves *curves) {
  struct hw_answer answer = latency_level(curves);
  double off = fabs(answer.value - round(LATENCY_TICKS * answer.value) / LATENCY_TICKS);

  if (answer.known && off > fmax(answer.error, LATENCY_OFF * answer.value))
    return hw_unknown(answer.method, "it is no whole number of ticks");
  return answer;
}

/* hw_read_l1_lat, hw_read_l1_lat_x100, hw_read_l1_lat_ps. */
HW_LATENCY_ROWS_PS(l1_lat, hw_rounded(latency_level(curves)), latency_cycles(curves))
