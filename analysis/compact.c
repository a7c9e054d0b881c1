/* Associativity and capacity from the lengths of compact sequences (XM 3.2, 4.1.2). */
#include "analysis/reduce.h"

#include <math.h>

/* Elements beyond the compact ones that are checked. */
#define COMPACT_BEYOND 4.0
/* A thread that could be mistaken for the end evicts all lines of a walk that is slow enough: the
   border is half of the extra cost then. */
#define COMPACT_KEPT 0.5
/* With two elements to a block this many times as many elements as blocks are held: between one,
   where elements count, and two, where the last blocks are in use. */
#define COMPACT_AGAIN 1.5

/* Whether the elements after point i cost no more, each, than the first of them, as under LRU,
   where the first beyond the ways makes its whole set miss. */
static bool compact_concave(const struct hw_curve *curve, size_t i) {
  const struct hw_point *low = &curve->point[i], *first = low + 1;
  double rise = first->y - low->y, doubt = hw_rise_error(curve, low, first);

  for (const struct hw_point *p = first; p < curve->point + curve->n; p++) {
    double beyond = p->x - low->x;
    if (beyond > COMPACT_BEYOND)
      break;
    if (p->y - low->y - beyond * rise > HW_CLEAR * (beyond * doubt + hw_rise_error(curve, low, p)))
      return false;
  }
  return true;
}

double hw_compact_share(const struct hw_curve *curve, double length) {
  const struct hw_point *last = &curve->point[curve->n - 1], *low;
  size_t i = 0;

  while (i + 1 < curve->n && curve->point[i + 1].x <= length)
    i++;
  low = &curve->point[i];
  if (low == last || compact_concave(curve, i))
    return 1;
  return (low[1].y - low->y - HW_CLEAR * hw_rise_error(curve, low, low + 1)) / (last->y - low->y);
}

struct hw_answer hw_reduce_compact_length(const struct hw_curve *curve) {
  struct hw_answer step = hw_reduce_first_step(curve);

  if (!step.known || step.error > 1)
    return step;
  if (!(hw_compact_share(curve, step.value) >= HW_COMPACT_SHARE))
    return hw_unknown(step.method, "another thread holds a part of the last entries");
  return step;
}

struct hw_answer hw_reduce_kept(const struct hw_curve *slow) {
  static const char method[] = "slow walks";
  const struct hw_point *half, *full, *over;
  double rise, level, error;

  if (slow->n != 3)
    return hw_unknown(method, "not all of it was measured");
  half = &slow->point[0];
  full = &slow->point[1];
  over = &slow->point[2];
  rise = full->y - half->y;
  level = over->y - half->y;
  error = hypot(hw_rise_error(slow, half, full), hw_rise_error(slow, half, over) * COMPACT_KEPT);
  if (level * COMPACT_KEPT - fabs(rise) < HW_CLEAR * error)
    return hw_unknown(method, "another thread uses entries, or it is not clear that none does");
  return hw_known(method, full->x, 0, HW_CLEAR);
}

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

bool hw_counts_blocks(const struct hw_curve *one, const struct hw_curve *two, double length) {
  size_t i = 0, k = 0;

  while (i < two->n && two->point[i].x < COMPACT_AGAIN * length)
    i++;
  while (k < one->n && one->point[k].x <= length)
    k++;
  return i < two->n && k < one->n && two->point[i].x < 2 * length &&
         two->point[i].y < (one->point[0].y + one->point[k].y) / 2;
}

/* The foot of the curve in *foot; block: the stride (bytes) at which each element is known to have
   a block of its own, or 0.  NULL, or why there is none. */
static const char *compact_find(const struct hw_curve *lengths, double block, size_t *foot) {
  if (lengths->n < 3)
    return "fewer than three strides are clear";
  *foot = compact_foot(lengths);
  if (*foot + 2 > lengths->n)
    return "the last two strides differ";
  if (*foot == 0 && lengths->point[0].x > block)
    return "no stride is smaller than that of the cache";
  return compact_lawful(lengths, *foot) ? NULL : "different strides give different capacities";
}

struct hw_answer hw_reduce_block_ways(const struct hw_curve *lengths, double block) {
  static const char method[] = "compact sequences";
  size_t foot;
  const char *why = compact_find(lengths, block, &foot);

  return why == NULL ? hw_known(method, lengths->point[foot].y, 0, HW_CLEAR)
                     : hw_unknown(method, why);
}

struct hw_answer hw_reduce_block_capacity(const struct hw_curve *lengths, double block) {
  static const char method[] = "compact sequences";
  size_t foot;
  const char *why = compact_find(lengths, block, &foot);

  return why == NULL
             ? hw_known(method, lengths->point[foot].y * lengths->point[foot].x, 0, HW_CLEAR)
             : hw_unknown(method, why);
}

struct hw_answer hw_reduce_compact_ways(const struct hw_curve *lengths) {
  return hw_reduce_block_ways(lengths, 0);
}

struct hw_answer hw_reduce_compact_capacity(const struct hw_curve *lengths) {
  return hw_reduce_block_capacity(lengths, 0);
}
