/* Teams that are compared with each other. */
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* A thread that ran for less of its time than this, by so many ns, was preempted. */
#define PAIRS_STOLEN 0.02
#define PAIRS_STOLEN_NS 5000
/* Who wants a point more precise than this gets every pair. */
#define PAIRS_PRECISE 0.01

/* Runs a team.  ns a unit of each part, NAN where one was preempted: the others had it easier then.
   0, or -1. */
static int pairs_run(struct hw_bench *bench, const struct hw_team *team, double *cost) {
  struct hw_machine *machine = bench->machine;
  bool disturbed = false;

  if (hw_late(bench) || machine->ops->team(machine, team->part, team->n) != 0)
    return -1;
  for (size_t i = 0; i < team->n; i++) {
    const struct hw_part *part = &team->part[i];
    double away = part->cpu_ns < 0 ? 0 : part->wall_ns - part->cpu_ns;

    cost[i] = (part->work_ns - bench->read_ns) / part->done;
    disturbed = disturbed || away > PAIRS_STOLEN * part->wall_ns + PAIRS_STOLEN_NS;
  }
  for (size_t i = 0; disturbed && i < team->n; i++)
    cost[i] = NAN;
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
      result = pairs_run(bench, &team[t], &cost[r * parts + at]);
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

const char *hw_layers_read(const struct hw_curve *curve, struct hw_layers *layers) {
  struct hw_pairs pairs;
  const char *why;

  if (curve == NULL)
    return "no pair was measured";
  if (hw_pairs_read(&pairs, curve) != 0)
    return "out of memory";
  why = hw_layers_find(&pairs, layers);
  hw_pairs_free(&pairs);
  return why;
}

bool hw_every_pair(const struct hw_bench *bench) { return bench->effort.precision < PAIRS_PRECISE; }

int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, const char *probe,
                     const char *name, const char *y_title) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, "places of two processors (one * 1024 + other)", y_title);
  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; result == 0 && j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)))
        result = hw_curve_put(&curve, (struct hw_point){.x = (double)(i * HW_THINGS + j),
                                                        .y = hw_pairs_get(pairs, i, j),
                                                        .count = 1});
  fprintf(bench->log, "%s: %zu of %zu pairs measured\n", name, pairs->measured,
          pairs->n * (pairs->n - 1) / 2);
  if (result == 0)
    return hw_publish(bench, &curve, probe, 1);
  hw_curve_free(&curve);
  return -1;
}

int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, "place of the processor", "place of its group's first");
  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(&curve, (struct hw_point){.x = (double)i, .y = (double)group[i]});
  if (result == 0)
    return hw_publish(bench, &curve, probe, 1);
  hw_curve_free(&curve);
  return -1;
}
