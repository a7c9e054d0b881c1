/* Teams of threads.  See team.h.

   On a processor that others use too, a thread waits for its turn, some ms.  Much shorter work goes
   undisturbed by every clock of its own, whenever it begins; but nobody is at work beside it. */
#include "probes/system/team.h"

#include <math.h>
#include <stdlib.h>

/* A thread that ran for less of its time than this, by so many ns, was preempted. */
#define TEAM_STOLEN 0.02
#define TEAM_STOLEN_NS 5000
/* Of so many threads one may be missing. */
#define TEAM_ENOUGH 32u
/* For so long it is watched whether others want a processor, ns: some slots of a scheduler; and so
   often until it is believed. */
#define TEAM_WATCH 25000000ul
#define TEAM_WATCHES 3

bool hw_team_away(const struct hw_part *part) {
  double away = part->cpu_ns < 0 ? 0 : part->wall_ns - part->cpu_ns;

  return away > TEAM_STOLEN * part->wall_ns + TEAM_STOLEN_NS;
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
    fprintf(bench->log, "others want the processors\n");
  return wanted;
}

/* Runs a team.  ns a unit of each part, NAN where somebody was missing.  0, or -1. */
static int team_run(struct hw_bench *bench, const struct hw_team *team, double *cost) {
  struct hw_machine *machine = bench->machine;
  bool missing;

  if (hw_late(bench) || machine->ops->team(machine, team->part, team->n) != 0)
    return -1;
  missing = hw_team_missing(team->part, team->n);
  for (size_t i = 0; i < team->n; i++) {
    const struct hw_part *part = &team->part[i];

    cost[i] = missing || hw_team_away(part) ? NAN : (part->work_ns - bench->read_ns) / part->done;
  }
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
  double *cost, *scratch = calloc(rounds, sizeof *scratch);
  size_t parts = 0;
  int result = 0;

  for (size_t t = 0; t < teams; t++)
    parts += team[t].n;
  cost = calloc(parts * rounds, sizeof *cost);
  if (cost == NULL || scratch == NULL)
    result = -1;
  for (unsigned r = 0; r < rounds; r++)
    for (size_t t = 0, at = 0; result == 0 && t < teams; at += team[t++].n)
      result = team_run(bench, &team[t], &cost[r * parts + at]);
  for (size_t i = 0; result == 0 && i < parts; i++) {
    point[i] = hw_column_low(&cost[i], parts, rounds, scratch);
    if (point[i].count < HW_TEAM_TRUSTED)
      point[i] = (struct hw_point){0};
  }
  free(cost);
  free(scratch);
  return result;
}

double hw_team_best(const struct hw_point *point) { return point->y * (1 - point->spread); }
