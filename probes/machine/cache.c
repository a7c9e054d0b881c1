#include "probes/machine/cache.h"

#include "probes/random.h"

#include <stdlib.h>

/* Units lie set by set, way by way.  Tags are kept plus one, so that zeroed memory is empty and a
   large cache costs no more than what is used of it. */
struct hw_cache {
  size_t sets;
  size_t ways;
  uint64_t mask; /* sets - 1 if that is a mask, else 0 */
  enum hw_policy policy;
  uint64_t *tag;
  uint64_t *home;
  uint64_t *stamp; /* LRU: when each unit was last used; 0: empty */
  uint64_t *tree;  /* PLRU: a set's bits; bit n has children 2n and 2n+1, the root is bit 1 */
  size_t *last;    /* the way of a set that was used last: where a search begins */
  uint64_t now;    /* uses so far: the clock of the stamps */
  uint64_t draws;  /* random victims so far */
  struct hw_random random;
  uint64_t *lap_of; /* the lap in which a set was last used */
  size_t *used;     /* sets used in this lap */
  size_t used_n;
  uint64_t lap;       /* the current lap: number of digests so far, plus one */
  uint64_t lap_start; /* now when it began */
};

static bool cache_is_power(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, uint64_t seed) {
  struct hw_cache *cache = calloc(1, sizeof *cache);

  if (cache == NULL)
    return NULL;
  cache->sets = sets;
  cache->ways = ways;
  cache->mask = cache_is_power(sets) ? sets - 1 : 0;
  cache->policy = policy;
  cache->random.state = seed;
  cache->lap = 1;
  cache->tag = calloc(sets * ways, sizeof *cache->tag);
  cache->home = calloc(sets * ways, sizeof *cache->home);
  cache->stamp = calloc(sets * ways, sizeof *cache->stamp);
  cache->tree = calloc(sets, sizeof *cache->tree);
  cache->last = calloc(sets, sizeof *cache->last);
  cache->lap_of = calloc(sets, sizeof *cache->lap_of);
  cache->used = calloc(sets, sizeof *cache->used);
  if (cache->tag == NULL || cache->home == NULL || cache->stamp == NULL || cache->tree == NULL ||
      cache->last == NULL || cache->lap_of == NULL || cache->used == NULL) {
    hw_cache_close(cache);
    return NULL;
  }
  return cache;
}

void hw_cache_close(struct hw_cache *cache) {
  if (cache == NULL)
    return;
  free(cache->tag);
  free(cache->home);
  free(cache->stamp);
  free(cache->tree);
  free(cache->last);
  free(cache->lap_of);
  free(cache->used);
  free(cache);
}

static size_t cache_set(const struct hw_cache *cache, uint64_t index) {
  if (cache->mask != 0)
    return (size_t)(index & cache->mask);
  return cache->sets == 1 ? 0 : (size_t)(index % cache->sets);
}

/* The way that holds the tag, or ways.  Begins where the set was used last and goes round: a ring
   of loads meets its lines in the order in which it brought them in. */
static size_t cache_find(const struct hw_cache *cache, size_t set, uint64_t tag) {
  const uint64_t *tags = cache->tag + set * cache->ways;
  size_t begin = cache->last[set];

  for (size_t way = begin; way < cache->ways; way++)
    if (tags[way] == tag + 1)
      return way;
  for (size_t way = 0; way < begin; way++)
    if (tags[way] == tag + 1)
      return way;
  return cache->ways;
}

/* Makes the bits on the way's path point away from it. */
static uint64_t cache_tree_use(uint64_t tree, size_t ways, size_t way) {
  size_t node = way + ways;

  while (node > 1) {
    uint64_t bit = UINT64_C(1) << (node / 2);

    tree = (node & 1) ? tree & ~bit : tree | bit;
    node /= 2;
  }
  return tree;
}

static size_t cache_tree_victim(uint64_t tree, size_t ways) {
  size_t node = 1;

  while (node < ways)
    node = 2 * node + (size_t)((tree >> node) & 1);
  return node - ways;
}

/* Takes note that a set is used in this lap. */
static void cache_note(struct hw_cache *cache, size_t set) {
  if (cache->lap_of[set] == cache->lap)
    return;
  cache->lap_of[set] = cache->lap;
  cache->used[cache->used_n++] = set;
}

static void cache_use(struct hw_cache *cache, size_t set, size_t way) {
  cache_note(cache, set);
  cache->last[set] = way;
  if (cache->policy == HW_POLICY_LRU)
    cache->stamp[set * cache->ways + way] = ++cache->now;
  else if (cache->policy == HW_POLICY_PLRU)
    cache->tree[set] = cache_tree_use(cache->tree[set], cache->ways, way);
}

bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set(cache, index);
  size_t way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_use(cache, set, way);
  return true;
}

bool hw_cache_holds(const struct hw_cache *cache, uint64_t index, uint64_t tag) {
  return cache_find(cache, cache_set(cache, index), tag) != cache->ways;
}

static size_t cache_oldest(const struct hw_cache *cache, size_t set) {
  const uint64_t *stamp = cache->stamp + set * cache->ways;
  size_t oldest = 0;

  for (size_t way = 1; way < cache->ways; way++)
    if (stamp[way] < stamp[oldest])
      oldest = way;
  return oldest;
}

/* The way that a new unit takes: an empty one first, whatever the policy. */
static size_t cache_place(struct hw_cache *cache, size_t set) {
  const uint64_t *tags = cache->tag + set * cache->ways;

  if (cache->policy == HW_POLICY_LRU)
    return cache_oldest(cache, set); /* an empty way has stamp 0 */
  for (size_t way = 0; way < cache->ways; way++)
    if (tags[way] == 0)
      return way;
  if (cache->policy == HW_POLICY_PLRU)
    return cache_tree_victim(cache->tree[set], cache->ways);
  cache->draws++;
  return (size_t)(hw_random_bits(&cache->random) % cache->ways);
}

bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home,
                   struct hw_victim *victim) {
  size_t set = cache_set(cache, index);
  size_t way = cache_place(cache, set);
  size_t unit = set * cache->ways + way;
  bool full = cache->tag[unit] != 0;

  if (full) {
    victim->tag = cache->tag[unit] - 1;
    victim->home = cache->home[unit];
  }
  cache->tag[unit] = tag + 1;
  cache->home[unit] = home;
  cache_use(cache, set, way);
  return full;
}

bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set(cache, index);
  size_t way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  cache->tag[set * cache->ways + way] = 0;
  cache->stamp[set * cache->ways + way] = 0;
  return true;
}

/* Stamps of this lap count from its beginning; the older ones are left as they are: their order
   is what matters, and it stays.  So does the order decide in an LRU set, not the way. */
static uint64_t cache_set_digest(const struct hw_cache *cache, size_t set) {
  uint64_t digest = cache->tree[set];

  for (size_t way = 0; way < cache->ways; way++) {
    size_t unit = set * cache->ways + way;
    uint64_t stamp = cache->stamp[unit];
    uint64_t age = stamp > cache->lap_start ? stamp - cache->lap_start : ~stamp;
    uint64_t place = cache->policy == HW_POLICY_LRU ? age : way;

    digest += hw_random_mix(hw_random_mix(cache->tag[unit]) + place);
  }
  return hw_random_mix(digest + hw_random_mix(set + 1));
}

uint64_t hw_cache_digest(struct hw_cache *cache) {
  uint64_t digest = hw_random_mix(cache->draws);

  for (size_t i = 0; i < cache->used_n; i++)
    digest += cache_set_digest(cache, cache->used[i]);
  cache->used_n = 0;
  cache->lap++;
  cache->lap_start = cache->now;
  return digest;
}
