/* The larger page that the system maps, off the curves of probes/tlb/huge.c.

   Method  The first power of two at which a first store faults again is the page, if one just
           below the next power does not fault, and one at it does.
   Rows    HUGE_PAGE_BYTES.
   Limits  If physical memory is fragmented the system maps ordinary pages instead; it is enough
           that it does not do so most of the time. */
#include "analysis/rows/huge.h"

#include "analysis/fit.h"
#include "analysis/names.h"

/* A first store finds its page mapped as often as a second one does: nothing can spoil it more. */
#define HUGE_SURE ((struct hw_fit_odds){1e-6, 1})

const char *const hw_huge_fit[] = {"huge_plain_fit", "huge_asked_fit"};
const char *const hw_huge_full[] = {"huge_plain_full", "huge_asked_full"};

/* Whether the first store at offset x finds its page mapped; adds to *error the probability that
   this is wrong. */
static enum hw_fit_verdict huge_there(const struct hw_curves *curves, enum hw_huge_kind kind,
                                      double x, double *error) {
  struct hw_fit_answer answer =
      hw_fit_read(hw_curves_get(curves, hw_huge_fit[kind]),
                  hw_curves_get(curves, hw_huge_full[kind]), x, HUGE_SURE);

  *error += answer.error;
  return answer.verdict;
}

/* The page (bytes) of a kind of mappings. */
static struct hw_answer huge_page(const struct hw_curves *curves, enum hw_huge_kind kind) {
  static const char method[] = "first stores that wait for a page";
  const struct hw_curve *fit = hw_curves_get(curves, hw_huge_fit[kind]);
  const double least = HW_HUGE_LEAST;
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
  struct hw_answer plain = huge_page(curves, HW_HUGE_PLAIN),
                   asked = huge_page(curves, HW_HUGE_ASKED);
  const struct hw_curve *cost = hw_curves_get(curves, HW_NAME_HUGE_COST);

  if (!plain.known)
    return plain;
  if (!asked.known)
    return asked;
  if (asked.value < 1.5 * plain.value)
    return hw_absent(asked.method, "the system hands out no larger page");
  if (cost == NULL || cost->n != HW_HUGE_KINDS)
    return hw_unknown(asked.method, "the cost of a page was not measured");
  if (cost->point[HW_HUGE_ASKED].y / asked.value > cost->point[HW_HUGE_PLAIN].y / plain.value)
    return hw_absent(asked.method, "a larger page costs more than the pages that it replaces");
  return asked;
}
