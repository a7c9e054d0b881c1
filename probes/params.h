/* Includes the table of rows, with the includer's macros for some of its lines, as in

     #define HW_PROBE(name, group, needs) #name,
     #include "probes/params.h"

   The other lines expand to nothing.  Undefines all macros, so that it can be included again. */
#ifndef HW_PROBE
#define HW_PROBE(name, group, needs)
#endif
#ifndef HW_PARAM
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)
#endif
#ifndef HW_NEVER
#define HW_NEVER(value, reason)
#endif
#ifndef HW_MODEL
#define HW_MODEL(name, group)
#endif
#ifndef HW_DERIVED
#define HW_DERIVED(macro, model, value, unit, low, high, fallback, reported, paper, title)
#endif
#ifndef HW_EFFORT
#define HW_EFFORT(name, budget, mpi, rounds, most, attempts, precision, patience, wait, leaves)
#endif
#ifndef HW_BRIEF
#define HW_BRIEF(name)
#endif
#ifndef HW_RARE
#define HW_RARE(name)
#endif
#ifndef HW_STAGE
#define HW_STAGE(probes)
#endif
#ifndef HW_LIST
#define HW_LIST(macro, list, row, curve)
#endif
#ifndef HW_CYCLES
#define HW_CYCLES(values, beside)
#endif
#ifndef HW_RANGE
#define HW_RANGE(values)
#endif

#include "probes/params.def"

#undef HW_PROBE
#undef HW_PARAM
#undef HW_NEVER
#undef HW_MODEL
#undef HW_DERIVED
#undef HW_EFFORT
#undef HW_BRIEF
#undef HW_RARE
#undef HW_STAGE
#undef HW_LIST
#undef HW_CYCLES
#undef HW_RANGE
