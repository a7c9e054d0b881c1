/* The plateaus of the size curve, and what may lie between them.

   What the first TLB adds is taken off where it is known.  What TLBs add that is not known is told
   by lines farther apart, of which a page has fewer.  Two plateaus whose latencies are near to each
   other must differ when they are measured by turns, too: a neighbour makes a shared level slower
   for a while.  So must one whose samples scatter, and cost what it did: where others take a part
   of a shared level, working sets that it holds by half look flat by chance. */
#include "probes/memory/stairs.h"

#include "probes/memory/lap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Standard errors by which what is loaded farther apart must cost more for that to be said. */
#define STAIRS_SURE 2.0
/* What memory is and no cache: a load of so many ns at all, twice what the slowest caches take
   (the fourth level of mainframes, on a chip of its own, 150).
   Or a plateau that goes on beyond so many times the size where the one before ended.  Of the
   caches that are known none is more than 256 times as large as the one above (504 MiB behind 2
   MiB); of each other's effective sizes, which are a half of that or the whole, 1024 is safe. Or so
   many ns, what a row of DRAM takes to be opened and read (30, since there is DDR) and the way
   there, in a plateau beyond so many bytes: larger than any cache but a third level
   behind a second one, from which the ratio tells it; it is none where the one before is larger
   than this, or three levels are before. */
#define STAIRS_SLOW_NS 300.0
#define STAIRS_FAR 1024.0
#define STAIRS_FAR_NS 50.0
#define STAIRS_FAR_RATIO 256.0
#define STAIRS_SECOND ((double)((size_t)4 << 20))
#define STAIRS_THREE 3u
/* So many points that scatter look flat by chance no more often than once in some hundred rises:
   one that is moved by a half of its level or more is as high as the last by an eighth in a quarter
   of cases. */
#define STAIRS_MANY 5u

static struct hw_stairs_tlb stairs_tlb(const struct hw_curves *curves) {
  struct hw_answer line = hw_value_l1_line(curves), page = hw_value_page_bytes(curves);
  struct hw_answer reach = hw_value_tlb1_reach_bytes(curves), ways = hw_value_tlb1_assoc(curves);
  struct hw_answer miss = hw_value_tlb1_miss(curves);

  if (!(line.known && page.known && reach.known && ways.known && miss.known))
    return (struct hw_stairs_tlb){.holds = INFINITY};
  return (struct hw_stairs_tlb){reach.value, reach.value * (1 + 1 / ways.value), miss.value,
                                hw_lap_apart(line.value, page.value) / page.value};
}

/* What misses of the first TLB add to a load of a lap at this spacing: one for each page of a
   segment.  0 where they are not known, or there are none yet.  Negative where some sets of the TLB
   hold their pages and some do not. */
static double stairs_tlb1(const struct hw_stairs_tlb *tlb, double bytes, size_t farther) {
  if (!(bytes > tlb->holds))
    return 0;
  return bytes < tlb->none ? -1 : tlb->miss * fmin(1, tlb->share * (double)farther);
}

bool hw_stairs_rising(const struct hw_stairs *stairs) {
  return stairs->n > 1 && stairs->n < HW_LEVELS &&
         stairs->plateau[stairs->n - 1].last + 1 < stairs->pure.n;
}

/* Where the curve still rises at its end, as a cache holds a part of even the largest working set,
   what the others of its lines cost is the last plateau. */
static void stairs_last(struct hw_stairs *stairs) {
  struct hw_curve *pure = &stairs->pure;
  const size_t n = stairs->n, last = pure->n - 1;
  const struct hw_curve *lines;
  char name[HW_CURVE_NAME + 1];
  struct hw_answer missed;
  double low;

  if (!hw_stairs_rising(stairs))
    return;
  low = pure->point[stairs->plateau[n - 1].last].y;
  hw_stairs_lines_name(name, n - 1, 0);
  lines = hw_curves_get(stairs->curves, name);
  if (lines == NULL || lines->n == 0 || lines->point[lines->n - 1].x < pure->point[last].x)
    return;
  missed = hw_reduce_missed(lines, low);
  if (!missed.known)
    return;
  pure->point[last].y = missed.value;
  stairs->held = hw_lines_share(lines, -INFINITY, missed.value - missed.error);
  stairs->plateau[stairs->n++] = (struct hw_plateau){last, last};
}

/* Where what level 1 holds and what lies flat right behind it are so near to each other that they
   are one cluster, these are two plateaus. */
static void stairs_first(struct hw_stairs *stairs) {
  struct hw_answer l1 = hw_value_l1_bytes(stairs->curves);
  const struct hw_point *point = stairs->pure.point;
  struct hw_plateau *first = stairs->plateau;
  size_t held = first->first, behind;

  if (stairs->n == 0 || stairs->n == HW_LEVELS || !l1.known || point[held].x > l1.value)
    return;
  while (held < first->last && point[held + 1].x <= l1.value)
    held++;
  for (behind = held + 1; behind <= first->last; behind++)
    if (hw_plateau_flat(&stairs->pure, behind))
      break;
  if (behind > first->last || !(point[behind].y > (1 + HW_STAIRS_DIFFER) * point[held].y))
    return;
  memmove(first + 1, first, stairs->n * sizeof *first);
  stairs->n++;
  first[0].last = held;
  first[1].first = behind;
}

int hw_stairs_read(const struct hw_curves *curves, const struct hw_curve *curve,
                   struct hw_stairs *stairs) {
  stairs->curves = curves;
  stairs->tlb = stairs_tlb(curves);
  hw_curve_init(&stairs->pure, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n; i++) {
    struct hw_point p = curve->point[i];
    double more = stairs_tlb1(&stairs->tlb, p.x, 1);
    if (more < 0)
      continue;
    p.y -= more;
    if (hw_curve_put(&stairs->pure, p) < 0) {
      hw_curve_free(&stairs->pure);
      return -1;
    }
  }
  stairs->n = hw_plateaus(&stairs->pure, stairs->plateau, HW_LEVELS);
  stairs->held = 0;
  stairs_first(stairs);
  stairs_last(stairs);
  return 0;
}

void hw_stairs_free(struct hw_stairs *stairs) { hw_curve_free(&stairs->pure); }

size_t hw_stairs_octave(const struct hw_stairs *stairs, const struct hw_plateau *plateau) {
  const struct hw_point *point = stairs->pure.point;
  size_t end = plateau->first;

  while (end < plateau->last && point[end].x < 2 * point[plateau->first].x)
    end++;
  return end;
}

const struct hw_point *hw_stairs_low(const struct hw_stairs *stairs, size_t n) {
  return &stairs->pure.point[stairs->plateau[n].last];
}

const struct hw_point *hw_stairs_high(const struct hw_stairs *stairs, size_t n) {
  return &stairs->pure.point[stairs->plateau[n + 1].first];
}

/* What TLBs add where lines farther apart were not loaded.  These come to be loaded by ascending
   size, from the least on: what is missing then the time did not suffice for.  Where the least is
   missing, the log is of a probe that loaded those of some plateaus only, and of all in time. */
static double stairs_missing(const struct hw_stairs *stairs, const struct hw_curve *farther) {
  return hw_curve_at(farther, stairs->pure.point[0].x) != NULL ? INFINITY : 0;
}

double hw_stairs_translation(const struct hw_stairs *stairs, size_t point) {
  const struct hw_curve *farther = hw_curves_get(stairs->curves, "levels_farther");
  const struct hw_point *near = &stairs->pure.point[point], *far;
  double more, sure;

  if (farther == NULL || (stairs->n > 0 && point <= stairs->plateau[0].last))
    return 0;
  far = hw_curve_at(farther, near->x);
  if (far == NULL)
    return stairs_missing(stairs, farther);
  more = far->y - stairs_tlb1(&stairs->tlb, far->x, HW_LAP_FARTHER) - near->y;
  /* Beside a neighbour both scatter: what that explains is no TLB's, which adds to every sample,
     the least too. */
  sure = STAIRS_SURE * hypot(hw_point_error(near), hw_point_error(far));
  sure = fmax(sure, more > 0 ? far->spread * far->y : near->spread * near->y);
  if (!(fabs(more) > sure))
    return 0;
  return more > 0 ? more / (HW_LAP_FARTHER - 1) : -more;
}

bool hw_stairs_memory(const struct hw_stairs *stairs) {
  struct hw_answer cycle = hw_value_cycle_ps(stairs->curves);
  const struct hw_curve *curve = &stairs->pure;
  const struct hw_point *before;
  double ns, bytes, ratio;

  if (stairs->n < 2 || stairs->plateau[stairs->n - 1].last + 1 < curve->n)
    return false;
  ns = hw_plateau_level(curve, &stairs->plateau[stairs->n - 1], true).value;
  ns = cycle.known ? ns * cycle.value / 1e3 : 0;
  bytes = curve->point[curve->n - 1].x;
  before = hw_stairs_low(stairs, stairs->n - 2);
  ratio = bytes / before[1].x; /* it may end at any size below the next */
  return ratio >= STAIRS_FAR || ns >= STAIRS_SLOW_NS ||
         (ns >= STAIRS_FAR_NS && bytes >= HW_STAIRS_BYTES &&
          (ratio >= STAIRS_FAR_RATIO || before->x > STAIRS_SECOND || stairs->n > STAIRS_THREE));
}

void hw_stairs_near_name(char name[HW_CURVE_NAME + 1], size_t n) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_near_%zu", n + 1);
}

void hw_stairs_lines_name(char name[HW_CURVE_NAME + 1], size_t n, unsigned k) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_lines_%zu_%u", n + 1, k);
}

/* Whether a plateau is of a few points, and of fewer than two do the samples agree. */
static bool stairs_shaky(const struct hw_stairs *stairs, const struct hw_plateau *plateau) {
  size_t firm = 0;

  if (plateau->last - plateau->first + 1 >= STAIRS_MANY)
    return false;
  for (size_t i = plateau->first; i <= plateau->last; i++)
    firm += stairs->pure.point[i].spread <= HW_LEVEL_ERROR;
  return firm < 2;
}

bool hw_stairs_near(const struct hw_stairs *stairs, size_t n) {
  const struct hw_plateau *low = &stairs->plateau[n];

  return hw_stairs_high(stairs, n)->y < HW_STAIRS_NEAR * hw_stairs_low(stairs, n)->y ||
         (n > 0 && stairs_shaky(stairs, low)) ||
         (n + 2 < stairs->n && stairs_shaky(stairs, low + 1));
}

/* Whether a working set that is measured again is a point of the plateau, and costs what it did. */
static bool stairs_same(const struct hw_stairs *stairs, const struct hw_plateau *plateau,
                        const struct hw_point *again) {
  const struct hw_curve *curve = &stairs->pure;
  const struct hw_point *point = hw_curve_at(curve, again->x);
  double y = again->y - stairs_tlb1(&stairs->tlb, again->x, 1);

  return point != NULL && !(again->x < curve->point[plateau->first].x) &&
         !(again->x > curve->point[plateau->last].x) && y > point->y / (1 + HW_STAIRS_DIFFER) &&
         y < point->y * (1 + HW_STAIRS_DIFFER);
}

/* What a load on a plateau takes at least, whatever TLBs add: at its end, or that of its first
   octave, if lines farther apart were loaded there. */
static double stairs_least(const struct hw_stairs *stairs, const struct hw_plateau *plateau) {
  const struct hw_curve *farther = hw_curves_get(stairs->curves, "levels_farther");
  const struct hw_point *point = stairs->pure.point;
  size_t octave = hw_stairs_octave(stairs, plateau);
  double least = point[plateau->last].y - hw_stairs_translation(stairs, plateau->last);

  return farther != NULL && hw_curve_at(farther, point[octave].x) != NULL
             ? fmax(least, point[octave].y - hw_stairs_translation(stairs, octave))
             : least;
}

enum hw_differ hw_stairs_differ(const struct hw_stairs *stairs, size_t n) {
  const struct hw_plateau *low = &stairs->plateau[n], *high = low + 1;
  const struct hw_point *point = stairs->pure.point;
  const struct hw_curve *turns;
  char name[HW_CURVE_NAME + 1];
  bool higher;

  if (!(stairs_least(stairs, high) > (1 + HW_STAIRS_DIFFER) * point[low->last].y))
    return HW_DIFFER_UNCLEAR;
  if (!hw_stairs_near(stairs, n))
    return HW_DIFFER_YES;
  hw_stairs_near_name(name, n);
  turns = hw_curves_get(stairs->curves, name);
  /* Of other plateaus, seen by an earlier attempt? */
  if (turns == NULL || turns->n != 2 || !stairs_same(stairs, low, &turns->point[0]) ||
      turns->point[1].x < point[high->first].x || turns->point[1].x > point[high->last].x)
    return HW_DIFFER_UNCLEAR;
  higher = turns->point[1].y > (1 + HW_STAIRS_DIFFER) * turns->point[0].y;
  if (!higher)
    return HW_DIFFER_NOT;
  return stairs_same(stairs, high, &turns->point[1]) ? HW_DIFFER_YES : HW_DIFFER_UNCLEAR;
}

/* Whether a working set behind the first plateau costs less than it can by the second.  In a lap
   over more lines than level 1 holds, no more of them hit it than it holds, however it is replaced:
   what the others take on average is less than the second plateau only where some lie in a level
   before it, which is as near to it as levels may be, or nearer. */
static bool stairs_cheap(const struct hw_stairs *stairs) {
  struct hw_answer l1 = hw_value_l1_bytes(stairs->curves);
  double hit = hw_stairs_low(stairs, 0)->y;
  double miss = hw_stairs_high(stairs, 0)->y / (1 + HW_CLUSTER_WIDTH);

  for (size_t i = stairs->plateau[0].last + 1; l1.known && i < stairs->plateau[1].first; i++) {
    const struct hw_point *point = &stairs->pure.point[i];
    double held = fmin(1, l1.value / point->x);
    if ((1 + HW_LEVEL_ERROR) * point->y < held * hit + (1 - held) * miss)
      return true;
  }
  return false;
}

/* A plateau with, of the first, all working sets that level 1 holds: what costs more there is
 * noise.
 */
static struct hw_plateau stairs_held(const struct hw_stairs *stairs, size_t n) {
  struct hw_answer l1 = hw_value_l1_bytes(stairs->curves);
  struct hw_plateau held = stairs->plateau[n];

  while (n == 0 && l1.known && held.last + 1 < stairs->plateau[1].first &&
         stairs->pure.point[held.last + 1].x <= l1.value)
    held.last++;
  return held;
}

bool hw_stairs_bent(const struct hw_stairs *stairs, size_t n) {
  const struct hw_plateau low = stairs_held(stairs, n), *high = &stairs->plateau[n + 1];

  return hw_plateau_shoulder(&stairs->pure, &low, high) || (n == 0 && stairs_cheap(stairs)) ||
         hw_plateau_wide(&stairs->pure, &low, high);
}

static const char stairs_apart[] = "levels_apart_";

void hw_stairs_apart_name(char name[HW_CURVE_NAME + 1], double bytes) {
  snprintf(name, HW_CURVE_NAME + 1, "%s%.0f", stairs_apart, bytes);
}

double hw_stairs_apart_bytes(const char *name) {
  size_t length = sizeof stairs_apart - 1;

  return strncmp(name, stairs_apart, length) == 0 ? strtod(name + length, NULL) : 0;
}
