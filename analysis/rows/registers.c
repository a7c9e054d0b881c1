/* Variables that are live in registers at once, off the curves of probes/core/registers.c.

   Method  A variable that is spilled has to be stored each time it is added to, and nothing hides
           that: from the first spill on the time rises by a store.
   Rows    NR_.
   Limits  The loop counter, spilled where no register is left for it, does not count as a
           variable.
   See     XT 3.5. */
#include "analysis/rows/registers.h"

#include "analysis/rows/operations.h"

#include <math.h>
#include <stdio.h>

/* Stores in a cycle, at most; stores beside each addition for which there are loops: up to two, and
   the most. */
#define REGISTERS_STORES 2.0
#define REGISTERS_FEW 2.0
#define REGISTERS_BESIDE 8u
/* The time of an addition is known to this share. */
#define REGISTERS_ALIKE 0.1

unsigned hw_registers_beside(const struct hw_curves *curves, const char *tag) {
  struct hw_answer add = hw_operations_throughput(curves, "add", tag[0] == 'v' ? "vf32" : tag);
  double stores = add.known ? ceil(REGISTERS_STORES * (1 - REGISTERS_ALIKE) * add.value) : 1;

  return stores > REGISTERS_FEW ? REGISTERS_BESIDE : (unsigned)fmax(stores, 1);
}

const struct hw_curve *hw_registers_curve(const struct hw_curves *curves, const char *tag) {
  char name[HW_CURVE_NAME];

  snprintf(name, sizeof name, "live_%s", tag);
  return hw_curves_get(curves, name);
}

struct hw_answer hw_registers_value(const struct hw_curves *curves, const char *tag) {
  const struct hw_curve *curve = hw_registers_curve(curves, tag);

  if (curve == NULL && tag[0] != 'i' && hw_registers_curve(curves, "i32") != NULL)
    return hw_absent(HW_NO_METHOD, "the integer registers, or the vectors, are unknown");
  if (curve == NULL)
    return hw_absent(HW_NO_METHOD, "the compiler keeps no variable in a register");
  return hw_reduce_spills(curve, hw_registers_beside(curves, tag), HW_REGISTERS_LEAST);
}

/* The last number without a spill, where the points on either side of the rise are adjacent. */
static struct hw_answer registers_count(const struct hw_curves *curves, const char *tag) {
  struct hw_answer knee = hw_registers_value(curves, tag);

  return !knee.known || knee.error < 1.5
             ? knee
             : hw_unknown(knee.method, "the points between were not measured");
}

/* hw_read_nr_i32, hw_read_nr_i64, hw_read_nr_f32, hw_read_nr_f64, hw_read_nr_v. */
#define REGISTERS_VALUE(tag)                                                                       \
  struct hw_answer hw_read_nr_##tag(const struct hw_curves *curves) {                              \
    return registers_count(curves, #tag);                                                          \
  }

REGISTERS_VALUE(i32)
REGISTERS_VALUE(i64)
REGISTERS_VALUE(f32)
REGISTERS_VALUE(f64)
REGISTERS_VALUE(v)
