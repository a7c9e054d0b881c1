/* A simulated machine: a probe's work costs cycles, by where its loads hit in the caches, and
   cycles take time.  Nothing else of the description can be seen from outside. */
#include "probes/bench/random.h"
#include "probes/machine/machine.h"
#include "probes/nano/loops.h"
#include "sim/core.h"
#include "sim/description.h"
#include "sim/frontend.h"
#include "sim/hierarchy.h"
#include "sim/neighbour.h"
#include "sim/pace.h"
#include "sim/topology.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mappings start at multiples of this: what the interface promises, and no more. */
#define SIM_ALIGN UINT64_C(65536)
/* Pages between mappings: up to this many. */
#define SIM_GAP 16u
/* Frames are drawn without repetition from 2 to the power of twice this many. */
#define SIM_FRAME_HALF 13u
#define SIM_FRAMES (UINT64_C(1) << (2 * SIM_FRAME_HALF))
/* Large frames lie above all others. */
#define SIM_LARGE_BASE (UINT64_C(1) << 62)
/* Where the code lies: a multiple of SIM_ALIGN and of any page, below all mappings. */
#define SIM_CODE_BASE (UINT64_C(1) << 31)
/* Words that are allocated together. */
#define SIM_CHUNK 512u
/* Laps of a ring in which a steady state is looked for. */
#define SIM_LAPS 8
/* Beside a thread that brings lines in, laps of a ring are simulated until it has brought in this
   many lines and this many laps are done; the other laps of the call are predicted from these. */
#define SIM_BESIDE_EVENTS 64u
#define SIM_BESIDE_LAPS 8u
/* Lines of a stream between two checks for other threads. */
#define SIM_BESIDE_LINES 8u
/* The issue width, additions a cycle. */
#define SIM_ISSUE 4.0
/* The part of the other thread's share by which dependent loads are slowed. */
#define SIM_SHARED_WAIT 0.05
/* A store that hits the first level, cycles. */
#define SIM_STORE 1.0
/* Cycles that it takes more to fetch a loop whose code is badly placed. */
#define SIM_ASTRIDE 2.0

struct sim_memory {
  struct hw_sim_home home; /* first: topology.c sees no more */
  uint64_t base;           /* virtual address, a multiple of SIM_ALIGN */
  size_t bytes;
  unsigned page_shift;
  uint64_t *frame; /* physical address of each page */
  bool sparse;     /* a frame is drawn for a page when it is first linked; 0: not yet */
  bool *handed;    /* whether each was stored to; NULL: all are mapped from the beginning */
  uint32_t **link; /* what the words hold, in chunks, NULL until one is linked: the number of the
                      word they point to, plus 1 */
  size_t chunks;
  uint32_t *ring; /* the ring that was linked last: its words in order */
  size_t ring_n;
  size_t ring_at; /* where in it the next walk starts; ring_n: not known to be in it */
  size_t at;      /* the offset at which the next walk starts */
};

/* The laps of a ring that were simulated last, as long as nothing else uses the caches. */
struct sim_laps {
  const struct sim_memory *memory; /* NULL: something else was done */
  size_t at;                       /* where they ended */
  unsigned long events;            /* that other threads had brought in until then */
  unsigned long ring;              /* loads of a lap */
  bool steady;                     /* the next would hit and miss the same */
  struct hw_tally lap;             /* its counts */
};

struct sim_machine {
  struct hw_machine machine;         /* first: the interface's pointer is ours */
  struct hw_description description; /* its seed: since the last reset */
  uint64_t seed;                     /* the file's */
  struct hw_hierarchy *hierarchy;
  struct hw_frontend *frontend; /* NULL: no instruction side */
  struct sim_laps laps;
  double foreign_ns;   /* since another thread used its last page */
  double before_ns;    /* the time before the last reset, a multiple of the clock's step */
  struct hw_pace pace; /* since then */
  struct hw_neighbours neighbours;
  bool beside;           /* the description has other threads */
  double worst_ns;       /* what a load takes that misses all caches and TLBs */
  uint64_t next;         /* first virtual address not mapped yet */
  uint64_t frames;       /* drawn so far */
  uint64_t frame_key;    /* of the order in which they are drawn */
  struct hw_random gaps; /* between mappings */
  unsigned processor[HW_SIM_PROCESSORS];
  char clock_name[64];
  const struct hw_nano *nano; /* those to be timed */
  const unsigned *outcomes;
  struct hw_predictor predictor;
};

static struct sim_machine *sim_of(struct hw_machine *machine) {
  return (struct sim_machine *)(void *)machine;
}

static struct sim_memory *sim_memory_of(struct hw_memory *memory) {
  return (struct sim_memory *)(void *)memory;
}

static double sim_now(struct hw_machine *machine) {
  struct sim_machine *sim = sim_of(machine);
  double step = sim->description.clock_step_ns;

  hw_pace_work(&sim->pace, sim->description.clock_cost_ns);
  return sim->before_ns + floor(sim->pace.now_ns / step) * step;
}

static void sim_usage(struct hw_machine *machine, struct hw_usage *usage) {
  struct sim_machine *sim = sim_of(machine);

  hw_pace_work(&sim->pace, sim->description.clock_cost_ns);
  usage->cpu_ns = sim->pace.now_ns - sim->pace.preempted_ns;
  usage->switches = sim->pace.switches;
}

/* The time that ns of work take beside other threads, ns. */
static double sim_felt(struct sim_machine *sim, double ns, enum hw_feels feels) {
  return hw_neighbours_pass(&sim->neighbours, ns, hw_neighbours_factor(&sim->neighbours, feels));
}

/* Passes the time of work that keeps the core busy, unlike work that waits: another thread of the
   core takes its share. */
static void sim_busy(struct sim_machine *sim, double ns) {
  hw_pace_interval(&sim->pace, ns * hw_pace_share(&sim->pace));
}

/* Has the other thread of the core use the pages that it uses in ns. */
static void sim_foreign(struct sim_machine *sim, double ns) {
  if (!(sim->description.noise.page_ns > 0) || sim->description.noise.line_ns > 0)
    return; /* none, or neighbour.c has them used */
  for (sim->foreign_ns += ns; sim->foreign_ns > sim->description.noise.page_ns;
       sim->foreign_ns -= sim->description.noise.page_ns)
    hw_hierarchy_foreign_page(sim->hierarchy);
}

static void sim_add(struct hw_machine *machine, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  double ns = (double)n * sim->description.cycle_ns;

  sim_foreign(sim, ns);
  ns = hw_neighbours_rest(&sim->neighbours, ns,
                          hw_neighbours_factor(&sim->neighbours, HW_FEELS_CHAIN));
  hw_pace_interval(&sim->pace, ns);
}

static void sim_issue(struct hw_machine *machine, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);

  sim_busy(sim,
           hw_neighbours_rest(&sim->neighbours, (double)n / SIM_ISSUE * sim->description.cycle_ns,
                              hw_neighbours_factor(&sim->neighbours, HW_FEELS_ISSUE)));
}

/* The i-th frame to be drawn: a keyed permutation (Feistel), so that none comes twice. */
static uint64_t sim_frame(const struct sim_machine *sim, uint64_t i) {
  uint64_t mask = (UINT64_C(1) << SIM_FRAME_HALF) - 1;
  uint64_t left = i >> SIM_FRAME_HALF;
  uint64_t right = i & mask;

  for (uint64_t round = 0; round < 4; round++) {
    uint64_t mixed = hw_random_mix(sim->frame_key + (round << 32) + right) & mask;
    uint64_t other = left ^ mixed;

    left = right;
    right = other;
  }
  return left << SIM_FRAME_HALF | right;
}

/* The physical address of the page with this virtual address. */
static uint64_t sim_place(struct sim_machine *sim, const struct sim_memory *memory,
                          uint64_t virtual) {
  const struct hw_sim_page *page = &sim->description.page;
  uint64_t frame;

  if (page->frames == HW_SIM_CONTIGUOUS)
    return virtual;
  frame = sim_frame(sim, sim->frames++);
  if (UINT64_C(1) << memory->page_shift != page->bytes)
    return SIM_LARGE_BASE | frame << memory->page_shift;
  if (page->frames == HW_SIM_COLOURED)
    frame = frame * page->colours + (virtual >> memory->page_shift) % page->colours;
  return frame << memory->page_shift;
}

static void sim_free(struct sim_memory *memory) {
  for (size_t i = 0; memory->link != NULL && i < memory->chunks; i++)
    free(memory->link[i]);
  free(memory->link);
  free(memory->ring);
  free(memory->handed);
  free(memory->frame);
  free(memory);
}

static void sim_unmap(struct hw_machine *machine, struct hw_memory *mapping) {
  if (mapping == NULL)
    return;
  sim_of(machine)->laps.memory = NULL;
  sim_free(sim_memory_of(mapping));
}

static struct hw_memory *sim_map(struct hw_machine *machine, size_t bytes,
                                 enum hw_placement placement) {
  struct sim_machine *sim = sim_of(machine);
  const struct hw_sim_page *plain = &sim->description.page;
  bool large = placement == HW_PAGES_HUGE && plain->huge != 0;
  uint64_t page = large ? plain->huge : plain->bytes;
  uint64_t align = page > SIM_ALIGN ? page : SIM_ALIGN;
  uint64_t pages = (uint64_t)bytes / page + (bytes % page != 0);
  struct sim_memory *memory;

  if (pages == 0 || pages > SIM_FRAMES - sim->frames || pages > SIZE_MAX / sizeof(uint64_t) ||
      bytes / sizeof(void *) >= UINT32_MAX - 1)
    return NULL;
  memory = calloc(1, sizeof *memory);
  if (memory == NULL)
    return NULL;
  memory->chunks = bytes / sizeof(void *) / SIM_CHUNK + 1;
  memory->link = calloc(memory->chunks, sizeof *memory->link);
  memory->frame = calloc((size_t)pages, sizeof *memory->frame);
  memory->handed = plain->first_ns > 0 ? calloc((size_t)pages, sizeof *memory->handed) : NULL;
  if (memory->frame == NULL || memory->link == NULL ||
      (plain->first_ns > 0 && memory->handed == NULL)) {
    sim_free(memory);
    return NULL;
  }
  sim->next += hw_random_bits(&sim->gaps) % SIM_GAP * plain->bytes;
  memory->base = (sim->next + align - 1) / align * align;
  memory->bytes = bytes;
  memory->page_shift = hw_sim_log2(page);
  memory->sparse = placement == HW_PAGES_SPARSE;
  for (uint64_t i = 0; i < pages && !memory->sparse; i++)
    memory->frame[i] = sim_place(sim, memory, memory->base + i * page);
  sim->next = memory->base + pages * page;
  return (struct hw_memory *)(void *)memory;
}

/* The word at an offset, made when it is not there.  NULL without memory. */
static uint32_t *sim_word(struct sim_memory *memory, size_t offset) {
  size_t word = offset / sizeof(void *);
  uint32_t **chunk = &memory->link[word / SIM_CHUNK];

  if (*chunk == NULL)
    *chunk = calloc(SIM_CHUNK, sizeof **chunk);
  return *chunk == NULL ? NULL : &(*chunk)[word % SIM_CHUNK];
}

/* Where the word at an offset points to; itself when nothing was linked there. */
static size_t sim_next(const struct sim_memory *memory, size_t offset) {
  size_t word = offset / sizeof(void *);
  const uint32_t *chunk = memory->link[word / SIM_CHUNK];

  if (chunk == NULL || chunk[word % SIM_CHUNK] == 0)
    return offset;
  return (size_t)(chunk[word % SIM_CHUNK] - 1) * sizeof(void *);
}

/* Makes the next load that of the next word.  In the ring that was linked last it is known without
   reading the word, which takes the host long. */
static void sim_step(struct sim_memory *memory) {
  if (memory->ring_at == memory->ring_n) {
    memory->at = sim_next(memory, memory->at);
    return;
  }
  memory->ring_at = memory->ring_at + 1 < memory->ring_n ? memory->ring_at + 1 : 0;
  memory->at = (size_t)memory->ring[memory->ring_at] * sizeof(void *);
}

static struct hw_access sim_access(const struct sim_memory *memory, size_t offset) {
  uint64_t mask = (UINT64_C(1) << memory->page_shift) - 1;

  return (struct hw_access){.virtual = memory->base + offset,
                            .physical =
                                memory->frame[offset >> memory->page_shift] + (offset & mask),
                            .page_shift = memory->page_shift};
}

/* ns that a store waits for its page: those of a page fault and of clearing, for the first one. */
static double sim_page(const struct sim_machine *sim, struct sim_memory *memory, size_t offset) {
  const struct hw_description *description = &sim->description;
  size_t page = offset >> memory->page_shift;
  double bytes = ldexp(1, (int)memory->page_shift);

  if (memory->handed == NULL || memory->handed[page])
    return 0;
  memory->handed[page] = true;
  return description->page.first_ns +
         bytes / description->memory_write_rate * description->cycle_ns;
}

/* Does n loads of the ring, from where it stands. */
static void sim_load(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                     struct hw_tally *tally) {
  for (; n > 0; n--) {
    struct hw_access access = sim_access(memory, memory->at);

    hw_hierarchy_load(sim->hierarchy, &access, tally);
    sim_step(memory);
  }
}

/* Begins work in memory other than walks of a ring. */
static void sim_begin(struct sim_machine *sim) {
  sim->laps.memory = NULL;
  hw_neighbours_begin_memory(&sim->neighbours);
}

/* The length of the ring that is walked, or 0 when it is more than most. */
static unsigned long sim_ring(const struct sim_memory *memory, unsigned long most) {
  size_t at = sim_next(memory, memory->at);
  unsigned long n = 1;

  if (memory->ring_at < memory->ring_n)
    return memory->ring_n <= most ? (unsigned long)memory->ring_n : 0;
  for (; at != memory->at; n++) {
    if (n == most)
      return 0;
    at = sim_next(memory, at);
  }
  return n <= most ? n : 0;
}

/* The laps of the ring that is to be walked by n loads: those before, if they were its, or none. */
static struct sim_laps *sim_laps(struct sim_machine *sim, const struct sim_memory *memory,
                                 unsigned long n) {
  struct sim_laps *laps = &sim->laps;
  unsigned long events = sim->neighbours.events;
  bool same = laps->memory == memory && laps->at == memory->at && laps->events == events;
  unsigned long ring = same && laps->steady ? laps->ring : sim_ring(memory, n);

  if (same && laps->ring == ring)
    return laps;
  *laps = (struct sim_laps){.memory = memory, .events = events, .ring = ring};
  hw_hierarchy_settled(sim->hierarchy);
  return laps;
}

/* Simulates a lap of the ring, from where it stands. */
static void sim_lap(struct sim_machine *sim, struct sim_memory *memory, struct sim_laps *laps,
                    struct hw_tally *tally) {
  laps->at = memory->at;
  laps->lap = (struct hw_tally){0};
  sim_load(sim, memory, laps->ring, &laps->lap);
  hw_tally_add(tally, &laps->lap, 1);
  laps->steady = hw_hierarchy_settled(sim->hierarchy);
}

/* Does n loads of the ring, from where it stands.  Once a lap is steady, later ones are not
   simulated: they would hit and miss as that one did, wherever in the ring they begin. */
static void sim_load_laps(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                          struct hw_tally *tally) {
  struct sim_laps *laps = sim_laps(sim, memory, n);
  unsigned long ring = laps->ring;

  for (int lap = 0; ring > 0 && lap < SIM_LAPS && n >= ring && !laps->steady; lap++) {
    sim_lap(sim, memory, laps, tally);
    n -= ring;
  }
  if (laps->steady) {
    hw_tally_add(tally, &laps->lap, n / ring);
    n %= ring;
  }
  sim_load(sim, memory, n, tally);
  laps->at = memory->at;
  if (n > 0 && !laps->steady)
    laps->memory = NULL;
}

static double sim_cost(const struct sim_machine *sim, const struct hw_tally *tally) {
  return hw_tally_cycles(tally, &sim->description) * sim->description.cycle_ns;
}

/* Does n loads one by one, each behind a pause, while another thread uses pages.  ns. */
static double sim_load_shared(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                              double pause) {
  struct hw_tally tally = {0};

  sim->laps.memory = NULL;
  for (unsigned long i = 0; i < n; i++) {
    struct hw_tally one = {0};

    sim_load(sim, memory, 1, &one);
    sim_foreign(sim, sim_cost(sim, &one) + pause);
    hw_tally_add(&tally, &one, 1);
  }
  return sim_cost(sim, &tally) + (double)n * pause;
}

/* What laps of a ring took beside a thread that brings lines in. */
struct sim_beside {
  unsigned long loads; /* of the current lap */
  unsigned long laps;
  unsigned long events; /* before the first */
  double lap_ns;        /* of the current lap */
  double sum_ns;        /* of all laps, and of the squares */
  double squares;
};

/* Predicts the time of the rest of the laps, of n loads, but no longer than the other thread stays,
   ns: the laps are independent of each other, with the mean and deviation of those before.  *done:
   the loads of these laps. */
static double sim_foretell(struct sim_machine *sim, const struct sim_beside *beside,
                           unsigned long ring, unsigned long n, unsigned long *done) {
  double laps = (double)beside->laps, mean = beside->sum_ns / laps, ns;
  double variance = fmax(beside->squares / laps - mean * mean, 0);
  double stay = hw_neighbours_stay(&sim->neighbours) / mean;
  unsigned long left = n / ring;

  if (stay < (double)left)
    left = (unsigned long)stay;
  *done = left * ring;
  ns =
      (double)left * mean + sqrt((double)left * variance) * hw_pace_normal(&sim->neighbours.random);
  ns = fmax(ns, 0);
  hw_neighbours_skip(&sim->neighbours, ns);
  return ns;
}

/* Does loads of the ring one by one, of n, each behind a pause, while another thread brings lines
   in.  ns that they take; *n is what is left. */
static double sim_load_visited(struct sim_machine *sim, struct sim_memory *memory, unsigned long *n,
                               double pause) {
  unsigned long ring = sim_ring(memory, *n), done;
  struct sim_beside beside = {.events = sim->neighbours.events};
  struct hw_tally tally = {0};
  double felt = 0;

  sim->laps.memory = NULL;
  while (*n > 0 && !(hw_neighbours_quiet(&sim->neighbours) > 0)) {
    double waited = tally.waited, ns;

    sim_load(sim, memory, 1, &tally);
    --*n;
    ns = sim_felt(sim, (tally.waited - waited) * sim->description.cycle_ns + pause, HW_FEELS_LOAD);
    felt += ns;
    beside.lap_ns += ns;
    if (++beside.loads != ring)
      continue;
    beside.laps++;
    beside.sum_ns += beside.lap_ns;
    beside.squares += beside.lap_ns * beside.lap_ns;
    beside.loads = 0;
    beside.lap_ns = 0;
    if (beside.laps >= SIM_BESIDE_LAPS && *n >= ring &&
        sim->neighbours.events - beside.events >= SIM_BESIDE_EVENTS) {
      felt += sim_foretell(sim, &beside, ring, *n, &done);
      *n -= done;
      beside = (struct sim_beside){.events = sim->neighbours.events};
    }
  }
  return felt;
}

/* Does n loads of the ring, each behind a pause, while other threads start and stop.  ns.  One that
   starts is noticed after HW_GRAIN loads at the latest. */
static double sim_load_beside(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                              double pause) {
  double felt = 0;

  while (n > 0) {
    double sure = hw_neighbours_quiet(&sim->neighbours) / (sim->worst_ns + pause);
    unsigned long some = sure < (double)n ? (unsigned long)sure : n;
    struct hw_tally tally = {0};

    if (hw_neighbours_quiet(&sim->neighbours) <= 0) {
      felt += sim_load_visited(sim, memory, &n, pause);
      continue;
    }
    if (some < HW_GRAIN)
      some = n < HW_GRAIN ? n : HW_GRAIN;
    sim_load_laps(sim, memory, some, &tally);
    felt += sim_felt(sim, sim_cost(sim, &tally) + (double)some * pause, HW_FEELS_LOAD);
    n -= some;
  }
  return felt;
}

/* Writes the words of a ring.  0, or -1 when an offset is bad or memory is short. */
static int sim_link_words(struct sim_memory *memory, const size_t *offsets, size_t n) {
  uint32_t *ring;

  for (size_t i = 0; i < n; i++)
    if (offsets[i] % sizeof(void *) != 0 || offsets[i] >= memory->bytes ||
        sim_word(memory, offsets[i]) == NULL)
      return -1;
  ring = n == 0 ? NULL : malloc(n * sizeof *ring);
  if (ring == NULL)
    return -1;
  for (size_t i = 0; i < n; i++) {
    size_t next = offsets[i + 1 < n ? i + 1 : 0];

    ring[i] = (uint32_t)(offsets[i] / sizeof(void *));
    *sim_word(memory, offsets[i]) = (uint32_t)(next / sizeof(void *)) + 1;
  }
  free(memory->ring);
  memory->ring = ring;
  memory->ring_n = n;
  memory->ring_at = 0;
  memory->at = offsets[0];
  return 0;
}

/* Draws the frames that a sparse mapping needs for these offsets. */
static void sim_draw(struct sim_machine *sim, struct sim_memory *memory, const size_t *offsets,
                     size_t n) {
  for (size_t i = 0; i < n && memory->sparse; i++) {
    uint64_t page = offsets[i] >> memory->page_shift;
    if (memory->frame[page] == 0)
      memory->frame[page] = sim_place(sim, memory, memory->base + (page << memory->page_shift));
  }
}

/* Linking a ring takes as long as that many loads. */
static int sim_link(struct hw_machine *machine, struct hw_memory *mapping, const size_t *offsets,
                    size_t n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};
  double cycle = sim->description.cycle_ns, felt = 0, pages = 0;

  sim->laps.memory = NULL;
  if (sim_link_words(memory, offsets, n) != 0)
    return -1;
  sim_draw(sim, memory, offsets, n);
  hw_hierarchy_settled(sim->hierarchy);
  hw_neighbours_begin_memory(&sim->neighbours);
  for (size_t i = 0; i < n; i++) {
    struct hw_access access = sim_access(memory, offsets[i]);
    double waited = tally.waited;

    pages += sim_page(sim, memory, offsets[i]);
    hw_hierarchy_store(sim->hierarchy, &access, &tally);
    if (sim->beside)
      felt += sim_felt(sim, (tally.waited - waited) * cycle, HW_FEELS_LOAD);
  }
  hw_hierarchy_settled(sim->hierarchy); /* the first lap may leave it so */
  sim->laps = (struct sim_laps){
      .memory = memory, .at = memory->at, .events = sim->neighbours.events, .ring = n};
  hw_pace_work(&sim->pace, pages + (sim->beside ? felt : sim_cost(sim, &tally)));
  return 0;
}

static void sim_enter(struct hw_machine *machine, struct hw_memory *mapping, size_t offset) {
  struct sim_memory *memory = sim_memory_of(mapping);
  bool first = memory->ring_n > 0 && offset == (size_t)memory->ring[0] * sizeof(void *);

  (void)machine;
  memory->at = offset;
  memory->ring_at = first ? 0 : memory->ring_n;
}

/* Does n loads of the ring, with a pause, ns, before each. */
static void sim_walk_paused(struct hw_machine *machine, struct hw_memory *mapping, unsigned long n,
                            double pause) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  bool shared = !sim->beside && sim->description.noise.page_ns > 0;
  double ns;

  if (memory->ring_n == 0) /* nothing was linked */
    return;
  hw_neighbours_begin_memory(&sim->neighbours);
  ns = shared ? sim_load_shared(sim, memory, n, pause) : sim_load_beside(sim, memory, n, pause);
  hw_pace_interval(&sim->pace, ns * (1 + SIM_SHARED_WAIT * (hw_pace_share(&sim->pace) - 1)));
}

static void sim_walk(struct hw_machine *machine, struct hw_memory *mapping, unsigned long n) {
  sim_walk_paused(machine, mapping, n, 0);
}

static void sim_walk_slowly(struct hw_machine *machine, struct hw_memory *mapping, unsigned long n,
                            unsigned pauses) {
  sim_walk_paused(machine, mapping, n, HW_PAUSE * pauses * sim_of(machine)->description.cycle_ns);
}

/* Chains are independent of each other, but the misses in flight at once are limited. */
static double sim_chains_cost(const struct sim_machine *sim, const struct hw_tally *tally,
                              size_t chains) {
  const struct hw_description *description = &sim->description;
  double longest = 0;
  double misses = 0;

  for (size_t k = 0; k < chains; k++) {
    longest = fmax(longest, sim_cost(sim, &tally[k]));
    misses += (double)tally[k].hit[description->levels];
  }
  misses *= description->memory_latency * description->cycle_ns;
  return fmax(longest, misses / (double)description->memory_parallel);
}

static void sim_walk_chains(struct hw_machine *machine, struct hw_memory *mapping, size_t *start,
                            size_t chains, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally[HW_CHAINS] = {{{0}, {0}, {0}, {0}, 0, 0}};
  double before = 0;
  double felt = 0;

  sim_begin(sim);
  for (unsigned long i = 0; i < n; i++) {
    for (size_t k = 0; k < chains; k++) {
      struct hw_access access = sim_access(memory, start[k]);

      hw_hierarchy_load(sim->hierarchy, &access, &tally[k]);
      start[k] = sim_next(memory, start[k]);
    }
    if (sim->beside && (i % SIM_BESIDE_LINES == SIM_BESIDE_LINES - 1 || i + 1 == n)) {
      double ns = sim_chains_cost(sim, tally, chains);

      felt += sim_felt(sim, fmax(ns - before, 0), HW_FEELS_LOAD);
      before = ns;
    }
  }
  hw_pace_interval(&sim->pace, sim->beside ? felt : sim_chains_cost(sim, tally, chains));
}

/* Cycles of a store: those of the level below the first, or memory, that is busy with it longest,
   but SIM_STORE at least; and its page walk. */
static double sim_store_cost(const struct sim_machine *sim, const struct hw_tally *tally) {
  double cycles = SIM_STORE;

  for (unsigned k = 1; k <= sim->description.levels; k++)
    cycles = fmax(cycles, hw_tally_busy(tally, &sim->description, k));
  return cycles + hw_tally_walks(tally, &sim->description);
}

static void sim_store(struct hw_machine *machine, struct hw_memory *mapping, const size_t *offsets,
                      size_t n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  double cycles = 0;
  double felt = 0;
  double pages = 0;

  sim_begin(sim);
  for (size_t i = 0; i < n; i++) {
    struct hw_access access = sim_access(memory, offsets[i]);
    struct hw_tally tally = {0};

    pages += sim_page(sim, memory, offsets[i]);
    hw_hierarchy_store(sim->hierarchy, &access, &tally);
    if (sim->beside)
      felt += sim_felt(sim, sim_store_cost(sim, &tally) * sim->description.cycle_ns, HW_FEELS_MOVE);
    else
      cycles += sim_store_cost(sim, &tally);
  }
  sim_busy(sim, pages + (sim->beside ? felt : cycles * sim->description.cycle_ns));
}

/* A stream, as far as it has got. */
struct sim_stream {
  struct hw_tally tally;
  unsigned lines; /* since the last check for other threads */
  double ns;      /* what those before cost alone */
  double felt;    /* and beside the other threads */
  double pages;   /* ns until there were pages for what it stored */
};

static double sim_stream_cost(const struct sim_machine *sim, const struct hw_tally *tally) {
  double cycles = hw_tally_walks(tally, &sim->description);

  for (unsigned k = 0; k <= sim->description.levels; k++)
    cycles += hw_tally_busy(tally, &sim->description, k);
  return cycles * sim->description.cycle_ns;
}

/* Lets the other threads catch up with a stream. */
static void sim_stream_beside(struct sim_machine *sim, struct sim_stream *stream) {
  double ns = sim_stream_cost(sim, &stream->tally);

  stream->felt += sim_felt(sim, ns - stream->ns, HW_FEELS_MOVE);
  stream->ns = ns;
  stream->lines = 0;
}

/* hw_hierarchy_load, _store or _bypass. */
typedef void sim_line(struct hw_hierarchy *hierarchy, const struct hw_access *access,
                      struct hw_tally *tally);

/* Loads or stores bytes, line by line. */
static void sim_pass(struct sim_machine *sim, struct sim_memory *memory, size_t offset,
                     size_t bytes, bool down, sim_line *use, struct sim_stream *stream) {
  size_t line = (size_t)sim->description.level[0].line;

  for (size_t i = 0; i < bytes; i += line) {
    size_t at = down ? (bytes - 1 - i) / line * line : i;
    struct hw_access access = sim_access(memory, offset + at);

    if (use != hw_hierarchy_load)
      stream->pages += sim_page(sim, memory, offset + at);
    use(sim->hierarchy, &access, &stream->tally);
    if (sim->beside && ++stream->lines == SIM_BESIDE_LINES)
      sim_stream_beside(sim, stream);
  }
}

static void sim_end_stream(struct sim_machine *sim, struct sim_stream *done) {
  if (sim->beside)
    sim_stream_beside(sim, done);
  sim_busy(sim, done->pages + (sim->beside ? done->felt : sim_stream_cost(sim, &done->tally)));
}

/* Copies the first half of bytes to the second, by these stores. */
static void sim_copy(struct sim_machine *sim, struct sim_memory *memory, size_t offset,
                     size_t bytes, sim_line *use) {
  struct sim_stream done = {.ns = 0};
  size_t grain = HW_STREAM_GRAIN;

  sim_begin(sim);
  for (size_t i = 0; i < bytes / 2; i += grain) {
    sim_pass(sim, memory, offset + i, grain, false, hw_hierarchy_load, &done);
    sim_pass(sim, memory, offset + bytes / 2 + i, grain, false, use, &done);
  }
  sim_end_stream(sim, &done);
}

static void sim_stream(struct hw_machine *machine, struct hw_memory *mapping, enum hw_stream stream,
                       size_t offset, size_t bytes) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct sim_stream done = {.ns = 0};

  if (stream == HW_STREAM_COPY) {
    sim_copy(sim, memory, offset, bytes, hw_hierarchy_store);
    return;
  }
  sim_begin(sim);
  sim_pass(sim, memory, offset, bytes, stream == HW_STREAM_READ_DOWN,
           stream == HW_STREAM_WRITE ? hw_hierarchy_store : hw_hierarchy_load, &done);
  sim_end_stream(sim, &done);
}

static int sim_bypass(struct hw_machine *machine, struct hw_memory *mapping, size_t bytes) {
  sim_copy(sim_of(machine), sim_memory_of(mapping), 0, bytes, hw_hierarchy_bypass);
  return 0;
}

/* Loops of a program are the host's. */
static int sim_multiply(struct hw_machine *machine, struct hw_memory *mapping,
                        const struct hw_product *product) {
  (void)machine;
  (void)mapping;
  (void)product;
  return -1;
}

static const size_t *sim_code(struct hw_machine *machine, size_t *n) {
  const struct hw_frontend *frontend = sim_of(machine)->frontend;

  *n = 0;
  return frontend == NULL ? NULL : hw_frontend_pieces(frontend, n);
}

static int sim_code_link(struct hw_machine *machine, const size_t *pieces, size_t n) {
  struct hw_frontend *frontend = sim_of(machine)->frontend;

  return frontend == NULL ? -1 : hw_frontend_link(frontend, pieces, n);
}

static int sim_code_walk(struct hw_machine *machine, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);

  if (sim->frontend == NULL)
    return -1;
  hw_neighbours_begin_memory(&sim->neighbours);
  hw_pace_interval(&sim->pace,
                   sim_felt(sim, hw_frontend_walk(sim->frontend, n) * sim->description.cycle_ns,
                            HW_FEELS_ISSUE));
  return 0;
}

/* A single thread is on the first processor. */
static void sim_settle(struct hw_machine *machine, const bool *same, size_t place) {
  (void)machine;
  (void)same;
  (void)place;
}

static void sim_move(struct hw_machine *machine) { (void)machine; }

static const unsigned *sim_processors(struct hw_machine *machine, size_t *n) {
  *n = hw_processors_count(&sim_of(machine)->description);
  return sim_of(machine)->processor;
}

static size_t sim_online(struct hw_machine *machine) {
  return hw_processors_count(&sim_of(machine)->description);
}

static int sim_team(struct hw_machine *machine, struct hw_part *part, size_t n) {
  struct sim_machine *sim = sim_of(machine);

  hw_neighbours_begin_memory(&sim->neighbours);
  return hw_processors_team(&sim->description, &sim->pace, part, n,
                            sim->beside ? &sim->neighbours : NULL);
}

static enum hw_nano_state sim_nano_state(struct hw_machine *machine, const struct hw_nano *nano) {
  const struct hw_sim_core *core = &sim_of(machine)->description.core;

  return core->width > 0 && hw_loops_has(nano) && hw_core_group(core, nano, 1) > 0
             ? HW_NANO_READY
             : HW_NANO_REFUSED;
}

static int sim_nano_take(struct hw_machine *machine, const struct hw_nano *nano, size_t n) {
  (void)n;
  sim_of(machine)->nano = nano;
  return 0;
}

static void sim_nano_outcomes(struct hw_machine *machine, const unsigned *outcomes) {
  sim_of(machine)->outcomes = outcomes;
}

/* Cycles of a loop of groups that take each cycles.  If its code is badly placed, its fetch
   takes SIM_ASTRIDE cycles more than its issue, which shows when little else takes as long. */
static double sim_loop(const struct hw_sim_core *core, const struct hw_nano *nano, double groups,
                       double each) {
  double cycles = groups * each, statements = 0;

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++)
    statements += groups * nano->part[i].count;
  if (core->astride > 0 && fabs(statements - core->astride) < 0.5)
    cycles = fmax(cycles, statements / core->width + SIM_ASTRIDE);
  return cycles + core->loop;
}

static void sim_nano(struct hw_machine *machine, size_t i, bool longer, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  const struct hw_nano *nano = &sim->nano[i];
  const struct hw_sim_core *core = &sim->description.core;
  double groups = nano->groups[longer ? 1 : 0];
  double cycles = sim_loop(core, nano, groups, hw_core_group(core, nano, 1));
  double ns = (double)n * cycles * sim->description.cycle_ns;

  if (hw_nano_is_tree(nano) && core->penalty > 0) {
    double wrong = 0;
    for (unsigned long k = 0; k < n; k++)
      wrong += hw_core_mispredictions(core, &sim->predictor, nano->part[0].variables,
                                      sim->outcomes[k % HW_NANO_OUTCOMES]);
    hw_pace_interval(&sim->pace, wrong * core->penalty * sim->description.cycle_ns);
  }
  if (sim->beside) {
    double share = hw_neighbours_factor(&sim->neighbours, HW_FEELS_ISSUE);
    double felt = sim_loop(core, nano, groups, hw_core_group(core, nano, share));

    felt = fmax(felt / cycles, hw_neighbours_factor(&sim->neighbours, HW_FEELS_CHAIN));
    ns = hw_neighbours_rest(&sim->neighbours, ns, felt);
  }
  hw_pace_interval(&sim->pace, ns);
}

/* Lays out the code below the first mapping.  NULL without memory. */
static struct hw_frontend *sim_open_code(struct sim_machine *sim) {
  const struct hw_description *description = &sim->description;
  struct sim_memory code = {.base = SIM_CODE_BASE,
                            .page_shift = hw_sim_log2(description->page.bytes)};
  size_t pages = (HW_FRONTEND_BYTES >> code.page_shift) + 1;

  code.frame = calloc(pages, sizeof *code.frame);
  if (code.frame == NULL)
    return NULL;
  for (size_t i = 0; i < pages; i++)
    code.frame[i] = sim_place(sim, &code, code.base + ((uint64_t)i << code.page_shift));
  return hw_frontend_open(description, code.base, code.frame);
}

/* Makes the parts of the machine, in place of any before.  0, or -1 without memory. */
static int sim_reset(struct hw_machine *machine, uint64_t seed) {
  struct sim_machine *sim = sim_of(machine);
  struct hw_description *description = &sim->description;
  struct hw_hierarchy *hierarchy;
  struct hw_frontend *frontend = NULL;
  struct hw_random random;

  description->seed = sim->seed ^ seed;
  random.state = ~description->seed; /* the caches draw from the seed itself */
  sim->frame_key = hw_random_bits(&random);
  sim->gaps.state = hw_random_bits(&random);
  sim->next = UINT64_C(1) << 32;
  sim->frames = 0;
  hierarchy = hw_hierarchy_open(description);
  if (hierarchy != NULL && description->icache.bytes > 0)
    frontend = sim_open_code(sim);
  if (hierarchy == NULL || (description->icache.bytes > 0 && frontend == NULL)) {
    hw_hierarchy_close(hierarchy);
    return -1;
  }
  hw_hierarchy_close(sim->hierarchy);
  hw_frontend_close(sim->frontend);
  sim->hierarchy = hierarchy;
  sim->frontend = frontend;
  sim->laps.memory = NULL;
  sim->foreign_ns = 0;
  memset(&sim->predictor, 0, sizeof sim->predictor);
  sim->before_ns +=
      ceil(sim->pace.now_ns / description->clock_step_ns) * description->clock_step_ns;
  hw_pace_start(&sim->pace, &description->noise, hw_random_bits(&random));
  hw_neighbours_start(&sim->neighbours, description, hierarchy, frontend, &sim->pace,
                      hw_random_bits(&random));
  return 0;
}

static void sim_close(struct hw_machine *machine) {
  struct sim_machine *sim = sim_of(machine);

  hw_hierarchy_close(sim->hierarchy);
  hw_frontend_close(sim->frontend);
  free(sim);
}

static const struct hw_machine_ops sim_ops = {
    .reset = sim_reset,
    .now = sim_now,
    .usage = sim_usage,
    .add = sim_add,
    .issue = sim_issue,
    .map = sim_map,
    .unmap = sim_unmap,
    .link = sim_link,
    .enter = sim_enter,
    .walk = sim_walk,
    .walk_slowly = sim_walk_slowly,
    .walk_chains = sim_walk_chains,
    .store = sim_store,
    .stream = sim_stream,
    .bypass = sim_bypass,
    .multiply = sim_multiply,
    .code = sim_code,
    .code_link = sim_code_link,
    .code_walk = sim_code_walk,
    .nano_state = sim_nano_state,
    .nano_take = sim_nano_take,
    .nano_outcomes = sim_nano_outcomes,
    .nano = sim_nano,
    .processors = sim_processors,
    .online = sim_online,
    .settle = sim_settle,
    .move = sim_move,
    .team = sim_team,
    .close = sim_close,
};

/* Reads the description and makes the machine's parts.  0, or -1 after a message. */
static int sim_open(struct sim_machine *sim, const char *file) {
  FILE *in = fopen(file, "r");
  int bad;

  if (in == NULL) {
    fprintf(stderr, "%s:0: cannot be opened: %s\n", file, strerror(errno));
    return -1;
  }
  bad = hw_description_read(&sim->description, file, in, stderr);
  fclose(in);
  if (bad != 0)
    return -1;
  sim->seed = sim->description.seed;
  if (sim_reset(&sim->machine, 0) != 0) {
    fprintf(stderr, "%s:0: no memory for its parts\n", file);
    return -1;
  }
  sim->beside = hw_neighbours_any(&sim->neighbours);
  sim->worst_ns = sim->description.memory_latency;
  for (unsigned k = 0; k < sim->description.tlbs; k++)
    sim->worst_ns += sim->description.tlb[k].miss;
  sim->worst_ns *= sim->description.cycle_ns;
  snprintf(sim->clock_name, sizeof sim->clock_name, "simulated (step %g ns)",
           sim->description.clock_step_ns);
  for (unsigned i = 0; i < HW_SIM_PROCESSORS; i++)
    sim->processor[i] = i;
  sim->machine.clock = sim->clock_name;
  sim->machine.ops = &sim_ops;
  return 0;
}

struct hw_machine *hw_machine_simulated(const char *file) {
  struct sim_machine *sim = calloc(1, sizeof *sim);

  if (sim == NULL) {
    fprintf(stderr, "%s:0: no memory\n", file);
    return NULL;
  }
  if (sim_open(sim, file) == 0)
    return &sim->machine;
  free(sim);
  return NULL;
}
