/* Paths to memory, off the curves of probes/system/paths.c.

   Method  Groups are the layers of pairs that take bandwidth from each other.  Memory is saturated
           by the fewest threads that together read about as much as any number of them, of all
           threads or of those of a group.
   Rows    MEM_GROUPS, MEM_GROUP1_SIZE, MEM_GROUP1_MBS, MEM_GROUP1_THREADS and so on, MEM_THREADS,
           MEM_TOTAL_MBS.
   Limits  Needs to know where memory begins.  Two of which each keeps 87 % of its bandwidth are
           no group; two that keep 80 % or less are; in between it is unknown.
   See     SV III-C, figures 6 and 9. */
#include "analysis/rows/paths.h"

#include "analysis/names.h"
#include "analysis/rows/local_memory.h"

#include <math.h>
#include <stdio.h>

/* The ratio of two rates may be off by this. */
#define PATHS_DOUBT 0.03

const char *hw_paths_layers(const struct hw_curves *curves, struct hw_layers *layers,
                            size_t *shared) {
  const char *why = hw_layers_read(hw_curves_get(curves, HW_NAME_MEM_PAIRS), layers);

  *shared = 0;
  if (why != NULL)
    return why;
  while (*shared < layers->layers && layers->low[*shared] < HW_PATHS_APART)
    if (layers->high[(*shared)++] > HW_PATHS_SHARED) {
      hw_layers_free(layers);
      return "it is not clear whether two hinder each other";
    }
  return NULL;
}

bool hw_paths_paired(const struct hw_curves *curves) {
  struct hw_layers layers;
  size_t shared;

  if (hw_paths_layers(curves, &layers, &shared) != NULL)
    return false;
  hw_layers_free(&layers);
  return true;
}

static const char paths_method[] = "groups by pairs";

/* The layers, and the number of them that are groups.  False when they are not known, and *answer
   says why. */
static bool paths_shared(const struct hw_curves *curves, struct hw_layers *layers, size_t *shared,
                         struct hw_answer *answer) {
  const char *why;
  size_t n;

  if (!hw_local_memory_known(curves, paths_method, &n, answer))
    return false;
  why = hw_paths_layers(curves, layers, shared);
  if (why == NULL && layers->n != n) {
    hw_layers_free(layers);
    why = "processors are missing";
  }
  if (why != NULL)
    *answer = hw_unknown(paths_method, why);
  return why == NULL;
}

struct hw_answer hw_read_mem_groups(const struct hw_curves *curves) {
  struct hw_layers layers;
  struct hw_answer answer;
  size_t shared;

  if (!paths_shared(curves, &layers, &shared, &answer))
    return answer;
  hw_layers_free(&layers);
  return hw_known(paths_method, (double)shared, 0, HW_CLARITY_MAX);
}

static struct hw_answer paths_size(const struct hw_curves *curves, const struct hw_layers *layers,
                                   size_t k) {
  size_t size = hw_layer_size(layers, k);

  (void)curves;
  if (size == 0)
    return hw_absent(paths_method, HW_GROUPS_UNEVEN);
  return hw_known(paths_method, (double)size, 0, HW_CLARITY_MAX);
}

/* The bandwidth that one of two keeps, by the pairs of the layer: a byte a ns is 1000 MB/s. */
static struct hw_answer paths_rate(const struct hw_curves *curves, const struct hw_layers *layers,
                                   size_t k) {
  const struct hw_curve *pairs = hw_curves_get(curves, HW_NAME_MEM_PAIRS);
  const struct hw_curve *time = hw_curves_get(curves, HW_NAME_MEM_PAIRS_NS);
  struct hw_curve part;
  struct hw_answer answer;

  hw_curve_init(&part, "part", "", "");
  for (size_t i = 0; i < pairs->n; i++) { /* those that were taken over from others have no time */
    const struct hw_point *at = hw_curve_at(time, pairs->point[i].x);

    if (at != NULL && pairs->point[i].y >= layers->low[k] && pairs->point[i].y <= layers->high[k] &&
        hw_curve_put(&part, *at) < 0)
      part.n = 0;
  }
  if (part.n == 0) {
    hw_curve_free(&part);
    return hw_unknown("median rate", "its curve was not measured");
  }
  answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  if (answer.known)
    answer = hw_known(answer.method, 1000 / answer.value,
                      1000 / answer.value * (answer.error / answer.value), answer.clarity);
  return answer;
}

static struct hw_answer paths_row(const struct hw_curves *curves, size_t k,
                                  struct hw_answer (*row)(const struct hw_curves *,
                                                          const struct hw_layers *, size_t)) {
  struct hw_answer answer, none = hw_absent(paths_method, "there are no such groups");
  struct hw_layers layers;
  size_t shared, n;

  if (!hw_local_memory_known(curves, paths_method, &n, &answer))
    return answer;
  if (k + 1 >= n) /* there are fewer layers than processors */
    return none;
  if (!paths_shared(curves, &layers, &shared, &answer))
    return answer;
  answer = k < shared ? row(curves, &layers, k) : none;
  hw_layers_free(&layers);
  return answer;
}

/* A curve of threads that read, and its highest point.  NULL, and *answer says why. */
static const struct hw_curve *paths_most(const struct hw_curves *curves, const char *name,
                                         const struct hw_point **most, struct hw_answer *answer) {
  static const char method[] = "fewest threads";
  const struct hw_curve *curve = hw_curves_get(curves, name);
  size_t n;

  if (!hw_local_memory_known(curves, paths_method, &n, answer) && n != 1)
    return NULL;
  if (curve == NULL || curve->n == 0) {
    *answer = hw_curves_get(curves, HW_NAME_MEM_PAIRS) != NULL
                  ? hw_absent(method, "there is no memory or time for all threads")
                  : hw_unknown(method, "its curve was not measured");
    return NULL;
  }
  *most = curve->point;
  for (size_t i = 0; i < curve->n; i++) {
    *most = curve->point[i].y > (*most)->y ? &curve->point[i] : *most;
    if (curve->point[i].spread > HW_RATE_ERROR) {
      *answer = hw_unknown(method, "samples differ by more than 15 %");
      return NULL;
    }
  }
  return curve;
}

struct hw_answer hw_read_mem_total_mbs(const struct hw_curves *curves) {
  const struct hw_point *most;
  struct hw_answer answer;

  if (paths_most(curves, HW_NAME_MEM_THREADS, &most, &answer) == NULL)
    return answer;
  return hw_known("most", 1000 * most->y, 1000 * most->y * PATHS_DOUBT, HW_CLARITY_MAX);
}

/* The error of the ratio of two rates. */
static double paths_doubt(const struct hw_point *some, const struct hw_point *most) {
  double error = hw_point_error(some) / some->y + hw_point_error(most) / most->y;

  return PATHS_DOUBT + (some == most ? 0 : some->y / most->y * error);
}

/* The fewest threads of such a curve that read about as much as any number of them. */
static struct hw_answer paths_fewest(const struct hw_curves *curves, const char *name) {
  static const char method[] = "fewest threads";
  struct hw_answer answer;
  const struct hw_curve *curve;
  const struct hw_point *most;
  size_t first = 0;

  curve = paths_most(curves, name, &most, &answer);
  if (curve == NULL)
    return answer;
  while (curve->point[first].y < HW_PATHS_ENOUGH * most->y)
    first++;
  for (size_t i = 0; i < curve->n; i++)
    if (fabs(curve->point[i].y / most->y - HW_PATHS_ENOUGH) < paths_doubt(&curve->point[i], most))
      return hw_unknown(method, "it is not clear whether more threads get more");
  if (first > 0 && curve->point[first].x > curve->point[first - 1].x + 1)
    return hw_unknown(method, "points are missing");
  return hw_known(method, curve->point[first].x, 0, HW_CLARITY_MAX);
}

struct hw_answer hw_read_mem_threads(const struct hw_curves *curves) {
  return paths_fewest(curves, HW_NAME_MEM_THREADS);
}

/* The same within a group: of all processors, where it has them all. */
static struct hw_answer paths_group_threads(const struct hw_curves *curves,
                                            const struct hw_layers *layers, size_t k) {
  char name[HW_CURVE_NAME] = HW_NAME_MEM_THREADS;

  if (hw_layer_size(layers, k) != layers->n)
    snprintf(name, sizeof name, "mem_threads_%zu", k + 1);
  return paths_fewest(curves, name);
}

/* hw_read_mem_group1_size, hw_read_mem_group2_size, hw_read_mem_group3_size,
   hw_read_mem_group4_size, hw_read_mem_group1_mbs, hw_read_mem_group2_mbs, hw_read_mem_group3_mbs,
   hw_read_mem_group4_mbs, hw_read_mem_group1_threads, hw_read_mem_group2_threads,
   hw_read_mem_group3_threads, hw_read_mem_group4_threads. */
#define PATHS_ROW(n, row, reduce)                                                                  \
  struct hw_answer hw_read_mem_group##n##_##row(const struct hw_curves *curves) {                  \
    return paths_row(curves, (n)-1, reduce);                                                       \
  }
#define PATHS_ROWS(n)                                                                              \
  PATHS_ROW(n, size, paths_size)                                                                   \
  PATHS_ROW(n, mbs, paths_rate)                                                                    \
  PATHS_ROW(n, threads, paths_group_threads)

PATHS_ROWS(1)
PATHS_ROWS(2)
PATHS_ROWS(3)
PATHS_ROWS(4)
