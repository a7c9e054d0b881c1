/* Bandwidth of one thread from each level, and from memory, off the curves of
   probes/data/bandwidth.c.

   Method  The median rate of a level's points, with their range.
   Rows    L1_READ_MBS, L1_WRITE_MBS, L1_COPY_MBS, the same of L2, L3 and MEM.
   See     XM 9; SV III-C. */
#include "analysis/rows/traffic.h"

/* The bandwidth (MB/s) of a level, 1 the first; of memory where level is 0. */
static struct hw_answer bandwidth_rate(const struct hw_curves *curves, const char *name,
                                       size_t level) {
  static const char method[] = "range of rates";
  bool memory;
  size_t caches = hw_traffic_caches(curves, &memory);
  struct hw_answer answer;
  struct hw_curve part;

  if (caches == 0 || level > caches) /* which is absent, or not clear */
    return hw_traffic_has(curves, level > 0 ? level : 1, method);
  if (level == 0 && !memory)
    return hw_unknown(method, "it may be one more cache, and not memory");
  if (hw_traffic_part(curves, name, level == 0 ? caches + 1 : level, &part) != 0)
    return hw_unknown(method, "its curve was not measured there");
  answer = hw_reduce_range(&part);
  hw_curve_free(&part);
  if (!answer.known)
    return hw_traffic_settled(answer, level);
  answer = hw_ranged(method, 1e3 / answer.value, 1e3 / answer.high, 1e3 / answer.low);
  return hw_at_other_times(answer, level == 0 ? HW_OTHERS_MEMORY : HW_OTHERS_CACHE);
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
