/* The specifications of nano-benchmarks: their operations, types and names. */
#include "probes/nano/nano.h"

#include <stdlib.h>
#include <string.h>

static const struct hw_nano_operation nano_operations[] = {
#define HW_NANO_OPERATION(word, kind, expression, p, q, r) {#word, kind, expression, {p, q, r}},
#include "probes/nano/operations.def"
#undef HW_NANO_OPERATION
};

const struct hw_nano_type hw_nano_types[] = {
#define HW_NANO_ROW(word, kind, name, bytes, root) {#word, kind, name, bytes, root},
#include "probes/nano/types.def"
#undef HW_NANO_ROW
    {NULL, 0, NULL, 0, NULL}};

/* A load and a store have no variables: they read or write a word. */
static const struct hw_nano_operation nano_memory[] = {{"load", '*', "", {"0", "0", "0"}},
                                                       {"store", '*', "", {"0", "0", "0"}}};

bool hw_nano_is_tree(const struct hw_nano *nano) {
  return nano->part[0].op != NULL && strcmp(nano->part[0].op, "tree") == 0;
}

const struct hw_nano_type *hw_nano_type(const char *type, unsigned *bytes) {
  for (const struct hw_nano_type *row = hw_nano_types; row->word != NULL; row++) {
    size_t length = strlen(row->word);
    if (strncmp(type, row->word, length) == 0 && (type[length] == '\0' || type[length] == 'v')) {
      *bytes = type[length] == 'v' ? (unsigned)strtoul(type + length + 1, NULL, 10) : 0;
      return row;
    }
  }
  return NULL;
}

bool hw_nano_is_vector(const struct hw_nano *nano) {
  unsigned bytes = 0;

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL && bytes == 0; i++)
    (void)hw_nano_type(nano->part[i].type, &bytes);
  return bytes > 0;
}

const struct hw_nano_operation *hw_nano_operation(const char *op, const char *type) {
  unsigned bytes;
  const struct hw_nano_type *row = hw_nano_type(type, &bytes);

  if (strcmp(op, nano_memory[0].word) == 0 || strcmp(op, nano_memory[1].word) == 0)
    return &nano_memory[strcmp(op, nano_memory[1].word) == 0];
  for (size_t i = 0; row != NULL && i < sizeof nano_operations / sizeof nano_operations[0]; i++) {
    const struct hw_nano_operation *operation = &nano_operations[i];
    if (strcmp(op, operation->word) == 0 &&
        (operation->kind == '*' || operation->kind == row->kind))
      return operation;
  }
  return NULL;
}

void hw_nano_name(const struct hw_nano *nano, char name[HW_NANO_NAME]) {
  size_t at = 0;

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL && at < HW_NANO_NAME; i++) {
    const struct hw_nano_part *part = &nano->part[i];
    at += (size_t)snprintf(name + at, HW_NANO_NAME - at, "%s_%s_%ux%u_", part->op, part->type,
                           part->count, part->variables);
  }
  if (at < HW_NANO_NAME)
    snprintf(name + at, HW_NANO_NAME - at, "%u_%u", nano->groups[0], nano->groups[1]);
}

unsigned hw_nano_difference(const struct hw_nano *nano) {
  return nano->groups[1] - nano->groups[0];
}

unsigned hw_nano_statements(const struct hw_nano *nano) {
  unsigned statements = 0;

  if (hw_nano_is_tree(nano)) /* a block has some arithmetic and a branch */
    return 4u << nano->part[0].variables;
  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++)
    statements += nano->part[i].count;
  return statements * (nano->groups[0] + nano->groups[1]);
}
