/* Shape of the levels below the first, off the curves of gather.c and one_colour.c.

   Curve   none of its own.
   Method  A level holds as many pages as its capacity, and of one page colour as many as it has
           ways.  Two colours, or all of more but one, have to agree; the number of sets has to be
           a power of two; and the rise of the size curve must not contradict the capacity.
   Rows    L<n>_BYTES, _ASSOC, _LINE, _SETS, _EXCLUSIVE.
   Cost    none.
   Limits  The number of sets is a power of two.
   See     XM 3, 4, 5, 8.2; SV III-A. */
#include "analysis/rows/colours.h"

#include "analysis/names.h"

#include "analysis/rows/l1.h"

#include <math.h>
#include <stdio.h>

/* Octaves by which the size curve, whose points are a quarter of one apart, may differ. */
#define COLOURS_OCTAVES 0.5
/* A cost within this part of the way from hit to miss of one end counts as that end. */
#define COLOURS_QUARTER 0.25
/* Pages that fit besides, or lack, as a part of the ways: fewer than what tells one colour more.
   The level above holds some beside an exclusive level; a policy other than LRU may not evict one
   page too many of a colour; and data of this program takes the place of one. */
#define COLOURS_BESIDE 0.5
/* No line (bytes) is shorter: two words, of which a reading needs one. */
#define COLOURS_LINE (2.0 * sizeof(void *))

static const char colours_method[] = "pages of one colour";

static const struct hw_curve *colours_curve(const struct hw_curves *curves, unsigned n,
                                            const char *what) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "l%u_%.32s", n, what);
  return hw_curves_get(curves, name);
}

struct hw_answer hw_colours_step(const struct hw_curves *curves, unsigned n, unsigned number) {
  char what[HW_CURVE_NAME];
  const struct hw_curve *curve;
  struct hw_answer step;

  snprintf(what, sizeof what, "colour_%u", number);
  curve = colours_curve(curves, n, what);
  if (curve == NULL)
    return hw_unknown(colours_method, "its curve was not measured");
  step = hw_reduce_halfway(curve);
  return step.known && step.error > 1.5
             ? hw_unknown(colours_method, "the step lies between two numbers of pages")
             : step;
}

double hw_colours_latency(const struct hw_curves *curves, const struct hw_level *level) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_LEVELS);
  double least = INFINITY;

  for (size_t i = 0; i < curve->n; i++)
    if (curve->point[i].x >= level->least && curve->point[i].x <= level->most)
      least = fmin(least, curve->point[i].y);
  return least < INFINITY ? least : level->latency.value;
}

/* Whether the level exists: 1, 0, or -1 when that is not clear. */
static int colours_exists(const struct hw_curves *curves, unsigned n) {
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, level, &whole);

  return n < seen ? 1 : whole ? 0 : -1;
}

/* A known answer when the level is there; else why its rows are absent: another probe decides
   whether the levels are clear. */
static struct hw_answer colours_missing(const struct hw_curves *curves, unsigned n) {
  int exists = colours_exists(curves, n);

  return exists == 0  ? hw_absent(colours_method, "there is no such level")
         : exists < 0 ? hw_absent(colours_method, "the levels are not clear")
                      : hw_known(colours_method, 0, 0, HW_CLEAR);
}

/* The ways that the colours agree on: two, or all of more but one, in which data of this program
   may lie. */
static struct hw_answer colours_vote(const struct hw_answer *vote, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned agree = 0;
    for (unsigned j = 0; j < n; j++)
      agree += fabs(vote[i].value - vote[j].value) < 0.5;
    if (agree > 1 && (agree == n || (agree > 2 && agree + 1 == n)))
      return vote[i];
  }
  return hw_unknown(colours_method, n < 2 ? "no two colours are clear" : "the colours disagree");
}

void hw_colours_between(const double count[HW_COLOURS_BINS + 1], double *between, double *gone) {
  *between = *gone = 0;
  for (size_t i = 0; i <= HW_COLOURS_BINS; i++) {
    double place = (double)i / HW_COLOURS_BINS;
    *gone += place > HW_COLOURS_QUARTER ? count[i] : 0;
    *between += place > HW_COLOURS_QUARTER && place < 1 - HW_COLOURS_QUARTER ? count[i] : 0;
  }
}

/* Whether enough readings lie between that some lines of a page are evicted and others stay. */
static bool colours_parts(const struct hw_curve *readings) {
  double count[HW_COLOURS_BINS + 1] = {0}, between, gone;

  for (size_t i = 0; i < readings->n && i <= HW_COLOURS_BINS; i++)
    count[i] = readings->point[i].y;
  hw_colours_between(count, &between, &gone);
  return between > HW_COLOURS_BETWEEN * gone;
}

size_t hw_colours_crowd(size_t held, size_t ways) {
  size_t half = (held < ways ? held : ways) / 2;

  return held + (half > HW_COLOURS_MORE ? half : HW_COLOURS_MORE);
}

/* The ways. */
static struct hw_answer colours_ways(const struct hw_curves *curves, unsigned n) {
  struct hw_answer answer = colours_missing(curves, n);
  const struct hw_curve *readings = colours_curve(curves, n, "readings");
  struct hw_answer vote[HW_COLOURS_TRIED];
  unsigned found = 0;

  if (!answer.known)
    return answer;
  if (colours_curve(curves, n, "cost") != NULL)
    return hw_absent(colours_method, "it is too large for the time there is");
  if (readings != NULL && colours_parts(readings)) {
    answer = hw_unknown(colours_method, "some lines of a page are evicted and others stay");
    answer.settled = n > 2; /* in level 2 another process may do it */
    return answer;
  }
  for (unsigned k = 0; k < HW_COLOURS_TRIED; k++) {
    struct hw_answer ways = hw_colours_step(curves, n, k);
    if (ways.known)
      vote[found++] = ways;
  }
  return colours_vote(vote, found);
}

/* The capacity (bytes) that the miss rates of the size curve give, whose pages lie at random. */
static struct hw_answer colours_servet(const struct hw_curves *curves, unsigned n, double ways) {
  struct hw_answer page = hw_value_page_bytes(curves);
  const struct hw_curve *levels = hw_curves_get(curves, HW_NAME_LEVELS);
  struct hw_level level[HW_LEVELS];
  struct hw_curve part;
  struct hw_rise rise;
  bool whole;

  if (hw_levels_seen(curves, level, &whole) <= n || !page.known)
    return hw_unknown("binomial miss rates", "the size curve has no rise beyond the level");
  part = hw_curve_part(levels, level[n - 1].most, level[n].least);
  rise = (struct hw_rise){.low = hw_colours_latency(curves, &level[n - 1]),
                          .high = hw_colours_latency(curves, &level[n]),
                          .page = page.value,
                          .ways = ways};
  return hw_reduce_servet(&part, &rise);
}

/* The ways, when the first colour, the only one that is measured further, has as many. */
static struct hw_answer colours_first(const struct hw_curves *curves, unsigned n) {
  return hw_agreed(colours_ways(curves, n), hw_colours_step(curves, n, 0));
}

/* Whether this is a number of ways or bytes of a page. */
static bool colours_whole(double x) { return x >= 1 && x <= 1e9; }

/* Level 1 is indexed by virtual addresses, which we know. */
size_t hw_colours_classes(const struct hw_curves *curves, unsigned n, size_t page) {
  struct hw_l1_shape l1;

  return n == 2 && hw_l1_shape(curves, &l1) == 0 && l1.stride > page ? l1.stride / page : 1;
}

/* Above level 3 pages of a colour share the sets of level 2, which has no more sets, and may lie in
   level 1 besides. */
size_t hw_colours_held(const struct hw_curves *curves, unsigned n, size_t page) {
  struct hw_answer ways;
  struct hw_l1_shape l1;

  if (hw_l1_shape(curves, &l1) < 0)
    return 0;
  if (n == 2)
    return l1.ways;
  ways = hw_value_l2_assoc(curves);
  return ways.known && colours_whole(ways.value) ? (size_t)ways.value + (l1.bytes + page - 1) / page
                                                 : 0;
}

/* An exclusive level and the one above hold the pages of both together (XM 8.2).  Pages that
   overflow each of the sets of the level above that they map to miss there when they are walked; a
   level that is not exclusive holds as many of them as its ways.  Whether more stay is the test. */
static struct hw_answer colours_both(const struct hw_curves *curves, unsigned n) {
  static const char method[] = "pages of both levels";
  const struct hw_curve *alone = colours_curve(curves, n, "alone");
  const struct hw_curve *colour = colours_curve(curves, n, "colour_0");
  const struct hw_curve *fit = colours_curve(curves, n, "fit");
  struct hw_answer ways = colours_first(curves, n);
  double least = INFINITY, most = -INFINITY, first, last;
  size_t page, held;

  if (!ways.known)
    return ways;
  if (alone == NULL)
    return hw_unknown(method, "its curve was not measured");
  if (!colours_whole(ways.value) || !colours_whole(fit->point[0].y))
    return hw_unknown(method, "a number of pages is not whole");
  page = (size_t)fit->point[0].y;
  held = hw_colours_held(curves, n, page);
  first = fmax(ways.value + 2, (double)hw_colours_crowd(held, (size_t)ways.value));
  /* More fit if they are of more than one class. */
  last = hw_colours_classes(curves, n, page) > 1 ? INFINITY : ways.value + (double)held;
  for (size_t i = 0; held > 0 && i < alone->n; i++) {
    double low = colour->point[0].y, high = colour->point[colour->n - 1].y;
    double place = (alone->point[i].y - low) / (high - low);
    if (alone->point[i].x < first - 0.5 || alone->point[i].x > last + 0.5)
      continue;
    most = fmax(most, place);
    least = fmin(least, place);
  }
  if (!(least <= most))
    return hw_unknown(method, "too few pages overflow the level above");
  if (most < COLOURS_QUARTER)
    return hw_known(method, 1, 0, HW_CLEAR);
  if (least > 1 - COLOURS_QUARTER)
    return hw_known(method, 0, 0, HW_CLEAR);
  return hw_unknown(method, "a part of the pages stays");
}

/* The capacity (bytes) off the pages that fit: each colour holds as many as the ways, and there is
   a power of two of colours. */
static struct hw_answer colours_fit(const struct hw_curves *curves, unsigned n, double ways) {
  const struct hw_curve *fit = colours_curve(curves, n, "fit");
  double bytes, whole;

  if (fit == NULL || fit->n < 2)
    return hw_unknown(colours_method, "its curve was not measured");
  bytes = fit->point[fit->n - 1].y;
  whole = ways * exp2(round(log2(bytes / ways)));
  return fabs(bytes - whole) < COLOURS_BESIDE * ways * fit->point[0].y
             ? hw_known(colours_method, whole, 0, HW_CLEAR)
             : hw_unknown(colours_method, "the sets are not a power of two");
}

/* The capacity (bytes) as the colours show it. */
static struct hw_answer colours_shown(const struct hw_curves *curves, unsigned n) {
  struct hw_answer ways = colours_ways(curves, n), bytes, servet;

  if (!ways.known)
    return ways;
  bytes = colours_fit(curves, n, ways.value);
  servet = colours_servet(curves, n, ways.value);
  if (bytes.known && servet.known && fabs(log2(servet.value / bytes.value)) > COLOURS_OCTAVES)
    return hw_unknown(colours_method, "the size curve contradicts it");
  return bytes;
}

/* The same.  Those that share a level 3 still do when it is measured again: unknown is final. */
static struct hw_answer colours_capacity(const struct hw_curves *curves, unsigned n) {
  struct hw_answer bytes = colours_shown(curves, n);

  bytes.settled =
      bytes.settled || (!bytes.known && n > 2 && colours_curve(curves, n, "readings") != NULL);
  return bytes;
}

/* The ways, when they and the capacity agree: capacity over ways is a power of two. */
static struct hw_answer colours_assoc(const struct hw_curves *curves, unsigned n) {
  struct hw_answer bytes = colours_capacity(curves, n);

  return bytes.known ? colours_ways(curves, n) : bytes;
}

struct hw_answer hw_read_l2_bytes(const struct hw_curves *curves) {
  return colours_exists(curves, 2) == 0 ? hw_value_l1_bytes(curves) : colours_capacity(curves, 2);
}

struct hw_answer hw_read_l3_bytes(const struct hw_curves *curves) {
  return colours_exists(curves, 3) == 0 ? hw_value_l2_bytes(curves) : colours_capacity(curves, 3);
}

struct hw_answer hw_read_l2_assoc(const struct hw_curves *curves) {
  return colours_assoc(curves, 2);
}

struct hw_answer hw_read_l3_assoc(const struct hw_curves *curves) {
  return colours_assoc(curves, 3);
}

/* The ways, when the capacity is known and the first colour has them. */
static struct hw_answer colours_sure(const struct hw_curves *curves, unsigned n) {
  struct hw_answer bytes = colours_capacity(curves, n);

  return bytes.known ? colours_first(curves, n) : bytes;
}

/* The line (bytes) off a curve, no shorter than that of the level above. */
static struct hw_answer colours_drop(const struct hw_curves *curves, unsigned n, const char *what,
                                     double least) {
  const struct hw_curve *curve = colours_curve(curves, n, what);
  struct hw_answer answer;

  if (curve == NULL)
    return hw_unknown(colours_method, "its curve was not measured");
  answer = hw_reduce_first_drop(curve, least);
  return answer.known && answer.error > 0
             ? hw_unknown(colours_method, "the line seems longer than it can be")
             : answer;
}

/* The line, if both curves agree, no shorter than that of the level above if that is known: lines
   that a prefetcher brings in one direction look like the rest of a line to one of them. */
static struct hw_answer colours_line(const struct hw_curves *curves, unsigned n,
                                     struct hw_answer above) {
  struct hw_answer sure = colours_sure(curves, n);
  const double least = above.known ? above.value : COLOURS_LINE;

  return sure.known ? hw_agreed(colours_drop(curves, n, "apart", least),
                                colours_drop(curves, n, "before", least))
                    : sure;
}

struct hw_answer hw_read_l2_line(const struct hw_curves *curves) {
  struct hw_answer above = hw_value_l1_line(curves);

  return colours_exists(curves, 2) == 0 ? above : colours_line(curves, 2, above);
}

struct hw_answer hw_read_l3_line(const struct hw_curves *curves) {
  struct hw_answer above = hw_value_l2_line(curves);

  return colours_exists(curves, 3) == 0 ? above : colours_line(curves, 3, above);
}

static struct hw_answer colours_sets(const struct hw_curves *curves, unsigned n,
                                     struct hw_answer line) {
  struct hw_answer bytes = colours_capacity(curves, n), ways = colours_assoc(curves, n);

  if (!bytes.known)
    return bytes;
  return line.known ? hw_scaled(bytes, 1 / (ways.value * line.value)) : line;
}

struct hw_answer hw_read_l2_sets(const struct hw_curves *curves) {
  return colours_sets(curves, 2, hw_value_l2_line(curves));
}

struct hw_answer hw_read_l3_sets(const struct hw_curves *curves) {
  return colours_sets(curves, 3, hw_value_l3_line(curves));
}

static struct hw_answer colours_exclusive(const struct hw_curves *curves, unsigned n) {
  struct hw_answer sure = colours_sure(curves, n);

  return sure.known ? colours_both(curves, n) : sure;
}

struct hw_answer hw_read_l2_exclusive(const struct hw_curves *curves) {
  return colours_exclusive(curves, 2);
}

struct hw_answer hw_read_l3_exclusive(const struct hw_curves *curves) {
  return colours_exclusive(curves, 3);
}

struct hw_answer hw_colours_row(const struct hw_curves *curves, unsigned n,
                                enum hw_colours_row row) {
  switch (row) {
  case HW_COLOURS_BYTES:
    return n == 2 ? hw_value_l2_bytes(curves) : hw_value_l3_bytes(curves);
  case HW_COLOURS_WAYS:
    return n == 2 ? hw_value_l2_assoc(curves) : hw_value_l3_assoc(curves);
  case HW_COLOURS_EXCLUSIVE:
    return n == 2 ? hw_value_l2_exclusive(curves) : hw_value_l3_exclusive(curves);
  case HW_COLOURS_LINE:
  default:
    return n == 2 ? hw_value_l2_line(curves) : hw_value_l3_line(curves);
  }
}
