/* Levels of TLB; the second, off the curves of probes/tlb/tlbs.c and sets.c.

   Method  Where the second level overflows, the curve of pages rises.  Pages of one set, with
           others between that evict them from the first level, give the ways: as many as are held
           at two strides, where none holds more.  Sets are a power of two: the entries are the ways
           times the power for which, on the curve of pages, the entries fit, one page a set more
           does not, and of half as many pages more most miss.  A hashed index changes nothing of
           that.  One page a set too many must never fit.
           If they do not tell, the rise must be there again in the far curve, in which the cost
           of page walks does not rise, since adjacent entries of the page tables are read together.
           That there is no second level is seen in the same way: pages that all miss the first cost
           no more, clear of the noise, where they are more than any second level holds.  A rise
           there is not taken for a second level: the page tables may no longer fit a small cache.
           If its sets are not clear, the curve of pages tells what it holds for one thread, and
           what pages well beyond cost.
   Rows    TLB_LEVELS, TLB2_ENTRIES, TLB2_ASSOC, TLB2_REACH_BYTES, TLB2_EFF_BYTES, TLB2_MISS.
   Limits  If the first level is unknown, one of HW_HINT_TLB1 entries is assumed: that there is
   no second is then unknown.  A second level with less than twice the entries of the first is not
   seen, nor one with more than 64 times as many, or than 4096, where the first curve is not clear;
   nor is a third told from the second.  The miss penalty is that just beyond the second level,
   where the page tables are cached; it differs by a tenth from one mapping to another, and is
           unknown if it rises on.
   See     XM 5, 6; BB 3.2. */
#include "analysis/rows/tlbs.h"

#include "analysis/names.h"
#include "analysis/rows/hint.h"
#include "analysis/rows/tlb.h"

#include <math.h>

/* Without a second level, a miss of the first is a page walk.  It costs at least this many times a
   hit of a second level: a load of the page tables. */
#define TLBS_WALK 1.0
/* Noise below this share of a rise, or of a miss of the first level, does not hide the shape. */
#define TLBS_QUIET 0.125
/* No level has more entries; a curve with more is not from a probe. */
#define TLBS_MOST ((size_t)1 << 20)
/* Fewer samples do not show what almost all cost. */
#define TLBS_FEW 6u
/* Beyond this part of its entries a level already loses some of what it holds. */
#define TLBS_WITHIN 0.85

int hw_tlbs_first(const struct hw_curves *curves, struct hw_tlbs_first *first) {
  struct hw_answer page = hw_value_page_bytes(curves);
  struct hw_answer entries = hw_value_tlb1_entries(curves);
  struct hw_answer ways = hw_value_tlb1_assoc(curves), miss = hw_value_tlb1_miss(curves);

  if (!page.known)
    return -1;
  if (!entries.known)
    entries = hw_scaled(hw_value_tlb1_reach_bytes(curves), 1 / page.value);
  first->page = (size_t)page.value;
  first->entries = entries.known ? (size_t)entries.value : HW_HINT_TLB1;
  first->sets = entries.known && ways.known ? (size_t)(entries.value / ways.value) : 0;
  /* Not LRU, it does not lose all of a lap by one page too many in each set. */
  first->beyond = first->entries + (first->sets > 0 ? first->sets : first->entries) + 1;
  if (entries.known)
    first->beyond =
        (size_t)fmax((double)first->beyond, hw_tlb_missed(curves, page.value, entries.value));
  first->miss = miss.known ? miss.value : HW_HINT_TLB1_MISS;
  first->assumed = !entries.known || !miss.known;
  return 0;
}

/* What a lap of point i costs more than if none of its pages missed, in loads of the first, where a
   load of it costs y. */
static double tlbs_extra(const struct hw_curve *curve, size_t i, double y, double others) {
  return (y - curve->point[0].y) * (curve->point[i].x + others);
}

/* Whether it is clear that point i costs more than half, or less.  How many pages of a set that is
   too full miss varies with their order, where the level is not LRU: then almost all samples cost
   more. */
static bool tlbs_clear(const struct hw_curve *curve, size_t i, double half, double others) {
  const struct hw_point *p = &curve->point[i];
  double error = hw_rise_error(curve, &curve->point[0], p) * (p->x + others);

  return fabs(tlbs_extra(curve, i, p->y, others) - half) > HW_CLEAR * error ||
         (p->count >= TLBS_FEW && tlbs_extra(curve, i, hw_point_best(p), others) > half);
}

struct hw_answer hw_tlbs_held(const struct hw_curve *curve, double others) {
  static const char method[] = "pages of one set";
  size_t last = curve->n - 1, over = 0;
  double half;

  if (curve->n < 3)
    return hw_unknown(method, "fewer than three points");
  half = tlbs_extra(curve, last, curve->point[last].y, others) / curve->point[last].x / 2;
  for (size_t i = 1; i < curve->n; i++) {
    double extra = tlbs_extra(curve, i, curve->point[i].y, others);
    if (!tlbs_clear(curve, i, half, others))
      return hw_unknown(method, "its misses are not clear of the noise");
    if (over == 0 && extra > half)
      over = i;
    else if (over > 0 && extra < half)
      return hw_unknown(method, "a larger number of its pages missed less often");
  }
  if (over == 0)
    return hw_unknown(method, "its pages never miss");
  return hw_known(method, curve->point[over - 1].x, curve->point[over].x - curve->point[over - 1].x,
                  HW_CLEAR);
}

/* The ways, by the strides: the pages that each of them holds.  If one holds fewer, another
   thread of the core, or a page of our own, has taken entries, and may have taken some of every
   set.  0: not clear. */
static size_t tlbs_ways(const struct hw_curve *lengths) {
  const double most = lengths->n >= 2 ? lengths->point[0].y : 0;

  for (size_t i = 1; i < lengths->n; i++)
    if (fabs(lengths->point[i].y - most) > 0)
      return 0;
  return most <= TLBS_MOST ? (size_t)most : 0;
}

/* By how many cycles x adjacent pages cost more than the first point, interpolated between two
   points.  Negative: no point is that far out. */
static double tlbs_over(const struct hw_curve *pages, double x) {
  const struct hw_point *p = pages->point;

  while (p + 1 < pages->point + pages->n && p[1].x < x)
    p++;
  if (p + 1 == pages->point + pages->n || p->x > x)
    return -1;
  return p->y + (p[1].y - p->y) * (x - p->x) / (p[1].x - p->x) - pages->point[0].y;
}

/* Whether a level of these ways and entries overflows where the curve of adjacent pages rises: the
   entries fit, one page a set more does not, and of half as many more pages most miss. */
static bool tlbs_overflows(const struct hw_curve *pages, double ways, double entries,
                           double least) {
  double in = tlbs_over(pages, entries), out = tlbs_over(pages, HW_TLBS_BEYOND * entries);

  return in > -least && tlbs_over(pages, entries + entries / ways) > least && out > least &&
         in < out / 2;
}

/* The entries of a level of this many ways and a power of two of sets, at least two, that
   overflows there.  0 when there is none, or two are possible. */
static size_t tlbs_entries(const struct hw_curve *pages, size_t ways, double least) {
  size_t found = 0, times = 0;
  struct hw_curve risen;

  if (hw_monotone(pages, &risen) < 0)
    return 0;
  for (size_t entries = 2 * ways;
       entries <= TLBS_MOST && (double)entries < pages->point[pages->n - 1].x; entries *= 2)
    if (tlbs_overflows(&risen, (double)ways, (double)entries, least)) {
      found = entries;
      times++;
    }
  hw_curve_free(&risen);
  return times == 1 ? found : 0;
}

const char *hw_tlbs_shape(const struct hw_curves *curves, const struct hw_tlbs_first *first,
                          struct hw_tlbs_second *second) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *lengths = hw_curves_get(curves, HW_NAME_TLBS_RUN_1);
  double least = HW_TLBS_RISE * first->miss;
  struct hw_answer middle, cliff;

  if (pages == NULL || pages->n == 0)
    return "its curve was not measured";
  if (first->sets == 0)
    return "the sets of the first level are unknown";
  middle = hw_reduce_middle(pages, least);
  cliff = hw_reduce_cliff(pages, least);
  if (cliff.known && cliff.error <= 1) {
    *second = (struct hw_tlbs_second){.ways = (size_t)cliff.value, .entries = (size_t)cliff.value};
    return NULL;
  }
  second->ways = lengths != NULL ? tlbs_ways(lengths) : 0;
  second->entries = second->ways > 0 ? tlbs_entries(pages, second->ways, least) : 0;
  if (second->entries > 0)
    return NULL;
  return middle.known ? "its sets are not clear" : middle.why;
}

/* The rise of the far curve from a point to a later one: at least with sign -1, at most with 1. */
static double tlbs_rise(const struct hw_curve *far, size_t from, size_t to, double sign) {
  const struct hw_point *low = &far->point[from], *high = &far->point[to];

  return high->y - low->y + sign * HW_CLEAR * hw_rise_error(far, low, high);
}

bool hw_tlbs_far_clear(const struct hw_curve *far, const struct hw_tlbs_first *first) {
  return far->n >= 2 &&
         tlbs_rise(far, 0, 1, -1) >= HW_TLBS_RISE * first->miss * (1 - 1 / (double)HW_TLBS_TWICE);
}

/* Cycles that a load of the larger circle costs more, at least, if there is a second level: of
   the visits of a page in the smaller circle only the first misses it. */
static double tlbs_walk(const struct hw_tlbs_first *first) {
  return TLBS_WALK * first->miss * (1 - 1 / (double)HW_TLBS_TWICE);
}

/* Whether both circles cost the same, clear of the noise. */
static bool tlbs_one(const struct hw_curve *circles, const struct hw_tlbs_first *first) {
  return circles != NULL && circles->n == 2 && tlbs_rise(circles, 0, 1, 1) < tlbs_walk(first) &&
         tlbs_rise(circles, 0, 1, -1) > -tlbs_walk(first);
}

/* Whether it is not noise that keeps that from being clear. */
static bool tlbs_sure(const struct hw_curve *circles, const struct hw_tlbs_first *first) {
  return tlbs_rise(circles, 0, 1, 1) - tlbs_rise(circles, 0, 1, -1) < TLBS_QUIET * tlbs_walk(first);
}

bool hw_tlbs_circles_clear(const struct hw_curve *circles, const struct hw_tlbs_first *first) {
  return tlbs_one(circles, first) || tlbs_rise(circles, 0, 1, -1) > 0 || tlbs_sure(circles, first);
}

bool hw_tlbs_flat(const struct hw_curve *pages, const struct hw_tlbs_first *first) {
  const struct hw_point *last = &pages->point[pages->n - 1];

  if (pages->n < 3 || last->x < (double)HW_TLBS_PAGES)
    return false;
  for (size_t i = 0; i < pages->n; i++)
    if (fabs(pages->point[i].y - pages->point[0].y) > HW_TLBS_RISE / 2 * first->miss ||
        HW_CLEAR * hw_rise_error(pages, &pages->point[0], &pages->point[i]) >
            HW_TLBS_RISE * first->miss)
      return false;
  return true;
}

/* Whether it is not noise that keeps the curve from being clear. */
static bool tlbs_quiet(const struct hw_curve *pages, const struct hw_tlbs_first *first) {
  double rise = fmax(first->miss, pages->point[pages->n - 1].y - pages->point[0].y);

  for (size_t i = 0; i < pages->n; i++)
    if (hw_point_error(&pages->point[i]) > TLBS_QUIET * rise)
      return false;
  return true;
}

/* The number of levels: one, or two if there are more.  If it is known, the first in *first.
 */
static struct hw_answer tlbs_levels(const struct hw_curves *curves, struct hw_tlbs_first *first) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *circles = hw_curves_get(curves, HW_NAME_TLBS_CIRCLES);
  struct hw_answer middle;
  struct hw_tlbs_second second;

  if (pages == NULL || pages->n == 0)
    return hw_unknown("middle of the rise", "its curve was not measured");
  if (hw_tlbs_first(curves, first) < 0)
    return hw_unknown("middle of the rise", "the page is not known");
  if (hw_tlbs_shape(curves, first, &second) == NULL)
    return hw_known("pages of one set", 2, 0, HW_CLEAR);
  middle = hw_reduce_middle(pages, HW_TLBS_RISE * first->miss);
  if (middle.known)
    return hw_known(middle.method, 2, 0, middle.clarity);
  if (hw_tlbs_flat(pages, first) || tlbs_one(circles, first))
    return first->assumed ? hw_unknown(middle.method, "a small second level would not be seen")
                          : hw_known(middle.method, 1, 0, HW_CLEAR);
  middle.settled =
      circles != NULL && circles->n == 2 ? tlbs_sure(circles, first) : tlbs_quiet(pages, first);
  return middle;
}

struct hw_answer hw_read_tlb_levels(const struct hw_curves *curves) {
  const struct hw_curve *far = hw_curves_get(curves, HW_NAME_TLBS_FAR);
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  struct hw_answer levels = tlbs_levels(curves, &first);

  if (!levels.known || levels.value < 2 || hw_tlbs_shape(curves, &first, &second) == NULL)
    return levels;
  return far != NULL && hw_tlbs_far_clear(far, &first)
             ? levels
             : hw_unknown(levels.method, "the rise is not clearly that of a TLB");
}

/* Whether one page a set more than the second level seems to hold missed it at all times. */
static bool tlbs_always(const struct hw_curves *curves, double least) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *later = hw_curves_get(curves, HW_NAME_TLBS_LATER);

  if (later == NULL || later->n < HW_TLBS_LATER)
    return false;
  for (size_t i = 0; i < later->n; i++)
    if (later->point[i].y < pages->point[0].y + least)
      return false;
  return true;
}

/* The shape in *second and the first level in *first, or why it is not known or that there is none.
 */
static struct hw_answer tlbs_known(const struct hw_curves *curves, struct hw_tlbs_first *first,
                                   struct hw_tlbs_second *second) {
  static const char method[] = "pages of one set";
  struct hw_answer levels = tlbs_levels(curves, first);
  const char *why;

  if (!levels.known)
    return levels;
  if (levels.value < 2)
    return hw_absent(method, "there is no second level");
  why = hw_tlbs_shape(curves, first, second);
  if (why == NULL && !tlbs_always(curves, HW_TLBS_RISE * first->miss))
    return hw_unknown(method, "the SMT sibling takes entries at times");
  if (why == NULL)
    return hw_known(method, 0, 0, HW_CLEAR);
  levels = hw_unknown(method, why);
  levels.settled = tlbs_quiet(hw_curves_get(curves, HW_NAME_TLBS_PAGES), first);
  return levels;
}

/* The ways, or the entries. */
static struct hw_answer tlbs_number(const struct hw_curves *curves, bool ways) {
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &first, &second);

  if (answer.known)
    answer.value = (double)(ways ? second.ways : second.entries);
  return answer;
}

struct hw_answer hw_read_tlb2_entries(const struct hw_curves *curves) {
  return tlbs_number(curves, false);
}

struct hw_answer hw_read_tlb2_assoc(const struct hw_curves *curves) {
  return tlbs_number(curves, true);
}

struct hw_answer hw_read_tlb2_reach_bytes(const struct hw_curves *curves) {
  struct hw_answer page = hw_value_page_bytes(curves), entries = hw_value_tlb2_entries(curves);

  return page.known ? hw_scaled(entries, page.value) : page;
}

/* Pages of which the curve of pages says that one access in HW_EFFECTIVE_MISSES misses the second
   level; others on the core take entries at times.  Never more than its entries, where these are
   known. */
static struct hw_answer tlbs_effective(const struct hw_curves *curves) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  struct hw_answer levels = hw_value_tlb_levels(curves), entries = hw_value_tlb2_entries(curves);
  const struct hw_plateau held = {0, 0};
  struct hw_answer answer;

  if (!levels.known)
    return levels;
  if (levels.value < 2)
    return hw_absent("share of misses", "there is no second level");
  answer = hw_reduce_effective(pages, &held, pages->point[0].y, pages->point[pages->n - 1].y);
  if (!answer.known)
    return answer;
  if (entries.known)
    answer.value = fmin(answer.value, entries.value);
  answer = hw_at_other_times(
      hw_ranged(answer.method, answer.value, fmin(answer.low, answer.value), answer.value),
      HW_OTHERS_CACHE);
  if (entries.known)
    answer.high = fmin(answer.high, entries.value);
  return answer;
}

struct hw_answer hw_read_tlb2_eff_bytes(const struct hw_curves *curves) {
  struct hw_answer page = hw_value_page_bytes(curves);

  return page.known ? hw_scaled(tlbs_effective(curves), page.value) : page;
}

/* What a miss costs, with a range, where the shape of the level is not known: what half as many
   pages more than it holds cost at least, and the last of the curve at most.  A level that is not
   LRU still holds some of these. */
static struct hw_answer tlbs_beyond(const struct hw_curves *curves) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  struct hw_answer held = tlbs_effective(curves);
  struct hw_curve far;
  double hit, least, most;

  if (!held.known)
    return held;
  far = hw_curve_part(pages, HW_TLBS_BEYOND * held.value, pages->point[pages->n - 1].x);
  if (far.n < 2)
    return hw_unknown(held.method, "fewer than two points lie beyond");
  hit = pages->point[0].y;
  least = far.point[0].y - hit;
  most = far.point[far.n - 1].y - hit;
  return hw_at_other_times(hw_ranged(held.method, most, fmin(least, most), most), HW_OTHERS_MEMORY);
}

/* The level of the points well before the second level overflows, or (beyond) of those with at
   least one page more of each set, but not far beyond. */
static struct hw_answer tlbs_level(const struct hw_curves *curves,
                                   const struct hw_tlbs_second *second, bool beyond) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const double all = (double)second->entries, more = (double)(second->entries / second->ways);
  const struct hw_curve part = beyond ? hw_curve_part(pages, all + more, HW_TLBS_BEYOND * all)
                                      : hw_curve_part(pages, 0, TLBS_WITHIN * all);

  return hw_reduce_rate(&part);
}

/* What a miss costs just beyond the level, where its shape is known. */
static struct hw_answer tlbs_miss_exact(const struct hw_curves *curves) {
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &first, &second), hit, miss;

  if (!answer.known)
    return answer;
  hit = tlbs_level(curves, &second, false);
  miss = tlbs_level(curves, &second, true);
  answer = hit.known ? miss : hit;
  if (hit.known && miss.known) {
    answer.value = miss.value - hit.value;
    answer.error = hypot(miss.error, hit.error);
    if (answer.error > HW_RATE_ERROR * answer.value)
      answer = hw_unknown(miss.method, "the cost of a miss varies by more than 15 %");
  }
  answer.settled = !answer.known && tlbs_quiet(hw_curves_get(curves, HW_NAME_TLBS_PAGES), &first);
  return answer;
}

struct hw_answer hw_read_tlb2_miss(const struct hw_curves *curves) {
  struct hw_answer answer = tlbs_miss_exact(curves), beyond;

  if (answer.known)
    return answer;
  beyond = tlbs_beyond(curves);
  return answer.settled && beyond.known ? beyond : hw_else(answer, beyond);
}
