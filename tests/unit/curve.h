/* Literal curves. */
#ifndef HW_UNIT_CURVE_H
#define HW_UNIT_CURVE_H

#include "analysis/curve.h"
#include "tests/unit/unit.h"

/* Puts a point into the curve. */
static inline void put_point(struct hw_curve *curve, double x, double y, double spread,
                             unsigned long count) {
  assert_int_equal(hw_curve_put(curve, (struct hw_point){x, y, spread, count}), 0);
}

/* A curve of n points x, y of that spread, with so many samples each. */
static inline struct hw_curve curve_of(const char *name, const double (*xy)[2], size_t n,
                                       double spread, unsigned long count) {
  struct hw_curve curve;

  hw_curve_init(&curve, name, "x", "y");
  for (size_t i = 0; i < n; i++)
    put_point(&curve, xy[i][0], xy[i][1], spread, count);
  return curve;
}

/* A curve of n points. */
static inline struct hw_curve curve_of_points(const char *name, const struct hw_point *point,
                                              size_t n) {
  struct hw_curve curve;

  hw_curve_init(&curve, name, "x", "y");
  for (size_t i = 0; i < n; i++)
    assert_int_equal(hw_curve_put(&curve, point[i]), 0);
  return curve;
}

/* Puts the curve among the curves, which then have its points. */
static inline void put_curve(struct hw_curves *curves, struct hw_curve curve) {
  assert_int_equal(hw_curves_put(curves, &curve), 0);
}

/* Puts a curve of n points among the curves. */
static inline void put_points(struct hw_curves *curves, const char *name,
                              const struct hw_point *point, size_t n) {
  put_curve(curves, curve_of_points(name, point, n));
}

/* Puts one of points {x, y}, ... among the curves, of that spread, with so many samples each. */
#define PUT_XY(curves, name, spread, count, ...)                                                   \
  do {                                                                                             \
    const double xy[][2] = {__VA_ARGS__};                                                          \
    put_curve(curves, curve_of(name, xy, COUNT(xy), spread, count));                               \
  } while (0)

#endif
