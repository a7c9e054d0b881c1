/* A core: a group takes as long as the slowest of three bounds: its dependent chains, the units of
   each operation, and the issue width.  Spilled variables are stored and loaded. */
#include "sim/core.h"

#include "probes/bench/random.h"
#include "probes/nano/operations.h"

#include <math.h>
#include <string.h>

/* Equal outcomes of a branch from which on it goes one way. */
#define CORE_ONE_WAY 64u

/* What a group needs of the core: latency, issue slots and units. */
struct core_load {
  double chain; /* cycles */
  double slots;
  double busy[HW_SIM_OPERATIONS]; /* unit cycles over units, by operation */
};

static const struct hw_sim_operation *core_operation(const struct hw_sim_core *core, const char *op,
                                                     const char *type) {
  for (unsigned i = 0; i < core->operations; i++)
    if (strcmp(core->operation[i].op, op) == 0 && strcmp(core->operation[i].type, type) == 0)
      return &core->operation[i];
  return NULL;
}

/* The operation, or the one that takes its place on a core that lacks it; NULL: neither. */
static const struct hw_sim_operation *core_find(const struct hw_sim_core *core, const char *op,
                                                const char *type) {
  const struct hw_sim_operation *found = core_operation(core, op, type);

  if (found == NULL && strcmp(op, "live") == 0)
    return core_operation(core, "add", type);
  if (found == NULL && (strcmp(op, "store") == 0 || strcmp(op, "load") == 0))
    return core_operation(core, op, "any");
  if (found == NULL && strcmp(op, "divs") == 0)
    return core_operation(core, "div", type);
  return found;
}

/* Adds n operations to the load.  The latency of one, cycles; negative when the core lacks it. */
static double core_do(const struct hw_sim_core *core, const char *op, const char *type, double n,
                      struct core_load *load) {
  const struct hw_sim_operation *operation = core_find(core, op, type);
  const struct hw_nano_operation *row;
  double first;

  if (operation == NULL && strcmp(op, "fma") == 0) {
    first = core_do(core, "mul", type, n, load);
    return first < 0 ? first : first + core_do(core, "add", type, n, load);
  }
  if (operation == NULL)
    return -1;
  load->busy[operation - core->operation] +=
      n * (operation->busy > 0 ? operation->busy : 1) / operation->units;
  load->slots += n * (operation->slots > 0 ? operation->slots : 1);
  first = operation->latency;
  row = hw_nano_operation(op, type);
  if (row != NULL && row->chain[0] != '\0')
    first += core_do(core, row->chain, type, n, load);
  return first;
}

/* Variables of the part that are spilled: more than there are registers. */
static double core_spilled(const struct hw_sim_core *core, const struct hw_nano_part *part) {
  for (unsigned i = 0; i < core->files; i++)
    if (strcmp(core->file[i].type, part->type) == 0)
      return fmax(0, (double)part->variables - (double)core->file[i].count);
  return 0;
}

/* Whether the outcome followed the same context no longer ago than the predictor remembers. Updates
   the context and the history. */
static bool core_recalls(const struct hw_sim_core *core, struct hw_predictor *predictor,
                         unsigned level, unsigned outcome) {
  uint64_t mixed = hw_random_mix(predictor->history + level);
  size_t at = (size_t)(mixed % HW_PREDICTOR_CONTEXTS);
  uint32_t key = ((uint32_t)(mixed >> 32) | 1) ^ outcome << 1, all = ++predictor->outcomes;
  uint32_t one = ++predictor->branch[level].outcomes;
  bool known = predictor->context[at].key == key &&
               one - predictor->context[at].one <= core->period &&
               all - predictor->context[at].all <= core->outcomes;

  predictor->context[at].key = key;
  predictor->context[at].one = one;
  predictor->context[at].all = all;
  predictor->history = predictor->history << 1 | outcome;
  return known;
}

unsigned hw_core_mispredictions(const struct hw_sim_core *core, struct hw_predictor *predictor,
                                unsigned levels, unsigned outcomes) {
  unsigned wrong = 0;

  for (unsigned level = 0; level < levels; level++) {
    unsigned *last = &predictor->branch[level % 32].last;
    unsigned *same = &predictor->branch[level % 32].same;
    unsigned outcome = outcomes >> level & 1;
    bool known = *same < CORE_ONE_WAY && core_recalls(core, predictor, level % 32, outcome);

    wrong += !known && outcome != *last;
    *same = outcome != *last ? 0 : *same < CORE_ONE_WAY ? *same + 1 : *same;
    *last = outcome;
  }
  return wrong;
}

/* Cycles of a walk with no mispredictions, an addition and a branch a block; -1: not timed. */
static double core_tree(const struct hw_sim_core *core, unsigned levels) {
  return core->penalty > 0 ? levels * fmax(1, 4 / core->width) : -1;
}

double hw_core_group(const struct hw_sim_core *core, const struct hw_nano *nano, double share) {
  struct core_load load = {0};
  double cycles;

  if (hw_nano_is_tree(nano))
    return core_tree(core, nano->part[0].variables) * share;
  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++) {
    const struct hw_nano_part *part = &nano->part[i];
    double latency = core_do(core, part->op, part->type, part->count, &load);
    double steps = (double)part->count / part->variables, spilled;
    if (latency < 0)
      return -1;
    /* Of variables with overlapping live ranges, half depend on the other half. */
    if (strcmp(part->op, "live") == 0 && part->variables > 1)
      steps *= 2;
    if (strcmp(part->op, "store") != 0 && strcmp(part->op, "load") != 0)
      load.chain = fmax(load.chain, steps * latency);
    spilled = core_spilled(core, part) * part->count / part->variables;
    if (spilled > 0 && (core_do(core, "store", part->type, spilled, &load) < 0 ||
                        core_do(core, "load", part->type, spilled, &load) < 0))
      return -1;
  }
  cycles = fmax(load.chain, share * load.slots / core->width);
  for (unsigned i = 0; i < core->operations; i++)
    cycles = fmax(cycles, share * load.busy[i]);
  return cycles;
}
