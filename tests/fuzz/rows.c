/* Every row, of arbitrary curves in place of all that it asks for: what is known is within its
 * range. */
#include "tests/fuzz/points.h"

/* All of it, but hw_curves_get, in whose place is what follows. */
#define hw_curves_get fuzz_curves_get
#include "analysis/curve.c"
#undef hw_curves_get

#include "probes/engine.h"

#include <math.h>
#include <stdlib.h>

/* So many curves, of so many points at most, stand for all. */
#define FUZZ_CURVES 6u
#define FUZZ_POINTS 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever the name, there is a curve, or none. */
const struct hw_curve *hw_curves_get(const struct hw_curves *curves, const char *name) {
  unsigned hash = 5381;

  for (const char *c = name; *c != '\0'; c++)
    hash = hash * 33 + (unsigned char)*c;
  hash %= FUZZ_CURVES + 1;
  return hash < curves->n ? curves->curve[hash] : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_bytes bytes = {data, size};
  struct hw_curve curve[FUZZ_CURVES], *list[FUZZ_CURVES];
  struct hw_curves curves = {.n = FUZZ_CURVES, .curve = list};
  static FILE *log;

  if (log == NULL && (log = fopen("/dev/null", "w")) == NULL)
    abort();
  for (unsigned i = 0; i < FUZZ_CURVES; i++) {
    fuzz_curve(&bytes, &curve[i], FUZZ_POINTS);
    snprintf(curve[i].name, sizeof curve[i].name, "levels_round_%u", i + 1);
    list[i] = &curve[i];
  }
  for (const struct hw_param *p = hw_params; p->name != NULL; p++) {
    struct hw_answer answer = hw_param_reduce(p, &curves, log);
    FUZZ_CLAIM(answer.known ? round(answer.value) >= p->low && round(answer.value) <= p->high
                            : answer.why != NULL);
  }
  for (unsigned i = 0; i < FUZZ_CURVES; i++)
    hw_curve_free(&curve[i]);
  return 0;
}
