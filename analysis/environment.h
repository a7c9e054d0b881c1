/* What the world around a measurement is like: how long others stay on a processor, what their
   being there takes from it, and how long a line is.  Where a number was seen rather than chosen by
   the makers of systems and processors, it says so. */
#ifndef HW_ENVIRONMENT_H
#define HW_ENVIRONMENT_H

/* As long as another process keeps a core, or an SMT sibling busy, before its scheduler runs
   another (ns): some slices of 3 to 4 ms, as Linux has them, or two of its coarsest tick, 10 ms.
   Looks so far apart do not meet the same one by chance, and a thread that waits for a
   processor has run by then. */
#define HW_PROCESS_STAYS_NS 2e7
/* What keeps a thread from its core for less is an interrupt, and for longer a slot of another
   (ns): a third of the shortest slice of Linux, 0.75 ms, and more than drivers take. */
#define HW_SLOT_LEAST_NS 2.5e5
/* A hypervisor's time slice (ns), that of Xen's credit scheduler: for so long it runs two virtual
   processors by turns on one core, if it has nothing better to do. */
#define HW_HOST_SLICE_NS 3e7
/* And until it moves one of two that it has put on one core (ns): in two of twenty runs on a
   machine of two virtual processors that took half a second. */
#define HW_HOST_MOVES_NS 6e8
/* A process that moves much data does so for a phase of its work, which is longer than a slice:
   some of the longest that Linux has, 24 ms (ns). */
#define HW_TRAFFIC_STAYS_NS 1e8

/* What ran for less than its time, by more than this share of it and so many ns, was preempted. The
   share is less than a latency may be off, HW_LEVEL_ERROR; the time is what reading both clocks
   takes.  Threads and processes that run together interrupt each other to be woken, which takes
   some us; their samples are the longer. */
#define HW_STOLEN 0.02
#define HW_STOLEN_NS 1000
#define HW_STOLEN_TOGETHER_NS 5000

/* No line of a cache is longer (bytes): IBM's z and Fujitsu's A64FX have 256.  Two words so far
   apart have lines of their own. */
#define HW_LINE_LONGEST 256u
/* The longest line of all others, as in POWER, Itanium, the Apple M1, and below 32 bytes of level 1
   in the R12000; and as much as a prefetcher of pairs brings where lines have 64 (bytes). */
#define HW_LINE_USUAL 128u

#endif
