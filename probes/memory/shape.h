/* What the curves say of the shape of the levels below the first, for the probe that decides what
   else to measure. */
#ifndef HW_SHAPE_H
#define HW_SHAPE_H

#include "probes/memory/levels.h"

/* What a load costs in a level, cycles: the least on its plateau. */
double hw_shape_latency(const struct hw_curves *curves, const struct hw_level *level);

/* How many pages of that colour stay in level n. */
struct hw_answer hw_shape_step(const struct hw_curves *curves, unsigned n, unsigned number);

/* How many pages next to each other, of so many bytes, share no sets of the level above level n. */
size_t hw_shape_classes(const struct hw_curves *curves, unsigned n, size_t page);

/* How many pages of one such class, and of one colour of level n, the levels above hold; 0: that is
   not known. */
size_t hw_shape_held(const struct hw_curves *curves, unsigned n, size_t page);

/* The rows of level n. */
enum hw_shape_row {
  HW_SHAPE_BYTES,
  HW_SHAPE_WAYS,
  HW_SHAPE_EXCLUSIVE,
  HW_SHAPE_LRU_ONE, /* of the first colour that is looked at */
  HW_SHAPE_LINE,
  HW_SHAPE_LRU
};
struct hw_answer hw_shape_row(const struct hw_curves *curves, unsigned n, enum hw_shape_row row);

/* So many other colours are asked as well how the level replaces, where there are so many. */
#define HW_SHAPE_OTHERS 3u

/* What one of them says, from 1 on; 0: the first colour. */
struct hw_answer hw_shape_lru(const struct hw_curves *curves, unsigned n, unsigned number);

#endif
