/* Whether the program runs on the processor itself, or under a binary translator. */
#ifndef HW_EMULATOR_H
#define HW_EMULATOR_H

#include "probes/machine/code.h"
#include "probes/machine/machine.h"

#include <stdbool.h>

/* The time of the first visit to a piece of code, ns: the least of several groups of pieces.
   Negative if that cannot be told.  No piece may have been visited before. */
double hw_emulator_first(struct hw_machine *machine, struct hw_code *code);

/* Whether first_ns is a translator's time, where a dependent addition takes cycle_ns. */
bool hw_emulator_seen(double first_ns, double cycle_ns);

#endif
