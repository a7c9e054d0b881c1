/* The latency without prefetchers and TLBs, from loads at growing distances.

   Near each other loads hit lines that a prefetcher brought, and cost less; far apart each has a
   page of its own, and pays for a TLB miss besides.  The loads of a page share that miss, so that
   its part grows evenly with their distance.  Lines that a prefetcher no longer brings make loads
   dearer at once: from where that ends the curve is flat, but for the TLB. */
#include "analysis/reduce.h"

#include <math.h>

/* Points from the flat part's begin on, at least: two do not show how they grow. */
#define APART_POINTS 3u
/* Points used at most. */
#define APART_MOST 16u

/* The latency if the curve is flat from a point on, but for the TLB: then all later ones agree.  Of
   nearer ones those that agree count too: others are cheaper by a prefetcher, or dearer as another
   process was there. */
static struct hw_answer apart_from(const struct hw_curve *curve, size_t first) {
  static const char method[] = "where distance stands still";
  const struct hw_point *from = &curve->point[first], *last = &curve->point[curve->n - 1];
  double slope = fmax(0, (last->y - from->y) / (last->x - from->x));
  double flat[APART_MOST], middle, low, high;
  size_t n = 0;

  for (size_t i = first; i < curve->n; i++)
    flat[n++] = curve->point[i].y - slope * curve->point[i].x;
  hw_sort(flat, n);
  middle = flat[(n - 1) / 2];
  low = flat[0];
  high = flat[n - 1];
  if (high > (1 + HW_APART_AGREE) * middle || low < (1 - HW_APART_AGREE) * middle)
    return hw_unknown(method, "the latency keeps changing as loads lie farther apart");
  for (size_t i = 0; i < first; i++) {
    double near = curve->point[i].y - slope * curve->point[i].x;
    if (fabs(near - middle) <= HW_APART_AGREE * middle) {
      low = fmin(low, near);
      high = fmax(high, near);
    }
  }
  return hw_ranged(method, middle, low, high);
}

struct hw_answer hw_reduce_apart(const struct hw_curve *curve) {
  struct hw_answer answer = hw_unknown("where distance stands still", "too few distances");

  for (size_t i = 0; i + APART_POINTS <= curve->n && curve->n <= APART_MOST && !answer.known; i++)
    answer = apart_from(curve, i);
  return answer;
}
