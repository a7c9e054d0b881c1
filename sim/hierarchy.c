#include "sim/hierarchy.h"

#include "probes/bench/random.h"

#include <stdlib.h>

/* Parts of a level that lie at different distances. */
#define TIER_PARTS 8
/* The bit of a tag that sets a large page's number apart from a small one's. */
#define TIER_LARGE (UINT64_C(1) << 60)
/* The bit of a tag that sets another thread's pages apart from ours. */
#define TIER_FOREIGN (UINT64_C(1) << 61)

/* Addresses of the SMT sibling's lines in the ways kept for it: apart from all others. */
#define TIER_KEPT (UINT64_C(1) << 61)

/* Pages that a stride prefetcher tracks. */
#define TIER_TRAILS 16u
/* Loads at one stride after which it prefetches. */
#define TIER_RUN 3u

/* The loads of a page, as a stride prefetcher saw them. */
struct trail {
  uint64_t page; /* its number plus one; 0: none */
  uint64_t at;   /* the last load, physical */
  uint64_t step; /* from the one before to it, modulo 2^64 */
  unsigned run;  /* loads so far at that stride, the first included */
};

/* The state of a stride prefetcher. */
struct trails {
  struct trail trail[TIER_TRAILS];
  unsigned latest; /* used last: mostly by the next load, too */
  unsigned next;   /* to be replaced */
  uint64_t digest; /* when the lap began */
};

/* A data level, its caches indexed by line numbers.  Units are named by their physical line
   number and keep their virtual address with them: each physical line has one, and a virtually
   indexed level needs it to find the set. */
struct tier {
  const struct hw_sim_level *is; /* as described */
  struct hw_cache *cache;
  unsigned shift; /* log2 of the line */
  bool is_virtual;
  uint64_t slice_sets; /* of a slice, or all */
  struct trails trails;
};

struct hw_hierarchy {
  const struct hw_description *description;
  unsigned page_shift; /* log2 of the plain page */
  unsigned levels;
  struct tier level[HW_SIM_LEVELS];
  bool shared; /* the SMT sibling runs */
  unsigned tlbs;
  struct hw_cache *tlb[HW_SIM_TLBS];
  uint64_t foreign; /* pages that another thread has used */
};

static bool tier_open(struct tier *tier, const struct hw_sim_level *level, bool first,
                      uint64_t seed) {
  uint64_t sets = level->bytes / (level->ways * level->line);

  tier->is = level;
  tier->shift = hw_sim_log2(level->line);
  tier->is_virtual =
      level->index == HW_SIM_INDEX_VIRTUAL || (level->index == HW_SIM_INDEX_DEFAULT && first);
  tier->slice_sets = level->slices > 1 ? sets / level->slices : sets;
  tier->cache = hw_cache_open((size_t)sets, (size_t)level->ways, level->policy, seed);
  return tier->cache != NULL;
}

struct hw_hierarchy *hw_hierarchy_open(const struct hw_description *description) {
  struct hw_hierarchy *hierarchy = calloc(1, sizeof *hierarchy);
  struct hw_random seed = {hw_random_mix(description->seed)};
  bool bad = false;

  if (hierarchy == NULL)
    return NULL;
  hierarchy->description = description;
  hierarchy->page_shift = hw_sim_log2(description->page.bytes);
  hierarchy->levels = description->levels;
  hierarchy->tlbs = description->tlbs;
  for (unsigned k = 0; k < hierarchy->levels; k++)
    bad |= !tier_open(&hierarchy->level[k], &description->level[k], k == 0, hw_random_bits(&seed));
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

/* The index that chooses the set.  Hashed: all bits of the line's number choose the slice, the low
   ones the set in it. */
static inline uint64_t tier_index(const struct tier *tier, uint64_t virtual, uint64_t physical) {
  uint64_t line = (tier->is_virtual ? virtual : physical) >> tier->shift;
  uint64_t slice;

  if (tier->is->slices <= 1)
    return line;
  slice = (hw_random_mix(line) >> 32) * tier->is->slices >> 32;
  return slice * tier->slice_sets + line % tier->slice_sets;
}

/* Invalidates, in the levels above k, all of the line that was evicted from level k.  Returns
   whether any of it was dirty. */
static bool tier_back_invalidate(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                                 uint64_t physical) {
  uint64_t bytes = UINT64_C(1) << hierarchy->level[k].shift;
  bool any = false;

  for (unsigned j = 0; j < k; j++) {
    const struct tier *above = &hierarchy->level[j];

    for (uint64_t at = 0; at < bytes; at += UINT64_C(1) << above->shift) {
      bool dirty = false;

      hw_cache_drop(above->cache, tier_index(above, virtual + at, physical + at),
                    (physical + at) >> above->shift, &dirty);
      any |= dirty;
    }
  }
  return any;
}

/* Writes a dirty line that was evicted from the level above k back to the first level that has it
   and does not write through, or to memory. */
static void tier_write_back(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                            uint64_t physical, struct hw_tally *tally) {
  uint64_t bytes = UINT64_C(1) << hierarchy->level[k - 1].shift;

  for (; k < hierarchy->levels; k++) {
    const struct tier *tier = &hierarchy->level[k];
    uint64_t index = tier_index(tier, virtual, physical);
    uint64_t tag = physical >> tier->shift;

    if (tier->is->write == HW_SIM_THROUGH ? hw_cache_holds(tier->cache, index, tag)
                                          : hw_cache_soil(tier->cache, index, tag)) {
      tally->written[k] += bytes;
      if (tier->is->write == HW_SIM_BACK)
        return;
    }
  }
  tally->written[k] += bytes;
}

/* Puts a line into level k, where index chooses its set.  Its victim goes to the level below when
   that is exclusive, the victim there further down. */
static void tier_fill(struct hw_hierarchy *hierarchy, unsigned k, uint64_t index, uint64_t virtual,
                      uint64_t physical, bool dirty, struct hw_tally *tally) {
  struct hw_victim victim;

  for (;; index = tier_index(&hierarchy->level[k], virtual, physical)) {
    const struct tier *tier = &hierarchy->level[k];

    if (!hw_cache_fill(tier->cache, index, physical >> tier->shift,
                       virtual >> tier->shift << tier->shift, dirty, &victim))
      return;
    virtual = victim.home;
    physical = victim.tag << tier->shift;
    dirty = victim.dirty;
    if (tier->is->relation == HW_SIM_INCLUSIVE)
      dirty |= tier_back_invalidate(hierarchy, k, virtual, physical);
    k++;
    if (k == hierarchy->levels || hierarchy->level[k].is->relation != HW_SIM_EXCLUSIVE)
      break;
    if (dirty)
      tally->written[k] += UINT64_C(1) << tier->shift;
  }
  if (dirty)
    tier_write_back(hierarchy, k, virtual, physical, tally);
}

/* Where the line hits, from level k on: a level, or levels for memory.  An exclusive level gives it
   up at once; then *dirty tells whether it was dirty.  index: that of its set in each level that
   was looked up. */
static unsigned tier_seek(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                          uint64_t physical, uint64_t *index, bool *dirty) {
  for (; k < hierarchy->levels; k++) {
    const struct tier *tier = &hierarchy->level[k];
    uint64_t tag = physical >> tier->shift;

    index[k] = tier_index(tier, virtual, physical);
    if (tier->is->relation == HW_SIM_EXCLUSIVE ? hw_cache_drop(tier->cache, index[k], tag, dirty)
                                               : hw_cache_touch(tier->cache, index[k], tag))
      break;
  }
  return k;
}

/* Brings a line into level k, which is not exclusive, and those between it and where it hits, which
   is returned.  It bypasses exclusive levels. */
static unsigned tier_fetch(struct hw_hierarchy *hierarchy, unsigned k, uint64_t virtual,
                           uint64_t physical, struct hw_tally *tally) {
  uint64_t index[HW_SIM_LEVELS];
  bool dirty = false;
  unsigned from = tier_seek(hierarchy, k, virtual, physical, index, &dirty);

  for (unsigned to = from; to-- > k;)
    if (hierarchy->level[to].is->relation != HW_SIM_EXCLUSIVE) {
      tier_fill(hierarchy, to, index[to], virtual, physical, dirty, tally);
      dirty = false; /* only the level nearest to where it was gets it dirty */
    }
  return from;
}

/* Prefetches the line at a distance from the access into level k, unless it lies in another page or
   is there. */
static void tier_prefetch_line(struct hw_hierarchy *hierarchy, unsigned k,
                               const struct hw_access *access, uint64_t distance,
                               struct hw_tally *tally) {
  const struct tier *tier = &hierarchy->level[k];
  uint64_t virtual = access->virtual + distance;
  uint64_t physical = access->physical + distance;

  if (physical >> access->page_shift != access->physical >> access->page_shift ||
      hw_cache_holds(tier->cache, tier_index(tier, virtual, physical), physical >> tier->shift))
    return;
  tally->read[tier_fetch(hierarchy, k, virtual, physical, tally)] += UINT64_C(1) << tier->shift;
}

/* The trail of a page, or NULL. */
static struct trail *tier_trail(struct trails *trails, uint64_t page) {
  if (trails->trail[trails->latest].page == page)
    return &trails->trail[trails->latest];
  for (unsigned i = 0; i < TIER_TRAILS; i++)
    if (trails->trail[i].page == page) {
      trails->latest = i;
      return &trails->trail[i];
    }
  return NULL;
}

/* Tracks the loads of a page.  The predicted distance of the next one, or 0 while unknown. */
static uint64_t tier_follow(struct trails *trails, const struct hw_access *access) {
  uint64_t page = (access->physical >> access->page_shift) + 1;
  struct trail *trail = tier_trail(trails, page);
  uint64_t step;

  if (trail == NULL) {
    trails->latest = trails->next;
    trails->trail[trails->next] = (struct trail){.page = page, .at = access->physical, .run = 1};
    trails->next = (trails->next + 1) % TIER_TRAILS;
    return 0;
  }
  step = access->physical - trail->at;
  if (step == 0)
    return 0;
  trail->run = step == trail->step ? trail->run + 1 : 2;
  trail->run = trail->run > TIER_RUN ? TIER_RUN : trail->run;
  trail->step = step;
  trail->at = access->physical;
  return trail->run == TIER_RUN ? step : 0;
}

/* Runs the prefetcher of level k after a load that was looked up there. */
static void tier_prefetch(struct hw_hierarchy *hierarchy, unsigned k, bool missed,
                          const struct hw_access *access, struct hw_tally *tally) {
  const struct tier *tier = &hierarchy->level[k];
  uint64_t line = UINT64_C(1) << tier->shift;
  uint64_t in_region = access->physical & (3 * line);
  uint64_t step;

  if (tier->is->prefetch == HW_SIM_PREFETCH_STRIDE) {
    step = tier_follow(&hierarchy->level[k].trails, access);
    if (step != 0)
      tier_prefetch_line(hierarchy, k, access, step, tally);
  } else if (missed && tier->is->prefetch == HW_SIM_PREFETCH_NEXT) {
    tier_prefetch_line(hierarchy, k, access, line, tally);
  } else if (missed && tier->is->prefetch == HW_SIM_PREFETCH_PAIR) {
    tier_prefetch_line(hierarchy, k, access, (access->physical & line) != 0 ? 0 - line : line,
                       tally);
  } else if (missed && tier->is->prefetch == HW_SIM_PREFETCH_REGION) {
    for (uint64_t at = 0; at < 4 * line; at += line)
      if (at != in_region)
        tier_prefetch_line(hierarchy, k, access, at - in_region, tally);
  }
}

/* Runs the prefetchers after a line was brought from a level into level 0. */
static void tier_prefetch_all(struct hw_hierarchy *hierarchy, unsigned from,
                              const struct hw_access *access, struct hw_tally *tally) {
  for (unsigned k = 0; k <= from && k < hierarchy->levels; k++)
    tier_prefetch(hierarchy, k, k < from, access, tally);
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
    tally->waited += hierarchy->description->tlb[k].miss;
    hw_cache_fill(hierarchy->tlb[k], page, tag, 0, false, &victim);
  }
}

void hw_hierarchy_foreign_page(struct hw_hierarchy *hierarchy) {
  struct hw_victim victim;
  uint64_t page = hierarchy->foreign++;

  for (unsigned k = 0; k < hierarchy->tlbs; k++)
    hw_cache_fill(hierarchy->tlb[k], page, page | TIER_FOREIGN, 0, false, &victim);
}

void hw_hierarchy_foreign_line(struct hw_hierarchy *hierarchy, uint64_t address) {
  const struct hw_access access = {
      .virtual = address, .physical = address, .page_shift = hierarchy->page_shift};
  struct hw_tally tally = {0};

  tier_translate(hierarchy, &access, &tally);
  tier_fetch(hierarchy, 0, address, address, &tally);
}

/* Counts a load or store that hit level k.  If its parts lie at different distances, the line's
   number selects the part. */
static inline void tier_hit(const struct hw_hierarchy *hierarchy, unsigned k,
                            const struct hw_access *access, struct hw_tally *tally) {
  const struct hw_description *description = hierarchy->description;

  tally->hit[k]++;
  tally->waited +=
      k < hierarchy->levels ? description->level[k].latency : description->memory_latency;
  if (k < hierarchy->levels && description->level[k].uneven > 0) {
    double part = (double)((access->physical >> hierarchy->level[k].shift) % TIER_PARTS);
    double more = description->level[k].uneven * (part / (TIER_PARTS - 1) - 0.5);

    tally->uneven += more;
    tally->waited += more;
  }
}

/* Makes the SMT sibling's lines the most recently used of the access's set in each level that keeps
   ways for it: so they are not evicted. */
static void tier_keep(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                      struct hw_tally *tally) {
  for (unsigned k = 0; k < hierarchy->levels; k++) {
    const struct tier *tier = &hierarchy->level[k];
    uint64_t index = tier_index(tier, access->virtual, access->physical);

    for (uint64_t way = 0; way < tier->is->keeps; way++) {
      uint64_t line = (TIER_KEPT >> tier->shift) + index * tier->is->keeps + way;
      if (!hw_cache_touch(tier->cache, index, line))
        tier_fill(hierarchy, k, index, line << tier->shift, line << tier->shift, false, tally);
    }
  }
}

void hw_hierarchy_share(struct hw_hierarchy *hierarchy, bool shared) { hierarchy->shared = shared; }

void hw_hierarchy_load(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                       struct hw_tally *tally) {
  unsigned from;

  if (hierarchy->shared)
    tier_keep(hierarchy, access, tally);
  tier_translate(hierarchy, access, tally);
  from = tier_fetch(hierarchy, 0, access->virtual, access->physical, tally);
  tier_hit(hierarchy, from, access, tally);
  tally->read[from] += UINT64_C(1) << hierarchy->level[0].shift;
  tier_prefetch_all(hierarchy, from, access, tally);
}

/* Whether level k has the line after a store looked it up there; *from is where it was. */
static bool tier_store(struct hw_hierarchy *hierarchy, unsigned k, const struct hw_access *access,
                       unsigned *from, struct hw_tally *tally) {
  const struct tier *tier = &hierarchy->level[k];

  if (tier->is->write_miss == HW_SIM_AROUND || tier->is->relation == HW_SIM_EXCLUSIVE) {
    *from = k;
    return hw_cache_touch(tier->cache, tier_index(tier, access->virtual, access->physical),
                          access->physical >> tier->shift);
  }
  *from = tier_fetch(hierarchy, k, access->virtual, access->physical, tally);
  if (*from != k)
    tally->read[*from] += UINT64_C(1) << hierarchy->level[0].shift;
  if (k == 0)
    tier_prefetch_all(hierarchy, *from, access, tally);
  return true;
}

void hw_hierarchy_store(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                        struct hw_tally *tally) {
  uint64_t bytes = UINT64_C(1) << hierarchy->level[0].shift;
  bool found = false;
  unsigned k;

  if (hierarchy->shared)
    tier_keep(hierarchy, access, tally);
  tier_translate(hierarchy, access, tally);
  for (k = 0; k < hierarchy->levels; k++) {
    const struct tier *tier = &hierarchy->level[k];
    unsigned from;

    if (!tier_store(hierarchy, k, access, &from, tally))
      continue;
    if (!found)
      tier_hit(hierarchy, from, access, tally);
    found = true;
    tally->written[k] += bytes;
    if (tier->is->write == HW_SIM_BACK) {
      hw_cache_soil(tier->cache, tier_index(tier, access->virtual, access->physical),
                    access->physical >> tier->shift);
      break;
    }
  }
  if (k == hierarchy->levels)
    tally->written[k] += bytes;
  if (!found)
    tier_hit(hierarchy, hierarchy->levels, access, tally);
}

void hw_hierarchy_bypass(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                         struct hw_tally *tally) {
  tier_translate(hierarchy, access, tally);
  for (unsigned k = 0; k < hierarchy->levels; k++) {
    const struct tier *tier = &hierarchy->level[k];
    bool dirty;

    (void)hw_cache_drop(tier->cache, tier_index(tier, access->virtual, access->physical),
                        access->physical >> tier->shift, &dirty);
  }
  tally->written[hierarchy->levels] += UINT64_C(1) << hierarchy->level[0].shift;
}

/* A digest of a prefetcher's state, from the page that it replaces first on. */
static uint64_t tier_digest(const struct trails *trails) {
  uint64_t digest = 0;

  for (unsigned i = 0; i < TIER_TRAILS; i++) {
    const struct trail *trail = &trails->trail[(trails->next + i) % TIER_TRAILS];

    digest = hw_random_mix(digest + trail->page);
    digest = hw_random_mix(digest + trail->at);
    digest = hw_random_mix(digest + trail->step + trail->run);
  }
  return digest;
}

/* Whether a prefetcher's state is as it was when the lap began; another begins. */
static bool tier_settled(struct tier *tier) {
  uint64_t before = tier->trails.digest;

  tier->trails.digest =
      tier->is->prefetch == HW_SIM_PREFETCH_STRIDE ? tier_digest(&tier->trails) : 0;
  return tier->trails.digest == before;
}

bool hw_hierarchy_settled(struct hw_hierarchy *hierarchy) {
  bool same = true;

  for (unsigned k = 0; k < hierarchy->levels; k++) {
    same &= hw_cache_settled(hierarchy->level[k].cache);
    same &= tier_settled(&hierarchy->level[k]);
  }
  for (unsigned k = 0; k < hierarchy->tlbs; k++)
    same &= hw_cache_settled(hierarchy->tlb[k]);
  return same;
}

void hw_tally_add(struct hw_tally *tally, const struct hw_tally *other, unsigned long times) {
  for (unsigned k = 0; k <= HW_SIM_LEVELS; k++) {
    tally->hit[k] += times * other->hit[k];
    tally->read[k] += times * other->read[k];
    tally->written[k] += times * other->written[k];
  }
  for (unsigned k = 0; k < HW_SIM_TLBS; k++)
    tally->miss[k] += times * other->miss[k];
  tally->uneven += (double)times * other->uneven;
}

double hw_tally_walks(const struct hw_tally *tally, const struct hw_description *description) {
  double cycles = 0;

  for (unsigned k = 0; k < description->tlbs; k++)
    cycles += (double)tally->miss[k] * description->tlb[k].miss;
  return cycles;
}

double hw_tally_cycles(const struct hw_tally *tally, const struct hw_description *description) {
  double cycles = (double)tally->hit[description->levels] * description->memory_latency;

  for (unsigned k = 0; k < description->levels; k++)
    cycles += (double)tally->hit[k] * description->level[k].latency;
  return cycles + tally->uneven + hw_tally_walks(tally, description);
}

double hw_tally_busy(const struct hw_tally *tally, const struct hw_description *description,
                     unsigned k) {
  bool memory = k == description->levels;
  double read = memory ? description->memory_read_rate : description->level[k].read_rate;
  double write = memory ? description->memory_write_rate : description->level[k].write_rate;

  return (double)tally->read[k] / read + (double)tally->written[k] / write;
}
