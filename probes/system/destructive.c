/* The distance at which two threads' writes stop disturbing each other.

   Curve   destructive: x distance of two words (bytes), y time of adding to one of them with
           another core adding to the other, over that alone.
   Method  Two threads on different cores add to words at growing distance, each to its own.  While
           both lie in what one core has to itself to write, each waits for the other.
   Rows    DESTRUCTIVE_BYTES.
   Cost    20 ms.
   Limits  Needs threads that are bound, and two cores.  Distances double.
   See     C++17, hardware_destructive_interference_size. */
#include "analysis/company.h"
#include "probes/system/pairs.h"
#include "probes/system/processors.h"

#include <math.h>
#include <stdlib.h>

/* Distances: from a word of four bytes up to a page. */
#define DESTRUCTIVE_LEAST 4u
#define DESTRUCTIVE_MOST 4096u
#define DESTRUCTIVE_POINTS 11u
/* All of them are measured so often. */
#define DESTRUCTIVE_TIMES 3u
/* Additions of a sample: much longer than what threads begin apart. */
#define DESTRUCTIVE_STORES 16384ul

/* Notes a distance.  Where it is another time not what it was, it is not clear: strangers may keep
   the other thread away, or be who disturbs. */
static int destructive_note(struct hw_curve *curve, struct hw_point point) {
  for (size_t i = 0; i < curve->n; i++)
    if (fabs(curve->point[i].x - point.x) < 0.5 &&
        hw_company_of(&curve->point[i]) != hw_company_of(&point))
      point.count = 0;
  return hw_curve_put(curve, point);
}

/* Measures one distance between two processors. */
static int destructive_point(struct hw_bench *bench, struct hw_memory *memory, const size_t *place,
                             size_t distance, struct hw_curve *curve) {
  unsigned long n = bench->adds > DESTRUCTIVE_STORES ? bench->adds : DESTRUCTIVE_STORES;
  struct hw_part part[3];
  const struct hw_team team[] = {{part, 1}, {&part[1], 2}};
  struct hw_point point[3];

  for (size_t i = 0; i < 3; i++)
    part[i] = (struct hw_part){.processor = place[i / 2],
                               .work = HW_WORK_STORE,
                               .memory = memory,
                               .n = n,
                               .warm = n / 4,
                               .offset = i / 2 * distance};
  if (hw_team_sample(bench, team, 2, bench->effort.rounds, point) != 0)
    return -1;
  point[1].x = (double)distance;
  point[1].count = point[0].count == 0 ? 0 : point[1].count;
  point[1].y = point[1].count == 0 ? 1 : point[1].y / point[0].y;
  return destructive_note(curve, point[1]);
}

/* Two processors of different cores, as far from each other as their numbers tell.  0, or -1 when
   there are none or it is not known. */
static int destructive_place(const struct hw_curves *curves, size_t *place) {
  struct hw_answer cores = hw_value_cores(curves), cpus = hw_value_cpus(curves);
  size_t *order;
  int result = -1;

  if (!cores.known || !cpus.known || cores.value < 2)
    return -1;
  order = calloc((size_t)cpus.value, sizeof *order);
  if (order != NULL && hw_core_order(curves, order, (size_t)cpus.value) == NULL) {
    place[0] = order[0];
    place[1] = order[(size_t)cores.value - 1];
    result = 0;
  }
  free(order);
  return result;
}

int hw_probe_destructive(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  size_t place[2];
  struct hw_memory *memory;
  struct hw_curve curve;
  int result = 0;

  if (destructive_place(&bench->curves, place) != 0)
    return -1;
  memory = machine->ops->map(machine, 2 * DESTRUCTIVE_MOST, HW_PAGES_PLAIN);
  if (memory == NULL)
    return -1;
  hw_curve_init(&curve, "destructive", "distance of two words (bytes)",
                "time of adding to one with another core at the other, over that alone");
  for (size_t i = 0; result == 0 && i < DESTRUCTIVE_TIMES * DESTRUCTIVE_POINTS; i++)
    result = destructive_point(bench, memory, place,
                               (size_t)DESTRUCTIVE_LEAST << i % DESTRUCTIVE_POINTS, &curve) < 0
                 ? -1
                 : 0;
  machine->ops->unmap(machine, memory);
  if (result == 0)
    return hw_publish(bench, &curve, "destructive", 1);
  hw_curve_free(&curve);
  return -1;
}

struct hw_answer hw_value_destructive_bytes(const struct hw_curves *curves) {
  struct hw_answer cores = hw_value_cores(curves), line = hw_value_l1_line(curves), distance;

  if (cores.known && cores.value < 2)
    return hw_absent("last step", "there are no two cores");
  distance = hw_reduce_named(curves, "destructive", hw_reduce_distance);
  if (distance.known && line.known && distance.value < line.value)
    return hw_unknown(distance.method, "it is less than a line");
  return distance;
}
