/* The generator of nano-benchmarks: specifications in, C out.

   What keeps a compiler from changing the specified statements:
   - values come from volatile objects and go to them, so that none is known and none is unused;
   - between groups stands a label that a switch on a volatile object may jump to (XT figure 3): no
     statement moves across;
   - a loop without labels, whose statements form cyclic dependences, must not be unrolled;
   - statements of one group have no common subexpressions.  Vectorizing them is disabled by an
     option of the compiler, which configure looks for.
   Without optimization a compiler keeps variables in memory.  Then only chains of one variable are
   written, each as one nested expression, whose inner values even then stay in registers. */
#include "probes/nano/operations.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive stores go to different lines, since some processors commit two to one line at once;
   all are far from data that the compiler places next to them. */
#define GENERATE_CELLS 160u
#define GENERATE_CELL 32u
#define GENERATE_OTHER 64u

/* Most levels of a tree. */
#define GENERATE_LEVELS 12u

static bool generate_is_memory(const struct hw_nano_part *part) {
  return hw_nano_operation(part->op, part->type)->expression[0] == '\0';
}

/* Whether the specification is valid. */
static bool generate_good(const struct hw_nano *nano) {
  if (nano->part[0].op == NULL || nano->groups[1] <= nano->groups[0])
    return false;
  if (hw_nano_is_tree(nano))
    return nano->part[1].op == NULL && nano->part[0].variables <= GENERATE_LEVELS;
  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++) {
    const struct hw_nano_part *part = &nano->part[i];
    if (hw_nano_operation(part->op, part->type) == NULL || part->variables == 0 ||
        part->variables > HW_NANO_VARIABLES)
      return false;
  }
  return true;
}

/* Writes the part's expression, on variable k, with inner in place of P when it is not NULL. */
static void generate_expression(const struct hw_nano_part *part, char letter, unsigned k,
                                const char *inner, FILE *out) {
  unsigned bytes, half = part->variables - part->variables / 2;
  size_t length;
  const struct hw_nano_type *type = hw_nano_type(part->type, &bytes);

  for (const char *at = hw_nano_operation(part->op, part->type)->expression; *at != '\0';
       at += length) {
    length = 0; /* of a name, or 1 */
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
      length++;
    length += length == 0;
    if (length == 4 && strncmp(at, "ROOT", 4) == 0)
      fputs(type->root, out);
    else if (length > 1 || strchr("OPQR", *at) == NULL)
      fwrite(at, 1, length, out);
    else if (*at == 'P' && inner != NULL)
      fputs(inner, out);
    else if (*at < 'Q')
      fprintf(out, "%c%u", letter, *at == 'P' ? k : (k + half) % part->variables);
    else
      fprintf(out, "%c%c", letter, tolower((unsigned char)*at));
  }
}

static bool generate_is_branch(const struct hw_nano_part *part) {
  return strcmp(part->op, "branch") == 0;
}

static void generate_statement(const struct hw_nano_part *part, char letter, unsigned j,
                               FILE *out) {
  unsigned k = j % part->variables;

  if (generate_is_memory(part)) {
    unsigned cell = GENERATE_CELL + j % 2 * GENERATE_OTHER;
    if (strcmp(part->op, "store") == 0)
      fprintf(out, "hw_cell[%u] = 0; ", cell);
    else
      fprintf(out, "(void)hw_cell[%u]; ", cell);
    return;
  }
  if (generate_is_branch(part))
    fputs("if (", out);
  else
    fprintf(out, "%c%u = ", letter, k);
  generate_expression(part, letter, k, NULL, out);
  fputs(generate_is_branch(part) ? ") goto hw_out; " : "; ", out);
}

/* Writes group g, the parts evenly mixed.  Variables continue in turn from group to group. */
static void generate_group(const struct hw_nano *nano, unsigned g, FILE *out) {
  unsigned done[HW_NANO_PARTS] = {0}, total = 0;

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++)
    total += nano->part[i].count;
  for (unsigned slot = 0; slot < total; slot++) {
    size_t next = 0;
    double least = 2;
    for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++) {
      double share = (done[i] + 0.5) / nano->part[i].count;
      if (done[i] < nano->part[i].count && share < least) {
        least = share;
        next = i;
      }
    }
    generate_statement(&nano->part[next], (char)('a' + next),
                       g * nano->part[next].count + done[next]++, out);
  }
  putc('\n', out);
}

/* Whether its variables are all live at once: it measures how many of them get a register. */
static bool generate_lives(const struct hw_nano *nano) {
  return strcmp(nano->part[0].op, "live") == 0;
}

/* Writes one loop. */
static void generate_loop(const struct hw_nano *nano, unsigned groups, FILE *out) {
  /* Variables that depend on each other cannot be folded, and labels would cost some compilers a
     register (BB 3.5). */
  bool labels = !generate_lives(nano);

  fputs(labels ? "    switch (hw_nano_start) {\n    default:\n" : "HW_NANO_ROLLED\n", out);
  fputs("      do {\n", out);
  for (unsigned g = 0; g < groups; g++) {
    if (labels)
      fprintf(out, "      case %u: ", g + 1);
    generate_group(nano, g, out);
  }
  fputs("      } while (--n);\n", out);
  fputs(labels ? "    }\n" : "", out);
}

/* Writes one loop of a dependent chain, for a compiler that does not optimize. */
static void generate_nested(const struct hw_nano *nano, unsigned groups, FILE *out) {
  fputs("      do a0 = ", out);
  for (unsigned g = 0; g < groups; g++)
    fputs("HW_STEP(", out);
  fputs("a0", out);
  for (unsigned g = 0; g < groups; g++)
    putc(')', out);
  fputs(";\n      while (--n);\n", out);
  (void)nano;
}

/* Writes the declarations of the variables, or their uses. */
static void generate_variables(const struct hw_nano *nano, bool use, FILE *out) {
  bool cells = false;

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++) {
    const struct hw_nano_part *part = &nano->part[i];
    char letter = (char)('a' + i);
    if (generate_is_memory(part)) {
      if (!use && !cells)
        fprintf(out,
                "  volatile int hw_cell[%u];\n  hw_cell[%u] = hw_cell[%u] = 0;\n"
                "  hw_nano_kept = hw_cell;\n",
                GENERATE_CELLS, GENERATE_CELL, GENERATE_CELL + GENERATE_OTHER);
      else if (use && !cells)
        fputs("  hw_nano_kept = 0;\n", out);
      cells = true;
      continue;
    }
    for (unsigned k = 0; k < part->variables; k++)
      if (use)
        fprintf(out, "  hw_%s_%s[0] = %c%u;\n", part->op, part->type, letter, k);
      else
        fprintf(out, "  T_%s %c%u = hw_%s_%s[0];\n", part->type, letter, k, part->op, part->type);
    if (use)
      fprintf(out, "  (void)%cq, (void)%cr;\n", letter, letter);
    else
      fprintf(out, "  const T_%s %cq = hw_%s_%s[1], %cr = hw_%s_%s[2];\n", part->type, letter,
              part->op, part->type, letter, part->op, part->type);
  }
}

/* Whether it is of live integers only.  gcc may spill some of them to vector registers, to and from
   which each use moves them: those must not count as integer registers. */
static bool generate_is_whole(const struct hw_nano *nano) {
  bool whole = generate_lives(nano);

  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++)
    whole = whole && nano->part[i].type[0] == 'i';
  return whole;
}

/* Writes the head of the function.  But for live variables, each statement becomes one instruction
   at any effort of the compiler: little is asked for. */
static void generate_head(const struct hw_nano *nano, size_t number, FILE *out) {
  fputs(generate_is_whole(nano) ? "HW_NANO_WHOLE " : "", out);
  fputs(generate_lives(nano) ? "" : "HW_NANO_BRIEF ", out);
  fprintf(out,
          "static void hw_nano_%zu(unsigned long n, int second, const unsigned *outcomes) {\n"
          "  (void)outcomes;\n",
          number);
}

/* Writes the block of a node of the tree, and those below it: different arithmetic in each,
   independent of that of the block above.  The leaves have visible side effects, so that the
   compiler cannot replace branches by conditional moves. */
static void generate_node(unsigned node, unsigned level, unsigned levels, FILE *out) {
  fprintf(out, "a%u = (a%u ^ %uu) + %uu;\n", level % 4, level % 4, node * 40503u % 65521u, node);
  if (level == levels) {
    fputs(node % 2 == 0 ? "hw_cell[0] = a0;\n" : "a1 += hw_cell[1];\n", out);
    return;
  }
  fprintf(out, "if (bits >> %u & 1) {\n", level);
  generate_node(2 * node + 1, level + 1, levels, out);
  fputs("} else {\n", out);
  generate_node(2 * node, level + 1, levels, out);
  fputs("}\n", out);
}

/* Writes the tree of code (DM figure 1): the block of node n is followed by that of 2n, when its
   branch is not taken, and branches to that of 2n+1. */
static void generate_tree(const struct hw_nano *nano, size_t number, FILE *out) {
  generate_head(nano, number, out);
  fprintf(out,
          "  volatile unsigned hw_cell[2];\n"
          "  unsigned a0 = 0, a1 = 0, a2 = 0, a3 = 0, at = 0;\n"
          "  (void)second;\n"
          "  hw_cell[0] = hw_cell[1] = 0;\nHW_NANO_ROLLED\n  do {\n"
          "    const unsigned bits = outcomes[at++ %% %uu];\n",
          HW_NANO_OUTCOMES);
  generate_node(1, 0, nano->part[0].variables, out);
  fputs("  } while (--n);\n  hw_cell[0] = a0 + a1 + a2 + a3;\n}\n", out);
}

/* Writes a function; loop writes one of its loops. */
static void generate_function(const struct hw_nano *nano, size_t number,
                              void (*loop)(const struct hw_nano *, unsigned, FILE *), FILE *out) {
  generate_head(nano, number, out);
  generate_variables(nano, false, out);
  fputs("  if (!second) {\n", out);
  if (nano->groups[0] > 0)
    loop(nano, nano->groups[0], out);
  fputs("  } else {\n", out);
  loop(nano, nano->groups[1], out);
  fputs("  }\n", out);
  for (size_t i = 0; i < HW_NANO_PARTS && nano->part[i].op != NULL; i++)
    fputs(generate_is_branch(&nano->part[i]) ? "hw_out:\n" : "", out);
  generate_variables(nano, true, out);
  fputs("}\n", out);
}

/* Writes the function for a compiler that does not optimize. */
static void generate_plain(const struct hw_nano *nano, size_t number, FILE *out) {
  fputs("#define HW_STEP(p) (", out);
  generate_expression(&nano->part[0], 'a', 0, "(p)", out);
  fputs(")\n", out);
  generate_function(nano, number, generate_nested, out);
  fputs("#undef HW_STEP\n", out);
}

/* Whether it can be timed without optimization.  A square root cannot: it is a call then, whose
   argument is in memory. */
static bool generate_is_chain(const struct hw_nano *nano) {
  return nano->part[1].op == NULL && nano->part[0].variables == 1 && nano->part[0].count == 1 &&
         !generate_is_memory(&nano->part[0]) && strcmp(nano->part[0].op, "sqrt") != 0;
}

/* Writes the function of one specification, under the conditions of the preprocessor it needs. */
static void generate_one(const struct hw_nano *nano, size_t number, FILE *out) {
  if (hw_nano_is_tree(nano)) {
    fputs("#ifdef HW_NANO_REGISTERS\n", out);
    generate_tree(nano, number, out);
    fprintf(out, "#else\n#define hw_nano_%zu 0\n#endif\n", number);
    return;
  }
  if (hw_nano_is_vector(nano))
    fputs("#ifdef HW_NANO_VECTORS\n", out);
  fputs("#ifdef HW_NANO_REGISTERS\n", out);
  generate_function(nano, number, generate_loop, out);
  fputs("#else\n", out);
  if (generate_is_chain(nano))
    generate_plain(nano, number, out);
  else
    fprintf(out, "#define hw_nano_%zu 0\n", number);
  fputs("#endif\n", out);
  if (hw_nano_is_vector(nano))
    fprintf(out, "#else\n#define hw_nano_%zu 0\n#endif\n", number);
}

/* Whether an earlier part has the same type, or, with op, the same operation too. */
static bool generate_seen(const struct hw_nano *nano, size_t n, size_t i, bool op) {
  const struct hw_nano_part *part = &nano[n].part[i];

  for (size_t k = 0; k <= n; k++)
    for (size_t j = 0; j < (k < n ? HW_NANO_PARTS : i) && nano[k].part[j].op != NULL; j++)
      if (!hw_nano_is_tree(&nano[k]) && !generate_is_memory(&nano[k].part[j]) &&
          strcmp(nano[k].part[j].type, part->type) == 0 &&
          (!op || strcmp(nano[k].part[j].op, part->op) == 0))
        return true;
  return false;
}

/* Writes the type of a part, and the volatile objects that its variables come from and go to. */
static void generate_type(const struct hw_nano *nano, size_t n, size_t i, FILE *out) {
  const struct hw_nano_part *part = &nano[n].part[i];
  const struct hw_nano_operation *operation = hw_nano_operation(part->op, part->type);
  unsigned bytes;
  const struct hw_nano_type *type = hw_nano_type(part->type, &bytes);

  if (generate_is_memory(part))
    return;
  fputs(bytes > 0 ? "#ifdef HW_NANO_VECTORS\n" : "", out);
  if (!generate_seen(nano, n, i, false)) {
    fprintf(out, "typedef %s T_%s", type->name, part->type);
    if (bytes > 0)
      fprintf(out, " __attribute__((vector_size(%u)))", bytes);
    fputs(";\n", out);
  }
  if (!generate_seen(nano, n, i, true)) {
    fprintf(out, "#define T %s\nstatic volatile T_%s hw_%s_%s[3] = {", type->name, part->type,
            part->op, part->type);
    for (size_t s = 0; s < 3; s++) {
      fputs(bytes > 0 ? "{" : "", out);
      for (unsigned k = 0; k < (bytes > 0 ? bytes / type->bytes : 1); k++)
        fprintf(out, "%s, ", operation->start[s]);
      fputs(bytes > 0 ? "}, " : "", out);
    }
    fputs("};\n#undef T\n", out);
  }
  fputs(bytes > 0 ? "#endif\n" : "", out);
}

/* Declares the square roots: to compile <math.h> takes longer than most of the rest. */
static void generate_roots(FILE *out) {
  for (const struct hw_nano_type *type = hw_nano_types; type->word != NULL; type++)
    if (type->root[0] != '\0')
      fprintf(out, "%s %s(%s);\n", type->name, type->root, type->name);
}

int hw_nano_write_list(unsigned parts, FILE *out) {
  fputs("/* The tables of nano-benchmarks, written by hwnano. */\n"
        "#include \"probes/nano/table.h\"\n",
        out);
  for (unsigned k = 1; k <= parts; k++)
    fprintf(out, "extern const struct hw_nano_entry hw_nano_table_%u[];\n", k);
  fputs("const struct hw_nano_entry *const hw_nano_tables[] = {", out);
  for (unsigned k = 1; k <= parts; k++)
    fprintf(out, "hw_nano_table_%u, ", k);
  fputs("0};\n", out);
  return ferror(out) ? -1 : 0;
}

int hw_nano_write(const struct hw_nano *nano, size_t n, unsigned part, FILE *out) {
  char name[HW_NANO_NAME];

  fputs("/* Nano-benchmarks, written by hwnano. */\n"
        "#include \"probes/nano/table.h\"\n"
        "#include <stdint.h>\n"
        "#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 7)\n"
        "#pragma GCC diagnostic ignored \"-Wimplicit-fallthrough\"\n"
        "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
        "#endif\n"
        "static volatile int hw_nano_start;\n"
        "static volatile int *volatile hw_nano_kept;\n",
        out);
  generate_roots(out);
  for (size_t k = 0; k < n; k++) {
    if (!generate_good(&nano[k]))
      return -1;
    for (size_t i = 0; i < HW_NANO_PARTS && nano[k].part[i].op != NULL; i++)
      if (!hw_nano_is_tree(&nano[k]))
        generate_type(nano, k, i, out);
  }
  for (size_t k = 0; k < n; k++)
    generate_one(&nano[k], k, out);
  fprintf(out,
          "extern const struct hw_nano_entry hw_nano_table_%u[];\n"
          "const struct hw_nano_entry hw_nano_table_%u[] = {\n",
          part, part);
  for (size_t k = 0; k < n; k++) {
    hw_nano_name(&nano[k], name);
    fprintf(out, "    {\"%s\", hw_nano_%zu},\n", name, k);
  }
  fputs("    {0, 0}};\n", out);
  return ferror(out) ? -1 : 0;
}
