/* Whether there is a fused multiply-add, and hardware for floating point.

   Curve   mul_<type>, fma_<type>: x additions beside each multiplication or multiply-add, y time of
           a round of such bundles (cycles).
   Method  A multiply-add of two instructions costs a multiplication and an addition.  Where adders
           are free beside the multipliers that shows nowhere, unless they are busy: with additions
           beside, it costs what a multiplication with one addition more costs.
   Rows    HAVE_FMA_, HAVE_FPU_.
   Cost    50 ms, and the compiler's time.
   Limits  Where even then an addition is free, a multiply-add costs no more than a multiplication,
           whatever it is made of: X-Ray's integer multiply-add of the Power 3.
   See     XT 3.4, 5.2. */
#include "probes/core/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Multiplications in a round: enough for their latency, and few enough for 16 registers. */
#define FUSED_STREAMS 6u
/* Additions beside each: up to this many. */
#define FUSED_BESIDE 2u
/* One more addition costs something when it costs this share. */
#define FUSED_COST 1.15
/* What costs more than two operations by this share waits for its own latency and tells nothing. */
#define FUSED_CHAIN 1.15
/* A multiply-add is one operation when it costs up to this share of the one more addition: its
   latency may be longer than that of a multiplication. */
#define FUSED_HALF 0.55
/* And two when it costs this share. */
#define FUSED_MOST 0.75
/* Floating-point addition takes less than this in hardware (XT 3.4). */
#define FUSED_HARDWARE 10.0

static const char *const fused_types[] = {"i32", "i64", "f32", "f64"};
#define FUSED_TYPES (sizeof fused_types / sizeof fused_types[0])
#define FUSED_POINTS (FUSED_BESIDE + 1)
/* Multiplications with 0 to 2 additions, multiply-adds with 0 and 1. */
#define FUSED_LOOPS (2 * FUSED_POINTS - 1)

static void fused_spec(struct hw_nano *nano, const char *op, const char *type, unsigned beside) {
  memset(nano, 0, sizeof *nano);
  for (size_t i = 0; i < (beside > 0 ? 2 : 1); i++) {
    struct hw_nano_part *part = &nano->part[i];
    part->op = i == 0 ? op : type[0] == 'i' ? "live" : "add";
    snprintf(part->type, sizeof part->type, "%s", type);
    part->variables = FUSED_STREAMS;
    part->count = i == 0 ? FUSED_STREAMS : beside * FUSED_STREAMS;
  }
  nano->groups[0] = 2;
  nano->groups[1] = 6;
}

/* Times the loops of one operation. */
static int fused_measure(struct hw_bench *bench, const struct hw_nano *nano, size_t n,
                         const char *op, const char *type) {
  static const double beside[FUSED_POINTS] = {0, 1, 2};
  char name[HW_CURVE_NAME];
  struct hw_curve curve;

  snprintf(name, sizeof name, "%s_%s", op, type);
  hw_curve_init(&curve, name, "additions beside each (count)", "time of a round (cycles)");
  if (hw_nano_sample(bench, nano, beside, n, &curve) == 0)
    return hw_publish(bench, &curve, "fused", 1);
  hw_curve_free(&curve);
  return -1;
}

int hw_probe_fused(struct hw_bench *bench) {
  struct hw_nano nano[FUSED_TYPES * FUSED_LOOPS];
  int result;

  for (size_t i = 0; i < FUSED_TYPES * FUSED_LOOPS; i++) {
    size_t k = i % FUSED_LOOPS;
    bool mul = k < FUSED_POINTS;
    fused_spec(&nano[i], mul ? "mul" : "fma", fused_types[i / FUSED_LOOPS],
               (unsigned)(mul ? k : k - FUSED_POINTS));
  }
  result = hw_nano_need(bench, nano, FUSED_TYPES * FUSED_LOOPS);
  for (size_t t = 0; result == 0 && t < FUSED_TYPES; t++) {
    const struct hw_nano *first = &nano[t * FUSED_LOOPS];
    if (!hw_nano_ready(bench, first))
      continue;
    result = fused_measure(bench, first, FUSED_POINTS, "mul", fused_types[t]);
    if (result == 0)
      result = fused_measure(bench, first + FUSED_POINTS, FUSED_POINTS - 1, "fma", fused_types[t]);
  }
  return result;
}

static struct hw_answer fused_value(const struct hw_curves *curves, const char *type) {
  static const char method[] = "multiply-add beside additions";
  char name[HW_CURVE_NAME];
  const struct hw_curve *mul, *fma;

  snprintf(name, sizeof name, "mul_%s", type);
  mul = hw_curves_get(curves, name);
  snprintf(name, sizeof name, "fma_%s", type);
  fma = hw_curves_get(curves, name);
  if (mul == NULL || fma == NULL || mul->n < FUSED_POINTS || fma->n < FUSED_POINTS - 1)
    return hw_absent(method, "the compiler cannot make its code");
  for (size_t k = 0; k + 1 < FUSED_POINTS; k++) {
    double one = mul->point[k].y, two = mul->point[k + 1].y, it = fma->point[k].y;
    if (two > FUSED_COST * one && it < FUSED_CHAIN * two && it > one + FUSED_HALF * (two - one))
      return it > one + FUSED_MOST * (two - one)
                 ? hw_known(method, 0, 0, HW_CLEAR)
                 : hw_unknown(method, "it costs more than one operation and less than two");
  }
  return hw_known(method, 1, 0, HW_CLEAR);
}

/* Hardware adds in a few cycles, software in tens. */
static struct hw_answer fused_hardware(const struct hw_curves *curves, const char *type) {
  struct hw_answer add = hw_operations_latency(curves, "add", type);

  if (!add.known)
    return add;
  if (fabs(add.value - FUSED_HARDWARE) <= add.error)
    return hw_unknown(add.method, "its addition takes 10 cycles");
  return hw_known(add.method, add.value < FUSED_HARDWARE ? 1 : 0, 0, add.clarity);
}

struct hw_answer hw_value_have_fma_i32(const struct hw_curves *curves) {
  return fused_value(curves, "i32");
}

struct hw_answer hw_value_have_fma_i64(const struct hw_curves *curves) {
  return fused_value(curves, "i64");
}

struct hw_answer hw_value_have_fma_f32(const struct hw_curves *curves) {
  return fused_value(curves, "f32");
}

struct hw_answer hw_value_have_fma_f64(const struct hw_curves *curves) {
  return fused_value(curves, "f64");
}

struct hw_answer hw_value_have_fpu_f32(const struct hw_curves *curves) {
  return fused_hardware(curves, "f32");
}

struct hw_answer hw_value_have_fpu_f64(const struct hw_curves *curves) {
  return fused_hardware(curves, "f64");
}
