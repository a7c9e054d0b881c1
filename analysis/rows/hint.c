/* Hints.  See hint.h. */
#include "analysis/rows/hint.h"

#include "analysis/rows/levels.h"

size_t hw_hint_line(const struct hw_curves *curves, size_t assumed) {
  struct hw_answer line = hw_value_l1_line(curves);

  return line.known ? (size_t)line.value : assumed;
}

size_t hw_hint_page(const struct hw_curves *curves) {
  struct hw_answer page = hw_value_page_bytes(curves);

  return page.known ? (size_t)page.value : HW_HINT_PAGE;
}

size_t hw_hint_stride(const struct hw_curves *curves) {
  struct hw_l1_shape l1;

  return hw_l1_shape(curves, &l1) == 0 ? l1.stride : HW_HINT_PAGE;
}

size_t hw_hint_l1_bytes(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  struct hw_l1_shape l1;
  bool whole;

  if (hw_l1_shape(curves, &l1) == 0)
    return l1.bytes;
  return hw_levels_seen(curves, level, &whole) > 1 ? (size_t)level[0].most : HW_HINT_PAGE;
}
