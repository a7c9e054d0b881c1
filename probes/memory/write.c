/* Write mode of the caches.

   Curve   write: x working set (bytes), y time of a store (cycles).
           write_allocate_<n>: x what was done before with lines that were in no level up to n:
           0 loaded, 1 stored to, 2 neither; y time of a load of them then (cycles).
   Method  One store to each line of working sets that lie in level n, and in the next: what is
           written back costs much less in level n.  Loads of lines after a store that missed level
           n: they hit when it was allocated, as after a load, or miss, as after nothing.  Lines in
           random order, a block after the other, so that neither prefetchers nor the TLB matter.
   Rows    L1_WRITE_BACK, L1_WRITE_ALLOCATE, the same of L2 and L3.
   Cost    300 ms; what drives all caches out, and what lies surely in memory.
   Limits  Stores do not wait for each other: where what they cost hides behind the instructions
           that make them, or the levels take stores almost as fast as each other, it cannot be
           told whether they are written through.
   See     XM 9. */
#include "probes/memory/traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of a sample in memory, which are others each time. */
#define WRITE_PART ((size_t)1 << 20)
/* Working sets that are driven out of the last cache together. */
#define WRITE_SETS ((size_t)12)
/* Lines of the least working set, which shows what the instructions cost. */
#define WRITE_FEW ((size_t)8)
/* Loads of a sample after the stores: the first, which are longest gone from the levels before. */
#define WRITE_LOADS ((unsigned long)4096)
#define WRITE_PRECISION 0.03
#define WRITE_ROUNDS 1
/* Working sets of two levels cost the same when all lie within this share.  Written through and
   allocated, the next level costs what it costs to bring a line in more, which is no more than to
   write it: less than this multiple.  Written back, it may be less as well, and nothing is said. */
#define WRITE_SAME 0.1
#define WRITE_BACK 2.5
/* Time of a store in a level that is written through is the next level's, and not that of the
   instructions, when it is this multiple of what a store to few lines costs, which a buffer may
   join, or this part of the next level's latency. */
#define WRITE_SEEN 1.5
#define WRITE_BOUND 0.5
/* Levels are apart when a load costs so much more. */
#define WRITE_APART 0.25
/* What drives lines out of a level is this multiple of what lies surely in the next cache, and no
   more than this part of what fits there; or what lies surely in memory. */
#define WRITE_OUT 2.0
#define WRITE_FULL 0.5
/* A load after a store hits when it costs what it costs after a load and at most this part of what
   it costs more after nothing; it misses when all but this part. */
#define WRITE_NEAR 0.25

/* More rounds, two times and four times as many, and with them the first, are hoped to make it
   clearer by this factor. */
#define WRITE_HOPE 2.0

struct write_shape {
  struct hw_bench *bench;
  struct hw_traffic traffic;
  struct hw_flushed flushed; /* the working sets in caches, and behind them where stores in memory
                                go */
  size_t *offset;
  size_t n;  /* of offset */
  size_t at; /* where in the rest the next stores go */
};

/* ---- Stores ---------------------------------------------------------------------------------- */

/* The lines of x bytes, from a place on. */
static int write_lines(struct write_shape *shape, size_t start, size_t x,
                       struct hw_random *random) {
  shape->n = hw_traffic_lines(&shape->traffic, x, random, shape->offset);
  for (size_t i = 0; i < shape->n; i++)
    shape->offset[i] += start;
  return shape->n > 0 ? 0 : -1;
}

/* Bytes of a stream that reaches as far. */
static size_t write_whole(double x) { return (size_t)ceil(x / HW_STREAM_GRAIN) * HW_STREAM_GRAIN; }

static int write_prepare(void *context, double x, struct hw_random *random) {
  struct write_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  if (hw_traffic_level(&shape->traffic, x) == shape->traffic.caches) {
    size_t part = shape->flushed.rest < WRITE_PART ? shape->flushed.rest : WRITE_PART;
    if (shape->at + part > shape->flushed.rest)
      shape->at = 0;
    shape->at += part;
    if (write_lines(shape, shape->flushed.bytes + shape->at - part, part, random) < 0)
      return -1;
    /* The even ones: the odd ones may come along. */
    shape->n = (shape->n + 1) / 2;
    return 0;
  }
  if (write_lines(shape, 0, (size_t)x, random) < 0)
    return -1;
  /* Loads bring in what stores may not. */
  machine->ops->stream(machine, shape->flushed.memory, HW_STREAM_READ, 0, write_whole(x));
  machine->ops->store(machine, shape->flushed.memory, shape->offset, shape->n);
  return 0;
}

static double write_work(void *context, double x) {
  struct write_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;
  bool once = hw_traffic_level(&shape->traffic, x) == shape->traffic.caches;
  size_t done = 0;

  do {
    machine->ops->store(machine, shape->flushed.memory, shape->offset, shape->n);
    done += shape->n;
  } while (!once && done < shape->bench->adds / 2);
  return (double)done;
}

/* Measures the curve of stores. */
static int write_stores(struct write_shape *shape) {
  const struct hw_task task = {.prepare = write_prepare, .work = write_work, .context = shape};
  const struct hw_traffic *traffic = &shape->traffic;
  double x[HW_LEVELS * HW_TRAFFIC_POINTS + 2] = {(double)(WRITE_FEW * traffic->line)};
  struct hw_curve curve;
  size_t n = 1;

  for (size_t level = 0; level < traffic->caches; level++)
    for (size_t i = 0; i < traffic->n[level]; i++)
      x[n++] = (double)traffic->x[level][i];
  x[n++] = traffic->level[traffic->caches].least;
  hw_curve_init(&curve, "write", "working set (bytes)", "time of a store (cycles)");
  if (hw_sample_task(shape->bench, &task, x, n, &curve) == 0)
    return hw_traffic_publish(shape->bench, &curve, "write");
  hw_curve_free(&curve);
  return -1;
}

/* ---- Loads after stores ---------------------------------------------------------------------- */

enum write_before { WRITE_LOADED, WRITE_STORED, WRITE_NEITHER };

/* Some working sets of lines that were driven out together, each for one sample. */
struct write_allocate {
  struct write_shape *shape;
  size_t bytes; /* of lines that fit the level, and not the one before */
  size_t out;   /* bytes that drive them out of it, and not out of the next */
  size_t sets;
  size_t next;    /* the next of them; sets: all were used */
  size_t *offset; /* of all sets, those of one next to each other */
};

/* Links all sets and drives them out. */
static int write_out(struct write_allocate *allocate, struct hw_random *random) {
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;

  shape->offset = allocate->offset;
  for (size_t i = 0; i < allocate->sets; i++) {
    if (write_lines(shape, i * allocate->bytes, allocate->bytes, random) < 0 ||
        machine->ops->link(machine, shape->flushed.memory, shape->offset, shape->n) < 0)
      return -1;
    shape->offset += shape->n;
  }
  hw_flush(&shape->flushed, allocate->out);
  allocate->next = 0;
  return 0;
}

static int write_allocate_prepare(void *context, double x, struct hw_random *random) {
  struct write_allocate *allocate = context;
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;

  if (allocate->next == allocate->sets && write_out(allocate, random) < 0)
    return -1;
  shape->offset = allocate->offset + allocate->next++ * shape->n;
  machine->ops->enter(machine, shape->flushed.memory, shape->offset[0]);
  if (x < WRITE_STORED)
    machine->ops->walk(machine, shape->flushed.memory, hw_grains((double)shape->n));
  else if (x < WRITE_NEITHER)
    machine->ops->store(machine, shape->flushed.memory, shape->offset, shape->n);
  machine->ops->enter(machine, shape->flushed.memory, shape->offset[0]);
  return 0;
}

static double write_allocate_work(void *context, double x) {
  struct write_allocate *allocate = context;
  struct write_shape *shape = allocate->shape;
  struct hw_machine *machine = shape->bench->machine;
  unsigned long n = hw_grains((double)shape->n);

  (void)x;
  n = n < WRITE_LOADS ? n : WRITE_LOADS;
  machine->ops->walk(machine, shape->flushed.memory, n);
  return (double)n;
}

/* Bytes to read so that what was used before is in this level. */
static size_t write_out_bytes(const struct hw_traffic *traffic, size_t level) {
  const struct hw_level *at = &traffic->level[level];

  return (size_t)(level == traffic->caches ? at->least
                                           : fmin(WRITE_OUT * at->least, WRITE_FULL * at->most));
}

/* Bytes of lines that fit a level and are more than the one before holds. */
static size_t write_set(const struct hw_traffic *traffic, size_t level) {
  return (size_t)ceil(traffic->level[level].least / (double)HW_TRAFFIC_UNIT) * HW_TRAFFIC_UNIT;
}

/* Measures the curve for a level, 0 the first. */
static int write_allocates(struct write_shape *shape, size_t level) {
  static const double x[] = {WRITE_LOADED, WRITE_STORED, WRITE_NEITHER};
  struct write_allocate allocate = {.shape = shape,
                                    .bytes = write_set(&shape->traffic, level),
                                    .out = write_out_bytes(&shape->traffic, level + 1),
                                    .offset = shape->offset};
  const struct hw_task task = {
      .prepare = write_allocate_prepare, .work = write_allocate_work, .context = &allocate};
  size_t most = shape->flushed.bytes / allocate.bytes;
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result;

  /* The next cache may hold no more than one set. */
  allocate.sets = level + 1 < shape->traffic.caches ? 1 : most < WRITE_SETS ? most : WRITE_SETS;
  allocate.next = allocate.sets;
  snprintf(name, sizeof name, "write_allocate_%zu", level + 1);
  hw_curve_init(&curve, name, "after a load (0), a store (1), neither (2)",
                "time of a load (cycles)");
  result = hw_sample_task(shape->bench, &task, x, sizeof x / sizeof x[0], &curve);
  shape->offset = allocate.offset;
  if (result == 0)
    return hw_traffic_publish(shape->bench, &curve, "write");
  hw_curve_free(&curve);
  return -1;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Measures all curves, with all memory at hand. */
static int write_measure(struct write_shape *shape) {
  int result = write_stores(shape);

  for (size_t level = 0; level < shape->traffic.caches && level < 3 && result == 0; level++)
    if (shape->traffic.n[level] > 0)
      result = write_allocates(shape, level);
  return result;
}

/* Bytes of all sets of a level, or of the largest working set of stores. */
static size_t write_bytes(const struct hw_traffic *traffic) {
  size_t last = traffic->caches - 1, most = WRITE_SETS * write_set(traffic, last);

  for (size_t level = 0; level <= last; level++)
    for (size_t i = 0; i < traffic->n[level]; i++)
      if (traffic->x[level][i] > most)
        most = traffic->x[level][i];
  return most;
}

int hw_probe_write(struct hw_bench *bench) {
  struct write_shape shape = {.bench = bench};
  const struct hw_traffic *traffic = &shape.traffic;
  struct hw_effort effort;
  size_t bytes, *offset;
  int result = -1;

  if (hw_traffic_open(&bench->curves, &shape.traffic) < 0)
    return -1;
  bytes = write_bytes(traffic);
  if (hw_flushed_open(&shape.flushed, bench, bytes,
                      (double)write_out_bytes(traffic, traffic->caches)) < 0)
    return -1;
  if (bytes < WRITE_PART)
    bytes = WRITE_PART;
  shape.offset = offset = calloc(bytes / traffic->line + WRITE_SETS, sizeof *offset);
  effort = hw_traffic_effort(bench, WRITE_PRECISION, WRITE_ROUNDS);
  if (offset != NULL)
    result = write_measure(&shape);
  bench->effort = effort;
  hw_flushed_close(&shape.flushed);
  free(offset);
  return result;
}

/* The least and the largest time of a store in a level. */
struct write_range {
  double least;
  double most;
};

/* That of a level, 1 the first, with so many times the points' errors.  0, or -1 when there is
   none. */
static int write_range(const struct hw_curves *curves, size_t level, double errors,
                       struct write_range *range) {
  struct hw_curve part;

  if (hw_traffic_part(curves, "write", level, &part) != 0)
    return -1;
  *range = (struct write_range){part.point[0].y, part.point[0].y};
  for (size_t i = 0; i < part.n; i++) {
    double error = errors * hw_point_error(&part.point[i]);
    range->least = fmin(range->least, part.point[i].y - error);
    range->most = fmax(range->most, part.point[i].y + error);
  }
  hw_curve_free(&part);
  return 0;
}

/* Whether a store that costs so much, in level as in the next, waits for the next. */
static bool write_waits(const struct hw_curves *curves, size_t level, double time) {
  const struct hw_curve *curve = hw_curves_get(curves, "write");
  double latency = hw_traffic_middle(curves, "levels", level + 1);

  return time > WRITE_BOUND * latency || (level == 1 && time > WRITE_SEEN * curve->point[0].y);
}

/* Whether a level writes back, with so many times the points' errors. */
static struct hw_answer write_back_within(const struct hw_curves *curves, size_t level,
                                          double errors) {
  static const char method[] = "stores in two levels";
  struct write_range here, next;

  if (write_range(curves, level, errors, &here) < 0 ||
      write_range(curves, level + 1, errors, &next) < 0)
    return hw_unknown(method, "its curve was not measured there");
  if (next.least > WRITE_BACK * here.most)
    return hw_known(method, 1, 0, HW_CLEAR);
  if (next.most > WRITE_BACK * here.least)
    return hw_unknown(method, "it is not clear how much more a store costs in the next level");
  if (next.most > (1 + WRITE_SAME) * here.least || here.most > (1 + WRITE_SAME) * next.least)
    return hw_absent(method, "a store costs more in the next level but not much more");
  if (!write_waits(curves, level, here.least))
    return hw_absent(method, "what a store costs may be hidden in both levels");
  return hw_known(method, 0, 0, HW_CLEAR);
}

/* What is unclear with half the errors, as the rounds to come are hoped to leave them, stays so. */
static struct hw_answer write_back(const struct hw_curves *curves, size_t level) {
  struct hw_answer answer = hw_traffic_has(curves, level, "stores in two levels");

  if (!answer.known)
    return answer;
  answer = write_back_within(curves, level, 1);
  if (!answer.known && !write_back_within(curves, level, 1 / WRITE_HOPE).known)
    answer.settled = true;
  return answer;
}

static struct hw_answer write_allocate(const struct hw_curves *curves, size_t level) {
  static const char method[] = "loads after stores";
  struct hw_answer has = hw_traffic_has(curves, level, method);
  const struct hw_curve *curve;
  char name[HW_CURVE_NAME];
  double gap, part, noise;

  if (!has.known)
    return has;
  snprintf(name, sizeof name, "write_allocate_%zu", level);
  curve = hw_curves_get(curves, name);
  if (curve == NULL || curve->n != 3)
    return hw_unknown(method, "its curve was not measured");
  gap = curve->point[WRITE_NEITHER].y - curve->point[WRITE_LOADED].y;
  part = (curve->point[WRITE_STORED].y - curve->point[WRITE_LOADED].y) / gap;
  noise = fmax(fmax(hw_rise_error(curve, &curve->point[WRITE_LOADED], &curve->point[WRITE_NEITHER]),
                    hw_rise_error(curve, &curve->point[WRITE_LOADED], &curve->point[WRITE_STORED])),
               hw_rise_error(curve, &curve->point[WRITE_STORED], &curve->point[WRITE_NEITHER]));
  if (gap + noise < WRITE_APART * curve->point[WRITE_LOADED].y ||
      gap < HW_CLEAR / WRITE_HOPE * noise)
    return hw_absent(method, "a load costs as much after a load as after nothing");
  if (gap < WRITE_APART * curve->point[WRITE_LOADED].y || gap < HW_CLEAR * noise)
    return hw_unknown(method, "what was stored to is not clear of what was not");
  if (part > WRITE_NEAR && part < 1 - WRITE_NEAR)
    return hw_unknown(method, "some of what was stored to hits, and some does not");
  return hw_known(method, part <= WRITE_NEAR, 0, gap / fmax(noise, gap / HW_CLARITY_MAX));
}

/* The rows of a level: measuring again what lies behind level 2 changes nothing where a neighbour
   has a part of it. */
#define WRITE_VALUES(n)                                                                            \
  struct hw_answer hw_value_l##n##_write_back(const struct hw_curves *curves) {                    \
    return hw_traffic_settled(write_back(curves, n), n);                                           \
  }                                                                                                \
  struct hw_answer hw_value_l##n##_write_allocate(const struct hw_curves *curves) {                \
    return hw_traffic_settled(write_allocate(curves, n), n);                                       \
  }

WRITE_VALUES(1)
WRITE_VALUES(2)
WRITE_VALUES(3)
