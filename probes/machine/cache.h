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
  HW_POLICY_RANDOM
};

/* The tree of a PLRU set is one 64-bit word. */
#define HW_PLRU_WAYS 64u

struct hw_cache;

/* What a set gave up. */
struct hw_victim {
  uint64_t tag;
  uint64_t home;
};

/* An empty cache of sets x ways units; with HW_POLICY_PLRU the ways are a power of two, up to
   HW_PLRU_WAYS.  seed: for HW_POLICY_RANDOM.  NULL without memory. */
struct hw_cache *hw_cache_open(size_t sets, size_t ways, enum hw_policy policy, uint64_t seed);
void hw_cache_close(struct hw_cache *cache);

/* In the following, index chooses the set, modulo the number of sets, and tag names the unit: any
   number but UINT64_MAX, different for different units. */

/* Whether the cache holds the unit; if so, it is the last used of its set from now on. */
bool hw_cache_touch(struct hw_cache *cache, uint64_t index, uint64_t tag);

/* Whether the cache holds the unit.  Changes nothing. */
bool hw_cache_holds(const struct hw_cache *cache, uint64_t index, uint64_t tag);

/* Puts in a unit that the cache does not hold, as the last used of its set.  home: a number to be
   kept with it.  Whether the set was full: then *victim is what had to leave. */
bool hw_cache_fill(struct hw_cache *cache, uint64_t index, uint64_t tag, uint64_t home,
                   struct hw_victim *victim);

/* Takes the unit out.  Whether the cache held it. */
bool hw_cache_drop(struct hw_cache *cache, uint64_t index, uint64_t tag);

/* A digest of the sets used since the last call: two equal ones in a row mean that what happened
   in between left the cache as it was, so that the same again would go the same way.  Digests
   with a random victim in between differ. */
uint64_t hw_cache_digest(struct hw_cache *cache);

#endif
