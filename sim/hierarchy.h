/* The data caches and TLBs of a simulated machine, together: where each load and store hits. */
#ifndef HW_HIERARCHY_H
#define HW_HIERARCHY_H

#include "sim/description.h"

#include <stdint.h>

struct hw_hierarchy;

/* One load or store. */
struct hw_access {
  uint64_t virtual;    /* address, bytes */
  uint64_t physical;   /* address, bytes */
  unsigned page_shift; /* log2 of the bytes of its page */
};

/* Counts and costs of a number of loads and stores. */
struct hw_tally {
  unsigned long hit[HW_SIM_LEVELS + 1]; /* by the level that they hit, then memory */
  unsigned long miss[HW_SIM_TLBS];      /* by TLB level */
  uint64_t read[HW_SIM_LEVELS + 1];     /* bytes that a level, or memory, handed up */
  uint64_t written[HW_SIM_LEVELS + 1];  /* bytes that it took from above */
  double uneven; /* hits in farther or nearer parts of a level: cycles above its latency */
  double waited; /* what they cost as one dependent chain, cycles, added one by one */
};

/* Empty caches.  NULL without memory. */
struct hw_hierarchy *hw_hierarchy_open(const struct hw_description *description);
void hw_hierarchy_close(struct hw_hierarchy *hierarchy);

/* Does one load. */
void hw_hierarchy_load(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                       struct hw_tally *tally);

/* Does one store. */
void hw_hierarchy_store(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                        struct hw_tally *tally);

/* Does one store that bypasses the caches: its line is in none of them then. */
void hw_hierarchy_bypass(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                         struct hw_tally *tally);

/* Another thread uses a page for the first time. */
void hw_hierarchy_foreign_page(struct hw_hierarchy *hierarchy);

/* Whether the SMT sibling runs, for which levels may keep ways. */
void hw_hierarchy_share(struct hw_hierarchy *hierarchy, bool shared);

/* Another thread uses its own line at the address: it comes in as with a load. */
void hw_hierarchy_foreign_line(struct hw_hierarchy *hierarchy, uint64_t address);

/* As hw_cache_settled, of all caches and of what prefetchers remember. */
bool hw_hierarchy_settled(struct hw_hierarchy *hierarchy);

/* Adds times x what other holds. */
void hw_tally_add(struct hw_tally *tally, const struct hw_tally *other, unsigned long times);

/* What the accesses cost as one dependent chain, cycles. */
double hw_tally_cycles(const struct hw_tally *tally, const struct hw_description *description);

/* What the page walks of their TLB misses cost, cycles. */
double hw_tally_walks(const struct hw_tally *tally, const struct hw_description *description);

/* Cycles in which level k, from 0, or memory, was busy moving these bytes at its bandwidth. */
double hw_tally_busy(const struct hw_tally *tally, const struct hw_description *description,
                     unsigned k);

#endif
