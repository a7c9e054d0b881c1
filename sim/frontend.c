#include "sim/frontend.h"

#include "probes/bench/random.h"

#include <stdlib.h>

/* A jump that hits everywhere, cycles. */
#define FRONTEND_JUMP 2.0
/* Bytes to an entry of the branch target buffer, or the spacing of the pieces if that is less. */
#define FRONTEND_STEP 64u
/* Laps in which a steady state is looked for. */
#define FRONTEND_LAPS 8

/* The part of each cache, 1/4, that holds another process' code when it has run: context switches
   there and back run some 8 KiB of the kernel, of the 32 KiB of most level-1 caches, and the
   process ran a loop. */
#define FRONTEND_FOREIGN 4u
/* The bit of a tag that sets another process' code apart from ours. */
#define FRONTEND_OTHER (UINT64_C(1) << 60)

enum { FRONTEND_TARGETS, FRONTEND_OPCACHE, FRONTEND_ICACHE, FRONTEND_CACHES };

/* One of the caches that a jump is looked up in; NULL where the machine has none. */
struct hw_lookup {
  struct hw_cache *cache;
  unsigned shift; /* log2 of its unit */
  bool is_physical;
  bool shields; /* each place has an entry of its own, and a hit is not looked up further */
  double miss;  /* cycles */
  size_t ahead; /* bytes behind a place whose lines are prefetched, or 0 */
  size_t units;
};

struct hw_frontend {
  struct hw_lookup lookup[FRONTEND_CACHES];
  uint64_t base;
  uint64_t *frame;
  unsigned page_shift;
  size_t *place; /* where each piece begins */
  size_t pieces;
  size_t *visit;    /* the ring: pieces by number */
  size_t ring;      /* visits of it */
  size_t at;        /* the next one */
  uint64_t foreign; /* places that another process has jumped to */
};

/* Whether there is memory for the cache, if there is one. */
static bool frontend_cache(struct hw_lookup *lookup, const struct hw_sim_code *code,
                           uint64_t seed) {
  if (code->bytes == 0)
    return true;
  lookup->shift = hw_sim_log2(code->line);
  lookup->is_physical = code->index == HW_SIM_INDEX_PHYSICAL;
  lookup->shields = code->shields > 0;
  lookup->miss = code->miss;
  lookup->ahead = (size_t)code->ahead;
  lookup->units = (size_t)(code->bytes / code->line);
  lookup->cache = hw_cache_open((size_t)(code->bytes / (code->ways * code->line)),
                                (size_t)code->ways, code->policy, seed);
  return lookup->cache != NULL;
}

/* A branch target buffer, as a cache of code. */
static struct hw_sim_code frontend_targets(const struct hw_sim_tlb *targets, uint64_t spacing) {
  uint64_t step = spacing < FRONTEND_STEP ? spacing : FRONTEND_STEP;

  return (struct hw_sim_code){.bytes = targets->entries * step,
                              .ways = targets->ways,
                              .line = step,
                              .miss = targets->miss,
                              .policy = targets->policy};
}

static int frontend_start(struct hw_frontend *frontend, const struct hw_description *description) {
  struct hw_lookup *lookup = frontend->lookup;
  struct hw_sim_code targets = frontend_targets(&description->targets, description->icache.spacing);
  size_t spacing = (size_t)description->icache.spacing;
  uint64_t seed = hw_random_mix(~description->seed);

  if (!frontend_cache(&lookup[FRONTEND_TARGETS], &targets, seed + 1) ||
      !frontend_cache(&lookup[FRONTEND_OPCACHE], &description->opcache, seed + 2) ||
      !frontend_cache(&lookup[FRONTEND_ICACHE], &description->icache, seed + 3))
    return -1;
  frontend->pieces = HW_FRONTEND_BYTES / spacing;
  frontend->place = calloc(frontend->pieces, sizeof *frontend->place);
  if (frontend->place == NULL)
    return -1;
  for (size_t i = 0; i < frontend->pieces; i++)
    frontend->place[i] = i * spacing;
  return 0;
}

struct hw_frontend *hw_frontend_open(const struct hw_description *description, uint64_t base,
                                     uint64_t *frame) {
  struct hw_frontend *frontend = calloc(1, sizeof *frontend);

  if (frontend == NULL) {
    free(frame);
    return NULL;
  }
  frontend->base = base;
  frontend->frame = frame;
  frontend->page_shift = hw_sim_log2(description->page.bytes);
  if (frontend_start(frontend, description) == 0)
    return frontend;
  hw_frontend_close(frontend);
  return NULL;
}

void hw_frontend_close(struct hw_frontend *frontend) {
  if (frontend == NULL)
    return;
  for (int i = 0; i < FRONTEND_CACHES; i++)
    hw_cache_close(frontend->lookup[i].cache);
  free(frontend->frame);
  free(frontend->place);
  free(frontend->visit);
  free(frontend);
}

const size_t *hw_frontend_pieces(const struct hw_frontend *frontend, size_t *n) {
  *n = frontend->pieces;
  return frontend->place;
}

int hw_frontend_link(struct hw_frontend *frontend, const size_t *pieces, size_t n) {
  size_t *visit = n == 0 ? NULL : malloc(n * sizeof *visit);

  if (visit == NULL)
    return -1;
  for (size_t i = 0; i < n; i++)
    visit[i] = pieces[i];
  free(frontend->visit);
  frontend->visit = visit;
  frontend->ring = n;
  frontend->at = 0;
  return 0;
}

/* Looks a place up, and brings it in on a miss.  Returns whether it hit. */
static bool frontend_touch(const struct hw_frontend *frontend, const struct hw_lookup *lookup,
                           size_t place) {
  uint64_t virtual = frontend->base + place;
  uint64_t in_page = virtual & ((UINT64_C(1) << frontend->page_shift) - 1);
  uint64_t physical = frontend->frame[place >> frontend->page_shift] + in_page;
  uint64_t index = (lookup->is_physical ? physical : virtual) >> lookup->shift;
  uint64_t tag = lookup->shields ? physical : physical >> lookup->shift;
  struct hw_victim victim;

  if (hw_cache_touch(lookup->cache, index, tag))
    return true;
  hw_cache_fill(lookup->cache, index, tag, 0, false, &victim);
  return false;
}

/* Does one jump.  Its cost, cycles.  Prefetching code behind its target costs nothing. */
static double frontend_jump(struct hw_frontend *frontend) {
  size_t place = frontend->place[frontend->visit[frontend->at]];
  double cycles = FRONTEND_JUMP;

  for (int i = 0; i < FRONTEND_CACHES; i++) {
    const struct hw_lookup *lookup = &frontend->lookup[i];
    bool hit;

    if (lookup->cache == NULL)
      continue;
    hit = frontend_touch(frontend, lookup, place);
    if (hit && lookup->shields)
      break;
    if (!hit)
      cycles += lookup->miss;
    if (lookup->ahead > 0)
      frontend_touch(frontend, lookup, place + lookup->ahead);
  }
  frontend->at = frontend->at + 1 < frontend->ring ? frontend->at + 1 : 0;
  return cycles;
}

void hw_frontend_foreign(struct hw_frontend *frontend) {
  for (int i = 0; i < FRONTEND_CACHES; i++) {
    const struct hw_lookup *lookup = &frontend->lookup[i];

    for (size_t n = 0; n < lookup->units / FRONTEND_FOREIGN; n++) {
      uint64_t place = frontend->foreign++;
      struct hw_victim victim;

      hw_cache_fill(lookup->cache, place, place | FRONTEND_OTHER, 0, false, &victim);
    }
  }
}

static double frontend_jumps(struct hw_frontend *frontend, unsigned long n) {
  double cycles = 0;

  for (; n > 0; n--)
    cycles += frontend_jump(frontend);
  return cycles;
}

/* As hw_cache_settled, of all of them. */
static bool frontend_settled(struct hw_frontend *frontend) {
  bool same = true;

  for (int i = 0; i < FRONTEND_CACHES; i++)
    if (frontend->lookup[i].cache != NULL)
      same &= hw_cache_settled(frontend->lookup[i].cache);
  return same;
}

/* As with loads, laps after one that left the caches as they were are counted, not simulated. */
double hw_frontend_walk(struct hw_frontend *frontend, unsigned long n) {
  unsigned long ring = frontend->ring;
  double cycles = 0;

  if (ring == 0)
    return 0;
  frontend_settled(frontend);
  for (int lap = 0; lap < FRONTEND_LAPS && n / ring > 2; lap++) {
    double one = frontend_jumps(frontend, ring);
    bool same = frontend_settled(frontend);

    cycles += one;
    n -= ring;
    if (lap > 0 && same) {
      cycles += one * (double)(n / ring);
      n %= ring;
    }
  }
  return cycles + frontend_jumps(frontend, n);
}
