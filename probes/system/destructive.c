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
/* They are measured in turn, each until so many times say the same, and so many times as many as
   say something else; and so often at most. */
#define DESTRUCTIVE_AGREE 3u
#define DESTRUCTIVE_TIMES 8u
/* Rounds of a time, at most: more times say more than longer ones. */
#define DESTRUCTIVE_ROUNDS 12u
/* Additions of a sample: much longer than what threads begin apart. */
#define DESTRUCTIVE_STORES 16384ul

/* What the times said of a distance: the last point that said so, and how many did. */
struct destructive_tally {
  struct hw_point point[HW_COMPANY_UNCLEAR];
  unsigned times[HW_COMPANY_UNCLEAR];
};

/* What is settled of a distance.  Strangers may keep the other thread away, or be who disturbs. */
static enum hw_company destructive_settled(const struct destructive_tally *tally) {
  for (unsigned company = 0; company < HW_COMPANY_UNCLEAR; company++)
    if (tally->times[company] >= DESTRUCTIVE_AGREE &&
        tally->times[company] >= DESTRUCTIVE_AGREE * tally->times[1 - company])
      return (enum hw_company)company;
  return HW_COMPANY_UNCLEAR;
}

/* Measures one distance between two processors. */
static int destructive_point(struct hw_bench *bench, struct hw_memory *memory, const size_t *place,
                             size_t distance, struct destructive_tally *tally) {
  unsigned rounds =
      bench->effort.rounds < DESTRUCTIVE_ROUNDS ? bench->effort.rounds : DESTRUCTIVE_ROUNDS;
  unsigned long n = bench->adds > DESTRUCTIVE_STORES ? bench->adds : DESTRUCTIVE_STORES;
  struct hw_part part[3];
  const struct hw_team team[] = {{part, 1}, {&part[1], 2}};
  struct hw_point point[3];
  enum hw_company company;

  for (size_t i = 0; i < 3; i++)
    part[i] = (struct hw_part){.processor = place[i / 2],
                               .work = HW_WORK_STORE,
                               .memory = memory,
                               .n = n,
                               .warm = n / 4,
                               .offset = i / 2 * distance};
  if (hw_team_sample(bench, team, 2, rounds, point) != 0)
    return -1;
  if (point[0].count == 0 || point[1].count == 0)
    return 0;
  point[1].y /= point[0].y;
  company = hw_company_of(&point[1]);
  if (company == HW_COMPANY_UNCLEAR)
    return 0;
  tally->point[company] = point[1];
  tally->times[company]++;
  return 0;
}

/* Measures all distances, and puts those into the curve that are settled; the others have no
   samples there. */
static int destructive_all(struct hw_bench *bench, struct hw_memory *memory, const size_t *place,
                           struct hw_curve *curve) {
  struct destructive_tally tally[DESTRUCTIVE_POINTS] = {{.times = {0}}};
  int result = 0;

  for (size_t i = 0; result == 0 && i < DESTRUCTIVE_TIMES * DESTRUCTIVE_POINTS; i++) {
    const size_t at = i % DESTRUCTIVE_POINTS;
    if (destructive_settled(&tally[at]) == HW_COMPANY_UNCLEAR)
      result = destructive_point(bench, memory, place, (size_t)DESTRUCTIVE_LEAST << at, &tally[at]);
  }
  for (size_t i = 0; result == 0 && i < DESTRUCTIVE_POINTS; i++) {
    enum hw_company company = destructive_settled(&tally[i]);
    struct hw_point point = {.y = 1};
    if (company != HW_COMPANY_UNCLEAR)
      point = tally[i].point[company];
    point.x = (double)((size_t)DESTRUCTIVE_LEAST << i);
    result = hw_curve_put(curve, point);
  }
  return result;
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
  int result;

  if (destructive_place(&bench->curves, place) != 0)
    return -1;
  memory = machine->ops->map(machine, 2 * DESTRUCTIVE_MOST, HW_PAGES_PLAIN);
  if (memory == NULL)
    return -1;
  hw_curve_init(&curve, "destructive", "distance of two words (bytes)",
                "time of adding to one with another core at the other, over that alone");
  result = destructive_all(bench, memory, place, &curve);
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
