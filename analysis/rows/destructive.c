/* The distance from which two threads' writes cause no false sharing, off the curve of
   probes/system/destructive.c.

   Rows    DESTRUCTIVE_BYTES.
   Limits  It is no less than a line, or unknown.
   See     C++17, hardware_destructive_interference_size. */
#include "analysis/company.h"
#include "analysis/names.h"
#include "analysis/values.h"

struct hw_answer hw_read_destructive_bytes(const struct hw_curves *curves) {
  struct hw_answer cores = hw_value_cores(curves), line = hw_value_l1_line(curves), distance;

  if (cores.known && cores.value < 2)
    return hw_absent("last step", "there are no two cores");
  distance = hw_reduce_named(curves, HW_NAME_DESTRUCTIVE, hw_reduce_distance);
  if (distance.known && line.known && distance.value < line.value)
    return hw_unknown(distance.method, "it is less than a line");
  return distance;
}
