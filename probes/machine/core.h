/* What a group of statements costs on a simulated core. */
#ifndef HW_CORE_H
#define HW_CORE_H

#include "probes/machine/description.h"
#include "probes/nano/nano.h"

/* Cycles of a group of the nano-benchmark; negative when the core has not got its operations. */
double hw_core_group(const struct hw_sim_core *core, const struct hw_nano *nano);

#endif
