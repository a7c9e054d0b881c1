/* Communication between processors.

   Curve   comm_pairs: x places of two processors, one * 1024 + other, y time for a word to get from
           one to the other (ns).
           comm_groups_K: x place, y place of the first of its group in layer K.
           comm_size_K: x bytes of a block, y time to hand it on within layer K (ns); 8: the word.
           comm_early: x as of comm_pairs, for some pairs, y the same, measured early.
           comm_look: x look, y time of measuring when that ended (ns).
           comm_crowd_K: x pairs of layer K that pass words at once, y time (ns); 1, 2, 4 ... all.
           comm_crowd_large_K: the same of blocks of 64 KiB.
           comm_again_K: x bytes of two of these blocks, y time to hand them on (ns), once more; and
           of what all pairs pass at once, words and blocks, as a single block.
           comm_company_K: x place of each of that pair, y time of additions with both busy, over
           that alone, at the same time; if they have a core each.
   Method  Two threads pass a word to and fro.  Pairs are measured until the layers are known.  One
           pair of each layer then hands on blocks, from a line to more than most level 2s hold,
           which are read and written by both: what a byte takes depends on the level that holds
           them, so that no line through the times stands for them.  Later, after other probes, one
           disjoint pair of a layer passes words, two do at the same time, four, and so on, those of
           a group one after another; then blocks.  The first of them hands on two of the blocks of
           other sizes as well: this shows whether the host has moved a virtual processor
           meanwhile, or another guest disturbed it.  Under load a host migrates virtual
           processors: their times are unknown then.  A host may also have put both on one core:
           then they slow each other's additions.  A host may leave them on cores other than their
           usual ones for tens of seconds: some pairs are measured as soon as the processors are
           known, at the start of configure.
   Rows    COMM_LAYERS, COMM1_LAT_NS and so on.
   Cost    Two processors: 0.1 to 0.3 s; up to 0.6 s more where little else is measured.  About
           2 ms a pair; the pairs are a few times the number of processors and layers.
   Limits  Needs threads that are bound.  Blocks of many pairs lie on the node of the thread that
           starts the others.
   See     BB 3.1.4; SV III-D, figures 7 and 10. */
#include "probes/system/comm.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "analysis/rows/comm.h"
#include "analysis/rows/processors.h"
#include "probes/bench/team.h"
#include "probes/system/co_run.h"
#include "probes/system/groups.h"
#include "probes/system/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Round trips of a sample, at most. */
#define COMM_WORDS 256u
/* The sizes of blocks, bytes, which are sampled in turn; the first is the word alone. */
static const size_t comm_sizes[] = HW_COMM_SIZES;
#define COMM_SIZES (sizeof comm_sizes / sizeof *comm_sizes)
/* Jobs that are sampled in turn, at most: as many as powers of two up to HW_THINGS, and all. */
#define COMM_JOBS 12u
/* Their samples, of which HW_TEAM_TRUSTED have to be undisturbed; if they were not, twice as
   many more. */
#define COMM_SIZE_ROUNDS 4u
/* Least undisturbed samples of words. */
#define COMM_TRUSTED 4u
/* Samples that tell whether a host has moved processors. */
#define COMM_MOVED_ROUNDS 8u
/* Tries of the last look at most, while other processes delay words. */
#define COMM_LOOKS 4u

/* A job: pairs that pass words, or blocks, at the same time. */
struct comm_job {
  struct hw_bench *bench;
  const size_t *place; /* of the processors, two a pair */
  size_t pairs;
  unsigned long times;
  size_t bytes;
  struct hw_memory *memory; /* for the block of one pair, or NULL */
  double x;                 /* of its point in a curve */
};

/* The team of a job; part[] gets two parts a pair. */
static struct hw_team comm_team(const struct comm_job *job, struct hw_part *part) {
  const struct hw_team team = {.part = part, .n = 2 * job->pairs};

  for (size_t i = 0; i < team.n; i++)
    part[i] = (struct hw_part){.processor = job->place[i],
                               .work = HW_WORK_PASS,
                               .n = job->times,
                               .bytes = job->bytes,
                               .memory = job->memory};
  return team;
}

/* The average over the pairs; count is that of the pair that was disturbed most. */
static struct hw_point comm_point(const struct hw_point *part, size_t pairs) {
  struct hw_point point = part[0];

  point.y = point.spread = 0;
  for (size_t i = 0; i < pairs; i++) {
    point.y += part[2 * i].y / (double)pairs;
    point.spread += part[2 * i].spread / (double)pairs;
    point.count = part[2 * i].count < point.count ? part[2 * i].count : point.count;
  }
  return point;
}

/* Samples some jobs, in rounds, so that a burst of noise hits all of them; count is 0 of one that
   was disturbed in nearly all.  0, or -1. */
static int comm_turns(const struct comm_job *job, size_t jobs, unsigned rounds,
                      struct hw_point *point) {
  struct hw_team team[COMM_JOBS];
  struct hw_point *sample;
  struct hw_part *part;
  size_t parts = 0, at = 0;
  int result = -1;

  for (size_t j = 0; j < jobs; j++)
    parts += 2 * job[j].pairs;
  part = calloc(parts, sizeof *part);
  sample = calloc(parts, sizeof *sample);
  for (size_t j = 0; part != NULL && j < jobs; at += team[j++].n)
    team[j] = comm_team(&job[j], &part[at]);
  if (part != NULL && sample != NULL)
    result = hw_team_sample(job->bench, team, jobs, rounds, sample);
  at = 0;
  for (size_t j = 0; result == 0 && j < jobs; at += team[j++].n)
    point[j] = comm_point(&sample[at], job[j].pairs);
  free(part);
  free(sample);
  return result;
}

/* The same of words.  -1 also when one job was disturbed. */
static int comm_sample(const struct comm_job *job, size_t jobs, unsigned rounds,
                       struct hw_point *point) {
  int result = comm_turns(job, jobs, rounds, point);

  for (size_t j = 0; result == 0 && j < jobs; j++)
    result = point[j].count < COMM_TRUSTED ? -1 : 0;
  return result;
}

/* Time of a word between processors i and j, ns; negative when it cannot be told. */
static double comm_pair(void *context, size_t i, size_t j) {
  struct hw_bench *bench = context;
  const size_t place[2] = {i, j};
  const struct comm_job job = {.bench = bench, .place = place, .pairs = 1, .times = COMM_WORDS};
  struct hw_point point;

  return comm_sample(&job, 1, bench->effort.rounds, &point) == 0 ? point.y : -1;
}

/* Measures the pairs.  0, or -1. */
static int comm_pairs(struct hw_bench *bench, size_t n) {
  struct hw_pairs pairs;
  int result;

  if (hw_pairs_init(&pairs, n) != 0)
    return -1;
  result = hw_pairs_of(bench, &pairs, comm_pair, bench);
  if (result == 0)
    result = hw_pairs_publish(bench, &pairs, 0, "comm", HW_NAME_COMM_PAIRS, "time of a word (ns)");
  hw_pairs_free(&pairs);
  return result;
}

/* Time spent measuring, that of earlier processes included, ns. */
static double comm_measuring(const struct hw_bench *bench) { return bench->spent + hw_now(bench); }

/* Notes when the early look ended. */
static int comm_publish_look(struct hw_bench *bench) {
  const struct hw_point look = {.x = 1, .y = comm_measuring(bench), .count = 1};
  struct hw_curve curve;

  hw_curve_init(&curve, HW_NAME_COMM_LOOK, "look", "time of measuring when it ended (ns)");
  return hw_publish(bench, &curve, "processors", hw_curve_put(&curve, look));
}

int hw_comm_early(struct hw_bench *bench, size_t n) {
  struct hw_curve curve;
  int result = 0;
  bool some;

  if (hw_curves_get(&bench->curves, HW_NAME_COMM_EARLY) != NULL)
    return 0;
  hw_curve_init(&curve, HW_NAME_COMM_EARLY, HW_PAIRS_TITLE, "time of a word (ns)");
  for (size_t j = 1; result == 0 && j < n && n <= HW_THINGS && !hw_late(bench); j *= 2) {
    double y = comm_pair(bench, 0, j);

    if (y > 0)
      result = hw_curve_put(&curve, (struct hw_point){.x = (double)j, .y = y, .count = 1});
  }
  some = curve.n > 0;
  result = hw_publish_some(bench, &curve, "processors", result);
  return result == 0 && some ? comm_publish_look(bench) : result;
}

/* An empty curve of layer k, from 0. */
static void comm_begin(struct hw_curve *curve, const char *name, size_t k, const char *x_title,
                       const char *y_title) {
  char text[HW_CURVE_NAME];

  snprintf(text, sizeof text, "comm_%s_%zu", name, k + 1);
  hw_curve_init(curve, text, x_title, y_title);
}

/* Whether a word that takes y ns is outside of layer k. */
static bool comm_differs(const struct hw_layers *layers, size_t k, double y) {
  return y > HW_LAYER_GAP * layers->high[k] || y * HW_LAYER_GAP < layers->low[k];
}

bool hw_comm_moved(struct hw_bench *bench, const struct hw_layers *layers, size_t i, size_t j) {
  const size_t place[2] = {i, j};
  const struct comm_job job = {.bench = bench, .place = place, .pairs = 1, .times = COMM_WORDS};
  struct hw_point point;
  size_t k = 0;

  while (k + 1 < layers->layers && !hw_layer_joins(layers, k, i, j))
    k++;
  return comm_sample(&job, 1, COMM_MOVED_ROUNDS, &point) != 0 || comm_differs(layers, k, point.y);
}

/* The job of that many pairs that pass blocks of that size. */
static struct comm_job comm_job(struct hw_bench *bench, const size_t *place, size_t pairs,
                                size_t size) {
  return (struct comm_job){.bench = bench,
                           .place = place,
                           .pairs = pairs,
                           .times = hw_comm_times(size, COMM_WORDS),
                           .bytes = size > HW_COMM_WORD ? size : 0};
}

/* Puts the times of n jobs into the curve, but for those that the curve has and those that were
   disturbed.  0, or -1. */
static int comm_put(const struct comm_job *job, size_t n, unsigned rounds, struct hw_curve *curve) {
  struct hw_point point[COMM_JOBS];
  struct comm_job open[COMM_JOBS];
  size_t jobs = 0;
  int result;

  for (size_t i = 0; i < n; i++)
    if (hw_curve_at(curve, job[i].x) == NULL)
      open[jobs++] = job[i];
  result = jobs == 0 ? 0 : comm_turns(open, jobs, rounds, point);
  for (size_t j = 0; result == 0 && j < jobs; j++) {
    point[j].x = open[j].x;
    if (point[j].count > 0)
      result = hw_curve_put(curve, point[j]);
  }
  return result;
}

/* The same, and what was disturbed once more. */
static int comm_fill(const struct comm_job *job, size_t n, unsigned rounds,
                     struct hw_curve *curve) {
  int result = comm_put(job, n, rounds, curve);

  return result == 0 ? comm_put(job, n, 2 * rounds, curve) : result;
}

/* Measures the time that one pair takes for blocks of n of the sizes, and publishes it as a curve
   of the probe. */
static int comm_blocks(struct hw_bench *bench, const char *probe, const char *name, size_t k,
                       const size_t *place, const size_t *size, size_t n) {
  struct hw_machine *machine = bench->machine;
  struct hw_memory *memory = machine->ops->map(machine, HW_COMM_LARGE, HW_PAGES_PLAIN);
  struct comm_job job[COMM_JOBS];
  struct hw_curve curve;
  int result;

  if (memory == NULL)
    return -1;
  for (size_t i = 0; i < n; i++) {
    job[i] = comm_job(bench, place, 1, size[i]);
    job[i].memory = memory;
    job[i].x = (double)size[i];
  }
  comm_begin(&curve, name, k, "block (bytes)", "time to hand it on (ns)");
  result = comm_fill(job, n, COMM_SIZE_ROUNDS, &curve);
  machine->ops->unmap(machine, memory);
  return hw_publish(bench, &curve, probe, curve.n > 0 ? result : -1);
}

/* The time of two of the blocks, once more, and of what that many pairs pass at once as one. */
static int comm_again(struct hw_bench *bench, size_t k, const size_t *place, size_t pairs) {
  const size_t n = hw_comm_gathered(pairs);
  const size_t size[] = {HW_COMM_NEAR, HW_COMM_LARGE, n * HW_COMM_WORD, n * HW_COMM_CROWD};

  return comm_blocks(bench, "comm_later", "again", k, place, size, pairs > 1 ? 4 : 2);
}

/* Whether the pair has a core each at the moment: the time of additions of each with both busy,
   over that alone, replaces that in *worst if it is more, or unclear.  0, or -1. */
static int comm_company(struct hw_bench *bench, const size_t *place, struct hw_point *worst) {
  struct hw_co_run run = {.bench = bench, .work = HW_WORK_ISSUE};
  struct hw_point point[2];

  if (hw_co_run_init(&run) != 0 || hw_co_run_sample(&run, place, 2, point) != 0)
    return -1;
  for (size_t i = 0; i < 2; i++)
    if (worst[i].x < 0 || point[i].count == 0 || (worst[i].count > 0 && point[i].y > worst[i].y))
      worst[i] = point[i];
  return 0;
}

/* Measures and publishes the time of blocks of that size for one pair, for two at once, and so on
   up to all.  -1 also if that of one, or of all, was disturbed. */
static int comm_crowd(struct hw_bench *bench, const char *name, size_t k, const size_t *place,
                      size_t pairs, size_t size) {
  struct comm_job job[COMM_JOBS];
  struct hw_curve curve;
  size_t jobs = 0;
  int result;

  for (size_t n = 1; jobs == 0 || n < 2 * pairs; n *= 2, jobs++) {
    job[jobs] = comm_job(bench, place, n < pairs ? n : pairs, size);
    job[jobs].x = (double)job[jobs].pairs;
  }
  comm_begin(&curve, name, k, "pairs (count)",
             size > HW_COMM_WORD ? "time of a block (ns)" : "time of a word (ns)");
  result = comm_fill(job, jobs, bench->effort.rounds, &curve);
  if (hw_curve_at(&curve, 1) == NULL || hw_curve_at(&curve, (double)pairs) == NULL)
    result = -1;
  return hw_publish(bench, &curve, "comm_later", result);
}

/* The first look at layer k. */
static int comm_first(struct hw_bench *bench, const struct hw_layers *layers, size_t k,
                      size_t *place) {
  char name[HW_CURVE_NAME];

  (void)hw_layer_match(layers, k, place);
  snprintf(name, sizeof name, "comm_groups_%zu", k + 1);
  return hw_groups_publish(bench, &layers->group[k * layers->n], layers->n, "comm", name) == 0
             ? comm_blocks(bench, "comm", "size", k, place, comm_sizes, COMM_SIZES)
             : -1;
}

/* Publishes what the company did to the pair. */
static int comm_publish_company(struct hw_bench *bench, size_t k, const struct hw_point *worst) {
  struct hw_curve curve;
  int result = 0;

  comm_begin(&curve, "company", k, "place of the processor", "time with both busy over that alone");
  for (size_t i = 0; result == 0 && i < 2; i++)
    result = hw_curve_put(&curve, worst[i]);
  return hw_publish(bench, &curve, "comm_later", result);
}

/* The last look at it.  If the pair is known to have a core each, that is checked before and after.
 */
static int comm_last(struct hw_bench *bench, const struct hw_layers *layers, size_t k,
                     size_t *place) {
  struct hw_point worst[2] = {{.x = -1}, {.x = -1}};
  size_t pairs = hw_layer_match(layers, k, place);
  bool apart = !hw_core_shared(&bench->curves, place[0], place[1], layers->n);

  if ((apart && comm_company(bench, place, worst) != 0) ||
      comm_crowd(bench, "crowd", k, place, pairs, HW_COMM_WORD) != 0 ||
      comm_again(bench, k, place, pairs) != 0 || (apart && comm_company(bench, place, worst) != 0))
    return -1;
  if (pairs > 1) /* without it, only its rows are unknown */
    (void)comm_crowd(bench, "crowd_large", k, place, pairs, HW_COMM_CROWD);
  return apart ? comm_publish_company(bench, k, worst) : 0;
}

/* Calls look for each layer of the curve of pairs, if it has any. */
static int comm_look(struct hw_bench *bench,
                     int (*look)(struct hw_bench *bench, const struct hw_layers *layers, size_t k,
                                 size_t *place)) {
  struct hw_layers layers;
  size_t place[HW_THINGS];
  int result = 0;

  if (hw_comm_layers(&bench->curves, &layers) != NULL)
    return 0; /* the rows say why */
  for (size_t k = 0; result == 0 && k < layers.layers && k < HW_COMM_MOST; k++)
    result = look(bench, &layers, k, place);
  hw_layers_free(&layers);
  return result;
}

int hw_probe_comm(struct hw_bench *bench) {
  const size_t n = hw_processors(bench), alone = 0;

  if (n > HW_THINGS)
    return -1;
  if (n < 2)
    return hw_groups_publish(bench, &alone, n, "comm", "comm_groups_1");
  if (comm_pairs(bench, n) != 0)
    return -1;
  return comm_look(bench, comm_first);
}

/* Waits until HW_HOST_MOVES_NS after the early look, of this process or an earlier one. */
static void comm_wait(struct hw_bench *bench) {
  const struct hw_curve *look = hw_curves_get(&bench->curves, HW_NAME_COMM_LOOK);
  double passed = look == NULL ? -1 : comm_measuring(bench) - look->point[0].y;

  if (passed >= 0 && passed < HW_HOST_MOVES_NS)
    hw_pause(bench, HW_HOST_MOVES_NS - passed);
}

int hw_probe_comm_later(struct hw_bench *bench) {
  size_t n = hw_processors(bench);
  struct hw_curve none;
  int result = -1;

  if (n < 2) { /* no pair: the rows say so */
    comm_begin(&none, "crowd", 0, "pairs (count)", "time of a word (ns)");
    return hw_publish(bench, &none, "comm_later", 0);
  }
  if (hw_curves_get(&bench->curves, HW_NAME_COMM_PAIRS) == NULL)
    return 0;
  if (hw_team_wanted(bench, n))
    return -1;
  comm_wait(bench);
  for (unsigned turn = 0; turn < COMM_LOOKS; turn++) {
    result = comm_look(bench, comm_last);
    if ((result == 0 && hw_comm_clear(&bench->curves)) || hw_late(bench))
      break;
    hw_pause(bench, HW_PROCESS_STAYS_NS);
  }
  return result;
}
