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

int hw_traffic_part(const struct hw_curves *curves, const char *name, size_t level,
                    struct hw_curve *part) {
  const struct hw_curve *curve = hw_curves_get(curves, name);
  struct hw_level at[HW_LEVELS];
  bool memory;
  size_t levels = hw_traffic_levels(curves, at, &memory);

  if (level > levels || curve == NULL)
    return -1;
  hw_curve_init(part, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (p->x >= at[level - 1].least && p->x <= at[level - 1].most && hw_curve_put(part, *p) < 0)
      break;
  }
  if (part->n > 0)
    return 0;
  hw_curve_free(part);
  return -1;
}

double hw_traffic_middle(const struct hw_curves *curves, const char *name, size_t level) {
  struct hw_curve part;
  double middle = -1;

  if (hw_traffic_part(curves, name, level, &part) != 0)
    return -1;
  /* The median: as many points lie above it as below. */
  for (size_t i = 0; i < part.n && middle < 0; i++) {
    size_t below = 0, equal = 0;
    for (size_t j = 0; j < part.n; j++)
      if (part.point[j].y < part.point[i].y)
        below++;
      else if (!(part.point[j].y > part.point[i].y))
        equal++;
    if (below <= part.n / 2 && below + equal > part.n / 2)
      middle = part.point[i].y;
  }
  hw_curve_free(&part);
  return middle;
}

double hw_traffic_memory(const struct hw_curves *curves) {
  bool memory;
  size_t caches = hw_traffic_caches(curves, &memory);

  return memory ? hw_traffic_middle(curves, "levels", caches + 1) : -1;
}
