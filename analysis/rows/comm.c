/* Communication between processors, off the curves of probes/system/comm.c, and between processes,
   off those of probes/mpi/hwmpi.c.

   Method  The layers are a tree of groups: a word takes less time within a group than to the
           outside.  A bandwidth is that of one block, its time of a word included.  If two times
           of one pair differ, none is published: a host that has moved a processor moves it again.
           Nor is that of two that slow each other's additions: they were on one core, where blocks
           are handed on at twice the speed.  Messages of all pairs at once are compared with one
           alone, and with a single message as long as all of them.
   Rows    COMM_LAYERS, COMM1_LAT_NS and so on; MPI_LAYERS, MPI1_LAT_NS and so on.
   Limits  Layers whose times differ by less than a quarter are one, or unknown.
   See     BB 3.1.4; SV III-D, figures 7 and 10. */
#include "analysis/rows/comm.h"

#include "analysis/company.h"
#include "analysis/names.h"

#include <math.h>
#include <stdio.h>

/* What most level 1s hold, bytes. */
#define COMM_LEVEL1 32768.0

/* What the curves measure: threads bound to processors, or processes of MPI. */
struct comm_kind {
  const char *pairs;  /* the curve of them */
  const char *prefix; /* of the other curves */
  const char *alone;  /* why there is nothing when there is one only */
  double differs;     /* a pair whose times differ by this factor was moved */
};

static const struct comm_kind comm_threads = {
    HW_NAME_COMM_PAIRS, "comm", "there are no two processors to bind threads to", HW_LAYER_DOUBT};
static const struct comm_kind comm_mpi = {"mpi_pairs", "mpi", "there are no two processes",
                                          HW_LAYER_GAP};

/* The layers, off the curve of pairs.  NULL, or why there are none. */
static const char *comm_layers(const struct hw_curves *curves, const struct comm_kind *kind,
                               struct hw_layers *layers) {
  return hw_layers_read(hw_curves_get(curves, kind->pairs), layers);
}

const char *hw_comm_layers(const struct hw_curves *curves, struct hw_layers *layers) {
  return comm_layers(curves, &comm_threads, layers);
}

/* A curve of layer k. */
static const struct hw_curve *comm_curve(const struct hw_curves *curves,
                                         const struct comm_kind *kind, const char *name, size_t k) {
  char text[HW_CURVE_NAME];

  snprintf(text, sizeof text, "%s_%s_%zu", kind->prefix, name, k + 1);
  return hw_curves_get(curves, text);
}

/* The layers of the curves.  False when there are none, and *answer says why. */
static bool comm_known(const struct hw_curves *curves, const struct comm_kind *kind,
                       struct hw_layers *layers, struct hw_answer *answer) {
  static const char method[] = "groups by pairs";
  const struct hw_curve *first = comm_curve(curves, kind, "groups", 0);
  const char *why;

  if (first != NULL && first->n < 2)
    *answer = hw_absent(method, kind->alone);
  else if ((why = comm_layers(curves, kind, layers)) != NULL)
    *answer = hw_unknown(method, why);
  else
    return true;
  return false;
}

static struct hw_answer comm_count(const struct hw_curves *curves, const struct comm_kind *kind) {
  struct hw_answer answer;
  struct hw_layers layers;

  if (!comm_known(curves, kind, &layers, &answer))
    return answer;
  answer = hw_known("groups by pairs", (double)layers.layers, 0, HW_CLARITY_MAX);
  hw_layers_free(&layers);
  return answer;
}

struct hw_answer hw_read_comm_layers(const struct hw_curves *curves) {
  return comm_count(curves, &comm_threads);
}

/* Whether the additions of the pair measured of layer k were slowed as on one core, or whether that
   is not clear. */
static bool comm_crammed(const struct hw_curves *curves, const struct comm_kind *kind, size_t k) {
  const struct hw_curve *company = comm_curve(curves, kind, "company", k);

  for (size_t i = 0; company != NULL && i < company->n; i++)
    if (hw_company_of(&company->point[i]) != HW_COMPANY_ALONE)
      return true;
  return false;
}

static const char comm_one_core[] = "its processors slowed each other as if they were one core";

/* Whether the latency of a word of a pair differs from that in the curve of pairs, or where the
   pair is not in it from those of layer k. */
static bool comm_contradicts(const struct hw_curves *curves, const struct comm_kind *kind,
                             const struct hw_layers *layers, size_t k,
                             const struct hw_point *other) {
  const struct hw_point *pair = hw_curve_at(hw_curves_get(curves, kind->pairs), other->x);
  double low = pair != NULL ? pair->y : layers->low[k];
  double high = pair != NULL ? pair->y : layers->high[k];

  return other->y > kind->differs * high || other->y * kind->differs < low;
}

/* The latency of a word of the pair of layer k that was measured last, as a point of the curve of
   pairs. */
static struct hw_point comm_later_point(const struct hw_curve *crowd,
                                        const struct hw_layers *layers, size_t k) {
  size_t place[HW_THINGS] = {0};

  (void)hw_layer_match(layers, k, place);
  return (struct hw_point){.x = hw_pair_x(place[0], place[1]), .y = crowd->point[0].y};
}

/* Whether a pair of layer k had another latency before. */
static bool comm_moved_before(const struct hw_curves *curves, const struct comm_kind *kind,
                              const struct hw_layers *layers, size_t k) {
  const struct hw_curve *early = hw_curves_get(curves, HW_NAME_COMM_EARLY);

  for (size_t p = 0; kind == &comm_threads && early != NULL && p < early->n; p++) {
    size_t i, j;

    hw_pair_of(early->point[p].x, &i, &j);
    if (j < layers->n && hw_layer_joins(layers, k, i, j) &&
        comm_contradicts(curves, kind, layers, k, &early->point[p]))
      return true;
  }
  return false;
}

static const char comm_were_moved[] = "its processors were moved while configure ran";

/* The latency of a word within layer k, from 0.  That of one pair is measured again at the end:
   where the host has moved its processors meanwhile, neither time can be repeated. */
static struct hw_answer comm_latency(const struct hw_curves *curves, const struct comm_kind *kind,
                                     const struct hw_layers *layers, size_t k) {
  static const char method[] = "median of pairs";
  const struct hw_curve *again = comm_curve(curves, kind, "crowd", k);
  struct hw_point later;

  if (again == NULL || again->n == 0)
    return hw_unknown(method, "it was not measured again");
  later = comm_later_point(again, layers, k);
  if (comm_contradicts(curves, kind, layers, k, &later))
    return hw_unknown(method, "it changed while it was measured");
  if (comm_moved_before(curves, kind, layers, k))
    return hw_unknown(method, comm_were_moved);
  if (comm_crammed(curves, kind, k))
    return hw_unknown(method, comm_one_core);
  return hw_known(method, layers->y[k],
                  fmax((layers->high[k] - layers->low[k]) / 2, fabs(later.y - layers->y[k])),
                  HW_CLARITY_MAX);
}

static struct hw_answer comm_size(const struct hw_curves *curves, const struct comm_kind *kind,
                                  const struct hw_layers *layers, size_t k) {
  size_t size = hw_layer_size(layers, k);

  (void)curves;
  (void)kind;
  if (size == 0)
    return hw_absent("groups by pairs", HW_GROUPS_UNEVEN);
  return hw_known("groups by pairs", (double)size, 0, HW_CLARITY_MAX);
}

/* The largest block of a curve, of no more than that many bytes, or NULL. */
static const struct hw_point *comm_largest(const struct hw_curve *curve, double most) {
  size_t n = curve == NULL ? 0 : curve->n;

  while (n > 0 && curve->point[n - 1].x > most)
    n--;
  return n == 0 ? NULL : &curve->point[n - 1];
}

/* A block of which the bandwidth is told. */
struct comm_block {
  double most;    /* bytes: the largest measured up to this */
  double differs; /* times that differ by more than this factor are of two places */
  double others;  /* the factor by which others change it */
};

/* Its bandwidth where it took these two times: a byte a ns is 1000 MB/s. */
static struct hw_answer comm_times(const struct comm_block *block, const struct hw_point *first,
                                   const struct hw_point *later) {
  static const char method[] = "rate of a block";
  double low = fmin(first->y * (1 - first->spread), later->y * (1 - later->spread));
  double high = fmax(first->y * (1 + first->spread), later->y * (1 + later->spread));
  struct hw_answer time = hw_ranged(method, (first->y + later->y) / 2, low, high);

  if (first->y > block->differs * later->y || later->y > block->differs * first->y)
    return hw_unknown(method, "it changed while it was measured");
  return hw_scaled(hw_at_other_times(hw_inverse(time), block->others), 1000 * first->x);
}

/* That of layer k. */
static struct hw_answer comm_rate(const struct hw_curves *curves, const struct comm_kind *kind,
                                  const struct hw_layers *layers, size_t k,
                                  const struct comm_block *block) {
  static const char method[] = "rate of a block";
  const struct hw_point *first = comm_largest(comm_curve(curves, kind, "size", k), block->most);
  const struct hw_point *later = first;

  if (kind == &comm_threads) /* between processes there are no second times */
    later = first == NULL ? NULL : hw_curve_at(comm_curve(curves, kind, "again", k), first->x);
  if (first == NULL)
    return hw_unknown(method, "its curve was not measured");
  if (later == NULL)
    return hw_unknown(method, "it was not measured a second time");
  if (comm_moved_before(curves, kind, layers, k))
    return hw_unknown(method, comm_were_moved);
  if (comm_crammed(curves, kind, k))
    return hw_unknown(method, comm_one_core);
  return comm_times(block, first, later);
}

static struct hw_answer comm_near(const struct hw_curves *curves, const struct comm_kind *kind,
                                  const struct hw_layers *layers, size_t k) {
  static const struct comm_block block = {COMM_LEVEL1, HW_LAYER_GAP, HW_OTHERS_CACHE};

  return comm_rate(curves, kind, layers, k, &block);
}

/* Others take the caches, too, in which such blocks are. */
static struct hw_answer comm_large(const struct hw_curves *curves, const struct comm_kind *kind,
                                   const struct hw_layers *layers, size_t k) {
  static const struct comm_block block = {HW_COMM_LARGE, HW_RANGE_WIDEST, HW_OTHERS_MEMORY};
  const struct hw_curve *curve = comm_curve(curves, kind, "size", k);

  if (curve != NULL && hw_curve_at(curve, HW_COMM_LARGE) == NULL)
    return hw_unknown("rate of a block", "the largest block was not measured");
  return comm_rate(curves, kind, layers, k, &block);
}

/* By what factor the least time of longer messages exceeds the most of shorter ones, beyond what
   the bytes between the two sizes beside this one take; *unsteady is set if it is noise that
   decides. */
static double comm_step(const struct hw_curve *curve, double bytes, bool *unsteady) {
  double most = 0, least = INFINITY;

  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];

    if (p->x < bytes)
      most = fmax(most, p->y);
    if (p->x > bytes)
      least = fmin(least, p->y);
  }
  *unsteady = *unsteady || most > HW_LAYER_GAP * least;
  return least / most * (bytes - HW_COMM_STEP_BESIDE) / (bytes + HW_COMM_STEP_BESIDE);
}

/* The size at which messages of layer k change from one protocol to another, at once longer by a
   quarter. */
static struct hw_answer comm_eager(const struct hw_curves *curves, const struct comm_kind *kind,
                                   const struct hw_layers *layers, size_t k) {
  static const char method[] = "largest step";
  const struct hw_curve *curve = comm_curve(curves, kind, "size", k);
  double step = HW_LAYER_GAP, size = 0;
  bool unsteady = false;

  (void)layers;
  if (curve == NULL)
    return hw_unknown(method, "its curve was not measured");
  for (size_t at = HW_COMM_STEP_LEAST; at <= HW_COMM_STEP_MOST; at *= 2) {
    double factor = comm_step(curve, (double)at, &unsteady);

    if (hw_curve_at(curve, (double)(at - HW_COMM_STEP_BESIDE)) == NULL ||
        hw_curve_at(curve, (double)(at + HW_COMM_STEP_BESIDE)) == NULL)
      return hw_unknown(method, "messages of some sizes were disturbed");
    if (factor > step) {
      step = factor;
      size = (double)at;
    }
  }
  if (unsteady)
    return hw_unknown(method, "longer messages took less time than shorter ones");
  return size > 0 ? hw_known(method, size, 0, HW_CLARITY_MAX)
                  : hw_absent(method, "no size takes a quarter more time at once");
}

/* The least error of a ratio of times that were taken one after the other, as a share; and that
   from which on two times show no ratio. */
#define COMM_SURE 0.05
#define COMM_UNSURE 0.12

/* The curve of pairs of layer k at once, all of them last.  NULL if they are not known or there is
   one pair only, and *answer says so. */
static const struct hw_curve *comm_crowded(const struct hw_curves *curves,
                                           const struct comm_kind *kind, const char *name, size_t k,
                                           struct hw_answer *answer) {
  const struct hw_curve *few = comm_curve(curves, kind, "crowd", k);
  const struct hw_curve *curve = comm_curve(curves, kind, name, k);

  if (few != NULL && few->n == 1)
    *answer = hw_absent("ratio", "there is one pair only");
  else if (few == NULL || curve == NULL || curve->n < 2)
    *answer = hw_unknown("ratio", "its curve was not measured");
  else
    return curve;
  return NULL;
}

/* The error of the ratio of two times, as a share. */
static double comm_error(const struct hw_point *some, const struct hw_point *other) {
  return hw_point_error(some) / some->y + hw_point_error(other) / other->y;
}

static struct hw_answer comm_slowdown(const struct hw_curves *curves, const struct comm_kind *kind,
                                      const struct hw_layers *layers, size_t k) {
  static const char method[] = "ratio";
  struct hw_answer answer;
  const struct hw_curve *curve = comm_crowded(curves, kind, "crowd", k, &answer);
  const struct hw_point *one, *all;
  double error;

  (void)layers;
  if (curve == NULL)
    return answer;
  one = &curve->point[0];
  all = &curve->point[curve->n - 1];
  error = comm_error(one, all);
  if (error > COMM_UNSURE)
    return hw_unknown(method, "samples differ too much");
  return hw_known(method, 100 * all->y / one->y, 100 * all->y / one->y * error, HW_CLARITY_MAX);
}

/* The x from which on a curve is no lower than y, by interpolation; 0 if it is lower at its end. */
static double comm_reaches(const struct hw_curve *curve, double y) {
  const struct hw_point *p = &curve->point[curve->n - 1];

  if (p->y < y)
    return 0;
  while (p > curve->point && p[-1].y >= y)
    p--;
  return p == curve->point ? p->x : p->x - (p->x - p[-1].x) * (p->y - y) / (p->y - p[-1].y);
}

/* How many blocks are passed at once where each takes twice the time of one alone. */
static struct hw_answer comm_double(const struct hw_curves *curves, const struct comm_kind *kind,
                                    const struct hw_layers *layers, size_t k) {
  static const char method[] = "twice the first";
  struct hw_answer answer;
  const struct hw_curve *curve = comm_crowded(curves, kind, "crowd_large", k, &answer);
  double error = COMM_SURE, twice;

  (void)layers;
  if (curve == NULL)
    return answer;
  for (size_t i = 1; i < curve->n; i++)
    error = fmax(error, comm_error(&curve->point[0], &curve->point[i]));
  twice = 2 * curve->point[0].y;
  if (comm_reaches(curve, twice * (1 - error)) == 0)
    return hw_absent(method, "all pairs at once take less than twice the time of one");
  if (comm_reaches(curve, twice * (1 + error)) == 0)
    return hw_unknown(method, "it is not clear whether all at once take twice the time of one");
  return hw_ranged(method, comm_reaches(curve, twice), comm_reaches(curve, twice * (1 - error)),
                   comm_reaches(curve, twice * (1 + error)));
}

/* Whether n messages of some bytes, passed at once as by the curve, take a quarter more time than
   one n times as long: 1, or 0; -1 if it is not clear, or was not measured. */
static int comm_gathers(const struct hw_curve *crowd, const struct hw_curve *again, double n,
                        size_t bytes) {
  const struct hw_point *all = hw_curve_at(crowd, n);
  const struct hw_point *one = hw_curve_at(again, n * (double)bytes);
  double ratio, error;

  if (all == NULL || one == NULL)
    return -1;
  ratio = all->y / one->y;
  error = comm_error(all, one) + COMM_SURE;
  return ratio * (1 - error) > HW_LAYER_GAP ? 1 : ratio * (1 + error) < HW_LAYER_GAP ? 0 : -1;
}

/* The longest messages, of the two lengths that were measured, of which it pays to pass a single
   one instead of those of all pairs. */
static struct hw_answer comm_gather(const struct hw_curves *curves, const struct comm_kind *kind,
                                    const struct hw_layers *layers, size_t k) {
  static const char method[] = "many against a long one";
  struct hw_answer answer;
  const struct hw_curve *large = comm_crowded(curves, kind, "crowd_large", k, &answer);
  const struct hw_curve *small = comm_curve(curves, kind, "crowd", k);
  const struct hw_curve *again = comm_curve(curves, kind, "again", k);
  size_t bytes = HW_COMM_CROWD;
  double n;
  int pays;

  (void)layers;
  if (large == NULL)
    return answer;
  n = (double)hw_comm_gathered((size_t)small->point[small->n - 1].x);
  pays = comm_gathers(large, again, n, bytes);
  if (pays == 0)
    pays = comm_gathers(small, again, n, bytes = HW_COMM_WORD);
  if (pays < 0)
    return hw_unknown(method, "it is not clear which takes longer");
  return hw_known(method, pays * (double)bytes, 0, HW_CLARITY_MAX);
}

typedef struct hw_answer comm_reduce(const struct hw_curves *curves, const struct comm_kind *kind,
                                     const struct hw_layers *layers, size_t k);

/* A row of layer k.  Of processors there are more than layers. */
static struct hw_answer comm_row(const struct hw_curves *curves, const struct comm_kind *kind,
                                 size_t k, comm_reduce *row) {
  const struct hw_curve *list =
      kind == &comm_threads ? hw_curves_get(curves, HW_NAME_PROCESSORS) : NULL;
  struct hw_answer answer = hw_absent("groups by pairs", "there is no such layer");
  struct hw_layers layers;

  if ((list != NULL && list->n > 1 && k + 1 >= list->n) ||
      !comm_known(curves, kind, &layers, &answer))
    return answer;
  if (k < layers.layers)
    answer = row(curves, kind, &layers, k);
  hw_layers_free(&layers);
  return answer;
}

bool hw_comm_clear(const struct hw_curves *curves) {
  for (size_t k = 0; k < HW_COMM_MOST; k++) {
    struct hw_answer word = comm_row(curves, &comm_threads, k, comm_latency);
    struct hw_answer byte = comm_row(curves, &comm_threads, k, comm_near);

    if (!(word.known || word.settled) || !(byte.known || byte.settled))
      return false;
  }
  return true;
}

/* A row of layer k.  After the last measurement unknown is final: another would tell no more where
   the host moves the pair, or another guest stays. */
static struct hw_answer comm_value(const struct hw_curves *curves, const struct comm_kind *kind,
                                   size_t k, comm_reduce *row) {
  struct hw_answer answer = comm_row(curves, kind, k, row);

  if (!answer.known && kind == &comm_threads)
    answer.settled = answer.settled || comm_curve(curves, kind, "crowd", 0) != NULL;
  return answer;
}

/* The rows of a layer of processors: hw_read_commN_lat_ns, hw_read_commN_mbs, hw_read_commN_size,
   hw_read_commN_slowdown_x100, hw_read_commN_large_mbs, hw_read_commN_double_at,
   hw_read_commN_gather_bytes; and of processes: hw_read_mpiN_lat_ns,
   hw_read_mpiN_mbs, hw_read_mpiN_slowdown_x100, hw_read_mpiN_eager_bytes. */
#define COMM_ROW(name, n, row, value, reduce)                                                      \
  struct hw_answer hw_read_##name##n##_##row(const struct hw_curves *curves) {                     \
    return value(curves, &COMM_##name, (n)-1, reduce);                                             \
  }
#define COMM_THREADS(name, n)                                                                      \
  COMM_ROW(name, n, lat_ns, comm_value, comm_latency)                                              \
  COMM_ROW(name, n, mbs, comm_value, comm_near)                                                    \
  COMM_ROW(name, n, size, comm_row, comm_size)                                                     \
  COMM_ROW(name, n, slowdown_x100, comm_value, comm_slowdown)                                      \
  COMM_ROW(name, n, large_mbs, comm_value, comm_large)                                             \
  COMM_ROW(name, n, double_at, comm_value, comm_double)                                            \
  COMM_ROW(name, n, gather_bytes, comm_value, comm_gather)
#define COMM_PROCESSES(name, n)                                                                    \
  COMM_ROW(name, n, lat_ns, comm_value, comm_latency)                                              \
  COMM_ROW(name, n, mbs, comm_value, comm_large)                                                   \
  COMM_ROW(name, n, slowdown_x100, comm_value, comm_slowdown)                                      \
  COMM_ROW(name, n, eager_bytes, comm_row, comm_eager)

#define COMM_comm comm_threads
#define COMM_mpi comm_mpi

COMM_THREADS(comm, 1)
COMM_THREADS(comm, 2)
COMM_THREADS(comm, 3)
COMM_THREADS(comm, 4)
COMM_PROCESSES(mpi, 1)
COMM_PROCESSES(mpi, 2)
COMM_PROCESSES(mpi, 3)
COMM_PROCESSES(mpi, 4)

struct hw_answer hw_read_mpi_layers(const struct hw_curves *curves) {
  return comm_count(curves, &comm_mpi);
}
