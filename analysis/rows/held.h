/* What the probe of what levels hold takes from their readers. */
#ifndef HW_HELD_H
#define HW_HELD_H

#include "analysis/rows/levels.h"

/* The largest size (bytes) of four steps to an octave that is no larger than bytes; these are
   published. */
double hw_held_step(double bytes);

/* The working set (bytes) that level n holds, computed from its capacity, ways and the page.
   Unknown where one of these is. */
struct hw_answer hw_held_computed(const struct hw_curves *curves, unsigned n);

/* Whether a working set costs no more than one that lies in the level. */
bool hw_held_fits(const struct hw_curves *curves, const struct hw_level *level,
                  const struct hw_point *point);

/* The name of the curve of level n. */
void hw_held_name(char name[HW_CURVE_NAME + 1], unsigned n);

#endif
