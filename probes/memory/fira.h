/* Miss penalties by forward initialisation and reverse access. */
#ifndef HW_FIRA_H
#define HW_FIRA_H

#include "probes/probe.h"

/* What a miss of a level, 1 the first, costs more than a hit, in cycles, off the curve "fira". */
struct hw_answer hw_fira_penalty(const struct hw_curves *curves, size_t level);

#endif
