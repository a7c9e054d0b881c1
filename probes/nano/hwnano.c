/* hwnano: writes the nano-benchmarks that the probes may ask for, before anything is measured.

   Usage: hwnano STEM PARTS [FAMILY...].  Writes STEM.1.c to STEM.PARTS.c, which take a compiler
   about as long each, and STEM.0.c, the list of them; with families these alone.
   For which compiler and processor is what this program itself is compiled for, unless the macros
   of target.h say so: for another machine. */
#include "probes/nano/target.h"

#include "probes/nano/generate.c"
#include "probes/nano/loops.c"
#include "probes/nano/nano.c"

#include <errno.h>

/* Parts at most.  Cost of compiling a function without statements, in statements. */
#define HWNANO_PARTS 64u
#define HWNANO_FUNCTION 30u

/* The nano-benchmarks of the parts. */
struct hwnano_list {
  struct hw_nano *nano;
  unsigned *part;
  size_t n;
  size_t room;
  unsigned parts;
  unsigned cost[HWNANO_PARTS];
};

/* Assigns a nano-benchmark to the part that costs least so far. */
static void hwnano_take(void *context, const struct hw_nano *nano) {
  struct hwnano_list *list = context;
  unsigned least = 0;

  if (list->n == list->room)
    return;
  for (unsigned k = 1; k < list->parts; k++)
    if (list->cost[k] < list->cost[least])
      least = k;
  list->cost[least] += HWNANO_FUNCTION + hw_nano_statements(nano);
  list->part[list->n] = least + 1;
  list->nano[list->n++] = *nano;
}

static void hwnano_count(void *context, const struct hw_nano *nano) {
  struct hwnano_list *list = context;

  list->room += nano->groups[1] > 0;
}

/* Writes a file, of the nano-benchmarks of that part, or the list.  Whether that worked. */
static bool hwnano_write(const struct hwnano_list *list, unsigned part, const char *stem) {
  struct hw_nano *some = calloc(list->n + 1, sizeof *some);
  char path[4096];
  FILE *out;
  size_t n = 0;
  bool bad;

  snprintf(path, sizeof path, "%s.%u.c", stem, part);
  out = some != NULL ? fopen(path, "w") : NULL;
  for (size_t i = 0; some != NULL && i < list->n; i++)
    if (list->part[i] == part)
      some[n++] = list->nano[i];
  bad = out == NULL ||
        (part > 0 ? hw_nano_write(some, n, part, out) : hw_nano_write_list(list->parts, out)) < 0;
  bad = (out != NULL && fclose(out) != 0) || bad;
  free(some);
  if (bad)
    fprintf(stderr, "hwnano: %s: %s\n", path, strerror(errno));
  return !bad;
}

int main(int argc, char **argv) {
  const struct hw_loops_target target = {.widest = HW_LOOPS_WIDEST,
                                         .integers = HW_LOOPS_INTEGERS,
                                         .floats = HW_LOOPS_FLOATS,
                                         .slow = HW_LOOPS_SLOW,
                                         .family =
                                             argc > 3 ? (const char *const *)(argv + 3) : NULL};
  struct hwnano_list list = {.parts = argc >= 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0};
  bool good;

  if (list.parts < 1 || list.parts > HWNANO_PARTS || argc < 3) {
    fputs("usage: hwnano STEM PARTS [FAMILY...]: 1 to 64 parts\n", stderr);
    return 2;
  }
  hw_loops_all(&target, hwnano_count, &list);
  list.nano = calloc(list.room, sizeof *list.nano);
  list.part = calloc(list.room, sizeof *list.part);
  good = list.nano != NULL && list.part != NULL;
  if (good)
    hw_loops_all(&target, hwnano_take, &list);
  for (unsigned part = 0; good && part <= list.parts; part++)
    good = hwnano_write(&list, part, argv[1]);
  free(list.nano);
  free(list.part);
  return !good;
}
