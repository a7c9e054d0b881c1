/* The width of vectors.

   Curve   widths: x bytes of a vector of F32, y time of an addition (cycles).
   Method  GNU vector types of 8 bytes and up, with enough independent streams of additions to
           saturate the units.  Wider types follow if the machine's width is the widest of these.
   Rows    VEC_.
   Cost    20 ms, and the compiler's time.
   Limits  Widths that the compiler's flags allow.  Nothing without optimization.
   See     BB 3.3.2 for the streams. */
#include "analysis/rows/vectors.h"

#include "analysis/names.h"

#include "probes/nano/loops.h"
#include "probes/nano/time.h"
#include "probes/probe.h"

#include <stdio.h>

/* Precision of a length of code: rates of two widths differ by a third at least, and if one length
   is off by that the rate is off by 10 %, which is told. */
#define VECTORS_PRECISION 0.05

static const unsigned vectors_first[] = {8, 16, 32, 64};
static const unsigned vectors_wide[] = {128, 256};

static int vectors_measure(struct hw_bench *bench, const unsigned *bytes, size_t n,
                           const char *from, const char *name, const char *probe) {
  struct hw_nano nano[sizeof vectors_first / sizeof vectors_first[0]];
  const struct hw_curve *before = from != NULL ? hw_curves_get(&bench->curves, from) : NULL;
  double x[sizeof vectors_first / sizeof vectors_first[0]];
  struct hw_point point[sizeof vectors_first / sizeof vectors_first[0]];
  struct hw_curve curve;
  int result;

  for (size_t i = 0; i < n; i++) {
    char type[HW_NANO_TYPE];
    snprintf(type, sizeof type, "f32v%u", bytes[i]);
    hw_loops_streams(&nano[i], "add", type, HW_LOOPS_WIDTH, false);
    x[i] = bytes[i];
  }
  if (hw_nano_need(bench, nano, n) != 0 ||
      hw_nano_sample(bench, nano, n, VECTORS_PRECISION, point) != 0)
    return -1;
  hw_curve_init(&curve, name, "width of a vector (bytes)", "time of an addition (cycles)");
  result = hw_nano_put(&curve, point, x, n);
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i].y /= HW_LOOPS_WIDTH;
  for (size_t i = 0; before != NULL && i < before->n && result == 0; i++)
    result = hw_curve_put(&curve, before->point[i]);
  result = hw_publish_some(bench, &curve, probe, result);
  return result == 0 && hw_nano_missed(bench, nano, point, n) ? -1 : result;
}

int hw_probe_widths(struct hw_bench *bench) {
  const struct hw_curve *widths;
  int result = vectors_measure(bench, vectors_first, sizeof vectors_first / sizeof vectors_first[0],
                               NULL, "widths", "widths");

  widths = hw_curves_get(&bench->curves, HW_NAME_WIDTHS);
  /* Later probes need the width. */
  return result == 0 && widths != NULL && !hw_vectors_widest(widths).known ? -1 : result;
}

/* Measures wider types, if the machine's width is the widest of the first. */
int hw_probe_vectors(struct hw_bench *bench) {
  const struct hw_curve *first = hw_curves_get(&bench->curves, HW_NAME_WIDTHS);
  size_t n = sizeof vectors_wide / sizeof vectors_wide[0];

  if (first == NULL)
    return 0;
  if (hw_vectors_widest(first).value < first->point[first->n - 1].x)
    n = 0;
  return vectors_measure(bench, vectors_wide, n, "widths", "vectors", "vectors");
}
