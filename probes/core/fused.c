/* Whether there is a fused multiply-add, and hardware for floating point.

   Curve   fused_<type>: x additions beside each multiplication, y time of a round of such bundles
           (cycles); and, at half an addition more, of the bundles with multiply-adds instead.
           split_<type>: x multiplications and as many additions, none of which waits for another,
           y time of a round of them (cycles).
   Method  A multiply-add of two instructions takes as long as a multiplication and an addition that
           waits for it: one that takes less is one instruction.  One that takes as long may be made
           of both in a chain.  Then its throughput tells, as X-Ray has it; but where adders are
           free beside the multipliers two instructions cost no more than one.  So the adders are
           kept busy: one instruction then costs what a multiplication costs, two no less than all
           of the additions with one more take; or, where that is no more than the former, what a
           multiplication with one addition more costs.
           A chain of multiply-adds of two instructions is twice as long, and registers may be too
           few for as many streams as fill the units: their throughput is then that of the two.
   Rows    HAVE_FMA_, HAVE_FPU_, RTP_FMA_, ILP_FMA_.
   Cost    30 ms, and the compiler's time.
   Limits  Where an addition costs nothing behind a multiplication, a multiply-add costs no more
           than that, whatever it is made of: X-Ray's integer multiply-add of the Power 3.
   See     XT 3.4, 5.2. */
#include "probes/core/operations.h"
#include "probes/core/vectors.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Multiplications in a round, and variables that are added to beside: few enough for 16 registers,
   and of the latter twice as many, so that they do not wait for each other. */
#define FUSED_STREAMS 4u
#define FUSED_ADDED 8u
/* The additions of a round take longer than its chain by this factor. */
#define FUSED_BUSY 1.6
/* Most additions beside each multiplication. */
#define FUSED_BESIDE 8.0
/* Between its two costs, a multiply-add is one instruction up to this share, and two from that. */
#define FUSED_ONE 0.35
#define FUSED_TWO 0.65
/* Half a cycle less than two instructions is less: latencies are whole. */
#define FUSED_LESS 0.5
/* Floating-point addition takes no more than 10 cycles in hardware (XT 3.4): 10 are those of the
   Pentium 4, whose cycles are half ones. */
#define FUSED_HARDWARE 10.5

static const char *const fused_tags[] = {"f32", "f64", "vf32", "vf64"};
#define FUSED_TYPES (sizeof fused_tags / sizeof fused_tags[0])
#define FUSED_SCALARS 2u
/* Multiplications with some additions and with one more, multiply-adds with some. */
#define FUSED_LOOPS 3u
/* Streams of each of the two: with what is multiplied and added, as many as 16 registers hold. */
#define FUSED_SPLIT 4u
#define FUSED_SPLITS 4u
#define FUSED_NANOS (FUSED_LOOPS + FUSED_SPLITS)

/* A loop of an operation on some variables, and of additions to others. */
static void fused_spec(struct hw_nano *nano, const char *op, const char *type, unsigned variables,
                       unsigned added, unsigned additions) {
  memset(nano, 0, sizeof *nano);
  for (size_t i = 0; i < 2; i++) {
    struct hw_nano_part *part = &nano->part[i];
    part->op = i == 0 ? op : "add";
    snprintf(part->type, sizeof part->type, "%s", type);
    part->variables = i == 0 ? variables : added;
    part->count = i == 0 ? variables : additions;
  }
  nano->groups[0] = 2;
  nano->groups[1] = 5;
}

/* Multiplications, or multiply-adds, with so many additions beside each. */
static void fused_beside_spec(struct hw_nano *nano, const char *op, const char *type,
                              unsigned beside) {
  fused_spec(nano, op, type, FUSED_STREAMS, FUSED_ADDED, beside * FUSED_STREAMS);
}

/* By how much a multiply-add waits less than a multiplication and an addition. */
static struct hw_answer fused_less(const struct hw_curves *curves, const char *tag) {
  struct hw_answer mul = hw_operations_latency(curves, "mul", tag);
  struct hw_answer add = hw_operations_latency(curves, "add", tag);
  struct hw_answer fma = hw_operations_latency(curves, "fma", tag);

  if (!mul.known || !add.known || !fma.known)
    return !mul.known ? mul : !add.known ? add : fma;
  return hw_known("latencies", mul.value + add.value - fma.value,
                  hypot(hypot(mul.error, add.error), fma.error), HW_CLEAR);
}

static bool fused_is_less(struct hw_answer less) {
  return less.known && less.value - less.error > FUSED_LESS;
}

/* Additions beside each multiplication that keep the adders busy for longer than a chain of both
   takes; 0 when that cannot be told. */
static unsigned fused_beside(const struct hw_curves *curves, const char *tag) {
  struct hw_answer fma = hw_operations_latency(curves, "fma", tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  struct hw_answer mul = hw_operations_throughput(curves, "mul", tag);
  double beside;

  if (!fma.known || !add.known || !mul.known)
    return 0;
  beside =
      fmax(ceil(FUSED_BUSY * fma.value / (FUSED_STREAMS * add.value)), ceil(mul.value / add.value));
  return beside > FUSED_BESIDE ? 0 : (unsigned)beside;
}

/* Publishes so many loops of one type, unless the compiler could not make them. */
static int fused_publish(struct hw_bench *bench, const struct hw_point *point, const double *x,
                         size_t n, const char *stem, const char *x_title, const char *tag,
                         const char *probe) {
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result;

  snprintf(name, sizeof name, "%s_%s", stem, tag);
  hw_curve_init(&curve, name, x_title, "time of a round (cycles)");
  result = hw_nano_put(&curve, point, x, n);
  return hw_publish_some(bench, &curve, probe, result);
}

/* The loops of one type. */
struct fused_plan {
  const char *tag;
  unsigned beside; /* 0: how many additions keep the adders busy cannot be told */
  bool split;      /* whether the two are timed apart */
  size_t at;       /* the first loop */
};

/* Adds the loops for a type.  Returns how many there are then. */
static size_t fused_fill(const struct hw_curves *curves, struct fused_plan *plan,
                         struct hw_nano *nano, size_t n) {
  struct hw_answer bytes = hw_vectors_bytes(curves);
  char type[HW_NANO_TYPE];

  plan->beside = 0;
  plan->split = false;
  plan->at = n;
  if (fused_is_less(fused_less(curves, plan->tag)) || (plan->tag[0] == 'v' && !bytes.known))
    return n;
  if (plan->tag[0] == 'v')
    snprintf(type, sizeof type, "%sv%u", plan->tag + 1, (unsigned)bytes.value);
  else
    snprintf(type, sizeof type, "%s", plan->tag);
  plan->beside = fused_beside(curves, plan->tag);
  plan->split = !hw_operations_throughput(curves, "fma", plan->tag).known;
  if (plan->beside > 0) {
    fused_beside_spec(&nano[n++], "mul", type, plan->beside);
    fused_beside_spec(&nano[n++], "fma", type, plan->beside);
    fused_beside_spec(&nano[n++], "mul", type, plan->beside + 1);
  }
  for (unsigned i = 0; plan->split && i < FUSED_SPLITS; i++)
    fused_spec(&nano[n++], "mul", type, FUSED_SPLIT + i, FUSED_SPLIT + i, FUSED_SPLIT + i);
  return n;
}

/* Publishes the curves of a type. */
static int fused_settle(struct hw_bench *bench, const struct fused_plan *plan,
                        const struct hw_point *point, const char *probe) {
  const double beside = plan->beside, x[FUSED_LOOPS] = {beside, beside + 0.5, beside + 1};
  double each[FUSED_SPLITS];
  int result = 0;

  point += plan->at;
  if (plan->beside > 0) {
    result = fused_publish(bench, point, x, FUSED_LOOPS, "fused", "additions beside each (count)",
                           plan->tag, probe);
    point += FUSED_LOOPS;
  }
  for (unsigned i = 0; i < FUSED_SPLITS; i++)
    each[i] = FUSED_SPLIT + i;
  if (result == 0 && plan->split)
    result = fused_publish(bench, point, each, FUSED_SPLITS, "split", "streams of each (count)",
                           plan->tag, probe);
  return result;
}

static int fused_probe(struct hw_bench *bench, size_t first, size_t end, const char *probe) {
  struct hw_nano nano[FUSED_TYPES * FUSED_NANOS] = {{.groups = {0, 0}}};
  struct hw_point point[FUSED_TYPES * FUSED_NANOS];
  struct fused_plan plan[FUSED_TYPES];
  size_t n = 0;
  int result;

  for (size_t t = first; t < end; t++) {
    plan[t].tag = fused_tags[t];
    n = fused_fill(&bench->curves, &plan[t], nano, n);
  }
  result = hw_nano_need(bench, nano, n);
  if (result == 0)
    result = hw_nano_sample(bench, nano, n, 0, point);
  for (size_t t = first; result == 0 && t < end; t++)
    result = fused_settle(bench, &plan[t], point, probe);
  return result == 0 && hw_nano_missed(bench, nano, point, n) ? -1 : result;
}

int hw_probe_fused(struct hw_bench *bench) { return fused_probe(bench, 0, FUSED_SCALARS, "fused"); }

int hw_probe_vector_fused(struct hw_bench *bench) {
  return fused_probe(bench, FUSED_SCALARS, FUSED_TYPES, "vector_fused");
}

/* What a round costs at least in which each multiplication has so many additions beside it; 0 where
   that is not known. */
static double fused_least(const struct hw_curves *curves, const char *tag, double beside) {
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);

  return add.known ? FUSED_STREAMS * beside * add.value : 0;
}

/* By throughput. */
static struct hw_answer fused_busy(const struct hw_curves *curves, const char *tag) {
  static const char method[] = "multiply-add beside additions";
  char name[HW_CURVE_NAME];
  const struct hw_curve *curve;
  double one, two, error, share;

  snprintf(name, sizeof name, "fused_%s", tag);
  curve = hw_curves_get(curves, name);
  if (curve == NULL)
    return hw_absent(method, "there is but one stream");
  if (curve->n < FUSED_LOOPS)
    return hw_unknown(method, "a point is missing");
  one = curve->point[0].y;
  two = fused_least(curves, tag, curve->point[2].x);
  error = hw_point_error(&curve->point[0]) + hw_point_error(&curve->point[1]);
  if (!(two - one >= HW_CLEAR * error)) {
    two = curve->point[2].y;
    error = hw_point_error(&curve->point[0]) + hw_point_error(&curve->point[2]);
  }
  if (two - one < HW_CLEAR * error)
    return hw_unknown(method, "one more addition costs nothing");
  share = (curve->point[1].y - one) / (two - one);
  if (share > FUSED_ONE && share < FUSED_TWO)
    return hw_unknown(method, "it costs more than one operation and less than two");
  return hw_known(method, share <= FUSED_ONE, 0, HW_CLEAR);
}

static struct hw_answer fused_value(const struct hw_curves *curves, const char *tag) {
  struct hw_answer less = fused_less(curves, tag);

  if (!less.known)
    return less;
  if (fused_is_less(less))
    return hw_known(less.method, 1, 0, less.clarity);
  if (fabs(less.value - FUSED_LESS) <= less.error)
    return hw_unknown(less.method, "it takes half a cycle less than two operations");
  if (tag[0] == 'i')
    return hw_known(less.method, 0, 0, less.clarity);
  return fused_busy(curves, tag);
}

/* Hardware adds in a few cycles, software in tens. */
static struct hw_answer fused_hardware(const struct hw_curves *curves, const char *type) {
  struct hw_answer add = hw_operations_latency(curves, "add", type);

  if (!add.known)
    return add;
  if (fabs(add.value - FUSED_HARDWARE) <= add.error)
    return hw_unknown(add.method, "an addition takes about 10 cycles, in hardware or in software");
  return hw_known(add.method, add.value < FUSED_HARDWARE ? 1 : 0, 0, add.clarity);
}

/* What the two timed apart say, unless that is more than either alone takes and streams of
   multiply-adds take less: a neighbour lengthens one and not the other. */
static struct hw_answer fused_apart(struct hw_answer apart, double bound,
                                    const struct hw_curve *streams) {
  if (!apart.known || apart.value <= (1 + HW_STREAMS_ALIKE) * bound || streams == NULL)
    return apart;
  for (size_t i = 0; i < streams->n; i++)
    if (streams->point[i].y / streams->point[i].x < (1 - HW_STREAMS_ALIKE) * apart.value)
      return hw_unknown(apart.method, "multiply-adds take less than both apart");
  return apart;
}

/* Cycles from a multiply-add to the next that does not wait for it.  Two instructions take no less
   than either of them. */
static struct hw_answer fused_throughput(const struct hw_curves *curves, const char *tag) {
  struct hw_answer answer = hw_operations_throughput(curves, "fma", tag);
  struct hw_answer add = hw_operations_throughput(curves, "add", tag);
  struct hw_answer mul = hw_operations_throughput(curves, "mul", tag);
  struct hw_answer one = fused_value(curves, tag);
  const struct hw_curve *split;
  char name[HW_CURVE_NAME];
  double bound;

  snprintf(name, sizeof name, "split_%s", tag);
  split = hw_curves_get(curves, name);
  if (!one.known || one.value > 0 || !add.known || !mul.known)
    return answer;
  bound = fmax(add.value, mul.value);
  /* As near to that, it may be that, and a neighbour took what it is more. */
  if (answer.known && answer.value <= (1 + HW_STREAMS_ALIKE) * bound)
    answer.error = fmax(answer.error, answer.value - bound);
  if (answer.known || split == NULL)
    return answer;
  snprintf(name, sizeof name, "streams_fma_%s", tag);
  return fused_apart(hw_reduce_throughput_bound(split, bound), bound, hw_curves_get(curves, name));
}

/* Multiply-adds in flight. */
static struct hw_answer fused_in_flight(const struct hw_curves *curves, const char *tag) {
  const struct hw_curve *streams;
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "streams_fma_%s", tag);
  streams = hw_curves_get(curves, name);
  return streams == NULL ? hw_absent("none", "its code could not be made or timed")
                         : hw_reduce_in_flight(streams, fused_throughput(curves, tag));
}

#define FUSED_VALUE(tag)                                                                           \
  struct hw_answer hw_read_have_fma_##tag(const struct hw_curves *curves) {                        \
    return fused_value(curves, #tag);                                                              \
  }                                                                                                \
  struct hw_answer hw_read_rtp_fma_##tag##_x100(const struct hw_curves *curves) {                  \
    return hw_scaled(fused_throughput(curves, #tag), 100);                                         \
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
