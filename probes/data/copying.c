/* From which size on a copy is bound by memory.

   Curve   copying: x bytes that are copied, y time of a byte (ns).
   Method  Copies well within the last cache, from memory, and between them; each copied once before
           it counts.  The middle of the rise, which takes its time where pages are scattered.
   Rows    STREAM_BYTES.
   Cost    200 ms; a quick run leaves it out.  One and a half times what lies surely in
           memory.
   Limits  From there on more than half of the time goes to memory, by ordinary stores: what stores
           past the caches gain is for the program to know.  The last cache is as others leave it:
           where they change it meanwhile, or where memory is as quick, the row is unknown.
   See     The copying of SV III-C over the sizes of XM 9. */
#include "analysis/names.h"
#include "probes/data/traffic.h"

#include <math.h>

/* Sizes: this root of two from one to the next, or further apart where they would be too many. */
#define COPYING_STEPS 2.0
#define COPYING_MOST 12u
/* Samples of a size, at least and at most, and precision at which they are enough: what is to be
   told apart differs by tens of percents. */
#define COPYING_ROUNDS 8u
#define COPYING_ROUNDS_MOST 16u
#define COPYING_PRECISION 0.02
/* Where samples of one size scatter by more than this, others took a part of the cache, and then
   another: the middle was found at 6 to 13 MB of one such cache within the hour. */
#define COPYING_SCATTER 0.1

struct copying_shape {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t least; /* bytes of a sample */
};

static void copying_copy(const struct copying_shape *shape, double x) {
  struct hw_machine *machine = shape->bench->machine;

  machine->ops->stream(machine, shape->memory, HW_STREAM_COPY, 0, 2 * (size_t)x);
}

static int copying_prepare(void *context, double x, struct hw_random *random) {
  (void)random;
  copying_copy(context, x);
  return 0;
}

static double copying_work(void *context, double x) {
  const struct copying_shape *shape = context;
  size_t done = 0;

  while (done == 0 || done < shape->least) {
    copying_copy(shape, x);
    done += (size_t)x;
  }
  return (double)done;
}

/* How many bytes make a sample that the clock can tell, copied in pieces of x. */
static size_t copying_least(const struct copying_shape *shape, double x) {
  const struct hw_machine_ops *ops = shape->bench->machine->ops;
  size_t bytes = (size_t)x;

  for (;; bytes *= 2) {
    double start = ops->now(shape->bench->machine);
    for (size_t done = 0; done < bytes; done += (size_t)x)
      copying_copy(shape, x);
    if (ops->now(shape->bench->machine) - start >= shape->bench->sample_ns)
      return bytes;
  }
}

/* Whether the samples of a size saw different caches: then more of them tell no more. */
static bool copying_unsteady(void *context, const struct hw_curve *curve) {
  (void)context;
  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].spread > COPYING_SCATTER)
      return true;
  return false;
}

/* Measures sizes from low to high. */
static int copying_sizes(struct copying_shape *shape, double low, double high,
                         struct hw_curve *curve) {
  const struct hw_task task = {.prepare = copying_prepare,
                               .work = copying_work,
                               .enough = copying_unsteady,
                               .context = shape,
                               .ns = true};
  double x[COPYING_MOST], steps = ceil(COPYING_STEPS * log2(high / low));
  size_t n = 0;

  steps = fmin(fmax(steps, 2), COPYING_MOST - 1);
  for (double i = 0; i <= steps; i++) {
    double bytes = floor(low * pow(high / low, i / steps) / HW_STREAM_GRAIN) * HW_STREAM_GRAIN;
    if (n == 0 || bytes > x[n - 1])
      x[n++] = bytes;
  }
  return hw_sample_task(shape->bench, &task, x, n, curve);
}

int hw_probe_copying(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct copying_shape shape = {.bench = bench};
  struct hw_traffic traffic;
  struct hw_effort effort;
  struct hw_curve curve;
  double low, high;
  size_t memory;
  int result;

  if (hw_traffic_open(&bench->curves, &traffic) < 0)
    return -1;
  memory = traffic.caches;
  if (!traffic.whole || traffic.n[memory - 1] == 0 || traffic.n[memory] == 0)
    return -1;
  /* The working set of a copy is twice what is copied. */
  low = (double)(traffic.x[memory - 1][traffic.n[memory - 1] - 1] / 2);
  high = (double)(traffic.x[memory][0] / 2);
  if (!(high > low) || 2 * high > (double)bench->memory)
    return -1;
  shape.memory = machine->ops->map(machine, 2 * (size_t)high, HW_PAGES_PLAIN);
  if (shape.memory == NULL)
    return -1;
  /* What was never written may all be one page of zeros. */
  machine->ops->stream(machine, shape.memory, HW_STREAM_WRITE, 0, 2 * (size_t)high);
  shape.least = copying_least(&shape, low);
  effort = hw_traffic_effort(bench, COPYING_PRECISION, 1);
  bench->effort.rounds = COPYING_ROUNDS;
  bench->effort.rounds_max = COPYING_ROUNDS_MOST;
  hw_curve_init(&curve, HW_NAME_COPYING, "bytes that are copied", "time of a byte (ns)");
  result = copying_sizes(&shape, low, high, &curve);
  bench->effort = effort;
  machine->ops->unmap(machine, shape.memory);
  if (result == 0)
    return hw_publish(bench, &curve, "copying", 1);
  hw_curve_free(&curve);
  return -1;
}

struct hw_answer hw_value_stream_bytes(const struct hw_curves *curves) {
  static const char method[] = "middle of a rise by degrees";
  bool whole;
  size_t caches = hw_traffic_caches(curves, &whole);
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_COPYING);
  struct hw_answer answer;

  if (caches == 0 || !whole)
    return hw_unknown(method, "the levels are not clear");
  answer = hw_reduce_named(curves, HW_NAME_COPYING, hw_reduce_degrees);
  if (curve == NULL)
    return answer;
  if (answer.known && copying_unsteady(NULL, curve))
    answer = hw_unknown(method, "others use the last cache meanwhile");
  return hw_traffic_settled(answer, caches);
}
