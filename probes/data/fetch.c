/* The unit that a miss brings in: a line of the last level, or two with adjacent-line prefetch.

   Curve   fetch: x distance of the second load from the first (bytes), y time of a load (cycles).
   Method  Pairs of dependent loads, of which the first misses all caches: the addresses differ in
           one bit, so that both lie in one aligned unit when the unit is longer than their
           distance, and then the second hits.  Each pair has a block of its own, at a random place
           in it, so that no stream prefetcher is triggered.  In both directions: see
           analysis/rows/fetch.c.
   Rows    FETCH_BYTES.
   Cost    150 ms; memory that flushes all caches, and 20 MiB.
   See     BB 3.1.1, footnote 3. */
#include "analysis/rows/fetch.h"

#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>

/* Pairs of a sample; points of the curve, at most. */
#define FETCH_PAIRS ((size_t)HW_GRAIN)
#define FETCH_POINTS 32u

struct fetch_shape {
  size_t line;
  size_t start[FETCH_POINTS];
  size_t offset[2 * FETCH_PAIRS]; /* of one point */
};

/* Distances, powers of two, below and above the first load, ascending. */
static void fetch_points(struct hw_batch *batch) {
  batch->n = 0;
  for (size_t d = HW_FETCH_DISTANCE; d >= sizeof(void *); d /= 2)
    batch->x[batch->n++] = -(double)d;
  for (size_t d = sizeof(void *); d <= HW_FETCH_DISTANCE; d *= 2)
    batch->x[batch->n++] = (double)d;
  batch->blocks = batch->n * FETCH_PAIRS;
}

/* Lays out the pairs of a point. */
static int fetch_lay(void *context, struct hw_batch *batch, size_t i, const size_t **block,
                     struct hw_random *random) {
  struct fetch_shape *shape = context;
  struct hw_machine *machine = batch->bench->machine;
  size_t distance = (size_t)fabs(batch->x[i]), lines = HW_TRAFFIC_BLOCK / shape->line;
  bool down = batch->x[i] < 0;

  for (size_t pair = 0; pair < FETCH_PAIRS; pair++) {
    size_t place = hw_random_below(random, lines) * shape->line & ~distance;
    size_t at = *(*block)++ + place;
    shape->offset[2 * pair] = down ? at + distance : at;
    shape->offset[2 * pair + 1] = down ? at : at + distance;
  }
  shape->start[i] = shape->offset[0];
  return machine->ops->link(machine, batch->flushed.memory, shape->offset, 2 * FETCH_PAIRS);
}

static double fetch_walk(void *context, struct hw_batch *batch, size_t i) {
  const struct fetch_shape *shape = context;
  struct hw_machine *machine = batch->bench->machine;

  machine->ops->enter(machine, batch->flushed.memory, shape->start[i]);
  machine->ops->walk(machine, batch->flushed.memory, 2 * FETCH_PAIRS);
  return 2.0 * FETCH_PAIRS;
}

int hw_probe_fetch(struct hw_bench *bench) {
  struct fetch_shape shape;
  struct hw_batch batch = {.bench = bench, .lay = fetch_lay, .walk = fetch_walk, .context = &shape};
  struct hw_traffic traffic;
  struct hw_curve curve;

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.memory)
    return hw_traffic_lacks(bench);
  fetch_points(&batch);
  shape.line = traffic.line;
  hw_curve_init(&curve, HW_NAME_FETCH, "distance of the second load from the first (bytes)",
                "time of a load (cycles)");
  return hw_traffic_publish(bench, &curve, "fetch",
                            hw_batch_sample(&batch, traffic.level[traffic.caches].least, &curve));
}
