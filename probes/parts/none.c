/* What generated code takes the place of. */
#include "probes/nano/none.c"
