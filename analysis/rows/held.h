/* What the probe of what levels hold takes from their readers. */
#ifndef HW_HELD_H
#define HW_HELD_H

#include "analysis/rows/levels.h"

/* The largest of four steps to an octave that is no larger: sizes (bytes) that are published. */
double hw_held_step(double bytes);

/* What level n holds as its capacity, ways and the page have it.  Unknown where one of these is. */
struct hw_answer hw_held_computed(const struct hw_curves *curves, unsigned n);

/* Whether a working set costs no more than one that lies in the level. */
bool hw_held_fits(const struct hw_curves *curves, const struct hw_level *level,
                  const struct hw_point *point);

/* The name of the curve of level n. */
void hw_held_name(char name[HW_CURVE_NAME + 1], unsigned n);

#endif
