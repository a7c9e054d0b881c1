/* Effective capacity of levels 2 and 3 for the working set of a thread, in pages at random places.

   Curve   held_N, of level N: x working set (bytes), y time of a load (cycles).
   Method  Where capacity, ways and page size are known it is computed, and does not vary: of pages
           at random places, one access in twenty at most falls on a colour with more pages than
           ways.  Elsewhere it is measured, in pages of its own: working sets, four to an octave,
           from the one below the end of the size curve's plateau down, until one costs no more than
           the level does; after an octave by halves, and then between the last two.
   Rows    L2_EFF_BYTES, L3_EFF_BYTES.
   Cost    Nothing, or some 20 ms.
   Limits  What is measured is rounded down by up to a fifth.  Other cores take a part of a shared
           level that varies from run to run; only HW_L3_SHARE_BYTES shows that.
   See     BB 3.1.2, 4.2.3; SV III-A. */
#include "analysis/rows/held.h"
#include "probes/data/lap.h"

/* Working sets that are tried before the rest is halved, and visits of each, of which the fastest
   counts: interference in a shared level lasts longer than a visit, and only adds. */
#define HELD_STEPS 4
#define HELD_VISITS 3

/* Visits a working set until it fits; the fastest visit goes into the curve.  0, or -1. */
static int held_visit(struct hw_lap *lap, const struct hw_level *level, double bytes,
                      struct hw_curve *curve) {
  const struct hw_lap_walk walk = {(size_t)bytes, 1, level->bound / 2};
  struct hw_bench *bench = lap->bench;
  int result = 0;

  for (unsigned i = 0; i < HELD_VISITS && result == 0; i++) {
    const struct hw_point *earlier = hw_curve_at(curve, bytes);
    struct hw_curve visit = {.n = 0};
    result = hw_lap_sample(lap, &walk, 1, bench->effort.rounds, &visit);
    if (result == 0 && (earlier == NULL || visit.point[0].y < earlier->y)) {
      visit.point[0].x = bytes;
      result = hw_curve_put(curve, visit.point[0]);
    }
    hw_curve_free(&visit);
    if (result == 0 && hw_held_fits(&bench->curves, level, hw_curve_at(curve, bytes)))
      break;
  }
  return result;
}

/* Measures level n, which holds most bytes by the size curve.  0, or -1. */
static int held_look(struct hw_lap *lap, unsigned n, const struct hw_level *level, double most) {
  struct hw_bench *bench = lap->bench;
  double bytes = hw_held_step(most), held = 0, over = 0;
  struct hw_curve curve;
  char name[HW_CURVE_NAME + 1];
  int result = 0;

  hw_held_name(name, n);
  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  for (unsigned i = 1; result == 0 && bytes > held && bytes >= level->least; i++) {
    result = held_visit(lap, level, bytes, &curve);
    if (result == 0 && hw_held_fits(&bench->curves, level, hw_curve_at(&curve, bytes)))
      held = bytes;
    else
      over = bytes;
    if (held > 0)
      bytes = hw_held_step((held + over) / 2);
    else
      bytes = i < HELD_STEPS ? hw_held_step(bytes - 1) : bytes / 2;
  }
  return hw_publish_some(bench, &curve, "held", 0) < 0 ? -1 : result;
}

int hw_probe_held(struct hw_bench *bench) {
  struct hw_lap lap;
  int result = 0;

  for (unsigned n = 2; n <= 3 && result == 0; n++) {
    struct hw_level level;
    struct hw_answer seen = hw_levels_effective(&bench->curves, n, &level);
    if (!seen.known || hw_held_computed(&bench->curves, n).known)
      continue;
    if (hw_lap_open(&lap, bench, (size_t)seen.value) < 0)
      return -1;
    result = held_look(&lap, n, &level, seen.value);
    hw_lap_close(&lap);
  }
  return result;
}
