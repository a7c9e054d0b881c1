/* Plateaus of a curve that rises in steps. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* What is flat over less than a factor of this in x is part of a rise. */
#define PLATEAUS_SPAN 2.0

/* The median of y over the points from first to last. */
static double plateaus_level(const struct hw_curve *curve, size_t first, size_t last) {
  double level = INFINITY;

  for (size_t i = first; i <= last; i++) {
    size_t others = 0;
    for (size_t j = first; j <= last; j++)
      others += curve->point[j].y <= curve->point[i].y;
    if (others > (last - first) / 2)
      level = fmin(level, curve->point[i].y);
  }
  return level;
}

/* Finds the plateaus among the clusters of the points of a curve that never falls. */
static size_t plateaus_find(const struct hw_curve *risen, const size_t *member,
                            struct hw_plateau *plateau, size_t most) {
  size_t n = 0;

  for (size_t first = 0, last; first < risen->n && n < most; first = last + 1) {
    for (last = first; last + 1 < risen->n && member[last + 1] == member[first];)
      last++;
    if (risen->point[last].x >= PLATEAUS_SPAN * risen->point[first].x)
      plateau[n++] = (struct hw_plateau){first, last, plateaus_level(risen, first, last)};
  }
  return n;
}

size_t hw_plateaus(const struct hw_curve *curve, struct hw_plateau *plateau, size_t most) {
  struct hw_curve risen;
  size_t *member = calloc(curve->n + 1, sizeof *member), n = 0;
  struct hw_cluster *cluster = calloc(curve->n + 1, sizeof *cluster);

  if (member != NULL && cluster != NULL && hw_monotone(curve, &risen) == 0) {
    hw_qt_clusters(&risen, member, cluster);
    n = plateaus_find(&risen, member, plateau, most);
    hw_curve_free(&risen);
  }
  free(member);
  free(cluster);
  return n;
}
