/* Prints what config.h has of two parameters, nothing for one that is unknown. */
#include <stdio.h>

#include "config.h"

/* Defaults, and where a value came from, are here only. Both may be included. */
#include "hwconfig.h"

/* TILE_BYTES is a value that configure computed. */
static char tile[TILE_BYTES];

int main(void) {
  char bytes[32] = "";
  char page[32] = "";

  if (HW_L1_BYTES_SRC != HW_SRC_DEFAULT)
    sprintf(bytes, "%ld", (long)HW_L1_BYTES);
  if (HW_PAGE_BYTES_SRC != HW_SRC_DEFAULT)
    sprintf(page, "%ld", (long)HW_PAGE_BYTES);
  tile[sizeof tile - 1] = 0;
  printf("L1 '%s' page '%s'\n", bytes, page);
  return tile[sizeof tile - 1];
}
