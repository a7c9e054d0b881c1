/* Operations of different kinds in one cycle, off the curves of probes/core/mix.c.

   Method  The bundle with the most operations in a cycle; the most operations of a bundle that
           takes no more than one.
   Rows    ISSUE_MIX_, ISSUE_BUNDLE.
   See     XT 6. */
#include "analysis/rows/mix.h"

#include "analysis/names.h"

#include <math.h>

/* Cycles of a bundle that issues in one, at most: the end of a loop may cost one more in 22
   bundles, and nine operations on a core that issues eight take an eighth more. */
#define MIX_ONE 1.06

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

double hw_mix_code(const unsigned count[HW_BUNDLE_KINDS]) {
  double x = 0;

  for (size_t k = HW_BUNDLE_KINDS; k-- > 0;)
    x = 10 * x + count[k];
  return x;
}

bool hw_mix_issues(const struct hw_curve *bundles, double x) {
  const struct hw_point *p = hw_curve_at(bundles, x);

  return p != NULL && p->count > 1 && p->y <= MIX_ONE;
}

bool hw_mix_largest(const struct hw_curve *bundles, double x) {
  double one = 1;

  for (size_t k = 0; k < HW_BUNDLE_KINDS; k++, one *= 10)
    if (hw_mix_issues(bundles, x + one))
      return false;
  return hw_mix_issues(bundles, x);
}

/* Operations of the bundle. */
static double mix_size(double x) {
  double size = 0;

  for (; x >= 1; x = floor(x / 10))
    size += fmod(x, 10);
  return size;
}

struct hw_answer hw_read_issue_bundle(const struct hw_curves *curves) {
  static const char method[] = "largest bundle";
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_BUNDLES);
  double most = 0;

  if (curve == NULL)
    return hw_absent(method, "there is no code for it");
  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    if (p->count <= 1)
      return hw_unknown(method, "no two passes agree");
    if (hw_mix_issues(curve, p->x))
      most = fmax(most, mix_size(p->x));
  }
  return most > 0 ? hw_known(method, most, 0, HW_CLEAR)
                  : hw_absent(method, "no operation takes a cycle or less");
}
