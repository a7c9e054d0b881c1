/* hwprobe: the command that configure runs.  Measures the parameters asked for on this machine, or
   reads them off curves that it has measured before.

   Output: for each parameter, as soon as it is known, a line of make, "HW_X = 1", or with --profile
   one of a profile, "hw_cv_x=1"; or "# HW_X unknown: why"; before that its groups and range, if it
   has some.  What is unclear is measured again at the end, and printed again: the last line stands.
   All else goes to stderr.  Exit status: 0 even if parameters are unknown, 1 when it cannot run, 2
   for a bad option, 3 when none of the processors asked for can be had; of --reduce 2 for a bad
   curve. */
#include "probes/engine.h"

#include "analysis/environment.h"
#include "probes/reread.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __VERSION__
#define MAIN_COMPILER __VERSION__
#else
#define MAIN_COMPILER "unknown"
#endif

/* Bytes that a probe may map: the default, the least that can be asked for, and the most.  Address
   space that the program takes beside that, bytes.  Only the map touches as much as the most, and
   only where less does not show memory: behind a level 2 of up to 4 MiB, what takes less than 300
   ns may else be a level 3 (analysis/rows/size_curve.c).  With 256 MiB, one of 2 MiB has no
   HW_MEM_LAT. Others map what they need: NUMA nodes six times what lies in no cache, for two
   processors. */
#define MAIN_MEMORY ((double)(256UL << 20))
#define MAIN_MEMORY_LEAST ((double)(16UL << 20))
#define MAIN_MEMORY_MOST ((double)(1UL << 30))
#define MAIN_MEMORY_OWN ((rlim_t)256 << 20)
/* Time beyond the budget until a process that hangs is killed: seconds at most, and the part of the
   budget. */
#define MAIN_GRACE 5
#define MAIN_GRACE_PART (1 / 4.0)
/* Length of a look whether the core is left alone, ns, and looks of one process at most.  They are
   HW_PROCESS_STAYS_NS apart, between rows: a fortieth of the time, and 32 ms, at most. */
#define MAIN_LOOK 5e5
#define MAIN_LOOKS 64

struct main_options {
  const char *effort;
  const char *cpus;
  const char *curves;
  const char *flags;
  double budget;
  double memory;
  unsigned long seed;
  bool all;
  bool profile;
};

static const char main_usage[] =
    "usage: hwprobe [--effort=quick|default|thorough] [--budget=SECONDS] [--cpus=LIST]\n"
    "               [--memory=BYTES] [--curves=DIRECTORY] [--flags=TEXT] [--seed=N] [--profile]\n"
    "               --all | PARAMETER...\n"
    "       hwprobe --reduce CURVE...\n"
    "       hwprobe --why PARAMETER CURVE...\n";

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
  else if (strcmp(argument, "--profile") == 0)
    options->profile = true;
  else
    return -1;
  if (end != NULL && (end == text || *end != '\0'))
    return -1;
  return options->budget > 0 && options->memory >= MAIN_MEMORY_LEAST ? 0 : -1;
}

/* Opens DIRECTORY/NAME, or NULL. */
static FILE *main_note(const char *directory, const char *name, const char *mode) {
  char path[4096];

  if (directory == NULL)
    return NULL;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return fopen(path, mode);
}

/* The number in DIRECTORY/NAME, or 0. */
static double main_noted(const char *directory, const char *name) {
  FILE *file = main_note(directory, name, "r");
  double number = 0;

  if (file != NULL && fscanf(file, "%lf", &number) != 1)
    number = 0;
  if (file != NULL)
    fclose(file);
  return number;
}

/* Seconds as hw_fn_now of probes/build.sh has them: since the system has started, or of the day. */
static double main_now(void) {
  const double up = main_noted("/proc", "uptime");
  struct timespec now;

  if (up > 0)
    return up;
  return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + (double)now.tv_nsec / 1e9
                                                  : 0;
}

/* Seconds since the time in DIRECTORY/start, written before the probes were compiled; else 0. */
static double main_elapsed(const char *directory) {
  double start = main_noted(directory, "start");

  return start > 0 ? fmax(0, main_now() - start) : 0;
}

/* Writes seconds of the processes of this run: DIRECTORY/NAME. */
static void main_spend(const char *directory, const char *name, double seconds) {
  FILE *file = main_note(directory, name, "w");

  if (file == NULL)
    return;
  fprintf(file, "%.6f\n", seconds);
  fclose(file);
}

/* Bytes that a probe may map of those that the caller's limit leaves: a quarter of them. */
static double main_allowed(void) {
  struct rlimit limit;

  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return MAIN_MEMORY_MOST;
  return fmax((double)limit.rlim_cur / 4, MAIN_MEMORY_LEAST);
}

/* Limits the process's address space to what a probe may map, and has it killed when it hangs. */
static void main_limit(double seconds, double grace, size_t memory) {
  const rlim_t most = (rlim_t)memory + MAIN_MEMORY_OWN;
  struct rlimit limit;

  if (getrlimit(RLIMIT_AS, &limit) == 0 &&
      (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)) {
    limit.rlim_cur = most;
    (void)setrlimit(RLIMIT_AS, &limit); /* refused: then there is no limit */
  }
  alarm((unsigned)(ceil(fmin(fmax(seconds, 0), 1e6)) + ceil(fmin(grace, MAIN_GRACE))));
}

/* Looks whether the core is left alone while the probes measure. */
struct main_watch {
  struct hw_curve alone;
  double seen;  /* time of the last look, ns */
  size_t looks; /* by this process */
};

static void main_watch(struct main_watch *watch, const struct hw_bench *bench) {
  *watch = (struct main_watch){.seen = hw_now(bench)};
  hw_curve_init(&watch->alone, HW_IDLE_CURVE, "time of measuring (s)",
                "share of looks at which the core was left alone");
}

/* Looks, if the last look is long enough ago. */
static void main_look(struct main_watch *watch, const struct hw_bench *bench) {
  double now = hw_now(bench);
  struct hw_point share;

  if (watch->looks >= MAIN_LOOKS || now - watch->seen < HW_PROCESS_STAYS_NS)
    return;
  share = hw_idle_share(bench, MAIN_LOOK);
  share.x = (bench->spent + now) / 1e9;
  watch->looks += share.count > 0 && hw_curve_put(&watch->alone, share) == 0;
  watch->seen = hw_now(bench);
}

/* Ends the looks, and keeps their curve. */
static void main_watched(struct main_watch *watch, struct hw_engine *engine) {
  if (watch->alone.n == 0)
    hw_curve_free(&watch->alone);
  else if (hw_publish(&engine->bench, &watch->alone, HW_IDLE_CURVE, 0) == 0)
    hw_engine_keep(engine, HW_IDLE_CURVE);
}

/* What answers are printed with. */
struct main_answers {
  struct hw_engine *engine;
  struct main_watch watch;
  char (*why)[HW_ENGINE_WHY]; /* what was printed last of each row that is unknown */
  bool profile;
};

/* Prints an answer at once, since the process may fail later, and its value last, which ends it. */
static void main_print(const struct main_answers *answers, const struct hw_param *param,
                       struct hw_answer answer) {
  hw_engine_print_groups(answers->engine, param, answer, answers->profile, stdout);
  hw_engine_print_range(param, answer, answers->profile, stdout);
  if (answer.known && answers->profile)
    printf("hw_cv_%s=%.0f\n", param->key, round(answer.value));
  else if (answer.known)
    printf("%s = %.0f\n", param->name, round(answer.value));
  else
    printf("# %s unknown: %s\n", param->name, answer.why);
  fflush(stdout);
}

static void main_tell(void *context, const struct hw_param *param, struct hw_answer answer,
                      enum hw_telling telling) {
  struct main_answers *answers = context;
  FILE *log = answers->engine->bench.log;
  char *why = answers->why[param - hw_params];

  main_look(&answers->watch, &answers->engine->bench);
  if ((answers->profile && telling != HW_TELL_ANSWER) ||
      (!answer.known && strncmp(why, answer.why, HW_ENGINE_WHY - 1) == 0))
    return;
  snprintf(why, HW_ENGINE_WHY, "%s", answer.known ? "" : answer.why);
  main_print(answers, param, answer);
  fprintf(log, "%s: %s: ", param->name, answer.method);
  if (answer.known)
    fprintf(log, "%.10g, error %.3g, clarity %.3g\n", answer.value, answer.error, answer.clarity);
  else
    fprintf(log, "unknown: %s\n", answer.why);
}

/* Asks for the parameters that the arguments name, or all. */
static void main_ask(struct main_answers *answers, const struct main_options *options, int argc,
                     char **argv) {
  const struct hw_told told = {.tell = main_tell, .context = answers};
  size_t n = options->all ? hw_params_by_worth(NULL) : 0;
  const struct hw_param **row = calloc(n + (size_t)argc, sizeof *row);

  answers->why = calloc(hw_params_by_worth(NULL), sizeof *answers->why);
  if (options->all && row != NULL)
    hw_params_by_worth(row);
  for (int i = 1; row != NULL && i < argc; i++)
    if (argv[i][0] != '-')
      row[n++] = hw_param_find(argv[i]);
  if (row != NULL && answers->why != NULL) /* else nothing is printed: no answer */
    hw_engine_ask(answers->engine, row, n, &told);
  free(answers->why);
  free(row);
}

/* Measures the parameters that the arguments name.  The exit status. */
static int main_run(struct hw_engine *engine, const struct main_options *options, int argc,
                    char **argv) {
  const double spent = main_noted(options->curves, "spent");
  const double left = options->budget - fmax(spent, main_elapsed(options->curves));
  const struct hw_budget budget = {options->budget, left, spent};
  struct hw_bench *bench = &engine->bench;
  struct main_answers answers = {.engine = engine, .profile = options->profile};
  int status;

#ifdef __linux__ /* it ends with the shell that measures by it, should that be killed */
  if (main_noted(options->curves, "start") > 0)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (bench->machine->doubt == NULL) /* a sanitizer takes more memory than that */
    main_limit(left, MAIN_GRACE_PART * options->budget, bench->memory);
  hw_engine_budget(engine, &budget);
  hw_bench_calibrate(bench);
  main_watch(&answers.watch, bench);
  main_ask(&answers, options, argc, argv);
  main_watched(&answers.watch, engine);
  main_spend(options->curves, "spent", spent + hw_now(bench) / 1e9);
  status = ferror(stdout) || fflush(stdout) != 0;
  hw_curves_free(&bench->curves);
  return status;
}

int main(int argc, char **argv) {
  struct main_options options = {
      .effort = "default", .flags = "", .budget = INFINITY, .memory = MAIN_MEMORY, .seed = 1};
  struct hw_engine engine = {.bench = {.compiler = MAIN_COMPILER, .log = stderr}};
  const char *error = NULL;
  bool named = false;
  int status = hw_reread(argc, argv);

  if (status >= 0)
    return status;
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
  if (options.budget >= INFINITY && !isinf(engine.bench.effort.patience))
    options.budget = HW_BUDGET;
  engine.directory = options.curves;
  engine.named = named;
  engine.bench.flags = options.flags;
  engine.bench.seed = options.seed;
  engine.bench.memory = (size_t)fmin(fmin(options.memory, MAIN_MEMORY_MOST), main_allowed());
  engine.bench.machine = hw_machine_real(options.cpus, &error);
  if (engine.bench.machine == NULL) {
    fprintf(stderr, "hwprobe: %s\n", error);
    if (options.cpus != NULL)
      printf("# no processor %ld\n", hw_machine_missing(options.cpus));
    return options.cpus != NULL ? 3 : 1;
  }
  status = main_run(&engine, &options, argc, argv);
  engine.bench.machine->ops->close(engine.bench.machine);
  return status;
}
