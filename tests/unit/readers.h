/* The functions that tests/unit/readers asks by name. */
#ifndef HW_UNIT_READERS_H
#define HW_UNIT_READERS_H

#include "analysis/groups.h"
#include "analysis/rows/colours.h"
#include "analysis/rows/kinds.h"
#include "analysis/rows/levels.h"
#include "analysis/rows/paths.h"
#include "analysis/rows/processors.h"
#include "analysis/rows/sharing.h"
#include "analysis/rows/size_curve.h"
#include "analysis/rows/tlbs.h"
#include "analysis/rows/traffic.h"
#include "analysis/rows/vectors.h"
#include "probes/engine.h"
#include "tests/unit/curve.h"

#include <string.h>

/* What a function is called with. */
#define READER_MOST 6
struct reader_call {
  const struct hw_curves *curves; /* all */
  const struct hw_curve *curve[READER_MOST];
  double number[READER_MOST];
  size_t n, numbers;
};

struct reader {
  const char *name;
  struct hw_answer (*call)(const struct reader_call *);
};

/* A number as an answer. */
static inline struct hw_answer reader_number(double value) {
  return hw_known("test", value, 0, INFINITY);
}

/* The plateaus of a curve. */
struct reader_plateaus {
  size_t n;
  struct hw_plateau plateau[HW_LEVELS];
};
static inline struct reader_plateaus found_plateaus(const struct hw_curve *curve) {
  struct reader_plateaus found = {0};

  found.n = hw_plateaus(curve, found.plateau, HW_LEVELS);
  return found;
}

/* What is said of the rise between the two plateaus of a curve; 2 if there are not two. */
static inline int found_rise(const struct hw_curve *curve,
                             bool (*says)(const struct hw_curve *, const struct hw_plateau *,
                                          const struct hw_plateau *)) {
  struct reader_plateaus found = found_plateaus(curve);

  return found.n == 2 ? says(curve, &found.plateau[0], &found.plateau[1]) : 2;
}

static inline size_t found_levels(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];

  return hw_levels(curves, level);
}

/* 0 where the last of them is not the memory. */
static inline size_t found_traffic(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  bool memory;
  size_t n = hw_traffic_levels(curves, level, &memory);

  return memory ? n : 0;
}

/* The order of n processors by cores, as digits. */
static inline struct hw_answer found_order(const struct hw_curves *curves, size_t n) {
  size_t place[8];
  double digits = 0;

  if (hw_core_order(curves, place, n) != NULL)
    return hw_unknown("test", "no order");
  for (size_t i = 0; i < n; i++)
    digits = 10 * digits + (double)place[i];
  return reader_number(digits);
}

#define READER(name, result)                                                                       \
  static inline struct hw_answer reader_##name(const struct reader_call *call) {                   \
    const struct hw_curve *c = call->curve[0], *d = call->curve[1];                                \
    const double a = call->number[0], b = call->number[1];                                         \
    (void)c, (void)d, (void)a, (void)b;                                                            \
    return result;                                                                                 \
  }
#define READER_NUMBER(name, result) READER(name, reader_number((double)(result)))
#define ONE(name) READER(name, hw_reduce_##name(c))
#define WITH(name) READER(name, hw_reduce_##name(c, a))
#include "tests/unit/readers.def"
#undef READER
#undef READER_NUMBER
#undef ONE
#undef WITH

static const struct reader readers[] = {
#define READER(name, result) {#name, reader_##name},
#define READER_NUMBER(name, result) {#name, reader_##name},
#define ONE(name) {#name, reader_##name},
#define WITH(name) {#name, reader_##name},
#include "tests/unit/readers.def"
    {NULL, NULL}};

#endif
