/* Kinds of processors, and the one that a single thread is measured on.

   Curve   kinds_walk: x place of a processor, y time of a load that hits level 1 (ns).
           kinds_issue: x the same, y time of an addition that waits for no other (ns).
           kinds: x place, y place of the first of its kind.
   Method  The same work on each processor alone, in turn, and the quickest samples: where some are
           slower they are looked at again, at times apart, since strangers come and go.  Loads that
           wait for each other are not slowed by another thread of the core, so that they tell the
           kinds; the additions must not contradict them.
   Rows    CPU_KINDS.
   Cost    Two processors: 5 ms; up to 100 ms where they seem to differ.
   Limits  Processors of a kind differ by up to 15 %, others by 25 % or more: what lies between is
           unknown.  Kinds whose loads take the same time are unknown too.
   See     XT 3.6. */
#include "probes/system/kinds.h"

#include "analysis/names.h"

#include "analysis/company.h"
#include "probes/system/co_run.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* The ring that is walked: bytes, and between its loads.  Less than any level 1. */
#define KINDS_RING 2048u
#define KINDS_STRIDE 16u
#define KINDS_LOADS (KINDS_RING / KINDS_STRIDE)
/* Samples of each, at one time; how often at most, and how far apart, ns. */
#define KINDS_ROUNDS 5u
#define KINDS_LOOKS 4
#define KINDS_APART_NS 3e7

static const char kinds_method[] = "quickest samples";

/* Does the work on each of n processors alone; least[] becomes the quickest ns a unit.  0, or -1.
 */
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
      least[i] = fmin(least[i], hw_team_best(&point[i]));
  free(part);
  free(team);
  free(point);
  return result;
}

/* Whether all take the same time. */
static bool kinds_alike(const double *least, size_t n) {
  double low = INFINITY, high = 0;

  for (size_t i = 0; i < n; i++) {
    low = fmin(low, least[i]);
    high = fmax(high, least[i]);
  }
  return high <= HW_COMPANY_NONE * low;
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
      hw_pause(bench, KINDS_APART_NS);
    result = kinds_look(bench, work, memory, n, least);
    if (result == 0 && kinds_alike(least, n))
      break;
  }
  for (size_t i = 0; result == 0 && i < n; i++)
    if (isinf(least[i]) ||
        hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = least[i], .count = 1}) < 0)
      result = -1;
  free(least);
  return hw_publish(bench, &curve, "kinds", result);
}

/* The place of those that are not of a kind yet and take least; n when there is none. */
static size_t kinds_next(const struct hw_curve *walk, const size_t *kind) {
  size_t next = walk->n;

  for (size_t i = 0; i < walk->n; i++)
    if (kind[i] == walk->n && (next == walk->n || walk->point[i].y < walk->point[next].y))
      next = i;
  return next;
}

/* Whether the additions of a kind take the same time too. */
static bool kinds_agree(const struct hw_curve *issue, const size_t *kind, size_t of) {
  double least[HW_THINGS];
  size_t n = 0;

  for (size_t i = 0; i < issue->n; i++)
    if (kind[i] == of)
      least[n++] = issue->point[i].y;
  return kinds_alike(least, n);
}

/* The kind of each processor, by the place of its first.  NULL, or why not. */
static const char *kinds_find(const struct hw_curves *curves, size_t kind[HW_THINGS]) {
  const struct hw_curve *walk = hw_curves_get(curves, HW_NAME_KINDS_WALK);
  const struct hw_curve *issue = hw_curves_get(curves, HW_NAME_KINDS_ISSUE);

  if (walk == NULL || issue == NULL || issue->n != walk->n || walk->n > HW_THINGS)
    return "the processors could not be compared";
  for (size_t i = 0; i < walk->n; i++)
    kind[i] = walk->n;
  for (size_t next; (next = kinds_next(walk, kind)) < walk->n;) {
    const double least = walk->point[next].y;
    size_t first = walk->n;

    for (size_t i = 0; i < walk->n; i++) {
      if (kind[i] < walk->n || walk->point[i].y >= HW_COMPANY_SOME * least)
        continue;
      if (walk->point[i].y > HW_COMPANY_NONE * least)
        return "some processors are a little slower than others";
      first = i < first ? i : first;
      kind[i] = first;
    }
    if (!kinds_agree(issue, kind, first))
      return "some processors do more additions a cycle than others, or their SMT siblings are "
             "busy";
  }
  return NULL;
}

int hw_probe_kinds(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  size_t n, kind[HW_THINGS], offset[KINDS_LOADS];
  struct hw_memory *memory;
  int result = -1;

  (void)machine->ops->processors(machine, &n);
  if (n == 0 || n > HW_THINGS)
    return -1;
  for (size_t i = 0; i < KINDS_LOADS; i++)
    offset[i] = i * KINDS_STRIDE;
  memory = machine->ops->map(machine, KINDS_RING, HW_PAGES_PLAIN);
  if (memory != NULL && machine->ops->link(machine, memory, offset, KINDS_LOADS) == 0 &&
      kinds_curve(bench, HW_WORK_WALK, memory, n, HW_NAME_KINDS_WALK, "time of a load (ns)") == 0)
    result =
        kinds_curve(bench, HW_WORK_ISSUE, NULL, n, HW_NAME_KINDS_ISSUE, "time of an addition (ns)");
  if (memory != NULL)
    machine->ops->unmap(machine, memory);
  if (result == 0 && kinds_find(&bench->curves, kind) == NULL)
    result = hw_groups_publish(bench, kind, n, "kinds", "kinds");
  return result;
}

size_t hw_kinds_lead(const struct hw_curves *curves) {
  const struct hw_curve *walk = hw_curves_get(curves, HW_NAME_KINDS_WALK);
  const struct hw_curve *kinds = hw_curves_get(curves, HW_NAME_KINDS);
  size_t lead = 0;

  for (size_t i = 1; walk != NULL && i < walk->n; i++)
    if (walk->point[i].y < walk->point[lead].y)
      lead = i;
  return kinds != NULL && lead < kinds->n ? (size_t)kinds->point[lead].y : lead;
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

struct hw_answer hw_read_cpu_kinds(const struct hw_curves *curves) {
  size_t kinds = 0, kind[HW_THINGS];
  const char *why = kinds_find(curves, kind);

  if (why != NULL)
    return hw_unknown(kinds_method, why);
  for (size_t i = 0; i < hw_curves_get(curves, HW_NAME_KINDS_WALK)->n; i++)
    kinds += kind[i] == i;
  return hw_known(kinds_method, (double)kinds, 0, HW_CLARITY_MAX);
}
