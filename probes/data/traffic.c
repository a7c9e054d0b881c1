/* What the probes of traffic between the levels have in common. */
#include "probes/data/traffic.h"

#include "analysis/rows/hint.h"

#include <math.h>
#include <stdlib.h>

/* A cache is used up to this part of its plateau: near the end some lines miss, as page colours are
   uneven. */
#define TRAFFIC_PART 0.75
/* The largest working set of a level as a multiple of the least: larger ones take longer and show
   nothing more.  In memory they are larger already. */
#define TRAFFIC_SPAN 8.0
#define TRAFFIC_SPAN_MEMORY 1.5

/* Precision of a point of a batch, and rounds at most in multiples of the least. */
#define BATCH_PRECISION 0.02
#define BATCH_ROUNDS 1
/* Looks at the error until then: a round lays out and evicts all points. */
#define BATCH_LOOKS 3

/* Bytes of a segment, whose lines are all visited before the next: no first-level TLB holds fewer
   than 16 entries, and a prefetcher finds no pattern in the order. */
#define TRAFFIC_SEGMENT (16 * HW_TRAFFIC_BLOCK)

/* Bytes, rounded up to a multiple of HW_TRAFFIC_UNIT. */
static size_t traffic_units(double bytes) {
  return (size_t)ceil(bytes / (double)HW_TRAFFIC_UNIT) * HW_TRAFFIC_UNIT;
}

/* Chooses the working sets of a level, one in memory.  Those beyond level 1 start in the middle of
   the plateau: of a stream little larger than the level above, that still holds a part. */
static void traffic_points(struct hw_traffic *traffic, size_t level) {
  const struct hw_level *at = &traffic->level[level];
  bool memory = level == traffic->caches;
  double most = fmin(at->most * (memory ? 1 : TRAFFIC_PART),
                     at->least * (memory ? TRAFFIC_SPAN_MEMORY : TRAFFIC_SPAN));
  double least = level == 0 ? at->least : memory ? most : sqrt(at->least * fmax(at->least, most));
  double ratio = fmax(most / least, 1);
  size_t n = 0;

  for (size_t i = 0; i < HW_TRAFFIC_POINTS; i++) {
    double x = least * pow(ratio, (double)i / (HW_TRAFFIC_POINTS - 1));
    size_t bytes = traffic_units(x);
    if ((double)bytes <= at->most && (n == 0 || bytes > traffic->x[level][n - 1]))
      traffic->x[level][n++] = bytes;
  }
  traffic->n[level] = n;
}

int hw_traffic_open(const struct hw_curves *curves, struct hw_traffic *traffic) {
  size_t levels = hw_traffic_levels(curves, traffic->level, &traffic->memory);

  if (levels < 2)
    return -1;
  traffic->caches = levels - 1;
  traffic->line = hw_hint_line(curves, HW_HINT_USUAL);
  for (size_t i = 0; i < levels; i++)
    traffic_points(traffic, i);
  return 0;
}

int hw_traffic_lacks(struct hw_bench *bench) {
  if (!hw_value_cache_levels(&bench->curves).known)
    return hw_lacks(bench, "HW_CACHE_LEVELS is unknown");
  return hw_lacks(bench, "there is no cache");
}

size_t hw_traffic_level(const struct hw_traffic *traffic, double x) {
  size_t level = 0;

  while (level < traffic->caches && x > traffic->level[level].most)
    level++;
  return level;
}

/* The even or the odd lines of the segment at byte at, in random order.  Returns their number. */
static size_t traffic_segment(const struct hw_traffic *traffic, size_t at, size_t x, size_t odd,
                              struct hw_random *random, size_t *offset) {
  size_t end = at + TRAFFIC_SEGMENT < x ? at + TRAFFIC_SEGMENT : x, n = 0;

  for (at += odd * traffic->line; at < end; at += 2 * traffic->line)
    offset[n++] = at;
  hw_random_order(random, offset, n);
  return n;
}

size_t hw_traffic_lines(const struct hw_traffic *traffic, size_t x, struct hw_random *random,
                        size_t *offset) {
  size_t segments = (x + TRAFFIC_SEGMENT - 1) / TRAFFIC_SEGMENT, n = 0;
  size_t *order = calloc(segments, sizeof *order);

  if (order == NULL)
    return 0;
  for (size_t i = 0; i < segments; i++)
    order[i] = i * TRAFFIC_SEGMENT;
  hw_random_order(random, order, segments);
  for (size_t odd = 0; odd < 2; odd++)
    for (size_t i = 0; i < segments; i++)
      n += traffic_segment(traffic, order[i], x, odd, random, offset + n);
  free(order);
  return n;
}

int hw_traffic_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe,
                       int result) {
  if (result == 0)
    result = hw_curve_join(curve, hw_curves_get(&bench->curves, curve->name));
  return hw_publish(bench, curve, probe, result);
}

/* Maps memory, and writes it: pages that were never written may all map the zero page. */
static struct hw_memory *flushed_map(struct hw_machine *machine, size_t bytes,
                                     enum hw_placement placement) {
  struct hw_memory *memory = machine->ops->map(machine, bytes, placement);

  if (memory != NULL)
    machine->ops->stream(machine, memory, HW_STREAM_WRITE, 0, bytes);
  return memory;
}

int hw_flushed_open(struct hw_flushed *flushed, struct hw_bench *bench, size_t bytes, double rest) {
  struct hw_machine *machine = bench->machine;

  bytes = traffic_units((double)bytes);
  *flushed = (struct hw_flushed){.machine = machine, .rest = traffic_units(rest)};
  if (flushed->rest > bench->memory || bytes > bench->memory - flushed->rest)
    return -1;
  flushed->memory = flushed_map(machine, bytes, HW_PAGES_HUGE);
  flushed->other = flushed_map(machine, flushed->rest, HW_PAGES_PLAIN);
  if (flushed->memory != NULL && flushed->other != NULL)
    return 0;
  hw_flushed_close(flushed);
  return -1;
}

void hw_flush(const struct hw_flushed *flushed, size_t bytes) {
  bytes = bytes < flushed->rest ? bytes / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT : flushed->rest;
  flushed->machine->ops->stream(flushed->machine, flushed->other, HW_STREAM_READ, 0, bytes);
}

void hw_flushed_close(struct hw_flushed *flushed) {
  flushed->machine->ops->unmap(flushed->machine, flushed->memory);
  flushed->machine->ops->unmap(flushed->machine, flushed->other);
}

static size_t batch_find(const struct hw_batch *batch, double x) {
  size_t i = 0;

  while (i + 1 < batch->n && batch->x[i] < x)
    i++;
  return i;
}

/* Lays out and evicts all points again when the layout of this one is used up. */
static int batch_prepare(void *context, double x, struct hw_random *random) {
  struct hw_batch *batch = context;
  const size_t *block = batch->block;

  if (batch->fresh[batch_find(batch, x)])
    return 0;
  hw_random_order(random, batch->block, batch->blocks);
  for (size_t i = 0; i < batch->n; i++) {
    if (batch->lay(batch->context, batch, i, &block, random) < 0)
      return -1;
    batch->fresh[i] = true;
  }
  hw_flush(&batch->flushed, batch->flushed.rest);
  return 0;
}

static double batch_work(void *context, double x) {
  struct hw_batch *batch = context;
  size_t i = batch_find(batch, x);

  batch->fresh[i] = false;
  return batch->walk(batch->context, batch, i);
}

int hw_batch_sample(struct hw_batch *batch, double rest, struct hw_curve *curve) {
  struct hw_effort effort = hw_traffic_effort(batch->bench, BATCH_PRECISION, BATCH_ROUNDS);
  const struct hw_task task = {
      .prepare = batch_prepare, .work = batch_work, .context = batch, .effort = &effort};
  int result = -1;

  effort.rounds = (effort.rounds + BATCH_LOOKS - 1) / BATCH_LOOKS;
  batch->block = calloc(batch->blocks, sizeof *batch->block);
  if (batch->block == NULL)
    return -1;
  for (size_t i = 0; i < batch->blocks; i++)
    batch->block[i] = i * HW_TRAFFIC_BLOCK;
  if (hw_flushed_open(&batch->flushed, batch->bench, batch->blocks * HW_TRAFFIC_BLOCK, rest) == 0) {
    result = hw_sample_task(batch->bench, &task, batch->x, batch->n, curve);
    hw_flushed_close(&batch->flushed);
  }
  free(batch->block);
  return result;
}

struct hw_effort hw_traffic_effort(const struct hw_bench *bench, double precision, unsigned times) {
  struct hw_effort effort = bench->effort;

  effort.precision = precision;
  effort.rounds_max = times * effort.rounds;
  return effort;
}
