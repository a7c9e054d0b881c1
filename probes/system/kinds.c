/* Kinds of processors, and the one that a single thread is measured on.

   Curve   kinds_walk: x place of a processor, y time of a load that hits level 1 (ns).
           kinds_issue: x the same, y time of an independent addition (throughput, ns).
           kinds: x place, y place of the first of its kind.
   Method  The same work on each processor alone, in turn, and the quickest samples: if some are
           slower, all are measured again, at times apart, since other processes may have disturbed
           them.  Dependent loads are not slowed by an SMT sibling, so that they tell the kinds.
   Rows    CPU_KINDS.
   Cost    Two processors: 5 ms; up to 100 ms if they seem to differ.
   See     XT 3.6. */
#include "probes/system/kinds.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/kinds.h"
#include "probes/bench/team.h"
#include "probes/system/co_run.h"
#include "probes/system/groups.h"

#include <math.h>
#include <stdlib.h>

/* Samples of each in one look; and looks at most. */
#define KINDS_ROUNDS 5u
#define KINDS_LOOKS 4

/* Does the work on each of n processors alone; least[] becomes the least time of a unit so far, ns.
   0, or -1. */
static int kinds_look(struct hw_bench *bench, enum hw_work work, struct hw_memory *memory, size_t n,
                      double *least) {
  struct hw_co_run run = {.bench = bench, .work = work, .memory = memory};
  struct hw_part *part = calloc(n, sizeof *part);
  struct hw_team *team = calloc(n, sizeof *team);
  struct hw_point *point = calloc(n, sizeof *point);
  int result = part == NULL || team == NULL || point == NULL ? -1 : hw_co_run_init(&run);

  for (size_t i = 0; result == 0 && i < n; i++) {
    part[i] = (struct hw_part){.processor = i, .work = work, .memory = memory, .n = run.units};
    team[i] = (struct hw_team){&part[i], 1, 0};
  }
  if (result == 0)
    result = hw_team_sample(bench, team, n, KINDS_ROUNDS, point);
  for (size_t i = 0; result == 0 && i < n; i++)
    if (point[i].count > 0)
      least[i] = fmin(least[i], hw_point_best(&point[i]));
  free(part);
  free(team);
  free(point);
  return result;
}

/* Measures one of the two curves.  0, or -1. */
static int kinds_curve(struct hw_bench *bench, enum hw_work work, struct hw_memory *memory,
                       size_t n, const char *name, const char *y_title) {
  double *least = calloc(n, sizeof *least);
  struct hw_curve curve;
  int result = least == NULL ? -1 : 0;

  hw_curve_init(&curve, name, "place of the processor", y_title);
  for (size_t i = 0; result == 0 && i < n; i++)
    least[i] = INFINITY;
  for (int look = 0; result == 0 && look < KINDS_LOOKS; look++) {
    if (look > 0)
      hw_pause(bench, HW_HOST_SLICE_NS);
    result = kinds_look(bench, work, memory, n, least);
    if (result == 0 && hw_kinds_alike(least, n))
      break;
  }
  for (size_t i = 0; result == 0 && i < n; i++)
    if (isinf(least[i]) ||
        hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = least[i], .count = 1}) < 0)
      result = -1;
  free(least);
  return hw_publish(bench, &curve, "kinds", result);
}

int hw_probe_kinds(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  size_t n = hw_processors(bench), kind[HW_THINGS];
  struct hw_memory *memory;
  int result = -1;

  if (n == 0 || n > HW_THINGS)
    return -1;
  memory = hw_co_run_ring(machine);
  if (memory != NULL &&
      kinds_curve(bench, HW_WORK_WALK, memory, n, HW_NAME_KINDS_WALK, "time of a load (ns)") == 0)
    result =
        kinds_curve(bench, HW_WORK_ISSUE, NULL, n, HW_NAME_KINDS_ISSUE, "time of an addition (ns)");
  machine->ops->unmap(machine, memory);
  if (result == 0 && hw_kinds_find(&bench->curves, kind) == NULL)
    result = hw_groups_publish(bench, kind, n, "kinds", "kinds");
  return result;
}

void hw_kinds_settle(struct hw_bench *bench) {
  const struct hw_curve *kinds = hw_curves_get(&bench->curves, HW_NAME_KINDS);
  const size_t lead = hw_kinds_lead(&bench->curves);
  bool same[HW_THINGS] = {false};

  same[lead] = true;
  for (size_t i = 0; kinds != NULL && i < kinds->n; i++)
    same[i] =
        !(kinds->point[i].y < kinds->point[lead].y) && !(kinds->point[i].y > kinds->point[lead].y);
  if (hw_curves_get(&bench->curves, HW_NAME_KINDS_WALK) != NULL)
    bench->machine->ops->settle(bench->machine, same, lead);
}
