/* Misses that one thread can keep in flight.

   Curve   parallel: x chains of loads that do not wait for each other, y time of a load (cycles).
   Method  Every load misses all caches: the chains of all points are laid out and linked, and then
           driven out by reading as much other memory as no cache holds.  Time of a load falls as
           1/x until no more misses are in flight: where that line meets the flat one behind it.
           Only a whole number within the error is an answer: where misses queue up before the last
           can be in flight, so that the curve bends, it is unknown.
           Eight loads at random places of a page, one page after the other, so that it is not the
           TLB that has too few misses in flight; large pages where the system has them.
   Rows    MEM_PARALLEL.
   Cost    200 ms; what drives all caches out, and 50 MiB.
   Limits  Up to HW_CHAINS / 2, of which the flat part shows the end.  Misses that a prefetcher adds
           count where they make room for others.
   See     XM 9. */
#include "probes/memory/traffic.h"

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
/* A single chain costs at least this part of memory's latency, as the size curve has it: or else it
   did not miss. */
#define PARALLEL_MISS 0.7
/* So few chains, as a part of where the knee is, do not get into each other's way. */
#define PARALLEL_FEW 0.25
/* Where a chain alone takes less than memory's latency, the knee is off by no more than this
   multiple of that. */
#define PARALLEL_HIT 2.0
/* What drives the chains out is this multiple of what lies surely in memory: of pages at random
   places, as much leaves a few lines in some sets. */
#define PARALLEL_OUT 1.5
/* Six times the rounds are all that is to come, and with the first ones they make the error no less
   than by this factor. */
#define PARALLEL_HOPE 2.6

struct parallel_shape {
  size_t line;
  size_t all; /* loads of a sample */
  size_t start[HW_BATCH][HW_CHAINS];
  size_t offset[PARALLEL_LOADS + PARALLEL_BLOCK]; /* of one chain */
};

/* Chooses the points. */
static void parallel_points(const struct parallel_shape *shape, struct hw_batch *batch) {
  batch->n = batch->blocks = 0;
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
  const struct hw_curve *earlier = hw_curves_get(&bench->curves, "parallel");
  struct hw_traffic traffic;
  struct hw_curve curve;
  double out;

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
  hw_curve_init(&curve, "parallel", "chains of loads (count)", "time of a load (cycles)");
  if (hw_batch_sample(&batch, out, &curve) == 0 &&
      (earlier == NULL || hw_curve_join(&curve, earlier) == 0))
    return hw_publish(bench, &curve, "parallel", 1);
  hw_curve_free(&curve);
  return -1;
}

/* What a load costs when its chain is alone, as those have it that are few beside the knee, with
   its error. */
static double parallel_alone(const struct hw_curve *curve, double knee, double *error) {
  double sum = 0, own = 0, n = 0;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (i > 0 && p->x > PARALLEL_FEW * knee)
      break;
    sum += p->x * p->y;
    own += p->x * hw_point_error(p);
    n++;
  }
  *error = own / n / sqrt(n);
  return sum / n;
}

/* The knee without what else a load of a chain waits for, the TLB most of all, which makes it come
   late.  The errors have nothing to do with each other. */
static struct hw_answer parallel_scaled(struct hw_answer knee, struct hw_answer miss, double alone,
                                        double error) {
  struct hw_answer scaled = hw_scaled(knee, miss.value / alone);
  double shares = hypot(miss.error / miss.value, HW_CLEAR * error / alone);

  scaled.error = hypot(scaled.error, scaled.value * shares);
  return scaled;
}

struct hw_answer hw_value_mem_parallel(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, "parallel");
  struct hw_answer knee = hw_reduce_named(curves, "parallel", hw_reduce_knee), whole;
  struct hw_answer miss = hw_levels_memory(curves);
  double alone, error;

  if (!knee.known)
    return knee;
  if (!miss.known)
    return miss;
  alone = parallel_alone(curve, knee.value, &error);
  if (curve->point[0].x > 1 || alone < PARALLEL_MISS * miss.value)
    return hw_unknown(knee.method, "a single chain costs less than memory's latency");
  if (alone > miss.value)
    knee = parallel_scaled(knee, miss, alone, error);
  /* Some loads hit, and those of the longest chain, for which all wait, least of all. */
  else
    knee.error += PARALLEL_HIT * knee.value * (1 - alone / miss.value);
  whole = hw_rounded(knee);
  if (!whole.known && knee.error > PARALLEL_HOPE / 2)
    return hw_absent(knee.method, "where the time of a load stops falling is far from clear");
  return whole;
}
