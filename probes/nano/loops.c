/* Which nano-benchmarks there are.

   What tells an operation's time is chosen among these by what was measured before.  Each takes a
   compiler some milliseconds, so that there are few: numbers of streams as far as readers look at
   them; additions beside others, and bundles, in the ratios of common machines; variables that live
   at once near the number of registers of the processor for which the compiler makes code. */
#include "probes/nano/loops.h"

#include "probes/nano/operations.h"

#include <string.h>

/* Least statements of the shorter loop, and least that the longer one has more: of integer
   additions, several of which complete in a cycle, and of many streams; of others. */
#define LOOPS_BODY 4u
#define LOOPS_MANY 40u
#define LOOPS_MORE 8u
/* Operations that wait for an unpipelined unit need not conflict alike in both loops: the longer
   one is longer by this many times the shorter one, and weighs accordingly. */
#define LOOPS_TIMES 5u
/* Least statements that the longer loop has more for integer additions of which more than four
   complete in a cycle: there the end of a loop, or the alignment of its code, costs one of the two
   loops a cycle more than the other, which must be below 2 %. */
#define LOOPS_LONG 480u
/* From this many streams on their units may be saturated, and an iteration may cost half a cycle
   more or less as they share them, which more groups make less than 2 % of one. */
#define LOOPS_STREAMS_MANY 6u
/* Streams that need no more registers than the smallest file has; and registers of a file that
   operands take. */
#define LOOPS_FIT 8u
#define LOOPS_OPERANDS 2u
/* Variables that are added to beside HW_FUSED_STREAMS: twice as many, so that their chains do not
   bound the loop. */
#define LOOPS_ADDED 8u
/* Groups in a loop of integers that live at once: a spilled loop counter then costs a quarter of a
   store a group.  Groups of others are longer, and leave a register for the counter: only two, lest
   the loop be bound by instruction fetch. */
#define LOOPS_GROUPS 4u
#define LOOPS_GROUPS_LONG 2u
/* A number of variables that is looked at whatever the registers are: four of the first numbers
   must be. */
#define LOOPS_PLATEAU 12u
/* Registers of integers from which on a processor may complete but one addition a cycle. */
#define LOOPS_SIMPLE 32u
/* Bundles in a loop: its end takes one or two issue slots of some two hundred.  The difference of
   two lengths is no better here, since the end of the shorter loop may cost it more than that. */
#define LOOPS_BUNDLES 16u
/* Variables of each kind of a bundle, whose additions are independent. */
#define LOOPS_WHOLE 10u
#define LOOPS_OTHER 12u
/* Groups of both loops of a bundle: of no others. */
#define LOOPS_BUNDLE_SHORT 4u
#define LOOPS_BUNDLE_LONG 26u
/* The first and the last width of a vector whose additions are timed whatever the compiler has, and
   the last of all, bytes. */
#define LOOPS_NARROW 8u
#define LOOPS_USUAL 64u

/* Numbers of streams: of operations several of which complete in a cycle, or of two instructions,
   whose units are saturated only shortly before registers run out, at twelve to fourteen streams of
   sixteen registers; of integers, of which the stack and the counter take two; of those that wait
   for their unit, which it may take many to saturate; of square roots, which conflict with each
   other in more than one manner; and of a statement of which nothing is known. */
static const unsigned loops_many[] = {1, 6, 8, 10, 12, 14, 16, 20};
static const unsigned loops_whole[] = {1, 6, 8, 10, 11, 12, 16, 20};
static const unsigned loops_slow[] = {1, 2, 4, 6, 7, 8};
static const unsigned loops_roots[] = {1, 2, 4, 5, 6, 8};
static const unsigned loops_any[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20};
#define LOOPS_ALL (sizeof loops_many / sizeof loops_many[0])
#define LOOPS_WAIT (sizeof loops_slow / sizeof loops_slow[0])
/* Those beside the knee of the first; and those of long loops. */
static const unsigned loops_few[] = {2, 3, 4, 5};
static const unsigned loops_long[] = {8, 10, 12};
/* Additions beside each multiplication. */
static const unsigned loops_fused[] = {4, 7};
/* Stores beside each addition of variables that live at once: of additions that take no more than
   half a cycle, no more than one, and longer. */
static const unsigned loops_stores[] = {1, 2, 8};

#define LOOPS_COUNT(list) (sizeof(list) / sizeof(list)[0])

struct hw_loops_row hw_loops_row(const struct hw_nano_operation *operation) {
  static const struct hw_loops_row rows[] = {
      [HW_UNIT_PIPELINED] = {loops_many, 3, LOOPS_ALL},
      [HW_UNIT_DIVIDER] = {loops_slow, LOOPS_WAIT, LOOPS_WAIT},
      [HW_UNIT_ROOTS] = {loops_roots, 6, 6},
      [HW_UNIT_ANY] = {loops_any, 12, 12}};
  struct hw_loops_row row = rows[operation->unit];

  if (operation->unit == HW_UNIT_PIPELINED && operation->kind[0] == 'i')
    row.streams = loops_whole;
  return row;
}

static const unsigned loops_numbers[] = {3,  4,  5,  6,   8,   12,  13,  14,  15,  16,
                                         17, 20, 24, 28,  30,  31,  32,  33,  36,  48,
                                         64, 65, 96, 122, 123, 124, 126, 127, 128, 132};
const struct hw_loops_list hw_loops_numbers = {loops_numbers, LOOPS_COUNT(loops_numbers)};

/* Bundles: additions of I32 and of F64, and loads. */
static const struct loops_bundle {
  unsigned whole;
  unsigned other;
  unsigned loads;
} loops_bundles[] = {{9, 3, 0}, {8, 4, 0}, {7, 5, 0}, {6, 6, 0}, {4, 8, 0}, {8, 0, 4}, {7, 0, 5},
                     {6, 0, 6}, {5, 0, 7}, {4, 0, 8}, {0, 8, 4}, {0, 6, 6}, {7, 3, 2}, {6, 4, 2},
                     {6, 3, 3}, {5, 5, 2}, {5, 3, 4}, {4, 4, 4}, {5, 2, 5}};

/* What a bundle may have: at most that many of a kind, each on more variables than the chains of
   usual latencies need not to bound the loop. */
static const struct loops_kind {
  const char *op;
  const char *type;
  unsigned most;
  unsigned variables;
  unsigned more;
} loops_kinds[HW_BUNDLE_KINDS] = {{"add", "i32", 6, 1, 1},    {"add", "f64", 4, 4, 0},
                                  {"load", "i32", 3, 1, 0},   {"store", "i32", 2, 1, 0},
                                  {"branch", "i32", 2, 1, 0}, {"mul", "i32", 2, 4, 0},
                                  {"add", "f32v", 3, 4, 0}};

static void loops_part(struct hw_nano_part *part, const char *op, const char *type,
                       unsigned variables, unsigned count) {
  part->op = op;
  snprintf(part->type, sizeof part->type, "%s", type);
  part->variables = variables;
  part->count = count;
}

void hw_loops_streams(struct hw_nano *nano, const char *op, const char *type, unsigned streams,
                      bool longer) {
  const struct hw_nano_operation *operation = hw_nano_operation(op, type);
  unsigned groups = (LOOPS_BODY + streams - 1) / streams;
  bool many = streams >= LOOPS_STREAMS_MANY || (type[0] == 'i' && strcmp(op, "add") == 0);
  unsigned least = longer ? LOOPS_LONG : many ? LOOPS_MANY : LOOPS_MORE;
  unsigned more = (least + streams - 1) / streams;

  memset(nano, 0, sizeof *nano);
  loops_part(&nano->part[0], op, type, streams, streams);
  nano->groups[0] = groups < 2 ? 2 : groups; /* one could be folded with the next iteration */
  if (operation != NULL && operation->unit >= HW_UNIT_DIVIDER)
    more = LOOPS_TIMES * nano->groups[0];
  nano->groups[1] = nano->groups[0] + (more < 2 ? 2 : more);
}

/* Specifies a loop of an operation on some variables, and of additions to others. */
static void loops_beside(struct hw_nano *nano, const char *op, const char *type, unsigned variables,
                         unsigned added, unsigned additions) {
  memset(nano, 0, sizeof *nano);
  loops_part(&nano->part[0], op, type, variables, variables);
  loops_part(&nano->part[1], "add", type, added, additions);
  nano->groups[0] = 2;
  nano->groups[1] = 5;
}

unsigned hw_loops_fused_number(double beside) {
  for (size_t i = 0; i < LOOPS_COUNT(loops_fused); i++)
    if (loops_fused[i] >= beside)
      return loops_fused[i];
  return 0;
}

void hw_loops_fused(struct hw_nano *nano, const char *op, const char *type, unsigned beside) {
  loops_beside(nano, op, type, HW_FUSED_STREAMS, LOOPS_ADDED, beside * HW_FUSED_STREAMS);
}

void hw_loops_split(struct hw_nano *nano, const char *type, unsigned streams) {
  loops_beside(nano, "mul", type, streams, streams, streams);
}

void hw_loops_live(struct hw_nano *nano, const char *type, unsigned variables, unsigned beside,
                   unsigned whole) {
  unsigned count = variables > HW_REGISTERS_LEAST ? variables : HW_REGISTERS_LEAST;

  memset(nano, 0, sizeof *nano);
  loops_part(&nano->part[0], "live", type, variables, count);
  loops_part(&nano->part[1], "store", "i32", 1, count * beside);
  if (whole > 0)
    loops_part(&nano->part[2], "live", "i32", whole, count);
  nano->groups[1] = type[0] == 'i' ? LOOPS_GROUPS : LOOPS_GROUPS_LONG;
}

/* Operations a cycle of a bundle on a machine that issues that many of each; 0 if it has some of
   which the machine is to issue none, or none of which it is to issue some. */
static double loops_rate(const struct loops_bundle *bundle, double whole, double other,
                         double loads) {
  const double count[] = {bundle->whole, bundle->other, bundle->loads};
  const double rate[] = {whole, other, loads};
  double cycles = 0, sum = 0;

  for (size_t i = 0; i < LOOPS_COUNT(count); i++) {
    if ((count[i] > 0) != (rate[i] > 0))
      return 0;
    if (count[i] > cycles * rate[i])
      cycles = count[i] / rate[i];
    sum += count[i];
  }
  return sum / cycles;
}

static void loops_mix(struct hw_nano *nano, const struct loops_bundle *bundle) {
  struct hw_nano_part *part = nano->part;

  memset(nano, 0, sizeof *nano);
  if (bundle->whole > 0)
    loops_part(part++, "add", "i32", LOOPS_WHOLE, bundle->whole);
  if (bundle->other > 0)
    loops_part(part++, "add", "f64", LOOPS_OTHER, bundle->other);
  if (bundle->loads > 0)
    loops_part(part++, "load", "i32", 1, bundle->loads);
  nano->groups[1] = LOOPS_BUNDLES;
}

double hw_loops_mix(struct hw_nano *nano, double whole, double other, double loads) {
  const struct loops_bundle *best = loops_bundles;

  for (size_t i = 1; i < LOOPS_COUNT(loops_bundles); i++)
    if (loops_rate(&loops_bundles[i], whole, other, loads) > loops_rate(best, whole, other, loads))
      best = &loops_bundles[i];
  loops_mix(nano, best);
  return 1e4 * best->whole + 100.0 * best->other + best->loads;
}

bool hw_loops_next(unsigned count[HW_BUNDLE_KINDS]) {
  unsigned parts, most;
  size_t k;

  do {
    for (k = 0; k < HW_BUNDLE_KINDS && count[k] == loops_kinds[k].most; k++)
      count[k] = 0;
    if (k == HW_BUNDLE_KINDS)
      return false;
    count[k]++;
    parts = most = 0;
    for (k = 0; k < HW_BUNDLE_KINDS; k++) {
      parts += count[k] > 0;
      most += count[k];
    }
  } while (parts > HW_BUNDLE_PARTS || most > HW_BUNDLE_MOST);
  return true;
}

void hw_loops_bundle(struct hw_nano *nano, const unsigned count[HW_BUNDLE_KINDS], unsigned vector) {
  struct hw_nano_part *part = nano->part;
  char type[HW_NANO_TYPE];

  memset(nano, 0, sizeof *nano);
  for (size_t k = 0; k < HW_BUNDLE_KINDS; k++) {
    const struct loops_kind *kind = &loops_kinds[k];
    if (count[k] == 0)
      continue;
    snprintf(type, sizeof type, "%s", kind->type);
    if (strchr(type, 'v') != NULL)
      snprintf(type, sizeof type, "%s%u", kind->type, vector);
    loops_part(part++, kind->op, type, kind->variables * count[k] + kind->more, count[k]);
  }
  nano->groups[0] = LOOPS_BUNDLE_SHORT;
  nano->groups[1] = LOOPS_BUNDLE_LONG;
}

static bool loops_is_bundle(const struct hw_nano *nano) {
  return nano->groups[0] == LOOPS_BUNDLE_SHORT && nano->groups[1] == LOOPS_BUNDLE_LONG;
}

void hw_loops_tree(struct hw_nano *nano, unsigned levels) {
  memset(nano, 0, sizeof *nano);
  loops_part(&nano->part[0], "tree", "i32", levels, 1);
  nano->groups[1] = 1;
}

/* To whom loops are handed. */
struct loops_taker {
  const struct hw_loops_target *target;
  void (*take)(void *context, const struct hw_nano *nano);
  void *context;
};

/* The name of the loop's family: for what it is timed, and the type as rows name it. */
static void loops_family(const struct hw_nano *nano, char name[HW_NANO_NAME]) {
  const struct hw_nano_part *part = nano->part;
  const char *word = part->op;
  unsigned bytes = 0;
  const struct hw_nano_type *type = hw_nano_type(part->type, &bytes);

  if (part[1].op != NULL && strcmp(word, "live") != 0)
    word = nano->groups[0] > 0 ? "fused" : "mix";
  if (loops_is_bundle(nano))
    word = "bundle";
  if (hw_nano_is_tree(nano) || strcmp(word, "mix") == 0 || loops_is_bundle(nano))
    snprintf(name, HW_NANO_NAME, "%s", word);
  else
    snprintf(name, HW_NANO_NAME, "%s_%s%s", word, bytes > 0 ? "v" : "", type->word);
}

/* Hands it over if its family is wanted. */
static void loops_hand(const struct loops_taker *taker, const struct hw_nano *nano) {
  const char *const *family = taker->target->family;
  char name[HW_NANO_NAME];

  loops_family(nano, name);
  while (family != NULL && *family != NULL && strcmp(*family, name) != 0)
    family++;
  if (family != NULL ? *family != NULL : !loops_is_bundle(nano))
    taker->take(taker->context, nano);
}

/* Streams of the operation, as far as registers hold them. */
static void loops_of_list(const struct loops_taker *taker, const char *op, const char *type,
                          const unsigned *list, size_t n, bool longer) {
  const struct hw_loops_target *target = taker->target;
  const unsigned registers = type[0] == 'i' ? target->integers : target->floats;
  struct hw_nano nano;

  for (size_t i = 0; i < n; i++)
    if (list[i] <= LOOPS_FIT || list[i] + LOOPS_OPERANDS <= registers) {
      hw_loops_streams(&nano, op, type, list[i], longer);
      loops_hand(taker, &nano);
    }
}

/* Streams of all operations on the type. */
static void loops_of_type(const struct loops_taker *taker, const char *type) {
  for (const struct hw_nano_operation *op = hw_nano_operations; op->word != NULL; op++) {
    const struct hw_loops_row row = hw_loops_row(op);
    if (hw_nano_operation(op->word, type) != op)
      continue;
    loops_of_list(taker, op->word, type, row.streams, row.last, false);
    if (row.last > row.first)
      loops_of_list(taker, op->word, type, loops_few, LOOPS_COUNT(loops_few), false);
    if (type[0] == 'i' && strcmp(op->word, "add") == 0)
      loops_of_list(taker, op->word, type, loops_long, LOOPS_COUNT(loops_long), true);
  }
}

/* Multiplications and multiply-adds beside additions. */
static void loops_of_fused(const struct loops_taker *taker, const char *type) {
  struct hw_nano nano;

  for (unsigned beside = 1; beside <= loops_fused[LOOPS_COUNT(loops_fused) - 1]; beside++) {
    if (hw_loops_fused_number(beside) > beside)
      continue;
    hw_loops_fused(&nano, "fma", type, beside);
    loops_hand(taker, &nano);
    hw_loops_fused(&nano, "mul", type, beside);
    loops_hand(taker, &nano);
    hw_loops_fused(&nano, "mul", type, beside + 1);
    loops_hand(taker, &nano);
  }
  for (unsigned i = 0; i < HW_LOOPS_SPLITS; i++) {
    hw_loops_split(&nano, type, HW_LOOPS_SPLIT + i);
    loops_hand(taker, &nano);
  }
}

static bool loops_listed(const struct hw_loops_list *list, unsigned number) {
  for (size_t i = 0; i < list->n; i++)
    if (list->number[i] == number)
      return true;
  return false;
}

/* Whether that many variables are to live at once if there are that many registers: the listed
   ones from half of these, or LOOPS_PLATEAU, to a quarter more, or LOOPS_PLATEAU, and all from
   three quarters to one more. */
static bool loops_near(unsigned number, unsigned registers) {
  if ((2 * number < registers && number < LOOPS_PLATEAU) ||
      (4 * number > 5 * registers && number > LOOPS_PLATEAU))
    return false;
  return loops_listed(&hw_loops_numbers, number) ||
         (4 * number >= 3 * registers && number <= registers + 1);
}

/* Variables that live at once, beside that many integers, with the first n numbers of stores. */
static void loops_of_live(const struct loops_taker *taker, const char *type, unsigned registers,
                          unsigned whole, size_t n) {
  struct hw_nano nano;

  for (unsigned number = 1; number < HW_NANO_VARIABLES; number++)
    for (size_t i = 0; loops_near(number, registers) && i < n; i++) {
      hw_loops_live(&nano, type, number, loops_stores[i], whole);
      loops_hand(taker, &nano);
    }
}

/* Vectors of the width, which may be the machine's. */
static void loops_of_width(const struct loops_taker *taker, unsigned bytes) {
  char type[HW_NANO_TYPE];

  for (const struct hw_nano_type *of = hw_nano_types; of->word != NULL; of++) {
    if (of->kind[0] != 'f')
      continue;
    snprintf(type, sizeof type, "%sv%u", of->word, bytes);
    loops_of_type(taker, type);
    loops_of_fused(taker, type);
  }
  snprintf(type, sizeof type, "f32v%u", bytes);
  loops_of_live(taker, type, taker->target->floats, 0, taker->target->slow ? 3 : 2);
}

/* Additions by which the machine's width is found, where those of the width have none. */
static void loops_of_widths(const struct loops_taker *taker) {
  const unsigned widest = taker->target->widest;
  char type[HW_NANO_TYPE];
  struct hw_nano nano;

  for (unsigned bytes = LOOPS_NARROW; bytes <= HW_NANO_VECTOR; bytes *= 2) {
    if (bytes == widest || (2 * bytes == widest && widest > 2 * LOOPS_NARROW)) {
      loops_of_width(taker, bytes);
    } else if (bytes <= LOOPS_USUAL || widest >= LOOPS_USUAL) {
      snprintf(type, sizeof type, "f32v%u", bytes);
      hw_loops_streams(&nano, "add", type, HW_LOOPS_WIDTH, false);
      loops_hand(taker, &nano);
    }
  }
}

void hw_loops_all(const struct hw_loops_target *target,
                  void (*take)(void *context, const struct hw_nano *nano), void *context) {
  const struct loops_taker taker = {target, take, context};
  unsigned count[HW_BUNDLE_KINDS] = {0};
  struct hw_nano nano;

  for (const struct hw_nano_type *of = hw_nano_types; of->word != NULL; of++) {
    loops_of_type(&taker, of->word);
    if (of->kind[0] == 'i') {
      loops_of_live(&taker, of->word, target->integers, 0, target->integers < LOOPS_SIMPLE ? 1 : 2);
      continue;
    }
    loops_of_fused(&taker, of->word);
    /* All integer registers but one for the stack and one for the counter: if there is a frame,
       too, one of these integers is stored in every loop alike. */
    loops_of_live(&taker, of->word, target->floats, target->integers - 2, target->slow ? 3 : 2);
  }
  loops_of_widths(&taker);
  for (size_t i = 0; i < LOOPS_COUNT(loops_bundles); i++) {
    loops_mix(&nano, &loops_bundles[i]);
    loops_hand(&taker, &nano);
  }
  while (hw_loops_next(count)) {
    hw_loops_bundle(&nano, count, target->widest);
    loops_hand(&taker, &nano);
  }
  hw_loops_tree(&nano, HW_LOOPS_LEVELS);
  loops_hand(&taker, &nano);
}

/* Whether the number is in one of the lists. */
static bool loops_in(const unsigned *list, size_t n, unsigned number) {
  const struct hw_loops_list numbers = {list, n};

  return loops_listed(&numbers, number);
}

bool hw_loops_has(const struct hw_nano *nano) {
  const struct hw_nano_part *part = nano->part;
  const struct hw_nano_operation *operation;
  struct hw_loops_row row;

  if (strcmp(part->op, "live") == 0)
    return loops_in(loops_stores, LOOPS_COUNT(loops_stores), part[1].count / part->count);
  if (part[1].op != NULL || loops_is_bundle(nano))
    return true; /* probes have these from here */
  operation = hw_nano_operation(part->op, part->type);
  if (operation == NULL)
    return true;
  row = hw_loops_row(operation);
  if (nano->groups[1] * part->variables > LOOPS_LONG)
    return loops_in(loops_long, LOOPS_COUNT(loops_long), part->variables);
  return loops_in(row.streams, row.last, part->variables) ||
         (row.last > row.first && loops_in(loops_few, LOOPS_COUNT(loops_few), part->variables));
}
