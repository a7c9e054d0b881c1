/* Biggest step of a curve that can only rise.

   The noise of a step is the largest of three: the scatter of the samples of its two points; the
   falls of the curve, which can only rise; and its usual change, which a step must exceed.  The
   falls are taken before the step, on the plateau: behind it, a replacement policy other than LRU
   may really make the curve fall. */
#include "analysis/reduce.h"

#include <math.h>

/* Points of a plateau before a step, at least; with fewer the whole curve gives the noise. */
#define STEPS_PLATEAU 3u
/* A quarter of normal deviations is below this many standard deviations. */
#define STEPS_QUARTER 0.32

/* The relative change after point i. */
static double steps_change(const struct hw_curve *curve, size_t i) {
  return (curve->point[i + 1].y - curve->point[i].y) / curve->point[i].y;
}

/* Root mean square of the relative falls among the first n points; 0 when there is none. */
static double steps_falls(const struct hw_curve *curve, size_t n) {
  double sum = 0;
  size_t falls = 0;

  for (size_t i = 0; i + 1 < n; i++) {
    double change = steps_change(curve, i);
    if (change < 0) {
      sum += change * change;
      falls++;
    }
  }
  return falls == 0 ? 0 : sqrt(sum / (double)falls);
}

/* The usual relative change of the curve, down or up, from the smallest quarter of its changes, so
   that steps and ramps do not count: as a normal deviation. */
static double steps_usual(const struct hw_curve *curve) {
  size_t changes = curve->n - 1, rank = (changes - 1) / 4;
  double usual = INFINITY;

  for (size_t i = 0; i < changes; i++) {
    double change = fabs(steps_change(curve, i));
    size_t others = 0;
    for (size_t j = 0; j < changes; j++)
      others += fabs(steps_change(curve, j)) <= change;
    if (others > rank)
      usual = fmin(usual, change);
  }
  return usual / STEPS_QUARTER;
}

/* The scatter of the samples of the relative step after point i. */
static double steps_scatter(const struct hw_curve *raw, const struct hw_curve *risen, size_t i) {
  return hw_rise_error(raw, &risen->point[i], &risen->point[i + 1]) / risen->point[i].y;
}

/* Noise of the relative step after point i. */
static double steps_noise(const struct hw_curve *raw, const struct hw_curve *risen, size_t i) {
  double falls = steps_falls(raw, i + 1 >= STEPS_PLATEAU ? i + 1 : raw->n);

  return fmax(fmax(falls, steps_usual(raw)), steps_scatter(raw, risen, i));
}

/* difference over noise, which may be 0. */
static double steps_clarity(double difference, double noise) {
  if (!(difference > 0))
    return 0;
  return noise * HW_CLARITY_MAX > difference ? difference / noise : HW_CLARITY_MAX;
}

/* NULL when the curve can have a step, else the reason why not. */
static const char *steps_unfit(const struct hw_curve *curve) {
  if (curve->n < 3)
    return "fewer than three points";
  for (size_t i = 0; i < curve->n; i++)
    if (!(curve->point[i].y > 0))
      return "a point is not positive";
  return NULL;
}

/* The weight of a relative step after point i, for that kind of step. */
static double steps_weight(const struct hw_curve *risen, size_t i, enum hw_step step) {
  double y = risen->point[i].y;

  return step == HW_STEP_RELATIVE ? 1 : y * y;
}

static double steps_size(const struct hw_curve *risen, size_t i, enum hw_step step) {
  return steps_change(risen, i) * steps_weight(risen, i, step);
}

/* By how much the relative step after point i may be bigger: the scatter of its samples, and what
   monotonicity took from it because the curve falls behind it. */
static double steps_doubt(const struct hw_curve *raw, const struct hw_curve *risen, size_t i) {
  double taken = (raw->point[i + 1].y - risen->point[i + 1].y) / risen->point[i].y;

  return hypot(steps_scatter(raw, risen, i), taken);
}

/* How clearly the step after point best is the biggest: it and its lead over each other one, in
   its noise and the doubt about the other. */
static double steps_lead(const struct hw_curve *raw, const struct hw_curve *risen, size_t best,
                         enum hw_step step) {
  double size = steps_size(risen, best, step);
  double noise = steps_noise(raw, risen, best) * steps_weight(risen, best, step);
  double clarity = steps_clarity(size, noise);

  for (size_t i = 0; i + 1 < risen->n; i++)
    if (i != best) {
      double other = steps_doubt(raw, risen, i) * steps_weight(risen, i, step);
      clarity =
          fmin(clarity, steps_clarity(size - steps_size(risen, i, step), hypot(noise, other)));
    }
  return clarity;
}

struct hw_answer hw_reduce_biggest_step(const struct hw_curve *curve, enum hw_step step) {
  const char *method = step == HW_STEP_RELATIVE ? "biggest relative step" : "biggest scaled step";
  const char *unfit = steps_unfit(curve);
  struct hw_curve risen;
  struct hw_answer answer;
  size_t best = 0;
  double clarity;

  if (unfit != NULL)
    return hw_unknown(method, unfit);
  if (hw_monotone(curve, &risen) < 0)
    return hw_unknown(method, "out of memory");
  for (size_t i = 1; i + 1 < risen.n; i++)
    if (steps_size(&risen, i, step) > steps_size(&risen, best, step))
      best = i;
  clarity = steps_lead(curve, &risen, best, step);
  if (!(steps_change(&risen, best) > 0))
    answer = hw_unknown(method, "the curve does not rise");
  else if (clarity < HW_CLEAR)
    answer = hw_unknown(method, "no step is clear of the noise");
  else
    answer = hw_known(method, risen.point[best].x, risen.point[best + 1].x - risen.point[best].x,
                      clarity);
  hw_curve_free(&risen);
  return answer;
}

struct hw_answer hw_reduce_biggest_drop(const struct hw_curve *curve) {
  struct hw_answer answer = hw_unknown("biggest relative step", "out of memory");
  struct hw_curve mirrored;
  int result = 0;

  hw_curve_init(&mirrored, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n && result == 0; i++) {
    struct hw_point p = curve->point[i];
    p.x = -p.x;
    result = hw_curve_put(&mirrored, p);
  }
  if (result == 0)
    answer = hw_reduce_biggest_step(&mirrored, HW_STEP_RELATIVE);
  answer.value = -answer.value;
  hw_curve_free(&mirrored);
  return answer;
}
