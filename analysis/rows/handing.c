/* What it costs to hand work to another thread, off the curve of probes/system/handing.c.

   Rows    PAR_MIN_NS.
   Limits  Times vary from run to run: a processor in a deeper sleep state wakes later.
           For two threads: of more, the last is woken later.
   See     BB 3.4. */
#include "analysis/names.h"
#include "analysis/values.h"

struct hw_answer hw_read_par_min_ns(const struct hw_curves *curves) {
  struct hw_answer cpus = hw_value_cpus(curves);

  if (cpus.known && cpus.value < 2)
    return hw_absent("worth", "there is one processor");
  return hw_reduce_named(curves, HW_NAME_HANDING, hw_reduce_worth);
}
