/* Kinds of processors, off the curves of probes/system/kinds.c.

   Method  The times of loads give the kinds; those of additions must not contradict them.
   Rows    CPU_KINDS.
   Limits  Processors of a kind differ by up to 15 %, others by 25 % or more: in between the row is
           unknown, and so it is for kinds whose loads take the same time.
   See     XT 3.6. */
#include "analysis/rows/kinds.h"

#include "analysis/company.h"
#include "analysis/names.h"

#include <math.h>

static const char kinds_method[] = "quickest samples";

bool hw_kinds_alike(const double *least, size_t n) {
  double low = INFINITY, high = 0;

  for (size_t i = 0; i < n; i++) {
    low = fmin(low, least[i]);
    high = fmax(high, least[i]);
  }
  return high <= HW_COMPANY_NONE * low;
}

/* The index of the processor of least time that has no kind yet; n when there is none. */
static size_t kinds_next(const struct hw_curve *walk, const size_t *kind) {
  size_t next = walk->n;

  for (size_t i = 0; i < walk->n; i++)
    if (kind[i] == walk->n && (next == walk->n || walk->point[i].y < walk->point[next].y))
      next = i;
  return next;
}

/* Whether the additions of a kind take the same time too. */
static bool kinds_agree(const struct hw_curve *issue, const size_t *kind, size_t of) {
  double least[HW_THINGS];
  size_t n = 0;

  for (size_t i = 0; i < issue->n; i++)
    if (kind[i] == of)
      least[n++] = issue->point[i].y;
  return hw_kinds_alike(least, n);
}

const char *hw_kinds_find(const struct hw_curves *curves, size_t kind[HW_THINGS]) {
  const struct hw_curve *walk = hw_curves_get(curves, HW_NAME_KINDS_WALK);
  const struct hw_curve *issue = hw_curves_get(curves, HW_NAME_KINDS_ISSUE);

  if (walk == NULL || issue == NULL || issue->n != walk->n || walk->n > HW_THINGS)
    return "the processors could not be compared";
  for (size_t i = 0; i < walk->n; i++)
    kind[i] = walk->n;
  for (size_t next; (next = kinds_next(walk, kind)) < walk->n;) {
    const double least = walk->point[next].y;
    size_t first = walk->n;

    if (!(least > 0 && least < INFINITY))
      return "the processors could not be compared";
    for (size_t i = 0; i < walk->n; i++) {
      if (kind[i] < walk->n || walk->point[i].y >= HW_COMPANY_SOME * least)
        continue;
      if (walk->point[i].y > HW_COMPANY_NONE * least)
        return "some processors are a little slower than others";
      first = i < first ? i : first;
      kind[i] = first;
    }
    if (!kinds_agree(issue, kind, first))
      return "some processors do more additions a cycle than others, or their SMT siblings are "
             "busy";
  }
  return NULL;
}

size_t hw_kinds_lead(const struct hw_curves *curves) {
  const struct hw_curve *walk = hw_curves_get(curves, HW_NAME_KINDS_WALK);
  const struct hw_curve *kinds = hw_curves_get(curves, HW_NAME_KINDS);
  size_t lead = 0;

  for (size_t i = 1; walk != NULL && i < walk->n; i++)
    if (walk->point[i].y < walk->point[lead].y)
      lead = i;
  return kinds != NULL && lead < kinds->n ? (size_t)kinds->point[lead].y : lead;
}

struct hw_answer hw_read_cpu_kinds(const struct hw_curves *curves) {
  size_t kind[HW_THINGS], n;
  const char *why = hw_kinds_find(curves, kind);

  if (why != NULL)
    return hw_unknown(kinds_method, why);
  n = hw_curves_get(curves, HW_NAME_KINDS_WALK)->n;
  return hw_known(kinds_method, (double)hw_groups_count(kind, n), 0, HW_CLARITY_MAX);
}
