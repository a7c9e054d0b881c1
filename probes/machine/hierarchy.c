#include "probes/machine/hierarchy.h"

#include "probes/random.h"

#include <stdlib.h>

/* Sets a large page's number apart from a small one's. */
#define TIER_LARGE (UINT64_C(1) << 60)

/* A data level, its caches indexed by line numbers.  Units are named by their physical line
   number and keep their virtual address with them: each physical line has but one, and the level
   above may want it to find its set. */
struct tier {
  struct hw_cache *cache;
  unsigned shift; /* log2 of the line */
  bool is_virtual;
  bool inclusive;
  bool exclusive;
  bool prefetch;
};

struct hw_hierarchy {
  unsigned page_shift; /* log2 of the plain page */
  unsigned levels;
  struct tier level[HW_SIM_LEVELS];
  unsigned tlbs;
  struct hw_cache *tlb[HW_SIM_TLBS];
};

static int tier_open(struct tier *tier, const struct hw_sim_level *level, bool first,
                     uint64_t seed) {
  uint64_t sets = level->bytes / (level->ways * level->line);

  tier->shift = hw_sim_log2(level->line);
  tier->is_virtual =
      level->index == HW_SIM_INDEX_VIRTUAL || (level->index == HW_SIM_INDEX_DEFAULT && first);
  tier->inclusive = level->relation == HW_SIM_INCLUSIVE;
  tier->exclusive = level->relation == HW_SIM_EXCLUSIVE;
  tier->prefetch = level->prefetch;
  tier->cache = hw_cache_open((size_t)sets, (size_t)level->ways, level->policy, seed);
  return tier->cache == NULL ? -1 : 0;
}

struct hw_hierarchy *hw_hierarchy_open(const struct hw_description *description) {
  struct hw_hierarchy *hierarchy = calloc(1, sizeof *hierarchy);
  struct hw_random seed = {hw_random_mix(description->seed)};
  bool bad = false;

  if (hierarchy == NULL)
    return NULL;
  hierarchy->page_shift = hw_sim_log2(description->page.bytes);
  hierarchy->levels = description->levels;
  hierarchy->tlbs = description->tlbs;
  for (unsigned k = 0; k < hierarchy->levels; k++)
    bad |=
        tier_open(&hierarchy->level[k], &description->level[k], k == 0, hw_random_bits(&seed)) != 0;
  for (unsigned k = 0; k < hierarchy->tlbs; k++) {
    const struct hw_sim_tlb *tlb = &description->tlb[k];

    hierarchy->tlb[k] = hw_cache_open((size_t)(tlb->entries / tlb->ways), (size_t)tlb->ways,
                                      tlb->policy, hw_random_bits(&seed));
    bad |= hierarchy->tlb[k] == NULL;
  }
  if (!bad)
    return hierarchy;
  hw_hierarchy_close(hierarchy);
  return NULL;
}

void hw_hierarchy_close(struct hw_hierarchy *hierarchy) {
  if (hierarchy == NULL)
    return;
  for (unsigned k = 0; k < hierarchy->levels; k++)
    hw_cache_close(hierarchy->level[k].cache);
  for (unsigned k = 0; k < hierarchy->tlbs; k++)
    hw_cache_close(hierarchy->tlb[k]);
  free(hierarchy);
}

static uint64_t tier_index(const struct tier *tier, uint64_t virtual, uint64_t physical) {
  return (tier->is_virtual ? virtual : physical) >> tier->shift;
}

/* Takes out of the levels above k whatever lies in the line that left level k. */
static void tier_back_invalidate(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                                 uint64_t physical) {
  uint64_t bytes = UINT64_C(1) << hierarchy->level[k].shift;

  for (unsigned j = 0; j < k; j++) {
    const struct tier *above = &hierarchy->level[j];

    for (uint64_t at = 0; at < bytes; at += UINT64_C(1) << above->shift)
      hw_cache_drop(above->cache, tier_index(above, virtual + at, physical + at),
                    (physical + at) >> above->shift);
  }
}

/* Puts a line into level k.  What has to leave goes to the level below when that is exclusive,
   what leaves there goes further down. */
static void tier_fill(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                      uint64_t physical) {
  struct hw_victim victim;

  for (;;) {
    const struct tier *tier = &hierarchy->level[k];

    if (!hw_cache_fill(tier->cache, tier_index(tier, virtual, physical), physical >> tier->shift,
                       virtual >> tier->shift << tier->shift, &victim))
      return;
    virtual = victim.home;
    physical = victim.tag << tier->shift;
    if (tier->inclusive)
      tier_back_invalidate(hierarchy, k, virtual, physical);
    k++;
    if (k == hierarchy->levels || !hierarchy->level[k].exclusive)
      return;
  }
}

/* Brings a line into level k, which is not exclusive, and returns where it was: that level, or
   levels for memory.  A line that an exclusive level holds moves up; one that it does not hold
   passes it by. */
static unsigned tier_fetch(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                           uint64_t physical) {
  unsigned from = k;

  for (; from < hierarchy->levels; from++) {
    const struct tier *tier = &hierarchy->level[from];
    uint64_t index = tier_index(tier, virtual, physical);
    uint64_t tag = physical >> tier->shift;

    if (tier->exclusive ? hw_cache_drop(tier->cache, index, tag)
                        : hw_cache_touch(tier->cache, index, tag))
      break;
  }
  for (unsigned to = from; to-- > k;)
    if (!hierarchy->level[to].exclusive)
      tier_fill(hierarchy, to, virtual, physical);
  return from;
}

/* After a miss in level k: brings in the next line too, unless it lies in another page. */
static void tier_prefetch(struct hw_hierarchy *hierarchy, unsigned k,
                          const struct hw_access *access) {
  const struct tier *tier = &hierarchy->level[k];
  uint64_t line = UINT64_C(1) << tier->shift;
  uint64_t virtual = access->virtual + line;
  uint64_t physical = access->physical + line;

  if ((physical & ((UINT64_C(1) << access->page_shift) - 1)) < line)
    return;
  if (!hw_cache_holds(tier->cache, tier_index(tier, virtual, physical), physical >> tier->shift))
    tier_fetch(hierarchy, k, virtual, physical);
}

static void tier_translate(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                           struct hw_tally *tally) {
  uint64_t page = access->virtual >> access->page_shift;
  uint64_t tag = access->page_shift == hierarchy->page_shift ? page : page | TIER_LARGE;
  struct hw_victim victim;

  for (unsigned k = 0; k < hierarchy->tlbs; k++) {
    if (hw_cache_touch(hierarchy->tlb[k], page, tag))
      return;
    tally->miss[k]++;
    hw_cache_fill(hierarchy->tlb[k], page, tag, 0, &victim);
  }
}

void hw_hierarchy_load(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                       struct hw_tally *tally) {
  unsigned from;

  tier_translate(hierarchy, access, tally);
  from = tier_fetch(hierarchy, 0, access->virtual, access->physical);
  tally->hit[from]++;
  for (unsigned k = 0; k < from; k++)
    if (hierarchy->level[k].prefetch)
      tier_prefetch(hierarchy, k, access);
}

uint64_t hw_hierarchy_digest(struct hw_hierarchy *hierarchy) {
  uint64_t digest = 0;

  for (unsigned k = 0; k < hierarchy->levels; k++)
    digest = hw_random_mix(digest + hw_cache_digest(hierarchy->level[k].cache));
  for (unsigned k = 0; k < hierarchy->tlbs; k++)
    digest = hw_random_mix(digest + hw_cache_digest(hierarchy->tlb[k]));
  return digest;
}

void hw_tally_add(struct hw_tally *tally, const struct hw_tally *other, unsigned long times) {
  for (unsigned k = 0; k <= HW_SIM_LEVELS; k++)
    tally->hit[k] += times * other->hit[k];
  for (unsigned k = 0; k < HW_SIM_TLBS; k++)
    tally->miss[k] += times * other->miss[k];
}

double hw_tally_cycles(const struct hw_tally *tally, const struct hw_description *description) {
  double cycles = (double)tally->hit[description->levels] * description->memory_latency;

  for (unsigned k = 0; k < description->levels; k++)
    cycles += (double)tally->hit[k] * description->level[k].latency;
  for (unsigned k = 0; k < description->tlbs; k++)
    cycles += (double)tally->miss[k] * description->tlb[k].miss;
  return cycles;
}
