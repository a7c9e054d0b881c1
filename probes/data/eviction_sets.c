/* Eviction sets: pages of one colour that evict another page of it.

   Curve   none of its own: see one_colour.c.
   Method  From all pages that stay together, ever smaller groups that are not needed to evict page
           x are dropped.  Those that are left have its colour, as many as ways.
   Rows    see analysis/rows/colours.c.
   Cost    20 ms a colour, growing with the pages of the level times the ways.
   Limits  Pages of other colours must be able to evict a page from level 1.
   See     XM 5. */
#include "probes/data/eviction_sets.h"

#include "analysis/rows/l1.h"
#include "probes/probe.h"

#include <stdio.h>
#include <stdlib.h>

/* Attempts to drop groups of one size. */
#define EVICTION_SETS_TRIES 3u

/* Pages that may evict page x, in two parts: the first keep, and those not needed for it. */
struct eviction_sets_search {
  size_t x;
  size_t *page;
  size_t n;
  size_t keep;
  size_t *rest; /* room for the pages of a test */
};

/* Whether those that are kept evict the page. */
static enum hw_pool_said eviction_sets_kept(struct hw_pool *pool,
                                            struct eviction_sets_search *search) {
  for (size_t i = 0; i < search->keep; i++)
    search->rest[i] = search->page[i];
  return hw_pool_evicts(pool, search->rest, search->keep, search->page + search->keep,
                        search->n - search->keep, search->x);
}

/* Drops the groups of group pages that are not needed to evict the page.  Returns the result of the
   last test. */
static enum hw_pool_said eviction_sets_drop(struct hw_pool *pool,
                                            struct eviction_sets_search *search, size_t group) {
  enum hw_pool_said said = HW_POOL_STAYS;

  for (size_t at = 0; at < search->keep;) {
    size_t size = group < search->keep - at ? group : search->keep - at, kept = 0;
    for (size_t i = 0; i < search->keep; i++)
      if (i < at || i >= at + size)
        search->rest[kept++] = search->page[i];
    said = hw_pool_evicts(pool, search->rest, kept, search->page + search->keep,
                          search->n - search->keep, search->x);
    if (said == HW_POOL_SHORT || said == HW_POOL_SPOILED)
      return said;
    if (said == HW_POOL_STAYS) {
      at += size;
      continue;
    }
    /* The last of those that are kept take their places. */
    for (size_t i = at, j = search->keep; i < at + size && j > at + size; i++) {
      size_t swap = search->page[i];
      search->page[i] = search->page[--j];
      search->page[j] = swap;
    }
    search->keep -= size;
  }
  return said;
}

/* The same, and checks that those kept still evict the page: if another process evicted it during
   the test, a needed page was dropped, and all are restored for the next attempt. */
static enum hw_pool_said
eviction_sets_drop_surely(struct hw_pool *pool, struct eviction_sets_search *search, size_t group) {
  const size_t keep = search->keep;
  enum hw_pool_said said = HW_POOL_STAYS;

  for (unsigned try = 0; try < EVICTION_SETS_TRIES && said == HW_POOL_STAYS; try++) {
    search->keep = keep;
    said = eviction_sets_drop(pool, search, group);
    if (said == HW_POOL_STAYS || said == HW_POOL_PUT_OUT)
      said = eviction_sets_kept(pool, search);
  }
  return said;
}

/* Whether the pages kept evict the page, and without any one of them do not. */
static enum hw_pool_said eviction_sets_sure(struct hw_pool *pool,
                                            struct eviction_sets_search *search) {
  size_t *others = search->page + search->keep, n = search->n - search->keep;
  enum hw_pool_said said = eviction_sets_kept(pool, search);

  for (size_t i = 0; i < search->keep && said == HW_POOL_PUT_OUT; i++) {
    enum hw_pool_said without;
    for (size_t j = 0; j + 1 < search->keep; j++)
      search->rest[j] = search->page[j < i ? j : j + 1];
    without = hw_pool_evicts(pool, search->rest, search->keep - 1, others, n, search->x);
    if (without != HW_POOL_STAYS)
      said = without == HW_POOL_SHORT ? HW_POOL_SHORT : HW_POOL_STAYS;
  }
  return said;
}

/* Finds the eviction set of page x among the pages that fit, by dropping ever smaller groups that
   are not needed.  It comes first in page.  Returns its size, 0 when x is not evicted or it is not
   clear, -1 when memory or time was short. */
static long eviction_sets_members(struct hw_gather *job, size_t x, size_t *page) {
  struct hw_pool *pool = &job->pool;
  struct eviction_sets_search search = {.x = x, .page = page, .n = job->fit, .keep = job->fit};
  enum hw_pool_said said;

  search.rest = calloc(job->fit, sizeof *search.rest);
  if (search.rest == NULL)
    return -1;
  for (size_t i = 0; i < job->fit; i++)
    page[i] = job->page[i];
  said = hw_pool_evicts(pool, page, search.n, NULL, 0, x);
  for (size_t group = search.n / 8 + 1; said == HW_POOL_PUT_OUT && group > 0; group /= 2)
    said = hw_gather_late(job) ? HW_POOL_SHORT : eviction_sets_drop_surely(pool, &search, group);
  if (said == HW_POOL_PUT_OUT)
    said = eviction_sets_sure(pool, &search);
  free(search.rest);
  return said == HW_POOL_SHORT ? -1 : said == HW_POOL_PUT_OUT ? (long)search.keep : 0;
}

/* Finds more pages of the colour among those that did not fit or were not tried, until there are
   most.  0, or -1 when memory is short. */
static int eviction_sets_extend(struct hw_gather *job, struct hw_colour *colour, size_t most) {
  struct hw_pool *pool = &job->pool;
  struct hw_pages *own = &colour->own;
  size_t ways = own->n, *front = calloc(ways, sizeof *front);
  enum hw_pool_said said = front == NULL ? HW_POOL_SHORT : HW_POOL_STAYS;

  for (size_t i = 0; said != HW_POOL_SHORT && i < ways; i++)
    front[i] = own->page[i];
  for (size_t i = job->fit; said != HW_POOL_SHORT && i < pool->pages && own->n < most; i++) {
    size_t page = job->page[i];
    said = hw_pool_evicts(pool, front, ways, colour->other.page, colour->other.n, page);
    if (said != HW_POOL_PUT_OUT)
      continue;
    /* Not by the others alone. */
    said = hw_pool_evicts(pool, front, ways - 1, colour->other.page, colour->other.n, page);
    if (said == HW_POOL_STAYS)
      own->page[own->n++] = page;
  }
  free(front);
  return said == HW_POOL_SHORT ? -1 : 0;
}

/* Whether a page is one of them. */
static bool eviction_sets_among(const struct hw_pages *pages, size_t page) {
  for (size_t i = 0; i < pages->n; i++)
    if (pages->page[i] == page)
      return true;
  return false;
}

/* Number of the pages whose addresses give the level-1 sets of page x: all, where all pages do. */
static size_t eviction_sets_class(const struct hw_gather *job, const struct hw_l1_shape *l1,
                                  const size_t *page, size_t n, size_t x) {
  size_t classes = l1->stride / job->pool.page, same = 0;

  for (size_t i = 0; i < n; i++)
    same += classes < 2 || page[i] % classes == x % classes;
  return same;
}

/* Whether pages of other colours can evict page x from level 1, if own of those that stay are of
   its colour.  If the system colours pages by the address bits that choose level 1's set, none
   can: an exclusive level then looks as if it had the ways of both. */
static bool eviction_sets_flushed(const struct hw_gather *job, size_t own, size_t x) {
  struct hw_l1_shape l1;
  size_t all;

  if (hw_l1_shape(&job->pool.bench->curves, &l1) < 0)
    return false;
  all = eviction_sets_class(job, &l1, job->page, job->fit, x);
  return all >= own + 2 * l1.ways || all >= own + 2 * (l1.bytes / job->pool.page + 1);
}

/* Number of pages wanted of the colour of page x, whose eviction set is own.  0 when pages of other
   colours cannot evict it from level 1; where all pages of own share level 1's sets, job->alike
   then says the same of other colours, which have as many pages. */
static size_t eviction_sets_most(struct hw_gather *job, const struct hw_pages *own, bool first,
                                 size_t x) {
  size_t most = 2 * own->n + 2, held = own->n + hw_gather_held(job) + 3;
  struct hw_l1_shape l1;
  size_t same;

  if (hw_l1_shape(&job->pool.bench->curves, &l1) < 0)
    return 0;
  same = eviction_sets_class(job, &l1, own->page, own->n, x);
  if (eviction_sets_flushed(job, same, x))
    return first && most < held ? held : most;
  fprintf(job->pool.bench->log, "colours: level %u: other colours put no page out of level 1\n",
          job->level->n);
  if (same == own->n)
    job->alike = same;
  return 0;
}

int hw_eviction_sets_find(struct hw_gather *job, size_t x, struct hw_pages *seen,
                          struct hw_colour *colour) {
  struct hw_pool *pool = &job->pool;
  size_t *page = calloc(pool->pages, sizeof *page), most;
  long ways = page == NULL                                 ? -1
              : !eviction_sets_flushed(job, job->alike, x) ? 0
                                                           : eviction_sets_members(job, x, page);

  *colour = (struct hw_colour){.pool = pool, .level = job->level->n};
  colour->own.page = calloc(pool->pages, sizeof *page);
  if (ways > 0 && colour->own.page != NULL && !eviction_sets_among(seen, page[0])) {
    colour->ways = colour->own.n = (size_t)ways;
    colour->other = (struct hw_pages){.page = page, .n = job->fit - colour->ways};
    for (size_t i = 0; i < colour->ways; i++)
      seen->page[seen->n++] = colour->own.page[i] = page[i];
    for (size_t i = 0; i < colour->other.n; i++)
      page[i] = page[i + colour->ways];
    most = eviction_sets_most(job, &colour->own, seen->n == colour->ways, x);
    if (most > 0 && eviction_sets_extend(job, colour, most) == 0) {
      fprintf(pool->bench->log, "colours: level %u: %ld pages put one out, %zu are of its colour\n",
              job->level->n, ways, colour->own.n);
      return 1;
    }
    ways = most > 0 ? -1 : 0;
  }
  colour->other.page = page;
  hw_eviction_sets_forget(colour);
  return ways < 0 ? -1 : 0;
}

void hw_eviction_sets_forget(struct hw_colour *colour) {
  free(colour->own.page);
  free(colour->other.page);
  colour->own = colour->other = (struct hw_pages){.page = NULL};
}
