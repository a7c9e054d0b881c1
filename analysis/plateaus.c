/* Plateaus of a curve that rises in steps, and their levels.

   Clusters of y alone (BB 4.2.3) do not tell a plateau from a slow rise, and where two levels are
   close the points of the rise between them join both into one cluster.  So points that are on no
   flat stretch are left out first, and the rest is clustered. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* The rise of one cache is the miss rate of pages that lie at random and share a set with too many
   others (SV III-A): with one way, the least that a lower cache may have, it is the slowest.
   Between a quarter (the least difference of two levels) above the lower and below the higher
   level, it rises over a factor in size

     of        1 way   2 ways   4 ways   (levels 2 times apart; more where they are further)
     4/3        5 %      9 %     15 %
     1.5        8 %     13 %     22 %
     2         15 %     25 %

   by at least the share given. */

/* A flat stretch spans this factor in x and rises over it by no more than half of a cluster's
   width: by less than the rise of one way. */
#define PLATEAUS_SPAN 2.0
#define PLATEAUS_RISE (HW_CLUSTER_WIDTH / 2)
/* It is flat if it rises by no more than this share. */
#define PLATEAUS_FLAT 0.03
/* A shorter one counts when it does not rise at all, as measured: not by half of the rise of one
   way. */
#define PLATEAUS_SHORT 1.5
#define PLATEAUS_POINTS 3u

/* A rise has a shoulder where three points, which span 4/3 or more, differ by no more than this:
   less than the rise of two ways.  It is wider than that of one cache when it takes longer than
   that of PLATEAUS_WAYS ways, with the steps between the points at both ends. */
#define PLATEAUS_SHOULDER 0.06
#define PLATEAUS_WAYS 4u
#define PLATEAUS_STEP 1.25
#define PLATEAUS_STEPS 60u

/* Two caches may make a rise that looks like that of one with fewer ways: where the second holds
   twice as much as the first, and all three levels cost PLATEAUS_TWICE as much as the one before or
   more, it takes at least a factor of

     2.9 with 32 ways   3.1 with 24   3.5 with 16   4.5 with 8

   from where the lower level is left to where the higher begins.  By a step between two points
   less, as noise and where the pages lie may move the foot of the rise, it is PLATEAUS_ONE; one
   cache takes less than that with 20 ways, or with fewer where the levels are near. */
#define PLATEAUS_TWICE 2.0
#define PLATEAUS_ONE 2.5

/* The misses of one cache grow with the working set: ever steeper at first, then ever less.  Where
   the rise is surely less steep by PLATEAUS_BEND over three points or more, which span
   PLATEAUS_BEND_SPAN, and as much steeper again behind them, it is that of two caches. */
#define PLATEAUS_BEND 1.5
#define PLATEAUS_BEND_SPAN 1.3

/* Lines belong to the level within this ratio: as far as levels may be slanted, but at most a third
   of the way to the next.  Fewer than PLATEAUS_MISSED that belong to none mean nothing. */
#define PLATEAUS_APART 1.5
#define PLATEAUS_THIRD (1.0 / 3)
#define PLATEAUS_MISSED 8u

/* The first point from i on whose x is span times that of i, or n. */
static size_t plateaus_far(const struct hw_curve *curve, size_t i, double span) {
  size_t j = i;

  while (j < curve->n && curve->point[j].x < span * curve->point[i].x)
    j++;
  return j;
}

/* Whether the curve, which is also given as it rises, rises from point first to last by no more
   than that share.  A point clearly above those behind it is noise, and may hide a level: at most
   that many may be.  The index one behind the last that is none; 0: it rises further. */
static size_t plateaus_level(const struct hw_curve *curve, const struct hw_curve *risen,
                             size_t first, size_t last, double share, size_t noise) {
  const double most = (1 + share) * risen->point[first].y;
  size_t level = 0, end = 0;

  if (last >= risen->n || risen->point[last].y > most || curve->point[first].y > most)
    return 0;
  for (size_t i = first; i <= last; i++)
    if (curve->point[i].y <= most) {
      level++;
      end = i + 1;
    } else if (curve->point[i].y <= (1 + PLATEAUS_FLAT) * risen->point[i].y) {
      return 0;
    }
  return level + noise > last - first ? end : 0;
}

/* The index one behind the flat stretch that starts at point i of a curve, which is also given as
   it rises.  0: none starts there. */
static size_t plateaus_stretch(const struct hw_curve *curve, const struct hw_curve *risen,
                               size_t i) {
  size_t far = plateaus_far(risen, i, PLATEAUS_SPAN);
  size_t near = plateaus_far(risen, i, PLATEAUS_SHORT);
  size_t end = plateaus_level(curve, risen, i, far, PLATEAUS_RISE, (far - i) / 2);

  if (end == 0 && near - i + 1 >= PLATEAUS_POINTS)
    end = plateaus_level(curve, risen, i, near, PLATEAUS_FLAT, 0);
  return end;
}

bool hw_plateau_flat(const struct hw_curve *curve, size_t i) {
  struct hw_curve risen;
  bool flat;

  if (hw_monotone(curve, &risen) < 0)
    return false;
  flat = plateaus_stretch(curve, &risen, i) > 0;
  hw_curve_free(&risen);
  return flat;
}

/* Copies the points of the flat stretches of a curve that never falls.  from[k] is the index of
   point k of the copy.  0, or -1 without memory. */
static int plateaus_flat(const struct hw_curve *curve, const struct hw_curve *risen,
                         struct hw_curve *flat, size_t *from) {
  size_t end = 0; /* of the stretches so far */

  for (size_t i = 0; i < risen->n; i++) {
    size_t stretch = plateaus_stretch(curve, risen, i);
    end = stretch > end ? stretch : end;
    if (i < end) {
      from[flat->n] = i;
      if (hw_curve_put(flat, risen->point[i]) < 0)
        return -1;
    }
  }
  return 0;
}

/* The clusters of the flat points as ranges of all points. */
static size_t plateaus_ranges(const struct hw_curve *risen, const struct hw_curve *flat,
                              const size_t *from, const size_t *member, struct hw_plateau *plateau,
                              size_t most) {
  size_t n = 0;

  for (size_t i = 0, last; i < flat->n && n < most; i = last + 1) {
    for (last = i; last + 1 < flat->n && member[last + 1] == member[i];)
      last++;
    if (risen->point[from[last]].x >= PLATEAUS_SHORT * risen->point[from[i]].x)
      plateau[n++] = (struct hw_plateau){from[i], from[last]};
  }
  return n;
}

size_t hw_plateaus(const struct hw_curve *curve, struct hw_plateau *plateau, size_t most) {
  struct hw_curve risen = {.n = 0}, flat = {.n = 0};
  size_t *from = calloc(2 * curve->n + 1, sizeof *from), *member, n = 0;
  struct hw_cluster *cluster = calloc(curve->n + 1, sizeof *cluster);

  if (from != NULL && cluster != NULL && hw_monotone(curve, &risen) == 0) {
    member = from + curve->n;
    if (plateaus_flat(curve, &risen, &flat, from) == 0 &&
        hw_qt_clusters(&flat, member, cluster) > 0)
      n = plateaus_ranges(&risen, &flat, from, member, plateau, most);
    hw_curve_free(&risen);
    hw_curve_free(&flat);
  }
  free(from);
  free(cluster);
  return n;
}

/* Standard errors of the points by which a level may be off. */
#define PLATEAUS_SURE 2.0

/* The median of y from point first to last, as measured: the curve as it rises is biased by noise.
   Its error is half of the range of the points, which counts for less where there are many, and
   their scatter. */
static struct hw_answer plateaus_middle(const struct hw_curve *curve, size_t first, size_t last) {
  double n = (double)(last - first + 1), below = INFINITY, above = -INFINITY;
  double least = INFINITY, most = -INFINITY, scatter = 0, error;

  for (size_t i = first; i <= last; i++) {
    double y = curve->point[i].y, low = 0, high = 0;
    for (size_t j = first; j <= last; j++) {
      low += curve->point[j].y <= y;
      high += curve->point[j].y >= y;
    }
    below = 2 * low >= n ? fmin(below, y) : below;
    above = 2 * high >= n ? fmax(above, y) : above;
    least = fmin(least, y);
    most = fmax(most, y);
    scatter += hw_point_error(&curve->point[i]) / n;
  }
  error = fmax((most - least) / 2 * fmin(1, 2 / sqrt(n)), PLATEAUS_SURE * scatter / sqrt(n));
  return hw_known("level of a plateau", (below + above) / 2, error, HW_CLEAR);
}

/* Whether a point of a range costs clearly less than the level of a stretch before it: a larger
   working set takes no less time, so that another process held a part of the cache meanwhile. */
static bool plateaus_under(const struct hw_curve *curve, size_t from, size_t last,
                           const struct hw_answer *level) {
  for (size_t i = from; i <= last; i++)
    if (curve->point[i].y + PLATEAUS_SURE * hw_point_error(&curve->point[i]) <
        level->value - level->error)
      return true;
  return false;
}

struct hw_answer hw_plateau_level(const struct hw_curve *curve, const struct hw_plateau *plateau,
                                  bool from_end) {
  struct hw_answer best = hw_unknown("level of a plateau", "out of memory");
  struct hw_curve risen;

  if (hw_monotone(curve, &risen) < 0)
    return best;
  best = plateaus_middle(curve, plateau->first, plateau->last);
  for (size_t i = plateau->first; i <= plateau->last; i++) {
    size_t far = plateaus_far(&risen, i, PLATEAUS_SPAN);
    struct hw_answer level;
    if (far > plateau->last)
      break;
    level = plateaus_middle(curve, i, far);
    if (plateaus_under(curve, far + 1, plateau->last, &level))
      continue;
    if (level.error / level.value < best.error / best.value ||
        (from_end && level.error <= PLATEAUS_FLAT * level.value))
      best = level;
  }
  hw_curve_free(&risen);
  return best;
}

/* The miss rate of pages at random in a cache of PLATEAUS_WAYS ways, load being pages over sets. */
static double plateaus_miss(double load) {
  double term = exp(-load), hit = 0;

  for (unsigned k = 0; k < PLATEAUS_WAYS; term *= load / ++k)
    hit += term;
  return 1 - hit;
}

/* The load at which that share misses. */
static double plateaus_load(double share) {
  double low = 1e-6, high = 1e3;

  for (unsigned i = 0; i < PLATEAUS_STEPS; i++) {
    double middle = sqrt(low * high);
    if (plateaus_miss(middle) < share)
      low = middle;
    else
      high = middle;
  }
  return high;
}

bool hw_plateau_wide(const struct hw_curve *curve, const struct hw_plateau *low,
                     const struct hw_plateau *high) {
  double ratio = curve->point[high->last].y / curve->point[low->first].y;
  double leaves = PLATEAUS_RISE / (ratio - 1);
  double arrives = 1 - (1 - 1 / (1 + PLATEAUS_RISE)) * ratio / (ratio - 1);
  double most = PLATEAUS_STEP * PLATEAUS_STEP;

  if (leaves > 0 && leaves < arrives)
    most *= plateaus_load(arrives) / plateaus_load(leaves);
  return curve->point[high->first].x > most * curve->point[low->last].x;
}

/* The x at which a curve that never falls gets to y, between two points evenly by ratio; the last
   where it does not. */
static double plateaus_reach(const struct hw_curve *risen, double y) {
  const struct hw_point *point = risen->point;
  size_t i = 0;

  while (i + 1 < risen->n && point[i].y < y)
    i++;
  if (i == 0 || point[i].y < y)
    return point[i].x;
  return point[i - 1].x *
         pow(point[i].x / point[i - 1].x, (y - point[i - 1].y) / (point[i].y - point[i - 1].y));
}

bool hw_plateau_two(const struct hw_curve *curve, const struct hw_plateau *low,
                    const struct hw_plateau *high) {
  double least = plateaus_middle(curve, low->first, low->last).value;
  double most = plateaus_middle(curve, high->first, high->last).value;
  struct hw_curve risen;
  bool two;

  if (most < PLATEAUS_TWICE * PLATEAUS_TWICE * least)
    return false;
  if (hw_monotone(curve, &risen) < 0)
    return true;
  two = plateaus_reach(&risen, most / (1 + PLATEAUS_RISE)) >
        PLATEAUS_ONE * plateaus_reach(&risen, least * (1 + PLATEAUS_RISE));
  hw_curve_free(&risen);
  return two;
}

/* The slope (y for each byte) from one point to another; its error in *error. */
static double plateaus_slope(const struct hw_point *from, const struct hw_point *to,
                             double *error) {
  double span = to->x - from->x;

  *error = PLATEAUS_SURE * hypot(hw_point_error(from), hw_point_error(to)) / span;
  return (to->y - from->y) / span;
}

/* The steepest sure slope from one point to the next between two. */
static double plateaus_steepest(const struct hw_curve *curve, size_t first, size_t last) {
  double steepest = 0;

  for (size_t i = first; i < last; i++) {
    double error, slope = plateaus_slope(&curve->point[i], &curve->point[i + 1], &error);
    steepest = fmax(steepest, slope - error);
  }
  return steepest;
}

/* Whether the rise from one point to another becomes less steep and then steeper again, clear of
   both levels. */
static bool plateaus_bent(const struct hw_curve *risen, size_t first, size_t last) {
  double low = (1 + HW_CLUSTER_WIDTH) * risen->point[first].y;
  double high = risen->point[last].y / (1 + HW_CLUSTER_WIDTH);

  for (size_t i = first + 1; i < last; i++)
    for (size_t j = i + PLATEAUS_POINTS - 1; j < last; j++) {
      const struct hw_point *from = &risen->point[i], *to = &risen->point[j];
      double error, slope;
      if (!(from->y > low) || !(to->y < high) || to->x < PLATEAUS_BEND_SPAN * from->x)
        continue;
      slope = plateaus_slope(from, to, &error);
      slope = PLATEAUS_BEND * (slope + error);
      if (slope < plateaus_steepest(risen, first, i) && slope < plateaus_steepest(risen, j, last))
        return true;
    }
  return false;
}

bool hw_plateau_shoulder(const struct hw_curve *curve, const struct hw_plateau *low,
                         const struct hw_plateau *high) {
  struct hw_curve risen;
  bool shoulder;

  if (hw_monotone(curve, &risen) < 0)
    return true;
  shoulder = plateaus_bent(&risen, low->last, high->first);
  /* On the curve as it rises: a point above those behind it is noise, which may hide a level. */
  for (size_t i = low->last + 1; i + PLATEAUS_POINTS <= high->first; i++)
    shoulder = shoulder ||
               (risen.point[i].y > (1 + HW_CLUSTER_WIDTH) * risen.point[low->last].y &&
                (1 + HW_CLUSTER_WIDTH) * risen.point[i].y < risen.point[high->first].y &&
                plateaus_level(&risen, &risen, i, i + PLATEAUS_POINTS - 1, PLATEAUS_SHOULDER, 0));
  hw_curve_free(&risen);
  return shoulder;
}

double hw_lines_apart(double low, double high) {
  return fmin(PLATEAUS_APART, pow(high / low, PLATEAUS_THIRD));
}

double hw_lines_share(const struct hw_curve *lines, double above, double below) {
  size_t n = 0;

  for (size_t i = 0; i < lines->n; i++)
    n += lines->point[i].y > above && lines->point[i].y < below;
  return lines->n > 0 ? (double)n / (double)lines->n : 0;
}

struct hw_answer hw_reduce_missed(const struct hw_curve *lines, double low) {
  static const char method[] = "lines that missed";
  size_t first = 0, missed;
  double least, middle;

  while (first < lines->n && lines->point[first].y <= low * PLATEAUS_APART)
    first++;
  missed = lines->n - first;
  if (missed < PLATEAUS_MISSED || 2 * missed < lines->n)
    return hw_unknown(method, "most of them are held");
  least = lines->point[first + missed / PLATEAUS_MISSED].y;
  middle = lines->point[first + missed / 2].y;
  if (least * hw_lines_apart(low, middle) < middle)
    return hw_unknown(method, "the points are not of one level");
  return hw_known(method, middle, middle - least, HW_CLEAR);
}

/* The answer for the sorted costs of n lines that neither level holds: all but 1/PLATEAUS_MISSED of
   them lie within a cluster's width. */
static struct hw_answer plateaus_alike(const double *cost, size_t n) {
  static const char method[] = "lines between two levels";
  size_t out = n / PLATEAUS_MISSED / 2;
  double middle = cost[n / 2], least = cost[out], most = cost[n - 1 - out];

  if (most - least > HW_CLUSTER_WIDTH * middle)
    return hw_unknown(method, "they are not all alike");
  return hw_known(method, middle, (most - least) / 2, HW_CLEAR);
}

struct hw_answer hw_reduce_between(const struct hw_curve *const *lines, size_t n, double low,
                                   double high) {
  static const char method[] = "lines between two levels";
  struct hw_answer answer = hw_unknown(method, "few lines are in neither level");
  double apart = hw_lines_apart(low, high), *cost;
  size_t all = 0, between = 0;

  for (size_t k = 0; k < n; k++)
    all += lines[k]->n;
  cost = calloc(all + 1, sizeof *cost);
  if (cost == NULL)
    return hw_unknown(method, "out of memory");
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < lines[k]->n; i++)
      if (lines[k]->point[i].y > low * apart && lines[k]->point[i].y * apart < high)
        cost[between++] = lines[k]->point[i].y;
  hw_sort(cost, between);
  if (n < HW_BETWEEN_SETS)
    answer = hw_unknown(method, "fewer than three working sets");
  else if (between >= PLATEAUS_MISSED && PLATEAUS_MISSED * between >= all)
    answer = plateaus_alike(cost, between);
  free(cost);
  return answer;
}
