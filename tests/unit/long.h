/* Cases that take seconds each: make check leaves them to make check-long. */
#ifndef HW_UNIT_LONG_H
#define HW_UNIT_LONG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether those are wanted, instead of the others. */
static inline bool hw_long_wanted(void) {
  const char *wanted = getenv("HW_TEST_LONG");

  return wanted != NULL && strcmp(wanted, "yes") == 0;
}

#endif
