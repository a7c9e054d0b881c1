/* Bandwidth of one thread from each level, and from memory.

   Curve   bandwidth_read, bandwidth_write, bandwidth_copy: x working set (bytes), y time of a byte
           (ns).
   Method  Streams as wide as the compiler's vectors over working sets well inside of a level and
           well beyond the one above: a few of each level.  In memory a part at a time, each in
           turn, so that the reuse distance is the working set.  One kind after the other, since
           dirty lines are written back later and slow the next stream; and all of them in turn at
           two or more times that agree, a tenth of a second apart, since another process that
           streams does not slow the additions that detect others.
   Rows    L1_READ_MBS, L1_WRITE_MBS, L1_COPY_MBS, the same of L2, L3 and MEM.
   Cost    300 ms, one and a half times the least working set that lies in memory.
   Limits  A byte copied counts once, though it is read and written; STREAM, as SV uses it, counts
           both and reports twice as much.  Stores are ordinary ones: a write-allocate level reads
           lines before they are written.  The probe waits for the SMT sibling, but does not detect
           it if it has been active ever since the clock was measured.
   See     XM 9; SV III-C. */
#include "probes/data/traffic.h"

#include "analysis/environment.h"

#include <math.h>

/* Bytes of a part, where the working set is in memory. */
#define BANDWIDTH_PART ((size_t)1 << 20)
/* Bytes of a sample, at most: enough for the coarsest clock. */
#define BANDWIDTH_MOST ((size_t)1 << 30)
/* Working sets up to this size, bytes, are streamed over this often before they are timed:
   replacement policies other than LRU take some passes to settle. */
#define BANDWIDTH_SMALL ((size_t)1 << 20)
#define BANDWIDTH_WARM 4
/* Precision of a point, small against HW_RATE_ERROR; rounds at most, in multiples of the least. */
#define BANDWIDTH_PRECISION 0.03
#define BANDWIDTH_ROUNDS 1

/* Two times agree when they differ by this share at most: half of the error of a rate. */
#define BANDWIDTH_AGREE (HW_RATE_ERROR / 2)
/* Rounds of one time: those of the effort divided by this, but enough to know their scatter. */
#define BANDWIDTH_TIMES 2u
#define BANDWIDTH_FEWEST 6u

/* Least rise of an independent addition's time, as a share, while the SMT sibling is active. */
#define BANDWIDTH_SHARED 0.15

/* The working sets, which all kinds share. */
struct bandwidth_sets {
  struct hw_bench *bench;
  struct hw_traffic traffic;
  struct hw_memory *memory;
  size_t least; /* the working set of level 1 */
  size_t apart; /* offset of the working set in memory, behind those in caches */
  size_t bytes; /* and its size */
  const struct bandwidth_shape *last; /* the kind that was measured last */
};

/* One kind of stream. */
struct bandwidth_shape {
  struct bandwidth_sets *sets;
  enum hw_stream stream;
  size_t least; /* bytes of a sample */
  size_t at;    /* offset of the next part in the working set in memory */
};

static const struct bandwidth_kind {
  enum hw_stream stream;
  const char *curve;
} bandwidth_kinds[] = {{HW_STREAM_READ, "bandwidth_read"},
                       {HW_STREAM_COPY, "bandwidth_copy"},
                       {HW_STREAM_WRITE, "bandwidth_write"}};

#define BANDWIDTH_KINDS (sizeof bandwidth_kinds / sizeof bandwidth_kinds[0])

static void bandwidth_stream(const struct bandwidth_shape *shape, size_t offset, size_t bytes) {
  struct hw_machine *machine = shape->sets->bench->machine;

  machine->ops->stream(machine, shape->sets->memory, shape->stream, offset, bytes);
}

static bool bandwidth_in_memory(const struct bandwidth_sets *sets, double x) {
  return hw_traffic_level(&sets->traffic, x) == sets->traffic.caches && x > BANDWIDTH_PART;
}

static int bandwidth_prepare(void *context, double x, struct hw_random *random) {
  struct bandwidth_shape *shape = context;
  struct bandwidth_sets *sets = shape->sets;
  struct hw_machine *machine = sets->bench->machine;

  (void)random;
  /* Evicts the lines that another kind left dirty, before the first sample. */
  if (sets->last != shape)
    bandwidth_stream(shape, sets->apart, sets->bytes);
  sets->last = shape;
  if (bandwidth_in_memory(sets, x))
    return 0;
  /* Loads bring in the lines, which stores may not do. */
  machine->ops->stream(machine, sets->memory, HW_STREAM_READ, 0, (size_t)x);
  for (int i = x > BANDWIDTH_SMALL ? 1 : BANDWIDTH_WARM; i > 0; i--)
    bandwidth_stream(shape, 0, (size_t)x);
  return 0;
}

/* Bytes read, written or copied. */
static double bandwidth_work(void *context, double x) {
  struct bandwidth_shape *shape = context;
  bool part = bandwidth_in_memory(shape->sets, x);
  size_t bytes = part ? BANDWIDTH_PART : (size_t)x, done = 0;

  while (done < bytes || done < shape->least) {
    if (part && shape->at + bytes > (size_t)x)
      shape->at = 0;
    bandwidth_stream(shape, part ? shape->sets->apart + shape->at : 0, bytes);
    shape->at += part ? bytes : 0;
    done += bytes;
  }
  return (double)(shape->stream == HW_STREAM_COPY ? done / 2 : done);
}

/* Bytes of a sample that the clock can resolve: in the least working set, which is the fastest,
   doubled until it suffices (XT figure 2). */
static size_t bandwidth_least(struct bandwidth_shape *shape) {
  const struct hw_bench *bench = shape->sets->bench;
  struct hw_machine *machine = bench->machine;
  size_t least = shape->sets->least, bytes = least;

  bandwidth_prepare(shape, (double)least, NULL);
  for (; bytes < BANDWIDTH_MOST; bytes *= 2) {
    double start = machine->ops->now(machine);
    for (size_t done = 0; done < bytes; done += least)
      bandwidth_stream(shape, 0, least);
    if (machine->ops->now(machine) - start >= bench->sample_ns)
      break;
  }
  return bytes;
}

/* Marks n working sets of a curve as none at which two times agree. */
static void bandwidth_doubt(struct hw_curve *curve, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hw_curve_at(curve, x[i]) != NULL)
      hw_curve_at(curve, x[i])->count = 1;
}

/* Measures all curves at n working sets, as far as there is time: then -1, else 0.  When it turns
   out that the SMT sibling was active when they were begun, none of them is sure. */
static int bandwidth_measure(struct bandwidth_sets *sets, const double *x, size_t n,
                             struct hw_curve *curve) {
  struct hw_bench *bench = sets->bench;
  struct hw_effort effort = hw_traffic_effort(bench, BANDWIDTH_PRECISION, BANDWIDTH_ROUNDS);
  struct bandwidth_shape shape[BANDWIDTH_KINDS];
  struct hw_task task[BANDWIDTH_KINDS];
  const struct hw_point issue = hw_issue(&bench->curves);
  double first = bench->issue.y > 0 ? fmin(bench->issue.y, issue.y) : issue.y;
  int result;

  effort.rounds /= BANDWIDTH_TIMES;
  if (effort.rounds < BANDWIDTH_FEWEST)
    effort.rounds = BANDWIDTH_FEWEST;
  for (size_t i = 0; i < BANDWIDTH_KINDS; i++) {
    shape[i] = (struct bandwidth_shape){.sets = sets, .stream = bandwidth_kinds[i].stream};
    shape[i].least = bandwidth_least(&shape[i]);
    task[i] = (struct hw_task){.prepare = bandwidth_prepare,
                               .work = bandwidth_work,
                               .context = &shape[i],
                               .ns = true,
                               .issue = issue,
                               .agree = BANDWIDTH_AGREE,
                               .apart = HW_TRAFFIC_STAYS_NS,
                               .effort = &effort};
  }
  result = hw_sample_turns(bench, task, BANDWIDTH_KINDS, x, n, curve);
  if (first > (1 + BANDWIDTH_SHARED) * bench->issue.y)
    for (size_t i = 0; i < BANDWIDTH_KINDS; i++)
      bandwidth_doubt(&curve[i], x, n);
  return result;
}

/* Measures all curves, which begin with the points of an earlier attempt, and publishes what there
   is. */
static int bandwidth_curves(struct bandwidth_sets *sets, const double *x, size_t n) {
  struct hw_curve curve[BANDWIDTH_KINDS];
  struct hw_bench *bench = sets->bench;
  size_t begun = 0;
  int result = 0, begin = 0;

  for (; begun < BANDWIDTH_KINDS && begin == 0; begun++) {
    const char *name = bandwidth_kinds[begun].curve;
    hw_curve_init(&curve[begun], name, "working set (bytes)", "time of a byte (ns)");
    begin = hw_curve_join(&curve[begun], hw_curves_get(&bench->curves, name));
  }
  if (begin == 0)
    result = bandwidth_measure(sets, x, n, curve);
  for (size_t i = 0; i < begun; i++)
    begin = hw_publish_some(bench, &curve[i], "bandwidth", begin);
  return begin < 0 ? begin : result;
}

int hw_probe_bandwidth(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct bandwidth_sets sets = {.bench = bench};
  double x[HW_LEVELS * HW_TRAFFIC_POINTS];
  size_t n = 0;
  int result;

  if (hw_traffic_open(&bench->curves, &sets.traffic) < 0)
    return hw_traffic_lacks(bench);
  for (size_t level = 0; level <= sets.traffic.caches; level++)
    for (size_t i = 0; i < sets.traffic.n[level]; i++)
      x[n++] = (double)sets.traffic.x[level][i];
  if (n < 2 || sets.traffic.n[sets.traffic.caches] == 0)
    return -1;
  sets.least = (size_t)x[0];
  sets.apart = (size_t)x[n - 2];
  sets.bytes = (size_t)x[n - 1];
  sets.memory = machine->ops->map(machine, sets.apart + sets.bytes, HW_PAGES_PLAIN);
  if (sets.memory == NULL)
    return -1;
  /* Pages that were never written may all map the zero page. */
  machine->ops->stream(machine, sets.memory, HW_STREAM_WRITE, 0, sets.apart + sets.bytes);
  /* From level 3 on another attempt adds nothing: see hw_traffic_settled. */
  if (hw_curves_get(&bench->curves, bandwidth_kinds[0].curve) != NULL)
    n = sets.traffic.n[0] + (sets.traffic.caches > 1 ? sets.traffic.n[1] : 0);
  result = bandwidth_curves(&sets, x, n);
  machine->ops->unmap(machine, sets.memory);
  return result;
}
