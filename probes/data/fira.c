/* Miss penalties by forward initialisation and reverse access (FIRA).

   Curve   fira: x distance of the place from the end of an array (bytes), y time of a load there
           (cycles).
   Method  An array that level 2 cannot hold is read from its first byte to its last: then its end
           is in level 1, what lies before that in level 2, and so on, a known number of lines in
           each.  Going back from the end, each part is loaded from, all of its lines once, in
           random order: what a line costs tells its level, and the differences are the penalties.
           Each place after a pass of its own, as the loads of one move the lines of the others.
   Rows    L1_MISS_FIRA, L2_MISS_FIRA, in hwconfig.json: a second way to what a miss costs.
   Cost    100 ms, twice what lies surely in level 3.
   Limits  Replacement that keeps more of the old than LRU does holds other parts of the array; the
           points then lie between two levels.  The lines of a place are neighbours: where
           prefetchers bring some of them, a penalty comes out too low.
   See     DM table I. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>
#include <stdlib.h>

/* Lines of a place. */
#define FIRA_LINES ((size_t)HW_GRAIN)
/* Places up to this part of a level's plateau lie in it. */
#define FIRA_PART 0.5
#define FIRA_POINTS 64u
/* Places of an octave of distances. */
#define FIRA_OCTAVE 4u
/* Levels whose miss is measured. */
#define FIRA_LEVELS 2u
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

/* Links the lines of a place, beginning with the first. */
static int fira_link(struct fira_shape *shape, double x) {
  struct hw_machine *machine = shape->bench->machine;
  size_t offset[FIRA_LINES];

  for (size_t i = 0; i < FIRA_LINES; i++)
    offset[i] = fira_place(shape, x) + i * (shape->part / FIRA_LINES);
  hw_random_order(&shape->bench->random, offset + 1, FIRA_LINES - 1);
  return machine->ops->link(machine, shape->memory, offset, FIRA_LINES);
}

/* Distances, multiples of a place, some to an octave.  Returns how many. */
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
  struct hw_effort effort;
  struct hw_traffic traffic;
  struct hw_curve curve;
  double x[FIRA_POINTS];
  size_t n, last;
  int result = 0;

  if (hw_traffic_open(&bench->curves, &traffic) < 0)
    return -1;
  last = traffic.caches < FIRA_LEVELS ? traffic.caches : FIRA_LEVELS;
  shape.part = FIRA_LINES * traffic.line;
  shape.bytes = 2 * (size_t)traffic.level[last].least / shape.part * shape.part;
  if (shape.bytes < shape.part || shape.bytes > bench->memory)
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
    const struct hw_task task = {.prepare = fira_prepare, .work = fira_work, .context = &shape};
    effort = hw_traffic_effort(bench, FIRA_PRECISION, FIRA_ROUNDS);
    result = hw_sample_task(bench, &task, x, n, &curve);
    bench->effort = effort;
  }
  machine->ops->unmap(machine, shape.memory);
  if (result == 0)
    return hw_traffic_publish(bench, &curve, "fira");
  hw_curve_free(&curve);
  return -1;
}

/* What a load costs at the distances that lie in a level, well before its end. */
static struct hw_answer fira_level(const struct hw_curves *curves, size_t level) {
  struct hw_answer answer;
  struct hw_curve part;
  bool whole;
  size_t kept = 1;

  if (hw_traffic_part(curves, "fira", level, &part) != 0)
    return hw_unknown("median rate", "no working set lies in the level");
  if (level <= hw_traffic_caches(curves, &whole)) {
    struct hw_level at[HW_LEVELS];
    hw_levels_seen(curves, at, &whole);
    while (kept < part.n && part.point[kept].x <= FIRA_PART * at[level - 1].most)
      kept++;
    part.n = kept;
  }
  answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  return answer;
}

/* What a miss of a level, 1 the first, costs more than a hit, in cycles. */
static struct hw_answer fira_penalty(const struct hw_curves *curves, size_t level) {
  struct hw_answer hit = hw_traffic_has(curves, level, "median rate"), miss;

  if (!hit.known)
    return hit;
  hit = fira_level(curves, level);
  miss = fira_level(curves, level + 1);
  if (!hit.known || !miss.known)
    return hit.known ? miss : hit;
  miss.value -= hit.value;
  miss.error += hit.error;
  return miss.value > miss.error ? miss
                                 : hw_unknown(miss.method, "a miss costs no more than a hit");
}

struct hw_answer hw_read_l1_miss_fira(const struct hw_curves *curves) {
  return fira_penalty(curves, 1);
}

struct hw_answer hw_read_l2_miss_fira(const struct hw_curves *curves) {
  return fira_penalty(curves, 2);
}
