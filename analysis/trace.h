/* The trace of a value: its curves, its reduction and the values that it used, as a tree. */
#ifndef HW_TRACE_H
#define HW_TRACE_H

#include "analysis/reduce.h"

/* Begins a trace of the rows and curves that are read from now on.  0, or -1 without memory. */
int hw_trace_begin(struct hw_curves *curves);

/* Reads a row, and records it if there is a trace: once, and then the answer is that one.  That of
   a hidden row says so, and does not read it. */
struct hw_answer hw_traced(const struct hw_curves *curves, const char *row,
                           struct hw_answer (*read)(const struct hw_curves *curves));

/* Prints the trace: a row and a line each for its reduction and its curves, below it the rows that
   it used. */
void hw_trace_print(const struct hw_trace *trace, FILE *out);

/* Ends the trace and frees it. */
void hw_trace_end(struct hw_curves *curves);

#endif
