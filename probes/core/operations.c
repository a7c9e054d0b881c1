/* Latency and throughput of operations.

   Curve   start_<operation>_<type>, streams_<operation>_<type>: x independent streams, y time of
           one operation of each stream (cycles).
   Method  Loops over 1, 6, 8 ... streams.  One stream is a dependent chain.  More numbers of
           streams are timed where the time per operation still falls at the last of the first few,
           or else beside the knee; and all, in longer loops, of additions of which more than four
           complete in a cycle.  Operations of a divider, which is not pipelined, are timed twice.
   Rows    LAT_, RTP_, ILP_, ISSUE_.
   Cost    100 ms a type and the compiler's time.
   Limits  An operation of two instructions has them one after the other: an in-order processor
           stalls in between, where a compiler would schedule others.  Without optimization
           variables are in memory, and only the latencies can be told.
   See     XT 3.2 and 3.3; BB 3.3. */
#include "analysis/rows/operations.h"
#include "probes/nano/loops.h"
#include "probes/nano/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integer additions with a reciprocal throughput below this, cycles (more than four a cycle), have
   long loops. */
#define OPERATIONS_QUICK (1 / 4.5)
/* Most streams (BB 3.3.2). */
#define OPERATIONS_STREAMS 20u
/* Streams that fit the registers of any machine. */
#define OPERATIONS_FEW 5u
/* Most numbers of streams of a curve. */
#define OPERATIONS_MOST (HW_LOOPS_STREAMS + OPERATIONS_FEW + 4)
/* Most curves of one probe. */
#define OPERATIONS_LINES 32u
/* Least relative fall of the time per operation that counts as one. */
#define OPERATIONS_FALL 0.03

/* The loops of one curve. */
struct operations_line {
  const char *op;
  struct hw_loops_row row;
  char tag[HW_NANO_TYPE]; /* the type as rows name it */
  bool clear;             /* the curve need not be measured again */
  bool quick;             /* its loops are long ones */
  double precision;       /* of its times, or 0: the effort's */
  size_t n;
  double streams[OPERATIONS_MOST];
  size_t at; /* the first one's place in the plan */
};

/* The loops of one probe. */
struct operations_plan {
  size_t lines;
  size_t n;
  double precision; /* the finest of the lines, or 0 */
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
    hw_loops_streams(nano, line->op, type, streams, line->quick);
  }
}

static bool operations_settled(struct hw_answer answer) { return answer.known || answer.settled; }

/* Chooses the first numbers of streams of an operation; where its latency is known, but not in
   whole cycles, with the precision that these need. */
static void operations_begin(const struct hw_curves *curves, struct operations_line *line) {
  const struct hw_curve *curve = hw_operations_curve(curves, "start", line->op, line->tag);

  if (curve != NULL) {
    struct hw_answer chain = hw_operations_first(curves, line->op, line->tag);
    bool whole = hw_operations_divides(line->op, line->tag) ||
                 operations_settled(hw_operations_whole(chain, false));
    line->clear = chain.known && whole;
    line->precision = chain.known ? HW_OPERATIONS_SURE / chain.value : 0;
  }
  for (size_t i = 0; i < line->row.first && !line->clear; i++)
    line->streams[line->n++] = line->row.streams[i];
}

/* The time per operation. */
static double operations_time(const struct hw_point *point) { return point->y / point->x; }

/* The point with the least time per operation. */
static const struct hw_point *operations_least(const struct hw_curve *curve) {
  const struct hw_point *least = curve->point;

  for (const struct hw_point *p = least + 1; p < curve->point + curve->n; p++)
    if (operations_time(p) < operations_time(least))
      least = p;
  return least;
}

/* Whether the line has a loop of that many streams. */
static bool operations_has(const struct operations_line *line, double streams) {
  for (size_t i = 0; i < line->n; i++)
    if (line->streams[i] >= streams && line->streams[i] <= streams)
      return true;
  return false;
}

/* Adds a number of streams, unless it was measured or is there. */
static void operations_extend(const struct hw_curve *curve, struct operations_line *line,
                              double streams) {
  if (streams >= 1 && streams <= OPERATIONS_STREAMS && hw_curve_at(curve, streams) == NULL &&
      !operations_has(line, streams))
    line->streams[line->n++] = streams;
}

/* Chooses the other numbers of streams of an operation: all, when the time per operation still
   falls at the last of the first; or those beside the knee.  Where the last takes longer than some
   other, due to spills or conflicts for a unit, also the few, and twice the number with the least
   time. */
static void operations_beside(const struct hw_curve *curve, struct operations_line *line) {
  const struct hw_point *last = &curve->point[curve->n - 1], *least = operations_least(curve);
  const double knee = floor(curve->point[0].y / operations_time(least) + 0.5);

  line->quick = line->tag[0] == 'i' && strcmp(line->op, "add") == 0 &&
                operations_time(least) < OPERATIONS_QUICK;
  if (line->quick) {
    for (size_t i = 1; i < line->row.last; i++)
      line->streams[line->n++] = line->row.streams[i];
    operations_extend(curve, line, knee);
    operations_extend(curve, line, knee + 1);
  } else if (operations_time(last) < (1 - OPERATIONS_FALL) * operations_time(last - 1)) {
    for (size_t i = line->row.first; i < line->row.last; i++)
      operations_extend(curve, line, line->row.streams[i]);
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

/* Chooses the numbers of streams to measure an operation with again: none where it is clear. */
static void operations_continue(const struct hw_curves *curves, struct operations_line *line) {
  const struct hw_curve *curve = hw_operations_curve(curves, "start", line->op, line->tag);
  const struct hw_curve *done = hw_operations_curve(curves, "streams", line->op, line->tag);

  line->clear =
      curve == NULL ||
      (done != NULL && operations_settled(hw_operations_throughput(curves, line->op, line->tag)) &&
       operations_settled(hw_operations_flight(curves, line->op, line->tag)) &&
       hw_operations_confirmed(curves, line->op, line->tag).known);
  if (line->clear || curve->n < 2)
    return;
  if (hw_operations_divides(line->op, line->tag)) {
    const struct hw_point *quickest = hw_streams_quickest(curve);

    line->streams[line->n++] = 1;
    if (quickest->x > 1)
      line->streams[line->n++] = quickest->x;
  }
  operations_beside(curve, line);
}

/* Plans the loops of all operations on all types.  bytes: of vectors, which are of floating point,
   or 0. */
static void operations_fill(struct operations_plan *plan, const struct hw_curves *curves,
                            unsigned bytes,
                            void (*choose)(const struct hw_curves *, struct operations_line *)) {
  for (const struct hw_nano_type *of = hw_nano_types; of->word != NULL; of++)
    for (const struct hw_nano_operation *op = hw_nano_operations; op->word != NULL; op++) {
      struct operations_line *line = &plan->line[plan->lines];
      char type[HW_NANO_TYPE];
      line->op = op->word;
      line->row = hw_loops_row(op);
      snprintf(line->tag, sizeof line->tag, bytes > 0 ? "v%s" : "%s", of->word);
      hw_nano_typed(type, line->tag, bytes);
      if (line->row.last == 0 || hw_nano_operation(op->word, type) != op ||
          (bytes > 0 && of->kind[0] != 'f'))
        continue;
      choose(curves, line);
      if (!line->clear && line->precision > 0)
        plan->precision =
            plan->precision > 0 ? fmin(plan->precision, line->precision) : line->precision;
      operations_plan(plan, line, type);
      plan->lines++;
    }
}

/* Publishes a line's curve, with those points of start, if any, that were not timed again; nothing
   if it has no points. */
static int operations_publish(struct hw_bench *bench, const struct operations_plan *plan,
                              const struct operations_line *line, const char *stem,
                              const struct hw_curve *start, const char *probe) {
  struct hw_curve curve;
  char name[HW_CURVE_NAME];
  int result = 0;

  hw_operations_name(name, stem, line->op, line->tag);
  hw_curve_init(&curve, name, "independent streams (count)",
                "time of one operation of each stream (cycles)");
  for (size_t i = 0; start != NULL && i < start->n && result == 0; i++)
    if (!operations_has(line, start->point[i].x))
      result = hw_curve_put(&curve, start->point[i]);
  if (result == 0)
    result = hw_nano_put(&curve, &plan->point[line->at], line->streams, line->n);
  return hw_publish_some(bench, &curve, probe, result);
}

/* Times the loops that choose selects for each operation, on vectors of that width or, with 0,
   on scalars, into curves of that stem, which start with the points of the curves of stem from, if
   that is not NULL.  When time runs out, those lines are kept of which all loops were timed.  0, or
   -1. */
static int operations_probe(struct hw_bench *bench, unsigned bytes, const char *from,
                            const char *stem, const char *probe,
                            void (*choose)(const struct hw_curves *, struct operations_line *)) {
  struct operations_plan *plan = calloc(1, sizeof *plan);
  bool late = false;
  int result = -1;

  if (plan != NULL) {
    operations_fill(plan, &bench->curves, bytes, choose);
    result = hw_nano_need(bench, plan->nano, plan->n);
  }
  if (result == 0)
    late = hw_nano_sample(bench, plan->nano, plan->n, plan->precision, plan->point) < 0;
  for (size_t i = 0; result == 0 && i < plan->lines; i++) {
    const struct operations_line *line = &plan->line[i];
    const struct hw_curve *start =
        from != NULL ? hw_operations_curve(&bench->curves, from, line->op, line->tag) : NULL;
    if (!line->clear &&
        !(late && hw_nano_missed(bench, plan->nano + line->at, plan->point + line->at, line->n)))
      result = operations_publish(bench, plan, line, stem, start, probe);
  }
  if (result == 0 && hw_nano_missed(bench, plan->nano, plan->point, plan->n))
    result = -1;
  free(plan);
  return late ? -1 : result;
}

/* Measures the first streams.  0, or -1, also if a chain is unknown, which other probes need. */
static int operations_start(struct hw_bench *bench, unsigned bytes, const char *probe) {
  int result = operations_probe(bench, bytes, NULL, "start", probe, operations_begin);

  for (size_t i = 0; result == 0 && i < bench->curves.n; i++) {
    const struct hw_curve *curve = bench->curves.curve[i];
    if (strcmp(curve->probe, probe) == 0 && !hw_reduce_chains(curve).known)
      result = -1;
  }
  return result;
}

int hw_probe_scalars(struct hw_bench *bench) { return operations_start(bench, 0, "scalars"); }

int hw_probe_streams(struct hw_bench *bench) {
  return operations_probe(bench, 0, "start", "streams", "streams", operations_continue);
}

/* The same for vectors of the machine's width. */
int hw_probe_vector_chains(struct hw_bench *bench) {
  struct hw_answer bytes = hw_value_vec_bytes(&bench->curves);

  return bytes.known ? operations_start(bench, (unsigned)bytes.value, "vector_chains") : 0;
}

int hw_probe_vector_streams(struct hw_bench *bench) {
  struct hw_answer bytes = hw_value_vec_bytes(&bench->curves);

  return bytes.known ? operations_probe(bench, (unsigned)bytes.value, "start", "streams",
                                        "vector_streams", operations_continue)
                     : 0;
}
