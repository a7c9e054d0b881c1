/* Misses that one thread can keep in flight.

   Curve   parallel: x chains of loads that do not wait for each other, y time of a load (cycles).
   Method  Every load misses all caches: the chains of all points are laid out and linked, and then
           driven out by reading as much other memory as no cache holds.  Time of a load falls as
           1/x until no more misses are in flight: where that line meets the flat one behind it.
           Eight loads at random places of a page, one page after the other, so that it is not the
           TLB that has too few misses in flight; large pages where the system has them.
   Rows    MEM_PARALLEL.
   Cost    200 ms; what drives all caches out, and 50 MiB.
   Limits  Up to HW_CHAINS / 2, of which the flat part shows the end.  Misses that a prefetcher adds
           count where they make room for others.
   See     XM 9. */
#include "probes/memory/traffic.h"

#include <math.h>
#include <stdlib.h>

/* Loads of a sample, on all its chains together; with less memory fewer, and no fewer than so many:
   to start and to end takes as long as a miss or two. */
#define PARALLEL_LOADS ((size_t)2048)
#define PARALLEL_LOADS_LEAST ((size_t)512)
/* Loads of a chain in one block, each at another line of a part of its own: too few and too random
   for a prefetcher. */
#define PARALLEL_BLOCK ((size_t)8)
/* Every number of chains up to this, then every fourth. */
#define PARALLEL_DENSE HW_CHAINS / 2
#define PARALLEL_STEP 4u
#define PARALLEL_POINTS (HW_CHAINS)
#define PARALLEL_PRECISION 0.03
#define PARALLEL_ROUNDS 1
/* A single chain costs at least this part of memory's latency, as the size curve has it: or else it
   did not miss. */
#define PARALLEL_MISS 0.7

struct parallel_point {
  size_t chains;
  size_t loads; /* of each */
  size_t start[HW_CHAINS];
  bool fresh; /* in no cache */
};

struct parallel_shape {
  struct hw_bench *bench;
  struct hw_memory *memory;
  struct hw_flush flush;
  size_t line;
  size_t blocks;
  size_t *block;  /* their order */
  size_t *offset; /* of one chain */
  size_t n;
  struct parallel_point point[PARALLEL_POINTS];
};

static size_t parallel_blocks(const struct parallel_point *point) {
  return point->chains * ((point->loads + PARALLEL_BLOCK - 1) / PARALLEL_BLOCK);
}

/* Chooses the points.  Returns how many blocks they have. */
static size_t parallel_points(struct parallel_shape *shape, size_t loads) {
  size_t blocks = 0;

  shape->n = 0;
  for (size_t k = 1; k <= HW_CHAINS; k += k < PARALLEL_DENSE ? 1 : PARALLEL_STEP) {
    struct parallel_point *point = &shape->point[shape->n++];
    point->chains = k;
    point->loads = loads / k;
    point->fresh = false;
    blocks += parallel_blocks(point);
  }
  return blocks;
}

/* The offsets of one chain, over blocks from *next on. */
static void parallel_chain(struct parallel_shape *shape, size_t loads, size_t *next,
                           struct hw_random *random) {
  const size_t part = HW_TRAFFIC_BLOCK / PARALLEL_BLOCK;
  size_t lines = part > shape->line ? part / shape->line : 1;
  size_t *offset = shape->offset;

  for (size_t done = 0; done < loads; done += PARALLEL_BLOCK) {
    size_t at = shape->block[(*next)++] * HW_TRAFFIC_BLOCK;
    for (size_t i = 0; i < PARALLEL_BLOCK; i++)
      offset[done + i] = at + i * part + hw_random_below(random, lines) * shape->line;
    hw_random_order(random, offset + done, PARALLEL_BLOCK);
  }
}

/* Lays out the chains of all points, and drives them out of the caches. */
static int parallel_lay(struct parallel_shape *shape, struct hw_random *random) {
  struct hw_machine *machine = shape->bench->machine;
  size_t next = 0;

  hw_random_order(random, shape->block, shape->blocks);
  for (size_t p = 0; p < shape->n; p++) {
    struct parallel_point *point = &shape->point[p];
    for (size_t k = 0; k < point->chains; k++) {
      parallel_chain(shape, point->loads, &next, random);
      if (machine->ops->link(machine, shape->memory, shape->offset, point->loads) < 0)
        return -1;
      point->start[k] = shape->offset[0];
    }
    point->fresh = true;
  }
  hw_flush(&shape->flush, shape->flush.bytes);
  return 0;
}

static struct parallel_point *parallel_find(struct parallel_shape *shape, double x) {
  size_t p = 0;

  while (shape->point[p].chains < (size_t)x)
    p++;
  return &shape->point[p];
}

static int parallel_prepare(void *context, double x, struct hw_random *random) {
  struct parallel_shape *shape = context;

  return parallel_find(shape, x)->fresh ? 0 : parallel_lay(shape, random);
}

static double parallel_work(void *context, double x) {
  struct parallel_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;
  struct parallel_point *point = parallel_find(shape, x);

  machine->ops->walk_chains(machine, shape->memory, point->start, point->chains, point->loads);
  point->fresh = false;
  return (double)(point->chains * point->loads);
}

/* Measures the curve, with all memory at hand. */
static int parallel_sample(struct parallel_shape *shape, struct hw_curve *curve) {
  const struct hw_task task = {
      .prepare = parallel_prepare, .work = parallel_work, .context = shape};
  struct hw_machine *machine = shape->bench->machine;
  struct hw_effort effort = hw_traffic_effort(shape->bench, PARALLEL_PRECISION, PARALLEL_ROUNDS);
  double x[PARALLEL_POINTS];
  int result;

  for (size_t p = 0; p < shape->n; p++)
    x[p] = (double)shape->point[p].chains;
  for (size_t i = 0; i < shape->blocks; i++)
    shape->block[i] = i;
  machine->ops->stream(machine, shape->memory, HW_STREAM_WRITE, 0,
                       shape->blocks * HW_TRAFFIC_BLOCK);
  result = hw_sample_task(shape->bench, &task, x, shape->n, curve);
  shape->bench->effort = effort;
  return result;
}

int hw_probe_parallel(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct parallel_shape shape = {.bench = bench};
  struct hw_traffic traffic;
  struct hw_curve curve;
  size_t loads = PARALLEL_LOADS;
  double out;
  int result = -1;

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.whole)
    return -1;
  out = traffic.level[traffic.caches].least;
  shape.line = traffic.line;
  shape.blocks = parallel_points(&shape, loads);
  while ((double)(shape.blocks * HW_TRAFFIC_BLOCK) + out > (double)bench->memory &&
         loads > PARALLEL_LOADS_LEAST) {
    loads /= 2;
    shape.blocks = parallel_points(&shape, loads);
  }
  if (hw_flush_open(&shape.flush, bench, out, shape.blocks * HW_TRAFFIC_BLOCK) < 0)
    return -1;
  shape.block = calloc(shape.blocks, sizeof *shape.block);
  shape.offset = calloc(loads + PARALLEL_BLOCK, sizeof *shape.offset);
  shape.memory = machine->ops->map(machine, shape.blocks * HW_TRAFFIC_BLOCK, HW_PAGES_HUGE);
  hw_curve_init(&curve, "parallel", "chains of loads (count)", "time of a load (cycles)");
  if (shape.block != NULL && shape.offset != NULL && shape.memory != NULL)
    result = parallel_sample(&shape, &curve);
  machine->ops->unmap(machine, shape.memory);
  hw_flush_close(&shape.flush);
  free(shape.block);
  free(shape.offset);
  if (result == 0)
    return hw_publish(bench, &curve, "parallel", 1);
  hw_curve_free(&curve);
  return -1;
}

struct hw_answer hw_value_mem_parallel(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, "parallel");
  struct hw_answer knee = hw_reduce_named(curves, "parallel", hw_reduce_knee);
  double miss = hw_traffic_memory(curves);

  if (!knee.known)
    return knee;
  if (curve->point[0].x > 1 || !(miss > 0) || curve->point[0].y < PARALLEL_MISS * miss)
    return hw_unknown(knee.method, "a single chain costs less than memory's latency");
  return knee;
}
