/* A simulated machine of a text. */
#ifndef HW_UNIT_MACHINE_H
#define HW_UNIT_MACHINE_H

#include "probes/machine/machine.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Opens the machine that the text describes (doc/machines.md), through a temporary file; its
   ops->close closes it. */
static inline struct hw_machine *machine_of(const char *text) {
  char name[] = "machine-XXXXXX";
  int fd = mkstemp(name);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
  struct hw_machine *machine;

  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
  machine = hw_machine_simulated(name);
  unlink(name);
  assert_non_null(machine);
  return machine;
}

#endif
