/* Laps over a working set: what a load takes when all of it is used by turns. */
#ifndef HW_LAP_H
#define HW_LAP_H

#include "analysis/rows/size_curve.h"
#include "probes/probe.h"

#include <stdint.h>

/* The largest that a walk may have; and walks of one large working set that are sampled by turns.
 */
#define HW_LAP_FARTHEST 16u
#define HW_LAP_WALKS 5u

/* A working set, and how far apart the lines are that one visit of a page loads: so many times the
   ordinary spacing, a power of two up to HW_LAP_FARTHEST. */
struct hw_lap_walk {
  size_t bytes;
  size_t farther;
  double cycles; /* that a load takes at least: how many the clock needs to tell them */
};

/* Passes over a large working set, at most, behind each of which a part of it is walked. */
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
  size_t page;    /* bytes, as that of the TLB or smaller */
  size_t segment; /* bytes that are done before the next ones, so that the TLB stays out of it */
  bool entries;   /* whether it is known that the first TLB holds the pages of a segment */
  /* The working set that is laid out. */
  size_t place; /* where it starts */
  size_t bytes; /* 0: none is */
  size_t block; /* bytes that are visited at once */
  size_t blocks;
  size_t *order;  /* of the blocks */
  size_t *offset; /* of the loads that are linked */
  size_t n;
  size_t room;
  double pass_ns; /* what streaming over a byte took last, or 0 */
  size_t touched; /* bytes from the start whose pages have frames of their own */
  /* The walks that are sampled: at most HW_LAP_WALKS where the working set is large. */
  const struct hw_lap_walk *walk;
  size_t walks;
  size_t farthest; /* of them */
  unsigned rounds;
  uint64_t seed;                     /* of the places of small working sets */
  unsigned *taken;                   /* places of each walk so far */
  unsigned stayed;                   /* samples of one that is not small */
  unsigned long loads[HW_LAP_WALKS]; /* of a sample */
  unsigned samples;                  /* of each walk after one pass */
  size_t passes;                     /* for which parts are linked */
  size_t pass;
  size_t start[HW_LAP_PASSES]; /* the block with which each begins, in their order */
  struct hw_lap_part part[HW_LAP_PASSES][HW_LAP_WALKS];
  size_t next; /* the block with which the next part starts */
};

/* Maps memory, as much as the bench may have and the system gives, but no less than least bytes. 0,
   or -1. */
int hw_lap_open(struct hw_lap *lap, struct hw_bench *bench, size_t least);
void hw_lap_close(struct hw_lap *lap);

/* Whether a working set is so small that it is laid out anew for each sample. */
bool hw_lap_small(const struct hw_lap *lap, double bytes);

/* Whether a working set that is sampled alone is walked lap by lap: of a larger one parts are,
   behind passes over it. */
bool hw_lap_walked(const struct hw_lap *lap, double bytes);

/* Measures cycles per load of n walks: of small working sets, or at most HW_LAP_WALKS of a large
   one that take as many cycles.  In each of the rounds there is a sample of each walk.  Point k,
   from 1 on, of the curve is that of walk[k - 1]; those that had no sample in time are missing.  0,
   or -1 when memory or time was short. */
int hw_lap_sample(struct hw_lap *lap, const struct hw_lap_walk *walk, size_t n, unsigned rounds,
                  struct hw_curve *curve);

#endif
