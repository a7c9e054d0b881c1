/* Operations of different kinds in one cycle.

   Curve   mix: x the bundle, as 10000 additions of I32, 100 additions of F64 and 1 load, so that
           40203 are four, two and three; y time of a bundle (cycles).
   Method  Loops over independent bundles, of pairs and triples of kinds: of those that there are
           (probes/nano/loops.c) that which should have the most operations a cycle, of additions
           of which as many complete in one as when alone, and one, two or three loads.
   Rows    ISSUE_MIX_.
   Cost    30 ms, and the compiler's time.
   Limits  Nothing without optimization, where variables are in memory.
   See     XT 6. */
#include "analysis/names.h"
#include "analysis/rows/operations.h"
#include "probes/nano/loops.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pairs and triples: the kinds, and the loads a cycle. */
static const struct mix_row {
  bool whole;
  bool other;
  unsigned loads;
} mix_rows[] = {{true, true, 0},  {true, false, 1}, {true, false, 2},
                {true, false, 3}, {false, true, 1}, {false, true, 2},
                {true, true, 1},  {true, true, 2},  {true, true, 3}};
#define MIX_ROWS (sizeof mix_rows / sizeof mix_rows[0])

/* Whether none of the n bundles before x[n] is the same. */
static bool mix_first(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (x[i] >= x[n] && x[i] <= x[n])
      return false;
  return true;
}

int hw_probe_mix(struct hw_bench *bench) {
  struct hw_answer whole = hw_operations_throughput(&bench->curves, "add", "i32");
  struct hw_answer other = hw_operations_throughput(&bench->curves, "add", "f64");
  struct hw_nano nano[MIX_ROWS];
  double x[MIX_ROWS];
  struct hw_point point[MIX_ROWS];
  struct hw_curve curve;
  size_t n = 0;
  int result;

  if (!whole.known || !other.known) {
    hw_lacks(bench,
             whole.known ? "HW_RTP_ADD_F64_X100 is unknown" : "HW_RTP_ADD_I32_X100 is unknown");
    return whole.settled || other.settled ? 0 : -1;
  }
  for (size_t i = 0; i < MIX_ROWS; i++) {
    x[n] = hw_loops_mix(&nano[n], mix_rows[i].whole ? 1 / whole.value : 0,
                        mix_rows[i].other ? 1 / other.value : 0, mix_rows[i].loads);
    n += mix_first(x, n);
  }
  if (hw_nano_need(bench, nano, n) != 0 || hw_nano_sample(bench, nano, n, 0, point) != 0)
    return -1;
  hw_curve_init(&curve, HW_NAME_MIX, "bundle (10000 I32 + 100 F64 + loads)",
                "time of a bundle (cycles)");
  result = hw_nano_put(&curve, point, x, n);
  result = hw_publish_some(bench, &curve, "mix", result);
  return result == 0 && hw_nano_missed(bench, nano, point, n) ? -1 : result;
}
