/* Whether there is a fused multiply-add, and hardware for floating point.

   Curve   fused_<type>: x additions beside each multiplication, y time of a round of such bundles
           (cycles); and, at half an addition more, of the bundles with multiply-adds instead.
           split_<type>: x multiplications and as many additions, all independent, y time of a round
           of them (cycles).
   Method  If the latencies do not tell a multiply-add from two instructions, its throughput may.
           But where adders are free beside the multipliers, two instructions take no longer than
           one.  So the adders are saturated.  Independent multiplications and additions are timed
           where the throughput of multiply-adds is not known.
   Rows    HAVE_FMA_, HAVE_FPU_, RTP_FMA_, ILP_FMA_.
   Cost    30 ms, and the compiler's time.
   See     XT 3.4, 5.2. */
#include "analysis/rows/fused.h"
#include "analysis/rows/operations.h"
#include "probes/nano/loops.h"
#include "probes/nano/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The additions of a round take this many times its dependent chain: more than what busy adders
   delay the chain by.  It is rounded up to a number for which there are loops; the simulated cores
   give the same answers from 1. */
#define FUSED_BUSY 1.6

/* Types at most. */
#define FUSED_TYPES 4u
#define FUSED_NANOS (HW_FUSED_LOOPS + HW_LOOPS_SPLITS)

/* Additions beside each multiplication that keep the adders busy for longer than a chain of both
   takes; 0 when that cannot be told. */
static unsigned fused_beside(const struct hw_curves *curves, const char *tag) {
  struct hw_answer fma = hw_operations_latency(curves, "fma", tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  struct hw_answer mul = hw_operations_throughput(curves, "mul", tag);
  double beside;

  if (!fma.known || !add.known || !mul.known)
    return 0;
  beside = fmax(ceil(FUSED_BUSY * fma.value / (HW_FUSED_STREAMS * add.value)),
                ceil(mul.value / add.value));
  return hw_loops_fused_number(beside);
}

/* Publishes n loops of one type, unless the compiler could not make them. */
static int fused_publish(struct hw_bench *bench, const struct hw_point *point, const double *x,
                         size_t n, const char *stem, const char *x_title, const char *tag,
                         const char *probe) {
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result;

  snprintf(name, sizeof name, "%s_%.11s", stem, tag); /* HW_NANO_TYPE, and its end */
  hw_curve_init(&curve, name, x_title, "time of a round (cycles)");
  result = hw_nano_put(&curve, point, x, n);
  return hw_publish_some(bench, &curve, probe, result);
}

/* The loops of one type. */
struct fused_plan {
  char tag[HW_NANO_TYPE];
  unsigned beside; /* additions beside each that saturate the adders; 0: cannot be told */
  bool split;      /* whether to time independent ones */
  size_t at;       /* the first loop */
};

/* Adds the loops for a type.  Returns how many there are then. */
static size_t fused_fill(const struct hw_curves *curves, struct fused_plan *plan,
                         struct hw_nano *nano, size_t n) {
  struct hw_answer bytes = hw_value_vec_bytes(curves);
  char type[HW_NANO_TYPE];

  plan->beside = 0;
  plan->split = false;
  plan->at = n;
  if (hw_fused_is_less(hw_fused_less(curves, plan->tag)) || (plan->tag[0] == 'v' && !bytes.known))
    return n;
  hw_nano_typed(type, plan->tag, (unsigned)bytes.value);
  plan->beside = fused_beside(curves, plan->tag);
  plan->split = !hw_operations_throughput(curves, "fma", plan->tag).known;
  if (plan->beside > 0) {
    hw_loops_fused(&nano[n++], "mul", type, plan->beside);
    hw_loops_fused(&nano[n++], "fma", type, plan->beside);
    hw_loops_fused(&nano[n++], "mul", type, plan->beside + 1);
  }
  for (unsigned i = 0; plan->split && i < HW_LOOPS_SPLITS; i++)
    hw_loops_split(&nano[n++], type, HW_LOOPS_SPLIT + i);
  return n;
}

/* Publishes the curves of a type. */
static int fused_settle(struct hw_bench *bench, const struct fused_plan *plan,
                        const struct hw_point *point, const char *probe) {
  const double beside = plan->beside, x[HW_FUSED_LOOPS] = {beside, beside + 0.5, beside + 1};
  double each[HW_LOOPS_SPLITS];
  int result = 0;

  point += plan->at;
  if (plan->beside > 0) {
    result = fused_publish(bench, point, x, HW_FUSED_LOOPS, "fused",
                           "additions beside each (count)", plan->tag, probe);
    point += HW_FUSED_LOOPS;
  }
  for (unsigned i = 0; i < HW_LOOPS_SPLITS; i++)
    each[i] = HW_LOOPS_SPLIT + i;
  if (result == 0 && plan->split)
    result = fused_publish(bench, point, each, HW_LOOPS_SPLITS, "split", "streams of each (count)",
                           plan->tag, probe);
  return result;
}

/* Of all types of floating point, or of vectors of them. */
static int fused_probe(struct hw_bench *bench, bool vector, const char *probe) {
  struct hw_nano nano[FUSED_TYPES * FUSED_NANOS] = {{.groups = {0, 0}}};
  struct hw_point point[FUSED_TYPES * FUSED_NANOS];
  struct fused_plan plan[FUSED_TYPES];
  size_t n = 0, end = 0;
  int result;

  for (const struct hw_nano_type *of = hw_nano_types; of->word != NULL; of++)
    if (of->kind[0] == 'f') {
      snprintf(plan[end].tag, sizeof plan[end].tag, vector ? "v%s" : "%s", of->word);
      n = fused_fill(&bench->curves, &plan[end++], nano, n);
    }
  result = hw_nano_need(bench, nano, n);
  if (result == 0)
    result = hw_nano_sample(bench, nano, n, 0, point);
  for (size_t t = 0; result == 0 && t < end; t++)
    result = fused_settle(bench, &plan[t], point, probe);
  return result == 0 && hw_nano_missed(bench, nano, point, n) ? -1 : result;
}

int hw_probe_fused(struct hw_bench *bench) { return fused_probe(bench, false, "fused"); }

int hw_probe_vector_fused(struct hw_bench *bench) {
  return fused_probe(bench, true, "vector_fused");
}
