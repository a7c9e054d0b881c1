/* Shape of the levels below the first, without large pages.

   Curve   those of gather.c and one_colour.c.
           l<n>_cost: x pages of the pool (count), y time to gather those that fit (ms), where that
           exceeds the time there is.
   Method  A physically indexed cache does not show a page's sets, its colour.  Pages that stay
           together are gathered one by one (gather.c); when they evict each further page, each
           colour is full, and they are the capacity.  For some of those that were evicted an
           eviction set is sought (eviction_sets.c): as many pages as ways, all of one colour.
           Within a colour X-Ray's sequences are valid again (one_colour.c).  Two colours that
           agree are enough.
   Rows    see analysis/rows/colours.c.
   Cost    0.2 s for a level of half a MiB, and no more than 1.5 s (0.75 s in quick) until the pages
           of any are found, besides waits for the SMT sibling and time that other processes have;
           four times the capacity.
   Limits  The number of sets is a power of two.  Pages of other colours must be able to evict a
           page from level 1.  With an index hashed line by line pages have no colours: a page is
           then evicted in part, which is noticed.
   See     XM 3, 4, 5, 8.2; SV III-A. */
#include "analysis/rows/colours.h"
#include "analysis/rows/hint.h"
#include "probes/data/eviction_sets.h"
#include "probes/data/traffic.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Lines that are used of a page, at least, unless it has fewer. */
#define COLOURS_LINES ((size_t)16)
/* One in this many of them is loaded by a reading, if the clock resolves that. */
#define COLOURS_PART 4u
/* Steps of the clock by which hits and misses of that part of the lines differ, at least. */
#define COLOURS_STEPS 10
/* The same where more than that part is loaded: a hit may show one step too many, and a miss one
   too few; both are then still on their own side of the middle. */
#define COLOURS_STEPS_OWN 3
/* Pages that flush the level above, as a multiple of its capacity: they fill its sets unevenly. */
#define COLOURS_FLUSH 3u
/* Pages to try, as a multiple of the bytes that surely do not fit, and at least this many. */
#define COLOURS_POOL 2.0
#define COLOURS_POOL_MIN ((size_t)512)
/* Attempts at a curve of one colour that is not clear, and at one of the ways. */
#define COLOURS_TRIES 4u
#define COLOURS_STEP_TRIES 2u
/* Time for a level, ns, at a precision of 1 %. */
#define COLOURS_TIME 1.5e9
#define COLOURS_PRECISION 0.01
/* And as a share of the time of all probes, at most. */
#define COLOURS_SHARE 0.5

/* Rows from a single colour, and the functions that measure their curves. */
static const struct {
  enum hw_colours_row row;
  int (*measure)(const struct hw_colour *colour, unsigned rounds);
} colours_single[] = {{HW_COLOURS_EXCLUSIVE, hw_one_colour_alone},
                      {HW_COLOURS_LINE, hw_one_colour_line}};

#define COLOURS_SINGLE (sizeof colours_single / sizeof colours_single[0])

/* Whether the row is unknown, and another measurement may settle it. */
static bool colours_unclear(const struct hw_bench *bench, unsigned n, enum hw_colours_row row) {
  struct hw_answer answer = hw_colours_row(&bench->curves, n, row);

  return !answer.known && !answer.settled;
}

/* Whether the capacity is known, which all other rows need. */
static bool colours_bytes(const struct hw_gather *job) {
  return hw_colours_row(&job->pool.bench->curves, job->level->n, HW_COLOURS_BYTES).known;
}

/* Measures the rows from a single colour that are not known yet, several times if not clear. */
static int colours_more(const struct hw_gather *job, const struct hw_colour *colour) {
  struct hw_bench *bench = colour->pool->bench;
  const unsigned tries = colours_bytes(job) ? COLOURS_TRIES : 1;
  int result = 0;

  for (size_t i = 0; i < COLOURS_SINGLE; i++) {
    enum hw_colours_row row = colours_single[i].row;
    for (unsigned try = 0; try < tries && result == 0 && !hw_gather_late(job) &&
                           colours_unclear(bench, colour->level, row);
         try++)
      result = colours_single[i].measure(colour, bench->effort.rounds << try);
  }
  return result;
}

/* Measures a colour that was found, once more where interference made its curve unclear.  1; 0 when
   the curve steps at another number of pages: some of the pages then have another colour; -1 when
   memory or time was short. */
static int colours_step(const struct hw_colour *colour, unsigned number) {
  struct hw_bench *bench = colour->pool->bench;
  struct hw_answer step = {.known = false};
  int result = 0;

  for (unsigned try = 0; try < COLOURS_STEP_TRIES && result == 0 && !step.known; try++) {
    result = hw_one_colour_ways(colour, bench->effort.rounds << try, number);
    step = hw_colours_step(&bench->curves, colour->level, number);
  }
  return result < 0 ? -1 : step.known && fabs(step.value - (double)colour->ways) < 0.5;
}

/* Measures colours until the ways are clear: the capacity is known, or two have equal ways, even if
   these do not match the pages gathered.  *first: the first of them.  Returns their number, or -1
   when memory or time was short. */
static int colours_some(struct hw_gather *job, struct hw_pages *seen, struct hw_colour *first) {
  unsigned found = 0, alike = 0;
  int result = 0;

  for (size_t i = job->fit; result >= 0 && i < job->pool.pages && found < HW_COLOURS_TRIED; i++) {
    struct hw_colour colour;
    if (found > 0 && ((alike == found && found > 1) || colours_bytes(job)))
      break;
    result = hw_eviction_sets_find(job, job->page[i], seen, &colour);
    if (result <= 0)
      continue;
    result = colours_step(&colour, found);
    alike += result > 0 && (found == 0 || colour.ways == first->ways);
    if (result > 0 && found == 0 &&
        hw_one_colour_alone(&colour, job->pool.bench->effort.rounds) < 0)
      result = -1;
    if (result > 0 && found++ == 0)
      *first = colour;
    else
      hw_eviction_sets_forget(&colour);
  }
  return result < 0 ? -1 : (int)found;
}

/* Finds a colour with this number of ways.  1, 0 when there is none, or -1. */
static int colours_again(struct hw_gather *job, struct hw_pages *seen, struct hw_colour *first,
                         double ways) {
  int result = 0;

  for (size_t i = job->fit; result == 0 && i < job->pool.pages; i++) {
    result = hw_eviction_sets_find(job, job->page[i], seen, first);
    if (result > 0 && fabs((double)first->ways - ways) > 0.5) {
      hw_eviction_sets_forget(first);
      result = 0;
    }
  }
  return result;
}

/* Measures the level with the pages that were gathered: all, or what is not known yet. */
static int colours_within(struct hw_gather *job) {
  const struct hw_curves *curves = &job->pool.bench->curves;
  struct hw_answer ways = hw_colours_step(curves, job->level->n, 0).known
                              ? hw_colours_row(curves, job->level->n, HW_COLOURS_WAYS)
                              : hw_unknown("", "no colour was looked at");
  struct hw_pages seen = {.page = calloc(job->pool.pages, sizeof *seen.page)};
  struct hw_colour first = {.ways = 0};
  int found = seen.page == NULL ? -1
              : ways.known      ? colours_again(job, &seen, &first, ways.value)
                                : colours_some(job, &seen, &first);
  int result = found;

  /* If it has enough pages for the rows from a single colour. */
  if (found > 0 && first.own.n >= 2 * first.ways && first.own.n > first.ways + 2)
    result = colours_more(job, &first);
  hw_eviction_sets_forget(&first);
  free(seen.page);
  return result < 0 ? -1 : 0;
}

/* Publishes that the level is too large: its pages take ns to gather. */
static int colours_too_large(const struct hw_gather *job, double ns) {
  struct hw_bench *bench = job->pool.bench;
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result;

  fprintf(bench->log, "colours: level %u: it is too large for the time there is\n", job->level->n);
  snprintf(name, sizeof name, "l%u_cost", job->level->n);
  hw_curve_init(&curve, name, "pages (count)", "time to gather them (ms)");
  result = hw_curve_put(&curve, (struct hw_point){.x = (double)job->pool.pages, .y = ns / 1e6});
  return hw_publish(bench, &curve, "colours", result);
}

/* Whether the curve of the pages that fit is there. */
static bool colours_fitted(const struct hw_curves *curves, unsigned n) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "l%u_fit", n);
  return hw_curves_get(curves, name) != NULL;
}

/* Measures the level with the pool. */
static int colours_measure(struct hw_gather *job) {
  struct hw_bench *bench = job->pool.bench;
  unsigned n = job->level->n;
  double start = hw_now(bench);
  int result = hw_pool_learn(&job->pool, job->level->beyond / job->pool.page);

  fprintf(bench->log, "colours: level %u: a hit takes %.4g ns, a miss %.4g ns\n", n,
          job->pool.hit_ns, job->pool.miss_ns);
  if (result < 0)
    return -1;
  job->page = calloc(job->pool.pages, sizeof *job->page);
  if (job->page == NULL)
    return -1;
  for (size_t i = 0; i < job->pool.pages; i++)
    job->page[i] = i;
  result = hw_gather_pages(job, !hw_colours_row(&bench->curves, n, HW_COLOURS_BYTES).known ||
                                    !colours_fitted(&bench->curves, n));
  if (result == 0)
    result = colours_within(job);
  else if (n > 2 && hw_gather_late(job))
    colours_too_large(job, hw_now(bench) - start);
  free(job->page);
  return result;
}

/* The miss penalty, ns. */
static double colours_gap(const struct hw_bench *bench, const struct hw_one_colour_level *level) {
  struct hw_answer cycle = hw_value_cycle_ps(&bench->curves);

  return (level->miss - level->hit) * (cycle.known ? cycle.value / 1000 : 0);
}

/* Steps of the clock in ns, as it shows them to readings in a row. */
static double colours_steps(const struct hw_bench *bench, double steps) {
  return steps * fmax(bench->step_ns, bench->read_ns);
}

/* Number of the used lines of a page that a reading loads: more where the clock is too coarse for a
   part of them. */
static size_t colours_own(const struct hw_bench *bench, const struct hw_one_colour_level *level,
                          size_t lines) {
  double gap = colours_gap(bench, level);
  size_t own = lines / COLOURS_PART;

  while (own < lines && (double)own * gap < colours_steps(bench, COLOURS_STEPS_OWN))
    own *= 2;
  return own;
}

/* Lines that are used of a page, a power of two: enough for the clock to tell a hit from a miss. */
static size_t colours_lines(const struct hw_bench *bench, const struct hw_one_colour_level *level,
                            size_t page, size_t line) {
  double gap = colours_gap(bench, level);
  size_t lines = COLOURS_LINES;

  while ((double)lines / COLOURS_PART * gap < colours_steps(bench, COLOURS_STEPS) &&
         lines < HW_GRAIN)
    lines *= 2;
  while (lines > 1 && lines * line > page)
    lines /= 2;
  return lines;
}

/* Measures a level with pages of page bytes. */
static int colours_level(struct hw_bench *bench, const struct hw_one_colour_level *level,
                         size_t page, size_t line) {
  struct hw_gather job = {.level = level,
                          .pool = {.bench = bench, .page = page, .rounds = 1, .laps = 2}};
  double share = fmin(COLOURS_TIME * COLOURS_PRECISION / bench->effort.precision,
                      COLOURS_SHARE * bench->effort.patience);
  /* Level 2 is measured without an active SMT sibling; level 3 is shared with others anyway. */
  struct hw_point issue = level->n == 2 ? hw_issue(&bench->curves) : (struct hw_point){0};
  int result;

  job.pool.alone = hw_idle_begin(bench, issue, true, share);
  job.patience = job.pool.alone.wait;
  hw_gather_start(&job);
  job.pool.lines = colours_lines(bench, level, page, line);
  job.pool.own = colours_own(bench, level, job.pool.lines);
  job.pool.gap_ns = (double)job.pool.own * colours_gap(bench, level);
  job.pool.spacing = page / job.pool.lines;
  job.pool.flush = COLOURS_FLUSH * hw_gather_held(&job);
  job.pool.classes = hw_colours_classes(&bench->curves, level->n, page);
  job.pool.held = hw_colours_held(&bench->curves, level->n, page);
  job.pool.pages = (size_t)(COLOURS_POOL * (double)level->beyond) / page;
  if (job.pool.pages < COLOURS_POOL_MIN)
    job.pool.pages = COLOURS_POOL_MIN;
  job.deadline = hw_gather_clock(&job) + share;
  if (hw_gather_cost(&job) > share)
    return colours_too_large(&job, hw_gather_cost(&job));
  if (job.pool.pages * (page + job.pool.lines * sizeof(size_t)) > bench->memory ||
      hw_pool_open(&job.pool) < 0) {
    fprintf(bench->log, "colours: level %u: memory is short\n", level->n);
    return -1;
  }
  result = colours_measure(&job);
  hw_pool_close(&job.pool);
  return result;
}

/* Bytes of a page for the method: a page of the system, or a part of it, no more than half of what
   the level above holds, so that this is more than one. */
static size_t colours_page(size_t page, size_t above) {
  while (page > above / 2)
    page /= 2;
  return page;
}

/* Whether any row of the level is unclear. */
static bool colours_any(const struct hw_bench *bench, unsigned n) {
  enum hw_colours_row row = HW_COLOURS_BYTES;

  while (row <= HW_COLOURS_LINE && !colours_unclear(bench, n, row))
    row++;
  return row <= HW_COLOURS_LINE;
}

int hw_probe_colours(struct hw_bench *bench) {
  const size_t page = hw_hint_page(&bench->curves);
  const size_t line = hw_hint_line(&bench->curves, HW_HINT_USUAL);
  struct hw_answer above = hw_value_l1_bytes(&bench->curves);
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(&bench->curves, level, &whole);
  int result = 0;

  if (seen < 3 && !whole)
    return hw_traffic_lacks(bench);
  for (unsigned n = 2; n <= hw_last_level(bench) && n < seen; n++) {
    struct hw_one_colour_level at = {.n = n,
                                     .above = (size_t)above.value,
                                     .hit = hw_colours_latency(&bench->curves, &level[n - 1]),
                                     .miss = hw_colours_latency(&bench->curves, &level[n]),
                                     .beyond = (size_t)level[n].least};
    if (!above.known && result < 0)
      return result;
    if (!above.known)
      return hw_lacks(bench, n > 2 ? "HW_L2_BYTES is unknown" : "HW_L1_BYTES is unknown");
    if (colours_any(bench, n) && colours_level(bench, &at, colours_page(page, at.above), line) < 0)
      result = -1;
    above = hw_value_l2_bytes(&bench->curves);
  }
  return result;
}
