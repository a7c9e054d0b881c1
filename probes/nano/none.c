/* In place of generated nano-benchmarks, if there are none. */
#include "probes/nano/table.h"

const struct hw_nano_entry *const hw_nano_tables[] = {0};

/* Compiled to see whether the compiler adds code of its own (checks of bounds, overflow, division),
   for which it has every reason here.  Never called. */
int hw_nano_plain(const int *word, int at, double x);

int hw_nano_plain(const int *word, int at, double x) {
  static int many[4];

  many[at] = word[at] + at;
  return word[at] != 0 ? (int)(x / word[at]) / at << many[at] : at;
}
