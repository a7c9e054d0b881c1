/* What the readers of traffic between the levels have in common. */
#include "analysis/rows/traffic.h"

/* Caches from this level on are shared with other processes or guests. */
#define TRAFFIC_SHARED 3u

size_t hw_traffic_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                         bool *memory) {
  size_t n = hw_levels_seen(curves, level, memory);
  struct hw_level last;

  if (n == 0 || *memory || !hw_levels_last(curves, &last).known)
    return n;
  *memory = n < HW_LEVELS || last.least <= level[n - 1].least;
  if (last.least > level[n - 1].most && n < HW_LEVELS)
    level[n++] = last;
  return n;
}

size_t hw_traffic_caches(const struct hw_curves *curves, bool *memory) {
  struct hw_level level[HW_LEVELS];
  size_t levels = hw_traffic_levels(curves, level, memory);

  return levels > 1 ? levels - 1 : 0;
}

struct hw_answer hw_traffic_has(const struct hw_curves *curves, size_t level, const char *method) {
  struct hw_level at[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, at, &whole);

  if (level < seen)
    return hw_known(method, 1, 0, HW_CLEAR);
  return seen > 1 && whole ? hw_absent(method, "there is no such level")
                           : hw_unknown(method, "the levels are not clear");
}

struct hw_answer hw_traffic_settled(struct hw_answer answer, size_t level) {
  answer.settled = answer.settled || (!answer.known && level >= TRAFFIC_SHARED);
  return answer;
}

struct hw_curve hw_traffic_part(const struct hw_curves *curves, const char *name, size_t level) {
  const struct hw_curve *curve = hw_curves_get(curves, name);
  struct hw_level at[HW_LEVELS];
  bool memory;
  size_t levels = hw_traffic_levels(curves, at, &memory);

  return level > levels || curve == NULL
             ? (struct hw_curve){.n = 0}
             : hw_curve_part(curve, at[level - 1].least, at[level - 1].most);
}

double hw_traffic_middle(const struct hw_curves *curves, const char *name, size_t level) {
  const struct hw_curve part = hw_traffic_part(curves, name, level);

  return part.n > 0 ? hw_ranked(&part, part.n / 2) : -1;
}

double hw_traffic_memory(const struct hw_curves *curves) {
  bool memory;
  size_t caches = hw_traffic_caches(curves, &memory);

  return memory ? hw_traffic_middle(curves, "levels", caches + 1) : -1;
}
