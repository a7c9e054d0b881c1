/* The reader of machine files: what it takes can be, and what it does not take it refuses in one
   line. */
#include "tests/fuzz/points.h"

#include "sim/description.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct hw_description description;
  struct hw_sim_fault fault;
  char *said = NULL, *end;
  size_t length = 0;
  FILE *in, *err;
  int result;

  if (size == 0)
    return 0;
  in = fmemopen((void *)(uintptr_t)data, size, "r");
  err = open_memstream(&said, &length);
  if (in == NULL || err == NULL)
    abort();
  result = hw_description_read(&description, "any", in, err);
  fclose(in);
  fclose(err);
  end = strchr(said, '\n');
  FUZZ_CLAIM(result == 0 ? *said == '\0' : end != NULL && end[1] == '\0');
  FUZZ_CLAIM(result != 0 || !hw_description_fault(&description, &fault));
  free(said);
  return 0;
}
