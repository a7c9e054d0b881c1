/* Laps over a working set: the time of a load when each line is loaded once a lap. */
#ifndef HW_LAP_H
#define HW_LAP_H

#include "analysis/rows/size_curve.h"
#include "probes/probe.h"

#include <stdint.h>

/* The largest hw_lap_walk.farther; walks of one large working set sampled by turns, at most. */
#define HW_LAP_FARTHEST 16u
#define HW_LAP_WALKS 5u

/* A working set, and the distance of the lines that one visit of a page loads, as a multiple of the
   ordinary spacing: a power of two up to HW_LAP_FARTHEST. */
struct hw_lap_walk {
  size_t bytes;
  size_t farther;
  double cycles; /* lower bound of a load's time: gives the loads that the clock can resolve */
};

/* Passes over a large working set, at most; after each a part of it is walked. */
#define HW_LAP_PASSES 6u

/* Loads of a large working set that are linked, to be walked after one pass over it. */
struct hw_lap_part {
  size_t first;
  size_t n;
  size_t walked;
};

/* Memory to walk over, and how. */
struct hw_lap {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t mapped;  /* bytes */
  size_t line;    /* bytes, of level 1 */
  size_t apart;   /* lines from one load of a visit to the next, at the ordinary spacing */
  size_t page;    /* bytes, no more than a page of the TLB */
  size_t segment; /* bytes that are finished before the next ones, so that the TLB does not miss */
  bool entries;   /* whether it is known that the first-level TLB holds the pages of a segment */
  /* The working set that is laid out. */
  size_t place; /* where it starts */
  size_t bytes; /* 0: none is */
  size_t block; /* bytes that are visited at once */
  size_t blocks;
  size_t *order;  /* of the blocks */
  size_t *offset; /* of the loads that are linked */
  size_t n;
  size_t room;
  double pass_ns; /* time of streaming over a byte in the last pass, or 0 */
  size_t touched; /* bytes from the start whose pages have page frames of their own */
  /* The walks that are sampled: at most HW_LAP_WALKS where the working set is large. */
  const struct hw_lap_walk *walk;
  size_t walks;
  size_t farthest; /* of them */
  unsigned rounds;
  uint64_t seed;                     /* of the places of small working sets */
  unsigned *taken;                   /* places of each walk so far */
  unsigned stayed;                   /* samples so far of one that is not small */
  unsigned long loads[HW_LAP_WALKS]; /* of a sample */
  unsigned samples;                  /* of each walk after one pass */
  size_t passes;                     /* for which parts are linked */
  size_t pass;
  size_t start[HW_LAP_PASSES]; /* the block with which each begins, in their order */
  struct hw_lap_part part[HW_LAP_PASSES][HW_LAP_WALKS];
  size_t next; /* the block with which the next part starts */
};

/* Maps memory: what the bench may use and the system gives, but at least least bytes.  0, or -1. */
int hw_lap_open(struct hw_lap *lap, struct hw_bench *bench, size_t least);
void hw_lap_close(struct hw_lap *lap);

/* Whether a working set is so small that it is laid out anew for each sample. */
bool hw_lap_small(const struct hw_lap *lap, double bytes);

/* Whether a working set that is sampled alone is walked lap by lap: of a larger one only parts are
   walked, after streaming passes over it. */
bool hw_lap_walked(const struct hw_lap *lap, double bytes);

/* Measures cycles per load of n walks: of small working sets, or at most HW_LAP_WALKS of a large
   one with equal cycles.  Each round has a sample of each walk.  The curve's x is the number of
   the walk, from 1 on; points without a sample in time are missing.  0, or -1 when memory or time
   was short. */
int hw_lap_sample(struct hw_lap *lap, const struct hw_lap_walk *walk, size_t n, unsigned rounds,
                  struct hw_curve *curve);

#endif
