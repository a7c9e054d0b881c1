/* From which size on a copy that bypasses the caches is the quicker one.

   Curve   bypass: x bytes of a copy, y time of the copy by stores that bypass the caches and of one
           reading of what was copied, over that by ordinary stores.
   Method  Both in turn, until it is clear which is the quicker one.  Sizes grow from one of which
           source and copy together fill level 2, two an octave, until the copy that bypasses the
           caches is clearly the quicker one over an octave and a half, or source and copy lie in
           memory.  Then smaller ones, until the ordinary copy is clearly the quicker one.  Once:
           what others leave of a shared cache changes, and another attempt would see no more.
   Rows    STREAM_BYTES.
   Cost    200 to 400 ms; the least working set that lies in memory, and a half.
   Limits  The copy is read once, soon after, as most are: without that, bypassing pays earlier,
           from level 2's size on some processors, and makes the program that then reads the copy
           slower.
           The ordinary copy is a loop of vectors; a library's may bypass the caches itself. */
#include "probes/data/traffic.h"

#include "analysis/names.h"

#include <math.h>

/* Rounds of a size, at least and at most, and the share in which the two fastest times differ where
   both copies take as long. */
#define BYPASS_ROUNDS 2u
#define BYPASS_ROUNDS_MOST 9u
#define BYPASS_AGREE 0.02
/* Bytes of the smallest copy: below, a fence takes as long. */
#define BYPASS_LEAST 1024.0
/* Sizes in a row, two an octave, at which bypassing is quicker before it is so from there on. */
#define BYPASS_CLEAR 4u

/* The two fastest times, ns. */
struct bypass_times {
  double first;
  double second;
};

static void bypass_add(struct bypass_times *times, double ns) {
  times->second = fmin(times->second, fmax(times->first, ns));
  times->first = fmin(times->first, ns);
}

static double bypass_spread(const struct bypass_times *times) {
  return times->second / times->first - 1;
}

/* What the thread was charged so far, ns: copies take longer than the scheduler's slots, and are
   preempted where others run.  The time, where this machine cannot tell. */
static double bypass_now(const struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_usage usage;

  machine->ops->usage(machine, &usage);
  return usage.cpu_ns >= 0 ? usage.cpu_ns : hw_now(bench);
}

/* The time of a copy of x bytes and of reading it, ns; negative where no stores bypass the caches.
 */
static double bypass_time(const struct hw_bench *bench, struct hw_memory *memory, size_t x,
                          bool bypass) {
  struct hw_machine *machine = bench->machine;
  double start = bypass_now(bench);

  if (!bypass)
    machine->ops->stream(machine, memory, HW_STREAM_COPY, 0, 2 * x);
  else if (machine->ops->bypass(machine, memory, 2 * x) < 0)
    return -1;
  machine->ops->stream(machine, memory, HW_STREAM_READ, x, x);
  return bypass_now(bench) - start;
}

/* Times a size.  0, or -1 after the deadline. */
static int bypass_point(const struct hw_bench *bench, struct hw_memory *memory, size_t x,
                        struct hw_point *point) {
  struct bypass_times plain = {INFINITY, INFINITY}, past = plain;
  unsigned rounds = 0;

  /* Pages that were never written may all map the zero page. */
  bench->machine->ops->stream(bench->machine, memory, HW_STREAM_WRITE, 0, 2 * x);
  do {
    if (hw_late(bench))
      return -1;
    bypass_add(&plain, bypass_time(bench, memory, x, false));
    bypass_add(&past, bypass_time(bench, memory, x, true));
    point->spread = fmax(bypass_spread(&plain), bypass_spread(&past));
    point->y = past.first / plain.first;
  } while (++rounds < BYPASS_ROUNDS ||
           (fabs(point->y - 1) <= point->spread * point->y && point->spread > BYPASS_AGREE &&
            rounds < BYPASS_ROUNDS_MOST));
  point->x = (double)x;
  point->count = rounds;
  return 0;
}

/* Times copies of x bytes.  0, or -1 after the deadline. */
static int bypass_put(const struct hw_bench *bench, struct hw_memory *memory, double x,
                      struct hw_curve *curve, struct hw_point *point) {
  if (bypass_point(bench, memory, (size_t)x / HW_STREAM_GRAIN * HW_STREAM_GRAIN, point) < 0)
    return -1;
  return hw_curve_put(curve, *point);
}

/* Times sizes from least bytes up until the copy that bypasses the caches has been the quicker one
   over BYPASS_CLEAR of them, and then down until it is not.  0, or -1 after the deadline. */
static int bypass_sizes(const struct hw_bench *bench, struct hw_memory *memory, double least,
                        double most, struct hw_curve *curve) {
  struct hw_point point = {.y = 0};
  unsigned clear = 0;

  for (double x = 0; x < most && clear < BYPASS_CLEAR;) {
    x = fmin(x > 0 ? sqrt(2) * x : least, most);
    if (bypass_put(bench, memory, x, curve, &point) < 0)
      return -1;
    clear = point.y * (1 + point.spread) < 1 ? clear + 1 : 0;
  }
  point = curve->point[0];
  for (double x = least / sqrt(2); x >= BYPASS_LEAST && point.y * (1 - point.spread) < 1;
       x /= sqrt(2))
    if (bypass_put(bench, memory, x, curve, &point) < 0)
      return -1;
  return 0;
}

/* Bytes of source and copy of the largest size: a working set of memory, or, where the last level
   that was seen may be one more cache, the largest that was looked at.  *least: of the first, those
   that level 2 holds.  0: none. */
static size_t bypass_bytes(const struct hw_curves *curves, double *least) {
  const struct hw_curve *sizes = hw_curves_get(curves, HW_NAME_LEVELS);
  struct hw_traffic traffic;
  double bytes;

  if (hw_traffic_open(curves, &traffic) < 0 || sizes == NULL)
    return 0;
  bytes = sizes->point[sizes->n - 1].x;
  if (traffic.memory && traffic.n[traffic.caches] > 0)
    bytes = fmin(bytes, (double)traffic.x[traffic.caches][traffic.n[traffic.caches] - 1]);
  *least = fmin(traffic.level[traffic.caches > 1].most, bytes);
  return (size_t)bytes / HW_TRAFFIC_UNIT * HW_TRAFFIC_UNIT;
}

int hw_probe_bypass(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  double least;
  size_t bytes = bypass_bytes(&bench->curves, &least);
  struct hw_memory *memory;
  struct hw_curve curve;
  int result;

  if (hw_curves_get(&bench->curves, HW_NAME_BYPASS) != NULL)
    return 0;
  if (bytes == 0)
    return hw_traffic_lacks(bench);
  if (bytes > bench->memory)
    return hw_lacks(bench, "a copy that no cache holds is larger than the memory allowed");
  memory = machine->ops->map(machine, bytes, HW_PAGES_USUAL);
  if (memory == NULL)
    return -1;
  hw_curve_init(&curve, HW_NAME_BYPASS, "bytes of a copy",
                "time of a copy that bypasses the caches over that of an ordinary one");
  if (machine->ops->bypass(machine, memory, HW_TRAFFIC_UNIT) < 0)
    result = hw_lacks(bench, "the compiler has no stores that bypass the caches");
  else
    result = bypass_sizes(bench, memory, least / 2, (double)bytes / 2, &curve);
  machine->ops->unmap(machine, memory);
  return hw_publish(bench, &curve, "bypass", result);
}
