/* The search for the pairs that tell which things belong together.  See pairs_search.h. */
#include "probes/system/pairs_search.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* All pairs are measured when there are no more than this many for each thing. */
#define PAIRS_FEW 4u
/* Passes that measure contradictions again, at most. */
#define PAIRS_TRIES 4
/* Shapes of groups that are remembered to guess other groups by. */
#define PAIRS_SHAPES 4u
/* A value is measured twice while its kind has no more than PAIRS_RARE: a disturbed one is an
   outlier.  And kinds of values that are told apart, at most. */
#define PAIRS_RARE 3u
#define PAIRS_KINDS 64u

/* Distances, by number, of the things of a group from its first. */
struct pairs_shape {
  size_t *offset; /* the first is 0 */
  size_t n;
};

struct pairs_search {
  struct hw_pairs *pairs;
  hw_measure_pair *measure;
  void *context;
  const size_t *some; /* things that are searched, or NULL: all */
  uint64_t state;     /* of the random pairs */
  double kind[PAIRS_KINDS];
  size_t count[PAIRS_KINDS]; /* values of that kind */
  size_t kinds;
  bool failed;
};

/* Some of the things, in order. */
struct pairs_set {
  size_t *thing;
  size_t n;
};

/* Counts the value among those of its kind.  Returns how many it has now, 0 without room. */
static size_t pairs_count(struct pairs_search *search, double y) {
  size_t k = 0;

  while (k < search->kinds &&
         (y > HW_LAYER_DOUBT * search->kind[k] || search->kind[k] > HW_LAYER_DOUBT * y))
    k++;
  if (k == PAIRS_KINDS)
    return 0;
  if (k == search->kinds)
    search->kind[search->kinds++] = y;
  return ++search->count[k];
}

/* Measures a pair anew. */
static double pairs_again(struct pairs_search *search, size_t i, size_t j) {
  double y = search->failed ? NAN : search->measure(search->context, i < j ? i : j, i < j ? j : i);

  if (!(y >= 0)) {
    search->failed = true;
    return NAN;
  }
  hw_pairs_put(search->pairs, i, j, y);
  return hw_pairs_get(search->pairs, i, j);
}

/* Measures a pair, unless that was done before. */
static double pairs_pair(struct pairs_search *search, size_t i, size_t j) {
  double y = hw_pairs_get(search->pairs, i, j);

  if (!isnan(y))
    return y;
  y = pairs_again(search, i, j);
  if (!search->failed && pairs_count(search, y) <= PAIRS_RARE)
    y = pairs_again(search, i, j);
  return y;
}

static void pairs_row(struct pairs_search *search, size_t i) {
  for (size_t j = 0; j < search->pairs->n; j++)
    if (j != i)
      (void)pairs_pair(search, i, j);
}

/* A value between the nearer things of a set and those that are farthest from its first, or 0 when
   all are equally far. */
static double pairs_border(struct pairs_search *search, const struct pairs_set *set) {
  double *row = calloc(set->n, sizeof *row), border = 0;
  size_t n = 0;

  if (row == NULL) {
    search->failed = true;
    return 0;
  }
  for (size_t i = 1; i < set->n; i++)
    row[n++] = pairs_pair(search, set->thing[0], set->thing[i]);
  if (!search->failed) {
    hw_sort(row, n);
    for (size_t i = n; i > 1 && border <= 0; i--)
      if (row[i - 1] >= HW_LAYER_GAP * row[i - 2])
        border = sqrt(row[i - 1] * row[i - 2]);
  }
  free(row);
  return border;
}

/* Moves the things at the shape's offsets from the first of those that are left to a group.  False
   when they are no group. */
static bool pairs_guess(struct pairs_search *search, struct pairs_set *left,
                        const struct pairs_shape *shape, double border, struct pairs_set *group) {
  size_t first = left->thing[0], at = 0, kept = 0;

  group->n = 0;
  for (size_t k = 0; k < shape->n; k++) {
    while (at < left->n && left->thing[at] < first + shape->offset[k])
      at++;
    if (at == left->n || left->thing[at] != first + shape->offset[k])
      return false;
    if (k > 0 && !(pairs_pair(search, first, left->thing[at]) < border))
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

/* Measures the first of the things that are left with each other one; moves the near ones to a
   group. */
static void pairs_scan(struct pairs_search *search, struct pairs_set *left, double border,
                       struct pairs_set *group) {
  size_t first = left->thing[0], kept = 0;

  group->n = 0;
  for (size_t i = 0; i < left->n; i++)
    if (i == 0 || pairs_pair(search, first, left->thing[i]) < border)
      group->thing[group->n++] = left->thing[i];
    else
      left->thing[kept++] = left->thing[i];
  left->n = kept;
}

/* Remembers the shape of a group, in place of the oldest. */
static void pairs_learn(struct pairs_search *search, struct pairs_shape *shape, size_t known,
                        const struct pairs_set *group) {
  struct pairs_shape *place = &shape[known % PAIRS_SHAPES];

  free(place->offset);
  *place = (struct pairs_shape){calloc(group->n, sizeof *place->offset), group->n};
  if (place->offset == NULL) {
    search->failed = true;
    return;
  }
  for (size_t i = 0; i < group->n; i++)
    place->offset[i] = group->thing[i] - group->thing[0];
}

/* Guesses a group by the shapes that are known, the largest first: a single thing is tried last. */
static bool pairs_guess_any(struct pairs_search *search, struct pairs_set *left,
                            const struct pairs_shape *shape, double border,
                            struct pairs_set *group) {
  bool tried[PAIRS_SHAPES] = {false};

  for (size_t round = 0; round < PAIRS_SHAPES; round++) {
    size_t largest = PAIRS_SHAPES;

    for (size_t k = 0; k < PAIRS_SHAPES; k++)
      if (!tried[k] && shape[k].n > 0 && (largest == PAIRS_SHAPES || shape[k].n > shape[largest].n))
        largest = k;
    if (largest == PAIRS_SHAPES)
      return false;
    if (pairs_guess(search, left, &shape[largest], border, group))
      return true;
    tried[largest] = true;
  }
  return false;
}

/* Finds the groups within a set, and those within them. */
static void pairs_split(struct pairs_search *search, const struct pairs_set *set) {
  struct pairs_set left = {calloc(set->n, sizeof *left.thing), set->n};
  struct pairs_set group = {calloc(set->n, sizeof *group.thing), 0};
  struct pairs_shape shape[PAIRS_SHAPES] = {{0}};
  double border = pairs_border(search, set);
  size_t known = 0;

  if (left.thing == NULL || group.thing == NULL)
    search->failed = true;
  else
    memcpy(left.thing, set->thing, set->n * sizeof *left.thing);
  while (border > 0 && !search->failed && left.n > 0) {
    if (!pairs_guess_any(search, &left, shape, border, &group) && !search->failed) {
      pairs_scan(search, &left, border, &group);
      pairs_learn(search, shape, known++, &group);
    }
    if (!search->failed && group.n > 1)
      pairs_split(search, &group);
  }
  for (size_t k = 0; k < PAIRS_SHAPES; k++)
    free(shape[k].offset);
  free(left.thing);
  free(group.thing);
}

/* A random number below n (Knuth's MMIX generator, its high bits). */
static size_t pairs_random(struct pairs_search *search, size_t n) {
  search->state = search->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)((search->state >> 33) % n);
}

/* Measures pairs that are farther apart than their group again; those that stay so, each of the two
   with all others.  True when there was such a pair. */
static bool pairs_check(struct pairs_search *search) {
  struct hw_pairs *pairs = search->pairs;
  struct hw_layers layers;
  bool found = false;

  if (hw_layers_find_all(pairs, &layers) == NULL)
    for (size_t i = 0; i < pairs->n && !search->failed; i++)
      for (size_t j = i + 1; j < pairs->n && !search->failed; j++) {
        double y = hw_pairs_get(pairs, i, j);

        if (isnan(y) || !hw_layers_contradict(&layers, i, j, y))
          continue;
        found = true;
        y = pairs_again(search, i, j);
        if (!search->failed && hw_layers_contradict(&layers, i, j, y)) {
          pairs_row(search, i);
          pairs_row(search, j);
        }
      }
  hw_layers_free(&layers);
  return found;
}

/* Whether a pair is nearer than its groups say. */
static bool pairs_surprise(struct pairs_search *search, const struct hw_layers *layers, size_t i,
                           size_t j) {
  double y = i == j ? INFINITY : pairs_pair(search, i, j);
  size_t layer = 0;

  while (layers->group[layer * layers->n + i] != layers->group[layer * layers->n + j])
    layer++;
  return !search->failed && HW_LAYER_DOUBT * y < layers->low[layer];
}

/* Checks the groups that were found from some pairs only, against the last thing and one in the
   middle, each with all others, and random pairs.  True when no pair is nearer than they say. */
static bool pairs_verify(struct pairs_search *search) {
  size_t n = search->pairs->n;
  struct hw_layers layers;
  bool surprise = hw_layers_find_all(search->pairs, &layers) != NULL;

  for (size_t i = 0; i < n && !surprise; i++)
    surprise = pairs_surprise(search, &layers, n - 1, i) ||
               pairs_surprise(search, &layers, n / 2, i) ||
               pairs_surprise(search, &layers, pairs_random(search, n), pairs_random(search, n));
  hw_layers_free(&layers);
  return !surprise;
}

/* Measures each pair. */
static void pairs_all(struct pairs_search *search) {
  for (size_t i = 0; i < search->pairs->n; i++)
    pairs_row(search, i);
}

/* Searches all things. */
static int pairs_plain(struct hw_pairs *pairs, unsigned long seed, hw_measure_pair *measure,
                       void *context) {
  struct pairs_search search = {
      .pairs = pairs, .measure = measure, .context = context, .state = seed};
  struct pairs_set set = {calloc(pairs->n, sizeof *set.thing), pairs->n};

  if (set.thing == NULL)
    return -1;
  for (size_t i = 0; i < pairs->n; i++)
    set.thing[i] = i;
  if (pairs->n > 2 * PAIRS_FEW + 1)
    pairs_split(&search, &set);
  else
    pairs_all(&search);
  for (int i = 0; i < PAIRS_TRIES && !search.failed && pairs_check(&search); i++)
    ;
  if (!search.failed && !pairs_verify(&search))
    pairs_all(&search);
  for (int i = 0; i < PAIRS_TRIES && !search.failed && pairs_check(&search); i++)
    ;
  free(set.thing);
  return search.failed ? -1 : 0;
}

/* ---- things that are likely to be alike ---- */

/* Measures a pair of some of the things. */
static double pairs_some_measure(void *context, size_t i, size_t j) {
  const struct pairs_search *some = context;
  const size_t *thing = some->some;

  return some->measure(some->context, thing[i], thing[j]);
}

/* Searches n of the things.  0, or -1. */
static int pairs_some(struct pairs_search *search, const size_t *thing, size_t n) {
  struct hw_pairs pairs;
  int result;

  if (n < 2)
    return 0;
  if (hw_pairs_init(&pairs, n) != 0)
    return -1;
  search->some = thing;
  result = pairs_plain(&pairs, (unsigned long)search->state, pairs_some_measure, search);
  for (size_t i = 0; result == 0 && i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      if (!isnan(hw_pairs_get(&pairs, i, j)))
        hw_pairs_put(search->pairs, thing[i], thing[j], hw_pairs_get(&pairs, i, j));
  hw_pairs_free(&pairs);
  return result;
}

/* Whether a pair is as far apart as expected, when it is measured, or once more. */
static bool pairs_like(struct pairs_search *search, size_t i, size_t j, double expected) {
  for (int times = 0; times < 2 && !search->failed; times++) {
    double y = pairs_again(search, i, j);

    if (y <= HW_LAYER_GAP * expected && expected <= HW_LAYER_GAP * y)
      return true;
  }
  return false;
}

/* The members of the group of which i is the first, into thing[].  Their number. */
static size_t pairs_members(const size_t *alike, size_t n, size_t i, size_t *thing) {
  size_t members = 0;

  for (size_t j = i; j < n; j++)
    if (alike[j] == i)
      thing[members++] = j;
  return members;
}

/* Whether n things are like those of an earlier group, of which the pairs are taken over then. */
static bool pairs_as_before(struct pairs_search *search, const size_t *alike, const size_t *thing,
                            size_t n) {
  struct hw_pairs *pairs = search->pairs;
  size_t other[HW_THINGS];

  for (size_t i = 0; i < thing[0]; i++) {
    size_t k = 0;

    if (alike[i] != i || pairs_members(alike, pairs->n, i, other) != n)
      continue;
    while (k < n && other[k] - i == thing[k] - thing[0])
      k++;
    if (k < n)
      continue;
    if (!pairs_like(search, thing[0], thing[n - 1], hw_pairs_get(pairs, i, other[n - 1])))
      return false;
    for (size_t a = 0; a < n; a++)
      for (size_t b = a + 1; b < n; b++)
        if (!isnan(hw_pairs_get(pairs, other[a], other[b])))
          hw_pairs_take(pairs, thing[a], thing[b], hw_pairs_get(pairs, other[a], other[b]));
    return true;
  }
  return false;
}

/* Whether things of one group are no farther from each other than from those of others. */
static bool pairs_nearer(const struct hw_pairs *pairs, const size_t *alike) {
  for (size_t i = 0; i < pairs->n; i++) {
    double within = 0, outside = INFINITY;

    for (size_t j = 0; alike[i] == i && j < pairs->n; j++) {
      double y = i == j ? NAN : hw_pairs_get(pairs, i, j);

      if (!isnan(y) && alike[j] == i)
        within = fmax(within, y);
      else if (!isnan(y))
        outside = fmin(outside, y);
    }
    if (within > HW_LAYER_GAP * outside)
      return false;
  }
  return true;
}

/* Whether the last things of two groups are as far apart as their first ones: for each group, and
   another one with which it was measured. */
static bool pairs_across(struct pairs_search *search, const size_t *alike) {
  struct hw_pairs *pairs = search->pairs;
  const size_t n = pairs->n;
  size_t one[HW_THINGS], other[HW_THINGS];

  for (size_t i = 0; i < n; i++) {
    size_t members = alike[i] == i ? pairs_members(alike, n, i, one) : 0;
    size_t j = pairs_random(search, n), seen = 0;

    while (seen < n && (alike[j] != j || j == i || isnan(hw_pairs_get(pairs, i, j)))) {
      j = (j + 1) % n;
      seen++;
    }
    if (members < 2 || seen == n)
      continue;
    if (!pairs_like(search, one[members - 1], other[pairs_members(alike, n, j, other) - 1],
                    hw_pairs_get(pairs, i, j)))
      return false;
  }
  return true;
}

int hw_pairs_search(struct hw_pairs *pairs, const size_t *alike, unsigned long seed,
                    hw_measure_pair *measure, void *context) {
  struct pairs_search search = {
      .pairs = pairs, .measure = measure, .context = context, .state = seed};
  size_t thing[HW_THINGS], n = 0;

  for (size_t i = 0; alike != NULL && i < pairs->n; i++)
    if (alike[i] == i)
      thing[n++] = i;
  if (n < 2 || n == pairs->n)
    return pairs_plain(pairs, seed, measure, context);
  if (pairs_some(&search, thing, n) != 0)
    return -1;
  for (size_t i = 0; i < pairs->n && !search.failed; i++) {
    n = alike[i] == i ? pairs_members(alike, pairs->n, i, thing) : 0;
    if (n > 1 && !pairs_as_before(&search, alike, thing, n) && !search.failed &&
        pairs_some(&search, thing, n) != 0)
      return -1;
  }
  if (!search.failed && (!pairs_nearer(pairs, alike) || !pairs_across(&search, alike)) &&
      !search.failed) {
    hw_pairs_clear(pairs);
    return pairs_plain(pairs, seed, measure, context);
  }
  return search.failed ? -1 : 0;
}
