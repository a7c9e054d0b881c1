/* Processors, and which of them have a core to themselves.

   Curve   meetings: x threads, y time from one meeting of all of them to the next (ns).
           online: x 0, y how many processors the system says there are, if none can be listed.
           processors: x place of a processor in the list, y the number that the system has for it.
           cores: x place, y time of additions with all processors busy, over that alone.
           comm_early: see comm.c.
           core_pairs: x place of one times 1024 plus that of the other, y time alone over that
           with both busy: of each processor and the first of its core, and of each of these first
           ones and the next; of those only that share a core with some other.
   Method  As many threads as there are processors meet again and again within microseconds; with
           one more they meet only once a time slot.  Other processes cannot make meetings quick
           that are slow because threads take turns, and where each thread has its processor do not
           slow them all the time.  Elsewhere one that stays hides a processor: then CPUS is known
           only if the system does not say that there are more.
           Independent additions use a core's whole issue width: a processor that is slowed by
           others doing so shares its core.  First all at once, which settles it where none shares
           a core; then in crowds (crowds.h): 2 for each bit of the number of cores, and 2 for each
           processor of a core but one.
   Rows    CPUS; CORES and CORE_THREADS with what cores.c adds.
   Cost    Two processors: 70 ms.  512 in pairs: 0.9 s, of which 0.5 are pauses.
   Limits  Without binding, CPUS only.  Processors are those of --with-hw-cpus if that is given,
           else those that the program may run on when it starts.
   See     XT 3.6; BB 3.4; SV III-B for the groups. */
#include "probes/system/processors.h"

#include "analysis/company.h"
#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"
#include "probes/system/co_run.h"
#include "probes/system/comm.h"
#include "probes/system/crowds.h"

#include <math.h>
#include <stdlib.h>

/* Most processors that are searched for where threads cannot be bound. */
#define PROC_MOST 256u

/* Looks at processors that others slow, at most; the pause between two doubles each time. */
#define PROC_LOOKS 5

/* The curve of meetings. */
struct processors_meetings {
  struct hw_bench *bench;
  struct hw_curve time;
  bool bound;
};

/* Has n threads meet, each on a processor of its own or anywhere.  0, or -1 when there are no such
   threads. */
static int processors_meet(struct processors_meetings *meetings, size_t n, struct hw_point *time) {
  struct hw_machine *machine = meetings->bench->machine;
  struct hw_part *part = calloc(n, sizeof *part);
  int result = -1;

  for (size_t i = 0; part != NULL && i < n; i++)
    part[i] = (struct hw_part){.processor = meetings->bound ? i : HW_ANYWHERE,
                               .work = HW_WORK_MEET,
                               .n = (unsigned long)HW_PROCESS_STAYS_NS};
  if (part != NULL && !hw_late(meetings->bench))
    result = machine->ops->team(machine, part, n);
  if (result == 0) {
    *time =
        (struct hw_point){.x = (double)n, .y = part[0].work_ns / fmax(part[0].done, 1), .count = 1};
    result = hw_curve_put(&meetings->time, *time) < 0 ? -1 : 0;
  }
  free(part);
  return result;
}

/* If threads cannot be bound: doubles them until they do not meet, and then bisects. */
static int processors_search(struct processors_meetings *meetings) {
  size_t low = 1, high = 0;
  struct hw_point time;

  if (processors_meet(meetings, low, &time) != 0)
    return -1;
  while (high != low + 1) {
    size_t n = high == 0 ? 2 * low : low + (high - low) / 2;

    if (n > PROC_MOST || processors_meet(meetings, n, &time) != 0)
      return -1;
    if (hw_meeting_of(&time) == HW_COMPANY_ALONE)
      low = n;
    else
      high = n;
  }
  return 0;
}

static int processors_meetings(struct hw_bench *bench, size_t n) {
  struct processors_meetings meetings = {.bench = bench, .bound = true};
  struct hw_point time;
  int result;

  hw_curve_init(&meetings.time, HW_NAME_MEETINGS, "threads (count)", "time between meetings (ns)");
  if (n == 0) {
    meetings.bound = false;
    result = processors_search(&meetings);
  } else {
    result = processors_meet(&meetings, n, &time);
    meetings.bound = false;
    if (result == 0)
      result = processors_meet(&meetings, n + 1, &time);
  }
  return hw_publish(bench, &meetings.time, "processors", result);
}

/* Publishes how many processors the system says there are. */
static int processors_online(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct hw_point point = {.y = (double)machine->ops->online(machine), .count = 1};
  struct hw_curve curve;

  hw_curve_init(&curve, HW_NAME_ONLINE, "none", "processors that the system has (count)");
  return hw_publish(bench, &curve, "processors", hw_curve_put(&curve, point) < 0 ? -1 : 0);
}

static int processors_list(struct hw_bench *bench, const unsigned *number, size_t n) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, HW_NAME_PROCESSORS, "place in the list", "number of the processor");
  for (size_t i = 0; i < n && result == 0; i++)
    result = hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = (double)number[i]});
  return hw_publish(bench, &curve, "processors", result);
}

/* Whether one of the n points is of a processor that others slow. */
static bool processors_slowed(const struct hw_point *point, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hw_company_of(&point[i]) == HW_COMPANY_SHARING)
      return true;
  return false;
}

/* Measures all at once; again while one seems to be slowed by others, up to that many looks: the
   first pause is apart, ns. */
static int processors_sample(const struct hw_co_run *run, const size_t *place, size_t n, int looks,
                             double apart, struct hw_point *point) {
  struct hw_point *later = calloc(n, sizeof *later);
  int result = later == NULL ? -1 : hw_co_run_sample(run, place, n, point);

  for (int look = 1; result == 0 && look < looks && processors_slowed(point, n); look++) {
    hw_pause(run->bench, apart);
    apart *= 2;
    result = hw_co_run_sample(run, place, n, later);
    if (result == 0)
      hw_processors_quicker(point, later, n);
  }
  free(later);
  return result;
}

int hw_cores_look(const struct hw_co_run *run, size_t n, int looks, double apart, const char *name,
                  const char *probe) {
  size_t *place = calloc(n, sizeof *place);
  struct hw_point *point = calloc(n, sizeof *point);
  struct hw_curve curve;
  int result = -1;

  hw_curve_init(&curve, name, "place of the processor", "time with all busy over that alone");
  for (size_t i = 0; place != NULL && i < n; i++)
    place[i] = i;
  if (place != NULL && point != NULL)
    result = processors_sample(run, place, n, looks, apart, point);
  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(&curve, point[i]);
  free(place);
  free(point);
  return hw_publish(run->bench, &curve, probe, result);
}

static int processors_crowd(void *context, const size_t *place, size_t n, struct hw_point *point) {
  return hw_co_run_sample(context, place, n, point);
}

/* Publishes which processors share a core: the time that one of a pair needs alone over that with
   the other busy. */
static int processors_publish_pairs(const struct hw_crowds *crowds, const size_t *group) {
  struct hw_curve curve;
  int result;

  hw_curve_init(&curve, HW_NAME_CORE_PAIRS, HW_PAIRS_TITLE, "time alone over that with both busy");
  result = hw_crowds_put(crowds, group, &curve);
  for (size_t i = 0; i < curve.n; i++)
    curve.point[i] = (struct hw_point){.x = curve.point[i].x, .y = 1 / curve.point[i].y};
  fprintf(crowds->bench->log, "processors: %zu crowds measured\n", crowds->asked);
  return hw_publish(crowds->bench, &curve, "processors", result);
}

/* Measures the groups of processors that share a core, if there are any. */
static int processors_core_groups(struct hw_bench *bench, struct hw_co_run *run, size_t n) {
  const struct hw_curve *cores = hw_curves_get(&bench->curves, HW_NAME_CORES);
  struct hw_point *beside = calloc(n, sizeof *beside);
  size_t place[HW_THINGS], group[HW_THINGS];
  struct hw_crowds crowds = {.bench = bench,
                             .thing = place,
                             .measure = processors_crowd,
                             .of = hw_company_of,
                             .context = run,
                             .beside = beside};
  bool clear = true;
  int result = beside == NULL ? -1 : 0;

  for (size_t i = 0; clear && i < n; i++) {
    if (hw_company_of(&cores->point[i]) == HW_COMPANY_SHARING)
      place[crowds.n++] = i;
    clear = hw_company_of(&cores->point[i]) != HW_COMPANY_UNCLEAR;
  }
  if (result == 0 && clear && crowds.n > 1)
    result = hw_crowds_search(&crowds, group) == 0 ? processors_publish_pairs(&crowds, group) : -1;
  free(beside);
  return result;
}

/* Measures which processors share a core, with twice as many rounds at each attempt. */
static int processors_share(struct hw_bench *bench, size_t n, unsigned attempt) {
  struct hw_co_run run = {.bench = bench, .work = HW_WORK_ISSUE};

  if (hw_co_run_init(&run) != 0)
    return -1;
  run.rounds <<= attempt;
  if (hw_cores_look(&run, n, PROC_LOOKS, HW_HOST_SLICE_NS, "cores", "processors") != 0)
    return -1;
  return processors_core_groups(bench, &run, n);
}

/* Whether measuring again may tell which share a core. */
static bool processors_unclear(const struct hw_bench *bench) {
  size_t core[HW_THINGS], n = 0;
  bool settled;

  return !hw_late(bench) && hw_core_of(&bench->curves, core, &n, &settled) != NULL && !settled;
}

/* If it is unclear which share a core, measures again: the rows for that are those of cores.c. */
int hw_probe_processors(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  const unsigned *number;
  int result;
  size_t n;

  number = machine->ops->processors(machine, &n);
  if (n > HW_THINGS || processors_meetings(bench, n) != 0)
    return -1;
  if (n == 0)
    return processors_online(bench);
  result = processors_list(bench, number, n);
  for (unsigned attempt = 0; attempt < bench->effort.attempts && result == 0; attempt++) {
    result = processors_share(bench, n, attempt);
    if (!processors_unclear(bench))
      break;
  }
  return result == 0 ? hw_comm_early(bench, n) : result;
}
