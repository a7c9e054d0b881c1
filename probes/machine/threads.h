/* Threads of the real machine that work at the same time. */
#ifndef HW_THREADS_H
#define HW_THREADS_H

#include "probes/machine/machine.h"

/* A thread, and a machine of its own, so that no two threads write to one place. */
struct hw_thread {
  struct hw_machine *machine;
  struct hw_part *part;
  int processor; /* the system's number of the one to bind it to; negative: leave it unbound */
};

/* Does n units of a part's work that is counted. */
typedef void hw_threads_piece(struct hw_machine *machine, const struct hw_part *part,
                              unsigned long n);

/* Reads a block, of less than HW_STREAM_GRAIN bytes or a multiple of it, and then writes it. */
typedef void hw_threads_block(struct hw_machine *machine, void *block, size_t bytes);

/* Runs the threads as hw_machine_ops.team does.  NULL, or why it failed. */
const char *hw_threads_run(struct hw_thread *thread, size_t n, hw_threads_piece *piece,
                           hw_threads_block *block);

/* Adds to an unsigned word n times, atomically: the core owns the line exclusively during each. */
void hw_threads_add(void *word, unsigned long n);

#endif
