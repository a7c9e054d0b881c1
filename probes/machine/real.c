/* The machine we run on. */
#include "probes/machine/features.h" /* first: RUSAGE_THREAD */

#include "probes/machine/bind.h"
#include "probes/machine/code.h"
#include "probes/machine/emulator.h"
#include "probes/machine/loops.h"
#include "probes/machine/machine.h"
#include "probes/machine/memory.h"
#include "probes/machine/product.h"
#include "probes/machine/threads.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct real_machine {
  struct hw_machine machine;
  struct timespec origin;
  struct hw_loops_ends ends;
  struct hw_code code;
  const struct hw_nano_entry **taken; /* nano-benchmarks */
  const unsigned *outcomes;           /* by which their trees of code branch */
  unsigned *processor; /* those that may be used, ascending; NULL where threads cannot be bound */
  size_t processors;
  bool *same;    /* which of those it settled among; NULL where it may not move */
  int bound;     /* the processor that the thread is bound to */
  bool told;     /* whether the user chose it */
  void **chased; /* of a thread of a team: where it is in its ring, or NULL before */
};

static struct real_machine *real_of(struct hw_machine *machine) {
  return (struct real_machine *)machine;
}

static double real_now(struct hw_machine *machine) {
  const struct timespec *origin = &real_of(machine)->origin;
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - origin->tv_sec) * 1e9 + (double)(now.tv_nsec - origin->tv_nsec);
}

static void real_usage(struct hw_machine *machine, struct hw_usage *usage) {
  struct timespec spent;
  struct rusage rusage;
#ifdef RUSAGE_THREAD
  const int who = RUSAGE_THREAD;
#else
  const int who = RUSAGE_SELF;
#endif

  (void)machine;
  usage->cpu_ns = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0
                      ? (double)spent.tv_sec * 1e9 + (double)spent.tv_nsec
                      : -1;
  usage->switches = getrusage(who, &rusage) == 0 ? rusage.ru_nivcsw : 0;
}

static void real_add(struct hw_machine *machine, unsigned long n) {
  hw_loops_add(&real_of(machine)->ends, n);
}

static void real_issue(struct hw_machine *machine, unsigned long n) {
  hw_loops_issue(&real_of(machine)->ends, n);
}

static void real_walk(struct hw_machine *machine, struct hw_memory *memory, unsigned long n) {
  memory->at = hw_loops_walk(&real_of(machine)->ends, memory->at, n);
}

static void real_walk_slowly(struct hw_machine *machine, struct hw_memory *memory, unsigned long n,
                             unsigned pauses) {
  memory->at = hw_loops_walk_slowly(&real_of(machine)->ends, memory->at, n, pauses);
}

static void real_walk_chains(struct hw_machine *machine, struct hw_memory *memory, size_t *start,
                             size_t chains, unsigned long n) {
  hw_loops_walk_chains(&real_of(machine)->ends, memory->base, start, chains, n);
}

static void real_store(struct hw_machine *machine, struct hw_memory *memory, const size_t *offsets,
                       size_t n) {
  (void)machine;
  hw_loops_store(memory->base, offsets, n);
}

static void real_stream(struct hw_machine *machine, struct hw_memory *memory, enum hw_stream stream,
                        size_t offset, size_t bytes) {
  if (stream == HW_STREAM_WRITE)
    hw_memory_present(memory, offset + bytes);
  hw_loops_stream(&real_of(machine)->ends, stream, memory->base + offset, bytes);
}

static int real_bypass(struct hw_machine *machine, struct hw_memory *memory, size_t bytes) {
  (void)machine;
  return hw_loops_bypass(memory->base, bytes);
}

static int real_multiply(struct hw_machine *machine, struct hw_memory *memory,
                         const struct hw_product *product) {
  (void)machine;
  hw_product(memory->base, product);
  return 0;
}

static const size_t *real_code(struct hw_machine *machine, size_t *n) {
  return hw_code_list(&real_of(machine)->code, n);
}

static int real_code_link(struct hw_machine *machine, const size_t *pieces, size_t n) {
  return hw_code_link(&real_of(machine)->code, pieces, n);
}

static int real_code_walk(struct hw_machine *machine, unsigned long n) {
  return hw_code_walk(&real_of(machine)->code, n);
}

/* The entry of a nano-benchmark, or NULL. */
static const struct hw_nano_entry *real_entry(const struct hw_nano *nano) {
  char name[HW_NANO_NAME];

  hw_nano_name(nano, name);
  for (const struct hw_nano_entry *const *table = hw_nano_tables; *table != NULL; table++)
    for (const struct hw_nano_entry *entry = *table; entry->name != NULL; entry++)
      if (strcmp(entry->name, name) == 0)
        return entry;
  return NULL;
}

static enum hw_nano_state real_nano_state(struct hw_machine *machine, const struct hw_nano *nano) {
  const struct hw_nano_entry *entry = real_entry(nano);

  (void)machine;
  if (hw_nano_tables[0] == NULL)
    return HW_NANO_MISSING;
  return entry != NULL && entry->run != NULL ? HW_NANO_READY : HW_NANO_REFUSED;
}

static int real_nano_take(struct hw_machine *machine, const struct hw_nano *nano, size_t n) {
  struct real_machine *real = real_of(machine);

  free(real->taken);
  real->taken = calloc(n, sizeof(const struct hw_nano_entry *));
  for (size_t i = 0; real->taken != NULL && i < n; i++)
    real->taken[i] = real_entry(&nano[i]);
  return real->taken != NULL ? 0 : -1;
}

static void real_nano_outcomes(struct hw_machine *machine, const unsigned *outcomes) {
  real_of(machine)->outcomes = outcomes;
}

/* Places of a loop's frame, over a page of most systems, and bytes between two. */
#define REAL_FRAMES 32u
#define REAL_FRAME 128u

static void real_nano(struct hw_machine *machine, size_t i, bool longer, unsigned long n) {
  static unsigned calls;
  /* Moves the frame: where a reload of what a loop spills aliases a store it costs some cycles. */
  volatile unsigned char aside[(1 + calls++ % REAL_FRAMES) * REAL_FRAME];

  aside[0] = 0;
  (void)aside[0];
  real_of(machine)->taken[i]->run(n, longer, real_of(machine)->outcomes);
}

/* Whether the list, as "0,2-3", has the processor; *first becomes the first of the list.  -1 when
   the list is malformed. */
static int real_listed(const char *cpus, long cpu, long *first) {
  int listed = 0;

  *first = -1;
  for (const char *at = cpus;;) {
    char *end;
    long low = strtol(at, &end, 10), high = low;
    if (end == at || *at < '0' || *at > '9')
      return -1;
    if (*end == '-') {
      at = end + 1;
      high = strtol(at, &end, 10);
      if (end == at || *at < '0' || *at > '9' || high < low)
        return -1;
    }
    if (*first < 0)
      *first = low;
    if (low <= cpu && cpu <= high)
      listed = 1;
    if (*end == '\0')
      return listed;
    if (*end != ',')
      return -1;
    at = end + 1;
  }
}

long hw_machine_missing(const char *cpus) {
  for (const char *at = cpus;;) {
    char *end;
    long low = strtol(at, &end, 10), high = low;
    if (*end == '-')
      high = strtol(end + 1, &end, 10);
    for (long cpu = low; cpu <= high; cpu++)
      if (cpu >= HW_BIND_MOST || hw_bind_one((int)cpu) != 0)
        return cpu;
    if (*end != ',')
      return -1;
    at = end + 1;
  }
}

/* Binds the thread, and those that it starts next, to all processors that may be used. */
static void real_unbind(const struct real_machine *real) {
  bool set[HW_BIND_MOST] = {false};

  for (size_t i = 0; i < real->processors; i++)
    set[real->processor[i]] = true;
  /* Refused, or there are none: then they run where this thread is bound. */
  if (real->processors > 0)
    (void)hw_bind_set(set);
}

/* Notes the processors that may be used: those of the list, which must exist, or all that the
   thread may run on.  Binds it to the first of the list, or to its own.  NULL, or why not. */
static const char *real_bind(struct real_machine *real, const char *cpus) {
  bool allowed[HW_BIND_MOST];
  long first = -1;

  if (cpus != NULL && real_listed(cpus, 0, &first) < 0)
    return "bad list of processors";
  if (!hw_bind_offered())
    return cpus == NULL ? NULL : "this system does not bind to a processor";
  if (cpus != NULL && hw_machine_missing(cpus) >= 0)
    return "a processor cannot be had";
  real->told = cpus != NULL;
  real->bound = cpus == NULL ? hw_bind_where() : (int)first;
  /* Where the system does not list them, threads are not bound, as where it cannot bind. */
  if (hw_bind_allowed(allowed) != 0 && cpus == NULL)
    return NULL;
  real->processor = calloc(HW_BIND_MOST, sizeof *real->processor);
  for (int i = 0; real->processor != NULL && i < HW_BIND_MOST; i++)
    if (cpus != NULL ? real_listed(cpus, i, &first) > 0 : allowed[i])
      real->processor[real->processors++] = (unsigned)i;
  if (hw_bind_one(real->bound) == 0)
    return NULL;
  real->processors = 0;
  return cpus == NULL ? NULL : "the processor cannot be had";
}

/* Binds the thread to the processor at that place.  False when that is refused. */
static bool real_take(struct real_machine *real, size_t place) {
  if (place >= real->processors || hw_bind_one((int)real->processor[place]) != 0)
    return false;
  real->bound = (int)real->processor[place];
  return true;
}

static void real_settle(struct hw_machine *machine, const bool *same, size_t place) {
  struct real_machine *real = real_of(machine);
  bool there = real->told;

  real->same = real->told ? NULL : calloc(real->processors, sizeof *real->same);
  for (size_t i = 0; i < real->processors; i++) {
    if (real->same != NULL)
      real->same[i] = same[i];
    there = there || (same[i] && (int)real->processor[i] == real->bound);
  }
  if (!there)
    (void)real_take(real, place);
}

static void real_move(struct hw_machine *machine) {
  struct real_machine *real = real_of(machine);
  size_t place = 0;

  if (real->same == NULL)
    return;
  while (place < real->processors && (int)real->processor[place] != real->bound)
    place++;
  for (size_t i = 1; i < real->processors; i++)
    if (real->same[(place + i) % real->processors] &&
        real_take(real, (place + i) % real->processors))
      return;
}

static const unsigned *real_processors(struct hw_machine *machine, size_t *n) {
  *n = real_of(machine)->processors;
  return real_of(machine)->processor;
}

static size_t real_online(struct hw_machine *machine) {
  (void)machine;
  return hw_bind_online();
}

/* n dependent loads along a ring in a mapping that has rings of other threads too. */
static void real_chase(struct real_machine *real, const struct hw_part *part, unsigned long n) {
  void **at = real->chased;

  if (at == NULL)
    at = (void **)(void *)(part->memory->base + part->offset);
  real->chased = hw_loops_walk(&real->ends, at, n);
}

/* Reads n bytes from where the last reading ended, and from the beginning again. */
static void real_read_on(struct hw_machine *machine, const struct hw_part *part, unsigned long n) {
  for (size_t rest = n; rest > 0;) {
    size_t left = part->bytes - part->memory->read, now = rest < left ? rest : left;

    real_stream(machine, part->memory, HW_STREAM_READ, part->memory->read, now);
    part->memory->read = now < left ? part->memory->read + now : 0;
    rest -= now;
  }
}

/* The smallest page, bytes. */
#define REAL_TOUCH 4096u

static void real_touch(const struct hw_part *part) {
  hw_memory_present(part->memory, part->offset + part->bytes);
  for (size_t at = 0; at < part->bytes; at += REAL_TOUCH)
    *(volatile unsigned *)(void *)(part->memory->base + part->offset + at) = 0;
}

/* Does n units of a part's work, in a thread of a team, with a machine of its own. */
static void real_piece(struct hw_machine *machine, const struct hw_part *part, unsigned long n) {
  if (part->work == HW_WORK_ISSUE)
    real_issue(machine, n);
  else if (part->work == HW_WORK_INT)
    hw_loops_divide_int(&real_of(machine)->ends, n);
  else if (part->work == HW_WORK_FP)
    hw_loops_divide_fp(&real_of(machine)->ends, n);
  else if (part->work == HW_WORK_CHASE)
    real_chase(real_of(machine), part, n);
  else if (part->work == HW_WORK_READ)
    real_read_on(machine, part, n);
  else if (part->work == HW_WORK_STORE)
    hw_threads_add(part->memory->base + part->offset, n);
  else if (part->work == HW_WORK_TOUCH)
    real_touch(part);
  else
    /* From the ring's start; writes nothing to the memory, whose ring other threads may walk. */
    (void)hw_loops_walk(&real_of(machine)->ends, part->memory->at, n);
}

/* Reads and writes a block, as wide as the flags allow: the transfer of lines between cores is to
   be measured, not accesses word by word, but for that of a few words. */
static void real_block(struct hw_machine *machine, void *block, size_t bytes) {
  volatile unsigned long *word = block;

  for (size_t i = 0; bytes < HW_STREAM_GRAIN && i < bytes / sizeof *word; i++)
    word[i]++;
  if (bytes < HW_STREAM_GRAIN)
    return;
  hw_loops_stream(&real_of(machine)->ends, HW_STREAM_READ, block, bytes);
  hw_loops_stream(&real_of(machine)->ends, HW_STREAM_WRITE, block, bytes);
}

static int real_team(struct hw_machine *machine, struct hw_part *part, size_t n) {
  const struct real_machine *real = real_of(machine);
  struct hw_thread *thread = calloc(n, sizeof *thread);
  struct real_machine **own = calloc(n, sizeof *own);
  const char *why = thread != NULL && own != NULL ? NULL : "out of memory";

  for (size_t i = 0; why == NULL && i < n; i++) {
    own[i] = malloc(sizeof **own);
    if (own[i] == NULL)
      why = "out of memory";
    else if (part[i].processor != HW_ANYWHERE && part[i].processor >= real->processors)
      why = "threads cannot be bound to processors";
    if (why != NULL)
      break;
    *own[i] = *real;
    thread[i] = (struct hw_thread){
        &own[i]->machine, &part[i],
        part[i].processor == HW_ANYWHERE ? -1 : (int)real->processor[part[i].processor]};
  }
  if (why == NULL) {
    real_unbind(real);
    why = hw_threads_run(thread, n, real_piece, real_block);
    if (real->processors > 0)
      (void)hw_bind_one(real->bound);
  }
  for (size_t i = 0; own != NULL && i < n; i++)
    free(own[i]);
  free(own);
  free(thread);
  if (why != NULL)
    machine->refused = why;
  return why == NULL ? 0 : -1;
}

static int real_reset(struct hw_machine *machine, uint64_t seed) {
  (void)machine;
  (void)seed;
  return 0;
}

static void real_close(struct hw_machine *machine) {
  hw_code_free(&real_of(machine)->code);
  free(real_of(machine)->processor);
  free(real_of(machine)->same);
  free(real_of(machine)->taken);
  free(real_of(machine));
}

/* Why times mean nothing in this program, or NULL. */
static const char *real_doubt(void) {
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer) || __has_feature(undefined_behavior_sanitizer)
  return "compiled with a sanitizer";
#else
  return NULL;
#endif
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  return "compiled with a sanitizer";
#else
  return NULL;
#endif
}

/* Dependent additions that are timed to know the cycle, and how often: the least counts. */
#define REAL_CYCLE_ADDITIONS (64UL * HW_GRAIN)
#define REAL_CYCLE_TIMES 5

/* Why times would mean nothing on this machine, or NULL. */
static const char *real_emulated(struct real_machine *real) {
  struct hw_machine *machine = &real->machine;
  double first = hw_emulator_first(machine, &real->code), cycle = HUGE_VAL;

  for (int i = 0; i < REAL_CYCLE_TIMES; i++) {
    double start = real_now(machine);
    real_add(machine, REAL_CYCLE_ADDITIONS);
    cycle = fmin(cycle, (real_now(machine) - start) / REAL_CYCLE_ADDITIONS);
  }
  return hw_emulator_seen(first, cycle) ? "an emulator translates the program" : NULL;
}

static const struct hw_machine_ops real_ops = {.reset = real_reset,
                                               .now = real_now,
                                               .usage = real_usage,
                                               .add = real_add,
                                               .issue = real_issue,
                                               .map = hw_memory_map,
                                               .unmap = hw_memory_unmap,
                                               .link = hw_memory_link,
                                               .enter = hw_memory_enter,
                                               .walk = real_walk,
                                               .walk_slowly = real_walk_slowly,
                                               .walk_chains = real_walk_chains,
                                               .store = real_store,
                                               .stream = real_stream,
                                               .bypass = real_bypass,
                                               .multiply = real_multiply,
                                               .code = real_code,
                                               .code_link = real_code_link,
                                               .code_walk = real_code_walk,
                                               .nano_state = real_nano_state,
                                               .nano_take = real_nano_take,
                                               .nano_outcomes = real_nano_outcomes,
                                               .nano = real_nano,
                                               .processors = real_processors,
                                               .online = real_online,
                                               .settle = real_settle,
                                               .move = real_move,
                                               .team = real_team,
                                               .close = real_close};

struct hw_machine *hw_machine_real(const char *cpus, const char **error) {
  struct real_machine *real = calloc(1, sizeof *real);

  *error = real == NULL ? "out of memory" : real_bind(real, cpus);
  if (*error != NULL) {
    if (real != NULL)
      free(real->processor);
    free(real);
    return NULL;
  }
  real->machine = (struct hw_machine){.ops = &real_ops,
                                      .clock = "CLOCK_MONOTONIC",
                                      .doubt = real_doubt(),
                                      .pages = HW_LOOPS_WALK_PAGES};
  real->ends.addend = 0x9e3779b9u;
  real->ends.mask = 0x7f4a7c15u;
  real->ends.one = 1;
  real->ends.fp_one = 1;
  clock_gettime(CLOCK_MONOTONIC, &real->origin);
  if (real->machine.doubt == NULL)
    real->machine.doubt = real_emulated(real);
  return &real->machine;
}
