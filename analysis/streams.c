/* Latency and throughput of an operation, off a curve of loops of independent streams. */
#include "analysis/reduce.h"

#include <math.h>

/* A point is above a level when it exceeds it by this share. */
#define STREAMS_RISE 0.05
/* A number of streams is faster than another by this share at least, to which samples taken at
   different times agree. */
#define STREAMS_LESS 0.01
/* Cycles, at most, by which a unit that takes one operation at a time delays a lone one. */
#define STREAMS_HELD 1.25
/* Numbers of streams that must take the least time.  The last counts twice, unless the time seems
   to fall there: it shows that more streams do not spill. */
#define STREAMS_ALIKE 3u

/* Whether the point is known to HW_CYCLES_ERROR: beside a busy SMT sibling it is not. */
static bool streams_clear(const struct hw_point *p) {
  return 2 * hw_point_error(p) <= HW_CYCLES_ERROR * p->y;
}

const struct hw_point *hw_streams_quickest(const struct hw_curve *streams) {
  const struct hw_point *quickest = streams->point;

  for (const struct hw_point *p = quickest + 1; p < streams->point + streams->n; p++) {
    double less = (1 - STREAMS_LESS) * streams->point->y -
                  2 * hypot(hw_point_error(p), hw_point_error(streams->point));
    if (streams_clear(p) && p->y < less && p->y < quickest->y)
      quickest = p;
  }
  return quickest;
}

static struct hw_answer streams_chain(const struct hw_curve *streams, double held) {
  const char *method = held > 0 ? "least of chains" : "chain";
  const struct hw_point *one = streams->point, *quickest;
  double less = 0;

  if (streams->n == 0 || one->x < 1 || one->x > 1)
    return hw_unknown(method, "one stream was not measured");
  /* More streams cannot take less time than one: if they do, the one was delayed by an SMT sibling
     at its units, or they were mismeasured.  The difference is an error of the latency. */
  for (const struct hw_point *p = one + 1; p < one + streams->n; p++)
    less = fmax(less, one->y - held - p->y);
  if (less > HW_CYCLES_ERROR * one->y)
    return hw_unknown(method, "more streams take less time");
  /* A second stream would show that one is delayed. */
  if (!streams_clear(one) ||
      (held > 0 && streams->n > 1 && one[1].x <= 2 && !streams_clear(one + 1)))
    return hw_unknown(method, "the samples scatter by more than 3 %");
  quickest = held > 0 ? hw_streams_quickest(streams) : one;
  return hw_known(method, quickest->y, fmax(2 * hw_point_error(quickest), less), HW_CLEAR);
}

/* Whether passes agree on the point, though its samples may scatter. */
static bool streams_timed(const struct hw_point *p) { return hw_point_error(p) < p->y; }

struct hw_answer hw_reduce_chain_range(const struct hw_curve *streams) {
  static const char method[] = "range of chains";
  double value = INFINITY, low = INFINITY, high = INFINITY;

  if (streams->n == 0 || streams->point->x > 1 || !streams_timed(streams->point))
    return hw_unknown(method, "one stream was not timed");
  for (const struct hw_point *p = streams->point; p < streams->point + streams->n; p++)
    if (streams_timed(p) && p->y < value) {
      value = p->y;
      low = hw_point_least(p);
      high = p->y + 2 * hw_point_error(p);
    }
  return hw_ranged(method, value, fmin(low, hw_point_least(streams->point)), high);
}

struct hw_answer hw_reduce_chain(const struct hw_curve *streams) {
  return streams_chain(streams, 0);
}

struct hw_answer hw_reduce_chains(const struct hw_curve *streams) {
  return streams_chain(streams, STREAMS_HELD);
}

/* The clear point with the least time per operation; NULL when there is none. */
static const struct hw_point *streams_least(const struct hw_curve *streams) {
  const struct hw_point *least = NULL;

  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (streams_clear(p) && (least == NULL || p->y / p->x < least->y / least->x))
      least = p;
  }
  return least;
}

/* The error of the time per operation. */
static double streams_unsure(const struct hw_point *p) { return 2 * hw_point_error(p) / p->x; }

/* Whether the point's time per operation may be the least one, but for uneven sharing of units. */
static bool streams_alike(const struct hw_point *p, const struct hw_point *least) {
  return p->y / p->x - (1 + HW_STREAMS_ALIKE) * least->y / least->x <=
         hypot(streams_unsure(p), streams_unsure(least));
}

/* Whether a point that is not clear takes less: a difference within its scatter shows nothing. */
static bool streams_less(const struct hw_point *p, const struct hw_point *least) {
  return (1 + p->spread) * p->y / p->x <
         (1 - HW_STREAMS_ALIKE) * least->y / least->x - streams_unsure(least);
}

struct hw_answer hw_reduce_throughput(const struct hw_curve *streams) {
  static const char method[] = "second least time";
  const struct hw_point *least = streams_least(streams), *last;
  double second = INFINITY;
  size_t alike = 0;
  bool all = true;

  if (streams->n < 3)
    return streams->n < 2 ? hw_absent(method, "there is only one stream")
                          : hw_unknown(method, "fewer than three points");
  last = &streams->point[streams->n - 1];
  if (least == NULL)
    return hw_unknown(method, "the samples scatter by more than 3 %");
  for (const struct hw_point *p = streams->point; p <= last; p++) {
    bool clear = streams_clear(p);
    all = all && clear;
    if (!clear && streams_less(p, least))
      return hw_unknown(method, "the samples scatter by more than 3 %");
    if (!clear || !streams_alike(p, least))
      continue;
    if (p != least)
      second = fmin(second, p->y / p->x);
    alike++;
  }
  if (streams_clear(last) && streams_alike(last, least) &&
      second <= (1 + HW_STREAMS_ALIKE) * last->y / last->x)
    alike++;
  if (alike < STREAMS_ALIKE)
    return all ? hw_absent(method, "too few loops take the least time")
               : hw_unknown(method, "too few loops take the least time");
  return hw_known(method, second, hypot(second - least->y / least->x, streams_unsure(least)),
                  HW_CLEAR);
}

struct hw_answer hw_reduce_throughput_range(const struct hw_curve *streams) {
  static const char method[] = "range of least times";
  double least = INFINITY, second = INFINITY, low = INFINITY, high = INFINITY;
  size_t alike = 0;

  for (const struct hw_point *p = streams->point; p < streams->point + streams->n; p++)
    if (streams_timed(p)) {
      second = fmin(second, fmax(least, p->y / p->x));
      least = fmin(least, p->y / p->x);
      low = fmin(low, hw_point_least(p) / p->x);
      high = fmin(high, p->y / p->x + streams_unsure(p));
    }
  for (const struct hw_point *p = streams->point; p < streams->point + streams->n; p++)
    if (streams_timed(p) && hw_point_best(p) / p->x <= (1 + HW_STREAMS_ALIKE) * second)
      alike += p == streams->point + streams->n - 1 ? 2 : 1;
  if (alike < STREAMS_ALIKE)
    return hw_unknown(method, "too few loops take the least time");
  return hw_ranged(method, second, low, fmax(high, second));
}

struct hw_answer hw_reduce_throughput_unit(const struct hw_curve *streams) {
  static const char method[] = "range of times";
  const struct hw_point *least = streams_least(streams);
  struct hw_answer answer = hw_reduce_throughput(streams);
  double most = 0, second = INFINITY;
  size_t clear = 0;

  if (answer.known || streams->n < 3 || least == NULL)
    return answer;
  for (const struct hw_point *p = streams->point; p < streams->point + streams->n; p++) {
    if (!streams_clear(p) && streams_less(p, least))
      return answer;
    if (streams_clear(p) && p != least)
      second = fmin(second, p->y / p->x);
    if (!streams_clear(p) || p < least)
      continue;
    most = fmax(most, p->y / p->x);
    clear++;
  }
  if (second <= (1 + STREAMS_LESS) * least->y / least->x)
    return hw_known(method, second, hypot(second - least->y / least->x, streams_unsure(least)),
                    HW_CLEAR);
  if (clear < 2 || most > (1 + HW_RATE_ERROR) * least->y / least->x)
    return answer;
  return hw_known(method, (most + least->y / least->x) / 2,
                  hypot((most - least->y / least->x) / 2, streams_unsure(least)), HW_CLEAR);
}

struct hw_answer hw_reduce_throughput_bound(const struct hw_curve *streams, double bound) {
  static const char method[] = "least time possible";
  const struct hw_point *least = streams_least(streams);

  if (least == NULL || !(fabs(least->y / least->x - bound) <= HW_STREAMS_ALIKE * bound))
    return hw_reduce_throughput(streams);
  return hw_known(method, least->y / least->x, fabs(least->y / least->x - bound), HW_CLEAR);
}

/* The error of the time that a point takes beyond the chain, cycles. */
static double streams_error(const struct hw_point *p, const struct hw_answer *chain) {
  return hypot(2 * hw_point_error(p), chain->error);
}

/* Whether the time is known to have grown at more than n streams, and no more than most, by more
   than the error (share) of the reciprocal throughput. */
static bool streams_grown(const struct hw_curve *streams, const struct hw_answer *chain,
                          double share, double n, double most) {
  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (p->x > n && p->x <= most && streams_clear(p) &&
        (1 - share) * p->y - streams_error(p, chain) > (1 + STREAMS_RISE / 4) * chain->value)
      return true;
  }
  return false;
}

/* Whether the time is known not to have grown at n streams, or more. */
static bool streams_stays(const struct hw_curve *streams, const struct hw_answer *chain, double n) {
  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (p->x >= n && streams_clear(p) &&
        p->y + streams_error(p, chain) <= (1 + STREAMS_RISE / 4) * chain->value)
      return true;
  }
  return false;
}

struct hw_answer hw_reduce_in_flight(const struct hw_curve *streams, struct hw_answer time) {
  static const char method[] = "level and line";
  struct hw_answer chain = hw_reduce_chains(streams);
  double flight, most, level, unsure;

  if (!chain.known || !time.known)
    return chain.known ? time : chain;
  level = (1 + STREAMS_RISE / 2) * chain.value / time.value;
  unsure = hypot(chain.error / chain.value, time.error / time.value);
  flight = floor(level);
  if (flight < 1)
    return hw_unknown(method, "one stream is no chain");
  if (floor(level * (1 - unsure)) < flight && !streams_stays(streams, &chain, flight))
    return hw_unknown(method, "it may be one less");
  if (streams->point[streams->n - 1].x < flight + 1)
    return hw_absent(method, "more streams than were measured");
  most = floor(level * (1 + unsure));
  if (floor((1 + STREAMS_RISE) * chain.value / time.value) > flight ||
      (most > flight && !streams_grown(streams, &chain, time.error / time.value, flight, most)))
    return hw_unknown(method, "it is almost one more");
  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (!streams_clear(p))
      continue;
    if (p->x > 1 && p->x <= flight / 2 && p->y > (1 + 2 * STREAMS_RISE) * chain.value)
      return hw_unknown(method, "the time grows before");
    if (p->x >= flight + 1 && p->y < (1 + STREAMS_RISE / 4) * chain.value)
      return hw_unknown(method, "the time does not grow there");
  }
  return hw_known(method, flight, 0.5, HW_CLEAR);
}
