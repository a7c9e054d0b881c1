/* Gathers the pages that a level holds together.

   Curve   l<n>_fit: x bytes of pages that were tried, y bytes of those that stay in the level
           together.
           l<n>_readings: x a page's reading between a hit, 0, and a miss, 100 (per cent), y number
           of such readings.
   Method  A few pages at a time are touched, then those that were gathered are walked: a page that
           still hits fits with them.  When no further page stays, each colour is full.
   Rows    see analysis/rows/colours.c.
   Cost    50 ms for a level of half a MiB, growing with the square of its pages.
   Limits  With an index hashed line by line pages have no colours: a page is then evicted in part,
           which is noticed.
   See     XM 3. */
#include "probes/data/gather.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Pages that stay for each one of a batch to be tried, so that few of a batch have one colour and
   share some of their lines; pages of a batch at most; and orders of those that stay. */
#define GATHER_SHARE 16u
#define GATHER_BATCH 32u
#define GATHER_ORDERS 3u
/* Passes over all pages, at most. */
#define GATHER_PASSES 6u
/* Of the second attempt: policies other than LRU take more touches and walks to evict a page. */
#define GATHER_ROUNDS 3u
#define GATHER_LAPS 6u
/* Readings of evicted pages from which the share of those in between is judged. */
#define GATHER_SURE 256

void hw_gather_start(struct hw_gather *job) {
  struct hw_machine *machine = job->pool.bench->machine;
  struct hw_usage usage;

  machine->ops->usage(machine, &usage);
  job->start = machine->ops->now(machine);
  job->cpu_ns = usage.cpu_ns;
}

/* Waiting takes processor time too: the lesser of the two clocks counts. */
double hw_gather_clock(const struct hw_gather *job) {
  struct hw_machine *machine = job->pool.bench->machine;
  double own = machine->ops->now(machine) - job->start - (job->patience - job->pool.alone.wait);
  struct hw_usage usage;

  machine->ops->usage(machine, &usage);
  return job->cpu_ns < 0 || usage.cpu_ns < 0 ? own : fmin(own, usage.cpu_ns - job->cpu_ns);
}

bool hw_gather_late(const struct hw_gather *job) {
  return hw_gather_clock(job) > job->deadline || hw_late(job->pool.bench);
}

size_t hw_gather_held(const struct hw_gather *job) {
  return (job->level->above + job->pool.page - 1) / job->pool.page;
}

double hw_gather_cost(const struct hw_gather *job) {
  const struct hw_pool *pool = &job->pool;
  struct hw_answer cycle = hw_value_cycle_ps(&pool->bench->curves);
  double fit = (double)job->level->beyond / 2 / (double)pool->page;
  double batch = fmin(1 + fit / GATHER_SHARE, GATHER_BATCH);

  /* Each page of the pool is tried twice, in batches; a try walks what fits: half of beyond. */
  return 2 * (double)pool->pages / batch * 4 * fit * (double)pool->lines * job->level->hit *
         cycle.value / 1000;
}

/* Whether significantly many readings lie in between: pages are evicted in part.  Before any colour
   is full, most evictions are by other processes. */
static bool gather_partly(const struct hw_gather *job) {
  double between, gone;

  hw_colours_between(job->readings, &between, &gone);
  return gone >= GATHER_SURE &&
         between - HW_COLOURS_BETWEEN * gone >
             HW_CLEAR * sqrt(gone * HW_COLOURS_BETWEEN * (1 - HW_COLOURS_BETWEEN));
}

/* Counts a reading. */
static void gather_count(struct hw_gather *job, double reading) {
  double bin = round(fmax(0, fmin(1, reading)) * HW_COLOURS_BINS);

  job->readings[(size_t)bin]++;
}

/* Adds the number of bytes that fit now to the curve. */
static int gather_note(struct hw_gather *job) {
  double page = (double)job->pool.page;
  struct hw_point p = {.x = (double)job->tried * page, .y = (double)job->fit * page};

  return hw_curve_put(&job->grown, p);
}

/* Tests which of n pages stay when they are touched and those that fit are walked, in several
   orders.  Moves those that stay to the front.  Returns their number, or -1 without memory. */
static long gather_ask(struct hw_gather *job, size_t *page, size_t n) {
  struct hw_pool *pool = &job->pool;
  size_t stay = n;

  for (unsigned order = 0; order < GATHER_ORDERS && stay > 0; order++) {
    double reading[GATHER_BATCH];
    size_t kept = 0;
    unsigned try = 0;
    hw_random_order(&pool->bench->random, job->page, job->fit);
    do {
      hw_idle_await(&pool->alone);
      if (hw_pool_link(pool, job->page, job->fit, NULL, 0) < 0)
        return -1;
      hw_pool_settle(pool, page, stay);
      for (size_t i = 0; i < stay; i++)
        reading[i] = hw_pool_read(pool, page[i]);
    } while (hw_idle_again(&pool->alone, try++));
    for (size_t i = 0; i < stay; i++) {
      size_t swap = page[i];
      if (job->fit > pool->flush)
        gather_count(job, reading[i]);
      if (reading[i] >= HW_POOL_GONE)
        continue;
      page[i] = page[kept];
      page[kept++] = swap;
    }
    stay = kept;
  }
  return (long)stay;
}

/* Tries the pages that do not fit so far, a few at a time, once each.  Returns the number of pages
   added, or -1 when memory or time was short, or pages are evicted in part. */
static long gather_fill(struct hw_gather *job) {
  size_t before = job->fit, pages = job->pool.pages, batch;

  hw_random_order(&job->pool.bench->random, job->page + job->fit, pages - job->fit);
  for (size_t at = job->fit; at < pages; at += batch) {
    long stay;
    batch = job->fit / GATHER_SHARE + 1;
    batch = batch < GATHER_BATCH ? batch : GATHER_BATCH;
    batch = batch < pages - at ? batch : pages - at;
    stay = gather_ask(job, job->page + at, batch);
    if (stay < 0 || hw_gather_late(job) || gather_partly(job))
      return -1;
    for (size_t i = 0; i < (size_t)stay; i++) {
      size_t page = job->page[at + i];
      job->page[at + i] = job->page[job->fit];
      job->page[job->fit++] = page;
    }
    job->tried += batch;
    if (stay > 0 && gather_note(job) < 0)
      return -1;
  }
  return gather_note(job) < 0 ? -1 : (long)(job->fit - before);
}

/* Whether the others of those that fit evict the i-th. */
static enum hw_pool_said gather_refused(struct hw_gather *job, size_t i, size_t *others) {
  size_t n = 0;

  for (size_t j = 0; j < job->fit; j++)
    if (j != i)
      others[n++] = job->page[j];
  return hw_pool_evicts(&job->pool, others, n, NULL, 0, job->page[i]);
}

/* Reads n of those that fit, from the i-th on, after all were walked, and sets suspect for those of
   which a part was evicted: of a colour with one page too many, two pages that are walked next to
   each other lose half of their lines each.  0, or -1 when memory is short. */
static int gather_suspect(struct hw_gather *job, size_t i, size_t n, bool *suspect) {
  struct hw_pool *pool = &job->pool;
  unsigned try = 0;

  do {
    hw_idle_await(&pool->alone);
    if (hw_pool_link(pool, job->page, job->fit, NULL, 0) < 0)
      return -1;
    hw_pool_settle(pool, NULL, 0);
    for (size_t k = 0; k < n; k++)
      suspect[k] = hw_pool_read(pool, job->page[i + k]) >= HW_COLOURS_QUARTER;
  } while (hw_idle_again(&pool->alone, try++));
  return 0;
}

/* Removes those that the others evict: the first pages were added untested, as the level above
   held all.  *spoiled: not all could be tested.  Returns the number removed, or -1 when memory or
   time was short. */
static long gather_purge(struct hw_gather *job, bool *spoiled) {
  size_t *others = calloc(job->fit + 1, sizeof *others);
  bool suspect[GATHER_BATCH];
  long purged = others == NULL ? -1 : 0;

  hw_random_order(&job->pool.bench->random, job->page, job->fit);
  for (size_t i = 0; purged >= 0 && i < job->fit; i += GATHER_BATCH) {
    size_t n = job->fit - i < GATHER_BATCH ? job->fit - i : GATHER_BATCH;
    if (hw_gather_late(job) || gather_suspect(job, i, n, suspect) < 0)
      purged = -1;
    /* From the last on: the page that replaces a purged one was tested.  If another process
       spoils a test the rest is left for the next pass. */
    for (size_t k = n; purged >= 0 && k-- > 0;) {
      size_t page = job->page[i + k];
      enum hw_pool_said said = suspect[k] ? gather_refused(job, i + k, others) : HW_POOL_STAYS;
      if (said == HW_POOL_SPOILED) {
        *spoiled = true;
        break;
      }
      if (said == HW_POOL_PUT_OUT) {
        job->page[i + k] = job->page[--job->fit];
        job->page[job->fit] = page;
        purged++;
      }
      purged = said == HW_POOL_SHORT ? -1 : purged;
    }
  }
  free(others);
  return purged;
}

/* Gathers the pages with the pool's rounds and laps.  0, or -1. */
static int gather_once(struct hw_gather *job) {
  long purged = 0, fitted = 0;
  bool spoiled = false;

  for (unsigned pass = 0; pass < GATHER_PASSES; pass++) {
    fitted = gather_fill(job);
    fprintf(job->pool.bench->log, "colours: level %u: %zu of %zu pages fit\n", job->level->n,
            job->fit, job->pool.pages);
    if (fitted < 0 || (pass > 0 && fitted == 0 && purged == 0 && !spoiled))
      return fitted < 0 ? -1 : 0;
    spoiled = false;
    purged = gather_purge(job, &spoiled);
    if (purged < 0)
      return -1;
  }
  return fitted == 0 && purged == 0 ? 0 : -1;
}

/* Publishes the curves of what fits and of the readings. */
static int gather_publish(struct hw_gather *job) {
  struct hw_bench *bench = job->pool.bench;
  struct hw_curve readings;
  char name[HW_CURVE_NAME];
  int result = 0;

  snprintf(name, sizeof name, "l%u_readings", job->level->n);
  hw_curve_init(&readings, name, "place between a hit and a miss (per cent)", "readings (count)");
  for (size_t i = 0; i <= HW_COLOURS_BINS && result == 0; i++)
    result = hw_curve_put(&readings, (struct hw_point){.x = 100.0 * (double)i / HW_COLOURS_BINS,
                                                       .y = job->readings[i]});
  return hw_publish(bench, &readings, "colours", result) < 0
             ? -1
             : hw_publish(bench, &job->grown, "colours", 0);
}

/* Gathers the pages, with few walks; when evicted ones are evicted in part, once more with more
   walks, and with the times of a hit and a miss measured anew. */
static int gather_twice(struct hw_gather *job) {
  int result = -1;

  for (unsigned more = 0; more < 2; more++) {
    char name[HW_CURVE_NAME];
    double gone, between;
    if (more && hw_pool_learn(&job->pool, job->level->beyond / job->pool.page) < 0)
      return -1;
    job->pool.rounds = more ? GATHER_ROUNDS : 1;
    job->pool.laps = more ? GATHER_LAPS : 2;
    job->fit = job->tried = 0;
    for (size_t i = 0; i <= HW_COLOURS_BINS; i++)
      job->readings[i] = 0;
    hw_curve_free(&job->grown);
    snprintf(name, sizeof name, "l%u_fit", job->level->n);
    hw_curve_init(&job->grown, name, "pages tried (bytes)", "pages that fit together (bytes)");
    result = gather_once(job);
    hw_colours_between(job->readings, &between, &gone);
    if (between <= HW_COLOURS_BETWEEN * gone || hw_gather_late(job))
      break;
  }
  return result;
}

int hw_gather_pages(struct hw_gather *job, bool publish) {
  int result;

  hw_curve_init(&job->grown, "", "", "");
  result = gather_twice(job);
  if (!publish) {
    hw_curve_free(&job->grown);
    return result;
  }
  return gather_publish(job) < 0 ? -1 : result;
}
