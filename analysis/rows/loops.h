/* What readers know of the loops of which they read the times. */
#ifndef HW_ROWS_LOOPS_H
#define HW_ROWS_LOOPS_H

/* Independent multiplications in a round: few enough for 16 registers. */
#define HW_FUSED_STREAMS 4u

/* What an operation waits for; from DIVIDER on it is not pipelined. */
enum hw_unit { HW_UNIT_NONE, HW_UNIT_PIPELINED, HW_UNIT_DIVIDER, HW_UNIT_ROOTS, HW_UNIT_ANY };

/* Additions of a group at least, which take as long as the latency of two. */
#define HW_REGISTERS_LEAST 16u

/* Kinds of operations of a bundle: additions of I32, of F64, loads, stores, branches that are not
   taken, multiplications of I32, and additions of vectors of F32.  Operations of a bundle at most,
   and kinds. */
#define HW_BUNDLE_KINDS 7u
#define HW_BUNDLE_MOST 8u
#define HW_BUNDLE_PARTS 3u

/* Levels of the tree of code: outcomes of a walk.  Walks after which outcomes repeat, of those that
   never do. */
#define HW_LOOPS_LEVELS 4u
#define HW_BRANCH_NEVER 65536.0

#endif
