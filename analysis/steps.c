/* First and biggest step of a curve that can only rise.

   The noise of a step is the larger of two: what the samples behind its two points scatter, and
   what the curve falls where it can only rise.  The falls are taken before the step, where the
   plateau is: behind it, replacement that is not LRU makes the curve fall in earnest. */
#include "analysis/reduce.h"

#include <math.h>

/* Fewer points than this before a step are no plateau; the whole curve then gives the noise. */
#define STEPS_PLATEAU 3u

/* Root mean square of the relative falls among the first n points; 0 when there is none. */
static double steps_falls(const struct hw_curve *curve, size_t n) {
  double sum = 0;
  size_t falls = 0;

  for (size_t i = 0; i + 1 < n; i++) {
    double fall = (curve->point[i].y - curve->point[i + 1].y) / curve->point[i].y;
    if (fall > 0) {
      sum += fall * fall;
      falls++;
    }
  }
  return falls == 0 ? 0 : sqrt(sum / (double)falls);
}

/* Noise of the relative step after point i. */
static double steps_noise(const struct hw_curve *raw, const struct hw_curve *risen, size_t i) {
  const struct hw_point *p = &risen->point[i];
  double scatter = hypot(hw_point_error(p), hw_point_error(p + 1)) / p->y;
  double falls = steps_falls(raw, i + 1 >= STEPS_PLATEAU ? i + 1 : raw->n);

  return fmax(scatter, falls);
}

/* The relative step after point i. */
static double steps_rise(const struct hw_curve *risen, size_t i) {
  return (risen->point[i + 1].y - risen->point[i].y) / risen->point[i].y;
}

/* difference over noise, which may be 0. */
static double steps_clarity(double difference, double noise) {
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

/* The answer that the step lies after point i, when it is clear. */
static struct hw_answer steps_answer(const char *method, const struct hw_curve *risen, size_t i,
                                     double clarity) {
  if (clarity < HW_CLEAR)
    return hw_unknown(method, "no step is clear of the noise");
  return hw_known(method, risen->point[i].x, risen->point[i + 1].x - risen->point[i].x, clarity);
}

struct hw_answer hw_reduce_first_step(const struct hw_curve *curve) {
  static const char method[] = "first step";
  const char *unfit = steps_unfit(curve);
  struct hw_curve risen;
  struct hw_answer answer = hw_unknown(method, "the curve does not rise");
  double average = 0;

  if (unfit != NULL)
    return hw_unknown(method, unfit);
  if (hw_monotone(curve, &risen) < 0)
    return hw_unknown(method, "out of memory");
  for (size_t i = 0; i + 1 < risen.n; i++)
    average += steps_rise(&risen, i) / (double)(risen.n - 1);
  for (size_t i = 0; i + 1 < risen.n; i++)
    if (steps_rise(&risen, i) > average) {
      double noise = steps_noise(curve, &risen, i);
      answer = steps_answer(method, &risen, i, steps_clarity(steps_rise(&risen, i), noise));
      break;
    }
  hw_curve_free(&risen);
  return answer;
}

/* The size of the step after point i, as the kind of step counts it. */
static double steps_size(const struct hw_curve *risen, size_t i, enum hw_step step) {
  double y = risen->point[i].y;
  double rise = steps_rise(risen, i);

  return step == HW_STEP_RELATIVE ? rise : rise * y * y;
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
  clarity = steps_clarity(steps_rise(&risen, best), steps_noise(curve, &risen, best));
  for (size_t i = 0; i + 1 < risen.n; i++) {
    double y = risen.point[best].y;
    double unit = step == HW_STEP_RELATIVE ? 1 : y * y;
    double lead = (steps_size(&risen, best, step) - steps_size(&risen, i, step)) / unit;
    if (i != best)
      clarity = fmin(clarity, steps_clarity(lead, steps_noise(curve, &risen, best)));
  }
  answer = steps_rise(&risen, best) > 0 ? steps_answer(method, &risen, best, clarity)
                                        : hw_unknown(method, "the curve does not rise");
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
