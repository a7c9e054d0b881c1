/* The working set (bytes) of a thread that levels 2 and 3 hold: see probes/data/held.c. */
#include "analysis/rows/held.h"

#include "analysis/rows/size_curve.h"

#include <math.h>
#include <stdio.h>

#define HELD_OCTAVE 4

double hw_held_step(double bytes) {
  double step = exp2(floor(log2(bytes))) / HELD_OCTAVE;

  return floor(bytes / step) * step;
}

void hw_held_name(char name[HW_CURVE_NAME + 1], unsigned n) {
  snprintf(name, HW_CURVE_NAME + 1, "held_%u", n);
}

bool hw_held_fits(const struct hw_curves *curves, const struct hw_level *level,
                  const struct hw_point *point) {
  return hw_size_curve_pure(curves, point) <= level->bound;
}

struct hw_answer hw_held_computed(const struct hw_curves *curves, unsigned n) {
  static const char method[] = "pages that lie at random";
  struct hw_answer bytes = n == 2 ? hw_value_l2_bytes(curves) : hw_value_l3_bytes(curves);
  struct hw_answer ways = n == 2 ? hw_value_l2_assoc(curves) : hw_value_l3_assoc(curves);
  struct hw_answer page = hw_value_page_bytes(curves);
  struct hw_answer above = n == 2 ? hw_value_l1_bytes(curves) : hw_value_l2_bytes(curves);
  double fits;

  if (!(bytes.known && ways.known && page.known) || !(ways.value >= 1 && page.value >= 1))
    return hw_unknown(method, "its capacity, ways or page are unknown");
  fits = hw_servet_fits(bytes.value, ways.value, page.value);
  return above.known && fits <= above.value ? hw_unknown(method, "the level above holds as much")
                                            : hw_known(method, fits, 0, HW_CLEAR);
}

/* The largest step that hits on both curves, the size curve and that of the level.  Where there was
   no time for the second, that of the first. */
static struct hw_answer held_agreed(const struct hw_curves *curves, unsigned n) {
  static const char method[] = "steps at which two looks agree";
  struct hw_level level;
  struct hw_answer seen = hw_levels_effective(curves, n, &level);
  const struct hw_curve *again;
  char name[HW_CURVE_NAME + 1];
  double held = 0;

  if (!seen.known) {
    seen.settled = true; /* another measurement does not help */
    return seen;
  }
  hw_held_name(name, n);
  again = hw_curves_get(curves, name);
  if (again == NULL)
    held = hw_held_step(seen.value);
  for (size_t i = 0; again != NULL && i < again->n; i++)
    if (again->point[i].x <= seen.value && hw_held_fits(curves, &level, &again->point[i]))
      held = again->point[i].x;
  return held > 0 ? hw_known(method, held, seen.value - held, HW_CLEAR)
                  : hw_unknown(method, "the second look does not agree with the first");
}

/* The working set that level n holds; of a level that does not exist, that of the level above. */
static struct hw_answer held_value(const struct hw_curves *curves, unsigned n) {
  struct hw_answer have = n == 2 ? hw_value_have_l2(curves) : hw_value_have_l3(curves);
  struct hw_answer held;

  if (have.known && have.value < 1) {
    held = n > 2 ? held_value(curves, n - 1) : hw_value_l1_eff_bytes(curves);
    held.settled = !held.known;
    return held;
  }
  held = hw_held_computed(curves, n);
  return held.known ? held : held_agreed(curves, n);
}

struct hw_answer hw_read_l2_eff_bytes(const struct hw_curves *curves) {
  return held_value(curves, 2);
}

struct hw_answer hw_read_l3_eff_bytes(const struct hw_curves *curves) {
  return held_value(curves, 3);
}
