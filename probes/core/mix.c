/* Operations of different kinds in one cycle.

   Curve   mix: x the bundle, as 10000 additions of I32, 100 additions of F64 and 1 load, so that
           40203 are four, two and three; y time of a bundle (cycles).
   Method  Loops over independent bundles, of pairs and triples of kinds: as many additions of a
           kind as are issued in a few cycles when alone, and one, two or three loads a cycle.
   Rows    ISSUE_MIX_.
   Cost    30 ms, and the compiler's time.
   Limits  Nothing without optimization, where variables are in memory.
   See     XT 6. */
#include "analysis/names.h"
#include "analysis/rows/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Operations of a bundle, approximately. */
#define MIX_SIZE 12.0
/* Bundles in a loop: its end takes one or two issue slots of some hundreds.  The difference of two
   lengths is no better here, since the end of the shorter loop may cost it more than that. */
#define MIX_BUNDLES 24u
/* Variables of each kind: additions of a bundle are independent. */
#define MIX_WHOLE 10u
#define MIX_FLOAT 12u

/* Pairs and triples: the kinds, and the loads a cycle. */
static const struct mix_row {
  bool whole;
  bool other;
  unsigned loads;
} mix_rows[] = {{true, true, 0},  {true, false, 1}, {true, false, 2},
                {true, false, 3}, {false, true, 1}, {false, true, 2},
                {true, true, 1},  {true, true, 2},  {true, true, 3}};
#define MIX_ROWS (sizeof mix_rows / sizeof mix_rows[0])

static void mix_part(struct hw_nano *nano, size_t *parts, const char *op, const char *type,
                     unsigned variables, double count) {
  struct hw_nano_part *part = &nano->part[*parts];

  if (count < 0.5)
    return;
  part->op = op;
  snprintf(part->type, sizeof part->type, "%s", type);
  part->variables = variables;
  part->count = (unsigned)(count + 0.5);
  ++*parts;
}

/* Specifies the loop over a bundle, given the additions of a cycle of either kind.  Returns its x.
 */
static double mix_spec(struct hw_nano *nano, const struct mix_row *row, double whole,
                       double other) {
  double i = row->whole ? whole : 0, f = row->other ? other : 0, l = row->loads;
  double cycles = MIX_SIZE / (i + f + l);
  size_t parts = 0;

  memset(nano, 0, sizeof *nano);
  i = floor(i * cycles + 0.5);
  f = floor(f * cycles + 0.5);
  l = floor(l * cycles + 0.5);
  mix_part(nano, &parts, "add", "i32", MIX_WHOLE, i);
  mix_part(nano, &parts, "add", "f64", MIX_FLOAT, f);
  mix_part(nano, &parts, "load", "i32", 1, l);
  nano->groups[1] = MIX_BUNDLES;
  return 1e4 * i + 100 * f + l;
}

int hw_probe_mix(struct hw_bench *bench) {
  struct hw_answer whole = hw_operations_throughput(&bench->curves, "add", "i32");
  struct hw_answer other = hw_operations_throughput(&bench->curves, "add", "f64");
  struct hw_nano nano[MIX_ROWS];
  double x[MIX_ROWS];
  struct hw_point point[MIX_ROWS];
  struct hw_curve curve;
  int result;

  if (!whole.known || !other.known) {
    hw_lacks(bench,
             whole.known ? "HW_RTP_ADD_F64_X100 is unknown" : "HW_RTP_ADD_I32_X100 is unknown");
    return whole.settled || other.settled ? 0 : -1;
  }
  for (size_t i = 0; i < MIX_ROWS; i++)
    x[i] = mix_spec(&nano[i], &mix_rows[i], 1 / whole.value, 1 / other.value);
  if (hw_nano_need(bench, nano, MIX_ROWS) != 0 ||
      hw_nano_sample(bench, nano, MIX_ROWS, 0, point) != 0)
    return -1;
  hw_curve_init(&curve, HW_NAME_MIX, "bundle (10000 I32 + 100 F64 + loads)",
                "time of a bundle (cycles)");
  result = hw_nano_put(&curve, point, x, MIX_ROWS);
  result = hw_publish_some(bench, &curve, "mix", result);
  return result == 0 && hw_nano_missed(bench, nano, point, MIX_ROWS) ? -1 : result;
}
