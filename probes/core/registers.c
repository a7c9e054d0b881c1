/* Variables that live in registers at once.

   Curve   live_<type>: x variables that live at once, y time of an addition (cycles).
   Method  A loop in which each variable is added to by the one half of them away: all live all the
           time, and half of the additions do not wait for each other.  Once a variable has to be
           stored and loaded each time, an addition takes longer, if nothing is left in the
   processor in which loads and stores hide: additions of the other kind fill whole numbers' loops,
   of which more are issued in a cycle. Rows    NR_. Cost    200 ms, and the compiler's time. Limits
   What the compiler makes of the program: without optimization there is none.  At most 36. See
   BB 3.5 for the pattern; XT 3.5 for the search and the labels. */
#include "probes/core/operations.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements of a loop at least, so that the loop itself costs little beside them. */
#define REGISTERS_BODY 64u
/* Variables that the additions beside take turns on: enough for their latency. */
#define REGISTERS_BESIDE 12u
/* And those of whole numbers: few, since they too take registers. */
#define REGISTERS_WHOLE 8u
/* As many of them beside each of floating point as HW_ISSUE tells, at most. */
#define REGISTERS_FILL 4.0
/* A spill that costs an addition this factor shows by its latency, which nothing hides. */
#define REGISTERS_SHARP 1.3

/* How many variables at first: those of common machines and their neighbours. */
static const unsigned registers_rough[] = {8,  10, 12, 13, 14, 15, 16, 17,
                                           18, 20, 24, 28, 31, 32, 33};
/* And when the time has not risen by then. */
static const unsigned registers_wide[] = {36,  40,  48,  56,  64,  65,  80,  96,
                                          112, 120, 124, 126, 127, 128, 129, 132};
#define REGISTERS_POINTS 24u
#define REGISTERS_ROUGH (sizeof registers_rough / sizeof registers_rough[0])
#define REGISTERS_WIDE (sizeof registers_wide / sizeof registers_wide[0])

/* The types, and those of floating point once more with the issue width filled. */
static const struct registers_row {
  const char *type;
  const char *tag;
  bool full;
} registers_rows[] = {{"i32", "i32", false}, {"i64", "i64", false},     {"f32", "f32", false},
                      {"f64", "f64", false}, {"f32", "f32_full", true}, {"f64", "f64_full", true}};
#define REGISTERS_TYPES (sizeof registers_rows / sizeof registers_rows[0])

/* The loop of so many variables.  fill: additions of whole numbers beside each of floating
   point. */
static void registers_spec(struct hw_nano *nano, const char *type, unsigned variables,
                           unsigned fill) {
  memset(nano, 0, sizeof *nano);
  nano->part[0].op = "live";
  snprintf(nano->part[0].type, sizeof nano->part[0].type, "%s", type);
  nano->part[0].variables = nano->part[0].count = variables;
  if (type[0] == 'i') {
    nano->part[1].op = "add";
    snprintf(nano->part[1].type, sizeof nano->part[1].type, "f64");
    nano->part[1].variables = REGISTERS_BESIDE;
    nano->part[1].count = variables / 2;
  } else if (fill > 0) {
    nano->part[1].op = "live";
    snprintf(nano->part[1].type, sizeof nano->part[1].type, "i32");
    nano->part[1].variables = REGISTERS_WHOLE;
    nano->part[1].count = fill * variables;
  }
  nano->groups[1] = (REGISTERS_BODY + variables - 1) / variables;
}

/* The loops of one type. */
struct registers_line {
  const struct registers_row *row;
  unsigned fill;
  size_t n;
  double x[REGISTERS_POINTS];
  struct hw_nano nano[REGISTERS_POINTS];
};

static void registers_add(struct registers_line *line, unsigned variables) {
  if (line->n < REGISTERS_POINTS) {
    registers_spec(&line->nano[line->n], line->row->type, variables, line->fill);
    line->x[line->n++] = variables;
  }
}

/* "STEM_TYPE". */
static const struct hw_curve *registers_curve(const struct hw_curves *curves, const char *stem,
                                              const char *type) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "%s_%s", stem, type);
  return hw_curves_get(curves, name);
}

/* Whether the first point behind the foot is high at once. */
static bool registers_sharp(const struct hw_curve *curve) {
  struct hw_answer foot = hw_reduce_foot(curve);

  for (size_t i = 0; foot.known && i + 1 < curve->n; i++)
    if (curve->point[i].x >= foot.value)
      return curve->point[i + 1].y > REGISTERS_SHARP * curve->point[i].y;
  return false;
}

static void registers_choose_rough(const struct hw_curves *curves, struct registers_line *line) {
  (void)curves;
  for (size_t i = 0; !line->row->full && i < REGISTERS_ROUGH; i++)
    registers_add(line, registers_rough[i]);
}

/* Where the time does not rise, more (XT 3.5: doubling).  Where it does not rise sharply, the same
   with the issue width filled. */
static void registers_choose_wide(const struct hw_curves *curves, struct registers_line *line) {
  const struct hw_curve *curve = registers_curve(curves, "rough", line->row->tag);

  if (line->row->full) {
    curve = registers_curve(curves, "rough", line->row->type);
    for (size_t i = 0; curve != NULL && !registers_sharp(curve) && i < REGISTERS_ROUGH; i++)
      registers_add(line, registers_rough[i]);
  } else if (curve != NULL && hw_reduce_foot(curve).settled) {
    for (size_t i = 0; i < REGISTERS_WIDE; i++)
      registers_add(line, registers_wide[i]);
  }
}

/* All between the two points that the rise lies between. */
static void registers_choose_near(const struct hw_curves *curves, struct registers_line *line) {
  const struct hw_curve *curve = registers_curve(curves, "wide", line->row->tag);
  struct hw_answer foot;

  if (curve == NULL)
    return;
  foot = hw_reduce_foot(curve);
  for (unsigned i = 1; foot.known && i < (unsigned)foot.error; i++)
    registers_add(line, (unsigned)foot.value + i);
}

/* Times the loops of one type into a curve that starts as another one. */
static int registers_measure(struct hw_bench *bench, const struct registers_line *line,
                             const struct hw_curve *from, const char *stem, const char *probe) {
  char name[HW_CURVE_NAME];
  struct hw_curve curve;
  int result = 0;

  snprintf(name, sizeof name, "%s_%s", stem, line->row->tag);
  hw_curve_init(&curve, name, "variables alive (count)", "time of an addition (cycles)");
  if (line->n > 0)
    result = hw_nano_sample(bench, line->nano, line->x, line->n, &curve);
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i].y /= curve.point[i].x;
  for (size_t i = 0; from != NULL && i < from->n && result == 0; i++)
    result = hw_curve_put(&curve, from->point[i]);
  if (result == 0)
    return hw_publish(bench, &curve, probe, 1);
  hw_curve_free(&curve);
  return -1;
}

/* Additions of whole numbers that are issued beside one of the type. */
static unsigned registers_fill(const struct hw_curves *curves, const char *type) {
  struct hw_answer whole = hw_operations_throughput(curves, "add", "i32");
  struct hw_answer other = hw_operations_throughput(curves, "add", type);

  if (!whole.known || !other.known)
    return 2;
  return (unsigned)fmin(fmax(floor(1.1 * other.value / whole.value), 1), REGISTERS_FILL);
}

/* One step of the search: chooses loops for all types by the curves of the step before, and times
   them. */
static int registers_step(struct hw_bench *bench, const char *from, const char *stem,
                          const char *probe,
                          void (*choose)(const struct hw_curves *, struct registers_line *)) {
  struct registers_line *line = calloc(REGISTERS_TYPES, sizeof *line);
  struct hw_nano *nano = calloc(REGISTERS_TYPES * REGISTERS_POINTS, sizeof *nano);
  size_t n = 0;
  int result = line != NULL && nano != NULL ? 0 : -1;

  for (size_t t = 0; result == 0 && t < REGISTERS_TYPES; t++) {
    line[t].row = &registers_rows[t];
    line[t].fill =
        registers_rows[t].full ? registers_fill(&bench->curves, registers_rows[t].type) : 0;
    choose(&bench->curves, &line[t]);
    memcpy(nano + n, line[t].nano, line[t].n * sizeof *nano);
    n += line[t].n;
  }
  if (result == 0)
    result = hw_nano_need(bench, nano, n);
  for (size_t t = 0; result == 0 && t < REGISTERS_TYPES; t++) {
    const struct hw_curve *before =
        from != NULL ? registers_curve(&bench->curves, from, line[t].row->tag) : NULL;
    if (before != NULL || (line[t].n > 0 && hw_nano_ready(bench, line[t].nano)))
      result = registers_measure(bench, &line[t], before, stem, probe);
  }
  free(line);
  free(nano);
  return result;
}

int hw_probe_registers(struct hw_bench *bench) {
  return registers_step(bench, NULL, "rough", "registers", registers_choose_rough);
}

int hw_probe_registers_wide(struct hw_bench *bench) {
  return registers_step(bench, "rough", "wide", "registers_wide", registers_choose_wide);
}

int hw_probe_registers_near(struct hw_bench *bench) {
  return registers_step(bench, "wide", "live", "registers_near", registers_choose_near);
}

/* The foot, where the points on either side of it are neighbours. */
static struct hw_answer registers_foot(const struct hw_curves *curves, const char *tag) {
  const struct hw_curve *curve = registers_curve(curves, "live", tag);
  struct hw_answer foot;

  if (curve == NULL)
    return hw_absent("none", "the compiler keeps no variable in a register");
  foot = hw_reduce_foot(curve);
  return !foot.known || foot.error < 1.5 ? foot
                                         : hw_unknown(foot.method, "what lies between is missing");
}

/* The lesser foot of the two curves: a spill can hide where there is slack.  None does when the
   first one costs more at once than its share of the issue: a full processor is then only less
   steady. */
static struct hw_answer registers_lesser(const struct hw_curves *curves, const char *tag,
                                         const char *full) {
  struct hw_answer one = registers_foot(curves, tag), other = registers_foot(curves, full);

  if (!one.known && !one.settled)
    return one;
  if (one.known && registers_sharp(registers_curve(curves, "live", tag)))
    return one;
  if (one.known && other.known)
    return one.value <= other.value ? one : other;
  return other;
}

#define REGISTERS_VALUE(tag, full)                                                                 \
  struct hw_answer hw_value_nr_##tag(const struct hw_curves *curves) {                             \
    return registers_lesser(curves, #tag, full);                                                   \
  }

REGISTERS_VALUE(i32, "i32")
REGISTERS_VALUE(i64, "i64")
REGISTERS_VALUE(f32, "f32_full")
REGISTERS_VALUE(f64, "f64_full")
