/* The unit that a miss brings in: the line of the last level, or two where the neighbour comes too.

   Curve   fetch: x distance of the second load from the first (bytes), y time of a load (cycles).
   Method  Pairs of loads that depend on each other, of which the first misses all caches: the
           addresses differ in one bit, so that both lie in one aligned unit when the unit is
           longer than their distance, and then the second hits.  Each pair has a block to itself,
           at a random place of it, so that no stream of misses is to be seen.  Both directions:
           what comes only upwards is the next line, fetched ahead, and not the unit.
   Rows    FETCH_BYTES.
   Cost    150 ms; what drives all caches out, and 20 MiB.
   Limits  Up to FETCH_DISTANCE / 2.
   See     BB 3.1.1, footnote 3. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>

/* Pairs of a sample. */
#define FETCH_PAIRS ((size_t)HW_GRAIN)
/* Largest distance of a pair. */
#define FETCH_DISTANCE ((size_t)1024)
#define FETCH_POINTS 32u
/* Second loads of which at least this part of a miss is paid do miss, and those of which at most
   this part is paid do not: one that has to wait for its line to arrive pays a little. */
#define FETCH_MISSES 0.7
#define FETCH_HITS 0.3
#define FETCH_HALF 0.5
/* A first load costs at least this part of memory's latency, as the size curve has it; so does a
   second one at the largest distance. */
#define FETCH_MISS 0.7

struct fetch_shape {
  size_t line;
  size_t start[FETCH_POINTS];
  size_t offset[2 * FETCH_PAIRS]; /* of one point */
};

/* Distances that double, downwards and upwards, ascending. */
static void fetch_points(struct hw_batch *batch) {
  batch->n = 0;
  for (size_t d = FETCH_DISTANCE; d >= sizeof(void *); d /= 2)
    batch->x[batch->n++] = -(double)d;
  for (size_t d = sizeof(void *); d <= FETCH_DISTANCE; d *= 2)
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

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.whole)
    return -1;
  fetch_points(&batch);
  shape.line = traffic.line;
  hw_curve_init(&curve, HW_NAME_FETCH, "distance of the second load from the first (bytes)",
                "time of a load (cycles)");
  if (hw_batch_sample(&batch, traffic.level[traffic.caches].least, &curve) == 0)
    return hw_traffic_publish(bench, &curve, "fetch");
  hw_curve_free(&curve);
  return -1;
}

/* Time of a load at a distance, or negative when it was not measured. */
static double fetch_time(const struct hw_curve *curve, double x) {
  for (size_t i = 0; i < curve->n; i++)
    if (fabs(curve->point[i].x - x) < 0.5)
      return curve->point[i].y;
  return -1;
}

/* Which part of a miss the second load at a distance pays, in the direction in which it pays more.
   Both loads of a pair share what it costs. */
static double fetch_paid(const struct hw_curve *curve, double distance, double miss) {
  double down = fetch_time(curve, -distance) - fetch_time(curve, -(double)sizeof(void *));
  double up = fetch_time(curve, distance) - fetch_time(curve, sizeof(void *));

  return 2 * fmax(down, up) / miss;
}

/* The unit, when the second load at the largest distance pays so much, known to noise.  All at
   smaller distances than the unit hit, all others miss, and lie clear of half a miss. */
static struct hw_answer fetch_unit(const struct hw_curve *curve, double miss, double noise) {
  static const char method[] = "aligned pairs";
  double unit = 0, clarity = HW_CLARITY_MAX;

  for (double d = sizeof(void *); d <= (double)FETCH_DISTANCE; d *= 2) {
    double paid = fetch_paid(curve, d, miss);
    bool misses = paid >= FETCH_MISSES;
    clarity = fmin(clarity, fabs(paid - FETCH_HALF) / fmax(noise / miss, 1 / HW_CLARITY_MAX));
    if (!misses && !(paid <= FETCH_HITS))
      return hw_unknown(method, "some adjacent lines are fetched, and some are not");
    if (!misses && unit > 0)
      return hw_unknown(method, "a farther line was prefetched, and a nearer one was not");
    if (misses && !(unit > 0))
      unit = d;
  }
  return clarity < HW_CLEAR ? hw_unknown(method, "the misses are not clear of the noise")
                            : hw_known(method, unit, 0, clarity);
}

struct hw_answer hw_read_fetch_bytes(const struct hw_curves *curves) {
  static const char method[] = "aligned pairs";
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_FETCH);
  double latency = hw_traffic_memory(curves);
  double first, miss, noise;

  if (curve == NULL || !(latency > 0))
    return hw_unknown(method, "its curve or the levels were not measured");
  if (fetch_time(curve, -(double)FETCH_DISTANCE) < 0 || fetch_time(curve, FETCH_DISTANCE) < 0)
    return hw_unknown(method, "a distance was not measured");
  first = 2 * fmin(fetch_time(curve, sizeof(void *)), fetch_time(curve, -(double)sizeof(void *)));
  miss = fetch_paid(curve, FETCH_DISTANCE, 1);
  noise = 2 * hw_rise_error(curve, &curve->point[0], &curve->point[curve->n - 1]);
  if (first < FETCH_MISS * latency || miss < FETCH_MISS * latency)
    return hw_unknown(method, "the loads do not miss");
  return fetch_unit(curve, miss, noise);
}
