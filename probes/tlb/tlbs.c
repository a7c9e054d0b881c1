/* Levels of TLB; entries, associativity and miss penalty of the second.

   Curve   tlbs_pages: x pages next to each other, y time of a load (cycles).
           tlbs_far: x pages of many that are visited in a circle, twice, before the next are, y
           time of a load (cycles).
           tlbs_circles: the same, where no second level is seen.
           tlbs_later: x look, y time of a load, of one page a set more than the second level seems
           to hold (cycles).
           Those of sets.c.
   Method  The same number of lines on ever more pages, visited in a circle: the cache footprint is
           constant, so that only TLBs make steps (BB 3.2).  The curve begins where all loads miss
           the first level, as the probe tlb has seen.  Pages of one set tell the ways (sets.c), and
           the rise of the curve of pages the number of sets.
           An SMT sibling may occupy part of the second level for long.  So the level is measured
           again, at times apart.
   Rows    TLB_LEVELS, TLB2_ENTRIES, TLB2_ASSOC, TLB2_REACH_BYTES, TLB2_MISS.
   Cost    500 ms, up to 8192 pages.  With one level, 1 s, and some seconds if it is noisy.
   See     XM 5, 6; BB 3.2. */
#include "analysis/rows/tlbs.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/hint.h"
#include "probes/probe.h"
#include "probes/tlb/sets.h"
#include "probes/tlb/spread.h"

#include <math.h>
#include <stdio.h>

/* Lines of the rings: of the first look, at least where memory is short, and of the last. */
#define TLBS_LINES_FIRST ((size_t)64)
#define TLBS_LINES_MIN ((size_t)256)
#define TLBS_LINES_MAX ((size_t)8192)
/* There is no second level without a rise up to this many times the entries of the first. */
#define TLBS_TIMES ((size_t)64)
/* Visits of the smaller of two circles in a sample: an SMT sibling's bursts mostly miss a short
   sample. */
#define TLBS_LAPS ((size_t)4)
/* Points of a first look, and those that are inserted between two around the rise. */
#define TLBS_POINTS 40u
#define TLBS_BETWEEN 7u
/* A fully associative level has no more entries than this: each is a comparator. */
#define TLBS_FULL 512
/* Least ratio of the last x of a curve to its first. */
#define TLBS_RANGE 3
/* At this many times the middle of the second level's rise, all loads miss it under any replacement
   policy.  And adjacent pages that are visited one after another: their page table entries are
   longer than any cache line. */
#define TLBS_FAR 3
#define TLBS_GROUP ((size_t)32)
/* Most samples where few are not clear, as a multiple, since the penalty of a TLB miss is small
   next to that of a data cache; rounds between two checks; and the part of a probe's time that this
   may take: noise of other processes lasts longer. */
#define TLBS_MORE 16u
#define TLBS_ROUNDS 2u
#define TLBS_PART 0.015625

/* A curve that is searched for a rise. */
struct tlbs_search {
  struct hw_spread spread;
  struct hw_effort effort;
  struct hw_series series;
  double least; /* rise that counts, cycles */
  size_t low;   /* least pages of the first point */
  size_t walk;  /* loads that are timed; 0: all */
  /* Of circles: whether more samples would tell no more, and the time to stop, ns. */
  bool (*clear)(const struct hw_curve *curve, const struct hw_tlbs_first *first);
  const struct hw_tlbs_first *first;
  struct hw_bench *bench;
  double deadline;
};

/* Lays out a ring of x pages, of which walk loads are timed. */
static void tlbs_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  struct tlbs_search *search = context;

  hw_spread_arrange(&search->spread, x, random, ring);
  if (search->walk > 0)
    ring->walk = search->walk;
}

/* Measures between the points before and behind the middle of the rise until they are adjacent, as
   long as the rise is one step and the pages held are few enough for a fully associative level.  0,
   or -1 on failure. */
static int tlbs_refine(struct hw_bench *bench, const struct tlbs_search *search,
                       struct hw_curve *curve) {
  for (;;) {
    struct hw_answer cliff = hw_reduce_cliff(curve, search->least);
    size_t gap = (size_t)cliff.error, n = gap < TLBS_BETWEEN + 1 ? gap : TLBS_BETWEEN + 1;
    double x[TLBS_BETWEEN + 2];
    if (!cliff.known || gap <= 1 || cliff.value > TLBS_FULL)
      return 0;
    for (size_t i = 0; i <= n; i++)
      x[i] = cliff.value + (double)(i * gap / n);
    if (hw_sample(bench, &search->series, x, n + 1, curve) < 0)
      return -1;
  }
}

/* Whether the level-1 cache holds all lines, or next to none: uneven use of sets matters little. */
static bool tlbs_even(const struct hw_curves *curves, const struct hw_spread *spread) {
  const size_t bytes = spread->lines * spread->line, holds = hw_hint_l1_bytes(curves);

  return 2 * bytes <= holds || bytes >= 2 * holds;
}

/* A first look need not be precise. */
static bool tlbs_seen(void *context, const struct hw_curve *curve) {
  (void)context;
  (void)curve;
  return true;
}

/* Samples the ends of a curve, and the last point at which the middle of a rise may lie if all of
   the rise is to be seen.  1 when the middle may lie before it, 0 when not, -1 on failure. */
static int tlbs_glance(struct hw_bench *bench, const struct tlbs_search *search, size_t low,
                       size_t high, struct hw_curve *curve) {
  const double x[] = {(double)low, floor((double)high / HW_TLBS_BEYOND), (double)high};
  struct hw_series series = search->series;
  const struct hw_point *p;

  curve->n = 0;
  series.enough = tlbs_seen;
  if (hw_sample(bench, &series, x, 3, curve) < 0)
    return -1;
  p = curve->point;
  return p[2].y - p[0].y > search->least / 2 && p[1].y - p[0].y > p[2].y - p[1].y;
}

/* Looks for a rise, doubling the lines up to most.  Returns 1 with the curve, 0 when there is no
   rise, with the curve of most lines, -1 on failure. */
static int tlbs_look(struct hw_bench *bench, struct tlbs_search *search, size_t most,
                     struct hw_curve *curve) {
  struct hw_spread *spread = &search->spread;

  for (spread->lines = TLBS_LINES_FIRST;; spread->lines *= 2) {
    size_t low = search->low, least, high = spread->lines;
    double x[TLBS_POINTS + 1];
    size_t n;
    int may;
    if (spread->lines > most)
      return 0;
    least = hw_spread_least(spread);
    low = least > low ? least : low;
    if (high < TLBS_RANGE * low || !tlbs_even(&bench->curves, spread))
      continue;
    search->series.room = hw_spread_room(spread);
    may = tlbs_glance(bench, search, low, high, curve);
    if (may == 0 && 2 * spread->lines <= most)
      continue;
    n = hw_quarters(x, TLBS_POINTS, low, (size_t)((double)high / HW_TLBS_BEYOND));
    x[n++] = (double)high;
    if (may < 0 || hw_sample(bench, &search->series, x, n, curve) < 0)
      return -1;
    if (hw_reduce_middle(curve, search->least).known)
      return tlbs_refine(bench, search, curve) < 0 ? -1 : 1;
  }
}

/* Most lines, up to lines, for each of which memory has a page.  0 when these are too few. */
static size_t tlbs_most(const struct hw_bench *bench, const struct hw_tlbs_first *first,
                        size_t lines) {
  while (lines * first->page > bench->memory)
    lines /= 2;
  return lines < TLBS_LINES_MIN ? 0 : lines;
}

/* Sets up the search and maps its memory, a page for each of lines.  0, or -1. */
static int tlbs_open(struct hw_bench *bench, struct tlbs_search *search,
                     const struct hw_tlbs_first *first, size_t lines) {
  search->spread.page = first->page;
  search->spread.line = hw_hint_line(&bench->curves, HW_HINT_SHORT);
  search->least = HW_TLBS_RISE * first->miss;
  search->low = first->beyond;
  search->series.arrange = tlbs_arrange;
  search->series.context = search;
  search->series.issue = hw_issue(&bench->curves);
  search->series.effort = &search->effort;
  search->effort = hw_tlb_sets_effort(bench);
  search->series.memory =
      bench->machine->ops->map(bench->machine, lines * first->page, HW_PAGES_PLAIN);
  return search->series.memory == NULL ? -1 : 0;
}

/* Measures the curve of adjacent pages.  1 when it rises, 0 when not, -1 on failure. */
static int tlbs_pages(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  struct tlbs_search search = {0};
  size_t lines = TLBS_LINES_MAX;
  struct hw_curve curve;
  int result;

  lines = tlbs_most(bench, first, lines);
  if (lines == 0 || tlbs_open(bench, &search, first, lines) < 0)
    return -1;
  hw_curve_init(&curve, HW_NAME_TLBS_PAGES, "pages next to each other (count)",
                "time of a load (cycles)");
  result = tlbs_look(bench, &search, lines, &curve);
  bench->machine->ops->unmap(bench->machine, search.series.memory);
  fprintf(bench->log, "tlbs: %zu lines: %s\n", search.spread.lines,
          result > 0 ? "a second level" : "no second level seen");
  return hw_publish(bench, &curve, "tlbs", 0) < 0 ? -1 : result;
}

static bool tlbs_enough(void *context, const struct hw_curve *curve) {
  const struct tlbs_search *search = context;
  struct hw_machine *machine = search->bench->machine;

  return search->clear(curve, search->first) || machine->ops->now(machine) > search->deadline;
}

/* Samples circles of x[] pages, out of all pages of the search, until the curve is clear, and
   publishes it, if memory is not short.  0, or -1 on failure. */
static int tlbs_circle(struct hw_bench *bench, const struct hw_tlbs_first *first,
                       struct tlbs_search *search, const double *x, size_t n, const char *name) {
  double now = hw_now(bench);
  size_t all = search->spread.all;
  struct hw_curve curve;
  int result;

  if (tlbs_most(bench, first, all) < all)
    return 0;
  if (tlbs_open(bench, search, first, all) < 0)
    return -1;
  hw_curve_init(&curve, name, "pages visited in a circle (count)", "time of a load (cycles)");
  search->spread.lines = HW_TLBS_TWICE * all;
  search->series.room = hw_spread_room(&search->spread);
  search->series.enough = tlbs_enough;
  search->first = first;
  search->bench = bench;
  search->deadline = bench->limit > 0 ? now + TLBS_PART * bench->limit : INFINITY;
  search->effort.rounds_max = TLBS_MORE * search->effort.rounds;
  search->effort.rounds = TLBS_ROUNDS;
  result = hw_sample(bench, &search->series, x, n, &curve);
  bench->machine->ops->unmap(bench->machine, search->series.memory);
  return hw_publish(bench, &curve, "tlbs", 0) < 0 ? -1 : result;
}

/* Measures many pages in circles that the second level holds and in circles that it does not; all
   pages are loaded from at either x.  0, or -1 on failure. */
static int tlbs_far(struct hw_bench *bench, const struct hw_tlbs_first *first, double middle) {
  struct tlbs_search search = {.spread = {.group = TLBS_GROUP}, .clear = hw_tlbs_far_clear};
  const double x[] = {floor(middle / 2), floor(TLBS_FAR * middle)};

  search.spread.all = (size_t)x[1];
  return tlbs_circle(bench, first, &search, x, 2, HW_NAME_TLBS_FAR);
}

/* Measures two circles: one just large enough for all its pages to miss the first level, and one
   that no second level holds.  0, or -1 on failure. */
static int tlbs_circles(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  size_t most =
      TLBS_TIMES * first->entries < HW_TLBS_PAGES ? TLBS_TIMES * first->entries : HW_TLBS_PAGES;
  size_t all = (size_t)(HW_TLBS_BEYOND * (double)most);
  /* Whole groups fill all sets evenly. */
  size_t group = first->sets > TLBS_GROUP ? first->sets : TLBS_GROUP;
  size_t low = (first->beyond + group - 1) / group * group;
  struct tlbs_search search = {
      .spread = {.group = group, .all = all},
      .clear = hw_tlbs_circles_clear,
  };
  double x[2];

  if (low > 2 * first->entries)
    low = first->beyond;
  if (all < TLBS_RANGE * low)
    return 0;
  x[0] = (double)low;
  x[1] = (double)all;
  search.walk = TLBS_LAPS * HW_TLBS_TWICE * low;
  return tlbs_circle(bench, first, &search, x, 2, HW_NAME_TLBS_CIRCLES);
}

/* Adds points that miss the second level to the curve of pages.  0, or -1 on failure. */
static int tlbs_miss(struct hw_bench *bench, const struct tlbs_search *search, double entries) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  const double x[] = {floor(1.25 * entries), floor(1.375 * entries),
                      floor(HW_TLBS_BEYOND * entries)};
  struct hw_curve curve;
  int result;

  hw_curve_init(&curve, pages->name, pages->x_title, pages->y_title);
  result = hw_curve_join(&curve, pages);
  if (result == 0)
    result = hw_sample(bench, &search->series, x, sizeof x / sizeof x[0], &curve);
  return hw_publish(bench, &curve, "tlbs", result);
}

/* Measures one page a set more than the level seems to hold, at times apart and on one core after
   the other.  0, or -1 on failure. */
static int tlbs_looks(struct hw_bench *bench, const struct tlbs_search *search,
                      const struct hw_tlbs_second *second) {
  const double x = (double)(second->entries + second->entries / second->ways);
  struct hw_curve later;
  int result = 0;

  hw_curve_init(&later, HW_NAME_TLBS_LATER, "look (count)", "time of a load (cycles)");
  for (unsigned look = 0; look < HW_TLBS_LATER && result == 0; look++) {
    struct hw_curve now;
    hw_curve_init(&now, "now", "", "");
    hw_pause(bench, HW_PROCESS_STAYS_NS);
    bench->machine->ops->move(bench->machine);
    result = hw_sample(bench, &search->series, &x, 1, &now);
    if (result == 0) {
      now.point[0].x = look;
      result = hw_curve_put(&later, now.point[0]);
    }
    hw_curve_free(&now);
  }
  return hw_publish(bench, &later, "tlbs", 0) < 0 ? -1 : result;
}

/* Measures the miss penalty and the looks, given the second level's shape.  0, or -1 on failure. */
static int tlbs_later(struct hw_bench *bench, const struct hw_tlbs_first *first,
                      const struct hw_tlbs_second *second) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  struct tlbs_search search = {0};
  int result = -1;

  search.spread.lines = (size_t)pages->point[pages->n - 1].x;
  if (tlbs_open(bench, &search, first, search.spread.lines) < 0)
    return -1;
  search.series.room = hw_spread_room(&search.spread);
  if (tlbs_miss(bench, &search, (double)second->entries) == 0)
    result = tlbs_looks(bench, &search, second);
  bench->machine->ops->unmap(bench->machine, search.series.memory);
  return result;
}

int hw_probe_tlbs(struct hw_bench *bench) {
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  const struct hw_curve *pages;
  struct hw_answer middle;

  if (hw_value_tlb2_entries(&bench->curves).known) /* an earlier attempt's answer is kept */
    return 0;
  if (hw_tlbs_first(&bench->curves, &first) < 0)
    return hw_lacks(bench, "HW_PAGE_BYTES is unknown");
  if (tlbs_pages(bench, &first) < 0)
    return -1;
  pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  if (pages == NULL || hw_tlbs_flat(pages, &first))
    return 0;
  /* It is not known whether what an earlier attempt saw of sets ever fitted: measured again. */
  if ((hw_tlbs_shape(&bench->curves, &first, &second) != NULL || second.ways < second.entries) &&
      hw_tlb_sets(bench, &first) < 0)
    return -1;
  if (hw_tlbs_shape(&bench->curves, &first, &second) == NULL)
    return tlbs_later(bench, &first, &second);
  middle = hw_reduce_middle(pages, HW_TLBS_RISE * first.miss);
  return middle.known ? tlbs_far(bench, &first, middle.value) : tlbs_circles(bench, &first);
}
