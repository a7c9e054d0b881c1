/* Bandwidth of one thread from each level, and from memory, off the curves of
   probes/data/bandwidth.c.

   Method  The median rate of a level's points, with their range.
   Rows    L1_READ_MBS, L1_WRITE_MBS, L1_COPY_MBS, the same of L2, L3 and MEM.
   See     XM 9; SV III-C. */
#include "analysis/rows/traffic.h"

#include <math.h>

/* Two runs of one machine differ by up to the square of this in what others leave of the memory's
   bandwidth: in recordings by 1.51.  A time in a cache at which no two looks agree is too long by
   BANDWIDTH_ALONE at most: in recordings by 1.5, beside an SMT sibling. */
#define BANDWIDTH_MEMORY 1.25
#define BANDWIDTH_ALONE 1.6

/* A time of a byte (ns) as a rate (MB/s). */
static struct hw_answer bandwidth_of(struct hw_answer time) {
  struct hw_answer rate = time;

  rate.value = 1e3 / time.value;
  rate.low = 1e3 / time.high;
  rate.high = 1e3 / time.low;
  rate.error = fmax(rate.value - rate.low, rate.high - rate.value);
  return rate;
}

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
  part = hw_traffic_part(curves, name, level == 0 ? caches + 1 : level);
  if (part.n == 0)
    return hw_unknown(method, "its curve was not measured there");
  answer = level == 0 ? hw_reduce_range(&part, BANDWIDTH_MEMORY, 1)
                      : hw_reduce_range(&part, HW_OTHERS_CACHE, BANDWIDTH_ALONE);
  return answer.known ? bandwidth_of(answer) : hw_traffic_settled(answer, level);
}

/* hw_read_l1_read_mbs, hw_read_l2_read_mbs, hw_read_l3_read_mbs, hw_read_mem_read_mbs,
   hw_read_l1_write_mbs, hw_read_l2_write_mbs, hw_read_l3_write_mbs, hw_read_mem_write_mbs,
   hw_read_l1_copy_mbs, hw_read_l2_copy_mbs, hw_read_l3_copy_mbs, hw_read_mem_copy_mbs. */
#define BANDWIDTH_ROW(at, kind, level)                                                             \
  struct hw_answer hw_read_##at##_##kind##_mbs(const struct hw_curves *curves) {                   \
    return bandwidth_rate(curves, "bandwidth_" #kind, level);                                      \
  }
#define BANDWIDTH_ROWS(kind)                                                                       \
  BANDWIDTH_ROW(l1, kind, 1)                                                                       \
  BANDWIDTH_ROW(l2, kind, 2)                                                                       \
  BANDWIDTH_ROW(l3, kind, 3)                                                                       \
  BANDWIDTH_ROW(mem, kind, 0)

BANDWIDTH_ROWS(read)
BANDWIDTH_ROWS(write)
BANDWIDTH_ROWS(copy)
