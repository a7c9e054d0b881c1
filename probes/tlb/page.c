/* The page that the TLB sees.

   Curve   page: x stride of two loads (bytes), y time of a load (cycles).
           page_packed: x number of loads, the same, on adjacent lines, y time of a load (cycles).
   Method  Pairs of loads a stride apart, at random places of a large buffer.  Below the page the
           second load finds its translation with the first's; from the page on it misses the TLB
           as well.  Few pairs first, so that the data cache holds all their lines, which are
           spread evenly over its sets at every stride; the number doubles until the TLB no longer
           holds their pages and the step is clear.  Packed loads are the control, without the TLB.
   Rows    PAGE_BYTES.
   Cost    100 ms, some hundred pages.
   Limits  Pages up to half of PAGE_STRIDE.
   See     BB 3.2, 4.2.2; XM 6. */
#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/hint.h"
#include "probes/probe.h"

#include <stdio.h>

/* The largest stride; the least is HW_LINE_LONGEST. */
#define PAGE_STRIDE ((size_t)1 << 20)
/* Part of the buffer that a pair has to itself, bytes, and most pairs: with these, 64 MiB are
   touched in the end. */
#define PAGE_PART ((size_t)32 << 10)
#define PAGE_PAIRS ((size_t)2048)
/* Fewest pairs: no TLB of today has fewer entries than their loads, two a pair. */
#define PAGE_PAIRS_MIN ((size_t)16)
#define PAGE_POINTS 32u

struct page_shape {
  size_t unit; /* bytes: lines that far apart share a set of level 1 */
  size_t line;
  size_t apart; /* bytes: as far apart, each load has a line of its own */
  size_t pairs;
};

/* The line of the i-th pair's first load, within the cache's stride: the first and the second load
   of the pairs fall into different halves of the sets, and each half is filled evenly. */
static size_t page_line(const struct page_shape *shape, size_t i, size_t stride) {
  size_t sets = shape->unit / shape->line;
  size_t bit = (stride < shape->unit ? stride : shape->unit / 2) / shape->line;

  return sets < 2 ? 0 : hw_skip_bit(i % (sets / 2), bit) * shape->line;
}

/* Pairs at stride x, each in its own part of the buffer, at a random multiple of the cache's stride
   in which the bit of x is clear. */
static void page_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct page_shape *shape = context;
  size_t stride = (size_t)x, unit = shape->unit;
  size_t part = PAGE_PART / unit > 2 ? PAGE_PART / unit / 2 : 1;
  size_t second = stride < unit ? stride : stride + unit / 2 / shape->line * shape->line;
  size_t *low = ring->offset + shape->pairs;

  for (size_t i = 0; i < shape->pairs; i++) {
    size_t at = i * part + hw_random_below(random, part);
    at = stride < unit ? 2 * at : hw_skip_bit(at, stride / unit);
    low[i] = at * unit + page_line(shape, i, stride);
  }
  hw_random_order(random, low, shape->pairs);
  for (size_t i = 0; i < shape->pairs; i++) {
    size_t first = low[i];
    ring->offset[2 * i] = first;
    ring->offset[2 * i + 1] = first + second;
  }
  ring->n = 2 * shape->pairs;
}

/* Lays out x loads, as many as the pairs have, on adjacent lines.  If the line is assumed, at
   its double, so that each load has its own, and half of them between, so that all sets are used.
 */
static void page_pack(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct page_shape *shape = context;

  ring->n = (size_t)x;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = i * shape->apart + (2 * i < ring->n ? 0 : shape->apart - shape->line);
  hw_random_order(random, ring->offset, ring->n);
}

/* Samples both curves.  0, or -1 when memory or time was short. */
static int page_sample(struct hw_bench *bench, struct hw_memory *memory, struct page_shape *shape,
                       struct hw_curve *curve, struct hw_curve *packed) {
  struct hw_series series = {.memory = memory, .room = 2 * shape->pairs, .context = shape};
  double loads = 2 * (double)shape->pairs, x[PAGE_POINTS];
  size_t n = 0;

  series.arrange = page_pack;
  if (hw_sample(bench, &series, &loads, 1, packed) < 0)
    return -1;
  series.arrange = page_arrange;
  for (size_t at = HW_LINE_LONGEST; at <= PAGE_STRIDE && n < PAGE_POINTS; at *= 2)
    x[n++] = (double)at;
  return hw_sample(bench, &series, x, n, curve);
}

/* Measures the curves with shape->pairs and publishes them, both or none: they belong together.  1
   when they have an answer, 0 when not, -1 on failure. */
static int page_curves(struct hw_bench *bench, struct hw_memory *memory, struct page_shape *shape) {
  struct hw_curve curve, packed;
  struct hw_answer page;
  int result;

  hw_curve_init(&curve, HW_NAME_PAGE, "stride of two loads (bytes)", "time of a load (cycles)");
  hw_curve_init(&packed, HW_NAME_PAGE_PACKED, "packed loads (count)", "time of a load (cycles)");
  result = page_sample(bench, memory, shape, &curve, &packed);
  result = hw_publish(bench, &curve, "page", result);
  if (hw_publish(bench, &packed, "page", result) < 0)
    return -1;
  page = hw_value_page_bytes(&bench->curves);
  fprintf(bench->log, "page: %zu pairs: %s\n", shape->pairs, page.known ? "clear" : page.why);
  return page.known;
}

/* Maps a buffer for most pairs, or for as many of them as there is memory for. */
static struct hw_memory *page_map(struct hw_bench *bench, size_t unit, size_t *most) {
  const size_t part = PAGE_PART > 2 * unit ? PAGE_PART : 2 * unit;
  struct hw_memory *memory = NULL;

  for (*most = PAGE_PAIRS; memory == NULL && *most >= PAGE_PAIRS_MIN; *most /= 2) {
    const size_t bytes = *most * part + 2 * PAGE_STRIDE;
    if (bytes <= bench->memory || *most == PAGE_PAIRS_MIN)
      memory = bench->machine->ops->map(bench->machine, bytes, HW_PAGES_PLAIN);
  }
  *most *= 2;
  if (memory != NULL)
    bench->machine->refused = NULL;
  return memory;
}

int hw_probe_page(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct page_shape shape = {.unit = hw_hint_stride(&bench->curves),
                             .line = hw_hint_line(&bench->curves, HW_HINT_SHORT),
                             .apart = hw_hint_line(&bench->curves, HW_HINT_USUAL)};
  struct hw_memory *memory;
  size_t most;
  int result = 0;

  memory = page_map(bench, shape.unit, &most);
  if (memory == NULL)
    return -1;
  for (shape.pairs = PAGE_PAIRS_MIN; result == 0 && shape.pairs <= most; shape.pairs *= 2)
    result = page_curves(bench, memory, &shape);
  machine->ops->unmap(machine, memory);
  return result < 0 ? -1 : 0;
}
