/* Execution contexts, off the curves of probes/system/contexts.c.

   Rows    CONTEXTS_INT, CONTEXTS_FP, CONTEXTS_MEM.
   Limits  If the SMT sibling hardly slows a division, the row is unknown.
   See     BB 3.4, 4.2.1. */
#include "analysis/company.h"
#include "analysis/names.h"
#include "analysis/values.h"

struct hw_answer hw_read_contexts_int(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_CONTEXTS_INT, hw_reduce_contexts);
}

struct hw_answer hw_read_contexts_fp(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_CONTEXTS_FP, hw_reduce_contexts);
}

struct hw_answer hw_read_contexts_mem(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_CONTEXTS_MEM, hw_reduce_contexts);
}
