/* What the probe of registers takes from its readers.  tag: the type as rows name it. */
#ifndef HW_REGISTERS_H
#define HW_REGISTERS_H

#include "analysis/rows/loops.h"
#include "analysis/values.h"

/* Stores beside each addition of the type, enough to take at least as long as it. */
unsigned hw_registers_beside(const struct hw_curves *curves, const char *tag);

/* The curve "live_TYPE", or NULL. */
const struct hw_curve *hw_registers_curve(const struct hw_curves *curves, const char *tag);

/* The number of registers off that curve. */
struct hw_answer hw_registers_value(const struct hw_curves *curves, const char *tag);

#endif
