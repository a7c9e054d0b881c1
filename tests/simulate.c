/* simulate [--effort=E] [--seed=N] [--curves=DIR] [--budget=SECONDS] [--memory=BYTES]
   [--hide=PARAMETER] FILE [PARAMETER...]: the whole chain, from probes to values, on the machine
   that FILE describes, for these parameters or all.  Prints what hwconfig.mk would hold, and the
   log to stderr.  With a budget, of simulated seconds, the probes have the time that hwprobe gives
   them for as many, and else all that they want.  A parameter that is hidden is unknown to all that
   read it.  The log's last line says how many seconds it took. */
#include "probes/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text after "NAME=" when the argument is that option, else NULL. */
static const char *option(const char *argument, const char *name) {
  size_t length = strlen(name);

  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static void tell(void *context, const struct hw_param *param, struct hw_answer answer,
                 enum hw_telling telling) {
  if (telling != HW_TELL_ANSWER)
    return;
  hw_engine_print(param, answer, stdout);
  hw_engine_print_groups(context, param, answer, false, stdout);
}

/* Asks for the parameters that the n arguments name, or all. */
static void ask(struct hw_engine *engine, char *const *argument, size_t n) {
  const struct hw_told told = {tell, engine};
  const size_t all = hw_params_by_worth(NULL);
  const struct hw_param **row = calloc(all + n, sizeof *row);

  if (row == NULL)
    return;
  hw_params_by_worth(row);
  for (size_t i = 0; i < n; i++)
    row[i] = hw_param_find(argument[i]);
  hw_engine_ask(engine, row, n > 0 ? n : all, &told);
  free(row);
}

/* Takes a positive number.  Whether it is none. */
static bool bad_number(const char *text, double *number) {
  char *end = NULL;

  *number = strtod(text, &end);
  return end == text || *end != '\0' || !(*number > 0);
}

/* The name of the parameter that a text names, as HW_L1_LINE or l1_line; NULL for none. */
static const char *hidden(const char *text) {
  for (const struct hw_param *p = hw_params; p->name != NULL; p++)
    if (strcmp(p->name, text) == 0 || strcmp(p->key, text) == 0)
      return p->name;
  return NULL;
}

int main(int argc, char **argv) {
  struct hw_engine engine = {.bench = {.compiler = "none", .flags = "none", .seed = 1}};
  const char *effort = "default", *file = NULL, *text;
  int first = argc;         /* parameter */
  double budget = INFINITY; /* some machines are slow */
  double memory = (double)(1UL << 30);
  bool usage = false;

  for (int i = 1; i < argc; i++)
    if ((text = option(argv[i], "--effort=")) != NULL)
      effort = text;
    else if ((text = option(argv[i], "--seed=")) != NULL)
      engine.bench.seed = strtoul(text, NULL, 10);
    else if ((text = option(argv[i], "--curves=")) != NULL)
      engine.directory = text;
    else if ((text = option(argv[i], "--budget=")) != NULL)
      usage = bad_number(text, &budget) || usage;
    else if ((text = option(argv[i], "--memory=")) != NULL)
      usage = bad_number(text, &memory) || usage;
    else if ((text = option(argv[i], "--hide=")) != NULL)
      usage = (engine.bench.curves.hidden = hidden(text)) == NULL || usage;
    else if (argv[i][0] == '-' || (file != NULL && hw_param_find(argv[i]) == NULL))
      usage = true;
    else if (file == NULL)
      file = argv[i];
    else if (first == argc)
      first = i;
  if (usage || file == NULL || hw_effort_find(effort, &engine.bench.effort) < 0) {
    fputs("usage: simulate [--effort=quick|default|thorough] [--seed=N] [--curves=DIR]\n"
          "                [--budget=SECONDS] [--memory=BYTES] [--hide=PARAMETER] FILE\n"
          "                [PARAMETER...]\n",
          stderr);
    return 2;
  }
  engine.bench.machine = hw_machine_simulated(file);
  if (engine.bench.machine == NULL)
    return 1;
  if (isfinite(budget))
    hw_engine_budget(&engine, &(struct hw_budget){.seconds = budget, .left = budget});
  else
    engine.bench.deadline = engine.bench.effort.patience = INFINITY;
  engine.bench.memory = (size_t)fmin(memory, (double)(1UL << 30));
  engine.bench.log = stderr;
  hw_bench_calibrate(&engine.bench);
  engine.named = first < argc;
  ask(&engine, argv + first, (size_t)(argc - first));
  fprintf(stderr, "simulated %.6g s\n", hw_now(&engine.bench) / 1e9);
  hw_curves_free(&engine.bench.curves);
  engine.bench.machine->ops->close(engine.bench.machine);
  return 0;
}
