/* A set-associative cache as a simulated machine has it: a data cache, whose units are lines, or
   a TLB, whose units are pages.  It knows what it holds, not what that costs. */
#ifndef HW_CACHE_H
#define HW_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hw_policy {
  HW_POLICY_LRU,
  HW_POLICY_PLRU, /* a binary tree of bits, each pointing to the half not used last */
  HW_POLICY_RANDOM,
  HW_POLICY_RRIP, /* two bits a way: how soon it is expected to be used again */
  HW_POLICY_CLOCK /* a bit a way, set by a use; a hand that clears it goes round for a victim */
};

/* The tree of a PLRU set is one 64-bit word. */
#define HW_PLRU_WAYS 64u
/* So are the bits of an RRIP set, and of a clock's. */
#define HW_RRIP_WAYS 32u
#define HW_CLOCK_WAYS 64u

struct hw_cache;

/* A unit that is evicted from a set. */
struct hw_victim {
  uint64_t tag;
  uint64_t home;
  bool dirty;
};

/* An empty cache of sets x ways units; with HW_POLICY_PLRU the ways are a power of two, up to
   HW_PLRU_WAYS, with HW_POLICY_RRIP up to HW_RRIP_WAYS, with HW_POLICY_CLOCK up to HW_CLOCK_WAYS.
   seed: for HW_POLICY_RANDOM.  NULL without memory. */
struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, uint64_t seed);
void hw_cache_close(struct hw_cache *cache);

/* In the following, index chooses the set, modulo the number of sets, and tag names the unit: any
   number below 2^62, different for different units. */

/* Whether the cache holds the unit; if so, it becomes the most recently used of its set. */
bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag);

/* Whether the cache holds the unit.  The set counts as used in the lap. */
bool hw_cache_holds(struct hw_cache *cache, uint64_t index, uint64_t tag);

/* Puts in a unit that the cache does not hold, as the most recently used of its set.  home: a
   number to be kept with it; dirty: whether it was written to.  Returns whether the set was full:
   then *victim is the unit that was evicted. */
bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home, bool dirty,
                   struct hw_victim *victim);

/* Makes the unit dirty, and nothing else.  Returns whether the cache holds it. */
bool hw_cache_soil(struct hw_cache *cache, uint64_t index, uint64_t tag);

/* Invalidates the unit.  Whether the cache held it; then *dirty tells whether it was dirty. */
bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag, bool *dirty);

/* Ends a lap, a sequence of accesses, and begins the next.  Returns whether the same lap again, and
   all after it, would hit and miss the same: it left each set as it found it, or all units that it
   used of the set hit. false also where a victim was drawn at random.  Dirty bits do not count:
   loads do not depend on them. */
bool hw_cache_settled(struct hw_cache *cache);

#endif
