/* Groups of things by their pairs. */
#include "analysis/groups.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* All pairs are measured when they are no more than so many a thing. */
#define GROUPS_FEW 4u
/* How often contradictions are looked into. */
#define GROUPS_TRIES 4
/* Groups of so many shapes are remembered to guess others by. */
#define GROUPS_SHAPES 4u
/* Values like which there were fewer are measured twice: one that was disturbed is like no other.
   So many kinds of values are looked at. */
#define GROUPS_RARE 3u
#define GROUPS_KINDS 64u

int hw_pairs_init(struct hw_pairs *pairs, size_t n) {
  *pairs = (struct hw_pairs){.n = n, .y = malloc(n * n * sizeof *pairs->y)};
  if (pairs->y == NULL)
    return -1;
  for (size_t i = 0; i < n * n; i++)
    pairs->y[i] = NAN;
  return 0;
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

/* ---- Layers of what was measured ---- */

/* What was measured, in order; NULL without memory or any pair. */
static double *groups_sorted(const struct hw_pairs *pairs) {
  double *sorted = calloc(pairs->measured + 1, sizeof *sorted);
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

/* The first of the group of a thing, on the way there making ways shorter. */
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

/* Groups the things of a layer by the pairs that are no farther than that. */
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

/* Whether a pair is farther apart than a group that has both. */
static bool groups_contradicts(const struct hw_layers *layers, size_t i, size_t j, double y) {
  for (size_t k = 0; k < groups_layer(layers, y); k++)
    if (layers->group[k * layers->n + i] == layers->group[k * layers->n + j])
      return true;
  return false;
}

/* The layers of the pairs, contradictions or not. */
static const char *groups_find(const struct hw_pairs *pairs, struct hw_layers *layers) {
  double *sorted = groups_sorted(pairs);
  const char *why = NULL;

  *layers = (struct hw_layers){.n = pairs->n};
  if (sorted == NULL)
    return "no pair was measured";
  why = groups_cut(layers, sorted, pairs->measured);
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
  const char *why = groups_find(pairs, layers);

  for (size_t i = 0; why == NULL && i < pairs->n; i++)
    for (size_t j = i + 1; why == NULL && j < pairs->n; j++)
      if (!isnan(hw_pairs_get(pairs, i, j)) &&
          groups_contradicts(layers, i, j, hw_pairs_get(pairs, i, j)))
        why = "a pair is farther apart than its group";
  if (why != NULL)
    hw_layers_free(layers);
  return why;
}

void hw_layers_free(struct hw_layers *layers) {
  free(layers->group);
  *layers = (struct hw_layers){0};
}

size_t hw_layer_size(const struct hw_layers *layers, size_t layer) {
  const size_t *group = &layers->group[layer * layers->n];
  size_t size = 0;

  for (size_t i = 0; i < layers->n; i++) {
    size_t members = 0;

    if (group[i] != i)
      continue;
    for (size_t j = i; j < layers->n; j++)
      members += group[j] == i;
    if (size != 0 && members != size)
      return 0;
    size = members;
  }
  return size;
}

int hw_pairs_read(struct hw_pairs *pairs, const struct hw_curve *curve) {
  size_t n = 0;

  for (size_t i = 0; i < curve->n; i++) {
    double x = curve->point[i].x;
    size_t one, other;

    if (!(x >= 0 && x < (double)HW_THINGS * HW_THINGS))
      return -1;
    one = (size_t)(x / HW_THINGS);
    other = (size_t)fmod(x, HW_THINGS);
    if (one >= other)
      return -1;
    n = other >= n ? other + 1 : n;
  }
  if (n == 0 || n > HW_THINGS || hw_pairs_init(pairs, n) != 0)
    return -1;
  for (size_t i = 0; i < curve->n; i++) {
    double x = curve->point[i].x;

    hw_pairs_put(pairs, (size_t)(x / HW_THINGS), (size_t)fmod(x, HW_THINGS), curve->point[i].y);
  }
  return 0;
}

/* ---- The search for pairs that tell ---- */

/* Distances, by number, of the things of a group from its first. */
struct groups_shape {
  size_t *offset; /* the first is 0 */
  size_t n;
};

struct groups_search {
  struct hw_pairs *pairs;
  hw_measure_pair *measure;
  void *context;
  uint64_t state; /* of the random pairs */
  double kind[GROUPS_KINDS];
  size_t count[GROUPS_KINDS]; /* values of that kind */
  size_t kinds;
  bool failed;
};

/* Some of the things, in order. */
struct groups_set {
  size_t *thing;
  size_t n;
};

/* Counts the value among those of its kind.  How many of them there are now. */
static size_t search_count(struct groups_search *search, double y) {
  size_t k = 0;

  while (k < search->kinds &&
         (y > HW_LAYER_DOUBT * search->kind[k] || search->kind[k] > HW_LAYER_DOUBT * y))
    k++;
  if (k == GROUPS_KINDS)
    return 0;
  if (k == search->kinds)
    search->kind[search->kinds++] = y;
  return ++search->count[k];
}

/* Measures a pair anew. */
static double search_again(struct groups_search *search, size_t i, size_t j) {
  double y = search->failed ? NAN : search->measure(search->context, i < j ? i : j, i < j ? j : i);

  if (!(y >= 0)) {
    search->failed = true;
    return NAN;
  }
  hw_pairs_put(search->pairs, i, j, y);
  return hw_pairs_get(search->pairs, i, j);
}

/* Measures a pair, unless it was. */
static double search_pair(struct groups_search *search, size_t i, size_t j) {
  double y = hw_pairs_get(search->pairs, i, j);

  if (!isnan(y))
    return y;
  y = search_again(search, i, j);
  if (!search->failed && search_count(search, y) <= GROUPS_RARE)
    y = search_again(search, i, j);
  return y;
}

static void search_row(struct groups_search *search, size_t i) {
  for (size_t j = 0; j < search->pairs->n; j++)
    if (j != i)
      (void)search_pair(search, i, j);
}

/* A value between the nearer things of a set and those that are farthest from its first, or 0 when
   all are equally far. */
static double search_border(struct groups_search *search, const struct groups_set *set) {
  double *row = calloc(set->n, sizeof *row), border = 0;
  size_t n = 0;

  if (row == NULL) {
    search->failed = true;
    return 0;
  }
  for (size_t i = 1; i < set->n; i++)
    row[n++] = search_pair(search, set->thing[0], set->thing[i]);
  if (!search->failed) {
    hw_sort(row, n);
    for (size_t i = n; i > 1 && border <= 0; i--)
      if (row[i - 1] >= HW_LAYER_GAP * row[i - 2])
        border = sqrt(row[i - 1] * row[i - 2]);
  }
  free(row);
  return border;
}

/* Moves what is as a shape says it, from the first of the things that are left on, to a group.
   False when it is no group. */
static bool search_guess(struct groups_search *search, struct groups_set *left,
                         const struct groups_shape *shape, double border,
                         struct groups_set *group) {
  size_t first = left->thing[0], at = 0, kept = 0;

  group->n = 0;
  for (size_t k = 0; k < shape->n; k++) {
    while (at < left->n && left->thing[at] < first + shape->offset[k])
      at++;
    if (at == left->n || left->thing[at] != first + shape->offset[k])
      return false;
    if (k > 0 && !(search_pair(search, first, left->thing[at]) < border))
      return false;
    group->thing[group->n++] = left->thing[at];
  }
  for (size_t i = 0, k = 0; i < left->n; i++)
    if (k < group->n && left->thing[i] == group->thing[k])
      k++;
    else
      left->thing[kept++] = left->thing[i];
  left->n = kept;
  return true;
}

/* Moves what is near the first of the things that are left, one after the other, to a group. */
static void search_scan(struct groups_search *search, struct groups_set *left, double border,
                        struct groups_set *group) {
  size_t first = left->thing[0], kept = 0;

  group->n = 0;
  for (size_t i = 0; i < left->n; i++)
    if (i == 0 || search_pair(search, first, left->thing[i]) < border)
      group->thing[group->n++] = left->thing[i];
    else
      left->thing[kept++] = left->thing[i];
  left->n = kept;
}

/* Remembers the shape of a group, in place of the oldest. */
static void search_learn(struct groups_search *search, struct groups_shape *shape, size_t known,
                         const struct groups_set *group) {
  struct groups_shape *place = &shape[known % GROUPS_SHAPES];

  free(place->offset);
  *place = (struct groups_shape){calloc(group->n, sizeof *place->offset), group->n};
  if (place->offset == NULL) {
    search->failed = true;
    return;
  }
  for (size_t i = 0; i < group->n; i++)
    place->offset[i] = group->thing[i] - group->thing[0];
}

/* Guesses a group by the shapes that are known, the largest first: a thing alone is what is left
   when it is nothing else. */
static bool search_guess_any(struct groups_search *search, struct groups_set *left,
                             const struct groups_shape *shape, double border,
                             struct groups_set *group) {
  bool tried[GROUPS_SHAPES] = {false};

  for (size_t round = 0; round < GROUPS_SHAPES; round++) {
    size_t largest = GROUPS_SHAPES;

    for (size_t k = 0; k < GROUPS_SHAPES; k++)
      if (!tried[k] && shape[k].n > 0 &&
          (largest == GROUPS_SHAPES || shape[k].n > shape[largest].n))
        largest = k;
    if (largest == GROUPS_SHAPES)
      return false;
    if (search_guess(search, left, &shape[largest], border, group))
      return true;
    tried[largest] = true;
  }
  return false;
}

/* Finds the groups within a set, and those within them. */
static void search_split(struct groups_search *search, const struct groups_set *set) {
  struct groups_set left = {calloc(set->n, sizeof *left.thing), set->n};
  struct groups_set group = {calloc(set->n, sizeof *group.thing), 0};
  struct groups_shape shape[GROUPS_SHAPES] = {{0}};
  double border = search_border(search, set);
  size_t known = 0;

  if (left.thing == NULL || group.thing == NULL)
    search->failed = true;
  else
    memcpy(left.thing, set->thing, set->n * sizeof *left.thing);
  while (border > 0 && !search->failed && left.n > 0) {
    if (!search_guess_any(search, &left, shape, border, &group) && !search->failed) {
      search_scan(search, &left, border, &group);
      search_learn(search, shape, known++, &group);
    }
    if (!search->failed && group.n > 1)
      search_split(search, &group);
  }
  for (size_t k = 0; k < GROUPS_SHAPES; k++)
    free(shape[k].offset);
  free(left.thing);
  free(group.thing);
}

/* A random number below n (Knuth's MMIX generator, its high bits). */
static size_t search_random(struct groups_search *search, size_t n) {
  search->state = search->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)((search->state >> 33) % n);
}

/* Looks into pairs that are farther apart than their group: measures them again, and then each of
   the two with all others.  True when there was one. */
static bool search_check(struct groups_search *search) {
  struct hw_pairs *pairs = search->pairs;
  struct hw_layers layers;
  bool found = false;

  if (groups_find(pairs, &layers) == NULL)
    for (size_t i = 0; i < pairs->n && !search->failed; i++)
      for (size_t j = i + 1; j < pairs->n && !search->failed; j++) {
        double y = hw_pairs_get(pairs, i, j);

        if (isnan(y) || !groups_contradicts(&layers, i, j, y))
          continue;
        found = true;
        y = search_again(search, i, j);
        if (!search->failed && groups_contradicts(&layers, i, j, y)) {
          search_row(search, i);
          search_row(search, j);
        }
      }
  hw_layers_free(&layers);
  return found;
}

/* Whether a pair is nearer than its groups say. */
static bool search_surprise(struct groups_search *search, const struct hw_layers *layers, size_t i,
                            size_t j) {
  double y = i == j ? INFINITY : search_pair(search, i, j);
  size_t layer = 0;

  while (layers->group[layer * layers->n + i] != layers->group[layer * layers->n + j])
    layer++;
  return !search->failed && HW_LAYER_DOUBT * y < layers->low[layer];
}

/* Holds the last thing and one in the middle, with all others, and pairs at random against the
   groups that were found by looking at some only.  True when they are as was thought. */
static bool search_verify(struct groups_search *search) {
  size_t n = search->pairs->n;
  struct hw_layers layers;
  bool surprise = groups_find(search->pairs, &layers) != NULL;

  for (size_t i = 0; i < n && !surprise; i++)
    surprise = search_surprise(search, &layers, n - 1, i) ||
               search_surprise(search, &layers, n / 2, i) ||
               search_surprise(search, &layers, search_random(search, n), search_random(search, n));
  hw_layers_free(&layers);
  return !surprise;
}

/* Measures each pair. */
static void search_all(struct groups_search *search) {
  for (size_t i = 0; i < search->pairs->n; i++)
    search_row(search, i);
}

int hw_pairs_search(struct hw_pairs *pairs, bool all, unsigned long seed, hw_measure_pair *measure,
                    void *context) {
  struct groups_search search = {
      .pairs = pairs, .measure = measure, .context = context, .state = seed};
  struct groups_set set = {calloc(pairs->n, sizeof *set.thing), pairs->n};

  if (set.thing == NULL)
    return -1;
  for (size_t i = 0; i < pairs->n; i++)
    set.thing[i] = i;
  if (!all && pairs->n > 2 * GROUPS_FEW + 1)
    search_split(&search, &set);
  else
    search_all(&search);
  for (int i = 0; i < GROUPS_TRIES && !search.failed && search_check(&search); i++)
    ;
  if (!search.failed && !search_verify(&search))
    search_all(&search);
  for (int i = 0; i < GROUPS_TRIES && !search.failed && search_check(&search); i++)
    ;
  free(set.thing);
  return search.failed ? -1 : 0;
}
