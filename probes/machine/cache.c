#include "probes/machine/cache.h"

#include "probes/random.h"

#include <stdlib.h>

/* What RRIP expects of a unit: 0, to be used again soon, to 3, not soon. */
#define CACHE_FAR 3u
#define CACHE_NEW 2u /* of one that just came in */
#define CACHE_LOW_BITS UINT64_C(0x5555555555555555)
/* The lowest and the highest bit of each byte. */
#define CACHE_BYTES UINT64_C(0x0101010101010101)
#define CACHE_BYTE_TOPS UINT64_C(0x8080808080808080)
/* Sets of more ways are looked through from the way used last, which is often the one. */
#define CACHE_WIDE 16u

/* Blocks of fewer bytes in all are taken to be in the host's own caches. */
#define CACHE_NEAR ((size_t)512 << 10)
/* What the host fetches at a time, bytes: a line, as most have it. */
#define CACHE_HOST_LINE ((size_t)64)
/* No more than this is fetched of a block beforehand, bytes: as many lines as a host can wait for.
 */
#define CACHE_HOST_MOST (8 * CACHE_HOST_LINE)
/* Sets of a digest between the one that is fetched and the one that is read. */
#define CACHE_AHEAD 8u

#ifdef __GNUC__
#define CACHE_PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define CACHE_PREFETCH(address) ((void)(address))
#endif

struct cache_set {
  uint64_t bits;   /* PLRU: bit n has children 2n and 2n+1, the root is bit 1.  RRIP: two a way */
  uint32_t lap;    /* the lap in which it was last used; 0: never */
  uint16_t newest; /* the way that was used last: where a search begins */
  bool full;       /* no way is empty: known once one was looked for in vain */
};

/* LRU: a set's ways form a ring in the order of use; the newest is followed by the oldest. */
struct cache_turn {
  uint16_t newer;
  uint16_t older;
};

/* A set's words lie together, in a block: the struct above, the turns, the tags, the homes.  A tag
   is kept plus one, which leaves 0 for an empty way, and above a bit for dirty ones.  What is not
   used stays zeroed memory: a large cache costs no more than what is used of it. */
struct hw_cache {
  size_t sets;
  size_t ways;
  uint64_t mask; /* sets - 1 if that is a mask, else 0 */
  enum hw_policy policy;
  char *blocks;
  size_t stride;  /* from a set's block to the next, bytes */
  size_t turns;   /* where in a block they begin, bytes */
  size_t tags;    /* the same */
  size_t homes;   /* where they begin; 0: none are kept */
  size_t far;     /* of a block, what is worth being fetched beforehand, bytes */
  uint64_t draws; /* random victims so far */
  struct hw_random random;
  uint32_t lap; /* the current one, from 1 */
  size_t *used; /* sets used in it */
  size_t used_n;
  bool dropped; /* a unit was taken out in it */
};

static struct cache_set *cache_at(const struct hw_cache *cache, size_t set) {
  return (struct cache_set *)(void *)(cache->blocks + set * cache->stride);
}

static uint64_t *cache_signs(struct cache_set *it) { return (uint64_t *)(void *)(it + 1); }

static struct cache_turn *cache_turns(const struct hw_cache *cache, struct cache_set *it) {
  return (struct cache_turn *)(void *)((char *)it + cache->turns);
}

static uint64_t *cache_tags(const struct hw_cache *cache, struct cache_set *it) {
  return (uint64_t *)(void *)((char *)it + cache->tags);
}

static uint64_t *cache_homes(const struct hw_cache *cache, struct cache_set *it) {
  return (uint64_t *)(void *)((char *)it + cache->homes);
}

static bool cache_is_power(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, bool homes,
                               uint64_t seed) {
  struct hw_cache *cache = calloc(1, sizeof *cache);
  size_t units = ways * sizeof(uint64_t);
  size_t turns = policy == HW_POLICY_LRU ? (ways + ways % 2) * sizeof(struct cache_turn) : 0;

  if (cache == NULL)
    return NULL;
  cache->sets = sets;
  cache->ways = ways;
  cache->mask = cache_is_power(sets) ? sets - 1 : 0;
  cache->policy = policy;
  cache->random.state = seed;
  cache->lap = 1;
  cache->turns = sizeof(struct cache_set) + (ways + 7) / 8 * sizeof(uint64_t);
  cache->tags = cache->turns + turns;
  cache->homes = homes ? cache->tags + units : 0;
  cache->stride = cache->tags + (homes ? 2 : 1) * units;
  if (sets > CACHE_NEAR / cache->stride)
    cache->far = cache->stride < CACHE_HOST_MOST ? cache->stride : CACHE_HOST_MOST;
  cache->blocks = calloc(sets, cache->stride);
  cache->used = calloc(sets, sizeof *cache->used);
  if (cache->blocks == NULL || cache->used == NULL) {
    hw_cache_close(cache);
    return NULL;
  }
  return cache;
}

void hw_cache_close(struct hw_cache *cache) {
  if (cache == NULL)
    return;
  free(cache->blocks);
  free(cache->used);
  free(cache);
}

static size_t cache_set_of(const struct hw_cache *cache, uint64_t index) {
  if (cache->mask != 0)
    return (size_t)(index & cache->mask);
  return index < cache->sets ? (size_t)index : cache->sets == 1 ? 0 : (size_t)(index % cache->sets);
}

/* A tag as it is kept, dirty; clean ones are one less. */
static uint64_t cache_kept(uint64_t tag) { return (tag + 1) << 1 | 1; }

static uint64_t cache_sign(uint64_t tag) { return tag * UINT64_C(0x9e3779b97f4a7c15) >> 56; }

/* The place, among eight, of the lowest byte whose top bit is set. */
static size_t cache_lowest(uint64_t tops) {
  uint64_t below = (tops & (0 - tops)) - 1;

  return (size_t)((below & CACHE_BYTES) * CACHE_BYTES >> 56) - 1;
}

/* The way that holds the tag, or ways. */
static size_t cache_find(const struct hw_cache *cache, struct cache_set *it, uint64_t tag) {
  const uint64_t *tags = cache_tags(cache, it);
  const uint64_t *signs = cache_signs(it);
  uint64_t kept = cache_kept(tag);
  uint64_t sign = cache_sign(tag) * CACHE_BYTES;

  if (cache->ways > CACHE_WIDE && (tags[it->newest] | 1) == kept)
    return it->newest;
  for (size_t first = 0; first < cache->ways; first += 8) {
    uint64_t differs = signs[first / 8] ^ sign;

    /* Bytes that are 0, and perhaps others above one. */
    for (uint64_t same = (differs - CACHE_BYTES) & ~differs & CACHE_BYTE_TOPS; same != 0;
         same &= same - 1) {
      size_t way = first + cache_lowest(same);

      if (way < cache->ways && (tags[way] | 1) == kept)
        return way;
    }
  }
  return cache->ways;
}

/* Notes the sign of what a way is to hold. */
static void cache_put_sign(struct cache_set *it, size_t way, uint64_t tag) {
  uint64_t *signs = cache_signs(it) + way / 8;
  unsigned shift = 8 * (unsigned)(way % 8);

  *signs = (*signs & ~(UINT64_C(255) << shift)) | cache_sign(tag) << shift;
}

/* ---- LRU ---- */

/* The order of an empty set: way 0 is the oldest, to be filled first. */
static void cache_turns_start(const struct hw_cache *cache, struct cache_set *it) {
  struct cache_turn *turn = cache_turns(cache, it);
  size_t ways = cache->ways;

  for (size_t way = 0; way < ways; way++)
    turn[way] = (struct cache_turn){.newer = (uint16_t)(way + 1 < ways ? way + 1 : 0),
                                    .older = (uint16_t)(way > 0 ? way - 1 : ways - 1)};
  it->newest = (uint16_t)(ways - 1);
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

/* The first way behind the newest that is not expected soon, once all have aged until there is
   one. */
static size_t cache_far(uint64_t *bits, size_t ways, size_t newest) {
  uint64_t low = CACHE_LOW_BITS >> (2 * (HW_RRIP_WAYS - ways));
  uint64_t far;
  size_t way = newest;

  while ((far = *bits & (*bits >> 1) & low) == 0)
    *bits += low;
  do
    way = way + 1 < ways ? way + 1 : 0;
  while ((far >> (2 * way) & 1) == 0);
  return way;
}

/* ---- all ---- */

/* The set, taken note of as used in this lap. */
static struct cache_set *cache_note(struct hw_cache *cache, size_t set) {
  struct cache_set *it = cache_at(cache, set);

  if (it->lap == cache->lap)
    return it;
  if (it->lap == 0 && cache->policy == HW_POLICY_LRU)
    cache_turns_start(cache, it);
  it->lap = cache->lap;
  cache->used[cache->used_n++] = set;
  return it;
}

static void cache_use(const struct hw_cache *cache, struct cache_set *it, size_t way, bool is_new) {
  if (cache->policy == HW_POLICY_LRU && way != it->newest)
    cache_turn_move(cache_turns(cache, it), it->newest, way);
  else if (cache->policy == HW_POLICY_PLRU)
    it->bits = cache_tree_use(it->bits, cache->ways, way);
  else if (cache->policy == HW_POLICY_RRIP)
    it->bits = cache_expect(it->bits, way, is_new ? CACHE_NEW : 0);
  it->newest = (uint16_t)way;
}

bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index);
  size_t way = cache_find(cache, cache_at(cache, set), tag);

  if (way == cache->ways)
    return false;
  cache_use(cache, cache_note(cache, set), way, false);
  return true;
}

bool hw_cache_holds(const struct hw_cache *cache, uint64_t index, uint64_t tag) {
  return cache_find(cache, cache_at(cache, cache_set_of(cache, index)), tag) != cache->ways;
}

/* Begins to fetch the set. */
static void cache_prefetch(const struct hw_cache *cache, size_t set) {
  const char *block = cache->blocks + set * cache->stride;

  for (size_t at = 0; at < cache->far; at += CACHE_HOST_LINE)
    CACHE_PREFETCH(block + at);
}

bool hw_cache_far(const struct hw_cache *cache) { return cache->far != 0; }

void hw_cache_prefetch(const struct hw_cache *cache, uint64_t index) {
  if (cache->far != 0)
    cache_prefetch(cache, cache_set_of(cache, index));
}

bool hw_cache_soil(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  size_t set = cache_set_of(cache, index);
  struct cache_set *it = cache_at(cache, set);
  bool newest = (cache_tags(cache, it)[it->newest] | 1) == cache_kept(tag); /* as it mostly is */
  size_t way = newest ? it->newest : cache_find(cache, it, tag);

  if (way == cache->ways)
    return false;
  cache_tags(cache, cache_note(cache, set))[way] |= 1;
  return true;
}

/* The first empty way of a set whose ways are in no order of use; an RRIP set is looked through
   from behind the newest on.  ways when there is none. */
static size_t cache_empty(const struct hw_cache *cache, struct cache_set *it) {
  const uint64_t *tags = cache_tags(cache, it);
  size_t begin = cache->policy == HW_POLICY_RRIP ? it->newest + 1u : 0;

  if (it->full)
    return cache->ways;
  for (size_t way = begin; way < cache->ways; way++)
    if (tags[way] == 0)
      return way;
  for (size_t way = 0; way < begin; way++)
    if (tags[way] == 0)
      return way;
  it->full = true;
  return cache->ways;
}

/* The way that a new unit takes: an empty one first, whatever the policy. */
static size_t cache_place(struct hw_cache *cache, struct cache_set *it) {
  size_t way;

  if (cache->policy == HW_POLICY_LRU) /* empty ways are the oldest */
    return cache_turns(cache, it)[it->newest].newer;
  way = cache_empty(cache, it);
  if (way != cache->ways)
    return way;
  if (cache->policy == HW_POLICY_PLRU)
    return cache_tree_victim(it->bits, cache->ways);
  if (cache->policy == HW_POLICY_RRIP)
    return cache_far(&it->bits, cache->ways, it->newest);
  cache->draws++;
  return (size_t)(hw_random_bits(&cache->random) % cache->ways);
}

bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home, bool dirty,
                   struct hw_victim *victim) {
  struct cache_set *it = cache_note(cache, cache_set_of(cache, index));
  size_t way = cache_place(cache, it);
  uint64_t *unit = cache_tags(cache, it) + way;
  bool full = *unit != 0;

  if (full)
    *victim = (struct hw_victim){.tag = (*unit >> 1) - 1, .dirty = (*unit & 1) != 0};
  *unit = dirty ? cache_kept(tag) : cache_kept(tag) - 1;
  cache_put_sign(it, way, tag);
  if (cache->homes != 0) {
    uint64_t *homes = cache_homes(cache, it);

    victim->home = homes[way];
    homes[way] = home;
  }
  cache_use(cache, it, way, true);
  return full;
}

bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag, bool *dirty) {
  size_t set = cache_set_of(cache, index);
  struct cache_set *it = cache_at(cache, set);
  size_t way = cache_find(cache, it, tag);

  if (way == cache->ways)
    return false;
  cache_note(cache, set);
  *dirty = (cache_tags(cache, it)[way] & 1) != 0;
  cache_tags(cache, it)[way] = 0;
  cache->dropped = true;
  it->full = false;
  if (cache->policy != HW_POLICY_LRU)
    return true;
  if (way == it->newest)
    it->newest = cache_turns(cache, it)[way].older;
  else
    cache_turn_move(cache_turns(cache, it), it->newest, way);
  return true;
}

void hw_cache_lap(struct hw_cache *cache) {
  cache->used_n = 0;
  cache->dropped = false;
  cache->lap++;
}

/* Adds what a way holds to a digest. */
static uint64_t cache_blend(uint64_t digest, uint64_t kept) {
  digest = (digest ^ kept) * UINT64_C(0x9e3779b97f4a7c15);
  return digest ^ digest >> 29;
}

/* The way that comes i-th when a tree is followed the way that its bits point. */
static size_t cache_tree_way(uint64_t tree, size_t ways, size_t i) {
  size_t node = 1;

  for (size_t half = ways / 2; half > 0; half /= 2) {
    node = 2 * node + (((tree >> node) & 1) ^ (i / half & 1));
  }
  return node - ways;
}

/* What is to come depends on the order of the ways as the policy sees it, not on their numbers,
   unless there are empty ones: those are filled by number.  So a set that went half around and
   holds the same is the same. */
static uint64_t cache_set_digest(const struct hw_cache *cache, size_t set, uint64_t keep) {
  struct cache_set *it = cache_at(cache, set);
  const uint64_t *tags = cache_tags(cache, it);
  bool tree = cache->policy == HW_POLICY_PLRU && it->full && !cache->dropped;
  uint64_t digest = 0;
  size_t at = it->newest;

  for (size_t i = 0; i < cache->ways; i++) {
    uint64_t more = 0;

    if (tree)
      at = cache_tree_way(it->bits, cache->ways, i);
    else if (cache->policy == HW_POLICY_PLRU || cache->policy == HW_POLICY_RANDOM)
      at = i;
    else if (cache->policy == HW_POLICY_RRIP)
      more = (it->bits >> (2 * at) & CACHE_FAR) << 62;
    digest = cache_blend(digest, (tags[at] & keep) ^ more);
    if (cache->policy == HW_POLICY_LRU)
      at = cache_turns(cache, it)[at].older;
    else if (cache->policy == HW_POLICY_RRIP)
      at = at + 1 < cache->ways ? at + 1 : 0;
  }
  if (cache->policy == HW_POLICY_PLRU && !tree)
    digest = cache_blend(digest, it->bits);
  return hw_random_mix(digest + hw_random_mix(set + 1));
}

uint64_t hw_cache_digest(struct hw_cache *cache, bool soiled) {
  uint64_t digest = hw_random_mix(cache->draws);

  for (size_t i = 0; i < cache->used_n; i++) {
    if (i + CACHE_AHEAD < cache->used_n)
      cache_prefetch(cache, cache->used[i + CACHE_AHEAD]);
    digest += cache_set_digest(cache, cache->used[i], soiled ? UINT64_MAX : ~UINT64_C(1));
  }
  hw_cache_lap(cache);
  return digest;
}
