/* The description of a simulated machine, as doc/machines.md has it. */
#ifndef HW_DESCRIPTION_H
#define HW_DESCRIPTION_H

#include "probes/machine/cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HW_SIM_LEVELS 4u
#define HW_SIM_TLBS 2u
#define HW_SIM_NAME 64u

/* What a level has to do with the one above it, n-1. */
enum hw_sim_relation {
  HW_SIM_NOT_GIVEN, /* as independent */
  HW_SIM_INDEPENDENT,
  HW_SIM_INCLUSIVE, /* what leaves it leaves those above too */
  HW_SIM_EXCLUSIVE  /* holds what the one above gave up */
};

/* The addresses that choose a set. */
enum hw_sim_index {
  HW_SIM_INDEX_DEFAULT, /* virtual in level 1, else physical */
  HW_SIM_INDEX_VIRTUAL,
  HW_SIM_INDEX_PHYSICAL
};

/* The frames that the pages of a mapping get. */
enum hw_sim_frames {
  HW_SIM_RANDOM,
  HW_SIM_CONTIGUOUS,
  HW_SIM_COLOURED /* frame and page agree modulo colours */
};

struct hw_sim_level {
  uint64_t bytes;
  uint64_t ways;
  uint64_t line;  /* bytes */
  double latency; /* of a hit, load to use, cycles */
  enum hw_policy policy;
  enum hw_sim_relation relation;
  enum hw_sim_index index;
  bool prefetch; /* a miss brings in the next line too */
};

struct hw_sim_tlb {
  uint64_t entries;
  uint64_t ways;
  double miss; /* what missing it adds, cycles */
  enum hw_policy policy;
};

struct hw_sim_page {
  uint64_t bytes;
  uint64_t huge; /* bytes; 0: there are none */
  enum hw_sim_frames frames;
  uint64_t colours;
};

/* Shares are fractions, not per cent.  0: no such noise. */
struct hw_sim_noise {
  double jitter; /* standard deviation */
  double burst_ns;
  double burst_gap_ns;
  double burst_factor;
  double drift;
  double drift_ns;
  double outliers;
  double outlier_ns;
};

struct hw_description {
  char name[HW_SIM_NAME];
  double cycle_ns;
  double clock_step_ns;
  double clock_cost_ns;
  unsigned levels;
  struct hw_sim_level level[HW_SIM_LEVELS];
  double memory_latency; /* cycles */
  unsigned tlbs;
  struct hw_sim_tlb tlb[HW_SIM_TLBS];
  struct hw_sim_page page;
  struct hw_sim_noise noise;
  uint64_t seed;
};

/* Why a description is of no machine. */
struct hw_sim_fault {
  const char *statement; /* its word */
  unsigned number;       /* the statement's, from 1; 0: it has none */
  const char *reason;
};

/* Whether something is wrong with what the statements say, each by itself in range. */
bool hw_description_fault(const struct hw_description *description, struct hw_sim_fault *fault);

/* log2 of a power of two, as lines and pages are. */
unsigned hw_sim_log2(uint64_t power);

/* Reads a description.  0, or -1 after one line "FILE:LINE: reason" to err when it is bad; file
   is the name for that line. */
int hw_description_read(struct hw_description *description, const char *file, FILE *in, FILE *err);

#endif
