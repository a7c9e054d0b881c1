/* Who puts a page out: the pages of its colour.

   Curve   none of its own: see one_colour.c.
   Method  Of all pages that stay together groups that are not needed to put page x out are
           dropped, ever smaller ones.  Those that are left are of its colour, as many as ways.
   Rows    see analysis/rows/colours.c.
   Cost    20 ms a colour, by the pages of the level times the ways.
   Limits  Pages of other colours must be able to put a page out of level 1.
   See     XM 5. */
#include "probes/data/eviction_sets.h"

#include "analysis/rows/l1.h"
#include "probes/probe.h"

#include <stdio.h>
#include <stdlib.h>

/* How often it is tried to drop groups of one size. */
#define EVICTION_SETS_TRIES 3u

/* Pages that may put page x out, in two parts: the first keep, and those that are not needed for
   it. */
struct eviction_sets_search {
  size_t x;
  size_t *page;
  size_t n;
  size_t keep;
  size_t *rest; /* for those that are asked */
};

/* What those that are kept do to the page. */
static enum hw_pool_said eviction_sets_kept(struct hw_pool *pool,
                                            struct eviction_sets_search *search) {
  for (size_t i = 0; i < search->keep; i++)
    search->rest[i] = search->page[i];
  return hw_pool_evicts(pool, search->rest, search->keep, search->page + search->keep,
                        search->n - search->keep, search->x);
}

/* Drops those of the groups of so many pages that are not needed to put the page out.  Whether they
   were put out or stayed is of the last. */
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
    /* Their places are for the last of those that are kept. */
    for (size_t i = at, j = search->keep; i < at + size && j > at + size; i++) {
      size_t swap = search->page[i];
      search->page[i] = search->page[--j];
      search->page[j] = swap;
    }
    search->keep -= size;
  }
  return said;
}

/* The same, and those that are kept still put the page out: when a stranger did, instead of the
   others, one was dropped that is needed, and all are taken back. */
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

/* Whether all that were kept put the page out, and all but one do not, whichever that is. */
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

/* Who puts page x out, of those that fit: groups that are not needed for it are dropped, ever
   smaller ones.  They come first in page.  Returns how many, 0 when it is not put out or nobody can
   tell, -1 when memory or time was short. */
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

/* Finds more pages of the colour among those that were put out, and those that were not tried,
   until there are most.  0, or -1 when memory is short. */
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

/* How many of the pages share level 1's sets with page x by their addresses: all, where any do. */
static size_t eviction_sets_class(const struct hw_gather *job, const struct hw_l1_shape *l1,
                                  const size_t *page, size_t n, size_t x) {
  size_t classes = l1->stride / job->pool.page, same = 0;

  for (size_t i = 0; i < n; i++)
    same += classes < 2 || page[i] % classes == x % classes;
  return same;
}

/* Whether pages of other colours can put page x out of level 1, own of those that stay being of its
   own.  Where the system colours pages by the same bits of the address that choose level 1's set,
   none can: an exclusive level then looks as if it had the ways of both. */
static bool eviction_sets_flushed(const struct hw_gather *job, size_t own, size_t x) {
  struct hw_l1_shape l1;
  size_t all;

  if (hw_l1_shape(&job->pool.bench->curves, &l1) < 0)
    return false;
  all = eviction_sets_class(job, &l1, job->page, job->fit, x);
  return all >= own + 2 * l1.ways || all >= own + 2 * (l1.bytes / job->pool.page + 1);
}

/* How many pages of a colour are wanted: of that of page x, of which so many stay together.  0 when
   those of other colours cannot put one out of level 1; and nor can they of another colour, whose
   pages are as many, where all of one share level 1's sets. */
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
