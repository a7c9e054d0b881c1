/* The runtime: whatever the system says of its processor, and whatever is in a profile. */
#include "runtime/hwconfig-runtime.c"

#include "tests/fuzz/points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char machine[RUNTIME_NAME] = "Linux_6.1,";
  const char *why;
  FILE *in;

  if (size == 0)
    return 0;
  in = fmemopen((void *)(uintptr_t)data, size, "r");
  if (in == NULL)
    abort();
  (void)runtime_processor(machine, in);
  fclose(in);
  FUZZ_CLAIM(strspn(machine, RUNTIME_WORDS "_") < RUNTIME_NAME &&
             machine[strspn(machine, RUNTIME_WORDS "_")] == '\0');
  (void)hw_runtime_source(); /* no profile is read behind it */
  runtime_text[0] = '\n';
  size = size < RUNTIME_TEXT - 2 ? size : RUNTIME_TEXT - 2;
  memcpy(runtime_text + 1, data, size);
  runtime_text[1 + size] = '\0';
  why = runtime_refuse(runtime_text, "Linux_6.1");
  FUZZ_CLAIM(*why == '\0' || *why == ':');
  runtime_cut_off(runtime_text);
  FUZZ_CLAIM(hw_runtime("HW_L1_BYTES", -1) >= -1);
  FUZZ_CLAIM(hw_runtime("HW_L1_SHARED_BY", -1) >= -1);
  return 0;
}
