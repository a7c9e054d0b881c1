/* Memory-level parallelism: misses that one thread sustains in flight.

   Curve   parallel: x independent chains of dependent loads, y time of a load (cycles).
   Method  Every load misses all caches: the chains of all points are laid out and linked, and then
           evicted by reading more other memory than any cache holds.
           Eight loads at random places of a page, one page after the other, so that page walks do
           not limit the misses in flight; large pages where the system has them.
   Rows    MEM_PARALLEL, MEM_PARALLEL_X100.
   Cost    60 ms; memory that flushes all caches, and 12 MiB.
   Limits  Up to HW_CHAINS / 2, where the flat part of the curve shows the end.  Miss buffers that
           are shared with prefetches, or split by sets, make it depend on the lines' addresses, by
           some 5 %.  A prefetcher's misses count where they leave room for others.
   See     XM 9. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

/* Loads of a sample, of all its chains together, and the least where memory is short: filling and
   draining the chains takes as long as a miss or two. */
#define PARALLEL_LOADS ((size_t)1024)
#define PARALLEL_LOADS_LEAST ((size_t)512)
/* Loads of a chain in one block, each at a random line of its own eighth of the block: too few and
   too random for a prefetcher. */
#define PARALLEL_BLOCK ((size_t)8)
/* The chains double up to this number; beyond, where the curve is flat, they grow by two. */
#define PARALLEL_DOUBLED (HW_CHAINS / 2)
#define PARALLEL_STEP 2u
/* Memory that is read to evict the chains, as a multiple of the least working set in memory: a
   single one, in pages at random places, leaves a few lines in some sets. */
#define PARALLEL_OUT 1.5

struct parallel_shape {
  size_t line;
  size_t all; /* loads of a sample */
  size_t start[HW_BATCH][HW_CHAINS];
  size_t offset[PARALLEL_LOADS + PARALLEL_BLOCK]; /* of one chain */
};

/* Chooses the points. */
static void parallel_points(const struct parallel_shape *shape, struct hw_batch *batch) {
  batch->n = batch->blocks = 0;
  for (size_t k = 1; k <= HW_CHAINS; k += k < PARALLEL_DOUBLED ? k : PARALLEL_STEP) {
    batch->x[batch->n++] = (double)k;
    batch->blocks += k * ((shape->all / k + PARALLEL_BLOCK - 1) / PARALLEL_BLOCK);
  }
}

/* Links a chain of loads over the blocks from *block on. */
static int parallel_chain(struct parallel_shape *shape, struct hw_batch *batch, size_t loads,
                          const size_t **block, struct hw_random *random) {
  const size_t part = HW_TRAFFIC_BLOCK / PARALLEL_BLOCK;
  struct hw_machine *machine = batch->bench->machine;
  size_t lines = part > shape->line ? part / shape->line : 1;
  size_t *offset = shape->offset;

  for (size_t done = 0; done < loads; done += PARALLEL_BLOCK) {
    size_t at = *(*block)++;
    for (size_t i = 0; i < PARALLEL_BLOCK; i++)
      offset[done + i] = at + i * part + hw_random_below(random, lines) * shape->line;
    hw_random_order(random, offset + done, PARALLEL_BLOCK);
  }
  return machine->ops->link(machine, batch->flushed.memory, offset, loads);
}

static int parallel_lay(void *context, struct hw_batch *batch, size_t i, const size_t **block,
                        struct hw_random *random) {
  struct parallel_shape *shape = context;
  size_t chains = (size_t)batch->x[i];

  for (size_t k = 0; k < chains; k++) {
    if (parallel_chain(shape, batch, shape->all / chains, block, random) < 0)
      return -1;
    shape->start[i][k] = shape->offset[0];
  }
  return 0;
}

static double parallel_walk(void *context, struct hw_batch *batch, size_t i) {
  struct parallel_shape *shape = context;
  struct hw_machine *machine = batch->bench->machine;
  size_t chains = (size_t)batch->x[i], loads = shape->all / chains;

  machine->ops->walk_chains(machine, batch->flushed.memory, shape->start[i], chains, loads);
  return (double)(chains * loads);
}

int hw_probe_parallel(struct hw_bench *bench) {
  struct parallel_shape shape = {.all = PARALLEL_LOADS};
  struct hw_batch batch = {
      .bench = bench, .lay = parallel_lay, .walk = parallel_walk, .context = &shape};
  struct hw_traffic traffic;
  struct hw_curve curve;
  double out;

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.memory)
    return hw_traffic_lacks(bench);
  out = PARALLEL_OUT * traffic.level[traffic.caches].least;
  shape.line = traffic.line;
  parallel_points(&shape, &batch);
  while ((double)(batch.blocks * HW_TRAFFIC_BLOCK) + out > (double)bench->memory &&
         shape.all > PARALLEL_LOADS_LEAST) {
    shape.all /= 2;
    parallel_points(&shape, &batch);
  }
  hw_curve_init(&curve, HW_NAME_PARALLEL, "chains of loads (count)", "time of a load (cycles)");
  return hw_traffic_publish(bench, &curve, "parallel", hw_batch_sample(&batch, out, &curve));
}
