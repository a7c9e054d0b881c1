/* Groups by crowds.  See crowds.h.

   A thing that is alone in a crowd shares with none of it; a thing that is not, with some of it.
   Noise only adds time, so that a thing that was alone once is so.

   Why the proof is one.  What is alone with all others is a group of its own.  The firsts are alone
   among each other, so that they are of different groups.  If a first is alone beside the others
   of the groups with another bit than its own, none of these is of its group; any two groups differ
   in a bit, so that no other thing but those of its own group can be.  And each of these shares
   with a first: it is alone among as many others of different groups, and not alone with the
   firsts. */
#include "probes/system/crowds.h"

#include "analysis/environment.h"
#include "analysis/groups.h"

#include <stdlib.h>
#include <string.h>

/* Times that an unclear crowd is measured. */
#define CROWDS_TIMES 4u
/* Things of a crowd of which one may be missing (hw_team_missing). */
#define CROWDS_LARGE 32u
/* Shapes of groups that are remembered to guess other groups by. */
#define CROWDS_SHAPES 4u

/* Some of the things, by index, and what each is expected to do: UNCLEAR when it does not matter.
 */
struct crowds_set {
  size_t n;
  size_t index[HW_THINGS];
  enum hw_company expected[HW_THINGS];
  struct hw_point point[HW_THINGS];
};

/* The groups that are sought. */
struct crowds_search {
  struct hw_crowds *crowds;
  struct crowds_set set;    /* that is measured */
  size_t left[HW_THINGS];   /* things without a group yet, by index, ascending */
  size_t lefts;             /* their number */
  size_t found[HW_THINGS];  /* a group */
  size_t size;              /* of it */
  size_t number[HW_THINGS]; /* of the group of each thing, among those of more than one */
  size_t rank[HW_THINGS];   /* of each thing in its group, from 0 */
  size_t groups;            /* of more than one */
  size_t largest;           /* things of the largest */
  struct {
    size_t n;
    size_t offset[HW_THINGS]; /* from the first, by number */
  } shape[CROWDS_SHAPES];
  size_t shapes;
};

static void crowds_add(struct crowds_set *set, size_t index, enum hw_company expected) {
  set->index[set->n] = index;
  set->expected[set->n++] = expected;
}

/* Measures the set once.  0, or -1. */
static int crowds_run(struct hw_crowds *crowds, struct crowds_set *set) {
  size_t thing[HW_THINGS];

  for (size_t i = 0; i < set->n; i++)
    thing[i] = crowds->thing[set->index[i]];
  crowds->asked++;
  return hw_late(crowds->bench) ? -1 : crowds->measure(crowds->context, thing, set->n, set->point);
}

/* How often a thing was alone in a crowd, and how often it shared. */
struct crowds_seen {
  unsigned alone;
  unsigned sharing;
};

static void crowds_see(struct crowds_seen *seen, enum hw_company company) {
  seen->alone += company == HW_COMPANY_ALONE;
  seen->sharing += company == HW_COMPANY_SHARING;
}

/* Whether that is what was expected.  In a large crowd a thing may be alone once that shares. */
static bool crowds_met(const struct crowds_seen *seen, enum hw_company expected) {
  if (expected == HW_COMPANY_UNCLEAR)
    return true;
  return expected == HW_COMPANY_ALONE ? seen->alone > 0 : seen->sharing > 2 * seen->alone;
}

/* Measures the set until each thing has done what is expected.  0; -1 when one has not, or when one
   that shares was alone. */
static int crowds_expect(struct hw_crowds *crowds, struct crowds_set *set) {
  const unsigned may = set->n < CROWDS_LARGE ? 0 : 1;
  struct crowds_seen seen[HW_THINGS] = {{0}};

  for (unsigned times = 0; times < CROWDS_TIMES; times++) {
    bool all = true;

    if (times > 0)
      hw_pause(crowds->bench, HW_PROCESS_STAYS_NS);
    if (crowds_run(crowds, set) != 0)
      return -1;
    for (size_t i = 0; i < set->n; i++) {
      enum hw_company company = crowds->of(&set->point[i]);

      crowds_see(&seen[i], company);
      if (set->expected[i] == HW_COMPANY_SHARING && seen[i].alone > may)
        return -1;
      if (company == set->expected[i] && company != HW_COMPANY_UNCLEAR)
        crowds->beside[set->index[i]] = set->point[i];
      all = all && crowds_met(&seen[i], set->expected[i]);
    }
    if (all)
      return 0;
  }
  return -1;
}

/* ---- the proof ---- */

/* Numbers the groups of more than one, and the things in them. */
static void crowds_number(struct crowds_search *search, const size_t *group) {
  size_t size[HW_THINGS] = {0};

  search->groups = search->largest = 0;
  for (size_t i = 0; i < search->crowds->n; i++) {
    search->rank[i] = size[group[i]]++;
    if (search->rank[i] == 1)
      search->number[group[i]] = search->groups++;
    search->largest = search->rank[i] + 1 > search->largest ? search->rank[i] + 1 : search->largest;
  }
  for (size_t i = 0; i < search->crowds->n; i++)
    search->number[i] = size[group[i]] > 1 ? search->number[group[i]] : HW_THINGS;
}

/* Whether a crowd of those of the rank is as expected; with the firsts of their groups, or not. */
static int crowds_rank(struct crowds_search *search, const size_t *group, size_t rank,
                       bool firsts) {
  struct crowds_set *set = &search->set;
  bool with[HW_THINGS] = {false};

  set->n = 0;
  for (size_t i = search->crowds->n; firsts && i-- > 0;)
    with[group[i]] = with[group[i]] || search->rank[i] == rank;
  for (size_t i = 0; i < search->crowds->n; i++)
    if (search->number[i] < HW_THINGS && (with[i] || search->rank[i] == rank))
      crowds_add(set, i, firsts ? HW_COMPANY_SHARING : HW_COMPANY_ALONE);
  return set->n < 2 ? 0 : crowds_expect(search->crowds, set);
}

/* Whether each first is alone beside the others of groups of which the bit is another, and not
   beside those of which it is the same. */
static int crowds_bit(struct crowds_search *search, size_t bit, size_t value) {
  struct crowds_set *set = &search->set;

  set->n = 0;
  for (size_t i = 0; i < search->crowds->n; i++) {
    bool has = (search->number[i] >> bit & 1) == value;

    if (search->number[i] == HW_THINGS || (search->rank[i] > 0 && !has))
      continue;
    crowds_add(set, i,
               search->rank[i] > 0 ? HW_COMPANY_UNCLEAR
               : has               ? HW_COMPANY_SHARING
                                   : HW_COMPANY_ALONE);
  }
  return crowds_expect(search->crowds, set);
}

/* Proves the groups of more than one. */
static int crowds_proof(struct crowds_search *search, const size_t *group) {
  crowds_number(search, group);
  for (size_t bit = 0; search->groups > 1 && (search->groups - 1) >> bit > 0; bit++)
    for (size_t value = 0; value < 2; value++)
      if (crowds_bit(search, bit, value) != 0)
        return -1;
  for (size_t rank = 1; rank < search->largest; rank++)
    if (crowds_rank(search, group, rank, false) != 0 || crowds_rank(search, group, rank, true) != 0)
      return -1;
  return crowds_rank(search, group, 0, false);
}

int hw_crowds_prove(struct hw_crowds *crowds, const size_t *group) {
  struct crowds_search *search = calloc(1, sizeof *search);
  int result = -1;

  if (search != NULL) {
    search->crowds = crowds;
    crowds_number(search, group);
    for (size_t i = 0; i < crowds->n; i++)
      crowds_add(&search->set, i,
                 search->number[i] < HW_THINGS ? HW_COMPANY_SHARING : HW_COMPANY_ALONE);
    result = crowds_expect(crowds, &search->set);
    if (result == 0)
      result = crowds_proof(search, group);
  }
  free(search);
  return result;
}

/* ---- the search ---- */

/* All at once: each thing that is alone gets a group of its own, the others are left.  A large
   crowd has to say so twice.  0, or -1 if that stays unclear for one. */
static int crowds_alone(struct crowds_search *search, size_t *group) {
  struct hw_crowds *crowds = search->crowds;
  const unsigned need = crowds->n < CROWDS_LARGE ? 1 : 2;
  struct crowds_seen seen[HW_THINGS] = {{0}};
  bool clear = false;

  for (size_t i = 0; i < crowds->n; i++)
    crowds_add(&search->set, i, HW_COMPANY_UNCLEAR);
  for (unsigned times = 0; times < CROWDS_TIMES && !clear; times++) {
    if (crowds_run(crowds, &search->set) != 0)
      return -1;
    clear = true;
    for (size_t i = 0; i < crowds->n; i++) {
      enum hw_company company = crowds->of(&search->set.point[i]);

      crowds_see(&seen[i], company);
      if (company == HW_COMPANY_ALONE)
        crowds->beside[i] = search->set.point[i];
      clear = clear && (seen[i].alone >= need || seen[i].sharing > 2 * seen[i].alone);
    }
  }
  search->lefts = 0;
  for (size_t i = 0; i < crowds->n; i++) {
    group[i] = i;
    if (seen[i].alone < need)
      search->left[search->lefts++] = i;
  }
  return clear ? 0 : -1;
}

/* Whether the first that is left shares with one of n others: 1 or 0; -1 when that is not clear. */
static int crowds_meets(struct crowds_search *search, const size_t *other, size_t n) {
  struct hw_crowds *crowds = search->crowds;

  for (unsigned times = 0; times < CROWDS_TIMES; times++) {
    enum hw_company company;

    search->set.n = 0;
    crowds_add(&search->set, search->left[0], HW_COMPANY_UNCLEAR);
    for (size_t i = 0; i < n; i++)
      crowds_add(&search->set, other[i], HW_COMPANY_UNCLEAR);
    if (crowds_run(crowds, &search->set) != 0)
      return -1;
    company = crowds->of(&search->set.point[0]);
    if (company != HW_COMPANY_UNCLEAR)
      return company == HW_COMPANY_SHARING;
  }
  return -1;
}

/* Finds those of n others that share with the first that is left, by halves; some: at least one is
   known to.  0, or -1. */
static int crowds_bisect(struct crowds_search *search, const size_t *other, size_t n, bool some) {
  const size_t half = n / 2, before = search->size;
  int meets = some ? 1 : n == 0 ? 0 : crowds_meets(search, other, n);

  if (meets <= 0)
    return meets;
  if (n == 1) {
    search->found[search->size++] = other[0];
    return 0;
  }
  if (crowds_bisect(search, other, half, false) != 0)
    return -1;
  return crowds_bisect(search, other + half, n - half, search->size == before);
}

/* Remembers the shape of the group that was found, in place of the oldest. */
static void crowds_learn(struct crowds_search *search) {
  const size_t *thing = search->crowds->thing, at = search->shapes++ % CROWDS_SHAPES;

  search->shape[at].n = search->size;
  for (size_t k = 0; k < search->size; k++)
    search->shape[at].offset[k] = thing[search->found[k]] - thing[search->found[0]];
}

/* Whether things at the offsets of that shape are left. */
static bool crowds_fits(struct crowds_search *search, size_t shape) {
  const size_t *thing = search->crowds->thing, first = thing[search->left[0]];
  size_t i = 0;

  search->size = 0;
  for (size_t k = 0; k < search->shape[shape].n; k++) {
    while (i < search->lefts && thing[search->left[i]] < first + search->shape[shape].offset[k])
      i++;
    if (i == search->lefts || thing[search->left[i]] != first + search->shape[shape].offset[k])
      return false;
    search->found[search->size++] = search->left[i];
  }
  return search->size > 0;
}

/* Takes the group that was found out of those that are left. */
static void crowds_take(struct crowds_search *search, size_t *group) {
  size_t kept = 0, k = 0;

  for (size_t i = 0; i < search->lefts; i++)
    if (k < search->size && search->left[i] == search->found[k]) {
      group[search->left[i]] = search->found[0];
      k++;
    } else
      search->left[kept++] = search->left[i];
  search->lefts = kept;
}

/* Guesses the group of the first that is left by the shapes that are known, the latest first. */
static bool crowds_guess(struct crowds_search *search) {
  for (size_t k = 1; k <= CROWDS_SHAPES && k <= search->shapes; k++)
    if (crowds_fits(search, (search->shapes - k) % CROWDS_SHAPES))
      return true;
  return false;
}

/* Finds a group for all that are left, by guesses or not.  0, or -1. */
static int crowds_groups(struct crowds_search *search, size_t *group, bool guesses) {
  search->shapes = 0;
  while (search->lefts > 0) {
    if (!guesses || !crowds_guess(search)) {
      search->size = 1;
      search->found[0] = search->left[0];
      if (crowds_bisect(search, search->left + 1, search->lefts - 1, false) != 0 ||
          search->size == 1) /* it shares with all others, and none of them */
        return -1;
      crowds_learn(search);
    }
    crowds_take(search, group);
  }
  return 0;
}

int hw_crowds_search(struct hw_crowds *crowds, size_t *group) {
  struct crowds_search *search = calloc(1, sizeof *search);
  size_t left[HW_THINGS], lefts;
  int result = -1;

  if (search == NULL)
    return -1;
  search->crowds = crowds;
  if (crowds->n <= HW_THINGS && crowds_alone(search, group) == 0) {
    lefts = search->lefts;
    memcpy(left, search->left, sizeof left);
    for (size_t attempt = 0; attempt < 2 && result != 0 && !hw_late(crowds->bench); attempt++) {
      search->lefts = lefts;
      memcpy(search->left, left, sizeof left);
      if (lefts > 0)
        hw_pause(crowds->bench, HW_HOST_SLICE_NS);
      result = crowds_groups(search, group, attempt == 0);
      if (result == 0 && lefts > 0)
        hw_pause(crowds->bench, HW_HOST_SLICE_NS);
      if (result == 0)
        result = crowds_proof(search, group);
    }
  }
  free(search);
  return result;
}

int hw_crowds_put(const struct hw_crowds *crowds, const size_t *group, struct hw_curve *pairs) {
  size_t before = crowds->n;

  for (size_t i = 0; i < crowds->n; i++) {
    struct hw_point point = crowds->beside[i];
    size_t other = group[i] == i ? before : group[i];

    before = group[i] == i ? i : before;
    if (other == crowds->n)
      continue;
    if (group[i] == i && crowds->of(&point) != HW_COMPANY_ALONE)
      point = crowds->beside[other];
    point.x = hw_pair_x(crowds->thing[other], crowds->thing[i]);
    if (hw_curve_put(pairs, point) < 0)
      return -1;
  }
  return 0;
}
