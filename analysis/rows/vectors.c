/* The width of vectors, off the curves of probes/core/vectors.c.

   Method  The widest at which elements per cycle still grow.  Vectors wider than the machine's own
           are split into several operations, which take as long as these.
   Rows    VEC_. */
#include "analysis/rows/vectors.h"

#include "analysis/names.h"

#include <math.h>

/* Two rates agree within this share of each other: each is known to half of it. */
#define VECTORS_ERROR 0.10
#define VECTORS_SAME (1 + VECTORS_ERROR)
/* With vectors twice as wide elements per cycle grow by 4/3 at least: two units in place of three,
   where no core has more than four. */
#define VECTORS_GROWS (4 / 3.0 * (1 - VECTORS_ERROR))

/* Whether a width's samples scatter too much to tell its rate. */
static bool vectors_scatter(const struct hw_point *p) {
  return 2 * hw_point_error(p) > VECTORS_ERROR * p->y;
}

/* Whether elements per cycle cannot grow to more than most at the i-th width, whatever disturbed
   its samples: it takes no less time than the width before it, if that is known. */
static bool vectors_behind(const struct hw_curve *widths, size_t i, double most) {
  const struct hw_point *p = &widths->point[i], *before = p - (i > 0);
  double least = p->y - 2 * hw_point_error(p);

  if (i > 0 && !vectors_scatter(before))
    least = fmax(least, before->y - 2 * hw_point_error(before));
  return p->x <= VECTORS_SAME * most * least;
}

struct hw_answer hw_vectors_widest(const struct hw_curve *widths) {
  static const char method[] = "elements per cycle";
  double most = 0, widest = 0;

  for (size_t i = 0; i < widths->n; i++) {
    const struct hw_point *p = &widths->point[i];
    double rate = p->x / p->y, grows = most > 0 ? rate / most : VECTORS_GROWS;
    /* The next one that is split looks like growth, too. */
    if (i > 0 && p->x > 2 * p[-1].x)
      return hw_unknown(method, "a width was not timed");
    if (vectors_scatter(p) && vectors_behind(widths, i, most))
      continue;
    if (vectors_scatter(p))
      return hw_unknown(method, "the samples scatter by more than 10 %");
    if (grows >= VECTORS_GROWS)
      widest = p->x;
    else if (grows > VECTORS_SAME)
      return hw_unknown(method, "elements per cycle grow a little");
    most = fmax(most, rate);
  }
  return widest > 0 ? hw_known(method, widest, 0, HW_CLEAR) : hw_unknown(method, "no points");
}

struct hw_answer hw_read_vec_bytes(const struct hw_curves *curves) {
  const struct hw_curve *widths = hw_curves_get(curves, HW_NAME_VECTORS);

  return widths != NULL ? hw_vectors_widest(widths)
                        : hw_absent(HW_NO_METHOD, "the compiler makes no vectors");
}
