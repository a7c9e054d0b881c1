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
  DESC_FLAG, /* nothing: the word itself says it */
  DESC_POLICY,
  DESC_INDEX,
  DESC_PREFETCH,
  DESC_FRAMES,
  DESC_WORK
};

/* The words of each kind: enumerators from the field's low on. */
static const char *const desc_words[][6] = {
    [DESC_POLICY] = {"lru", "plru", "random", "rrip", "clock"},
    [DESC_INDEX] = {"virtual", "physical"},
    [DESC_PREFETCH] = {"next", "pair", "region", "stride"},
    [DESC_FRAMES] = {"random", "contiguous", "coloured"},
    [DESC_WORK] = {"computing", "streaming", "chasing"},
};

/* A word of a statement and the operand behind it; "" for one that has no word of its own. */
struct desc_field {
  const char *word;
  enum desc_kind kind;
  bool needed;
  size_t offset; /* in the statement's struct */
  double low;    /* of an enumeration: what its first word, or the flag, stands for */
  double high;
};

struct desc_statement {
  const char *word;
  bool needed;
  size_t offset; /* of its struct, in struct hw_description */
  const struct desc_field *field;
  size_t fields;
  unsigned most;  /* how many there may be; 0: one */
  unsigned names; /* words that name each of many, the first members of its struct; 0: a number */
  size_t stride;  /* from the struct of one to that of the next */
  size_t count;   /* where in struct hw_description it says how many there are */
};

#define DESC_AT(type, member) offsetof(struct type, member)
#define DESC_FIELDS(array) array, sizeof array / sizeof array[0]
#define DESC_MANY(word, needed, member, array, most, names, count)                                 \
  {                                                                                                \
    word, needed, DESC_AT(hw_description, member), DESC_FIELDS(array), most, names,                \
        sizeof((struct hw_description *)0)->member[0], DESC_AT(hw_description, count)              \
  }

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
    {"index", DESC_INDEX, false, DESC_AT(hw_sim_level, index), HW_SIM_INDEX_VIRTUAL, 0},
    {"prefetch", DESC_PREFETCH, false, DESC_AT(hw_sim_level, prefetch), HW_SIM_PREFETCH_NEXT, 0},
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

/* Of an icache all but the first, of an opcache the first DESC_OPCACHE. */
#define DESC_OPCACHE 6u
static const struct desc_field desc_code[] = {
    {"shields", DESC_COUNT, false, DESC_AT(hw_sim_code, shields), 0, 1},
    {"bytes", DESC_BYTES, true, DESC_AT(hw_sim_code, bytes), 16, 16777216},
    {"ways", DESC_COUNT, true, DESC_AT(hw_sim_code, ways), 1, 65536},
    {"line", DESC_BYTES, true, DESC_AT(hw_sim_code, line), 4, 65536},
    {"miss", DESC_PLAIN, true, DESC_AT(hw_sim_code, miss), 0, 1e6},
    {"policy", DESC_POLICY, false, DESC_AT(hw_sim_code, policy), 0, 0},
    {"index", DESC_INDEX, false, DESC_AT(hw_sim_code, index), HW_SIM_INDEX_VIRTUAL, 0},
    {"spacing", DESC_BYTES, false, DESC_AT(hw_sim_code, spacing), 4, 65536},
    {"ahead", DESC_BYTES, false, DESC_AT(hw_sim_code, ahead), 4, 256},
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
    {"sibling", DESC_WORK, false, DESC_AT(hw_sim_noise, sibling.work), HW_SIM_COMPUTING, 0},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, sibling.length_ns), 1000, 1e12},
    {"", DESC_TIME, true, DESC_AT(hw_sim_noise, sibling.gap_ns), 1000, 1e12},
    {"process", DESC_WORK, false, DESC_AT(hw_sim_noise, process.work), HW_SIM_COMPUTING, 0},
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
    {"period", DESC_PLAIN, false, DESC_AT(hw_sim_core, period), 0, 1e6},
    {"outcomes", DESC_PLAIN, false, DESC_AT(hw_sim_core, outcomes), 0, 1e6},
};

static const struct desc_field desc_registers[] = {
    {"", DESC_COUNT, true, DESC_AT(hw_sim_registers, count), 1, 1024},
};

static const struct desc_field desc_seed[] = {
    {"", DESC_COUNT, true, DESC_AT(hw_description, seed), 0, 1e15},
};

#define DESC_MEMBER(member, array) DESC_AT(hw_description, member), DESC_FIELDS(array)
static const struct desc_statement desc_statements[] = {
    {"machine", true, 0, NULL, 0, 0, 0, 0, 0},
    {"cycle", true, 0, DESC_FIELDS(desc_cycle), 0, 0, 0, 0},
    {"clock", false, 0, DESC_FIELDS(desc_clock), 0, 0, 0, 0},
    DESC_MANY("level", true, level, desc_level, HW_SIM_LEVELS, 0, levels),
    {"memory", true, 0, DESC_FIELDS(desc_memory), 0, 0, 0, 0},
    DESC_MANY("tlb", false, tlb, desc_tlb, HW_SIM_TLBS, 0, tlbs),
    {"icache", false, DESC_AT(hw_description, icache), desc_code + 1,
     sizeof desc_code / sizeof desc_code[0] - 1, 0, 0, 0, 0},
    {"opcache", false, DESC_AT(hw_description, opcache), desc_code, DESC_OPCACHE, 0, 0, 0, 0},
    {"targets", false, DESC_MEMBER(targets, desc_tlb), 0, 0, 0, 0},
    {"page", true, DESC_MEMBER(page, desc_page), 0, 0, 0, 0},
    DESC_MANY("group", false, group, desc_group, HW_SIM_GROUPS, 0, groups),
    {"scheduler", false, DESC_MEMBER(scheduler, desc_scheduler), 0, 0, 0, 0},
    {"kind", false, DESC_MEMBER(kind, desc_kind), 0, 0, 0, 0},
    {"noise", false, DESC_MEMBER(noise, desc_noise), 0, 0, 0, 0},
    {"seed", false, 0, DESC_FIELDS(desc_seed), 0, 0, 0, 0},
    {"core", false, DESC_MEMBER(core, desc_core), 0, 0, 0, 0},
    {"branch", false, DESC_MEMBER(core, desc_branch), 0, 0, 0, 0},
    DESC_MANY("operation", false, core.operation, desc_operation, HW_SIM_OPERATIONS, 2,
              core.operations),
    DESC_MANY("registers", false, core.file, desc_registers, HW_SIM_FILES, 1, core.files),
};
#define DESC_STATEMENTS (sizeof desc_statements / sizeof desc_statements[0])

struct desc_reader {
  struct hw_words words;
  struct hw_description *description;
  /* The line of each statement, by its number; 0: not given. */
  unsigned long given[DESC_STATEMENTS][HW_SIM_LEVELS + 1];
};

/* Takes a word of the field's kind, or none for a flag, as an enumerator. */
static int desc_choice(struct desc_reader *reader, const char *what, const struct desc_field *field,
                       void *to) {
  const char *const *choice = desc_words[field->kind];
  unsigned chosen = (unsigned)field->low;
  const char *word;

  _Static_assert(sizeof(enum hw_policy) == sizeof chosen, "enumerations are as large");
  if (field->kind != DESC_FLAG) {
    word = hw_words_next(&reader->words);
    if (word == NULL)
      return hw_words_fail(&reader->words, reader->words.line, "%s: a word is missing", what);
    for (; *choice != NULL && strcmp(word, *choice) != 0; choice++)
      chosen++;
    if (*choice == NULL)
      return hw_words_fail(&reader->words, reader->words.line, "%s: unknown word '%s'", what, word);
  }
  memcpy(to, &chosen, sizeof chosen);
  return 0;
}

/* The same of the frames of pages, where the number of colours may follow. */
static int desc_frames(struct desc_reader *reader, const char *what, const struct desc_field *field,
                       struct hw_sim_page *page) {
  double colours = 1;

  if (desc_choice(reader, what, field, &page->frames) != 0 ||
      (page->frames == HW_SIM_COLOURED &&
       hw_words_number(&reader->words, "coloured", HW_UNIT_COUNT, 1, 4096, &colours) != 0))
    return -1;
  page->colours = (uint64_t)colours;
  return 0;
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

  if (field->kind == DESC_FRAMES)
    return desc_frames(reader, what, field, base);
  if (field->kind > DESC_SHARE)
    return desc_choice(reader, what, field, at);
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

/* Sets how many of a statement that is numbered there are, from 1 on without a gap. */
static int desc_count(struct desc_reader *reader, const struct desc_statement *statement,
                      const unsigned long *given) {
  unsigned n = 0;

  while (n < statement->most && given[n + 1] != 0)
    n++;
  for (unsigned k = n + 1; k <= statement->most; k++)
    if (given[k] != 0)
      return hw_words_fail(&reader->words, given[k], "%s %u without %s %u", statement->word, k,
                           statement->word, k - 1);
  *(unsigned *)(void *)((char *)reader->description + statement->count) = n;
  return 0;
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

  if (desc_check_given(reader) != 0)
    return -1;
  for (size_t s = 0; s < DESC_STATEMENTS; s++)
    if (desc_statements[s].most > 0 && desc_statements[s].names == 0 &&
        desc_count(reader, &desc_statements[s], reader->given[s]) != 0)
      return -1;
  desc_complete(description);
  if (!hw_description_fault(description, &fault))
    return 0;
  return hw_words_fail(&reader->words,
                       reader->given[desc_statement_of(fault.statement)][fault.number], "%s: %s",
                       fault.statement, fault.reason);
}

/* A word into a place of the description. */
static int desc_word(struct desc_reader *reader, const char *what, char *to) {
  const char *word = hw_words_next(&reader->words);

  if (word == NULL || strlen(word) >= HW_SIM_WORD)
    return hw_words_fail(&reader->words, reader->words.line, "%s: a short word is missing", what);
  memcpy(to, word, strlen(word) + 1);
  return 0;
}

/* Reads one of many statements that are named, as "operation OP TYPE ...", behind those before. */
static int desc_named(struct desc_reader *reader, const struct desc_statement *statement) {
  unsigned *count = (void *)((char *)reader->description + statement->count);
  char *base = (char *)reader->description + statement->offset + statement->stride * *count;

  if (*count == statement->most)
    return hw_words_fail(&reader->words, reader->words.line, "%s: too many of them",
                         statement->word);
  ++*count;
  for (unsigned i = 0; i < statement->names; i++)
    if (desc_word(reader, statement->word, base + (size_t)i * HW_SIM_WORD) != 0)
      return -1;
  return desc_fields(reader, statement, base);
}

static int desc_statement(struct desc_reader *reader, const char *word) {
  const struct hw_words *words = &reader->words;
  const struct desc_statement *statement;
  size_t s = desc_statement_of(word), place = 0;
  double number = 0;

  if (s == DESC_STATEMENTS)
    return hw_words_fail(words, words->line, "unknown statement '%s'", word);
  statement = &desc_statements[s];
  if (statement->names == 0 && statement->most != 0) {
    if (hw_words_number(&reader->words, word, HW_UNIT_COUNT, 1, statement->most, &number) != 0)
      return -1;
    place = statement->stride * ((size_t)number - 1);
  }
  if (statement->names == 0 && reader->given[s][(size_t)number] != 0)
    return hw_words_fail(words, words->line, "%s is given twice, first in line %lu", word,
                         reader->given[s][(size_t)number]);
  reader->given[s][(size_t)number] = words->line;
  if (statement->names > 0)
    return desc_named(reader, statement);
  return statement->field == NULL
             ? desc_name(reader)
             : desc_fields(reader, statement,
                           (char *)reader->description + statement->offset + place);
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
