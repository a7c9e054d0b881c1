/* What is timed, and what runs as often: with the flags of the user.  See frame.c. */
#include "probes/machine/features.h" /* first */

#include "probes/bench/random.c"
#include "probes/machine/bind.c"
#include "probes/machine/code.c"
#include "probes/machine/emulator.c"
#include "probes/machine/loops.c"
#include "probes/machine/memory.c"
#include "probes/machine/product.c"
#include "probes/machine/real.c"
#include "probes/machine/threads.c"
