/* Pages of unknown colours. */
#include "probes/data/pool.h"

#include "analysis/samples.h"

#include <math.h>
#include <stdlib.h>

/* Pages of a batch that measures the time of a hit or a miss, and batches. */
#define POOL_BATCH 16u
#define POOL_ROUNDS 4u
/* More pages than this are walked only once. */
#define POOL_LARGE ((size_t)4096)
/* A hit and a miss can be told apart from this difference on, as a share of the hit. */
#define POOL_APART 0.15
/* Bound on the measured miss penalty, as a multiple of the size curve's, whose points of one level
   differ by no more: a longer one was evicted from the next level too, by another process.  With
   the bound a true miss reads as 4/5, far from HW_POOL_GONE. */
#define POOL_FAR (1 + HW_CLUSTER_WIDTH)
/* Readings that have to say that a page was evicted: another process may evict it, but none brings
   it back. */
#define POOL_READINGS 3
/* A reading counts only if the first of the evicting pages still hits, below this: else another
   process evicted both.  Readings at most. */
#define POOL_STAYS 0.25
#define POOL_TRIES 12
/* Linking a ring brings other data into the level; walks that evict that again. */
#define POOL_FIRST 2u
/* Pages whose lines are walked together in random order: what a prefetcher learns in one page does
   not predict the next. */
#define POOL_MIXED 16u
/* A page's own ring goes through the second word of its lines. */
#define POOL_OWN sizeof(void *)

/* Byte offset of the i-th used line of a page. */
static size_t pool_line(const struct hw_pool *pool, size_t page, size_t i) {
  return page * pool->page + i * pool->spacing;
}

int hw_pool_own(struct hw_pool *pool, size_t page) {
  struct hw_machine *machine = pool->bench->machine;
  size_t part = pool->lines / pool->own;

  /* One of each part consecutive ones: two that share one line of the level miss only once. */
  for (size_t i = 0; i < pool->own; i++)
    pool->offset[i] =
        pool_line(pool, page, i * part + hw_random_below(&pool->bench->random, part)) + POOL_OWN;
  hw_random_order(&pool->bench->random, pool->offset, pool->own);
  pool->first[page] = pool->offset[0];
  return machine->ops->link(machine, pool->memory, pool->offset, pool->own);
}

int hw_pool_open(struct hw_pool *pool) {
  struct hw_machine *machine = pool->bench->machine;
  int result;

  pool->offset = calloc(pool->pages * pool->lines, sizeof *pool->offset);
  pool->first = calloc(pool->pages, sizeof *pool->first);
  pool->memory = machine->ops->map(machine, pool->pages * pool->page, HW_PAGES_PLAIN);
  result = pool->offset != NULL && pool->first != NULL && pool->memory != NULL ? 0 : -1;
  for (size_t page = 0; page < pool->pages && result == 0; page++)
    result = hw_pool_own(pool, page);
  if (result < 0)
    hw_pool_close(pool);
  return result;
}

void hw_pool_close(struct hw_pool *pool) {
  struct hw_machine *machine = pool->bench->machine;

  free(pool->offset);
  free(pool->first);
  machine->ops->unmap(machine, pool->memory);
  pool->offset = pool->first = NULL;
  pool->memory = NULL;
}

/* Puts the lines of n pages into pool->offset from index at on, a few pages at a time, in random
   order.  Returns the index behind the last. */
static size_t pool_put(struct hw_pool *pool, const size_t *page, size_t n, size_t at) {
  size_t mixed = at;

  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < pool->lines; i++)
      pool->offset[at++] = pool_line(pool, page[k], i);
    if ((k + 1) % POOL_MIXED == 0 || k + 1 == n) {
      hw_random_order(&pool->bench->random, pool->offset + mixed, at - mixed);
      mixed = at;
    }
  }
  return at;
}

size_t hw_pool_flush(const struct hw_pool *pool, size_t *page, size_t n) {
  size_t each = (pool->flush + pool->classes - 1) / pool->classes, front = 0;

  for (size_t class = 0; class < pool->classes; class ++) {
    size_t of_class = 0;
    for (size_t i = front; i < n && of_class < each; i++) {
      size_t swap = page[i];
      if (swap % pool->classes != class)
        continue;
      page[i] = page[front];
      page[front++] = swap;
      of_class++;
    }
  }
  return front;
}

int hw_pool_link(struct hw_pool *pool, const size_t *page, size_t n, const size_t *last,
                 size_t last_n) {
  struct hw_machine *machine = pool->bench->machine;

  pool->ring = pool_put(pool, last, last_n, pool_put(pool, page, n, 0));
  pool->ring_at = pool->offset[0];
  return pool->ring == 0 ? 0 : machine->ops->link(machine, pool->memory, pool->offset, pool->ring);
}

void hw_pool_enter(struct hw_pool *pool, size_t page) {
  struct hw_machine *machine = pool->bench->machine;

  machine->ops->enter(machine, pool->memory, pool->first[page]);
}

/* Loads the lines of a page's own ring. */
static void pool_touch(struct hw_pool *pool, size_t page) {
  struct hw_machine *machine = pool->bench->machine;

  hw_pool_enter(pool, page);
  machine->ops->walk(machine, pool->memory, HW_GRAIN);
}

void hw_pool_walk(struct hw_pool *pool, unsigned laps) {
  struct hw_machine *machine = pool->bench->machine;
  size_t loads = pool->ring * laps;

  if (loads == 0)
    return;
  machine->ops->enter(machine, pool->memory, pool->ring_at);
  machine->ops->walk(machine, pool->memory, (loads + HW_GRAIN - 1) / HW_GRAIN * HW_GRAIN);
}

/* Time to load the lines of a page's own ring, ns. */
static double pool_time(struct hw_pool *pool, size_t page) {
  struct hw_machine *machine = pool->bench->machine;
  double start;

  hw_pool_enter(pool, page);
  start = machine->ops->now(machine);
  machine->ops->walk(machine, pool->memory, HW_GRAIN);
  return machine->ops->now(machine) - start;
}

double hw_pool_read(struct hw_pool *pool, size_t page) {
  return (pool_time(pool, page) - pool->hit_ns) / (pool->miss_ns - pool->hit_ns);
}

void hw_pool_settle(struct hw_pool *pool, const size_t *page, size_t n) {
  hw_pool_walk(pool, POOL_FIRST);
  for (unsigned round = 0; round < pool->rounds; round++) {
    for (size_t i = 0; i < n; i++)
      pool_touch(pool, page[i]);
    hw_pool_walk(pool, pool->laps);
  }
}

/* The low end of the times of the first POOL_BATCH pages, ns, after a walk of the n pages behind
   them; -1 when memory is short. */
static double pool_after(struct hw_pool *pool, const size_t *page, size_t n, unsigned rounds) {
  double taken[POOL_BATCH * POOL_ROUNDS];
  size_t k = 0;

  if (hw_pool_link(pool, page + POOL_BATCH, n, NULL, 0) < 0)
    return -1;
  for (unsigned round = 0; round < rounds; round++, k += POOL_BATCH) {
    unsigned try = 0;
    do {
      hw_idle_await(&pool->alone);
      for (size_t i = 0; i < POOL_BATCH; i++)
        pool_touch(pool, page[i]);
      hw_pool_walk(pool, 2);
      for (size_t i = 0; i < POOL_BATCH; i++)
        taken[k + i] = pool_time(pool, page[i]);
    } while (hw_idle_again(&pool->alone, try++));
  }
  return hw_low_end(taken, k).y;
}

int hw_pool_learn(struct hw_pool *pool, size_t beyond) {
  size_t *page = calloc(pool->pages, sizeof *page);

  pool->hit_ns = pool->miss_ns = -1;
  if (page != NULL && pool->pages > POOL_BATCH + beyond && beyond > pool->flush) {
    for (size_t i = 0; i < pool->pages; i++)
      page[i] = i;
    hw_random_order(&pool->bench->random, page, pool->pages);
    pool->miss_ns = pool_after(pool, page, beyond, beyond > POOL_LARGE ? 1 : POOL_ROUNDS);
    pool->hit_ns = pool_after(pool, page, pool->flush, POOL_ROUNDS);
    if (pool->gap_ns > 0)
      pool->miss_ns = fmin(pool->miss_ns, pool->hit_ns + POOL_FAR * pool->gap_ns);
  }
  free(page);
  /* A coarse clock may show 0 ns for a hit. */
  return pool->hit_ns >= 0 && pool->miss_ns > (1 + POOL_APART) * pool->hit_ns ? 0 : -1;
}

enum hw_pool_said hw_pool_evicts(struct hw_pool *pool, size_t *page, size_t n, size_t *others,
                                 size_t others_n, size_t x) {
  struct hw_random *random = &pool->bench->random;
  int gone = 0;

  for (int reading = 0; reading < POOL_TRIES && gone < POOL_READINGS; reading++) {
    double there, first;
    unsigned try = 0;
    size_t last;
    hw_random_order(random, page, n);
    hw_random_order(random, others, others_n);
    last = hw_pool_flush(pool, others, others_n);
    do {
      hw_idle_await(&pool->alone);
      if (hw_pool_link(pool, page, n, others, last) < 0)
        return HW_POOL_SHORT;
      hw_pool_settle(pool, &x, 1);
      there = hw_pool_read(pool, x);
      first = hw_pool_read(pool, last > 0 ? others[0] : page[0]);
    } while (there >= HW_POOL_GONE && hw_idle_again(&pool->alone, try++));
    if (there < HW_POOL_GONE)
      return HW_POOL_STAYS;
    gone += first < POOL_STAYS;
  }
  return gone == POOL_READINGS ? HW_POOL_PUT_OUT : HW_POOL_SPOILED;
}
