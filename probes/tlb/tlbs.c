/* Levels of TLB; entries, associativity and miss of the second.

   Curve   tlbs_pages: x pages next to each other, y time of a load (cycles).
           tlbs_far: x pages of many that are visited in a circle, twice, before the next are, y
           time of a load (cycles).
           tlbs_circles: the same, where no second level is seen.
           tlbs_run_<R>_<S>: x runs of R pages, S bytes apart, y time of a load (cycles).
           tlbs_later: x look, y time of a load, one page in two more than the second level seems to
           hold (cycles).
           tlbs_run_<R>: x stride S (bytes), y most runs that the TLB holds, where the curve above
           has a cliff.
   Method  Always the same number of lines on ever more pages, visited in a circle: the data caches
           are asked for the same at each point, so that only TLBs make steps (BB 3.2).  From one
           page more than the first level can hold on, all loads miss it.  Runs of pages at a
           power-of-two stride in virtual space fall into the same sets of the second level, as one
           page would (XM 6), and are too many for the first.  Then all lines of a lap are the same
           whatever x is, so that only TLBs can tell of a third level.
           A thread on the same core may have its part of the second level all the while.  So it is
           looked at again, at times apart.
   Rows    TLB_LEVELS, TLB2_ENTRIES, TLB2_ASSOC, TLB2_REACH_BYTES, TLB2_MISS.
   Cost    300 ms, up to 8192 pages.  With one level, a second, and some where it is noisy.
   See     XM 5, 6; BB 3.2. */
#include "analysis/rows/tlbs.h"

#include "analysis/names.h"
#include "analysis/rows/l1.h"
#include "probes/probe.h"
#include "probes/tlb/spread.h"
#include "probes/tlb/strides.h"

#include <math.h>
#include <stdio.h>

/* Lines of the rings, from the first look to the last; and of a stride that memory is short for, at
   least. */
#define TLBS_LINES_FIRST ((size_t)64)
#define TLBS_LINES_MIN ((size_t)256)
#define TLBS_LINES_MAX ((size_t)8192)
/* Nor is there one without a rise up to so many times the entries of the first level. */
#define TLBS_TIMES ((size_t)64)
/* Times that the smaller of two circles is visited in a sample: what is short, a neighbour's bursts
   mostly miss. */
#define TLBS_LAPS ((size_t)4)
/* Points of a first look, and those that are put between two where the rise is. */
#define TLBS_POINTS 40u
#define TLBS_BETWEEN 7u
/* A curve goes at least so many times as far as it begins. */
#define TLBS_RANGE 3
/* A third level is looked for from so many times the middle of the second's rise on, where all
   loads miss that whatever it replaces, and up to so many times.  So many pages next to each other
   are visited one after another: what they have of the tables of pages is longer than any line. */
#define TLBS_FAR 3
#define TLBS_FARTHEST 6
#define TLBS_GROUP ((size_t)32)
/* Up to so many times as many samples where it is not clear at first, since a miss of a TLB is
   little next to one of a data cache; but no longer than this part of what a probe may take: where
   strangers make it unclear, so they do longer. */
#define TLBS_MORE 16u
#define TLBS_PART 0.0625
/* Ways that most second levels have at least. */
#define TLBS_WAYS 4
/* Looks at the second level are so many ns apart. */
#define TLBS_APART 2e7

/* A curve that is searched for a rise. */
struct tlbs_search {
  struct hw_spread spread;
  struct hw_series series;
  double least; /* rise that counts, cycles */
  size_t low;   /* pages of the first point at least */
  size_t unit;  /* pages of one x */
  size_t walk;  /* loads that are timed; 0: all */
  /* Of circles: whether the curve tells what it is for, and when it is late for that, ns. */
  bool (*clear)(const struct hw_curve *curve, const struct hw_tlbs_first *first);
  const struct hw_tlbs_first *first;
  struct hw_bench *bench;
  double deadline;
};

/* x in units of pages. */
static void tlbs_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  struct tlbs_search *search = context;

  hw_spread_arrange(&search->spread, x * (double)search->unit, random, ring);
  if (search->walk > 0)
    ring->walk = search->walk;
}

/* Measures between the points before and behind the middle of the rise until they are neighbours,
   as long as most of it lies between them.  0, or -1 on failure. */
static int tlbs_refine(struct hw_bench *bench, const struct tlbs_search *search,
                       struct hw_curve *curve) {
  for (;;) {
    struct hw_answer cliff = hw_reduce_cliff(curve, search->least);
    size_t gap = (size_t)cliff.error, n = gap < TLBS_BETWEEN + 1 ? gap : TLBS_BETWEEN + 1;
    double x[TLBS_BETWEEN + 2];
    if (!cliff.known || gap <= 1)
      return 0;
    for (size_t i = 0; i <= n; i++)
      x[i] = cliff.value + (double)(i * gap / n);
    if (hw_sample(bench, &search->series, x, n + 1, curve) < 0)
      return -1;
  }
}

/* Whether the level-1 cache holds all lines, or as good as none: no small unevenness decides. */
static bool tlbs_even(const struct hw_curves *curves, const struct hw_spread *spread) {
  struct hw_l1_shape l1;

  return hw_l1_shape(curves, &l1) == 0 && (2 * spread->lines * spread->line <= l1.bytes ||
                                           spread->lines * spread->line >= 2 * l1.bytes);
}

/* A first look need not be precise. */
static bool tlbs_seen(void *context, const struct hw_curve *curve) {
  (void)context;
  (void)curve;
  return true;
}

/* Samples the ends of a curve, and where the middle of its rise lies at most if the rise ends in
   it. 1 when it may lie before, 0 when not, -1 on failure. */
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

/* Looks for a rise with ever more lines, up to most.  Returns 1 with the curve, 0 when there is no
   rise, with the curve of most lines, -1 on failure. */
static int tlbs_look(struct hw_bench *bench, struct tlbs_search *search, size_t most,
                     struct hw_curve *curve) {
  struct hw_spread *spread = &search->spread;

  for (spread->lines = TLBS_LINES_FIRST;; spread->lines *= 2) {
    size_t low = search->low, least, high = spread->lines / search->unit;
    double x[TLBS_POINTS + 1];
    size_t n;
    int may;
    if (spread->lines > most)
      return 0;
    least = hw_spread_least(spread);
    low = ((least > low ? least : low) + search->unit - 1) / search->unit;
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

/* Most lines that runs at a stride can have.  0 when these are too few. */
static size_t tlbs_most(const struct hw_bench *bench, const struct hw_tlbs_first *first, size_t run,
                        size_t stride, size_t lines) {
  while (lines / run * stride * first->page > bench->memory)
    lines /= 2;
  return lines < TLBS_LINES_MIN ? 0 : lines;
}

/* The search with its memory, for runs at a stride, up to so many lines.  0, or -1. */
static int tlbs_open(struct hw_bench *bench, struct tlbs_search *search,
                     const struct hw_tlbs_first *first, size_t lines) {
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  size_t bytes = lines / search->spread.run * search->spread.stride * first->page;

  if (!line.known)
    return -1;
  search->spread.page = first->page;
  search->spread.line = (size_t)line.value;
  search->least = HW_TLBS_RISE * first->miss;
  search->low = first->beyond;
  search->series.arrange = tlbs_arrange;
  search->series.context = search;
  search->series.issue = hw_issue(&bench->curves);
  search->series.memory = bench->machine->ops->map(bench->machine, bytes, HW_PAGES_PLAIN);
  return search->series.memory == NULL ? -1 : 0;
}

/* The curve of pages next to each other.  1 when it rises, 0 when not, -1 on failure. */
static int tlbs_pages(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  struct tlbs_search search = {.spread = {.run = 1, .stride = 1}, .unit = 1};
  size_t lines = TLBS_LINES_MAX;
  struct hw_curve curve;
  int result;

  lines = tlbs_most(bench, first, 1, 1, lines);
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

/* Measures runs at a stride; puts their number into lengths where it is clear.  Returns it, 0 where
   it is not clear, -1 on failure. */
static long tlbs_stride(struct hw_bench *bench, const struct hw_tlbs_first *first, size_t run,
                        size_t stride, size_t most, struct hw_curve *lengths) {
  struct tlbs_search search = {.spread = {.run = run, .stride = stride}, .unit = run};
  struct hw_answer cliff;
  struct hw_curve curve;
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  size_t bytes = stride * first->page;
  unsigned long count;
  int result;

  if (tlbs_open(bench, &search, first, most) < 0)
    return -1;
  snprintf(name, sizeof name, "tlbs_run_%zu_%zu", run, bytes);
  snprintf(title, sizeof title, "runs of %zu pages %zu bytes apart (count)", run, bytes);
  hw_curve_init(&curve, name, title, "time of a load (cycles)");
  result = tlbs_look(bench, &search, most, &curve);
  bench->machine->ops->unmap(bench->machine, search.series.memory);
  cliff = hw_reduce_cliff(&curve, search.least);
  if (cliff.known && cliff.error > 1)
    cliff = hw_unknown(cliff.method, "the numbers next to the cliff were not measured");
  count = curve.n;
  if (hw_publish(bench, &curve, "tlbs", 0) < 0 || result < 0)
    return -1;
  fprintf(bench->log, "tlbs: runs of %zu, stride %zu: %s %.0f\n", run, bytes,
          cliff.known ? "held up to" : cliff.why, cliff.known ? cliff.value : 0.0);
  if (!cliff.known)
    return 0;
  return hw_curve_put(lengths, (struct hw_point){(double)bytes, cliff.value, 0, count}) < 0
             ? -1
             : (long)cliff.value;
}

/* The stride to begin with: a set has some ways, so that a quarter of the pages that are held lie
   in all of the sets.  Less where memory is short. */
static size_t tlbs_begin(const struct hw_bench *bench, const struct hw_tlbs_first *first,
                         size_t run, size_t most) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  double middle = hw_reduce_middle(pages, HW_TLBS_RISE * first->miss).value;
  size_t stride = 2 * run;

  while (TLBS_WAYS * (double)stride < middle &&
         tlbs_most(bench, first, run, 2 * stride, most) == most)
    stride *= 2;
  return stride;
}

/* Measures ever larger strides until the number of runs stays.  0, or -1 on failure. */
static int tlbs_runs(struct hw_bench *bench, const struct hw_tlbs_first *first, size_t run,
                     size_t most) {
  struct hw_curve lengths;
  char name[HW_CURVE_NAME];
  size_t stride = tlbs_begin(bench, first, run, most);
  long last = 0, length = 0;

  snprintf(name, sizeof name, "tlbs_run_%zu", run);
  hw_curve_init(&lengths, name, "stride (bytes)", "runs that are held (count)");
  for (most = tlbs_most(bench, first, run, stride, most); most > 0 && length >= 0;
       most = tlbs_most(bench, first, run, stride, most)) {
    last = length;
    length = tlbs_stride(bench, first, run, stride, most, &lengths);
    if (length == 0 && last > 0) /* what was clear once is so again, but for a neighbour */
      length = tlbs_stride(bench, first, run, stride, most, &lengths);
    if (length > 0 && length == last)
      break;
    stride *= 2;
  }
  return hw_publish(bench, &lengths, "tlbs", 0) < 0 || length < 0 ? -1 : 0;
}

/* Where the far curve ends: as far as to see a rise at all pages at which a second one would be. */
static double tlbs_farthest(double middle) {
  return floor(fmax(TLBS_FARTHEST * middle, HW_TLBS_BEYOND * (double)HW_TLBS_PAGES));
}

/* The places of the far curve: before the second level's rise, and far behind it.  Returns how
   many. */
static size_t tlbs_far_grid(double *x, double middle) {
  double far = tlbs_farthest(middle);
  size_t n = 0;

  x[n++] = floor(middle / 2);
  for (double at = TLBS_FAR * middle; at < far; at *= 2)
    x[n++] = floor(at);
  x[n++] = far;
  return n;
}

static bool tlbs_enough(void *context, const struct hw_curve *curve) {
  const struct tlbs_search *search = context;
  struct hw_machine *machine = search->bench->machine;

  return search->clear(curve, search->first) || machine->ops->now(machine) > search->deadline;
}

/* Samples circles, of the pages that the search has in all, at the places x, until that is clear.
   Publishes the curve, if memory is not short.  0, or -1 on failure. */
static int tlbs_circle(struct hw_bench *bench, const struct hw_tlbs_first *first,
                       struct tlbs_search *search, const double *x, size_t n, const char *name) {
  const struct hw_effort effort = bench->effort;
  double now = hw_now(bench);
  size_t all = search->spread.all;
  struct hw_curve curve;
  int result;

  if (tlbs_most(bench, first, 1, 1, all) < all)
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
  bench->effort.rounds_max = TLBS_MORE * bench->effort.rounds;
  result = hw_sample(bench, &search->series, x, n, &curve);
  bench->effort = effort;
  bench->machine->ops->unmap(bench->machine, search->series.memory);
  return hw_publish(bench, &curve, "tlbs", 0) < 0 ? -1 : result;
}

/* Measures where a third level would overflow, behind the second.  0, or -1 on failure. */
static int tlbs_far(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  struct hw_answer middle = hw_reduce_middle(pages, HW_TLBS_RISE * first->miss);
  struct tlbs_search search = {.spread = {.run = 1, .stride = 1, .group = TLBS_GROUP},
                               .unit = 1,
                               .clear = hw_tlbs_far_clear};
  double x[TLBS_POINTS];

  if (!middle.known) /* more points may have made unclear what was clear */
    return 0;
  search.spread.all = (size_t)tlbs_farthest(middle.value);
  return tlbs_circle(bench, first, &search, x, tlbs_far_grid(x, middle.value), HW_NAME_TLBS_FAR);
}

/* Measures two circles, one whose pages all only just miss the first level and one that no second
   level holds.  0, or -1 on failure. */
static int tlbs_circles(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  size_t most =
      TLBS_TIMES * first->entries < HW_TLBS_PAGES ? TLBS_TIMES * first->entries : HW_TLBS_PAGES;
  size_t all = (size_t)(HW_TLBS_BEYOND * (double)most);
  /* Whole groups fill all sets evenly. */
  size_t group = first->sets > TLBS_GROUP ? first->sets : TLBS_GROUP;
  size_t low = (first->beyond + group - 1) / group * group;
  struct tlbs_search search = {
      .spread = {.run = 1, .stride = 1, .group = group, .all = all},
      .unit = 1,
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

/* Looks again, at times apart and on one core after the other, at pages that are clearly too many.
   0, or -1 on failure. */
static int tlbs_later(struct hw_bench *bench, const struct hw_tlbs_first *first) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  struct hw_answer middle = hw_reduce_middle(pages, HW_TLBS_RISE * first->miss);
  const double x = floor(HW_TLBS_BEYOND * middle.value);
  struct tlbs_search search = {.spread = {.run = 1, .stride = 1}, .unit = 1};
  struct hw_curve later;
  int result = 0;

  search.spread.lines = (size_t)pages->point[pages->n - 1].x;
  if (tlbs_open(bench, &search, first, search.spread.lines) < 0)
    return -1;
  search.series.room = hw_spread_room(&search.spread);
  hw_curve_init(&later, HW_NAME_TLBS_LATER, "look (count)", "time of a load (cycles)");
  for (unsigned look = 0; look < HW_TLBS_LATER && result == 0; look++) {
    struct hw_curve now;
    hw_curve_init(&now, "now", "", "");
    hw_pause(bench, TLBS_APART);
    bench->machine->ops->move(bench->machine);
    result = hw_sample(bench, &search.series, &x, 1, &now);
    if (result == 0) {
      now.point[0].x = look;
      result = hw_curve_put(&later, now.point[0]);
    }
    hw_curve_free(&now);
  }
  bench->machine->ops->unmap(bench->machine, search.series.memory);
  return hw_publish(bench, &later, "tlbs", 0) < 0 ? -1 : result;
}

/* Measures what the first level leaves open.  0, or -1 on failure. */
static int tlbs_measure(struct hw_bench *bench) {
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  const struct hw_curve *pages;
  size_t run = 1, lines = TLBS_LINES_MIN;
  int rises;

  if (hw_tlbs_first(&bench->curves, &first) < 0)
    return -1;
  if (hw_tlbs_told(&bench->curves))
    return tlbs_far(bench, &first);
  rises = tlbs_pages(bench, &first);
  if (rises > 0 && tlbs_far(bench, &first) < 0)
    return -1;
  if (rises == 0 && !hw_tlbs_flat(hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES), &first) &&
      tlbs_circles(bench, &first) < 0)
    return -1;
  if (rises <= 0)
    return rises;
  if (hw_tlbs_shape(&bench->curves, &first, &second) == NULL)
    return tlbs_later(bench, &first);
  pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  while ((double)lines < pages->point[pages->n - 1].x)
    lines *= 2;
  while (2 * run <= first.entries)
    run *= 2;
  /* A shorter run where the sets are no more than the pages of this one. */
  for (; run >= HW_TLBS_RUN_MIN; run /= 2) {
    char name[HW_CURVE_NAME];
    if (tlbs_runs(bench, &first, run, lines) < 0)
      return -1;
    snprintf(name, sizeof name, "tlbs_run_%zu", run);
    if (hw_tlbs_foot(hw_curves_get(&bench->curves, name)) == NULL ||
        hw_tlbs_shape(&bench->curves, &first, &second) == NULL)
      break;
  }
  return hw_tlbs_shape(&bench->curves, &first, &second) == NULL ? tlbs_later(bench, &first) : 0;
}

int hw_probe_tlbs(struct hw_bench *bench) {
  const struct hw_effort effort = bench->effort;
  int result;

  /* Large steps of long rings: fewer samples do. */
  bench->effort.rounds = (effort.rounds + 1) / 2;
  bench->effort.rounds_max = effort.rounds;
  result = tlbs_measure(bench);
  bench->effort = effort;
  return result;
}
