/* Execution contexts: threads of a kind that run without slowing each other.

   Curve   contexts_int, contexts_fp, contexts_mem: x threads, y time of the slowest over that
           alone.  The last point, of one thread more than there are processors, is not measured:
           they take turns.
   Method  Threads on processors of their own, one on each core before any core has two, do
           divisions of ones that the compiler cannot fold, or dependent loads that hit level 1.
           A binary search over the number of threads finds the first step.  Threads that have a
           core each, and still slow each other, must do so in looks at times apart, and while each
           really has one: a host may put two virtual processors on one core for a while.  Then all
           numbers of threads are measured a second time, later, and each must say the same.
   Rows    CONTEXTS_INT, CONTEXTS_FP, CONTEXTS_MEM.
   Cost    Two processors: 150 ms, or 700 ms where threads slow each other that have a core each.
   See     BB 3.4, 4.2.1. */
#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"
#include "probes/probe.h"
#include "probes/system/co_run.h"

#include <stdlib.h>

/* Looks at threads that slow each other, at most; the pause between two doubles each time. */
#define CONTEXTS_LOOKS 4

/* The kinds. */
#define CONTEXTS_KINDS 3u

static const struct contexts_kind {
  const char *name;
  enum hw_work work;
} contexts_kinds[CONTEXTS_KINDS] = {{HW_NAME_CONTEXTS_INT, HW_WORK_INT},
                                    {HW_NAME_CONTEXTS_FP, HW_WORK_FP},
                                    {HW_NAME_CONTEXTS_MEM, HW_WORK_WALK}};

struct contexts_search {
  struct hw_co_run run;
  size_t *place; /* the order in which processors are taken */
  struct hw_point *point;
  size_t n;
  size_t cores;
  struct hw_curve curve;
};

/* Measures that many threads; *company becomes whether they slow each other.  0, or -1. */
static int contexts_measure(struct contexts_search *search, size_t threads,
                            enum hw_company *company) {
  struct hw_bench *bench = search->run.bench;
  struct hw_point *slowest = search->point;

  if (hw_co_run_sample(&search->run, search->place, threads, search->point) != 0)
    return -1;
  for (size_t i = 1; i < threads; i++)
    if (slowest->count > 0 && (search->point[i].count == 0 || search->point[i].y > slowest->y))
      slowest = &search->point[i];
  if (threads > 1 && threads <= search->cores && hw_company_of(slowest) != HW_COMPANY_ALONE &&
      hw_co_run_together(bench, search->place, threads) != 0)
    *slowest = (struct hw_point){0};
  slowest->x = (double)threads;
  *company = hw_company_of(slowest);
  return hw_curve_put(&search->curve, *slowest);
}

/* The same; where each has a core, repeated after pauses until they do not slow each other. */
static int contexts_looks(struct contexts_search *search, size_t threads,
                          enum hw_company *company) {
  int result = contexts_measure(search, threads, company);
  double apart = HW_HOST_SLICE_NS;

  for (int look = 1; look < CONTEXTS_LOOKS && threads <= search->cores && result == 0 &&
                     *company != HW_COMPANY_ALONE;
       look++) {
    hw_pause(search->run.bench, apart);
    apart *= 2;
    result = contexts_measure(search, threads, company);
  }
  return result;
}

/* Measures one thread, all, and by binary search where the time first rises. */
static int contexts_search(struct contexts_search *search) {
  const struct hw_point turns = {.x = (double)(search->n + 1), .y = 2, .count = 1};
  size_t low = 1, high = search->n + 1, threads = search->n;
  enum hw_company company;

  if (contexts_measure(search, 1, &company) != 0)
    return -1;
  while (high - low > 1) {
    if (contexts_looks(search, threads, &company) != 0)
      return -1;
    if (company == HW_COMPANY_ALONE)
      low = threads;
    else
      high = threads;
    threads = low + (high - low) / 2;
  }
  return hw_curve_put(&search->curve, turns);
}

/* Measures each number of threads again; one that says something else is unclear.  0, or -1. */
static int contexts_second(struct contexts_search *search) {
  for (size_t i = 0; i < search->curve.n; i++) {
    struct hw_point first = search->curve.point[i];
    enum hw_company company;

    if (first.x < 1.5 || first.x > (double)search->n + 0.5)
      continue;
    if (contexts_looks(search, (size_t)first.x, &company) != 0)
      return -1;
    if (company != hw_company_of(&first))
      search->curve.point[i].count = 0;
  }
  return 0;
}

/* Whether threads seem to slow each other that have a core each. */
static bool contexts_crowded(const struct contexts_search *search) {
  for (size_t i = 0; i < search->curve.n; i++) {
    const struct hw_point *p = &search->curve.point[i];
    if (p->x < (double)search->cores + 0.5 && hw_company_of(p) == HW_COMPANY_SHARING)
      return true;
  }
  return false;
}

/* Looks at each kind, and later again.  0, or -1. */
static int contexts_twice(struct contexts_search *search, const bool *known) {
  struct hw_bench *bench = search->run.bench;
  double begun = hw_now(bench), apart = HW_HOST_SLICE_NS, passed;
  int result = 0;

  for (size_t k = 0; k < CONTEXTS_KINDS && result == 0; k++)
    if (!known[k]) {
      result = hw_co_run_init(&search[k].run) != 0 ? -1 : contexts_search(&search[k]);
      if (result == 0 && contexts_crowded(&search[k]))
        apart = HW_HOST_MOVES_NS;
    }
  passed = hw_now(bench) - begun;
  if (result == 0 && passed < apart)
    hw_pause(bench, apart - passed);
  for (size_t k = 0; k < CONTEXTS_KINDS && result == 0; k++)
    if (!known[k])
      result = contexts_second(&search[k]);
  return result;
}

/* The kinds that no earlier attempt has told.  0, or -1. */
static int contexts_all(const struct contexts_search *search) {
  struct hw_bench *bench = search->run.bench;
  struct hw_memory *memory = hw_co_run_ring(bench->machine);
  struct contexts_search kind[CONTEXTS_KINDS];
  bool known[CONTEXTS_KINDS];
  int result;

  if (memory == NULL)
    return -1;
  for (size_t k = 0; k < CONTEXTS_KINDS; k++) {
    const char *name = contexts_kinds[k].name;
    known[k] = hw_reduce_named(&bench->curves, name, hw_reduce_contexts).known;
    kind[k] = *search;
    kind[k].run.work = contexts_kinds[k].work;
    kind[k].run.memory = contexts_kinds[k].work == HW_WORK_WALK ? memory : NULL;
    hw_curve_init(&kind[k].curve, name, "threads (count)", "time of the slowest over that alone");
  }
  result = contexts_twice(kind, known);
  bench->machine->ops->unmap(bench->machine, memory);
  for (size_t k = 0; k < CONTEXTS_KINDS; k++)
    if (known[k])
      hw_curve_free(&kind[k].curve);
    else if (hw_publish(bench, &kind[k].curve, "contexts", result) != 0)
      result = -1;
  return result;
}

int hw_probe_contexts(struct hw_bench *bench) {
  struct hw_answer cpus = hw_value_cpus(&bench->curves), cores = hw_value_cores(&bench->curves);
  struct contexts_search search = {.run = {.bench = bench},
                                   .n = cpus.known ? (size_t)cpus.value : 0,
                                   .cores = cores.known ? (size_t)cores.value : 0};
  int result = -1;

  if (search.n == 0)
    return hw_lacks(bench, "HW_CPUS is unknown");
  search.place = calloc(search.n, sizeof *search.place);
  search.point = calloc(search.n, sizeof *search.point);
  if (search.place != NULL && search.point != NULL) {
    bench->why = hw_core_order(&bench->curves, search.place, search.n);
    if (bench->why == NULL)
      result = contexts_all(&search);
  }
  free(search.place);
  free(search.point);
  return result;
}
