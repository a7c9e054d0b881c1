/* Teams that are compared with each other, and pairs of processors that are told apart so. */
#ifndef HW_PAIRS_H
#define HW_PAIRS_H

#include "analysis/groups.h"
#include "probes/sampler.h"

/* Samples that were not disturbed, at least, for a point to say anything. */
#define HW_TEAM_TRUSTED 3u

/* Parts that work at the same time. */
struct hw_team {
  struct hw_part *part;
  size_t n;
};

/* Runs some teams in turn, so many rounds, so that a burst of noise hits all of them.  point[] has
   one for each part, team after team: ns a unit, at the low end of the samples in which nobody of
   the team was preempted; count 0 when these were too few.  0, or -1 when there are no such
   threads, it is late, or memory is short. */
int hw_team_sample(struct hw_bench *bench, const struct hw_team *team, size_t teams,
                   unsigned rounds, struct hw_point *point);

/* y of the quickest samples behind a point: what is slow for other reasons than the team is not so
   in all of them. */
double hw_team_best(const struct hw_point *point);

/* Whether the effort is one that measures every pair, not only as many as tell the groups. */
bool hw_every_pair(const struct hw_bench *bench);

/* Publishes what pairs have, and says how many there are. */
int hw_pairs_publish(struct hw_bench *bench, const struct hw_pairs *pairs, const char *probe,
                     const char *name, const char *y_title);

/* The low end of the samples of one column of a table that has so many columns, NAN where it was
   disturbed. */
struct hw_point hw_column_low(const double *column, size_t columns, unsigned rounds,
                              double *scratch);

/* The layers that a curve of pairs has.  NULL, or why there are none. */
const char *hw_layers_read(const struct hw_curve *curve, struct hw_layers *layers);

/* The groups of a layer, each thing with the place of the first of its group, as they are noted in
   a curve: x place, y that of the first.  0, or -1. */
int hw_groups_publish(struct hw_bench *bench, const size_t *group, size_t n, const char *probe,
                      const char *name);

#endif
