/* The share of pages that a level does not hold, where colours cannot be found.

   Curve   l<n>_share: x pages that are walked (count), y part of them that is put out, count
           readings of a page.
   Method  Of so many pages of the pool, chosen anew for each sample, some are asked whether they
           still are there when all were walked.  A hit or a miss is counted, no time is averaged.
   Rows    L<n>_BYTES, where two colours do not tell it.
   Cost    0.1 s for a level of half a MiB.
   Limits  Where pages are put out by parts (hashed sets, random replacement) there is no curve.
   See     SV III-A. */
#include "probes/memory/share.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers of pages: so many to an octave, over so many octaves that end with twice as many as
   surely do not fit. */
#define SHARE_OCTAVE 4.0
#define SHARE_OCTAVES 3.5
#define SHARE_POINTS 15u
/* Readings of a point: the share is then known to 4 %. */
#define SHARE_READINGS 128u
/* One page to so many is asked, so that few that are asked are of the same colour. */
#define SHARE_PART 32u
#define SHARE_BATCH 32u
/* Part of the time for a level that this may take. */
#define SHARE_TIME 0.5

/* Pages that are asked of n. */
static size_t share_batch(size_t n) {
  return n / SHARE_PART + 1 < SHARE_BATCH ? n / SHARE_PART + 1 : SHARE_BATCH;
}

/* The i-th number of pages. */
static size_t share_pages(const struct hw_gather *job, unsigned i) {
  double most = 2 * (double)job->level->beyond / (double)job->pool.page;
  double n = most * exp2((double)i / SHARE_OCTAVE - SHARE_OCTAVES);

  return (size_t)n < job->pool.pages ? (size_t)n : job->pool.pages;
}

bool hw_share_affordable(const struct hw_gather *job) {
  struct hw_answer cycle = hw_value_cycle_ps(&job->pool.bench->curves);
  double loads = 0;

  for (unsigned i = 0; i < SHARE_POINTS; i++) {
    size_t n = share_pages(job, i);
    loads += ceil((double)SHARE_READINGS / (double)share_batch(n)) * 5 * (double)n *
             (double)job->pool.lines;
  }
  /* Pieces of a page do not lie at random. */
  return cycle.known &&
         !((double)job->pool.page < hw_value_page_bytes(&job->pool.bench->curves).value) &&
         loads * (job->level->hit + job->level->miss) / 2 * cycle.value / 1000 <
             SHARE_TIME * (job->deadline - hw_gather_clock(job));
}

/* Asks some of n pages, with the core to itself, and counts those that are gone.  Returns how many
   were asked, or -1 when memory is short. */
static long share_ask(struct hw_gather *job, size_t n, double *gone) {
  struct hw_pool *pool = &job->pool;
  size_t batch = share_batch(n);
  double reading[SHARE_BATCH];
  unsigned try = 0;

  hw_random_order(&pool->bench->random, job->page, pool->pages);
  do {
    hw_alone_await(&pool->alone);
    if (hw_pool_link(pool, job->page + batch, n - batch, NULL, 0) < 0)
      return -1;
    hw_pool_settle(pool, job->page, batch);
    for (size_t i = 0; i < batch; i++)
      reading[i] = hw_pool_read(pool, job->page[i]);
  } while (hw_alone_again(&pool->alone, try++));
  for (size_t i = 0; i < batch; i++) {
    job->readings[(size_t)round(fmax(0, fmin(1, reading[i])) * HW_GATHER_BINS)]++;
    *gone += reading[i] >= HW_POOL_GONE;
  }
  return (long)batch;
}

/* Measures one point.  Of the others that are asked a page sees a part of the lines only. */
static int share_point(struct hw_gather *job, size_t n, struct hw_curve *curve) {
  const struct hw_pool *pool = &job->pool;
  double batch = (double)share_batch(n), gone = 0;
  double seen = (double)n - (batch - 1) * (1 - (double)pool->own / (double)pool->lines);
  unsigned long readings = 0;

  while (readings < SHARE_READINGS) {
    long asked = hw_gather_late(job) ? -1 : share_ask(job, n, &gone);
    if (asked < 0)
      return -1;
    readings += (unsigned long)asked;
  }
  return hw_curve_put(curve, (struct hw_point){seen, gone / (double)readings, 0, readings});
}

int hw_share(struct hw_gather *job) {
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result = 0;

  for (size_t i = 0; i <= HW_GATHER_BINS; i++)
    job->readings[i] = 0;
  snprintf(name, sizeof name, "l%u_share", job->level->n);
  hw_curve_init(&curve, name, "pages that are walked (count)", "part that is put out");
  for (unsigned i = 0; i < SHARE_POINTS && result == 0; i++)
    if (share_pages(job, i) > share_batch(share_pages(job, i)))
      result = share_point(job, share_pages(job, i), &curve);
  if (result == 0 && !hw_gather_partly(job))
    return hw_publish(job->pool.bench, &curve, "colours", 1);
  hw_curve_free(&curve);
  return -1;
}
