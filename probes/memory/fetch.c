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
#include "probes/memory/traffic.h"

#include <math.h>
#include <stdlib.h>

/* Pairs of a sample. */
#define FETCH_PAIRS ((size_t)HW_GRAIN * 2)
/* Largest distance of a pair. */
#define FETCH_DISTANCE ((size_t)1024)
#define FETCH_POINTS 32u
#define FETCH_PRECISION 0.02
#define FETCH_ROUNDS 1
/* Second loads of which at least this part of a miss is paid do miss, and those of which at most
   this part is paid do not: one that has to wait for its line to arrive pays a little. */
#define FETCH_MISSES 0.7
#define FETCH_HITS 0.3
/* A first load costs at least this part of memory's latency, as the size curve has it; so does a
   second one at the largest distance. */
#define FETCH_MISS 0.7

struct fetch_point {
  double x;
  size_t start;
  bool fresh; /* in no cache */
};

struct fetch_shape {
  struct hw_bench *bench;
  struct hw_memory *memory;
  struct hw_flush flush;
  size_t line;
  size_t blocks;
  size_t *block;  /* their order */
  size_t *offset; /* of one point */
  size_t n;
  struct fetch_point point[FETCH_POINTS];
};

/* Distances that double, downwards and upwards, ascending. */
static void fetch_points(struct fetch_shape *shape) {
  shape->n = 0;
  for (size_t d = FETCH_DISTANCE; d >= sizeof(void *); d /= 2)
    shape->point[shape->n++].x = -(double)d;
  for (size_t d = sizeof(void *); d <= FETCH_DISTANCE; d *= 2)
    shape->point[shape->n++].x = (double)d;
  shape->blocks = shape->n * FETCH_PAIRS;
}

/* The pairs of a point. */
static void fetch_pairs(struct fetch_shape *shape, double x, const size_t *block,
                        struct hw_random *random) {
  size_t distance = (size_t)fabs(x), lines = HW_TRAFFIC_BLOCK / shape->line;

  for (size_t i = 0; i < FETCH_PAIRS; i++) {
    size_t place = hw_random_below(random, lines) * shape->line & ~distance;
    size_t at = block[i] * HW_TRAFFIC_BLOCK + place;
    shape->offset[2 * i] = x < 0 ? at + distance : at;
    shape->offset[2 * i + 1] = x < 0 ? at : at + distance;
  }
}

/* Lays out the pairs of all points, and drives them out of the caches. */
static int fetch_lay(struct fetch_shape *shape, struct hw_random *random) {
  struct hw_machine *machine = shape->bench->machine;

  hw_random_order(random, shape->block, shape->blocks);
  for (size_t p = 0; p < shape->n; p++) {
    fetch_pairs(shape, shape->point[p].x, shape->block + p * FETCH_PAIRS, random);
    if (machine->ops->link(machine, shape->memory, shape->offset, 2 * FETCH_PAIRS) < 0)
      return -1;
    shape->point[p].start = shape->offset[0];
    shape->point[p].fresh = true;
  }
  hw_flush(&shape->flush, shape->flush.bytes);
  return 0;
}

static struct fetch_point *fetch_find(struct fetch_shape *shape, double x) {
  size_t p = 0;

  while (shape->point[p].x < x)
    p++;
  return &shape->point[p];
}

static int fetch_prepare(void *context, double x, struct hw_random *random) {
  struct fetch_shape *shape = context;
  struct fetch_point *point = fetch_find(shape, x);

  if (!point->fresh && fetch_lay(shape, random) < 0)
    return -1;
  shape->bench->machine->ops->enter(shape->bench->machine, shape->memory, point->start);
  return 0;
}

static double fetch_work(void *context, double x) {
  struct fetch_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  machine->ops->walk(machine, shape->memory, 2 * FETCH_PAIRS);
  fetch_find(shape, x)->fresh = false;
  return 2.0 * FETCH_PAIRS;
}

/* Measures the curve, with all memory at hand. */
static int fetch_sample(struct fetch_shape *shape, struct hw_curve *curve) {
  const struct hw_task task = {.prepare = fetch_prepare, .work = fetch_work, .context = shape};
  struct hw_machine *machine = shape->bench->machine;
  struct hw_effort effort = hw_traffic_effort(shape->bench, FETCH_PRECISION, FETCH_ROUNDS);
  double x[FETCH_POINTS];
  int result;

  for (size_t p = 0; p < shape->n; p++)
    x[p] = shape->point[p].x;
  for (size_t i = 0; i < shape->blocks; i++)
    shape->block[i] = i;
  machine->ops->stream(machine, shape->memory, HW_STREAM_WRITE, 0,
                       shape->blocks * HW_TRAFFIC_BLOCK);
  result = hw_sample_task(shape->bench, &task, x, shape->n, curve);
  shape->bench->effort = effort;
  return result;
}

int hw_probe_fetch(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct fetch_shape shape = {.bench = bench};
  struct hw_traffic traffic;
  struct hw_curve curve;
  int result = -1;

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.whole)
    return -1;
  fetch_points(&shape);
  shape.line = traffic.line;
  if (hw_flush_open(&shape.flush, bench, traffic.level[traffic.caches].least,
                    shape.blocks * HW_TRAFFIC_BLOCK) < 0)
    return -1;
  shape.block = calloc(shape.blocks, sizeof *shape.block);
  shape.offset = calloc(2 * FETCH_PAIRS, sizeof *shape.offset);
  shape.memory = machine->ops->map(machine, shape.blocks * HW_TRAFFIC_BLOCK, HW_PAGES_HUGE);
  hw_curve_init(&curve, "fetch", "distance of the second load from the first (bytes)",
                "time of a load (cycles)");
  if (shape.block != NULL && shape.offset != NULL && shape.memory != NULL)
    result = fetch_sample(&shape, &curve);
  machine->ops->unmap(machine, shape.memory);
  hw_flush_close(&shape.flush);
  free(shape.block);
  free(shape.offset);
  if (result == 0)
    return hw_publish(bench, &curve, "fetch", 1);
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

/* The unit, when the second load at the largest distance pays so much.  All at smaller distances
   than the unit hit, all others miss. */
static struct hw_answer fetch_unit(const struct hw_curve *curve, double miss) {
  static const char method[] = "aligned pairs";
  double unit = 0;

  for (double d = sizeof(void *); d <= (double)FETCH_DISTANCE; d *= 2) {
    double paid = fetch_paid(curve, d, miss);
    bool misses = paid >= FETCH_MISSES;
    if (!misses && !(paid <= FETCH_HITS))
      return hw_unknown(method, "some of the neighbours come, and some do not");
    if (!misses && unit > 0)
      return hw_unknown(method, "what lies further away comes, and what lies nearer does not");
    if (misses && !(unit > 0))
      unit = d;
  }
  return hw_known(method, unit, 0, HW_CLEAR);
}

struct hw_answer hw_value_fetch_bytes(const struct hw_curves *curves) {
  static const char method[] = "aligned pairs";
  const struct hw_curve *curve = hw_curves_get(curves, "fetch");
  double latency = hw_traffic_memory(curves);
  double first, miss, noise;

  if (curve == NULL || !(latency > 0))
    return hw_unknown(method, "its curve or the levels were not measured");
  if (fetch_time(curve, -(double)FETCH_DISTANCE) < 0 || fetch_time(curve, FETCH_DISTANCE) < 0)
    return hw_unknown(method, "a distance was not measured");
  first = 2 * fmin(fetch_time(curve, sizeof(void *)), fetch_time(curve, -(double)sizeof(void *)));
  miss = fetch_paid(curve, FETCH_DISTANCE, 1);
  noise = hw_rise_error(curve, &curve->point[0], &curve->point[curve->n - 1]);
  if (first < FETCH_MISS * latency || miss < FETCH_MISS * latency)
    return hw_unknown(method, "the loads do not miss");
  if (miss < HW_CLEAR * 2 * noise / FETCH_HITS)
    return hw_unknown(method, "the misses are not clear of the noise");
  return fetch_unit(curve, miss);
}
