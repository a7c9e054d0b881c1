/* Quality-threshold clustering (BB 4.2.3). */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* A point of the curve, by its y. */
struct cluster_item {
  double y;
  size_t index;
};

static int cluster_order(const void *a, const void *b) {
  double ya = ((const struct cluster_item *)a)->y;
  double yb = ((const struct cluster_item *)b)->y;

  return (ya > yb) - (ya < yb);
}

/* Grows the cluster that starts with item seed, within items [0, n), by the neighbour that widens
   it least, until that would be wider than the cluster's average so far allows.  On sorted items a
   cluster is a range. */
static void cluster_grow(const struct cluster_item *item, size_t n, size_t seed, size_t *first,
                         size_t *last) {
  double sum = item[seed].y;

  *first = *last = seed;
  while (*first > 0 || *last + 1 < n) {
    double average = sum / (double)(*last - *first + 1);
    double below = *first > 0 ? item[*last].y - item[*first - 1].y : INFINITY;
    double above = *last + 1 < n ? item[*last + 1].y - item[*first].y : INFINITY;
    if (!(fmin(below, above) <= HW_CLUSTER_WIDTH * average))
      return;
    sum += *first == 0 || (*last + 1 < n && above <= below) ? item[++*last].y : item[--*first].y;
  }
}

/* Takes the largest cluster out of the n sorted items and numbers its points.  Returns how many
   items are left. */
static size_t cluster_take(struct cluster_item *item, size_t n, size_t number, size_t *member,
                           struct hw_cluster *cluster) {
  size_t first = 0, last = 0, kept = 0;

  for (size_t seed = 0; seed < n; seed++) {
    size_t f, l;
    cluster_grow(item, n, seed, &f, &l);
    if (l - f > last - first || seed == 0) {
      first = f;
      last = l;
    }
  }
  *cluster = (struct hw_cluster){last - first + 1, item[first].y, item[last].y};
  for (size_t i = 0; i < n; i++)
    if (i >= first && i <= last)
      member[item[i].index] = number;
    else
      item[kept++] = item[i];
  return kept;
}

/* Renumbers the clusters by ascending y.  number and place have room for one entry a cluster. */
static void cluster_sort(size_t *member, size_t n, struct hw_cluster *cluster, size_t clusters,
                         size_t *number, size_t *place) {
  for (size_t a = 0; a < clusters; a++)
    number[a] = a;
  for (size_t a = 0; a < clusters; a++)
    for (size_t b = a + 1; b < clusters; b++)
      if (cluster[b].y_low < cluster[a].y_low) {
        struct hw_cluster swap = cluster[a];
        size_t other = number[a];
        cluster[a] = cluster[b];
        cluster[b] = swap;
        number[a] = number[b];
        number[b] = other;
      }
  for (size_t a = 0; a < clusters; a++)
    place[number[a]] = a;
  for (size_t i = 0; i < n; i++)
    member[i] = place[member[i]];
}

size_t hw_qt_clusters(const struct hw_curve *curve, size_t *member, struct hw_cluster *cluster) {
  struct cluster_item *item = calloc(curve->n + 1, sizeof *item);
  size_t *number = calloc(2 * curve->n + 1, sizeof *number);
  size_t left = curve->n, clusters = 0;

  if (item == NULL || number == NULL) {
    free(number);
    free(item);
    return 0;
  }
  for (size_t i = 0; i < curve->n; i++)
    item[i] = (struct cluster_item){curve->point[i].y, i};
  qsort(item, curve->n, sizeof *item, cluster_order);
  while (left > 0) {
    left = cluster_take(item, left, clusters, member, &cluster[clusters]);
    clusters++;
  }
  cluster_sort(member, curve->n, cluster, clusters, number, number + clusters);
  free(number);
  free(item);
  return clusters;
}
