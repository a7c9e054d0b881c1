/* The probes of the page, the first TLB and the levels.  See frame.c. */
#include "probes/parts/plain.h"

#include "analysis/rows/hint.c"
#include "analysis/rows/levels.c"
#include "analysis/rows/page.c"
#include "analysis/rows/size_curve.c"
#include "analysis/rows/tlb.c"
#include "probes/data/levels.c"
#include "probes/data/map.c"
#include "probes/data/rise.c"
#include "probes/tlb/page.c"
#include "probes/tlb/tlb.c"
