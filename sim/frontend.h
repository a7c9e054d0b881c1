/* The instruction side of a simulated machine: pieces of code, and what jumps to them cost. */
#ifndef HW_FRONTEND_H
#define HW_FRONTEND_H

#include "sim/description.h"

#include <stddef.h>
#include <stdint.h>

/* The size of the code that the pieces lie in, bytes. */
#define HW_FRONTEND_BYTES 1048576u

struct hw_frontend;

/* The caches of code, empty, and pieces of code at the virtual address base, their pages in the
   frames given, which are freed with it.  NULL without memory. */
struct hw_frontend *hw_frontend_open(const struct hw_description *description, uint64_t base,
                                     uint64_t *frame);
void hw_frontend_close(struct hw_frontend *frontend);

/* Where the pieces begin, as distances from base, and how many there are. */
const size_t *hw_frontend_pieces(const struct hw_frontend *frontend, size_t *n);

/* Makes a ring of n visits of pieces, by their numbers.  The next jumps start at pieces[0].  0, or
   -1 without memory. */
int hw_frontend_link(struct hw_frontend *frontend, const size_t *pieces, size_t n);

/* Another process has run: its code and that of the context switch fill a part of each cache. */
void hw_frontend_foreign(struct hw_frontend *frontend);

/* Does n jumps along the ring.  What they cost, cycles. */
double hw_frontend_walk(struct hw_frontend *frontend, unsigned long n);

#endif
