/* The shape of level 2 by strides, where memory is contiguous. */
#ifndef HW_DIRECT_H
#define HW_DIRECT_H

#include "probes/memory/gather.h"

/* Measures l2_direct_strides, which is empty where memory is not contiguous.  lines: of a page that
   are used.  0, or -1 when memory was short. */
int hw_direct(struct hw_bench *bench, const struct hw_lower_level *level, size_t page, size_t line,
              size_t lines);

#endif
