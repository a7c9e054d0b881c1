/* fetch */
#include "probes/probe.h"

int hw_probe_fetch(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_fetch_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
