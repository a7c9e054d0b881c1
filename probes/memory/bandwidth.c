/* Bandwidth of one thread from each level, and from memory.

   Curve   bandwidth_read, bandwidth_write, bandwidth_copy: x working set (bytes), y time of a byte
           (ns).
   Method  Streams as wide as the compiler's vectors over working sets well inside of a level and
           well beyond the one before: a few of each level.  In memory a part at a time, each in
           turn, so that as much as the working set passes before a byte comes again.  One kind
           after the other, since what was written is brought back later and slows down who comes
           then.  Each kind at two times or more that agree, since one who moves data himself leaves
           the additions alone by which others are told.  The median rate of a level's points.
   Rows    L1_READ_MBS, L1_WRITE_MBS, L1_COPY_MBS, the same of L2, L3 and MEM.
   Cost    300 ms, one and a half times what lies surely in memory.
   Limits  A byte copied counts once, though it is read and written; STREAM, as SV uses it, counts
           both and tells twice as much.  Stores are ordinary ones: a level that allocates on a
           write reads first what is written.  Another thread of the core is waited for, but not
           seen when it has not rested since the clock was measured.  Known to HW_RATE_ERROR, the
           clock's drift included.
   See     XM 9; SV III-C. */
#include "probes/memory/traffic.h"

#include <math.h>
#include <stdio.h>

/* In memory so many bytes are done at a time. */
#define BANDWIDTH_PART ((size_t)1 << 20)
/* A sample is this much at most: no clock is so coarse that more would be needed. */
#define BANDWIDTH_MOST ((size_t)1 << 30)
/* Up to here a working set is streamed over several times before it counts: replacement that is not
   LRU takes some rounds to settle. */
#define BANDWIDTH_SMALL ((size_t)1 << 20)
#define BANDWIDTH_WARM 4
/* Precision of a point, and rounds at most in multiples of the least: what is left is small beside
   HW_RATE_ERROR. */
#define BANDWIDTH_PRECISION 0.03
#define BANDWIDTH_ROUNDS 1

/* Two times agree when they differ by no more than this: half of what a rate may be off. */
#define BANDWIDTH_AGREE (HW_RATE_ERROR / 2)
/* Rounds of one time: half of what there are, but enough for their scatter to be known. */
#define BANDWIDTH_TIMES 2u
#define BANDWIDTH_FEWEST 6u

/* An addition that waits for no other costs so much more while the core is shared. */
#define BANDWIDTH_SHARED 0.15

struct bandwidth_shape {
  struct hw_bench *bench;
  struct hw_traffic traffic;
  struct hw_memory *memory;
  enum hw_stream stream;
  size_t least; /* bytes of a sample */
  size_t apart; /* where the working set in memory begins, behind those in caches */
  size_t at;    /* where in it the next part is */
};

static const struct bandwidth_kind {
  enum hw_stream stream;
  const char *curve;
} bandwidth_kinds[] = {{HW_STREAM_READ, "bandwidth_read"},
                       {HW_STREAM_COPY, "bandwidth_copy"},
                       {HW_STREAM_WRITE, "bandwidth_write"}};

#define BANDWIDTH_KINDS (sizeof bandwidth_kinds / sizeof bandwidth_kinds[0])

static void bandwidth_stream(const struct bandwidth_shape *shape, size_t offset, size_t bytes) {
  struct hw_machine *machine = shape->bench->machine;

  machine->ops->stream(machine, shape->memory, shape->stream, offset, bytes);
}

static bool bandwidth_in_memory(const struct bandwidth_shape *shape, double x) {
  return hw_traffic_level(&shape->traffic, x) == shape->traffic.caches && x > BANDWIDTH_PART;
}

static int bandwidth_prepare(void *context, double x, struct hw_random *random) {
  struct bandwidth_shape *shape = context;
  struct hw_machine *machine = shape->bench->machine;

  (void)random;
  if (bandwidth_in_memory(shape, x))
    return 0;
  /* Loads bring in what stores may not. */
  machine->ops->stream(machine, shape->memory, HW_STREAM_READ, 0, (size_t)x);
  for (int i = x > BANDWIDTH_SMALL ? 1 : BANDWIDTH_WARM; i > 0; i--)
    bandwidth_stream(shape, 0, (size_t)x);
  return 0;
}

/* Bytes read, written or copied. */
static double bandwidth_work(void *context, double x) {
  struct bandwidth_shape *shape = context;
  bool part = bandwidth_in_memory(shape, x);
  size_t bytes = part ? BANDWIDTH_PART : (size_t)x, done = 0;

  while (done < bytes || done < shape->least) {
    if (part && shape->at + bytes > (size_t)x)
      shape->at = 0;
    bandwidth_stream(shape, part ? shape->apart + shape->at : 0, bytes);
    shape->at += part ? bytes : 0;
    done += bytes;
  }
  return (double)(shape->stream == HW_STREAM_COPY ? done / 2 : done);
}

/* How many bytes a sample must be for the clock to tell: in the least working set, which is the
   fastest, doubled until it suffices (XT figure 2). */
static size_t bandwidth_least(const struct bandwidth_shape *shape, size_t x) {
  struct hw_machine *machine = shape->bench->machine;
  size_t bytes = x;

  for (; bytes < BANDWIDTH_MOST; bytes *= 2) {
    double start = machine->ops->now(machine);
    for (size_t done = 0; done < bytes; done += x)
      bandwidth_stream(shape, 0, x);
    if (machine->ops->now(machine) - start >= shape->bench->sample_ns)
      break;
  }
  return bytes;
}

/* Puts those points into the curve that an earlier attempt was sure of, and into left[] the others
   of the n places, or all when there are no others.  Returns how many; 0 without memory. */
static size_t bandwidth_left(const struct bandwidth_shape *shape, const double *x, size_t n,
                             struct hw_curve *curve, double *left) {
  const struct hw_curve *earlier = hw_curves_get(&shape->bench->curves, curve->name);
  size_t lefts = 0;

  for (size_t i = 0; i < n; i++) {
    const struct hw_point *known = NULL;
    for (size_t k = 0; earlier != NULL && k < earlier->n; k++)
      if (earlier->point[k].x >= x[i] && earlier->point[k].x <= x[i] && earlier->point[k].count > 1)
        known = &earlier->point[k];
    if (known == NULL)
      left[lefts++] = x[i];
    else if (hw_curve_put(curve, *known) < 0)
      return 0;
  }
  if (lefts > 0)
    return lefts;
  curve->n = 0;
  for (size_t i = 0; i < n; i++)
    left[i] = x[i];
  return n;
}

/* Measures one curve. */
static int bandwidth_curve(struct bandwidth_shape *shape, const struct bandwidth_kind *kind,
                           const double *x, size_t n, struct hw_curve *curve) {
  const struct hw_task task = {.prepare = bandwidth_prepare,
                               .work = bandwidth_work,
                               .context = shape,
                               .ns = true,
                               .issue = hw_issue(&shape->bench->curves),
                               .agree = BANDWIDTH_AGREE};
  double left[HW_LEVELS * HW_TRAFFIC_POINTS];

  shape->stream = kind->stream;
  shape->at = 0;
  bandwidth_stream(shape, shape->apart, (size_t)x[n - 1]);
  bandwidth_prepare(shape, x[0], NULL);
  shape->least = bandwidth_least(shape, (size_t)x[0]);
  hw_curve_init(curve, kind->curve, "working set (bytes)", "time of a byte (ns)");
  n = bandwidth_left(shape, x, n, curve, left);
  return n > 0 ? hw_sample_apart(shape->bench, &task, left, n, curve) : -1;
}

/* Measures and publishes all curves, or none: when the core turns out to have been shared while the
   first ones were measured, they are worth nothing. */
static int bandwidth_curves(struct bandwidth_shape *shape, const double *x, size_t n) {
  struct hw_curve curve[BANDWIDTH_KINDS];
  struct hw_bench *bench = shape->bench;
  double first = 0;
  size_t done = 0;
  int result = 0;

  for (; done < BANDWIDTH_KINDS && result == 0; done++) {
    result = bandwidth_curve(shape, &bandwidth_kinds[done], x, n, &curve[done]);
    first = done == 0 ? bench->issue.y : first;
  }
  if (first > (1 + BANDWIDTH_SHARED) * bench->issue.y)
    result = -1;
  for (size_t i = 0; i < done; i++)
    if (result == 0)
      result = hw_publish(bench, &curve[i], "bandwidth", 1);
    else
      hw_curve_free(&curve[i]);
  return result;
}

int hw_probe_bandwidth(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct bandwidth_shape shape = {.bench = bench, .stream = HW_STREAM_WRITE};
  double x[HW_LEVELS * HW_TRAFFIC_POINTS];
  struct hw_effort effort;
  size_t n = 0;
  int result;

  if (hw_traffic_open(&bench->curves, &shape.traffic) < 0)
    return -1;
  for (size_t level = 0; level <= shape.traffic.caches; level++)
    for (size_t i = 0; i < shape.traffic.n[level]; i++)
      x[n++] = (double)shape.traffic.x[level][i];
  if (n < 2 || shape.traffic.n[shape.traffic.caches] == 0)
    return -1;
  shape.apart = (size_t)x[n - 2];
  shape.memory = machine->ops->map(machine, shape.apart + (size_t)x[n - 1], HW_PAGES_PLAIN);
  if (shape.memory == NULL)
    return -1;
  /* What was never written may all be one page of zeros. */
  bandwidth_stream(&shape, 0, shape.apart + (size_t)x[n - 1]);
  effort = hw_traffic_effort(bench, BANDWIDTH_PRECISION, BANDWIDTH_ROUNDS);
  bench->effort.rounds = effort.rounds / BANDWIDTH_TIMES;
  if (bench->effort.rounds < BANDWIDTH_FEWEST)
    bench->effort.rounds = BANDWIDTH_FEWEST;
  result = bandwidth_curves(&shape, x, n);
  bench->effort = effort;
  machine->ops->unmap(machine, shape.memory);
  return result;
}

/* The rate of a level, 1 the first, in MB/s; with level 0 that of memory. */
static struct hw_answer bandwidth_rate(const struct hw_curves *curves, const char *name,
                                       size_t level) {
  static const char method[] = "median rate";
  bool whole;
  size_t caches = hw_traffic_caches(curves, &whole);
  struct hw_answer answer = hw_traffic_has(curves, level, method);
  struct hw_curve part;
  double ns;

  if (!answer.known)
    return answer;
  if (level == 0 && !whole)
    return hw_unknown(method, "it may be one more cache, and not memory");
  if (hw_traffic_part(curves, name, level == 0 ? caches + 1 : level, &part) != 0)
    return hw_unknown(method, "its curve was not measured there");
  answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  if (!answer.known)
    return hw_traffic_settled(answer, level);
  ns = answer.value;
  answer.value = 1e3 / ns;
  answer.error *= answer.value / ns;
  return answer;
}

struct hw_answer hw_value_l1_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 1);
}

struct hw_answer hw_value_l1_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 1);
}

struct hw_answer hw_value_l1_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 1);
}

struct hw_answer hw_value_l2_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 2);
}

struct hw_answer hw_value_l2_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 2);
}

struct hw_answer hw_value_l2_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 2);
}

struct hw_answer hw_value_l3_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 3);
}

struct hw_answer hw_value_l3_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 3);
}

struct hw_answer hw_value_l3_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 3);
}

struct hw_answer hw_value_mem_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 0);
}

struct hw_answer hw_value_mem_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 0);
}

struct hw_answer hw_value_mem_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 0);
}
