/* bandwidth */
#include "probes/probe.h"

int hw_probe_bandwidth(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_l1_read_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1_write_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l1_copy_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_read_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_write_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_copy_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_read_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_write_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_copy_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_read_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_write_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_copy_mbs(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
