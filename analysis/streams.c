/* What a curve of loops of independent streams tells of an operation. */
#include "analysis/reduce.h"

#include <math.h>

/* A level is left when it is exceeded by this share. */
#define STREAMS_RISE 0.05

struct hw_answer hw_reduce_chain(const struct hw_curve *streams) {
  static const char method[] = "chain";
  const struct hw_point *one = streams->point;
  double error;

  if (streams->n == 0 || one->x < 1 || one->x > 1)
    return hw_unknown(method, "one stream was not measured");
  error = 2 * hw_point_error(one);
  if (error > HW_LEVEL_ERROR * one->y)
    return hw_unknown(method, "the samples scatter by more than 3 %");
  return hw_known(method, one->y, error, HW_CLEAR);
}

/* Whether the point is known to HW_LEVEL_ERROR: with a neighbour beside it is not. */
static bool streams_clear(const struct hw_point *p) {
  return 2 * hw_point_error(p) <= HW_LEVEL_ERROR * p->y;
}

/* The clear point with the least time per operation, but not the one at other; n when there is
   none. */
static size_t streams_least(const struct hw_curve *streams, size_t other) {
  size_t least = streams->n;

  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (i != other && streams_clear(p) &&
        (least == streams->n || p->y / p->x < streams->point[least].y / streams->point[least].x))
      least = i;
  }
  return least;
}

struct hw_answer hw_reduce_throughput(const struct hw_curve *streams) {
  static const char method[] = "second least time";
  size_t least = streams_least(streams, streams->n), second = streams_least(streams, least);
  double time, other;

  if (streams->n < 3)
    return streams->n < 2 ? hw_absent(method, "there is but one stream")
                          : hw_unknown(method, "fewer than three points");
  if (least == streams->n || second == streams->n)
    return hw_unknown(method, "the samples scatter by more than 3 %");
  time = streams->point[least].y / streams->point[least].x;
  other = streams->point[second].y / streams->point[second].x;
  if (other > (1 + HW_STREAMS_ALIKE) * time)
    return hw_unknown(method, "no two numbers of streams agree");
  return hw_known(method, other, other - time, HW_CLEAR);
}

struct hw_answer hw_reduce_in_flight(const struct hw_curve *streams) {
  static const char method[] = "level and line";
  struct hw_answer chain = hw_reduce_chain(streams), time = hw_reduce_throughput(streams);
  double flight;

  if (!chain.known || !time.known)
    return chain.known ? time : chain;
  flight = floor((1 + STREAMS_RISE / 2) * chain.value / time.value);
  if (flight < 1)
    return hw_unknown(method, "one stream is no chain");
  if (streams->point[streams->n - 1].x < flight + 1)
    return hw_absent(method, "more streams than were measured");
  for (size_t i = 0; i < streams->n; i++) {
    const struct hw_point *p = &streams->point[i];
    if (!streams_clear(p))
      continue;
    if (p->x <= flight / 2 && p->y > (1 + 2 * STREAMS_RISE) * chain.value)
      return hw_unknown(method, "the time grows before");
    if (p->x >= flight + 1 && p->y < (1 + STREAMS_RISE / 4) * chain.value)
      return hw_unknown(method, "the time does not grow there");
  }
  return hw_known(method, flight, 0.5, HW_CLEAR);
}
