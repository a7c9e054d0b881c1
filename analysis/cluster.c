/* Quality-threshold clustering (BB 4.2.3), and the end of the first cluster. */
#include "analysis/reduce.h"

#include <math.h>
#include <stdlib.h>

/* A point outside of the first cluster still belongs to its plateau when it costs less than
   CLUSTER_IN times as much, and no longer when CLUSTER_OUT times, or, where the rise is low, when
   it lies in the first or last third of it by ratio.  In between it is unclear. */
#define CLUSTER_IN 1.5
#define CLUSTER_OUT 2.0
#define CLUSTER_THIRD (1.0 / 3)

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

/* The answer for a curve whose first cluster has that level and ends before the last point. */
static struct hw_answer cluster_end(const struct hw_curve *curve, const struct hw_curve *risen,
                                    double level) {
  static const char method[] = "first quality-threshold cluster";
  const struct hw_point *in, *out;
  double rise = risen->point[risen->n - 1].y / level, noise, gap;
  size_t n = 0;

  while (n < risen->n && risen->point[n].y < level * fmin(CLUSTER_IN, pow(rise, CLUSTER_THIRD)))
    n++;
  if (n == risen->n || risen->point[n].y < level * fmin(CLUSTER_OUT, pow(rise, 1 - CLUSTER_THIRD)))
    return hw_unknown(method, "a point lies between the plateau and what follows");
  in = &risen->point[n - 1];
  out = &risen->point[n];
  gap = out->y - in->y;
  noise = hw_rise_error(curve, in, out);
  if (gap < HW_CLEAR * noise)
    return hw_unknown(method, "the end of the plateau is not clear of the noise");
  return hw_known(method, in->x, out->x - in->x,
                  noise * HW_CLARITY_MAX > gap ? gap / noise : HW_CLARITY_MAX);
}

struct hw_answer hw_reduce_first_cluster(const struct hw_curve *curve) {
  static const char method[] = "first quality-threshold cluster";
  struct hw_answer answer = hw_unknown(method, "out of memory");
  struct hw_curve risen;
  size_t *member = calloc(curve->n + 1, sizeof *member);
  struct hw_cluster *cluster = calloc(curve->n + 1, sizeof *cluster);
  double level = 0;

  if (member != NULL && cluster != NULL && hw_monotone(curve, &risen) == 0) {
    size_t clusters = hw_qt_clusters(&risen, member, cluster);
    for (size_t i = 0; i < risen.n; i++)
      if (member[i] == 0)
        level += risen.point[i].y / (double)cluster[0].n;
    if (risen.n > 0 && !(risen.point[0].y > 0))
      answer = hw_unknown(method, "a point is not positive");
    else if (risen.n < 3 || cluster[0].n < 2)
      answer = hw_unknown(method, "no plateau");
    else if (clusters < 2)
      answer = hw_unknown(method, "no end of the plateau was seen");
    else
      answer = cluster_end(curve, &risen, level);
    hw_curve_free(&risen);
  }
  free(member);
  free(cluster);
  return answer;
}
