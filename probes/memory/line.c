/* Line of the level-1 data cache, in two ways, and its sets.

   Curve   l1_offset: x offset of the second half of a sequence (bytes), y time of a load (cycles).
           l1_pair: x distance of two loads (bytes), y time of a load (cycles).
   Method  Twice as many elements as ways in one set, the second half shifted by an offset: from
           the line on it falls into another set, and all are held (XM 4.1.3).  Pairs of loads at
           random places of a buffer much larger than the cache: from the line on the second load
           misses as well (BB 3.1.1).  The higher address comes first, so that a prefetcher that
           brings the next line does not help the second.
   Rows    L1_LINE, both ways agreeing; L1_SETS.
   Cost    100 ms, 16 times the capacity.
   Limits  In a fully associative cache the first way has no step; the line is then the cache's
           own stride, and only the second way shows it.
   See     XM 4.1.3; BB 3.1.1. */
#include "probes/memory/l1.h"

/* Buffer and loads of the pairs, in capacities: so many loads miss even with lines of 8 bytes. */
#define LINE_BUFFER 16u
#define LINE_WORD sizeof(void *)
/* Largest distance of a pair. */
#define LINE_DISTANCE 1024u
#define LINE_POINTS 16u

/* A sequence of twice as many elements as ways, x the offset of its second half. */
static void line_offset(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_l1_shape *l1 = context;
  size_t start = hw_random_below(random, l1->stride / LINE_WORD) * LINE_WORD;

  start -= start % (l1->stride < 512 ? l1->stride : 512); /* at the start of a line */
  ring->n = 2 * l1->ways;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = start + i * l1->stride + (i < l1->ways ? 0 : (size_t)x);
  hw_random_order(random, ring->offset, ring->n);
}

/* Puts a 0 into n at the bit that distance is. */
static size_t line_insert(size_t n, size_t distance) {
  return (n & (distance - 1)) | (n & ~(distance - 1)) << 1;
}

/* Pairs at distance x, all over the buffer; the higher word of each comes first. */
static void line_pairs(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_l1_shape *l1 = context;
  size_t words = LINE_BUFFER * l1->bytes / LINE_WORD, pairs = ring->room / 2;
  size_t distance = (size_t)x / LINE_WORD, *low = ring->offset + pairs;

  /* Distinct pairs: one of each of as many equal parts of all the pairs there are. */
  for (size_t i = 0, part = words / 2 / pairs; i < pairs; i++)
    low[i] = line_insert(i * part + hw_random_below(random, part), distance);
  hw_random_order(random, low, pairs);
  for (size_t i = 0; i < pairs; i++) {
    size_t word = low[i];
    ring->offset[2 * i] = (word + distance) * LINE_WORD;
    ring->offset[2 * i + 1] = word * LINE_WORD;
  }
  ring->n = 2 * pairs;
  ring->warm = ring->walk = ring->n;
}

/* Samples one curve over distances that double, from a word up to high. */
static int line_curve(struct hw_bench *bench, struct hw_series *series, size_t bytes, size_t high,
                      struct hw_curve *curve) {
  struct hw_machine *machine = bench->machine;
  double x[LINE_POINTS];
  size_t n = 0;
  int result;

  for (size_t at = LINE_WORD; at <= high && n < LINE_POINTS; at *= 2)
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
  pairs.room = l1.bytes / 4;
  high = l1.stride > LINE_WORD ? l1.stride / 2 : LINE_WORD;
  hw_curve_init(&offset, "l1_offset", "offset of the second half (bytes)",
                "time of a load (cycles)");
  hw_curve_init(&pair, "l1_pair", "distance of two loads (bytes)", "time of a load (cycles)");
  if (line_curve(bench, &offsets, (2 * l1.ways + 3) * l1.stride, high, &offset) < 0)
    return -1;
  return line_curve(bench, &pairs, LINE_BUFFER * l1.bytes + 2 * LINE_DISTANCE,
                    l1.stride < LINE_DISTANCE / 2 ? 2 * l1.stride : LINE_DISTANCE, &pair);
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
