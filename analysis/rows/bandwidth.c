/* Bandwidth of one thread from each level, and from memory, off the curves of
   probes/data/bandwidth.c.

   Method  The median rate of a level's points.
   Rows    L1_READ_MBS, L1_WRITE_MBS, L1_COPY_MBS, the same of L2, L3 and MEM.
   Limits  The error is at most HW_RATE_ERROR, the clock's drift included.
   See     XM 9; SV III-C. */
#include "analysis/rows/traffic.h"

/* The bandwidth (MB/s) of a level, 1 the first; of memory where level is 0. */
static struct hw_answer bandwidth_rate(const struct hw_curves *curves, const char *name,
                                       size_t level) {
  static const char method[] = "median rate";
  bool whole;
  size_t caches = hw_traffic_caches(curves, &whole);
  struct hw_answer answer = hw_traffic_has(curves, level, method);
  struct hw_curve part;
  double ns;

  if (!answer.known)
    return answer;
  if (level == 0 && !whole)
    return hw_unknown(method, "it may be one more cache, and not memory");
  if (hw_traffic_part(curves, name, level == 0 ? caches + 1 : level, &part) != 0)
    return hw_unknown(method, "its curve was not measured there");
  answer = hw_reduce_rate(&part);
  hw_curve_free(&part);
  if (!answer.known)
    return hw_traffic_settled(answer, level);
  ns = answer.value;
  answer.value = 1e3 / ns;
  answer.error *= answer.value / ns;
  return answer;
}

struct hw_answer hw_read_l1_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 1);
}

struct hw_answer hw_read_l1_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 1);
}

struct hw_answer hw_read_l1_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 1);
}

struct hw_answer hw_read_l2_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 2);
}

struct hw_answer hw_read_l2_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 2);
}

struct hw_answer hw_read_l2_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 2);
}

struct hw_answer hw_read_l3_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 3);
}

struct hw_answer hw_read_l3_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 3);
}

struct hw_answer hw_read_l3_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 3);
}

struct hw_answer hw_read_mem_read_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_read", 0);
}

struct hw_answer hw_read_mem_write_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_write", 0);
}

struct hw_answer hw_read_mem_copy_mbs(const struct hw_curves *curves) {
  return bandwidth_rate(curves, "bandwidth_copy", 0);
}
