/* Pages of memory of unknown colours, and the one question that is put to them: does walking some
   of them put another out of a cache level? */
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
  struct hw_idle alone; /* while pages are asked */
  struct hw_memory *memory;
  size_t pages;
  size_t page;     /* bytes */
  size_t lines;    /* that are used of a page; a power of two */
  size_t spacing;  /* bytes between them */
  size_t flush;    /* pages that surely put another out of the level above, */
  size_t classes;  /* as many of each class: those that share its sets by their numbers */
  size_t held;     /* pages of one class and colour that the levels above hold */
  unsigned rounds; /* of touching a page and walking a set of others, */
  unsigned laps;   /* so many times over, before it is asked whether it is gone */
  double gap_ns;   /* what a miss takes more than a hit as the size curve has it; 0: unknown */
  double hit_ns;   /* the lines of a page that the level holds, */
  double miss_ns;  /* and of one that it does not */
  size_t own;      /* lines of it that are loaded when it is asked: a random part, so that a
                      prefetcher that learned from other pages where the next load goes is
                      wrong */
  size_t *first;   /* of each page's own ring */
  size_t *offset;  /* for a ring over all pages */
  size_t ring;     /* loads of the ring that was linked last */
  size_t ring_at;  /* and its first */
};

/* Links a page's own ring. */
int hw_pool_own(struct hw_pool *pool, size_t page);

/* Maps plain pages and links each one's own ring.  lines and spacing, page, pages and bench are
   set. 0, or -1 when memory is short. */
int hw_pool_open(struct hw_pool *pool);
void hw_pool_close(struct hw_pool *pool);

/* Puts the lines of some pages into pool->offset from at on, a few pages at a time, in random
   order. Returns where they end. */
size_t hw_pool_put(struct hw_pool *pool, const size_t *page, size_t n, size_t at);

/* Brings to the front the pages that put others out of the level above: as many of each class.
   Returns how many. */
size_t hw_pool_flush(const struct hw_pool *pool, size_t *page, size_t n);

/* Links a ring over some pages and then some others, page by page. */
int hw_pool_link(struct hw_pool *pool, const size_t *page, size_t n, const size_t *last,
                 size_t last_n);

/* Has the next walk be over the lines of a page. */
void hw_pool_enter(struct hw_pool *pool, size_t page);

/* Walks the ring, so many times over. */
void hw_pool_walk(struct hw_pool *pool, unsigned laps);

/* From here on between a hit and a miss, a page is gone. */
#define HW_POOL_GONE 0.5

/* Loads the lines of a page, and tells where that lies between a hit, 0, and a miss, 1. */
double hw_pool_read(struct hw_pool *pool, size_t page);

/* Touches some pages and walks the ring until it is settled who stays. */
void hw_pool_settle(struct hw_pool *pool, const size_t *page, size_t n);

/* Learns what a hit and a miss take: after as many pages as put a page out of the level above, and
   after so many that put it out of this one.  0, or -1 when the two are not clearly apart. */
int hw_pool_learn(struct hw_pool *pool, size_t beyond);

/* What was seen of a page that others were to put out. */
enum hw_pool_said {
  HW_POOL_SHORT = -1, /* memory was short */
  HW_POOL_STAYS,
  HW_POOL_PUT_OUT,
  HW_POOL_SPOILED /* those that put it out were put out themselves, each time */
};

/* Whether walking some pages, and then as many of others as put it out of the level above, puts
   page x out of the level: in random orders, as all of some readings say. */
enum hw_pool_said hw_pool_evicts(struct hw_pool *pool, size_t *page, size_t n, size_t *others,
                                 size_t others_n, size_t x);

#endif
