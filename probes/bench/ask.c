/* Rounds of samples for the fit test.

   All sequences of a round lie in the same pages, so that TLB misses cost each the same, begin at a
   random place, so that another process's line in one set does not decide, and are walked in random
   order.  A sample is as short as the clock allows: its length is the one that gives most rounds
   that count in the time they take.  The cycle is the least of those sampled around: noise can only
   lengthen it.

   A busy SMT sibling can make what fits miss, and not only at times: a core may reserve some ways
   of every set for the sibling while it runs at all, so that the nearly full sequence is at the
   floor each time, and the target never.  So "it fits" is believed in any case, and "it does not
   fit" only from rounds during which the core was left alone, or against a sequence that fills its
   sets, of which the sibling would take as much.  If nothing tells whether the core was left
   alone, the test is blind: it ends as soon as the target does not seem to fit. */
#include "probes/bench/ask.h"

#include "analysis/environment.h"
#include "analysis/samples.h"
#include "probes/bench/idle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Loads that are spread keep to blocks of this many bytes, no longer than a page of any machine
   today. */
#define ASK_BLOCK 4096u
/* In a control they lie in consecutive lines, HW_LINE_USUAL apart first, and then between these:
   the shortest line, bytes. */
#define ASK_LINE 32u
/* Offset, bytes, that takes spread loads to another set than those at the stride: these lie at
   multiples of a power of two of a line or more, and this is no multiple of any. */
#define ASK_ASIDE (HW_LINE_LONGEST - ASK_LINE)
/* Laps before a sample: a replacement policy other than LRU takes some to settle; and laps of a
   sample at least, so that a set that is too full misses a few times in each. */
#define ASK_WARM 16u
#define ASK_LAPS 4u
/* Rounds of a trial: half of them is more than chance. */
#define ASK_TRIAL 12u
/* The length of a sample is doubled while a trial takes less than this part of the time there is:
   all together then take no more than an eighth. */
#define ASK_TRIALS 16
/* Most loads of a sample, as a multiple of the bench's additions of a sample: a clock that does not
   resolve these resolves none. */
#define ASK_SAFE 16
/* This many rounds that count differ from none by two standard errors; fewer may be chance. */
#define ASK_TOLD 5u
/* When this part of the time is over, the length is looked for again: a burst may have spoilt the
   trials. */
#define ASK_FIRST 4
/* The rounds are looked at again when there are more by one in this many: a look costs in
   proportion to their number. */
#define ASK_NEXT 4u
/* Time of the rounds, one at least, between two looks whether the core is left alone, ns: an SMT
   sibling is busy for milliseconds, and a look takes a fifth of this. */
#define ASK_LOOKED 6e4
/* Time for which the core has to be left alone, ns: a sibling's thread that waits hardly shows, but
   still has its ways of level 1; a hypervisor has it poll for some 200 us before it halts. */
#define ASK_RUN 2e5
/* Length of a look, ns: the SMT sibling's work has pauses that a shorter one may fall into. */
#define ASK_LOOK 1e4
/* Floors that share the probability of error: of a single miss, and the widest. */
#define ASK_FLOORS 2
/* Where levels are compared in cycles a sample is as long as the bench's: what a reading of the
   clock takes beside it is not known better.  Cycles of a load, at least. */
#define ASK_LOAD 4
/* Ticks of the clock that the width of a floor is to hold: a sample's two ends are off by one each.
 */
#define ASK_TICKS 2
/* The cycle is sampled next to each round, for this part of the bench's additions of a sample; the
   least of ASK_WINDOW rounds on either side counts. */
#define ASK_ADDS 2
#define ASK_WINDOW 4u

/* A round as it was taken. */
struct ask_round {
  struct hw_fit_round ns; /* ns a load */
  double cycle;           /* ns, next to it */
  bool alone;             /* whether the core was left alone meanwhile */
};

/* Rounds since which the core is left alone. */
struct ask_run {
  bool lasts;   /* it still is */
  size_t first; /* the first round not yet noted as such */
  double begin; /* when the first of all began, ns by the machine's clock */
};

/* A question while it is asked. */
struct ask_job {
  struct hw_bench *bench;
  struct hw_memory *memory;
  const struct hw_fit_question *question;
  struct hw_idle core;
  struct ask_run run;
  bool blind;              /* the baseline of a core left alone is not clear */
  bool stuck;              /* so the target that does not seem to fit stays undecided */
  double end;              /* when to give up, ns by the machine's clock */
  double spent;            /* ns on the rounds, without looks at the core */
  struct ask_round *round; /* n of them */
  size_t n;
  size_t room;
  size_t *offset;      /* for the longest sequence */
  unsigned long loads; /* of a sample */
  size_t block;        /* where rounds begin that lie in the same pages */
};

/* A trial of a length. */
struct ask_trial {
  unsigned long loads;  /* of a sample */
  unsigned long rounds; /* that count, with what is nearly as full at the floor */
  bool told;            /* whether the clock resolves its floor's width */
  double ns;            /* that it took */
};

/* Where in its block the i-th load lies in a control. */
static size_t ask_place(size_t i) {
  const size_t lines = ASK_BLOCK / HW_LINE_USUAL, between = HW_LINE_USUAL / ASK_LINE;

  return i % lines * HW_LINE_USUAL + i / lines % between * ASK_LINE +
         i / lines / between * sizeof(void *) % ASK_LINE;
}

/* Where the i-th load lies of a sequence of pages. */
static size_t ask_paged(const struct hw_fit_sequence *sequence, size_t i) {
  const size_t k = i % sequence->kept, again = i / sequence->kept;
  const size_t sharers = sequence->page > sequence->stride ? sequence->page / sequence->stride : 1;
  const size_t lines = sequence->page / sharers / sequence->line;

  return k * sequence->stride + (k / sharers + again) % (lines > 0 ? lines : 1) * sequence->line;
}

/* Lays out a sequence from start on. */
static void ask_arrange(const struct hw_fit_sequence *sequence, size_t start, size_t *offset) {
  for (size_t i = 0; i < sequence->n; i++) {
    size_t at = start + i * sequence->stride + (2 * i < sequence->n ? 0 : sequence->shift);
    if (sequence->page > 0)
      at = start + ask_paged(sequence, i);
    else if (i >= sequence->kept)
      at = at - at % ASK_BLOCK +
           (start + (sequence->kept > 0 ? ASK_ASIDE : ask_place(i))) % ASK_BLOCK;
    offset[i] = at;
  }
}

/* Loads of n that are walked at a time: a grain, or all where each call would use pages that count.
 */
static unsigned long ask_grain(const struct ask_job *job, unsigned long n) {
  return job->question->laps > 0 ? n : HW_GRAIN;
}

/* Walks n loads. */
static void ask_walk(const struct ask_job *job, unsigned long n) {
  struct hw_machine *machine = job->bench->machine;
  const unsigned long grain = ask_grain(job, n);

  if (job->question->pauses > 0)
    machine->ops->walk_slowly(machine, job->memory, n, job->question->pauses);
  else
    for (; n > 0; n -= grain)
      machine->ops->walk(machine, job->memory, grain);
}

/* A sample of a sequence, ns a load, in *y.  0, or -1 when memory is short. */
static int ask_sample(const struct ask_job *job, const struct hw_fit_sequence *sequence,
                      size_t start, double *y) {
  struct hw_machine *machine = job->bench->machine;
  double begin;

  ask_arrange(sequence, start, job->offset);
  hw_random_order(&job->bench->random, job->offset, sequence->n);
  if (machine->ops->link(machine, job->memory, job->offset, sequence->n) < 0)
    return -1;
  if (sequence != &job->question->missing)
    ask_walk(job, hw_grains((double)(ASK_WARM * sequence->n)));
  begin = machine->ops->now(machine);
  ask_walk(job, job->loads);
  *y = (machine->ops->now(machine) - begin - job->bench->read_ns) / (double)job->loads;
  return 0;
}

/* A sample of the cycle, ns, as long as the others at least. */
static double ask_cycle(const struct ask_job *job) {
  struct hw_machine *machine = job->bench->machine;
  unsigned long calls = job->loads / ask_grain(job, job->loads);
  unsigned long adds = hw_grains((double)job->bench->adds / ASK_ADDS / (double)calls);
  double begin = machine->ops->now(machine);

  for (unsigned long i = 0; i < calls; i++)
    machine->ops->add(machine, adds);
  return (machine->ops->now(machine) - begin - job->bench->read_ns) / (double)(calls * adds);
}

/* Room for another round.  0, or -1 without memory. */
static int ask_grow(struct ask_job *job) {
  size_t room = 2 * job->room + ASK_TRIAL;
  struct ask_round *round;

  if (job->n < job->room)
    return 0;
  round = realloc(job->round, room * sizeof *round);
  if (round == NULL)
    return -1;
  job->round = round;
  job->room = room;
  return 0;
}

/* Takes a round: the others in random order between two controls.  0, or -1. */
static int ask_round(struct ask_job *job) {
  const struct hw_fit_question *ask = job->question;
  const struct hw_fit_sequence *sequence[] = {&ask->full, &ask->target, &ask->missing,
                                              &ask->control, &ask->control};
  struct hw_random *random = &job->bench->random;
  size_t order[] = {HW_FIT_BEFORE, HW_FIT_FULL, HW_FIT_TARGET, HW_FIT_MISSING, HW_FIT_AFTER};
  size_t start = hw_random_below(random, HW_FIT_START / ask->align) * ask->align;
  struct ask_round round = {.alone = false};

  if (ask_grow(job) < 0)
    return -1;
  if (ask->still)
    start = job->block + start % ASK_BLOCK;
  hw_random_order(random, order + 1, HW_FIT_SAMPLES - 2);
  round.cycle = ask_cycle(job);
  for (size_t i = 0; i < HW_FIT_SAMPLES; i++)
    if (ask_sample(job, sequence[order[i]], start, &round.ns.y[order[i]]) < 0)
      return -1;
  job->round[job->n++] = round;
  return 0;
}

/* The most cycles of an independent addition seen within ASK_LOOK; 0 when it does not matter. */
static double ask_core(struct ask_job *job) {
  struct hw_machine *machine = job->bench->machine;
  double begin = machine->ops->now(machine), issue = 0;

  do
    issue = fmax(issue, hw_idle_look(&job->core));
  while (issue > 0 && machine->ops->now(machine) - begin < ASK_LOOK);
  return issue;
}

/* Waits until the core is left alone, in time that job->end does not count, and looks. */
static double ask_await(struct ask_job *job) {
  struct hw_machine *machine = job->bench->machine;
  double begin = machine->ops->now(machine);

  hw_idle_await(&job->core);
  job->end += machine->ops->now(machine) - begin;
  return ask_core(job);
}

/* Notes whether the core was left alone since the i-th round began, at begin: the rounds count once
   that lasted for ASK_RUN. */
static void ask_note(struct ask_job *job, bool alone, size_t i, double begin) {
  if (!alone) {
    job->run.lasts = false;
    return;
  }
  if (!job->run.lasts)
    job->run = (struct ask_run){.lasts = true, .first = i, .begin = begin};
  if (hw_now(job->bench) - job->run.begin >= ASK_RUN)
    for (; job->run.first < job->n; job->run.first++)
      job->round[job->run.first].alone = true;
}

/* Takes rounds until there are rounds of them, or it is time to give up, and notes during which the
   core was left alone; waits for that if asked to.  0, or -1. */
static int ask_take(struct ask_job *job, size_t rounds, bool wait) {
  struct hw_machine *machine = job->bench->machine;
  double before = ask_core(job), after, begin;

  while (job->n < rounds && machine->ops->now(machine) < job->end) {
    size_t i = job->n;

    if (wait && !job->blind && !hw_idle(&job->core, before))
      before = ask_await(job);
    begin = machine->ops->now(machine);
    do
      if (ask_round(job) < 0)
        return -1;
    while (job->n < rounds && machine->ops->now(machine) - begin < ASK_LOOKED);
    job->spent += machine->ops->now(machine) - begin;
    after = ask_core(job);
    ask_note(job, !job->blind && hw_idle(&job->core, fmax(before, after)), i, begin);
    before = after;
  }
  return 0;
}

/* Puts the rounds in cycles into out[], by the least cycle of the rounds around each.  Returns how
   many: all, or those at which the core was left alone. */
static size_t ask_cycles(const struct ask_job *job, bool alone, struct hw_fit_round *out) {
  size_t n = 0;

  for (size_t i = 0; i < job->n; i++) {
    size_t from = i > ASK_WINDOW ? i - ASK_WINDOW : 0;
    const struct hw_fit_round *in = &job->round[i].ns;
    double cycle = INFINITY;

    if (alone && !job->round[i].alone)
      continue;
    for (size_t k = from; k < job->n && k <= i + ASK_WINDOW; k++)
      if (job->round[k].cycle > 0)
        cycle = fmin(cycle, job->round[k].cycle);
    for (size_t k = 0; k < HW_FIT_SAMPLES; k++)
      out[n].y[k] = in->y[k] / cycle;
    n++;
  }
  return n;
}

/* The low ends of the rounds that count. */
static void ask_levels(const struct hw_fit_round *round, size_t n, double *scratch,
                       struct hw_fit_found *found) {
  size_t targets = 0, hits = 0;

  for (size_t i = 0; i < n; i++)
    if (hw_fit_bracket(&round[i], &found->floor) && round[i].y[HW_FIT_TARGET] >= found->floor.low)
      scratch[targets++] = round[i].y[HW_FIT_TARGET];
  found->level = hw_low_end(scratch, targets);
  for (size_t i = 0; i < n; i++)
    if (hw_fit_bracket(&round[i], &found->floor))
      scratch[hits++] = round[i].y[HW_FIT_BEFORE];
  found->hit = hw_low_end(scratch, hits);
}

/* The answer of n rounds by a floor no wider than least, cycles a load. */
static void ask_decide(const struct ask_job *job, const struct hw_fit_round *round, size_t n,
                       double least, double *scratch, struct hw_fit_found *found) {
  struct hw_fit_odds odds = job->question->odds;

  odds.epsilon /= ASK_FLOORS;
  found->floor = hw_fit_floor(round, n, least, scratch);
  found->counts = hw_fit_count(round, n, &found->floor);
  found->answer = hw_fit_decide(&found->counts, odds);
}

/* The greatest width of a floor, cycles a load, that a single miss a lap lies above. */
static double ask_width(const struct ask_job *job) {
  const struct hw_fit_question *ask = job->question;

  return ask->miss > 0 ? ask->miss / (double)(2 * ask->target.n) : INFINITY;
}

/* The answer of n rounds.  "It fits" needs a floor narrow enough that a single miss a lap lies
   above it.  Sequences that miss on most loads lie above the widest floor too, where they show
   despite noise that hides a single miss. */
static void ask_read(const struct ask_job *job, const struct hw_fit_round *round, size_t n,
                     double *scratch, struct hw_fit_found *found) {
  struct hw_fit_found wide;

  ask_decide(job, round, n, ask_width(job), scratch, found);
  ask_decide(job, round, n, INFINITY, scratch, &wide);
  if (found->answer.verdict == HW_FIT_UNKNOWN && wide.answer.verdict == HW_FIT_NO)
    *found = wide;
  ask_levels(round, n, scratch, found);
}

/* Looks at all rounds so far, and if they say that it does not fit, at those during which the core
   was left alone instead, unless the sequence nearly as full is filled; sets *wait then: only such
   rounds help.  0, or -1 without memory. */
static int ask_look(const struct ask_job *job, struct hw_fit_found *found, bool *wait) {
  struct hw_fit_round *round = calloc(job->n, sizeof *round);
  double *scratch = calloc(2 * job->n, sizeof *scratch);
  int result = -1;

  if (round != NULL && scratch != NULL) {
    ask_read(job, round, ask_cycles(job, false, round), scratch, found);
    *wait = found->answer.verdict == HW_FIT_NO && !job->question->filled;
    if (*wait)
      ask_read(job, round, ask_cycles(job, true, round), scratch, found);
    result = 0;
  }
  free(round);
  free(scratch);
  return result;
}

/* Whether the clock resolves the width of a floor that begins at the lowest control so far. */
static bool ask_told(const struct ask_job *job) {
  double cycle = INFINITY, lowest = INFINITY;

  for (size_t i = 0; i < job->n; i++) {
    cycle = fmin(cycle, job->round[i].cycle);
    lowest =
        fmin(lowest, fmin(job->round[i].ns.y[HW_FIT_BEFORE], job->round[i].ns.y[HW_FIT_AFTER]));
  }
  return cycle > 0 && hw_fit_width(lowest / cycle, ask_width(job)) * cycle * (double)job->loads >=
                          ASK_TICKS * job->bench->step_ns;
}

/* Takes the rounds of a trial with samples of that many loads, while the core is left alone: beside
   a busy SMT sibling longer ones do no better.  0, or -1. */
static int ask_try(struct ask_job *job, unsigned long loads, struct ask_trial *trial) {
  struct hw_fit_found found;
  bool wait;

  job->loads = loads;
  job->n = 0;
  job->run.lasts = false;
  job->spent = 0;
  if (ask_take(job, ASK_TRIAL, true) < 0 || job->n == 0 || ask_look(job, &found, &wait) < 0)
    return -1;
  *trial = (struct ask_trial){
      .loads = loads, .rounds = found.counts.full.floor, .told = ask_told(job), .ns = job->spent};
  return 0;
}

/* Whether the trial has more rounds that count per time than the best, a clear number first. */
static bool ask_better(const struct ask_trial *trial, const struct ask_trial *best) {
  bool clear = trial->rounds >= ASK_TOLD;

  if (clear != (best->rounds >= ASK_TOLD))
    return clear;
  return (double)trial->rounds / trial->ns > (double)best->rounds / best->ns;
}

/* The fewest loads of a sample. */
static unsigned long ask_shortest(const struct ask_job *job) {
  const struct hw_fit_question *ask = job->question;
  const double n = (double)ask->target.n;

  if (ask->laps == 0)
    return hw_grains(ASK_LAPS * n);
  return hw_grains(
      fmax((double)ask->laps * n, (double)job->bench->adds / (ASK_LOAD + ask->pauses * HW_PAUSE)));
}

/* Finds the length of a sample with most rounds that count per time: no shorter than what the clock
   resolves, and no longer than the first at which half of them count.  Stops when a trial takes
   more than 1/ASK_TRIALS of the time left.  0, or -1, also when the clock resolves none. */
static int ask_length(struct ask_job *job) {
  unsigned long loads = ask_shortest(job), most = ASK_SAFE * job->bench->adds;
  struct ask_trial best = {.ns = 1}, trial;

  for (most = loads > most ? loads : most; loads <= most; loads *= 2) {
    double left = job->end - hw_now(job->bench);
    if (ask_try(job, loads, &trial) < 0)
      return -1;
    if (!trial.told)
      continue;
    if (best.loads == 0 || ask_better(&trial, &best))
      best = trial;
    else if (best.rounds >= ASK_TOLD)
      break;
    if (2 * trial.rounds >= ASK_TRIAL || trial.ns > left / ASK_TRIALS)
      break;
  }
  if (best.loads == 0)
    return -1;
  if (best.loads != job->loads) {
    job->n = 0;
    job->run.lasts = false;
  }
  job->loads = best.loads;
  return 0;
}

/* Takes rounds until it is decided, or time to give up. */
static int ask_rounds(struct ask_job *job, struct hw_fit_found *found) {
  struct hw_machine *machine = job->bench->machine;
  bool wait = false;

  for (size_t next = 2 * ASK_TRIAL;; next += next / ASK_NEXT) {
    if (ask_take(job, next, wait) < 0 || ask_look(job, found, &wait) < 0)
      return -1;
    job->stuck = wait && job->blind;
    if (found->answer.verdict != HW_FIT_UNKNOWN || job->stuck ||
        machine->ops->now(machine) >= job->end)
      return hw_late(job->bench) ? -1 : 0;
  }
}

/* Asks for ns at most, with the length of a sample that is best now.  0, or -1. */
static int ask_until(struct ask_job *job, double ns, struct hw_fit_found *found) {
  job->end = hw_now(job->bench) + ns;
  return ask_length(job) < 0 ? -1 : ask_rounds(job, found);
}

static size_t ask_longest(const struct hw_fit_question *question) {
  const struct hw_fit_sequence *all[] = {&question->target, &question->control, &question->full,
                                         &question->missing};
  size_t most = 0;

  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    most = all[i]->n > most ? all[i]->n : most;
  return most;
}

/* Logs the question, its answer, and the time it took, ns. */
static void ask_log(const struct ask_job *job, double ns, const struct hw_fit_found *found) {
  const struct hw_fit_sequence *target = &job->question->target;
  const struct hw_fit_answer *answer = &found->answer;
  const char *what = answer->verdict == HW_FIT_YES  ? "they fit"
                     : answer->verdict == HW_FIT_NO ? "they do not fit"
                                                    : answer->why;

  fprintf(job->bench->log,
          "fit: %zu loads, stride %zu, offset %zu: %s (at the floor %lu of %lu, of a full set "
          "%lu of %lu, %zu rounds, samples of %lu, %.3g ms)\n",
          target->n, target->stride, target->shift, what, found->counts.target.floor,
          found->counts.target.n, found->counts.full.floor, found->counts.full.n, job->n,
          job->loads, ns / 1e6);
}

int hw_fit_ask(struct hw_bench *bench, struct hw_memory *memory,
               const struct hw_fit_question *question, double ns, struct hw_fit_found *found) {
  struct ask_job job = {.bench = bench, .memory = memory, .question = question};
  double begin = hw_now(bench), part = ns / ASK_FIRST;
  int result = -1;

  job.blind = !hw_issue_clear(&bench->curves);
  job.core = hw_idle_begin(bench, hw_issue(&bench->curves), true, bench->wait);
  job.block = hw_random_below(&bench->random, HW_FIT_START / ASK_BLOCK) * ASK_BLOCK;
  job.offset = calloc(ask_longest(question), sizeof *job.offset);
  if (job.offset != NULL && (result = ask_until(&job, part, found)) == 0 &&
      found->answer.verdict == HW_FIT_UNKNOWN && !job.stuck)
    result = ask_until(&job, ns - part, found);
  if (result == 0)
    ask_log(&job, hw_now(bench) - begin, found);
  free(job.offset);
  free(job.round);
  return result;
}
