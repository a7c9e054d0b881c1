/* From which size on a copy that bypasses the caches is the quicker one, off the curve of
   probes/data/bypass.c.

   Method  The least size of which, and of all larger ones, the ratio is clearly below one.  Its
           range begins at the largest size at which it is clearly above one, or an octave below
           where the two take as long over more than that: nothing is lost there.
   Rows    STREAM_BYTES.
   Limits  None where the ordinary copy is the quicker one at the largest size, too. */
#include "analysis/names.h"
#include "analysis/rows/traffic.h"

#include <math.h>

/* Whether a ratio is below one (side < 0) or above, further than its two fastest times differ. */
static bool bypass_clear(const struct hw_point *point, int side) {
  return point->count > 1 && side * (point->y - 1) > point->spread * point->y;
}

struct hw_answer hw_read_stream_bytes(const struct hw_curves *curves) {
  static const char method[] = "crossover";
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_BYPASS);
  size_t i, k;
  double low;

  if (curve == NULL || curve->n == 0)
    return hw_unknown(method, "its curve was not measured");
  for (i = curve->n; i > 0 && bypass_clear(&curve->point[i - 1], -1); i--)
    ;
  for (k = i; k > 0 && !bypass_clear(&curve->point[k - 1], 1); k--)
    ;
  if (i == curve->n && k == i)
    return hw_absent(method, "the ordinary copy is quicker up to the largest size that was timed");
  if (i == curve->n)
    return hw_unknown(method, "the largest copies take as long either way");
  if (k == 0)
    return hw_unknown(method, "the ordinary copy is quicker at no size that was timed");
  low = fmax(curve->point[k - 1].x, curve->point[i].x / HW_RANGE_WIDEST);
  return hw_at_other_times(hw_ranged(method, curve->point[i].x, low, curve->point[i].x),
                           HW_OTHERS_CACHE);
}
