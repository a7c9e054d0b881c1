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
           page more than the first level can hold on, all loads miss it.  Where the second level
           overflows, the curve rises.  Runs of pages at a power-of-two stride in virtual space
           fall into the same sets of the second level, as one page would (XM 6), and are too many
           for the first.  All of these sets overflow at once when the runs are one more than the
           ways: a cliff.  Where they lie in two sets each, or three, there is none.  Sets are a
           power of two: the entries are the ways times the one that agrees with the rise of the
           first curve.  That is so as well where the sets are chosen by a hash of the address.
           Then all lines of a lap are the same whatever x is, so that only TLBs can tell: the rise
           must be there again, and far behind it none, or a third level overflows.  What the tables
           of pages cost does not rise, since what is next to each other in them is read at a time.
           A thread on the same core may have its part of the second level all the while.  So it is
           looked at again, at times apart: what is clearly too much for it must never fit.
           That there is no second level is seen in the same way: pages that all miss the first cost
           no more, clear of the noise, where they are more than any second level holds.  A rise
           there is not taken for a second level, since the tables of pages may leave a small cache.
   Rows    TLB_LEVELS, TLB2_ENTRIES, TLB2_ASSOC, TLB2_REACH_BYTES, TLB2_MISS.
   Cost    300 ms, up to 8192 pages.  With one level, a second, and some where it is noisy.
   Limits  A second level with less than twice the entries of the first is not seen, nor one with
           more than 64 times as many, or than 4096, where the first curve is not clear; nor a third
           with less than three times those of the second or more than six times and 4096.  With
           replacement far from LRU there is no cliff, and the entries are unknown.  The miss is
           that just beyond the second level, where the tables of pages are in the caches; it
           differs by a tenth from one mapping to another.
   See     XM 5, 6; BB 3.2. */
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
/* Without a second rise up to so many pages, or so many times the entries of the first level, there
   is no second level.  No machine known to us has a larger one: the Cortex-A55 has 16 and 1024, the
   POWER10 64 and 4096. */
#define TLBS_PAGES ((size_t)4096)
#define TLBS_TIMES ((size_t)64)
/* What follows then on a miss of the first level is a walk through the tables of pages.  It costs
   at least what a hit of a second level does, which would stand before it: a load of the tables. */
#define TLBS_WALK 1.0
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
/* Lines of each page then: so many loads of a page, of which only the first must miss a TLB that
   holds a circle. */
#define TLBS_TWICE ((size_t)2)
/* Ways that most second levels have at least. */
#define TLBS_WAYS 4
/* Shortest run. */
#define TLBS_RUN_MIN ((size_t)4)
/* The middle of the rise may come sooner by this share, since a walk through the tables of pages,
   or a neighbour, needs some of the second level, and later by that.  Another number of sets would
   be off by a factor of two; three times a power of two look like three times the ways. */
#define TLBS_SOONER 0.25
#define TLBS_LATE 0.15
/* A miss of the second level costs at least this share of one of the first. */
#define TLBS_RISE 0.5
/* Noise of this share of a rise, or of a miss of the first level, leaves the shape to be seen. */
#define TLBS_QUIET 0.125
/* Nearly full, a level already loses some of what it holds; so many times as far on, all miss it,
   and much further the tables of pages leave the caches. */
#define TLBS_WITHIN 0.85
#define TLBS_BEYOND 1.5

/* How often, and how many ns apart, the second level is looked at again. */
#define TLBS_LATER 5u
#define TLBS_APART 2e7

/* What is known of the first level. */
struct tlbs_first {
  size_t page;
  size_t entries;
  size_t sets;
  size_t beyond; /* so many pages next to each other all miss it */
  double miss;   /* cycles */
};

static int tlbs_first(const struct hw_curves *curves, struct tlbs_first *first) {
  struct hw_answer page = hw_value_page_bytes(curves);
  struct hw_answer entries = hw_value_tlb1_entries(curves);
  struct hw_answer ways = hw_value_tlb1_assoc(curves), miss = hw_value_tlb1_miss(curves);

  if (!page.known || !entries.known || !ways.known || !miss.known)
    return -1;
  first->page = (size_t)page.value;
  first->entries = (size_t)entries.value;
  first->sets = (size_t)(entries.value / ways.value);
  first->beyond = first->entries + first->sets + 1;
  first->miss = miss.value;
  return 0;
}

/* A curve that is searched for a rise. */
struct tlbs_search {
  struct hw_spread spread;
  struct hw_series series;
  double least; /* rise that counts, cycles */
  size_t low;   /* pages of the first point at least */
  size_t unit;  /* pages of one x */
  size_t walk;  /* loads that are timed; 0: all */
  /* Of circles: whether the curve tells what it is for, and when it is late for that, ns. */
  bool (*clear)(const struct hw_curve *curve, const struct tlbs_first *first);
  const struct tlbs_first *first;
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
  const double x[] = {(double)low, floor((double)high / TLBS_BEYOND), (double)high};
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
    n = hw_quarters(x, TLBS_POINTS, low, (size_t)((double)high / TLBS_BEYOND));
    x[n++] = (double)high;
    if (may < 0 || hw_sample(bench, &search->series, x, n, curve) < 0)
      return -1;
    if (hw_reduce_middle(curve, search->least).known)
      return tlbs_refine(bench, search, curve) < 0 ? -1 : 1;
  }
}

/* Most lines that runs at a stride can have.  0 when these are too few. */
static size_t tlbs_most(const struct hw_bench *bench, const struct tlbs_first *first, size_t run,
                        size_t stride, size_t lines) {
  while (lines / run * stride * first->page > bench->memory)
    lines /= 2;
  return lines < TLBS_LINES_MIN ? 0 : lines;
}

/* The search with its memory, for runs at a stride, up to so many lines.  0, or -1. */
static int tlbs_open(struct hw_bench *bench, struct tlbs_search *search,
                     const struct tlbs_first *first, size_t lines) {
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  size_t bytes = lines / search->spread.run * search->spread.stride * first->page;

  if (!line.known)
    return -1;
  search->spread.page = first->page;
  search->spread.line = (size_t)line.value;
  search->least = TLBS_RISE * first->miss;
  search->low = first->beyond;
  search->series.arrange = tlbs_arrange;
  search->series.context = search;
  search->series.issue = hw_issue(&bench->curves);
  search->series.memory = bench->machine->ops->map(bench->machine, bytes, HW_PAGES_PLAIN);
  return search->series.memory == NULL ? -1 : 0;
}

/* The curve of pages next to each other.  1 when it rises, 0 when not, -1 on failure. */
static int tlbs_pages(struct hw_bench *bench, const struct tlbs_first *first) {
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
static long tlbs_stride(struct hw_bench *bench, const struct tlbs_first *first, size_t run,
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
static size_t tlbs_begin(const struct hw_bench *bench, const struct tlbs_first *first, size_t run,
                         size_t most) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  double middle = hw_reduce_middle(pages, TLBS_RISE * first->miss).value;
  size_t stride = 2 * run;

  while (TLBS_WAYS * (double)stride < middle &&
         tlbs_most(bench, first, run, 2 * stride, most) == most)
    stride *= 2;
  return stride;
}

/* Measures ever larger strides until the number of runs stays.  0, or -1 on failure. */
static int tlbs_runs(struct hw_bench *bench, const struct tlbs_first *first, size_t run,
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

/* What the curves say of the second level. */
struct tlbs_second {
  size_t run; /* 1: fully associative */
  size_t ways;
  size_t entries;
};

/* The last two strides of a run, when they hold the same number and one is twice the other. */
static const struct hw_point *tlbs_foot(const struct hw_curve *lengths) {
  const struct hw_point *last = lengths->n >= 2 ? &lengths->point[lengths->n - 1] : NULL;

  return last != NULL && !(last[-1].y < last->y) && !(last[-1].y > last->y) &&
                 !(last[-1].x < last->x / 2) && !(last[-1].x > last->x / 2)
             ? last
             : NULL;
}

/* The entries that this many ways and a power of two of sets, at least twice the run, have so that
   the middle of the rise, taken half way between its two points, is there.  0 when there are none,
   or two that may be. */
static size_t tlbs_entries(size_t ways, size_t run, const struct hw_answer *middle) {
  double at = middle->value + middle->error / 2;
  size_t found = 0;

  for (size_t entries = 2 * ways * run; (1 - TLBS_SOONER) * (double)entries <= at; entries *= 2)
    if (at <= (1 + TLBS_LATE) * (double)entries * (1 + 1 / (double)ways)) {
      if (found != 0)
        return 0;
      found = entries;
    }
  return found;
}

/* Whether the samples next to the middle of the rise agree which side of it they are on: another
   thread of the same core has its part of a TLB as long as it runs. */
static bool tlbs_calm(const struct hw_curve *pages, const struct hw_answer *middle) {
  double rise = pages->point[pages->n - 1].y - pages->point[0].y;

  for (size_t i = 0; i < pages->n; i++) {
    const struct hw_point *p = &pages->point[i];
    if (p->x >= middle->value && p->x <= middle->value + middle->error &&
        p->spread * p->y > TLBS_QUIET * rise)
      return false;
  }
  return true;
}

/* The shape of the second level.  NULL, or why it is not known. */
static const char *tlbs_shape(const struct hw_curves *curves, const struct tlbs_first *first,
                              struct tlbs_second *second) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  double least = TLBS_RISE * first->miss;
  struct hw_answer middle, cliff;

  if (pages == NULL)
    return "its curve was not measured";
  middle = hw_reduce_middle(pages, least);
  cliff = hw_reduce_cliff(pages, least);
  if (!middle.known)
    return middle.why;
  if (!tlbs_calm(pages, &middle))
    return "another thread of the core takes entries now and then";
  if (cliff.known && cliff.error <= 1) {
    second->run = 1;
    second->ways = second->entries = (size_t)cliff.value;
    return NULL;
  }
  for (size_t run = first->entries; run >= TLBS_RUN_MIN; run--) {
    char name[HW_CURVE_NAME];
    const struct hw_curve *lengths;
    const struct hw_point *foot;
    snprintf(name, sizeof name, "tlbs_run_%zu", run);
    lengths = hw_curves_get(curves, name);
    foot = lengths != NULL ? tlbs_foot(lengths) : NULL;
    if (foot == NULL)
      continue;
    second->run = run;
    second->ways = (size_t)foot->y;
    second->entries = tlbs_entries(second->ways, run, &middle);
    if (second->entries != 0)
      return NULL;
  }
  return "its sets are not clear";
}

/* Where the far curve ends: as far as to see a rise at all pages at which a second one would be. */
static double tlbs_farthest(double middle) {
  return floor(fmax(TLBS_FARTHEST * middle, TLBS_BEYOND * (double)TLBS_PAGES));
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

/* The rise of the far curve from a point to a later one, at least and at most. */
static double tlbs_rise(const struct hw_curve *far, size_t from, size_t to, double sign) {
  const struct hw_point *low = &far->point[from], *high = &far->point[to];

  return high->y - low->y + sign * HW_CLEAR * hw_rise_error(far, low, high);
}

/* Whether the far curve has the rise of a third level. */
static struct hw_answer tlbs_third(const struct hw_curve *far, double least) {
  struct hw_answer third;
  struct hw_curve behind;

  hw_curve_init(&behind, far->name, far->x_title, far->y_title);
  for (size_t i = 1; i < far->n; i++)
    if (hw_curve_put(&behind, far->point[i]) < 0)
      behind.n = 0;
  third = hw_reduce_middle(&behind, least);
  hw_curve_free(&behind);
  return third;
}

/* The levels, where there are two or more.  A miss of the third costs no less, by the same share,
   than one of the second. */
static struct hw_answer tlbs_three(const struct hw_curve *far, const struct tlbs_first *first,
                                   struct hw_answer two) {
  struct hw_answer third;
  double least;

  if (far == NULL || far->n < 3)
    return hw_absent(two.method, "memory was short for a third level");
  if (tlbs_rise(far, 0, 1, -1) < TLBS_RISE * first->miss * (1 - 1 / (double)TLBS_TWICE))
    return hw_unknown(two.method, "the rise is not clearly that of a TLB");
  least = TLBS_RISE * (far->point[1].y - far->point[0].y);
  /* Of more pages a TLB misses more: the last point is the highest. */
  if (tlbs_rise(far, 1, far->n - 1, 1) < least)
    return two;
  third = tlbs_third(far, least);
  return third.known ? hw_known(two.method, 3, 0, third.clarity)
                     : hw_unknown(two.method, "a third level is not clear");
}

static bool tlbs_enough(void *context, const struct hw_curve *curve) {
  const struct tlbs_search *search = context;
  struct hw_machine *machine = search->bench->machine;

  return search->clear(curve, search->first) || machine->ops->now(machine) > search->deadline;
}

/* Samples circles, of the pages that the search has in all, at the places x, until that is clear.
   Publishes the curve, if memory is not short.  0, or -1 on failure. */
static int tlbs_circle(struct hw_bench *bench, const struct tlbs_first *first,
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
  search->spread.lines = TLBS_TWICE * all;
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

/* Whether the far curve tells whether there is a third level. */
static bool tlbs_far_clear(const struct hw_curve *far, const struct tlbs_first *first) {
  return tlbs_three(far, first, hw_known("none", 2, 0, HW_CLEAR)).known;
}

/* Measures where a third level would overflow, behind the second.  0, or -1 on failure. */
static int tlbs_far(struct hw_bench *bench, const struct tlbs_first *first) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  struct hw_answer middle = hw_reduce_middle(pages, TLBS_RISE * first->miss);
  struct tlbs_search search = {
      .spread = {.run = 1, .stride = 1, .group = TLBS_GROUP}, .unit = 1, .clear = tlbs_far_clear};
  double x[TLBS_POINTS];

  if (!middle.known) /* more points may have made unclear what was clear */
    return 0;
  search.spread.all = (size_t)tlbs_farthest(middle.value);
  return tlbs_circle(bench, first, &search, x, tlbs_far_grid(x, middle.value), HW_NAME_TLBS_FAR);
}

/* What a load of the larger circle costs more where there is a second level, at least, cycles: of
   the visits of a page in the smaller only the first misses it. */
static double tlbs_walk(const struct tlbs_first *first) {
  return TLBS_WALK * first->miss * (1 - 1 / (double)TLBS_TWICE);
}

/* Whether both circles cost the same, clear of the noise. */
static bool tlbs_one(const struct hw_curve *circles, const struct tlbs_first *first) {
  return circles != NULL && circles->n == 2 && tlbs_rise(circles, 0, 1, 1) < tlbs_walk(first) &&
         tlbs_rise(circles, 0, 1, -1) > -tlbs_walk(first);
}

/* Whether noise is not what keeps that from being clear. */
static bool tlbs_sure(const struct hw_curve *circles, const struct tlbs_first *first) {
  return tlbs_rise(circles, 0, 1, 1) - tlbs_rise(circles, 0, 1, -1) < TLBS_QUIET * tlbs_walk(first);
}

/* Whether more samples would say no more: one level, or more than that, or noise is not in the way.
 */
static bool tlbs_circles_clear(const struct hw_curve *circles, const struct tlbs_first *first) {
  return tlbs_one(circles, first) || tlbs_rise(circles, 0, 1, -1) > 0 || tlbs_sure(circles, first);
}

/* Measures two circles, one whose pages all only just miss the first level and one that no second
   level holds.  0, or -1 on failure. */
static int tlbs_circles(struct hw_bench *bench, const struct tlbs_first *first) {
  size_t most = TLBS_TIMES * first->entries < TLBS_PAGES ? TLBS_TIMES * first->entries : TLBS_PAGES;
  size_t all = (size_t)(TLBS_BEYOND * (double)most);
  /* Whole groups fill all sets evenly. */
  size_t group = first->sets > TLBS_GROUP ? first->sets : TLBS_GROUP;
  size_t low = (first->beyond + group - 1) / group * group;
  struct tlbs_search search = {
      .spread = {.run = 1, .stride = 1, .group = group, .all = all},
      .unit = 1,
      .clear = tlbs_circles_clear,
  };
  double x[2];

  if (low > 2 * first->entries)
    low = first->beyond;
  if (all < TLBS_RANGE * low)
    return 0;
  x[0] = (double)low;
  x[1] = (double)all;
  search.walk = TLBS_LAPS * TLBS_TWICE * low;
  return tlbs_circle(bench, first, &search, x, 2, HW_NAME_TLBS_CIRCLES);
}

/* Whether no rise is seen although it would be. */
static bool tlbs_flat(const struct hw_curve *pages, const struct tlbs_first *first) {
  const struct hw_point *last = &pages->point[pages->n - 1];

  if (pages->n < 3 || last->x < (double)TLBS_PAGES)
    return false;
  for (size_t i = 0; i < pages->n; i++)
    if (fabs(pages->point[i].y - pages->point[0].y) > TLBS_RISE / 2 * first->miss ||
        HW_CLEAR * hw_rise_error(pages, &pages->point[0], &pages->point[i]) >
            TLBS_RISE * first->miss)
      return false;
  return true;
}

/* Looks again, at times apart and on one core after the other, at pages that are clearly too many.
   0, or -1 on failure. */
static int tlbs_later(struct hw_bench *bench, const struct tlbs_first *first) {
  const struct hw_curve *pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  struct hw_answer middle = hw_reduce_middle(pages, TLBS_RISE * first->miss);
  const double x = floor(TLBS_BEYOND * middle.value);
  struct tlbs_search search = {.spread = {.run = 1, .stride = 1}, .unit = 1};
  struct hw_curve later;
  int result = 0;

  search.spread.lines = (size_t)pages->point[pages->n - 1].x;
  if (tlbs_open(bench, &search, first, search.spread.lines) < 0)
    return -1;
  search.series.room = hw_spread_room(&search.spread);
  hw_curve_init(&later, HW_NAME_TLBS_LATER, "look (count)", "time of a load (cycles)");
  for (unsigned look = 0; look < TLBS_LATER && result == 0; look++) {
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

/* Whether noise is not what keeps the curve from being clear. */
static bool tlbs_quiet(const struct hw_curve *pages, const struct tlbs_first *first) {
  double rise = fmax(first->miss, pages->point[pages->n - 1].y - pages->point[0].y);

  for (size_t i = 0; i < pages->n; i++)
    if (hw_point_error(&pages->point[i]) > TLBS_QUIET * rise)
      return false;
  return true;
}

/* The levels up to the second. */
static struct hw_answer tlbs_two(const struct hw_curves *curves) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *circles = hw_curves_get(curves, HW_NAME_TLBS_CIRCLES);
  struct hw_answer middle;
  struct tlbs_first first;

  if (pages == NULL || pages->n == 0 || tlbs_first(curves, &first) < 0)
    return hw_unknown("middle of the rise", "the first level is not known");
  middle = hw_reduce_middle(pages, TLBS_RISE * first.miss);
  if (middle.known)
    return hw_known(middle.method, 2, 0, middle.clarity);
  if (tlbs_flat(pages, &first) || tlbs_one(circles, &first))
    return hw_known(middle.method, 1, 0, HW_CLEAR);
  middle.settled =
      circles != NULL && circles->n == 2 ? tlbs_sure(circles, &first) : tlbs_quiet(pages, &first);
  return middle;
}

/* Whether an earlier attempt has told of the second level what there is to be told, so that only a
   third one is open. */
static bool tlbs_told(const struct hw_curves *curves) {
  struct hw_answer two = tlbs_two(curves), entries = hw_value_tlb2_entries(curves);
  struct hw_answer miss = hw_value_tlb2_miss(curves);

  return two.known && two.value > 1 && (entries.known || entries.settled) &&
         (miss.known || miss.settled);
}

/* Measures what the first level leaves open.  0, or -1 on failure. */
static int tlbs_measure(struct hw_bench *bench) {
  struct tlbs_first first;
  struct tlbs_second second;
  const struct hw_curve *pages;
  size_t run = 1, lines = TLBS_LINES_MIN;
  int rises;

  if (tlbs_first(&bench->curves, &first) < 0)
    return -1;
  if (tlbs_told(&bench->curves))
    return tlbs_far(bench, &first);
  rises = tlbs_pages(bench, &first);
  if (rises > 0 && tlbs_far(bench, &first) < 0)
    return -1;
  if (rises == 0 && !tlbs_flat(hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES), &first) &&
      tlbs_circles(bench, &first) < 0)
    return -1;
  if (rises <= 0)
    return rises;
  if (tlbs_shape(&bench->curves, &first, &second) == NULL)
    return tlbs_later(bench, &first);
  pages = hw_curves_get(&bench->curves, HW_NAME_TLBS_PAGES);
  while ((double)lines < pages->point[pages->n - 1].x)
    lines *= 2;
  while (2 * run <= first.entries)
    run *= 2;
  /* A shorter run where the sets are no more than the pages of this one. */
  for (; run >= TLBS_RUN_MIN; run /= 2) {
    char name[HW_CURVE_NAME];
    if (tlbs_runs(bench, &first, run, lines) < 0)
      return -1;
    snprintf(name, sizeof name, "tlbs_run_%zu", run);
    if (tlbs_foot(hw_curves_get(&bench->curves, name)) == NULL ||
        tlbs_shape(&bench->curves, &first, &second) == NULL)
      break;
  }
  return tlbs_shape(&bench->curves, &first, &second) == NULL ? tlbs_later(bench, &first) : 0;
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

struct hw_answer hw_read_tlb_levels(const struct hw_curves *curves) {
  struct hw_answer two = tlbs_two(curves);
  struct tlbs_first first;

  if (!two.known || two.value < 2 || tlbs_first(curves, &first) < 0)
    return two;
  return tlbs_three(hw_curves_get(curves, HW_NAME_TLBS_FAR), &first, two);
}

/* Whether one page in two more than the second level seems to hold missed it at all times: a load
   cost at least what is half way up the rise of so many pages. */
static bool tlbs_always(const struct hw_curves *curves, const struct hw_answer *middle) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *later = hw_curves_get(curves, HW_NAME_TLBS_LATER);
  size_t last = pages->n - 1;

  if (later == NULL || later->n < TLBS_LATER)
    return false;
  while (last > 0 && pages->point[last - 1].x >= TLBS_BEYOND * middle->value)
    last--;
  for (size_t i = 0; i < later->n; i++)
    if (later->point[i].y < (pages->point[0].y + pages->point[last].y) / 2)
      return false;
  return true;
}

/* The shape, or the answer that it is not known or that there is none. */
static struct hw_answer tlbs_known(const struct hw_curves *curves, struct tlbs_second *second) {
  static const char method[] = "cliff";
  struct hw_answer levels = tlbs_two(curves), middle;
  struct tlbs_first first;
  const char *why;

  if (!levels.known || tlbs_first(curves, &first) < 0)
    return levels;
  if (levels.value < 2)
    return hw_absent(method, "there is no second level");
  why = tlbs_shape(curves, &first, second);
  middle = hw_reduce_middle(hw_curves_get(curves, HW_NAME_TLBS_PAGES), TLBS_RISE * first.miss);
  if (why == NULL && !tlbs_always(curves, &middle))
    return hw_unknown(method, "another thread of the core takes entries now and then");
  if (why == NULL)
    return hw_known(method, 0, 0, HW_CLEAR);
  levels = hw_unknown(method, why);
  levels.settled = tlbs_quiet(hw_curves_get(curves, HW_NAME_TLBS_PAGES), &first);
  return levels;
}

/* A number of the shape. */
static struct hw_answer tlbs_number(const struct hw_curves *curves,
                                    size_t (*number)(const struct tlbs_second *second)) {
  struct tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &second);

  if (answer.known)
    answer.value = (double)number(&second);
  return answer;
}

static size_t tlbs_second_entries(const struct tlbs_second *second) { return second->entries; }

static size_t tlbs_second_ways(const struct tlbs_second *second) { return second->ways; }

struct hw_answer hw_read_tlb2_entries(const struct hw_curves *curves) {
  return tlbs_number(curves, tlbs_second_entries);
}

struct hw_answer hw_read_tlb2_assoc(const struct hw_curves *curves) {
  return tlbs_number(curves, tlbs_second_ways);
}

struct hw_answer hw_read_tlb2_reach_bytes(const struct hw_curves *curves) {
  struct hw_answer page = hw_value_page_bytes(curves), entries = hw_value_tlb2_entries(curves);

  return page.known ? hw_scaled(entries, page.value) : page;
}

/* Puts the points of a curve that lie well before the cliff, or just behind it, into part. */
static int tlbs_part(const struct hw_curve *curve, double length, bool beyond,
                     struct hw_curve *part) {
  int result = 0;

  for (size_t i = 0; i < curve->n && result == 0; i++) {
    struct hw_point p = curve->point[i];
    if (beyond ? p.x > length && p.x <= TLBS_BEYOND * length : p.x <= TLBS_WITHIN * length) {
      p.x = (double)part->n;
      result = hw_curve_put(part, p);
    }
  }
  return result;
}

/* The level of the points before the cliffs of the second level, or behind them. */
static struct hw_answer tlbs_level(const struct hw_curves *curves, const struct tlbs_second *second,
                                   bool beyond) {
  struct hw_answer answer = hw_unknown("median of the points", "its curves were not measured");
  struct hw_curve part;
  char name[HW_CURVE_NAME];
  int result = 0;

  hw_curve_init(&part, "part", "", "");
  if (second->run == 1) {
    result =
        tlbs_part(hw_curves_get(curves, HW_NAME_TLBS_PAGES), (double)second->ways, beyond, &part);
  } else {
    const struct hw_curve *lengths;
    snprintf(name, sizeof name, "tlbs_run_%zu", second->run);
    lengths = hw_curves_get(curves, name);
    for (size_t i = lengths->n - 2; i < lengths->n && result == 0; i++) {
      const struct hw_curve *curve;
      snprintf(name, sizeof name, "tlbs_run_%zu_%.0f", second->run, lengths->point[i].x);
      curve = hw_curves_get(curves, name);
      if (curve != NULL)
        result = tlbs_part(curve, (double)second->ways, beyond, &part);
    }
  }
  if (result == 0)
    answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  return answer;
}

struct hw_answer hw_read_tlb2_miss(const struct hw_curves *curves) {
  struct tlbs_first first;
  struct tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &second), hit, miss;

  if (!answer.known || tlbs_first(curves, &first) < 0)
    return answer;
  hit = tlbs_level(curves, &second, false);
  miss = tlbs_level(curves, &second, true);
  answer = hit.known ? miss : hit;
  if (hit.known && miss.known) {
    answer.value = miss.value - hit.value;
    answer.error = hypot(miss.error, hit.error);
    if (answer.error > HW_RATE_ERROR * answer.value)
      answer = hw_unknown(miss.method, "what a miss costs varies by more than 15 %");
  }
  answer.settled = !answer.known && tlbs_quiet(hw_curves_get(curves, HW_NAME_TLBS_PAGES), &first);
  return answer;
}
