/* Variables that live in registers at once.

   Curve   live_<type>: x variables that are live at once, y time of a store (cycles).
   Method  A loop which adds to each variable the one that is half of them away: all live ranges
           span the loop.  Beside each addition stand enough stores to take at least as long, so
           that stores bound the loop, and additions hide behind them.  A spilled variable has to
           be stored each time it is added to, and nothing hides that.  Beside variables of floating
           point as many integers are live as there are registers for, with the counter, because
           some compilers spill to integer registers.  In place of doubling and bisecting (XT 3.5)
           a list of the numbers of common machines, of which there are loops near the registers of
           the processor for which the compiler makes code; then all between the two that the time
           rises between, and those behind again at the same time.
   Rows    NR_.
   Cost    100 ms, and the compiler's time.
   Limits  Includes the compiler's register allocation; nothing without optimization.
   See     BB 3.5 for the pattern; XT 3.5 for the search. */
#include "analysis/rows/registers.h"

#include "probes/nano/loops.h"
#include "probes/nano/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finest precision of loops, as a part of the effort's: samples grow with its inverse square. */
#define REGISTERS_PRECISE (1.0 / 10)

#define REGISTERS_POINTS 48u

/* The types.  v: vectors of F32 of the machine's width. */
static const char *const registers_types[] = {"i32", "i64", "f32", "f64", "v"};
#define REGISTERS_WHOLES 2u
#define REGISTERS_TYPES (sizeof registers_types / sizeof registers_types[0])

/* The loops of one type. */
struct registers_line {
  const char *tag;
  char type[HW_NANO_TYPE];
  unsigned beside;  /* stores beside each addition */
  unsigned whole;   /* integers that are live beside the variables */
  double precision; /* of the points, or 0: the effort's */
  size_t n;
  double x[REGISTERS_POINTS];
  struct hw_nano nano[REGISTERS_POINTS];
};

/* Adds the loop of that many variables. */
static void registers_add(struct registers_line *line, unsigned variables) {
  if (line->n == REGISTERS_POINTS)
    return;
  hw_loops_live(&line->nano[line->n], line->type, variables, line->beside, line->whole);
  line->x[line->n++] = variables;
}

/* Chooses the listed numbers for which there are loops; none of a type that has a curve. */
static void registers_choose_first(const struct hw_bench *bench, struct registers_line *line) {
  if (hw_registers_curve(&bench->curves, line->tag) != NULL)
    return;
  for (size_t i = 0; i < hw_loops_numbers.n; i++) {
    registers_add(line, hw_loops_numbers.number[i]);
    line->n -= !hw_nano_ready(bench, &line->nano[line->n - 1]);
  }
}

/* Chooses all numbers between the last point before the rise and the next, and the points from
   there on: those measured at another time may have been slowed by an SMT sibling, which slows only
   long loops.  If the rise is not clear, all points again. */
static void registers_choose_near(const struct hw_bench *bench, struct registers_line *line) {
  const struct hw_curve *curve = hw_registers_curve(&bench->curves, line->tag);
  struct hw_answer knee;
  size_t last;

  if (curve == NULL)
    return;
  knee = hw_registers_value(&bench->curves, line->tag);
  last = hw_spills_last(curve, line->beside, HW_REGISTERS_LEAST);
  if (knee.settled || last + 1 == curve->n)
    return;
  line->precision = hw_spills_precision(curve->point[last + 1].x, line->beside, HW_REGISTERS_LEAST);
  for (double x = curve->point[last].x + 1; x < curve->point[last + 1].x; x++)
    registers_add(line, (unsigned)x);
  for (size_t i = knee.known ? last : 0; i < curve->n; i++)
    registers_add(line, (unsigned)curve->point[i].x);
}

static bool registers_measured(const struct registers_line *line, double x) {
  bool found = false;

  for (size_t i = 0; i < line->n; i++)
    found = found || (line->x[i] >= x && line->x[i] <= x);
  return found;
}

/* Publishes the points of one type with those that it has. */
static int registers_publish(struct hw_bench *bench, const struct registers_line *line,
                             const struct hw_point *point, const char *probe) {
  const struct hw_curve *before = hw_registers_curve(&bench->curves, line->tag);
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result;

  snprintf(name, sizeof name, "live_%s", line->tag);
  hw_curve_init(&curve, name, "variables alive (count)", "time of a store (cycles)");
  result = hw_nano_put(&curve, point, line->x, line->n);
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i].y /= line->beside * fmax(curve.point[i].x, HW_REGISTERS_LEAST);
  for (size_t i = 0; before != NULL && i < before->n && result == 0; i++)
    if (!registers_measured(line, before->point[i].x))
      result = hw_curve_put(&curve, before->point[i]);
  return hw_publish_some(bench, &curve, probe, result);
}

/* Whether there is a loop of any listed number, beside the line's stores and integers. */
static bool registers_any(const struct hw_bench *bench, const struct registers_line *line) {
  struct hw_nano nano;

  for (size_t i = 0; i < hw_loops_numbers.n; i++) {
    hw_loops_live(&nano, line->type, hw_loops_numbers.number[i], line->beside, line->whole);
    if (hw_nano_ready(bench, &nano))
      return true;
  }
  return false;
}

/* Sets the line's type, stores and integers.  -1 when they are not known yet, or there are none.
   Of a frame, which takes an integer's register, code that was compiled before does not know: then
   there is an integer more, which each loop stores. */
static int registers_ready(const struct hw_bench *bench, struct registers_line *line) {
  const struct hw_curves *curves = &bench->curves;
  struct hw_answer bytes = hw_value_vec_bytes(curves);

  if (line->tag[0] == 'v' && !bytes.known)
    return -1;
  hw_nano_typed(line->type, line->tag[0] == 'v' ? "vf32" : line->tag, (unsigned)bytes.value);
  line->beside = hw_registers_beside(curves, line->tag);
  if (line->tag[0] == 'f') {
    struct hw_answer whole = hw_registers_value(curves, "i32");
    if (!whole.known)
      return -1;
    line->whole = whole.value > 1 ? (unsigned)whole.value - 1 : 0;
    line->whole += !registers_any(bench, line);
  }
  return 0;
}

/* A step of the search: chooses loops of the types that are not known, and times them.  0, or -1.
 */
static int registers_step(struct hw_bench *bench, size_t first, size_t end, const char *probe,
                          const bool *known,
                          void (*choose)(const struct hw_bench *, struct registers_line *)) {
  struct registers_line *line = calloc(REGISTERS_TYPES, sizeof *line);
  struct hw_nano *nano = calloc(REGISTERS_TYPES * REGISTERS_POINTS, sizeof *nano);
  struct hw_point *point = calloc(REGISTERS_TYPES * REGISTERS_POINTS, sizeof *point);
  double precision = 0;
  size_t n = 0;
  int result = line != NULL && nano != NULL && point != NULL ? 0 : -1;

  for (size_t t = first; result == 0 && t < end; t++) {
    line[t].tag = registers_types[t];
    if (!known[t] && registers_ready(bench, &line[t]) == 0)
      choose(bench, &line[t]);
    if (line[t].precision > 0)
      precision = precision > 0 ? fmin(precision, line[t].precision) : line[t].precision;
    memcpy(nano + n, line[t].nano, line[t].n * sizeof *nano);
    n += line[t].n;
  }
  if (result == 0)
    result = hw_nano_sample(
        bench, nano, n,
        precision > 0 ? fmax(precision, REGISTERS_PRECISE * bench->effort.precision) : 0, point);
  n = 0;
  for (size_t t = first; result == 0 && t < end; t++) {
    if (line[t].n > 0)
      result = registers_publish(bench, &line[t], point + n, probe);
    n += line[t].n;
  }
  if (result == 0 && hw_nano_missed(bench, nano, point, n))
    result = -1;
  free(line);
  free(nano);
  free(point);
  return result;
}

static int registers_probe(struct hw_bench *bench, size_t first, size_t end, const char *probe) {
  bool known[REGISTERS_TYPES] = {false}; /* by an earlier attempt */
  struct hw_nano one;
  int result;

  for (size_t t = first; t < end; t++)
    known[t] = hw_registers_value(&bench->curves, registers_types[t]).known;
  hw_loops_live(&one, registers_types[first], hw_loops_numbers.number[0], 1, 0);
  if (hw_nano_need(bench, &one, 1) != 0)
    return -1;
  result = registers_step(bench, first, end, probe, known, registers_choose_first);
  return registers_step(bench, first, end, probe, known, registers_choose_near) == 0 ? result : -1;
}

int hw_probe_registers(struct hw_bench *bench) {
  return registers_probe(bench, 0, REGISTERS_WHOLES, "registers");
}

int hw_probe_registers_float(struct hw_bench *bench) {
  return registers_probe(bench, REGISTERS_WHOLES, REGISTERS_TYPES, "registers_float");
}
