/* Entries, associativity and miss of the first-level TLB, off the curves of probes/tlb/tlb.c.

   Method  The lengths of compact sequences.  The page that is one too many must cost clearly more
           than those before it: else which pages are replaced is random.
   Rows    TLB1_ENTRIES, TLB1_ASSOC, TLB1_REACH_BYTES, TLB1_MISS.
   Limits  A level-1 cache with fewer lines for the offsets of a page than the TLB has entries is
           in the way; so is a page of this program in constant use.
   See     XM 6; BB 3.2. */
#include "analysis/rows/tlb.h"

#include "analysis/names.h"

#include <math.h>
#include <stdio.h>

/* A stride's curve has no more than this many times the pages that the TLB holds. */
#define TLB_AGAIN 4
/* A point is below another by more than this share: not all of its pages miss. */
#define TLB_BELOW 0.03
/* One page too many costs this many times what the last that fits does, at least. */
#define TLB_SHARP 4

/* The curve of a stride (bytes), or NULL. */
static const struct hw_curve *tlb_stride(const struct hw_curves *curves, double stride) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "tlb_stride_%.0f", stride);
  return hw_curves_get(curves, name);
}

/* Whether one page too many costs several times what the last that fits does: where the replaced
   page is random few too many hardly miss, and some of them seem to fit. */
static bool tlb_sharp(const struct hw_curve *curve, double ways) {
  const struct hw_point *full = curve != NULL ? hw_curve_at(curve, ways) : NULL;

  return full != NULL && full + 1 < curve->point + curve->n &&
         TLB_SHARP * (full->y - curve->point[0].y) <= full[1].y - full->y;
}

/* The lengths reduced, unless the last page that fits is not clear. */
static struct hw_answer tlb_reduce(const struct hw_curves *curves,
                                   struct hw_answer (*reduce)(const struct hw_curve *)) {
  struct hw_answer ways = hw_reduce_named(curves, HW_NAME_TLB_STRIDES, hw_reduce_compact_ways);
  struct hw_answer reach = hw_reduce_named(curves, HW_NAME_TLB_STRIDES, hw_reduce_compact_capacity);

  if (ways.known && !tlb_sharp(tlb_stride(curves, reach.value / ways.value), ways.value))
    return hw_unknown(ways.method, "it is not clear which page is one too many");
  return hw_reduce_named(curves, HW_NAME_TLB_STRIDES, reduce);
}

struct hw_answer hw_read_tlb1_assoc(const struct hw_curves *curves) {
  return tlb_reduce(curves, hw_reduce_compact_ways);
}

struct hw_answer hw_read_tlb1_reach_bytes(const struct hw_curves *curves) {
  return tlb_reduce(curves, hw_reduce_compact_capacity);
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

/* The level of the points of a stride's curve, by a reduction: of up to that many pages, which the
   TLB holds, or of those that all miss. */
static struct hw_answer tlb_level(const struct hw_curve *curve, double pages, bool beyond,
                                  struct hw_answer (*reduce)(const struct hw_curve *)) {
  struct hw_curve part;
  size_t first;

  if (curve == NULL)
    return hw_unknown("median level", "its curve was not measured");
  first = beyond ? tlb_beyond(curve, pages) : 0;
  part = hw_curve_part(curve, first < curve->n ? curve->point[first].x : INFINITY,
                       beyond ? INFINITY : pages);
  return reduce(&part);
}

/* By how much longer misses take than hits.  Adjacent pages have most points that hit.  At the own
   stride all pages of a sequence that is too long miss. */
static struct hw_answer tlb_longer(const struct hw_curves *curves, double reach, double ways,
                                   struct hw_answer (*reduce)(const struct hw_curve *),
                                   struct hw_answer *range) {
  struct hw_answer page = hw_value_page_bytes(curves);
  struct hw_answer hit =
      tlb_level(tlb_stride(curves, page.value), reach / page.value, false, reduce);
  struct hw_answer miss = tlb_level(tlb_stride(curves, reach / ways), ways, true, reduce);

  *range = hw_difference(miss, hit);
  if (!hit.known || !miss.known)
    return hit.known ? miss : hit;
  return hw_known(miss.method, miss.value - hit.value, hypot(miss.error, hit.error), HW_CLEAR);
}

struct hw_answer hw_read_tlb1_miss(const struct hw_curves *curves) {
  struct hw_answer ways = hw_value_tlb1_assoc(curves), longer, range;
  double reach = hw_value_tlb1_reach_bytes(curves).value;

  if (!ways.known)
    return ways;
  tlb_longer(curves, reach, ways.value, hw_reduce_level_range, &range);
  longer = tlb_longer(curves, reach, ways.value, hw_reduce_level, &(struct hw_answer){0});
  return hw_else(hw_rounded(longer), range);
}
