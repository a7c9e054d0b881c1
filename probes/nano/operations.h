/* The operations and types that nano-benchmarks are made of: analysis/rows/operations.def. */
#ifndef HW_NANO_OPERATIONS_H
#define HW_NANO_OPERATIONS_H

#include "analysis/rows/loops.h"
#include "probes/nano/nano.h"

/* An operation of operations.def. */
struct hw_nano_operation {
  const char *word;
  const char *kind; /* of the types that have it: i, f, s or a */
  const char *expression;
  const char *start[3]; /* of P, Q and R */
  enum hw_unit unit;
  const char *chain; /* the operation that is in its chain too, or nothing */
};

/* A type of operations.def. */
struct hw_nano_type {
  const char *word;
  const char *kind; /* i: integers, f: floating point */
  const char *name; /* in C */
  unsigned bytes;
  const char *root; /* its square root */
};

/* The rows of operations.def; the last has no word. */
extern const struct hw_nano_operation hw_nano_operations[];
extern const struct hw_nano_type hw_nano_types[];

/* The type of that name in rows: "f64", or "vf64" of vectors of that many bytes. */
void hw_nano_typed(char type[HW_NANO_TYPE], const char *tag, unsigned bytes);

/* The row for the operation on the type (of a vector: on its elements), or NULL. */
const struct hw_nano_operation *hw_nano_operation(const char *op, const char *type);

/* The row of the type, or of the vector's elements; *bytes is the vector's width, 0 for a scalar.
   NULL for an unknown type. */
const struct hw_nano_type *hw_nano_type(const char *type, unsigned *bytes);

#endif
