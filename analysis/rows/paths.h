/* What the probe of paths to memory takes from its readers. */
#ifndef HW_PATHS_H
#define HW_PATHS_H

#include "analysis/company.h"
#include "analysis/groups.h"

/* The share of its bandwidth that one of two keeps: at most on one path, at least on two. */
#define HW_PATHS_SHARED (1 / HW_COMPANY_SOME)
#define HW_PATHS_APART (1 / HW_COMPANY_NONE)
/* What a pair gets that was found on one path and on two, at different times: between the two. */
#define HW_PATHS_UNCLEAR ((HW_PATHS_SHARED + HW_PATHS_APART) / 2)
/* Threads saturate memory if they get this share of what more threads get. */
#define HW_PATHS_ENOUGH 0.9

/* The layers of the pairs that take bandwidth from each other; *shared is their number.  NULL, or
   why there are none. */
const char *hw_paths_layers(const struct hw_curves *curves, struct hw_layers *layers,
                            size_t *shared);

/* Whether an earlier attempt found the groups. */
bool hw_paths_paired(const struct hw_curves *curves);

#endif
