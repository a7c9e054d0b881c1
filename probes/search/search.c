/* The search for compact sequences.  See search.h.

   The ways first, at a stride beyond the structure's own, by doubling and bisecting; then its own
   stride: at half of it one element more fits.  As many elements as ways must fit at twice this
   stride too, and four times as many at a quarter of it: else the stride is not that of the
   structure.  Odd multiples of it tell whether the sets are a power of two.  It decides where to
   measure; values are read off the curves. */
#include "probes/search/search.h"

#include <math.h>
#include <stdio.h>

/* Growth factor of the elements that surely miss if they do not. */
#define SEARCH_MORE 4u
/* Parts of the ways by which a sequence that is too long is longer. */
#define SEARCH_PARTS 4u

/* The curves of a stride; NULL when there are too many. */
static struct hw_search_stride *search_curves(struct hw_search *search, size_t stride) {
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  struct hw_search_stride *s = search->found;

  for (; s < search->found + search->strides; s++)
    if (s->stride == stride)
      return s;
  if (search->strides == HW_SEARCH_STRIDES)
    return NULL;
  search->strides++;
  s->stride = stride;
  snprintf(title, sizeof title, "%s %zu bytes apart (count)", search->title, stride);
  snprintf(name, sizeof name, "%s_fit_%zu", search->probe, stride);
  hw_curve_init(&s->fit, name, title, "samples at the floor (share)");
  snprintf(name, sizeof name, "%s_full_%zu", search->probe, stride);
  hw_curve_init(&s->full, name, title, "samples of a full set at the floor (share)");
  snprintf(name, sizeof name, "%s_stride_%zu", search->probe, stride);
  hw_curve_init(&s->level, name, title, "time of a load (cycles)");
  return s;
}

/* Puts what was found of n elements into the curves of their stride, the time of a load scaled so
   that the control's loads take equally long in all tests.  0 or -1. */
static int search_put(struct hw_search *search, size_t stride, size_t n,
                      const struct hw_fit_found *found) {
  struct hw_search_stride *s = search_curves(search, stride);
  struct hw_point level = found->level;

  if (s == NULL || hw_fit_put(&s->fit, &s->full, (double)n, &found->counts) < 0)
    return -1;
  if (level.count == 0)
    return 0;
  if (!(search->hit > 0))
    search->hit = found->hit.y;
  level.x = (double)n;
  level.y *= search->hit / found->hit.y;
  return hw_curve_put(&s->level, level);
}

/* Notes what a load of a sequence that does not fit costs more, cycles. */
static void search_miss(struct hw_search *search, double more) {
  if (!(search->miss > 0))
    search->miss = search->some = more;
  search->most = fmax(search->most, more);
  search->some = fmin(search->some, more);
}

/* Tests whether n elements at the stride fit, of which known do.  HW_FIT_UNKNOWN also when memory
   or time is short. */
static enum hw_fit_verdict search_ask(struct hw_search *search, size_t stride, size_t n,
                                      size_t known, struct hw_fit_odds odds) {
  struct hw_bench *bench = search->bench;
  double ns = search->patience * bench->effort.rounds * (n < search->patient ? 1 : 2);
  struct hw_fit_found found;

  if (n * stride > search->span || n > search->elements)
    return HW_FIT_UNKNOWN;
  for (;; search->missing *= SEARCH_MORE) {
    struct hw_fit_question ask = search->question(search, stride, n, known);
    ask.odds = odds;
    if (hw_fit_ask(bench, search->memory, &ask, ns, &found) < 0)
      return HW_FIT_UNKNOWN;
    if (found.answer.verdict != HW_FIT_ALIKE || search->missing * SEARCH_MORE > search->elements)
      break;
  }
  if (found.answer.verdict == HW_FIT_NO)
    search_miss(search, found.level.y - found.hit.y);
  return search_put(search, stride, n, &found) < 0 ? HW_FIT_UNKNOWN : found.answer.verdict;
}

/* Doubles the ways while that many elements fit at the stride.  HW_FIT_NO when twice as many do
   not, or the verdict that ended it. */
static enum hw_fit_verdict search_double(struct hw_search *search, size_t stride) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  for (search->ways = 1; verdict == HW_FIT_YES && 4 * search->ways <= search->elements;) {
    verdict = search_ask(search, stride, 2 * search->ways, search->ways, HW_FIT_LIKELY);
    if (verdict == HW_FIT_YES)
      search->ways *= 2;
  }
  return verdict;
}

/* Sets the ways to the number of elements that fit at a stride, by bisection.  HW_FIT_NO when one
   more surely does not fit, or the verdict that ended it. */
static enum hw_fit_verdict search_ways(struct hw_search *search, size_t stride) {
  enum hw_fit_verdict verdict = search_double(search, stride);
  size_t over = 2 * search->ways;

  for (bool sure = false; !sure && (verdict == HW_FIT_NO || verdict == HW_FIT_YES);) {
    size_t n = (search->ways + over) / 2;
    sure = n == search->ways;
    if (sure)
      n = over;
    verdict = search_ask(search, stride, n, search->ways, sure ? HW_FIT_SURE : HW_FIT_LIKELY);
    if (verdict == HW_FIT_YES) { /* at sure: the earlier HW_FIT_NO was only likely */
      search->ways = n;
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
static size_t search_beyond(struct hw_search *search) {
  enum hw_fit_verdict verdict = search_ways(search, search->stride);

  if (verdict == HW_FIT_ALIKE && search->ways > 1 && search->packed > 0) {
    search->one_set = true;
    return search_ways(search, search->packed) == HW_FIT_NO ? search->packed : 0;
  }
  if (verdict != HW_FIT_NO)
    return 0;
  verdict = search_ask(search, 2 * search->stride, search->ways / 2 + 1, 1, HW_FIT_SURE);
  if (verdict == HW_FIT_NO)
    return search_ways(search, search->beyond) == HW_FIT_NO ? search->beyond : 0;
  return verdict == HW_FIT_YES ? search->stride : 0;
}

/* The own stride, bytes: the least at which one element more than the ways does not fit.  0 when it
   is not clear. */
static size_t search_own(struct hw_search *search, size_t beyond) {
  size_t fits = search->least, over = beyond;

  while (2 * fits < over) {
    size_t middle = fits;
    while (middle * middle < fits * over)
      middle *= 2;
    switch (search_ask(search, middle, search->ways + 1, search->ways, HW_FIT_LIKELY)) {
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
static int search_length(struct hw_search *search, size_t stride, struct hw_fit_odds odds,
                         struct hw_curve *lengths) {
  enum hw_fit_verdict more = HW_FIT_UNKNOWN, fits = search_ask(search, stride, search->ways,
                                                               search->ways - 1, HW_FIT_SURE);
  double length = 0;

  if (fits == HW_FIT_YES)
    more = search_ask(search, stride, search->ways + 1, search->ways, odds);
  if (more == HW_FIT_NO)
    length = (double)search->ways;
  else if (fits != HW_FIT_NO && more != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, length, 0, 0});
}

/* Puts what half of the own stride surely holds into lengths, when as many elements, or more, fit
   there.  0, or -1 when it is not clear. */
static int search_longer(struct hw_search *search, size_t stride, struct hw_curve *lengths) {
  const size_t n = search->ways + (search->twice ? search->ways : 1);

  if (search_ask(search, stride, n, search->ways, HW_FIT_SURE) != HW_FIT_YES)
    return -1;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, (double)n, 0, 0});
}

/* Whether as many elements as ways fit at the own stride each time that they are asked about again.
 */
static enum hw_fit_verdict search_again(struct hw_search *search, size_t own) {
  enum hw_fit_verdict verdict = HW_FIT_YES;

  search->again = true;
  for (unsigned i = 0; i < search->times && verdict == HW_FIT_YES; i++)
    verdict = search_ask(search, own, search->ways, search->ways - 1, HW_FIT_SURE);
  search->again = false;
  return verdict;
}

/* Checks that own is the structure's stride: at twice of it as many elements as ways fit, and at a
   quarter, if that is a stride of sets, four times as many, which include those at half of it.
   Else the stride is no power of two beyond which all elements fall into one set, or an inclusive
   level below evicts lines from this one: some of its sets then get twice the lines that they hold.
 */
static bool search_whole(struct hw_search *search, size_t own) {
  const size_t ways = search->ways;
  bool whole;

  search->coarse = true;
  whole = search_ask(search, 2 * own, ways, ways - 1, HW_FIT_LIKELY) == HW_FIT_YES &&
          (own / 4 < search->least ||
           search_ask(search, own / 4, 4 * ways, 2 * ways, HW_FIT_LIKELY) == HW_FIT_YES);
  search->coarse = false;
  return whole;
}

/* Runs all tests.  0, or -1. */
static int search_all(struct hw_search *search, struct hw_curve *lengths) {
  static const size_t odd[] = {3, 5, 7};
  struct hw_machine *machine = search->bench->machine;
  size_t beyond = search_beyond(search), own = beyond > 0 ? search_own(search, beyond) : 0;

  if (own == 0 || search_longer(search, own / 2, lengths) < 0 || !search_whole(search, own))
    return -1;
  /* Another core has another SMT sibling. */
  machine->ops->move(machine);
  if (search_length(search, own, HW_FIT_SURE, lengths) < 0 ||
      search_again(search, own) != HW_FIT_YES)
    return -1;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    if (search_length(search, odd[i] * own, HW_FIT_LIKELY, lengths) < 0)
      return -1;
  /* These tell the replacement policy, whether another thread holds a way, and the time of a miss.
   */
  search_ask(search, own, search->ways + 2, search->ways, HW_FIT_SURE);
  for (size_t k = search->twice ? 2 : SEARCH_PARTS; k <= SEARCH_PARTS; k++) {
    size_t more = k * search->ways / SEARCH_PARTS;
    if (search->twice && more < k)
      more = k;
    if (more > 2)
      search_ask(search, own, search->ways + more, search->ways, HW_FIT_LIKELY);
  }
  return 0;
}

/* Publishes the curves of the strides.  0 or -1. */
static int search_publish(struct hw_search *search) {
  int result = 0;

  for (size_t i = 0; i < search->strides; i++) {
    struct hw_curve *curve[] = {&search->found[i].fit, &search->found[i].full,
                                &search->found[i].level};
    for (size_t k = 0; k < sizeof curve / sizeof curve[0]; k++)
      if (hw_publish(search->bench, curve[k], search->probe, 0) < 0)
        result = -1;
  }
  return result;
}

int hw_search(struct hw_search *search) {
  struct hw_machine *machine = search->bench->machine;
  struct hw_curve lengths;
  char name[HW_CURVE_NAME], title[HW_CURVE_TEXT];
  int result;

  if (!hw_issue_clear(&search->bench->curves))
    hw_issue_measure(search->bench);
  search->memory = machine->ops->map(machine, search->span + HW_FIT_START, HW_PAGES_PLAIN);
  if (search->memory == NULL)
    return -1;
  snprintf(name, sizeof name, "%s_strides", search->probe);
  snprintf(title, sizeof title, "%s that fit (count)", search->title);
  hw_curve_init(&lengths, name, "stride (bytes)", title);
  result = search_all(search, &lengths);
  machine->ops->unmap(machine, search->memory);
  if (result < 0)
    lengths.n = 0; /* a search that did not end has checked nothing */
  if (search_publish(search) < 0)
    result = -1;
  return hw_publish(search->bench, &lengths, search->probe, 0) < 0 ? -1 : result;
}
