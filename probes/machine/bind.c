/* Where threads run. */
#include "probes/machine/features.h" /* first: sched_setaffinity */

#include "probes/machine/bind.h"

/* Defined by configure. */
#ifdef HW_WITH_HWLOC
#include <hwloc.h>
#elif defined __linux__
#include <sched.h>
#include <stdlib.h>
#endif
#include <unistd.h>

size_t hw_bind_online(void) {
#ifdef _SC_NPROCESSORS_ONLN
  long n = sysconf(_SC_NPROCESSORS_ONLN);

  return n > 0 ? (size_t)n : 0;
#else
  return 0;
#endif
}

#ifdef HW_WITH_HWLOC
/* hwloc only binds: it looks for no caches, cores or packages, so that nothing of what it reports
   can reach a value.  NULL without memory, and if it does not support the system. */
static hwloc_topology_t bind_topology(void) {
  static hwloc_topology_t topology;

  if (topology != NULL)
    return topology;
  if (hwloc_topology_init(&topology) != 0)
    topology = NULL;
  else if (hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) != 0 ||
           hwloc_topology_load(topology) != 0) {
    hwloc_topology_destroy(topology);
    topology = NULL;
  }
  return topology;
}

bool hw_bind_offered(void) {
  const struct hwloc_topology_support *support =
      bind_topology() != NULL ? hwloc_topology_get_support(bind_topology()) : NULL;

  return support != NULL && support->cpubind->set_thisthread_cpubind;
}

/* Sets set[p] for the processors p that get returns for the calling thread.  0, or -1. */
static int bind_get(bool set[HW_BIND_MOST],
                    int (*get)(hwloc_topology_t, hwloc_cpuset_t, int flags)) {
  hwloc_cpuset_t found = bind_topology() != NULL ? hwloc_bitmap_alloc() : NULL;
  int result = found == NULL ? -1 : get(bind_topology(), found, HWLOC_CPUBIND_THREAD);

  for (unsigned p = 0; p < HW_BIND_MOST; p++)
    set[p] = result == 0 && hwloc_bitmap_isset(found, p);
  hwloc_bitmap_free(found);
  return result;
}

int hw_bind_allowed(bool allowed[HW_BIND_MOST]) { return bind_get(allowed, hwloc_get_cpubind); }

int hw_bind_where(void) {
  bool set[HW_BIND_MOST];

  if (bind_get(set, hwloc_get_last_cpu_location) == 0)
    for (int p = 0; p < HW_BIND_MOST; p++)
      if (set[p])
        return p;
  return -1;
}

int hw_bind_set(const bool set[HW_BIND_MOST]) {
  hwloc_cpuset_t wanted = bind_topology() != NULL ? hwloc_bitmap_alloc() : NULL;
  int result = -1;

  for (unsigned p = 0; wanted != NULL && p < HW_BIND_MOST; p++)
    if (set[p])
      hwloc_bitmap_set(wanted, p);
  if (wanted != NULL)
    result = hwloc_set_cpubind(bind_topology(), wanted, HWLOC_CPUBIND_THREAD);
  hwloc_bitmap_free(wanted);
  return result == 0 ? 0 : -1;
}
#elif defined __linux__
bool hw_bind_offered(void) { return true; }

/* The system refuses a set with less room than its greatest number of processors. */
int hw_bind_allowed(bool allowed[HW_BIND_MOST]) {
  size_t bytes = CPU_ALLOC_SIZE(HW_BIND_MOST);
  cpu_set_t *found = CPU_ALLOC(HW_BIND_MOST);
  int result = found == NULL ? -1 : sched_getaffinity(0, bytes, found);

  for (size_t p = 0; p < HW_BIND_MOST; p++)
    allowed[p] = result == 0 && CPU_ISSET_S(p, bytes, found);
  CPU_FREE(found);
  return result;
}

int hw_bind_where(void) { return sched_getcpu(); }

int hw_bind_set(const bool set[HW_BIND_MOST]) {
  size_t bytes = CPU_ALLOC_SIZE(HW_BIND_MOST);
  cpu_set_t *wanted = CPU_ALLOC(HW_BIND_MOST);
  int result = -1;

  if (wanted == NULL)
    return -1;
  CPU_ZERO_S(bytes, wanted);
  for (size_t p = 0; p < HW_BIND_MOST; p++)
    if (set[p])
      CPU_SET_S(p, bytes, wanted);
  result = sched_setaffinity(0, bytes, wanted);
  CPU_FREE(wanted);
  return result == 0 ? 0 : -1;
}
#else
bool hw_bind_offered(void) { return false; }

int hw_bind_allowed(bool allowed[HW_BIND_MOST]) {
  for (int p = 0; p < HW_BIND_MOST; p++)
    allowed[p] = false;
  return -1;
}

int hw_bind_where(void) { return -1; }

int hw_bind_set(const bool set[HW_BIND_MOST]) {
  (void)set;
  return -1;
}
#endif

int hw_bind_one(int processor) {
  bool set[HW_BIND_MOST] = {false};

  if (processor < 0 || processor >= HW_BIND_MOST)
    return -1;
  set[processor] = true;
  return hw_bind_set(set);
}
