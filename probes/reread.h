/* Values, from curves that an earlier run has left in files. */
#ifndef HW_REREAD_H
#define HW_REREAD_H

#include <stddef.h>
#include <stdio.h>

/* Reduces the curves in the files again, with the other curves in the same folders, since a value
   may depend on curves of several probes.  Prints the rows of their probes, or all rows when the
   files are several and all of their folders: "HW_X = 1" and "# HW_X: METHOD, error E, clarity C",
   or "# HW_X unknown: why".  0, or -1 after one line "FILE:LINE: reason" or "FILE: reason" to err
   when one of the files is no whole curve, or the only one is of no probe.  Damaged ones of the
   other curves are left out after such a line; curves of a probe of an earlier version without. */
int hw_reread(char *const *file, size_t n, FILE *out, FILE *err);

/* Prints how a row was derived, as a tree: answer and reduction, its curves, and the rows that it
   used.  A file that is no whole curve is left out, after a line to err.  0, or -1 without memory,
   or after a line when there is no such row. */
int hw_reread_why(const char *row, char *const *file, size_t n, FILE *out, FILE *err);

#endif
