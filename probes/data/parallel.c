/* Misses that one thread can keep in flight.

   Curve   parallel: x chains of loads that do not wait for each other, y time of a load (cycles).
           parallel_alone: x loads of a page that follow each other, y time of a load of a single
           chain (cycles).
   Method  Every load misses all caches: the chains of all points are laid out and linked, and then
           driven out by reading as much other memory as no cache holds.  Time of a load falls as
           1/x until no more misses are in flight: where that line meets the flat one behind it.
           Only a whole number within the error is an answer: where misses queue up before the last
           can be in flight, so that the curve bends, it is unknown.
           Eight loads at random places of a page, one page after the other, so that it is not the
           TLB that has too few misses in flight; large pages where the system has them.  What the
           TLB still adds makes the knee come late: a chain that stays in a few pages for long
           lacks it.
   Rows    MEM_PARALLEL.
   Cost    200 ms; what drives all caches out, and 50 MiB.
   Limits  Up to HW_CHAINS / 2, of which the flat part shows the end.  Misses that a prefetcher adds
           count where they make room for others.
   See     XM 9. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>

/* Loads of a sample, on all its chains together; with less memory fewer, and no fewer than so many:
   to start and to end takes as long as a miss or two. */
#define PARALLEL_LOADS ((size_t)1024)
#define PARALLEL_LOADS_LEAST ((size_t)512)
/* Loads of a chain in one block, each at another line of a part of its own: too few and too random
   for a prefetcher. */
#define PARALLEL_BLOCK ((size_t)8)
/* Every number of chains up to this, then every fourth. */
#define PARALLEL_DENSE HW_CHAINS / 2
#define PARALLEL_STEP 4u
/* A chain that the TLB does not hold up goes over so many pages at a time, which any TLB holds, and
   over their lines that lie so far apart: no prefetcher brings more. */
#define PARALLEL_PAGES ((size_t)16)
#define PARALLEL_APART ((size_t)128)
/* So many of them, and as many others, are timed in a round. */
#define PARALLEL_ALONE 5u
/* A single chain costs at least this part of memory's latency, as the size curve has it: or else it
   did not miss. */
#define PARALLEL_MISS 0.7
/* Where a chain alone takes less than memory's latency, the knee is off by no more than this
   multiple of that. */
#define PARALLEL_HIT 2.0
/* What drives the chains out is this multiple of what lies surely in memory: of pages at random
   places, as much leaves a few lines in some sets. */
#define PARALLEL_OUT 1.5
/* Six times the rounds are all that is to come, and with the first ones they make the error no less
   than by this factor: what is unclear with such an error stays so. */
#define PARALLEL_HOPE 2.6

struct parallel_shape {
  size_t line;
  size_t all; /* loads of a sample */
  size_t start[HW_BATCH][HW_CHAINS];
  size_t offset[PARALLEL_LOADS + PARALLEL_BLOCK]; /* of one chain */
};

/* Lines of a block in the chain that the TLB does not hold up. */
static size_t parallel_lines(const struct parallel_shape *shape) {
  size_t apart = 2 * shape->line > PARALLEL_APART ? 2 * shape->line : PARALLEL_APART;

  return apart < HW_TRAFFIC_BLOCK ? HW_TRAFFIC_BLOCK / apart : 1;
}

/* Whether the point is such a chain: of those below one every second. */
static bool parallel_held(size_t i) { return i < 2 * PARALLEL_ALONE && i % 2 > 0; }

/* Chooses the points: below one single chains of both kinds. */
static void parallel_points(const struct parallel_shape *shape, struct hw_batch *batch) {
  const size_t group = PARALLEL_PAGES * parallel_lines(shape);

  batch->n = batch->blocks = 0;
  while (batch->n < 2 * PARALLEL_ALONE) {
    batch->blocks += parallel_held(batch->n) ? (shape->all + group - 1) / group * PARALLEL_PAGES
                                             : shape->all / PARALLEL_BLOCK;
    batch->n++;
    batch->x[batch->n - 1] = (double)batch->n / (2 * PARALLEL_ALONE + 1);
  }
  for (size_t k = 1; k <= HW_CHAINS; k += k < PARALLEL_DENSE ? 1 : PARALLEL_STEP) {
    batch->x[batch->n++] = (double)k;
    batch->blocks += k * ((shape->all / k + PARALLEL_BLOCK - 1) / PARALLEL_BLOCK);
  }
}

/* Links a chain of so many loads, over blocks from *block on. */
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

/* Links a single chain of so many loads, some blocks at a time. */
static int parallel_held_chain(struct parallel_shape *shape, struct hw_batch *batch, size_t loads,
                               const size_t **block, struct hw_random *random) {
  struct hw_machine *machine = batch->bench->machine;
  size_t lines = parallel_lines(shape), group = PARALLEL_PAGES * lines;
  size_t *offset = shape->offset;

  for (size_t done = 0; done < loads; done += group) {
    size_t n = 0;
    for (size_t k = 0; k < PARALLEL_PAGES; k++, (*block)++)
      for (size_t i = 0; i < lines; i++, n++)
        if (done + n < PARALLEL_LOADS)
          offset[done + n] = **block + i * (HW_TRAFFIC_BLOCK / lines);
    hw_random_order(random, offset + done,
                    done + group < PARALLEL_LOADS ? group : PARALLEL_LOADS - done);
  }
  return machine->ops->link(machine, batch->flushed.memory, offset, loads);
}

static int parallel_lay(void *context, struct hw_batch *batch, size_t i, const size_t **block,
                        struct hw_random *random) {
  struct parallel_shape *shape = context;
  size_t chains = batch->x[i] < 1 ? 1 : (size_t)batch->x[i];

  if (parallel_held(i)) {
    if (parallel_held_chain(shape, batch, shape->all, block, random) < 0)
      return -1;
    shape->start[i][0] = shape->offset[0];
    return 0;
  }
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
  size_t chains = batch->x[i] < 1 ? 1 : (size_t)batch->x[i], loads = shape->all / chains;

  machine->ops->walk_chains(machine, batch->flushed.memory, shape->start[i], chains, loads);
  return (double)(chains * loads);
}

/* Takes those below one out of the points: the single chains, all of a kind together. */
static int parallel_alone(const struct parallel_shape *shape, struct hw_curve *curve,
                          struct hw_curve *alone) {
  int result = 0;

  for (size_t i = 0; i < 2 * PARALLEL_ALONE && result == 0; i++) {
    struct hw_curve one;
    struct hw_point p = curve->point[i];
    p.x = parallel_held(i) ? (double)parallel_lines(shape) : (double)PARALLEL_BLOCK;
    hw_curve_init(&one, "", "", "");
    result = hw_curve_put(&one, p) < 0 || hw_curve_join(alone, &one) < 0 ? -1 : 0;
    hw_curve_free(&one);
  }
  curve->n -= 2 * PARALLEL_ALONE;
  for (size_t i = 0; i < curve->n; i++)
    curve->point[i] = curve->point[i + 2 * PARALLEL_ALONE];
  return result;
}

int hw_probe_parallel(struct hw_bench *bench) {
  struct parallel_shape shape = {.all = PARALLEL_LOADS};
  struct hw_batch batch = {
      .bench = bench, .lay = parallel_lay, .walk = parallel_walk, .context = &shape};
  struct hw_traffic traffic;
  struct hw_curve curve, alone;
  double out;
  int result;

  if (hw_traffic_open(&bench->curves, &traffic) < 0 || !traffic.whole)
    return -1;
  out = PARALLEL_OUT * traffic.level[traffic.caches].least;
  shape.line = traffic.line;
  parallel_points(&shape, &batch);
  while ((double)(batch.blocks * HW_TRAFFIC_BLOCK) + out > (double)bench->memory &&
         shape.all > PARALLEL_LOADS_LEAST) {
    shape.all /= 2;
    parallel_points(&shape, &batch);
  }
  hw_curve_init(&curve, HW_NAME_PARALLEL, "chains of loads (count)", "time of a load (cycles)");
  hw_curve_init(&alone, HW_NAME_PARALLEL_ALONE, "loads of a page (count)",
                "time of a load (cycles)");
  if (hw_batch_sample(&batch, out, &curve) < 0 || parallel_alone(&shape, &curve, &alone) < 0) {
    hw_curve_free(&curve);
    hw_curve_free(&alone);
    return -1;
  }
  result = hw_traffic_publish(bench, &alone, "parallel");
  return hw_traffic_publish(bench, &curve, "parallel") < 0 ? -1 : result;
}

/* What is added to a load of a chain, as a share of all: by the TLB, most of all.  It is not less
   than nothing. */
static struct hw_answer parallel_added(const struct hw_curve *alone) {
  const struct hw_point *chain = &alone->point[0], *held = &alone->point[1];
  double share = 1 - held->y / chain->y;
  double error = HW_CLEAR * hw_rise_error(alone, held, chain) / chain->y;
  double least = fmax(0, share - error), most = fmax(0, share + error);

  return hw_known("chains alone", (least + most) / 2, (most - least) / 2, HW_CLEAR);
}

struct hw_answer hw_value_mem_parallel(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_PARALLEL);
  const struct hw_curve *alone = hw_curves_get(curves, HW_NAME_PARALLEL_ALONE);
  struct hw_answer knee = hw_reduce_named(curves, HW_NAME_PARALLEL, hw_reduce_knee), whole, added;
  struct hw_answer miss = hw_levels_memory(curves);
  double hit;

  if (!knee.known)
    return knee;
  if (!miss.known)
    return miss;
  if (alone == NULL || alone->n != 2 || curve->point[0].x > 1)
    return hw_unknown(knee.method, "its curve was not measured");
  if (fmin(alone->point[0].y, alone->point[1].y) < PARALLEL_MISS * miss.value)
    return hw_unknown(knee.method, "a single chain costs less than memory's latency");
  /* What is added makes the knee come late. */
  added = parallel_added(alone);
  whole = hw_scaled(knee, 1 - added.value);
  whole.error = hypot(whole.error, knee.value * added.error);
  /* Some loads hit, and those of the longest chain, for which all wait, least of all. */
  hit = 1 - alone->point[0].y / (miss.value - miss.error);
  whole.error += PARALLEL_HIT * knee.value * fmax(0, hit);
  knee = hw_rounded(whole);
  whole.error /= PARALLEL_HOPE;
  knee.settled = !knee.known && !hw_rounded(whole).known;
  return knee;
}
