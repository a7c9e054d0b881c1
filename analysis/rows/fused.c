/* Whether there is a fused multiply-add, and hardware for floating point, off the curves of
   probes/core/fused.c and of operations.

   Method  A multiply-add of two instructions has the latency of a multiplication and a dependent
           addition: one that takes less is one instruction.  One that takes the same may be one
           or two.  Then its throughput decides, as in X-Ray, beside additions that keep the adders
           busy: one instruction costs what a multiplication costs, two no less than all of the
           additions and one more; or, if that is no more than the former, what a multiplication
           with one more addition costs.
           A dependent chain of multiply-adds of two instructions is twice as long, and registers
           may be too few for as many streams as fill the units: then the two are timed apart.
   Rows    HAVE_FMA_, HAVE_FPU_, RTP_FMA_, ILP_FMA_.
   Limits  If an addition behind a multiplication costs nothing, a multiply-add of one or of two
           instructions costs the same: X-Ray's integer multiply-add of the Power 3.
   See     XT 3.4, 5.2. */
#include "analysis/rows/fused.h"

#include "analysis/rows/operations.h"

#include <math.h>
#include <stdio.h>

/* Between the costs of one and of two instructions, which are HW_CLEAR errors apart, a multiply-add
   is known to this share: within it of the lower it is one, of the higher, or beyond, two. */
#define FUSED_SURE (1 / HW_CLEAR)
/* Cycles less than two instructions from which on it is one: latencies are whole. */
#define FUSED_LESS 0.5
/* Cycles: a floating-point addition in hardware takes no more than 10 (XT 3.4), the half cycles of
   the Pentium 4. */
#define FUSED_HARDWARE 10.5

struct hw_answer hw_fused_less(const struct hw_curves *curves, const char *tag) {
  struct hw_answer mul = hw_operations_latency(curves, "mul", tag);
  struct hw_answer add = hw_operations_latency(curves, "add", tag);
  struct hw_answer fma = hw_operations_latency(curves, "fma", tag);

  if (!mul.known || !add.known || !fma.known)
    return !mul.known ? mul : !add.known ? add : fma;
  return hw_known("latencies", mul.value + add.value - fma.value,
                  hypot(hypot(mul.error, add.error), fma.error), HW_CLEAR);
}

bool hw_fused_is_less(struct hw_answer less) {
  return less.known && less.value - less.error > FUSED_LESS;
}

/* The curve "STEM_TAG", or NULL. */
static const struct hw_curve *fused_curve(const struct hw_curves *curves, const char *stem,
                                          const char *tag) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "%s_%s", stem, tag);
  return hw_curves_get(curves, name);
}

/* Whether a multiply-add is one instruction, by throughput. */
static struct hw_answer fused_busy(const struct hw_curves *curves, const char *tag) {
  static const char method[] = "multiply-add beside additions";
  const struct hw_curve *curve = fused_curve(curves, "fused", tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  double one, two, error, share;

  if (curve == NULL)
    return hw_absent(method, "there is only one stream");
  if (curve->n < HW_FUSED_LOOPS)
    return hw_unknown(method, "a point is missing");
  one = curve->point[0].y;
  /* What the additions beside the multiplications of a round take at least. */
  two = add.known ? HW_FUSED_STREAMS * curve->point[2].x * add.value : 0;
  error = hw_point_error(&curve->point[0]) + hw_point_error(&curve->point[1]);
  if (!(two - one >= HW_CLEAR * error)) {
    two = curve->point[2].y;
    error = hw_point_error(&curve->point[0]) + hw_point_error(&curve->point[2]);
  }
  if (two - one < HW_CLEAR * error)
    return hw_unknown(method, "one more addition costs nothing");
  share = (curve->point[1].y - one) / (two - one);
  if (share > FUSED_SURE && share < 1 - FUSED_SURE)
    return hw_unknown(method, "it costs more than one operation and less than two");
  return hw_known(method, share <= FUSED_SURE, 0, HW_CLEAR);
}

static struct hw_answer fused_value(const struct hw_curves *curves, const char *tag) {
  struct hw_answer less = hw_fused_less(curves, tag);

  if (!less.known)
    return less;
  if (hw_fused_is_less(less))
    return hw_known(less.method, 1, 0, less.clarity);
  if (fabs(less.value - FUSED_LESS) <= less.error)
    return hw_unknown(less.method, "it takes half a cycle less than two operations");
  if (tag[0] == 'i')
    return hw_known(less.method, 0, 0, less.clarity);
  return fused_busy(curves, tag);
}

/* Whether floating point is in hardware, which adds in a few cycles; software takes tens. */
static struct hw_answer fused_hardware(const struct hw_curves *curves, const char *type) {
  struct hw_answer add = hw_operations_latency(curves, "add", type);

  if (!add.known)
    return add;
  if (fabs(add.value - FUSED_HARDWARE) <= add.error)
    return hw_unknown(add.method, "an addition takes about 10 cycles, in hardware or in software");
  return hw_known(add.method, add.value < FUSED_HARDWARE ? 1 : 0, 0, add.clarity);
}

/* The throughput of the two timed apart, unless it is above the bound of either alone and streams
   of multiply-adds take less: an SMT sibling may have slowed one curve and not the other. */
static struct hw_answer fused_apart(struct hw_answer apart, double bound,
                                    const struct hw_curve *streams) {
  if (!apart.known || apart.value <= (1 + HW_STREAMS_ALIKE) * bound || streams == NULL)
    return apart;
  for (size_t i = 0; i < streams->n; i++)
    if (streams->point[i].y / streams->point[i].x < (1 - HW_STREAMS_ALIKE) * apart.value)
      return hw_unknown(apart.method,
                        "a multiply-add takes less than its two operations timed apart");
  return apart;
}

/* Reciprocal throughput of independent multiply-adds, cycles.  Two instructions take no less than
   either of them. */
static struct hw_answer fused_throughput(const struct hw_curves *curves, const char *tag) {
  struct hw_answer answer = hw_operations_throughput(curves, "fma", tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  struct hw_answer mul = hw_operations_throughput(curves, "mul", tag);
  struct hw_answer one = fused_value(curves, tag);
  const struct hw_curve *split = fused_curve(curves, "split", tag);
  double bound;

  if (!one.known || one.value > 0 || !add.known || !mul.known)
    return answer;
  bound = fmax(add.value, mul.value);
  /* This near to the bound it may be the bound, and an SMT sibling took the rest. */
  if (answer.known && answer.value <= (1 + HW_STREAMS_ALIKE) * bound)
    answer.error = fmax(answer.error, answer.value - bound);
  if (answer.known || split == NULL)
    return answer;
  return fused_apart(hw_reduce_throughput_bound(split, bound), bound,
                     hw_operations_curve(curves, "streams", "fma", tag));
}

/* The same, or the range in which it lies: of two instructions, which take no less than either, and
   no more than the streams that take least. */
static struct hw_answer fused_reciprocal(const struct hw_curves *curves, const char *tag) {
  struct hw_answer answer = fused_throughput(curves, tag), one = fused_value(curves, tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  struct hw_answer mul = hw_operations_throughput(curves, "mul", tag), range;
  const struct hw_curve *streams = hw_operations_curve(curves, "streams", "fma", tag);
  double least = INFINITY;

  if (answer.known || !one.known || one.value > 0 || !add.known || !mul.known || streams == NULL)
    return answer;
  for (size_t i = 0; i < streams->n; i++)
    least = fmin(least, (streams->point[i].y + 2 * hw_point_error(&streams->point[i])) /
                            streams->point[i].x);
  range = hw_ranged("two instructions", least, fmax(add.value - add.error, mul.value - mul.error),
                    least);
  return answer.settled && range.known ? range : hw_else(answer, range);
}

/* Multiply-adds in flight. */
static struct hw_answer fused_in_flight(const struct hw_curves *curves, const char *tag) {
  const struct hw_curve *streams = hw_operations_curve(curves, "streams", "fma", tag);

  return streams == NULL ? hw_absent(HW_NO_METHOD, "its code could not be made or timed")
                         : hw_reduce_in_flight(streams, fused_throughput(curves, tag));
}

/* hw_read_have_fma_TYPE, hw_read_rtp_fma_TYPE_x100, hw_read_ilp_fma_TYPE. */
#define FUSED_VALUE(tag)                                                                           \
  struct hw_answer hw_read_have_fma_##tag(const struct hw_curves *curves) {                        \
    return fused_value(curves, #tag);                                                              \
  }                                                                                                \
  struct hw_answer hw_read_rtp_fma_##tag##_x100(const struct hw_curves *curves) {                  \
    return hw_scaled(hw_operations_bounded(curves, "fma", #tag, fused_reciprocal(curves, #tag)),   \
                     100);                                                                         \
  }                                                                                                \
  struct hw_answer hw_read_ilp_fma_##tag(const struct hw_curves *curves) {                         \
    return fused_in_flight(curves, #tag);                                                          \
  }

FUSED_VALUE(i32)
FUSED_VALUE(i64)
FUSED_VALUE(f32)
FUSED_VALUE(f64)
FUSED_VALUE(vf32)
FUSED_VALUE(vf64)

struct hw_answer hw_read_have_fpu_f32(const struct hw_curves *curves) {
  return fused_hardware(curves, "f32");
}

struct hw_answer hw_read_have_fpu_f64(const struct hw_curves *curves) {
  return fused_hardware(curves, "f64");
}
