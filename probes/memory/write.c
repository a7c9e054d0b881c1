/* write */
#include "probes/probe.h"

int hw_probe_write(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_l1_write_back(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1_write_allocate(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_write_back(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_write_allocate(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_write_back(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_write_allocate(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
