/* Write mode of the caches, off the curves of probes/data/write.c.

   Method  Stores that are written back cost much less in level n than in the next.  Level 1 writes
           back as well where evicting dirty lines takes longer than evicting lines that were only
           loaded, or were written back since: a sign test.  Whether lines that were stored to hit
           in level n, the fit test decides.
   Rows    L1_WRITE_BACK, L1_WRITE_ALLOCATE, the same of L2 and L3.
   Limits  On some processors, in all levels but the first, dirty lines cost no more to evict than
           clean ones.  Stores are independent: where their cost hides behind the instructions that
           make them, or the levels take stores at almost the same rate, it cannot be told whether
           they are written through.
   See     XM 9. */
#include "analysis/rows/write.h"

#include "analysis/names.h"
#include "analysis/rows/traffic.h"

#include <math.h>

/* Working sets of two levels cost the same when all lie within this share, as two samples of one
   rate do (probes/data/bandwidth.c). */
#define WRITE_SAME (HW_RATE_ERROR / 2)
/* Written through and allocated, a store to the next level costs one line fill more, which takes no
   longer than the write: twice as much, and by what times of one level differ.  Written back, the
   factor may be less as well, and nothing is said. */
#define WRITE_BACK (2 * (1 + HW_CLUSTER_WIDTH))
/* The time of a store in a level that is written through is the next level's, and not that of the
   instructions, when it is WRITE_SEEN times a store to few lines, which a write buffer may merge,
   or WRITE_BOUND of the next level's latency. */
#define WRITE_SEEN 1.5
#define WRITE_BOUND 0.5

/* More rounds, two and four times as many, with the first, are hoped to reduce the error by this
   factor. */
#define WRITE_HOPE 2.0

/* The least and the largest time of a store in a level, over its points. */
struct write_range {
  double least;
  double most;
};

/* The range of a level, 1 the first, widened by errors times the points' errors.  0, or -1 when
   there is none. */
static int write_range(const struct hw_curves *curves, size_t level, double errors,
                       struct write_range *range) {
  const struct hw_curve part = hw_traffic_part(curves, "write", level);

  if (part.n == 0)
    return -1;
  *range = (struct write_range){part.point[0].y, part.point[0].y};
  for (size_t i = 0; i < part.n; i++) {
    double error = errors * hw_point_error(&part.point[i]);
    range->least = fmin(range->least, part.point[i].y - error);
    range->most = fmax(range->most, part.point[i].y + error);
  }
  return 0;
}

/* Whether a store of this time, in level as in the next, is bound by the next level. */
static bool write_waits(const struct hw_curves *curves, size_t level, double time) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_WRITE);
  double latency = hw_traffic_middle(curves, "levels", level + 1);

  return time > WRITE_BOUND * latency || (level == 1 && time > WRITE_SEEN * curve->point[0].y);
}

/* Whether a level writes back, with errors times the points' errors. */
static struct hw_answer write_back_within(const struct hw_curves *curves, size_t level,
                                          double errors) {
  static const char method[] = "stores in two levels";
  struct write_range here, next;

  if (write_range(curves, level, errors, &here) < 0 ||
      write_range(curves, level + 1, errors, &next) < 0)
    return hw_unknown(method, "its curve was not measured there");
  if (next.least > WRITE_BACK * here.most)
    return hw_known(method, 1, 0, HW_CLEAR);
  if (next.most > WRITE_BACK * here.least)
    return hw_unknown(method, "it is not clear how much more a store costs in the next level");
  if (next.most > (1 + WRITE_SAME) * here.least || here.most > (1 + WRITE_SAME) * next.least)
    return hw_absent(method, "a store costs more in one of the two levels, but not much more");
  if (!write_waits(curves, level, here.least))
    return hw_absent(method, "what a store costs may be hidden in both levels");
  return hw_known(method, 0, 0, HW_CLEAR);
}

/* Standard deviations of the sign test: chance exceeds this once in ten million times. */
#define WRITE_CHANCE 5.2

/* Whether dirty lines take longer to evict than either kind of clean lines. */
static bool write_dirty(const struct hw_curve *dirty) {
  bool longer = dirty != NULL && dirty->n == 2;

  for (size_t i = 0; longer && i < dirty->n; i++)
    longer = (2 * dirty->point[i].y - 1) * sqrt((double)dirty->point[i].count) > WRITE_CHANCE;
  return longer;
}

/* Whether a level writes back; final if unclear even with the errors that more rounds may reach. */
static struct hw_answer write_back(const struct hw_curves *curves, size_t level) {
  struct hw_answer answer = hw_traffic_has(curves, level, "stores in two levels");

  if (!answer.known)
    return answer;
  answer = write_back_within(curves, level, 1);
  if (!answer.known && level == 1 && write_dirty(hw_curves_get(curves, HW_NAME_WRITE_DIRTY)))
    return hw_known("evictions of lines that were stored to", 1, 0, HW_CLEAR);
  if (!answer.known && !write_back_within(curves, level, 1 / WRITE_HOPE).known)
    answer.settled = true;
  return answer;
}

static struct hw_answer write_allocate(const struct hw_curves *curves, size_t level) {
  static const char method[] = "loads after stores";
  struct hw_answer has = hw_traffic_has(curves, level, method);
  const struct hw_curve *fit = hw_curves_get(curves, HW_NAME_WRITE_FIT);
  struct hw_fit_answer answer;

  if (!has.known)
    return has;
  if (fit == NULL)
    return hw_unknown(method, "its curve was not measured");
  answer =
      hw_fit_read(fit, hw_curves_get(curves, HW_NAME_WRITE_FULL), (double)level, HW_WRITE_SURE);
  if (answer.verdict == HW_FIT_ALIKE)
    return hw_unknown(method, "a load costs as much whether or not its line was loaded before");
  if (answer.verdict == HW_FIT_UNKNOWN)
    return hw_unknown(method, answer.why);
  return hw_known(method, answer.verdict == HW_FIT_YES, 0, hw_fit_clarity(answer.error));
}

/* hw_read_l1_write_back, hw_read_l2_write_back, hw_read_l3_write_back, hw_read_l1_write_allocate,
   hw_read_l2_write_allocate, hw_read_l3_write_allocate: measuring again changes nothing behind
   level 2 if another process holds a part of it. */
#define WRITE_VALUES(n)                                                                            \
  struct hw_answer hw_read_l##n##_write_back(const struct hw_curves *curves) {                     \
    return hw_traffic_settled(write_back(curves, n), n);                                           \
  }                                                                                                \
  struct hw_answer hw_read_l##n##_write_allocate(const struct hw_curves *curves) {                 \
    return hw_traffic_settled(write_allocate(curves, n), n);                                       \
  }

WRITE_VALUES(1)
WRITE_VALUES(2)
WRITE_VALUES(3)
