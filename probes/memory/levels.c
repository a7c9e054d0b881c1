/* The size curve: levels of data cache, their latencies and effective sizes, and the memory's
   latency.

   Curve   levels: x working set (bytes), y time of a load (cycles).
   Method  Rings over every line of working sets that grow by a quarter of an octave.  A segment of
           some pages is done before the next, so that the TLB stays out of it; of each segment
           first the even lines, and one lap later the odd ones, all in random order, since what
           prefetchers bring along then comes a lap too early.  Plateaus are levels.
   Rows    CACHE_LEVELS, HAVE_L1, HAVE_L2, HAVE_L3, L2_LAT, L2_LAT_X100, L2_LAT_PS, L2_EFF_BYTES,
           the same of L3, MEM_LAT, MEM_LAT_X100, MEM_LAT_PS.
   Cost    1 s, the memory that a probe may have.
   See     BB 3.1.2, 4.2.3, 5. */
#include "probes/memory/levels.h"

#include "probes/memory/l1.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Pages of a segment: no first-level TLB holds fewer.  A page that is not known is taken for the
   level-1 cache's stride, if that is no larger than the smallest page of usual systems. */
#define LEVELS_SEGMENT 16u
#define LEVELS_PAGE ((size_t)4096)
/* The least working set, as a part of the level-1 cache. */
#define LEVELS_LEAST 4u
/* Working sets of an octave where the curve rises; one where it does not. */
#define LEVELS_OCTAVE 4u
#define LEVELS_POINTS 128u
/* A neighbouring working set that costs this much more is a rise. */
#define LEVELS_RISE 1.06
/* Up to so many lines a ring is laid out anew for each sample, at another place, and walked until
   it is warm: so many laps, since replacement that is not LRU takes some to settle. */
#define LEVELS_SMALL ((size_t)1 << 13)
#define LEVELS_LAPS 8u
/* A larger one is laid out once, and streamed over before a sample when more than this part of it
   was walked since. */
#define LEVELS_PART 16u
/* Loads of a sample, at least. */
#define LEVELS_LOADS 8192.0

/* The ring of a working set. */
struct levels_ring {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t line;
  size_t segment; /* bytes */
  size_t mapped;  /* bytes */
  size_t *offset; /* the loads */
  size_t *order;  /* of the segments */
  size_t *entry;  /* the load with which each begins, in that order */
  size_t n;
  size_t segments;
  size_t place;  /* where the working set starts */
  size_t bytes;  /* of the working set that is linked; 0: none is */
  size_t walked; /* loads since it was warm */
  unsigned long loads;
};

/* Puts into the ring the lines of a segment that are even, or odd. */
static void levels_put(struct levels_ring *ring, size_t segment, size_t odd,
                       struct hw_random *random) {
  size_t at = segment * ring->segment, first = ring->n;
  size_t end = at + ring->segment < ring->bytes ? at + ring->segment : ring->bytes;

  for (at += odd * ring->line; at < end; at += 2 * ring->line)
    ring->offset[ring->n++] = ring->place + at;
  hw_random_order(random, ring->offset + first, ring->n - first);
}

/* Lays the ring out over so many bytes from the place on, and links it. */
static int levels_link(struct levels_ring *ring, size_t bytes, size_t place,
                       struct hw_random *random) {
  struct hw_machine *machine = ring->bench->machine;

  ring->bytes = bytes;
  ring->place = place;
  ring->segments = (bytes + ring->segment - 1) / ring->segment;
  ring->n = 0;
  for (size_t i = 0; i < ring->segments; i++)
    ring->order[i] = i;
  hw_random_order(random, ring->order, ring->segments);
  for (size_t i = 0; i < ring->segments; i++) {
    ring->entry[i] = ring->n;
    levels_put(ring, ring->order[i], 0, random);
  }
  for (size_t i = 0; i < ring->segments; i++)
    levels_put(ring, ring->order[i], 1, random);
  return machine->ops->link(machine, ring->memory, ring->offset, ring->n);
}

/* The least multiple of the grain that is not below n. */
static unsigned long levels_grains(double n) {
  return (unsigned long)ceil(n / HW_GRAIN) * HW_GRAIN;
}

/* Streams over the segments in the order of the ring, from one of them on, and has the next walk
   start there.  A line of the ring was then last used as long ago as a lap takes, or almost, as
   long as only a small part is walked. */
static void levels_stream(struct levels_ring *ring, size_t first) {
  struct hw_machine *machine = ring->bench->machine;

  for (size_t i = 0; i < ring->segments; i++) {
    size_t at = ring->order[(first + i) % ring->segments] * ring->segment;
    size_t bytes = at + ring->segment < ring->bytes ? ring->segment : ring->bytes - at;
    machine->ops->stream(machine, ring->memory, HW_STREAM_READ, ring->place + at,
                         bytes / HW_STREAM_GRAIN * HW_STREAM_GRAIN);
  }
  machine->ops->enter(machine, ring->memory, ring->offset[ring->entry[first]]);
  ring->walked = 0;
}

static int levels_prepare_small(struct levels_ring *ring, size_t bytes, struct hw_random *random) {
  struct hw_machine *machine = ring->bench->machine;
  size_t room = (ring->mapped < 4 * bytes ? ring->mapped : 4 * bytes) - bytes;
  size_t place = hw_random_below(random, room / ring->segment + 1) * ring->segment;

  if (levels_link(ring, bytes, place, random) < 0)
    return -1;
  machine->ops->walk(machine, ring->memory, levels_grains((double)(LEVELS_LAPS * ring->n)));
  ring->loads = levels_grains(fmax((double)ring->n, (double)ring->bench->adds / 4));
  return 0;
}

static int levels_prepare_large(struct levels_ring *ring, size_t bytes, struct hw_random *random) {
  ring->loads = levels_grains(fmax(LEVELS_LOADS, (double)ring->bench->adds / 4));
  if (ring->bytes != bytes && levels_link(ring, bytes, 0, random) < 0)
    return -1;
  if (ring->walked > ring->n / LEVELS_PART)
    levels_stream(ring, hw_random_below(random, ring->segments));
  return 0;
}

static int levels_prepare(void *context, double x, struct hw_random *random) {
  struct levels_ring *ring = context;
  size_t bytes = (size_t)x;

  return bytes / ring->line <= LEVELS_SMALL ? levels_prepare_small(ring, bytes, random)
                                            : levels_prepare_large(ring, bytes, random);
}

static double levels_work(void *context, double x) {
  struct levels_ring *ring = context;
  struct hw_machine *machine = ring->bench->machine;

  (void)x;
  machine->ops->walk(machine, ring->memory, ring->loads);
  ring->walked += ring->loads;
  return (double)ring->loads;
}

/* Bytes that the largest working set may have: beside it there is the list of its lines. */
static size_t levels_most(const struct hw_bench *bench, size_t line) {
  size_t grain = line > HW_STREAM_GRAIN ? line : HW_STREAM_GRAIN;

  return bench->memory / (line + sizeof(size_t)) * line / grain * grain;
}

/* Measures n working sets, by ascending size: small ones in interleaved rounds, large ones one by
   one. */
static int levels_sample(struct levels_ring *ring, const double *x, size_t n,
                         struct hw_curve *curve) {
  const struct hw_task task = {.prepare = levels_prepare, .work = levels_work, .context = ring};
  size_t small = 0;

  while (small < n && x[small] / (double)ring->line <= LEVELS_SMALL)
    small++;
  if (small > 0 && hw_sample_task(ring->bench, &task, x, small, curve) < 0)
    return -1;
  for (size_t i = small; i < n; i++) {
    ring->bytes = 0;
    ring->walked = SIZE_MAX / 2;
    if (hw_sample_task(ring->bench, &task, &x[i], 1, curve) < 0)
      return -1;
  }
  return 0;
}

/* Measures what lies between neighbouring working sets from low on where the curve rises. */
static int levels_refine(struct levels_ring *ring, double low, struct hw_curve *curve) {
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i + 1 < curve->n; i++) {
    const struct hw_point *p = &curve->point[i], *next = p + 1;
    if (p->x >= low && next->y > LEVELS_RISE * p->y)
      for (unsigned k = 1; k < LEVELS_OCTAVE; k++) {
        double at = p->x * (1 + (double)k / LEVELS_OCTAVE);
        if (at < next->x && n < LEVELS_POINTS)
          x[n++] = at;
      }
  }
  return n == 0 ? 0 : levels_sample(ring, x, n, curve);
}

/* Measures the curve: working sets that double, then what lies between. */
static int levels_curve(struct levels_ring *ring, double least, struct hw_curve *curve) {
  double x[LEVELS_POINTS], at = least;
  size_t n = 0;

  for (; at <= (double)ring->mapped && n < LEVELS_POINTS; at *= 2)
    x[n++] = at;
  if (levels_sample(ring, x, n, curve) < 0)
    return -1;
  return levels_refine(ring, 0, curve);
}

/* Has memory for the ring.  0, or -1. */
static int levels_open(struct levels_ring *ring) {
  struct hw_machine *machine = ring->bench->machine;
  size_t segments = ring->mapped / ring->segment + 1;

  ring->offset = calloc(ring->mapped / ring->line + 1, sizeof *ring->offset);
  ring->order = calloc(segments, sizeof *ring->order);
  ring->entry = calloc(segments, sizeof *ring->entry);
  ring->memory = machine->ops->map(machine, ring->mapped, HW_PAGES_PLAIN);
  return ring->offset != NULL && ring->order != NULL && ring->entry != NULL &&
                 ring->memory != NULL
             ? 0
             : -1;
}

static void levels_close(struct levels_ring *ring) {
  ring->bench->machine->ops->unmap(ring->bench->machine, ring->memory);
  free(ring->offset);
  free(ring->order);
  free(ring->entry);
}

int hw_probe_levels(struct hw_bench *bench) {
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct hw_answer page = hw_value_page_bytes(&bench->curves);
  const struct hw_effort effort = bench->effort;
  struct levels_ring ring = {.bench = bench};
  struct hw_l1_shape l1;
  struct hw_curve curve;
  int result = -1;

  if (!line.known || hw_l1_shape(&bench->curves, &l1) < 0)
    return -1;
  ring.line = (size_t)line.value;
  ring.segment = page.known               ? (size_t)page.value
                 : l1.stride < LEVELS_PAGE ? l1.stride
                                           : LEVELS_PAGE;
  ring.segment *= LEVELS_SEGMENT;
  ring.mapped = levels_most(bench, ring.line);
  bench->effort.rounds_max = bench->effort.rounds;
  hw_curve_init(&curve, "levels", "working set (bytes)", "time of a load (cycles)");
  if (levels_open(&ring) == 0)
    result = levels_curve(&ring, (double)(l1.bytes / LEVELS_LEAST), &curve);
  levels_close(&ring);
  bench->effort = effort;
  if (result == 0)
    return hw_publish(bench, &curve, "levels", 1);
  hw_curve_free(&curve);
  return -1;
}

/* A point still belongs to a plateau when a load costs less than half as much again, or lies in the
   first third of a lower rise by ratio. */
#define LEVELS_IN 1.5
#define LEVELS_THIRD (1.0 / 3)

/* The end of a plateau of the curve, with another level behind it. */
static struct hw_answer levels_end(const struct hw_curve *curve, const struct hw_plateau *plateau,
                                   double next) {
  static const char method[] = "end of a plateau";
  double bound = plateau->level * fmin(LEVELS_IN, pow(next / plateau->level, LEVELS_THIRD));
  size_t last = curve->n - 1;

  while (last > plateau->last && curve->point[last].y > bound)
    last--;
  if (last + 1 == curve->n)
    return hw_unknown(method, "no end of the plateau was seen");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  HW_CLEAR);
}

static struct hw_level levels_level(const struct hw_curve *curve, const struct hw_plateau *plateau,
                                    const struct hw_plateau *next) {
  struct hw_level level = {.effective = hw_unknown("end of a plateau", "it is the memory's"),
                           .least = curve->point[plateau->first].x,
                           .most = curve->point[plateau->last].x};
  struct hw_curve part = *curve;

  part.point += plateau->first;
  part.n = plateau->last - plateau->first + 1;
  level.latency = hw_reduce_level(&part);
  if (next != NULL)
    level.effective = levels_end(curve, plateau, next->level);
  return level;
}

size_t hw_levels_seen(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                      bool *whole) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  struct hw_plateau plateau[HW_LEVELS];
  size_t n;

  *whole = false;
  if (curve == NULL)
    return 0;
  n = hw_plateaus(curve, plateau, HW_LEVELS);
  if (n == 0 || plateau[0].first != 0)
    return 0;
  *whole = n > 1 && plateau[n - 1].last + 1 == curve->n;
  for (size_t i = 0; i < n; i++)
    level[i] = levels_level(curve, &plateau[i], i + 1 < n ? &plateau[i + 1] : NULL);
  return n;
}

size_t hw_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS]) {
  bool whole;
  size_t n = hw_levels_seen(curves, level, &whole);

  return whole ? n : 0;
}

static const char levels_method[] = "plateaus of the size curve";

/* Level n of the caches, from 1 on: 1 when it exists, 0 when not, -1 when that is not clear. */
static int levels_cache(const struct hw_curves *curves, size_t n, struct hw_level *found) {
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, level, &whole);

  if (n < seen) {
    *found = level[n - 1];
    return 1;
  }
  return whole ? 0 : -1;
}

static struct hw_answer levels_unclear(void) {
  return hw_unknown(levels_method, "the levels are not clear");
}

struct hw_answer hw_value_cache_levels(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  size_t n = hw_levels(curves, level);

  return n > 0 ? hw_known(levels_method, (double)n - 1, 0, HW_CLEAR) : levels_unclear();
}

static struct hw_answer levels_have(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  return have < 0 ? levels_unclear() : hw_known(levels_method, have, 0, HW_CLEAR);
}

static struct hw_answer levels_latency(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  if (have == 0)
    return hw_absent(levels_method, "there is no such level");
  return have < 0 ? levels_unclear() : level.latency;
}

static struct hw_answer levels_effective(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  if (have == 0)
    return n > 2 ? levels_effective(curves, n - 1) : hw_value_l1_eff_bytes(curves);
  return have < 0 ? levels_unclear() : level.effective;
}

static struct hw_answer levels_memory(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  size_t n = hw_levels(curves, level);

  return n > 0 ? level[n - 1].latency : levels_unclear();
}

/* In time. */
static struct hw_answer levels_ps(const struct hw_curves *curves, struct hw_answer latency) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);

  return !latency.known ? latency : cycle.known ? hw_scaled(latency, cycle.value) : cycle;
}

struct hw_answer hw_value_have_l1(const struct hw_curves *curves) { return levels_have(curves, 1); }

struct hw_answer hw_value_have_l2(const struct hw_curves *curves) { return levels_have(curves, 2); }

struct hw_answer hw_value_have_l3(const struct hw_curves *curves) { return levels_have(curves, 3); }

struct hw_answer hw_value_l2_lat(const struct hw_curves *curves) {
  return levels_latency(curves, 2);
}

struct hw_answer hw_value_l2_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_latency(curves, 2), 100);
}

struct hw_answer hw_value_l2_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_latency(curves, 2));
}

struct hw_answer hw_value_l2_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 2);
}

struct hw_answer hw_value_l3_lat(const struct hw_curves *curves) {
  return levels_latency(curves, 3);
}

struct hw_answer hw_value_l3_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_latency(curves, 3), 100);
}

struct hw_answer hw_value_l3_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_latency(curves, 3));
}

struct hw_answer hw_value_l3_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 3);
}

struct hw_answer hw_value_mem_lat(const struct hw_curves *curves) { return levels_memory(curves); }

struct hw_answer hw_value_mem_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_memory(curves), 100);
}

struct hw_answer hw_value_mem_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_memory(curves));
}
