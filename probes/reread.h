/* Values, from curves that an earlier run has left in files. */
#ifndef HW_REREAD_H
#define HW_REREAD_H

#include <stddef.h>
#include <stdio.h>

/* Reduces the curves in the files again, with whatever other curves lie in the same folders: a
   value may depend on curves of several probes.  Prints the rows of their probes, and all rows when
   the files are several and all of their folders, "HW_X = 1" and "# HW_X: METHOD, error E, clarity
   C", or "# HW_X unknown: why".  0, or -1 after one line "FILE:LINE: reason" or "FILE: reason" to
   err when one of the files is no whole curve, or the only one of no probe.  Of the others those
   that are damaged are left out, with such a line, and without one curves of a probe that an
   earlier version had. */
int hw_reread(char *const *file, size_t n, FILE *out, FILE *err);

/* Prints what a row was read off: its answer and reduction, its curves, and the rows that it used,
   as a tree.  A file that is no whole curve is left out, after a line to err.  0, or -1 without
   memory, or after a line when there is no such row. */
int hw_reread_why(const char *row, char *const *file, size_t n, FILE *out, FILE *err);

#endif
