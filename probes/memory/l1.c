/* Capacity and associativity of the level-1 data cache.

   Curve   l1_stride_<S>: x elements S bytes apart, y time of a load (cycles).
           l1_strides: x stride S (bytes), y largest compact number of elements, the first step of
           the curve above.
   Method  The number of elements that the cache holds halves as their stride doubles until, from
           the cache's own stride on, it stays at the associativity.  Rings in random order, at a
           new place for each sample, so that a line of ours in the same set (stack, code) spoils
           a sample and not the curve.
   Rows    L1_BYTES, L1_ASSOC.
   Cost    100 ms, 4 MiB.
   Limits  Caches indexed by virtual addresses, as level 1 is, with a power of two of sets.
   See     XM 3, 4.1.2; XT 4.2. */
#include "probes/memory/l1.h"

#include "probes/memory/compact.h"

/* A level-1 cache is smaller than this by far, and so is its stride. */
#define L1_SPAN ((size_t)8 << 20)
#define L1_ELEMENTS ((size_t)1 << 15)

int hw_probe_l1(struct hw_bench *bench) {
  const struct hw_compact compact = {.probe = "l1",
                                     .stem = "l1",
                                     .stride = 512,
                                     .stride_min = sizeof(void *),
                                     .stride_max = L1_SPAN / 8,
                                     .span = L1_SPAN,
                                     .elements = L1_ELEMENTS,
                                     .alignment = 128,
                                     .start = (size_t)64 << 10};

  return hw_compact_search(bench, &compact);
}

struct hw_answer hw_value_l1_assoc(const struct hw_curves *curves) {
  return hw_reduce_named(curves, "l1_strides", hw_reduce_compact_ways);
}

struct hw_answer hw_value_l1_bytes(const struct hw_curves *curves) {
  return hw_reduce_named(curves, "l1_strides", hw_reduce_compact_capacity);
}

int hw_l1_shape(const struct hw_curves *curves, struct hw_l1_shape *shape) {
  struct hw_answer ways = hw_value_l1_assoc(curves), bytes = hw_value_l1_bytes(curves);

  if (!ways.known || !bytes.known)
    return -1;
  shape->ways = (size_t)ways.value;
  shape->bytes = (size_t)bytes.value;
  shape->stride = shape->bytes / shape->ways;
  return 0;
}
