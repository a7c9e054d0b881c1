/* From which size on one function is quicker than another: see crossover.h. */
#include "analysis/crossover.h"

#include "analysis/bet.h"

#include <stddef.h>

/* Share by which the times of functions that take as long may differ. */
#define CROSSOVER_SAME 0.03
/* Doublings after which the second function is taken to stay the quicker one. */
#define CROSSOVER_STAYS 2u
/* The search ends where the sizes are no further apart than this part of the larger one.  Where
   noise or the time ends it before, the crossover is known if the larger is no more than that many
   times the other, as of any value that has a range. */
#define CROSSOVER_CLOSE 32
#define CROSSOVER_NEAR 2
/* How often noise is looked at. */
#define CROSSOVER_TRIES 3
/* The octave above is looked at in steps of this part of the size. */
#define CROSSOVER_STEPS 4

void hw_crossover_add(struct hw_crossover_counts *counts, double first, double second) {
  counts->rounds++;
  counts->quicker += second < first;
  counts->slower += second > first;
  counts->much_quicker += second * (1 + CROSSOVER_SAME) < first;
  counts->much_slower += second > (1 + CROSSOVER_SAME) * first;
}

/* Whether one is surely more often the case than the other. */
static bool crossover_more(unsigned long one, unsigned long other) {
  return hw_bet((double)one, (double)other, 1, 1) <= HW_BET_SURE;
}

enum hw_crossover_verdict hw_crossover_judge(const struct hw_crossover_counts *counts) {
  if (crossover_more(counts->quicker, counts->slower))
    return HW_CROSSOVER_SECOND;
  if (crossover_more(counts->slower, counts->quicker))
    return HW_CROSSOVER_FIRST;
  /* The median of their quotient is no further from one. */
  if (counts->rounds >= HW_CROSSOVER_ROUNDS &&
      crossover_more(counts->rounds - counts->much_quicker, counts->much_quicker) &&
      crossover_more(counts->rounds - counts->much_slower, counts->much_slower))
    return HW_CROSSOVER_ALIKE;
  return HW_CROSSOVER_NOISE;
}

/* The sizes that were looked at, ascending. */
struct crossover_search {
  enum hw_crossover_verdict (*ask)(void *context, long n);
  void *context;
  long last; /* size */
  bool late; /* there is no time for more */
  size_t points;
  long n[HW_CROSSOVER_POINTS];
  enum hw_crossover_verdict verdict[HW_CROSSOVER_POINTS];
  struct hw_crossover_answer answer;
};

/* Ends the search. */
static bool crossover_unknown(struct crossover_search *search, long n, const char *why) {
  search->answer = (struct hw_crossover_answer){.n = n, .why = why};
  return false;
}

/* Looks at a size that was not looked at.  False when the search has ended. */
static bool crossover_look(struct crossover_search *search, long n) {
  size_t i = search->points;
  enum hw_crossover_verdict verdict = HW_CROSSOVER_NOISE;

  if (search->points == HW_CROSSOVER_POINTS)
    return crossover_unknown(search, n, "the quicker function changes too often");
  for (int try = 0; try < CROSSOVER_TRIES && verdict == HW_CROSSOVER_NOISE; try++)
    verdict = search->ask(search->context, n);
  search->late = verdict == HW_CROSSOVER_LATE;
  for (; i > 0 && search->n[i - 1] > n; i--) {
    search->n[i] = search->n[i - 1];
    search->verdict[i] = search->verdict[i - 1];
  }
  search->n[i] = n;
  search->verdict[i] = verdict;
  search->points++;
  return true;
}

/* Doubles the size.  False when the search has ended. */
static bool crossover_grow(struct crossover_search *search, long first) {
  unsigned stays = 0;

  for (long n = first; stays <= CROSSOVER_STAYS; n = n <= search->last / 2 ? 2 * n : search->last) {
    if (!crossover_look(search, n))
      return false;
    if (search->late && stays < CROSSOVER_STAYS)
      return crossover_unknown(search, n, "the time is spent");
    stays = search->verdict[search->points - 1] == HW_CROSSOVER_SECOND ? stays + 1 : 0;
    if (n == search->last || search->late)
      break;
  }
  return true;
}

/* The places, from 1, of the last size at which the first function is the quicker one, and of the
   first one behind it at which the second is; 0: there is none. */
static void crossover_bracket(const struct crossover_search *search, size_t *low, size_t *high) {
  *low = *high = 0;
  for (size_t i = 0; i < search->points; i++)
    if (search->verdict[i] == HW_CROSSOVER_FIRST) {
      *low = i + 1;
      *high = 0;
    } else if (search->verdict[i] == HW_CROSSOVER_SECOND && *high == 0) {
      *high = i + 1;
    }
}

static bool crossover_known(struct crossover_search *search, long n, long low, long high) {
  search->answer = (struct hw_crossover_answer){.known = true, .n = n, .low = low, .high = high};
  return false;
}

/* Ends the search where there is no size of either kind. */
static bool crossover_one_sided(struct crossover_search *search, size_t high) {
  const long first = search->n[0], last = search->n[search->points - 1];

  for (size_t i = 0; i < search->points; i++)
    if (search->verdict[i] == HW_CROSSOVER_NOISE && (high == 0 || i + 1 < high))
      return crossover_unknown(search, search->n[i], "noise: neither is clearly the quicker one");
  if (high > 0)
    return crossover_known(search, first, first, first);
  if (last < search->last)
    return crossover_unknown(search, last, "the quicker function changes too often");
  crossover_known(search, last, last, last);
  search->answer.never = true;
  return false;
}

/* Ends the search where a size in between did not tell, which is at place low + 1. */
static bool crossover_between(struct crossover_search *search, size_t low, size_t high) {
  const long from = search->n[low - 1], to = search->n[high - 1], n = search->n[low];

  if (search->verdict[low] != HW_CROSSOVER_ALIKE && to / CROSSOVER_NEAR > from)
    return crossover_unknown(search, n,
                             search->late ? "the time is spent"
                                          : "noise: neither is clearly the quicker one");
  return crossover_known(search, n, from, to);
}

/* Whether a size was looked at that is no further than that from n. */
static bool crossover_seen(const struct crossover_search *search, long n, long within) {
  for (size_t i = 0; i < search->points; i++)
    if (search->n[i] >= n - within && search->n[i] <= n + within)
      return true;
  return false;
}

/* Looks at one more size of the octave above.  False when there is none, or the search has ended.
 */
static bool crossover_above(struct crossover_search *search, size_t high) {
  const long n = search->n[high - 1];

  for (long step = 1; step < CROSSOVER_STEPS; step++) {
    const long above = n + step * n / CROSSOVER_STEPS;
    if (above <= search->last && !crossover_seen(search, above, n / (2 * CROSSOVER_STEPS)))
      return crossover_look(search, above);
  }
  return false;
}

/* One step of the search between.  False when it has ended. */
static bool crossover_step(struct crossover_search *search) {
  size_t low, high;
  long from, to;

  crossover_bracket(search, &low, &high);
  if (low == 0 || high == 0)
    return crossover_one_sided(search, high);
  from = search->n[low - 1];
  to = search->n[high - 1];
  if (high - low == 1 && to - from > 1 && to - from > to / CROSSOVER_CLOSE)
    return crossover_look(search, from + (to - from) / 2);
  if (high - low > 1)
    crossover_between(search, low, high);
  else
    crossover_known(search, to, from, to);
  return search->answer.known && !search->late && crossover_above(search, high);
}

struct hw_crossover_answer
hw_crossover_search(long first, long last, enum hw_crossover_verdict (*ask)(void *context, long n),
                    void *context) {
  struct crossover_search search = {.ask = ask, .context = context, .last = last};

  if (crossover_grow(&search, first))
    while (crossover_step(&search))
      continue;
  return search.answer;
}
