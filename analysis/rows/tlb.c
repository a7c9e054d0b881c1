/* Entries, associativity and miss of the first-level TLB, off the curves of probes/tlb/tlb.c.

   Method  If all strides have the same length, two loads a page show whether it counts pages
           or loads.  An SMT sibling that uses ever new pages evicts the more entries the slower the
           walk: a slow walk over what the TLB seems to hold shows it.  One that uses the same few
           pages shows when one page too many fits at some times.
   Rows    TLB1_ENTRIES, TLB1_ASSOC, TLB1_REACH_BYTES, TLB1_MISS.
   Limits  A level-1 cache with fewer lines for the offsets of a page than the TLB has entries is
           in the way; so is a page of this program in constant use.  The lengths then contradict
           each other, but not where the TLB is fully associative.
   See     XM 6; BB 3.2. */
#include "analysis/rows/tlb.h"

#include "analysis/names.h"

#include <math.h>
#include <stdio.h>

/* A stride's curve has no more than this many times the pages that the TLB holds. */
#define TLB_AGAIN 4
/* A point is below another by more than this share: not all of its pages miss. */
#define TLB_BELOW 0.03

/* The curve of a stride (bytes), or NULL. */
static const struct hw_curve *tlb_stride(const struct hw_curves *curves, double stride) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "tlb_stride_%.0f", stride);
  return hw_curves_get(curves, name);
}

/* The last point of a stride's curve that has no more pages, or NULL if none lies behind it. */
static const struct hw_point *tlb_held(const struct hw_curve *curve, double pages) {
  size_t over = 0;

  while (over < curve->n && curve->point[over].x <= pages)
    over++;
  return over == 0 || over == curve->n ? NULL : &curve->point[over - 1];
}

/* Why it is not known that one page too many never fitted, or NULL.  Under any replacement policy
   at least one load of a lap of one page too many misses, and under some, as a clock or a tree,
   only a few do, in the quickest samples.  So the border is half a miss a lap above what fits. */
static const char *tlb_fits(const struct hw_curves *curves) {
  const struct hw_curve *lengths = hw_curves_get(curves, HW_NAME_TLB_STRIDES);
  const struct hw_curve *later = hw_curves_get(curves, HW_NAME_TLB_LATER);
  const struct hw_point *last = &lengths->point[lengths->n - 1], *held;
  const struct hw_curve *curve = tlb_stride(curves, last->x);
  double miss;

  held = curve != NULL ? tlb_held(curve, last->y) : NULL;
  if (held == NULL || later == NULL || later->n < HW_TLB_LOOKS)
    return "one page more than fits was sampled too rarely";
  miss = curve->point[curve->n - 1].y - curve->point[0].y;
  for (size_t i = 0; i < later->n; i++)
    if (later->point[i].y < held->y + miss / 2 / (last->y + 1))
      return "the SMT sibling takes entries at times";
  return NULL;
}

/* Whether the slow walk was so slow that another thread would have shown in it which takes an entry
   in as many laps as one page too many seems to miss in: two at least in each slow lap. */
static bool tlb_slowly(const struct hw_curves *curves, const struct hw_curve *lengths) {
  const struct hw_curve *slow = hw_curves_get(curves, HW_NAME_TLB_SLOW);

  for (const struct hw_point *p = lengths->point; p < lengths->point + lengths->n; p++) {
    const struct hw_curve *curve = tlb_stride(curves, p->x);
    double share = curve != NULL && curve->n > 0 ? hw_compact_share(curve, p->y) : 1;
    if (share < 1 && slow->point[0].y * share < 2 * curve->point[0].y)
      return false;
  }
  return true;
}

/* The page (bytes), where the lengths begin at its stride and count pages; else 0. */
static double tlb_block(const struct hw_curves *curves, const struct hw_curve *lengths) {
  struct hw_answer page = hw_value_page_bytes(curves);
  const struct hw_curve *one, *two;
  double stride;

  if (!page.known || lengths->n == 0)
    return 0;
  stride = lengths->point[0].x;
  one = tlb_stride(curves, page.value);
  two = tlb_stride(curves, page.value / 2);
  if (one == NULL || two == NULL || stride < page.value || stride > page.value)
    return 0;
  return hw_counts_blocks(one, two, lengths->point[0].y) ? page.value : 0;
}

/* The lengths reduced, unless another thread took a part of the entries. */
static struct hw_answer tlb_reduce(const struct hw_curves *curves,
                                   struct hw_answer (*reduce)(const struct hw_curve *, double)) {
  const struct hw_curve *lengths = hw_curves_get(curves, HW_NAME_TLB_STRIDES);
  struct hw_answer kept = hw_reduce_named(curves, HW_NAME_TLB_SLOW, hw_reduce_kept);
  struct hw_answer answer = lengths != NULL
                                ? reduce(lengths, tlb_block(curves, lengths))
                                : hw_unknown("compact sequences", "it was not measured");
  const char *why;

  if (!answer.known || !kept.known)
    return answer.known ? kept : answer;
  why = tlb_slowly(curves, lengths) ? tlb_fits(curves)
                                    : "another thread holds a part of the last entries";
  return why == NULL ? answer : hw_unknown(kept.method, why);
}

struct hw_answer hw_read_tlb1_assoc(const struct hw_curves *curves) {
  return tlb_reduce(curves, hw_reduce_block_ways);
}

struct hw_answer hw_read_tlb1_reach_bytes(const struct hw_curves *curves) {
  return tlb_reduce(curves, hw_reduce_block_capacity);
}

struct hw_answer hw_read_tlb1_entries(const struct hw_curves *curves) {
  struct hw_answer reach = hw_value_tlb1_reach_bytes(curves);
  struct hw_answer page = hw_value_page_bytes(curves);

  return page.known ? hw_scaled(reach, 1 / page.value) : page;
}

/* The index of the first point behind x at which all pages miss.  A set that is not LRU misses all
   of a circle only with some more pages than its ways, and with some orders before others: the
   first points whose quickest samples are clearly below the median of those behind x are left out.
 */
static size_t tlb_beyond(const struct hw_curve *curve, double x) {
  size_t first = 0, i;

  while (first < curve->n && curve->point[first].x <= x)
    first++;
  for (i = first; i < curve->n; i++) {
    double best = hw_point_best(&curve->point[i]);
    size_t above = 0;
    for (size_t j = first; j < curve->n; j++)
      above += (1 - TLB_BELOW) * hw_point_best(&curve->point[j]) > best;
    if (2 * above <= curve->n - first)
      break;
  }
  return i;
}

double hw_tlb_missed(const struct hw_curves *curves, double page, double entries) {
  const struct hw_curve *curve = tlb_stride(curves, page);
  size_t i = curve != NULL ? tlb_beyond(curve, entries) : 0;

  return curve != NULL && i < curve->n && curve->point[i].x <= TLB_AGAIN * entries
             ? curve->point[i].x
             : 0;
}

/* The level of the points of a stride's curve, by a reduction: of those that the TLB holds, or of
   those that all miss. */
static struct hw_answer tlb_level(const struct hw_curves *curves, const struct hw_point *length,
                                  bool beyond,
                                  struct hw_answer (*reduce)(const struct hw_curve *)) {
  struct hw_answer answer = hw_unknown("median level", "its curve was not measured");
  const struct hw_curve *curve = tlb_stride(curves, length->x);
  struct hw_curve part;
  int result = 0;

  if (curve == NULL)
    return answer;
  hw_curve_init(&part, curve->name, curve->x_title, curve->y_title);
  for (size_t i = beyond ? tlb_beyond(curve, length->y) : 0; i < curve->n && result == 0; i++)
    if (beyond || curve->point[i].x <= length->y)
      result = hw_curve_put(&part, curve->point[i]);
  if (result == 0)
    answer = reduce(&part);
  hw_curve_free(&part);
  return answer;
}

/* By how much longer misses take than hits.  The least stride has most points that hit.  At the
   largest, beyond the TLB's own, all pages of a sequence that is too long miss. */
static struct hw_answer tlb_longer(const struct hw_curves *curves,
                                   struct hw_answer (*reduce)(const struct hw_curve *),
                                   struct hw_answer *range) {
  const struct hw_curve *lengths = hw_curves_get(curves, HW_NAME_TLB_STRIDES);
  struct hw_answer hit = tlb_level(curves, &lengths->point[0], false, reduce);
  struct hw_answer miss = tlb_level(curves, &lengths->point[lengths->n - 1], true, reduce);

  *range = hw_difference(miss, hit);
  if (!hit.known || !miss.known)
    return hit.known ? miss : hit;
  return hw_known(miss.method, miss.value - hit.value, hypot(miss.error, hit.error), HW_CLEAR);
}

struct hw_answer hw_read_tlb1_miss(const struct hw_curves *curves) {
  struct hw_answer ways = tlb_reduce(curves, hw_reduce_block_ways), longer, range;

  if (!ways.known)
    return ways;
  tlb_longer(curves, hw_reduce_level_range, &range);
  longer = tlb_longer(curves, hw_reduce_level, &(struct hw_answer){0});
  return hw_else(hw_rounded(longer), range);
}
