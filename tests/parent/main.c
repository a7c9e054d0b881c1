/* Prints what hwconfig.h knows of two parameters, nothing for one that is a default. */
#include <stdio.h>

#include "hwconfig.h"

int main(void) {
  char bytes[32] = "";
  char line[32] = "";

  if (HW_L1_BYTES_SRC != HW_SRC_DEFAULT)
    sprintf(bytes, "%ld", (long)HW_L1_BYTES);
  if (HW_L1_LINE_SRC != HW_SRC_DEFAULT)
    sprintf(line, "%ld", (long)HW_L1_LINE);
  printf("bytes '%s' line '%s'\n", bytes, line);
  return 0;
}
