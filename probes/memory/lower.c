/* Within one colour of a level below the first, where X-Ray's sequences are valid again.

   Curve   l<n>_colour_<k>: x pages of one colour (count), y time of a load from one of them
           (cycles), after the others, and then pages of other colours, were walked.
           l<n>_alone: the same without pages of other colours.
           l<n>_cyclic: x pages of one colour (count), y time of a load from one of them (cycles)
           when they take turns.
           l<n>_kept: x distance (bytes), y time of a load (cycles) so far from a line that is in
           use all the time, after twice as many as the ways came by at that distance.
   Method  A load is timed over one pass of a page's lines, and as many more as make up a grain,
           which hit in level 1.  Pages of other colours put out what the levels above hold.
   Rows    see colours.c.
   Cost    20 ms a level.
   Limits  as colours.c.
   See     XM 4.1.2, 4.1.3, 5, 8.2. */
#include "probes/memory/lower.h"

#include <stdio.h>
#include <stdlib.h>

/* Points beyond the ways, next to each other. */
#define LOWER_BEYOND 2u
/* Turns before the timed one: replacement that is not LRU takes some to settle. */
#define LOWER_TURNS 8u
#define LOWER_POINTS 160u

struct lower_job {
  const struct hw_colour *colour;
  size_t *own;    /* a copy, in random order */
  size_t other_n; /* that are walked */
  unsigned turns;
};

/* Some pages of the colour, the first of which is timed, and then the others. */
static int lower_prepare(void *context, double x, struct hw_random *random) {
  struct lower_job *job = context;
  const struct hw_colour *colour = job->colour;
  struct hw_pool *pool = colour->pool;
  size_t n = (size_t)x;

  hw_random_order(random, job->own, colour->own.n);
  if (hw_pool_link(pool, job->own + 1, n - 1, colour->other.page, job->other_n) < 0)
    return -1;
  if (job->turns == 0)
    hw_pool_settle(pool, job->own, 1);
  for (unsigned turn = 0; turn < job->turns; turn++) {
    hw_pool_touch(pool, job->own[0]);
    hw_pool_walk(pool, 1);
  }
  hw_pool_enter(pool, job->own[0]);
  return 0;
}

static double lower_work(void *context, double x) {
  const struct lower_job *job = context;
  struct hw_pool *pool = job->colour->pool;
  struct hw_machine *machine = pool->bench->machine;

  (void)x;
  machine->ops->walk(machine, pool->memory, HW_GRAIN);
  return HW_GRAIN;
}

/* Samples one curve and publishes it. */
static int lower_curve(struct lower_job *job, const char *name, const double *x, size_t n) {
  const struct hw_colour *colour = job->colour;
  const struct hw_task task = {
      .prepare = lower_prepare, .work = lower_work, .context = job, .ns = false};
  struct hw_curve curve;
  int result = -1;

  job->own = calloc(colour->own.n, sizeof *job->own);
  if (job->own == NULL)
    return -1;
  for (size_t i = 0; i < colour->own.n; i++)
    job->own[i] = colour->own.page[i];
  hw_curve_init(&curve, name, "pages of one colour (count)", "time of a load (cycles)");
  result = hw_sample_task(colour->pool->bench, &task, x, n, &curve);
  free(job->own);
  if (result == 0)
    return hw_publish(colour->pool->bench, &curve, "colours", 1);
  hw_curve_free(&curve);
  return -1;
}

/* Numbers from low to high, and the last.  Returns how many. */
static size_t lower_grid(double *x, size_t low, size_t high, size_t last) {
  size_t n = 0;

  for (size_t at = low; at <= high && n + 1 < LOWER_POINTS; at++)
    x[n++] = (double)at;
  if (last > high)
    x[n++] = (double)last;
  return n;
}

int hw_lower_ways(const struct hw_colour *colour, unsigned number) {
  struct lower_job job = {.colour = colour, .other_n = colour->other.n};
  double x[LOWER_POINTS];
  char name[HW_CURVE_NAME];
  size_t n = lower_grid(x, 1, colour->ways + LOWER_BEYOND, colour->own.n);

  snprintf(name, sizeof name, "l%u_colour_%u", colour->level, number);
  return lower_curve(&job, name, x, n);
}

int hw_lower_alone(const struct hw_colour *colour) {
  struct lower_job job = {.colour = colour};
  double x[LOWER_POINTS];
  char name[HW_CURVE_NAME];
  size_t n = lower_grid(x, 1, colour->own.n, 0);

  snprintf(name, sizeof name, "l%u_alone", colour->level);
  return lower_curve(&job, name, x, n);
}

int hw_lower_cyclic(const struct hw_colour *colour) {
  struct lower_job job = {.colour = colour, .other_n = colour->other.n, .turns = LOWER_TURNS};
  double x[LOWER_POINTS];
  char name[HW_CURVE_NAME];
  size_t n = lower_grid(x, 1, colour->ways + 1, 2 * colour->ways);

  snprintf(name, sizeof name, "l%u_cyclic", colour->level);
  return lower_curve(&job, name, x, n);
}
