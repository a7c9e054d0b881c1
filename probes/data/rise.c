/* The cost of single lines, where the size curve rises.

   Curve   levels_lines_N_K: x part of working set K in the rise behind plateau N (bytes), 0 being
           one behind it, that costs no more than y, the time of a load of a line (cycles).
   Method  The average does not tell whether few loads miss two levels or more loads one.  Single
           lines do: a hit costs the latency of its level, and nothing between two.  Some pages are
           left out of the lap's ring; after the pages before them in the lap, each of their lines
           is loaded several times in a row, of which only the first load may have missed.  The same
           again, without a miss, tells whether the SMT sibling slowed it down; what it costs is
           subtracted, page by page, as the clock rate may drift.  Another process that evicts a
           line moves it to the next level's latency, not between the two.
   Cost    10 to 40 ms a working set.
   Limits  No curve where a line has too few words, the clock is too coarse, or the working set has
           too many pages.
   See     SV III-A. */
#include "probes/data/rise.h"

#include "analysis/environment.h"

#include <math.h>
#include <stdlib.h>

/* Distance of the lines of a page that are loaded, bytes, so that they fall into equally many sets
   of each level whatever the page; and such lines at most. */
#define RISE_SPACING ((size_t)512)
#define RISE_LINES_MOST 32u
/* All held lines but one in this many cost the same, or a miss where another process evicted them:
   else the lines that are not held tell nothing. */
#define RISE_HELD 16
/* A working set is laid out anew until RISE_ENOUGH lines were timed, RISE_PLACES times at most. */
#define RISE_ENOUGH 512u
#define RISE_PLACES 8u
/* Attempts to time held lines and the others without an active SMT sibling. */
#define RISE_TRIES 3u
/* Warm-up laps before the timed one, walked as RISE_PARTS independent chains, whose misses
   overlap. */
#define RISE_WARM 4u
#define RISE_PARTS 8u
/* Points of the curve. */
#define RISE_POINTS 256u

/* Times of walks around a line's own ring, ns. */
struct rise_sample {
  double first; /* the line may have missed */
  double again; /* it hit */
};

/* Blocks of pages; each line of a block's last page has a ring of its own. */
struct rise_lines {
  struct hw_bench *bench;
  const struct hw_rise_pages *pages;
  size_t each;  /* lines of a page */
  size_t block; /* pages that are walked in a row; the lines of one more page are timed */
  size_t blocks;
  size_t words;               /* of a line's own ring */
  size_t *offset;             /* of the loads of the pages that are not timed */
  size_t *order;              /* of the pages */
  size_t *own;                /* offset of each line that is timed, bytes */
  struct rise_sample *sample; /* of each line except the first of each page */
  double *cost;               /* ns of each beyond a walk that hits */
  double quiet;               /* the shortest walk without a miss of the last timing, ns */
  double slower;              /* excess over it, ns, that says that the SMT sibling is active */
};

/* A line of the i-th page. */
static size_t rise_line(const struct rise_lines *lines, size_t i, size_t line) {
  return lines->order[i] + line * (lines->pages->page / lines->each);
}

/* Links the rings of the lines of a block's last page, and puts the lines of its other pages into
   the ring over all blocks. */
static int rise_block(struct rise_lines *lines, size_t block) {
  struct hw_machine *machine = lines->bench->machine;
  size_t first = block * (lines->block + 1), *own = lines->own + block * lines->each;

  for (size_t i = 0; i < HW_GRAIN; i++)
    lines->offset[block * HW_GRAIN + i] =
        rise_line(lines, first + i / lines->each, i % lines->each);
  for (size_t i = 0; i < lines->block; i++)
    hw_random_order(&lines->bench->random, lines->offset + block * HW_GRAIN + i * lines->each,
                    lines->each);
  for (size_t i = 0; i < lines->each; i++) {
    size_t word[HW_GRAIN];
    own[i] = rise_line(lines, first + lines->block, i);
    for (size_t k = 0; k < lines->words; k++)
      word[k] = own[i] + k * sizeof(void *);
    if (machine->ops->link(machine, lines->pages->memory, word, lines->words) < 0)
      return -1;
  }
  hw_random_order(&lines->bench->random, own, lines->each);
  return 0;
}

static int rise_blocks(struct rise_lines *lines, size_t place) {
  struct hw_machine *machine = lines->bench->machine;
  size_t pages = lines->blocks * (lines->block + 1);

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

/* Walks the ring that was linked until it is warm. */
static void rise_warm(const struct rise_lines *lines) {
  struct hw_machine *machine = lines->bench->machine;
  size_t start[RISE_PARTS], n = lines->blocks * HW_GRAIN / RISE_PARTS;

  for (size_t k = 0; k < RISE_PARTS; k++)
    start[k] = lines->offset[n * k];
  machine->ops->walk_chains(machine, lines->pages->memory, start, RISE_PARTS, RISE_WARM * n);
}

/* A lap: the samples of each line that is timed. */
static void rise_lap(struct rise_lines *lines, struct rise_sample *sample) {
  struct hw_machine *machine = lines->bench->machine;

  for (size_t block = 0; block < lines->blocks; block++) {
    machine->ops->enter(machine, lines->pages->memory, lines->offset[block * HW_GRAIN]);
    machine->ops->walk(machine, lines->pages->memory, HW_GRAIN);
    for (size_t i = 0; i < lines->each; i++) {
      struct rise_sample taken;
      machine->ops->enter(machine, lines->pages->memory, lines->own[block * lines->each + i]);
      taken.first = rise_walk(lines);
      taken.again = rise_walk(lines);
      lines->quiet = fmin(lines->quiet, taken.again);
      /* The first of a page may miss the TLB. */
      if (i > 0)
        sample[block * (lines->each - 1) + i - 1] = taken;
    }
  }
}

/* Sorts the costs of those of n lines that were timed without interference, beyond walks without a
   miss of the same page: the clock rate may change between two pages; their number. */
static size_t rise_costs(struct rise_lines *lines, size_t n) {
  const size_t page = lines->each - 1;
  size_t calm = 0;

  for (size_t i = 0; i < n; i += page) {
    const struct rise_sample *sample = lines->sample + i;
    double again = 0;
    size_t first = calm;
    for (size_t k = 0; k < page; k++)
      if (sample[k].again <= lines->quiet + lines->slower) { /* the SMT sibling was idle */
        again += sample[k].again;
        lines->cost[calm++] = sample[k].first;
      }
    for (size_t k = first; k < calm; k++)
      lines->cost[k] -= again / (double)(calm - first);
  }
  hw_sort(lines->cost, calm);
  return calm;
}

/* Times lines of a working set, at some places.  Returns the number of lines timed without
   interference; 0 when these were below RISE_HELD; -1 when memory or time was short. */
static long rise_lines_time(struct rise_lines *lines, size_t bytes) {
  size_t pages, each, calm, n = 0, page = lines->pages->page, room;

  lines->blocks = bytes / page / (lines->block + 1);
  pages = lines->blocks * (lines->block + 1);
  each = lines->blocks * (lines->each - 1);
  lines->quiet = INFINITY;
  room = lines->pages->mapped / page - pages;
  room = room < 3 * pages ? room : 3 * pages;
  if (each >= RISE_ENOUGH) /* one place tells: where pages were touched before */
    room = 0;
  for (unsigned place = 0; place < RISE_PLACES && n < RISE_ENOUGH; place++, n += each) {
    if (hw_late(lines->bench) ||
        rise_blocks(lines, hw_random_below(&lines->bench->random, room + 1) * page) < 0)
      return -1;
    rise_warm(lines);
    for (unsigned lap = 0; lap < 2; lap++)
      rise_lap(lines, lines->sample + n);
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
    struct hw_point point = {
        .x = bytes * (double)i / (double)points, .y = ns / lines->pages->cycle_ns, .count = 1};
    if (hw_curve_put(curve, point) < 0)
      return -1;
  }
  return 0;
}

/* Times lines that are held; *middle is their median cost, ns.  0; 1 when too many cost more than
   that but less than a miss, which costs miss ns more; -1 when memory or time was short. */
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
  double cycle = lines->pages->cycle_ns, apart = hw_lines_apart(latency[0], latency[1]);
  double miss = (latency[1] / apart - latency[0]) * cycle;

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
    if (timed > 0 && fabs(lines->quiet - quiet) <= lines->slower)
      return rise_lines_curve(lines, (size_t)timed, (double)bytes, middle - latency[0] * cycle,
                              curve);
  }
  return 1;
}

/* Lines of a page that are loaded: at least 8, as fewer are too small a part of it, and a power of
   two, so that HW_GRAIN lines make up whole pages. */
static size_t rise_each(size_t page) {
  size_t each = 8;

  while (2 * each <= RISE_LINES_MOST && 2 * each * RISE_SPACING <= page)
    each *= 2;
  return each;
}

size_t hw_rise_least(size_t page) { return (HW_GRAIN / rise_each(page) + 1) * page; }

/* Whether lines can be told apart: the latencies of the two levels differ by a step of the clock
   or more, and working set, held bytes and page have sizes for it. */
static bool rise_lines_can(const struct rise_lines *lines, size_t bytes, size_t held,
                           const double latency[2]) {
  struct hw_answer step = hw_value_clock_ns(&lines->bench->curves);
  const struct hw_rise_pages *pages = lines->pages;
  size_t apart = 2 * pages->line > HW_LINE_USUAL ? 2 * pages->line : HW_LINE_USUAL;
  double more = latency[1] * (1 - 1 / hw_lines_apart(latency[0], latency[1]));

  return step.known && more * pages->cycle_ns >= step.value &&
         bytes / pages->page <= HW_RISE_LINES_PAGES && held / pages->page > lines->block &&
         bytes >= held && bytes <= pages->mapped && pages->page >= apart * lines->each;
}

int hw_rise_lines(struct hw_bench *bench, const struct hw_rise_pages *pages, size_t bytes,
                  size_t held, const double latency[2], struct hw_curve *curve) {
  struct rise_lines lines = {.bench = bench, .pages = pages};
  size_t n = bytes / pages->page, most;
  int result = -1;

  lines.each = rise_each(pages->page);
  lines.block = HW_GRAIN / lines.each;
  if (!rise_lines_can(&lines, bytes, held, latency))
    return 1;
  lines.words = pages->line / sizeof(void *);
  lines.words = lines.words < HW_GRAIN ? lines.words : HW_GRAIN;
  most = n / (lines.block + 1) * lines.each;
  lines.offset = calloc(n * lines.each, sizeof *lines.offset);
  lines.order = calloc(n, sizeof *lines.order);
  lines.own = calloc(most, sizeof *lines.own);
  lines.sample = calloc(most + RISE_ENOUGH, sizeof *lines.sample);
  lines.cost = calloc(most + RISE_ENOUGH, sizeof *lines.cost);
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
