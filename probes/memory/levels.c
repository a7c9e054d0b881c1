/* levels */
#include "probes/memory/levels.h"

size_t hw_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS]) {
  (void)curves;
  (void)level;
  return 0;
}

int hw_probe_levels(struct hw_bench *bench) {
  (void)bench;
  return -1;
}

struct hw_answer hw_value_cache_levels(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_have_l1(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_have_l2(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_have_l3(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_lat(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_lat_x100(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_lat_ps(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l2_eff_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_lat(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_lat_x100(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_lat_ps(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_l3_eff_bytes(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_lat(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_lat_x100(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}

struct hw_answer hw_value_mem_lat_ps(const struct hw_curves *curves) {
  (void)curves;
  return hw_absent("none", "not measured");
}
