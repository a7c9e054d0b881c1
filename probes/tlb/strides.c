/* The search for compact sequences.  See strides.h. */
#include "probes/tlb/strides.h"

#include "analysis/environment.h"
#include "analysis/rows/tlb.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Elements of the first look. */
#define STRIDES_LIMIT 16u
/* Points that are inserted between two around the step. */
#define STRIDES_BETWEEN 7u
/* Points of the first pass. */
#define STRIDES_POINTS 40u

/* Samples of each look at times apart, of which the quickest count. */
#define STRIDES_LATER_ROUNDS 40u
/* A slow walk pauses before each load for this multiple of the longest time of a load: twice the
   time of a miss and a hit together.  And for this multiple of a hit for each lap of hits between
   two of misses, where one element too many makes less than all loads miss. */
#define STRIDES_SLOW 3
#define STRIDES_SLOWER 2

/* A stride of a search. */
struct strides_job {
  const struct hw_strides *compact;
  struct hw_memory *memory;
  size_t stride;
  size_t most;  /* elements of a sequence; 0: as the search has it */
  size_t laps;  /* that a sample has, at least; 0: as the sampler has it */
  double share; /* of the loads that one element too many makes miss, the least of all strides */
};

/* Offset of the i-th element within its block, bytes.  Elements that share one have a part each. */
static size_t strides_shift(const struct strides_job *job, size_t i) {
  const struct hw_strides *compact = job->compact;
  size_t sharers = compact->block > job->stride ? compact->block / job->stride : 1;
  size_t lines = compact->block == 0 ? 1 : compact->block / sharers / compact->line;

  return i / sharers % lines * compact->line;
}

/* Lays out x elements at the stride, in random order. */
static void strides_arrange(void *context, double x, struct hw_random *random,
                            struct hw_ring *ring) {
  const struct strides_job *job = context;
  size_t start = hw_random_below(random, job->compact->start / job->compact->alignment);

  ring->n = (size_t)x;
  ring->walk = job->laps * ring->n;
  for (size_t i = 0; i < ring->n; i++)
    ring->offset[i] = start * job->compact->alignment + i * job->stride + strides_shift(job, i);
  hw_random_order(random, ring->offset, ring->n);
}

size_t hw_quarters(double *x, size_t room, size_t low, size_t high) {
  size_t n = 0;

  for (size_t at = low; at < high && n + 1 < room; at += at / 4 + 1)
    x[n++] = (double)at;
  x[n++] = (double)high;
  return n;
}

/* Measures between the last point before the step and the first behind it until they are adjacent.
   The answer, or no answer. */
static struct hw_answer strides_refine(struct hw_bench *bench, const struct hw_series *series,
                                       struct hw_curve *curve) {
  for (;;) {
    struct hw_answer step = hw_reduce_first_step(curve);
    double x[STRIDES_BETWEEN + 2];
    size_t gap = (size_t)step.error, n = gap < STRIDES_BETWEEN + 1 ? gap : STRIDES_BETWEEN + 1;
    if (!step.known || gap <= 1)
      return hw_reduce_compact_length(curve);
    for (size_t i = 0; i <= n; i++)
      x[i] = step.value + (double)(i * gap / n);
    if (hw_sample(bench, series, x, n + 1, curve) < 0)
      return hw_unknown(step.method, "time or memory was short");
  }
}

/* Whether a curve rises from one level to another.  Overfull sets raise it by a level, under any
   replacement policy, well before twice as many elements as they hold.  The last free entries that
   an SMT sibling or a reading of the clock takes raise it by less: that is no end of the compact
   lengths. */
static bool strides_risen(const struct hw_curve *curve) {
  const struct hw_point *first = &curve->point[0], *last = &curve->point[curve->n - 1];

  return last->y > (1 + HW_CLUSTER_WIDTH) * first->y;
}

/* Measures the curve of one stride: from one element to twice as many as are compact.  limit: most
   elements of the first look.  Returns the answer; the curve holds the points. */
static struct hw_answer strides_stride(struct hw_bench *bench, struct strides_job *job,
                                       size_t limit, struct hw_curve *curve) {
  const struct hw_strides *compact = job->compact;
  struct hw_series series = {
      .memory = job->memory,
      .room = compact->elements,
      .arrange = strides_arrange,
      .context = job,
      .issue = compact->issue,
  };
  struct hw_answer step =
      hw_unknown("first step", "the stride is longer than the memory that was mapped");
  double x[STRIDES_POINTS];
  size_t low = 1, room = compact->span / job->stride;
  bool risen = false, over = false;

  if (room > compact->elements)
    room = compact->elements;
  if (job->most > 0 && room > job->most)
    room = job->most;
  if (limit > room)
    limit = room;
  if (limit < 2)
    return step;
  do {
    if (hw_sample(bench, &series, x, hw_quarters(x, STRIDES_POINTS, low, limit), curve) < 0)
      return hw_unknown("first step", "time or memory was short");
    over = risen; /* once it has risen, more elements do not make it clearer */
    risen = strides_risen(curve);
    step = risen ? hw_reduce_first_step(curve)
                 : hw_unknown("first step", "the curve does not rise by a level");
    if (step.known && 2 * step.value <= (double)limit)
      step = strides_refine(bench, &series, curve);
    low = limit;
    limit *= 2;
  } while ((!step.known || 2 * step.value > (double)low) && limit <= room && (step.known || !over));
  return step.known ? strides_refine(bench, &series, curve) : step;
}

/* The name of a stride's curve. */
static void strides_name(char name[HW_CURVE_NAME], const struct hw_strides *compact,
                         size_t stride) {
  snprintf(name, HW_CURVE_NAME, "%s_stride_%zu", compact->stem, stride);
}

/* Measures a stride, publishes its curve and puts the compact length into lengths.  Returns that
   length, in elements, 0 when it is not clear, -1 on failure. */
static long strides_length(struct hw_bench *bench, struct strides_job *job, size_t limit,
                           struct hw_curve *lengths) {
  const struct hw_strides *compact = job->compact;
  struct hw_answer step;
  struct hw_curve curve;
  char name[HW_CURVE_NAME], x_title[HW_CURVE_TEXT];
  unsigned long count;

  strides_name(name, compact, job->stride);
  snprintf(x_title, sizeof x_title, "elements %zu bytes apart (count)", job->stride);
  hw_curve_init(&curve, name, x_title, "time of a load (cycles)");
  step = strides_stride(bench, job, limit, &curve);
  if (step.known)
    job->share = fmin(job->share, hw_compact_share(&curve, step.value));
  count = curve.n;
  if (hw_publish(bench, &curve, compact->probe, 0) < 0 || hw_late(bench))
    return -1;
  fprintf(bench->log, "%s: stride %zu: %s %.0f\n", compact->probe, job->stride,
          step.known ? "compact up to" : step.why, step.known ? step.value : 0.0);
  if (!step.known)
    return 0;
  return hw_curve_put(lengths, (struct hw_point){(double)job->stride, step.value, 0, count}) < 0
             ? -1
             : (long)step.value;
}

/* Doubles the stride from the first on until the length stays the same.  Returns the length, or -1
   on failure.  If a set overflows by degrees (replacement policy not LRU) small strides are not
   clear under noise: the larger ones decide. */
static long strides_up(struct hw_bench *bench, struct strides_job *job, struct hw_curve *lengths) {
  const struct hw_strides *compact = job->compact;
  size_t limit = STRIDES_LIMIT;
  long length = 0, last = -1;

  for (job->stride = compact->stride; job->stride <= compact->stride_max && length != last;
       job->stride *= 2) {
    last = length > 0 ? length : -1;
    length = strides_length(bench, job, limit, lengths);
    if (length < 0)
      return -1;
    limit = length > 0 ? 2 * (size_t)length + 2 : STRIDES_LIMIT;
  }
  return length == last ? length : -1;
}

/* If the length never changed, measures half of the stride, where elements share blocks: whether
   the limit is one of blocks.  The compact length need not be clear there, and what overflows with
   more than twice as many blocks is another cache. */
static int strides_half(struct hw_bench *bench, struct strides_job *job, long last,
                        struct hw_curve *lengths) {
  long length;

  if (lengths->point[0].y > (double)last)
    return 0;
  job->stride = job->compact->stride / 2;
  job->most = 4 * (size_t)last + 4;
  length = strides_length(bench, job, job->most, lengths);
  job->most = 0;
  return length < 0 ? -1 : 0;
}

/* Measures odd multiples of the stride from which on the length stays the same.  If the number of
   sets is a power of two, these map to one set too.  If it is three times a power of two, strides
   of powers of two map to three sets, and look like one with three times the ways: only other
   strides tell.  An unclear one is measured twice, and then put as 0, which no reduction accepts.
   Returns 0; 1 where a length is another, so that nothing else is worth measuring; -1 on failure.
 */
static int strides_odd(struct hw_bench *bench, struct strides_job *job, long last,
                       struct hw_curve *lengths) {
  static const size_t odd[] = {3, 5, 7};
  const size_t limit = 2 * (size_t)last + 2;
  size_t foot = 0;

  while (lengths->point[foot].y > (double)last)
    foot++;
  for (size_t i = 0, own = (size_t)lengths->point[foot].x; i < sizeof odd / sizeof odd[0]; i++) {
    long length;
    job->stride = odd[i] * own;
    length = strides_length(bench, job, limit, lengths);
    if (length == 0)
      length = strides_length(bench, job, limit, lengths);
    if (length < 0 ||
        (length == 0 &&
         hw_curve_put(lengths, (struct hw_point){.x = (double)job->stride, .count = 1}) < 0))
      return -1;
    if (length != last)
      return 1;
  }
  return 0;
}

/* The first length at a stride of a whole page or more. */
static const struct hw_point *strides_whole(const struct strides_job *job,
                                            const struct hw_curve *lengths) {
  const struct hw_point *p = lengths->point;

  while (p->x < (double)job->compact->stride && p + 1 < lengths->point + lengths->n)
    p++;
  return p;
}

/* Pauses of a slow walk at the job's stride. */
static unsigned strides_pauses(const struct hw_bench *bench, const struct strides_job *job) {
  const struct hw_curve *curve;
  char name[HW_CURVE_NAME];

  strides_name(name, job->compact, job->stride);
  curve = hw_curves_get(&bench->curves, name);
  return 1 + (unsigned)((STRIDES_SLOW * curve->point[curve->n - 1].y +
                         STRIDES_SLOWER * curve->point[0].y * (1 / job->share - 1)) /
                        HW_PAUSE);
}

/* Walks the compact elements at the least stride at which each has a page of its own, where a lap
   is longest, slowly, and publishes the curve.  Another thread that makes one element too many miss
   in half of the laps, so that its cost rises by half of a step, evicts at least once in the time
   of a lap of misses and a lap of hits together.  It must disturb every lap of a slow walk, even
   where that takes two of its elements: so such a lap takes twice that time.  If one element too
   many makes a smaller share of the loads miss, there are more laps of hits to one of misses. */
static int strides_slow(struct hw_bench *bench, struct strides_job *job,
                        const struct hw_curve *lengths) {
  const struct hw_point *whole = strides_whole(job, lengths);
  const size_t all = (size_t)whole->y;
  const double x[] = {(double)(all / 2), (double)all, (double)(2 * all)};
  struct hw_series series = {.memory = job->memory,
                             .room = 2 * all,
                             .arrange = strides_arrange,
                             .context = job,
                             .issue = job->compact->issue};
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result = -1;

  job->stride = (size_t)whole->x;
  job->laps = 0;
  series.pauses = strides_pauses(bench, job);
  snprintf(name, sizeof name, "%s_slow", job->compact->stem);
  hw_curve_init(&curve, name, "elements, walked slowly (count)", "time of a load (cycles)");
  if (all > 1 && 2 * all * job->stride <= job->compact->span)
    result = hw_sample(bench, &series, x, sizeof x / sizeof x[0], &curve);
  return hw_publish(bench, &curve, job->compact->probe, 0) < 0 ? -1 : result;
}

/* Walks one element more than is compact at the last stride again, at times apart and on one core
   after the other, and publishes the quickest samples: an SMT sibling that uses the same few pages
   over and over keeps their entries however slow the walk is, but not for ever, nor on all cores.
 */
static int strides_later(struct hw_bench *bench, struct strides_job *job,
                         const struct hw_curve *lengths) {
  const struct hw_point *last = &lengths->point[lengths->n - 1];
  const double x = last->y + 1;
  struct hw_effort effort = bench->effort;
  struct hw_series series = {.memory = job->memory,
                             .room = (size_t)x,
                             .arrange = strides_arrange,
                             .context = job,
                             .issue = job->compact->issue,
                             .effort = &effort};
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result = 0;

  job->stride = (size_t)last->x;
  job->laps = HW_COMPACT_LAPS;
  snprintf(name, sizeof name, "%s_later", job->compact->stem);
  hw_curve_init(&curve, name, "look (count)", "time of a load of one too many (cycles)");
  effort.rounds = effort.rounds_max = STRIDES_LATER_ROUNDS;
  for (unsigned look = 0; look < HW_TLB_LOOKS && result == 0; look++) {
    struct hw_curve now;
    hw_curve_init(&now, "now", "", "");
    hw_pause(bench, HW_PROCESS_STAYS_NS);
    bench->machine->ops->move(bench->machine);
    result = hw_sample(bench, &series, &x, 1, &now);
    if (result == 0)
      result = hw_curve_put(
          &curve, (struct hw_point){
                      .x = look, .y = now.point[0].y * (1 - now.point[0].spread), .count = 1});
    hw_curve_free(&now);
  }
  return hw_publish(bench, &curve, job->compact->probe, 0) < 0 ? -1 : result;
}

static int strides_lengths(struct hw_bench *bench, struct strides_job *job,
                           struct hw_curve *lengths) {
  long last = strides_up(bench, job, lengths);
  int odd;

  if (last < 0 || strides_half(bench, job, last, lengths) < 0)
    return -1;
  odd = strides_odd(bench, job, last, lengths);
  if (odd != 0 || !job->compact->slow)
    return odd < 0 ? -1 : 0;
  return strides_slow(bench, job, lengths) < 0 ? -1 : strides_later(bench, job, lengths);
}

int hw_strides_search(struct hw_bench *bench, const struct hw_strides *compact) {
  struct hw_machine *machine = bench->machine;
  struct strides_job job = {.compact = compact, .laps = HW_COMPACT_LAPS, .share = 1};
  struct hw_curve lengths;
  char name[HW_CURVE_NAME];
  int result;

  job.memory = machine->ops->map(machine, compact->span + compact->start, HW_PAGES_PLAIN);
  if (job.memory == NULL)
    return -1;
  snprintf(name, sizeof name, "%s_strides", compact->stem);
  hw_curve_init(&lengths, name, "stride (bytes)", "compact elements (count)");
  result = strides_lengths(bench, &job, &lengths);
  machine->ops->unmap(machine, job.memory);
  if (result < 0)
    lengths.n = 0; /* an incomplete search has checked nothing: it has no lengths */
  return hw_publish(bench, &lengths, compact->probe, 0) < 0 ? -1 : result;
}
