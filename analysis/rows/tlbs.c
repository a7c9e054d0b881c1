/* Levels of TLB; the second, off the curves of probes/tlb/tlbs.c.

   Method  Where the second level overflows, the curve of pages rises.  All of the sets into which
           runs fall overflow at once when the runs are one more than the ways: a cliff.  Where they
           lie in two sets each, or three, there is none.  Sets are a power of two: the entries are
           the ways times the one that agrees with the rise of the first curve.  That is so as well
           where the sets are chosen by a hash of the address.  The rise must be there again in the
           far curve, and far behind it none, or a third level overflows.  What the tables of pages
           cost does not rise, since what is next to each other in them is read at a time.
           What is clearly too much for the second level must never fit.
           That there is no second level is seen in the same way: pages that all miss the first cost
           no more, clear of the noise, where they are more than any second level holds.  A rise
           there is not taken for a second level, since the tables of pages may leave a small cache.
   Rows    TLB_LEVELS, TLB2_ENTRIES, TLB2_ASSOC, TLB2_REACH_BYTES, TLB2_MISS.
   Limits  A second level with less than twice the entries of the first is not seen, nor one with
           more than 64 times as many, or than 4096, where the first curve is not clear; nor a third
           with less than three times those of the second or more than six times and 4096.  With
           replacement far from LRU there is no cliff, and the entries are unknown.  The miss is
           that just beyond the second level, where the tables of pages are in the caches; it
           differs by a tenth from one mapping to another.
   See     XM 5, 6; BB 3.2. */
#include "analysis/rows/tlbs.h"

#include "analysis/names.h"

#include <math.h>
#include <stdio.h>

/* Without a second level, what follows on a miss of the first is a walk through the tables of
   pages.  It costs at least what a hit of a second level does, which would stand before it: a load
   of the tables. */
#define TLBS_WALK 1.0
/* The middle of the rise may come sooner by this share, since a walk through the tables of pages,
   or a neighbour, needs some of the second level, and later by that.  Another number of sets would
   be off by a factor of two; three times a power of two look like three times the ways. */
#define TLBS_SOONER 0.25
#define TLBS_LATE 0.15
/* Noise of this share of a rise, or of a miss of the first level, leaves the shape to be seen. */
#define TLBS_QUIET 0.125
/* Nearly full, a level already loses some of what it holds. */
#define TLBS_WITHIN 0.85

int hw_tlbs_first(const struct hw_curves *curves, struct hw_tlbs_first *first) {
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

const struct hw_point *hw_tlbs_foot(const struct hw_curve *lengths) {
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

const char *hw_tlbs_shape(const struct hw_curves *curves, const struct hw_tlbs_first *first,
                          struct hw_tlbs_second *second) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  double least = HW_TLBS_RISE * first->miss;
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
  for (size_t run = first->entries; run >= HW_TLBS_RUN_MIN; run--) {
    char name[HW_CURVE_NAME];
    const struct hw_curve *lengths;
    const struct hw_point *foot;
    snprintf(name, sizeof name, "tlbs_run_%zu", run);
    lengths = hw_curves_get(curves, name);
    foot = lengths != NULL ? hw_tlbs_foot(lengths) : NULL;
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
static struct hw_answer tlbs_three(const struct hw_curve *far, const struct hw_tlbs_first *first,
                                   struct hw_answer two) {
  struct hw_answer third;
  double least;

  if (far == NULL || far->n < 3)
    return hw_absent(two.method, "memory was short for a third level");
  if (tlbs_rise(far, 0, 1, -1) < HW_TLBS_RISE * first->miss * (1 - 1 / (double)HW_TLBS_TWICE))
    return hw_unknown(two.method, "the rise is not clearly that of a TLB");
  least = HW_TLBS_RISE * (far->point[1].y - far->point[0].y);
  /* Of more pages a TLB misses more: the last point is the highest. */
  if (tlbs_rise(far, 1, far->n - 1, 1) < least)
    return two;
  third = tlbs_third(far, least);
  return third.known ? hw_known(two.method, 3, 0, third.clarity)
                     : hw_unknown(two.method, "a third level is not clear");
}

bool hw_tlbs_far_clear(const struct hw_curve *far, const struct hw_tlbs_first *first) {
  return tlbs_three(far, first, hw_known("none", 2, 0, HW_CLEAR)).known;
}

/* What a load of the larger circle costs more where there is a second level, at least, cycles: of
   the visits of a page in the smaller only the first misses it. */
static double tlbs_walk(const struct hw_tlbs_first *first) {
  return TLBS_WALK * first->miss * (1 - 1 / (double)HW_TLBS_TWICE);
}

/* Whether both circles cost the same, clear of the noise. */
static bool tlbs_one(const struct hw_curve *circles, const struct hw_tlbs_first *first) {
  return circles != NULL && circles->n == 2 && tlbs_rise(circles, 0, 1, 1) < tlbs_walk(first) &&
         tlbs_rise(circles, 0, 1, -1) > -tlbs_walk(first);
}

/* Whether noise is not what keeps that from being clear. */
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

/* Whether noise is not what keeps the curve from being clear. */
static bool tlbs_quiet(const struct hw_curve *pages, const struct hw_tlbs_first *first) {
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
  struct hw_tlbs_first first;

  if (pages == NULL || pages->n == 0 || hw_tlbs_first(curves, &first) < 0)
    return hw_unknown("middle of the rise", "the first level is not known");
  middle = hw_reduce_middle(pages, HW_TLBS_RISE * first.miss);
  if (middle.known)
    return hw_known(middle.method, 2, 0, middle.clarity);
  if (hw_tlbs_flat(pages, &first) || tlbs_one(circles, &first))
    return hw_known(middle.method, 1, 0, HW_CLEAR);
  middle.settled =
      circles != NULL && circles->n == 2 ? tlbs_sure(circles, &first) : tlbs_quiet(pages, &first);
  return middle;
}

bool hw_tlbs_told(const struct hw_curves *curves) {
  struct hw_answer two = tlbs_two(curves), entries = hw_value_tlb2_entries(curves);
  struct hw_answer miss = hw_value_tlb2_miss(curves);

  return two.known && two.value > 1 && (entries.known || entries.settled) &&
         (miss.known || miss.settled);
}

struct hw_answer hw_read_tlb_levels(const struct hw_curves *curves) {
  struct hw_answer two = tlbs_two(curves);
  struct hw_tlbs_first first;

  if (!two.known || two.value < 2 || hw_tlbs_first(curves, &first) < 0)
    return two;
  return tlbs_three(hw_curves_get(curves, HW_NAME_TLBS_FAR), &first, two);
}

/* Whether one page in two more than the second level seems to hold missed it at all times: a load
   cost at least what is half way up the rise of so many pages. */
static bool tlbs_always(const struct hw_curves *curves, const struct hw_answer *middle) {
  const struct hw_curve *pages = hw_curves_get(curves, HW_NAME_TLBS_PAGES);
  const struct hw_curve *later = hw_curves_get(curves, HW_NAME_TLBS_LATER);
  size_t last = pages->n - 1;

  if (later == NULL || later->n < HW_TLBS_LATER)
    return false;
  while (last > 0 && pages->point[last - 1].x >= HW_TLBS_BEYOND * middle->value)
    last--;
  for (size_t i = 0; i < later->n; i++)
    if (later->point[i].y < (pages->point[0].y + pages->point[last].y) / 2)
      return false;
  return true;
}

/* The shape, or the answer that it is not known or that there is none. */
static struct hw_answer tlbs_known(const struct hw_curves *curves, struct hw_tlbs_second *second) {
  static const char method[] = "cliff";
  struct hw_answer levels = tlbs_two(curves), middle;
  struct hw_tlbs_first first;
  const char *why;

  if (!levels.known || hw_tlbs_first(curves, &first) < 0)
    return levels;
  if (levels.value < 2)
    return hw_absent(method, "there is no second level");
  why = hw_tlbs_shape(curves, &first, second);
  middle = hw_reduce_middle(hw_curves_get(curves, HW_NAME_TLBS_PAGES), HW_TLBS_RISE * first.miss);
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
                                    size_t (*number)(const struct hw_tlbs_second *second)) {
  struct hw_tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &second);

  if (answer.known)
    answer.value = (double)number(&second);
  return answer;
}

static size_t tlbs_second_entries(const struct hw_tlbs_second *second) { return second->entries; }

static size_t tlbs_second_ways(const struct hw_tlbs_second *second) { return second->ways; }

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
    if (beyond ? p.x > length && p.x <= HW_TLBS_BEYOND * length : p.x <= TLBS_WITHIN * length) {
      p.x = (double)part->n;
      result = hw_curve_put(part, p);
    }
  }
  return result;
}

/* The level of the points before the cliffs of the second level, or behind them. */
static struct hw_answer tlbs_level(const struct hw_curves *curves,
                                   const struct hw_tlbs_second *second, bool beyond) {
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
  struct hw_tlbs_first first;
  struct hw_tlbs_second second;
  struct hw_answer answer = tlbs_known(curves, &second), hit, miss;

  if (!answer.known || hw_tlbs_first(curves, &first) < 0)
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
