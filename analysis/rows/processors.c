/* Processors, and which of them have a core to themselves, off the curves of
   probes/system/processors.c.

   Method  Threads that meet only once a time slot are one more than there are processors.  A
           processor that is slowed by additions on others shares its core.
   Rows    CPUS; CORES and CORE_THREADS with what cores.c adds.
   See     XT 3.6; BB 3.4; SV III-B for the groups. */
#include "analysis/rows/processors.h"

#include "analysis/company.h"
#include "analysis/groups.h"
#include "analysis/names.h"

/* The time that two need alone over that together: at most on one core, at least on two. */
#define PROC_ONE_CORE (1 / HW_COMPANY_SOME)
#define PROC_TWO_CORES (1 / HW_COMPANY_NONE)

void hw_processors_quicker(struct hw_point *point, const struct hw_point *later, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (later[i].count > 0 && (point[i].count == 0 || later[i].y < point[i].y))
      point[i] = later[i];
}

/* A point of the curve "cores", or of HW_NAME_CORES_LATER if that has a faster one. */
static struct hw_point processors_point(const struct hw_curves *curves, size_t i) {
  const struct hw_curve *cores = hw_curves_get(curves, HW_NAME_CORES);
  const struct hw_curve *later = hw_curves_get(curves, HW_NAME_CORES_LATER);
  struct hw_point point = cores->point[i];

  if (later != NULL && later->n == cores->n)
    hw_processors_quicker(&point, &later->point[i], 1);
  return point;
}

static enum hw_company processors_company(const struct hw_curves *curves, size_t i) {
  struct hw_point point = processors_point(curves, i);

  return hw_company_of(&point);
}

/* If threads are not bound, another process that stays on a processor hides it: nothing that the
   threads can time shows that, so they have to find all processors that the system has. */
struct hw_answer hw_read_cpus(const struct hw_curves *curves) {
  struct hw_answer cpus = hw_reduce_named(curves, HW_NAME_MEETINGS, hw_reduce_meetings);
  const struct hw_curve *online = hw_curves_get(curves, HW_NAME_ONLINE);

  if (!cpus.known || hw_curves_get(curves, HW_NAME_PROCESSORS) != NULL)
    return cpus;
  if (online == NULL || online->n != 1 || online->point[0].y < 1)
    return hw_unknown(cpus.method, "the system does not say how many processors there are");
  return online->point[0].y <= cpus.value
             ? cpus
             : hw_unknown(cpus.method, "other processes may keep processors busy");
}

/* Puts into core[], where each of n processors is its own core, the index of the first processor of
   its core.  NULL, or why it is not known. */
static const char *processors_core_of(const struct hw_curves *curves, size_t *core, size_t n) {
  const struct hw_curve *found = hw_curves_get(curves, HW_NAME_CORE_PAIRS);
  struct hw_pairs pairs;
  struct hw_layers layers;
  const char *why;

  if (hw_pairs_read(&pairs, found) != 0)
    return "out of memory";
  why = hw_layers_find(&pairs, &layers);
  hw_pairs_free(&pairs);
  if (why != NULL)
    return why;
  for (size_t k = 0; k < layers.layers && layers.low[k] <= PROC_TWO_CORES; k++) {
    if (layers.high[k] > PROC_ONE_CORE)
      why = "it is not clear which processors share a core";
    for (size_t i = 0; i < layers.n && i < n; i++)
      core[i] = layers.group[k * layers.n + i];
  }
  for (size_t i = 0; why == NULL && i < n; i++) {
    size_t members = 0;

    for (size_t j = 0; j < n; j++)
      members += core[j] == core[i];
    if ((members > 1) != (processors_company(curves, i) == HW_COMPANY_SHARING))
      why = "some processors are slowed by all others together, but by no single processor";
  }
  hw_layers_free(&layers);
  return why;
}

const char *hw_core_of(const struct hw_curves *curves, size_t *core, size_t *n, bool *settled) {
  const struct hw_curve *list = hw_curves_get(curves, HW_NAME_PROCESSORS);
  const struct hw_curve *cores = hw_curves_get(curves, HW_NAME_CORES);
  size_t sharing = 0;

  *settled = list == NULL && hw_curves_get(curves, HW_NAME_MEETINGS) != NULL;
  if (list == NULL)
    return *settled ? "threads cannot be bound to processors" : "there are no threads";
  *n = list->n;
  if (cores == NULL || cores->n != *n || *n > HW_THINGS)
    return "which processors share a core was not measured";
  for (size_t i = 0; i < *n; i++) {
    core[i] = i;
    if (processors_company(curves, i) == HW_COMPANY_UNCLEAR)
      return "it is not clear whether others slow a processor";
    sharing += processors_company(curves, i) == HW_COMPANY_SHARING;
  }
  if (sharing == 0)
    return NULL;
  if (hw_curves_get(curves, HW_NAME_CORE_PAIRS) == NULL)
    return sharing == 1 ? "one processor is slowed and no other"
                        : "which processors share a core was not measured";
  return processors_core_of(curves, core, *n);
}

const char *hw_core_order(const struct hw_curves *curves, size_t *place, size_t n) {
  size_t core[HW_THINGS], known = 0, put = 0;
  bool settled;
  const char *why = hw_core_of(curves, core, &known, &settled);

  if (why != NULL)
    return why;
  if (known != n)
    return "processors are missing";
  /* The first processor of each core, then the second of each, and so on. */
  for (size_t turn = 0; put < n; turn++)
    for (size_t i = 0; i < n; i++) {
      size_t before = 0;

      for (size_t j = 0; j < i; j++)
        before += core[j] == core[i];
      if (before == turn)
        place[put++] = i;
    }
  return NULL;
}

bool hw_core_shared(const struct hw_curves *curves, size_t one, size_t other, size_t n) {
  size_t core[HW_THINGS], known = 0;
  bool settled;

  return hw_core_of(curves, core, &known, &settled) == NULL && known == n &&
         core[one] == core[other];
}
