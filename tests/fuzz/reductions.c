/* Every reduction, of arbitrary points: what is known is a number. */
#include "tests/reductions.h"
#include "tests/fuzz/points.h"

#include "analysis/fit.h"
#include "analysis/groups.h"

#include <math.h>
#include <stdlib.h>

#define FUZZ_POINTS 48
#define FUZZ_MOST 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_answer(struct hw_answer answer) {
  FUZZ_CLAIM(answer.method != NULL);
  FUZZ_CLAIM(answer.known ? isfinite(answer.value) : answer.why != NULL);
}

static void fuzz_plateaus(const struct hw_curve *curve) {
  struct hw_plateau plateau[FUZZ_MOST];
  size_t n = hw_plateaus(curve, plateau, FUZZ_MOST);

  for (size_t i = 0; i < n; i++) {
    FUZZ_CLAIM(plateau[i].first <= plateau[i].last && plateau[i].last < curve->n);
    fuzz_answer(hw_plateau_level(curve, &plateau[i], false));
    fuzz_answer(hw_plateau_level(curve, &plateau[i], true));
    if (i > 0) {
      (void)hw_plateau_wide(curve, &plateau[i - 1], &plateau[i]);
      (void)hw_plateau_shoulder(curve, &plateau[i - 1], &plateau[i]);
      (void)hw_plateau_two(curve, &plateau[i - 1], &plateau[i]);
    }
  }
}

static void fuzz_clusters(const struct hw_curve *curve) {
  size_t member[FUZZ_POINTS + 1], n;
  struct hw_cluster cluster[FUZZ_POINTS + 1];

  n = hw_qt_clusters(curve, member, cluster);
  FUZZ_CLAIM(n <= curve->n);
  for (size_t i = 0; n > 0 && i < curve->n; i++)
    FUZZ_CLAIM(member[i] < n);
}

static void fuzz_groups(const struct hw_curve *curve) {
  struct hw_pairs pairs;
  struct hw_layers layers;

  if (hw_pairs_read(&pairs, curve) < 0)
    return;
  if (hw_layers_find(&pairs, &layers) == NULL) {
    for (size_t i = 0; i < layers.layers; i++)
      FUZZ_CLAIM(hw_layer_size(&layers, i) <= layers.n);
    hw_layers_free(&layers);
  }
  hw_pairs_free(&pairs);
}

/* Those of two curves, or with numbers. */
static void fuzz_more(const struct hw_curve *curve, const struct hw_curve *other, const double *a) {
  const struct hw_curve *both[] = {curve, other, curve};
  struct hw_rise rise = {.low = a[0], .high = a[1], .page = a[2], .ways = a[3]};

  fuzz_answer(hw_reduce_biggest_step(curve, HW_STEP_RELATIVE));
  fuzz_answer(hw_reduce_biggest_step(curve, HW_STEP_SCALED));
  fuzz_answer(hw_reduce_toe(curve, other));
  fuzz_answer(hw_reduce_middle(curve, a[0]));
  fuzz_answer(hw_reduce_cliff(curve, a[0]));
  fuzz_answer(hw_reduce_between(both, 3, a[0], a[1]));
  fuzz_answer(hw_reduce_crossing(curve, a[0], a[1]));
  fuzz_answer(hw_reduce_first_drop(curve, a[0]));
  fuzz_answer(hw_reduce_lru(curve, a[0]));
  fuzz_answer(hw_reduce_servet(curve, &rise));
  fuzz_answer(hw_reduce_throughput_bound(curve, a[0]));
  fuzz_answer(hw_reduce_in_flight(curve, hw_known("any", a[0], fabs(a[1]), HW_CLEAR)));
  fuzz_answer(hw_reduce_spills(curve, a[0], a[1]));
  (void)hw_reduce_falls(curve, a[0]);
  fuzz_answer(hw_reduce_missed(curve, a[0]));
  (void)hw_lines_share(curve, a[0], a[1]);
  (void)hw_fit_read(curve, other, a[0], HW_FIT_SURE);
  (void)hw_fit_read(curve, NULL, a[0], HW_FIT_LIKELY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct hw_answer (*const plain[])(const struct hw_curve *) = {PLAIN_REDUCTIONS};
  struct fuzz_bytes bytes = {data, size};
  struct hw_curve curve, other;
  double number[4];

  for (size_t i = 0; i < 4; i++)
    number[i] = fuzz_number(&bytes);
  fuzz_curve(&bytes, &curve, FUZZ_POINTS);
  fuzz_curve(&bytes, &other, FUZZ_POINTS);
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    fuzz_answer(plain[i](&curve));
  fuzz_plateaus(&curve);
  fuzz_clusters(&curve);
  fuzz_groups(&curve);
  fuzz_more(&curve, &other, number);
  hw_curve_free(&curve);
  hw_curve_free(&other);
  return 0;
}
