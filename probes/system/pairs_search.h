/* The search for the pairs that tell which things belong together. */
#ifndef HW_PAIRS_SEARCH_H
#define HW_PAIRS_SEARCH_H

#include "analysis/groups.h"

/* Measures a pair.  Negative: failed. */
typedef double hw_measure_pair(void *context, size_t i, size_t j);

/* Measures as many pairs as it takes to tell the layers (SV figures 5 to 7 measure all): one thing
   with all others; then, for each group found, only the pairs which show that things at the same
   offsets by number are groups too; as a check, the last thing and one in the middle with all
   others, and as many random pairs as there are things.  Measures every pair if the check finds one
   nearer than its groups say, or if there are few things.

   alike, or NULL: groups of things that are likely to be alike, for each thing the first of its
   own. Then searches only the first things, and one group of each shape.  Of each other group a
   pair confirms that it is like that one, and its pairs are taken over from there; and for each
   group a pair of other members confirms what was measured between the first ones.  Searches all
   things if that is not so.  0, or -1 when a pair could not be measured or memory is short. */
int hw_pairs_search(struct hw_pairs *pairs, const size_t *alike, unsigned long seed,
                    hw_measure_pair *measure, void *context);

#endif
