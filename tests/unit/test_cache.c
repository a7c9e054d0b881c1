/* A simulated machine's caches against one that keeps nothing but what a policy says, on random
   uses; and against sequences worked out by hand. */
#include "probes/bench/random.h"
#include "sim/cache.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- The reference --------------------------------------------------------------------------- */

#define WAYS 64
#define SETS 16
#define LAP 40

struct way {
  bool there;
  bool dirty;
  uint64_t tag;
  uint64_t home;
  unsigned expected; /* RRIP: 0, soon, to 3; clock: 1 where it was used */
};

struct set {
  struct way way[WAYS];
  size_t order[WAYS]; /* LRU: ways from the oldest on */
  bool right[WAYS];   /* PLRU: node n points to 2n + 1, not to 2n; ways follow the nodes */
  size_t newest;
  size_t hand;
};

struct reference {
  enum hw_policy policy;
  size_t sets;
  size_t ways;
  struct set set[SETS];
};

/* Puts a way to the end of the order, or to its start. */
static void put_order(const struct reference *r, struct set *set, size_t way, bool newest) {
  size_t kept[WAYS], n = 0;

  for (size_t i = 0; i < r->ways; i++)
    if (set->order[i] != way)
      kept[n++] = set->order[i];
  set->order[newest ? n : 0] = way;
  memcpy(set->order + !newest, kept, n * sizeof *kept);
}

static void open_reference(struct reference *r, enum hw_policy policy, size_t sets, size_t ways) {
  *r = (struct reference){.policy = policy, .sets = sets, .ways = ways};
  for (size_t s = 0; s < sets; s++)
    for (size_t i = 0; i < ways; i++)
      r->set[s].order[i] = i;
}

static size_t find(const struct reference *r, uint64_t index, uint64_t tag) {
  const struct set *set = &r->set[index % r->sets];
  size_t way = 0;

  while (way < r->ways && !(set->way[way].there && set->way[way].tag == tag))
    way++;
  return way;
}

static void use(struct reference *r, struct set *set, size_t way, bool is_new) {
  put_order(r, set, way, true);
  for (size_t node = way + r->ways; node > 1; node /= 2)
    set->right[node / 2] = node % 2 == 0;
  set->way[way].expected = r->policy == HW_POLICY_CLOCK ? 1 : is_new ? 2 : 0;
  set->newest = way;
}

/* The first empty way, from the newest or the hand on where there is one. */
static size_t empty(const struct reference *r, const struct set *set) {
  size_t from = r->policy == HW_POLICY_RRIP ? set->newest + 1 : set->hand;

  for (size_t i = 0; i < r->ways; i++)
    if (!set->way[(from + i) % r->ways].there)
      return (from + i) % r->ways;
  return r->ways;
}

/* The way that the next unit takes. */
static size_t take(const struct reference *r, struct set *set) {
  size_t way = empty(r, set), node = 1;

  if (r->policy == HW_POLICY_LRU)
    return set->order[0];
  if (way < r->ways)
    return way;
  if (r->policy == HW_POLICY_PLRU) {
    while (node < r->ways)
      node = 2 * node + set->right[node];
    return node - r->ways;
  }
  if (r->policy == HW_POLICY_CLOCK) {
    for (way = set->hand; set->way[way].expected != 0; way = (way + 1) % r->ways)
      set->way[way].expected = 0;
    set->hand = (way + 1) % r->ways;
    return way;
  }
  for (;; node++) {
    for (size_t i = 1; i <= r->ways; i++)
      if (set->way[(set->newest + i) % r->ways].expected == 3)
        return (set->newest + i) % r->ways;
    for (size_t i = 0; i < r->ways; i++)
      set->way[i].expected++;
  }
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Puts a unit in; what leaves is the same, or of a random cache any, if no way is empty. */
static void fill(struct hw_cache *cache, struct reference *r, uint64_t index, uint64_t tag,
                 bool dirty) {
  struct set *set = &r->set[index % r->sets], next = *set;
  struct hw_victim victim;
  bool random = r->policy == HW_POLICY_RANDOM, full = empty(r, set) == r->ways;
  size_t way = random && full ? 0 : take(r, &next);

  assert_int_equal(hw_cache_fill(cache, index, tag, tag + 7, dirty, &victim), full);
  if (random && full)
    way = find(r, index, victim.tag);
  assert_true(way < r->ways);
  *set = random ? *set : next;
  if (full) {
    assert_int_equal(victim.tag, set->way[way].tag);
    assert_int_equal(victim.home, set->way[way].home);
    assert_int_equal(victim.dirty, set->way[way].dirty);
  }
  set->way[way] = (struct way){true, dirty, tag, tag + 7, 0};
  use(r, set, way, true);
}

/* A use by chance: a load, a store to what is there, or an invalidation.  Whether it was there. */
static bool use_any(struct hw_cache *cache, struct reference *r, uint64_t tag, unsigned what) {
  uint64_t index = tag * 5 + 1;
  struct set *set = &r->set[index % r->sets];
  size_t way = find(r, index, tag);
  bool there = way < r->ways, dirty = false;

  assert_int_equal(hw_cache_holds(cache, index, tag), there);
  if (what == 0) {
    assert_int_equal(hw_cache_drop(cache, index, tag, &dirty), there);
    assert_int_equal(dirty, there && set->way[way].dirty);
    if (there)
      put_order(r, set, way, false);
    if (there && set->newest == way && r->policy == HW_POLICY_LRU)
      set->newest = set->order[r->ways - 1];
    set->way[there ? way : 0].there &= !there;
  } else if (what == 1) {
    assert_int_equal(hw_cache_soil(cache, index, tag), there);
    set->way[there ? way : 0].dirty |= there;
  } else {
    assert_int_equal(hw_cache_touch(cache, index, tag), there);
    if (there)
      use(r, set, way, false);
    else
      fill(cache, r, index, tag, what == 2);
  }
  return there;
}

/* Each policy, with ways that it can have. */
static void each_shape(void (*test)(enum hw_policy policy, size_t sets, size_t ways)) {
  static const size_t ways[] = {1, 2, 3, 4, 8, 16, 17, 32, 64}, sets[] = {1, 2, 3, 16};

  for (enum hw_policy policy = HW_POLICY_LRU; policy <= HW_POLICY_CLOCK; policy++)
    for (size_t w = 0; w < COUNT(ways); w++)
      for (size_t s = 0; s < COUNT(sets); s++)
        if ((policy != HW_POLICY_PLRU || (ways[w] & (ways[w] - 1)) == 0) &&
            (policy != HW_POLICY_RRIP || ways[w] <= HW_RRIP_WAYS))
          test(policy, sets[s], ways[w]);
}

static void same_uses(enum hw_policy policy, size_t sets, size_t ways) {
  struct hw_cache *cache = hw_cache_open(sets, ways, policy, 5);
  struct hw_random random = {.state = 100 * ways + sets};
  static struct reference r;

  open_reference(&r, policy, sets, ways);
  for (unsigned i = 0; i < 3000; i++) {
    uint64_t tag = hw_random_below(&random, sets * ways * 3 / 2 + 2);
    use_any(cache, &r, tag, (unsigned)hw_random_below(&random, 40));
  }
  hw_cache_close(cache);
}

static void test_same(void **state) {
  (void)state;
  each_shape(same_uses);
}

/* Uses the units of a lap, in turn; which hit. */
static void do_lap(struct hw_cache *cache, struct reference *r, const uint64_t *lap, bool *hit) {
  for (size_t i = 0; i < LAP; i++)
    hit[i] = use_any(cache, r, lap[i], 3);
}

/* After a lap that is settled the same lap hits and misses the same. */
static void same_laps(enum hw_policy policy, size_t sets, size_t ways) {
  struct hw_random random = {.state = 100 * ways + sets};
  static struct reference r;
  unsigned settled = 0;

  for (unsigned run = 0; run < 30; run++) {
    struct hw_cache *cache = hw_cache_open(sets, ways, policy, run);
    uint64_t lap[LAP];
    bool hit[LAP], now[LAP], steady = false;
    size_t n = sets * (ways + run % 3);
    open_reference(&r, policy, sets, ways);
    for (size_t i = 0; i < LAP; i++)
      lap[i] = hw_random_below(&random, n);
    for (unsigned k = 0; k < 12; k++) {
      do_lap(cache, &r, lap, now);
      assert_true(!steady || memcmp(now, hit, sizeof hit) == 0);
      memcpy(hit, now, sizeof hit);
      steady = hw_cache_settled(cache);
      assert_true(steady || k < 3 || policy != HW_POLICY_LRU);
      settled += steady;
    }
    if (hw_cache_drop(cache, lap[0] * 5 + 1, lap[0], &steady))
      assert_false(hw_cache_settled(cache));
    hw_cache_close(cache);
  }
  assert_true(policy != HW_POLICY_LRU || settled >= 30);
}

static void test_laps(void **state) {
  (void)state;
  each_shape(same_laps);
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* Units in turn, + of one that is there, and / what has to leave. */
static const struct {
  enum hw_policy policy;
  size_t ways;
  const char *uses;
} by_hand[] = {{HW_POLICY_LRU, 3, "1 2 3 +1 4/2 +3 2/1 1/4 +3 5/2"},
               /* Units 1 to 4 take ways 0 to 3.  1 again: the root points right, the right node to
                  way 2, where 3 is; LRU would give up 2. */
               {HW_POLICY_PLRU, 4, "1 2 3 4 +1 5/3 6/2 7/4 +1 8/5"},
               /* New ones are expected at distance 2, used ones at 0.  5: all age to 3 but unit 1,
                  used, to 1; the first far one behind the newest, unit 1's way, goes. */
               {HW_POLICY_RRIP, 4, "1 2 3 4 +1 5/2 6/3 7/4 8/5 +1"},
               /* 5: the hand goes round once, clears all, and stops at unit 1's way, and then
                  behind it.  2 is used again, so that 6 takes unit 3's way, and 7 unit 4's. */
               {HW_POLICY_CLOCK, 4, "1 2 3 4 +1 5/1 +2 6/3 7/4 8/2"}};

static void test_by_hand(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(by_hand); i++) {
    struct hw_cache *cache = hw_cache_open(1, by_hand[i].ways, by_hand[i].policy, 0);
    for (const char *at = by_hand[i].uses; *at != '\0'; at += strspn(at, " ")) {
      bool there = *at == '+', full;
      char *end;
      uint64_t tag = strtoul(at + there, &end, 10), leaves = 0;
      struct hw_victim victim;
      if (*end == '/')
        leaves = strtoul(end + 1, &end, 10);
      assert_int_equal(hw_cache_touch(cache, 0, tag), there);
      full = !there && hw_cache_fill(cache, 0, tag, 0, false, &victim);
      assert_int_equal(full ? victim.tag : 0, leaves);
      at = end;
    }
    hw_cache_close(cache);
  }
}

/* Each of four is the victim with the same chance: 1/4 live one use, 3/16 two. */
static void test_random(void **state) {
  struct hw_cache *cache = hw_cache_open(1, 4, HW_POLICY_RANDOM, 5);
  unsigned age[64] = {0}, all = 40000;
  struct hw_victim victim;

  (void)state;
  for (uint64_t tag = 0; tag < all; tag++)
    if (hw_cache_fill(cache, 0, tag, 0, false, &victim) && tag - victim.tag < 64)
      age[tag - victim.tag]++;
  assert_in_range(age[1], all / 4 - 400, all / 4 + 400);
  assert_in_range(age[2], all / 16 * 3 - 400, all / 16 * 3 + 400);
  hw_cache_close(cache);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_laps),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_random),
  };

  return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
