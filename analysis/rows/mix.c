/* Operations of different kinds in one cycle, off the curve of probes/core/mix.c.

   Method  The bundle with the most operations in a cycle.
   Rows    ISSUE_MIX_.
   See     XT 6. */
#include "analysis/names.h"
#include "analysis/values.h"

#include <math.h>

struct hw_answer hw_read_issue_mix_x100(const struct hw_curves *curves) {
  static const char method[] = "best bundle";
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_MIX);
  const struct hw_point *best = NULL;
  double most = 0;

  if (curve == NULL)
    return hw_absent(method, "there is only one stream");
  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    double rate = (floor(p->x / 1e4) + floor(fmod(p->x, 1e4) / 100) + fmod(p->x, 100)) / p->y;
    if (rate > most) {
      most = rate;
      best = p;
    }
  }
  if (best == NULL || !(hw_point_error(best) < best->y))
    return hw_unknown(method, "no two passes agree");
  if (2 * hw_point_error(best) > HW_CYCLES_ERROR * best->y)
    return hw_else(hw_unknown(method, "the samples scatter by more than 3 %"),
                   hw_ranged(method, 100 * most,
                             100 * most * best->y / (best->y + 2 * hw_point_error(best)),
                             100 * most * best->y / hw_point_least(best)));
  return hw_known(method, 100 * most, 200 * most * hw_point_error(best) / best->y, HW_CLEAR);
}
