/* Miss penalties by forward initialisation and reverse access (FIRA).

   Curve   fira: x distance of the place from the end of an array (bytes), y time of a load there
           (cycles); fira_last: the same of one that level 3 cannot hold.
   Method  An array that level 2 cannot hold is read from its first byte to its last: then its end
           is in level 1, what lies before that in level 2, and so on, a known number of lines in
           each.  Going back from the end, all lines of each place, or pairs of lines where a miss
           brings in two, are loaded once, in random order, each place after a pass of its own: its
           loads move the lines of other places.
   Rows    L1_MISS_FIRA, L2_MISS_FIRA, L3_MISS_FIRA, in hwconfig.json: a second measure of the miss
           penalties.
   Cost    100 ms, twice a working set that surely lies in level 3; up to 0.3 s and 25 MB for
           level 3, in a thorough run 2 s and 256 MB.
   See     DM table I. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>

/* Lines of a place; points of the curve, at most. */
#define FIRA_LINES ((size_t)HW_GRAIN)
#define FIRA_POINTS 64u
/* Places of an octave of distances. */
#define FIRA_OCTAVE 4u
/* Levels whose miss penalty is measured by the first array; a level behind them has its own. */
#define FIRA_LEVELS 2u
/* Bytes of the array, at most: one that reaches memory behind a level 3 that is not clear would
   take seconds. */
#define FIRA_MOST ((size_t)64 << 20)
/* Bytes of the array that level 3 cannot hold, at most: some hundred passes over one of as many as
   FIRA_PATIENCE of the effort's ns of patience take a hundredth of these.  And its places beyond
   level 3. */
#define FIRA_LAST_MOST 256e6
#define FIRA_PATIENCE 1000
#define FIRA_BEYOND 4u
#define FIRA_PRECISION 0.02
#define FIRA_ROUNDS 2

struct fira_shape {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t bytes; /* of the array */
  size_t part;  /* bytes of a place */
};

static size_t fira_place(const struct fira_shape *shape, double x) {
  return shape->bytes - (size_t)x;
}

static int fira_prepare(void *context, double x, struct hw_random *random) {
  struct fira_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  (void)random;
  machine->ops->stream(machine, shape->memory, HW_STREAM_READ, 0, shape->bytes);
  machine->ops->enter(machine, shape->memory, fira_place(shape, x));
  return 0;
}

static double fira_work(void *context, double x) {
  struct fira_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  (void)x;
  machine->ops->walk(machine, shape->memory, FIRA_LINES);
  return (double)FIRA_LINES;
}

/* Links the lines of a place in random order, beginning with the first. */
static int fira_link(struct fira_shape *shape, double x) {
  struct hw_machine *machine = shape->bench->machine;
  size_t offset[FIRA_LINES];

  for (size_t i = 0; i < FIRA_LINES; i++)
    offset[i] = fira_place(shape, x) + i * (shape->part / FIRA_LINES);
  hw_random_order(&shape->bench->random, offset + 1, FIRA_LINES - 1);
  return machine->ops->link(machine, shape->memory, offset, FIRA_LINES);
}

/* Distances, multiples of a place, FIRA_OCTAVE to an octave.  Returns their number. */
static size_t fira_points(const struct fira_shape *shape, double *x) {
  size_t n = 0;

  for (size_t at = 1; at * shape->part <= shape->bytes && n<FIRA_POINTS; at += at / FIRA_OCTAVE> 1
                          ? at / FIRA_OCTAVE
                          : 1)
    x[n++] = (double)(at * shape->part);
  return n;
}

/* Places of an array that level 3 cannot hold: in the first half of that level, and beyond it.
   Returns their number. */
static size_t fira_last(const struct fira_shape *shape, const struct hw_traffic *traffic,
                        double *x) {
  size_t n = 0;

  for (size_t i = 0; i < traffic->n[FIRA_LEVELS]; i++) {
    double at = (double)(traffic->x[FIRA_LEVELS][i] / shape->part * shape->part);

    if (i == 0 || 2 * at <= traffic->level[FIRA_LEVELS].most)
      x[n++] = at;
  }
  for (size_t i = 1; i <= FIRA_BEYOND; i++)
    x[n++] =
        (double)((FIRA_BEYOND + i) * (shape->bytes / 2 / FIRA_BEYOND / shape->part * shape->part));
  return n;
}

/* Sets the bytes of an array of which the second half is beyond that level, 0 the first. */
static void fira_resize(struct fira_shape *shape, const struct hw_traffic *traffic, size_t level) {
  shape->bytes = 2 * (size_t)traffic->level[level + 1].least / shape->part * shape->part;
}

/* Measures n places, and publishes the curve. */
static int fira_sample(struct fira_shape *shape, const double *x, size_t n, const char *name) {
  struct hw_bench *bench = shape->bench;
  struct hw_machine *machine = bench->machine;
  const struct hw_effort effort = hw_traffic_effort(bench, FIRA_PRECISION, FIRA_ROUNDS);
  const struct hw_task task = {
      .prepare = fira_prepare, .work = fira_work, .context = shape, .effort = &effort};
  struct hw_curve curve;
  int result = 0;

  shape->memory = machine->ops->map(machine, shape->bytes, HW_PAGES_PLAIN);
  if (shape->memory == NULL)
    return -1;
  machine->ops->stream(machine, shape->memory, HW_STREAM_WRITE, 0,
                       shape->bytes / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT);
  for (size_t i = 0; i < n && result == 0; i++)
    result = fira_link(shape, x[i]);
  hw_curve_init(&curve, name, "distance from the end of the array (bytes)",
                "time of a load (cycles)");
  if (result == 0)
    result = hw_sample_task(bench, &task, x, n, &curve);
  machine->ops->unmap(machine, shape->memory);
  return hw_traffic_publish(bench, &curve, "fira", result);
}

/* Bytes of a place: each of its loads is of another unit that a miss brings in, where that is known
   and level 1 holds a place of them; else of another line. */
static size_t fira_part(const struct hw_bench *bench, const struct hw_traffic *traffic) {
  const struct hw_answer fetch = hw_value_fetch_bytes(&bench->curves);
  const size_t part = fetch.known ? FIRA_LINES * (size_t)fetch.value : 0;

  return part > FIRA_LINES * traffic->line && (double)part <= traffic->level[0].most
             ? part
             : FIRA_LINES * traffic->line;
}

int hw_probe_fira(struct hw_bench *bench) {
  struct fira_shape shape = {.bench = bench};
  struct hw_traffic traffic;
  double x[FIRA_POINTS];

  if (hw_traffic_open(&bench->curves, &traffic) < 0)
    return hw_traffic_lacks(bench);
  if (!hw_value_l1_line(&bench->curves).known) /* of a longer line a part of the loads hit */
    return hw_lacks(bench, "HW_L1_LINE is unknown");
  shape.part = fira_part(bench, &traffic);
  fira_resize(&shape, &traffic, (traffic.caches < FIRA_LEVELS ? traffic.caches : FIRA_LEVELS) - 1);
  if (shape.bytes < shape.part || shape.bytes > bench->memory || shape.bytes > FIRA_MOST ||
      fira_sample(&shape, x, fira_points(&shape, x), HW_NAME_FIRA) != 0)
    return -1;
  if (traffic.caches <= FIRA_LEVELS)
    return 0;
  fira_resize(&shape, &traffic, FIRA_LEVELS);
  if (shape.bytes > bench->memory ||
      (double)shape.bytes > fmin(FIRA_LAST_MOST, bench->effort.patience / FIRA_PATIENCE))
    return 0; /* the row says so */
  return fira_sample(&shape, x, fira_last(&shape, &traffic, x), HW_NAME_FIRA_LAST);
}
