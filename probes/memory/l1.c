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

#include <stdio.h>

/* The first stride that is tried, and the least. */
#define L1_STRIDE 512u
#define L1_STRIDE_MIN ((unsigned)sizeof(void *))
/* The largest: twice that of a direct-mapped cache of 512 KiB. */
#define L1_STRIDE_MAX ((size_t)1 << 20)
/* Elements of the first look. */
#define L1_LIMIT 16u
/* Elements and strides grow no further than this; a level-1 cache is smaller by far. */
#define L1_SPAN ((size_t)8 << 20)
#define L1_ELEMENTS ((size_t)1 << 15)
/* Rings start at a random multiple of the alignment below this. */
#define L1_START ((size_t)64 << 10)
#define L1_ALIGNMENT ((size_t)128)
/* Points that are put between two where the step lies. */
#define L1_BETWEEN 7u
/* Points of the first pass. */
#define L1_POINTS 40u

/* x elements at the stride in *context. */
static void l1_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  size_t stride = *(const size_t *)context;
  size_t start = hw_random_below(random, L1_START / L1_ALIGNMENT) * L1_ALIGNMENT;

  ring->n = (size_t)x;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = start + i * stride;
  hw_random_order(random, ring->offset, ring->n);
}

/* Numbers of elements from low to high, growing by about a quarter.  Returns how many. */
static size_t l1_grid(double *x, size_t low, size_t high) {
  size_t n = 0;

  for (size_t at = low; at < high && n + 1 < L1_POINTS; at += at / 4 + 1)
    x[n++] = (double)at;
  x[n++] = (double)high;
  return n;
}

/* Measures between the last point before the step and the first behind it until they are
   neighbours.  The answer, or no answer. */
static struct hw_answer l1_refine(struct hw_bench *bench, const struct hw_series *series,
                                  struct hw_curve *curve) {
  for (;;) {
    struct hw_answer step = hw_reduce_first_step(curve);
    double x[L1_BETWEEN + 2];
    size_t gap = (size_t)step.error, n = gap < L1_BETWEEN + 1 ? gap : L1_BETWEEN + 1;
    if (!step.known || gap <= 1)
      return step;
    for (size_t i = 0; i <= n; i++)
      x[i] = step.value + (double)(i * gap / n);
    if (hw_sample(bench, series, x, n + 1, curve) < 0)
      return hw_unknown(step.method, "time or memory was short");
  }
}

/* Measures the curve of one stride: from one element on to twice as many as are compact.  limit:
   where to look first.  Returns the answer; the curve holds the points. */
static struct hw_answer l1_stride(struct hw_bench *bench, const struct hw_series *series,
                                  size_t stride, size_t limit, struct hw_curve *curve) {
  struct hw_answer step;
  double x[L1_POINTS];
  size_t low = 1;

  do {
    if (hw_sample(bench, series, x, l1_grid(x, low, limit), curve) < 0)
      return hw_unknown("first step", "time or memory was short");
    step = hw_reduce_first_step(curve);
    low = limit;
    limit *= 2;
  } while ((!step.known || 2 * step.value > (double)low) && limit <= L1_ELEMENTS &&
           limit * stride <= L1_SPAN);
  return step.known ? l1_refine(bench, series, curve) : step;
}

/* Measures a stride, publishes its curve and puts what is compact into lengths.  Returns the
   number of elements that are compact, 0 when it is not clear, -1 on failure. */
static long l1_length(struct hw_bench *bench, struct hw_memory *memory, size_t stride, size_t limit,
                      struct hw_curve *lengths) {
  struct hw_series series = {
      .memory = memory, .room = L1_ELEMENTS, .arrange = l1_arrange, .context = &stride};
  struct hw_answer step;
  struct hw_curve curve;
  char name[HW_CURVE_NAME], x_title[HW_CURVE_TEXT];
  unsigned long count;

  snprintf(name, sizeof name, "l1_stride_%zu", stride);
  snprintf(x_title, sizeof x_title, "elements %zu bytes apart (count)", stride);
  hw_curve_init(&curve, name, x_title, "time of a load (cycles)");
  step = l1_stride(bench, &series, stride, limit, &curve);
  count = curve.n;
  if (hw_publish(bench, &curve, "l1", 1) < 0 || hw_late(bench))
    return -1;
  fprintf(bench->log, "l1: stride %zu: %s %.0f\n", stride, step.known ? "compact up to" : step.why,
          step.known ? step.value : 0.0);
  if (!step.known)
    return 0;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, step.value, 0, count}) < 0
             ? -1
             : (long)step.value;
}

/* Measures ever larger strides from the first on until the length stays, then, if it never
   changed, ever smaller ones until it does.  Where a set overflows by degrees (replacement that is
   not LRU) small strides are not clear under noise: the larger ones decide. */
static int l1_search(struct hw_bench *bench, struct hw_memory *memory, struct hw_curve *lengths) {
  size_t limit = L1_LIMIT;
  long length = 0, last = -1;

  for (size_t stride = L1_STRIDE; stride <= L1_STRIDE_MAX && length != last; stride *= 2) {
    last = length > 0 ? length : -1;
    length = l1_length(bench, memory, stride, limit, lengths);
    if (length < 0)
      return -1;
    limit = length > 0 ? 2 * (size_t)length + 2 : L1_LIMIT;
  }
  for (size_t stride = L1_STRIDE / 2;
       lengths->n > 0 && !(lengths->point[0].y > (double)last) && stride >= L1_STRIDE_MIN;
       stride /= 2)
    if (l1_length(bench, memory, stride, 4 * (size_t)last + 4, lengths) <= 0)
      return -1;
  return 0;
}

int hw_probe_l1(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_memory *memory = machine->ops->map(machine, L1_SPAN + L1_START, HW_PAGES_PLAIN);
  struct hw_curve lengths;
  int result;

  if (memory == NULL)
    return -1;
  hw_curve_init(&lengths, "l1_strides", "stride (bytes)", "compact elements (count)");
  result = l1_search(bench, memory, &lengths);
  machine->ops->unmap(machine, memory);
  return hw_publish(bench, &lengths, "l1", 1) < 0 ? -1 : result;
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
