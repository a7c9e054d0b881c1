/* The time slot of the scheduler, off the curve of probes/system/slot.c.

   Rows    SCHED_SLOT_US.
   Limits  Slots under the load at hand: a scheduler may make them shorter where more threads are
           ready.
   See     BB 3.6. */
#include "analysis/company.h"
#include "analysis/names.h"
#include "analysis/values.h"

struct hw_answer hw_read_sched_slot_us(const struct hw_curves *curves) {
  return hw_reduce_named(curves, HW_NAME_SLOT, hw_reduce_slot);
}
