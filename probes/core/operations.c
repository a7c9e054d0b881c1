/* Latency and throughput of operations.

   Curve   start_<operation>_<type>, streams_<operation>_<type>: x independent streams, y time of
           one operation of each stream (cycles).
   Method  Loops over 1, 6, 8 ... streams.  One stream is a chain: its time is the latency.  As long
           as the streams fit beside each other the time stays; then it grows with each stream by
           the reciprocal throughput.  Where the time per operation still falls at the last of a few
           numbers of streams, or else beside the knee, more are generated and timed; and all, in
           longer loops, of additions of which more than four are done in a cycle.  A divider is not
           pipelined: it may hold a lone operation up, so that its latency is the least time of all
           numbers of streams; and a neighbour who only waits for it is hardly seen: what uses it is
           timed twice, and both times must agree.
   Rows    LAT_, RTP_, ILP_, ISSUE_.
   Cost    100 ms a type and the compiler's time.
   Limits  More streams than registers are slower; the least of all counts.  What is made of two
           instructions is done in that order: a processor that keeps to it waits in between, where
           a compiler would put others.  Without optimization variables are in memory, and only the
           latencies can be told.
   See     XT 3.2 and 3.3; BB 3.3. */
#include "probes/core/operations.h"

#include "probes/core/vectors.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements of the shorter loop at least, and how many more those of the longer one: of whole
   additions, of which several are done in a cycle, and where there are many streams; of others. */
#define OPERATIONS_BODY 4u
#define OPERATIONS_MANY 40u
#define OPERATIONS_MORE 8u
/* What waits for its unit need not get into its own way alike in both loops: by so many times the
   shorter one is the longer one longer, and counts so many times as much. */
#define OPERATIONS_TIMES 5u
/* And of whole additions of which more than four are done in a cycle, each of them in less than
   this (cycles): there the end of a loop, or where its code lies, costs the shorter loop a cycle
   that it does not cost the longer one, or the other way round, which is not to count for more than
   2 %. */
#define OPERATIONS_LONG 480u
#define OPERATIONS_QUICK (1 / 4.5)
/* From so many streams on the body is long anyway. */
#define OPERATIONS_WIDE 10u
/* Streams at most (BB 3.3.2). */
#define OPERATIONS_STREAMS 20u
/* Streams that have registers everywhere. */
#define OPERATIONS_FEW 5u
/* Most numbers of streams of a curve. */
#define OPERATIONS_MOST (OPERATIONS_ALL + OPERATIONS_FEW + 4)
/* Most curves of one probe. */
#define OPERATIONS_LINES 32u
/* Two times agree on a latency when they differ by no more than this share: each by half of it. */
#define OPERATIONS_AGREE 0.02
/* A latency is a whole number when it is as near to one, in cycles. */
#define OPERATIONS_WHOLE 0.25
/* One that is known to so much of a cycle comes no nearer to one with more effort. */
#define OPERATIONS_SURE (OPERATIONS_WHOLE / 4)
/* The time per operation falls when it falls by more than this share. */
#define OPERATIONS_FALL 0.03

/* How many streams: of operations of which several are done in a cycle, or that are two
   instructions, so that the units are busy only shortly before registers run out, at twelve of
   sixteen to fourteen; of those that wait for their unit, where it may take many to keep that busy;
   and of roots, which get into each other's way in more than one manner. */
static const unsigned operations_many[] = {1, 6, 8, 9, 10, 11, 12, 13, 14, 16, 20};
static const unsigned operations_slow[] = {1, 2, 4, 6, 7, 8};
static const unsigned operations_roots[] = {1, 2, 4, 5, 6, 8};
#define OPERATIONS_ALL (sizeof operations_many / sizeof operations_many[0])
#define OPERATIONS_WAIT (sizeof operations_slow / sizeof operations_slow[0])

/* An operation, how many streams of it are timed first, and what else is in its chain. */
struct operations_row {
  const char *op;
  char kind; /* of type: i, f or s, for f without vectors */
  const unsigned *streams;
  size_t first;    /* so many of them */
  size_t last;     /* and up to so many when the time per operation still falls at the first */
  const char *and; /* the operation whose latency is in the chain too, or NULL */
};

static const struct operations_row operations_rows[] = {
    {"add", 'i', operations_many, 3, OPERATIONS_ALL, NULL},
    {"mul", 'i', operations_many, 3, OPERATIONS_ALL, NULL},
    {"fma", 'i', operations_many, 3, OPERATIONS_ALL, NULL},
    {"div", 'i', operations_slow, OPERATIONS_WAIT, OPERATIONS_WAIT, "add"},
    {"divs", 'i', operations_slow, OPERATIONS_WAIT, OPERATIONS_WAIT, "add"},
    {"add", 'f', operations_many, 3, OPERATIONS_ALL, NULL},
    {"mul", 'f', operations_many, 3, OPERATIONS_ALL, NULL},
    {"fma", 'f', operations_many, 3, OPERATIONS_ALL, NULL},
    {"div", 'f', operations_slow, OPERATIONS_WAIT, OPERATIONS_WAIT, NULL},
    {"sqrt", 's', operations_roots, 6, 6, "add"}};

static const char *const operations_scalars[] = {"i32", "i64", "f32", "f64"};

/* The row of an operation on a type. */
static const struct operations_row *operations_row_of(const char *op, const char *tag) {
  const char kind = tag[0] == 'v' ? tag[1] : tag[0];
  const struct operations_row *row = operations_rows;

  while (strcmp(row->op, op) != 0 || (row->kind != kind && row->kind != 's'))
    row++;
  return row;
}

/* Whether operations of that row wait for each other at their unit. */
static bool operations_divides(const struct operations_row *row) {
  return row->streams == operations_slow || row->streams == operations_roots;
}

typedef struct hw_answer operations_reduction(const struct hw_curve *curve);

/* What tells the time of a chain. */
static operations_reduction *operations_chain(const struct operations_row *row) {
  return operations_divides(row) ? hw_reduce_chains : hw_reduce_chain;
}

void hw_operations_spec(struct hw_nano *nano, const char *op, const char *type, unsigned streams) {
  unsigned groups = (OPERATIONS_BODY + streams - 1) / streams;
  bool many = streams >= OPERATIONS_WIDE || (type[0] == 'i' && strcmp(op, "add") == 0);
  unsigned least = many ? OPERATIONS_MANY : OPERATIONS_MORE;
  unsigned more = (least + streams - 1) / streams;

  memset(nano, 0, sizeof *nano);
  nano->part[0].op = op;
  snprintf(nano->part[0].type, sizeof nano->part[0].type, "%s", type);
  nano->part[0].variables = nano->part[0].count = streams;
  nano->groups[0] = groups < 2 ? 2 : groups; /* one could be folded with the next time round */
  if (operations_divides(operations_row_of(op, type)))
    more = OPERATIONS_TIMES * nano->groups[0];
  nano->groups[1] = nano->groups[0] + (more < 2 ? 2 : more);
}

/* The loops of one curve. */
struct operations_line {
  const struct operations_row *row;
  char tag[HW_NANO_TYPE]; /* the type as rows name it */
  bool clear;             /* the curve need not be measured again */
  bool quick;             /* the longer loops are longer still */
  double precision;       /* of its times, or 0: the effort's */
  size_t n;
  double streams[OPERATIONS_MOST];
  size_t at; /* the first one's place in the plan */
};

/* The loops of one probe. */
struct operations_plan {
  size_t lines;
  size_t n;
  double precision; /* the best of the lines, or 0 */
  struct operations_line line[OPERATIONS_LINES];
  struct hw_nano nano[OPERATIONS_LINES * OPERATIONS_MOST];
  struct hw_point point[OPERATIONS_LINES * OPERATIONS_MOST];
};

/* Adds the line's loops on the type. */
static void operations_plan(struct operations_plan *plan, struct operations_line *line,
                            const char *type) {
  line->at = plan->n;
  for (size_t i = 0; i < line->n; i++) {
    struct hw_nano *nano = &plan->nano[plan->n++];
    unsigned streams = (unsigned)line->streams[i];
    hw_operations_spec(nano, line->row->op, type, streams);
    if (line->quick)
      nano->groups[1] = nano->groups[0] + (OPERATIONS_LONG + streams - 1) / streams;
  }
}

/* "STEM_OPERATION_TAG". */
static void operations_name(char name[HW_CURVE_NAME], const char *stem, const char *op,
                            const char *tag) {
  snprintf(name, HW_CURVE_NAME, "%s_%s_%s", stem, op, tag);
}

static const struct hw_curve *operations_curve(const struct hw_curves *curves, const char *stem,
                                               const char *op, const char *tag) {
  char name[HW_CURVE_NAME];

  operations_name(name, stem, op, tag);
  return hw_curves_get(curves, name);
}

static bool operations_settled(struct hw_answer answer) { return answer.known || answer.settled; }

/* In whole cycles.  A latency that depends on the order of operations, or is truly a half, is no
   whole number, and more effort would not make it one. */
static struct hw_answer operations_whole(struct hw_answer latency, bool divides) {
  static const char between[] = "it may lie between two whole numbers";
  double whole = round(latency.value);

  if (!latency.known)
    return latency;
  if (fabs(latency.value - whole) - latency.error > OPERATIONS_WHOLE)
    return hw_absent(latency.method, "it lies between two whole numbers");
  if (fabs(latency.value - whole) > OPERATIONS_WHOLE ||
      fabs(latency.value - whole) + latency.error > 0.5)
    return divides || latency.error < OPERATIONS_SURE ? hw_absent(latency.method, between)
                                                      : hw_unknown(latency.method, between);
  return hw_known(latency.method, whole, latency.error, latency.clarity);
}

/* The first streams of an operation; where its latency was known, but not in whole cycles, to what
   these need. */
static void operations_begin(const struct hw_curves *curves, struct operations_line *line) {
  const struct hw_curve *curve = operations_curve(curves, "start", line->row->op, line->tag);

  if (curve != NULL) {
    struct hw_answer chain = operations_chain(line->row)(curve);
    bool whole =
        operations_divides(line->row) || operations_settled(operations_whole(chain, false));
    line->clear = chain.known && whole;
    line->precision = chain.known ? OPERATIONS_SURE / chain.value : 0;
  }
  for (size_t i = 0; i < line->row->first && !line->clear; i++)
    line->streams[line->n++] = line->row->streams[i];
}

/* The time per operation. */
static double operations_time(const struct hw_point *point) { return point->y / point->x; }

/* The point where that is least. */
static const struct hw_point *operations_least(const struct hw_curve *curve) {
  const struct hw_point *least = curve->point;

  for (const struct hw_point *p = least + 1; p < curve->point + curve->n; p++)
    if (operations_time(p) < operations_time(least))
      least = p;
  return least;
}

/* Whether the line has loops of so many streams. */
static bool operations_has(const struct operations_line *line, double streams) {
  for (size_t i = 0; i < line->n; i++)
    if (line->streams[i] >= streams && line->streams[i] <= streams)
      return true;
  return false;
}

/* Adds a number of streams, unless it is there. */
static void operations_extend(const struct hw_curve *curve, struct operations_line *line,
                              double streams) {
  if (streams >= 1 && streams <= OPERATIONS_STREAMS && hw_curve_at(curve, streams) == NULL &&
      !operations_has(line, streams))
    line->streams[line->n++] = streams;
}

/* A curve reduced. */
static struct hw_answer operations_reduce(const struct hw_curves *curves, const char *stem,
                                          const char *op, const char *tag,
                                          operations_reduction *reduce) {
  const struct hw_curve *curve = operations_curve(curves, stem, op, tag);

  /* Not published: the compiler has no such type. */
  return curve != NULL ? reduce(curve) : hw_absent("none", "its code could not be made or timed");
}

struct hw_answer hw_operations_throughput(const struct hw_curves *curves, const char *op,
                                          const char *tag) {
  return operations_reduce(curves, "streams", op, tag,
                           operations_divides(operations_row_of(op, tag))
                               ? hw_reduce_throughput_unit
                               : hw_reduce_throughput);
}

/* Operations in flight, as rows have them. */
static struct hw_answer operations_flight(const struct hw_curves *curves, const char *op,
                                          const char *tag) {
  const struct hw_curve *streams = operations_curve(curves, "streams", op, tag);
  struct hw_answer time = hw_operations_throughput(curves, op, tag);
  struct hw_answer flight = streams != NULL ? hw_reduce_in_flight(streams, time) : time;

  /* A unit's range of times gets no narrower with more effort. */
  flight.settled |= time.known && operations_divides(operations_row_of(op, tag));
  return flight;
}

/* The time of a chain; where it waits for a unit, as both curves have it. */
static struct hw_answer operations_confirmed(const struct hw_curves *curves,
                                             const struct operations_row *row, const char *tag) {
  operations_reduction *chain = operations_chain(row);
  struct hw_answer first = operations_reduce(curves, "start", row->op, tag, chain), second;

  if (!operations_divides(row) || !first.known)
    return first;
  second = operations_reduce(curves, "streams", row->op, tag, chain);
  if (second.known &&
      fabs(second.value - first.value) > OPERATIONS_AGREE * fmin(first.value, second.value))
    return hw_unknown(first.method, "two times do not agree");
  return second;
}

/* The other streams of an operation: all, when the time per operation still falls at the last of
   the first; or those beside the knee.  Where the last ones take longer than some others, for want
   of registers or because they get into each other's way, the few as well, and twice as many as do
   best. */
static void operations_beside(const struct hw_curve *curve, struct operations_line *line) {
  const struct hw_point *last = &curve->point[curve->n - 1], *least = operations_least(curve);
  const double knee = floor(curve->point[0].y / operations_time(least) + 0.5);

  line->quick = line->tag[0] == 'i' && strcmp(line->row->op, "add") == 0 &&
                operations_time(least) < OPERATIONS_QUICK;
  if (line->quick) {
    for (size_t i = 1; i < line->row->last; i++)
      line->streams[line->n++] = line->row->streams[i];
    operations_extend(curve, line, knee);
    operations_extend(curve, line, knee + 1);
  } else if (operations_time(last) < (1 - OPERATIONS_FALL) * operations_time(last - 1)) {
    for (size_t i = line->row->first; i < line->row->last; i++)
      operations_extend(curve, line, line->row->streams[i]);
  } else {
    operations_extend(curve, line, knee);
    operations_extend(curve, line, knee + 1);
    if (operations_time(last) > (1 + HW_STREAMS_ALIKE) * operations_time(least)) {
      operations_extend(curve, line, 2 * least->x);
      for (unsigned few = 2; few <= OPERATIONS_FEW; few++)
        operations_extend(curve, line, few);
    }
  }
}

/* The streams that an operation is measured with again: none where it is clear. */
static void operations_continue(const struct hw_curves *curves, struct operations_line *line) {
  const struct hw_curve *curve = operations_curve(curves, "start", line->row->op, line->tag);
  const struct hw_curve *done = operations_curve(curves, "streams", line->row->op, line->tag);

  line->clear = curve == NULL ||
                (done != NULL &&
                 operations_settled(hw_operations_throughput(curves, line->row->op, line->tag)) &&
                 operations_settled(operations_flight(curves, line->row->op, line->tag)) &&
                 operations_confirmed(curves, line->row, line->tag).known);
  if (line->clear || curve->n < 2)
    return;
  if (operations_divides(line->row)) {
    const struct hw_point *quickest = hw_streams_quickest(curve);

    line->streams[line->n++] = 1;
    if (quickest->x > 1)
      line->streams[line->n++] = quickest->x;
  }
  operations_beside(curve, line);
}

/* The loops for the lines of the kinds of type that are given.  bytes: of vectors, or 0. */
static void operations_fill(struct operations_plan *plan, const struct hw_curves *curves,
                            const char *const *word, size_t words, unsigned bytes,
                            void (*choose)(const struct hw_curves *, struct operations_line *)) {
  plan->lines = plan->n = 0;
  for (size_t w = 0; w < words; w++)
    for (size_t r = 0; r < sizeof operations_rows / sizeof operations_rows[0]; r++) {
      struct operations_line *line = &plan->line[plan->lines];
      char type[HW_NANO_TYPE];
      line->row = &operations_rows[r];
      if (line->row->kind != word[w][0] &&
          (line->row->kind != 's' || word[w][0] != 'f' || bytes > 0))
        continue;
      snprintf(line->tag, sizeof line->tag, bytes > 0 ? "v%s" : "%s", word[w]);
      snprintf(type, sizeof type, bytes > 0 ? "%sv%u" : "%s", word[w], bytes);
      choose(curves, line);
      if (!line->clear && line->precision > 0)
        plan->precision =
            plan->precision > 0 ? fmin(plan->precision, line->precision) : line->precision;
      operations_plan(plan, line, type);
      plan->lines++;
    }
}

/* Publishes a line's curve, which starts with the points of another but for what is timed once
   more, unless it has no points. */
static int operations_publish(struct hw_bench *bench, const struct operations_plan *plan,
                              const struct operations_line *line, const char *stem,
                              const struct hw_curve *start, const char *probe) {
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result = 0;

  operations_name(name, stem, line->row->op, line->tag);
  hw_curve_init(&curve, name, "independent streams (count)",
                "time of one operation of each stream (cycles)");
  for (size_t i = 0; start != NULL && i < start->n && result == 0; i++)
    if (!operations_has(line, start->point[i].x))
      result = hw_curve_put(&curve, start->point[i]);
  if (result == 0)
    result = hw_nano_put(&curve, &plan->point[line->at], line->streams, line->n);
  return hw_publish_some(bench, &curve, probe, result);
}

/* Times the loops of all lines of the types, as choose has them, into curves of that stem, which
   start with the points of those of another stem, from, if there is one. */
static int operations_probe(struct hw_bench *bench, const char *const *word, size_t words,
                            unsigned bytes, const char *from, const char *stem, const char *probe,
                            void (*choose)(const struct hw_curves *, struct operations_line *)) {
  struct operations_plan *plan = calloc(1, sizeof *plan);
  int result = -1;

  if (plan != NULL) {
    operations_fill(plan, &bench->curves, word, words, bytes, choose);
    result = hw_nano_need(bench, plan->nano, plan->n);
  }
  if (result == 0)
    result = hw_nano_sample(bench, plan->nano, plan->n, plan->precision, plan->point);
  for (size_t i = 0; result == 0 && i < plan->lines; i++) {
    const struct operations_line *line = &plan->line[i];
    const struct hw_curve *start =
        from != NULL ? operations_curve(&bench->curves, from, line->row->op, line->tag) : NULL;
    if (!line->clear)
      result = operations_publish(bench, plan, line, stem, start, probe);
  }
  if (result == 0 && hw_nano_missed(bench, plan->nano, plan->point, plan->n))
    result = -1;
  free(plan);
  return result;
}

/* The first streams.  Of those whose rows are another probe's all chains must be known too. */
static int operations_start(struct hw_bench *bench, const char *const *word, size_t words,
                            unsigned bytes, const char *probe) {
  int result = operations_probe(bench, word, words, bytes, NULL, "start", probe, operations_begin);

  for (size_t i = 0; result == 0 && i < bench->curves.n; i++) {
    const struct hw_curve *curve = bench->curves.curve[i];
    if (strcmp(curve->probe, probe) == 0 && !hw_reduce_chains(curve).known)
      result = -1;
  }
  return result;
}

int hw_probe_scalars(struct hw_bench *bench) {
  return operations_start(bench, operations_scalars, 4, 0, "scalars");
}

int hw_probe_streams(struct hw_bench *bench) {
  return operations_probe(bench, operations_scalars, 4, 0, "start", "streams", "streams",
                          operations_continue);
}

/* The same for vectors of floating point, as wide as the machine has them. */
static const char *const operations_floats[] = {"f32", "f64"};

int hw_probe_vector_chains(struct hw_bench *bench) {
  struct hw_answer bytes = hw_vectors_bytes(&bench->curves);

  return bytes.known
             ? operations_start(bench, operations_floats, 2, (unsigned)bytes.value, "vector_chains")
             : 0;
}

int hw_probe_vector_streams(struct hw_bench *bench) {
  struct hw_answer bytes = hw_vectors_bytes(&bench->curves);

  return bytes.known ? operations_probe(bench, operations_floats, 2, (unsigned)bytes.value, "start",
                                        "streams", "vector_streams", operations_continue)
                     : 0;
}

struct hw_answer hw_operations_latency(const struct hw_curves *curves, const char *op,
                                       const char *tag) {
  const struct operations_row *row = operations_row_of(op, tag);
  struct hw_answer chain = operations_confirmed(curves, row, tag), other;

  if (row->and == NULL || !chain.known)
    return chain;
  other = hw_operations_latency(curves, row->and, tag);
  if (!other.known)
    return other;
  return hw_known(chain.method, chain.value - other.value, hypot(chain.error, other.error),
                  chain.clarity);
}

/* The values of the rows of an operation on a type: of its chain; and of streams, which are told in
   fused.c of a multiply-add. */
#define OPERATIONS_WAITS(op, tag)                                                                  \
  struct hw_answer hw_read_lat_##op##_##tag(const struct hw_curves *curves) {                      \
    return operations_whole(hw_operations_latency(curves, #op, #tag),                              \
                            operations_divides(operations_row_of(#op, #tag)));                     \
  }                                                                                                \
  struct hw_answer hw_read_lat_##op##_##tag##_x100(const struct hw_curves *curves) {               \
    return hw_scaled(hw_operations_latency(curves, #op, #tag), 100);                               \
  }
#define OPERATIONS_VALUES(op, tag)                                                                 \
  OPERATIONS_WAITS(op, tag)                                                                        \
  struct hw_answer hw_read_rtp_##op##_##tag##_x100(const struct hw_curves *curves) {               \
    return hw_scaled(hw_operations_throughput(curves, #op, #tag), 100);                            \
  }                                                                                                \
  struct hw_answer hw_read_ilp_##op##_##tag(const struct hw_curves *curves) {                      \
    return operations_flight(curves, #op, #tag);                                                   \
  }

/* The same, and the additions that are issued in a cycle. */
#define OPERATIONS_TYPE(tag)                                                                       \
  OPERATIONS_VALUES(add, tag)                                                                      \
  OPERATIONS_VALUES(mul, tag)                                                                      \
  OPERATIONS_VALUES(div, tag)                                                                      \
  OPERATIONS_WAITS(fma, tag)                                                                       \
  struct hw_answer hw_read_issue_##tag##_x100(const struct hw_curves *curves) {                    \
    struct hw_answer answer = hw_operations_throughput(curves, "add", #tag);                       \
    return !answer.known                                                                           \
               ? answer                                                                            \
               : hw_known(answer.method, 100 / answer.value,                                       \
                          100 * answer.error / answer.value / answer.value, answer.clarity);       \
  }

OPERATIONS_TYPE(i32)
OPERATIONS_TYPE(i64)
OPERATIONS_TYPE(f32)
OPERATIONS_TYPE(f64)
OPERATIONS_TYPE(vf32)
OPERATIONS_TYPE(vf64)
OPERATIONS_VALUES(divs, i32)
OPERATIONS_VALUES(divs, i64)
OPERATIONS_VALUES(sqrt, f32)
OPERATIONS_VALUES(sqrt, f64)
