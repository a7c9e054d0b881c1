/* Associativity and capacity from the lengths of compact sequences (XM 3.2, 4.1.2). */
#include "analysis/reduce.h"

/* The index of the first point from which all lengths are equal: the cache's own stride. */
static size_t compact_foot(const struct hw_curve *lengths) {
  size_t i = lengths->n - 1;

  while (i > 0 && !(lengths->point[i - 1].y > lengths->point[i].y) &&
         !(lengths->point[i - 1].y < lengths->point[i].y))
    i--;
  return i;
}

/* Whether the lengths at strides below the cache's obey theorem 1.  A miss of only a small part of
   the loads may go unseen, so that a length comes out up to one way too long; but not next to the
   cache's stride, where each miss costs most: a longer one there shows a wrong foot.  The smaller
   the stride, the more sets are filled, and one in which another thread holds a line makes the
   length too short: that means nothing where the length next to the cache's stride obeys, unless it
   is no more than that of a cache half as large. */
static bool compact_lawful(const struct hw_curve *lengths, size_t foot) {
  double ways = lengths->point[foot].y;
  double stride = lengths->point[foot].x;

  for (size_t i = 0; i < foot; i++) {
    const struct hw_point *p = &lengths->point[i];
    double least = ways * stride / p->x;
    double most = i + 1 == foot ? least : (ways + 1) * stride / p->x - 1;
    if (p->y > most || (p->y < least && (i + 1 == foot || p->y <= least / 2)))
      return false;
  }
  return true;
}

/* The foot of the curve in *foot.  NULL, or why there is none. */
static const char *compact_find(const struct hw_curve *lengths, size_t *foot) {
  if (lengths->n < 3)
    return "fewer than three strides are clear";
  *foot = compact_foot(lengths);
  if (*foot + 2 > lengths->n)
    return "the last two strides differ";
  if (*foot == 0)
    return "no stride is smaller than that of the cache";
  return compact_lawful(lengths, *foot) ? NULL : "different strides give different capacities";
}

/* The ways, or the capacity in bytes. */
static struct hw_answer compact_answer(const struct hw_curve *lengths, bool bytes) {
  static const char method[] = "compact sequences";
  size_t foot;
  const char *why = compact_find(lengths, &foot);

  return why == NULL
             ? hw_known(method, lengths->point[foot].y * (bytes ? lengths->point[foot].x : 1), 0,
                        HW_CLEAR)
             : hw_unknown(method, why);
}

struct hw_answer hw_reduce_compact_ways(const struct hw_curve *lengths) {
  return compact_answer(lengths, false);
}

struct hw_answer hw_reduce_compact_capacity(const struct hw_curve *lengths) {
  return compact_answer(lengths, true);
}
