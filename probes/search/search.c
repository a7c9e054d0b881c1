/* The search for compact sequences.  See search.h.

   The ways first, at a stride beyond the structure's own, by doubling and bisecting; then its own
   stride: at half of it one element more fits.  As many elements as ways must fit at twice this
   stride too, and four times as many at a quarter of it: else the stride is not that of the
   structure.  Odd multiples of it tell whether the sets are a power of two.  It decides where to
   measure; values are read off the curves. */
#include "probes/search/search.h"

#include <math.h>
#include <stdio.h>

/* From this number of elements on the time for a fit test is doubled: a single miss is harder to
   tell. */
#define SEARCH_FEW 16
/* Growth factor of the elements that surely miss if they do not. */
#define SEARCH_MORE 4u
/* Parts of the ways by which a sequence that is too long is longer. */
#define SEARCH_PARTS 4u

/* The curves of a stride; NULL when there are too many. */
static struct hw_search_stride *search_curves(struct hw_search *job, size_t stride) {
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  struct hw_search_stride *s = job->found;

  for (; s < job->found + job->strides; s++)
    if (s->stride == stride)
      return s;
  if (job->strides == HW_SEARCH_STRIDES)
    return NULL;
  job->strides++;
  s->stride = stride;
  snprintf(title, sizeof title, "%s %zu bytes apart (count)", job->title, stride);
  snprintf(name, sizeof name, "%s_fit_%zu", job->probe, stride);
  hw_curve_init(&s->fit, name, title, "samples at the floor (share)");
  snprintf(name, sizeof name, "%s_full_%zu", job->probe, stride);
  hw_curve_init(&s->full, name, title, "samples of a full set at the floor (share)");
  snprintf(name, sizeof name, "%s_stride_%zu", job->probe, stride);
  hw_curve_init(&s->level, name, title, "time of a load (cycles)");
  return s;
}

/* Puts what was found of n elements into the curves of their stride, the time of a load scaled so
   that the control's loads take equally long in all tests.  0 or -1. */
static int search_put(struct hw_search *job, size_t stride, size_t n,
                      const struct hw_fit_found *found) {
  struct hw_search_stride *s = search_curves(job, stride);
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

/* Notes what a load of a sequence that does not fit costs more, cycles. */
static void search_miss(struct hw_search *job, double more) {
  if (!(job->miss > 0))
    job->miss = job->some = more;
  job->most = fmax(job->most, more);
  job->some = fmin(job->some, more);
}

/* Tests whether n elements at the stride fit, of which known do.  HW_FIT_UNKNOWN also when memory
   or time is short. */
static enum hw_fit_verdict search_ask(struct hw_search *job, size_t stride, size_t n, size_t known,
                                      struct hw_fit_odds odds) {
  struct hw_bench *bench = job->bench;
  double ns = job->patience * bench->effort.rounds * (n < SEARCH_FEW ? 1 : 2);
  struct hw_fit_found found;

  if (n * stride > job->span || n > job->elements)
    return HW_FIT_UNKNOWN;
  for (;; job->missing *= SEARCH_MORE) {
    struct hw_fit_question ask = job->question(job, stride, n, known);
    ask.odds = odds;
    if (hw_fit_ask(bench, job->memory, &ask, ns, &found) < 0)
      return HW_FIT_UNKNOWN;
    if (found.answer.verdict != HW_FIT_ALIKE || job->missing * SEARCH_MORE > job->elements)
      break;
  }
  if (found.answer.verdict == HW_FIT_NO)
    search_miss(job, found.level.y - found.hit.y);
  return search_put(job, stride, n, &found) < 0 ? HW_FIT_UNKNOWN : found.answer.verdict;
}

/* Doubles the ways while that many elements fit at the stride.  HW_FIT_NO when twice as many do
   not, or the verdict that ended it. */
static enum hw_fit_verdict search_double(struct hw_search *job, size_t stride) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  for (job->ways = 1; verdict == HW_FIT_YES && 4 * job->ways <= job->elements;) {
    verdict = search_ask(job, stride, 2 * job->ways, job->ways, HW_FIT_LIKELY);
    if (verdict == HW_FIT_YES)
      job->ways *= 2;
  }
  return verdict;
}

/* Sets the ways to the number of elements that fit at a stride, by bisection.  HW_FIT_NO when one
   more surely does not fit, or the verdict that ended it. */
static enum hw_fit_verdict search_ways(struct hw_search *job, size_t stride) {
  enum hw_fit_verdict verdict = search_double(job, stride);
  size_t over = 2 * job->ways;

  for (bool sure = false; !sure && (verdict == HW_FIT_NO || verdict == HW_FIT_YES);) {
    size_t n = (job->ways + over) / 2;
    sure = n == job->ways;
    if (sure)
      n = over;
    verdict = search_ask(job, stride, n, job->ways, sure ? HW_FIT_SURE : HW_FIT_LIKELY);
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

/* Finds the ways and returns a stride at which all elements are in one set, bytes; 0 when it is not
   clear.  The first stride is tried first, as it needs the least memory.  If it is less than the
   structure's own, more than half as many elements do not fit at twice of it. */
static size_t search_beyond(struct hw_search *job) {
  enum hw_fit_verdict verdict = search_ways(job, job->stride);

  if (verdict == HW_FIT_ALIKE && job->ways > 1 && job->packed > 0) {
    job->one_set = true;
    return search_ways(job, job->packed) == HW_FIT_NO ? job->packed : 0;
  }
  if (verdict != HW_FIT_NO)
    return 0;
  verdict = search_ask(job, 2 * job->stride, job->ways / 2 + 1, 1, HW_FIT_SURE);
  if (verdict == HW_FIT_NO)
    return search_ways(job, job->beyond) == HW_FIT_NO ? job->beyond : 0;
  return verdict == HW_FIT_YES ? job->stride : 0;
}

/* The own stride, bytes: the least at which one element more than the ways does not fit.  0 when it
   is not clear. */
static size_t search_own(struct hw_search *job, size_t beyond) {
  size_t fits = job->least, over = beyond;

  while (2 * fits < over) {
    size_t middle = fits;
    while (middle * middle < fits * over)
      middle *= 2;
    switch (search_ask(job, middle, job->ways + 1, job->ways, HW_FIT_LIKELY)) {
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

/* Puts the number of elements that fit at a stride into lengths: the ways, when they fit and one
   more does not, else 0: another number.  0, or -1 when it is not clear. */
static int search_length(struct hw_search *job, size_t stride, struct hw_fit_odds odds,
                         struct hw_curve *lengths) {
  enum hw_fit_verdict more = HW_FIT_UNKNOWN,
                      fits = search_ask(job, stride, job->ways, job->ways - 1, HW_FIT_SURE);
  double length = 0;

  if (fits == HW_FIT_YES)
    more = search_ask(job, stride, job->ways + 1, job->ways, odds);
  if (more == HW_FIT_NO)
    length = (double)job->ways;
  else if (fits != HW_FIT_NO && more != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, length, 0, 0});
}

/* Puts what half of the own stride surely holds into lengths, when as many elements, or more, fit
   there.  0, or -1 when it is not clear. */
static int search_longer(struct hw_search *job, size_t stride, struct hw_curve *lengths) {
  const size_t n = job->ways + (job->twice ? job->ways : 1);

  if (search_ask(job, stride, n, job->ways, HW_FIT_SURE) != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, (double)n, 0, 0});
}

/* Whether as many elements as ways fit at the own stride each time that they are asked about again.
 */
static enum hw_fit_verdict search_again(struct hw_search *job, size_t own) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  job->again = true;
  for (unsigned i = 0; i < job->times && verdict == HW_FIT_YES; i++)
    verdict = search_ask(job, own, job->ways, job->ways - 1, HW_FIT_SURE);
  job->again = false;
  return verdict;
}

/* Checks that own is the structure's stride: at twice of it as many elements as ways fit, and at a
   quarter, if that is a stride of sets, four times as many, which include those at half of it.
   Else the stride is no power of two beyond which all elements fall into one set, or an inclusive
   level below evicts lines from this one: some of its sets then get twice the lines that they hold.
 */
static bool search_whole(struct hw_search *job, size_t own) {
  const size_t ways = job->ways;
  bool whole;

  job->coarse = true;
  whole = search_ask(job, 2 * own, ways, ways - 1, HW_FIT_LIKELY) == HW_FIT_YES &&
          (own / 4 < job->least ||
           search_ask(job, own / 4, 4 * ways, 2 * ways, HW_FIT_LIKELY) == HW_FIT_YES);
  job->coarse = false;
  return whole;
}

/* Runs all tests.  0, or -1. */
static int search_all(struct hw_search *job, struct hw_curve *lengths) {
  static const size_t odd[] = {3, 5, 7};
  struct hw_machine *machine = job->bench->machine;
  size_t beyond = search_beyond(job), own = beyond > 0 ? search_own(job, beyond) : 0;

  if (own == 0 || search_longer(job, own / 2, lengths) < 0 || !search_whole(job, own))
    return -1;
  /* Another core has another SMT sibling. */
  machine->ops->move(machine);
  if (search_length(job, own, HW_FIT_SURE, lengths) < 0 || search_again(job, own) != HW_FIT_YES)
    return -1;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    if (search_length(job, odd[i] * own, HW_FIT_LIKELY, lengths) < 0)
      return -1;
  /* These tell the replacement policy, whether another thread holds a way, and the time of a miss.
   */
  search_ask(job, own, job->ways + 2, job->ways, HW_FIT_SURE);
  for (size_t k = job->twice ? 2 : SEARCH_PARTS; k <= SEARCH_PARTS; k++) {
    size_t more = k * job->ways / SEARCH_PARTS;
    if (job->twice && more < k)
      more = k;
    if (more > 2)
      search_ask(job, own, job->ways + more, job->ways, HW_FIT_LIKELY);
  }
  return 0;
}

/* Publishes the curves of the strides.  0 or -1. */
static int search_publish(struct hw_search *job) {
  int result = 0;

  for (size_t i = 0; i < job->strides; i++) {
    struct hw_curve *curve[] = {&job->found[i].fit, &job->found[i].full, &job->found[i].level};
    for (size_t k = 0; k < sizeof curve / sizeof curve[0]; k++)
      if (hw_publish(job->bench, curve[k], job->probe, 0) < 0)
        result = -1;
  }
  return result;
}

int hw_search(struct hw_search *job) {
  struct hw_machine *machine = job->bench->machine;
  struct hw_curve lengths;
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  int result;

  if (!hw_issue_clear(&job->bench->curves))
    hw_issue_measure(job->bench);
  job->memory = machine->ops->map(machine, job->span + HW_FIT_START, HW_PAGES_PLAIN);
  if (job->memory == NULL)
    return -1;
  snprintf(name, sizeof name, "%s_strides", job->probe);
  snprintf(title, sizeof title, "%s that fit (count)", job->title);
  hw_curve_init(&lengths, name, "stride (bytes)", title);
  result = search_all(job, &lengths);
  machine->ops->unmap(machine, job->memory);
  if (result < 0)
    lengths.n = 0; /* a search that did not end has checked nothing */
  if (search_publish(job) < 0)
    result = -1;
  return hw_publish(job->bench, &lengths, job->probe, 0) < 0 ? -1 : result;
}
