/* Capacity and associativity of the level-1 data cache.

   Curve   l1_stride_<S>: x elements S bytes apart, y time of a load (cycles).
           l1_strides: x stride S (bytes), y largest compact number of elements, the first step of
           the curve above.
           l1_split: x shift of half of the elements of an overfull set (bytes), y time of a load
           (cycles).
   Method  The number of elements that the cache holds halves as their stride doubles until, from
           the cache's own stride on, it stays at the associativity.  Rings in random order, at a
           new place for each sample, so that a line of ours in the same set (stack, code) spoils
           a sample and not the curve.  A TLB that is smaller than the cache would be found in
           its place: elements that leave the set but not the page tell them apart.
   Rows    L1_BYTES, L1_ASSOC, L1_LRU.
   Cost    100 ms, 4 MiB.
   Limits  Caches indexed by virtual addresses, as level 1 is, with a power of two of sets.
   See     XM 3, 4.1.2; XT 4.2. */
#include "probes/memory/l1.h"

#include "probes/memory/compact.h"

#include <stdio.h>

/* A level-1 cache is smaller than this by far, and so is its stride. */
#define L1_SPAN ((size_t)8 << 20)
#define L1_ELEMENTS ((size_t)1 << 15)
/* Longer than any line, shorter than any page: a shift by this leaves the set of a cache, and
   keeps the set of a TLB. */
#define L1_SHIFT 512u
/* Points that tell the replacement, at most, and how many times as well they are to be known where
   that is not clear. */
#define L1_TURNS 16u
#define L1_TIMES 3u
/* The shift must take away all but one in so many of the extra cycles. */
#define L1_SPLIT 2

/* The shape that the lengths tell, of a cache or not.  0, or -1 when it is not clear. */
static int l1_shape(const struct hw_curves *curves, struct hw_l1_shape *shape) {
  struct hw_answer ways = hw_reduce_named(curves, "l1_strides", hw_reduce_compact_ways);
  struct hw_answer bytes = hw_reduce_named(curves, "l1_strides", hw_reduce_compact_capacity);

  if (!ways.known || !bytes.known)
    return -1;
  shape->ways = (size_t)ways.value;
  shape->bytes = (size_t)bytes.value;
  shape->stride = shape->bytes / shape->ways;
  return 0;
}

/* Two sequences of as many elements as ways, each in one set of its own when x is not 0. */
static void l1_split(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_l1_shape *l1 = context;

  ring->n = 2 * l1->ways;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = i * l1->stride + (i < l1->ways ? 0 : (size_t)x);
  hw_random_order(random, ring->offset, ring->n);
}

/* Measures what tells the cache from a TLB. */
static int l1_control(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  static const double shift[] = {0, L1_SHIFT};
  struct hw_l1_shape l1;
  struct hw_series series = {.arrange = l1_split, .context = &l1};
  struct hw_curve curve;
  int result;

  if (l1_shape(&bench->curves, &l1) < 0 || l1.stride < 2 * L1_SHIFT)
    return 0;
  series.room = 2 * l1.ways;
  series.memory = machine->ops->map(machine, 2 * l1.bytes + L1_SHIFT, HW_PAGES_PLAIN);
  if (series.memory == NULL)
    return -1;
  hw_curve_init(&curve, "l1_split", "shift of every second element (bytes)",
                "time of a load (cycles)");
  result = hw_sample(bench, &series, shift, 2, &curve);
  machine->ops->unmap(machine, series.memory);
  if (result == 0)
    return hw_publish(bench, &curve, "l1", 1);
  hw_curve_free(&curve);
  return -1;
}

/* Where it is not clear whether all miss of one element too many, measures what tells it again. */
static int l1_turns(struct hw_bench *bench, const struct hw_compact *compact) {
  struct hw_answer lru = hw_value_l1_lru(&bench->curves);
  const struct hw_curve *curve;
  double x[L1_TURNS];
  char name[HW_CURVE_NAME];
  struct hw_l1_shape l1;
  size_t n = 0;

  if (lru.known || lru.settled || hw_l1_shape(&bench->curves, &l1) < 0)
    return 0;
  snprintf(name, sizeof name, "l1_stride_%zu", l1.stride);
  curve = hw_curves_get(&bench->curves, name);
  /* Those between the ways and twice as many. */
  for (size_t i = 0; curve != NULL && i < curve->n && n < L1_TURNS; i++)
    if (curve->point[i].x > (double)l1.ways - 0.5) {
      x[n++] = curve->point[i].x;
      if (curve->point[i].x > 2 * (double)l1.ways - 0.5)
        break;
    }
  return n > 0 ? hw_compact_again(bench, compact, l1.stride, x, n, L1_TIMES) : 0;
}

int hw_probe_l1(struct hw_bench *bench) {
  const struct hw_compact compact = {.probe = "l1",
                                     .stem = "l1",
                                     .stride = 512,
                                     .stride_min = sizeof(void *),
                                     .stride_max = L1_SPAN / 8,
                                     .span = L1_SPAN,
                                     .elements = L1_ELEMENTS,
                                     .alignment = 128,
                                     .start = (size_t)64 << 10,
                                     .issue = hw_issue_again(&bench->curves, "l1_strides")};

  if (hw_compact_search(bench, &compact) < 0 || l1_control(bench) < 0)
    return -1;
  return l1_turns(bench, &compact);
}

/* NULL, or why what was found is no cache. */
static const char *l1_doubt(const struct hw_curves *curves, const struct hw_l1_shape *l1) {
  const struct hw_curve *split = hw_curves_get(curves, "l1_split");
  const struct hw_curve *first = hw_curves_get(curves, "l1_stride_512");

  if (l1->stride < 2 * L1_SHIFT)
    return NULL;
  if (split == NULL || split->n != 2 || first == NULL || first->n == 0)
    return "its control was not measured";
  /* All of one set hit when half of them leave it: most of what they cost is gone. */
  return split->point[1].y - first->point[0].y < (split->point[0].y - first->point[0].y) / L1_SPLIT
             ? NULL
             : "it is not the cache that overflows";
}

/* The answer of a reduction of the lengths, when they are those of a cache. */
static struct hw_answer l1_value(const struct hw_curves *curves,
                                 struct hw_answer (*reduce)(const struct hw_curve *)) {
  struct hw_answer answer = hw_reduce_named(curves, "l1_strides", reduce);
  struct hw_l1_shape l1;
  const char *doubt;

  if (!answer.known || l1_shape(curves, &l1) < 0)
    return answer;
  doubt = l1_doubt(curves, &l1);
  return doubt == NULL ? answer : hw_unknown(answer.method, doubt);
}

struct hw_answer hw_value_l1_assoc(const struct hw_curves *curves) {
  return l1_value(curves, hw_reduce_compact_ways);
}

struct hw_answer hw_value_l1_bytes(const struct hw_curves *curves) {
  return l1_value(curves, hw_reduce_compact_capacity);
}

int hw_l1_shape(const struct hw_curves *curves, struct hw_l1_shape *shape) {
  return hw_value_l1_assoc(curves).known ? l1_shape(curves, shape) : -1;
}

/* Off the curve of the cache's own stride, at which all elements meet in one set. */
struct hw_answer hw_value_l1_lru(const struct hw_curves *curves) {
  struct hw_answer ways = hw_value_l1_assoc(curves);
  const struct hw_curve *curve;
  struct hw_l1_shape l1;
  char name[HW_CURVE_NAME];

  if (!ways.known || l1_shape(curves, &l1) < 0)
    return ways;
  snprintf(name, sizeof name, "l1_stride_%zu", l1.stride);
  curve = hw_curves_get(curves, name);
  return curve != NULL ? hw_reduce_lru(curve, ways.value)
                       : hw_unknown(ways.method, "its curve was not measured");
}
