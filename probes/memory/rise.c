/* What a load costs page by page, where the size curve rises.

   Curve   levels_rise_N: x part of a working set in the rise behind plateau N (bytes) that costs no
           more than this, y time of a load (cycles).
   Method  The average does not tell whether few loads miss two levels or more loads one.  So few
           pages are timed at a time.  All lines of a page have the same companions in a cache of
           physical addresses, and where a page is done before the next and the pages keep their
           order, they share their fate too, unless replacement is random or the sets are hashed.
           Of each page some lines that lie apart are loaded, those of a few pages mixed so that
           prefetchers stay out of it, and each line's other words fill up what is walked at once.
   Cost    10 ms a rise.
   Limits  None where a line has too few words, where the clock is too coarse for a page, or the
           working set has too many pages.
   See     SV III-A. */
#include "probes/memory/rise.h"

#include <math.h>
#include <stdlib.h>

/* Pages that are timed together: prefetchers find no way there.  Few enough that of a working set
   in which few pages miss, no two of them do. */
#define RISE_GROUP 4u
/* Lines of a page that are loaded, at most; no closer than this: no level's line is longer, and no
   prefetcher brings more. */
#define RISE_LINES 8u
#define RISE_APART ((size_t)128)
/* The largest working set, in pages: a lap of misses takes some 10 ms. */
#define RISE_PAGES 4096u
/* Small working sets are laid out anew until so many pages were timed, at most so many times. */
#define RISE_ENOUGH 1024u
#define RISE_PLACES 8u
/* Laps before the timed ones, and those: the least of them counts, as a neighbour only adds. */
#define RISE_WARM 4u
#define RISE_LAPS 3u
/* Points of the curve. */
#define RISE_POINTS 256u

/* The ring over some pages. */
struct rise_ring {
  struct hw_bench *bench;
  const struct hw_rise_pages *pages;
  size_t n;       /* groups of pages */
  size_t lines;   /* of a page */
  size_t words;   /* of a line */
  size_t *offset; /* of the loads */
  size_t *order;  /* of the pages */
  double *cost;   /* ns of each group */
};

/* Puts a group of pages into the ring: their lines in random order, the words of each in a row, as
   a small cache need not hold all lines of the group. */
static void rise_put(struct rise_ring *ring, size_t group) {
  size_t line[HW_GRAIN], lines = ring->lines * RISE_GROUP, page = ring->pages->page;

  for (size_t i = 0; i < lines; i++)
    line[i] =
        ring->order[group * RISE_GROUP + i / ring->lines] + i % ring->lines * (page / ring->lines);
  hw_random_order(&ring->bench->random, line, lines);
  for (size_t i = 0; i < HW_GRAIN; i++)
    ring->offset[group * HW_GRAIN + i] = line[i / ring->words] + i % ring->words * sizeof(void *);
}

/* Lays the pages out from the place on, and walks them until they are warm. */
static int rise_link(struct rise_ring *ring, size_t place) {
  struct hw_machine *machine = ring->bench->machine;
  size_t n = ring->n * HW_GRAIN;

  for (size_t i = 0; i < ring->n * RISE_GROUP; i++)
    ring->order[i] = place + i * ring->pages->page;
  hw_random_order(&ring->bench->random, ring->order, ring->n * RISE_GROUP);
  for (size_t i = 0; i < ring->n; i++)
    rise_put(ring, i);
  if (machine->ops->link(machine, ring->pages->memory, ring->offset, n) < 0)
    return -1;
  machine->ops->walk(machine, ring->pages->memory, RISE_WARM * n);
  return 0;
}

/* Times each group, the least of some laps. */
static void rise_time(struct rise_ring *ring, double *cost) {
  struct hw_machine *machine = ring->bench->machine;

  for (size_t i = 0; i < ring->n; i++)
    cost[i] = INFINITY;
  for (unsigned lap = 0; lap < RISE_LAPS; lap++)
    for (size_t i = 0; i < ring->n; i++) {
      double start = machine->ops->now(machine);
      machine->ops->walk(machine, ring->pages->memory, HW_GRAIN);
      cost[i] = fmin(cost[i], machine->ops->now(machine) - start);
    }
}

static int rise_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Cycles of a load, without the clock and the lines' other words. */
static double rise_cycles(const struct rise_ring *ring, double ns) {
  double loads = (double)(ring->lines * RISE_GROUP);

  ns = fmax(0, ns - ring->bench->read_ns);
  return ns / ring->pages->cycle_ns / loads - (double)(ring->words - 1) * ring->pages->hit;
}

/* The sorted costs of n groups as a curve: what one costs more than the one at the lower quartile,
   of which all pages hit, is due to one page. */
static int rise_curve(const struct rise_ring *ring, size_t n, struct hw_curve *curve) {
  size_t points = n < RISE_POINTS ? n : RISE_POINTS;
  double bytes = (double)(ring->n * RISE_GROUP * ring->pages->page), hits;

  qsort(ring->cost, n, sizeof *ring->cost, rise_order);
  hits = rise_cycles(ring, ring->cost[n / 4]);
  for (size_t i = 1; i <= points; i++) {
    double more = rise_cycles(ring, ring->cost[i * n / points - 1]) - hits;
    struct hw_point point = {
        .x = bytes * (double)i / (double)points, .y = hits + RISE_GROUP * more, .count = RISE_LAPS};
    if (hw_curve_put(curve, point) < 0)
      return -1;
  }
  return 0;
}

/* Whether pages can be told apart: the time between two readings of the clock is off by less than a
   step of it. */
static bool rise_can(const struct rise_ring *ring) {
  struct hw_answer step = hw_value_clock_ns(&ring->bench->curves);
  const struct hw_rise_pages *pages = ring->pages;
  double more = pages->apart * (double)ring->lines * pages->cycle_ns;

  return ring->n > 0 && ring->n * RISE_GROUP <= RISE_PAGES &&
         ring->words * sizeof(void *) <= pages->line &&
         RISE_GROUP * ring->lines * ring->words == HW_GRAIN && step.known && more >= step.value;
}

static int rise_places(struct rise_ring *ring, struct hw_curve *curve) {
  size_t page = ring->pages->page, n = 0;
  size_t room = ring->pages->mapped / page - ring->n * RISE_GROUP;

  room = room < 3 * ring->n * RISE_GROUP ? room : 3 * ring->n * RISE_GROUP;
  for (unsigned place = 0; place < RISE_PLACES && n < RISE_ENOUGH; place++, n += ring->n) {
    if (hw_late(ring->bench) ||
        rise_link(ring, hw_random_below(&ring->bench->random, room + 1) * page) < 0)
      return -1;
    rise_time(ring, ring->cost + n);
  }
  return rise_curve(ring, n, curve);
}

int hw_rise_measure(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                    struct hw_curve *curve) {
  struct rise_ring ring = {.bench = bench, .pages = pages};
  size_t apart = 2 * pages->line > RISE_APART ? 2 * pages->line : RISE_APART;
  int result = -1;

  ring.n = bytes / (pages->page * RISE_GROUP);
  ring.lines = pages->page / apart < RISE_LINES ? pages->page / apart : RISE_LINES;
  ring.words = ring.lines > 0 ? HW_GRAIN / (RISE_GROUP * ring.lines) : 0;
  if (!rise_can(&ring) || ring.n * RISE_GROUP * pages->page > pages->mapped)
    return 1;
  ring.offset = calloc(ring.n * HW_GRAIN + 1, sizeof *ring.offset);
  ring.order = calloc(ring.n * RISE_GROUP + 1, sizeof *ring.order);
  ring.cost = calloc(ring.n + RISE_ENOUGH, sizeof *ring.cost);
  if (ring.offset != NULL && ring.order != NULL && ring.cost != NULL)
    result = rise_places(&ring, curve);
  free(ring.offset);
  free(ring.order);
  free(ring.cost);
  return result;
}
