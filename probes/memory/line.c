/* Line of the level-1 data cache, in two ways, and its sets.

   Curve   l1_offset: x offset of the second half of a sequence (bytes), y time of a load (cycles).
           l1_pair: x distance of two loads (bytes), y time of a load (cycles).
   Method  Twice as many elements as ways in one set, the second half shifted by an offset: from
           the line on it falls into another set, and all are held (XM 4.1.3).  Pairs of loads at
           random places: from the line on the second load misses as well (BB 3.1.1).  The places
           are multiples of the cache's stride, so that twice as many of them as ways miss, and
           the next level, whatever its line, holds them all.  The higher address comes first, so
           that a prefetcher that brings the next line does not help the second.
   Rows    L1_LINE, both ways agreeing; L1_SETS.
   Cost    30 ms, 16 times the capacity.
   Limits  In a fully associative cache the first way has no step; the line is then the cache's
           own stride, and only the second way shows it.
   See     XM 4.1.3; BB 3.1.1. */
#include "probes/memory/l1.h"

/* Each pair has so many multiples of the cache's stride to lie at. */
#define LINE_PLACES 4u
/* Largest distance of a pair. */
#define LINE_DISTANCE 1024u
/* Sequences start at a multiple of this: at the start of a line. */
#define LINE_ALIGNMENT 512u
#define LINE_POINTS 16u

/* A random set: an offset within the cache's stride. */
static size_t line_set(const struct hw_l1_shape *l1, struct hw_random *random) {
  size_t sets = l1->stride / LINE_ALIGNMENT;

  return sets < 2 ? 0 : hw_random_below(random, sets) * LINE_ALIGNMENT;
}

/* A sequence of twice as many elements as ways, x the offset of its second half. */
static void line_offset(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_l1_shape *l1 = context;
  size_t start = line_set(l1, random);

  ring->n = 2 * l1->ways;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = start + i * l1->stride + (i < l1->ways ? 0 : (size_t)x);
  hw_random_order(random, ring->offset, ring->n);
}

/* Twice as many pairs as ways, at distance x; the higher address of each comes first. */
static void line_pairs(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_l1_shape *l1 = context;
  size_t pairs = 2 * l1->ways, distance = (size_t)x, start = line_set(l1, random) & ~distance;
  size_t *low = ring->offset + pairs;

  for (size_t i = 0; i < pairs; i++) {
    size_t place = i * LINE_PLACES + hw_random_below(random, LINE_PLACES);
    if (distance >= l1->stride)
      place = hw_skip_bit(place, distance / l1->stride);
    low[i] = place * l1->stride + start;
  }
  hw_random_order(random, low, pairs);
  for (size_t i = 0; i < pairs; i++) {
    size_t first = low[i];
    ring->offset[2 * i] = first + distance;
    ring->offset[2 * i + 1] = first;
  }
  ring->n = 2 * pairs;
}

/* Samples one curve over distances that double, from a word up to high. */
static int line_curve(struct hw_bench *bench, struct hw_series *series, size_t bytes, size_t high,
                      struct hw_curve *curve) {
  struct hw_machine *machine = bench->machine;
  double x[LINE_POINTS];
  size_t n = 0;
  int result;

  for (size_t at = sizeof(void *); at <= high && n < LINE_POINTS; at *= 2)
    x[n++] = (double)at;
  series->memory = machine->ops->map(machine, bytes, HW_PAGES_PLAIN);
  if (series->memory == NULL)
    return -1;
  result = hw_sample(bench, series, x, n, curve);
  machine->ops->unmap(machine, series->memory);
  if (result == 0)
    return hw_publish(bench, curve, "line", 1);
  hw_curve_free(curve);
  return -1;
}

int hw_probe_line(struct hw_bench *bench) {
  struct hw_l1_shape l1;
  struct hw_series offsets = {.arrange = line_offset, .context = &l1};
  struct hw_series pairs = {.arrange = line_pairs, .context = &l1};
  struct hw_curve offset, pair;
  size_t high;

  if (hw_l1_shape(&bench->curves, &l1) < 0)
    return -1;
  offsets.room = 2 * l1.ways;
  pairs.room = 4 * l1.ways;
  high = l1.stride / 2;
  hw_curve_init(&offset, "l1_offset", "offset of the second half (bytes)",
                "time of a load (cycles)");
  hw_curve_init(&pair, "l1_pair", "distance of two loads (bytes)", "time of a load (cycles)");
  if (line_curve(bench, &offsets, (2 * l1.ways + 3) * l1.stride, high, &offset) < 0)
    return -1;
  high = 2 * l1.stride < LINE_DISTANCE ? 2 * l1.stride : LINE_DISTANCE;
  return line_curve(bench, &pairs, 4 * LINE_PLACES * l1.bytes + 2 * LINE_DISTANCE, high, &pair);
}

/* The first distance at which the second load misses. */
static struct hw_answer line_of_pairs(const struct hw_curve *curve) {
  struct hw_answer step = hw_reduce_biggest_step(curve, HW_STEP_RELATIVE);

  step.value += step.error;
  return step;
}

struct hw_answer hw_value_l1_line(const struct hw_curves *curves) {
  struct hw_answer offset = hw_reduce_named(curves, "l1_offset", hw_reduce_biggest_drop);
  struct hw_answer pair = hw_reduce_named(curves, "l1_pair", line_of_pairs);
  struct hw_l1_shape l1;

  if (hw_l1_shape(curves, &l1) < 0)
    return hw_unknown(offset.method, "the shape of the cache is not known");
  /* One set: no offset leaves it, and its stride is the line. */
  if (!offset.known && pair.known && (size_t)pair.value == l1.stride)
    return pair;
  return hw_agreed(offset, pair);
}

struct hw_answer hw_value_l1_sets(const struct hw_curves *curves) {
  struct hw_answer line = hw_value_l1_line(curves);
  struct hw_l1_shape l1;

  if (!line.known || hw_l1_shape(curves, &l1) < 0)
    return hw_unknown(line.method, "the shape or line of the cache is not known");
  line.value = (double)l1.stride / line.value;
  line.error = 0;
  return line;
}
