/* What lies between the plateaus of the map: levels that hide in a rise, and levels that lie close.

   Curve   levels_lines_N_K: the cost of single lines of working set K in the rise behind plateau N:
           see rise.c; levels_near_N: x two working sets (bytes), the end of plateau N and the begin
           of the next, y time of a load (cycles), measured by turns.
   Method  If a rise of the map is wide, single lines tell whether another level hides in it, and
           its latency.  Two plateaus whose latencies are close are measured again by turns: a
           shared level may have been slower for a while.
   Rows    CACHE_LEVELS, HAVE_L1, HAVE_L2, HAVE_L3, L2_LAT, L2_LAT_X100, L2_LAT_PS, the same of L3.
   Cost    10 to 40 ms a working set.
   Limits  Levels whose latencies differ by less than a quarter are one.  A level with a plateau of
           less than half an octave (scattered pages, and the next level less than four times as
           large) is found by single lines, its latency and rates are unknown; so is the number of
           levels where two hide in one rise, or where it has too few pages or the clock is too
           coarse for lines.  If lines cannot be timed a rise that two caches may make is left
           unknown, unless three levels are seen; a level is missed then if it holds or costs less
           than twice what the one before does, and so does the next, and nowhere the rise is less
           steep than before; and behind level 1 if it is no cheaper than if it held all it can.
   See     BB 3.1.2, 4.2.3; SV III-A. */
#include "analysis/rows/levels.h"

#include "analysis/names.h"

#include "analysis/rows/hint.h"
#include "analysis/rows/size_curve.h"
#include "probes/data/map.h"
#include "probes/data/rise.h"

#include <math.h>

/* Bytes: no line is shorter. */
#define LEVELS_LINE 16u
/* Turns of the measurement of plateaus with close latencies. */
#define LEVELS_TURNS 3u
/* Another level may hide in a rise over more than this factor. */
#define LEVELS_NARROW 2.0

/* The working set behind the rise of plateau n of which lines are timed: an octave on, as lines of
   the first one there may still hit, but no larger than half of HW_RISE_LINES_PAGES. */
static double levels_set_behind(const struct hw_size_curve *sizes, size_t n, size_t page) {
  const struct hw_point *high = hw_size_curve_high(sizes, n);
  const struct hw_point *at =
      &sizes->pure.point[hw_size_curve_octave(sizes, &sizes->plateau[n + 1])];

  while (at > high && at->x > (double)(HW_RISE_LINES_PAGES / 2 * page))
    at--;
  return at->x;
}

/* The k-th working set in the rise behind plateau n, from 1 on. */
static double levels_set_within(const struct hw_size_curve *sizes, size_t n, unsigned k) {
  const struct hw_point *low = hw_size_curve_low(sizes, n), *high = hw_size_curve_high(sizes, n);
  double y = low->y * pow(high->y / low->y, (double)k / (HW_SIZE_CURVE_SETS + 1));
  const struct hw_point *at = low;

  while (at < high && at->y < y)
    at++;
  return at > low ? (at[-1].x + at->x) / 2 : low->x;
}

/* Times single lines of a working set, the k-th in the rise behind plateau n; a load of the next
   plateau takes high cycles.  0, 1 when lines cannot be timed, or -1. */
static int levels_lines_of(struct hw_bench *bench, const struct hw_rise_pages *pages,
                           const struct hw_size_curve *sizes, size_t n, unsigned k, double bytes,
                           double high) {
  const struct hw_point *low = hw_size_curve_low(sizes, n);
  const double latency[2] = {low->y, high};
  const double middle = sqrt(sizes->pure.point[sizes->plateau[n].first].x * low->x);
  /* Well within the level, if that has enough pages. */
  size_t held = (size_t)fmin(fmax(middle, (double)hw_rise_least(pages->page)), low->x);
  char name[HW_CURVE_NAME + 1];
  struct hw_curve curve;
  int result;

  hw_size_curve_lines_name(name, n, k);
  hw_curve_init(&curve, name, "part of the working set (bytes)", "time of a load (cycles)");
  result = hw_rise_lines(bench, pages, (size_t)bytes, held, latency, &curve);
  if (result == 0)
    return hw_publish(bench, &curve, "levels", 0);
  hw_curve_free(&curve);
  return result;
}

/* Times single lines in the rise behind plateau n, unless the rise is too narrow for another level,
   or lines cannot be timed. */
static int levels_lines(struct hw_bench *bench, const struct hw_rise_pages *pages,
                        const struct hw_size_curve *sizes, size_t n) {
  const struct hw_point *low = hw_size_curve_low(sizes, n), *high = hw_size_curve_high(sizes, n);
  /* A next plateau of one point was found by lines behind the rise, which were timed then. */
  unsigned k = sizes->plateau[n + 1].first == sizes->plateau[n + 1].last;
  int result = 0;

  if (high->x <= LEVELS_NARROW * low->x)
    return 0;
  for (; k <= HW_SIZE_CURVE_SETS && (k <= 1 ? result == 0 : result >= 0); k++)
    result = levels_lines_of(bench, pages, sizes, n, k,
                             k == 0 ? levels_set_behind(sizes, n, pages->page)
                                    : levels_set_within(sizes, n, k),
                             high->y);
  return result < 0 ? -1 : 0;
}

/* Times single lines of the largest working set where the curve still rises there. */
static int levels_last(struct hw_bench *bench, const struct hw_rise_pages *pages,
                       const struct hw_size_curve *sizes) {
  const struct hw_point *last = &sizes->pure.point[sizes->pure.n - 1];

  if (!hw_size_curve_rising(sizes))
    return 0;
  return levels_lines_of(bench, pages, sizes, sizes->n - 1, 0, last->x, last->y) < 0 ? -1 : 0;
}

/* Measures the ends of plateau n and the next again, by turns; of each the lowest visit counts. */
static int levels_turns(struct hw_map *map, const struct hw_size_curve *sizes, size_t n) {
  const double bytes[2] = {hw_size_curve_low(sizes, n)->x, hw_size_curve_high(sizes, n)->x};
  struct hw_curve curve;
  char name[HW_CURVE_NAME + 1];
  int result = 0;

  hw_size_curve_near_name(name, n);
  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  for (unsigned turn = 0; turn < 2 * LEVELS_TURNS && result == 0; turn++) {
    const struct hw_point *earlier = hw_curve_at(&curve, bytes[turn % 2]);
    struct hw_point point;
    result = hw_map_visit(map, hw_map_packed, bytes[turn % 2], &point);
    if (result == 0 && (earlier == NULL || point.y < earlier->y))
      result = hw_curve_put(&curve, point);
  }
  return hw_publish(map->bench, &curve, "levels", result);
}

/* Times lines in each rise from that behind level 2 on, and measures plateaus with close latencies
   by turns. */
static int levels_rises(struct hw_map *map, const struct hw_curve *curve, double cycle_ns) {
  struct hw_bench *bench = map->bench;
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct hw_rise_pages pages = {map->memory, map->mapped, hw_hint_page(&bench->curves),
                                line.known ? (size_t)line.value : LEVELS_LINE, cycle_ns};
  struct hw_size_curve sizes;
  int result = 0;

  if (hw_size_curve_read(&bench->curves, curve, &sizes) < 0)
    return -1;
  result = levels_last(bench, &pages, &sizes);
  hw_size_curve_free(&sizes);
  if (result < 0 || hw_size_curve_read(&bench->curves, curve, &sizes) < 0)
    return -1;
  for (size_t i = 1; i + 1 < sizes.n && result == 0; i++)
    result = levels_lines(bench, &pages, &sizes, i);
  for (size_t i = 0; i + 1 < sizes.n && result == 0; i++)
    if (hw_size_curve_near(&sizes, i))
      result = levels_turns(map, &sizes, i);
  hw_size_curve_free(&sizes);
  return result;
}

int hw_probe_levels(struct hw_bench *bench) {
  const struct hw_curve *curve = hw_curves_get(&bench->curves, HW_NAME_LEVELS);
  struct hw_answer cycle = hw_value_cycle_ps(&bench->curves);
  struct hw_map map;
  int result;

  /* What the rises have shown holds while the number of levels is known. */
  if (curve == NULL || !cycle.known ||
      hw_map_open(&map, bench, (size_t)curve->point[curve->n - 1].x) < 0)
    return -1;
  result = levels_rises(&map, curve, cycle.value / 1e3);
  hw_map_close(&map);
  return result;
}
