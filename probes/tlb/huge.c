/* A larger page that the system hands out.

   Curve   huge_asked_fit: x offset (bytes), y share of mappings, with larger pages asked for, in
           which the first store there finds its page, after stores to all lower offsets of the
           curve.  huge_asked_full: the same of a second store there.
           huge_plain_fit, huge_plain_full: both with ordinary pages.
           huge_cost: x 0 ordinary, 1 asked for; y what the first store to a mapping takes (ns).
   Method  The system hands out a page when it is first stored to, which takes hundreds of times as
           long as a store.  In a fresh mapping that is aligned to any of them the stores go to the
           powers of two and to what is just below: the first power that has to be handed out again
           is the page, if what is just below the next one is there, and the next one is not.  The
           fit test decides each offset: a first store that finds its page is one that fits; second
           stores are its controls, and the first store to a mapping is what surely misses.
   Rows    HUGE_PAGE_BYTES.
   Cost    20 ms with pages of 2 MiB; no more than four times as long, and 256 MiB of addresses.
   Limits  Pages from 1 KiB to 64 MiB.  Where memory is in pieces the system hands out ordinary
   pages instead; it is enough that it does not do so most of the time. See     BB 3.2. */
#include "analysis/fit.h"
#include "analysis/names.h"

#include "analysis/samples.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>

/* The least offset, which divides any page, and the largest page. */
#define HUGE_LEAST ((size_t)512)
#define HUGE_MOST ((size_t)64 << 20)
/* Offsets: a power of two up to twice that, and what is just below. */
#define HUGE_POINTS 40u
/* Bytes from one store to the next of the same offset: another line of most machines. */
#define HUGE_LINE ((size_t)64)
/* Rounds that decide when nothing disturbs them: see analysis/fit.c for how many that takes; and
   how often as many are taken. */
#define HUGE_ROUNDS 24u
#define HUGE_TRIES 4u
/* A page that is handed out takes so many times a store at least. */
#define HUGE_APART 4.0
/* A first store finds its page as often as a second one does: nothing can spoil it more. */
#define HUGE_SURE ((struct hw_fit_odds){1e-6, 1})

enum huge_kind { HUGE_PLAIN, HUGE_ASKED, HUGE_KINDS };

static const char *const huge_fit[] = {"huge_plain_fit", "huge_asked_fit"};
static const char *const huge_full[] = {"huge_plain_full", "huge_asked_full"};

struct huge_job {
  struct hw_bench *bench;
  struct hw_fit_floor floor; /* of stores that find their page, ns */
  size_t x[HUGE_POINTS];     /* offsets, ascending */
  size_t n;
  struct hw_fit_counts counts[HUGE_KINDS][HUGE_POINTS];
  double first[HUGE_KINDS][HUGE_TRIES * HUGE_ROUNDS]; /* stores to a mapping, ns */
  size_t rounds;
};

/* What a store takes, ns, reading the clock included. */
static double huge_store(struct hw_bench *bench, struct hw_memory *memory, size_t offset) {
  struct hw_machine *machine = bench->machine;
  double start = machine->ops->now(machine);

  machine->ops->store(machine, memory, &offset, 1);
  return machine->ops->now(machine) - start;
}

/* Bytes of a mapping. */
static size_t huge_bytes(const struct huge_job *job) { return job->x[job->n - 1] + 4 * HUGE_LINE; }

/* Learns what a store takes that finds its page, from mappings of ordinary ones: no floor where
   that is as much as one that does not.  Between the two lie orders of magnitude.  0, or -1 when
   memory is short. */
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

/* Stores to a fresh mapping, up to the second power of two in a row that has to be handed out. */
static int huge_mapping(struct huge_job *job, enum huge_kind kind) {
  struct hw_machine *machine = job->bench->machine;
  struct hw_memory *memory = machine->ops->map(machine, huge_bytes(job),
                                               kind == HUGE_ASKED ? HW_PAGES_HUGE : HW_PAGES_PLAIN);
  struct hw_fit_round round;
  unsigned handed = 0;

  if (memory == NULL)
    return -1;
  round.missing = job->first[kind][job->rounds] = huge_store(job->bench, memory, 0);
  round.before = huge_store(job->bench, memory, HUGE_LINE);
  for (size_t i = 0; i < job->n && handed < 2; i++) {
    size_t x = job->x[i];
    round.target = huge_store(job->bench, memory, x);
    round.full = huge_store(job->bench, memory, x + HUGE_LINE);
    round.after = huge_store(job->bench, memory, x + 2 * HUGE_LINE);
    hw_fit_add(&job->counts[kind][i], &round, 1, &job->floor);
    round.before = round.after;
    if ((x & (x - 1)) == 0)
      handed = round.target > job->floor.high ? handed + 1 : 0;
  }
  machine->ops->unmap(machine, memory);
  return 0;
}

/* Publishes the counts of a kind.  0, or -1 without memory. */
static int huge_publish(struct huge_job *job, enum huge_kind kind) {
  struct hw_curve fit, full;
  int result = 0;

  hw_curve_init(&fit, huge_fit[kind], "offset (bytes)", "first stores that find their page");
  hw_curve_init(&full, huge_full[kind], "offset (bytes)", "second stores that do");
  for (size_t i = 0; i < job->n && result == 0; i++)
    if (job->counts[kind][i].rounds > 0)
      result = hw_fit_put(&fit, &full, (double)job->x[i], &job->counts[kind][i]);
  result = hw_publish(job->bench, &fit, "huge", result);
  return hw_publish(job->bench, &full, "huge", result);
}

/* Publishes what the first stores took. */
static int huge_publish_cost(struct huge_job *job) {
  struct hw_curve cost;
  int result = 0;

  hw_curve_init(&cost, HW_NAME_HUGE_COST, "ordinary (0), asked for (1)",
                "first store to a mapping (ns)");
  for (size_t kind = 0; kind < HUGE_KINDS && result == 0; kind++) {
    struct hw_point p = hw_low_end(job->first[kind], job->rounds);
    p.x = (double)kind;
    result = hw_curve_put(&cost, p);
  }
  return hw_publish(job->bench, &cost, "huge", result);
}

/* The offsets, as many as there is memory for. */
static void huge_grid(struct huge_job *job) {
  for (size_t x = HUGE_LEAST; x <= 2 * HUGE_MOST && x <= job->bench->memory / 2; x *= 2) {
    if (x > 2 * HUGE_LEAST)
      job->x[job->n++] = x - HUGE_LEAST;
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
    return huge_publish(&job, HUGE_PLAIN);
  for (unsigned try = 0; try < HUGE_TRIES && !hw_late(bench); try++) {
    for (unsigned i = 0; i < HUGE_ROUNDS; i++, job.rounds++)
      if (huge_mapping(&job, HUGE_PLAIN) < 0 || huge_mapping(&job, HUGE_ASKED) < 0)
        return -1;
    if (huge_publish(&job, HUGE_PLAIN) < 0 || huge_publish(&job, HUGE_ASKED) < 0 ||
        huge_publish_cost(&job) < 0)
      return -1;
    answer = hw_value_huge_page_bytes(&bench->curves);
    if (answer.known || answer.settled)
      break;
  }
  return 0;
}

/* Whether the first store there finds its page, and in *error, to which it is added, with which
   probability that is wrong. */
static enum hw_fit_verdict huge_there(const struct hw_curves *curves, enum huge_kind kind, double x,
                                      double *error) {
  struct hw_fit_answer answer = hw_fit_read(hw_curves_get(curves, huge_fit[kind]),
                                            hw_curves_get(curves, huge_full[kind]), x, HUGE_SURE);

  *error += answer.error;
  return answer.verdict;
}

/* The page of a kind of mappings. */
static struct hw_answer huge_page(const struct hw_curves *curves, enum huge_kind kind) {
  static const char method[] = "first stores that wait for a page";
  const struct hw_curve *fit = hw_curves_get(curves, huge_fit[kind]);
  const double least = HUGE_LEAST;
  double error = 0, page = least;

  if (fit == NULL)
    return hw_unknown(method, "its curves were not measured");
  if (fit->n == 0)
    return hw_absent(method, "a first store takes no longer than others");
  while (page <= fit->point[fit->n - 1].x && huge_there(curves, kind, page, &error) == HW_FIT_YES &&
         (page <= least || huge_there(curves, kind, 2 * page - least, &error) == HW_FIT_YES))
    page *= 2;
  if (huge_there(curves, kind, page, &error) != HW_FIT_NO)
    return hw_unknown(method, "it is not clear how far a page reaches");
  if (huge_there(curves, kind, 2 * page, &error) != HW_FIT_NO ||
      huge_there(curves, kind, 2 * page - least, &error) != HW_FIT_YES)
    return hw_unknown(method, "the next page is not as large");
  return hw_known(method, page, 0, hw_fit_clarity(error));
}

struct hw_answer hw_read_huge_page_bytes(const struct hw_curves *curves) {
  struct hw_answer plain = huge_page(curves, HUGE_PLAIN), asked = huge_page(curves, HUGE_ASKED);
  const struct hw_curve *cost = hw_curves_get(curves, HW_NAME_HUGE_COST);

  if (!plain.known)
    return plain;
  if (!asked.known)
    return asked;
  if (asked.value < 1.5 * plain.value)
    return hw_absent(asked.method, "the system hands out no larger page");
  if (cost == NULL || cost->n != HUGE_KINDS)
    return hw_unknown(asked.method, "what a page costs was not measured");
  if (cost->point[HUGE_ASKED].y / asked.value > cost->point[HUGE_PLAIN].y / plain.value)
    return hw_absent(asked.method, "a larger page costs more than those that it stands for");
  return asked;
}
