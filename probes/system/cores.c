/* Cores, and the number of processors (SMT siblings) of each.

   Curve   cores_later: x place of the processor, y time of additions with all processors busy, over
           that alone, as in "cores" but later; empty if no processors shared a core there.
           core_groups: x place of the processor, y place of the first of its core.
   Method  A host may leave two processors of a virtual machine on one core for seconds, and then
           they look like SMT siblings.  If processors shared a core before anything else was
           measured (processors.c), they are measured again here, seconds later, and some time after
           that: a processor that is no longer slowed has a core of its own.
   Rows    CORES, CORE_THREADS.
   Cost    Nothing if no processors share a core, else 0.6 s.
   See     XT 3.6. */
#include "analysis/environment.h"
#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"
#include "probes/system/groups.h"
#include "probes/system/processors.h"

/* Looks at most. */
#define CORES_LOOKS 2

/* Measures again where processors shared a core. */
static int cores_later(struct hw_bench *bench) {
  struct hw_co_run run = {.bench = bench, .work = HW_WORK_ISSUE};
  size_t core[HW_THINGS], n = 0;
  bool settled, shared = false;
  struct hw_curve none;

  if (hw_core_of(&bench->curves, core, &n, &settled) == NULL)
    for (size_t i = 0; i < n; i++)
      shared = shared || core[i] != i;
  if (!shared) {
    hw_curve_init(&none, HW_NAME_CORES_LATER, "place of the processor",
                  "time with all busy over that alone");
    return hw_publish(bench, &none, "cores", 0);
  }
  if (hw_co_run_init(&run) != 0)
    return -1;
  return hw_cores_look(&run, n, CORES_LOOKS, HW_HOST_MOVES_NS, HW_NAME_CORES_LATER, "cores");
}

int hw_probe_cores(struct hw_bench *bench) {
  size_t core[HW_THINGS], n = 0;
  bool settled;
  int result = cores_later(bench);

  if (result != 0 || hw_core_of(&bench->curves, core, &n, &settled) != NULL)
    return result; /* the rows say why */
  return hw_groups_publish(bench, core, n, "cores", HW_NAME_CORE_GROUPS);
}
