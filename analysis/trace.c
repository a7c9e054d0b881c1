/* The trace of a value: the curves and rows that it was read off. */
#include "analysis/trace.h"

#include "analysis/values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A row that was read, a row that had been read before, or a curve. */
struct trace_node {
  unsigned depth;
  const char *row; /* NULL: a curve */
  const struct hw_curve *curve;
  struct hw_answer answer;
  bool again;
};

struct hw_trace {
  struct trace_node *node; /* in the order in which they are printed */
  size_t n;
  size_t room;
  unsigned depth; /* of the next node: one more than that of the row being read */
};

void hw_trace_end(struct hw_curves *curves) {
  if (curves->trace != NULL)
    free(curves->trace->node);
  free(curves->trace);
  curves->trace = NULL;
  curves->looked = NULL;
}

/* Whether the row being read has that node already. */
static bool trace_has(const struct hw_trace *trace, const char *row, const struct hw_curve *curve) {
  for (size_t i = trace->n; i > 0 && trace->node[i - 1].depth >= trace->depth; i--) {
    const struct trace_node *node = &trace->node[i - 1];
    if (node->depth == trace->depth && node->row == row && node->curve == curve)
      return true;
  }
  return false;
}

/* Adds a node.  Its index, or SIZE_MAX without memory. */
static size_t trace_add(struct hw_trace *trace, struct trace_node node) {
  if (trace->n == trace->room) {
    size_t room = 2 * trace->room + 16;
    struct trace_node *grown = realloc(trace->node, room * sizeof *grown);
    if (grown == NULL)
      return SIZE_MAX;
    trace->node = grown;
    trace->room = room;
  }
  node.depth = trace->depth;
  trace->node[trace->n] = node;
  return trace->n++;
}

/* Records that the row being read has used a curve. */
static void trace_curve(struct hw_trace *trace, const struct hw_curve *curve) {
  if (!trace_has(trace, NULL, curve))
    (void)trace_add(trace,
                    (struct trace_node){.curve = curve}); /* without memory nodes are missing */
}

int hw_trace_begin(struct hw_curves *curves) {
  curves->trace = calloc(1, sizeof *curves->trace);
  if (curves->trace == NULL)
    return -1;
  curves->looked = trace_curve;
  return 0;
}

/* The row read, unless it is hidden. */
static struct hw_answer trace_read(const struct hw_curves *curves, const char *row,
                                   struct hw_answer (*read)(const struct hw_curves *curves)) {
  return curves->hidden != NULL && strcmp(curves->hidden, row) == 0
             ? hw_absent(HW_NO_METHOD, "it is hidden")
             : read(curves);
}

struct hw_answer hw_traced(const struct hw_curves *curves, const char *row,
                           struct hw_answer (*read)(const struct hw_curves *curves)) {
  struct hw_trace *trace = curves->trace;
  struct hw_answer answer;
  size_t at;

  if (trace == NULL)
    return trace_read(curves, row, read);
  for (size_t i = 0; i < trace->n; i++)
    if (trace->node[i].row != NULL && strcmp(trace->node[i].row, row) == 0) {
      answer = trace->node[i].answer;
      if (!trace_has(trace, trace->node[i].row, NULL))
        (void)trace_add(trace, (struct trace_node){.row = row, .answer = answer, .again = true});
      return answer;
    }
  at = trace_add(trace, (struct trace_node){.row = row});
  trace->depth++;
  answer = trace_read(curves, row, read);
  trace->depth--;
  if (at != SIZE_MAX)
    trace->node[at].answer = answer;
  return answer;
}

/* The values of the table. */
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)           \
  struct hw_answer hw_value_##value(const struct hw_curves *curves) {                              \
    return hw_traced(curves, "HW_" #macro, hw_read_##value);                                       \
  }
#include "probes/params.h"

static void trace_print_row(const struct trace_node *node, FILE *out) {
  const struct hw_answer *answer = &node->answer;
  int indent = 2 * (int)node->depth;

  fprintf(out, "%*s%s", indent, "", node->row);
  if (answer->known)
    fprintf(out, " = %.10g", answer->value);
  else
    fprintf(out, " unknown: %s", answer->why);
  if (node->again) {
    fputs(", as above\n", out);
    return;
  }
  fprintf(out, "\n%*sby: %s", indent + 2, "", answer->method);
  if (answer->known && answer->error > 0)
    fprintf(out, ", to %.3g", answer->error);
  fputc('\n', out);
}

void hw_trace_print(const struct hw_trace *trace, FILE *out) {
  for (size_t i = 0; i < trace->n; i++) {
    const struct trace_node *node = &trace->node[i];
    if (node->row != NULL)
      trace_print_row(node, out);
    else
      fprintf(out, "%*scurve %s: %zu points of %s over %s\n", 2 * (int)node->depth, "",
              node->curve->name, node->curve->n, node->curve->y_title, node->curve->x_title);
  }
}
