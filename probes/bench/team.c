/* Teams of threads.  See team.h.

   On a processor that another process loads, a thread waits some ms for its time slice.  Much
   shorter work then is undisturbed by its own clocks, but no other thread ran beside it. */
#include "probes/bench/team.h"

#include "analysis/environment.h"
#include "analysis/samples.h"

#include <math.h>
#include <stdlib.h>

/* Threads of which one may be missing. */
#define TEAM_ENOUGH 32u
/* Length of a watch for load by other processes, ns: some time slices of a scheduler; and watches
   that all have to show it. */
#define TEAM_WATCH 25000000ul
#define TEAM_WATCHES 3

bool hw_team_away(const struct hw_part *part) {
  double away = part->cpu_ns < 0 ? 0 : part->wall_ns - part->cpu_ns;

  return away > HW_STOLEN * part->wall_ns + HW_STOLEN_TOGETHER_NS;
}

bool hw_team_missing(const struct hw_part *part, size_t n) {
  size_t away = 0, later = 0;

  for (size_t i = 0; i < n; i++) {
    away += hw_team_away(&part[i]);
    later = part[i].later > later ? part[i].later : later;
  }
  return away + later > n / TEAM_ENOUGH;
}

bool hw_team_wanted(struct hw_bench *bench, size_t n) {
  struct hw_machine *machine = bench->machine;
  struct hw_part *part = calloc(n, sizeof *part);
  struct hw_gap *gap = calloc(n * HW_GAPS, sizeof *gap);
  bool wanted = part != NULL && gap != NULL;

  for (int watch = 0; wanted && watch < TEAM_WATCHES; watch++) {
    for (size_t i = 0; i < n; i++)
      part[i] = (struct hw_part){
          .processor = i, .work = HW_WORK_WATCH, .n = TEAM_WATCH, .gap = &gap[i * HW_GAPS]};
    wanted = machine->ops->team(machine, part, n) == 0 && hw_team_missing(part, n);
  }
  free(part);
  free(gap);
  if (wanted)
    bench->why = "other processes use the processors";
  return wanted;
}

/* The time of a unit of part i, in cycles or ns; NAN if it was disturbed. */
static double team_cost(const struct hw_bench *bench, const struct hw_team *team, size_t i) {
  const struct hw_part *part = &team->part[i];
  double unit = 1;

  if (hw_team_away(part))
    return NAN;
  if (part->work == HW_WORK_PASS) { /* the first of the two has timed it */
    if (hw_team_away(&team->part[i ^ 1]) || part->done < (double)part->n)
      return NAN;
    part = &team->part[i & ~(size_t)1];
    unit = 2;
  }
  if (part->adds > 0)
    unit = part->cycle_ns > 0 ? part->cycle_ns : NAN;
  return (part->work_ns - bench->read_ns) / (part->done * unit);
}

/* Runs a team. */
static int team_run(struct hw_bench *bench, const struct hw_team *team, double *cost) {
  struct hw_machine *machine = bench->machine;
  bool missing;

  if (hw_late(bench) || machine->ops->team(machine, team->part, team->n) != 0)
    return -1;
  missing = hw_team_missing(team->part, team->n);
  for (size_t i = 0; i < team->n; i++) {
    cost[i] = missing ? NAN : team_cost(bench, team, i);
    team->part[i].offset += team->step;
  }
  return 0;
}

int hw_team_rounds(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, double *cost) {
  for (unsigned r = 0; r < rounds; r++)
    for (size_t t = 0; t < teams; cost += team[t++].n)
      if (team_run(bench, &team[t], cost) != 0)
        return -1;
  return 0;
}

struct hw_point hw_column_low(const double *column, size_t columns, unsigned rounds,
                              double *scratch) {
  size_t n = 0;

  for (unsigned r = 0; r < rounds; r++)
    if (!isnan(column[r * columns]))
      scratch[n++] = column[r * columns];
  return hw_low_end(scratch, n);
}

int hw_team_sample(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, struct hw_point *point) {
  double *scratch = calloc(rounds, sizeof *scratch), *cost;
  size_t parts = 0;
  int result = -1;

  for (size_t t = 0; t < teams; t++)
    parts += team[t].n;
  cost = calloc(parts * rounds, sizeof *cost);
  if (cost != NULL && scratch != NULL)
    result = hw_team_rounds(bench, team, teams, rounds, cost);
  for (size_t i = 0; result == 0 && i < parts; i++) {
    point[i] = hw_column_low(&cost[i], parts, rounds, scratch);
    if (point[i].count < HW_TEAM_TRUSTED)
      point[i] = (struct hw_point){0};
  }
  free(cost);
  free(scratch);
  return result;
}
