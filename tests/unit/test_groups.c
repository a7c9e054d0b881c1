/* Groups by pairs: on machines whose layers are given, whether the search finds them, exactly and
   at few pairs, without noise and with; and what is no tree of layers is refused. */
#include "analysis/groups.h"
#include "probes/bench/random.h"
#include "probes/system/crowds.h"
#include "probes/system/pairs_search.h"
#include "tests/unit/curve.h"
#include "tests/unit/machine.h"

#include <math.h>
#include <stdlib.h>

#define MOST_LAYERS 4
/* What disturbs one measurement in twenty makes it so many times as long. */
#define DISTURBED 1.6

/* Things in groups of groups, each layer of so many members whose numbers are so far apart. */
struct tree {
  size_t layers;
  size_t members[MOST_LAYERS];
  size_t step[MOST_LAYERS];
  double y[MOST_LAYERS];
};

/* What the search measures with. */
struct world {
  const struct tree *tree;
  const double (*matrix)[8]; /* instead */
  double noise;              /* standard deviation, about */
  double disturbed;          /* share of measurements */
  struct hw_random random;
  size_t measured;
};

static size_t things(const struct tree *tree) {
  size_t n = 1;

  for (size_t k = 0; k < tree->layers; k++)
    n *= tree->members[k];
  return n;
}

static size_t member(const struct tree *tree, size_t thing, size_t k) {
  return thing / tree->step[k] % tree->members[k];
}

/* The layer that two different things have in common. */
static size_t common(const struct tree *tree, size_t i, size_t j) {
  size_t k = tree->layers - 1;

  while (member(tree, i, k) == member(tree, j, k))
    k--;
  return k;
}

static double measure(void *context, size_t i, size_t j) {
  struct world *world = context;
  double y = world->tree != NULL ? world->tree->y[common(world->tree, i, j)] : world->matrix[i][j];
  double sum = 0;

  assert_true(i < j);
  world->measured++;
  for (int k = 0; k < 12; k++)
    sum += hw_random_unit(&world->random);
  y *= 1 + world->noise * fmax(-2, fmin(2, sum - 6));
  return hw_random_unit(&world->random) < world->disturbed ? y * DISTURBED : y;
}

/* Searches and holds the groups against the tree's.  Returns the pairs measured. */
static size_t check_tree(const struct tree *tree, double noise, double disturbed,
                         const size_t *alike, uint64_t seed) {
  struct world world = {tree, NULL, noise, disturbed, {seed}, 0};
  size_t n = things(tree);
  struct hw_pairs pairs;
  struct hw_layers layers;

  assert_int_equal(hw_pairs_init(&pairs, n), 0);
  assert_int_equal(hw_pairs_search(&pairs, alike, seed, measure, &world), 0);
  assert_null(hw_layers_find(&pairs, &layers));
  assert_int_equal(layers.layers, tree->layers);
  for (size_t k = 0; k < tree->layers; k++) {
    size_t size = 1;

    for (size_t l = 0; l <= k; l++)
      size *= tree->members[l];
    assert_int_equal(hw_layer_size(&layers, k), size);
    assert_true(fabs(layers.y[k] - tree->y[k]) < (2 * noise + 1e-9) * tree->y[k]);
    for (size_t i = 0; i < n; i++)
      for (size_t j = i + 1; j < n; j++)
        assert_int_equal(layers.group[k * n + i] == layers.group[k * n + j],
                         common(tree, i, j) <= k);
  }
  hw_layers_free(&layers);
  n = pairs.measured;
  hw_pairs_free(&pairs);
  return n;
}

/* Servet IV: 24 cores, level 2 shared by 0 and 12, level 3 by {0,1,2,12,13,14}. */
static const struct tree dunnington = {3, {2, 3, 4}, {12, 1, 3}, {30, 60, 150}};
/* 16 cores: buses of four, cells of eight. */
static const struct tree finis_terrae = {3, {4, 2, 2}, {1, 4, 8}, {1.2, 1.9, 2.7}};
static const struct tree many = {4, {2, 8, 8, 4}, {256, 1, 8, 64}, {12, 40, 95, 250}};
static const struct tree clusters = {2, {8, 8}, {1, 8}, {40, 100}};
static const struct tree pairs_far_apart = {2, {2, 32}, {32, 1}, {15, 60}};
static const struct tree flat = {1, {64}, {1}, {50}};
static const struct tree two = {1, {2}, {1}, {50}};

static const struct tree *const trees[] = {&dunnington,      &finis_terrae, &many, &clusters,
                                           &pairs_far_apart, &flat,         &two};
#define TREES (COUNT(trees))

static void test_trees(void **state) {
  (void)state;
  for (size_t t = 0; t < TREES; t++)
    (void)check_tree(trees[t], 0, 0, NULL, 1);
}

/* What a layer's pairs are, and a curve of pairs and of groups, as probes and readers share them.
 */
static void test_shared(void **state) {
  struct world world = {&finis_terrae, NULL, 0, 0, {1}, 0};
  struct hw_pairs pairs, again;
  struct hw_layers layers;
  struct hw_curve curve;
  size_t thing[16];

  (void)state;
  assert_int_equal(hw_pairs_init(&pairs, 16), 0);
  assert_int_equal(hw_pairs_search(&pairs, NULL, 1, measure, &world), 0);
  hw_curve_init(&curve, "pairs", "x", "y");
  assert_int_equal(hw_pairs_put_all(&pairs, 3, &curve), 0);
  assert_int_equal(curve.n, pairs.measured);
  assert_int_equal(curve.point[0].count, 3);
  assert_int_equal(hw_pairs_read(&again, &curve), 0);
  assert_memory_equal(again.y, pairs.y, 16 * 16 * sizeof *pairs.y);
  hw_curve_free(&curve);
  assert_null(hw_layers_find(&again, &layers));
  for (size_t k = 0; k < layers.layers; k++) {
    assert_int_equal(hw_layer_match(&layers, k, thing), 8);
    for (size_t i = 0; i < 16; i += 2)
      assert_int_equal(common(&finis_terrae, thing[i], thing[i + 1]), k);
    assert_int_equal(hw_groups_count(&layers.group[k * 16], 16), 4 >> k);
  }
  hw_curve_init(&curve, "groups", "x", "y");
  assert_int_equal(hw_groups_put(&curve, &layers.group[16], 16), 0);
  assert_int_equal(hw_curve_at(&curve, 15)->y, 8);
  hw_curve_free(&curve);
  hw_layers_free(&layers);
  hw_pairs_free(&pairs);
  hw_pairs_free(&again);
}

static void test_trees_noise(void **state) {
  (void)state;
  for (size_t t = 0; t < TREES; t++)
    for (uint64_t seed = 1; seed <= 5; seed++)
      (void)check_tree(trees[t], 0.02, 0, NULL, seed);
}

/* The number of pairs grows like the number of things times that of layers. */
static void test_few(void **state) {
  size_t n = things(&many), few = check_tree(&many, 0.02, 0, NULL, 3);

  (void)state;
  print_message("# %zu of %zu pairs\n", few, n * (n - 1) / 2);
  assert_in_range(few, n, 3 * n + many.layers * n);
  assert_in_range(check_tree(&clusters, 0, 0, NULL, 1), 64, 64 * 5);
  assert_in_range(check_tree(&flat, 0, 0, NULL, 1), 64, 64 * 4);
}

/* Processors, and which of them share: those of one group. */
struct crowd {
  size_t n;
  size_t group[512];
  double disturbed; /* share of the times that a thing is slowed by nothing of the crowd */
  double missing;   /* and of those at which the first thing is not there */
  struct hw_random random;
};

/* The groups of a layer of a tree, but for so many things at its end. */
static struct crowd crowd_of(const struct tree *tree, size_t layer, size_t fewer) {
  struct crowd crowd = {.n = things(tree) - fewer, .random = {1}};

  for (size_t i = 0; i < crowd.n; i++) {
    crowd.group[i] = i;
    for (size_t j = i; j-- > 0;)
      if (common(tree, i, j) <= layer)
        crowd.group[i] = crowd.group[j];
  }
  return crowd;
}

/* Of things that are likely to be alike few pairs are measured; where they are not, as many as
 * ever.
 */
static void test_alike(void **state) {
  static const struct tree *const some[] = {&many, &clusters, &dunnington};

  (void)state;
  for (size_t t = 0; t < COUNT(some); t++)
    for (size_t k = 0; k + 1 < some[t]->layers; k++)
      for (uint64_t seed = 1; seed <= 3; seed++) {
        struct crowd crowd = crowd_of(some[t], k, 0);
        size_t pairs = check_tree(some[t], 0.02, 0, crowd.group, seed);

        print_message("# layer %zu of %zu things alike: %zu pairs\n", k + 1, crowd.n, pairs);
        assert_true(pairs < (k == 0 ? 6 : 2) * crowd.n);
        for (size_t i = 0; i < crowd.n; i++)
          crowd.group[i] = i / 4 * 4; /* they are not alike, mostly */
        (void)check_tree(some[t], 0.02, 0, crowd.group, seed);
      }
}

/* A pair that was disturbed is measured again. */
static void test_disturbed(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    struct world world = {&clusters, NULL, 0.01, 0.02, {seed}, 0};
    struct hw_pairs pairs;
    struct hw_layers layers;

    assert_int_equal(hw_pairs_init(&pairs, 64), 0);
    assert_int_equal(hw_pairs_search(&pairs, NULL, seed, measure, &world), 0);
    if (hw_layers_find(&pairs, &layers) == NULL) {
      assert_int_equal(layers.layers, 2);
      assert_int_equal(hw_layer_size(&layers, 0), 8);
      hw_layers_free(&layers);
    }
    hw_pairs_free(&pairs);
  }
}

/* The reason why a matrix has no layers, or NULL. */
static const char *refused(const double (*matrix)[8], size_t n, struct hw_layers *layers) {
  struct world world = {NULL, matrix, 0, 0, {1}, 0};
  struct hw_pairs pairs;
  const char *why;

  assert_int_equal(hw_pairs_init(&pairs, n), 0);
  assert_int_equal(hw_pairs_search(&pairs, NULL, 1, measure, &world), 0);
  why = hw_layers_find(&pairs, layers);
  hw_pairs_free(&pairs);
  return why;
}

/* A chain: 0 near 1, 1 near 2, 0 far from 2. */
static void test_no_tree(void **state) {
  static const double chain[3][8] = {{0, 10, 30}, {10, 0, 10}, {30, 10, 0}};
  struct hw_layers layers;

  (void)state;
  assert_string_equal(refused(chain, 3, &layers), "a pair is farther apart than its group");
}

static void test_hardly(void **state) {
  static const double close[3][8] = {{0, 10, 11.8}, {10, 0, 11.8}, {11.8, 11.8, 0}};
  static const double same[3][8] = {{0, 10, 10.9}, {10, 0, 10.9}, {10.9, 10.9, 0}};
  struct hw_layers layers;

  (void)state;
  assert_string_equal(refused(close, 3, &layers), "two layers hardly differ");
  assert_null(refused(same, 3, &layers));
  assert_int_equal(layers.layers, 1);
  hw_layers_free(&layers);
}

/* Two pairs and two that stand alone: groups of more than one size. */
static void test_uneven(void **state) {
  double matrix[8][8];
  struct hw_layers layers;

  (void)state;
  for (size_t i = 0; i < 6; i++)
    for (size_t j = 0; j < 6; j++)
      matrix[i][j] = i / 2 == j / 2 && i < 4 ? 10 : 50;
  assert_null(refused((const double(*)[8])matrix, 6, &layers));
  assert_int_equal(layers.layers, 2);
  assert_int_equal(hw_layer_size(&layers, 0), 0);
  assert_int_equal(hw_layer_size(&layers, 1), 6);
  assert_int_equal(layers.group[3], 2);
  assert_int_equal(layers.group[5], 5);
  hw_layers_free(&layers);
}

/* Cores of two threads, and then those of one, which are found although the first is not so; and
   the other way around. */
static double hybrid(void *context, size_t i, size_t j) {
  const size_t *border = context;
  bool pair = i / 2 == j / 2 && (*border < 100 ? i < *border : i >= *border - 100);

  return pair ? 10 : 50;
}

static void test_hybrid(void **state) {
  (void)state;
  for (size_t border = 8; border <= 108; border += 100) {
    struct hw_pairs pairs;
    struct hw_layers layers;

    assert_int_equal(hw_pairs_init(&pairs, 24), 0);
    assert_int_equal(hw_pairs_search(&pairs, NULL, 1, hybrid, &border), 0);
    assert_null(hw_layers_find(&pairs, &layers));
    for (size_t i = 0; i + 1 < 24; i++)
      assert_int_equal(layers.group[i] == layers.group[i + 1], hybrid(&border, i, i + 1) < 20);
    hw_layers_free(&layers);
    hw_pairs_free(&pairs);
  }
}

static double broken(void *context, size_t i, size_t j) {
  (void)context;
  return i == 1 && j == 2 ? -1 : 10;
}

static void test_broken(void **state) {
  struct hw_pairs pairs;

  (void)state;
  assert_int_equal(hw_pairs_init(&pairs, 4), 0);
  assert_int_equal(hw_pairs_search(&pairs, NULL, 1, broken, NULL), -1);
  hw_pairs_free(&pairs);
}

static void test_curve(void **state) {
  struct hw_curve curve;
  struct hw_pairs pairs;

  (void)state;
  hw_curve_init(&curve, "pairs", "pair", "ns");
  assert_int_equal(hw_pairs_read(&pairs, &curve), -1);
  put_point(&curve, 0 * HW_THINGS + 3, 7, 0, 0);
  put_point(&curve, 2 * HW_THINGS + 3, 8, 0, 0);
  assert_int_equal(hw_pairs_read(&pairs, &curve), 0);
  assert_int_equal(pairs.n, 4);
  assert_int_equal(pairs.measured, 2);
  assert_true(fabs(hw_pairs_get(&pairs, 3, 2) - 8) < 1e-9);
  assert_true(isnan(hw_pairs_get(&pairs, 0, 1)));
  hw_pairs_free(&pairs);
  put_point(&curve, 3 * HW_THINGS + 2, 8, 0, 0);
  assert_int_equal(hw_pairs_read(&pairs, &curve), -1);
  hw_curve_free(&curve);
}

/* ---- groups by crowds ---- */

/* A thing takes 1.6 times as long beside another of its group. */
static int crowd_measure(void *context, const size_t *thing, size_t n, struct hw_point *point) {
  struct crowd *crowd = context;
  bool gone = hw_random_unit(&crowd->random) < crowd->missing;
  size_t there[512] = {0};

  for (size_t i = 0; i < n; i++)
    there[crowd->group[thing[i]]] += thing[i] > 0 || !gone;
  for (size_t i = 0; i < n; i++) {
    bool slow = there[crowd->group[thing[i]]] > 1 || (thing[i] == 0 && gone) ||
                hw_random_unit(&crowd->random) < crowd->disturbed;

    assert_true(i == 0 || thing[i - 1] < thing[i]);
    point[i] = (struct hw_point){.x = (double)thing[i], .y = slow ? 1.6 : 1, .count = 12};
  }
  return 0;
}

/* Searches, and holds the groups against those that are.  The crowds measured; 0 where the groups
   are not clear. */
static size_t check_crowd(struct crowd *crowd) {
  struct hw_bench bench = {.machine = machine_of("machine m\ncycle 1000 ns\npage bytes 4K\n"
                                                 "level 1 bytes 32K ways 8 line 64 latency 4\n"
                                                 "memory latency 200\n"),
                           .adds = HW_GRAIN,
                           .deadline = INFINITY};
  size_t thing[512], group[512];
  struct hw_point beside[512];
  struct hw_crowds crowds = {&bench,        thing, crowd->n, crowd_measure,
                             hw_company_of, crowd, 0,        beside};
  struct hw_curve pairs;
  bool found;

  for (size_t i = 0; i < crowd->n; i++)
    thing[i] = i;
  found = hw_crowds_search(&crowds, group) == 0;
  for (size_t i = 0; found && i < crowd->n; i++)
    for (size_t j = 0; j < i; j++)
      assert_int_equal(group[i] == group[j], crowd->group[i] == crowd->group[j]);
  if (found && crowd->disturbed <= 0)
    assert_int_equal(hw_crowds_prove(&crowds, group), 0);
  hw_curve_init(&pairs, "pairs", "pair", "slowdown");
  assert_int_equal(hw_crowds_put(&crowds, group, &pairs), 0);
  for (size_t i = 0; found && i < pairs.n; i++)
    assert_int_equal(hw_company_of(&pairs.point[i]) == HW_COMPANY_SHARING,
                     crowd->group[(size_t)pairs.point[i].x / HW_THINGS] ==
                         crowd->group[(size_t)pairs.point[i].x % HW_THINGS]);
  assert_true(!found || pairs.n + 1 >= crowd->n);
  hw_curve_free(&pairs);
  bench.machine->ops->close(bench.machine);
  return found ? crowds.asked : 0;
}

/* Each layer of each tree, and the same where some things are missing. */
static void test_crowds(void **state) {
  (void)state;
  for (size_t t = 0; t < TREES; t++)
    for (size_t k = 0; k < trees[t]->layers; k++)
      for (size_t fewer = 0; fewer < 4 && fewer + 1 < things(trees[t]); fewer += 3) {
        struct crowd crowd = crowd_of(trees[t], k, fewer);

        assert_true(check_crowd(&crowd) > 0);
      }
}

/* Of many processors, where none shares, and where two do: the crowds grow like the logarithm. */
static void test_crowds_few(void **state) {
  struct crowd apart = {.n = 512, .random = {1}};
  struct crowd cores = crowd_of(&many, 0, 0), some = crowd_of(&clusters, 0, 0);
  size_t crowds;

  (void)state;
  for (size_t i = 0; i < 512; i++)
    apart.group[i] = i;
  assert_int_equal(check_crowd(&apart), 3);
  crowds = check_crowd(&cores);
  print_message("# %zu crowds of 512 in pairs, searched and proved again\n", crowds);
  assert_true(crowds <= 64);
  crowds = check_crowd(&some);
  print_message("# %zu crowds of 64 in eights\n", crowds);
  assert_true(crowds <= 80);
}

/* Groups of all sizes, in any order; and things that are slowed now and then by others. */
static void test_crowds_random(void **state) {
  size_t known = 0;

  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct crowd crowd = {
        .n = 5 + 3 * seed, .disturbed = (double)(seed % 2) * 0.003, .random = {seed}};
    size_t groups = 1 + hw_random_bits(&crowd.random) % crowd.n;

    for (size_t i = 0; i < crowd.n; i++)
      crowd.group[i] = hw_random_bits(&crowd.random) % groups;
    if (check_crowd(&crowd) > 0)
      known++;
    else
      assert_int_equal(seed % 2, 1);
  }
  print_message("# %zu of 60 are known\n", known);
}

/* A thing that is away at half of the times: the groups are right or not clear. */
static void test_crowds_missing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct crowd crowd = crowd_of(seed % 2 == 0 ? &clusters : &dunnington, seed % 2, 0);

    crowd.missing = 0.5;
    crowd.random = (struct hw_random){seed};
    (void)check_crowd(&crowd);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trees),         cmocka_unit_test(test_shared),
      cmocka_unit_test(test_trees_noise),   cmocka_unit_test(test_alike),
      cmocka_unit_test(test_few),           cmocka_unit_test(test_disturbed),
      cmocka_unit_test(test_no_tree),       cmocka_unit_test(test_hardly),
      cmocka_unit_test(test_uneven),        cmocka_unit_test(test_hybrid),
      cmocka_unit_test(test_broken),        cmocka_unit_test(test_curve),
      cmocka_unit_test(test_crowds),        cmocka_unit_test(test_crowds_few),
      cmocka_unit_test(test_crowds_random), cmocka_unit_test(test_crowds_missing),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
