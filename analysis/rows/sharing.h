/* What the probe of shared caches takes from its readers. */
#ifndef HW_SHARING_H
#define HW_SHARING_H

#include "analysis/company.h"

/* Levels that have rows. */
#define HW_SHARING_LEVELS 3u

/* The name of a curve of the level. */
void hw_sharing_name(char *text, unsigned level, const char *what);

/* Whether two share a level, by where the time of a load of one lies on the way from hit to miss.
   They do when even the fastest samples are slow, and do not when most are fast. */
enum hw_company hw_sharing_of(const struct hw_point *way);

/* The groups that share a level: for each of n processors the index of the first of its group.
   NULL, or why they are not known. */
const char *hw_sharing_groups(const struct hw_curves *curves, unsigned level, size_t *group,
                              size_t n);

/* Whether all rows of a level are known. */
bool hw_sharing_done(const struct hw_curves *curves, unsigned level);

#endif
