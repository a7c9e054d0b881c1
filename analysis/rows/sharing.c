/* Caches that processors share, off the curves of probes/system/sharing.c.

   Method  Processors that share a level are groups of its pairs.  If they get equal parts of it,
           their part fits and twice two thirds of it do not.
   Rows    L1_SHARED_BY, L1_SHARE_BYTES, the same of L2 and L3.
   Limits  If processors do not get equal parts of a level, their part is unknown.  So is a level
           of which another process takes a part at times, and so are processors that seem apart at
           one of unknown capacity.
   See     SV III-B, figure 5. */
#include "analysis/rows/sharing.h"

#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/traffic.h"

#include <math.h>
#include <stdio.h>

/* On the way from a hit (0) to a miss (1): up to SHARING_FITS it fits, from SHARING_FULL on not.
   Two threads that share a level walk over as much as one does where it does not fit, and so come
   to 1 under any replacement policy; two that do not share it stay at 0, and other processes add a
   quarter at most.  Sharing is decided by the fastest samples, which lie lower by their scatter. */
#define SHARING_FITS 0.25
#define SHARING_FULL 0.6

static const char sharing_method[] = "groups by pairs";

void hw_sharing_name(char *text, unsigned level, const char *what) {
  snprintf(text, HW_CURVE_NAME, "l%u_%s", level, what);
}

enum hw_company hw_sharing_of(const struct hw_point *way) {
  if (way->count == 0)
    return HW_COMPANY_UNCLEAR;
  if (way->y <= SHARING_FITS)
    return HW_COMPANY_ALONE;
  return hw_point_best(way) >= SHARING_FULL ? HW_COMPANY_SHARING : HW_COMPANY_UNCLEAR;
}

/* Whether two share it, for hw_pairs_groups. */
static double sharing_side(const struct hw_point *way) {
  enum hw_company company = hw_sharing_of(way);

  return company == HW_COMPANY_UNCLEAR ? -1 : company == HW_COMPANY_SHARING ? 1 : 2;
}

const char *hw_sharing_groups(const struct hw_curves *curves, unsigned level, size_t *group,
                              size_t n) {
  char name[HW_CURVE_NAME];
  const struct hw_curve *curve;

  hw_sharing_name(name, level, "pairs");
  curve = hw_curves_get(curves, name);
  if (curve == NULL)
    return "which processors share it was not measured";
  return hw_pairs_groups(curve, sharing_side, "it is not clear whether two share it", group, n);
}

/* The number of processors, and the groups of a level.  False when they are not known, and *answer
   says why. */
static bool sharing_known(const struct hw_curves *curves, unsigned level, size_t *group, size_t *n,
                          struct hw_answer *answer) {
  const struct hw_curve *list = hw_curves_get(curves, HW_NAME_PROCESSORS);
  const char *why;

  *answer = hw_traffic_has(curves, level, sharing_method);
  answer->settled = !answer->known; /* measuring again does not change the levels */
  if (!answer->known)
    return false;
  *n = list == NULL ? 0 : list->n;
  if (*n < 2 || *n > HW_THINGS) {
    *answer = hw_absent(sharing_method, "there are no two processors to bind threads to");
    return false;
  }
  why = hw_sharing_groups(curves, level, group, *n);
  /* A long measurement is not repeated. */
  if (why != NULL)
    *answer = hw_traffic_settled(hw_unknown(sharing_method, why), level);
  return why == NULL;
}

/* Whether two of one group of the nearer level are in different groups of the farther. */
static bool sharing_torn(const size_t *nearer, const size_t *farther, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (farther[nearer[i]] != farther[i])
      return true;
  return false;
}

/* Processors that share a level share those behind it, and at level 1 a core: whether the groups of
   a level contradict that.  Another process, or a processor that the host moved, may be the
   cause. */
static bool sharing_contradicts(const struct hw_curves *curves, unsigned level, const size_t *group,
                                size_t n) {
  struct hw_answer cpus = hw_value_cpus(curves), cores = hw_value_cores(curves);
  size_t other[HW_THINGS];

  for (size_t i = 0; level == 1 && cpus.known && cores.known && i < n; i++)
    if (cores.value > cpus.value - 0.5 && group[i] != i)
      return true;
  for (unsigned k = 1; k <= HW_SHARING_LEVELS; k++)
    if (k != level && hw_sharing_groups(curves, k, other, n) == NULL &&
        (k < level ? sharing_torn(other, group, n) : sharing_torn(group, other, n)))
      return true;
  return false;
}

/* Whether two that seem to be apart may share the level: their common working set exceeds it only
   where its capacity is known.  If other guests hold a part of it, what seemed to fit is less,
   and two that share it evict more of theirs than one does. */
static bool sharing_unsure(const struct hw_curves *curves, unsigned level, const size_t *group,
                           size_t n) {
  struct hw_answer (*const bytes[HW_SHARING_LEVELS])(const struct hw_curves *) = {
      hw_value_l1_bytes, hw_value_l2_bytes, hw_value_l3_bytes};

  for (size_t i = 0; i < n; i++)
    if (group[i] != 0)
      return !bytes[level - 1](curves).known;
  return false;
}

static struct hw_answer sharing_by(const struct hw_curves *curves, unsigned level) {
  size_t group[HW_THINGS], n, size;
  struct hw_answer answer;

  if (!sharing_known(curves, level, group, &n, &answer))
    return answer;
  if (sharing_contradicts(curves, level, group, n))
    return hw_traffic_settled(
        hw_unknown(sharing_method, "processors that share one level do not share the next"), level);
  if (sharing_unsure(curves, level, group, n))
    return hw_traffic_settled(
        hw_unknown(sharing_method,
                   "processors that seem not to share it may do so: its capacity is unknown"),
        level);
  size = hw_groups_size(group, n);
  if (size == 0)
    return hw_absent(sharing_method, HW_GROUPS_UNEVEN);
  return hw_known(sharing_method, (double)size, 0, HW_CLARITY_MAX);
}

bool hw_sharing_done(const struct hw_curves *curves, unsigned level) {
  struct hw_answer by = sharing_by(curves, level);
  char name[HW_CURVE_NAME];

  hw_sharing_name(name, level, "busy");
  return by.known && (by.value < 1.5 || hw_curves_get(curves, name) != NULL);
}

/* The part (bytes) of a shared level: an equal one, where that fits and twice two thirds of it do
   not. */
static struct hw_answer sharing_left(const struct hw_curves *curves, unsigned level,
                                     struct hw_answer bytes) {
  static const char method[] = "equal parts";
  struct hw_answer by = sharing_by(curves, level);
  const struct hw_curve *busy;
  char name[HW_CURVE_NAME];

  if (!by.known)
    return by;
  if (!bytes.known)
    return hw_absent(method, "the capacity of the level is unknown");
  if (by.value < 1.5)
    return hw_known(method, bytes.value, bytes.error, bytes.clarity);
  hw_sharing_name(name, level, "busy");
  busy = hw_curves_get(curves, name);
  if (busy == NULL || busy->n < 2)
    return hw_traffic_settled(hw_unknown(method, "it was not measured with all busy"), level);
  if (hw_sharing_of(&busy->point[0]) != HW_COMPANY_ALONE ||
      hw_sharing_of(&busy->point[1]) != HW_COMPANY_SHARING)
    return hw_traffic_settled(
        hw_unknown(method, "the processors that share it do not get equal parts"), level);
  return hw_known(method, floor(bytes.value / by.value), bytes.error / by.value, bytes.clarity);
}

/* hw_read_l1_shared_by, hw_read_l2_shared_by, hw_read_l3_shared_by, hw_read_l1_share_bytes,
   hw_read_l2_share_bytes, hw_read_l3_share_bytes. */
#define SHARING_ROWS(n)                                                                            \
  struct hw_answer hw_read_l##n##_shared_by(const struct hw_curves *curves) {                      \
    return sharing_by(curves, n);                                                                  \
  }                                                                                                \
  struct hw_answer hw_read_l##n##_share_bytes(const struct hw_curves *curves) {                    \
    return sharing_left(curves, n, hw_value_l##n##_bytes(curves));                                 \
  }

SHARING_ROWS(1)
SHARING_ROWS(2)
SHARING_ROWS(3)
