/* Latency and throughput of operations, off the curves of probes/core/operations.c.

   Method  The time of one stream, a dependent chain, is the latency.  While independent streams
           overlap the time stays; then it grows with each stream by the reciprocal throughput.  A
           divider is not pipelined: it may hold a lone operation up, so that its latency is the
           least time of all numbers of streams; and an SMT sibling that only waits for it is hardly
           seen: both times of an operation that uses it must agree.
   Rows    LAT_, RTP_, ILP_, ISSUE_.
   Limits  More streams than registers are slower; the least of all counts.
   See     XT 3.2 and 3.3; BB 3.3. */
#include "analysis/rows/operations.h"

#include "analysis/rows/loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two times agree on a latency when they differ by no more than this share: each by half of it. */
#define OPERATIONS_AGREE 0.02
/* A latency within this many cycles of a whole number is that number. */
#define OPERATIONS_WHOLE 0.25

/* What readers need of a row of operations.def. */
struct operations_row {
  const char *op;
  char kind; /* of type: i or f */
  enum hw_unit unit;
  const char *chain; /* the operation whose latency is in the chain too, or nothing */
};

#define OPERATIONS_KIND_i 'i'
#define OPERATIONS_KIND_f 'f'
#define OPERATIONS_KIND_s 'f'
#define OPERATIONS_KIND_a 0
static const struct operations_row operations_rows[] = {
#define HW_OPERATION(word, kind, expression, p, q, r, unit, chain, rows)                           \
  {#word, OPERATIONS_KIND_##kind, HW_UNIT_##unit, chain},
#include "analysis/rows/operations.def"
    {"", 0, HW_UNIT_NONE, ""}};

/* The row of an operation on a type, the last if there is none. */
static const struct operations_row *operations_row(const char *op, const char *tag) {
  const char kind = tag[0] == 'v' ? tag[1] : tag[0];
  const struct operations_row *row = operations_rows;

  while (row->op[0] != '\0' && (strcmp(row->op, op) != 0 || row->kind != kind))
    row++;
  return row;
}

bool hw_operations_divides(const char *op, const char *tag) {
  return operations_row(op, tag)->unit >= HW_UNIT_DIVIDER;
}

void hw_operations_name(char name[HW_CURVE_NAME], const char *stem, const char *op,
                        const char *tag) {
  snprintf(name, HW_CURVE_NAME, "%s_%s_%s", stem, op, tag);
}

const struct hw_curve *hw_operations_curve(const struct hw_curves *curves, const char *stem,
                                           const char *op, const char *tag) {
  char name[HW_CURVE_NAME];

  hw_operations_name(name, stem, op, tag);
  return hw_curves_get(curves, name);
}

struct hw_answer hw_operations_whole(struct hw_answer latency, bool divides) {
  double whole = round(latency.value), off = fabs(latency.value - whole);

  if (!latency.known)
    return latency;
  if (off <= OPERATIONS_WHOLE && off + latency.error <= 0.5)
    return hw_known(latency.method, whole, latency.error, latency.clarity);
  if (off - latency.error > OPERATIONS_WHOLE || divides || latency.error < HW_OPERATIONS_SURE)
    return hw_ranged(latency.method, whole, floor(latency.value - latency.error),
                     ceil(latency.value + latency.error));
  return hw_unknown(latency.method, "it may lie between two whole numbers");
}

/* A curve reduced. */
static struct hw_answer operations_reduce(const struct hw_curves *curves, const char *stem,
                                          const char *op, const char *tag,
                                          struct hw_answer (*reduce)(const struct hw_curve *)) {
  const struct hw_curve *curve = hw_operations_curve(curves, stem, op, tag);

  /* Not published: the compiler has no such type. */
  return curve != NULL ? reduce(curve)
                       : hw_absent(HW_NO_METHOD, "its code could not be made or timed");
}

struct hw_answer hw_operations_throughput(const struct hw_curves *curves, const char *op,
                                          const char *tag) {
  return operations_reduce(curves, "streams", op, tag,
                           hw_operations_divides(op, tag) ? hw_reduce_throughput_unit
                                                          : hw_reduce_throughput);
}

struct hw_answer hw_operations_flight(const struct hw_curves *curves, const char *op,
                                      const char *tag) {
  const struct hw_curve *streams = hw_operations_curve(curves, "streams", op, tag);
  struct hw_answer time = hw_operations_throughput(curves, op, tag);
  struct hw_answer flight = streams != NULL ? hw_reduce_in_flight(streams, time) : time;

  /* More effort does not narrow the range of times of such a unit. */
  flight.settled |= time.known && hw_operations_divides(op, tag);
  return flight;
}

struct hw_answer hw_operations_first(const struct hw_curves *curves, const char *op,
                                     const char *tag) {
  return operations_reduce(curves, "start", op, tag,
                           hw_operations_divides(op, tag) ? hw_reduce_chains : hw_reduce_chain);
}

struct hw_answer hw_operations_confirmed(const struct hw_curves *curves, const char *op,
                                         const char *tag) {
  struct hw_answer first = hw_operations_first(curves, op, tag), second;

  if (!hw_operations_divides(op, tag) || !first.known)
    return first;
  second = operations_reduce(curves, "streams", op, tag, hw_reduce_chains);
  if (second.known &&
      fabs(second.value - first.value) > OPERATIONS_AGREE * fmin(first.value, second.value))
    return hw_unknown(first.method, "two times do not agree");
  return second;
}

struct hw_answer hw_operations_latency(const struct hw_curves *curves, const char *op,
                                       const char *tag) {
  const char *and = operations_row(op, tag)->chain;
  struct hw_answer chain = hw_operations_confirmed(curves, op, tag), other, time;
  double least = 0;

  if (and[0] == '\0' || !chain.known)
    return chain;
  other = hw_operations_latency(curves, and, tag);
  if (!other.known)
    return other;
  /* If the unit stays busy while the other operation runs, the next one waits for the unit. */
  time = hw_operations_throughput(curves, op, tag);
  if (time.known)
    least = fmin(time.value, chain.value);
  return hw_known(chain.method, fmax(chain.value - other.value, least),
                  hypot(chain.error, other.error), chain.clarity);
}

/* The range of a chain: of both curves of a unit that is not pipelined. */
static struct hw_answer operations_chain_range(const struct hw_curves *curves, const char *op,
                                               const char *tag) {
  struct hw_answer first = operations_reduce(curves, "start", op, tag, hw_reduce_chain_range);
  struct hw_answer second = operations_reduce(curves, "streams", op, tag, hw_reduce_chain_range);

  if (!first.known || !second.known || !hw_operations_divides(op, tag))
    return first;
  return hw_ranged(first.method, fmin(first.value, second.value), fmin(first.low, second.low),
                   fmin(first.high, second.high));
}

/* The latency, or the range in which it lies. */
static struct hw_answer operations_latency(const struct hw_curves *curves, const char *op,
                                           const char *tag, bool whole) {
  const char *and = operations_row(op, tag)->chain;
  struct hw_answer latency = hw_operations_latency(curves, op, tag), range;

  if (latency.known)
    return whole ? hw_else(hw_operations_whole(latency, hw_operations_divides(op, tag)),
                           hw_ranged(latency.method, latency.value, latency.value - latency.error,
                                     latency.value + latency.error))
                 : latency;
  range = operations_chain_range(curves, op, tag);
  if (and[0] != '\0') {
    struct hw_answer other = hw_operations_latency(curves, and, tag);
    range = hw_difference(range, other.known ? other : operations_chain_range(curves, and, tag));
  }
  return hw_else(latency, range);
}

/* The reciprocal throughput, or the range in which it lies. */
static struct hw_answer operations_reciprocal(const struct hw_curves *curves, const char *op,
                                              const char *tag) {
  return hw_else(hw_operations_throughput(curves, op, tag),
                 operations_reduce(curves, "streams", op, tag, hw_reduce_throughput_range));
}

struct hw_answer hw_operations_bounded(const struct hw_curves *curves, const char *op,
                                       const char *tag, struct hw_answer time) {
  struct hw_answer latency = hw_operations_latency(curves, op, tag);

  if (!time.known || !latency.known || time.value <= latency.value)
    return time;
  if (time.value - (1 + HW_STREAMS_ALIKE) * latency.value > hypot(time.error, latency.error))
    return hw_unknown(time.method, "independent ones take longer than dependent ones");
  return hw_known(time.method, latency.value, hypot(time.value - latency.value, time.error),
                  time.clarity);
}

/* The readers of an operation on a type: of its chain, hw_read_lat_OP_TYPE and
   hw_read_lat_OP_TYPE_x100; and of streams, hw_read_rtp_OP_TYPE_x100 and hw_read_ilp_OP_TYPE, which
   fused.c has for a multiply-add. */
#define OPERATIONS_WAITS(op, tag)                                                                  \
  HW_LATENCY_ROWS(lat_##op##_##tag, operations_latency(curves, #op, #tag, true),                   \
                  operations_latency(curves, #op, #tag, false))
#define OPERATIONS_VALUES(op, tag)                                                                 \
  OPERATIONS_WAITS(op, tag)                                                                        \
  struct hw_answer hw_read_rtp_##op##_##tag##_x100(const struct hw_curves *curves) {               \
    return hw_scaled(                                                                              \
        hw_operations_bounded(curves, #op, #tag, operations_reciprocal(curves, #op, #tag)), 100);  \
  }                                                                                                \
  struct hw_answer hw_read_ilp_##op##_##tag(const struct hw_curves *curves) {                      \
    return hw_operations_flight(curves, #op, #tag);                                                \
  }

#define OPERATIONS_NONE(op, tag)

/* On all types of a kind. */
#define OPERATIONS_OF_i(rows, op) rows(op, i32) rows(op, i64)
#define OPERATIONS_OF_s(rows, op) rows(op, f32) rows(op, f64)
#define OPERATIONS_OF_f(rows, op) OPERATIONS_OF_s(rows, op) rows(op, vf32) rows(op, vf64)
#define OPERATIONS_OF_a(rows, op)
#define HW_OPERATION(word, kind, expression, p, q, r, unit, chain, rows)                           \
  OPERATIONS_OF_##kind(OPERATIONS_##rows, word)
#include "analysis/rows/operations.def"

/* The additions that are issued in a cycle: hw_read_issue_TYPE_x100. */
#define OPERATIONS_ISSUE(op, tag)                                                                  \
  struct hw_answer hw_read_issue_##tag##_x100(const struct hw_curves *curves) {                    \
    return hw_scaled(hw_inverse(operations_reciprocal(curves, #op, #tag)), 100);                   \
  }
OPERATIONS_OF_i(OPERATIONS_ISSUE, add) OPERATIONS_OF_f(OPERATIONS_ISSUE, add)
