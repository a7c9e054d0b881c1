/* Threads of the real machine that work at the same time. */
#ifndef HW_THREADS_H
#define HW_THREADS_H

#include "probes/machine/machine.h"

/* A thread, and the machine as it has it: of its own, so that no two write to one place. */
struct hw_thread {
  struct hw_machine *machine;
  struct hw_part *part;
  int processor; /* the number that the system has for it; negative: where it may run is as it is */
};

/* Does n units of a part's work that is counted. */
typedef void hw_threads_piece(struct hw_machine *machine, const struct hw_part *part,
                              unsigned long n);

/* Reads a block, a multiple of HW_STREAM_GRAIN, and then writes it. */
typedef void hw_threads_block(struct hw_machine *machine, void *block, size_t bytes);

/* Runs the threads as hw_machine_ops.team has it.  NULL, or why not. */
const char *hw_threads_run(struct hw_thread *thread, size_t n, hw_threads_piece *piece,
                           hw_threads_block *block);

/* Adds to an unsigned word n times, each time as one act that no other core's store can divide: it
   has the line to itself then. */
void hw_threads_add(void *word, unsigned long n);

#endif
