/* Nano-benchmarks: the specification, as a probe asks for it, and the C code that is timed.

   A nano-benchmark is a loop over groups of statements.  The statements of a group are independent;
   those of the next group depend on those of this one.  The C is written when configure runs,
   compiled with the user's compiler and flags, and linked to the probes, so that a function is
   timed in the process that asked for it.
   See XT 2.1 and 2.2; BB 3.3.1 for the two lengths. */
#ifndef HW_NANO_H
#define HW_NANO_H

#include "probes/nano/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define HW_NANO_PARTS 3u
#define HW_NANO_NAME 96u
#define HW_NANO_TYPE 12u
/* Most variables of a part: more than any machine has registers. */
#define HW_NANO_VARIABLES 256u
/* Widest vector, bytes. */
#define HW_NANO_VECTOR 256u

/* Statements of one kind.  Statement j works on variable j modulo variables. */
struct hw_nano_part {
  const char *op;          /* a row of operations.def; NULL: there is no such part */
  char type[HW_NANO_TYPE]; /* a type of operations.def, "f64", or a vector of it by its bytes,
                              "f64v32" */
  unsigned variables;
  unsigned count; /* statements in a group */
};

/* The specification of what to time. */
struct hw_nano {
  struct hw_nano_part part[HW_NANO_PARTS];
  /* Groups in the body of the shorter loop, and of the longer one.  groups[0] is 0: there is no
     shorter one, and the loop overhead is part of the result. */
  unsigned groups[2];
};

/* Whether a part of it is of vectors. */
bool hw_nano_is_vector(const struct hw_nano *nano);

/* The name of the specification, unique to it. */
void hw_nano_name(const struct hw_nano *nano, char name[HW_NANO_NAME]);

/* Groups that the longer loop has more than the shorter one. */
unsigned hw_nano_difference(const struct hw_nano *nano);

/* Statements of its C, of both loops: the time to compile it grows with them. */
unsigned hw_nano_statements(const struct hw_nano *nano);

/* Writes the C of n specifications, as the part of that number.  0, or -1 when the stream failed or
   one is invalid. */
int hw_nano_write(const struct hw_nano *nano, size_t n, unsigned part, FILE *out);

/* Writes the C that lists the tables of parts 1 to parts.  0, or -1 when the stream failed. */
int hw_nano_write_list(unsigned parts, FILE *out);

/* Whether it is a tree of code (DM II-A): one part "tree", whose variables are the levels of
   branches.  A walk from the root to a leaf is a group. */
bool hw_nano_is_tree(const struct hw_nano *nano);

#endif
