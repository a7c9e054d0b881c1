/* Execution contexts: threads of a kind that run without slowing each other.

   Curve   contexts_int, contexts_fp, contexts_mem: x threads, y time of the slowest over that
           alone.  The last point, of one thread more than there are processors, is not measured:
           they take turns.
   Method  Threads on processors of their own, one on each core before any core has two, do
           divisions of ones that the compiler cannot fold, or dependent loads that hit level 1.
           A binary search over the number of threads finds the first step.  Threads that have a
           core each, and still slow each other, must do so in looks at times apart, and while each
           really has one: a host may put two virtual processors on one core for a while.
   Rows    CONTEXTS_INT, CONTEXTS_FP, CONTEXTS_MEM.
   Cost    Two processors: 60 ms.
   See     BB 3.4, 4.2.1. */
#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"
#include "probes/system/co_run.h"

#include <stdlib.h>

/* The ring that is walked: its bytes, less than any level 1, and those between two loads. */
#define CONTEXTS_RING 2048u
#define CONTEXTS_STRIDE 16u
#define CONTEXTS_LOADS (CONTEXTS_RING / CONTEXTS_STRIDE)

/* Looks at threads that slow each other, at most; the pause between two doubles each time. */
#define CONTEXTS_LOOKS 4

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

static int contexts_kind(struct hw_bench *bench, struct contexts_search *search, enum hw_work work,
                         struct hw_memory *memory, const char *name) {
  if (hw_reduce_named(&bench->curves, name, hw_reduce_contexts).known)
    return 0; /* by an earlier attempt */
  search->run = (struct hw_co_run){.bench = bench, .work = work, .memory = memory};
  hw_curve_init(&search->curve, name, "threads (count)", "time of the slowest over that alone");
  return hw_publish(bench, &search->curve, "contexts",
                    hw_co_run_init(&search->run) == 0 ? contexts_search(search) : -1);
}

/* The three kinds.  0, or -1. */
static int contexts_kinds(struct hw_bench *bench, struct contexts_search *search) {
  struct hw_machine *machine = bench->machine;
  struct hw_memory *memory = machine->ops->map(machine, CONTEXTS_RING, HW_PAGES_PLAIN);
  size_t offset[CONTEXTS_LOADS];
  int result = -1;

  for (size_t i = 0; i < CONTEXTS_LOADS; i++)
    offset[i] = i * CONTEXTS_STRIDE;
  if (memory != NULL && machine->ops->link(machine, memory, offset, CONTEXTS_LOADS) == 0 &&
      contexts_kind(bench, search, HW_WORK_INT, NULL, HW_NAME_CONTEXTS_INT) == 0 &&
      contexts_kind(bench, search, HW_WORK_FP, NULL, HW_NAME_CONTEXTS_FP) == 0)
    result = contexts_kind(bench, search, HW_WORK_WALK, memory, HW_NAME_CONTEXTS_MEM);
  machine->ops->unmap(machine, memory);
  return result;
}

int hw_probe_contexts(struct hw_bench *bench) {
  struct hw_answer cpus = hw_value_cpus(&bench->curves), cores = hw_value_cores(&bench->curves);
  struct contexts_search search = {.n = cpus.known ? (size_t)cpus.value : 0,
                                   .cores = cores.known ? (size_t)cores.value : 0};
  int result = -1;

  if (search.n == 0)
    return -1;
  search.place = calloc(search.n, sizeof *search.place);
  search.point = calloc(search.n, sizeof *search.point);
  if (search.place != NULL && search.point != NULL &&
      hw_core_order(&bench->curves, search.place, search.n) == NULL)
    result = contexts_kinds(bench, &search);
  free(search.place);
  free(search.point);
  return result;
}
