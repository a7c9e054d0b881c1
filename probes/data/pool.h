/* Pages of unknown colour, and the one test on them: does walking some pages evict another from a
   cache level? */
#ifndef HW_POOL_H
#define HW_POOL_H

#include "probes/probe.h"

/* Pages by number. */
struct hw_pages {
  size_t *page;
  size_t n;
};

struct hw_pool {
  struct hw_bench *bench;
  struct hw_idle alone; /* while pages are read */
  struct hw_memory *memory;
  size_t pages;
  size_t page;     /* bytes */
  size_t lines;    /* that are used of a page; a power of two */
  size_t spacing;  /* bytes between them */
  size_t flush;    /* pages that surely evict another from the level above, */
  size_t classes;  /* equally many of each class: pages whose numbers give the same sets there */
  size_t held;     /* pages of one class and colour that the levels above hold */
  unsigned rounds; /* of touching a page and walking the others, before it is read */
  unsigned laps;   /* over the others in a round */
  double gap_ns;   /* miss penalty of a reading by the size curve; 0: unknown */
  double hit_ns;   /* time of a reading of a page that the level holds, */
  double miss_ns;  /* and of one that it does not */
  size_t own;      /* lines of a page that a reading loads: a random part, so that a prefetcher
                      trained on other pages mispredicts the next load */
  size_t *first;   /* load of each page's own ring, byte offset */
  size_t *offset;  /* for a ring over all pages */
  size_t ring;     /* loads of the ring that was linked last */
  size_t ring_at;  /* its first load, byte offset */
};

/* Links a page's own ring: pool->own of its lines.  0, or -1. */
int hw_pool_own(struct hw_pool *pool, size_t page);

/* Maps plain pages and links each one's own ring.  lines and spacing, page, pages and bench are
   set. 0, or -1 when memory is short. */
int hw_pool_open(struct hw_pool *pool);
void hw_pool_close(struct hw_pool *pool);

/* Moves to the front the pages that flush the level above, equally many of each class.  Returns
   their number. */
size_t hw_pool_flush(const struct hw_pool *pool, size_t *page, size_t n);

/* Links a ring over n pages and then last_n others, a few pages at a time.  0, or -1. */
int hw_pool_link(struct hw_pool *pool, const size_t *page, size_t n, const size_t *last,
                 size_t last_n);

/* Makes the page's own ring the one of the next walk. */
void hw_pool_enter(struct hw_pool *pool, size_t page);

/* Walks the ring over all pages this many laps. */
void hw_pool_walk(struct hw_pool *pool, unsigned laps);

/* A reading from here on, 0 being a hit and 1 a miss, says that the page was evicted. */
#define HW_POOL_GONE 0.5

/* Loads the lines of a page; returns where the time lies between a hit, 0, and a miss, 1. */
double hw_pool_read(struct hw_pool *pool, size_t page);

/* Touches n pages and walks the ring until the replacement policy has settled which pages stay. */
void hw_pool_settle(struct hw_pool *pool, const size_t *page, size_t n);

/* Measures hit_ns, after a walk of pages that flush the level above, and miss_ns, after a walk of
   beyond pages, which flush this one.  0, or -1 when the two are not clearly apart. */
int hw_pool_learn(struct hw_pool *pool, size_t beyond);

/* What was seen of a page that others were to evict. */
enum hw_pool_said {
  HW_POOL_SHORT = -1, /* memory was short */
  HW_POOL_STAYS,
  HW_POOL_PUT_OUT,
  HW_POOL_SPOILED /* those that evicted it were evicted themselves, each time */
};

/* Whether walking n pages, and then those of the others that flush the level above, evicts page x
   from the level: true if all of several readings, in random orders, agree. */
enum hw_pool_said hw_pool_evicts(struct hw_pool *pool, size_t *page, size_t n, size_t *others,
                                 size_t others_n, size_t x);

#endif
