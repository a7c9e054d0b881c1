/* Capacity and associativity of the level-1 data cache.

   Curve   l1_fit_<S>: x lines S bytes apart, y share of their samples at the floor, spread the
           share of a sequence that surely misses.
           l1_full_<S>: x the same, y share of the same rounds' samples of a full set at the floor.
           l1_stride_<S>: x the same, y time of a load (cycles), without interference.
           l1_strides: x stride S (bytes), y largest number of lines that fit.
   Method  The fit test decides for each number of lines: it counts samples at the floor between two
           of a control, which has as many lines in the same pages, but spread over the sets.  The
           ways first, at a stride beyond the cache's own, by doubling and bisecting; then the
           cache's own stride: at half of it one line more fits.  As many lines as ways must fit at
           twice this stride too, and four times as many at a quarter of it: else the stride is not
           that of the cache.  Odd multiples of it tell whether the sets are a power of two.
   Rows    L1_BYTES, L1_ASSOC, L1_LRU.
   Cost    20 ms, some 5 MiB.
   Limits  Caches indexed by virtual addresses, as level 1 is, with a power of two of sets.  If
           there is only one set, the control is one line less.
   See     XM 3, 4.1.2; XT 4.2. */
#include "analysis/rows/l1.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "probes/probe.h"

#include "probes/bench/ask.h"

#include <stdio.h>

/* The stride of most level-1 caches, and one beyond that of any (32 KiB at most), bytes. */
#define L1_PAGE ((size_t)4 << 10)
#define L1_BEYOND ((size_t)64 << 10)
/* The stride, bytes, for a cache of one set: its few pages fit into any TLB. */
#define L1_PACKED ((size_t)512)
/* Lines of a sequence at most, up to L1_BEYOND apart: more than any level 1 has ways.  Lines of the
   sequence that surely misses, more than most have ways; its growth factor if it does not miss. */
#define L1_LINES ((size_t)512)
#define L1_MISSING ((size_t)64)
#define L1_MORE 4u
/* Places at which a full set is tested, each in fixed pages: where these may have two colours, half
   of the places fit at best, by chance. */
#define L1_PLACES 8u
/* Strides that are tested, at most: all powers of two up to L1_BEYOND, and odd multiples. */
#define L1_STRIDES 24u
/* Time for a fit test, ns, per round of the effort: enough for a thousand rounds of some 6 us,
   without interference; doubled from this number of lines on, as among more lines a single miss is
   harder to tell. */
#define L1_PATIENCE 1e7
#define L1_PATIENT_LINES 16

/* What was found at one stride. */
struct l1_stride {
  size_t stride;
  struct hw_curve fit;
  struct hw_curve full;
  struct hw_curve level;
};

struct l1_job {
  struct hw_bench *bench;
  struct hw_memory *memory;
  struct l1_stride stride[L1_STRIDES];
  size_t strides;
  bool packed;    /* there is only one set */
  bool coarse;    /* a sequence that does not fit misses more than once a lap */
  bool still;     /* all rounds of a test use the same pages */
  size_t ways;    /* found so far */
  size_t missing; /* lines that surely miss */
  double hit;     /* hit latency, cycles, or 0 */
  double miss;    /* miss penalty, cycles, or 0 */
};

/* The curves of a stride; NULL when there are too many. */
static struct l1_stride *l1_curves(struct l1_job *job, size_t stride) {
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  struct l1_stride *s = job->stride;

  for (; s < job->stride + job->strides; s++)
    if (s->stride == stride)
      return s;
  if (job->strides == L1_STRIDES)
    return NULL;
  job->strides++;
  s->stride = stride;
  snprintf(title, sizeof title, "lines %zu bytes apart (count)", stride);
  snprintf(name, sizeof name, "l1_fit_%zu", stride);
  hw_curve_init(&s->fit, name, title, "samples at the floor (share)");
  snprintf(name, sizeof name, "l1_full_%zu", stride);
  hw_curve_init(&s->full, name, title, "samples of a full set at the floor (share)");
  snprintf(name, sizeof name, "l1_stride_%zu", stride);
  hw_curve_init(&s->level, name, title, "time of a load (cycles)");
  return s;
}

/* Puts what was found of n lines into the curves of their stride, the time of a load scaled so that
   the control's loads take equally long in all tests.  0 or -1. */
static int l1_put(struct l1_job *job, size_t stride, size_t n, const struct hw_fit_found *found) {
  struct l1_stride *s = l1_curves(job, stride);
  struct hw_point level = found->level;

  if (s == NULL || hw_fit_put(&s->fit, &s->full, (double)n, &found->counts) < 0)
    return -1;
  if (level.count == 0)
    return 0;
  if (!(job->hit > 0))
    job->hit = found->hit.y;
  level.x = (double)n;
  level.y *= job->hit / found->hit.y;
  return hw_curve_put(&s->level, level);
}

/* The fit test of n lines at the stride, of which known fit. */
static struct hw_fit_question l1_question(const struct l1_job *job, size_t stride, size_t n,
                                          size_t known) {
  struct hw_fit_question ask = {
      .target = {.n = n, .stride = stride, .kept = n},
      .full = {.n = n, .stride = stride, .kept = known},
      .control = {.n = n, .stride = stride},
      .missing = {.n = job->missing, .stride = L1_PAGE, .kept = job->missing},
      .miss = job->coarse ? 0 : job->miss,
      .align = HW_LINE_USUAL,
      .still = job->still};

  if (job->packed) { /* more lines than the ways fit nowhere */
    ask.full.n = known;
    ask.control = ask.full;
    ask.missing.stride = L1_PACKED;
  }
  return ask;
}

/* Tests whether n lines at the stride fit, of which known do.  HW_FIT_UNKNOWN also when memory or
   time is short. */
static enum hw_fit_verdict l1_ask(struct l1_job *job, size_t stride, size_t n, size_t known,
                                  struct hw_fit_odds odds) {
  struct hw_bench *bench = job->bench;
  double ns = L1_PATIENCE * bench->effort.rounds * (n < L1_PATIENT_LINES ? 1 : 2);
  struct hw_fit_found found;

  if (n * stride > L1_LINES * L1_BEYOND)
    return HW_FIT_UNKNOWN;
  for (;; job->missing *= L1_MORE) {
    struct hw_fit_question ask = l1_question(job, stride, n, known);
    ask.odds = odds;
    if (hw_fit_ask(bench, job->memory, &ask, ns, &found) < 0)
      return HW_FIT_UNKNOWN;
    if (found.answer.verdict != HW_FIT_ALIKE || job->missing * L1_MORE > L1_LINES)
      break;
  }
  if (found.answer.verdict == HW_FIT_NO && !(job->miss > 0))
    job->miss = found.level.y - found.hit.y;
  return l1_put(job, stride, n, &found) < 0 ? HW_FIT_UNKNOWN : found.answer.verdict;
}

/* Doubles job->ways while that many lines fit at the stride.  HW_FIT_NO when twice as many do not,
   or the verdict that ended it. */
static enum hw_fit_verdict l1_double(struct l1_job *job, size_t stride) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  for (job->ways = 1; verdict == HW_FIT_YES && 4 * job->ways <= L1_LINES;) {
    verdict = l1_ask(job, stride, 2 * job->ways, job->ways, HW_FIT_LIKELY);
    if (verdict == HW_FIT_YES)
      job->ways *= 2;
  }
  return verdict;
}

/* Sets job->ways to the number of lines that fit at a stride, by bisection.  HW_FIT_NO when one
   line more surely does not fit, or the verdict that ended it. */
static enum hw_fit_verdict l1_ways(struct l1_job *job, size_t stride) {
  enum hw_fit_verdict verdict = l1_double(job, stride);
  size_t over = 2 * job->ways;

  for (bool sure = false; !sure && (verdict == HW_FIT_NO || verdict == HW_FIT_YES);) {
    size_t n = (job->ways + over) / 2;
    sure = n == job->ways;
    if (sure)
      n = over;
    verdict = l1_ask(job, stride, n, job->ways, sure ? HW_FIT_SURE : HW_FIT_LIKELY);
    if (verdict == HW_FIT_YES) { /* at sure: the earlier HW_FIT_NO was only likely */
      job->ways = n;
      over = sure ? n + 1 : over;
      sure = false;
    } else if (verdict == HW_FIT_NO) {
      over = n;
    }
  }
  return verdict;
}

/* Finds the ways and returns a stride at which all lines are in one set, bytes; 0 when it is not
   clear.  L1_PAGE is tried first, as it needs the fewest TLB entries.  If it is less than the
   cache's own stride, more than half as many lines do not fit at twice of it. */
static size_t l1_beyond(struct l1_job *job) {
  enum hw_fit_verdict verdict = l1_ways(job, L1_PAGE);

  if (verdict == HW_FIT_ALIKE && job->ways > 1) {
    job->packed = true;
    return l1_ways(job, L1_PACKED) == HW_FIT_NO ? L1_PACKED : 0;
  }
  if (verdict != HW_FIT_NO)
    return 0;
  verdict = l1_ask(job, 2 * L1_PAGE, job->ways / 2 + 1, 1, HW_FIT_SURE);
  if (verdict == HW_FIT_NO)
    return l1_ways(job, L1_BEYOND) == HW_FIT_NO ? L1_BEYOND : 0;
  return verdict == HW_FIT_YES ? L1_PAGE : 0;
}

/* The cache's own stride, bytes: the least at which one line more than the ways does not fit.  0
   when it is not clear. */
static size_t l1_own(struct l1_job *job, size_t beyond) {
  size_t fits = sizeof(void *), over = beyond;

  while (2 * fits < over) {
    size_t middle = fits;
    while (middle * middle < fits * over)
      middle *= 2;
    switch (l1_ask(job, middle, job->ways + 1, job->ways, HW_FIT_LIKELY)) {
    case HW_FIT_YES:
      fits = middle;
      break;
    case HW_FIT_NO:
      over = middle;
      break;
    default:
      return 0;
    }
  }
  return over;
}

/* Puts the number of lines that fit at a stride into lengths: the ways, when they fit and one more
   does not, else 0: another number.  0, or -1 when it is not clear. */
static int l1_length(struct l1_job *job, size_t stride, struct hw_fit_odds odds,
                     struct hw_curve *lengths) {
  enum hw_fit_verdict more = HW_FIT_UNKNOWN,
                      fits = l1_ask(job, stride, job->ways, job->ways - 1, HW_FIT_SURE);
  double length = 0;

  if (fits == HW_FIT_YES)
    more = l1_ask(job, stride, job->ways + 1, job->ways, odds);
  if (more == HW_FIT_NO)
    length = (double)job->ways;
  else if (fits != HW_FIT_NO && more != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, length, 0, 0});
}

/* Puts the ways + 1 into lengths when as many lines, or more, fit at a stride.  0, or -1 when it is
   not clear. */
static int l1_longer(struct l1_job *job, size_t stride, struct hw_curve *lengths) {
  if (l1_ask(job, stride, job->ways + 1, job->ways, HW_FIT_SURE) != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, (double)(job->ways + 1), 0, 0});
}

/* Whether as many lines as ways fit at the cache's own stride in all of several random sets of
   pages.  In a physically indexed cache some pages happen to be spread evenly over the sets, and
   hold more than the ways; but not all that are tried. */
static enum hw_fit_verdict l1_anywhere(struct l1_job *job, size_t own) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  job->still = true;
  for (unsigned i = 0; i < L1_PLACES && verdict == HW_FIT_YES; i++)
    verdict = l1_ask(job, own, job->ways, job->ways - 1, HW_FIT_SURE);
  job->still = false;
  return verdict;
}

/* Checks that own is the cache's stride: at twice of it as many lines as ways fit, and at a quarter
   four times as many, which include those at half of it.  Else the stride is no power of two beyond
   which all lines fall into one set, or an inclusive level below evicts lines from this one: some
   of its sets then get twice the lines that they hold. */
static bool l1_whole(struct l1_job *job, size_t own) {
  const size_t ways = job->ways;
  bool whole;

  job->coarse = true;
  whole = own / 4 >= sizeof(void *) &&
          l1_ask(job, 2 * own, ways, ways - 1, HW_FIT_LIKELY) == HW_FIT_YES &&
          l1_ask(job, own / 4, 4 * ways, 2 * ways, HW_FIT_LIKELY) == HW_FIT_YES;
  job->coarse = false;
  return whole;
}

/* Runs all tests.  0, or -1. */
static int l1_search(struct l1_job *job, struct hw_curve *lengths) {
  static const size_t odd[] = {3, 5, 7};
  struct hw_machine *machine = job->bench->machine;
  size_t beyond = l1_beyond(job), own = beyond > 0 ? l1_own(job, beyond) : 0;

  if (own == 0 || l1_longer(job, own / 2, lengths) < 0 || !l1_whole(job, own))
    return -1;
  /* Another core has another SMT sibling. */
  machine->ops->move(machine);
  if (l1_length(job, own, HW_FIT_SURE, lengths) < 0 || l1_anywhere(job, own) != HW_FIT_YES)
    return -1;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    if (l1_length(job, odd[i] * own, HW_FIT_LIKELY, lengths) < 0)
      return -1;
  /* These tell the replacement policy, and whether another thread holds a way. */
  l1_ask(job, own, job->ways + 2, job->ways, HW_FIT_SURE);
  if (2 * job->ways > job->ways + 2)
    l1_ask(job, own, 2 * job->ways, job->ways, HW_FIT_LIKELY);
  return 0;
}

/* Publishes the curves of the strides.  0 or -1. */
static int l1_publish(struct l1_job *job) {
  int result = 0;

  for (size_t i = 0; i < job->strides; i++) {
    struct hw_curve *curve[] = {&job->stride[i].fit, &job->stride[i].full, &job->stride[i].level};
    for (size_t k = 0; k < sizeof curve / sizeof curve[0]; k++)
      if (hw_publish(job->bench, curve[k], "l1", 0) < 0)
        result = -1;
  }
  return result;
}

int hw_probe_l1(struct hw_bench *bench) {
  struct hw_machine *machine = bench->machine;
  struct l1_job job = {.bench = bench, .missing = L1_MISSING};
  struct hw_curve lengths;
  int result;

  if (!hw_issue_clear(&bench->curves))
    hw_issue_measure(bench);
  job.memory =
      machine->ops->map(machine, (L1_LINES + 1) * L1_BEYOND + HW_FIT_START, HW_PAGES_PLAIN);
  if (job.memory == NULL)
    return -1;
  hw_curve_init(&lengths, HW_NAME_L1_STRIDES, "stride (bytes)", "lines that fit (count)");
  result = l1_search(&job, &lengths);
  machine->ops->unmap(machine, job.memory);
  if (result < 0)
    lengths.n = 0; /* a search that did not end has checked nothing */
  if (l1_publish(&job) < 0)
    result = -1;
  return hw_publish(bench, &lengths, "l1", 0) < 0 ? -1 : result;
}
