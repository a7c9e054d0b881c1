/* Rings of loads over pages.  See spread.h. */
#include "probes/tlb/spread.h"

#include "analysis/environment.h"

/* Slots of a page, HW_LINE_LONGEST apart: that is two lines of most levels, beyond the reach of an
   adjacent-line prefetcher. */
static size_t spread_slots(const struct hw_spread *spread) {
  return spread->page > HW_LINE_LONGEST ? spread->page / HW_LINE_LONGEST : 1;
}

/* Base-2 logarithm of the lines from one slot to the next. */
static unsigned spread_phases(const struct hw_spread *spread) {
  unsigned bits = 0;

  while (spread->page > HW_LINE_LONGEST && spread->line << (bits + 1) <= HW_LINE_LONGEST)
    bits++;
  return bits;
}

size_t hw_spread_least(const struct hw_spread *spread) {
  size_t slots = spread_slots(spread);

  return (spread->lines + slots - 1) / slots;
}

size_t hw_spread_room(const struct hw_spread *spread) { return 3 * spread->lines; }

/* The line of page i within its slot: the sum of the digits of i, to the base of the lines of a
   slot, but the last, so that pages whose last bits are the same use all lines evenly. */
static size_t spread_phase(size_t i, unsigned phases) {
  size_t sum = 0;

  if (phases > 0)
    for (size_t rest = i >> phases; rest > 0; rest >>= phases)
      sum += rest;
  return sum & (((size_t)1 << phases) - 1);
}

/* Offset of the line that page i is loaded from in that round of rounds.  Over the pages, all sets
   of a data cache are filled evenly, whether the page number is part of the index or not. */
static size_t spread_offset(const struct hw_spread *spread, size_t i, size_t round, size_t rounds) {
  size_t slots = spread_slots(spread);
  unsigned phases = spread_phases(spread);
  size_t slot = (i + i / (slots << phases) * rounds + round) % slots;

  return i * spread->page + slot * HW_LINE_LONGEST + spread_phase(i, phases) * spread->line;
}

/* A random order of the pages, in which those of a group follow each other. */
static void spread_order(const struct hw_spread *spread, size_t pages, struct hw_random *random,
                         size_t *order) {
  size_t group = spread->group > 1 ? spread->group : 1, whole = pages / group;

  for (size_t i = 0; i < whole; i++)
    order[i] = i * group;
  hw_random_order(random, order, whole);
  for (size_t i = whole * group; i-- > 0;)
    order[i] = order[i / group] + i % group;
  for (size_t i = whole * group; i < pages; i++)
    order[i] = i;
  for (size_t i = 0; i < pages; i += group)
    hw_random_order(random, order + i, pages - i < group ? pages - i : group);
}

void hw_spread_arrange(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct hw_spread *spread = context;
  size_t circle = (size_t)x, pages = spread->all > 0 ? spread->all : circle;
  size_t rounds = (spread->lines + pages - 1) / pages;
  size_t *order = ring->offset + 2 * spread->lines;

  if (rounds > spread_slots(spread))
    rounds = spread_slots(spread);
  spread_order(spread, pages, random, order);
  ring->n = 0;
  for (size_t start = 0; start < pages; start += circle)
    for (size_t round = 0; round < rounds; round++)
      for (size_t i = start; i < start + circle && i < pages; i++) {
        /* With enough lines used, the last round goes on in other words of the first's lines. */
        size_t word = ring->n < spread->lines ? 0 : sizeof(void *);
        ring->offset[ring->n++] =
            spread_offset(spread, order[i], word == 0 ? round : 0, rounds) + word;
      }
  ring->warm = ring->walk = ring->n;
}

size_t hw_quarters(double *x, size_t room, size_t low, size_t high) {
  size_t n = 0;

  for (size_t at = low; at < high && n + 1 < room; at += at / 4 + 1)
    x[n++] = (double)at;
  x[n++] = (double)high;
  return n;
}
