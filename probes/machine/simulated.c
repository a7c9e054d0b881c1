/* A simulated machine: what a probe does costs cycles, by what its loads meet in the caches, and
   cycles take time.  Nothing else of the description can be seen from outside. */
#include "probes/machine/description.h"
#include "probes/machine/hierarchy.h"
#include "probes/machine/machine.h"
#include "probes/machine/pace.h"
#include "probes/random.h"

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
/* Words that come into being together. */
#define SIM_CHUNK 512u
/* Laps of a ring after which no steady state is expected any more. */
#define SIM_LAPS 8

struct sim_memory {
  uint64_t base; /* virtual address, a multiple of SIM_ALIGN */
  size_t bytes;
  unsigned page_shift;
  uint64_t *frame; /* physical address of each page */
  size_t **link;   /* what the words hold, in chunks, NULL until one is linked: an offset plus 1 */
  size_t chunks;
  size_t at; /* the offset at which the next walk starts */
};

struct sim_machine {
  struct hw_machine machine; /* first: the interface's pointer is ours */
  struct hw_description description;
  struct hw_hierarchy *hierarchy;
  struct hw_pace pace;
  uint64_t next;         /* first virtual address not mapped yet */
  uint64_t frames;       /* drawn so far */
  uint64_t frame_key;    /* of the order in which they are drawn */
  struct hw_random gaps; /* between mappings */
  char clock_name[64];
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
  return floor(sim->pace.now_ns / step) * step;
}

static void sim_usage(struct hw_machine *machine, struct hw_usage *usage) {
  struct sim_machine *sim = sim_of(machine);

  hw_pace_work(&sim->pace, sim->description.clock_cost_ns);
  usage->cpu_ns = sim->pace.now_ns - sim->pace.preempted_ns;
  usage->switches = sim->pace.switches;
}

static void sim_add(struct hw_machine *machine, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);

  hw_pace_interval(&sim->pace, (double)n * sim->description.cycle_ns);
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

static void sim_unmap(struct hw_machine *machine, struct hw_memory *mapping) {
  struct sim_memory *memory = sim_memory_of(mapping);

  (void)machine;
  if (memory == NULL)
    return;
  for (size_t i = 0; i < memory->chunks; i++)
    free(memory->link[i]);
  free(memory->link);
  free(memory->frame);
  free(memory);
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

  if (pages == 0 || pages > SIM_FRAMES - sim->frames || pages > SIZE_MAX / sizeof(uint64_t))
    return NULL;
  memory = calloc(1, sizeof *memory);
  if (memory == NULL)
    return NULL;
  memory->chunks = bytes / sizeof(void *) / SIM_CHUNK + 1;
  memory->link = calloc(memory->chunks, sizeof *memory->link);
  memory->frame = malloc((size_t)pages * sizeof *memory->frame);
  if (memory->frame == NULL || memory->link == NULL) {
    free(memory->link);
    free(memory->frame);
    free(memory);
    return NULL;
  }
  sim->next += hw_random_bits(&sim->gaps) % SIM_GAP * plain->bytes;
  memory->base = (sim->next + align - 1) / align * align;
  memory->bytes = bytes;
  memory->page_shift = hw_sim_log2(page);
  for (uint64_t i = 0; i < pages; i++)
    memory->frame[i] = sim_place(sim, memory, memory->base + i * page);
  sim->next = memory->base + pages * page;
  return (struct hw_memory *)(void *)memory;
}

/* The word at an offset, or NULL when nothing was ever linked near it. */
static size_t *sim_word(const struct sim_memory *memory, size_t offset) {
  size_t word = offset / sizeof(void *);
  size_t *chunk = memory->link[word / SIM_CHUNK];

  return chunk == NULL ? NULL : &chunk[word % SIM_CHUNK];
}

/* The same, made when it is not there.  NULL without memory. */
static size_t *sim_new_word(struct sim_memory *memory, size_t offset) {
  size_t **chunk = &memory->link[offset / sizeof(void *) / SIM_CHUNK];

  if (*chunk == NULL)
    *chunk = calloc(SIM_CHUNK, sizeof **chunk);
  return sim_word(memory, offset);
}

/* Where the word at an offset points to. */
static size_t sim_next(const struct sim_memory *memory, size_t offset) {
  const size_t *word = sim_word(memory, offset);

  return word == NULL || *word == 0 ? offset : *word - 1;
}

static struct hw_access sim_access(const struct sim_memory *memory, size_t offset) {
  uint64_t mask = (UINT64_C(1) << memory->page_shift) - 1;

  return (struct hw_access){.virtual = memory->base + offset,
                            .physical =
                                memory->frame[offset >> memory->page_shift] + (offset & mask),
                            .page_shift = memory->page_shift};
}

/* Does n loads of the ring, from where it stands. */
static void sim_load(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                     struct hw_tally *tally) {
  for (; n > 0; n--) {
    struct hw_access access = sim_access(memory, memory->at);

    hw_hierarchy_load(sim->hierarchy, &access, tally);
    memory->at = sim_next(memory, memory->at);
  }
}

/* The length of the ring, when it is less than most; else most. */
static unsigned long sim_ring(const struct sim_memory *memory, unsigned long most) {
  size_t at = sim_next(memory, memory->at);
  unsigned long n = 1;

  for (; at != memory->at && n < most; n++)
    at = sim_next(memory, at);
  return n;
}

/* The same, but once a lap left the caches as it found them, the laps to come are not done: they
   would go as that one went. */
static void sim_load_laps(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                          struct hw_tally *tally) {
  unsigned long ring = sim_ring(memory, n / 2);
  uint64_t before = 0;

  hw_hierarchy_digest(sim->hierarchy);
  for (int lap = 0; lap < SIM_LAPS && n / ring > 2; lap++) {
    struct hw_tally one = {0};
    uint64_t digest;

    sim_load(sim, memory, ring, &one);
    n -= ring;
    hw_tally_add(tally, &one, 1);
    digest = hw_hierarchy_digest(sim->hierarchy);
    if (lap > 0 && digest == before) {
      hw_tally_add(tally, &one, n / ring);
      n %= ring;
    }
    before = digest;
  }
  sim_load(sim, memory, n, tally);
}

static double sim_cost(const struct sim_machine *sim, const struct hw_tally *tally) {
  return hw_tally_cycles(tally, &sim->description) * sim->description.cycle_ns;
}

static int sim_link(struct hw_machine *machine, struct hw_memory *mapping, const size_t *offsets,
                    size_t n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};

  if (n == 0)
    return -1;
  for (size_t i = 0; i < n; i++) {
    size_t *word;
    if (offsets[i] % sizeof(void *) != 0 || offsets[i] >= memory->bytes)
      return -1;
    word = sim_new_word(memory, offsets[i]);
    if (word == NULL)
      return -1;
    *word = offsets[i + 1 < n ? i + 1 : 0] + 1;
  }
  memory->at = offsets[0];
  sim_load(sim, memory, n, &tally);
  hw_pace_work(&sim->pace, sim_cost(sim, &tally));
  return 0;
}

static void sim_enter(struct hw_machine *machine, struct hw_memory *mapping, size_t offset) {
  (void)machine;
  sim_memory_of(mapping)->at = offset;
}

static void sim_walk(struct hw_machine *machine, struct hw_memory *mapping, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};

  sim_load_laps(sim, memory, n, &tally);
  hw_pace_interval(&sim->pace, sim_cost(sim, &tally));
}

/* Loads that do not wait for each other cost the time of the longest chain. */
static void sim_walk_chains(struct hw_machine *machine, struct hw_memory *mapping, size_t *start,
                            size_t chains, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  double longest = 0;

  for (size_t k = 0; k < chains; k++) {
    struct hw_tally tally = {0};
    memory->at = start[k];
    sim_load(sim, memory, n, &tally);
    start[k] = memory->at;
    longest = fmax(longest, sim_cost(sim, &tally));
  }
  hw_pace_interval(&sim->pace, longest);
}

/* A store costs what a load costs. */
static void sim_store(struct hw_machine *machine, struct hw_memory *mapping, const size_t *offsets,
                      size_t n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};

  for (size_t i = 0; i < n; i++) {
    struct hw_access access = sim_access(memory, offsets[i]);
    hw_hierarchy_load(sim->hierarchy, &access, &tally);
  }
  hw_pace_interval(&sim->pace, sim_cost(sim, &tally));
}

static void sim_stream(struct hw_machine *machine, struct hw_memory *mapping, enum hw_stream stream,
                       size_t offset, size_t bytes) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};
  size_t line = sim->description.level[0].line;

  for (size_t i = 0; i < bytes; i += line) {
    size_t at = stream == HW_STREAM_READ_DOWN ? bytes - line - i : i;
    struct hw_access access = sim_access(memory, offset + at);
    hw_hierarchy_load(sim->hierarchy, &access, &tally);
  }
  hw_pace_interval(&sim->pace, sim_cost(sim, &tally));
}

static const size_t *sim_code(struct hw_machine *machine, size_t *n) {
  (void)machine;
  *n = 0;
  return NULL;
}

static void sim_code_link(struct hw_machine *machine, const size_t *pieces, size_t n) {
  (void)machine;
  (void)pieces;
  (void)n;
}

static int sim_code_walk(struct hw_machine *machine, unsigned long n) {
  (void)machine;
  (void)n;
  return -1;
}

static void sim_close(struct hw_machine *machine) {
  struct sim_machine *sim = sim_of(machine);

  hw_hierarchy_close(sim->hierarchy);
  free(sim);
}

static const struct hw_machine_ops sim_ops = {
    .now = sim_now,
    .usage = sim_usage,
    .add = sim_add,
    .map = sim_map,
    .unmap = sim_unmap,
    .link = sim_link,
    .enter = sim_enter,
    .walk = sim_walk,
    .walk_chains = sim_walk_chains,
    .store = sim_store,
    .stream = sim_stream,
    .code = sim_code,
    .code_link = sim_code_link,
    .code_walk = sim_code_walk,
    .close = sim_close,
};

/* Reads the description and makes the parts.  0, or -1 after a message. */
static int sim_open(struct sim_machine *sim, const char *file) {
  FILE *in = fopen(file, "r");
  struct hw_random seed;
  int bad;

  if (in == NULL) {
    fprintf(stderr, "%s:0: cannot be opened: %s\n", file, strerror(errno));
    return -1;
  }
  bad = hw_description_read(&sim->description, file, in, stderr);
  fclose(in);
  if (bad != 0)
    return -1;
  sim->hierarchy = hw_hierarchy_open(&sim->description);
  if (sim->hierarchy == NULL) {
    fprintf(stderr, "%s:0: no memory for its caches\n", file);
    return -1;
  }
  seed.state = ~sim->description.seed; /* the caches draw from the seed itself */
  sim->frame_key = hw_random_bits(&seed);
  sim->gaps.state = hw_random_bits(&seed);
  sim->next = UINT64_C(1) << 32;
  hw_pace_start(&sim->pace, &sim->description.noise, hw_random_bits(&seed));
  snprintf(sim->clock_name, sizeof sim->clock_name, "simulated (step %g ns)",
           sim->description.clock_step_ns);
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
