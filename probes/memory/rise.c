/* What a load costs page by page, where the size curve rises.

   Curve   levels_rise_N: x part of a working set in the rise behind plateau N (bytes) that costs no
           more than this, y time of a load (cycles).
           levels_lines_N_K: the same of single lines, of the K-th working set in that rise; 0: of
           the first behind it.
   Method  The average does not tell whether few loads miss two levels or more loads one.  So few
           pages are timed at a time.  All lines of a page have the same companions in a cache of
           physical addresses, and where a page is done before the next and the pages keep their
           order, they share their fate too, unless replacement is random or the sets are hashed.
           Of each page some lines that lie apart are loaded, those of a few pages mixed so that
           prefetchers stay out of it, and each line's other words fill up what is walked at once.
           Where pages miss by parts, or many of them, single lines tell: a few lines are each
           loaded again and again, and of all that only the first load may have missed.  The same
           again, where none may have, tells whether anybody slowed that down.
   Cost    10 ms a rise, and 100 ms where lines are timed.
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
/* All but one in so many of lines that are held cost the same, or what a miss does where others
   have put them out: else those that are not held say nothing. */
#define RISE_HELD 16
/* Small working sets are laid out anew until so many pages were timed, at most so many times. */
#define RISE_ENOUGH 1024u
#define RISE_PLACES 8u
/* Lines are timed so many times, until those that are held and the others are beside nobody. */
#define RISE_TRIES 3u
/* Laps before the timed ones, and those: the least of them counts, as a neighbour only adds.  But
   for the last of those before them so many parts of the lap are walked side by side: they do not
   wait for each other's misses. */
#define RISE_WARM 4u
#define RISE_PARTS 8u
#define RISE_LAPS 3u
/* Of so many pages that are walked in a row, and one more, the lines of that one are timed. */
#define RISE_BLOCK (HW_GRAIN / RISE_LINES)
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

/* Walks the ring of n loads that was linked until it is warm, but for a last lap. */
static void rise_warm(const struct hw_bench *bench, const struct hw_rise_pages *pages,
                      const size_t *offset, size_t n) {
  struct hw_machine *machine = bench->machine;
  size_t start[RISE_PARTS];

  for (size_t k = 0; k < RISE_PARTS; k++)
    start[k] = offset[n / RISE_PARTS * k];
  machine->ops->walk_chains(machine, pages->memory, start, RISE_PARTS,
                            (RISE_WARM - 1) * (n / RISE_PARTS));
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
  rise_warm(ring->bench, ring->pages, ring->offset, n);
  machine->ops->walk(machine, ring->pages->memory, n);
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

  hw_sort(ring->cost, n);
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

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Times of walks around a line's own ring, ns. */
struct rise_sample {
  double first; /* the line may have been missed */
  double again; /* it was not */
};

/* Blocks of pages, of the last of which each line has a ring of its own. */
struct rise_lines {
  struct hw_bench *bench;
  const struct hw_rise_pages *pages;
  size_t blocks;
  size_t words;               /* of a line's own ring */
  size_t *offset;             /* of the loads of the pages that are not timed */
  size_t *order;              /* of the pages */
  size_t *own;                /* a word of each line that is timed */
  struct rise_sample *sample; /* RISE_LAPS of each, the first of each page aside */
  double *cost;               /* ns of each */
  double quiet;               /* the least that a walk took where nothing was missed, ns */
  double slower;              /* walks that take so much longer are beside somebody, ns */
};

/* A line of the i-th page. */
static size_t rise_line(const struct rise_lines *lines, size_t i, size_t line) {
  return lines->order[i] + line * (lines->pages->page / RISE_LINES);
}

/* Links the rings of a block: one over all of its pages but the last, as a part of the one ring,
   and those of the last one's lines. */
static int rise_block(struct rise_lines *lines, size_t block) {
  struct hw_machine *machine = lines->bench->machine;
  size_t first = block * (RISE_BLOCK + 1), *own = lines->own + block * RISE_LINES;

  for (size_t i = 0; i < HW_GRAIN; i++)
    lines->offset[block * HW_GRAIN + i] = rise_line(lines, first + i / RISE_LINES, i % RISE_LINES);
  for (size_t i = 0; i < RISE_BLOCK; i++)
    hw_random_order(&lines->bench->random, lines->offset + block * HW_GRAIN + i * RISE_LINES,
                    RISE_LINES);
  for (size_t i = 0; i < RISE_LINES; i++) {
    size_t word[HW_GRAIN];
    own[i] = rise_line(lines, first + RISE_BLOCK, i);
    for (size_t k = 0; k < lines->words; k++)
      word[k] = own[i] + k * sizeof(void *);
    if (machine->ops->link(machine, lines->pages->memory, word, lines->words) < 0)
      return -1;
  }
  hw_random_order(&lines->bench->random, own, RISE_LINES);
  return 0;
}

static int rise_blocks(struct rise_lines *lines, size_t place) {
  struct hw_machine *machine = lines->bench->machine;
  size_t pages = lines->blocks * (RISE_BLOCK + 1);

  for (size_t i = 0; i < pages; i++)
    lines->order[i] = place + i * lines->pages->page;
  hw_random_order(&lines->bench->random, lines->order, pages);
  for (size_t block = 0; block < lines->blocks; block++)
    if (rise_block(lines, block) < 0)
      return -1;
  return machine->ops->link(machine, lines->pages->memory, lines->offset, lines->blocks * HW_GRAIN);
}

/* The time of a walk around a ring, ns. */
static double rise_walk(const struct rise_lines *lines) {
  struct hw_machine *machine = lines->bench->machine;
  double start = machine->ops->now(machine);

  machine->ops->walk(machine, lines->pages->memory, HW_GRAIN);
  return machine->ops->now(machine) - start;
}

/* A lap: the samples of each line that is timed, RISE_LAPS apart. */
static void rise_lap(struct rise_lines *lines, struct rise_sample *sample) {
  struct hw_machine *machine = lines->bench->machine;

  for (size_t block = 0; block < lines->blocks; block++) {
    machine->ops->enter(machine, lines->pages->memory, lines->offset[block * HW_GRAIN]);
    machine->ops->walk(machine, lines->pages->memory, HW_GRAIN);
    for (size_t i = 0; i < RISE_LINES; i++) {
      struct rise_sample taken;
      machine->ops->enter(machine, lines->pages->memory, lines->own[block * RISE_LINES + i]);
      taken.first = rise_walk(lines);
      taken.again = rise_walk(lines);
      lines->quiet = fmin(lines->quiet, taken.again);
      /* The first of a page may miss the TLB. */
      if (i > 0)
        sample[(block * (RISE_LINES - 1) + i - 1) * RISE_LAPS] = taken;
    }
  }
}

/* What each of n lines costs, in ascending order: the least of its samples beside nobody.  How many
   have one. */
static size_t rise_costs(struct rise_lines *lines, size_t n) {
  size_t calm = 0;

  for (size_t i = 0; i < n; i++) {
    const struct rise_sample *sample = lines->sample + i * RISE_LAPS;
    double least = INFINITY;
    for (unsigned lap = 0; lap < RISE_LAPS; lap++)
      if (sample[lap].again <= lines->quiet + lines->slower)
        least = fmin(least, sample[lap].first);
    if (least < INFINITY)
      lines->cost[calm++] = least;
  }
  hw_sort(lines->cost, calm);
  return calm;
}

/* Times lines of so many bytes, at some places.  How many; 0 when somebody was beside more than
   half of them; -1 when memory or time was short. */
static long rise_lines_time(struct rise_lines *lines, size_t bytes) {
  size_t pages, each, calm, n = 0, page = lines->pages->page, room;

  lines->blocks = bytes / page / (RISE_BLOCK + 1);
  pages = lines->blocks * (RISE_BLOCK + 1);
  each = lines->blocks * (RISE_LINES - 1);
  room = lines->pages->mapped / page - pages;
  room = room < 3 * pages ? room : 3 * pages;
  for (unsigned place = 0; place < RISE_PLACES && n < RISE_ENOUGH / 2; place++, n += each) {
    if (hw_late(lines->bench) ||
        rise_blocks(lines, hw_random_below(&lines->bench->random, room + 1) * page) < 0)
      return -1;
    rise_warm(lines->bench, lines->pages, lines->offset, lines->blocks * HW_GRAIN);
    for (unsigned lap = 0; lap <= RISE_LAPS; lap++)
      rise_lap(lines, lines->sample + n * RISE_LAPS + lap % RISE_LAPS);
  }
  calm = rise_costs(lines, n);
  return calm >= RISE_HELD ? (long)calm : 0;
}

/* The sorted costs of n lines as a curve. */
static int rise_lines_curve(const struct rise_lines *lines, size_t n, double bytes, double more,
                            struct hw_curve *curve) {
  size_t points = n < RISE_POINTS ? n : RISE_POINTS;

  for (size_t i = 1; i <= points; i++) {
    double ns = lines->cost[i * n / points - 1] - more;
    struct hw_point point = {.x = bytes * (double)i / (double)points,
                             .y = ns / lines->pages->cycle_ns,
                             .count = RISE_LAPS};
    if (hw_curve_put(curve, point) < 0)
      return -1;
  }
  return 0;
}

/* Times lines that are held: in *middle what one costs, ns.  0; 1 when some of them cost neither
   that nor so much more, a miss, ns; -1 when memory or time was short. */
static int rise_lines_held(struct rise_lines *lines, size_t held, double miss, double *middle) {
  long timed = rise_lines_time(lines, held);
  size_t neither = 0;

  if (timed <= 0)
    return timed < 0 ? -1 : 1;
  *middle = lines->cost[timed / 2];
  for (long i = 0; i < timed; i++)
    neither += lines->cost[i] > *middle + lines->slower && lines->cost[i] < *middle + miss;
  return RISE_HELD * neither > (size_t)timed;
}

/* Times lines that are held, and then those of the working set. */
static int rise_lines_measure(struct rise_lines *lines, size_t bytes, size_t held,
                              const double latency[2], struct hw_curve *curve) {
  double step = hw_value_clock_ns(&lines->bench->curves).value;
  double cycle = lines->pages->cycle_ns, apart = hw_missed_apart(latency[0], latency[1]);
  double miss = (latency[1] / apart - latency[0]) * cycle;

  lines->quiet = INFINITY;
  lines->slower = fmax((apart - 1) * latency[0] * cycle, step);
  for (unsigned i = 0; i < RISE_TRIES; i++) {
    double middle, quiet;
    long timed;
    int alike = rise_lines_held(lines, held, miss, &middle);
    if (alike < 0)
      return -1;
    quiet = lines->quiet;
    timed = alike == 0 ? rise_lines_time(lines, bytes) : 0;
    if (timed < 0)
      return -1;
    if (timed > 0 && lines->quiet + lines->slower >= quiet)
      return rise_lines_curve(lines, (size_t)timed, (double)bytes, middle - latency[0] * cycle,
                              curve);
  }
  return 1;
}

/* Whether lines can be told apart: what the higher level holds looks like nothing else, by a step
   of the clock. */
static bool rise_lines_can(const struct rise_lines *lines, size_t bytes, size_t held,
                           const double latency[2]) {
  struct hw_answer step = hw_value_clock_ns(&lines->bench->curves);
  const struct hw_rise_pages *pages = lines->pages;
  size_t apart = 2 * pages->line > RISE_APART ? 2 * pages->line : RISE_APART;
  double more = latency[1] * (1 - 1 / hw_missed_apart(latency[0], latency[1]));

  return step.known && more * pages->cycle_ns >= step.value &&
         bytes / pages->page <= HW_RISE_LINES_PAGES && held / pages->page > RISE_BLOCK &&
         bytes >= held && bytes <= pages->mapped && pages->page >= apart * RISE_LINES;
}

int hw_rise_lines(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                  size_t held, const double latency[2], struct hw_curve *curve) {
  struct rise_lines lines = {.bench = bench, .pages = pages};
  size_t n = bytes / pages->page;
  int result = -1;

  if (!rise_lines_can(&lines, bytes, held, latency))
    return 1;
  lines.words = pages->line / sizeof(void *);
  lines.words = lines.words < HW_GRAIN ? lines.words : HW_GRAIN;
  lines.offset = calloc(n * RISE_LINES, sizeof *lines.offset);
  lines.order = calloc(n, sizeof *lines.order);
  lines.own = calloc(n, sizeof *lines.own);
  lines.sample = calloc((n + RISE_ENOUGH) * RISE_LAPS, sizeof *lines.sample);
  lines.cost = calloc(n + RISE_ENOUGH, sizeof *lines.cost);
  if (lines.offset != NULL && lines.order != NULL && lines.own != NULL && lines.sample != NULL &&
      lines.cost != NULL)
    result = rise_lines_measure(&lines, bytes, held, latency, curve);
  free(lines.offset);
  free(lines.order);
  free(lines.own);
  free(lines.sample);
  free(lines.cost);
  return result;
}
