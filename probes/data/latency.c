/* Latency of the level-1 data cache.

   Curve   l1_latency: x loads in the ring, y time of a load (cycles).
   Method  Rings of one to sixteen loads within a few lines, which any cache holds.
   Rows    L1_LAT, L1_LAT_X100, L1_LAT_PS.
   Cost    10 ms.
   See     XM 4.1.1. */
#include "analysis/names.h"
#include "probes/probe.h"

#define LATENCY_LOADS 16

/* x adjacent words, in random order. */
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
