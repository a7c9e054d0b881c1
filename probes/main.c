/* hwprobe: the command that configure runs.  Measures the parameters asked for on this machine.

   Output: for each parameter a line of make, "HW_X = 1" or "# HW_X unknown: why".  All else goes
   to stderr.  Exit status: 0 whatever is known, 1 when it cannot run, 2 for a bad option, 3 when
   none of the processors asked for can be had. */
#include "probes/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __VERSION__
#define MAIN_COMPILER __VERSION__
#else
#define MAIN_COMPILER "unknown"
#endif

/* Memory that a probe may map when nothing is said, the least that can be said, and what it is cut
   off at.  Address space that the program takes beside that. */
#define MAIN_MEMORY ((double)(256UL << 20))
#define MAIN_MEMORY_LEAST ((double)(16UL << 20))
#define MAIN_MEMORY_MOST ((double)(1UL << 30))
#define MAIN_MEMORY_OWN ((rlim_t)256 << 20)
/* Without a budget: seconds for the whole run, and beyond the budget until a process that hangs
   is killed. */
#define MAIN_BUDGET 60
#define MAIN_GRACE 5

struct main_options {
  const char *effort;
  const char *cpus;
  const char *curves;
  const char *flags;
  double budget;
  double memory;
  unsigned long seed;
  bool all;
};

static const char main_usage[] =
    "usage: hwprobe [--effort=quick|default|thorough] [--budget=SECONDS] [--cpus=LIST]\n"
    "               [--memory=BYTES] [--curves=DIRECTORY] [--flags=TEXT] [--seed=N]\n"
    "               --all | PARAMETER...\n";

/* The text after NAME when the argument starts with it, else NULL. */
static const char *main_option(const char *argument, const char *name) {
  size_t length = strlen(name);

  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

/* Takes one option.  0, or -1 when it is bad. */
static int main_take(struct main_options *options, const char *argument) {
  const char *text;
  char *end = NULL;

  if ((text = main_option(argument, "--effort=")) != NULL)
    options->effort = text;
  else if ((text = main_option(argument, "--cpus=")) != NULL)
    options->cpus = text;
  else if ((text = main_option(argument, "--curves=")) != NULL)
    options->curves = text;
  else if ((text = main_option(argument, "--flags=")) != NULL)
    options->flags = text;
  else if ((text = main_option(argument, "--budget=")) != NULL)
    options->budget = strtod(text, &end);
  else if ((text = main_option(argument, "--memory=")) != NULL)
    options->memory = strtod(text, &end);
  else if ((text = main_option(argument, "--seed=")) != NULL)
    options->seed = strtoul(text, &end, 10);
  else if (strcmp(argument, "--all") == 0)
    options->all = true;
  else
    return -1;
  if (end != NULL && (end == text || *end != '\0'))
    return -1;
  return options->budget > 0 && options->memory >= MAIN_MEMORY_LEAST ? 0 : -1;
}

/* Reads or, with spent not negative, writes the seconds that earlier processes of this run spent:
   DIRECTORY/spent. */
static double main_spent(const char *directory, double spent) {
  char path[4096];
  FILE *file;
  double seconds = 0;

  if (directory == NULL)
    return 0;
  snprintf(path, sizeof path, "%s/spent", directory);
  file = fopen(path, spent < 0 ? "r" : "w");
  if (file == NULL)
    return 0;
  if (spent >= 0)
    fprintf(file, "%.6f\n", spent);
  else if (fscanf(file, "%lf", &seconds) != 1)
    seconds = 0;
  fclose(file);
  return seconds;
}

/* Limits the process: it gets no more memory than a probe may take, and is killed when it hangs. */
static void main_limit(double seconds, size_t memory) {
  const rlim_t most = (rlim_t)memory + MAIN_MEMORY_OWN;
  struct rlimit limit;

  if (getrlimit(RLIMIT_AS, &limit) == 0 &&
      (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)) {
    limit.rlim_cur = most;
    (void)setrlimit(RLIMIT_AS, &limit); /* refused: then there is no limit */
  }
  alarm((unsigned)ceil(fmin(fmax(seconds, 0), 1e6)) + MAIN_GRACE);
}

/* Measures and prints one parameter. */
static void main_measure(struct hw_engine *engine, const struct hw_param *param) {
  struct hw_answer answer = hw_engine_value(engine, param);

  hw_engine_print(param, answer, stdout);
  fprintf(engine->bench.log, "%s: %s: ", param->name, answer.method);
  if (answer.known)
    fprintf(engine->bench.log, "%.10g, error %.3g, clarity %.3g\n", answer.value, answer.error,
            answer.clarity);
  else
    fprintf(engine->bench.log, "unknown: %s\n", answer.why);
}

/* Measures what the arguments name.  The exit status. */
static int main_run(struct hw_engine *engine, const struct main_options *options, int argc,
                    char **argv) {
  double spent = main_spent(options->curves, -1);
  struct hw_bench *bench = &engine->bench;

  if (bench->machine->doubt == NULL) /* a sanitizer takes more memory than that */
    main_limit(options->budget - spent, bench->memory);
  bench->deadline = (options->budget - spent) * 1e9;
  bench->spent = spent * 1e9;
  hw_bench_calibrate(bench);
  for (const struct hw_param *p = hw_params; options->all && p->name != NULL; p++)
    main_measure(engine, p);
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-')
      main_measure(engine, hw_param_find(argv[i]));
  main_spent(options->curves, spent + bench->machine->ops->now(bench->machine) / 1e9);
  hw_curves_free(&bench->curves);
  return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  struct main_options options = {
      .effort = "default", .flags = "", .budget = MAIN_BUDGET, .memory = MAIN_MEMORY, .seed = 1};
  struct hw_engine engine = {.bench = {.compiler = MAIN_COMPILER, .log = stderr}};
  const char *error = NULL;
  bool named = false;
  int status;

  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-' ? hw_param_find(argv[i]) == NULL : main_take(&options, argv[i]) < 0) {
      fprintf(stderr, "hwprobe: bad argument: %s\n%s", argv[i], main_usage);
      return 2;
    } else if (argv[i][0] != '-') {
      named = true;
    }
  if (named == options.all || hw_effort_find(options.effort, &engine.bench.effort) < 0) {
    fputs(main_usage, stderr);
    return 2;
  }
  engine.directory = options.curves;
  engine.bench.flags = options.flags;
  engine.bench.seed = options.seed;
  engine.bench.memory = (size_t)fmin(options.memory, MAIN_MEMORY_MOST);
  engine.bench.machine = hw_machine_real(options.cpus, &error);
  if (engine.bench.machine == NULL) {
    fprintf(stderr, "hwprobe: %s\n", error);
    return options.cpus != NULL ? 3 : 1;
  }
  status = main_run(&engine, &options, argc, argv);
  engine.bench.machine->ops->close(engine.bench.machine);
  return status;
}
