/* Shape of the levels below the first, without large pages.

   Curve   l<n>_fit: x bytes of pages that were tried, y bytes of those that stay in the level
           together.
           l<n>_readings: x where between a hit and a miss the reading of a page lay (per cent), y
           how many did.
           and those of lower.c.
   Method  Where a page lies in a cache that is indexed by physical addresses nobody tells: its
           colour.  Pages that stay together are gathered one by one; when each further page is put
           out by them, each colour is full, and they are the capacity.  Of those that were put out
           some are asked, by dropping groups of pages that are not needed for it, who put them
           out: as many pages as ways, all of one colour.  Within a colour X-Ray's sequences are
           valid again.
   Rows    L<n>_BYTES, _ASSOC, _LINE, _SETS, _EXCLUSIVE, _LRU.
   Cost    0.5 s for a level of half a MiB, and no more than 1.5 s (0.75 s in quick) until the
           pages of any are found; four times the capacity.
   Limits  The number of sets is a power of two.  Pages of other colours must be able to put a page
           out of level 1.  Where sets are hashed line by line pages have no colours: a page is then
           partly put out, which is noticed.
   See     XM 3, 4, 5, 8.2; SV III-A. */
#include "probes/memory/l1.h"
#include "probes/memory/levels.h"
#include "probes/memory/lower.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Lines that are used of a page, at least where it has so many. */
#define COLOURS_LINES ((size_t)16)
/* One in so many of them is loaded when a page is asked. */
#define COLOURS_PART 4u
/* What the lines of a page take is told when it is so many steps of the clock. */
#define COLOURS_STEPS 10
/* Steps of the clock in a sample that is long enough (sampler.c). */
#define COLOURS_SAMPLE_STEPS 200
/* Pages that put another out of the level above: so many times what it holds, as they fill its sets
   unevenly. */
#define COLOURS_FLUSH 3u
/* Pages to try: so many times as many bytes as surely do not fit, and at least so many. */
#define COLOURS_POOL 2.0
#define COLOURS_POOL_MIN ((size_t)768)
/* Pages are tried a few at a time: one to so many of those that stay, so that few are of the same
   colour; and in so many orders of those that stay. */
#define COLOURS_SHARE 32u
#define COLOURS_BATCH 32u
#define COLOURS_ORDERS 3u
/* How often all are tried, at most. */
#define COLOURS_PASSES 6u
/* Readings are counted in so many bins from a hit to a miss. */
#define COLOURS_BINS 10u
/* The size curve, whose points are a quarter of an octave apart, agrees within so many octaves. */
#define COLOURS_OCTAVES 0.5
/* How often a curve is measured that is not clear. */
#define COLOURS_TRIES 3u
/* Replacement that is not LRU takes more touches and walks to put a page out. */
#define COLOURS_ROUNDS 3u
#define COLOURS_LAPS 6u
/* What lies this near to a hit, as a part of the way to a miss, is one; and to a miss. */
#define COLOURS_QUARTER 0.25
/* Of the readings of pages that are not there, this part may lie in between. */
#define COLOURS_BETWEEN 0.2
/* Time for a level, ns, at a precision of 1 %. */
#define COLOURS_TIME 1.5e9
#define COLOURS_PRECISION 0.01

static const char colours_method[] = "pages of one colour";

static const struct hw_curve *colours_curve(const struct hw_curves *curves, unsigned n,
                                            const char *what) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "l%u_%.32s", n, what);
  return hw_curves_get(curves, name);
}

/* How many pages of that colour stay. */
static struct hw_answer colours_step(const struct hw_curves *curves, unsigned n, unsigned number) {
  char what[HW_CURVE_NAME];
  const struct hw_curve *curve;
  struct hw_answer step;

  snprintf(what, sizeof what, "colour_%u", number);
  curve = colours_curve(curves, n, what);
  if (curve == NULL)
    return hw_unknown(colours_method, "its curve was not measured");
  step = hw_reduce_halfway(curve);
  return step.known && step.error > 1.5
             ? hw_unknown(colours_method, "the step lies between two numbers of pages")
             : step;
}

/* What is known of a level and of the one above it when it is looked at. */
struct colours_level {
  unsigned n;
  size_t above;  /* bytes that the level above holds */
  double hit;    /* cycles */
  double miss;   /* cycles */
  size_t beyond; /* bytes that surely do not fit */
};

struct colours_job {
  const struct colours_level *level;
  struct hw_pool pool;
  size_t *page; /* all pages; those that stay together come first */
  size_t fit;   /* how many do */
  size_t tried; /* times that a page was tried */
  double readings[COLOURS_BINS + 1];
  struct hw_curve grown;
  double deadline;
};

static bool colours_late(const struct colours_job *job) {
  return job->pool.bench->machine->ops->now(job->pool.bench->machine) > job->deadline ||
         hw_late(job->pool.bench);
}

/* Counts a reading. */
static void colours_count(struct colours_job *job, double reading) {
  double bin = round(fmax(0, fmin(1, reading)) * COLOURS_BINS);

  job->readings[(size_t)bin]++;
}

/* Puts down how many fit now. */
static int colours_note(struct colours_job *job) {
  double page = (double)job->pool.page;
  struct hw_point p = {.x = (double)job->tried * page, .y = (double)job->fit * page};

  return hw_curve_put(&job->grown, p);
}

/* Asks which of the pages stay when they are touched and those that fit are walked, in some orders.
   Those that stay come first.  Returns how many, or -1 when memory is short. */
static long colours_ask(struct colours_job *job, size_t *page, size_t n) {
  struct hw_pool *pool = &job->pool;
  size_t stay = n;

  for (unsigned order = 0; order < COLOURS_ORDERS && stay > 0; order++) {
    double reading[COLOURS_BATCH];
    size_t kept = 0;
    hw_random_order(&pool->bench->random, job->page, job->fit);
    if (hw_pool_link(pool, job->page, job->fit, NULL, 0) < 0)
      return -1;
    hw_pool_settle(pool, page, stay);
    for (size_t i = 0; i < stay; i++)
      reading[i] = hw_pool_read(pool, page[i]);
    for (size_t i = 0; i < stay; i++) {
      size_t swap = page[i];
      if (job->fit > pool->flush)
        colours_count(job, reading[i]);
      if (reading[i] >= HW_POOL_GONE)
        continue;
      page[i] = page[kept];
      page[kept++] = swap;
    }
    stay = kept;
  }
  return (long)stay;
}

/* Tries the pages that do not fit so far, a few at a time, once each.  Returns how many fit now
   that did not, or -1 when memory or time was short. */
static long colours_fill(struct colours_job *job) {
  size_t before = job->fit, pages = job->pool.pages, batch;

  hw_random_order(&job->pool.bench->random, job->page + job->fit, pages - job->fit);
  for (size_t at = job->fit; at < pages; at += batch) {
    long stay;
    batch = job->fit / COLOURS_SHARE + 1;
    batch = batch < COLOURS_BATCH ? batch : COLOURS_BATCH;
    batch = batch < pages - at ? batch : pages - at;
    stay = colours_ask(job, job->page + at, batch);
    if (stay < 0 || colours_late(job))
      return -1;
    for (size_t i = 0; i < (size_t)stay; i++) {
      size_t page = job->page[at + i];
      job->page[at + i] = job->page[job->fit];
      job->page[job->fit++] = page;
    }
    job->tried += batch;
    if (stay > 0 && colours_note(job) < 0)
      return -1;
  }
  return colours_note(job) < 0 ? -1 : (long)(job->fit - before);
}

/* Whether the others of those that fit put the i-th out.  -1 when memory is short. */
static int colours_refused(struct colours_job *job, size_t i, size_t *others) {
  size_t n = 0;

  for (size_t j = 0; j < job->fit; j++)
    if (j != i)
      others[n++] = job->page[j];
  return hw_pool_evicts(&job->pool, others, n, NULL, 0, job->page[i]);
}

/* Reads some of those that fit, from the i-th on, after all were walked.  Returns how many of them
   do not seem to stay, with suspect set. */
static int colours_suspect(struct colours_job *job, size_t i, size_t n, bool *suspect) {
  struct hw_pool *pool = &job->pool;

  if (hw_pool_link(pool, job->page, job->fit, NULL, 0) < 0)
    return -1;
  hw_pool_settle(pool, NULL, 0);
  for (size_t k = 0; k < n; k++)
    suspect[k] = hw_pool_read(pool, job->page[i + k]) >= HW_POOL_GONE;
  return 0;
}

/* Takes out those that the others put out: the first ones were taken in unseen, when all were held
   by the level above.  Returns how many, or -1 when memory or time was short. */
static long colours_purge(struct colours_job *job) {
  size_t *others = calloc(job->fit + 1, sizeof *others);
  bool suspect[COLOURS_BATCH];
  long purged = others == NULL ? -1 : 0;

  hw_random_order(&job->pool.bench->random, job->page, job->fit);
  for (size_t i = 0; purged >= 0 && i < job->fit; i += COLOURS_BATCH) {
    size_t n = job->fit - i < COLOURS_BATCH ? job->fit - i : COLOURS_BATCH;
    if (colours_late(job) || colours_suspect(job, i, n, suspect) < 0)
      purged = -1;
    /* From the last on: the one that takes a purged one's place was looked at. */
    for (size_t k = n; purged >= 0 && k-- > 0;) {
      size_t page = job->page[i + k];
      int gone = suspect[k] ? colours_refused(job, i + k, others) : 0;
      if (gone > 0) {
        job->page[i + k] = job->page[--job->fit];
        job->page[job->fit] = page;
      }
      purged = gone < 0 ? -1 : purged + gone;
    }
  }
  free(others);
  return purged;
}

/* Gathers the pages that fit: until each one stays, and no other does.  0, or -1. */
static int colours_gather(struct colours_job *job) {
  long purged = 0, fitted;

  for (unsigned pass = 0; pass < COLOURS_PASSES; pass++) {
    fitted = colours_fill(job);
    fprintf(job->pool.bench->log, "colours: level %u: %zu of %zu pages fit\n", job->level->n,
            job->fit, job->pool.pages);
    if (fitted < 0 || (pass > 0 && fitted == 0 && purged == 0))
      return fitted < 0 ? -1 : 0;
    purged = colours_purge(job);
    if (purged < 0)
      return -1;
  }
  return -1;
}

/* Pages that may put page x out, in two parts: the first keep, and those that are not needed for
   it. */
struct colours_search {
  size_t x;
  size_t *page;
  size_t n;
  size_t keep;
  size_t *rest; /* for those that are asked */
};

/* Drops those of the groups of so many pages that are not needed to put the page out.  0, or -1
   when memory is short. */
static int colours_drop(struct hw_pool *pool, struct colours_search *search, size_t group) {
  for (size_t at = 0; at < search->keep;) {
    size_t size = group < search->keep - at ? group : search->keep - at, kept = 0;
    int gone;
    for (size_t i = 0; i < search->keep; i++)
      if (i < at || i >= at + size)
        search->rest[kept++] = search->page[i];
    gone = hw_pool_evicts(pool, search->rest, kept, search->page + search->keep,
                          search->n - search->keep, search->x);
    if (gone < 0)
      return -1;
    if (gone == 0) {
      at += size;
      continue;
    }
    search->keep -= size;
    for (size_t i = 0; i < size; i++) {
      size_t swap = search->page[at + i];
      search->page[at + i] = search->page[search->keep + i];
      search->page[search->keep + i] = swap;
    }
  }
  return 0;
}

/* Whether all that were kept put the page out, and all but one do not, whichever that is. */
static int colours_sure(struct hw_pool *pool, struct colours_search *search) {
  size_t *others = search->page + search->keep, n = search->n - search->keep;
  int gone;

  for (size_t i = 0; i < search->keep; i++)
    search->rest[i] = search->page[i];
  gone = hw_pool_evicts(pool, search->rest, search->keep, others, n, search->x);
  for (size_t i = 0; i < search->keep && gone > 0; i++) {
    int without;
    for (size_t j = 0; j + 1 < search->keep; j++)
      search->rest[j] = search->page[j < i ? j : j + 1];
    without = hw_pool_evicts(pool, search->rest, search->keep - 1, others, n, search->x);
    gone = without < 0 ? -1 : without == 0;
  }
  return gone;
}

/* Who puts page x out, of those that fit: groups that are not needed for it are dropped, ever
   smaller ones.  They come first in page.  Returns how many, 0 when it is not put out, -1 when
   memory or time was short. */
static long colours_members(struct colours_job *job, size_t x, size_t *page) {
  struct hw_pool *pool = &job->pool;
  struct colours_search search = {.x = x, .page = page, .n = job->fit, .keep = job->fit};
  int gone;

  search.rest = calloc(job->fit, sizeof *search.rest);
  if (search.rest == NULL)
    return -1;
  for (size_t i = 0; i < job->fit; i++)
    page[i] = job->page[i];
  gone = hw_pool_evicts(pool, page, search.n, NULL, 0, x);
  for (size_t group = search.n / 8 + 1; gone > 0 && group > 0; group /= 2)
    if (colours_late(job) || colours_drop(pool, &search, group) < 0)
      gone = -1;
  if (gone > 0)
    gone = colours_sure(pool, &search);
  free(search.rest);
  return gone <= 0 ? gone : (long)search.keep;
}

/* Readings that lie between, as a share of all of pages that are not there. */
static double colours_between(const struct hw_curve *readings) {
  double between = 0, gone = 0;

  for (size_t i = 0; i < readings->n; i++) {
    double place = readings->point[i].x / 100;
    if (place > COLOURS_QUARTER && place < 1 - COLOURS_QUARTER)
      between += readings->point[i].y;
    if (place > COLOURS_QUARTER)
      gone += readings->point[i].y;
  }
  return gone > 0 ? between / gone : 0;
}

/* Publishes what fits, and the readings. */
static int colours_publish(struct colours_job *job) {
  struct hw_bench *bench = job->pool.bench;
  struct hw_curve readings;
  char name[HW_CURVE_NAME];
  int result = 0;

  snprintf(name, sizeof name, "l%u_readings", job->level->n);
  hw_curve_init(&readings, name, "place between a hit and a miss (per cent)", "readings (count)");
  for (size_t i = 0; i <= COLOURS_BINS && result == 0; i++)
    result = hw_curve_put(
        &readings, (struct hw_point){.x = 100.0 * (double)i / COLOURS_BINS, .y = job->readings[i]});
  if (result < 0) {
    hw_curve_free(&readings);
    return -1;
  }
  return hw_publish(bench, &readings, "colours", 1) < 0 ||
                 hw_publish(bench, &job->grown, "colours", 1) < 0
             ? -1
             : 0;
}

/* Finds more pages of the colour among those that were put out, and those that were not tried,
   until there are most.  0, or -1 when memory is short. */
static int colours_extend(struct colours_job *job, struct hw_colour *colour, size_t most) {
  struct hw_pool *pool = &job->pool;
  struct hw_pages *own = &colour->own;
  size_t ways = own->n, *front = calloc(ways, sizeof *front);
  int gone = front == NULL ? -1 : 0;

  for (size_t i = 0; gone >= 0 && i < ways; i++)
    front[i] = own->page[i];
  for (size_t i = job->fit; gone >= 0 && i < pool->pages && own->n < most; i++) {
    size_t page = job->page[i];
    gone = hw_pool_evicts(pool, front, ways, colour->other.page, colour->other.n, page);
    /* Not by the others alone. */
    if (gone > 0)
      gone = hw_pool_evicts(pool, front, ways - 1, colour->other.page, colour->other.n, page);
    else
      continue;
    if (gone == 0)
      own->page[own->n++] = page;
  }
  free(front);
  return gone < 0 ? -1 : 0;
}

/* Whether a page is one of them. */
static bool colours_among(const struct hw_pages *pages, size_t page) {
  for (size_t i = 0; i < pages->n; i++)
    if (pages->page[i] == page)
      return true;
  return false;
}

/* What the level above holds, in pages. */
static size_t colours_held(const struct colours_job *job) {
  return (job->level->above + job->pool.page - 1) / job->pool.page;
}

/* Whether pages of other colours can put page x out of level 1.  Where the system colours pages by
   the same bits of the address that choose level 1's set, none can: an exclusive level then looks
   as if it had the ways of both. */
static bool colours_flushed(const struct colours_job *job, const struct hw_pages *other, size_t x) {
  struct hw_l1_shape l1;
  size_t classes, n = 0;

  if (hw_l1_shape(&job->pool.bench->curves, &l1) < 0)
    return false;
  classes = l1.stride / job->pool.page;
  for (size_t i = 0; i < other->n; i++)
    n += classes < 2 || other->page[i] % classes == x % classes;
  return n >= 2 * l1.ways || n >= 2 * (l1.bytes / job->pool.page + 1);
}

/* Finds the colour of page x, and pages of it: most of them when it is the first one that is looked
   at.  1, 0 when x is of none or of one that was seen, -1 when memory or time was short.  The pages
   of the colour are the caller's. */
static int colours_find(struct colours_job *job, size_t x, struct hw_pages *seen,
                        struct hw_colour *colour) {
  struct hw_pool *pool = &job->pool;
  size_t *page = calloc(pool->pages, sizeof *page), most;
  long ways = page == NULL ? -1 : colours_members(job, x, page);

  *colour = (struct hw_colour){.pool = pool, .level = job->level->n};
  colour->own.page = calloc(pool->pages, sizeof *page);
  if (ways > 0 && colour->own.page != NULL && !colours_among(seen, page[0])) {
    colour->ways = colour->own.n = (size_t)ways;
    colour->other = (struct hw_pages){.page = page, .n = job->fit - colour->ways};
    for (size_t i = 0; i < colour->ways; i++)
      seen->page[seen->n++] = colour->own.page[i] = page[i];
    for (size_t i = 0; i < colour->other.n; i++)
      page[i] = page[i + colour->ways];
    most = colours_flushed(job, &colour->other, x) ? 2 * colour->ways + 2 : 0;
    if (most > 0 && seen->n == colour->ways && most < colour->ways + colours_held(job) + 3)
      most = colour->ways + colours_held(job) + 3;
    if (most > 0 && colours_extend(job, colour, most) == 0) {
      fprintf(pool->bench->log, "colours: level %u: %ld pages put one out, %zu are of its colour\n",
              job->level->n, ways, colour->own.n);
      return 1;
    }
    ways = most > 0 ? -1 : 0;
  }
  free(colour->own.page);
  free(page);
  return ways < 0 ? -1 : 0;
}

static void colours_forget(struct hw_colour *colour) {
  free(colour->own.page);
  free(colour->other.page);
}

/* Measures what is asked of one colour only, some times when it is not clear. */
static int colours_more(const struct colours_job *job, const struct hw_colour *colour) {
  static struct hw_answer (*const value[2][3])(const struct hw_curves *) = {
      {hw_value_l2_exclusive, hw_value_l2_lru, hw_value_l2_line},
      {hw_value_l3_exclusive, hw_value_l3_lru, hw_value_l3_line}};
  /* The line last: it links the pages' own rings anew. */
  static int (*const measure[3])(const struct hw_colour *) = {hw_lower_alone, hw_lower_cyclic,
                                                              hw_lower_line};
  struct hw_bench *bench = colour->pool->bench;
  const struct hw_effort effort = bench->effort;
  int result = 0;

  for (size_t i = 0; i < 3 && result == 0; i++) {
    for (unsigned try = 0; try < COLOURS_TRIES && result == 0; try++) {
      result = measure[i](colour);
      if (value[colour->level - 2][i](&bench->curves).known || colours_late(job))
        break;
      bench->effort.rounds *= 2;
    }
    bench->effort = effort;
  }
  return result;
}

/* Whether the curve of that colour has its step at so many pages. */
static bool colours_agrees(const struct hw_curves *curves, unsigned n, unsigned number,
                           size_t ways) {
  struct hw_answer answer = colours_step(curves, n, number);

  return answer.known && fabs(answer.value - (double)ways) < 0.5;
}

/* Measures some colours.  How many, or -1 when memory or time was short. */
static int colours_some(struct colours_job *job) {
  struct hw_pages seen = {.page = calloc(job->pool.pages, sizeof *seen.page)};
  struct hw_colour first = {.ways = 0};
  unsigned found = 0;
  int result = seen.page == NULL ? -1 : 0;

  for (size_t i = job->fit; result >= 0 && i < job->pool.pages && found < HW_LOWER_COLOURS; i++) {
    struct hw_colour colour;
    result = colours_find(job, job->page[i], &seen, &colour);
    if (result <= 0)
      continue;
    if (hw_lower_ways(&colour, found) < 0)
      result = -1;
    /* Pages that are not of its colour were taken for such when the curve has another step. */
    if (result > 0 && colours_agrees(&job->pool.bench->curves, colour.level, found, colour.ways)) {
      if (found++ == 0) {
        first = colour;
        continue;
      }
    }
    colours_forget(&colour);
  }
  free(seen.page);
  if (result >= 0 && first.own.n >= 2 * first.ways && first.own.n > first.ways + 2)
    result = colours_more(job, &first);
  if (found > 0)
    colours_forget(&first);
  return result < 0 ? -1 : (int)found;
}

/* Gathers the pages, with few walks; when those that are put out are put out by parts, with more.
 */
static int colours_twice(struct colours_job *job) {
  int result = -1;

  for (unsigned more = 0; more < 2; more++) {
    char name[HW_CURVE_NAME];
    double gone = 0, between = 0;
    job->pool.rounds = more ? COLOURS_ROUNDS : 1;
    job->pool.laps = more ? COLOURS_LAPS : 2;
    job->fit = job->tried = 0;
    for (size_t i = 0; i <= COLOURS_BINS; i++)
      job->readings[i] = 0;
    hw_curve_free(&job->grown);
    snprintf(name, sizeof name, "l%u_fit", job->level->n);
    hw_curve_init(&job->grown, name, "pages tried (bytes)", "pages that fit together (bytes)");
    result = colours_gather(job);
    for (size_t i = 0; i <= COLOURS_BINS; i++) {
      double place = (double)i / COLOURS_BINS;
      gone += place > COLOURS_QUARTER ? job->readings[i] : 0;
      between += place > COLOURS_QUARTER && place < 1 - COLOURS_QUARTER ? job->readings[i] : 0;
    }
    if (between <= COLOURS_BETWEEN * gone || colours_late(job))
      break;
  }
  return result;
}

/* Measures the level with the pool. */
static int colours_measure(struct colours_job *job) {
  int result = hw_pool_learn(&job->pool, job->level->beyond / job->pool.page);

  fprintf(job->pool.bench->log, "colours: level %u: a hit takes %.4g ns, a miss %.4g ns\n",
          job->level->n, job->pool.hit_ns, job->pool.miss_ns);
  if (result < 0)
    return -1;
  job->page = calloc(job->pool.pages, sizeof *job->page);
  for (size_t i = 0; job->page != NULL && i < job->pool.pages; i++)
    job->page[i] = i;
  hw_curve_init(&job->grown, "", "", "");
  result = job->page == NULL ? -1 : colours_twice(job);
  if (colours_publish(job) < 0)
    result = -1;
  if (result == 0)
    result = colours_some(job);
  free(job->page);
  return result < 0 ? -1 : 0;
}

/* How many lines of a page are used, a power of two: so many that the clock tells a hit from a
   miss. */
static size_t colours_lines(const struct hw_bench *bench, const struct colours_level *level,
                            size_t page, size_t line) {
  struct hw_answer cycle = hw_value_cycle_ps(&bench->curves);
  double gap = (level->miss - level->hit) * (cycle.known ? cycle.value / 1000 : 0);
  double need = COLOURS_STEPS * bench->sample_ns / COLOURS_SAMPLE_STEPS;
  size_t lines = COLOURS_LINES;

  while ((double)lines / COLOURS_PART * gap < need && lines < HW_GRAIN)
    lines *= 2;
  while (lines > 1 && lines * line > page)
    lines /= 2;
  return lines;
}

/* What gathering the pages may cost, ns: each of the pool is tried twice, in batches, and half of
   those that surely do not fit are walked for it. */
static double colours_cost(const struct colours_job *job) {
  const struct hw_pool *pool = &job->pool;
  struct hw_answer cycle = hw_value_cycle_ps(&pool->bench->curves);
  double fit = (double)job->level->beyond / 2 / (double)pool->page;
  double batch = fmin(1 + fit / COLOURS_SHARE, COLOURS_BATCH);

  return 2 * (double)pool->pages / batch * 4 * fit * (double)pool->lines * job->level->hit *
         cycle.value / 1000;
}

/* Measures a level with pages of so many bytes. */
static int colours_level(struct hw_bench *bench, const struct colours_level *level, size_t page,
                         size_t line) {
  struct colours_job job = {.level = level,
                            .pool = {.bench = bench, .page = page, .rounds = 1, .laps = 2}};
  double share = COLOURS_TIME * COLOURS_PRECISION / bench->effort.precision;
  int result;

  job.deadline = bench->machine->ops->now(bench->machine) + share;
  job.pool.lines = colours_lines(bench, level, page, line);
  job.pool.own = job.pool.lines / COLOURS_PART;
  job.pool.spacing = page / job.pool.lines;
  job.pool.flush = COLOURS_FLUSH * colours_held(&job);
  job.pool.pages = (size_t)(COLOURS_POOL * (double)level->beyond) / page;
  if (job.pool.pages < COLOURS_POOL_MIN)
    job.pool.pages = COLOURS_POOL_MIN;
  if (colours_cost(&job) > share) {
    fprintf(bench->log, "colours: level %u: it is too large for the time there is\n", level->n);
    return -1;
  }
  if (job.pool.pages * (page + job.pool.lines * sizeof(size_t)) > bench->memory ||
      hw_pool_open(&job.pool) < 0) {
    fprintf(bench->log, "colours: level %u: memory is short\n", level->n);
    return -1;
  }
  result = colours_measure(&job);
  hw_pool_close(&job.pool);
  return result;
}

/* Pieces of the level that are pages to the method: whole pages, but no more than half of what the
   level above holds, so that this is more than one. */
static size_t colours_page(size_t page, size_t above) {
  while (page > above / 2)
    page /= 2;
  return page;
}

/* What a load costs in a level, cycles: the least on its plateau. */
static double colours_latency(const struct hw_curves *curves, const struct hw_level *level) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  double least = INFINITY;

  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    if (curve->point[i].x >= level->least && curve->point[i].x <= level->most)
      least = fmin(least, curve->point[i].y);
  return least;
}

static int colours_levels(struct hw_bench *bench) {
  struct hw_answer page = hw_value_page_bytes(&bench->curves);
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct hw_answer above = hw_value_l1_bytes(&bench->curves);
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(&bench->curves, level, &whole);
  int result = 0;

  for (unsigned n = 2; n <= 3 && n < seen; n++) {
    struct colours_level at = {.n = n,
                               .above = (size_t)above.value,
                               .hit = colours_latency(&bench->curves, &level[n - 1]),
                               .miss = colours_latency(&bench->curves, &level[n]),
                               .beyond = (size_t)level[n].least};
    if (!page.known || !line.known || !above.known)
      return -1;
    if (!(n == 2 ? hw_value_l2_bytes : hw_value_l3_bytes)(&bench->curves).known &&
        colours_level(bench, &at, colours_page((size_t)page.value, at.above), (size_t)line.value) <
            0)
      result = -1;
    above = hw_value_l2_bytes(&bench->curves);
  }
  return result;
}

int hw_probe_colours(struct hw_bench *bench) { return colours_levels(bench); }

/* Whether the level exists: 1, 0, or -1 when that is not clear. */
static int colours_exists(const struct hw_curves *curves, unsigned n) {
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, level, &whole);

  return n < seen ? 1 : whole ? 0 : -1;
}

/* NULL-like answer when the level is there; else why its rows are not known. */
static struct hw_answer colours_missing(const struct hw_curves *curves, unsigned n) {
  int exists = colours_exists(curves, n);

  return exists == 0  ? hw_absent(colours_method, "there is no such level")
         : exists < 0 ? hw_unknown(colours_method, "the levels are not clear")
                      : hw_known(colours_method, 0, 0, HW_CLEAR);
}

/* What the colours agree on: two, or all of more but one, in which something of ours may lie. */
static struct hw_answer colours_vote(const struct hw_answer *vote, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned agree = 0;
    for (unsigned j = 0; j < n; j++)
      agree += fabs(vote[i].value - vote[j].value) < 0.5;
    if (agree > 1 && (agree == n || (agree > 2 && agree + 1 == n)))
      return vote[i];
  }
  return hw_unknown(colours_method, n < 2 ? "no two colours are clear" : "the colours disagree");
}

static struct hw_answer colours_ways(const struct hw_curves *curves, unsigned n) {
  struct hw_answer answer = colours_missing(curves, n);
  const struct hw_curve *readings = colours_curve(curves, n, "readings");
  struct hw_answer vote[HW_LOWER_COLOURS];
  unsigned found = 0;

  if (!answer.known)
    return answer;
  if (readings != NULL && colours_between(readings) > COLOURS_BETWEEN) {
    answer = hw_unknown(colours_method, "pages are put out by parts: the sets are hashed");
    answer.settled = n > 2; /* below that a neighbour may do it */
    return answer;
  }
  for (unsigned k = 0; k < HW_LOWER_COLOURS; k++) {
    struct hw_answer ways = colours_step(curves, n, k);
    if (ways.known)
      vote[found++] = ways;
  }
  return colours_vote(vote, found);
}

static bool colours_power(double x) {
  double exponent = round(log2(x));

  return !(exp2(exponent) < x) && !(exp2(exponent) > x);
}

/* The capacity as the size curve has it, where pages lie at random. */
static struct hw_answer colours_servet(const struct hw_curves *curves, unsigned n, double ways) {
  struct hw_answer answer = hw_unknown("binomial miss rates", "out of memory");
  struct hw_answer page = hw_value_page_bytes(curves);
  const struct hw_curve *levels = hw_curves_get(curves, "levels");
  struct hw_level level[HW_LEVELS];
  struct hw_curve part;
  bool whole;
  int result = 0;

  if (levels == NULL || hw_levels_seen(curves, level, &whole) <= n || !page.known)
    return hw_unknown("binomial miss rates", "the rise is not there");
  hw_curve_init(&part, levels->name, levels->x_title, levels->y_title);
  for (size_t i = 0; i < levels->n && result == 0; i++)
    if (levels->point[i].x >= level[n - 1].most && levels->point[i].x <= level[n].least)
      result = hw_curve_put(&part, levels->point[i]);
  if (result == 0) {
    const struct hw_rise rise = {.low = colours_latency(curves, &level[n - 1]),
                                 .high = colours_latency(curves, &level[n]),
                                 .page = page.value,
                                 .ways = ways};
    answer = hw_reduce_servet(&part, &rise);
  }
  hw_curve_free(&part);
  return answer;
}

static struct hw_answer colours_bytes(const struct hw_curves *curves, unsigned n) {
  const struct hw_curve *fit = colours_curve(curves, n, "fit");
  struct hw_answer ways = colours_ways(curves, n), servet;
  double bytes;

  if (!ways.known)
    return ways;
  if (fit == NULL || fit->n == 0)
    return hw_unknown(colours_method, "its curve was not measured");
  bytes = fit->point[fit->n - 1].y;
  if (!colours_power(bytes / ways.value))
    return hw_unknown(colours_method, "the sets are not a power of two");
  servet = colours_servet(curves, n, ways.value);
  if (servet.known && fabs(log2(servet.value / bytes)) > COLOURS_OCTAVES)
    return hw_unknown(colours_method, "the size curve contradicts it");
  return hw_known(colours_method, bytes, 0, HW_CLEAR);
}

/* The ways, when they and the capacity agree: their ratio is a power of two. */
static struct hw_answer colours_assoc(const struct hw_curves *curves, unsigned n) {
  struct hw_answer bytes = colours_bytes(curves, n);

  return bytes.known ? colours_ways(curves, n) : bytes;
}

struct hw_answer hw_value_l2_bytes(const struct hw_curves *curves) {
  return colours_exists(curves, 2) == 0 ? hw_value_l1_bytes(curves) : colours_bytes(curves, 2);
}

struct hw_answer hw_value_l3_bytes(const struct hw_curves *curves) {
  return colours_exists(curves, 3) == 0 ? hw_value_l2_bytes(curves) : colours_bytes(curves, 3);
}

struct hw_answer hw_value_l2_assoc(const struct hw_curves *curves) {
  return colours_assoc(curves, 2);
}

struct hw_answer hw_value_l3_assoc(const struct hw_curves *curves) {
  return colours_assoc(curves, 3);
}

/* The ways, when the first colour, of which alone more is known, has them. */
static struct hw_answer colours_first(const struct hw_curves *curves, unsigned n) {
  return hw_agreed(colours_assoc(curves, n), colours_step(curves, n, 0));
}

/* The line, of at least the length of the level above. */
static struct hw_answer colours_line(const struct hw_curves *curves, unsigned n,
                                     struct hw_answer above) {
  const struct hw_curve *apart = colours_curve(curves, n, "apart");
  struct hw_answer answer = colours_first(curves, n);

  if (!answer.known || !above.known)
    return answer.known ? above : answer;
  if (apart == NULL)
    return hw_unknown(colours_method, "its curve was not measured");
  answer = hw_reduce_first_drop(apart, above.value);
  if (answer.known && answer.error > 0)
    return hw_unknown(colours_method, "it looks longer than it may be");
  return answer;
}

struct hw_answer hw_value_l2_line(const struct hw_curves *curves) {
  struct hw_answer above = hw_value_l1_line(curves);

  return colours_exists(curves, 2) == 0 ? above : colours_line(curves, 2, above);
}

struct hw_answer hw_value_l3_line(const struct hw_curves *curves) {
  struct hw_answer above = hw_value_l2_line(curves);

  return colours_exists(curves, 3) == 0 ? above : colours_line(curves, 3, above);
}

static struct hw_answer colours_sets(const struct hw_curves *curves, unsigned n,
                                     struct hw_answer line) {
  struct hw_answer bytes = colours_bytes(curves, n), ways = colours_assoc(curves, n);

  if (!bytes.known)
    return bytes;
  return line.known ? hw_scaled(bytes, 1 / (ways.value * line.value)) : line;
}

struct hw_answer hw_value_l2_sets(const struct hw_curves *curves) {
  return colours_sets(curves, 2, hw_value_l2_line(curves));
}

struct hw_answer hw_value_l3_sets(const struct hw_curves *curves) {
  return colours_sets(curves, 3, hw_value_l3_line(curves));
}

/* An exclusive level and the one above hold the pages of both together (XM 8.2).  Another holds as
   many as its ways, or one more than the level above alone: while those hit there, none is put out
   below.  Whether two pages more than that stay is therefore the question; and half of those of the
   level above at least, as their addresses may not be of all of its sets. */
static struct hw_answer colours_exclusive(const struct hw_curves *curves, unsigned n,
                                          struct hw_answer above) {
  static const char method[] = "pages of both levels";
  const struct hw_curve *alone = colours_curve(curves, n, "alone");
  const struct hw_curve *colour = colours_curve(curves, n, "colour_0");
  const struct hw_curve *fit = colours_curve(curves, n, "fit");
  struct hw_answer ways = colours_first(curves, n);
  double held, asked, both, least = INFINITY, most = -INFINITY, at = 0, low, high;

  if (!ways.known)
    return ways;
  if (alone == NULL || colour == NULL || fit == NULL || fit->n < 2 || !above.known)
    return hw_unknown(method, "its curve was not measured");
  held = ceil(above.value / fit->point[1].y);
  asked = fmax(ways.value, held) + 2;
  both = fmax(asked, ways.value + ceil(held / 2));
  low = colour->point[0].y;
  high = colour->point[colour->n - 1].y;
  for (size_t i = 0; i < alone->n; i++) {
    double place = (alone->point[i].y - low) / (high - low);
    if (alone->point[i].x < both + 0.5)
      most = fmax(most, place);
    if (alone->point[i].x > asked + 0.5)
      least = fmin(least, place);
    if (fabs(alone->point[i].x - asked) < 0.5)
      at = place;
  }
  if (asked > ways.value + held + 0.5 || !(least < INFINITY))
    return hw_unknown(method, "the level above is too small to tell");
  if (most < COLOURS_QUARTER)
    return hw_known(method, 1, 0, HW_CLEAR);
  if (at > COLOURS_QUARTER && least > 1 - COLOURS_QUARTER)
    return hw_known(method, 0, 0, HW_CLEAR);
  return hw_unknown(method, "a part of the pages stays");
}

struct hw_answer hw_value_l2_exclusive(const struct hw_curves *curves) {
  return colours_exclusive(curves, 2, hw_value_l1_bytes(curves));
}

struct hw_answer hw_value_l3_exclusive(const struct hw_curves *curves) {
  return colours_exclusive(curves, 3, hw_value_l2_bytes(curves));
}

/* Of one line too many in a set, in turn, LRU replacement misses all.  Random and tree replacement
   keep a part of them. */
static struct hw_answer colours_lru(const struct hw_curves *curves, unsigned n) {
  const struct hw_curve *cyclic = colours_curve(curves, n, "cyclic");
  struct hw_answer ways = colours_first(curves, n), exclusive;

  if (!ways.known)
    return ways;
  if (cyclic == NULL)
    return hw_unknown(colours_method, "its curve was not measured");
  exclusive = n == 2 ? hw_value_l2_exclusive(curves) : hw_value_l3_exclusive(curves);
  /* The level above holds some of what is one too many. */
  if (!exclusive.known || exclusive.value > 0)
    return exclusive.known ? hw_absent(colours_method, "the level is exclusive") : exclusive;
  return hw_reduce_lru(cyclic, ways.value);
}

struct hw_answer hw_value_l2_lru(const struct hw_curves *curves) {
  return colours_lru(curves, 2);
}

struct hw_answer hw_value_l3_lru(const struct hw_curves *curves) {
  return colours_lru(curves, 3);
}
