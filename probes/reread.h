/* Values, from curves that an earlier run has left in files. */
#ifndef HW_REREAD_H
#define HW_REREAD_H

/* Where the arguments are --reduce FILE... or --why ROW FILE..., does that, and returns the exit
   status; else -1.  A program for some rows alone has none of it (probes/sources.awk).

   --reduce reduces the curves in the files again, with the other curves in the same folders, since
   a value may depend on curves of several probes.  It prints the rows of their probes, or all rows
   when the files are several and all of their folders: "HW_X = 1" and "# HW_X: METHOD, error E,
   clarity C", or "# HW_X unknown: why".  2, after one line "FILE:LINE: reason" or "FILE: reason" to
   stderr, when one of the files is no whole curve, or the only one is of no probe.  Damaged ones of
   the other curves are left out after such a line; curves of a probe of an earlier version without.

   --why prints how a row was derived, as a tree: answer and reduction, its curves, and the rows
   that it used.  A file that is no whole curve is left out, after a line to stderr.  2 without
   memory, or after a line when there is no such row. */
int hw_reread(int argc, char **argv);

#endif
