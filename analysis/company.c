/* Contexts and processors: the number of threads from which on they take turns. */
#include "analysis/company.h"

#include "analysis/environment.h"

/* Threads that run at the same time meet within a few cache misses each; others wait for a time
   slot.  ns: fixed, and for each thread. */
#define COMPANY_MEET 5e4
#define COMPANY_MEET_THREAD 500

enum hw_company hw_company_of(const struct hw_point *point) {
  if (point->count == 0)
    return HW_COMPANY_UNCLEAR;
  if (point->y <= HW_COMPANY_NONE)
    return HW_COMPANY_ALONE;
  return point->y * (1 - point->spread) >= HW_COMPANY_SOME ? HW_COMPANY_SHARING
                                                           : HW_COMPANY_UNCLEAR;
}

/* The x of the last point in state ALONE, if the next point and all later ones are SHARING. */
static struct hw_answer company_step(const struct hw_curve *curve, const char *method,
                                     enum hw_company (*state)(const struct hw_point *)) {
  const struct hw_point *point = curve->point;
  size_t n = 0;

  while (n < curve->n && state(&point[n]) == HW_COMPANY_ALONE)
    n++;
  for (size_t i = n; i < curve->n; i++)
    if (state(&point[i]) != HW_COMPANY_SHARING)
      return hw_unknown(method, "it is not clear whether threads wait for each other");
  if (n == 0 || n == curve->n)
    return hw_unknown(method, "no step was seen");
  if (point[n].x > point[n - 1].x + 1)
    return hw_unknown(method, "points are missing");
  return hw_known(method, point[n - 1].x, 0, HW_CLARITY_MAX);
}

struct hw_answer hw_reduce_contexts(const struct hw_curve *curve) {
  return company_step(curve, "first step", hw_company_of);
}

struct hw_answer hw_reduce_distance(const struct hw_curve *curve) {
  static const char method[] = "last step";
  size_t near = 0;

  while (near < curve->n && hw_company_of(&curve->point[near]) == HW_COMPANY_SHARING)
    near++;
  for (size_t i = near; i < curve->n; i++)
    if (hw_company_of(&curve->point[i]) != HW_COMPANY_ALONE)
      return hw_unknown(method,
                        "it is not clear from which distance on writes do not disturb each other");
  if (near == 0 || near == curve->n)
    return hw_unknown(method, "no step was seen");
  return hw_known(method, curve->point[near].x, 0, HW_CLARITY_MAX);
}

enum hw_company hw_meeting_of(const struct hw_point *point) {
  if (point->y <= COMPANY_MEET + COMPANY_MEET_THREAD * point->x)
    return HW_COMPANY_ALONE;
  return point->y >= HW_SLOT_LEAST_NS + COMPANY_MEET_THREAD * point->x ? HW_COMPANY_SHARING
                                                                       : HW_COMPANY_UNCLEAR;
}

struct hw_answer hw_reduce_meetings(const struct hw_curve *curve) {
  return company_step(curve, "meetings", hw_meeting_of);
}

/* Observations below which there is no mode. */
#define COMPANY_OBSERVATIONS 16

/* The number of observations in the window that begins with a point. */
static double company_window(const struct hw_curve *d, size_t first) {
  double sum = 0;

  for (size_t i = first; i < d->n && d->point[i].x <= d->point[first].x * (1 + HW_SLOT_WIDTH); i++)
    sum += d->point[i].y;
  return sum;
}

/* The x that this share of the observations, from a point on, does not exceed. */
static double company_quantile(const struct hw_curve *d, size_t first, double observations,
                               double share) {
  double rest = share * observations;
  size_t i = first;

  while (i + 1 < d->n && (rest -= d->point[i].y) > 0)
    i++;
  return d->point[i].x;
}

struct hw_answer hw_reduce_slot(const struct hw_curve *distribution) {
  static const char method[] = "densest window";
  double total = 0, most = 0;
  size_t best = 0;

  for (size_t i = 0; i < distribution->n; i++) {
    double window = company_window(distribution, i);

    total += distribution->point[i].y;
    if (window > most) {
      most = window;
      best = i;
    }
  }
  if (total < COMPANY_OBSERVATIONS)
    return hw_unknown(method, "too few observations");
  if (2 * most <= total)
    return hw_unknown(method, "no value is clearly the most frequent");
  return hw_known(method, company_quantile(distribution, best, most, 0.5),
                  company_quantile(distribution, best, most, 0.75) -
                      company_quantile(distribution, best, most, 0.25),
                  HW_CLARITY_MAX);
}
