/* The sampler.

   The cycle is sampled next to each sample, and a sample is given in cycles of its own time: the
   low end of the cycle samples around it.  Both the sample and its cycle are low ends of the same
   kind, so that noise which lengthens both cancels, and so does a drifting frequency; a disturbed
   cycle sample alone cannot make a load look fast.  What must have the core to itself: idle.c. */
#include "probes/bench/sampler.h"

#include "analysis/environment.h"
#include "analysis/samples.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Cycle samples on either side of a sample from which its cycle is taken. */
#define SAMPLE_WINDOW 4u
/* Share above which they are taken to be all lengthened; less is scatter. */
#define SAMPLE_LENGTHENED 0.25
/* How often a disturbed sample is taken again within a round. */
#define SAMPLE_TRIES 3
/* A preparation longer than this, ns, is of a ring so large that the lines which the system call
   evicts are less than a hundredth of its loads. */
#define SAMPLE_LONG 3e5
/* Passes of hw_sample_apart at most, also in a brief run, and the share by which two may differ. */
#define SAMPLE_LOOKS 5
#define SAMPLE_LOOKS_BRIEF 3
#define SAMPLE_AGREE 0.01
/* If samples scatter, two passes also agree when they differ by no more than this many standard
   errors, if each has SAMPLE_FEW samples.  Of equal ones, one pair in 400 differs by more; with two
   standard errors it would be one in 20: several of some hundred loops. */
#define SAMPLE_ERRORS 3.0
/* Factor by which a pass may have more samples, to make precise what others have agreed on. */
#define SAMPLE_MORE 4u
#define SAMPLE_FEW 4u
/* Time that a call waits at most, in all, for the core to be left alone, ns; less where the probe
   has already waited for as long as its effort allows. */
#define SAMPLE_WAIT 3e8

/* One sample as it was taken. */
struct sample_taken {
  size_t point;
  double work;  /* ns, all of it */
  double units; /* of work, as loads timed */
  double cycle; /* ns of a dependent addition, next to it */
  double issue; /* cycles of an independent addition, before or after, or 0 */
  double told;  /* ns: the cycle at its time, from the cycle samples around it */
  double other; /* ns: the same without its own */
  bool good;
};

/* All samples of one call, in the order of time. */
struct sample_log {
  struct sample_taken *taken;
  size_t n;
  size_t room;
  size_t told; /* samples, from the first, around which all others have been taken */
};

static struct sample_taken *sample_new(struct sample_log *log) {
  struct sample_taken *grown;

  if (log->n < log->room)
    return &log->taken[log->n++];
  grown = realloc(log->taken, (log->room + 256) * sizeof *grown);
  if (grown == NULL)
    return NULL;
  log->taken = grown;
  log->room += 256;
  return &log->taken[log->n++];
}

/* What is measured. */
struct sample_job {
  struct hw_bench *bench;
  struct hw_task task;
  unsigned rounds_max; /* of the effort, or fewer */
  const double *x;
  size_t n;
  struct sample_log log;
  struct hw_idle alone;
};

/* A ring of loads as a task. */
struct sample_rings {
  struct hw_bench *bench;
  const struct hw_series *series;
  struct hw_ring ring;
  unsigned long loads; /* to time */
};

/* Lays the ring out and walks it until it is warm. */
static int sample_ring_prepare(void *context, double x, struct hw_random *random) {
  struct sample_rings *rings = context;
  const struct hw_series *series = rings->series;
  struct hw_machine *machine = rings->bench->machine;
  struct hw_ring *ring = &rings->ring;
  double least = (double)rings->bench->adds / 4;

  ring->warm = ring->walk = 0;
  series->arrange(series->context, x, random, ring);
  if (ring->warm == 0)
    ring->warm = 2 * ring->n;
  if (ring->walk == 0)
    ring->walk = 2 * ring->n;
  if (machine->ops->link(machine, series->memory, ring->offset, ring->n) < 0)
    return -1;
  machine->ops->walk(machine, series->memory, hw_grains((double)ring->warm));
  rings->loads = hw_grains(fmax((double)ring->walk, least));
  return 0;
}

static bool sample_ring_enough(void *context, const struct hw_curve *curve) {
  const struct hw_series *series = ((struct sample_rings *)context)->series;

  return series->enough != NULL && series->enough(series->context, curve);
}

static double sample_ring_work(void *context, double x) {
  struct sample_rings *rings = context;
  struct hw_machine *machine = rings->bench->machine;

  (void)x;
  machine->ops->walk(machine, rings->series->memory, rings->loads);
  return (double)rings->loads;
}

/* Times the work, and additions next to it; both in ns.  What has been woken is used before it
   falls asleep, for which the core stands still.  Returns the units of work. */
static double sample_both(const struct sample_job *job, double x, double ns[2]) {
  const struct hw_bench *bench = job->bench;
  const struct hw_task *task = &job->task;
  const size_t work = task->wake == NULL; /* its turn */
  double units = 0, last, now;

  if (task->wake != NULL)
    task->wake(task->context, x);
  last = hw_now(bench);
  for (size_t turn = 0; turn < 2; turn++, last = now) {
    if (turn == work)
      units = task->work(task->context, x);
    else
      bench->machine->ops->add(bench->machine, bench->adds);
    now = hw_now(bench);
    ns[turn != work] = now - last - bench->read_ns;
  }
  if (task->wake != NULL)
    task->wake(task->context, x);
  return units;
}

/* Takes one sample; none that counts when the core was not left alone in time.  0, or -1 when it
   could not be done.  The cycle, the work and the look at the core follow each other at once: an
   SMT sibling leaves the core alone for tens of us only.  The system is asked for the usage before
   the preparation, not after: its code evicts lines and TLB entries of ours, each of which would
   cost the sample a miss.  If the preparation takes long, these misses are few among the loads,
   and the thread is more often preempted during it: then the system is asked again. */
static int sample_take(struct sample_job *job, size_t point, struct sample_taken *taken) {
  struct hw_bench *bench = job->bench;
  struct hw_machine *machine = bench->machine;
  const struct hw_task *task = &job->task;
  double x = job->x[point], begin, ns[2], stolen, units, issue, looked;
  struct hw_usage before, after;

  issue = hw_idle_await(&job->alone);
  *taken = (struct sample_taken){.point = point, .issue = issue};
  if (!hw_idle(&job->alone, issue))
    return 0;
  machine->ops->usage(machine, &before);
  begin = hw_now(bench);
  if (task->prepare != NULL && task->prepare(task->context, x, &bench->random) < 0)
    return -1;
  if (hw_now(bench) - begin > SAMPLE_LONG) {
    machine->ops->usage(machine, &before);
    begin = hw_now(bench);
  }
  units = sample_both(job, x, ns);
  issue = fmax(issue, hw_idle_look(&job->alone));
  looked = hw_now(bench);
  machine->ops->usage(machine, &after);
  stolen = looked - begin - (after.cpu_ns - before.cpu_ns);
  *taken = (struct sample_taken){
      .point = point,
      .work = ns[0],
      .units = units,
      .issue = issue,
      .cycle = ns[1] / (double)bench->adds,
      .good = hw_idle(&job->alone, issue) && after.switches == before.switches &&
              (before.cpu_ns < 0 || stolen < HW_STOLEN * (ns[0] + ns[1]) + HW_STOLEN_NS)};
  return units > 0 ? 0 : -1;
}

/* Takes a sample of each point, in random order.  0, or -1 without memory. */
static int sample_round(struct sample_job *job, size_t *order) {
  hw_random_order(&job->bench->random, order, job->n);
  for (size_t i = 0; i < job->n; i++) {
    struct sample_taken *taken = sample_new(&job->log);
    if (taken == NULL)
      return -1;
    for (int try = 0; try < SAMPLE_TRIES; try++) {
      if (sample_take(job, order[i], taken) < 0)
        return -1;
      if (taken->good)
        break;
    }
    if (hw_late(job->bench))
      break;
  }
  return 0;
}

/* The low end of the cycle samples from first to last, without the one at but. */
static double sample_around(const struct sample_log *log, size_t first, size_t last, size_t but) {
  double cycle[2 * SAMPLE_WINDOW + 2];
  size_t n = 0;

  for (size_t j = first; j < log->n && j <= last; j++)
    if (log->taken[j].good && j != but)
      cycle[n++] = log->taken[j].cycle;
  return hw_low_end(cycle, n).y;
}

/* Where the samples around the i-th begin. */
static size_t sample_first(size_t i) { return i - (i < SAMPLE_WINDOW ? i : SAMPLE_WINDOW); }

/* The cycle at the time of sample i, ns: the low end of those around it, or its own where earlier
   noise lengthened all of those. */
static double sample_cycle(const struct sample_log *log, size_t i) {
  double own = log->taken[i].cycle;
  double low = sample_around(log, sample_first(i), i + SAMPLE_WINDOW, log->n);

  return own * (1 + SAMPLE_LENGTHENED) < low ? own : low;
}

/* Computes the cycles of those samples around which there are new ones. */
static void sample_tell(struct sample_log *log) {
  for (size_t i = log->told; i < log->n; i++)
    if (log->taken[i].good) {
      log->taken[i].told = sample_cycle(log, i);
      log->taken[i].other = sample_around(log, sample_first(i), i + SAMPLE_WINDOW + 1, i);
    }
  log->told = log->n > SAMPLE_WINDOW ? log->n - SAMPLE_WINDOW - 1 : 0;
}

/* The result for work that takes one cycle: the cycle samples, given in cycles and reduced like
   those of a point.  The low end of many samples is lower than that of the few around each of them,
   by an eighth of their scatter or so. */
static struct hw_point sample_unit(const struct sample_job *job, double *scratch) {
  const struct sample_log *log = &job->log;
  struct hw_point unit;
  size_t n = 0;

  for (size_t i = 0; i < log->n && !job->task.ns; i++) {
    const struct sample_taken *taken = &log->taken[i];
    if (taken->good && hw_idle(&job->alone, taken->issue) && taken->other > 0)
      scratch[n++] = taken->cycle / taken->other;
  }
  unit = hw_low_end(scratch, n);
  return n > 0 ? unit : (struct hw_point){.y = 1, .count = 1};
}

/* The low end of a point's good samples.  0 in count when there is none. */
static struct hw_point sample_point(const struct sample_job *job, size_t point,
                                    const struct hw_point *unit, double *scratch) {
  const struct sample_log *log = &job->log;
  struct hw_point p;
  size_t n = 0;

  for (size_t i = 0; i < log->n; i++) {
    const struct sample_taken *taken = &log->taken[i];
    if (taken->point == point && taken->good && hw_idle(&job->alone, taken->issue)) {
      double cycle = job->task.ns ? 1 : taken->told;
      scratch[n++] = taken->work / (unit->y * cycle * taken->units);
    }
  }
  p = hw_low_end(scratch, n);
  p.x = job->x[point];
  /* The unit's error adds to the point's, which is computed from the point's own count. */
  p.spread = hypot(p.spread, unit->spread * sqrt((double)n / (double)unit->count));
  return p;
}

/* A baseline measured beside a busy SMT sibling is too high: replaces it with a lower low end of
   the samples. */
static void sample_lower(struct sample_job *job, double *scratch) {
  struct hw_point low;
  bool clear;

  if (!(job->alone.issue.y > 0))
    return;
  for (size_t i = 0; i < job->log.n; i++)
    scratch[i] = job->log.taken[i].issue;
  low = hw_lowest(scratch, job->log.n, &clear);
  if (low.count > 0 && low.y < job->alone.issue.y)
    job->alone.issue = low;
  job->bench->issue = job->alone.issue;
}

static const struct hw_effort *sample_effort(const struct hw_bench *bench,
                                             const struct hw_task *task) {
  return task->effort != NULL ? task->effort : &bench->effort;
}

/* Puts each point so far into the curve.  1 when every point is settled, 0 when one is not yet, -1
   when a point has no sample or memory is short. */
static int sample_settle(struct sample_job *job, struct hw_curve *curve, double *scratch) {
  struct hw_point unit;
  int still = 1;

  if (!job->task.ns)
    sample_tell(&job->log);
  unit = sample_unit(job, scratch);
  for (size_t i = 0; i < job->n; i++) {
    struct hw_point p = sample_point(job, i, &unit, scratch);
    if (p.count == 0 || !(p.y > 0))
      still = -1;
    else if (hw_curve_put(curve, p) < 0)
      return -1;
    else if (still > 0 &&
             hw_point_error(&p) > sample_effort(job->bench, &job->task)->precision * p.y)
      still = 0;
  }
  return still;
}

/* Rounds until every point is settled, samples are enough, the effort is spent or it is late. */
static int sample_rounds(struct sample_job *job, size_t *order, struct hw_curve *curve) {
  const unsigned rounds = sample_effort(job->bench, &job->task)->rounds;
  int still = -1;

  for (unsigned round = 1; still < 1 && round <= job->rounds_max; round++) {
    bool late;
    if (sample_round(job, order) < 0)
      return -1;
    late = hw_late(job->bench);
    if (late || round == job->rounds_max || round % rounds == 0) {
      double *scratch = calloc(job->log.n, sizeof *scratch);
      if (scratch != NULL)
        sample_lower(job, scratch);
      still = scratch == NULL ? -1 : sample_settle(job, curve, scratch);
      free(scratch);
    }
    if (late || (still == 0 && round % rounds == 0 && job->task.enough != NULL &&
                 job->task.enough(job->task.context, curve)))
      break;
  }
  return still < 0 ? -1 : 0;
}

/* hw_sample_task, of rounds_max rounds at most, waiting for the core for wait ns at most. */
static int sample_once(struct hw_bench *bench, const struct hw_task *task, unsigned rounds_max,
                       double wait, const double *x, size_t n, struct hw_curve *curve) {
  struct sample_job job = {.bench = bench,
                           .task = *task,
                           .rounds_max = rounds_max,
                           .x = x,
                           .n = n,
                           .alone = hw_idle_begin(bench, task->issue, task->anywhere, wait)};
  size_t *order = calloc(n, sizeof *order);
  int result = -1;

  for (size_t i = 0; order != NULL && i < n; i++)
    order[i] = i;
  if (order != NULL)
    result = sample_rounds(&job, order, curve);
  free(order);
  free(job.log.taken);
  return result;
}

int hw_sample_task(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                   struct hw_curve *curve) {
  return sample_once(bench, task, sample_effort(bench, task)->rounds_max, SAMPLE_WAIT, x, n, curve);
}

/* The point of the samples of both. */
static struct hw_point sample_pool(const struct hw_point *a, const struct hw_point *b) {
  double n = (double)(a->count + b->count), part = (double)a->count / n;

  return (struct hw_point){.x = a->x,
                           .y = part * a->y + (1 - part) * b->y,
                           .spread = part * a->spread + (1 - part) * b->spread,
                           .count = a->count + b->count};
}

/* Whether two passes agree on a point: within the share, or within their standard errors. */
static bool sample_same(const struct hw_point *a, const struct hw_point *b, double share) {
  double near = share * fmin(a->y, b->y);

  if (a->count >= SAMPLE_FEW && b->count >= SAMPLE_FEW)
    near = fmax(near, SAMPLE_ERRORS * hypot(hw_point_error(a), hw_point_error(b)));
  return fabs(a->y - b->y) <= near;
}

/* One of the tasks that are sampled in passes. */
struct sample_part {
  const struct hw_task *task;
  struct hw_curve *curve;
  double *x;    /* places that need another pass */
  bool *agreed; /* of these, whether two passes did: then they only need to be more precise */
  size_t n;
  double start; /* of the last pass, ns */
};

/* Takes a point of a later pass: pools it with one that it agrees with; else keeps the lower of the
   two, as noise only adds time.  0, or -1 without memory. */
static int sample_agree(const struct sample_part *part, size_t i, const struct hw_point *p) {
  const double share = part->task->agree > 0 ? part->task->agree : SAMPLE_AGREE;
  struct hw_point *old = hw_curve_at(part->curve, p->x);

  if (old == NULL)
    return hw_curve_put(part->curve, *p);
  if (sample_same(p, old, share)) {
    *old = sample_pool(old, p);
    part->agreed[i] = true;
  } else if (p->y < old->y) {
    *old = *p;
    part->agreed[i] = false;
  }
  return 0;
}

/* Whether a place needs no other pass. */
static bool sample_done(const struct hw_bench *bench, const struct sample_part *part, size_t i) {
  const struct hw_point *p = hw_curve_at(part->curve, part->x[i]);

  return part->agreed[i] && p != NULL &&
         hw_point_error(p) <= sample_effort(bench, part->task)->precision * p->y;
}

/* Takes the points of a later pass.  Leaves the places that need another one. */
static int sample_merge(const struct hw_bench *bench, const struct hw_curve *now,
                        struct sample_part *part) {
  size_t left = 0;

  for (size_t i = 0; i < part->n; i++) {
    const struct hw_point *p = hw_curve_at(now, part->x[i]);
    if (p != NULL && sample_agree(part, i, p) < 0)
      return -1;
    if (sample_done(bench, part, i))
      continue;
    part->x[left] = part->x[i];
    part->agreed[left++] = part->agreed[i];
  }
  part->n = left;
  return 0;
}

/* Rounds of the next pass: no more than most, or as many as make precise what two passes agree on.
 */
static unsigned sample_needed(const struct hw_bench *bench, const struct sample_part *part,
                              unsigned most) {
  const struct hw_effort *effort = sample_effort(bench, part->task);
  double rounds = fmin(effort->rounds, most);

  for (size_t i = 0; i < part->n; i++) {
    const struct hw_point *p = part->agreed[i] ? hw_curve_at(part->curve, part->x[i]) : NULL;
    double times = p != NULL ? hw_point_error(p) / (effort->precision * p->y) : 0;
    if (times > 1)
      rounds = fmax(rounds, (times * times - 1) * (double)p->count);
  }
  return (unsigned)ceil(fmin(rounds, (double)SAMPLE_MORE * most));
}

/* One pass of a task. */
static int sample_look(struct hw_bench *bench, struct sample_part *part, double wait) {
  const double apart = part->task->apart > 0 ? part->task->apart : HW_PROCESS_STAYS_NS;
  const unsigned most = sample_effort(bench, part->task)->rounds_max;
  double passed = hw_now(bench) - part->start;
  struct hw_curve now;
  int result;

  if (part->start > 0 && passed < apart)
    hw_pause(bench, apart - passed);
  part->start = hw_now(bench);
  hw_curve_init(&now, part->curve->name, "x", "y");
  /* If the core is not left alone there are no samples in this pass. */
  sample_once(bench, part->task, sample_needed(bench, part, most), wait, part->x, part->n, &now);
  result = sample_merge(bench, &now, part);
  hw_curve_free(&now);
  return result;
}

/* Readies a task for those of the n places at which its curve has no point with a count above 1. */
static struct sample_part sample_part_of(const struct hw_task *task, struct hw_curve *curve,
                                         double *x, bool *agreed, const double *all, size_t n) {
  struct sample_part part = {.task = task, .curve = curve, .x = x, .agreed = agreed};

  for (size_t i = 0; i < n; i++) {
    const struct hw_point *p = hw_curve_at(curve, all[i]);
    if (p == NULL || p->count < 2)
      x[part.n++] = all[i];
  }
  return part;
}

/* Marks points that no two passes agree on; leaves the places that only need to be more precise. */
static void sample_mark(struct sample_part *part) {
  size_t left = 0;

  for (size_t i = 0; i < part->n; i++) {
    struct hw_point *p = hw_curve_at(part->curve, part->x[i]);
    if (p != NULL && !part->agreed[i])
      p->count = 1;
    else if (p != NULL)
      part->x[left++] = part->x[i];
  }
  part->n = left;
  for (size_t i = 0; i < left; i++)
    part->agreed[i] = true;
}

/* A last pass, which makes precise what has been agreed on. */
static int sample_last(struct hw_bench *bench, struct sample_part *part) {
  int result = 0;

  sample_mark(part);
  if (part->n > 0)
    result = sample_look(bench, part, SAMPLE_WAIT / SAMPLE_LOOKS);
  sample_mark(part);
  return result;
}

int hw_sample_turns(struct hw_bench *bench, const struct hw_task *task, size_t tasks,
                    const double *x, size_t n, struct hw_curve *curve) {
  const size_t looks = tasks * (bench->effort.leaves > 1 ? SAMPLE_LOOKS_BRIEF : SAMPLE_LOOKS);
  struct sample_part *part = calloc(tasks, sizeof *part);
  double *left = calloc(tasks * n, sizeof *left);
  bool *agreed = calloc(tasks * n, sizeof *agreed);
  int result = part != NULL && left != NULL && agreed != NULL ? 0 : -1;

  for (size_t t = 0; result == 0 && t < tasks; t++)
    part[t] = sample_part_of(&task[t], &curve[t], left + t * n, agreed + t * n, x, n);
  for (size_t look = 0; look < looks && result == 0; look++)
    if (part[look % tasks].n > 0)
      result = sample_look(bench, &part[look % tasks], SAMPLE_WAIT / SAMPLE_LOOKS);
  for (size_t t = 0; t < tasks && result == 0; t++)
    result = sample_last(bench, &part[t]);
  free(part);
  free(left);
  free(agreed);
  return result == 0 && !hw_late(bench) ? 0 : -1;
}

int hw_sample_apart(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                    struct hw_curve *curve) {
  return hw_sample_turns(bench, task, 1, x, n, curve);
}

int hw_sample(struct hw_bench *bench, const struct hw_series *series, const double *x, size_t n,
              struct hw_curve *curve) {
  struct sample_rings rings = {.bench = bench, .series = series, .ring.room = series->room};
  const struct hw_task task = {.prepare = sample_ring_prepare,
                               .work = sample_ring_work,
                               .enough = sample_ring_enough,
                               .context = &rings,
                               .issue = series->issue,
                               .effort = series->effort,
                               .anywhere = true}; /* it is warmed where it is walked */
  int result = -1;

  rings.ring.offset = calloc(series->room, sizeof *rings.ring.offset);
  if (rings.ring.offset != NULL)
    result = hw_sample_task(bench, &task, x, n, curve);
  free(rings.ring.offset);
  return result;
}
