/* The layers of communication between processors, for probes that need them not to be moved. */
#ifndef HW_ROWS_COMM_H
#define HW_ROWS_COMM_H

#include "analysis/groups.h"
#include "analysis/values.h"

/* Layers that have rows. */
#define HW_COMM_MOST 4u

/* The layers of communication between processors.  NULL, or why there are none. */
const char *hw_comm_layers(const struct hw_curves *curves, struct hw_layers *layers);

/* Whether measuring on tells no more of the times between processors. */
bool hw_comm_clear(const struct hw_curves *curves);

#endif
