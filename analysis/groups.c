/* Groups of things by their pairs. */
#include "analysis/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int hw_pairs_init(struct hw_pairs *pairs, size_t n) {
  *pairs = (struct hw_pairs){.n = n, .y = malloc(n * n * sizeof *pairs->y)};
  if (pairs->y == NULL)
    return -1;
  hw_pairs_clear(pairs);
  return 0;
}

void hw_pairs_clear(struct hw_pairs *pairs) {
  pairs->measured = pairs->taken = 0;
  for (size_t i = 0; i < pairs->n * pairs->n; i++)
    pairs->y[i] = NAN;
}

void hw_pairs_free(struct hw_pairs *pairs) {
  free(pairs->y);
  *pairs = (struct hw_pairs){0};
}

double hw_pairs_get(const struct hw_pairs *pairs, size_t i, size_t j) {
  return pairs->y[i * pairs->n + j];
}

void hw_pairs_put(struct hw_pairs *pairs, size_t i, size_t j, double y) {
  double before = hw_pairs_get(pairs, i, j);

  if (isnan(before))
    pairs->measured++;
  else
    y = fmin(y, before);
  pairs->y[i * pairs->n + j] = pairs->y[j * pairs->n + i] = y;
}

void hw_pairs_take(struct hw_pairs *pairs, size_t i, size_t j, double y) {
  if (!isnan(hw_pairs_get(pairs, i, j)))
    return;
  hw_pairs_put(pairs, i, j, y);
  pairs->measured--;
  pairs->taken++;
}

/* ---- Layers of what was measured ---- */

/* What was measured, in order; NULL without memory or any pair. */
static double *groups_sorted(const struct hw_pairs *pairs) {
  double *sorted = calloc(pairs->measured + pairs->taken + 1, sizeof *sorted);
  size_t n = 0;

  for (size_t i = 0; sorted != NULL && i < pairs->n; i++)
    for (size_t j = i + 1; j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)))
        sorted[n++] = hw_pairs_get(pairs, i, j);
  if (sorted == NULL || n == 0) {
    free(sorted);
    return NULL;
  }
  hw_sort(sorted, n);
  return sorted;
}

/* The layer that a value is of. */
static size_t groups_layer(const struct hw_layers *layers, double y) {
  size_t layer = 0;

  while (layer + 1 < layers->layers && y > layers->high[layer])
    layer++;
  return layer;
}

/* Cuts the values into layers. */
static const char *groups_cut(struct hw_layers *layers, const double *sorted, size_t n) {
  size_t first = 0;

  for (size_t i = 0; i < n; i++) {
    if (i + 1 < n && sorted[i + 1] < HW_LAYER_DOUBT * sorted[i])
      continue;
    if (i + 1 < n && sorted[i + 1] < HW_LAYER_GAP * sorted[i])
      return "two layers hardly differ";
    if (layers->layers == HW_LAYERS)
      return "there are too many layers";
    layers->y[layers->layers] = sorted[(first + i) / 2];
    layers->low[layers->layers] = sorted[first];
    layers->high[layers->layers++] = sorted[i];
    first = i + 1;
  }
  return NULL;
}

/* The first of the group of a thing; shortens the paths to it. */
static size_t groups_root(size_t *group, size_t i) {
  while (group[i] != i) {
    group[i] = group[group[i]];
    i = group[i];
  }
  return i;
}

static void groups_unite(size_t *group, size_t i, size_t j) {
  size_t a = groups_root(group, i), b = groups_root(group, j);

  group[a > b ? a : b] = a > b ? b : a;
}

/* Groups the things of a layer by the pairs that are at most this far apart. */
static void groups_layer_groups(const struct hw_pairs *pairs, double high, size_t *group) {
  for (size_t i = 0; i < pairs->n; i++)
    group[i] = i;
  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; j < pairs->n; j++)
      if (hw_pairs_get(pairs, i, j) <= high)
        groups_unite(group, i, j);
  for (size_t i = 0; i < pairs->n; i++)
    group[i] = groups_root(group, i);
}

bool hw_layers_contradict(const struct hw_layers *layers, size_t i, size_t j, double y) {
  for (size_t k = 0; k < groups_layer(layers, y); k++)
    if (layers->group[k * layers->n + i] == layers->group[k * layers->n + j])
      return true;
  return false;
}

const char *hw_layers_find_all(const struct hw_pairs *pairs, struct hw_layers *layers) {
  double *sorted = groups_sorted(pairs);
  const char *why = NULL;

  *layers = (struct hw_layers){.n = pairs->n};
  if (sorted == NULL)
    return "no pair was measured";
  why = groups_cut(layers, sorted, pairs->measured + pairs->taken);
  free(sorted);
  if (why != NULL)
    return why;
  layers->group = calloc(layers->layers * layers->n, sizeof *layers->group);
  if (layers->group == NULL)
    return "out of memory";
  for (size_t k = 0; k < layers->layers; k++)
    groups_layer_groups(pairs, layers->high[k], &layers->group[k * layers->n]);
  return NULL;
}

const char *hw_layers_find(const struct hw_pairs *pairs, struct hw_layers *layers) {
  const char *why = hw_layers_find_all(pairs, layers);

  for (size_t i = 0; why == NULL && i < pairs->n; i++)
    for (size_t j = i + 1; why == NULL && j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)) &&
          hw_layers_contradict(layers, i, j, hw_pairs_get(pairs, i, j)))
        why = "a pair is farther apart than its group";
  if (why != NULL)
    hw_layers_free(layers);
  return why;
}

void hw_layers_free(struct hw_layers *layers) {
  free(layers->group);
  *layers = (struct hw_layers){0};
}

bool hw_layer_joins(const struct hw_layers *layers, size_t layer, size_t i, size_t j) {
  const size_t *group = &layers->group[layer * layers->n];

  return group[i] == group[j] && (layer == 0 || (group - layers->n)[i] != (group - layers->n)[j]);
}

size_t hw_layer_match(const struct hw_layers *layers, size_t layer, size_t *thing) {
  const size_t n = layers->n, *group = &layers->group[layer * n];
  bool taken[HW_THINGS] = {false};
  size_t pairs = 0;

  for (size_t first = 0; first < n; first++)
    for (size_t i = first; group[first] == first && i < n; i++)
      for (size_t j = i + 1; group[i] == first && !taken[i] && j < n; j++)
        if (!taken[j] && hw_layer_joins(layers, layer, i, j)) {
          taken[i] = taken[j] = true;
          thing[2 * pairs] = i;
          thing[2 * pairs++ + 1] = j;
        }
  return pairs;
}

size_t hw_comm_gathered(size_t pairs) {
  const size_t most = HW_COMM_LARGE / HW_COMM_CROWD;

  return pairs < most ? pairs : most;
}

size_t hw_comm_times(size_t bytes, size_t most) {
  size_t times = HW_COMM_MOVES / bytes;

  return times < 1 ? 1 : times > most ? most : times;
}

/* ---- Groups, and curves of groups and of pairs ---- */

size_t hw_groups_count(const size_t *group, size_t n) {
  size_t groups = 0;

  for (size_t i = 0; i < n; i++)
    groups += group[i] == i;
  return groups;
}

size_t hw_groups_size(const size_t *group, size_t n) {
  size_t members[HW_THINGS] = {0};

  for (size_t i = 0; i < n; i++)
    members[group[i]]++;
  for (size_t i = 0; i < n; i++)
    if (members[i] > 0 && members[i] != members[group[0]])
      return 0;
  return n == 0 ? 0 : members[group[0]];
}

size_t hw_layer_size(const struct hw_layers *layers, size_t layer) {
  return hw_groups_size(&layers->group[layer * layers->n], layers->n);
}

int hw_groups_put(struct hw_curve *curve, const size_t *group, size_t n) {
  int result = 0;

  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(curve, (struct hw_point){.x = (double)i, .y = (double)group[i]});
  return result;
}

double hw_pair_x(size_t i, size_t j) { return (double)(i * HW_THINGS + j); }

void hw_pair_of(double x, size_t *i, size_t *j) {
  *i = (size_t)x / HW_THINGS;
  *j = (size_t)x % HW_THINGS;
}

int hw_pairs_put_all(const struct hw_pairs *pairs, unsigned long count, struct hw_curve *curve) {
  int result = 0;

  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; result == 0 && j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)))
        result = hw_curve_put(curve, (struct hw_point){.x = hw_pair_x(i, j),
                                                       .y = hw_pairs_get(pairs, i, j),
                                                       .count = count});
  return result;
}

int hw_pairs_read(struct hw_pairs *pairs, const struct hw_curve *curve) {
  size_t n = 0, one, other;

  for (size_t i = 0; i < curve->n; i++) {
    double x = curve->point[i].x;

    if (!(x >= 0 && x < (double)HW_THINGS * HW_THINGS))
      return -1;
    hw_pair_of(x, &one, &other);
    if (one >= other)
      return -1;
    n = other >= n ? other + 1 : n;
  }
  if (n == 0 || n > HW_THINGS || hw_pairs_init(pairs, n) != 0)
    return -1;
  for (size_t i = 0; i < curve->n; i++) {
    hw_pair_of(curve->point[i].x, &one, &other);
    hw_pairs_put(pairs, one, other, curve->point[i].y);
  }
  return 0;
}

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

/* Replaces each y by its side.  False if that is not clear for one. */
static bool groups_sides(struct hw_pairs *pairs, const struct hw_curve *curve,
                         double (*side)(const struct hw_point *)) {
  for (size_t k = 0; k < curve->n; k++) {
    const struct hw_point *p = &curve->point[k];
    size_t i, j;

    hw_pair_of(p->x, &i, &j);
    pairs->y[i * pairs->n + j] = pairs->y[j * pairs->n + i] = side(p);
    if (side(p) < 0)
      return false;
  }
  return true;
}

const char *hw_pairs_groups(const struct hw_curve *curve, double (*side)(const struct hw_point *),
                            const char *unclear, size_t *group, size_t n) {
  struct hw_layers layers;
  struct hw_pairs pairs;
  const char *why = unclear;

  if (hw_pairs_read(&pairs, curve) != 0)
    return "out of memory";
  if (groups_sides(&pairs, curve, side))
    why = pairs.n != n ? "processors are missing" : hw_layers_find(&pairs, &layers);
  hw_pairs_free(&pairs);
  if (why != NULL)
    return why;
  for (size_t i = 0; i < n; i++)
    group[i] = layers.y[0] < 1.5 ? layers.group[i] : i;
  hw_layers_free(&layers);
  return NULL;
}
