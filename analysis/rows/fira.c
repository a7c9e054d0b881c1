/* Miss penalties by forward initialisation and reverse access, off the curve of probes/data/fira.c.

   Method  The cost of a line shows its level; differences of levels are the miss penalties.
   Rows    L1_MISS_FIRA, L2_MISS_FIRA, L3_MISS_FIRA.
   Limits  A replacement policy that keeps more of the old lines than LRU holds other parts of the
           array; the points then lie between two levels.  The lines of a place are adjacent:
           where prefetchers bring in some of them, a penalty comes out too low.
   See     DM table I. */
#include "analysis/names.h"
#include "analysis/rows/traffic.h"

/* Places up to this part of a level's plateau lie in it. */
#define FIRA_PART 0.5

/* The latency of a load (cycles) at the distances of a curve that lie in a level, well before its
   end. */
static struct hw_answer fira_level(const struct hw_curves *curves, const char *name, size_t level) {
  struct hw_curve part = hw_traffic_part(curves, name, level);
  bool whole;
  size_t kept = 1;

  if (part.n == 0)
    return hw_unknown("median rate", "no working set lies in the level");
  if (level <= hw_traffic_caches(curves, &whole)) {
    struct hw_level at[HW_LEVELS];
    hw_levels_seen(curves, at, &whole);
    while (kept < part.n && part.point[kept].x <= FIRA_PART * at[level - 1].most)
      kept++;
    part.n = kept;
  }
  return hw_reduce_rate(&part);
}

/* The miss penalty of a level, 1 the first, over a hit, in cycles, by that curve. */
static struct hw_answer fira_penalty(const struct hw_curves *curves, const char *name,
                                     size_t level) {
  struct hw_answer hit = hw_traffic_has(curves, level, "median rate"), miss;

  if (!hit.known)
    return hit;
  hit = fira_level(curves, name, level);
  miss = fira_level(curves, name, level + 1);
  if (!hit.known || !miss.known)
    return hit.known ? miss : hit;
  miss.value -= hit.value;
  miss.error += hit.error;
  return miss.value > miss.error ? miss
                                 : hw_unknown(miss.method, "a miss costs no more than a hit");
}

struct hw_answer hw_read_l1_miss_fira(const struct hw_curves *curves) {
  return fira_penalty(curves, HW_NAME_FIRA, 1);
}

struct hw_answer hw_read_l2_miss_fira(const struct hw_curves *curves) {
  return fira_penalty(curves, HW_NAME_FIRA, 2);
}

struct hw_answer hw_read_l3_miss_fira(const struct hw_curves *curves) {
  struct hw_answer answer = fira_penalty(curves, HW_NAME_FIRA_LAST, 3);

  if (hw_traffic_has(curves, 3, answer.method).known &&
      hw_curves_get(curves, HW_NAME_FIRA) != NULL &&
      hw_curves_get(curves, HW_NAME_FIRA_LAST) == NULL)
    return hw_absent(answer.method,
                     "an array that level 3 cannot hold takes too long, or is larger "
                     "than the memory allowed");
  return hw_traffic_settled(answer, 3);
}
