/* The machine as a probe sees it: memory, dependent chains of loads, additions, a clock.
   Two implementations: real.c, the machine we run on, and simulated.c, one described in a
   file.  A probe cannot tell which it has. */
#ifndef HW_MACHINE_H
#define HW_MACHINE_H

#include "probes/nano/nano.h"

#include <stddef.h>
#include <stdint.h>

/* Loads and additions are done in multiples of this many: the length of the unrolled loops. */
#define HW_GRAIN 128u

/* Dependent additions of a pause in a slow walk. */
#define HW_PAUSE 4u

/* Most rings that are walked at once. */
#define HW_CHAINS 64u

/* Bytes that a stream does in one step. */
#define HW_STREAM_GRAIN 512u

/* Where the pages of a mapping come from. */
enum hw_placement {
  HW_PAGES_PLAIN, /* the system's ordinary pages */
  HW_PAGES_HUGE,  /* huge pages, asked for; HW_PAGES_PLAIN if there are none */
  HW_PAGES_USUAL, /* what a program gets that asks for nothing */
  HW_PAGES_SPARSE /* ordinary ones, of which few are touched: the others take no memory */
};

/* What the thread was charged so far.  A sample over which the wall clock advanced by more than
   cpu_ns, or during which switches grew, was preempted. */
struct hw_usage {
  double cpu_ns; /* processor time, ns; negative: this machine cannot tell */
  long switches; /* involuntary switches; 0 if this machine cannot tell */
};

/* Sequential accesses to memory. */
enum hw_stream {
  HW_STREAM_READ,      /* loads, ascending */
  HW_STREAM_READ_DOWN, /* loads, descending */
  HW_STREAM_WRITE,     /* stores, ascending */
  HW_STREAM_COPY       /* loads from the first half, stores to the second, both ascending */
};

/* Whether a nano-benchmark can be timed. */
enum hw_nano_state {
  HW_NANO_READY,
  HW_NANO_MISSING, /* no code was compiled */
  HW_NANO_REFUSED  /* there is no such code: the compiler could not make it, or was not asked to */
};

struct hw_machine;
struct hw_memory;

/* A part of the product c += a b of square matrices, row by row one behind the other in memory: the
   rows of c from row on, by one tile of b. */
struct hw_product {
  size_t n;      /* edge of each matrix, elements */
  size_t stride; /* bytes from one matrix to the next */
  bool single;   /* elements of F32, and not of F64 */
  size_t row;
  size_t rows;
  size_t depth;  /* of the tile in b: its first row, which is a's column */
  size_t column; /* and its first column, which is c's */
  size_t edge;   /* rows and columns of the tile; what is beyond n is left out */
};

/* What a thread of a team does. */
enum hw_work {
  HW_WORK_ISSUE, /* n independent additions, as of issue */
  HW_WORK_INT,   /* n divisions of integers, in independent chains */
  HW_WORK_FP,    /* n divisions of doubles, likewise */
  HW_WORK_WALK,  /* n dependent loads along the ring that was linked in its memory */
  HW_WORK_MEET,  /* barriers of the whole team, one after another, for n ns; all of a team do so */
  HW_WORK_PASS,  /* n round trips: waits until its partner has written a word, reads a block, writes
                    the same block, and a word itself; the first of the team with the second, the
                    third with the fourth */
  HW_WORK_WATCH, /* reads the clock for n ns and notes gaps, in which the thread did not run */
  HW_WORK_CHASE, /* n dependent loads along the ring of its memory that has the offset, from there
                    on, and later from where it is; no other thread walks that ring */
  HW_WORK_READ,  /* reads n bytes, a multiple of HW_STREAM_GRAIN, of its memory's bytes, from where
                    its last reading ended, and over again; no other thread reads them */
  HW_WORK_STORE, /* n atomic additions to the word at the offset of its memory, each of which owns
                    the line: no store buffer hides that another core wants it; other threads do so
                    to other words (false sharing, if these are in the line) */
  HW_WORK_TOUCH, /* stores a word in each page of its memory's bytes: pages stored to for the first
                    time are local to this processor, where the system places them so */
  HW_WORK_HAND   /* n times: the first of the team, after HW_HAND_APART additions, wakes the second,
                    which sleeps; both do a piece of work, and the first sleeps until both are done;
                    the third with the fourth likewise.  work_ns is from each waking on */
};

/* Dependent additions between one piece of work and the next that is handed over: the thread that
   waits for it is asleep by then. */
#define HW_HAND_APART (128ul * HW_GRAIN)

/* Where a thread runs: at the place of a processor in the list of hw_machine_ops.processors, or
   anywhere in that list. */
#define HW_ANYWHERE ((size_t)-1)

/* Gaps that a thread notes at most, and the shortest of them, ns: longer than a reading of the
   clock, shorter than any time slice (BB 3.6). */
#define HW_GAPS 512u
#define HW_GAP_NS 20000.0

/* Time in which a thread did not run. */
struct hw_gap {
  double start; /* ns, by a clock common to its team */
  double end;
};

/* A thread of a team: what it is to do, and how it went. */
struct hw_part {
  size_t processor;
  enum hw_work work;
  unsigned long n;    /* a multiple of HW_GRAIN for what is counted in additions or loads */
  unsigned long warm; /* units of it that are done before the timed ones */
  size_t bytes;       /* of the block that is passed, less than HW_STREAM_GRAIN or a multiple of it;
                         of the memory that is chased over, read or touched */
  size_t offset;      /* bytes, where in its memory a ring is entered, or a word is */
  unsigned long adds; /* dependent additions before and after what is counted, or 0 */
  unsigned long piece;      /* additions that are handed over, a multiple of HW_GRAIN */
  struct hw_memory *memory; /* to work on; several threads may walk the same; NULL: a block that
                               is passed is of its own */
  struct hw_gap *gap;       /* room for HW_GAPS, to watch */
  size_t gaps;              /* their number, up to that */
  double done;              /* units done of n, or barriers passed */
  double work_ns;           /* their time */
  double cycle_ns;          /* of a dependent addition, before or after; 0 if there were none */
  double wall_ns;           /* time of all, additions and reading the clocks included */
  double cpu_ns;            /* processor time of that; negative: this machine cannot tell */
  size_t later;             /* threads of the team that had not begun when the timed work began */
};

struct hw_machine_ops {
  /* A probe begins, which has mapped nothing yet.  A simulated machine forgets all that was done
     before, but for the time, and what is random follows from its own seed and this one.  What the
     thread was charged counts from here on.  0, or -1 without memory.  A real machine is what it
     is. */
  int (*reset)(struct hw_machine *machine, uint64_t seed);
  /* The clock, ns since the machine was opened. */
  double (*now)(struct hw_machine *machine);
  void (*usage)(struct hw_machine *machine, struct hw_usage *usage);
  /* Does n dependent 32-bit integer additions; n is a multiple of HW_GRAIN. */
  void (*add)(struct hw_machine *machine, unsigned long n);
  /* Does n such additions in independent chains, at the core's throughput, which a busy SMT sibling
     lowers.  n is a multiple of HW_GRAIN. */
  void (*issue)(struct hw_machine *machine, unsigned long n);
  /* Maps bytes of zeroed memory, aligned to at least 64 KiB, and to any huge page of up to 64 MiB
     that fits into it when one is asked for.  Pages are allocated as they are first stored to.
     NULL when there is no memory.  To unmap NULL does nothing. */
  struct hw_memory *(*map)(struct hw_machine *machine, size_t bytes, enum hw_placement placement);
  void (*unmap)(struct hw_machine *machine, struct hw_memory *memory);
  /* Makes a ring of n pointers at the given byte offsets (multiples of sizeof (void *), all
     different): each holds the address of the next, the last that of the first.  The next walk
     starts at offsets[0].  0, or -1 when the machine has no memory for it. */
  int (*link)(struct hw_machine *machine, struct hw_memory *memory, const size_t *offsets,
              size_t n);
  /* Has the next walk start at the offset, which is of a ring that was linked.  One memory may hold
     several rings that share no offset.  Loads nothing. */
  void (*enter)(struct hw_machine *machine, struct hw_memory *memory, size_t offset);
  /* Does n dependent loads along the ring, from where the last walk ended; n is a multiple of
     HW_GRAIN. */
  void (*walk)(struct hw_machine *machine, struct hw_memory *memory, unsigned long n);
  /* The same with pauses before each load, of HW_PAUSE dependent additions each, in registers. */
  void (*walk_slowly)(struct hw_machine *machine, struct hw_memory *memory, unsigned long n,
                      unsigned pauses);
  /* Does n dependent loads along each of some rings (at most HW_CHAINS), independent of each other;
     ring k from start[k] on, which is set to where it ends. */
  void (*walk_chains)(struct hw_machine *machine, struct hw_memory *memory, size_t *start,
                      size_t chains, unsigned long n);
  /* Stores a word next to each of n links (offset + sizeof (void *)), in order; the stores are
     independent, and no link changes. */
  void (*store)(struct hw_machine *machine, struct hw_memory *memory, const size_t *offsets,
                size_t n);
  /* Streams over bytes from offset on, bytes a multiple of twice HW_STREAM_GRAIN, offset of
     HW_STREAM_GRAIN, with accesses as wide as the compiler's vectors.  Rings that were linked there
     are lost when it stores. */
  void (*stream)(struct hw_machine *machine, struct hw_memory *memory, enum hw_stream stream,
                 size_t offset, size_t bytes);
  /* The same as HW_STREAM_COPY, from the memory's start on, by stores that bypass the caches.  0,
     or -1 where the compiler has none. */
  int (*bypass)(struct hw_machine *machine, struct hw_memory *memory, size_t bytes);
  /* Does a part of a product, by the plain loop that programs have.  0, or -1 if no such loop
     runs, whatever the part. */
  int (*multiply)(struct hw_machine *machine, struct hw_memory *memory,
                  const struct hw_product *product);
  /* Pieces of code that can be jumped to: where each begins, as a distance in bytes from a multiple
     of 64 KiB, ascending; *n is their number.  NULL if there are none. */
  const size_t *(*code)(struct hw_machine *machine, size_t *n);
  /* Makes a ring of n visits of pieces, by their numbers; a piece may be visited repeatedly.
     The next jumps start at pieces[0].  0, or -1 without memory. */
  int (*code_link)(struct hw_machine *machine, const size_t *pieces, size_t n);
  /* Does n jumps along the ring, from where the last ended; n is a multiple of HW_GRAIN.  0, or -1
     when the compiler's code for them does not measure jumps. */
  int (*code_walk)(struct hw_machine *machine, unsigned long n);
  enum hw_nano_state (*nano_state)(struct hw_machine *machine, const struct hw_nano *nano);
  /* Takes n nano-benchmarks that are ready to be timed; the caller keeps them.  0, or -1 without
     memory. */
  int (*nano_take)(struct hw_machine *machine, const struct hw_nano *nano, size_t n);
  /* From now on trees of code branch by these HW_NANO_OUTCOMES words, which the caller keeps. */
  void (*nano_outcomes)(struct hw_machine *machine, const unsigned *outcomes);
  /* Does n iterations of the loop of the i-th that was taken, with its shorter or longer body. */
  void (*nano)(struct hw_machine *machine, size_t i, bool longer, unsigned long n);
  /* The processors that may be used, by the system's numbers for them, ascending; *n is the count.
     NULL, and 0, where threads cannot be bound to them. */
  const unsigned *(*processors)(struct hw_machine *machine, size_t *n);
  /* How many the system says there are, or 0: no value, but a limit of what is taken for one. */
  size_t (*online)(struct hw_machine *machine);
  /* Binds the calling thread to one of the processors at the places with same[place]: the one that
     it is on, if it is one of these, or else the one at place.  Does nothing where the user has
     chosen the processor. */
  void (*settle)(struct hw_machine *machine, const bool *same, size_t place);
  /* Binds it to the next of the processors that it settled among, if there is another. */
  void (*move)(struct hw_machine *machine);
  /* Does the parts at the same time, each in a thread of its own: all begin together, and a thread
     that is done goes on until all are.  0, or -1 when a thread cannot be started, or cannot be
     bound to its processor. */
  int (*team)(struct hw_machine *machine, struct hw_part *part, size_t n);
  void (*close)(struct hw_machine *machine);
};

struct hw_machine {
  const struct hw_machine_ops *ops;
  const char *clock;   /* the name of the clock, for the curve's header */
  const char *doubt;   /* why times mean nothing here (a sanitizer, an emulator), or NULL */
  const char *pages;   /* why a walk's own variables take a TLB entry, or NULL */
  const char *refused; /* what the system last refused: threads, memory; or NULL */
};

/* The machine we run on.  cpus: the processors that may be used, as "0,2-3", or NULL for any;
   the thread is bound to the first where the system can bind.  NULL, with *error set to a text,
   when the list is bad or a processor cannot be had. */
struct hw_machine *hw_machine_real(const char *cpus, const char **error);

/* The first processor of a good list that the thread cannot be bound to, or -1. */
long hw_machine_missing(const char *cpus);

/* The machine that the file describes (doc/machines.md).  NULL, after one line
   "FILE:LINE: reason" to stderr, when the file cannot be read or is bad. */
struct hw_machine *hw_machine_simulated(const char *file);

#endif
