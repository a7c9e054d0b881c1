/* colours */
#include "probes/probe.h"

int hw_probe_colours(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_l2_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_assoc(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_line(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_sets(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_exclusive(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_lru(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_assoc(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_line(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_sets(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_exclusive(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_lru(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
