/* Cores, and the number of processors of each, off the curves of probes/system/cores.c and
   processors.c.

   Method  Two processors that share a core at first and not later have a core each.
   Rows    CORES, CORE_THREADS.
   Limits  Two that the host keeps on one core for longer are counted as one.
   See     XT 3.6. */
#include "analysis/groups.h"
#include "analysis/rows/processors.h"

#include <math.h>

struct hw_answer hw_read_cores(const struct hw_curves *curves) {
  static const char method[] = "groups by pairs";
  struct hw_answer cpus = hw_value_cpus(curves);
  size_t core[HW_THINGS], n = 0;
  bool settled;
  const char *why = hw_core_of(curves, core, &n, &settled);

  if (why != NULL)
    return settled ? hw_absent(method, why) : hw_unknown(method, why);
  if (!cpus.known)
    return cpus;
  return hw_known(method, (double)hw_groups_count(core, n), 0, HW_CLARITY_MAX);
}

struct hw_answer hw_read_core_threads(const struct hw_curves *curves) {
  struct hw_answer cpus = hw_value_cpus(curves), cores = hw_value_cores(curves);

  if (!cores.known)
    return cores;
  if (fmod(cpus.value, cores.value) > 0)
    return hw_absent(cores.method, "some cores have more processors than others");
  return hw_known(cores.method, cpus.value / cores.value, 0, cores.clarity);
}
