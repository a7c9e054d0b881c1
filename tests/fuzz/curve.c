/* The reader of curves: whatever is in a file, it is refused in one line, or what was read is
   written and read again as the same text. */
#include "tests/fuzz/points.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a text of n bytes.  What the reader says; what it said beside that, in *said, to be freed.
 */
static int fuzz_read(struct hw_curve *curve, const void *text, size_t n, char **said) {
  size_t length = 0;
  FILE *in = fmemopen((void *)(uintptr_t)text, n, "r"), *err = open_memstream(said, &length);
  int result;

  if (in == NULL || err == NULL)
    abort();
  result = hw_curve_read(curve, "any", in, err);
  fclose(in);
  fclose(err);
  return result;
}

/* The curve as text, to be freed. */
static char *fuzz_write(const struct hw_curve *curve, size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);

  if (out == NULL)
    abort();
  FUZZ_CLAIM(hw_curve_write(curve, out) == 0);
  fclose(out);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct hw_curve curve, again;
  char *said, *text, *twice, *end;
  size_t length, other;

  if (size == 0)
    return 0;
  if (fuzz_read(&curve, data, size, &said) < 0) {
    end = strchr(said, '\n');
    FUZZ_CLAIM(curve.n == 0 && end != NULL && end[1] == '\0');
    free(said);
    return 0;
  }
  FUZZ_CLAIM(*said == '\0');
  free(said);
  text = fuzz_write(&curve, &length);
  FUZZ_CLAIM(fuzz_read(&again, text, length, &said) == 0 && *said == '\0');
  free(said);
  twice = fuzz_write(&again, &other);
  FUZZ_CLAIM(length == other && memcmp(text, twice, length) == 0);
  FUZZ_CLAIM(curve.n == again.n);
  for (size_t i = 0; i < curve.n; i++)
    FUZZ_CLAIM(!(curve.point[i].x < again.point[i].x) && !(curve.point[i].x > again.point[i].x));
  free(text);
  free(twice);
  hw_curve_free(&curve);
  hw_curve_free(&again);
  return 0;
}
