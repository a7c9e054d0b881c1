/* icache */
#include "probes/probe.h"

int hw_probe_icache(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_l1i_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1i_assoc(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1i_line(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1i_miss(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
