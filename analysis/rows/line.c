/* Line of the level-1 data cache, and its sets, off the curves of probes/data/line.c.

   Method  The line is the offset that leads into another set while half of it does not.
   Rows    L1_LINE; L1_SETS.
   Limits  In a fully associative cache no offset leads into another set: the line is the cache's
           own stride then.
   See     XM 4.1.3. */
#include "analysis/rows/line.h"

#include "analysis/fit.h"
#include "analysis/names.h"
#include "analysis/rows/l1.h"

/* The verdict at an offset.  At the cache's own stride it is yes without a test: the line is no
   longer. */
static struct hw_fit_answer line_read(const struct hw_curves *curves, size_t shift, size_t stride) {
  if (shift == stride)
    return (struct hw_fit_answer){.verdict = HW_FIT_YES};
  return hw_fit_read(hw_curves_get(curves, HW_NAME_L1_LINE_FIT),
                     hw_curves_get(curves, HW_NAME_L1_LINE_FULL), (double)shift, HW_FIT_SURE);
}

/* The offset that leads into another set while half of it does not. */
struct hw_answer hw_read_l1_line(const struct hw_curves *curves) {
  static const char method[] = "fit test";
  struct hw_l1_shape l1;

  if (hw_l1_shape(curves, &l1) < 0)
    return hw_unknown(method, "the shape of the cache is not known");
  for (size_t line = 2 * sizeof(void *); line <= l1.stride && line <= HW_LINE_ALIGNMENT;
       line *= 2) {
    struct hw_fit_answer same = line_read(curves, line / 2, l1.stride);
    struct hw_fit_answer apart = line_read(curves, line, l1.stride);
    if (same.verdict == HW_FIT_NO && apart.verdict == HW_FIT_YES)
      return hw_known(method, (double)line, 0, hw_fit_clarity(same.error + apart.error));
  }
  return hw_unknown(method, "it is not clear which offset leads into another set");
}

struct hw_answer hw_read_l1_sets(const struct hw_curves *curves) {
  struct hw_answer line = hw_value_l1_line(curves);
  struct hw_l1_shape l1;

  if (!line.known || hw_l1_shape(curves, &l1) < 0)
    return hw_unknown(line.method, "the shape or line of the cache is not known");
  line.value = (double)l1.stride / line.value;
  line.error = 0;
  return line;
}
