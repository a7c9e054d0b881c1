/* Emulators, recognized by their timing.

   A binary translator (QEMU, Valgrind) translates a block of code when it is run for the first
   time, which takes as long as thousands of additions.  A processor that runs a piece of code for
   the first time takes a cache miss or two.  So the first visit to some hundred small functions is
   timed, in pages of which another piece was visited before, so that there are no page faults and
   no TLB misses.  The least of the groups counts: a disturbance makes one group slow, not all.

   Not seen are interpreters, and translators that have translated all before the program starts. */
#include "probes/machine/emulator.h"

#include <math.h>
#include <stdint.h>

/* Pieces visited between two readings of the clock. */
#define EMULATOR_GROUP 16u
/* The smallest page, bytes. */
#define EMULATOR_PAGE 4096u
/* Additions: a miss in all caches costs some 400, and a piece lies in two lines at most; QEMU takes
   1900 or more for s390x, whose additions are slow there, and as Valgrind 8000 or more for others.
   The geometric mean of 800 and 1900. */
#define EMULATOR_ADDITIONS 1200.0

/* Visits these pieces once.  The time, ns, or -1 without memory. */
static double emulator_visit(struct hw_machine *machine, struct hw_code *code, const size_t *pieces,
                             size_t n) {
  double start;

  if (hw_code_link(code, pieces, n) < 0)
    return -1;
  start = machine->ops->now(machine);
  if (hw_code_walk(code, n) < 0)
    return -1;
  return machine->ops->now(machine) - start;
}

double hw_emulator_first(struct hw_machine *machine, struct hw_code *code) {
  size_t n, page = SIZE_MAX, grouped = 0, group[EMULATOR_GROUP];
  const size_t *position = hw_code_list(code, &n);
  double least = -1;

  for (size_t i = 0; position != NULL && i < n; i++)
    if (position[i] / EMULATOR_PAGE != page) {
      page = position[i] / EMULATOR_PAGE;
      if (emulator_visit(machine, code, &i, 1) < 0)
        return -1;
    } else {
      group[grouped++] = i;
      if (grouped == EMULATOR_GROUP) {
        double each = emulator_visit(machine, code, group, grouped) / EMULATOR_GROUP;
        if (each < 0)
          return -1;
        least = least < 0 ? each : fmin(least, each);
        grouped = 0;
      }
    }
  return least;
}

bool hw_emulator_seen(double first_ns, double cycle_ns) {
  return first_ns > EMULATOR_ADDITIONS * cycle_ns;
}
