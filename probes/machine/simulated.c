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
/* Laps of a ring after which no steady state is expected any more. */
#define SIM_LAPS 8

struct sim_memory {
  uint64_t base; /* virtual address, a multiple of SIM_ALIGN */
  size_t bytes;
  unsigned page_shift;
  uint64_t *frame; /* physical address of each page */
  size_t *ring;    /* byte offsets */
  size_t ring_n;
  size_t at; /* where the next walk starts in the ring */
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
  free(memory->ring);
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
  memory->frame = malloc((size_t)pages * sizeof *memory->frame);
  if (memory->frame == NULL) {
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

/* Does n loads of the ring, from where it stands. */
static void sim_load(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                     struct hw_tally *tally) {
  struct hw_access access = {.page_shift = memory->page_shift};
  uint64_t mask = (UINT64_C(1) << memory->page_shift) - 1;

  for (; n > 0; n--) {
    size_t offset = memory->ring[memory->at];

    access.virtual = memory->base + offset;
    access.physical = memory->frame[offset >> memory->page_shift] + (offset & mask);
    hw_hierarchy_load(sim->hierarchy, &access, tally);
    if (++memory->at == memory->ring_n)
      memory->at = 0;
  }
}

/* The same, but once a lap left the caches as it found them, the laps to come are not done: they
   would go as that one went. */
static void sim_load_laps(struct sim_machine *sim, struct sim_memory *memory, unsigned long n,
                          struct hw_tally *tally) {
  unsigned long ring = memory->ring_n;
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
  size_t *ring;

  for (size_t i = 0; i < n; i++)
    if (offsets[i] % sizeof(void *) != 0 || offsets[i] >= memory->bytes)
      return -1;
  if (n == 0 || n > SIZE_MAX / sizeof *ring)
    return -1;
  ring = malloc(n * sizeof *ring);
  if (ring == NULL)
    return -1;
  memcpy(ring, offsets, n * sizeof *ring);
  free(memory->ring);
  memory->ring = ring;
  memory->ring_n = n;
  memory->at = 0;
  sim_load(sim, memory, n, &tally);
  hw_pace_work(&sim->pace, sim_cost(sim, &tally));
  return 0;
}

static void sim_walk(struct hw_machine *machine, struct hw_memory *mapping, unsigned long n) {
  struct sim_machine *sim = sim_of(machine);
  struct sim_memory *memory = sim_memory_of(mapping);
  struct hw_tally tally = {0};

  if (memory->ring_n == 0)
    return;
  sim_load_laps(sim, memory, n, &tally);
  hw_pace_interval(&sim->pace, sim_cost(sim, &tally));
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
    .walk = sim_walk,
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
