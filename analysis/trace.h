/* What a value was read off: its curves, its reduction and the values that it used, as a tree. */
#ifndef HW_TRACE_H
#define HW_TRACE_H

#include "analysis/reduce.h"

/* From now on what is read off the curves is noted.  0, or -1 without memory. */
int hw_trace_begin(struct hw_curves *curves);

/* Reads a row, and notes it where that is wanted: once, and then its answer is the one noted. */
struct hw_answer hw_traced(const struct hw_curves *curves, const char *row,
                           struct hw_answer (*read)(const struct hw_curves *curves));

/* Prints what was noted: a row and a line each for its reduction and its curves, below it the rows
   that it used. */
void hw_trace_print(const struct hw_trace *trace, FILE *out);

/* Ends it. */
void hw_trace_end(struct hw_curves *curves);

#endif
