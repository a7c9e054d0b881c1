/* The size curve: levels of data cache, their latencies and where they end, and the memory's
   latency.

   Curve   levels: x working set (bytes), y time of a load (cycles); levels_farther: the large ones,
           the least, and the last of each plateau again, with lines farther apart; levels_apart_N:
           x distance of loads (bytes) in a working set of N bytes, y the same; levels_near_N: two
           working sets again, by turns; levels_lines_N_K: see rise.c.
   Method  Laps over every line (lap.c) of working sets that double, and four to an octave where the
           curve rises.  Plateaus are levels.
           The last is the memory's if no cache is as slow, or as much larger than the one above;
           where a cache holds a part of even the largest working set, its single lines tell.
           The SMT sibling is idle while there is time to wait for that, else it may be active.
           The page walks of unknown TLBs show with lines farther apart, of which a page has fewer:
           they are no part of a latency, and no level.  Behind level 2 loads of one working set are
           timed at distances that double, up to half a page: where these cost no more, but for a
           page's share, no prefetcher brings them in.  Of visits at different times the median
           counts, of a cache the least.
           Where a rise is wide, single lines tell whether another level hides in it, and its
           latency: see rise.c.
           Where level 1 or its line is not known, working sets begin at LEVELS_SMALL, and loads lie
           farther apart than any line is long; single lines are not timed.
           When the time is used up, the points so far are published; rows that need more are
           unknown.
   Rows    CACHE_LEVELS, HAVE_L1, HAVE_L2, HAVE_L3, L2_LAT, L2_LAT_X100, L2_LAT_PS, the
           same of L3, MEM_LAT, MEM_LAT_X100, MEM_LAT_PS.
   Cost    0.4 s, 1 s where memory is slow, 0.7 of that at quick effort, as much again for each
           further attempt; up to the memory that a probe may have, 128 MiB where that shows the
           memory's latency.
   Limits  A level 3 whose slices lie at different distances shows its average latency.  A
           prefetcher that reaches half a page in any order would count as the level.
           Levels whose latencies differ by less than a quarter are one.  A level with a plateau of
           less than half an octave (scattered pages, and the next level less than four times as
           large) is found by single lines, its latency and rates are unknown; so is the number of
           levels where two hide in one rise, or where it has too few pages or the clock is too
           coarse for lines.  A level is missed where lines cannot be timed and both rises together
           look like one: nowhere less steep than before, and behind level 1 no cheaper than if it
           held all that it can.  To tell memory under 300 ns behind a level 2 of 0.5 to 4 MiB from
           a large level 3 takes up to 1 GiB.  Where the replacement policy or page colours keep
           part of a working set in a cache, memory is a few per cent cheaper than its latency.
   See     BB 3.1.2, 4.2.3, 5; SV III-A. */
#include "analysis/rows/levels.h"

#include "analysis/names.h"
#include "probes/probe.h"

#include "analysis/rows/l1.h"
#include "analysis/rows/size_curve.h"
#include "probes/data/lap.h"
#include "probes/data/rise.h"

#include <math.h>

/* The least working set is the capacity of level 1 divided by this. */
#define LEVELS_LEAST 4u
/* That of a level 1 that is not known, bytes. */
#define LEVELS_SMALL ((size_t)2048)
/* Working sets of an octave where the curve rises (one where it does not, half of one from
   LEVELS_LONG bytes on, where a pass takes long), and in all, at most. */
#define LEVELS_OCTAVE 4u
#define LEVELS_POINTS 128u
#define LEVELS_LONG ((double)((size_t)8 << 20))
/* Lower bound of a load's time, cycles, where none is known. */
#define LEVELS_CYCLES 4.0
/* Factor between the costs of neighbouring working sets from which the curve rises. */
#define LEVELS_RISE 1.06
/* The spread, at least, of a point that another visit did not confirm: more than a latency's may
   be. */
#define LEVELS_UNSURE 0.06
/* A walk takes longer than the nearest level by more than this share: lines miss it. */
#define LEVELS_MISSES 0.03
/* Repetitions, at most, for large working sets that cost more than a larger one, and for lines
   farther apart that cost more. */
#define LEVELS_CORRECT 2u
/* Turns of the measurement of plateaus with close latencies. */
#define LEVELS_TURNS 3u
/* Visits of a working set at each distance of its loads. */
#define LEVELS_AGAIN 3u
/* An attempt waits for an idle SMT sibling for 1 / LEVELS_WAIT of what a probe may, at most: its
   working sets can do without. */
#define LEVELS_WAIT 3

/* Another level may hide in a rise over more than this factor. */
#define LEVELS_NARROW 2.0

/* What is measured. */
struct levels {
  struct hw_bench *bench;
  struct hw_lap lap;
  struct hw_curve near;    /* the size curve */
  struct hw_curve farther; /* the same with lines farther apart */
  bool anew;               /* whether earlier visits are ignored */
  unsigned rounds;         /* of a visit */
};

/* Puts a point into a curve.  Of a large working set, or with lines farther apart, the lowest visit
   counts: interference there lasts longer than a visit, and only adds.  A visit that differs from
   it by too much raises its spread.  With levels->anew only this visit counts. */
static int levels_keep(const struct levels *levels, struct hw_curve *curve, struct hw_point point) {
  const struct hw_point *earlier = hw_curve_at(curve, point.x);
  bool once = levels->anew || (curve == &levels->near && hw_lap_small(&levels->lap, point.x));

  if (!once && earlier != NULL) {
    double apart = fabs(point.y / earlier->y - 1);
    if (earlier->y < point.y)
      point.y = earlier->y;
    if (apart > HW_SIZE_CURVE_DIFFER)
      point.spread = fmax(point.spread, LEVELS_UNSURE);
  }
  return hw_curve_put(curve, point);
}

/* Samples n walks, and puts those that had samples in time into the curves.  0, or -1 when time or
   memory was short. */
static int levels_walk(struct levels *levels, const struct hw_lap_walk *walk, size_t n) {
  struct hw_curve visit = {.n = 0};
  int result = hw_lap_sample(&levels->lap, walk, n, levels->rounds, &visit);

  for (size_t i = 0; i < visit.n; i++) {
    struct hw_point point = visit.point[i];
    size_t k = (size_t)point.x - 1;
    point.x = (double)walk[k].bytes;
    if (levels_keep(levels, walk[k].farther > 1 ? &levels->farther : &levels->near, point) < 0)
      result = -1;
  }
  hw_curve_free(&visit);
  return result;
}

/* The walk of a working set.  The lower bound of its loads' time is half of what smaller ones took,
   as these may have been disturbed. */
static struct hw_lap_walk levels_walk_of(const struct levels *levels, double bytes,
                                         size_t farther) {
  struct hw_lap_walk walk = {(size_t)bytes, farther, LEVELS_CYCLES};

  for (size_t i = 0; i < levels->near.n && levels->near.point[i].x <= bytes; i++)
    walk.cycles = fmax(walk.cycles, levels->near.point[i].y / 2);
  return walk;
}

/* Measures n working sets, of ascending size: small ones in interleaved rounds, others one by one,
   large ones with both spacings after the same passes. */
static int levels_sample(struct levels *levels, const double *x, size_t n) {
  struct hw_lap_walk walk[LEVELS_POINTS];
  size_t small = 0;

  for (; small < n && hw_lap_small(&levels->lap, x[small]); small++)
    walk[small] = levels_walk_of(levels, x[small], 1);
  if (small > 0 && levels_walk(levels, walk, small) < 0)
    return -1;
  for (size_t i = small; i < n; i++) {
    struct hw_lap_walk both[2];
    both[0] = levels_walk_of(levels, x[i], 1);
    both[1] = levels_walk_of(levels, x[i], HW_SIZE_CURVE_FARTHER);
    if (levels_walk(levels, both, x[i] >= LEVELS_LONG ? 2 : 1) < 0)
      return -1;
  }
  return 0;
}

/* Measures again the large working sets that cost more than a larger one, by noise. */
static int levels_correct(struct levels *levels) {
  const struct hw_curve *curve = &levels->near;
  struct hw_curve risen;
  double x[LEVELS_POINTS];
  size_t n = 0;

  if (hw_monotone(curve, &risen) < 0)
    return -1;
  for (size_t i = 0; i < curve->n && n < LEVELS_POINTS; i++)
    if (curve->point[i].y > LEVELS_RISE * risen.point[i].y &&
        !hw_lap_small(&levels->lap, curve->point[i].x))
      x[n++] = curve->point[i].x;
  hw_curve_free(&risen);
  return levels_sample(levels, x, n);
}

/* Measures working sets between neighbouring ones where the curve changes: first, if octaves, the
   middle of gaps of more than an octave, or else all LEVELS_OCTAVE to an octave. */
static int levels_refine(struct levels *levels, bool octaves) {
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i + 1 < levels->near.n; i++) {
    const struct hw_point *p = &levels->near.point[i], *next = p + 1;
    unsigned k = octaves ? LEVELS_OCTAVE : 1;
    if (next->y <= LEVELS_RISE * p->y && p->y <= LEVELS_RISE * next->y)
      continue;
    for (; k <= LEVELS_OCTAVE; k++) {
      double at = p->x * (1 + (double)k / LEVELS_OCTAVE);
      if (at < next->x && n < LEVELS_POINTS)
        x[n++] = at;
    }
  }
  return levels_sample(levels, x, n);
}

/* Measures the working sets of an earlier attempt again, to correct them. */
static int levels_again(struct levels *levels) {
  const struct hw_curves *curves = &levels->bench->curves;
  const struct hw_curve *earlier = hw_curves_get(curves, HW_NAME_LEVELS);
  const struct hw_curve *farther = hw_curves_get(curves, HW_NAME_LEVELS_FARTHER);
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i < earlier->n && n < LEVELS_POINTS; i++) {
    if (hw_curve_put(&levels->near, earlier->point[i]) < 0)
      return -1;
    if (earlier->point[i].x <= (double)levels->lap.mapped)
      x[n++] = earlier->point[i].x;
  }
  if (farther != NULL && hw_curve_join(&levels->farther, farther) < 0)
    return -1;
  return levels_sample(levels, x, n);
}

/* Whether the curve needs no larger working set. */
static bool levels_done(const struct levels *levels) {
  struct hw_size_curve sizes;
  bool done;

  if (hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return true;
  done = hw_size_curve_memory(&sizes);
  hw_size_curve_free(&sizes);
  return done;
}

/* The next larger working set: up to the size that shows the memory, not beyond it at once. */
static double levels_next(double at) {
  double next = at * (at < LEVELS_LONG ? 2 : 4);

  return at < HW_SIZE_CURVE_BYTES ? fmin(next, HW_SIZE_CURVE_BYTES) : next;
}

/* Measures the coarse curve, from a working set on until the memory's plateau is seen. */
static int levels_coarse(struct levels *levels, double at) {
  const double most = (double)levels->lap.mapped;
  const struct hw_lap_walk first = levels_walk_of(levels, at, HW_SIZE_CURVE_FARTHER);
  double x[LEVELS_POINTS];
  size_t n = 0;

  /* With this first point, others that are missing tell that the time was used up. */
  if (levels->farther.n == 0 && levels_walk(levels, &first, 1) < 0)
    return -1;
  for (; hw_lap_small(&levels->lap, at) && at <= most; at *= 2)
    x[n++] = at;
  if (levels_sample(levels, x, n) < 0)
    return -1;
  for (; at <= most && !levels_done(levels); at = levels_next(at))
    if (levels_sample(levels, &at, 1) < 0)
      return -1;
  return 0;
}

/* Measures a working set with lines farther apart; again where these cost more: TLBs, or noise. */
static int levels_far(struct levels *levels, double bytes) {
  const struct hw_lap_walk walk = levels_walk_of(levels, bytes, HW_SIZE_CURVE_FARTHER);

  for (unsigned i = 0; i <= LEVELS_CORRECT; i++) {
    if (levels_walk(levels, &walk, 1) < 0)
      return -1;
    if (hw_curve_at(&levels->farther, bytes)->y <=
        (1 + LEVELS_MISSES) * hw_curve_at(&levels->near, bytes)->y)
      break;
  }
  return 0;
}

/* Measures the last working set of each plateau behind the first, and of its first octave, once
   more with lines farther apart: the TLBs miss most at the former, less at the latter. */
static int levels_farther(struct levels *levels) {
  struct hw_size_curve sizes;
  int result = 0;

  if (hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return -1;
  for (size_t i = 1; i < sizes.n && result == 0; i++) {
    size_t end[2];
    end[0] = hw_size_curve_octave(&sizes, &sizes.plateau[i]);
    end[1] = sizes.plateau[i].last;
    for (size_t k = end[0] == end[1]; k < 2 && result == 0; k++) {
      double bytes = sizes.pure.point[end[k]].x;
      if (bytes < LEVELS_LONG)
        result = levels_far(levels, bytes);
    }
  }
  hw_size_curve_free(&sizes);
  return result;
}

/* Where, from level 2 on, the first rise begins that may hide a level, by its shape, or whose two
   plateaus are so close that they have to be measured by turns, bytes; infinite: none. */
static double levels_doubtful(const struct levels *levels) {
  struct hw_size_curve sizes;
  double from = INFINITY;

  if (hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return from;
  for (size_t i = 1; i + 1 < sizes.n && from == INFINITY; i++)
    if (hw_size_curve_near(&sizes, i) || hw_size_curve_bent(&sizes, i))
      from = hw_size_curve_low(&sizes, i)->x;
  hw_size_curve_free(&sizes);
  return from;
}

/* Measures working sets above from, up to LEVELS_LONG bytes, once more, each once. */
static int levels_anew(struct levels *levels, double from) {
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i < levels->near.n && n < LEVELS_POINTS; i++)
    if (levels->near.point[i].x > from && levels->near.point[i].x < LEVELS_LONG)
      x[n++] = levels->near.point[i].x;
  return levels_sample(levels, x, n);
}

/* Where the number of levels is in doubt, measures working sets anew in one go: a shared level may
   have been slower, by other cores' traffic or another clock rate, while some of them were
   measured.  If the doubt stays, the earlier curve is kept. */
static int levels_at_once(struct levels *levels) {
  double from = levels_doubtful(levels);
  struct hw_curve earlier;
  int result = 0;

  if (!(from < LEVELS_LONG))
    return 0;
  hw_curve_init(&earlier, levels->near.name, levels->near.x_title, levels->near.y_title);
  if (hw_curve_join(&earlier, &levels->near) < 0) {
    hw_curve_free(&earlier);
    return -1;
  }
  levels->anew = true;
  for (unsigned turn = 0; turn < LEVELS_TURNS && from < LEVELS_LONG && result == 0; turn++) {
    result = levels_anew(levels, from);
    from = levels_doubtful(levels);
  }
  levels->anew = false;
  if (from < LEVELS_LONG) {
    struct hw_curve later = levels->near;
    levels->near = earlier;
    earlier = later;
  }
  hw_curve_free(&earlier);
  return result;
}

/* Measures the curve: the coarse one, then the working sets between. */
static int levels_curve(struct levels *levels, double least) {
  if (hw_curves_get(&levels->bench->curves, HW_NAME_LEVELS) != NULL) {
    if (levels_again(levels) < 0)
      return -1;
    least = levels_next(levels->near.point[levels->near.n - 1].x);
  }
  if (levels_coarse(levels, least) < 0 || levels_refine(levels, true) < 0 ||
      levels_refine(levels, false) < 0)
    return -1;
  for (unsigned i = 0; i < LEVELS_CORRECT; i++)
    if (levels_correct(levels) < 0)
      return -1;
  if (levels_at_once(levels) < 0)
    return -1;
  return levels_farther(levels);
}

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
static int levels_lines_of(struct levels *levels, const struct hw_rise_pages *pages,
                           const struct hw_size_curve *sizes, size_t n, unsigned k, double bytes,
                           double high) {
  const struct hw_point *low = hw_size_curve_low(sizes, n);
  const double latency[2] = {low->y, high};
  const double middle = sqrt(sizes->pure.point[sizes->plateau[n].first].x * low->x);
  /* Well within the level, where that has enough pages. */
  size_t held = (size_t)fmin(fmax(middle, (double)hw_rise_least(pages->page)), low->x);
  char name[HW_CURVE_NAME + 1];
  struct hw_curve curve;
  int result;

  hw_size_curve_lines_name(name, n, k);
  hw_curve_init(&curve, name, "part of the working set (bytes)", "time of a load (cycles)");
  result = hw_rise_lines(levels->bench, pages, (size_t)bytes, held, latency, &curve);
  if (result == 0)
    return hw_publish(levels->bench, &curve, "levels", 0);
  hw_curve_free(&curve);
  return result;
}

/* Times single lines in the rise behind plateau n, unless the rise is too narrow for another level,
   or lines cannot be timed. */
static int levels_lines(struct levels *levels, const struct hw_rise_pages *pages,
                        const struct hw_size_curve *sizes, size_t n) {
  const struct hw_point *low = hw_size_curve_low(sizes, n), *high = hw_size_curve_high(sizes, n);
  /* A next plateau of one point was found by lines behind the rise, which were timed then. */
  unsigned k = sizes->plateau[n + 1].first == sizes->plateau[n + 1].last;
  int result = 0;

  if (high->x <= LEVELS_NARROW * low->x)
    return 0;
  for (; k <= HW_SIZE_CURVE_SETS && (k <= 1 ? result == 0 : result >= 0); k++)
    result = levels_lines_of(levels, pages, sizes, n, k,
                             k == 0 ? levels_set_behind(sizes, n, pages->page)
                                    : levels_set_within(sizes, n, k),
                             high->y);
  return result < 0 ? -1 : 0;
}

/* Times single lines of the largest working set where the curve still rises there. */
static int levels_last(struct levels *levels, const struct hw_rise_pages *pages,
                       const struct hw_size_curve *sizes) {
  const struct hw_point *last = &sizes->pure.point[sizes->pure.n - 1];

  if (!hw_size_curve_rising(sizes))
    return 0;
  return levels_lines_of(levels, pages, sizes, sizes->n - 1, 0, last->x, last->y) < 0 ? -1 : 0;
}

/* Measures the ends of plateau n and the next again, by turns; of each the lowest visit counts. */
static int levels_turns(struct levels *levels, const struct hw_size_curve *sizes, size_t n) {
  struct hw_lap_walk walk[2];
  const unsigned rounds = (levels->rounds + LEVELS_TURNS - 1) / LEVELS_TURNS;
  struct hw_curve curve;
  char name[HW_CURVE_NAME + 1];
  int result = 0;

  walk[0] = levels_walk_of(levels, hw_size_curve_low(sizes, n)->x, 1);
  walk[1] = levels_walk_of(levels, hw_size_curve_high(sizes, n)->x, 1);
  hw_size_curve_near_name(name, n);
  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  for (unsigned turn = 0; turn < 2 * LEVELS_TURNS && result == 0; turn++) {
    struct hw_curve visit = {.n = 0};
    const struct hw_point *earlier;
    result = hw_lap_sample(&levels->lap, &walk[turn % 2], 1, rounds, &visit);
    if (result == 0) {
      visit.point[0].x = (double)walk[turn % 2].bytes;
      earlier = hw_curve_at(&curve, visit.point[0].x);
      if (earlier == NULL || visit.point[0].y < earlier->y)
        result = hw_curve_put(&curve, visit.point[0]);
    }
    hw_curve_free(&visit);
  }
  return hw_publish(levels->bench, &curve, "levels", result);
}

/* Times lines in each rise from that behind level 2 on, and measures plateaus with close latencies
   by turns. */
static int levels_rises(struct levels *levels) {
  struct hw_answer cycle = hw_value_cycle_ps(&levels->bench->curves);
  const struct hw_lap *lap = &levels->lap;
  struct hw_answer line = hw_value_l1_line(&levels->bench->curves);
  struct hw_rise_pages pages = {lap->memory, lap->mapped, lap->page, line.known ? lap->line : 0,
                                cycle.value / 1e3};
  struct hw_size_curve sizes;
  int result = 0;

  if (!cycle.known)
    return 0;
  if (hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return -1;
  result = levels_last(levels, &pages, &sizes);
  hw_size_curve_free(&sizes);
  if (result < 0 || hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return -1;
  for (size_t i = 1; i + 1 < sizes.n && result == 0; i++)
    result = levels_lines(levels, &pages, &sizes, i);
  for (size_t i = 0; i + 1 < sizes.n && result == 0; i++)
    if (hw_size_curve_near(&sizes, i))
      result = levels_turns(levels, &sizes, i);
  hw_size_curve_free(&sizes);
  return result;
}

/* Samples the walks of n distances; x of the visit's points is the distance, bytes. */
static int levels_apart_once(struct levels *levels, const struct hw_lap_walk *walk, size_t n,
                             struct hw_curve *visit) {
  struct hw_curve numbered = {.n = 0};
  int result = hw_lap_sample(&levels->lap, walk, n, levels->rounds, &numbered);

  for (size_t i = 0; result == 0 && i < numbered.n; i++) {
    struct hw_point point = numbered.point[i];
    point.x = (double)(walk[(size_t)point.x - 1].farther * levels->lap.apart * levels->lap.line);
    result = hw_curve_put(visit, point);
  }
  hw_curve_free(&numbered);
  return result;
}

/* Puts the visits' point of distance x into the curve: the median, of a cache, to which others only
   add, the least.  0, or -1 without memory. */
static int levels_apart_middle(const struct hw_curve visit[LEVELS_AGAIN], double x, bool cache,
                               struct hw_curve *curve) {
  double sorted[LEVELS_AGAIN], middle;
  size_t n = 0;

  for (size_t i = 0; i < LEVELS_AGAIN; i++)
    if (hw_curve_at(&visit[i], x) != NULL)
      sorted[n++] = hw_curve_at(&visit[i], x)->y;
  if (n == 0)
    return 0;
  hw_sort(sorted, n);
  middle = sorted[cache ? 0 : (n - 1) / 2];
  for (size_t i = 0; i < LEVELS_AGAIN; i++) {
    const struct hw_point *point = hw_curve_at(&visit[i], x);
    if (point != NULL && !(point->y < middle) && !(point->y > middle))
      return hw_curve_put(curve, *point);
  }
  return 0;
}

/* Measures a working set of a cache or of memory at all distances, LEVELS_AGAIN times: a large one
   at all of them by turns after each pass, else one after another. */
static int levels_apart(struct levels *levels, double bytes, bool cache) {
  const struct hw_lap *lap = &levels->lap;
  const size_t distance = lap->apart * lap->line;
  struct hw_curve visit[LEVELS_AGAIN] = {{.n = 0}};
  struct hw_lap_walk walk[HW_LAP_WALKS];
  struct hw_curve curve;
  char name[HW_CURVE_NAME + 1];
  size_t n = 0, together;
  int result = 0;

  for (size_t farther = 1; farther <= HW_LAP_FARTHEST && farther * distance <= lap->page;
       farther *= 2)
    walk[n++] = levels_walk_of(levels, bytes, farther);
  together = hw_lap_walked(lap, bytes) ? 1 : n;
  hw_size_curve_apart_name(name, bytes);
  hw_curve_init(&curve, name, "distance of loads (bytes)", "time of a load (cycles)");
  for (unsigned turn = 0; turn < LEVELS_AGAIN; turn++)
    for (size_t k = 0; k < n && result == 0; k += together)
      result = levels_apart_once(levels, &walk[k], together, &visit[turn]);
  for (size_t k = 0; k < n && result == 0; k++)
    result = levels_apart_middle(visit, (double)(walk[k].farther * distance), cache, &curve);
  for (unsigned turn = 0; turn < LEVELS_AGAIN; turn++)
    hw_curve_free(&visit[turn]);
  return hw_publish(levels->bench, &curve, "levels", result);
}

/* Measures the last plateau, and those behind level 2, at all distances: of each the last working
   set, and of a cache also the last of its first octave, or the first if it is no longer: no part
   of that stays in the level above, and the shorter its lap, the fewer of its lines do other cores
   evict from a shared level. */
static int levels_distances(struct levels *levels) {
  struct hw_size_curve sizes;
  int result = 0;

  if (hw_size_curve_read(&levels->bench->curves, &levels->near, &sizes) < 0)
    return -1;
  for (size_t n = sizes.n; n > 2 || (n > 0 && n == sizes.n); n--) {
    const struct hw_plateau *plateau = &sizes.plateau[n - 1];
    const size_t octave = hw_size_curve_octave(&sizes, plateau);
    const size_t early = octave < plateau->last ? octave : plateau->first;
    const bool cache = n < sizes.n;
    if (result == 0)
      result = levels_apart(levels, sizes.pure.point[plateau->last].x, cache);
    if (result == 0 && cache && early < plateau->last)
      result = levels_apart(levels, sizes.pure.point[early].x, cache);
  }
  hw_size_curve_free(&sizes);
  return result;
}

int hw_probe_levels(struct hw_bench *bench) {
  const double wait = fmin(bench->wait, bench->effort.wait / LEVELS_WAIT);
  const double later = bench->wait - wait;
  const bool again = hw_curves_get(&bench->curves, HW_NAME_LEVELS) != NULL;
  /* The effort has doubled for a further attempt: as many rounds as before, besides the earlier. */
  struct levels levels = {.bench = bench, .rounds = bench->effort.rounds / (again ? 2 : 1)};
  struct hw_l1_shape l1;
  size_t least = LEVELS_SMALL;
  int result;

  if (hw_l1_shape(&bench->curves, &l1) == 0)
    least = l1.bytes / LEVELS_LEAST;
  if (hw_lap_open(&levels.lap, bench, 4 * LEVELS_LEAST * least) < 0)
    return -1;
  bench->wait = wait;
  hw_curve_init(&levels.near, HW_NAME_LEVELS, "working set (bytes)", "time of a load (cycles)");
  hw_curve_init(&levels.farther, HW_NAME_LEVELS_FARTHER, "working set (bytes)",
                "time of a load (cycles)");
  result = levels_curve(&levels, (double)least);
  if (hw_publish_some(bench, &levels.farther, "levels", 0) < 0 ||
      hw_publish_some(bench, &levels.near, "levels", 0) < 0)
    result = -1;
  /* What the rises have shown holds while the number of levels is known. */
  if (result == 0 && !(again && hw_value_cache_levels(&bench->curves).known))
    result = levels_rises(&levels);
  if (result == 0)
    result = levels_distances(&levels);
  hw_lap_close(&levels.lap);
  bench->wait += later;
  return result;
}
