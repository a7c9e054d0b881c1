/* The specifications of nano-benchmarks: their operations, types and names. */
#include "probes/nano/operations.h"

#include <stdlib.h>
#include <string.h>

const struct hw_nano_operation hw_nano_operations[] = {
#define HW_OPERATION(word, kind, expression, p, q, r, unit, chain, rows)                           \
  {#word, #kind, expression, {p, q, r}, HW_UNIT_##unit, chain},
#include "analysis/rows/operations.def"
    {NULL, NULL, NULL, {NULL, NULL, NULL}, HW_UNIT_NONE, NULL}};

const struct hw_nano_type hw_nano_types[] = {
#define HW_TYPE(word, kind, name, bytes, root) {#word, #kind, name, bytes, root},
#include "analysis/rows/operations.def"
    {NULL, NULL, NULL, 0, NULL}};

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

void hw_nano_typed(char type[HW_NANO_TYPE], const char *tag, unsigned bytes) {
  if (tag[0] == 'v')
    snprintf(type, HW_NANO_TYPE, "%sv%u", tag + 1, bytes);
  else
    snprintf(type, HW_NANO_TYPE, "%s", tag);
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

  for (const struct hw_nano_operation *operation = hw_nano_operations;
       row != NULL && operation->word != NULL; operation++)
    if (strcmp(op, operation->word) == 0 &&
        (operation->kind[0] == 'a' || operation->kind[0] == row->kind[0] ||
         (operation->kind[0] == 's' && row->kind[0] == 'f' && bytes == 0)))
      return operation;
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
