/* Prints what config.h has of two parameters, nothing for one that is unknown. */
#include <stdio.h>

#include "config.h"

/* Where a value came from is here only. Both may be included. */
#include "hwconfig.h"

/* TILE_BYTES is a value that configure computed. */
static char tile[TILE_BYTES];

int main(void) {
  char bytes[32] = "";
  char page[32] = "";

#ifdef HW_L1_BYTES
  sprintf(bytes, "%ld", (long)HW_L1_BYTES);
#endif
#ifdef HW_PAGE_BYTES
  sprintf(page, "%ld", (long)HW_PAGE_BYTES);
#endif
  tile[sizeof tile - 1] = 0;
  printf("L1 '%s' page '%s'\n", bytes, page);
  return tile[sizeof tile - 1];
}
