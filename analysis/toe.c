/* Toe of the steepest rise.

   Several structures may overflow along one curve, each with a rise of its own that begins sharply
   and fades out: that with the largest miss penalty has the steepest, over the logarithm of x,
   since the width of a rise grows with the size of the structure. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* A rise that is followed by a fall of more than this share is none. */
#define TOE_FALLS 0.03
/* From the toe on the rise is at least this steep, as a share of its steepest; a set under any
   usual replacement policy starts with about half. */
#define TOE_SHARE 0.25
/* Before the toe the curve rises at most at this share of the slope behind it. */
#define TOE_BEFORE 0.5

/* The point subtracted at x: the control's last point up to there. */
static const struct hw_point *toe_control(const struct hw_curve *control, double x) {
  size_t i = 0;

  while (i + 1 < control->n && !(control->point[i + 1].x > x))
    i++;
  return &control->point[i];
}

/* The excess over the control.  A point above later ones is noise and lowered to them. */
static void toe_excess(const struct hw_curve *curve, const struct hw_curve *control,
                       double *excess) {
  for (size_t i = curve->n; i-- > 0;) {
    excess[i] = curve->point[i].y - toe_control(control, curve->point[i].x)->y;
    if (i + 1 < curve->n)
      excess[i] = fmin(excess[i], excess[i + 1]);
  }
}

bool hw_reduce_falls(const struct hw_curve *curve, double x) {
  const struct hw_point *end = hw_curve_at(curve, x);

  for (const struct hw_point *p = curve->point; end != NULL && p < end; p++) {
    double fall = p->y - end->y;
    if (fall > TOE_FALLS * end->y && fall > HW_CLEAR * hw_rise_error(curve, p, end))
      return true;
  }
  return false;
}

/* Standard error of the rise behind point i. */
static double toe_noise(const struct hw_curve *curve, const struct hw_curve *control, size_t i) {
  const struct hw_point *low = &curve->point[i], *high = &curve->point[i + 1];
  const struct hw_point *from = toe_control(control, low->x);
  const struct hw_point *to = toe_control(control, high->x);
  double own = hw_rise_error(curve, low, high);

  return from == to ? own : hypot(own, hw_rise_error(control, from, to));
}

static double toe_slope(const struct hw_curve *curve, const double *excess, size_t i) {
  return (excess[i + 1] - excess[i]) / log(curve->point[i + 1].x / curve->point[i].x);
}

/* The slope less its noise: between adjacent points noise alone is steep. */
static double toe_sure(const struct hw_curve *curve, const struct hw_curve *control,
                       const double *excess, size_t i) {
  double rise = excess[i + 1] - excess[i] - HW_CLEAR * toe_noise(curve, control, i);

  return rise / log(curve->point[i + 1].x / curve->point[i].x);
}

/* The point where the steepest rise begins. */
static size_t toe_find(const struct hw_curve *curve, const struct hw_curve *control,
                       const double *excess) {
  size_t best = 0, toe;
  double most = toe_sure(curve, control, excess, best);

  for (size_t i = 1; i + 1 < curve->n; i++) {
    double sure = toe_sure(curve, control, excess, i);
    best = sure > most ? i : best;
    most = fmax(most, sure);
  }
  for (toe = best; toe > 0; toe--)
    if (toe_slope(curve, excess, toe - 1) < TOE_SHARE * toe_slope(curve, excess, best))
      break;
  return toe;
}

/* The rise behind point i, in standard errors of it. */
static double toe_clarity(const struct hw_curve *curve, const struct hw_curve *control,
                          const double *excess, size_t i) {
  double noise = toe_noise(curve, control, i), rise = excess[i + 1] - excess[i];

  return noise * HW_CLARITY_MAX > rise ? rise / noise : HW_CLARITY_MAX;
}

struct hw_answer hw_reduce_toe(const struct hw_curve *curve, const struct hw_curve *control) {
  static const char method[] = "toe of the steepest rise";
  struct hw_answer answer = hw_unknown(method, "out of memory");
  double *excess;
  size_t toe;

  if (curve->n < 3 || control->n == 0 || !(curve->point[0].x > 0))
    return hw_unknown(method, "fewer than three points");
  excess = calloc(curve->n, sizeof *excess);
  if (excess == NULL)
    return answer;
  toe_excess(curve, control, excess);
  toe = toe_find(curve, control, excess);
  answer.clarity = toe_clarity(curve, control, excess, toe);
  if (answer.clarity < HW_CLEAR)
    answer.why = "no rise is clear of the noise";
  else if (toe > 0 &&
           toe_slope(curve, excess, toe - 1) > TOE_BEFORE * toe_slope(curve, excess, toe))
    answer.why = "the rise has no clear beginning";
  else if (hw_reduce_falls(curve, curve->point[toe].x))
    answer.why = "it falls before it rises";
  else
    answer = hw_known(method, 0, 0, answer.clarity);
  answer.value = curve->point[toe].x;
  answer.error = curve->point[toe + 1].x - curve->point[toe].x;
  free(excess);
  return answer;
}
