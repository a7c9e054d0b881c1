/* The layers of communication between processors, for probes that need them not to be moved. */
#ifndef HW_ROWS_COMM_H
#define HW_ROWS_COMM_H

#include "analysis/groups.h"
#include "analysis/values.h"

/* Layers that have rows. */
#define HW_COMM_MOST 4u

/* Whether processors i and j are in one group of layer k, and in none of a nearer layer. */
bool hw_comm_of_layer(const struct hw_layers *layers, size_t k, size_t i, size_t j);

/* The layers of communication between processors.  NULL, or why there are none. */
const char *hw_comm_layers(const struct hw_curves *curves, struct hw_layers *layers);

/* Whether measuring on tells no more of the times between processors. */
bool hw_comm_clear(const struct hw_curves *curves);

#endif
