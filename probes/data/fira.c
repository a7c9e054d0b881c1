/* Miss penalties by forward initialisation and reverse access (FIRA).

   Curve   fira: x distance of the place from the end of an array (bytes), y time of a load there
           (cycles).
   Method  An array that level 2 cannot hold is read from its first byte to its last: then its end
           is in level 1, what lies before that in level 2, and so on, a known number of lines in
           each.  Going back from the end, all lines of each place are loaded once, in random
           order, each place after a pass of its own: its loads move the lines of other places.
   Rows    L1_MISS_FIRA, L2_MISS_FIRA, in hwconfig.json: a second measure of the miss penalties.
   Cost    100 ms, twice a working set that surely lies in level 3.
   See     DM table I. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

/* Lines of a place; points of the curve, at most. */
#define FIRA_LINES ((size_t)HW_GRAIN)
#define FIRA_POINTS 64u
/* Places of an octave of distances. */
#define FIRA_OCTAVE 4u
/* Levels whose miss penalty is measured. */
#define FIRA_LEVELS 2u
/* Bytes of the array, at most: one that reaches memory behind a level 3 that is not clear would
   take seconds. */
#define FIRA_MOST ((size_t)64 << 20)
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

int hw_probe_fira(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct fira_shape shape = {.bench = bench};
  struct hw_traffic traffic;
  struct hw_curve curve;
  double x[FIRA_POINTS];
  size_t n, last;
  int result = 0;

  if (hw_traffic_open(&bench->curves, &traffic) < 0)
    return hw_traffic_lacks(bench);
  if (!hw_value_l1_line(&bench->curves).known) /* of a longer line a part of the loads hit */
    return hw_lacks(bench, "HW_L1_LINE is unknown");
  last = traffic.caches < FIRA_LEVELS ? traffic.caches : FIRA_LEVELS;
  shape.part = FIRA_LINES * traffic.line;
  shape.bytes = 2 * (size_t)traffic.level[last].least / shape.part * shape.part;
  if (shape.bytes < shape.part || shape.bytes > bench->memory || shape.bytes > FIRA_MOST)
    return -1;
  shape.memory = machine->ops->map(machine, shape.bytes, HW_PAGES_PLAIN);
  if (shape.memory == NULL)
    return -1;
  machine->ops->stream(machine, shape.memory, HW_STREAM_WRITE, 0,
                       shape.bytes / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT);
  n = fira_points(&shape, x);
  for (size_t i = 0; i < n && result == 0; i++)
    result = fira_link(&shape, x[i]);
  hw_curve_init(&curve, HW_NAME_FIRA, "distance from the end of the array (bytes)",
                "time of a load (cycles)");
  if (result == 0) {
    const struct hw_effort effort = hw_traffic_effort(bench, FIRA_PRECISION, FIRA_ROUNDS);
    const struct hw_task task = {
        .prepare = fira_prepare, .work = fira_work, .context = &shape, .effort = &effort};
    result = hw_sample_task(bench, &task, x, n, &curve);
  }
  machine->ops->unmap(machine, shape.memory);
  return hw_traffic_publish(bench, &curve, "fira", result);
}
