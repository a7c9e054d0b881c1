/* Effective capacity of the level-1 data cache.

   Curve   effective: x working set (bytes), y time of a load (cycles).
   Method  Rings over every line of working sets, eight to an octave.  All lines of a segment, of
           the size of the cache's own stride, are visited in random order before the next segment,
           so that the TLB does not miss.
   Rows    L1_EFF_BYTES.
   Cost    100 ms, twice the capacity.
   See     BB 3.1.2. */
#include "analysis/names.h"
#include "analysis/rows/l1.h"
#include "probes/probe.h"

/* Working sets from 1/8 of the capacity to twice of it, and their number at most. */
#define EFFECTIVE_LEAST 8u
#define EFFECTIVE_MOST 2u
#define EFFECTIVE_POINTS 64u
/* Laps before the timed one: replacement policies other than LRU take some to settle. */
#define EFFECTIVE_WARM 8u

struct effective_shape {
  struct hw_l1_shape l1;
  size_t line;
};

/* Arranges a ring over a working set of x bytes, segment after segment. */
static void effective_arrange(void *context, double x, struct hw_random *random,
                              struct hw_ring *ring) {
  const struct effective_shape *shape = context;
  size_t bytes = (size_t)x, segments = (bytes + shape->l1.stride - 1) / shape->l1.stride;
  size_t *order = ring->offset + ring->room - segments; /* read before it is written over */

  ring->n = 0;
  for (size_t i = 0; i < segments; i++)
    order[i] = i;
  hw_random_order(random, order, segments);
  for (size_t i = 0; i < segments; i++) {
    size_t first = ring->n, at = order[i] * shape->l1.stride, end = at + shape->l1.stride;
    for (; at < end && at < bytes; at += shape->line)
      ring->offset[ring->n++] = at;
    hw_random_order(random, ring->offset + first, ring->n - first);
  }
  ring->warm = EFFECTIVE_WARM * ring->n;
}

/* Working sets: eight to an octave, from an eighth of the capacity to twice of it.  Returns their
   number. */
static size_t effective_grid(const struct effective_shape *shape, double *x) {
  size_t n = 0, octave = 8 * shape->line;

  for (; octave < EFFECTIVE_MOST * shape->l1.bytes; octave *= 2)
    for (size_t at = octave; at < 2 * octave && n < EFFECTIVE_POINTS; at += octave / 8)
      if (EFFECTIVE_LEAST * at >= shape->l1.bytes && at <= EFFECTIVE_MOST * shape->l1.bytes)
        x[n++] = (double)at;
  return n;
}

int hw_probe_effective(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct effective_shape shape;
  struct hw_series series = {.arrange = effective_arrange,
                             .context = &shape,
                             .issue = hw_issue_again(&bench->curves, "effective")};
  struct hw_curve curve;
  double x[EFFECTIVE_POINTS];
  int result;

  if (hw_l1_shape(&bench->curves, &shape.l1) < 0)
    return hw_lacks(bench, "HW_L1_BYTES is unknown");
  if (!line.known)
    return hw_lacks(bench, "HW_L1_LINE is unknown");
  shape.line = (size_t)line.value;
  /* Twice: room for the lines, and for the order of the segments. */
  series.room = 2 * EFFECTIVE_MOST * shape.l1.bytes / shape.line + 1;
  series.memory = machine->ops->map(machine, EFFECTIVE_MOST * shape.l1.bytes, HW_PAGES_PLAIN);
  if (series.memory == NULL)
    return -1;
  hw_curve_init(&curve, HW_NAME_EFFECTIVE, "working set (bytes)", "time of a load (cycles)");
  result = hw_sample(bench, &series, x, effective_grid(&shape, x), &curve);
  machine->ops->unmap(machine, series.memory);
  return hw_publish(bench, &curve, "effective", result);
}
