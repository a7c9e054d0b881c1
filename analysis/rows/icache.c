/* Shape and miss penalty of the instruction cache, off the curves of probes/code/icache.c.

   Method  A micro-op cache makes a step too, a smaller one, which comes sooner with two entries to
           each line: the steepest rise is taken, and only if it begins at the same number of
           pieces with one entry and with two, at half of the stride too.  If it does not, the
           micro-op cache may hold more lines than the instruction cache.  Of pieces of four entries
           it holds a quarter as many as of one: from there on each further piece costs less than
           the one before, until the instruction cache overflows too, and the rise bends up again.
           Pieces of three entries, which overflow the micro-op cache elsewhere, must bend at the
           same number.  Then twice as many pieces are visited, with two entries and with four, of
           which it holds no half; half of them are shifted by up to their stride: the shift at
           which they miss again is the cache's own stride.  Shifted by just a line some may miss,
           where the front end fetches the next line too.  That half of an overfull set hits once
           it is shifted tells the cache from a TLB; the least such shift is the line.  Shifted by
           half of the stride it must hit too: else the pieces lie in one set at a smaller stride
           already.
   Rows    L1I_BYTES, L1I_ASSOC, L1I_LINE, L1I_MISS.
   Limits  Caches indexed by virtual addresses or with ways no larger than a page, with a power of
           two of sets; lines of 32 to 256 bytes.  Behind a micro-op cache that holds
           more lines: more ways than a third of the pieces that it holds, lines of 64 bytes or
           more, and a micro-op cache tagged by 64 bytes of code or more.  The penalty includes what
           else a miss costs the front end, as micro-ops that are lost.
   See     DM table I; XM 3, 4.1.2, 4.1.3; XT 6. */
#include "analysis/rows/icache.h"

#include "analysis/environment.h"
#include "analysis/names.h"

#include <math.h>
#include <stdio.h>

/* Cycles that instructions not in the micro-op cache cost more, at least. */
#define ICACHE_DECODE 1.0
/* The length with two entries must equal that with one to 1/ICACHE_LIKE of it. */
#define ICACHE_LIKE 4
/* A shift must take away all but 1/ICACHE_SPLIT of the extra cycles. */
#define ICACHE_SPLIT 4
/* A shift by half of the stride: all but 1/ICACHE_HALF.  A smaller structure than the cache may
   still overflow; in a cache of half the stride all extra cycles would stay. */
#define ICACHE_HALF 2
/* Shifted by the stride, 1/ICACHE_AGAIN of them must stay at least: the part due to the micro-op
   cache, whose sets may repeat at a smaller stride, is less. */
#define ICACHE_AGAIN (4 / 3.0)

int hw_icache_shape(const struct hw_curves *curves, size_t *ways, size_t *stride) {
  struct hw_answer number = hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_ways);
  struct hw_answer bytes =
      hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_capacity);

  if (!number.known || !(number.value >= 1 && number.value <= 1e9) ||
      !(bytes.value >= 1 && bytes.value <= 1e15))
    return -1;
  *ways = (size_t)number.value;
  *stride = (size_t)bytes.value / *ways;
  return 0;
}

bool hw_icache_alike(const struct hw_curves *curves) {
  const struct hw_curve *pairs = hw_curves_get(curves, HW_NAME_ICACHE_PAIR_STRIDES);
  size_t ways, own;

  if (pairs == NULL || pairs->n == 0 || hw_icache_shape(curves, &ways, &own) < 0)
    return false;
  for (const struct hw_point *p = pairs->point; p < pairs->point + pairs->n; p++) {
    double fits = (double)ways * fmax((double)own / p->x, 1);
    char name[HW_CURVE_NAME];
    const struct hw_curve *curve;
    snprintf(name, sizeof name, "icache_pair_stride_%.0f", p->x);
    curve = hw_curves_get(curves, name);
    if (fabs(p->y - fits) * ICACHE_LIKE > fits || (curve != NULL && hw_reduce_falls(curve, p->y)))
      return false;
  }
  return true;
}

/* Pieces of four entries, or NULL. */
static const struct hw_curve *icache_quad(const struct hw_curves *curves) {
  return hw_curves_get(curves, HW_NAME_ICACHE_QUAD_STRIDE_32768);
}

bool hw_icache_outlasted(const struct hw_curves *curves) {
  return icache_quad(curves) != NULL && !hw_icache_alike(curves);
}

/* The control: a sequence that fits every structure, visited in the way in which the shape was
   found. */
static const struct hw_curve *icache_control(const struct hw_curves *curves) {
  return hw_curves_get(curves,
                       hw_icache_outlasted(curves) ? "icache_pair_packed" : "icache_packed");
}

/* By how many cycles more the curve surely rises behind point i than before it. */
static double icache_bend(const struct hw_curve *curve, size_t i) {
  const struct hw_point *p = &curve->point[i];
  double noise = hypot(hw_rise_error(curve, p - 1, p), hw_rise_error(curve, p, p + 1));

  return p[1].y - 2 * p->y + p[-1].y - HW_CLEAR * noise;
}

/* Whether the curve rises behind point i at least twice as much as before it, and goes on; and has
   risen since the end of the micro-op cache (held): else the micro-op cache may end at point i. */
static bool icache_bends(const struct hw_curve *curve, size_t held, size_t i) {
  const struct hw_point *p = &curve->point[i], *from = &curve->point[held];
  double rise = p[1].y - p->y;

  return icache_bend(curve, i) > 0 && rise > 2 * (p->y - p[-1].y) && 2 * (p[2].y - p[1].y) > rise &&
         p->y - from->y > HW_CLEAR * hw_rise_error(curve, from, p) &&
         p->y - from->y >= ICACHE_DECODE;
}

/* The first point of pieces of this many entries that the micro-op cache does not all hold, where
   it holds one pieces of one entry; in *best the later point at which the rise bends up most, or
   0. */
static size_t icache_best(const struct hw_curve *curve, size_t entries, double one, size_t *best) {
  size_t held = 0;

  *best = 0;
  while (held < curve->n && curve->point[held].x * (double)entries < one)
    held++;
  for (size_t i = held + 1; i + HW_ICACHE_BEHIND < curve->n; i++)
    if (*best == 0 || icache_bend(curve, i) > icache_bend(curve, *best))
      *best = i;
  return held;
}

/* Whether the rise of pieces of three entries, which overflow the micro-op cache elsewhere, bends
   up at the same number.  Logs from before these were measured have no such curve: true. */
static bool icache_again(const struct hw_curves *curves, double one, double ways) {
  const struct hw_curve *triple = hw_curves_get(curves, HW_NAME_ICACHE_TRIPLE_STRIDE_32768);
  size_t best;

  if (triple == NULL)
    return true;
  icache_best(triple, HW_ICACHE_TRIPLE, one, &best);
  return best > 0 && icache_bend(triple, best) > 0 && !(triple->point[best].x < ways) &&
         !(triple->point[best].x > ways);
}

struct hw_answer hw_icache_behind_ways(const struct hw_curves *curves) {
  static const char method[] = "pieces of four entries";
  struct hw_answer one = hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_ways);
  const struct hw_curve *quad = icache_quad(curves);
  size_t held, best;

  if (quad == NULL || !one.known)
    return hw_unknown(method, "the number of pieces held changes with their entry points");
  held = icache_best(quad, HW_ICACHE_QUAD, one.value, &best);
  if (best == 0 || !icache_bends(quad, held, best))
    return hw_unknown(method, "it may be the micro-op cache");
  if (!icache_again(curves, one.value, quad->point[best].x))
    return hw_unknown(method, "pieces with three entry points give another number of ways");
  return hw_known(method, quad->point[best].x, 0, HW_CLEAR);
}

/* Whether a shift leaves at least 1/many of the extra cycles of an overfull set. */
static bool icache_misses(const struct hw_point *shifted, const struct hw_point *full,
                          const struct hw_point *hit, double many) {
  return many * (shifted->y - hit->y) >= full->y - hit->y;
}

bool hw_icache_apart(const struct hw_curves *curves) {
  const struct hw_curve *offset = hw_curves_get(curves, HW_NAME_ICACHE_OFFSET);
  const struct hw_curve *packed = icache_control(curves);
  const struct hw_point *full = &offset->point[0], *hit = &packed->point[packed->n - 1];

  return full->y - hit->y >= HW_CLEAR * hypot(hw_point_error(full), hw_point_error(hit)) &&
         full[1].x <= HW_ICACHE_PAIR && !icache_misses(&full[1], full, hit, ICACHE_SPLIT);
}

/* The curve of half of an overfull set, shifted; in *hit the cost of as many lines that fit. Behind
   a micro-op cache, pieces of more entries than it holds in one set: shifted apart they would else
   hit there, whatever the cache does.  NULL where too little was measured. */
static const struct hw_curve *icache_halves(const struct hw_curves *curves, double ways,
                                            const struct hw_point **hit) {
  struct hw_answer one = hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_ways);
  const struct hw_curve *quads = hw_curves_get(curves, HW_NAME_ICACHE_QUAD_OFFSET);
  const struct hw_curve *packed = icache_control(curves);
  size_t entries = quads != NULL ? HW_ICACHE_QUAD : HW_ICACHE_ENTRIES;

  if (packed == NULL || packed->n == 0 ||
      ((double)entries * ways - one.value) * ICACHE_LIKE <= one.value)
    return NULL;
  *hit = quads != NULL ? hw_curve_at(icache_quad(curves), ways) : &packed->point[packed->n - 1];
  return quads != NULL ? quads : hw_curves_get(curves, HW_NAME_ICACHE_OFFSET);
}

/* The first shift at which not all of the misses of the unshifted set stay. */
static size_t icache_stays_to(const struct hw_curve *offset, const struct hw_point *low) {
  size_t i = 0;

  while (i < offset->n && icache_misses(&offset->point[i], offset->point, low, ICACHE_AGAIN))
    i++;
  return i;
}

/* The shifts, off the curve of offsets: half of the set misses while shifted within a line, hits in
   other sets, and misses again from the stride on, as much as unshifted.  Shifted by just a line
   some may miss: where the front end fetches the next line too, the other half brings its own into
   that set.  low is the lowest of the points.  NULL, or why it is not clear. */
static const char *icache_leave(const struct hw_curve *offset, const struct hw_point *low,
                                struct hw_icache_shifts *shifts) {
  const struct hw_point *p = offset->point;
  size_t away = icache_stays_to(offset, low), again = away + 1;

  while (again < offset->n && !icache_misses(&p[again], p, low, ICACHE_SPLIT))
    again++;
  for (size_t i = again; i < offset->n; i++)
    if (!icache_misses(&p[i], p, low, ICACHE_AGAIN))
      return "it is not clear which shifts leave the set";
  if (again >= offset->n)
    return "it is not clear which shifts leave the set";
  *shifts = (struct hw_icache_shifts){.line = p[away].x, .period = p[again].x};
  if (away > 1)
    return p[away].x > 2 * p[away - 1].x ? "too few shifts were tried" : NULL;
  return p[away].x > (double)HW_ICACHE_DECODED ? "too few shifts were tried" : NULL;
}

/* The shift up to which half of an overfull set of two entries still misses: neither the micro-op
   cache nor the instruction cache is tagged finer.  0 if that is less than a micro-op cache must
   be tagged by. */
static double icache_within(const struct hw_curves *curves, const struct hw_point *hit) {
  const struct hw_curve *offset = hw_curves_get(curves, HW_NAME_ICACHE_OFFSET);
  size_t i = offset == NULL ? 0 : icache_stays_to(offset, hit);

  return i > 2 && i < offset->n && offset->point[i].x >= (double)HW_ICACHE_DECODED
             ? offset->point[i].x
             : 0;
}

const char *hw_icache_behind_shifts(const struct hw_curves *curves, double ways,
                                    struct hw_icache_shifts *shifts) {
  const struct hw_curve *packed = icache_control(curves), *offset;
  const struct hw_point *full, *hit, *low;
  const char *why;
  double within;

  offset = icache_halves(curves, ways, &hit);
  if (offset == NULL || offset->n < 3)
    return "the micro-op cache holds half of a set";
  full = low = &offset->point[0];
  for (const struct hw_point *p = full; p < full + offset->n; p++)
    low = p->y < low->y ? p : low;
  if (full->y - hit->y < HW_CLEAR * hypot(hw_point_error(full), hw_point_error(hit)) ||
      full->y - hit->y < HW_ICACHE_MISS_LEAST)
    return "an overfull set does not clearly miss";
  if (icache_misses(low, full, hit, ICACHE_SPLIT))
    return "pieces that leave the set still miss";
  within = icache_within(curves, &packed->point[packed->n - 1]);
  if (!(within > 0))
    return "the micro-op cache may be tagged finer than a line";
  why = icache_leave(offset, low, shifts);
  return why == NULL && (shifts->line < within || shifts->line > within)
             ? "pieces with two and with four entry points leave the set at different shifts"
             : why;
}

/* Why what overflows may be the micro-op cache: its length is another with two entries.  NULL if
   not. */
static const char *icache_decoded(const struct hw_curves *curves) {
  const struct hw_curve *pairs = hw_curves_get(curves, HW_NAME_ICACHE_PAIR_STRIDES);

  if (pairs == NULL || pairs->n == 0)
    return "it may be the micro-op cache";
  return hw_icache_alike(curves) ? NULL
                                 : "the number of pieces held changes with their entry points";
}

/* Why the shape may be wrong, by samples that had no part in the search for it.  Too few ways: this
   many pieces and half as many again do not miss.  A TLB, or too many ways: pieces that leave the
   set, but not the page, still miss.  A branch target buffer: it has an entry for each piece, and
   none for a line.  Or the stride is that of several sets: half of it does not leave the set. */
static const char *icache_other(const struct hw_curves *curves, size_t stride) {
  const struct hw_curve *offset = hw_curves_get(curves, HW_NAME_ICACHE_OFFSET);
  const struct hw_curve *packed = icache_control(curves);
  const struct hw_point *full, *half, *out, *hit;

  if (offset == NULL || packed == NULL || offset->n < 4 || packed->n == 0)
    return "it may be a TLB";
  full = &offset->point[0];
  half = &offset->point[offset->n - 1];
  hit = &packed->point[packed->n - 1];
  if (full[1].x > HW_ICACHE_PAIR)
    return "it may be the branch target buffer";
  if ((size_t)half->x != stride / 2)
    return "half of its stride was not tried";
  if (full->y - hit->y < HW_CLEAR * hypot(hw_point_error(full), hw_point_error(hit)))
    return "an overfull set does not clearly miss";
  if (!icache_misses(&full[1], full, hit, ICACHE_SPLIT))
    return "pieces of code in one line count as several";
  out = half->x > HW_LINE_LONGEST ? half - 1 : half;
  if (icache_misses(out, full, hit, ICACHE_SPLIT))
    return "pieces that leave the set still miss";
  return icache_misses(half, full, hit, ICACHE_HALF) ? "half of its stride does not leave the set"
                                                     : NULL;
}

/* The miss penalty: a visit that misses over one that hits.  Not rounded: between two whole numbers
   either is right.  If more pieces cost more, some still hit: the part of n pieces that does
   falls as 1/n at least, so that a few more pieces show how many.  It must be no more than what
   rates may differ by. */
static struct hw_answer icache_cost(const struct hw_curves *curves) {
  static const char method[] = "difference of levels";
  const struct hw_curve *misses = hw_curves_get(curves, HW_NAME_ICACHE_MISS);
  const struct hw_curve *hits = hw_curves_get(curves, HW_NAME_ICACHE_HIT);
  const struct hw_point *hit, *miss;
  double cost, error, still;

  if (misses == NULL || misses->n < 2)
    return hw_unknown(method, "too little memory for code");
  if (hits == NULL || hits->n == 0)
    return hw_unknown(method, "no hits were timed next to the misses");
  hit = &hits->point[0];
  miss = &misses->point[1];
  cost = miss->y - hit->y;
  error = hypot(hw_point_error(miss), hw_point_error(hit));
  if (!(cost > HW_CLEAR * error))
    return hw_unknown(method, "it is not clear of the noise");
  still =
      (miss->y - miss[-1].y - HW_CLEAR * hypot(hw_point_error(miss), hw_point_error(miss - 1))) *
      miss[-1].x / (miss->x - miss[-1].x);
  if (still > HW_RATE_ERROR * cost)
    return hw_unknown(method, "not all of the pieces missed");
  return hw_known(method, cost, error,
                  error * HW_CLARITY_MAX > cost ? cost / error : HW_CLARITY_MAX);
}

/* The answer, unless it may be that of another structure than the cache. */
static struct hw_answer icache_certain(const struct hw_curves *curves, struct hw_answer answer) {
  struct hw_answer cost = icache_cost(curves);
  const char *doubt = NULL;
  size_t ways, stride;

  if (answer.known && hw_icache_shape(curves, &ways, &stride) == 0) {
    doubt = icache_decoded(curves);
    if (doubt == NULL)
      doubt = icache_other(curves, stride);
    if (doubt == NULL && cost.known && cost.value < HW_ICACHE_MISS_LEAST)
      doubt = "a miss costs less than a cache behind it could";
  }
  return doubt == NULL ? answer : hw_unknown(answer.method, doubt);
}

/* Rows of the shape. */
enum icache_row { ICACHE_BYTES, ICACHE_WAYS, ICACHE_LINE };

/* A row of a cache behind a micro-op cache that holds more lines. */
static struct hw_answer icache_behind_row(const struct hw_curves *curves, enum icache_row row) {
  struct hw_answer answer = hw_icache_behind_ways(curves);
  struct hw_icache_shifts shifts;
  const char *why;

  if (!answer.known)
    return answer;
  why = hw_icache_behind_shifts(curves, answer.value, &shifts);
  if (why != NULL)
    return hw_unknown(answer.method, why);
  if (row == ICACHE_LINE)
    answer.value = shifts.line;
  return row == ICACHE_BYTES ? hw_scaled(answer, shifts.period) : answer;
}

struct hw_answer hw_read_l1i_bytes(const struct hw_curves *curves) {
  return hw_icache_outlasted(curves)
             ? icache_behind_row(curves, ICACHE_BYTES)
             : icache_certain(curves, hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES,
                                                      hw_reduce_compact_capacity));
}

struct hw_answer hw_read_l1i_assoc(const struct hw_curves *curves) {
  return hw_icache_outlasted(curves)
             ? icache_behind_row(curves, ICACHE_WAYS)
             : icache_certain(
                   curves, hw_reduce_named(curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_ways));
}

struct hw_answer hw_read_l1i_line(const struct hw_curves *curves) {
  struct hw_answer answer = hw_value_l1i_assoc(curves);
  const struct hw_curve *offset = hw_curves_get(curves, HW_NAME_ICACHE_OFFSET);
  struct hw_curve lines;

  if (!answer.known)
    return answer;
  if (hw_icache_outlasted(curves))
    return icache_behind_row(curves, ICACHE_LINE);
  lines = hw_curve_part(offset, 0, (double)HW_LINE_LONGEST);
  return hw_reduce_biggest_drop(&lines);
}

struct hw_answer hw_read_l1i_miss(const struct hw_curves *curves) {
  struct hw_answer ways = hw_value_l1i_assoc(curves);

  return ways.known ? icache_cost(curves) : ways;
}
