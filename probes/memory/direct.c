/* The shape of level 2 by strides, where memory is contiguous: X-Ray's own way.

   Curve   l2_direct_strides: x stride S (bytes), y largest number of pages S apart that stay in the
           level together, count readings.  Empty where memory is not contiguous.
   Method  X-Ray's sequences of sequences: pages at a stride are walked, some lines of each, and
           then others, in other sets of the level, that put them out of level 1.  Each reading is
           taken at another place, and all have to say the same: pages that were scattered never
           do.  The number of pages halves as the stride doubles until it stays, at odd multiples
           too.  What a hit takes is read with other lines of the same pages walked, so that
           translations make no difference.
   Rows    see shape.c.
   Cost    10 ms; 3 ms where memory is not contiguous; up to eight times the capacity.
   Limits  Level 1's stride is less than that of the level, and the number of sets a power of two.
   See     XM 4.1.2, 5. */
#include "probes/memory/direct.h"

#include "probes/memory/l1.h"

#include <stdio.h>
#include <stdlib.h>

/* Larger ones are asked for: where there are none pages may still be contiguous. */
#define DIRECT_PAGES HW_PAGES_HUGE
/* Pages at the first stride that surely do not fit. */
#define DIRECT_FIRST 64u
/* Memory: so many times what surely does not fit, for the largest odd multiple. */
#define DIRECT_SPAN 8u
/* Pages that put another out of level 1, over those that it holds of its class. */
#define DIRECT_FLUSH 3u
/* Readings of an answer, and how often they are taken when they are mixed: a neighbour may do
   that. */
#define DIRECT_READINGS 6u
#define DIRECT_TRIES 2u
/* Readings that tell what a hit and a miss take, and how far apart they have to be. */
#define DIRECT_LEARN 12u
#define DIRECT_APART 0.15
/* Up to here a reading, as a part of the way from a hit to a miss, says that a page stays, and from
   there on that it is gone. */
#define DIRECT_STAYS 0.4
#define DIRECT_GONE 0.6
/* A page that was just read hits.  Where that takes so many times as long as usual, all took longer
   at that time: a reading is taken again, so many times at most. */
#define DIRECT_SLOW 1.3
#define DIRECT_AGAIN 8u
/* Steps of the clock in a sample that is long enough (sampler.c). */
#define DIRECT_STEPS 200
/* Replacement that is not LRU takes some walks to put a page out. */
#define DIRECT_LAPS 6u
/* Of all of it, ns. */
#define DIRECT_TIME 1e8

struct direct_job {
  struct hw_pool pool;
  size_t beyond; /* pages that surely do not fit */
  size_t class;  /* pages of level 1's stride */
  size_t flush;  /* pages that put another out of level 1 */
  size_t *walked;
  double just; /* what a page takes that was just read, ns */
  double deadline;
  struct hw_curve strides;
};

/* Links n pages at the stride behind page x, their lines shifted, and then those that put page x
   out of level 1, which lie at odd multiples of its stride: in other sets, when that of the level
   is any larger. */
static int direct_link(struct direct_job *job, size_t x, size_t stride, size_t n, size_t shift) {
  struct hw_pool *pool = &job->pool;
  struct hw_machine *machine = pool->bench->machine;
  size_t twice = 2 * job->class, end = x + (n * stride / twice + 1) * twice, at;

  for (size_t i = 0; i < n; i++)
    job->walked[i] = x + (i + 1) * stride;
  hw_random_order(&pool->bench->random, job->walked, n);
  at = hw_pool_put(pool, job->walked, n, 0);
  for (size_t i = 0; i < at; i++)
    pool->offset[i] += shift;
  for (size_t i = 0; i < job->flush; i++)
    job->walked[i] = end + i * twice + job->class;
  at = hw_pool_put(pool, job->walked, job->flush, at);
  pool->ring = at;
  pool->ring_at = pool->offset[0];
  return machine->ops->link(machine, pool->memory, pool->offset, at);
}

/* Reads a page, at a random place, after n at the stride behind it were walked, and then again, in
 *just (ns).  0, or -1 when memory, or time, is short. */
static int direct_once(struct direct_job *job, size_t stride, size_t n, size_t shift,
                       double *reading, double *just) {
  struct hw_pool *pool = &job->pool;
  struct hw_machine *machine = pool->bench->machine;
  size_t span = (n * stride / (2 * job->class) + 1 + job->flush) * 2 * job->class, x;
  size_t places = span < pool->pages ? pool->pages - span : 0;

  if (places == 0 || machine->ops->now(machine) > job->deadline || hw_late(pool->bench))
    return -1;
  /* Not anywhere: what is not touched need not be zeroed. */
  x = hw_random_below(&pool->bench->random, places < job->beyond ? places : job->beyond);
  if (hw_pool_own(pool, x) < 0 || direct_link(job, x, stride, n, shift) < 0)
    return -1;
  hw_pool_settle(pool, &x, 1);
  *reading = hw_pool_read(pool, x);
  *just = pool->hit_ns + hw_pool_read(pool, x) * (pool->miss_ns - pool->hit_ns);
  return 0;
}

/* Reads a page when nothing lengthens it, if there is such a time. */
static int direct_read(struct direct_job *job, size_t stride, size_t n, size_t shift,
                       double *reading) {
  double step = job->pool.bench->sample_ns / DIRECT_STEPS;

  for (unsigned again = 0; again < DIRECT_AGAIN; again++) {
    double just;
    unsigned try = 0;
    do {
      hw_alone_await(&job->pool.alone);
      if (direct_once(job, stride, n, shift, reading, &just) < 0)
        return -1;
    } while (hw_alone_again(&job->pool.alone, try++));
    if (just <= DIRECT_SLOW * job->just + step)
      break;
  }
  return 0;
}

/* The low end of some readings, in *low.  0, or -1. */
static int direct_low(struct direct_job *job, size_t stride, size_t n, size_t shift, double *low) {
  double reading[DIRECT_LEARN], just[DIRECT_LEARN];

  for (size_t i = 0; i < DIRECT_LEARN; i++)
    if (direct_once(job, stride, n, shift, &reading[i], &just[i]) < 0)
      return -1;
  *low = hw_low_end(reading, DIRECT_LEARN).y;
  job->just = hw_low_end(just, DIRECT_LEARN).y;
  return 0;
}

/* Learns what a hit and a miss take.  0, or -1 when they are not apart. */
static int direct_learn(struct direct_job *job, size_t stride, size_t n) {
  struct hw_pool *pool = &job->pool;
  double hit, miss;

  pool->hit_ns = 0;
  pool->miss_ns = 1;
  if (direct_low(job, stride, n, 0, &miss) < 0 ||
      direct_low(job, stride, n, pool->spacing / 2, &hit) < 0)
    return -1;
  pool->hit_ns = hit;
  pool->miss_ns = miss;
  return miss > (1 + DIRECT_APART) * hit ? 0 : -1;
}

/* Whether n pages at the stride put another out, wherever it lies: 1, 0, or -1 when that is not
   the same everywhere. */
static int direct_gone(struct direct_job *job, size_t stride, size_t n) {
  for (unsigned try = 0; try < DIRECT_TRIES; try++) {
    unsigned gone = 0, stays = 0;
    for (unsigned i = 0; i < DIRECT_READINGS; i++) {
      double reading;
      if (direct_read(job, stride, n, 0, &reading) < 0)
        return -1;
      gone += reading > DIRECT_GONE;
      stays += reading < DIRECT_STAYS;
    }
    if (gone == DIRECT_READINGS || stays == DIRECT_READINGS)
      return gone > 0;
  }
  return -1;
}

/* Whether n pages at the stride stay together, and no more.  Then they are put down. */
static bool direct_confirmed(struct direct_job *job, size_t stride, size_t n) {
  struct hw_point p = {
      .x = (double)(stride * job->pool.page), .y = (double)n, .count = 2 * DIRECT_READINGS};

  return n > 0 && direct_gone(job, stride, n) == 1 && direct_gone(job, stride, n - 1) == 0 &&
         hw_curve_put(&job->strides, p) == 0;
}

/* How many pages at the stride stay together, by halves, of which so many do not.  0 when that is
   not clear. */
static size_t direct_length(struct direct_job *job, size_t stride, size_t most) {
  size_t low = 0, high = most;

  if (direct_gone(job, stride, most) != 1)
    return 0;
  while (low + 1 < high) {
    size_t middle = low + (high - low) / 2;
    int gone = direct_gone(job, stride, middle);
    if (gone < 0)
      return 0;
    if (gone > 0)
      high = middle;
    else
      low = middle;
  }
  return direct_confirmed(job, stride, high) ? high : 0;
}

/* Measures all strides, from one on.  0, or -1 when they do not tell one shape. */
static int direct_strides(struct direct_job *job, size_t stride, size_t most) {
  static const size_t odd[] = {3, 5, 7};
  size_t length = direct_length(job, stride, most), own = stride;

  if (length == 0)
    return -1;
  while (length % 2 == 0 && direct_confirmed(job, 2 * own, length / 2)) {
    own *= 2;
    length /= 2;
  }
  if (!direct_confirmed(job, 2 * own, length))
    return -1;
  /* What stays from the first on may stay below it too. */
  for (size_t down = own / 2; own == stride && down > 0; down /= 2) {
    if (direct_confirmed(job, down, 2 * length))
      break;
    if (!direct_confirmed(job, down, length))
      return -1;
    own = stride = down;
  }
  /* Else what puts pages out of level 1 fills sets of this level too. */
  if (own <= job->class)
    return -1;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    if (!direct_confirmed(job, odd[i] * own, length))
      return -1;
  return 0;
}

/* Measures with the pool.  0, or -1 when memory was not contiguous. */
static int direct_measure(struct direct_job *job) {
  size_t stride = 1, most;

  while (2 * stride * DIRECT_FIRST <= job->beyond)
    stride *= 2;
  most = job->beyond / stride + 1;
  job->walked = calloc(2 * most + job->flush, sizeof *job->walked);
  return job->walked == NULL || direct_learn(job, stride, most) < 0
             ? -1
             : direct_strides(job, stride, most);
}

/* Fits the pool to level 1.  0, or -1 when that is not clear or leaves no lines for a control. */
static int direct_fit(struct direct_job *job, size_t line, size_t lines) {
  struct hw_pool *pool = &job->pool;
  struct hw_l1_shape l1;

  if (hw_l1_shape(&pool->bench->curves, &l1) < 0)
    return -1;
  job->class = l1.stride > pool->page ? l1.stride / pool->page : 1;
  job->flush = DIRECT_FLUSH * ((l1.bytes + pool->page - 1) / pool->page) / job->class + 1;
  pool->lines = lines;
  while (pool->lines > 4 && pool->page / pool->lines < 4 * line)
    pool->lines /= 2;
  pool->spacing = pool->page / pool->lines;
  pool->own = pool->lines / 4;
  pool->pages = DIRECT_SPAN * job->beyond + 2 * job->class * job->flush;
  if (pool->own == 0 || pool->spacing < 2 * line ||
      pool->pages * (pool->page + pool->lines * sizeof(size_t)) > pool->bench->memory)
    return -1;
  return hw_pool_map(pool, DIRECT_PAGES);
}

int hw_direct(struct hw_bench *bench, const struct hw_lower_level *level, size_t page, size_t line,
              size_t lines) {
  struct hw_machine *machine = bench->machine;
  double start = machine->ops->now(machine);
  struct direct_job job = {.pool = {.bench = bench, .page = page, .rounds = 1, .laps = DIRECT_LAPS},
                           .beyond = level->beyond / page,
                           .deadline = start + DIRECT_TIME};

  job.pool.alone = hw_alone_begin(bench, hw_issue(&bench->curves), false, DIRECT_TIME / 2);

  hw_curve_init(&job.strides, "l2_direct_strides", "stride (bytes)",
                "pages that stay together (count)");
  if (direct_fit(&job, line, lines) == 0) {
    if (direct_measure(&job) < 0)
      job.strides.n = 0; /* what was not told to its end is not told */
    hw_pool_close(&job.pool);
  }
  free(job.walked);
  fprintf(bench->log, "colours: level 2: memory is %scontiguous, as %.1f ms tell\n",
          job.strides.n > 0 ? "" : "not ", (machine->ops->now(machine) - start) / 1e6);
  return hw_publish(bench, &job.strides, "colours", 1);
}
