/* The real machine's pieces of code. */
#ifndef HW_CODE_H
#define HW_CODE_H

#include <stddef.h>

/* A piece: returns a number at once. */
typedef unsigned hw_code_piece(void);

/* Visits n pieces in order. */
typedef unsigned hw_code_jumps(hw_code_piece *const *visit, size_t n);

/* The pieces, and the ring of visits. */
struct hw_code {
  size_t n; /* pieces */
  size_t *position;
  hw_code_piece **piece;
  hw_code_jumps *jumps;
  size_t visits;
  size_t room;
  hw_code_piece **visit;
  size_t next;
  volatile unsigned sum;
};

/* code, code_link and code_walk of machine.h.  A code that is all zero is empty. */
const size_t *hw_code_list(struct hw_code *code, size_t *n);
int hw_code_link(struct hw_code *code, const size_t *pieces, size_t n);
int hw_code_walk(struct hw_code *code, unsigned long n);
void hw_code_free(struct hw_code *code);

#endif
