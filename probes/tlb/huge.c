/* The huge page that the system maps.

   Curve   huge_asked_fit: x offset (bytes), y share of mappings, with larger pages asked for, in
           which the first store there finds its page, after stores to all lower offsets of the
           curve.  huge_asked_full: the same of a second store there.
           huge_plain_fit, huge_plain_full: both with ordinary pages.
           huge_cost: x 0 ordinary, 1 asked for; y time of the first store to a mapping (ns).
   Method  The system maps a page at its first store (a page fault), which takes hundreds of times
           as long as a store.  In a fresh mapping, aligned to the largest page, the stores go to
           powers of two and to just below each, up to the second power in a row that faults.  The
           fit test decides each offset: a first store that finds its page mapped is one that fits;
           second stores are its controls, and the first store to a mapping is the one that surely
           misses.
   Rows    HUGE_PAGE_BYTES.
   Cost    20 ms with pages of 2 MiB; no more than four times as long, and 256 MiB of addresses.
   Limits  Pages from 1 KiB to 64 MiB.
   See     BB 3.2. */
#include "analysis/rows/huge.h"

#include "analysis/fit.h"
#include "analysis/names.h"

#include "analysis/samples.h"
#include "probes/probe.h"

#include <math.h>

/* The largest page that is looked for, bytes. */
#define HUGE_MOST ((size_t)64 << 20)
/* Room for offsets: the powers of two up to twice that, and one just below each. */
#define HUGE_POINTS 40u
/* Bytes from one store to the next of the same offset: in the same page, however small, and in
   another line of most machines. */
#define HUGE_LINE ((size_t)64)
/* Rounds that decide if undisturbed (see analysis/fit.c for the number); and times that as many are
   taken, at most. */
#define HUGE_ROUNDS 24u
#define HUGE_TRIES 4u
/* A page fault takes at least this many times the time of a store. */
#define HUGE_APART 4.0

struct huge_job {
  struct hw_bench *bench;
  struct hw_fit_floor floor; /* of stores that find their page, ns */
  size_t x[HUGE_POINTS];     /* offsets, ascending */
  size_t n;
  struct hw_fit_counts counts[HW_HUGE_KINDS][HUGE_POINTS];
  double first[HW_HUGE_KINDS][HUGE_TRIES * HUGE_ROUNDS]; /* stores to a mapping, ns */
  size_t rounds;
};

/* Time of a store, ns, reading the clock included. */
static double huge_store(struct hw_bench *bench, struct hw_memory *memory, size_t offset) {
  struct hw_machine *machine = bench->machine;
  double start = machine->ops->now(machine);

  machine->ops->store(machine, memory, &offset, 1);
  return machine->ops->now(machine) - start;
}

/* Bytes of a mapping. */
static size_t huge_bytes(const struct huge_job *job) { return job->x[job->n - 1] + 4 * HUGE_LINE; }

/* Learns the time of a store that finds its page, from mappings of ordinary pages: the floor ends
   at the geometric mean of that and a page fault, orders of magnitude apart; no floor if they do
   not differ.  0, or -1 when memory is short. */
static int huge_learn(struct huge_job *job) {
  struct hw_machine *machine = job->bench->machine;
  double first[HUGE_ROUNDS], second[HUGE_ROUNDS], there, handed;

  for (size_t i = 0; i < HUGE_ROUNDS; i++) {
    struct hw_memory *memory = machine->ops->map(machine, huge_bytes(job), HW_PAGES_PLAIN);
    if (memory == NULL)
      return -1;
    first[i] = huge_store(job->bench, memory, 0);
    second[i] = huge_store(job->bench, memory, HUGE_LINE);
    machine->ops->unmap(machine, memory);
  }
  there = hw_low_end(second, HUGE_ROUNDS).y;
  handed = hw_low_end(first, HUGE_ROUNDS).y;
  if (handed > HUGE_APART * there)
    job->floor.high = there > 0 ? sqrt(there * handed) : handed / HUGE_APART;
  return 0;
}

/* Stores to a fresh mapping, up to the second power of two in a row that faults. */
static int huge_mapping(struct huge_job *job, enum hw_huge_kind kind) {
  struct hw_machine *machine = job->bench->machine;
  struct hw_memory *memory = machine->ops->map(
      machine, huge_bytes(job), kind == HW_HUGE_ASKED ? HW_PAGES_HUGE : HW_PAGES_PLAIN);
  struct hw_fit_round round;
  unsigned handed = 0;

  if (memory == NULL)
    return -1;
  round.y[HW_FIT_MISSING] = job->first[kind][job->rounds] = huge_store(job->bench, memory, 0);
  round.y[HW_FIT_BEFORE] = huge_store(job->bench, memory, HUGE_LINE);
  for (size_t i = 0; i < job->n && handed < 2; i++) {
    size_t x = job->x[i];
    round.y[HW_FIT_TARGET] = huge_store(job->bench, memory, x);
    round.y[HW_FIT_FULL] = huge_store(job->bench, memory, x + HUGE_LINE);
    round.y[HW_FIT_AFTER] = huge_store(job->bench, memory, x + 2 * HUGE_LINE);
    hw_fit_add(&job->counts[kind][i], &round, 1, &job->floor);
    round.y[HW_FIT_BEFORE] = round.y[HW_FIT_AFTER];
    if ((x & (x - 1)) == 0)
      handed = round.y[HW_FIT_TARGET] > job->floor.high ? handed + 1 : 0;
  }
  machine->ops->unmap(machine, memory);
  return 0;
}

/* Publishes the counts of a kind.  0, or -1 without memory. */
static int huge_publish(struct huge_job *job, enum hw_huge_kind kind) {
  struct hw_curve fit, full;
  int result = 0;

  hw_curve_init(&fit, hw_huge_fit[kind], "offset (bytes)", "first stores that find their page");
  hw_curve_init(&full, hw_huge_full[kind], "offset (bytes)", "second stores that do");
  for (size_t i = 0; i < job->n && result == 0; i++)
    if (job->counts[kind][i].rounds > 0)
      result = hw_fit_put(&fit, &full, (double)job->x[i], &job->counts[kind][i]);
  result = hw_publish(job->bench, &fit, "huge", result);
  return hw_publish(job->bench, &full, "huge", result);
}

/* Publishes the times of the first stores. */
static int huge_publish_cost(struct huge_job *job) {
  struct hw_curve cost;
  int result = 0;

  hw_curve_init(&cost, HW_NAME_HUGE_COST, "ordinary (0), asked for (1)",
                "first store to a mapping (ns)");
  for (size_t kind = 0; kind < HW_HUGE_KINDS && result == 0; kind++) {
    struct hw_point p = hw_low_end(job->first[kind], job->rounds);
    p.x = (double)kind;
    result = hw_curve_put(&cost, p);
  }
  return hw_publish(job->bench, &cost, "huge", result);
}

/* Sets the offsets, as many as there is memory for. */
static void huge_grid(struct huge_job *job) {
  for (size_t x = HW_HUGE_LEAST; x <= 2 * HUGE_MOST && x <= job->bench->memory / 2; x *= 2) {
    if (x > 2 * HW_HUGE_LEAST)
      job->x[job->n++] = x - HW_HUGE_LEAST;
    job->x[job->n++] = x;
  }
}

int hw_probe_huge(struct hw_bench *bench) {
  struct huge_job job = {.bench = bench};
  struct hw_answer answer;

  huge_grid(&job);
  if (job.n == 0 || huge_learn(&job) < 0)
    return -1;
  if (!(job.floor.high > 0))
    return huge_publish(&job, HW_HUGE_PLAIN);
  for (unsigned try = 0; try < HUGE_TRIES && !hw_late(bench); try++) {
    for (unsigned i = 0; i < HUGE_ROUNDS; i++, job.rounds++)
      if (huge_mapping(&job, HW_HUGE_PLAIN) < 0 || huge_mapping(&job, HW_HUGE_ASKED) < 0)
        return -1;
    if (huge_publish(&job, HW_HUGE_PLAIN) < 0 || huge_publish(&job, HW_HUGE_ASKED) < 0 ||
        huge_publish_cost(&job) < 0)
      return -1;
    answer = hw_value_huge_page_bytes(&bench->curves);
    if (answer.known || answer.settled)
      break;
  }
  return 0;
}
