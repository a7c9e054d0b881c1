/* every: writes the nano-benchmarks that the probes may ask for on any machine, for users who
   cannot compile between one run of hwprobe and the next.

   Usage: every STEM PARTS WIDEST FEWEST MOST.  Writes STEM.1.c to STEM.PARTS.c, as hwprobe
   --nano=STEM does for those that one run of it wants; of vectors those up to WIDEST bytes; of
   floating-point variables live at once with integers those with FEWEST to MOST integers.

   What a probe asks for next depends on what it has measured.  So the probes themselves are run
   here, over and over, on cores that differ in all that they look at; instead of sampling, the
   model of sim/core.h says how long a loop takes.  What is missing here is unknown
   there, and nothing worse.  This program runs where it is compiled, which need not be where the
   probes do. */
#include "probes/parts/core.c"

#include "analysis/curve.c"
#include "analysis/monotone.c"
#include "analysis/rate.c"
#include "analysis/spills.c"
#include "analysis/streams.c"
#include "analysis/values.c"
#include "probes/bench/random.c"
#include "sim/core.c"

#include <errno.h>

/* Samples of a point, which do not scatter. */
#define EVERY_SAMPLES 9
/* Most independent chains that operations_rows asks for, so that a longer latency asks for nothing
   more. */
#define EVERY_LATENCY 20

/* All that was asked for. */
struct every_list {
  struct hw_nano *nano;
  size_t n;
  size_t room;
};

struct every_machine {
  struct hw_machine machine;
  struct hw_sim_core core;
  const struct hw_nano *taken;
  struct every_list list;
};

static struct every_machine every_one;

/* Most floating-point variables live at once: there is a loop of them for each pair of numbers of
   registers of both kinds, and each takes the compiler long. */
#define EVERY_ALIVE 36u
/* Rates of their additions, a cycle, 2 at most for the same reason. */
static const double every_alive_rates[] = {1, 2};
/* Integers live at once with them, fewest and most, and the widest vector, bytes. */
static struct {
  unsigned fewest;
  unsigned most;
  unsigned widest;
} every_bounds;

static int every_order(unsigned one, unsigned other) { return (one > other) - (one < other); }

/* 0 for two of the same name; a part that is not there comes first. */
static int every_compare(const void *one, const void *other) {
  const struct hw_nano *a = one;
  const struct hw_nano *b = other;
  int order = every_order(a->groups[0], b->groups[0]);

  if (order == 0)
    order = every_order(a->groups[1], b->groups[1]);
  for (size_t i = 0; order == 0 && i < HW_NANO_PARTS; i++) {
    const struct hw_nano_part *p = &a->part[i];
    const struct hw_nano_part *q = &b->part[i];
    if (p->op == NULL || q->op == NULL)
      return (p->op != NULL) - (q->op != NULL);
    order = strcmp(p->op, q->op);
    if (order == 0)
      order = strcmp(p->type, q->type);
    if (order == 0)
      order = every_order(p->variables, q->variables);
    if (order == 0)
      order = every_order(p->count, q->count);
  }
  return order;
}

/* Whether it has live floating-point or vector variables that are not within the bounds. */
static bool every_too_many(const struct hw_nano *nano) {
  const struct hw_nano_part *alive = &nano->part[0];
  const struct hw_nano_part *whole = &nano->part[2];
  unsigned bytes = 0;

  if (strcmp(alive->op, "live") != 0 || alive->type[0] == 'i')
    return false;
  (void)hw_nano_type(alive->type, &bytes);
  return alive->variables > EVERY_ALIVE || bytes > every_bounds.widest ||
         (whole->op != NULL &&
          (whole->variables < every_bounds.fewest || whole->variables > every_bounds.most));
}

/* Sorts the list, and leaves one of each. */
static void every_unique(struct every_list *list) {
  size_t n = 0;

  if (list->n > 0)
    qsort(list->nano, list->n, sizeof *list->nano, every_compare);
  for (size_t i = 0; i < list->n; i++)
    if (n == 0 || every_compare(&list->nano[n - 1], &list->nano[i]) != 0)
      list->nano[n++] = list->nano[i];
  list->n = n;
}

static void every_add(struct every_list *list, const struct hw_nano *nano) {
  if (list->n == list->room) {
    every_unique(list);
    if (2 * list->n >= list->room) {
      list->room = 2 * list->room + 4096;
      list->nano = realloc(list->nano, list->room * sizeof *list->nano);
      if (list->nano == NULL) {
        fputs("every: out of memory\n", stderr);
        exit(1);
      }
    }
  }
  list->nano[list->n++] = *nano;
}

/* A tree has but one form, and takes no part in the choice of others. */
static enum hw_nano_state every_state(struct hw_machine *machine, const struct hw_nano *nano) {
  struct every_machine *every = (struct every_machine *)machine;

  if (every_too_many(nano))
    return HW_NANO_REFUSED;
  every_add(&every->list, nano);
  return !hw_nano_is_tree(nano) && hw_core_group(&every->core, nano, 1) > 0 ? HW_NANO_READY
                                                                            : HW_NANO_REFUSED;
}

static int every_take(struct hw_machine *machine, const struct hw_nano *nano, size_t n) {
  (void)n;
  ((struct every_machine *)machine)->taken = nano;
  return 0;
}

static void every_run(struct hw_machine *machine, size_t i, bool longer, unsigned long n) {
  (void)machine, (void)i, (void)longer, (void)n;
}

static double every_now(struct hw_machine *machine) {
  (void)machine;
  return 0;
}

/* In place of those of sampler.c: points of time.c, two a nano-benchmark. */
int hw_sample_apart(struct hw_bench *bench, const struct hw_task *task, const double *x, size_t n,
                    struct hw_curve *curve) {
  const struct every_machine *every = (const struct every_machine *)bench->machine;
  int result = 0;

  (void)task;
  for (size_t i = 0; i < n && result == 0; i++) {
    const struct hw_nano *nano = &every->taken[(size_t)x[i] / 2];
    double cycles = nano->groups[(size_t)x[i] % 2] * hw_core_group(&every->core, nano, 1);
    result = hw_curve_put(
        curve,
        (struct hw_point){.x = x[i], .y = cycles + every->core.loop, .count = EVERY_SAMPLES});
  }
  return result;
}

struct hw_point hw_issue(const struct hw_curves *curves) {
  (void)curves;
  return (struct hw_point){0};
}

/* In place of that of trace.c, which has those of all rows. */
struct hw_answer hw_value_vec_bytes(const struct hw_curves *curves) {
  return hw_read_vec_bytes(curves);
}

int hw_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result) {
  (void)probe;
  return result < 0 ? result : hw_curves_put(&bench->curves, curve);
}

int hw_publish_some(struct hw_bench *bench, struct hw_curve *curve, const char *probe, int result) {
  return curve->n > 0 ? hw_publish(bench, curve, probe, result) : result;
}

/* The probes of the groups that have code generated, in the order of the table; of another group,
   nothing, which is what EVERY_SECOND finds where it has no name here. */
#define EVERY_GENERATES_INSTRUCTIONS none, EVERY_PROBE
#define EVERY_GENERATES_REGISTERS none, EVERY_PROBE
#define EVERY_PROBE(name) hw_probe_##name,
#define EVERY_NOTHING(name)
#define EVERY_SECOND(first, second, ...) second
#define EVERY_CHOOSE(...) EVERY_SECOND(__VA_ARGS__, EVERY_NOTHING, none)
static int (*const every_probes[])(struct hw_bench *) = {
#define HW_PROBE(name, group, needs) EVERY_CHOOSE(EVERY_GENERATES_##group)(name)
#include "probes/params.h"
};

/* What a core is made of, in cycles, operations a cycle, and registers. */
struct every_choice {
  double latency;     /* of additions and multiplications */
  double whole;       /* additions of integers in a cycle */
  double other;       /* of floating point */
  double multiplying; /* reciprocal throughput of a unit's multiplications, cycles */
  bool fused;         /* whether there is a multiply-add */
  unsigned bytes;     /* of a vector */
  unsigned registers; /* of integers */
  unsigned others;    /* of floating point, and of vectors */
};

static void every_operation(const char *op, const char *type, double latency, double units,
                            double busy) {
  struct hw_sim_core *core = &every_one.core;
  struct hw_sim_operation *operation = &core->operation[core->operations++];

  snprintf(operation->op, sizeof operation->op, "%s", op);
  snprintf(operation->type, sizeof operation->type, "%s", type);
  operation->latency = latency;
  operation->units = units;
  operation->busy = busy;
  operation->slots = 1;
}

/* All operations on a type. */
static void every_type(const struct every_choice *choice, const char *type, bool scalar) {
  bool whole = type[0] == 'i';
  double units = whole ? choice->whole : choice->other;
  struct hw_sim_registers *file = &every_one.core.file[every_one.core.files++];

  every_operation("add", type, choice->latency, units, 1);
  every_operation("mul", type, choice->latency, units, choice->multiplying);
  if (choice->fused)
    every_operation("fma", type, choice->latency, units, choice->multiplying);
  every_operation("div", type, choice->latency, units, choice->multiplying);
  if (scalar && !whole)
    every_operation("sqrt", type, choice->latency, units, choice->multiplying);
  snprintf(file->type, sizeof file->type, "%s", type);
  file->count = whole ? choice->registers : choice->others;
}

static void every_try(const struct every_choice *choice) {
  static const unsigned widths[] = {8, 16, 32, 64, 128, 256};
  struct hw_bench bench = {.machine = &every_one.machine, .log = stderr};
  char type[HW_NANO_TYPE];

  memset(&every_one.core, 0, sizeof every_one.core);
  every_one.core.width = 64;
  every_one.core.loop = 2;
  every_operation("load", "any", 1, 1, 1);
  every_operation("store", "any", 1, 1, 1);
  every_type(choice, "i32", true);
  every_type(choice, "i64", true);
  every_type(choice, "f32", true);
  every_type(choice, "f64", true);
  snprintf(type, sizeof type, "f32v%u", choice->bytes);
  every_type(choice, type, false);
  snprintf(type, sizeof type, "f64v%u", choice->bytes);
  every_type(choice, type, false);
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
    snprintf(type, sizeof type, "f32v%u", widths[i]);
    if (widths[i] != choice->bytes)
      every_operation("add", type, choice->latency, choice->other,
                      fmax(1, (double)widths[i] / choice->bytes));
  }
  for (size_t i = 0; i < sizeof every_probes / sizeof every_probes[0]; i++)
    (void)every_probes[i](&bench);
  free(bench.wanted);
  hw_curves_free(&bench.curves);
}

/* What most machines have, to differ from. */
static const struct every_choice every_common = {.latency = 4,
                                                 .whole = 4,
                                                 .other = 2,
                                                 .multiplying = 1,
                                                 .fused = true,
                                                 .bytes = 16,
                                                 .registers = 16,
                                                 .others = 16};

/* Latencies and rates: independent streams, and multiply-adds beside additions. */
static void every_streams(unsigned widest) {
  struct every_choice choice = every_common;

  for (choice.bytes = 8; choice.bytes <= widest; choice.bytes *= 2)
    for (choice.latency = 1; choice.latency <= EVERY_LATENCY; choice.latency++)
      for (int kind = 0; kind < 16; kind++) {
        choice.fused = kind & 1;
        choice.whole = choice.other = kind & 2 ? 1 : 2;
        choice.multiplying = kind & 4 ? 1 : 4;
        choice.registers = choice.others = kind & 8 ? 64 : 4;
        every_try(&choice);
      }
}

/* Rates of two kinds of additions, as machines have them: bundles of them. */
static void every_bundles(void) {
  static const double rates[] = {0.5, 1, 1.5, 2, 3, 4, 5, 6};
  struct every_choice choice = every_common;

  choice.latency = 1;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
    for (size_t j = 0; j < sizeof rates / sizeof rates[0]; j++) {
      choice.whole = rates[i];
      choice.other = rates[j];
      every_try(&choice);
    }
}

/* Integer registers, 4 to 32, with 1 and 2 additions a cycle beside one store. */
static void every_registers(void) {
  struct every_choice choice = every_common;

  choice.latency = 1;
  for (choice.registers = 4; choice.registers <= 32; choice.registers++)
    for (choice.whole = 1; choice.whole <= 2; choice.whole++)
      every_try(&choice);
}

/* Registers of floating point, and of vectors of a width. */
static void every_others(struct every_choice choice) {
  for (choice.others = 4; choice.others <= EVERY_ALIVE; choice.others++)
    for (size_t i = 0; i < sizeof every_alive_rates / sizeof every_alive_rates[0]; i++) {
      choice.other = every_alive_rates[i];
      every_try(&choice);
    }
}

static void every_alive(void) {
  struct every_choice choice = every_common;

  choice.latency = 1;
  for (choice.registers = every_bounds.fewest; choice.registers <= every_bounds.most;
       choice.registers++)
    every_others(choice);
  choice.registers = every_common.registers;
  for (choice.bytes = 8; choice.bytes <= every_bounds.widest; choice.bytes *= 2)
    every_others(choice);
}

static int every_write(const struct every_list *list, const char *stem, unsigned parts) {
  struct hw_nano *some = calloc(list->n, sizeof *some);
  int bad = some == NULL;

  for (unsigned part = 1; !bad && part <= parts; part++) {
    char path[4096];
    size_t n = 0;
    FILE *out;
    snprintf(path, sizeof path, "%s.%u.c", stem, part);
    out = fopen(path, "w");
    for (size_t i = part - 1; i < list->n; i += parts)
      some[n++] = list->nano[i];
    bad = out == NULL || hw_nano_write(some, n, part, out) < 0 ||
          (part == 1 && hw_nano_write_list(parts, false, out) < 0);
    if (out != NULL && fclose(out) != 0)
      bad = 1;
  }
  if (bad)
    fprintf(stderr, "every: %s: %s\n", stem, strerror(errno));
  free(some);
  return bad;
}

int main(int argc, char **argv) {
  static const struct hw_machine_ops ops = {
      .nano_state = every_state, .nano_take = every_take, .nano = every_run, .now = every_now};
  unsigned long number[4] = {0};
  int status;

  for (int i = 2; argc == 6 && i < argc; i++)
    number[i - 2] = strtoul(argv[i], NULL, 10);
  if (number[0] < 1 || number[0] > 64 || number[1] < 8 || number[1] > HW_NANO_VECTOR ||
      number[2] < 1 || number[2] > number[3] || number[3] > HW_NANO_VARIABLES) {
    fputs("usage: every STEM PARTS WIDEST FEWEST MOST: 1 to 64 parts, 8 to 256 bytes\n", stderr);
    return 2;
  }
  every_bounds.widest = (unsigned)number[1];
  every_bounds.fewest = (unsigned)number[2];
  every_bounds.most = (unsigned)number[3];
  every_one.machine.ops = &ops;
  every_streams(every_bounds.widest);
  every_bundles();
  every_registers();
  every_alive();
  every_unique(&every_one.list);
  status = every_write(&every_one.list, argv[1], (unsigned)number[0]);
  free(every_one.list.nano);
  return status;
}
