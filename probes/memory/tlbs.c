/* tlbs */
#include "probes/probe.h"

int hw_probe_tlbs(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_tlb_levels(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_tlb2_entries(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_tlb2_assoc(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_tlb2_reach_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_tlb2_miss(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
