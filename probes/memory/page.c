/* The page that the TLB sees.

   Curve   page: x stride of two loads (bytes), y time of a load (cycles).
   Method  Pairs of loads a stride apart, at random places of a large buffer.  Below the page the
           second load finds its translation with the first's; from the page on it misses the TLB
           as well.  The lines of a ring are spread evenly over the sets of level 1, so that the
           data cache holds them all, at every stride; where they are too few to fill the TLB,
           their number doubles until the step is clear.
   Rows    PAGE_BYTES.
   Cost    100 ms, some hundred pages.
   Limits  Pages up to half of PAGE_STRIDE.
   See     BB 3.2, 4.2.2; XM 6. */
#include "probes/memory/l1.h"

#include <stdio.h>

/* Largest stride. */
#define PAGE_STRIDE ((size_t)1 << 20)
/* Part of the buffer that a pair has to itself, and most pairs.  All pages of the buffer are
   touched in the end: with most pairs, 64 MiB. */
#define PAGE_PART ((size_t)32 << 10)
#define PAGE_PAIRS ((size_t)2048)
#define PAGE_POINTS 32u

struct page_shape {
  struct hw_l1_shape l1;
  size_t line;
  size_t pairs;
};

/* Puts a 0 into n at the bit that stride is. */
static size_t page_insert(size_t n, size_t stride) {
  return (n & (stride - 1)) | (n & ~(stride - 1)) << 1;
}

/* Pairs at stride x.  Each pair lies at a random multiple of the cache's stride (or of twice x,
   when that is more), at a line of its own among the sets. */
static void page_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct page_shape *shape = context;
  size_t stride = (size_t)x, unit = shape->l1.stride, sets = unit / shape->line;
  size_t part = PAGE_PART / unit > 2 ? PAGE_PART / unit / 2 : 1;
  size_t *low = ring->offset + shape->pairs;

  for (size_t i = 0; i < shape->pairs; i++) {
    size_t at = i * part + hw_random_below(random, part);
    at = stride >= unit ? page_insert(at, stride / unit) : 2 * at;
    low[i] = (at * unit + i % sets * shape->line) & ~stride;
  }
  hw_random_order(random, low, shape->pairs);
  for (size_t i = 0; i < shape->pairs; i++) {
    size_t first = low[i];
    ring->offset[2 * i] = first;
    ring->offset[2 * i + 1] = first + stride;
  }
  ring->n = 2 * shape->pairs;
}

/* Strides from two lines on, doubling.  Returns how many. */
static size_t page_grid(const struct page_shape *shape, double *x) {
  size_t n = 0;

  for (size_t at = 2 * shape->line; at <= PAGE_STRIDE && n < PAGE_POINTS; at *= 2)
    x[n++] = (double)at;
  return n;
}

/* The first stride of a new page. */
static struct hw_answer page_step(const struct hw_curve *curve) {
  struct hw_answer step = hw_reduce_biggest_step(curve, HW_STEP_SCALED);

  step.value += step.error;
  return step;
}

/* Measures the curve with so many pairs.  1 when its step is clear, 0 when not, -1 on failure. */
static int page_curve(struct hw_bench *bench, struct hw_memory *memory, struct page_shape *shape) {
  struct hw_series series = {
      .memory = memory, .room = 2 * shape->pairs, .arrange = page_arrange, .context = shape};
  struct hw_curve curve;
  struct hw_answer step;
  double x[PAGE_POINTS];

  hw_curve_init(&curve, "page", "stride of two loads (bytes)", "time of a load (cycles)");
  if (hw_sample(bench, &series, x, page_grid(shape, x), &curve) < 0) {
    hw_curve_free(&curve);
    return -1;
  }
  step = page_step(&curve);
  fprintf(bench->log, "page: %zu pairs: %s\n", shape->pairs, step.known ? "clear" : step.why);
  return hw_publish(bench, &curve, "page", 1) < 0 ? -1 : step.known;
}

int hw_probe_page(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct page_shape shape;
  struct hw_memory *memory;
  int result = 0;

  if (!line.known || hw_l1_shape(&bench->curves, &shape.l1) < 0)
    return -1;
  shape.line = (size_t)line.value;
  memory = machine->ops->map(
      machine,
      PAGE_PAIRS * (PAGE_PART > 2 * shape.l1.stride ? PAGE_PART : 2 * shape.l1.stride) +
          2 * PAGE_STRIDE,
      HW_PAGES_PLAIN);
  if (memory == NULL)
    return -1;
  /* Half of the lines of level 1. */
  for (shape.pairs = shape.l1.bytes / shape.line / 4; result == 0 && shape.pairs <= PAGE_PAIRS;
       shape.pairs *= 2)
    result = page_curve(bench, memory, &shape);
  machine->ops->unmap(machine, memory);
  return result < 0 ? -1 : 0;
}

struct hw_answer hw_value_page_bytes(const struct hw_curves *curves) {
  return hw_reduce_named(curves, "page", page_step);
}
