/* Which nano-benchmarks there are.  They are generated and compiled before anything is measured, so
   that a probe can choose among these alone; one that it asks for beside them cannot be timed. */
#ifndef HW_NANO_LOOPS_H
#define HW_NANO_LOOPS_H

#include "analysis/rows/loops.h"
#include "probes/nano/nano.h"

struct hw_nano_operation;

/* The numbers of streams of an operation that are timed; none if it has none of its own. */
struct hw_loops_row {
  const unsigned *streams;
  size_t first; /* entries of streams that are timed first */
  size_t last;  /* and in all, if the time per operation still falls at the last of the first */
};
struct hw_loops_row hw_loops_row(const struct hw_nano_operation *operation);

/* Numbers of streams of a row at most. */
#define HW_LOOPS_STREAMS 16u

/* Specifies the loop of that many independent streams of the operation on the type; of a long one
   the longer body has some hundreds of statements. */
void hw_loops_streams(struct hw_nano *nano, const char *op, const char *type, unsigned streams,
                      bool longer);

/* Streams of additions of vectors by which the machine's width is found: enough to saturate the
   units on most machines.  Where they are too few, that holds for all widths alike. */
#define HW_LOOPS_WIDTH 8u

/* Independent multiplications, or multiply-adds, with that many additions for each, on other
   variables.  The least number of these for which there are loops, with one more also of
   multiplications, that is no less than beside; 0: none is. */
unsigned hw_loops_fused_number(double beside);
void hw_loops_fused(struct hw_nano *nano, const char *op, const char *type, unsigned beside);

/* Numbers, from the first one on, of multiplications and as many additions, all independent. */
#define HW_LOOPS_SPLIT 4u
#define HW_LOOPS_SPLITS 4u
void hw_loops_split(struct hw_nano *nano, const char *type, unsigned streams);

/* Specifies the loop of that many variables of the type that live at once: stores beside each
   addition, and integers that live beside them. */
void hw_loops_live(struct hw_nano *nano, const char *type, unsigned variables, unsigned beside,
                   unsigned whole);

/* Numbers of variables that live at once: those of common machines, and adjacent ones. */
struct hw_loops_list {
  const unsigned *number;
  size_t n;
};
extern const struct hw_loops_list hw_loops_numbers;

/* Specifies the bundle of those that there are with the most operations a cycle on a machine that
   issues these in one: additions of I32, of F64, and loads; 0: it has none of them.
   Returns 10000 additions of I32, 100 additions of F64 and 1 load. */
double hw_loops_mix(struct hw_nano *nano, double whole, double other, double loads);

/* The next number of operations of each kind for which there is a loop, in some order; the first
   after none.  False after the last. */
bool hw_loops_next(unsigned count[HW_BUNDLE_KINDS]);

/* Specifies the loop over that bundle, with vectors of that many bytes. */
void hw_loops_bundle(struct hw_nano *nano, const unsigned count[HW_BUNDLE_KINDS], unsigned vector);

/* Specifies the tree of code, with that many levels: 15 branches.  With 255 the penalty grew with
   the random bits, as more of the tree was walked. */
void hw_loops_tree(struct hw_nano *nano, unsigned levels);

/* For which compiler and processor loops are wanted: the widest vector, bytes; registers for
   integers, and for floating point, of which numbers nearby are looked at. */
struct hw_loops_target {
  unsigned widest;
  unsigned integers;
  unsigned floats;
  bool slow;                 /* whether an addition of floating point may take more than a cycle */
  const char *const *family; /* those that are wanted, as registry/needs.awk tells them: "add_f64",
                                "fused_vf32", "live_i32", "mix", "bundle", "tree"; the last is
                                NULL.  NULL: all but bundles */
};

/* Hands all of a target to take, each once. */
void hw_loops_all(const struct hw_loops_target *target,
                  void (*take)(void *context, const struct hw_nano *nano), void *context);

/* Whether there is such a loop for any target. */
bool hw_loops_has(const struct hw_nano *nano);

#endif
