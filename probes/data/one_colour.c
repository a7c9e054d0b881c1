/* Within one colour of a level below the first, where X-Ray's sequences are valid again.

   Curve   l<n>_colour_<k>: x pages of one colour (count), y time of a load from one of them
           (cycles), after the others, and then pages of other colours, were walked.
           l<n>_alone: the same without pages of other colours, for numbers of pages that exceed the
           ways of their sets in the level above.
           l<n>_apart: x distance (bytes), y time of a load (cycles) from one of as many pages as
           the ways, with lines at this distance behind in more pages in use too: from the line size
           on in another set (XM 4.1.3).
           l<n>_before: the same, with these before them.
   Method  A load is timed over one pass of a page's lines, and more up to HW_GRAIN loads, which hit
           in level 1.  Pages of other colours flush the levels above.
   Rows    see colours.c.
   Cost    20 ms a level.
   Limits  as colours.c.
   See     XM 4.1.2, 4.1.3, 5, 8.2. */
#include "probes/data/one_colour.h"

#include "analysis/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive numbers of pages beyond the ways that are measured. */
#define ONE_COLOUR_BEYOND 2u
/* Laps before the timed one, of the lines at a distance, and rounds, as a multiple of those that
   gathered the pages, of whole pages: policies other than LRU take some to settle. */
#define ONE_COLOUR_TURNS 8u
#define ONE_COLOUR_SETTLE 2u
#define ONE_COLOUR_POINTS 160u

struct one_colour_job {
  const struct hw_colour *colour;
  const size_t *from; /* pages of the colour, of which the first are used, or NULL: any of them */
  size_t *own;        /* a copy, in random order */
  size_t other_n;     /* pages of other colours that are walked */
  bool swapped;       /* of lines of a page that differ in one bit of their offset, those that are
                         timed have it set, and those at a distance clear */
};

/* The number of pages of other colours that are walked to flush the level above. */
static size_t one_colour_flush(const struct hw_colour *colour) {
  return hw_pool_flush(colour->pool, colour->other.page, colour->other.n);
}

/* Touches a page of the colour, to be timed, walks x - 1 more, and then pages of other colours. */
static int one_colour_prepare(void *context, double x, struct hw_random *random) {
  struct one_colour_job *job = context;
  const struct hw_colour *colour = job->colour;
  struct hw_pool *pool = colour->pool;
  const size_t *from = job->from != NULL ? job->from : colour->own.page;
  size_t n = (size_t)x, all = job->from != NULL ? n : colour->own.n;

  memcpy(job->own, from, all * sizeof *from);
  hw_random_order(random, job->own, all);
  if (hw_pool_link(pool, job->own + 1, n - 1, colour->other.page, job->other_n) < 0)
    return -1;
  for (unsigned turn = 0; turn < ONE_COLOUR_SETTLE * pool->rounds; turn++)
    hw_pool_settle(pool, job->own, 1);
  hw_pool_enter(pool, job->own[0]);
  return 0;
}

static double one_colour_work(void *context, double x) {
  const struct one_colour_job *job = context;
  struct hw_pool *pool = job->colour->pool;
  struct hw_machine *machine = pool->bench->machine;

  (void)x;
  machine->ops->walk(machine, pool->memory, HW_GRAIN);
  return HW_GRAIN;
}

/* Samples of one curve. */
struct one_colour_samples {
  double *taken; /* ns, round by round */
  double *cycle; /* ns, of a round */
  size_t *order;
};

/* Takes a sample of each point.  Nothing runs between the preparation of the caches and the timed
   loads: not even the system call for the thread's time, whose code and data would evict lines.  0,
   or -1 when memory was short. */
static int one_colour_round(struct hw_pool *pool, const struct hw_task *task, const double *x,
                            size_t n, const struct one_colour_samples *samples, unsigned round) {
  struct hw_bench *bench = pool->bench;
  struct hw_machine *machine = bench->machine;
  double start = machine->ops->now(machine), end;

  machine->ops->add(machine, bench->adds);
  samples->cycle[round] =
      (machine->ops->now(machine) - start - bench->read_ns) / (double)bench->adds;
  hw_random_order(&bench->random, samples->order, n);
  for (size_t k = 0; k < n; k++) {
    size_t i = samples->order[k];
    double units;
    unsigned try = 0;
    do {
      hw_idle_await(&pool->alone);
      if (task->prepare(task->context, x[i], &bench->random) < 0)
        return -1;
      start = machine->ops->now(machine);
      units = task->work(task->context, x[i]);
      end = machine->ops->now(machine);
    } while (hw_idle_again(&pool->alone, try++));
    samples->taken[round * n + i] = (end - start - bench->read_ns) / units;
  }
  return 0;
}

/* Puts the low end of the samples of each point, in cycles, into the curve. */
static int one_colour_settle(const struct one_colour_samples *samples, unsigned rounds,
                             const double *x, size_t n, struct hw_curve *curve) {
  double *scratch = calloc(rounds, sizeof *scratch);
  double cycle = hw_low_end(samples->cycle, rounds).y;
  int result = scratch == NULL ? -1 : 0;

  for (size_t i = 0; i < n && result == 0; i++) {
    struct hw_point p;
    for (unsigned round = 0; round < rounds; round++)
      scratch[round] = samples->taken[round * n + i] / cycle;
    p = hw_low_end(scratch, rounds);
    p.x = x[i];
    result = hw_curve_put(curve, p);
  }
  free(scratch);
  return result;
}

/* Samples as the sampler does, but a fixed number of rounds, without checking their precision: the
   two levels' latencies are far apart. */
static int one_colour_sample(struct hw_pool *pool, const struct hw_task *task, unsigned rounds,
                             const double *x, size_t n, struct hw_curve *curve) {
  struct one_colour_samples samples = {.taken = calloc(n * rounds, sizeof(double)),
                                       .cycle = calloc(rounds, sizeof(double)),
                                       .order = calloc(n, sizeof(size_t))};
  int result = samples.taken == NULL || samples.cycle == NULL || samples.order == NULL ? -1 : 0;

  for (size_t i = 0; i < n && result == 0; i++)
    samples.order[i] = i;
  for (unsigned round = 0; round < rounds && result == 0; round++)
    result = hw_late(pool->bench) ? -1 : one_colour_round(pool, task, x, n, &samples, round);
  if (result == 0)
    result = one_colour_settle(&samples, rounds, x, n, curve);
  free(samples.taken);
  free(samples.cycle);
  free(samples.order);
  return result;
}

/* Samples one curve, of the pages that the job uses, and publishes it. */
static int one_colour_curve(struct one_colour_job *job,
                            int (*prepare)(void *context, double x, struct hw_random *random),
                            unsigned rounds, const char *name, const char *x_title, const double *x,
                            size_t n) {
  const struct hw_colour *colour = job->colour;
  const struct hw_task task = {.prepare = prepare, .work = one_colour_work, .context = job};
  struct hw_curve curve;
  int result;

  job->own = calloc(colour->own.n, sizeof *job->own);
  if (job->own == NULL)
    return -1;
  memcpy(job->own, colour->own.page, colour->own.n * sizeof *job->own);
  hw_curve_init(&curve, name, x_title, "time of a load (cycles)");
  result = n > 0 ? one_colour_sample(colour->pool, &task, rounds, x, n, &curve) : 0;
  free(job->own);
  return hw_publish(colour->pool->bench, &curve, "colours", result);
}

/* The title of x of those over numbers of pages. */
static const char one_colour_pages[] = "pages of one colour (count)";

/* Numbers of pages to measure, as far as the colour has them: 1 to high, and last.  Returns the
   number of points. */
static size_t one_colour_grid(const struct hw_colour *colour, double *x, size_t high, size_t last) {
  size_t n = 0;

  for (size_t at = 1; at <= high && at <= colour->own.n && n + 1 < ONE_COLOUR_POINTS; at++)
    x[n++] = (double)at;
  if (last > high && last <= colour->own.n)
    x[n++] = (double)last;
  return n;
}

int hw_one_colour_ways(const struct hw_colour *colour, unsigned rounds, unsigned number) {
  struct one_colour_job job = {.colour = colour, .other_n = one_colour_flush(colour)};
  double x[ONE_COLOUR_POINTS];
  char name[HW_CURVE_NAME];
  size_t n = one_colour_grid(colour, x, colour->ways + ONE_COLOUR_BEYOND, colour->own.n);

  snprintf(name, sizeof name, "l%u_colour_%u", colour->level, number);
  return one_colour_curve(&job, one_colour_prepare, rounds, name, one_colour_pages, x, n);
}

/* Puts the pages of the colour into page, class by class, only of classes with more pages than the
   level above holds; and into x the numbers of pages, from the front, that exceed it in each of
   their classes, and exceed the ways, but no more than both levels together hold.  Returns the
   number of points. */
static size_t one_colour_crowds(const struct hw_colour *colour, size_t *page, double *x) {
  const struct hw_pool *pool = colour->pool;
  const size_t crowd = hw_colours_crowd(pool->held, colour->ways);
  size_t at = 0, n = 0, places = colour->ways;

  for (size_t class = 0; class < pool->classes; class ++) {
    size_t first = at;
    for (size_t i = 0; i < colour->own.n; i++)
      if (colour->own.page[i] % pool->classes == class)
        page[at++] = colour->own.page[i];
    if (at - first < crowd) {
      at = first;
      continue;
    }
    places += pool->held;
    for (size_t k = first + crowd; k <= at && k <= places && n < ONE_COLOUR_POINTS; k++)
      if (k >= colour->ways + HW_COLOURS_MORE)
        x[n++] = (double)k;
  }
  return n;
}

int hw_one_colour_alone(const struct hw_colour *colour, unsigned rounds) {
  struct one_colour_job job = {.colour = colour};
  double x[ONE_COLOUR_POINTS];
  char name[HW_CURVE_NAME];
  size_t *page = calloc(colour->own.n, sizeof *page);
  int result = -1;

  snprintf(name, sizeof name, "l%u_alone", colour->level);
  job.from = page;
  if (page != NULL)
    result = one_colour_curve(&job, one_colour_prepare, rounds, name, one_colour_pages, x,
                              one_colour_crowds(colour, page, x));
  free(page);
  return result;
}

/* Puts a word of each line of a page with the bit clear into pool->offset, from index at on, in
   random order.  Returns the index behind the last. */
static size_t one_colour_put(struct hw_pool *pool, size_t page, size_t bit, size_t word,
                             size_t at) {
  const size_t half = pool->lines / 2;

  for (size_t i = 0; i < half; i++)
    pool->offset[at + i] = page * pool->page + hw_skip_bit(i * pool->spacing, bit) + word;
  hw_random_order(&pool->bench->random, pool->offset + at, half);
  return at + half;
}

static int one_colour_link(struct hw_pool *pool, size_t n) {
  struct hw_machine *machine = pool->bench->machine;

  return machine->ops->link(machine, pool->memory, pool->offset, n);
}

/* Walks once along the ring of n loads at byte at; where n is 0 the next walk begins there. */
static void one_colour_pass(struct hw_pool *pool, size_t at, size_t n) {
  struct hw_machine *machine = pool->bench->machine;

  machine->ops->enter(machine, pool->memory, at);
  machine->ops->walk(machine, pool->memory, (n + HW_GRAIN - 1) / HW_GRAIN * HW_GRAIN);
}

/* Prepares the timing of lines of one page of the colour: walks lines at the same offset in as many
   pages more as the ways less one, and lines x bytes from it in HW_COLOURS_MORE further pages. */
static int one_colour_apart(void *context, double x, struct hw_random *random) {
  struct one_colour_job *job = context;
  const struct hw_colour *colour = job->colour;
  struct hw_pool *pool = colour->pool;
  size_t bit = (size_t)x, flush = one_colour_flush(colour);
  size_t near = job->swapped ? bit : 0;
  size_t at = 0, own, timed;

  hw_random_order(random, job->own, colour->own.n);
  one_colour_put(pool, job->own[0], bit, sizeof(void *) + near, 0);
  timed = pool->offset[0];
  if (one_colour_link(pool, pool->own / 2 > 0 ? pool->own / 2 : 1) < 0) /* a part, as of a page */
    return -1;
  for (size_t k = 1; k < colour->ways + HW_COLOURS_MORE; k++)
    at = one_colour_put(pool, job->own[k], bit, k < colour->ways ? near : bit - near, at);
  hw_random_order(random, pool->offset, at);
  own = at;
  for (size_t k = 0; k < flush; k++) {
    at = one_colour_put(pool, colour->other.page[k], bit, 0, at);
    at = one_colour_put(pool, colour->other.page[k], bit, bit, at);
  }
  hw_random_order(random, pool->offset + own, at - own);
  pool->ring = at;
  pool->ring_at = pool->offset[0];
  if (one_colour_link(pool, pool->ring) < 0)
    return -1;
  for (unsigned turn = 0; turn < ONE_COLOUR_TURNS / pool->laps; turn++) {
    one_colour_pass(pool, timed, 1);
    hw_pool_walk(pool, pool->laps);
  }
  one_colour_pass(pool, timed, 0);
  return 0;
}

/* Samples a curve over distances that double from a word to half a page. */
static int one_colour_distances(const struct hw_colour *colour, unsigned rounds, const char *what,
                                bool swapped) {
  struct one_colour_job job = {.colour = colour, .swapped = swapped};
  double x[ONE_COLOUR_POINTS];
  char name[HW_CURVE_NAME];
  size_t n = 0;

  for (size_t at = sizeof(void *); at <= colour->pool->page / 2; at *= 2)
    x[n++] = (double)at;
  snprintf(name, sizeof name, "l%u_%s", colour->level, what);
  return one_colour_curve(&job, one_colour_apart, rounds, name, "distance (bytes)", x, n);
}

int hw_one_colour_line(const struct hw_colour *colour, unsigned rounds) {
  int result = one_colour_distances(colour, rounds, "apart", false);

  if (result == 0)
    result = one_colour_distances(colour, rounds, "before", true);
  /* The rings above overwrote the words of the pages' own rings. */
  for (size_t i = 0; i < colour->own.n; i++)
    if (hw_pool_own(colour->pool, colour->own.page[i]) < 0)
      result = -1;
  return result;
}
