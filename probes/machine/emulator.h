/* Whether the program runs on the processor, or is translated for another one. */
#ifndef HW_EMULATOR_H
#define HW_EMULATOR_H

#include "probes/machine/code.h"
#include "probes/machine/machine.h"

#include <stdbool.h>

/* What it costs to visit a piece of code for the first time, in ns: the least of several groups of
   pieces.  Negative where that cannot be told.  Whoever asks must be the first to visit pieces. */
double hw_emulator_first(struct hw_machine *machine, struct hw_code *code);

/* Whether so much is what a translator costs, where a dependent addition takes cycle_ns. */
bool hw_emulator_seen(double first_ns, double cycle_ns);

#endif
