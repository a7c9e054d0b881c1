/* The search for the pairs that tell which things belong together. */
#ifndef HW_PAIRS_SEARCH_H
#define HW_PAIRS_SEARCH_H

#include "analysis/groups.h"

/* Measures a pair.  Negative: it could not be done. */
typedef double hw_measure_pair(void *context, size_t i, size_t j);

/* Measures as many pairs as it takes to tell the layers (SV figures 5 to 7 measure all): one thing
   with all others; of each group that is found then only what shows that others, at the same
   distances by number, are groups too; the last thing and one in the middle with all others; and as
   many pairs as there are things at random, as a check.  Where those are nearer than was thought,
   and where it is hardly more, or all is true: each pair.  0, or -1 when a pair could not be
   measured or memory is short. */
int hw_pairs_search(struct hw_pairs *pairs, bool all, unsigned long seed, hw_measure_pair *measure,
                    void *context);

#endif
