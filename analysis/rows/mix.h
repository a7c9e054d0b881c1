/* What the probe of bundles, and what prints them, take from their reader. */
#ifndef HW_ROWS_MIX_H
#define HW_ROWS_MIX_H

#include "analysis/rows/loops.h"
#include "analysis/values.h"

/* x of a bundle in the curve: its operations of each kind as a decimal digit, the first kind last.
 */
double hw_mix_code(const unsigned count[HW_BUNDLE_KINDS]);

/* Whether the bundle of that x issues in one cycle. */
bool hw_mix_issues(const struct hw_curve *bundles, double x);

/* Whether it does, and no bundle with one operation more. */
bool hw_mix_largest(const struct hw_curve *bundles, double x);

#endif
