/* The edge of a square tile, off the curves of probes/data/tile.c.

   Method  Of each edge the time over that of the fastest, tiled or not, at both sizes of matrix; of
           the two the worse, since a program may have either.  Of the edges for which that is
           least, but for TILE_EQUAL, the smallest: it leaves most of the cache to others.  An edge
           whose times differ depends on where its pages lie, and is not chosen.
   Rows    TILE_F32, TILE_F64, TILE_F32_GAIN_X100, TILE_F64_GAIN_X100.
   Limits  If no tile is as fast as none, it is the edge that loses least, and the gain is below
           100.
   See     BB 6. */
#include "analysis/names.h"
#include "analysis/values.h"

#include <math.h>

/* Times that differ by less than this share are equal; of one with a larger error it is not known
   to which they are. */
#define TILE_EQUAL 0.03
/* Edges that are not in doubt, at least. */
#define TILE_FEW 3u

static const char tile_method[] = "guided tuning";

/* The curves of a type, of the same edges: at a size that is no power of two, and at one that is.
 */
struct tile_curves {
  const struct hw_curve *size[2];
};

/* Whether the i-th point of either curve is not in doubt. */
static bool tile_clear(const struct tile_curves *curves, size_t i) {
  for (size_t k = 0; k < 2; k++) {
    const struct hw_point *point = &curves->size[k]->point[i];
    if (point->count < 2 || !(point->y > 0) || hw_point_error(point) > TILE_EQUAL * point->y)
      return false;
  }
  return true;
}

/* NULL, or why an edge cannot be chosen by these curves. */
static const char *tile_why(const struct tile_curves *curves) {
  size_t clear = 0;

  if (curves->size[0] == NULL || curves->size[1] == NULL)
    return "its curves were not measured";
  if (curves->size[0]->n < 2 || curves->size[0]->n != curves->size[1]->n)
    return "not each edge was timed";
  for (size_t i = 0; i + 1 < curves->size[0]->n; i++)
    clear += tile_clear(curves, i);
  return clear >= TILE_FEW ? NULL : "the times of an edge differ";
}

/* The least time of a curve, but for points in doubt. */
static double tile_fastest(const struct tile_curves *curves, size_t k) {
  double fastest = INFINITY;

  for (size_t i = 0; i < curves->size[k]->n; i++)
    if (tile_clear(curves, i))
      fastest = fmin(fastest, curves->size[k]->point[i].y);
  return fastest;
}

/* What the i-th edge costs over the fastest, if it costs more. */
static double tile_worse(const struct tile_curves *curves, size_t i) {
  if (!tile_clear(curves, i))
    return INFINITY;
  return fmax(curves->size[0]->point[i].y / tile_fastest(curves, 0),
              curves->size[1]->point[i].y / tile_fastest(curves, 1));
}

/* Puts into *last the last edge that is as good as the best, and returns the first. */
static size_t tile_first(const struct tile_curves *curves, size_t *last) {
  const size_t edges = curves->size[0]->n - 1;
  double least = INFINITY;
  size_t first = edges;

  for (size_t i = 0; i < edges; i++)
    least = fmin(least, tile_worse(curves, i));
  for (size_t i = 0; i < edges; i++)
    if (tile_worse(curves, i) <= (1 + TILE_EQUAL) * least) {
      first = first < i ? first : i;
      *last = i;
    }
  return first;
}

/* The edge.  Edges in between were not timed: its range ends at the nearest that are not as good,
   as far as a range may go. */
static struct hw_answer tile_edge(struct tile_curves curves) {
  const char *why = tile_why(&curves);
  const struct hw_point *edge;
  size_t last = 0, first;
  double low;

  if (why != NULL)
    return hw_unknown(tile_method, why);
  first = tile_first(&curves, &last);
  edge = curves.size[0]->point;
  low = fmax(first > 0 ? edge[first - 1].x : 0, edge[first].x / sqrt(HW_RANGE_WIDEST));
  return hw_ranged(tile_method, edge[first].x, low, fmin(edge[last + 1].x, HW_RANGE_WIDEST * low));
}

/* The time without tiles over that with them, at the size at which this is less.  What others leave
   of the last level and of memory moves the former. */
static struct hw_answer tile_gain(struct tile_curves curves) {
  const char *why = tile_why(&curves);
  double gain = INFINITY;
  size_t last = 0, first;

  if (why == NULL && !tile_clear(&curves, curves.size[0]->n - 1))
    why = "the times without tiles differ";
  if (why != NULL)
    return hw_unknown(tile_method, why);
  first = tile_first(&curves, &last);
  for (size_t i = 0; i < 2; i++) {
    const struct hw_curve *curve = curves.size[i];
    gain = fmin(gain, curve->point[curve->n - 1].y / curve->point[first].y);
  }
  return hw_scaled(hw_at_other_times(hw_ranged(tile_method, gain, gain, gain), HW_OTHERS_MEMORY),
                   100);
}

/* hw_read_tile_f32, hw_read_tile_f32_gain_x100, hw_read_tile_f64, hw_read_tile_f64_gain_x100. */
#define TILE_ROW(row, type, reduce)                                                                \
  struct hw_answer hw_read_##row(const struct hw_curves *curves) {                                 \
    return reduce((struct tile_curves){{hw_curves_get(curves, HW_NAME_TILE_##type),                \
                                        hw_curves_get(curves, HW_NAME_TILE_##type##_POWER)}});     \
  }

TILE_ROW(tile_f32, F32, tile_edge)
TILE_ROW(tile_f64, F64, tile_edge)
TILE_ROW(tile_f32_gain_x100, F32, tile_gain)
TILE_ROW(tile_f64_gain_x100, F64, tile_gain)
