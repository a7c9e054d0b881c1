#include "sim/description.h"

#include "sim/words.h"

#include <stddef.h>
#include <string.h>

/* Most jitter, a fraction: beyond it, a normal deviate of -3 leaves an interval no length. */
#define DESC_JITTER_MAX 0.3
/* Lines that a level hands over in its latency, when its rates are not given. */
#define DESC_LINES_IN_FLIGHT 4
/* Misses in flight when they are not given. */
#define DESC_PARALLEL 10
/* Bytes passed between processors in the latency of a word, when their rate is not given. */
#define DESC_PASSED 256
/* The time slot when it is not given, ns. */
#define DESC_SLOT 4e6
/* From the wakeup of a thread until it runs when it is not given, ns. */
#define DESC_WAKE 5e3
/* Bytes from a piece of code to the next when they are not given. */
#define DESC_SPACING 16

/* What follows a word of a statement. */
enum desc_kind {
  DESC_COUNT,
  DESC_BYTES,
  DESC_PLAIN,
  DESC_TIME,
  DESC_SHARE,
  DESC_POLICY,
  DESC_INDEX,
  DESC_PREFETCH,
  DESC_FRAMES,
  DESC_WORK,
  DESC_FLAG /* nothing: the word itself says it */
};

/* A word of a statement and the operand behind it; "" for one that has no word of its own. */
struct desc_field {
  const char *word;
  enum desc_kind kind;
  bool needed;
  size_t offset; /* in the statement's struct */
  double low;
  double high;
};

struct desc_statement {
  const char *word;
  bool needed;
  size_t offset; /* of its struct, in struct hw_description */
  size_t stride; /* from that of number n to that of n+1 */
  unsigned most; /* numbers run from 1 to this; 0: no number */
  const struct desc_field *field;
  size_t fields;
};

#define DESC_AT(type, member) offsetof(struct type, member)
#define DESC_FIELDS(array) array, sizeof array / sizeof array[0]

static const struct desc_field desc_cycle[] = {
    {"", DESC_TIME, true, DESC_AT(hw_description, cycle_ns), 0.001, 1e6},
};

static const struct desc_field desc_clock[] = {
    {"step", DESC_TIME, true, DESC_AT(hw_description, clock_step_ns), 0.001, 1e9},
    {"cost", DESC_TIME, true, DESC_AT(hw_description, clock_cost_ns), 0, 1e6},
};

static const struct desc_field desc_level[] = {
    {"bytes", DESC_BYTES, true, DESC_AT(hw_sim_level, bytes), 4, 1073741824},
    {"ways", DESC_COUNT, true, DESC_AT(hw_sim_level, ways), 1, 65536},
    {"line", DESC_BYTES, true, DESC_AT(hw_sim_level, line), 4, 65536},
    {"latency", DESC_PLAIN, true, DESC_AT(hw_sim_level, latency), 0.01, 1e6},
    {"policy", DESC_POLICY, false, DESC_AT(hw_sim_level, policy), 0, 0},
    {"index", DESC_INDEX, false, DESC_AT(hw_sim_level, index), 0, 0},
    {"prefetch", DESC_PREFETCH, false, DESC_AT(hw_sim_level, prefetch), 0, 0},
    {"independent", DESC_FLAG, false, DESC_AT(hw_sim_level, relation), HW_SIM_INDEPENDENT, 0},
    {"inclusive", DESC_FLAG, false, DESC_AT(hw_sim_level, relation), HW_SIM_INCLUSIVE, 0},
    {"exclusive", DESC_FLAG, false, DESC_AT(hw_sim_level, relation), HW_SIM_EXCLUSIVE, 0},
    {"back", DESC_FLAG, false, DESC_AT(hw_sim_level, write), HW_SIM_BACK, 0},
    {"through", DESC_FLAG, false, DESC_AT(hw_sim_level, write), HW_SIM_THROUGH, 0},
    {"allocate", DESC_FLAG, false, DESC_AT(hw_sim_level, write_miss), HW_SIM_ALLOCATE, 0},
    {"around", DESC_FLAG, false, DESC_AT(hw_sim_level, write_miss), HW_SIM_AROUND, 0},
    {"uneven", DESC_PLAIN, false, DESC_AT(hw_sim_level, uneven), 0, 1e6},
    {"hash", DESC_COUNT, false, DESC_AT(hw_sim_level, slices), 1, 4096},
    {"keeps", DESC_COUNT, false, DESC_AT(hw_sim_level, keeps), 0, 65535},
    {"read", DESC_PLAIN, false, DESC_AT(hw_sim_level, read_rate), 0.001, 1e6},
    {"write", DESC_PLAIN, false, DESC_AT(hw_sim_level, write_rate), 0.001, 1e6},
};

static const struct desc_field desc_memory[] = {
    {"latency", DESC_PLAIN, true, DESC_AT(hw_description, memory_latency), 0.01, 1e6},
    {"parallel", DESC_COUNT, false, DESC_AT(hw_description, memory_parallel), 1, 1024},
    {"read", DESC_PLAIN, false, DESC_AT(hw_description, memory_read_rate), 0.001, 1e6},
    {"write", DESC_PLAIN, false, DESC_AT(hw_description, memory_write_rate), 0.001, 1e6},
};

static const struct desc_field desc_tlb[] = {
    {"entries", DESC_COUNT, true, DESC_AT(hw_sim_tlb, entries), 1, 65536},
    {"ways", DESC_COUNT, false, DESC_AT(hw_sim_tlb, ways), 1, 65536},
    {"miss", DESC_PLAIN, true, DESC_AT(hw_sim_tlb, miss), 0, 1e6},
    {"policy", DESC_POLICY, false, DESC_AT(hw_sim_tlb, policy), 0, 0},
};

static const struct desc_field desc_icache[] = {
    {"bytes", DESC_BYTES, true, DESC_AT(hw_sim_code, bytes), 16, 16777216},
    {"ways", DESC_COUNT, true, DESC_AT(hw_sim_code, ways), 1, 65536},
    {"line", DESC_BYTES, true, DESC_AT(hw_sim_code, line), 4, 65536},
    {"miss", DESC_PLAIN, true, DESC_AT(hw_sim_code, miss), 0, 1e6},
    {"policy", DESC_POLICY, false, DESC_AT(hw_sim_code, policy), 0, 0},
    {"index", DESC_INDEX, false, DESC_AT(hw_sim_code, index), 0, 0},
    {"spacing", DESC_BYTES, false, DESC_AT(hw_sim_code, spacing), 4, 65536},
    {"ahead", DESC_BYTES, false, DESC_AT(hw_sim_code, ahead), 4, 256},
};

static const struct desc_field desc_opcache[] = {
    {"bytes", DESC_BYTES, true, DESC_AT(hw_sim_code, bytes), 16, 16777216},
    {"ways", DESC_COUNT, true, DESC_AT(hw_sim_code, ways), 1, 65536},
    {"line", DESC_BYTES, true, DESC_AT(hw_sim_code, line), 4, 65536},
    {"miss", DESC_PLAIN, true, DESC_AT(hw_sim_code, miss), 0, 1e6},
    {"policy", DESC_POLICY, false, DESC_AT(hw_sim_code, policy), 0, 0},
    {"shields", DESC_COUNT, false, DESC_AT(hw_sim_code, shields), 0, 1},
};

static const struct desc_field desc_page[] = {
    {"bytes", DESC_BYTES, true, DESC_AT(hw_sim_page, bytes), 256, 16777216},
    {"placement", DESC_FRAMES, false, DESC_AT(hw_sim_page, frames), 0, 0},
    {"huge", DESC_BYTES, false, DESC_AT(hw_sim_page, huge), 512, 1073741824},
    {"first", DESC_TIME, false, DESC_AT(hw_sim_page, first_ns), 1, 1e6},
};

static const struct desc_field desc_group[] = {
    {"of", DESC_COUNT, true, DESC_AT(hw_sim_group, members), 2, HW_SIM_PROCESSORS},
    {"step", DESC_COUNT, true, DESC_AT(hw_sim_group, step), 1, HW_SIM_PROCESSORS},
    {"latency", DESC_TIME, true, DESC_AT(hw_sim_group, latency_ns), 0.1, 1e6},
    {"rate", DESC_PLAIN, false, DESC_AT(hw_sim_group, rate), 0.001, 1e6},
    {"fits", DESC_BYTES, false, DESC_AT(hw_sim_group, fits), 1, 1073741824},
    {"beyond", DESC_PLAIN, false, DESC_AT(hw_sim_group, beyond), 0.001, 1e6},
    {"crowd", DESC_PLAIN, false, DESC_AT(hw_sim_group, crowd), 1, 100},
    {"core", DESC_PLAIN, false, DESC_AT(hw_sim_group, core), 1, 100},
    {"int", DESC_PLAIN, false, DESC_AT(hw_sim_group, int_core), 1, 100},
    {"fp", DESC_PLAIN, false, DESC_AT(hw_sim_group, fp_core), 1, 100},
    {"cache", DESC_COUNT, false, DESC_AT(hw_sim_group, cache), 1, HW_SIM_LEVELS},
    {"path", DESC_PLAIN, false, DESC_AT(hw_sim_group, path), 0.001, 1e6},
    {"far", DESC_PLAIN, false, DESC_AT(hw_sim_group, far), 1, 100},
};

static const struct desc_field desc_scheduler[] = {
    {"slot", DESC_TIME, true, DESC_AT(hw_sim_scheduler, slot_ns), 1e5, 1e9},
    {"wake", DESC_TIME, false, DESC_AT(hw_sim_scheduler, wake_ns), 1, 1e9},
    {"others", DESC_SHARE, false, DESC_AT(hw_sim_scheduler, strangers), 0, 1},
    {"first", DESC_COUNT, false, DESC_AT(hw_sim_scheduler, first), 1, HW_SIM_PROCESSORS},
};

static const struct desc_field desc_kind[] = {
    {"from", DESC_COUNT, true, DESC_AT(hw_sim_kind, from), 1, HW_SIM_PROCESSORS},
    {"speed", DESC_PLAIN, true, DESC_AT(hw_sim_kind, speed), 0.01, 100},
};

static const struct desc_field desc_noise[] = {
    {"jitter", DESC_SHARE, false, DESC_AT(hw_sim_noise, jitter), 0, DESC_JITTER_MAX},
    {"bursts", DESC_TIME, false, DESC_AT(hw_sim_noise, burst_ns), 1000, 1e12},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, burst_gap_ns), 1000, 1e12},
    {"", DESC_PLAIN, true, DESC_AT(hw_sim_noise, burst_factor), 1, 1000},
    {"shared", DESC_TIME, false, DESC_AT(hw_sim_noise, shared_ns), 1000, 1e12},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, shared_gap_ns), 1000, 1e12},
    {"", DESC_PLAIN, true, DESC_AT(hw_sim_noise, shared_factor), 1, 1000},
    {"drift", DESC_SHARE, false, DESC_AT(hw_sim_noise, drift), 0, 0.5},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, drift_ns), 1000, 1e12},
    {"pages", DESC_TIME, false, DESC_AT(hw_sim_noise, page_ns), 10, 1e12},
    {"lines", DESC_TIME, false, DESC_AT(hw_sim_noise, line_ns), 1, 1e12},
    {"sibling", DESC_WORK, false, DESC_AT(hw_sim_noise, sibling.work), 0, 0},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, sibling.length_ns), 1000, 1e12},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, sibling.gap_ns), 1000, 1e12},
    {"process", DESC_WORK, false, DESC_AT(hw_sim_noise, process.work), 0, 0},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, process.length_ns), 1000, 1e12},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, process.gap_ns), 1000, 1e12},
    {"outliers", DESC_SHARE, false, DESC_AT(hw_sim_noise, outliers), 0, 1},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, outlier_ns), 0, 1e9},
};

static const struct desc_field desc_core[] = {
    {"width", DESC_PLAIN, true, DESC_AT(hw_sim_core, width), 0.1, 64},
    {"loop", DESC_PLAIN, false, DESC_AT(hw_sim_core, loop), 0, 1000},
    {"astride", DESC_PLAIN, false, DESC_AT(hw_sim_core, astride), 0, 1000},
};

static const struct desc_field desc_operation[] = {
    {"latency", DESC_PLAIN, true, DESC_AT(hw_sim_operation, latency), 0.01, 1e6},
    {"units", DESC_PLAIN, true, DESC_AT(hw_sim_operation, units), 0.01, 64},
    {"busy", DESC_PLAIN, false, DESC_AT(hw_sim_operation, busy), 0.01, 1e6},
    {"slots", DESC_PLAIN, false, DESC_AT(hw_sim_operation, slots), 0.01, 1e6},
};

static const struct desc_field desc_branch[] = {
    {"penalty", DESC_PLAIN, true, DESC_AT(hw_sim_core, penalty), 0, 1000},
    {"history", DESC_PLAIN, false, DESC_AT(hw_sim_core, history), 0, HW_SIM_HISTORY},
};

static const struct desc_field desc_registers[] = {
    {"", DESC_COUNT, true, DESC_AT(hw_sim_registers, count), 1, 1024},
};

static const struct desc_field desc_seed[] = {
    {"", DESC_COUNT, true, DESC_AT(hw_description, seed), 0, 1e15},
};

enum desc_number {
  DESC_STATEMENT_MACHINE,
  DESC_STATEMENT_CYCLE,
  DESC_STATEMENT_CLOCK,
  DESC_STATEMENT_LEVEL,
  DESC_STATEMENT_MEMORY,
  DESC_STATEMENT_TLB,
  DESC_STATEMENT_ICACHE,
  DESC_STATEMENT_OPCACHE,
  DESC_STATEMENT_TARGETS,
  DESC_STATEMENT_PAGE,
  DESC_STATEMENT_GROUP,
  DESC_STATEMENT_SCHEDULER,
  DESC_STATEMENT_KIND,
  DESC_STATEMENT_NOISE,
  DESC_STATEMENT_SEED,
  DESC_STATEMENT_CORE,
  DESC_STATEMENT_BRANCH,
  DESC_STATEMENT_OPERATION,
  DESC_STATEMENT_REGISTERS,
  DESC_STATEMENTS
};

static const struct desc_statement desc_statements[DESC_STATEMENTS] = {
    {"machine", true, DESC_AT(hw_description, name), 0, 0, NULL, 0},
    {"cycle", true, 0, 0, 0, DESC_FIELDS(desc_cycle)},
    {"clock", false, 0, 0, 0, DESC_FIELDS(desc_clock)},
    {"level", true, DESC_AT(hw_description, level), sizeof(struct hw_sim_level), HW_SIM_LEVELS,
     DESC_FIELDS(desc_level)},
    {"memory", true, 0, 0, 0, DESC_FIELDS(desc_memory)},
    {"tlb", false, DESC_AT(hw_description, tlb), sizeof(struct hw_sim_tlb), HW_SIM_TLBS,
     DESC_FIELDS(desc_tlb)},
    {"icache", false, DESC_AT(hw_description, icache), 0, 0, DESC_FIELDS(desc_icache)},
    {"opcache", false, DESC_AT(hw_description, opcache), 0, 0, DESC_FIELDS(desc_opcache)},
    {"targets", false, DESC_AT(hw_description, targets), 0, 0, DESC_FIELDS(desc_tlb)},
    {"page", true, DESC_AT(hw_description, page), 0, 0, DESC_FIELDS(desc_page)},
    {"group", false, DESC_AT(hw_description, group), sizeof(struct hw_sim_group), HW_SIM_GROUPS,
     DESC_FIELDS(desc_group)},
    {"scheduler", false, DESC_AT(hw_description, scheduler), 0, 0, DESC_FIELDS(desc_scheduler)},
    {"kind", false, DESC_AT(hw_description, kind), 0, 0, DESC_FIELDS(desc_kind)},
    {"noise", false, DESC_AT(hw_description, noise), 0, 0, DESC_FIELDS(desc_noise)},
    {"seed", false, 0, 0, 0, DESC_FIELDS(desc_seed)},
    {"core", false, DESC_AT(hw_description, core), 0, 0, DESC_FIELDS(desc_core)},
    {"branch", false, DESC_AT(hw_description, core), 0, 0, DESC_FIELDS(desc_branch)},
    {"operation", false, 0, 0, 0, DESC_FIELDS(desc_operation)},
    {"registers", false, 0, 0, 0, DESC_FIELDS(desc_registers)},
};

struct desc_reader {
  struct hw_words words;
  struct hw_description *description;
  /* The line of each statement, by its number; 0: not given. */
  unsigned long given[DESC_STATEMENTS][HW_SIM_LEVELS + 1];
};

/* A word out of n as its place among them. */
static int desc_choice(struct desc_reader *reader, const char *what, const char *const *choice,
                       size_t n, size_t *chosen) {
  const char *word = hw_words_next(&reader->words);

  if (word == NULL)
    return hw_words_fail(&reader->words, reader->words.line, "%s: a word is missing", what);
  for (*chosen = 0; *chosen < n; ++*chosen)
    if (strcmp(word, choice[*chosen]) == 0)
      return 0;
  return hw_words_fail(&reader->words, reader->words.line, "%s: unknown word '%s'", what, word);
}

static int desc_frames(struct desc_reader *reader, const char *what, struct hw_sim_page *page) {
  static const char *const choice[] = {"random", "contiguous", "coloured"};
  size_t chosen = 0;
  double colours = 1;

  if (desc_choice(reader, what, choice, 3, &chosen) != 0)
    return -1;
  page->frames = (enum hw_sim_frames)chosen;
  if (page->frames == HW_SIM_COLOURED &&
      hw_words_number(&reader->words, "coloured", HW_UNIT_COUNT, 1, 4096, &colours) != 0)
    return -1;
  page->colours = (uint64_t)colours;
  return 0;
}

/* Each flag has an enumeration of its own. */
static void desc_flag(const struct desc_field *field, void *at) {
  int value = (int)field->low;

  if (field->offset == DESC_AT(hw_sim_level, relation))
    *(enum hw_sim_relation *)at = (enum hw_sim_relation)value;
  else if (field->offset == DESC_AT(hw_sim_level, write))
    *(enum hw_sim_write *)at = (enum hw_sim_write)value;
  else
    *(enum hw_sim_write_miss *)at = (enum hw_sim_write_miss)value;
}

static int desc_word_operand(struct desc_reader *reader, const char *what,
                             const struct desc_field *field, void *base) {
  static const char *const policies[] = {"lru", "plru", "random", "rrip", "clock"};
  static const char *const indexes[] = {"virtual", "physical"};
  static const char *const prefetches[] = {"next", "pair", "region", "stride"};
  static const char *const works[] = {"computing", "streaming", "chasing"};
  void *at = (char *)base + field->offset;
  size_t chosen = 0;

  switch (field->kind) {
  case DESC_POLICY:
    if (desc_choice(reader, what, policies, sizeof policies / sizeof policies[0], &chosen) != 0)
      return -1;
    *(enum hw_policy *)at = (enum hw_policy)chosen;
    return 0;
  case DESC_INDEX:
    if (desc_choice(reader, what, indexes, 2, &chosen) != 0)
      return -1;
    *(enum hw_sim_index *)at = chosen == 0 ? HW_SIM_INDEX_VIRTUAL : HW_SIM_INDEX_PHYSICAL;
    return 0;
  case DESC_PREFETCH:
    if (desc_choice(reader, what, prefetches, 4, &chosen) != 0)
      return -1;
    *(enum hw_sim_prefetch *)at = (enum hw_sim_prefetch)(chosen + 1);
    return 0;
  case DESC_WORK:
    if (desc_choice(reader, what, works, 3, &chosen) != 0)
      return -1;
    *(enum hw_sim_kind_of_work *)at = (enum hw_sim_kind_of_work)(chosen + 1);
    return 0;
  case DESC_FRAMES:
    return desc_frames(reader, what, base);
  default:
    desc_flag(field, at);
    return 0;
  }
}

static int desc_operand(struct desc_reader *reader, const char *what,
                        const struct desc_field *field, void *base) {
  static const enum hw_unit unit[] = {[DESC_COUNT] = HW_UNIT_COUNT,
                                      [DESC_BYTES] = HW_UNIT_BYTES,
                                      [DESC_PLAIN] = HW_UNIT_PLAIN,
                                      [DESC_TIME] = HW_UNIT_TIME,
                                      [DESC_SHARE] = HW_UNIT_SHARE};
  void *at = (char *)base + field->offset;
  double value = 0;

  if (field->kind > DESC_SHARE)
    return desc_word_operand(reader, what, field, base);
  if (hw_words_number(&reader->words, what, unit[field->kind], field->low, field->high, &value) !=
      0)
    return -1;
  if (field->kind == DESC_COUNT || field->kind == DESC_BYTES)
    *(uint64_t *)at = (uint64_t)value;
  else
    *(double *)at = value;
  return 0;
}

/* Reads field number i and the operands without a word that follow it. */
static int desc_field(struct desc_reader *reader, const struct desc_statement *statement, size_t i,
                      void *base) {
  const char *what = *statement->field[i].word == '\0' ? statement->word : statement->field[i].word;

  do {
    if (desc_operand(reader, what, &statement->field[i], base) != 0)
      return -1;
    i++;
  } while (i < statement->fields && *statement->field[i].word == '\0');
  return 0;
}

static size_t desc_find(const struct desc_statement *statement, const char *word) {
  for (size_t i = 0; i < statement->fields; i++)
    if (strcmp(word, statement->field[i].word) == 0)
      return i;
  return statement->fields;
}

/* Reads what follows the statement's word and number.  Fields with one place in common exclude
   each other. */
static int desc_fields(struct desc_reader *reader, const struct desc_statement *statement,
                       void *base) {
  const struct hw_words *words = &reader->words;
  unsigned given = 0;
  const char *word;

  if (*statement->field[0].word == '\0' && desc_field(reader, statement, 0, base) != 0)
    return -1;
  while ((word = hw_words_next(&reader->words)) != NULL) {
    size_t i = desc_find(statement, word);

    if (i == statement->fields)
      return hw_words_fail(words, words->line, "%s: unknown word '%s'", statement->word, word);
    for (size_t k = 0; k < statement->fields; k++)
      if ((given & 1u << k) != 0 && statement->field[k].offset == statement->field[i].offset)
        return hw_words_fail(words, words->line, "%s: '%s' after '%s'", statement->word, word,
                             statement->field[k].word);
    given |= 1u << i;
    if (desc_field(reader, statement, i, base) != 0)
      return -1;
  }
  for (size_t k = 0; k < statement->fields; k++)
    if (statement->field[k].needed && *statement->field[k].word != '\0' && (given & 1u << k) == 0)
      return hw_words_fail(words, words->line, "%s: %s is missing", statement->word,
                           statement->field[k].word);
  return given != 0 || *statement->field[0].word == '\0'
             ? 0
             : hw_words_fail(words, words->line, "%s: nothing follows", statement->word);
}

static int desc_name(struct desc_reader *reader) {
  const struct hw_words *words = &reader->words;
  const char *name = hw_words_rest(&reader->words);
  char *to = reader->description->name;

  if (*name == '\0')
    return hw_words_fail(words, words->line, "machine: the name is missing");
  if (strlen(name) >= sizeof reader->description->name)
    return hw_words_fail(words, words->line, "machine: the name is too long");
  memcpy(to, name, strlen(name) + 1);
  return 0;
}

/* How many of a numbered statement there are, from 1 on without a gap; -1 after a message. */
static int desc_count(const struct desc_reader *reader, enum desc_number statement, unsigned most) {
  const unsigned long *given = reader->given[statement];
  unsigned n = 0;

  while (n < most && given[n + 1] != 0)
    n++;
  for (unsigned k = n + 1; k <= most; k++)
    if (given[k] != 0)
      return hw_words_fail(&reader->words, given[k], "%s %u without %s %u",
                           desc_statements[statement].word, k, desc_statements[statement].word,
                           k - 1);
  return (int)n;
}

static int desc_check_given(const struct desc_reader *reader) {
  unsigned long last = reader->words.line == 0 ? 1 : reader->words.line;

  for (size_t s = 0; s < DESC_STATEMENTS; s++) {
    bool given = false;

    for (unsigned k = 0; k <= HW_SIM_LEVELS; k++)
      given = given || reader->given[s][k] != 0;
    if (desc_statements[s].needed && !given)
      return hw_words_fail(&reader->words, last, "%s is missing", desc_statements[s].word);
  }
  return 0;
}

static size_t desc_statement_of(const char *word) {
  size_t s = 0;

  while (s < DESC_STATEMENTS && strcmp(word, desc_statements[s].word) != 0)
    s++;
  return s;
}

static double desc_or(double given, double otherwise) { return given > 0 ? given : otherwise; }

/* Sets what was not given to defaults that follow from what was. */
static void desc_complete(struct hw_description *description) {
  const struct hw_sim_level *last = &description->level[description->levels - 1];
  double in_flight =
      (double)(last->line * description->memory_parallel) / description->memory_latency;

  for (unsigned k = 0; k < description->levels; k++) {
    struct hw_sim_level *level = &description->level[k];
    double rate = DESC_LINES_IN_FLIGHT * (double)level->line / level->latency;

    level->read_rate = desc_or(level->read_rate, rate);
    level->write_rate = desc_or(level->write_rate, rate);
  }
  description->memory_read_rate = desc_or(description->memory_read_rate, in_flight);
  description->memory_write_rate = desc_or(description->memory_write_rate, in_flight);
  for (unsigned k = 0; k < description->tlbs; k++)
    if (description->tlb[k].ways == 0)
      description->tlb[k].ways = description->tlb[k].entries;
  for (unsigned k = 0; k < description->groups; k++) {
    struct hw_sim_group *group = &description->group[k];

    group->rate = desc_or(group->rate, DESC_PASSED / group->latency_ns);
    group->beyond = desc_or(group->beyond, group->rate);
  }
  if (description->targets.ways == 0)
    description->targets.ways = description->targets.entries;
  if (description->icache.spacing == 0)
    description->icache.spacing = DESC_SPACING;
}

/* Checks the description as a whole. */
static int desc_check(struct desc_reader *reader) {
  struct hw_description *description = reader->description;
  struct hw_sim_fault fault;
  int levels;
  int tlbs;
  int groups;

  if (desc_check_given(reader) != 0)
    return -1;
  levels = desc_count(reader, DESC_STATEMENT_LEVEL, HW_SIM_LEVELS);
  tlbs = levels < 0 ? -1 : desc_count(reader, DESC_STATEMENT_TLB, HW_SIM_TLBS);
  groups = tlbs < 0 ? -1 : desc_count(reader, DESC_STATEMENT_GROUP, HW_SIM_GROUPS);
  if (groups < 0)
    return -1;
  description->groups = (unsigned)groups;
  description->levels = (unsigned)levels;
  description->tlbs = (unsigned)tlbs;
  desc_complete(description);
  if (!hw_description_fault(description, &fault))
    return 0;
  return hw_words_fail(&reader->words,
                       reader->given[desc_statement_of(fault.statement)][fault.number], "%s: %s",
                       fault.statement, fault.reason);
}

/* A word into a place of the description. */
static int desc_word(struct desc_reader *reader, const char *what, char to[HW_SIM_WORD]) {
  const char *word = hw_words_next(&reader->words);

  if (word == NULL || strlen(word) >= HW_SIM_WORD)
    return hw_words_fail(&reader->words, reader->words.line, "%s: a short word is missing", what);
  memcpy(to, word, strlen(word) + 1);
  return 0;
}

/* The statements that may come more than once: "operation OP TYPE ..." and "registers TYPE N". */
static int desc_list(struct desc_reader *reader, size_t s) {
  struct hw_sim_core *core = &reader->description->core;
  const struct desc_statement *statement = &desc_statements[s];

  if (s == DESC_STATEMENT_OPERATION && core->operations < HW_SIM_OPERATIONS) {
    struct hw_sim_operation *operation = &core->operation[core->operations++];
    if (desc_word(reader, statement->word, operation->op) != 0 ||
        desc_word(reader, statement->word, operation->type) != 0)
      return -1;
    return desc_fields(reader, statement, operation);
  }
  if (s == DESC_STATEMENT_REGISTERS && core->files < HW_SIM_FILES) {
    struct hw_sim_registers *file = &core->file[core->files++];
    return desc_word(reader, statement->word, file->type) != 0
               ? -1
               : desc_fields(reader, statement, file);
  }
  return hw_words_fail(&reader->words, reader->words.line, "%s: too many of them", statement->word);
}

static int desc_statement(struct desc_reader *reader, const char *word) {
  const struct hw_words *words = &reader->words;
  const struct desc_statement *statement;
  size_t s = desc_statement_of(word);
  double number = 0;
  unsigned n = 0;

  if (s == DESC_STATEMENTS)
    return hw_words_fail(words, words->line, "unknown statement '%s'", word);
  statement = &desc_statements[s];
  if (statement->most != 0) {
    if (hw_words_number(&reader->words, word, HW_UNIT_COUNT, 1, statement->most, &number) != 0)
      return -1;
    n = (unsigned)number;
  }
  if (s == DESC_STATEMENT_OPERATION || s == DESC_STATEMENT_REGISTERS) {
    reader->given[s][n] = words->line;
    return desc_list(reader, s);
  }
  if (reader->given[s][n] != 0)
    return hw_words_fail(words, words->line, "%s is given twice, first in line %lu", word,
                         reader->given[s][n]);
  reader->given[s][n] = words->line;
  if (s == DESC_STATEMENT_MACHINE)
    return desc_name(reader);
  return desc_fields(reader, statement,
                     (char *)reader->description + statement->offset +
                         statement->stride * (n > 0 ? n - 1 : 0));
}

int hw_description_read(struct hw_description *description, const char *file, FILE *in, FILE *err) {
  struct desc_reader reader = {.words = {.file = file, .in = in, .err = err},
                               .description = description};
  const char *word;
  int more;

  *description = (struct hw_description){.clock_step_ns = 1,
                                         .clock_cost_ns = 20,
                                         .memory_parallel = DESC_PARALLEL,
                                         .scheduler = {.slot_ns = DESC_SLOT, .wake_ns = DESC_WAKE},
                                         .kind = {.from = HW_SIM_PROCESSORS, .speed = 1},
                                         .seed = 1};
  while ((more = hw_words_line(&reader.words)) > 0) {
    word = hw_words_next(&reader.words);
    if (word != NULL && desc_statement(&reader, word) != 0)
      return -1;
  }
  return more < 0 ? -1 : desc_check(&reader);
}
