/* The levels of data cache, their latencies and where they end, and the memory's latency, off the
   size curve: see levels.c. */
#include "analysis/names.h"
#include "analysis/rows/l1.h"
#include "analysis/rows/size_curve.h"

#include <math.h>

static const char levels_method[] = "plateaus of the size curve";

/* A curve falls, a point scatters, or lies above a level, by more than this share. */
#define LEVELS_FALLS 0.03
/* The part of the last working set that a cache may hold, with the latency of memory all the same.
 */
#define LEVELS_HELD 0.03
/* Steps of the clock by which a line must cost more than those of a level to be one of another. */
#define LEVELS_STEPS 1.5
/* Where no level lies between two plateaus, at most this part of the lines of a working set
   does. */
#define LEVELS_FEW (1.0 / 8)
/* Points of a round, and rounds, that are looked at, at most. */
#define LEVELS_POINTS 128u
#define LEVELS_ROUNDS 16u
/* The part of samples whose low end is their time alone, and rounds that a point is the mean of. */
#define LEVELS_LEFT 0.25
#define LEVELS_TWICE 2u
/* Rounds that make a range. */
#define LEVELS_FEWEST 3u
/* Lines read a step late are at most half of those that hit, by their median, as many as the
   others; this many times as many are far more than half. */
#define LEVELS_MOST 3

/* Whether the curve nowhere falls by more than LEVELS_FALLS. */
static bool levels_quiet(const struct hw_curve *curve) {
  struct hw_curve risen;
  bool quiet = true;

  if (hw_monotone(curve, &risen) < 0)
    return false;
  for (size_t i = 0; i < curve->n; i++)
    quiet = quiet && curve->point[i].y <= (1 + LEVELS_FALLS) * risen.point[i].y;
  hw_curve_free(&risen);
  return quiet;
}

/* A point still belongs to a plateau when a load costs less than half as much again, or lies in the
   first third of a lower rise by ratio. */
#define LEVELS_IN 1.5
#define LEVELS_THIRD (1.0 / 3)

/* The latency of a plateau: it is known if its error is at most 3 % or half a cycle, and with what
   TLBs add. */
static struct hw_answer levels_sure(const struct hw_size_curve *sizes,
                                    const struct hw_plateau *plateau, struct hw_answer latency) {
  const double most = fmax(HW_CYCLES_ERROR * latency.value, 0.5);

  if (latency.known && latency.error > most)
    return hw_absent(latency.method, "the plateau is slanted by more than 3 %");
  latency.error += hw_size_curve_translation(sizes, plateau->last);
  if (latency.known && latency.error > most)
    return hw_unknown(latency.method, "it depends on how far lines lie apart");
  return latency;
}

/* The latency of a plateau whose level is flat, or of its first octave, where TLBs add less. */
static struct hw_answer levels_surely(const struct hw_size_curve *sizes,
                                      const struct hw_plateau *at, struct hw_answer flat) {
  const struct hw_plateau octave = {at->first, hw_size_curve_octave(sizes, at)};
  struct hw_answer whole = levels_sure(sizes, at, flat), first;

  if (whole.known || octave.last == at->last)
    return whole;
  first = levels_sure(sizes, &octave, hw_plateau_level(&sizes->pure, &octave, false));
  return first.known ? first : whole;
}

/* Whether another process had a part of the core all the time: there are no two rounds in which
   as many visits as make a low end found the core left alone. */
static bool levels_beside(const struct hw_curves *curves) {
  const struct hw_curve *alone = hw_curves_get(curves, HW_NAME_MAP_ALONE);
  size_t left = 0;

  for (size_t i = 0; alone != NULL && i < alone->n; i++)
    left += alone->point[i].y >= LEVELS_LEFT;
  return alone != NULL && left < LEVELS_TWICE;
}

/* The latency, with a range where another process had a part of the core all the time, or more than
   half of the points from least to most (bytes) scatter by more than 3 %: more samples do not make
   up for it. */
static struct hw_answer levels_calm(const struct hw_curves *curves, struct hw_answer latency,
                                    double least, double most) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  size_t n = 0, scattered = 0;

  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].x >= least && curve->point[i].x <= most) {
      n++;
      scattered += curve->point[i].spread > LEVELS_FALLS;
    }
  if (latency.known && (2 * scattered > n || levels_beside(curves)))
    return hw_at_other_times(hw_ranged(latency.method, latency.value, latency.value - latency.error,
                                       latency.value + latency.error),
                             HW_OTHERS_CACHE);
  return latency;
}

/* The median time of a load in the working sets of a level in one round, without what TLB misses
   surely add; of memory in the last octave: of a smaller working set a cache may hold a part.  0:
   there are none. */
static double levels_middle(const struct hw_curves *curves, const struct hw_curve *round,
                            const struct hw_level *level, bool memory) {
  double y[LEVELS_POINTS], most = 0;
  size_t n = 0;

  for (size_t i = 0; i < round->n && round->point[i].x <= level->most; i++)
    most = round->point[i].x;
  for (size_t i = 0; i < round->n && n < LEVELS_POINTS; i++)
    if (round->point[i].x >= fmax(level->least, memory ? most / 2 : 0) &&
        round->point[i].x <= level->most)
      y[n++] = hw_size_curve_pure(curves, &round->point[i]);
  hw_sort(y, n);
  return n > 0 ? y[(n - 1) / 2] : 0;
}

/* The latency of a shared level, or of memory: the median of the rounds, and their range; of many
   rounds the lower half, since others only add. */
static struct hw_answer levels_still(const struct hw_curves *curves, const struct hw_level *level,
                                     bool memory) {
  double y[LEVELS_ROUNDS];
  const struct hw_curve *round;
  size_t n = 0;

  if (level->hidden)
    return level->latency;
  for (unsigned k = 1; n < LEVELS_ROUNDS && (round = hw_size_curve_round(curves, k)) != NULL; k++) {
    y[n] = levels_middle(curves, round, level, memory);
    n += y[n] > 0;
  }
  if (n == 0) /* a recording of before there were rounds */
    y[n++] = levels_middle(curves, hw_curves_get(curves, HW_NAME_LEVELS), level, memory);
  hw_sort(y, n);
  n = n > 2 * LEVELS_FEWEST ? (n + 1) / 2 : n < LEVELS_FEWEST ? n : LEVELS_FEWEST;
  return hw_at_other_times(hw_ranged(levels_method, y[(n - 1) / 2], y[0], y[n - 1]),
                           memory ? HW_OTHERS_MEMORY : HW_OTHERS_CACHE);
}

/* The curves of single lines of working sets in the rise behind plateau n.  Returns how many. */
static size_t levels_lines_in(const struct hw_size_curve *sizes, size_t n,
                              const struct hw_curve *lines[HW_SIZE_CURVE_SETS]) {
  size_t sets = 0;

  for (unsigned k = 1; k <= HW_SIZE_CURVE_SETS; k++) {
    const struct hw_curve *curve;
    char name[HW_CURVE_NAME + 1];
    double bytes;
    hw_size_curve_lines_name(name, n, k);
    curve = hw_curves_get(sizes->curves, name);
    bytes = curve != NULL && curve->n > 0 ? curve->point[curve->n - 1].x : 0;
    if (bytes > hw_size_curve_low(sizes, n)->x && bytes < hw_size_curve_high(sizes, n)->x)
      lines[sets++] = curve;
  }
  return sets;
}

/* Cycles at least of a line that misses plateau n, off single lines of a working set behind the
   rise, or in its upper part where they cost what the next plateau does.  0 when these are not
   known, or are not all of the next plateau. */
static double levels_behind(const struct hw_size_curve *sizes, size_t n) {
  const struct hw_point *low = hw_size_curve_low(sizes, n), *high = hw_size_curve_high(sizes, n);
  const struct hw_curve *behind;
  struct hw_answer missed;
  char name[HW_CURVE_NAME + 1];
  double least, apart = hw_lines_apart(low->y, high->y);

  hw_size_curve_lines_name(name, n, 0);
  behind = hw_curves_get(sizes->curves, name);
  if (behind == NULL || behind->n == 0)
    return 0;
  missed = hw_reduce_missed(behind, low->y);
  if (!missed.known)
    return 0;
  if (behind->point[behind->n - 1].x < high->x && missed.value * (1 + HW_CLUSTER_WIDTH) < high->y)
    return 0;
  least = missed.value - missed.error;
  return least * apart < high->y ? 0 : fmin(least, high->y);
}

/* Cycles of LEVELS_STEPS clock steps: a line whose load was read one step late is no level. */
static double levels_step(const struct hw_curves *curves) {
  struct hw_answer step = hw_value_clock_ns(curves), cycle = hw_value_cycle_ps(curves);

  return step.known && cycle.known ? LEVELS_STEPS * 1e3 * step.value / cycle.value : 0;
}

/* What single lines show of the rise behind plateau n. */
struct levels_told {
  const struct hw_curve *set[HW_SIZE_CURVE_SETS];
  size_t sets;
  double low; /* cycles of lines of the two plateaus */
  double high;
  bool sure; /* whether high was measured on lines behind the rise */
};

static struct levels_told levels_told(const struct hw_size_curve *sizes, size_t n) {
  struct levels_told lines = {.low = hw_size_curve_low(sizes, n)->y};

  lines.sets = levels_lines_in(sizes, n, lines.set);
  lines.high = levels_behind(sizes, n);
  lines.sure = lines.high > 0;
  if (!lines.sure)
    lines.high = hw_size_curve_high(sizes, n)->y;
  return lines;
}

/* The level that hides among these lines. */
static struct hw_answer levels_between(const struct hw_size_curve *sizes,
                                       const struct levels_told *lines) {
  struct hw_answer between;

  if (!lines->sure)
    return hw_unknown(levels_method, "the working sets between two levels differ");
  between = hw_reduce_between(lines->set, lines->sets, lines->low, lines->high);
  return between.known && between.value < lines->low + levels_step(sizes->curves)
             ? hw_unknown(between.method,
                          "the clock is too coarse to tell it from the level before")
             : between;
}

/* Whether most of the lines that hit cost more than the lower plateau, though less than above: the
   clock may read a load one step late, but not most of them, as a line's cost is a median.  Then
   there is a level that the clock does not tell from the lower. */
static bool levels_late(const struct hw_curve *lines, double low, double above) {
  double cheap = hw_lines_share(lines, -INFINITY, low);
  double dear = hw_lines_share(lines, low, above);

  return dear > LEVELS_FEW && dear > LEVELS_MOST * cheap;
}

/* Whether no level hides: all lines cost what one of the two plateaus does, or exceed the lower by
   no more than a clock step.  Where the rise has the shape of two, lines count as of a third level
   already at the least distance of levels.  Lines that could not be timed show nothing: then there
   is none only where the rise has neither the shape nor the width of two. */
static bool levels_nothing(const struct hw_size_curve *sizes, size_t n,
                           const struct levels_told *lines) {
  bool bent = hw_size_curve_bent(sizes, n);
  double apart = bent ? 1 + HW_CLUSTER_WIDTH : hw_lines_apart(lines->low, lines->high);
  double above = fmax(lines->low * apart, bent ? 0 : lines->low + levels_step(sizes->curves));

  if (lines->sets < HW_BETWEEN_SETS)
    return !bent && !hw_size_curve_two(sizes, n);
  if (bent && !lines->sure)
    return false;
  for (size_t i = 0; i < lines->sets; i++)
    if (hw_lines_share(lines->set[i], above, lines->high / apart) > LEVELS_FEW ||
        levels_late(lines->set[i], lines->low * apart, above))
      return false;
  return true;
}

/* A level with a plateau, or one that hides: then between is its latency, and it has no points
   where first is behind last. */
struct levels_found {
  struct hw_plateau at;
  struct hw_answer between;
};

/* The points of the size curve where a level of that latency hides in the rise behind plateau n: as
   near to it as points of a flat stretch are to each other. */
static struct hw_plateau levels_where(const struct hw_size_curve *sizes, size_t n, double latency) {
  const struct hw_point *point = sizes->pure.point;
  struct hw_plateau at = {sizes->plateau[n].last + 1, sizes->plateau[n + 1].first - 1};
  double near = 1 + HW_CLUSTER_WIDTH / 2;

  while (at.first <= at.last && point[at.first].y * near < latency)
    at.first++;
  while (at.last >= at.first && point[at.last].y > latency * near)
    at.last--;
  return at;
}

/* All levels, hidden ones included, up to where it is not clear.  *whole: whether these are all.
   Returns how many. */
static size_t levels_find(const struct hw_size_curve *sizes, struct levels_found found[HW_LEVELS],
                          bool *whole) {
  size_t clear = 0, i = 0;
  bool one = false; /* whether the plateau is of the same level as the one before */

  for (; i < sizes->n && clear < HW_LEVELS; i++) {
    enum hw_differ differ = i + 1 < sizes->n ? hw_size_curve_differ(sizes, i) : HW_DIFFER_YES;
    struct levels_told lines;
    struct hw_answer between;
    if (one)
      found[clear - 1].at.last = sizes->plateau[i].last;
    else
      found[clear++] = (struct levels_found){.at = sizes->plateau[i]};
    one = differ == HW_DIFFER_NOT;
    if (one)
      continue;
    if (differ == HW_DIFFER_UNCLEAR)
      break;
    if (i + 1 == sizes->n)
      continue;
    lines = levels_told(sizes, i);
    if (levels_nothing(sizes, i, &lines))
      continue;
    between = levels_between(sizes, &lines);
    if (!between.known || clear == HW_LEVELS)
      break;
    found[clear++] = (struct levels_found){levels_where(sizes, i, between.value), between};
  }
  *whole = i == sizes->n;
  return clear;
}

/* Why the levels are not all known. */
static const char *levels_why(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  const char *why = "the levels are not clear";
  struct levels_found found[HW_LEVELS];
  struct hw_size_curve sizes;
  size_t n;
  bool whole;

  if (curve == NULL || hw_size_curve_read(curves, curve, &sizes) < 0)
    return why;
  n = levels_find(&sizes, found, &whole);
  for (size_t i = 0; i + 1 < sizes.n && n > 0 && !whole; i++)
    if (sizes.plateau[i].last == found[n - 1].at.last &&
        hw_size_curve_differ(&sizes, i) == HW_DIFFER_YES)
      why = "another level may hide where the time of a load rises";
  hw_size_curve_free(&sizes);
  return why;
}

/* The levels are not known; finally so where there is no noise, as measuring again changes
   nothing. */
static struct hw_answer levels_unclear(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  const char *why = levels_why(curves);

  return curve != NULL && levels_quiet(curve) ? hw_absent(levels_method, why)
                                              : hw_unknown(levels_method, why);
}

/* A latency off single lines is known to a clock step: not published, but good enough to tell a hit
   from a miss. */
static struct hw_answer levels_rough(struct hw_answer between) {
  struct hw_answer latency = hw_absent(between.method, "its plateau is too short to be measured");

  latency.value = between.value;
  return latency;
}

/* Fills in n levels.  A next level that is unknown costs at least half as much again, if the curve
   rises that far without what TLBs may add, and may cost as much as it rises to, which widens the
   range of what the last holds. */
static void levels_fill(const struct hw_size_curve *sizes, const struct levels_found *found,
                        size_t n, struct hw_level *level) {
  const struct hw_curve *curve = &sizes->pure;
  const double farthest =
      curve->point[curve->n - 1].y - hw_size_curve_translation(sizes, curve->n - 1);

  for (size_t i = 0; i < n; i++) {
    const struct hw_point *last = &curve->point[found[i].at.last];
    double y = found[i].between.known ? found[i].between.value : last->y;
    double next = i + 1 == n                   ? LEVELS_IN * y
                  : found[i + 1].between.known ? found[i + 1].between.value
                                               : curve->point[found[i + 1].at.first].y;
    bool ends = i + 1 < n || next <= farthest;
    struct hw_answer flat = found[i].between;
    if (!flat.known)
      flat = hw_plateau_level(curve, &found[i].at, !ends);
    level[i].latency =
        found[i].between.known ? levels_rough(flat) : levels_surely(sizes, &found[i].at, flat);
    level[i].effective = ends ? hw_reduce_effective(curve, &found[i].at, flat.value, next)
                              : hw_unknown("misses of a load", "no end of the plateau was seen");
    if (i + 1 == n && ends) {
      struct hw_answer most = hw_reduce_effective(curve, &found[i].at, flat.value, farthest);
      if (most.known)
        level[i].effective.high = fmax(level[i].effective.high, most.value);
    }
    level[i].bound = flat.value * fmin(LEVELS_IN, pow(next / flat.value, LEVELS_THIRD));
    level[i].hidden = found[i].between.known;
    level[i].least = curve->point[found[i].at.first].x;
    level[i].most = last->x;
  }
}

size_t hw_levels_seen(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                      bool *whole) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  struct levels_found found[HW_LEVELS];
  struct hw_size_curve sizes;
  size_t clear = 0;
  bool all;

  *whole = false;
  if (curve == NULL || hw_size_curve_read(curves, curve, &sizes) < 0)
    return 0;
  if (sizes.n > 0 && sizes.plateau[0].first == 0) {
    clear = levels_find(&sizes, found, &all);
    *whole = hw_size_curve_memory(&sizes) && all;
    levels_fill(&sizes, found, clear, level);
  }
  hw_size_curve_free(&sizes);
  return clear;
}

size_t hw_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS]) {
  bool whole;
  size_t n = hw_levels_seen(curves, level, &whole);

  return whole ? n : 0;
}

/* Level n of the caches, from 1 on: 1 when it exists, 0 when not, -1 when that is not clear.  The
   last plateau that is seen is a cache's if it ends. */
static int levels_cache(const struct hw_curves *curves, size_t n, struct hw_level *found) {
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, level, &whole);

  if (n < seen || (n == seen && level[n - 1].effective.known)) {
    *found = level[n - 1];
    return 1;
  }
  return whole ? 0 : -1;
}

struct hw_answer hw_read_cache_levels(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  size_t n = hw_levels(curves, level);

  return n > 0 ? hw_known(levels_method, (double)n - 1, 0, HW_CLEAR) : levels_unclear(curves);
}

static struct hw_answer levels_have(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  return have < 0 ? levels_unclear(curves) : hw_known(levels_method, have, 0, HW_CLEAR);
}

static struct hw_answer levels_latency(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  if (have == 0)
    return hw_absent(levels_method, "there is no such level");
  if (have < 0)
    return levels_unclear(curves);
  return n > 2 ? levels_still(curves, &level, false)
               : levels_calm(curves, level.latency, level.least, level.most);
}

struct hw_answer hw_levels_effective(const struct hw_curves *curves, size_t n,
                                     struct hw_level *level) {
  int have = levels_cache(curves, n, level);

  return have < 0    ? levels_unclear(curves)
         : have == 0 ? hw_absent(levels_method, "there is no such level")
                     : level->effective;
}

/* The latency in whole cycles.  That of a private cache is one number, or a range, of two where it
   lies between them; the slices of a shared one lie at different distances from the core, so that
   its latency is an average, as memory's is: the nearest. */
static struct hw_answer levels_whole(struct hw_answer latency, bool own) {
  double whole = round(latency.value);

  if (latency.known && own && !(latency.low > 0) &&
      fabs(latency.value - whole) + latency.error > 0.5)
    latency = hw_ranged(latency.method, latency.value, latency.value - latency.error,
                        latency.value + latency.error);
  latency.value = whole;
  latency.low = floor(latency.low);
  latency.high = ceil(latency.high);
  return latency;
}

struct hw_answer hw_levels_last(const struct hw_curves *curves, struct hw_level *memory) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  struct hw_answer answer = levels_unclear(curves);
  struct hw_size_curve sizes;

  if (curve == NULL || hw_size_curve_read(curves, curve, &sizes) < 0)
    return answer;
  if (hw_size_curve_memory(&sizes)) {
    const struct levels_found last = {.at = sizes.plateau[sizes.n - 1]};
    levels_fill(&sizes, &last, 1, memory);
    answer = sizes.held > LEVELS_HELD
                 ? hw_unknown(levels_method, "a part of the largest working set is held by a cache")
                 : hw_known(levels_method, 1, 0, HW_CLEAR);
  }
  hw_size_curve_free(&sizes);
  return answer;
}

struct hw_answer hw_levels_memory(const struct hw_curves *curves) {
  struct hw_level memory;
  struct hw_answer last = hw_levels_last(curves, &memory);

  return last.known ? levels_still(curves, &memory, true) : last;
}

/* The range ends at the capacity where that is known, and the level holds its own lines alone. */
static struct hw_answer levels_within(const struct hw_curves *curves, size_t n,
                                      struct hw_answer held) {
  struct hw_answer bytes = n == 1   ? hw_value_l1_bytes(curves)
                           : n == 2 ? hw_value_l2_bytes(curves)
                                    : hw_value_l3_bytes(curves);
  struct hw_answer above = n == 2 ? hw_value_l2_exclusive(curves) : hw_value_l3_exclusive(curves);

  if (bytes.known && (n == 1 || (above.known && !(above.value > 0))))
    held.high = fmin(held.high, fmax(bytes.value, held.value));
  held.error = fmax(held.value - held.low, held.high - held.value);
  return held;
}

/* The working set that a private level holds, or a shared one with its range; of a level that does
   not exist that of the level above. */
static struct hw_answer levels_effective(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  struct hw_answer answer;

  while (n > 1 && levels_cache(curves, n, &level) == 0)
    n--;
  answer = hw_levels_effective(curves, n, &level);
  if (!answer.known)
    return answer;
  answer = hw_ranged(answer.method, answer.value, answer.low, answer.high);
  /* What others take of a level that all share, they take in large pieces. */
  answer = hw_at_other_times(answer, n > 2 ? HW_OTHERS_MEMORY : HW_OTHERS_CACHE);
  return answer.known ? levels_within(curves, n, answer) : answer;
}

struct hw_answer hw_read_l1_eff_bytes(const struct hw_curves *curves) {
  struct hw_answer held = levels_effective(curves, 1);
  struct hw_answer latency = hw_scaled(hw_value_l1_lat_x100(curves), 0.01);
  struct hw_l1_shape shape;
  struct hw_level level;

  if (!held.known)
    return held;
  if (hw_l1_shape(curves, &shape) == 0 && held.value > (double)shape.bytes)
    return hw_unknown(held.method, "it is larger than the capacity");
  /* The SMT sibling, which slows even what fits, holds a part of the level as well. */
  if (latency.known && levels_cache(curves, 1, &level) == 1 &&
      level.latency.value - level.latency.error >
          (1 + HW_CYCLES_ERROR) * (latency.value + latency.error))
    return hw_unknown(held.method,
                      "loads of a working set that fits cost more than level 1's latency");
  return held;
}

struct hw_answer hw_read_l2_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 2);
}

struct hw_answer hw_read_l3_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 3);
}

struct hw_answer hw_read_have_l1(const struct hw_curves *curves) {
  return levels_have(curves, 1);
}

/* The rows of a level that the size curve shows. */
#define LEVELS_VALUES(n, own)                                                                      \
  struct hw_answer hw_read_have_l##n(const struct hw_curves *curves) {                             \
    return levels_have(curves, n);                                                                 \
  }                                                                                                \
  HW_LATENCY_ROWS_PS(l##n##_lat, levels_whole(levels_latency(curves, n), own),                     \
                     levels_latency(curves, n))

LEVELS_VALUES(2, true)
LEVELS_VALUES(3, false)
HW_LATENCY_ROWS_PS(mem_lat, levels_whole(hw_levels_memory(curves), false), hw_levels_memory(curves))
