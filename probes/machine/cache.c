#include "probes/machine/cache.h"

#include "probes/random.h"

#include <stdlib.h>

/* What RRIP expects of a unit: 0, to be used again soon, to 3, not soon. */
#define CACHE_FAR 3u
#define CACHE_NEW 2u /* of one that just came in */
#define CACHE_LOW_BITS UINT64_C(0x5555555555555555)

struct cache_set {
  uint64_t bits;   /* PLRU: bit n has children 2n and 2n+1, the root is bit 1.  RRIP: two a way */
  uint32_t lap;    /* the lap in which it was last used; 0: never */
  uint16_t newest; /* the way that was used last: where a search begins */
};

/* LRU: a set's ways form a ring in the order of use; the newest is followed by the oldest. */
struct cache_turn {
  uint16_t newer;
  uint16_t older;
};

/* Units lie set by set, way by way.  A tag is kept plus one, which leaves 0 for an empty way, and
   above a bit for dirty ones.  What is not used stays zeroed memory: a large cache costs no more
   than what is used of it. */
struct hw_cache {
  size_t sets;
  size_t ways;
  uint64_t mask; /* sets - 1 if that is a mask, else 0 */
  enum hw_policy policy;
  struct cache_set *set;
  uint64_t *tag;
  uint64_t *home;
  struct cache_turn *turn;
  uint64_t draws; /* random victims so far */
  struct hw_random random;
  uint32_t lap; /* the current one, from 1 */
  size_t *used; /* sets used in it */
  size_t used_n;
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
  cache->set = calloc(sets, sizeof *cache->set);
  cache->tag = calloc(sets * ways, sizeof *cache->tag);
  cache->home = calloc(sets * ways, sizeof *cache->home);
  cache->turn = calloc(policy == HW_POLICY_LRU ? sets * ways : 1, sizeof *cache->turn);
  cache->used = calloc(sets, sizeof *cache->used);
  if (cache->set == NULL || cache->tag == NULL || cache->home == NULL || cache->turn == NULL ||
      cache->used == NULL) {
    hw_cache_close(cache);
    return NULL;
  }
  return cache;
}

void hw_cache_close(struct hw_cache *cache) {
  if (cache == NULL)
    return;
  free(cache->set);
  free(cache->tag);
  free(cache->home);
  free(cache->turn);
  free(cache->used);
  free(cache);
}

static size_t cache_set_of(const struct hw_cache *cache, uint64_t index) {
  if (cache->mask != 0)
    return (size_t)(index & cache->mask);
  return cache->sets == 1 ? 0 : (size_t)(index % cache->sets);
}

/* A tag as it is kept, dirty; clean ones are one less. */
static uint64_t cache_kept(uint64_t tag) { return (tag + 1) << 1 | 1; }

/* The way that holds the tag, or ways.  Begins where the set was used last and goes round: a ring
   of loads meets its lines in the order in which it brought them in. */
static size_t cache_find(const struct hw_cache *cache, size_t set, uint64_t tag) {
  const uint64_t *tags = cache->tag + set * cache->ways;
  size_t begin = cache->set[set].newest;
  uint64_t kept = cache_kept(tag);

  for (size_t way = begin; way < cache->ways; way++)
    if ((tags[way] | 1) == kept)
      return way;
  for (size_t way = 0; way < begin; way++)
    if ((tags[way] | 1) == kept)
      return way;
  return cache->ways;
}

/* ---- LRU ---- */

/* The order of an empty set: way 0 is the oldest, to be filled first. */
static void cache_turns_start(struct hw_cache *cache, size_t set) {
  struct cache_turn *turn = cache->turn + set * cache->ways;
  size_t ways = cache->ways;

  for (size_t way = 0; way < ways; way++)
    turn[way] = (struct cache_turn){.newer = (uint16_t)(way + 1 < ways ? way + 1 : 0),
                                    .older = (uint16_t)(way > 0 ? way - 1 : ways - 1)};
  cache->set[set].newest = (uint16_t)(ways - 1);
}

/* Moves a way, not the newest, between the newest and the oldest. */
static void cache_turn_move(struct cache_turn *turn, uint16_t newest, size_t way) {
  uint16_t oldest = turn[newest].newer;

  if (oldest == way)
    return;
  turn[turn[way].older].newer = turn[way].newer;
  turn[turn[way].newer].older = turn[way].older;
  turn[way] = (struct cache_turn){.newer = oldest, .older = newest};
  turn[newest].newer = (uint16_t)way;
  turn[oldest].older = (uint16_t)way;
}

/* ---- PLRU ---- */

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

/* ---- RRIP ---- */

/* Sets what is expected of a way. */
static uint64_t cache_expect(uint64_t bits, size_t way, uint64_t expected) {
  return (bits & ~((uint64_t)CACHE_FAR << (2 * way))) | expected << (2 * way);
}

/* The first way not expected soon, once all have aged until there is one. */
static size_t cache_far(uint64_t *bits, size_t ways) {
  uint64_t low = CACHE_LOW_BITS >> (2 * (HW_RRIP_WAYS - ways));
  uint64_t far;
  size_t way = 0;

  while ((far = *bits & (*bits >> 1) & low) == 0)
    *bits += low;
  while ((far >> (2 * way) & 1) == 0)
    way++;
  return way;
}

/* ---- all ---- */

/* Takes note that a set is used in this lap. */
static void cache_note(struct hw_cache *cache, size_t set) {
  struct cache_set *it = &cache->set[set];

  if (it->lap == cache->lap)
    return;
  if (it->lap == 0 && cache->policy == HW_POLICY_LRU)
    cache_turns_start(cache, set);
  it->lap = cache->lap;
  cache->used[cache->used_n++] = set;
}

static void cache_use(struct hw_cache *cache, size_t set, size_t way, bool is_new) {
  struct cache_set *it = &cache->set[set];

  cache_note(cache, set);
  if (cache->policy == HW_POLICY_LRU && way != it->newest)
    cache_turn_move(cache->turn + set * cache->ways, it->newest, way);
  else if (cache->policy == HW_POLICY_PLRU)
    it->bits = cache_tree_use(it->bits, cache->ways, way);
  else if (cache->policy == HW_POLICY_RRIP)
    it->bits = cache_expect(it->bits, way, is_new ? CACHE_NEW : 0);
  it->newest = (uint16_t)way;
}

bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index);
  size_t way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_use(cache, set, way, false);
  return true;
}

bool hw_cache_holds(const struct hw_cache *cache, uint64_t index, uint64_t tag) {
  return cache_find(cache, cache_set_of(cache, index), tag) != cache->ways;
}

bool hw_cache_soil(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index);
  size_t way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  cache->tag[set * cache->ways + way] |= 1;
  return true;
}

/* The way that a new unit takes: an empty one first, whatever the policy. */
static size_t cache_place(struct hw_cache *cache, size_t set) {
  const uint64_t *tags = cache->tag + set * cache->ways;
  struct cache_set *it = &cache->set[set];

  if (cache->policy == HW_POLICY_LRU) /* empty ways are the oldest */
    return cache->turn[set * cache->ways + it->newest].newer;
  for (size_t way = 0; way < cache->ways; way++)
    if (tags[way] == 0)
      return way;
  if (cache->policy == HW_POLICY_PLRU)
    return cache_tree_victim(it->bits, cache->ways);
  if (cache->policy == HW_POLICY_RRIP)
    return cache_far(&it->bits, cache->ways);
  cache->draws++;
  return (size_t)(hw_random_bits(&cache->random) % cache->ways);
}

bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home, bool dirty,
                   struct hw_victim *victim) {
  size_t set = cache_set_of(cache, index);
  size_t way, unit;
  bool full;

  cache_note(cache, set);
  way = cache_place(cache, set);
  unit = set * cache->ways + way;
  full = cache->tag[unit] != 0;
  if (full)
    *victim = (struct hw_victim){.tag = (cache->tag[unit] >> 1) - 1,
                                 .home = cache->home[unit],
                                 .dirty = (cache->tag[unit] & 1) != 0};
  cache->tag[unit] = dirty ? cache_kept(tag) : cache_kept(tag) - 1;
  cache->home[unit] = home;
  cache_use(cache, set, way, true);
  return full;
}

bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag, bool *dirty) {
  size_t set = cache_set_of(cache, index);
  size_t way = cache_find(cache, set, tag);
  struct cache_set *it = &cache->set[set];

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  *dirty = (cache->tag[set * cache->ways + way] & 1) != 0;
  cache->tag[set * cache->ways + way] = 0;
  if (cache->policy != HW_POLICY_LRU)
    return true;
  if (way == it->newest)
    it->newest = cache->turn[set * cache->ways + way].older;
  else
    cache_turn_move(cache->turn + set * cache->ways, it->newest, way);
  return true;
}

void hw_cache_lap(struct hw_cache *cache) {
  cache->used_n = 0;
  cache->lap++;
}

/* In an LRU set the order decides, not the way. */
static uint64_t cache_set_digest(const struct hw_cache *cache, size_t set, uint64_t keep) {
  const uint64_t *tags = cache->tag + set * cache->ways;
  bool lru = cache->policy == HW_POLICY_LRU;
  const struct cache_turn *turn = lru ? cache->turn + set * cache->ways : NULL;
  uint64_t digest = cache->set[set].bits;
  size_t at = cache->set[set].newest;

  for (size_t way = 0; way < cache->ways; way++) {
    digest = (digest ^ (tags[lru ? at : way] & keep)) * UINT64_C(0x9e3779b97f4a7c15);
    digest ^= digest >> 29;
    if (lru)
      at = turn[at].older;
  }
  return hw_random_mix(digest + hw_random_mix(set + 1));
}

uint64_t hw_cache_digest(struct hw_cache *cache, bool soiled) {
  uint64_t digest = hw_random_mix(cache->draws);

  for (size_t i = 0; i < cache->used_n; i++)
    digest += cache_set_digest(cache, cache->used[i], soiled ? UINT64_MAX : ~UINT64_C(1));
  hw_cache_lap(cache);
  return digest;
}
