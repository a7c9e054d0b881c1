#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "sim/cache.h"

#include "probes/bench/random.h"

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* RRIP's prediction of a unit's next use: 0, soon, to 3, not soon. */
#define CACHE_FAR 3u
#define CACHE_NEW 2u /* of one that just came in */
#define CACHE_LOW_BITS UINT64_C(0x5555555555555555)
/* The lowest and the highest bit of each byte. */
#define CACHE_BYTES UINT64_C(0x0101010101010101)
#define CACHE_BYTE_TOPS UINT64_C(0x8080808080808080)
/* The same of each four bits: a way in the order of an LRU set. */
#define CACHE_NIBBLES UINT64_C(0x1111111111111111)
#define CACHE_NIBBLE_TOPS UINT64_C(0x8888888888888888)
/* LRU sets of at most 16 ways keep their order in one word, others as a ring.  A search of a larger
   set tries the way used last first, which is often the one; and a small cache that has such sets
   keeps hints, at least 8 a unit: then few units share one. */
#define CACHE_NARROW 16u
#define CACHE_HINTS 8u
/* Most units of a cache that keeps hints: these then fit into the host's level 1. */
#define CACHE_HINTED 1024u
/* A multiplier that hashes a tag into 64 bits. */
#define CACHE_SCATTER UINT64_C(0x9e3779b97f4a7c15)
/* The order in which an LRU set of CACHE_NARROW ways begins. */
#define CACHE_ORDER UINT64_C(0x0123456789abcdef)

/* Blocks of fewer bytes in all are taken to be in the host's own caches. */
#define CACHE_NEAR ((size_t)512 << 10)
/* The host's line size, bytes, as most have it. */
#define CACHE_HOST_LINE ((size_t)64)
/* Most bytes of a block that are prefetched: as many lines as a host can have in flight. */
#define CACHE_HOST_MOST (8 * CACHE_HOST_LINE)
/* The size of the pages that a large cache is put on where the host has them, bytes: on small ones
   each set that is used costs a page walk. */
#define CACHE_HUGE ((size_t)2 << 20)
/* Sets between the one that is prefetched and the one that is digested. */
#define CACHE_AHEAD 8u

#ifdef __GNUC__
#define CACHE_PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define CACHE_PREFETCH(address) ((void)(address))
#endif

/* What the digest of a set says. */
enum cache_told {
  CACHE_UNTOLD,
  CACHE_TOLD_NOW,   /* how it is: it was not used since */
  CACHE_TOLD_BEFORE /* how it was when the lap began in which it was used */
};

struct cache_set {
  uint64_t bits;   /* PLRU: bit n has children 2n and 2n+1, the root is bit 1.  RRIP: two a way.
                      LRU of few ways: four a way, from the newest way, the lowest, to the oldest.
                      Clock: one a way, set where it was used since the hand went by */
  uint64_t digest; /* as told says */
  uint32_t lap;    /* the lap in which it was last used; 0: never */
  uint16_t newest; /* the way that was used last: where a search begins */
  bool full : 1;   /* no way is empty: known once a search for one has failed */
  bool moved : 1;  /* a unit came in or was invalidated in that lap */
  bool part : 1;   /* the kept lap used some of its ways, and nothing came in or left */
  uint8_t told;    /* enum cache_told */
  uint16_t ways;   /* LRU of few ways: a bit for each that was used in that lap */
  uint16_t hand;   /* clock: the way at which the search for a victim begins */
  uint32_t kept;   /* the last remembered lap that used it; 0: none */
};

/* LRU of many ways: a set's ways form a ring in the order of use; the newest is followed by the
   oldest. */
struct cache_turn {
  uint16_t newer;
  uint16_t older;
};

/* What is known of all units with the same bits of the tag. */
struct cache_hint {
  uint16_t units; /* how many are held */
  uint16_t way;   /* that one of them was last found in, or put into */
};

/* PLRU: the bits on the path from the root to a way, and their values that point away from it. */
struct cache_path {
  uint64_t bits;
  uint64_t away;
};

/* A set's words lie together, in a block: the struct above, a byte of each tag, the turns, the
   tags, the homes.  A tag is kept plus one, which leaves 0 for an empty way, and above a bit for
   dirty ones.  What is not used stays zeroed memory: a large cache costs no more than what is used
   of it. */
struct hw_cache {
  size_t sets;
  size_t ways;
  uint64_t mask; /* sets - 1 if that is a mask, else 0 */
  enum hw_policy policy;
  bool ring;    /* LRU, of many ways */
  char *memory; /* the blocks lie in it */
  char *blocks;
  size_t stride; /* from a set's block to the next, bytes */
  size_t turns;  /* where in a block they begin, bytes */
  size_t tags;   /* the same */
  size_t homes;  /* where they begin; 0: none are kept */
  size_t far;    /* bytes of a block that are worth prefetching */
  bool drawn;    /* a victim was drawn at random in this lap */
  struct hw_random random;
  uint32_t lap; /* the current one, from 1 */
  size_t *used; /* sets used in it */
  size_t used_n;
  bool dropped;            /* a unit was invalidated in it */
  size_t ended_n;          /* sets used in the lap before; they are in used until it is used */
  uint32_t kept;           /* the remembered lap; 0: none */
  size_t kept_n;           /* sets used in it, */
  uint64_t kept_sum;       /* and the sum of their digests */
  struct cache_hint *hint; /* by some bits of a tag; NULL: none */
  unsigned hint_shift;     /* from a hashed tag to its hint's number */
  struct cache_path path[HW_PLRU_WAYS];
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

/* Allocates the blocks, zeroed, aligned to the host's lines.  0, or -1 without memory. */
static int cache_open_blocks(struct hw_cache *cache) {
  size_t align = cache->far != 0 ? CACHE_HUGE : CACHE_HOST_LINE;
  size_t bytes = cache->sets * cache->stride;

  if (cache->sets > (SIZE_MAX - align) / cache->stride)
    return -1;
  cache->memory = calloc(1, bytes + align);
  if (cache->memory == NULL)
    return -1;
  cache->blocks = cache->memory + (align - (uintptr_t)cache->memory % align);
#ifdef MADV_HUGEPAGE
  if (cache->far != 0)
    (void)madvise(cache->blocks, bytes, MADV_HUGEPAGE); /* refused: pages are what they are */
#endif
  return 0;
}

/* Gives a small cache of large sets its hints.  0, or -1 without memory. */
static int cache_open_hints(struct hw_cache *cache) {
  size_t units = cache->sets * cache->ways, hints = 1;

  if (cache->ways <= CACHE_NARROW || cache->sets > CACHE_HINTED || units > CACHE_HINTED)
    return 0;
  for (cache->hint_shift = 64; hints < CACHE_HINTS * units; hints *= 2)
    cache->hint_shift--;
  cache->hint = calloc(hints, sizeof *cache->hint);
  return cache->hint == NULL ? -1 : 0;
}

static struct cache_path cache_path(size_t ways, size_t way) {
  struct cache_path path = {0, 0};

  for (size_t node = way + ways; node > 1; node /= 2) {
    path.bits |= UINT64_C(1) << (node / 2);
    path.away |= (uint64_t)(~node & 1) << (node / 2);
  }
  return path;
}

struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, bool homes,
                               uint64_t seed) {
  struct hw_cache *cache = calloc(1, sizeof *cache);
  size_t units = ways * sizeof(uint64_t);
  bool ring = policy == HW_POLICY_LRU && ways > CACHE_NARROW;
  size_t turns = ring ? (ways + ways % 2) * sizeof(struct cache_turn) : 0;

  if (cache == NULL)
    return NULL;
  cache->sets = sets;
  cache->ways = ways;
  cache->mask = cache_is_power(sets) ? sets - 1 : 0;
  cache->policy = policy;
  cache->ring = ring;
  for (size_t way = 0; policy == HW_POLICY_PLRU && way < ways; way++)
    cache->path[way] = cache_path(ways, way);
  cache->random.state = seed;
  cache->lap = 1;
  cache->turns = sizeof(struct cache_set) + (ways + 7) / 8 * sizeof(uint64_t);
  cache->tags = cache->turns + turns;
  cache->homes = homes ? cache->tags + units : 0;
  cache->stride = cache->tags + (homes ? 2 : 1) * units;
  cache->stride = (cache->stride + CACHE_HOST_LINE - 1) / CACHE_HOST_LINE * CACHE_HOST_LINE;
  if (sets > CACHE_NEAR / cache->stride)
    cache->far = cache->stride < CACHE_HOST_MOST ? cache->stride : CACHE_HOST_MOST;
  cache->used = calloc(sets, sizeof *cache->used);
  if (cache->used == NULL || cache_open_hints(cache) != 0 || cache_open_blocks(cache) != 0) {
    hw_cache_close(cache);
    return NULL;
  }
  return cache;
}

void hw_cache_close(struct hw_cache *cache) {
  if (cache == NULL)
    return;
  free(cache->memory);
  free(cache->hint);
  free(cache->used);
  free(cache);
}

static inline size_t cache_set_of(const struct hw_cache *cache, uint64_t index) {
  if (cache->mask != 0)
    return (size_t)(index & cache->mask);
  return index < cache->sets ? (size_t)index : cache->sets == 1 ? 0 : (size_t)(index % cache->sets);
}

/* A tag as it is kept, dirty; clean ones are one less. */
static uint64_t cache_kept(uint64_t tag) { return (tag + 1) << 1 | 1; }

/* A byte hashed from a tag, never 0, which is an empty way's: it differs for most tags. */
static uint64_t cache_sign(uint64_t tag) {
  uint64_t sign = tag * CACHE_SCATTER >> 56;

  return sign + (sign == 0);
}

/* The place of the lowest bit that is set, of one that is. */
static unsigned cache_lowest(uint64_t bits) {
#ifdef __GNUC__
  return (unsigned)__builtin_ctzll(bits);
#else
  unsigned place = 0;

  for (unsigned half = 32; half > 0; half /= 2)
    if ((bits >> place & ((UINT64_C(1) << half) - 1)) == 0)
      place += half;
  return place;
#endif
}

/* The top bits of the bytes that are 0.  Above the lowest of them there may be others. */
static uint64_t cache_zeros(uint64_t bytes) {
  return (bytes - CACHE_BYTES) & ~bytes & CACHE_BYTE_TOPS;
}

/* The way that holds the tag, or ways, by the signs of all. */
static inline size_t cache_search(const struct hw_cache *cache, struct cache_set *it,
                                  uint64_t tag) {
  const uint64_t *tags = cache_tags(cache, it);
  const uint64_t *signs = cache_signs(it);
  uint64_t kept = cache_kept(tag);
  uint64_t sign = cache_sign(tag) * CACHE_BYTES;

  for (size_t first = 0; first < cache->ways; first += 8)
    for (uint64_t same = cache_zeros(signs[first / 8] ^ sign); same != 0; same &= same - 1) {
      size_t way = first + cache_lowest(same) / 8;

      if (way < cache->ways && (tags[way] | 1) == kept)
        return way;
    }
  return cache->ways;
}

/* The hint of a unit, if there are any. */
static struct cache_hint *cache_hint(const struct hw_cache *cache, uint64_t tag) {
  return &cache->hint[tag * CACHE_SCATTER >> cache->hint_shift];
}

/* The same, of a cache that keeps hints. */
static size_t cache_find_hinted(const struct hw_cache *cache, struct cache_set *it, uint64_t tag) {
  struct cache_hint *hint = cache_hint(cache, tag);
  size_t way = hint->way;

  if (hint->units == 0)
    return cache->ways;
  if ((cache_tags(cache, it)[way] | 1) == cache_kept(tag))
    return way;
  way = cache_search(cache, it, tag);
  if (way != cache->ways)
    hint->way = (uint16_t)way;
  return way;
}

/* The way that holds the tag, or ways. */
static inline size_t cache_find(const struct hw_cache *cache, struct cache_set *it, uint64_t tag) {
  if (cache->ways > CACHE_NARROW && (cache_tags(cache, it)[it->newest] | 1) == cache_kept(tag))
    return it->newest;
  return cache->hint != NULL ? cache_find_hinted(cache, it, tag) : cache_search(cache, it, tag);
}

/* Updates the hint of a unit that comes into a way. */
static void cache_hint_in(const struct hw_cache *cache, uint64_t tag, size_t way) {
  struct cache_hint *hint = cache->hint != NULL ? cache_hint(cache, tag) : NULL;

  if (hint == NULL)
    return;
  hint->units++;
  hint->way = (uint16_t)way;
}

/* Updates the hint of a unit that leaves. */
static void cache_hint_out(const struct hw_cache *cache, uint64_t tag) {
  if (cache->hint != NULL)
    cache_hint(cache, tag)->units--;
}

/* Notes the sign of what a way holds; 0: nothing. */
static void cache_put_sign(struct cache_set *it, size_t way, uint64_t sign) {
  uint64_t *signs = cache_signs(it) + way / 8;
  unsigned shift = 8 * (unsigned)(way % 8);

  *signs = (*signs & ~(UINT64_C(255) << shift)) | sign << shift;
}

/* ---- LRU of few ways ---- */

/* The bits of an order above which the way's begin. */
static uint64_t cache_order_below(uint64_t order, size_t way) {
  uint64_t differs = order ^ way * CACHE_NIBBLES;
  uint64_t same = (differs - CACHE_NIBBLES) & ~differs & CACHE_NIBBLE_TOPS;

  return ((same & (0 - same)) >> 3) - 1;
}

/* Makes a way the newest. */
static uint64_t cache_order_use(uint64_t order, size_t way) {
  uint64_t below = cache_order_below(order, way);

  return (order & ~(below << 4 | 15)) | (order & below) << 4 | way;
}

/* Notes a way as used in this lap. */
static inline void cache_order_note(struct cache_set *it, size_t way) {
  it->ways |= (uint16_t)(1u << way);
}

/* The place of the oldest way. */
static unsigned cache_order_last(size_t ways) { return 4 * (unsigned)(ways - 1); }

/* Makes a way the oldest. */
static uint64_t cache_order_drop(uint64_t order, size_t ways, size_t way) {
  uint64_t below = cache_order_below(order, way);
  unsigned last = cache_order_last(ways);

  return (order & below) | (order >> 4 & ~below & ((UINT64_C(1) << last) - 1)) |
         (uint64_t)way << last;
}

/* ---- LRU of many ways ---- */

/* The order of an empty set: way 0 is the oldest, to be filled first. */
static void cache_turns_start(struct cache_turn *turn, size_t ways) {
  for (size_t way = 0; way < ways; way++)
    turn[way] = (struct cache_turn){.newer = (uint16_t)(way + 1 < ways ? way + 1 : 0),
                                    .older = (uint16_t)(way > 0 ? way - 1 : ways - 1)};
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

/* ---- LRU ---- */

/* The order of an empty set: way 0 is the oldest, to be filled first. */
static void cache_order_start(const struct hw_cache *cache, struct cache_set *it) {
  it->newest = (uint16_t)(cache->ways - 1);
  if (cache->ring)
    cache_turns_start(cache_turns(cache, it), cache->ways);
  else
    it->bits = CACHE_ORDER >> 4 * (CACHE_NARROW - cache->ways);
}

static size_t cache_oldest(const struct hw_cache *cache, struct cache_set *it) {
  return cache->ring ? cache_turns(cache, it)[it->newest].newer
                     : (size_t)(it->bits >> cache_order_last(cache->ways));
}

/* Makes the oldest way the newest, and returns it. */
static inline size_t cache_turn_over(const struct hw_cache *cache, struct cache_set *it) {
  unsigned last = cache_order_last(cache->ways);
  size_t way = cache_oldest(cache, it);

  if (!cache->ring) {
    it->bits = (it->bits & ((UINT64_C(1) << last) - 1)) << 4 | way;
    cache_order_note(it, way);
  }
  it->newest = (uint16_t)way; /* which alone turns a ring */
  return way;
}

/* Makes a way the newest; it->newest is to follow. */
static inline void cache_use_lru(const struct hw_cache *cache, struct cache_set *it, size_t way) {
  if (!cache->ring)
    cache_order_note(it, way);
  if (way == it->newest)
    return;
  if (cache->ring)
    cache_turn_move(cache_turns(cache, it), it->newest, way);
  else
    it->bits = cache_order_use(it->bits, way);
}

/* Makes a way the oldest. */
static void cache_drop_lru(const struct hw_cache *cache, struct cache_set *it, size_t way) {
  if (!cache->ring) {
    it->bits = cache_order_drop(it->bits, cache->ways, way);
    it->newest = (uint16_t)(it->bits & 15);
  } else if (way == it->newest) {
    it->newest = cache_turns(cache, it)[way].older;
  } else {
    cache_turn_move(cache_turns(cache, it), it->newest, way);
  }
}

/* ---- PLRU ---- */

static size_t cache_tree_victim(uint64_t tree, size_t ways) {
  size_t node = 1;

  while (node < ways)
    node = 2 * node + (size_t)((tree >> node) & 1);
  return node - ways;
}

/* ---- RRIP ---- */

/* Sets the prediction of a way. */
static uint64_t cache_expect(uint64_t bits, size_t way, uint64_t expected) {
  return (bits & ~((uint64_t)CACHE_FAR << (2 * way))) | expected << (2 * way);
}

/* The victim: the first way behind the newest whose prediction is 3; all age until there is one. */
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

/* ---- clock ---- */

/* The victim: the first way from the hand on that was not used since the hand went by. */
static size_t cache_unused(uint64_t *bits, size_t ways, size_t hand) {
  while ((*bits >> hand & 1) != 0) {
    *bits &= ~(UINT64_C(1) << hand);
    hand = hand + 1 < ways ? hand + 1 : 0;
  }
  return hand;
}

/* ---- all ---- */

/* Notes a set that is used for the first time in this lap. */
static void cache_note_first(struct hw_cache *cache, size_t set, struct cache_set *it) {
  if (it->lap == 0 && cache->policy == HW_POLICY_LRU)
    cache_order_start(cache, it);
  it->told = it->told == CACHE_TOLD_NOW ? CACHE_TOLD_BEFORE : CACHE_UNTOLD;
  it->moved = false;
  it->ways = 0;
  it->lap = cache->lap;
  cache->used[cache->used_n++] = set;
}

/* The set, noted as used in this lap. */
static inline struct cache_set *cache_note(struct hw_cache *cache, size_t set) {
  struct cache_set *it = cache_at(cache, set);

  if (it->lap != cache->lap)
    cache_note_first(cache, set, it);
  return it;
}

static inline void cache_use(const struct hw_cache *cache, struct cache_set *it, size_t way,
                             bool is_new) {
  if (cache->policy == HW_POLICY_LRU)
    cache_use_lru(cache, it, way);
  else if (cache->policy == HW_POLICY_PLRU)
    it->bits = (it->bits & ~cache->path[way].bits) | cache->path[way].away;
  else if (cache->policy == HW_POLICY_RRIP)
    it->bits = cache_expect(it->bits, way, is_new ? CACHE_NEW : 0);
  else if (cache->policy == HW_POLICY_CLOCK)
    it->bits |= UINT64_C(1) << way;
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

bool hw_cache_holds(struct hw_cache *cache, uint64_t index, uint64_t tag) {
  return cache_find(cache, cache_note(cache, cache_set_of(cache, index)), tag) != cache->ways;
}

/* Prefetches the set on the host. */
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

/* The first empty way from one on, or ways. */
static size_t cache_empty_from(const struct hw_cache *cache, struct cache_set *it, size_t begin) {
  const uint64_t *signs = cache_signs(it);

  for (size_t first = begin / 8 * 8; first < cache->ways; first += 8) {
    uint64_t before = first < begin ? (UINT64_C(1) << 8 * (begin - first)) - 1 : 0;
    uint64_t empty = cache_zeros(signs[first / 8] | before);

    if (empty != 0) {
      size_t way = first + cache_lowest(empty) / 8;

      return way < cache->ways ? way : cache->ways;
    }
  }
  return cache->ways;
}

/* The first empty way of a set whose ways are in no order of use; an RRIP set is looked through
   from behind the newest on, a clock's from its hand on.  ways when there is none. */
static size_t cache_empty(const struct hw_cache *cache, struct cache_set *it) {
  size_t begin = cache->policy == HW_POLICY_RRIP ? it->newest + 1u : it->hand;
  size_t way = cache->ways;

  if (it->full)
    return way;
  way = cache_empty_from(cache, it, begin);
  if (way == cache->ways && begin > 0)
    way = cache_empty_from(cache, it, 0);
  it->full = way == cache->ways;
  return way;
}

static inline struct hw_victim cache_victim(uint64_t unit, uint64_t home) {
  return (struct hw_victim){.tag = (unit >> 1) - 1, .home = home, .dirty = (unit & 1) != 0};
}

/* The way that a new unit takes, for all policies but LRU: an empty one, else the victim's. */
static size_t cache_place(struct hw_cache *cache, struct cache_set *it) {
  size_t way = cache_empty(cache, it);

  if (way != cache->ways)
    return way;
  if (cache->policy == HW_POLICY_PLRU)
    return cache_tree_victim(it->bits, cache->ways);
  if (cache->policy == HW_POLICY_RRIP)
    return cache_far(&it->bits, cache->ways, it->newest);
  if (cache->policy == HW_POLICY_CLOCK) {
    way = cache_unused(&it->bits, cache->ways, it->hand);
    it->hand = (uint16_t)(way + 1 < cache->ways ? way + 1 : 0);
    return way;
  }
  cache->drawn = true;
  return (size_t)(hw_random_bits(&cache->random) % cache->ways);
}

/* The way that a new unit takes, as the last used: with LRU empty ways are the oldest. */
static inline size_t cache_take(struct hw_cache *cache, struct cache_set *it) {
  size_t way;

  if (cache->policy == HW_POLICY_LRU)
    return cache_turn_over(cache, it);
  way = cache_place(cache, it);
  cache_use(cache, it, way, true);
  return way;
}

bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home, bool dirty,
                   struct hw_victim *victim) {
  struct cache_set *it = cache_note(cache, cache_set_of(cache, index));
  size_t way = cache_take(cache, it);
  uint64_t *unit = cache_tags(cache, it) + way;
  uint64_t before = *unit, before_home = 0;

  it->moved = true;
  *unit = cache_kept(tag) - !dirty;
  cache_put_sign(it, way, cache_sign(tag));
  if (cache->homes != 0) {
    before_home = cache_homes(cache, it)[way];
    cache_homes(cache, it)[way] = home;
  }
  cache_hint_in(cache, tag, way);
  *victim = cache_victim(before, before_home);
  if (before != 0)
    cache_hint_out(cache, victim->tag);
  return before != 0;
}

bool hw_cache_next(const struct hw_cache *cache, uint64_t index, struct hw_victim *victim) {
  struct cache_set *it = cache_at(cache, cache_set_of(cache, index));
  uint64_t bits = it->bits, unit;
  size_t way;

  if (cache->policy == HW_POLICY_LRU)
    way = cache_oldest(cache, it);
  else if (!it->full || cache->policy == HW_POLICY_RANDOM)
    return false;
  else if (cache->policy == HW_POLICY_PLRU)
    way = cache_tree_victim(bits, cache->ways);
  else if (cache->policy == HW_POLICY_CLOCK)
    way = cache_unused(&bits, cache->ways, it->hand);
  else
    way = cache_far(&bits, cache->ways, it->newest);
  unit = cache_tags(cache, it)[way];
  *victim = cache_victim(unit, cache->homes != 0 ? cache_homes(cache, it)[way] : 0);
  return unit != 0;
}

bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag, bool *dirty) {
  struct cache_set *it = cache_note(cache, cache_set_of(cache, index));
  size_t way = cache_find(cache, it, tag);

  if (way == cache->ways)
    return false;
  *dirty = (cache_tags(cache, it)[way] & 1) != 0;
  cache_tags(cache, it)[way] = 0;
  cache_put_sign(it, way, 0);
  cache_hint_out(cache, tag);
  cache->dropped = true;
  it->moved = true;
  it->full = false;
  if (cache->policy == HW_POLICY_LRU)
    cache_drop_lru(cache, it, way);
  return true;
}

void hw_cache_lap(struct hw_cache *cache) {
  cache->used_n = 0;
  cache->dropped = false;
  cache->drawn = false;
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

/* The digest of a set's state.  Later hits and misses depend on the order of the ways as the policy
   sees it, not on their numbers, unless there are empty ones: those are filled by number.  So the
   same units in the same order have the same digest, whichever ways they are in. */
static uint64_t cache_set_digest(const struct hw_cache *cache, struct cache_set *it) {
  const uint64_t *tags = cache_tags(cache, it);
  bool tree = cache->policy == HW_POLICY_PLRU && it->full && !cache->dropped;
  uint64_t digest = 0;
  bool round = cache->policy == HW_POLICY_RRIP || cache->policy == HW_POLICY_CLOCK;
  size_t at = cache->policy == HW_POLICY_CLOCK ? it->hand : it->newest;

  for (size_t i = 0; i < cache->ways; i++) {
    uint64_t more = 0;

    if (tree)
      at = cache_tree_way(it->bits, cache->ways, i);
    else if (cache->policy == HW_POLICY_LRU && !cache->ring)
      at = (size_t)(it->bits >> 4 * i & 15);
    else if (cache->policy == HW_POLICY_PLRU || cache->policy == HW_POLICY_RANDOM)
      at = i;
    else if (cache->policy == HW_POLICY_RRIP)
      more = (it->bits >> (2 * at) & CACHE_FAR) << 62;
    else if (cache->policy == HW_POLICY_CLOCK)
      more = (it->bits >> at & 1) << 63;
    digest = cache_blend(digest, (tags[at] | 1) ^ more);
    if (cache->ring)
      at = cache_turns(cache, it)[at].older;
    else if (round)
      at = at + 1 < cache->ways ? at + 1 : 0;
  }
  if (cache->policy == HW_POLICY_PLRU && !tree)
    digest = cache_blend(digest, it->bits);
  return digest;
}

/* The same of a set in which some ways were used and nothing came in or left: what other ways hold,
   and their order, does not matter to these. */
static uint64_t cache_part_digest(const struct hw_cache *cache, struct cache_set *it) {
  const uint64_t *tags = cache_tags(cache, it);
  uint64_t digest = 0;

  for (size_t i = 0; i < cache->ways; i++) {
    size_t at = (size_t)(it->bits >> 4 * i & 15);

    if ((it->ways >> at & 1) != 0)
      digest = cache_blend(digest, tags[at] | 1);
  }
  return digest;
}

/* What a set adds to the sum of digests of a remembered lap. */
static uint64_t cache_share(const struct hw_cache *cache, size_t set, struct cache_set *it) {
  return cache_blend(set, it->part ? cache_part_digest(cache, it) : it->digest);
}

/* Updates a set's digest.  Returns whether the same lap again would hit and miss the same in it: it
   is as it was, or nothing came in or left.  Then nothing will the next time, and to use the same
   ways in the same order once more leaves the bits of any policy as they are. */
static bool cache_set_settled(const struct hw_cache *cache, struct cache_set *it) {
  uint64_t digest = cache_set_digest(cache, it);
  bool same = it->told == CACHE_TOLD_BEFORE && it->digest == digest;

  it->digest = digest;
  it->told = CACHE_TOLD_NOW;
  return same || !it->moved;
}

bool hw_cache_settled(struct hw_cache *cache) {
  size_t n = cache->used_n;
  bool same = !cache->drawn;

  for (size_t i = 0; i < n; i++) {
    if (i + CACHE_AHEAD < n)
      cache_prefetch(cache, cache->used[i + CACHE_AHEAD]);
    same &= cache_set_settled(cache, cache_at(cache, cache->used[i]));
  }
  hw_cache_lap(cache);
  cache->ended_n = n;
  return same;
}

void hw_cache_keep(struct hw_cache *cache) {
  bool orders = cache->policy == HW_POLICY_LRU && !cache->ring;

  cache->kept = cache->lap;
  cache->kept_n = cache->ended_n;
  cache->kept_sum = 0;
  for (size_t i = 0; i < cache->ended_n; i++) {
    struct cache_set *it = cache_at(cache, cache->used[i]);

    it->kept = cache->kept;
    it->part = orders && !it->moved;
    cache->kept_sum += cache_share(cache, cache->used[i], it);
  }
}

bool hw_cache_again(const struct hw_cache *cache) {
  uint64_t sum = 0;
  size_t n = 0;

  for (size_t i = 0; i < cache->ended_n; i++) {
    struct cache_set *it = cache_at(cache, cache->used[i]);

    if (it->kept != cache->kept)
      continue;
    sum += cache_share(cache, cache->used[i], it);
    n++;
  }
  return n == cache->kept_n && sum == cache->kept_sum;
}
