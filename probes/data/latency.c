/* Latency of the level-1 data cache.

   Curve   l1_latency: x loads in the ring, y time of a load (cycles).
   Method  Rings of one to sixteen loads within a few lines, which any cache holds.
   Rows    L1_LAT, L1_LAT_X100, L1_LAT_PS.
   Cost    10 ms.
   Limits  A processor that predicts the value of a load makes short rings faster than the cache;
           the curve is then not flat.  Another thread of the core that never rests is not seen,
           when it lengthens a load by just half a cycle.
   See     XM 4.1.1. */
#include "analysis/names.h"
#include "probes/probe.h"

#include <math.h>

#define LATENCY_LOADS 16

/* A hit takes a whole number of the processor's ticks, and so does an addition: one of them, or
   two, or half a one (Pentium 4).  What lies further than this share from all of it was lengthened
   by another thread of the core. */
#define LATENCY_TICKS 2
#define LATENCY_OFF 0.01

/* x loads, in random order, next to each other. */
static void latency_arrange(void *context, double x, struct hw_random *random,
                            struct hw_ring *ring) {
  (void)context;
  ring->n = (size_t)x;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = i * sizeof(void *);
  hw_random_order(random, ring->offset, ring->n);
}

int hw_probe_latency(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_series series = {
      .room = LATENCY_LOADS, .arrange = latency_arrange, .issue = hw_issue(&bench->curves)};
  double loads[LATENCY_LOADS];
  struct hw_curve curve;
  int result;

  for (size_t i = 0; i < LATENCY_LOADS; i++)
    loads[i] = (double)(i + 1);
  series.memory = machine->ops->map(machine, LATENCY_LOADS * sizeof(void *), HW_PAGES_PLAIN);
  if (series.memory == NULL)
    return -1;
  hw_curve_init(&curve, HW_NAME_L1_LATENCY, "loads in the ring (count)", "time of a load (cycles)");
  result = hw_sample(bench, &series, loads, LATENCY_LOADS, &curve);
  machine->ops->unmap(machine, series.memory);
  return hw_publish(bench, &curve, "latency", result);
}

/* In cycles. */
static struct hw_answer latency_level(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_L1_LATENCY, hw_reduce_level);
}

/* The same, known to more than a whole number. */
static struct hw_answer latency_cycles(const struct hw_curves *curves) {
  struct hw_answer answer = latency_level(curves);
  double off = fabs(answer.value - round(LATENCY_TICKS * answer.value) / LATENCY_TICKS);

  if (answer.known && off > fmax(answer.error, LATENCY_OFF * answer.value))
    return hw_unknown(answer.method, "it is no whole number of ticks");
  return answer;
}

struct hw_answer hw_read_l1_lat(const struct hw_curves *curves) {
  return hw_rounded(latency_level(curves));
}

struct hw_answer hw_read_l1_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(latency_cycles(curves), 100);
}

struct hw_answer hw_read_l1_lat_ps(const struct hw_curves *curves) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);

  return cycle.known ? hw_scaled(latency_cycles(curves), cycle.value) : cycle;
}
