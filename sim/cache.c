#include "sim/cache.h"

#include "probes/bench/random.h"

#include <stdlib.h>
#include <string.h>

/* RRIP's prediction of a unit's next use: 0, soon, to 3, not soon. */
#define CACHE_FAR 3u
#define CACHE_NEW 2u /* of one that just came in */
#define CACHE_LOW_BITS UINT64_C(0x5555555555555555)
/* A multiplier that hashes 64 bits. */
#define CACHE_SCATTER UINT64_C(0x9e3779b97f4a7c15)

/* A way of a set and the unit in it.  LRU: a set's ways form a ring in the order of use; the newest
   is followed by the oldest. */
struct cache_unit {
  uint64_t tag; /* plus one; 0: the way is empty */
  uint64_t home;
  bool dirty;
  uint16_t newer;
  uint16_t older;
};

struct cache_set {
  uint64_t bits;   /* PLRU: bit n has children 2n and 2n+1, the root is bit 1.  RRIP: two a way.
                      Clock: one a way, set where it was used since the hand went by */
  uint64_t digest; /* how it was when the last lap ended that used it; 0: none did */
  uint32_t lap;    /* the lap in which it was last used; 0: never */
  uint16_t hand;   /* RRIP and clock: the way at which the search for a victim begins */
  uint16_t newest; /* the way that was used last */
  uint32_t held;   /* units in it */
  bool moved;      /* a unit came in or was invalidated in that lap */
};

struct hw_cache {
  size_t sets;
  size_t ways;
  enum hw_policy policy;
  struct cache_set *set;
  struct cache_unit *unit; /* the ways of set 0, of set 1, ... */
  unsigned char *sign;     /* a byte of each tag, hashed, by which it is searched */
  size_t *used;            /* the sets used in this lap */
  size_t used_n;
  uint32_t lap; /* from 1 */
  bool drawn;   /* a victim was drawn at random in it */
  bool dropped; /* a unit was invalidated in it */
  struct hw_random random;
};

struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, uint64_t seed) {
  struct hw_cache *cache = malloc(sizeof *cache);

  if (cache == NULL)
    return NULL;
  *cache = (struct hw_cache){.sets = sets,
                             .ways = ways,
                             .policy = policy,
                             .set = calloc(sets, sizeof *cache->set),
                             .unit = calloc(sets, ways * sizeof *cache->unit),
                             .sign = calloc(sets, ways),
                             .used = calloc(sets, sizeof *cache->used),
                             .lap = 1,
                             .random = {seed}};
  if (cache->set != NULL && cache->unit != NULL && cache->sign != NULL && cache->used != NULL)
    return cache;
  hw_cache_close(cache);
  return NULL;
}

void hw_cache_close(struct hw_cache *cache) {
  if (cache == NULL)
    return;
  free(cache->set);
  free(cache->unit);
  free(cache->sign);
  free(cache->used);
  free(cache);
}

static inline size_t cache_set_of(const struct hw_cache *cache, uint64_t index) {
  bool power = (cache->sets & (cache->sets - 1)) == 0;

  return (size_t)(power ? index & (cache->sets - 1) : index % cache->sets);
}

/* The ways of a set. */
static inline struct cache_unit *cache_units(const struct hw_cache *cache, size_t set) {
  return cache->unit + set * cache->ways;
}

static inline unsigned char cache_sign(uint64_t tag) {
  return (unsigned char)(tag * CACHE_SCATTER >> 56);
}

/* The way that holds the tag, mostly the newest, or ways. */
static inline size_t cache_find(const struct hw_cache *cache, size_t set, uint64_t tag) {
  const struct cache_unit *unit = cache_units(cache, set);
  const unsigned char *sign = cache->sign + set * cache->ways, *end = sign + cache->ways;
  size_t way = cache->set[set].newest;

  if (unit[way].tag == tag + 1)
    return way;
  for (const unsigned char *at = sign;
       (at = memchr(at, cache_sign(tag), (size_t)(end - at))) != NULL; at++)
    if (unit[at - sign].tag == tag + 1)
      return (size_t)(at - sign);
  return cache->ways;
}

static inline size_t cache_behind(const struct hw_cache *cache, size_t way) {
  return way + 1 < cache->ways ? way + 1 : 0;
}

/* The order of an empty LRU set: way 0 is the oldest, to be filled first. */
static void cache_start(const struct hw_cache *cache, size_t set) {
  struct cache_unit *unit = cache_units(cache, set);

  for (size_t way = 0; way < cache->ways; way++) {
    size_t newer = cache_behind(cache, way);

    unit[way].newer = (uint16_t)newer;
    unit[newer].older = (uint16_t)way;
  }
  cache->set[set].newest = (uint16_t)(cache->ways - 1);
}

/* Moves a way of an LRU set, not the newest, between the newest and the oldest. */
static void cache_move(struct cache_unit *unit, size_t newest, size_t way) {
  size_t oldest = unit[newest].newer;

  if (oldest == way)
    return;
  unit[unit[way].older].newer = unit[way].newer;
  unit[unit[way].newer].older = unit[way].older;
  unit[way].newer = (uint16_t)oldest;
  unit[way].older = (uint16_t)newest;
  unit[newest].newer = unit[oldest].older = (uint16_t)way;
}

/* The set, noted as used in this lap. */
static inline struct cache_set *cache_note(struct hw_cache *cache, size_t set) {
  struct cache_set *it = &cache->set[set];

  if (it->lap == cache->lap)
    return it;
  if (it->lap == 0 && cache->policy == HW_POLICY_LRU)
    cache_start(cache, set);
  it->moved = false;
  it->lap = cache->lap;
  cache->used[cache->used_n++] = set;
  return it;
}

/* Makes a way the most recently used. */
static inline void cache_use(const struct hw_cache *cache, size_t set, size_t way, bool is_new) {
  struct cache_set *it = &cache->set[set];

  if (cache->policy == HW_POLICY_LRU) {
    if (way != it->newest)
      cache_move(cache_units(cache, set), it->newest, way);
  } else if (cache->policy == HW_POLICY_PLRU) {
    for (size_t node = way + cache->ways; node > 1; node /= 2)
      it->bits = (it->bits & ~(UINT64_C(1) << node / 2)) | (uint64_t)(~node & 1) << node / 2;
  } else if (cache->policy == HW_POLICY_RRIP) {
    it->bits &= ~((uint64_t)CACHE_FAR << 2 * way);
    it->bits |= (uint64_t)(is_new ? CACHE_NEW : 0) << 2 * way;
    it->hand = (uint16_t)cache_behind(cache, way);
  } else if (cache->policy == HW_POLICY_CLOCK) {
    it->bits |= UINT64_C(1) << way;
  }
  it->newest = (uint16_t)way;
}

bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index), way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  cache_use(cache, set, way, false);
  return true;
}

bool hw_cache_holds(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index);

  cache_note(cache, set);
  return cache_find(cache, set, tag) != cache->ways;
}

bool hw_cache_soil(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index), way = cache_find(cache, set, tag);

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  cache_units(cache, set)[way].dirty = true;
  return true;
}

/* RRIP: the first way from the hand on whose prediction is 3; all age until there is one. */
static size_t cache_far(const struct hw_cache *cache, struct cache_set *it) {
  uint64_t low = CACHE_LOW_BITS >> 2 * (HW_RRIP_WAYS - cache->ways);
  size_t way = it->hand;

  while ((it->bits & it->bits >> 1 & low) == 0)
    it->bits += low;
  while ((it->bits >> 2 * way & CACHE_FAR) != CACHE_FAR)
    way = cache_behind(cache, way);
  return way;
}

/* Clock: the first way from the hand on that was not used since the hand went by. */
static size_t cache_unused(const struct hw_cache *cache, struct cache_set *it) {
  size_t way = it->hand;

  for (; (it->bits >> way & 1) != 0; way = cache_behind(cache, way))
    it->bits &= ~(UINT64_C(1) << way);
  it->hand = (uint16_t)cache_behind(cache, way);
  return way;
}

/* PLRU: the way that comes i-th when a tree is followed the way that its bits point. */
static size_t cache_tree_way(uint64_t tree, size_t ways, size_t i) {
  size_t node = 1;

  for (size_t half = ways / 2; half > 0; half /= 2)
    node = 2 * node + (((tree >> node) & 1) ^ (i / half & 1));
  return node - ways;
}

/* The way that a new unit takes: an empty one, else the victim's.  With LRU empty ways are the
   oldest. */
static size_t cache_take(struct hw_cache *cache, size_t set, struct cache_set *it) {
  const struct cache_unit *unit = cache_units(cache, set);
  size_t way = it->hand;

  if (cache->policy == HW_POLICY_LRU)
    return unit[it->newest].newer;
  if (it->held < cache->ways) {
    while (unit[way].tag != 0)
      way = cache_behind(cache, way);
    return way;
  }
  if (cache->policy == HW_POLICY_PLRU)
    return cache_tree_way(it->bits, cache->ways, 0);
  if (cache->policy == HW_POLICY_RRIP)
    return cache_far(cache, it);
  if (cache->policy == HW_POLICY_CLOCK)
    return cache_unused(cache, it);
  cache->drawn = true;
  return (size_t)(hw_random_bits(&cache->random) % cache->ways);
}

bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home, bool dirty,
                   struct hw_victim *victim) {
  size_t set = cache_set_of(cache, index);
  struct cache_set *it = cache_note(cache, set);
  size_t way = cache_take(cache, set, it);
  struct cache_unit *unit = cache_units(cache, set) + way;
  bool full = unit->tag != 0;

  *victim = (struct hw_victim){unit->tag - 1, unit->home, unit->dirty};
  unit->tag = tag + 1;
  unit->home = home;
  unit->dirty = dirty;
  cache->sign[set * cache->ways + way] = cache_sign(tag);
  it->held += !full;
  it->moved = true;
  cache_use(cache, set, way, true);
  return full;
}

bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag, bool *dirty) {
  size_t set = cache_set_of(cache, index), way = cache_find(cache, set, tag);
  struct cache_set *it = cache_note(cache, set);
  struct cache_unit *unit = cache_units(cache, set);

  if (way == cache->ways)
    return false;
  *dirty = unit[way].dirty;
  unit[way].tag = 0;
  it->held--;
  it->moved = cache->dropped = true;
  if (cache->policy == HW_POLICY_LRU && way == it->newest)
    it->newest = unit[way].older;
  else if (cache->policy == HW_POLICY_LRU)
    cache_move(unit, it->newest, way);
  return true;
}

/* Adds a number to a digest. */
static uint64_t cache_blend(uint64_t digest, uint64_t number) {
  digest = (digest ^ number) * CACHE_SCATTER;
  return digest ^ digest >> 29;
}

/* The digest of a set's state, not 0.  Later hits and misses depend on the order of the ways as the
   policy sees it, not on their numbers, but for a tree with empty ways: those are filled by number.
   So the same units in the same order have the same digest, whichever ways they are in. */
static uint64_t cache_digest(const struct hw_cache *cache, size_t set) {
  const struct cache_set *it = &cache->set[set];
  const struct cache_unit *unit = cache_units(cache, set);
  bool tree = cache->policy == HW_POLICY_PLRU, ring = cache->policy == HW_POLICY_LRU;
  bool turned = tree && it->held == cache->ways && !cache->dropped;
  uint64_t digest = tree && !turned ? it->bits : 0;
  size_t way = ring ? it->newest : it->hand;

  for (size_t i = 0; i < cache->ways; i++) {
    uint64_t more = 0;

    if (turned)
      way = cache_tree_way(it->bits, cache->ways, i);
    else if (cache->policy == HW_POLICY_RRIP)
      more = it->bits >> 2 * way & CACHE_FAR;
    else if (cache->policy == HW_POLICY_CLOCK)
      more = it->bits >> way & 1;
    digest = cache_blend(digest, unit[way].tag << 2 | more);
    way = ring ? unit[way].older : cache_behind(cache, way);
  }
  return digest | 1;
}

/* The same lap again hits and misses the same in a set that is as it was, or where nothing came in
   or left: then nothing will the next time, and to use the same ways in the same order once more
   leaves the bits of any policy as they are. */
bool hw_cache_settled(struct hw_cache *cache) {
  bool same = !cache->drawn;

  for (size_t i = 0; i < cache->used_n; i++) {
    struct cache_set *it = &cache->set[cache->used[i]];
    uint64_t before = it->digest;

    it->digest = cache_digest(cache, cache->used[i]);
    same &= it->digest == before || !it->moved;
  }
  cache->used_n = 0;
  cache->dropped = cache->drawn = false;
  cache->lap++;
  return same;
}
