/* The data caches and TLBs of a simulated machine, together: what each load meets. */
#ifndef HW_HIERARCHY_H
#define HW_HIERARCHY_H

#include "probes/machine/description.h"

#include <stdint.h>

struct hw_hierarchy;

/* One load or store. */
struct hw_access {
  uint64_t virtual;    /* address, bytes */
  uint64_t physical;   /* address, bytes */
  unsigned page_shift; /* log2 of the bytes of its page */
};

/* What a number of loads met. */
struct hw_tally {
  unsigned long hit[HW_SIM_LEVELS + 1]; /* by level, then memory: hit[levels] */
  unsigned long miss[HW_SIM_TLBS];      /* by TLB level */
};

/* Empty caches.  NULL without memory. */
struct hw_hierarchy *hw_hierarchy_open(const struct hw_description *description);
void hw_hierarchy_close(struct hw_hierarchy *hierarchy);

/* Does one load, or one store: caches here allocate on both. */
void hw_hierarchy_load(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                       struct hw_tally *tally);

/* As hw_cache_digest, of all caches. */
uint64_t hw_hierarchy_digest(struct hw_hierarchy *hierarchy);

/* Adds times x what other holds. */
void hw_tally_add(struct hw_tally *tally, const struct hw_tally *other, unsigned long times);

/* What the loads cost, cycles. */
double hw_tally_cycles(const struct hw_tally *tally, const struct hw_description *description);

#endif
