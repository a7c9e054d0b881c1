/* The unit that a miss brings in, off the curve of probes/data/fetch.c.

   Method  Of pairs of loads closer than the unit all second loads hit, of others all miss, in both
           directions: what comes only upwards is the next line, prefetched, and not the unit.
   Rows    FETCH_BYTES.
   Limits  Up to half of the largest distance.
   See     BB 3.1.1, footnote 3. */
#include "analysis/rows/fetch.h"

#include "analysis/names.h"
#include "analysis/rows/traffic.h"

#include <math.h>

/* Second loads that pay at least this part of a miss do miss; those that pay at most this part hit:
   one that waits for its line to arrive pays a little. */
#define FETCH_MISSES 0.7
#define FETCH_HITS 0.3
#define FETCH_HALF 0.5
/* A first load costs at least this part of memory's latency, as the size curve has it; and so does
   a second load at the largest distance. */
#define FETCH_MISS 0.7

/* Time of a load at a distance, or negative when it was not measured. */
static double fetch_time(const struct hw_curve *curve, double x) {
  for (size_t i = 0; i < curve->n; i++)
    if (fabs(curve->point[i].x - x) < 0.5)
      return curve->point[i].y;
  return -1;
}

/* The part of a miss that the second load at a distance pays, in the direction in which it pays
   more.  The points are means over both loads of a pair: hence the 2. */
static double fetch_paid(const struct hw_curve *curve, double distance, double miss) {
  double down = fetch_time(curve, -distance) - fetch_time(curve, -(double)sizeof(void *));
  double up = fetch_time(curve, distance) - fetch_time(curve, sizeof(void *));

  return 2 * fmax(down, up) / miss;
}

/* The unit (bytes), where miss is what the second load pays at the largest distance, to +- noise.
   At smaller distances than the unit all hit, at others all miss, and are clear of half a miss. */
static struct hw_answer fetch_unit(const struct hw_curve *curve, double miss, double noise) {
  static const char method[] = "aligned pairs";
  double unit = 0, clarity = HW_CLARITY_MAX;

  for (double d = sizeof(void *); d <= (double)HW_FETCH_DISTANCE; d *= 2) {
    double paid = fetch_paid(curve, d, miss);
    bool misses = paid >= FETCH_MISSES;
    clarity = fmin(clarity, fabs(paid - FETCH_HALF) / fmax(noise / miss, 1 / HW_CLARITY_MAX));
    if (!misses && !(paid <= FETCH_HITS))
      return hw_unknown(method, "some adjacent lines are fetched, and some are not");
    if (!misses && unit > 0)
      return hw_unknown(method, "a farther line was prefetched, and a nearer one was not");
    if (misses && !(unit > 0))
      unit = d;
  }
  return clarity < HW_CLEAR ? hw_unknown(method, "the misses are not clear of the noise")
                            : hw_known(method, unit, 0, clarity);
}

struct hw_answer hw_read_fetch_bytes(const struct hw_curves *curves) {
  static const char method[] = "aligned pairs";
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_FETCH);
  double latency = hw_traffic_memory(curves);
  double first, miss, noise;

  if (curve == NULL || !(latency > 0))
    return hw_unknown(method, "its curve or the levels were not measured");
  if (fetch_time(curve, -(double)HW_FETCH_DISTANCE) < 0 || fetch_time(curve, HW_FETCH_DISTANCE) < 0)
    return hw_unknown(method, "a distance was not measured");
  first = 2 * fmin(fetch_time(curve, sizeof(void *)), fetch_time(curve, -(double)sizeof(void *)));
  miss = fetch_paid(curve, HW_FETCH_DISTANCE, 1);
  noise = 2 * hw_rise_error(curve, &curve->point[0], &curve->point[curve->n - 1]);
  if (first < FETCH_MISS * latency || miss < FETCH_MISS * latency)
    return hw_unknown(method, "the loads do not miss");
  return fetch_unit(curve, miss, noise);
}
