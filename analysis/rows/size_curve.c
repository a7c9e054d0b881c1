/* The plateaus of the size curve, and what may lie between them.

   What TLB misses add shows on the spread chain, each load of which has a page of its own: it is
   subtracted as far as it is no cache miss.  Two plateaus of similar latencies must differ
   when they are measured by turns, too: another process makes a shared level slower for a while.
   So must one whose samples scatter, and cost what it did: where other processes take a part of a
   shared level, working sets of which it holds half look flat by chance. */
#include "analysis/rows/size_curve.h"

#include "analysis/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point that scatters by no more than this share is firm: it lies on its level within it. */
#define SIZE_CURVE_FIRM 0.03
/* Of the map: bytes from one load of the spread chain to the next; bytes from one load of the
   packed chain to the next; loads of a page that the packed chain does in a row.  And how many
   times as many packed loads have the cache misses that spread ones may have. */
#define SIZE_CURVE_PAGE 4096.0
#define SIZE_CURVE_APART 64.0
#define SIZE_CURVE_SHARE 8.0
#define SIZE_CURVE_CONFLICTS 8.0
/* What tells memory from a cache.  A load of SIZE_CURVE_SLOW_NS, twice the slowest caches (the
   fourth level of mainframes, on a chip of its own, 150).  Or a plateau up to SIZE_CURVE_FAR times
   the size where the one before ended: no known cache is more than 256 times as large as the one
   above (504 MiB behind 2 MiB); of effective sizes, which are a half of that or the whole, 1024 is
   safe.  Or SIZE_CURVE_FAR_NS, the time to open and read a DRAM row (30, since there is DDR) and
   the way there, in a plateau beyond HW_SIZE_CURVE_BYTES: larger than any cache but a third level
   behind a second one, from which SIZE_CURVE_FAR_RATIO tells it; it is none where the level before
   is no smaller than SIZE_CURVE_SECOND, or SIZE_CURVE_THREE levels are before. */
#define SIZE_CURVE_SLOW_NS 300.0
#define SIZE_CURVE_FAR 1024.0
#define SIZE_CURVE_FAR_NS 50.0
#define SIZE_CURVE_FAR_RATIO 256.0
#define SIZE_CURVE_SECOND ((double)((size_t)4 << 20))
#define SIZE_CURVE_THREE 3u
/* This many points that scatter look flat by chance no more often than once in some hundred rises:
   a point that is moved by half of its level or more is as high as the last, to an eighth, in a
   quarter of cases. */
#define SIZE_CURVE_MANY 5u
/* Rounds at least of a map that is whole. */
#define SIZE_CURVE_ROUNDS 3u

/* The last point of a curve up to x, or the first; NULL: it has none. */
static const struct hw_point *size_curve_before(const struct hw_curve *curve, double x) {
  size_t i = 0;

  if (curve == NULL || curve->n == 0)
    return NULL;
  while (i + 1 < curve->n && curve->point[i + 1].x <= x)
    i++;
  return &curve->point[i];
}

/* Cycles that a load of a page of its own costs more than a packed one, with that many bytes of
   pages, if of the packed ones that many times as many count. */
static double size_curve_spread(const struct hw_curves *curves, double bytes, double times) {
  const struct hw_point *spread, *packed;

  spread = size_curve_before(hw_curves_get(curves, HW_NAME_MAP_SPREAD), bytes / SIZE_CURVE_PAGE);
  if (spread == NULL)
    return 0;
  packed = size_curve_before(hw_curves_get(curves, HW_NAME_LEVELS),
                             times * spread->x * SIZE_CURVE_APART);
  return packed == NULL ? 0 : fmax(0, spread->y - packed->y) / SIZE_CURVE_SHARE;
}

/* Cycles that TLB misses add to a load of a working set, at least.  Lines of pages at random places
   have conflict misses, and may be longer than the packed ones lie apart: so several times as many
   packed ones count. */
static double size_curve_tlb(const struct hw_curves *curves, double bytes) {
  return size_curve_spread(curves, bytes, SIZE_CURVE_CONFLICTS);
}

double hw_size_curve_pure(const struct hw_curves *curves, const struct hw_point *point) {
  return point->y - size_curve_tlb(curves, point->x);
}

bool hw_size_curve_rising(const struct hw_size_curve *sizes) {
  return sizes->n > 1 && sizes->n < HW_LEVELS &&
         sizes->plateau[sizes->n - 1].last + 1 < sizes->pure.n;
}

/* If the curve still rises at its end, as a cache holds a part of even the largest working set,
   the cost of the lines that miss is the last plateau. */
static void size_curve_last(struct hw_size_curve *sizes) {
  struct hw_curve *pure = &sizes->pure;
  const size_t n = sizes->n, last = pure->n - 1;
  const struct hw_curve *lines;
  char name[HW_CURVE_NAME + 1];
  struct hw_answer missed;
  double low;

  if (!hw_size_curve_rising(sizes))
    return;
  low = pure->point[sizes->plateau[n - 1].last].y;
  hw_size_curve_lines_name(name, n - 1, 0);
  lines = hw_curves_get(sizes->curves, name);
  if (lines == NULL || lines->n == 0 || lines->point[lines->n - 1].x < pure->point[last].x)
    return;
  missed = hw_reduce_missed(lines, low);
  if (!missed.known)
    return;
  pure->point[last].y = missed.value;
  sizes->held = hw_lines_share(lines, -INFINITY, missed.value - missed.error);
  sizes->plateau[sizes->n++] = (struct hw_plateau){last, last};
}

/* Splits the first plateau where working sets that level 1 holds and flat ones right behind are so
   close in latency that they are one cluster. */
static void size_curve_first(struct hw_size_curve *sizes) {
  struct hw_answer l1 = hw_value_l1_bytes(sizes->curves);
  const struct hw_point *point = sizes->pure.point;
  struct hw_plateau *first = sizes->plateau;
  size_t held = first->first, behind;

  if (sizes->n == 0 || sizes->n == HW_LEVELS || !l1.known || point[held].x > l1.value)
    return;
  while (held < first->last && point[held + 1].x <= l1.value)
    held++;
  for (behind = held + 1; behind <= first->last; behind++)
    if (hw_plateau_flat(&sizes->pure, behind))
      break;
  if (behind > first->last || !(point[behind].y > (1 + HW_SIZE_CURVE_DIFFER) * point[held].y))
    return;
  memmove(first + 1, first, sizes->n * sizeof *first);
  sizes->n++;
  first[0].last = held;
  first[1].first = behind;
}

/* Whether a working set was visited in two rounds. */
static bool size_curve_twice(const struct hw_curves *curves, double x) {
  const struct hw_curve *round;
  unsigned visits = 0;

  for (unsigned k = 1; (round = hw_size_curve_round(curves, k)) != NULL; k++)
    visits += hw_curve_at(round, x) != NULL;
  return visits >= 2;
}

/* Whether a plateau has been seen in one round alone, where there were more: two of its working
   sets are the least that make one.  Beyond HW_SIZE_CURVE_BYTES one round has to do. */
static bool size_curve_once(const struct hw_size_curve *sizes, const struct hw_plateau *plateau) {
  const struct hw_point *point = sizes->pure.point;
  size_t twice = 0;

  for (size_t i = plateau->first; i <= plateau->last; i++)
    twice += size_curve_twice(sizes->curves, point[i].x);
  return twice < 2 && hw_size_curve_round(sizes->curves, SIZE_CURVE_ROUNDS) != NULL &&
         point[plateau->last].x <= HW_SIZE_CURVE_BYTES;
}

/* Leaves out plateaus before the last that only one round shows: these may be flat by chance. */
static void size_curve_drop(struct hw_size_curve *sizes) {
  size_t kept = 0;

  for (size_t i = 0; i < sizes->n; i++)
    if (i + 1 == sizes->n || !size_curve_once(sizes, &sizes->plateau[i]))
      sizes->plateau[kept++] = sizes->plateau[i];
  sizes->n = kept;
}

int hw_size_curve_read(const struct hw_curves *curves, const struct hw_curve *curve,
                       struct hw_size_curve *sizes) {
  sizes->curves = curves;
  hw_curve_init(&sizes->pure, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n; i++) {
    struct hw_point p = curve->point[i];
    p.y = hw_size_curve_pure(curves, &p);
    if (hw_curve_put(&sizes->pure, p) < 0) {
      hw_curve_free(&sizes->pure);
      return -1;
    }
  }
  sizes->n = hw_plateaus(&sizes->pure, sizes->plateau, HW_LEVELS);
  size_curve_drop(sizes);
  sizes->held = 0;
  size_curve_first(sizes);
  size_curve_last(sizes);
  return 0;
}

void hw_size_curve_free(struct hw_size_curve *sizes) { hw_curve_free(&sizes->pure); }

size_t hw_size_curve_octave(const struct hw_size_curve *sizes, const struct hw_plateau *plateau) {
  const struct hw_point *point = sizes->pure.point;
  size_t end = plateau->first;

  while (end < plateau->last && point[end].x < 2 * point[plateau->first].x)
    end++;
  return end;
}

const struct hw_point *hw_size_curve_low(const struct hw_size_curve *sizes, size_t n) {
  return &sizes->pure.point[sizes->plateau[n].last];
}

const struct hw_point *hw_size_curve_high(const struct hw_size_curve *sizes, size_t n) {
  return &sizes->pure.point[sizes->plateau[n + 1].first];
}

double hw_size_curve_translation(const struct hw_size_curve *sizes, size_t point) {
  const double bytes = sizes->pure.point[point].x;

  if (sizes->n > 0 && point <= sizes->plateau[0].last)
    return 0;
  return size_curve_spread(sizes->curves, bytes, 1) - size_curve_tlb(sizes->curves, bytes);
}

bool hw_size_curve_memory(const struct hw_size_curve *sizes) {
  struct hw_answer cycle = hw_value_cycle_ps(sizes->curves);
  const struct hw_curve *curve = &sizes->pure;
  const struct hw_point *before;
  double ns, bytes, ratio;

  if (sizes->n < 2 || sizes->plateau[sizes->n - 1].last + 1 < curve->n)
    return false;
  ns = hw_plateau_level(curve, &sizes->plateau[sizes->n - 1], true).value;
  ns = cycle.known ? ns * cycle.value / 1e3 : 0;
  bytes = curve->point[curve->n - 1].x;
  before = hw_size_curve_low(sizes, sizes->n - 2);
  ratio = bytes / before[1].x; /* it may end at any size below the next */
  return ratio >= SIZE_CURVE_FAR || ns >= SIZE_CURVE_SLOW_NS ||
         (ns >= SIZE_CURVE_FAR_NS && bytes >= HW_SIZE_CURVE_BYTES &&
          (ratio >= SIZE_CURVE_FAR_RATIO || before->x >= SIZE_CURVE_SECOND ||
           sizes->n > SIZE_CURVE_THREE));
}

void hw_size_curve_near_name(char name[HW_CURVE_NAME + 1], size_t n) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_near_%zu", n + 1);
}

void hw_size_curve_lines_name(char name[HW_CURVE_NAME + 1], size_t n, unsigned k) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_lines_%zu_%u", n + 1, k);
}

/* Whether a plateau has few points, of which fewer than two have samples that agree. */
static bool size_curve_shaky(const struct hw_size_curve *sizes, const struct hw_plateau *plateau) {
  size_t firm = 0;

  if (plateau->last - plateau->first + 1 >= SIZE_CURVE_MANY)
    return false;
  for (size_t i = plateau->first; i <= plateau->last; i++)
    firm += sizes->pure.point[i].spread <= SIZE_CURVE_FIRM;
  return firm < 2;
}

bool hw_size_curve_near(const struct hw_size_curve *sizes, size_t n) {
  const struct hw_plateau *low = &sizes->plateau[n];

  return hw_size_curve_high(sizes, n)->y < HW_SIZE_CURVE_NEAR * hw_size_curve_low(sizes, n)->y ||
         (n > 0 && size_curve_shaky(sizes, low)) ||
         (n + 2 < sizes->n && size_curve_shaky(sizes, low + 1));
}

/* Whether a working set measured again is a point of the plateau, and costs what it did. */
static bool size_curve_same(const struct hw_size_curve *sizes, const struct hw_plateau *plateau,
                            const struct hw_point *again) {
  const struct hw_curve *curve = &sizes->pure;
  const struct hw_point *point = hw_curve_at(curve, again->x);
  double y = hw_size_curve_pure(sizes->curves, again);

  return point != NULL && !(again->x < curve->point[plateau->first].x) &&
         !(again->x > curve->point[plateau->last].x) && y > point->y / (1 + HW_SIZE_CURVE_DIFFER) &&
         y < point->y * (1 + HW_SIZE_CURVE_DIFFER);
}

/* Cycles of a load on a plateau at least, whatever TLBs add: at its end, or that of its first
   octave. */
static double size_curve_least(const struct hw_size_curve *sizes,
                               const struct hw_plateau *plateau) {
  const struct hw_point *point = sizes->pure.point;
  size_t octave = hw_size_curve_octave(sizes, plateau);

  return fmax(point[plateau->last].y - hw_size_curve_translation(sizes, plateau->last),
              point[octave].y - hw_size_curve_translation(sizes, octave));
}

enum hw_differ hw_size_curve_differ(const struct hw_size_curve *sizes, size_t n) {
  const struct hw_plateau *low = &sizes->plateau[n], *high = low + 1;
  const struct hw_point *point = sizes->pure.point;
  const struct hw_curve *turns;
  char name[HW_CURVE_NAME + 1];
  bool higher;

  if (!(size_curve_least(sizes, high) > (1 + HW_SIZE_CURVE_DIFFER) * point[low->last].y))
    return HW_DIFFER_UNCLEAR;
  if (!hw_size_curve_near(sizes, n))
    return HW_DIFFER_YES;
  hw_size_curve_near_name(name, n);
  turns = hw_curves_get(sizes->curves, name);
  /* Are these of other plateaus, seen by an earlier attempt? */
  if (turns == NULL || turns->n != 2 || !size_curve_same(sizes, low, &turns->point[0]) ||
      turns->point[1].x < point[high->first].x || turns->point[1].x > point[high->last].x)
    return HW_DIFFER_UNCLEAR;
  higher = turns->point[1].y > (1 + HW_SIZE_CURVE_DIFFER) * turns->point[0].y;
  if (!higher)
    return HW_DIFFER_NOT;
  return size_curve_same(sizes, high, &turns->point[1]) ? HW_DIFFER_YES : HW_DIFFER_UNCLEAR;
}

/* Whether a working set behind the first plateau costs less than it can by the second.  In a lap
   over more lines than level 1 holds, no more lines hit than it holds, under any replacement
   policy: the others cost less than the second plateau on average only where some lie in a level
   before it, whose latency is as near to it as levels may be, or nearer. */
static bool size_curve_cheap(const struct hw_size_curve *sizes) {
  struct hw_answer l1 = hw_value_l1_bytes(sizes->curves);
  double hit = hw_size_curve_low(sizes, 0)->y;
  double miss = hw_size_curve_high(sizes, 0)->y / (1 + HW_CLUSTER_WIDTH);

  for (size_t i = sizes->plateau[0].last + 1; l1.known && i < sizes->plateau[1].first; i++) {
    const struct hw_point *point = &sizes->pure.point[i];
    double held = fmin(1, l1.value / point->x);
    if ((1 + SIZE_CURVE_FIRM) * point->y < held * hit + (1 - held) * miss)
      return true;
  }
  return false;
}

/* A plateau; the first with all working sets that level 1 holds: what costs more there is noise. */
static struct hw_plateau size_curve_held(const struct hw_size_curve *sizes, size_t n) {
  struct hw_answer l1 = hw_value_l1_bytes(sizes->curves);
  struct hw_plateau held = sizes->plateau[n];

  while (n == 0 && l1.known && held.last + 1 < sizes->plateau[1].first &&
         sizes->pure.point[held.last + 1].x <= l1.value)
    held.last++;
  return held;
}

/* Caches that plateaus up to the n-th show. */
static size_t size_curve_caches(const struct hw_size_curve *sizes, size_t n) {
  size_t caches = 0;

  for (size_t i = 0; i < n && i + 1 < sizes->n; i++)
    caches += hw_size_curve_differ(sizes, i) != HW_DIFFER_NOT;
  return caches;
}

/* Whether the rise behind plateau n, with three caches before it, has working sets that one round
   alone visited: what others leave of a shared level, now more and now less, gives it any width and
   shape. */
static bool size_curve_loose(const struct hw_size_curve *sizes, size_t n) {
  const bool whole = hw_size_curve_round(sizes->curves, SIZE_CURVE_ROUNDS) != NULL;
  bool once = false;

  if (whole && size_curve_caches(sizes, n + 1) >= SIZE_CURVE_THREE)
    for (size_t i = sizes->plateau[n].last + 1; i < sizes->plateau[n + 1].first; i++)
      once = once || !size_curve_twice(sizes->curves, sizes->pure.point[i].x);
  return once;
}

bool hw_size_curve_bent(const struct hw_size_curve *sizes, size_t n) {
  const struct hw_plateau low = size_curve_held(sizes, n), *high = &sizes->plateau[n + 1];

  if (size_curve_loose(sizes, n))
    return false;
  return hw_plateau_shoulder(&sizes->pure, &low, high) || (n == 0 && size_curve_cheap(sizes)) ||
         hw_plateau_wide(&sizes->pure, &low, high);
}

bool hw_size_curve_two(const struct hw_size_curve *sizes, size_t n) {
  return size_curve_caches(sizes, sizes->n) < SIZE_CURVE_THREE &&
         (n > 0 || !hw_value_l1_bytes(sizes->curves).known) &&
         hw_plateau_two(&sizes->pure, &sizes->plateau[n], &sizes->plateau[n + 1]);
}

void hw_size_curve_round_name(char name[HW_CURVE_NAME + 1], const char *stem, unsigned k) {
  snprintf(name, HW_CURVE_NAME + 1, "%s_round_%u", stem, k);
}

const struct hw_curve *hw_size_curve_round(const struct hw_curves *curves, unsigned k) {
  char name[HW_CURVE_NAME + 1];

  hw_size_curve_round_name(name, HW_NAME_LEVELS, k);
  return hw_curves_get(curves, name);
}
