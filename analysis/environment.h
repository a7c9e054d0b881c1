/* The environment of a measurement: how long other processes and guests keep a processor, what
   they take from it, and how long a line is.  If a number was observed rather than chosen by the
   makers of systems and processors, its comment says so. */
#ifndef HW_ENVIRONMENT_H
#define HW_ENVIRONMENT_H

/* Time for which another process keeps a core, or an SMT sibling busy, before its scheduler runs
   another (ns): some slices of 3 to 4 ms, as Linux has them, or two of its coarsest tick, 10 ms.
   Measurements this far apart do not meet the same one by chance, and a thread that waits for a
   processor has run by then. */
#define HW_PROCESS_STAYS_NS 2e7
/* A thread that loses its core for less was interrupted, for longer preempted (ns): a third of the
   shortest slice of Linux, 0.75 ms, and more than drivers take. */
#define HW_SLOT_LEAST_NS 2.5e5
/* A hypervisor's time slice (ns), that of Xen's credit scheduler: two virtual processors take turns
   on one core for this long, if it has no better choice. */
#define HW_HOST_SLICE_NS 3e7
/* Time until it migrates one of two that it has put on one core (ns): half a second, as observed in
   two of twenty runs on a machine of two virtual processors. */
#define HW_HOST_MOVES_NS 6e8
/* Time for which a process moves much data, a phase of its work (ns): longer than a slice, some of
   the longest that Linux has, 24 ms. */
#define HW_TRAFFIC_STAYS_NS 1e8

/* A sample was preempted if it ran for less than its elapsed time by more than this share of it and
   this many ns.  The share is below the error allowed for a latency, HW_CYCLES_ERROR; the time is
   what reading both clocks takes.  Threads and processes that run together interrupt each other to
   be woken, which takes some us; their samples are longer. */
#define HW_STOLEN 0.02
#define HW_STOLEN_NS 1000
#define HW_STOLEN_TOGETHER_NS 5000

/* Bytes: no line of a cache is longer; IBM's z and Fujitsu's A64FX have 256.  Two words this far
   apart are in different lines. */
#define HW_LINE_LONGEST 256u
/* Bytes: the longest line of all others, as in POWER, Itanium, the Apple M1, and below 32 bytes of
   level 1 in the R12000; and a pair of lines of 64, as an adjacent-line prefetcher brings. */
#define HW_LINE_USUAL 128u

#endif
