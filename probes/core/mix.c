/* Operations of different kinds in one cycle.

   Curve   mix: x the bundle, as 10000 additions of I32, 100 additions of F64 and 1 load, so that
           40203 are four, two and three; y time of a bundle (cycles).
           bundles: x the bundle, as 1 for each addition of I32, 10 of F64, 100 for each load, 1000
           for each store, 10000 for each branch, 100000 for each multiplication of I32, 1000000 for
           each addition of vectors; y time of a bundle (cycles).
   Method  Loops over independent bundles, of pairs and triples of kinds: of those that there are
           (probes/nano/loops.c) that which should have the most operations a cycle, of additions
           of which as many complete in one as when alone, and one, two or three loads.
           Bundles are all those of three kinds at most of which each with an operation less issues
           in one cycle, from one operation on.
   Rows    ISSUE_MIX_; ISSUE_BUNDLE.
   Cost    30 ms, and the compiler's time; of bundles 1 to 3 s, and the compiler's 10 s.
   Limits  Nothing without optimization, where variables are in memory.
   See     XT 6. */
#include "analysis/rows/mix.h"
#include "analysis/names.h"
#include "analysis/rows/operations.h"
#include "probes/nano/loops.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Bundles that are timed at once. */
#define MIX_SOME 128u
/* The relative standard error wanted of one: those that take longer than a cycle take an eighth of
   it more. */
#define MIX_PRECISION 0.02

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

/* Bundles, and their curve. */
struct mix_bundles {
  struct hw_bench *bench;
  struct hw_curve curve;
  unsigned vector; /* bytes of a vector; 0: it is not known */
  size_t n;
  struct hw_nano nano[MIX_SOME];
  double x[MIX_SOME];
  bool missed;
};

/* Whether the bundle has that many operations, each with one less issues in a cycle, and its time
   is not known yet. */
static bool mix_may_issue(const struct mix_bundles *job, const unsigned count[HW_BUNDLE_KINDS],
                          unsigned size) {
  const double x = hw_mix_code(count);
  const struct hw_point *there = hw_curve_at(&job->curve, x);
  double one = 1;

  if (there != NULL && there->count > 1)
    return false;
  for (size_t k = 0; k < HW_BUNDLE_KINDS; k++, one *= 10) {
    if (count[k] > size || (count[k] > 0 && x > one && !hw_mix_issues(&job->curve, x - one)))
      return false;
    size -= count[k];
  }
  return size == 0 && (job->vector > 0 || count[HW_BUNDLE_KINDS - 1] == 0);
}

/* Times what is there of them.  0, or -1 when memory or time was short. */
static int mix_time(struct mix_bundles *job) {
  struct hw_point point[MIX_SOME];
  int result;

  if (hw_nano_need(job->bench, job->nano, job->n) != 0 ||
      hw_nano_sample(job->bench, job->nano, job->n, MIX_PRECISION, point) != 0)
    return -1;
  result = hw_nano_put(&job->curve, point, job->x, job->n);
  job->missed = job->missed || hw_nano_missed(job->bench, job->nano, point, job->n);
  job->n = 0;
  return result;
}

/* Times the bundles of that many operations of which all smaller ones issue, and those of which no
   two passes agree once more. */
static int mix_bundles_of(struct mix_bundles *job, unsigned size) {
  int result = 0;

  for (int pass = 0; pass < 2 && result == 0; pass++) {
    unsigned count[HW_BUNDLE_KINDS] = {0};
    while (result == 0 && hw_loops_next(count)) {
      if (!mix_may_issue(job, count, size))
        continue;
      job->x[job->n] = hw_mix_code(count);
      hw_loops_bundle(&job->nano[job->n++], count, job->vector);
      if (job->n == MIX_SOME)
        result = mix_time(job);
    }
    if (result == 0 && job->n > 0)
      result = mix_time(job);
  }
  return result;
}

int hw_probe_bundles(struct hw_bench *bench) {
  struct hw_answer bytes = hw_value_vec_bytes(&bench->curves);
  struct mix_bundles *job = calloc(1, sizeof *job);
  int result = 0;

  if (job == NULL)
    return -1;
  job->bench = bench;
  job->vector = bytes.known ? (unsigned)bytes.value : 0;
  hw_curve_init(&job->curve, HW_NAME_BUNDLES, "bundle (digits: operations of each kind)",
                "time of a bundle (cycles)");
  for (unsigned size = 1; size <= HW_BUNDLE_MOST && result == 0; size++)
    result = mix_bundles_of(job, size);
  result = hw_publish_some(bench, &job->curve, "bundles", result);
  result = result == 0 && job->missed ? -1 : result;
  free(job);
  return result;
}
