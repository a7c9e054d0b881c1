/* The page that the TLB sees, off the curves of probes/tlb/page.c.

   Method  The biggest step of the curve, if the second load adds as much as the first does to the
           cost of packed loads, which do not miss the TLB, and if there is no other step.
   Rows    PAGE_BYTES.
   See     BB 4.2.2. */
#include "analysis/names.h"
#include "analysis/values.h"

#include <math.h>

/* Below the page only first loads miss the TLB, above it all do: the cost over a hit doubles.  If
   it triples, the TLB still holds part of the pages, and its sets, not the page, may make the step.
   If it grows by less than one and a half, something else than the TLB costs. */
#define PAGE_DOUBLED_LOW 1.5
#define PAGE_DOUBLED_HIGH 3.0
/* There is no other step where both sides of it scatter by less than this part of it. */
#define PAGE_FLAT 0.5

/* The cost of loads over a range of strides, cycles. */
struct page_level {
  double average;
  double scatter; /* from the least to the most */
};

/* The level over the strides in [low, high). */
static struct page_level page_level(const struct hw_curve *curve, double low, double high) {
  double sum = 0, least = INFINITY, most = -INFINITY;
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].x >= low && curve->point[i].x < high) {
      sum += curve->point[i].y;
      least = fmin(least, curve->point[i].y);
      most = fmax(most, curve->point[i].y);
      n++;
    }
  return n == 0 ? (struct page_level){0, 0} : (struct page_level){sum / (double)n, most - least};
}

struct hw_answer hw_read_page_bytes(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_PAGE);
  const struct hw_curve *packed = hw_curves_get(curves, HW_NAME_PAGE_PACKED);
  struct hw_answer step;
  struct page_level before, after;
  double cost;

  if (curve == NULL || packed == NULL || packed->n == 0)
    return hw_unknown("biggest scaled step", "its curve was not measured");
  step = hw_reduce_biggest_step(curve, HW_STEP_SCALED);
  if (!step.known)
    return step;
  step.value += step.error;
  before = page_level(curve, 0, step.value);
  after = page_level(curve, step.value, INFINITY);
  cost = (after.average - packed->point[0].y) / (before.average - packed->point[0].y);
  if (!(cost > PAGE_DOUBLED_LOW && cost < PAGE_DOUBLED_HIGH))
    return hw_unknown(step.method, "the second load does not cost what the first does");
  if (fmax(before.scatter, after.scatter) > PAGE_FLAT * (after.average - before.average))
    return hw_unknown(step.method, "the curve is not flat on both sides of its step");
  return step;
}
