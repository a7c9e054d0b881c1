/* Write mode of the caches.

   Curve   write: x working set (bytes), y time of a store (cycles).
           write_fit: x level, y share of samples of loads that hit there, of lines that were in no
           level up to it and were stored to.  write_full: the same of lines that were loaded.
           write_dirty: y share of pairs in which lines that were stored to take longer to evict
           from level 1 than others; x, the others: 0 lines that were loaded, 1 lines that were
           stored to, evicted and loaded again.
   Method  One store to each line of working sets that lie in level n, and in the next.  Lines that
           were evicted from level n are stored to and evicted from the levels above it: the fit
           test tells whether they hit.  Its controls are lines that were loaded instead, and lines
           neither stored to nor loaded.  All in random order, against prefetchers.
           If the stores do not tell the mode of level 1: a line that was stored to there is
           dirty only if the level is write-back, and its eviction takes longer then.
   Rows    L1_WRITE_BACK, L1_WRITE_ALLOCATE, the same of L2 and L3.
   Cost    200 ms; memory that flushes all caches, and a working set that surely lies in memory.
   Limits  A line that level 1 allocates is also allocated in the other levels.
   See     XM 9. */
#include "analysis/rows/write.h"

#include "analysis/fit.h"
#include "analysis/names.h"
#include "analysis/rows/traffic.h"
#include "probes/data/traffic.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a sample in memory, at another place each time. */
#define WRITE_PART ((size_t)1 << 20)
/* Lines of the least working set, which shows the cost of the instructions alone. */
#define WRITE_FEW ((size_t)8)
#define WRITE_PRECISION 0.03
#define WRITE_EFFORT 1
/* Bytes that evict lines from the levels above one, as a multiple of what surely lies in it. */
#define WRITE_OUT 2.0
/* Bytes that flush the caches that are known, as a multiple of what surely lies behind them: many
   times all that is linked at once, and the capacity of level 2. */
#define WRITE_MORE 8.0
/* Distance of the lines of a sample, in lines: what is prefetched with one is none of them. */
#define WRITE_APART ((size_t)4)
/* Rounds of a batch, whose lines are evicted together, and batches at most. */
#define WRITE_ROUNDS 24u
#define WRITE_BATCHES 8u

/* Pairs of evictions that are compared; bytes that flush level 1, as a multiple of its capacity;
   additions after which the stores are complete. */
#define WRITE_PAIRS 200u
#define WRITE_WASH ((size_t)4)
#define WRITE_REST 1024ul

struct write_shape {
  struct hw_bench *bench;
  struct hw_traffic traffic;
  struct hw_flushed flushed; /* the working sets in caches; the other, for stores in memory */
  struct hw_memory *where;   /* of these, that of the next stores */
  size_t *offset;
  size_t n;  /* of offset */
  size_t at; /* offset of the next stores in the other */
};

/* ---- Stores ---------------------------------------------------------------------------------- */

/* Puts the lines of x bytes from start on into shape->offset.  0, or -1 without memory. */
static int write_lines(struct write_shape *shape, size_t start, size_t x,
                       struct hw_random *random) {
  shape->n = hw_traffic_lines(&shape->traffic, x, random, shape->offset);
  for (size_t i = 0; i < shape->n; i++)
    shape->offset[i] += start;
  return shape->n > 0 ? 0 : -1;
}

static int write_prepare(void *context, double x, struct hw_random *random) {
  struct write_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  shape->where = shape->flushed.memory;
  if (hw_traffic_level(&shape->traffic, x) == shape->traffic.caches) {
    size_t part = shape->flushed.rest < WRITE_PART ? shape->flushed.rest : WRITE_PART;
    if (shape->at + part > shape->flushed.rest)
      shape->at = 0;
    shape->at += part;
    shape->where = shape->flushed.other;
    if (write_lines(shape, shape->at - part, part, random) < 0)
      return -1;
    /* Only the even lines: the odd ones may be prefetched with them. */
    shape->n = (shape->n + 1) / 2;
    return 0;
  }
  if (write_lines(shape, 0, (size_t)x, random) < 0)
    return -1;
  /* Loads bring in the lines, which stores may not do. */
  machine->ops->stream(machine, shape->flushed.memory, HW_STREAM_READ, 0,
                       (size_t)ceil(x / HW_STREAM_GRAIN) * HW_STREAM_GRAIN);
  machine->ops->store(machine, shape->flushed.memory, shape->offset, shape->n);
  return 0;
}

static double write_work(void *context, double x) {
  struct write_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;
  bool once = hw_traffic_level(&shape->traffic, x) == shape->traffic.caches;
  size_t done = 0;

  do {
    machine->ops->store(machine, shape->where, shape->offset, shape->n);
    done += shape->n;
  } while (!once && done < shape->bench->adds / 2);
  return (double)done;
}

/* Measures the curve of stores. */
static int write_stores(struct write_shape *shape) {
  const struct hw_effort effort = hw_traffic_effort(shape->bench, WRITE_PRECISION, WRITE_EFFORT);
  const struct hw_task task = {
      .prepare = write_prepare, .work = write_work, .context = shape, .effort = &effort};
  const struct hw_traffic *traffic = &shape->traffic;
  double x[HW_LEVELS * HW_TRAFFIC_POINTS + 2] = {(double)(WRITE_FEW * traffic->line)};
  struct hw_curve curve;
  size_t n = 1;

  for (size_t level = 0; level < traffic->caches; level++)
    for (size_t i = 0; i < traffic->n[level]; i++)
      x[n++] = (double)traffic->x[level][i];
  x[n++] = traffic->level[traffic->caches].least;
  hw_curve_init(&curve, HW_NAME_WRITE, "working set (bytes)", "time of a store (cycles)");
  return hw_traffic_publish(shape->bench, &curve, "write",
                            hw_sample_task(shape->bench, &task, x, n, &curve));
}

/* ---- Loads after stores ---------------------------------------------------------------------- */

/* A batch of rounds, whose lines are evicted together. */
struct write_allocate {
  struct write_shape *shape;
  size_t level;              /* 0 the first */
  size_t inner;              /* bytes that evict lines from the level above: 0 for the first */
  size_t lines;              /* of a sample */
  unsigned long loads;       /* of a sample: one or more of each line */
  size_t bytes;              /* of a sample's part of memory */
  unsigned long pause;       /* additions until the stores of a sample are complete */
  struct hw_fit_floor floor; /* samples that hit in the level, not above it, cycles */
  size_t *first;             /* where the ring of each sample of each round begins */
  struct hw_fit_counts counts;
};

/* Puts the lines of a sample's part into shape->offset, in random order, and leaves out the lines
   between, which may be prefetched.  Consecutive parts use different sets. */
static void write_part(const struct write_allocate *allocate, size_t part) {
  struct write_shape *shape = allocate->shape;
  size_t line = shape->traffic.line, start = part * allocate->bytes + part % WRITE_APART * line;

  for (size_t i = 0; i < allocate->lines; i++)
    shape->offset[i] = start + i * WRITE_APART * line;
  hw_random_order(&shape->bench->random, shape->offset, allocate->lines);
  shape->n = allocate->lines;
}

/* Links the lines of a batch and evicts them from all levels.  0, or -1 when memory is short. */
static int write_out(struct write_allocate *allocate) {
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;

  for (size_t part = 0; part < WRITE_ROUNDS * HW_FIT_SAMPLES; part++) {
    write_part(allocate, part);
    if (machine->ops->link(machine, shape->flushed.memory, shape->offset, shape->n) < 0)
      return -1;
    allocate->first[part] = shape->offset[0];
  }
  hw_flush(&shape->flushed, shape->flushed.rest);
  return 0;
}

/* Loads the lines of a part, each once at least.  Returns the time, ns. */
static double write_walk(const struct write_allocate *allocate, size_t part) {
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;
  double start;

  machine->ops->enter(machine, shape->flushed.memory, allocate->first[part]);
  start = machine->ops->now(machine);
  machine->ops->walk(machine, shape->flushed.memory, allocate->loads);
  return machine->ops->now(machine) - start - shape->bench->read_ns;
}

/* Prepares a sample: stores to the target, loads the others, and leaves the missing one alone.
   Then pauses with additions, until stores that wait in the store buffer are complete.  Returns ns
   per addition. */
static double write_touch(const struct write_allocate *allocate, enum hw_fit_sample kind,
                          size_t part) {
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;
  double start;

  write_part(allocate, part);
  if (kind == HW_FIT_TARGET)
    machine->ops->store(machine, shape->flushed.memory, shape->offset, shape->n);
  else if (kind != HW_FIT_MISSING)
    write_walk(allocate, part);
  start = machine->ops->now(machine);
  machine->ops->add(machine, allocate->pause);
  return (machine->ops->now(machine) - start - shape->bench->read_ns) / (double)allocate->pause;
}

/* Evicts all prepared samples from the level above. */
static void write_push(const struct write_allocate *allocate) {
  struct hw_memory *memory = allocate->shape->flushed.memory;
  struct hw_machine *machine = allocate->shape->bench->machine;
  size_t start = WRITE_ROUNDS * HW_FIT_SAMPLES * allocate->bytes;

  machine->ops->stream(machine, memory, HW_STREAM_READ, start, allocate->inner);
  machine->ops->stream(machine, memory, HW_STREAM_READ_DOWN, start, allocate->inner);
}

/* Takes a round and counts it.  For level 1 each sample is timed after its preparation; for the
   other levels all are prepared, then evicted from the level above, then timed. */
static void write_round(struct write_allocate *allocate, size_t index) {
  size_t order[] = {HW_FIT_BEFORE, HW_FIT_FULL, HW_FIT_TARGET, HW_FIT_MISSING, HW_FIT_AFTER};
  size_t part = index * HW_FIT_SAMPLES;
  double cycle = INFINITY;
  struct hw_fit_round round;

  hw_random_order(&allocate->shape->bench->random, order + 1, HW_FIT_SAMPLES - 2);
  for (size_t i = 0; i < HW_FIT_SAMPLES; i++) {
    cycle = fmin(cycle, write_touch(allocate, (enum hw_fit_sample)order[i], part + order[i]));
    if (allocate->level == 0)
      round.y[order[i]] = write_walk(allocate, part + order[i]);
  }
  if (allocate->level > 0)
    write_push(allocate);
  for (size_t i = 0; i < HW_FIT_SAMPLES && allocate->level > 0; i++)
    round.y[order[i]] = write_walk(allocate, part + order[i]);
  for (size_t i = 0; i < HW_FIT_SAMPLES; i++)
    round.y[i] /= cycle;
  if (cycle > 0)
    hw_fit_add(&allocate->counts, &round, 1, &allocate->floor);
}

/* Bytes to read so that lines used before are in this level, 0 the first, not above: 0 for that. */
static size_t write_inner(const struct hw_traffic *traffic, size_t level) {
  const struct hw_level *at = &traffic->level[level];

  return level == 0
             ? 0
             : (size_t)fmin(WRITE_OUT * at->least, at->most) / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT;
}

/* Lines of a sample: a grain, walked in one lap; in level 1 no more than half of its room. */
static size_t write_sample(const struct hw_traffic *traffic, size_t level) {
  size_t fit = (size_t)traffic->level[0].least / (2 * WRITE_APART * traffic->line);

  return level > 0 || fit > HW_GRAIN ? HW_GRAIN : fit < 2 ? 2 : fit;
}

/* Bytes of the part of memory of a sample: whole blocks. */
static size_t write_span(const struct hw_traffic *traffic) {
  size_t bytes = WRITE_APART * HW_GRAIN * traffic->line;

  return (bytes + HW_TRAFFIC_BLOCK - 1) / HW_TRAFFIC_BLOCK * HW_TRAFFIC_BLOCK;
}

/* Latency of a load in a level, 0 the first, cycles. */
static double write_latency(const struct write_shape *shape, size_t level) {
  return hw_traffic_middle(&shape->bench->curves, "levels", level + 1);
}

/* The times of samples that hit in the level, cycles: from the middle between it and the level
   above to that between it and the next. */
static struct hw_fit_floor write_floor(const struct write_allocate *allocate) {
  const struct write_shape *shape = allocate->shape;
  double again = (double)(allocate->loads - allocate->lines) * write_latency(shape, 0);
  double here = write_latency(shape, allocate->level);
  double before = allocate->level == 0 ? 0 : write_latency(shape, allocate->level - 1);
  double next = write_latency(shape, allocate->level + 1);
  double half = (double)allocate->lines / 2;

  return (struct hw_fit_floor){allocate->level == 0 ? 0 : again + half * (before + here),
                               again + half * (here + next)};
}

/* Tests whether a level, 0 the first, has lines that were stored to; puts the counts into curves.
 */
static int write_ask(struct write_shape *shape, size_t level, struct hw_curve *fit,
                     struct hw_curve *full) {
  struct write_allocate allocate = {.shape = shape,
                                    .level = level,
                                    .inner = write_inner(&shape->traffic, level),
                                    .lines = write_sample(&shape->traffic, level),
                                    .bytes = write_span(&shape->traffic)};
  int result;

  allocate.loads = hw_grains((double)allocate.lines);
  allocate.pause = hw_grains((double)allocate.lines * write_latency(shape, shape->traffic.caches));
  allocate.floor = write_floor(&allocate);
  allocate.first = calloc(WRITE_ROUNDS * HW_FIT_SAMPLES, sizeof *allocate.first);
  result = allocate.first == NULL ? -1 : 0;
  for (unsigned batch = 0; batch < WRITE_BATCHES && result == 0; batch++) {
    result = hw_late(shape->bench) ? -1 : write_out(&allocate);
    for (size_t i = 0; i < WRITE_ROUNDS && result == 0; i++)
      write_round(&allocate, i);
    if (hw_fit_decide(&allocate.counts, HW_WRITE_SURE).verdict != HW_FIT_UNKNOWN)
      break;
  }
  free(allocate.first);
  return result < 0 ? -1 : hw_fit_put(fit, full, (double)level + 1, &allocate.counts);
}

/* Tests all levels and publishes the curves. */
static int write_allocates(struct write_shape *shape) {
  struct hw_curve fit, full;
  int result = 0;

  hw_curve_init(&fit, HW_NAME_WRITE_FIT, "level", "samples that hit after stores");
  hw_curve_init(&full, HW_NAME_WRITE_FULL, "level", "samples that hit after loads");
  for (size_t level = 0; level < shape->traffic.caches && level < 3 && result == 0; level++)
    result = write_ask(shape, level, &fit, &full);
  result = hw_publish(shape->bench, &fit, "write", result);
  return hw_publish(shape->bench, &full, "write", result);
}

/* ---- Evictions ------------------------------------------------------------------------------- */

/* What happened to the lines before they are evicted: loaded; stored to; stored to, evicted and
   loaded again. */
enum write_state { WRITE_CLEAN, WRITE_DIRTY, WRITE_WASHED, WRITE_STATES };

/* Bytes that level 1 holds. */
static size_t write_first(const struct hw_bench *bench) {
  struct hw_answer bytes = hw_value_l1_bytes(&bench->curves);

  return bytes.known ? (size_t)bytes.value / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT : 0;
}

/* Time in which as many lines of level 2 evict the contents of level 1, whose lines are in this
   state, ns. */
static double write_evict(const struct write_shape *shape, size_t bytes, enum write_state state) {
  struct hw_memory *memory = shape->flushed.memory;
  struct hw_machine *machine = shape->bench->machine;
  size_t other = hw_random_below(&shape->bench->random, 2) * bytes, held = bytes - other;
  double start;

  machine->ops->stream(machine, memory, HW_STREAM_READ, other, bytes);
  machine->ops->stream(machine, memory, HW_STREAM_READ, held, bytes);
  if (state != WRITE_CLEAN)
    machine->ops->stream(machine, memory, HW_STREAM_WRITE, held, bytes);
  if (state == WRITE_WASHED) {
    machine->ops->stream(machine, memory, HW_STREAM_READ, 2 * bytes, WRITE_WASH * bytes);
    machine->ops->stream(machine, memory, HW_STREAM_READ, other, bytes);
  }
  machine->ops->stream(machine, memory, HW_STREAM_READ, held, bytes);
  machine->ops->stream(machine, memory, HW_STREAM_READ, held, bytes);
  machine->ops->add(machine, WRITE_REST);
  start = hw_now(shape->bench);
  machine->ops->stream(machine, memory, HW_STREAM_READ, other, bytes);
  return hw_now(shape->bench) - start;
}

/* Compares the times of evictions and publishes the shares. */
static int write_evictions(const struct write_shape *shape) {
  const size_t bytes = write_first(shape->bench);
  double longer[] = {0, 0};
  struct hw_curve curve;
  int result = 0;

  for (unsigned pair = 0; pair < WRITE_PAIRS && bytes > 0; pair++) {
    size_t order[WRITE_STATES] = {WRITE_CLEAN, WRITE_DIRTY, WRITE_WASHED};
    double ns[WRITE_STATES];
    hw_random_order(&shape->bench->random, order, WRITE_STATES);
    for (size_t i = 0; i < WRITE_STATES; i++)
      ns[order[i]] = write_evict(shape, bytes, (enum write_state)order[i]);
    longer[0] += ns[WRITE_DIRTY] > ns[WRITE_CLEAN];
    longer[1] += ns[WRITE_DIRTY] > ns[WRITE_WASHED];
  }
  hw_curve_init(&curve, HW_NAME_WRITE_DIRTY, "0: loaded, 1: stored to and written back",
                "evictions of lines stored to that take longer");
  for (size_t i = 0; i < 2 && bytes > 0 && result == 0; i++)
    result = hw_curve_put(
        &curve,
        (struct hw_point){.x = (double)i, .y = longer[i] / WRITE_PAIRS, .count = WRITE_PAIRS});
  return hw_publish_some(shape->bench, &curve, "write", result);
}

/* ---- All ------------------------------------------------------------------------------------ */

/* Bytes for the largest of: the working sets of stores, a batch with what evicts its lines from the
   level above, and the comparison of evictions, where level 1 holds first bytes. */
static size_t write_bytes(const struct hw_traffic *traffic, size_t first) {
  size_t last = traffic->caches - 1,
         most = WRITE_ROUNDS * HW_FIT_SAMPLES * write_span(traffic) + write_inner(traffic, last);

  most = most < (WRITE_WASH + 2) * first ? (WRITE_WASH + 2) * first : most;

  for (size_t level = 0; level <= last; level++)
    for (size_t i = 0; i < traffic->n[level]; i++)
      if (traffic->x[level][i] > most)
        most = traffic->x[level][i];
  return most;
}

/* Bytes that flush all caches: where the last level may be one more cache, WRITE_MORE times what
   surely lies in it, as it may hold more, but no more than half of memory. */
static double write_rest(const struct hw_traffic *traffic, size_t memory) {
  double least = traffic->level[traffic->caches].least;

  return traffic->memory ? least : fmax(least, fmin(WRITE_MORE * least, (double)memory / 2));
}

int hw_probe_write(struct hw_bench *bench) {
  struct write_shape shape = {.bench = bench};
  const struct hw_traffic *traffic = &shape.traffic;
  size_t bytes;
  int result = -1;

  if (hw_traffic_open(&bench->curves, &shape.traffic) < 0)
    return hw_traffic_lacks(bench);
  bytes = write_bytes(traffic, write_first(bench));
  if (hw_flushed_open(&shape.flushed, bench, bytes, write_rest(traffic, bench->memory)) < 0)
    return -1;
  if (bytes < WRITE_PART)
    bytes = WRITE_PART;
  shape.offset = calloc(bytes / traffic->line, sizeof *shape.offset);
  if (shape.offset != NULL && write_stores(&shape) == 0)
    result = hw_value_l1_write_back(&bench->curves).known ? 0 : write_evictions(&shape);
  if (result == 0)
    result = write_allocates(&shape);
  hw_flushed_close(&shape.flushed);
  free(shape.offset);
  return result;
}
