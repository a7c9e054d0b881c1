/* Hints: what a probe takes for a row that only tells it where to measure, as a distance, a working
   set or a unit.  Each is the row's value if that is known, and else an assumption, which may be
   wrong: it moves no value, or the reader has to see that. */
#ifndef HW_HINT_H
#define HW_HINT_H

#include "analysis/environment.h"
#include "analysis/rows/l1.h"

#include <stddef.h>

/* Lines (bytes) that are assumed.  Only a few are longer than the usual.  The shortest of today's
   first levels: more words that far apart have lines of their own in the sets that they fill. */
#define HW_HINT_USUAL ((size_t)HW_LINE_USUAL)
#define HW_HINT_SHORT ((size_t)64)

/* The page (bytes) that is assumed: the smallest of today's processors. */
#define HW_HINT_PAGE ((size_t)4096)

/* The line of level 1 (bytes), or the one that is assumed. */
size_t hw_hint_line(const struct hw_curves *curves, size_t assumed);

/* The page that the TLB sees (bytes). */
size_t hw_hint_page(const struct hw_curves *curves);

/* The capacity over the ways of level 1 (bytes): lines that far apart share a set of it.  Assumed
   is a page: system and processor makers keep to it where addresses are translated beside the
   look-up. */
size_t hw_hint_stride(const struct hw_curves *curves);

/* The bytes that level 1 holds: its capacity, or else where the first plateau of the size curve
   ends, or else a page. */
size_t hw_hint_l1_bytes(const struct hw_curves *curves);

/* The entries of the first-level TLB that are assumed, more than any has, and the cost of a miss
   (cycles): that of a load of the second. */
#define HW_HINT_TLB1 ((size_t)256)
#define HW_HINT_TLB1_MISS 7.0

#endif
