/* The map: chains of loads over working sets, of which nothing but the clock is known. */
#ifndef HW_MAP_H
#define HW_MAP_H

#include "probes/bench/idle.h"
#include "probes/probe.h"

/* Bytes: loads of the packed chain lie this far apart.  Where a line is longer, two loads share
   one; where it is shorter, sets are left out, and all of their lines leave as much room to those
   of the others: neither moves an edge. */
#define HW_MAP_APART ((size_t)64)

/* What the map's chains are laid out in. */
struct hw_map {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t mapped;  /* bytes of memory, a power of two */
  size_t touched; /* bytes of it that have been stored to */
  size_t *offset; /* of the loads of the chain that was linked last, in order */
  size_t n;       /* their number */
  bool whole;     /* they are a whole lap */
  unsigned last;  /* the last level that is looked at, or HW_LEVEL_MEMORY */
  size_t once;    /* if not: how many may be loaded, each once */
  size_t *block;  /* the order of the blocks */
  struct hw_idle idle;
  struct hw_point alone; /* of the round: its number, share and number of looks */
};

/* Maps the memory, as much as there is up to most (bytes).  0, or -1 without. */
int hw_map_open(struct hw_map *map, struct hw_bench *bench, size_t most);
void hw_map_close(struct hw_map *map);

/* A chain: links it and brings it into the caches.  0, or -1 without memory.  Packed: over a
   working set of x bytes, a multiple of HW_MAP_APART; spread: over x pages. */
typedef int hw_map_chain(struct hw_map *map, size_t x);
hw_map_chain hw_map_packed, hw_map_spread;

/* Takes short samples of walks along a chain.  In *point the low end of the time of a load, cycles.
   0, or -1 without memory or when it is late. */
int hw_map_visit(struct hw_map *map, hw_map_chain *chain, double x, struct hw_point *point);

#endif
