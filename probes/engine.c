/* The engine. */
#include "probes/engine.h"

#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/kinds.h"
#include "analysis/rows/mix.h"
#include "probes/bench/idle.h"
#include "probes/system/kinds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for one probe at a precision of 1 %: where other processes delay it, the other probes are
   to have their time too. */
#define ENGINE_PROBE 4.0
#define ENGINE_PRECISION 0.01
/* A probe that others need and that took less than this part of what one may is tried again when
   one of them asks for it, ENGINE_APART ns later at least: much hangs on it, and it costs little.
 */
#define ENGINE_CHEAP (1 / 16.0)
#define ENGINE_APART 1e8
/* Attempts at a probe while others wait for as many. */
#define ENGINE_SECOND 2
/* Waiting for the core has at most this part of the budget, over all probes together, and one probe
   at most this part of what is left of that: else the first would use it up. */
#define ENGINE_WAIT (1 / 4.0)
#define ENGINE_WAIT_PROBE (1 / 4.0)
/* Bytes of a file's name. */
#define ENGINE_FILE 4096

/* A probe of the registry. */
struct engine_probe {
  const char *name;
  const char *needs;
  int (*measure)(struct hw_bench *bench);
};

static const struct engine_probe engine_probes[] = {
#define HW_PROBE(name, group, needs) {#name, #needs, hw_probe_##name},
#include "probes/params.h"
    {NULL, NULL, NULL}};

const struct hw_param hw_params[] = {
#define HW_PARAM(macro, probe, value, unit, low, high, fallback, reported, paper, title)           \
  {"HW_" #macro, #value, #probe, #unit, #title, low, high, #fallback, hw_value_##value},
#include "probes/params.h"
    {NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL}};

const struct hw_param *hw_param_find(const char *name) {
  for (const struct hw_param *p = hw_params; p->name != NULL; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}

/* The next word of a list, of the returned length; 0 at its end. */
static size_t engine_word(const char **list, const char **word) {
  size_t length;

  *word = *list + strspn(*list, " ");
  length = strcspn(*word, " ");
  *list = *word + length;
  return length;
}

static bool engine_is(const char *name, const char *word, size_t length) {
  return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* Whether one of the rows, separated by blanks, is that of the key. */
static bool engine_listed(const char *rows, const char *key) {
  const char *word;
  size_t length;

  while ((length = engine_word(&rows, &word)) > 0)
    if (engine_is(key, word, length))
      return true;
  return false;
}

/* The kinds of rows, as the table has them: how two values of a row are compared, and whether they
   may have a range. */
static const struct engine_kind {
  const char *rows;
  enum { ENGINE_EXACT, ENGINE_CYCLES, ENGINE_RANGE } kind;
  double beside; /* cycles */
} engine_kinds[] = {
#define HW_CYCLES(values, beside) {#values, ENGINE_CYCLES, beside / 100.0},
#define HW_RANGE(values) {#values, ENGINE_RANGE, 0},
#include "probes/params.h"
};

/* That of a row. */
static const struct engine_kind *engine_kind(const struct hw_param *param) {
  static const struct engine_kind exact = {"", ENGINE_EXACT, 0};

  for (size_t i = 0; i < sizeof engine_kinds / sizeof engine_kinds[0]; i++)
    if (engine_listed(engine_kinds[i].rows, param->key))
      return &engine_kinds[i];
  return &exact;
}

/* By how much two values of a row in cycles may differ, one of them being value; 0 for the others.
 */
static double engine_beside(const struct hw_param *param, const struct hw_curves *curves,
                            double value) {
  const struct engine_kind *kind = engine_kind(param);
  double most;

  if (kind->kind != ENGINE_CYCLES)
    return 0;
  most = kind->beside;
  if (strcmp(param->unit, "cycles/100") == 0)
    most *= 100;
  else if (strcmp(param->unit, "ps") == 0)
    most *= hw_read_cycle_ps(curves).value;
  return fmax(most, HW_CYCLES_ERROR * value);
}

/* The answer without its range if that is no wider than values of such a row may differ. */
static struct hw_answer engine_alone(const struct hw_param *param, const struct hw_curves *curves,
                                     struct hw_answer answer) {
  const double most = engine_beside(param, curves, answer.value);

  if (answer.known && most > 0 && answer.value - answer.low <= most &&
      answer.high - answer.value <= most)
    answer.low = answer.high = 0;
  return answer;
}

size_t hw_params_by_worth(const struct hw_param **row) {
  static const char *const stages[] = {
#define HW_STAGE(probes) #probes,
#include "probes/params.h"
  };
  const char *word;
  size_t n = 0, length;

  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
    for (const char *at = stages[i]; (length = engine_word(&at, &word)) > 0;)
      for (const struct hw_param *p = hw_params; p->name != NULL; p++)
        if (engine_is(p->probe, word, length)) {
          if (row != NULL)
            row[n] = p;
          n++;
        }
  return n;
}

/* The answer of a reader that gives no range with that which its error says: of kind range, at
   other times too, and of a time in cycles that does not stand alone. */
static struct hw_answer engine_ranged(const struct hw_param *param, const struct hw_curves *curves,
                                      struct hw_answer answer) {
  const struct engine_kind *kind = engine_kind(param);
  struct hw_answer ranged;

  if (!answer.known || answer.high > 0 || kind->kind == ENGINE_EXACT ||
      !(answer.error > engine_beside(param, curves, answer.value)))
    return answer;
  ranged = hw_ranged(answer.method, answer.value, answer.value - answer.error,
                     answer.value + answer.error);
  if (kind->kind == ENGINE_RANGE)
    ranged = hw_at_other_times(ranged, HW_OTHERS_MEMORY);
  return ranged.known ? ranged : answer;
}

struct hw_answer hw_param_reduce(const struct hw_param *param, const struct hw_curves *curves,
                                 FILE *log) {
  struct hw_answer answer =
      engine_alone(param, curves, engine_ranged(param, curves, param->value(curves)));

  if (!answer.known || (round(answer.value) >= param->low && round(answer.value) <= param->high))
    return answer;
  fprintf(log, "%s: %g is out of range\n", param->name, answer.value);
  return hw_unknown(answer.method, "it is out of range");
}

int hw_effort_find(const char *name, struct hw_effort *effort) {
  static const struct {
    const char *name;
    struct hw_effort effort;
  } known[] = {
#define HW_EFFORT(name, budget, mpi, rounds, most, attempts, precision, patience, wait, leaves)    \
  {#name, {rounds, most, attempts, precision, (patience)*1e9, (wait)*1e9, leaves}},
#include "probes/params.h"
  };

  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0) {
      *effort = known[i].effort;
      return 0;
    }
  return -1;
}

#define ENGINE_WHY_FORMAT "%79[^\n]" /* HW_ENGINE_WHY less its end */

static const struct engine_probe *engine_probe_find(const char *name) {
  for (const struct engine_probe *p = engine_probes; p->name != NULL; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}

/* The next probe of a list of needs, which is advanced past it; NULL at its end, and for "none". */
static const struct engine_probe *engine_next(const char **needs) {
  char word[HW_CURVE_NAME + 1];
  int length;

  if (sscanf(*needs, "%48s%n", word, &length) != 1)
    return NULL;
  *needs += length;
  return engine_probe_find(word);
}

/* Why there is no curve of a probe; NULL for a name that keeps curves but is no probe. */
static char *engine_why(struct hw_engine *engine, const char *probe) {
  const struct engine_probe *known = engine_probe_find(probe);

  return known != NULL ? engine->why[known - engine_probes] : NULL;
}

/* Opens DIRECTORY/NAME.SUFFIX, whose name becomes *path.  NULL where that fails, or there is no
   directory. */
static FILE *engine_open(const struct hw_engine *engine, const char *name, const char *suffix,
                         const char *mode, char path[ENGINE_FILE]) {
  if (engine->directory == NULL)
    return NULL;
  snprintf(path, ENGINE_FILE, "%s/%s.%s", engine->directory, name, suffix);
  return fopen(path, mode);
}

/* Writes a curve, whole or not at all. */
static void engine_keep_curve(const struct hw_engine *engine, const struct hw_curve *curve) {
  char half[ENGINE_FILE], path[ENGINE_FILE];
  FILE *out;
  int bad;

  if (engine->directory == NULL)
    return;
  out = engine_open(engine, curve->name, "half", "w", half);
  bad = out == NULL || hw_curve_write(curve, out) < 0;
  if (out != NULL && fclose(out) != 0)
    bad = 1;
  snprintf(path, sizeof path, "%s/%s.curve", engine->directory, curve->name);
  if (bad || rename(half, path) != 0) {
    fprintf(engine->bench.log, "%s: %s\n", path, strerror(errno));
    remove(half);
  }
}

/* The list DIRECTORY/PROBE.list names the curves of a probe, has a line "! NUMBER" after more
   attempts than one, and a last line "? REASON" if there are none or some are missing. */
bool hw_engine_recall(struct hw_engine *engine, const char *probe) {
  const struct engine_probe *known = engine_probe_find(probe);
  char name[HW_CURVE_NAME + 1], path[ENGINE_FILE];
  FILE *list = engine_open(engine, probe, "list", "r", path), *in;
  char *why = engine_why(engine, probe); /* NULL: no probe's */
  bool all = list != NULL;
  unsigned tries = 0;

  if (list != NULL && why != NULL)
    why[0] = '\0';
  while (all && fscanf(list, "%48s", name) == 1) {
    struct hw_curve curve;
    if (strcmp(name, "!") == 0) {
      if (fscanf(list, "%u", &tries) != 1)
        tries = 1;
      continue;
    }
    if (strcmp(name, "?") == 0) {
      if (why != NULL && fscanf(list, " " ENGINE_WHY_FORMAT, why) != 1)
        why[0] = '\0';
      break;
    }
    if (tries == 0)
      tries = 1;
    in = engine_open(engine, name, "curve", "r", path);
    all = in != NULL && hw_curve_read(&curve, path, in, engine->bench.log) == 0 &&
          hw_curves_put(&engine->bench.curves, &curve) == 0;
    if (in != NULL)
      fclose(in);
  }
  if (list != NULL)
    fclose(list);
  if (all && known != NULL && engine->tries[known - engine_probes] == 0)
    engine->tries[known - engine_probes] = tries;
  return all;
}

/* The list is written last: the curves that it names are whole. */
void hw_engine_keep(const struct hw_engine *engine, const char *probe) {
  const struct hw_curves *curves = &engine->bench.curves;
  const struct engine_probe *known = engine_probe_find(probe);
  const char *why = known != NULL ? engine->why[known - engine_probes] : "";
  char path[ENGINE_FILE];
  FILE *list;

  if (engine->directory == NULL)
    return;
  for (size_t i = 0; i < curves->n; i++)
    if (strcmp(curves->curve[i]->probe, probe) == 0)
      engine_keep_curve(engine, curves->curve[i]);
  list = engine_open(engine, probe, "list", "w", path);
  if (list == NULL)
    return;
  for (size_t i = 0; i < curves->n; i++)
    if (strcmp(curves->curve[i]->probe, probe) == 0)
      fprintf(list, "%s\n", curves->curve[i]->name);
  if (known != NULL && engine->tries[known - engine_probes] > 1)
    fprintf(list, "! %u\n", engine->tries[known - engine_probes]);
  if (why[0] != '\0')
    fprintf(list, "? %s\n", why);
  fclose(list);
}

/* Whether the bench has a curve of the probe. */
static bool engine_has(const struct hw_engine *engine, const char *probe) {
  const struct hw_curves *curves = &engine->bench.curves;

  for (size_t i = 0; i < curves->n; i++)
    if (strcmp(curves->curve[i]->probe, probe) == 0)
      return true;
  return false;
}

/* Whether programs rely on the row: they use a number if it is unknown. */
static bool engine_relied_on(const struct hw_param *param) {
  return param->fallback[0] >= '0' && param->fallback[0] <= '9';
}

/* Whether a probe says that it lacks this row. */
static bool engine_blames(const char *why, const struct hw_param *param) {
  const size_t length = strlen(param->name);

  return strncmp(why, param->name, length) == 0 && strcmp(why + length, " is unknown") == 0;
}

/* The answer that a reader has given, with the probe's reason in place of the reader's where there
   is no curve, or where the probe ended before it had all that it wants; not where the reader knows
   that the row stays unknown, nor where the probe lacked this row for others. */
static struct hw_answer engine_reason(struct hw_engine *engine, const struct hw_param *param,
                                      struct hw_answer answer) {
  const char *why = engine_why(engine, param->probe);

  if (answer.known || why[0] == '\0' || engine_blames(why, param) ||
      (answer.settled && strcmp(answer.method, HW_NO_METHOD) != 0 &&
       engine_has(engine, param->probe)))
    return answer;
  answer.why = why;
  answer.settled = false;
  return answer;
}

/* A row of the probe that more effort may make clear, preferably one that programs rely on; or
   NULL. */
static const struct hw_param *engine_unclear(struct hw_engine *engine, const char *probe) {
  const struct hw_param *unclear = NULL;

  for (const struct hw_param *p = hw_params; p->name != NULL; p++)
    if (strcmp(p->probe, probe) == 0 && (unclear == NULL || engine_relied_on(p))) {
      struct hw_answer answer = engine_reason(engine, p, p->value(&engine->bench.curves));
      if (!answer.known && !answer.settled)
        unclear = p;
    }
  return unclear;
}

/* Notes why the probe, which began at since, ns, has no curve, or ended before it had all. */
static void engine_note_why(struct hw_engine *engine, const struct engine_probe *probe,
                            double since) {
  struct hw_bench *bench = &engine->bench;
  const char *why = "nothing could be measured";

  if (bench->why != NULL)
    why = bench->why;
  else if (bench->machine->refused != NULL)
    why = bench->machine->refused;
  else if (hw_late(bench))
    why = "the budget is spent";
  else if (bench->limit > 0 && hw_now(bench) - since >= bench->limit)
    why = "it took longer than one probe may";
  else if (engine_has(engine, probe->name))
    why = "";
  snprintf(engine->why[probe - engine_probes], HW_ENGINE_WHY, "%s", why);
}

/* Raises the effort of a further attempt at a probe that has curves: twice as much each time. */
static void engine_raise(struct hw_engine *engine, const struct engine_probe *probe) {
  struct hw_effort *effort = &engine->bench.effort;

  if (!engine_has(engine, probe->name))
    return;
  for (unsigned i = 0; i < engine->tries[probe - engine_probes]; i++) {
    effort->rounds *= 2;
    effort->rounds_max *= 2;
  }
}

/* Makes an attempt at a probe, and says in the log what came of it.  Its random numbers, and the
   state of a simulated machine, do not depend on what was measured before.  0, or -1 if it did not
   come to its end. */
static int engine_try(struct hw_engine *engine, const struct engine_probe *probe) {
  struct hw_bench *bench = &engine->bench;
  const double start = hw_now(bench), waited = bench->waited;
  const struct hw_param *unclear;
  unsigned *tries = &engine->tries[probe - engine_probes];
  int result;

  bench->codeless = false;
  bench->random = hw_random_of(bench->seed, probe->name, *tries);
  result = bench->machine->ops->reset(bench->machine, bench->random.state) < 0
               ? -1
               : probe->measure(bench);
  engine->codeless[probe - engine_probes] = bench->codeless;
  if (bench->codeless)
    return result;
  *tries += 1;
  engine->cut[probe - engine_probes] = result < 0;
  engine->ended[probe - engine_probes] = hw_now(bench);
  engine->own[probe - engine_probes] = hw_now(bench) - start - (bench->waited - waited);
  fprintf(bench->log, "%s: measured in %.3g ms, waited %.3g ms for the core%s\n", probe->name,
          (hw_now(bench) - start) / 1e6, (bench->waited - waited) / 1e6,
          result < 0 ? ", not completed" : "");
  unclear = engine_unclear(engine, probe->name);
  if (unclear != NULL)
    fprintf(bench->log, "%s: %s: %s\n", probe->name, unclear->name,
            unclear->value(&bench->curves).why);
  return result;
}

/* How long the next probe may wait for the core, ns. */
static double engine_wait(const struct hw_engine *engine) {
  const double left = engine->wait_most - engine->bench.waited;

  if (engine->wait_most <= 0)
    return engine->bench.effort.wait;
  return fmax(0, fmin(engine->bench.effort.wait, ENGINE_WAIT_PROBE * left));
}

/* How many rows of the probe are known. */
static unsigned engine_tells(const struct hw_engine *engine, const char *probe) {
  unsigned known = 0;

  for (const struct hw_param *p = hw_params; p->name != NULL; p++)
    known += strcmp(p->probe, probe) == 0 && p->value(&engine->bench.curves).known;
  return known;
}

/* Measures a probe within its own time, and keeps its curves, or why there are none; those of an
   earlier attempt where it knows fewer rows, or no more and did not come to its end. */
static void engine_measure(struct hw_engine *engine, const struct engine_probe *probe) {
  struct hw_bench *bench = &engine->bench;
  const struct hw_effort effort = bench->effort;
  const double deadline = bench->deadline, first = hw_now(bench);
  const unsigned known = engine_tells(engine, probe->name);
  const bool cut = engine->cut[probe - engine_probes];
  unsigned tells;
  int result = -1;

  bench->wait = engine_wait(engine);
  bench->issue = (struct hw_point){0};
  bench->why = bench->machine->refused = NULL;
  if (bench->limit > 0)
    bench->deadline = fmin(deadline, first + bench->limit);
  engine_raise(engine, probe);
  if (!hw_late(bench))
    result = engine_try(engine, probe);
  if (hw_issue_lower(bench) == 0 && bench->renewed)
    hw_engine_keep(engine, "clock");
  bench->renewed = false;
  bench->effort = effort;
  bench->deadline = deadline;
  if (engine->codeless[probe - engine_probes])
    return;
  if (result < 0 || bench->why != NULL || bench->machine->refused != NULL)
    engine_note_why(engine, probe, first);
  tells = engine_tells(engine, probe->name);
  if ((tells < known || (tells == known && result < 0)) && hw_engine_recall(engine, probe->name))
    engine->cut[probe - engine_probes] = cut;
  hw_engine_keep(engine, probe->name);
}

/* How often a probe may be measured: a third time when all that are open have had a second. */
static unsigned engine_most(const struct hw_engine *engine) {
  const unsigned most = engine->bench.effort.attempts;

  return engine->third || most < ENGINE_SECOND ? most : ENGINE_SECOND;
}

/* Marks a probe to be measured anew, unless that was done as often as may be. */
static void engine_mark(struct hw_engine *engine, const struct engine_probe *probe) {
  const size_t i = (size_t)(probe - engine_probes);

  if (engine->tries[i] >= engine_most(engine))
    return;
  engine->anew[i] = true;
  engine->measured[i] = false;
}

/* Marks an unclear probe, and the unclear ones that it needs, to be measured anew. */
static void engine_renew(struct hw_engine *engine, const struct engine_probe *probe) {
  const struct engine_probe *need;

  if (engine_unclear(engine, probe->name) == NULL && !engine->cut[probe - engine_probes])
    return;
  engine_mark(engine, probe);
  for (const char *at = probe->needs; (need = engine_next(&at)) != NULL;)
    engine_renew(engine, need);
}

/* The first row of a probe, on which others depend; NULL if it has none. */
static const struct hw_param *engine_first(const struct engine_probe *probe) {
  for (const struct hw_param *p = hw_params; p->name != NULL; p++)
    if (strcmp(p->probe, probe->name) == 0)
      return p;
  return NULL;
}

/* Whether what others read of a probe is known. */
static bool engine_known(const struct hw_engine *engine, const struct engine_probe *probe) {
  const struct hw_param *first = engine_first(probe);

  if (engine->cut[probe - engine_probes])
    return false;
  return first == NULL || first->value(&engine->bench.curves).known;
}

/* Marks a probe to be measured anew after one that it needs, if it has no curve or its first
   row, on which others depend, is unknown: settled or not, it was without what that tells. */
static void engine_follow(struct hw_engine *engine, const struct engine_probe *probe) {
  const struct engine_probe *need;

  if (engine_has(engine, probe->name) && engine_known(engine, probe))
    return;
  for (const char *at = probe->needs; (need = engine_next(&at)) != NULL;)
    if (engine->anew[need - engine_probes])
      engine_mark(engine, probe);
}

bool hw_engine_again(struct hw_engine *engine) {
  const struct hw_bench *bench = &engine->bench;
  const bool first = !engine->again;
  /* Whether rows are measured again on which no program relies. */
  const bool patient = bench->spent + hw_now(bench) < bench->effort.patience;

  if (hw_late(bench) || (!first && !patient))
    return false;
  engine->again = true;
  engine->third = !first;
  for (size_t i = 0; i < HW_PROBES; i++) {
    engine->anew[i] = false;
    if (!engine->measured[i] && !engine_has(engine, engine_probes[i].name))
      hw_engine_recall(engine, engine_probes[i].name);
  }
  for (const struct engine_probe *p = engine_probes; p->name != NULL; p++) {
    const struct hw_param *unclear = engine_unclear(engine, p->name);
    if (unclear != NULL && (patient || engine_relied_on(unclear)))
      engine_renew(engine, p);
  }
  for (const struct engine_probe *p = engine_probes; p->name != NULL; p++)
    engine_follow(engine, p);
  return true;
}

/* Whether another attempt at a probe that this process has measured is worth while before others
   that need it: it lacks nothing, it is cheap, and may tell what they read. */
static bool engine_worth(struct hw_engine *engine, const struct engine_probe *probe) {
  const struct hw_bench *bench = &engine->bench;
  const struct hw_param *first = engine_first(probe);
  const size_t i = (size_t)(probe - engine_probes);
  const struct engine_probe *need;
  struct hw_answer answer;

  if (!(engine->ended[i] > 0) || engine->codeless[i] || hw_late(bench) ||
      engine->tries[i] >= engine_most(engine) ||
      (bench->limit > 0 && engine->own[i] > ENGINE_CHEAP * bench->limit))
    return false;
  for (const char *at = probe->needs; (need = engine_next(&at)) != NULL;)
    if (!engine_known(engine, need))
      return false;
  if (first == NULL || engine->cut[i])
    return engine->cut[i];
  answer = engine_reason(engine, first, first->value(&bench->curves));
  return !answer.known && !answer.settled;
}

/* Tries a probe again that is worth while, some time later. */
static void engine_retry(struct hw_engine *engine, const struct engine_probe *probe) {
  const size_t i = (size_t)(probe - engine_probes);

  while (engine_worth(engine, probe)) {
    hw_pause(&engine->bench, engine->ended[i] + ENGINE_APART - hw_now(&engine->bench));
    engine->why[i][0] = '\0';
    engine_measure(engine, probe);
  }
}

/* Measures a probe unless that has been done, after those that it needs.  False: no code was
   compiled for it, or for one of those. */
static bool engine_need(struct hw_engine *engine, const char *name) {
  const struct engine_probe *probe = engine_probe_find(name), *need;
  const bool codeless = engine->codeless[probe - engine_probes];
  bool ready = !codeless;

  for (const char *at = probe->needs; !codeless && (need = engine_next(&at)) != NULL;) {
    ready = engine_need(engine, need->name) && ready;
    engine_retry(engine, need);
  }
  /* When the budget is spent, what an attempt has said of itself stays. */
  if (hw_late(&engine->bench) && engine->tries[probe - engine_probes] > 0)
    return ready;
  if (ready && !engine->measured[probe - engine_probes] &&
      (engine->anew[probe - engine_probes] ||
       (!engine_has(engine, name) && !hw_engine_recall(engine, name)))) {
    engine->measured[probe - engine_probes] = true;
    engine->why[probe - engine_probes][0] = '\0';
    engine_measure(engine, probe);
  }
  return ready && !engine->codeless[probe - engine_probes];
}

/* Why the run leaves out the row's probe, or NULL. */
static const char *engine_left(const struct hw_engine *engine, const struct hw_param *param) {
  static const struct {
    const char *name;
    unsigned least;
    const char *why;
  } left[] = {
#define HW_BRIEF(name) {#name, 2, "a quick run leaves it out"},
#define HW_RARE(name) {#name, 1, "only measured when named"},
#include "probes/params.h"
  };

  for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
    if (strcmp(left[i].name, param->probe) == 0 && !engine->named &&
        engine->bench.effort.leaves >= left[i].least)
      return left[i].why;
  return NULL;
}

void hw_engine_budget(struct hw_engine *engine, const struct hw_budget *budget) {
  struct hw_bench *bench = &engine->bench;

  bench->deadline = budget->left * 1e9;
  bench->spent = budget->spent * 1e9;
  engine->wait_most = ENGINE_WAIT * budget->seconds * 1e9;
  bench->limit = ENGINE_PROBE * 1e9 * ENGINE_PRECISION / bench->effort.precision;
}

struct hw_answer hw_engine_value(struct hw_engine *engine, const struct hw_param *param) {
  struct hw_answer answer;

  if (engine->bench.machine->doubt != NULL)
    return hw_unknown(HW_NO_METHOD, engine->bench.machine->doubt);
  if (engine_left(engine, param) != NULL)
    return hw_unknown(HW_NO_METHOD, engine_left(engine, param));
  if (!engine->settled) {
    engine->settled = engine_need(engine, "kinds");
    hw_kinds_settle(&engine->bench);
  }
  if (!engine_need(engine, param->probe))
    return hw_unknown(HW_NO_METHOD, "its code was not compiled");
  answer = hw_param_reduce(param, &engine->bench.curves, engine->bench.log);
  return engine_reason(engine, param, answer);
}

struct hw_answer hw_param_published(const struct hw_param *param, const struct hw_curves *curves,
                                    struct hw_answer answer) {
  const double most = engine_beside(param, curves, answer.value);
  struct hw_answer ranged;

  if (answer.known || !(answer.high > 0) || !(most > 0) || round(answer.value) < param->low ||
      round(answer.value) > param->high)
    return answer;
  ranged = hw_ranged(answer.method, answer.value, fmin(answer.low, answer.value - most),
                     fmax(answer.high, answer.value + most));
  return ranged.known ? ranged : answer;
}

/* Whether a probe, or one that it needs, reads the map. */
static bool engine_maps(const struct engine_probe *probe) {
  const struct engine_probe *need;
  bool maps = strcmp(probe->name, "map") == 0;

  for (const char *at = probe->needs; !maps && (need = engine_next(&at)) != NULL;)
    maps = engine_maps(need);
  return maps;
}

/* The level of cache that a row is about, to which its probe and those that this needs can confine
   themselves: 1, or 2; 3 of all other rows. */
static unsigned engine_level(const struct hw_param *param) {
  const bool first = strncmp(param->name, "HW_L1_", 6) == 0;

  if (strcmp(param->probe, "clock") == 0 || strcmp(param->probe, "kinds") == 0 ||
      strcmp(param->probe, "l1") == 0 || strcmp(param->probe, "line") == 0 ||
      strcmp(param->probe, "latency") == 0 || (first && strcmp(param->probe, "levels") == 0))
    return 1;
  return (first || strncmp(param->name, "HW_L2_", 6) == 0) &&
                 (strcmp(param->probe, "colours") == 0 || strcmp(param->probe, "sharing") == 0)
             ? 2
             : 3;
}

/* How far the map has to reach for a row: the last level of cache, or HW_LEVEL_MEMORY. */
static unsigned engine_reach(const struct hw_param *param) {
  const char *of = param->name + (strncmp(param->name, "HW_HAVE_L", 9) == 0 ? 8 : 3);

  if (!engine_maps(engine_probe_find(param->probe)))
    return 1;
  if (strcmp(param->probe, "levels") != 0 && strcmp(param->probe, "colours") != 0)
    return HW_LEVEL_MEMORY;
  return strncmp(of, "L1", 2) == 0 ? 1 : strncmp(of, "L2", 2) == 0 ? 2 : 3;
}

/* A row that is asked for. */
struct engine_asked {
  const struct hw_param *param;
  struct hw_answer said;
  bool open; /* its answer is not known */
};

/* Asks for a row, and tells it: an open one at the end of all.  Whether more effort may make it
   known. */
static bool engine_ask(struct hw_engine *engine, struct engine_asked *asked,
                       const struct hw_told *told, enum hw_telling open) {
  const struct hw_answer answer = hw_engine_value(engine, asked->param);

  asked->open = !answer.known;
  asked->said = hw_param_published(asked->param, &engine->bench.curves, answer);
  told->tell(told->context, asked->param, asked->said, asked->open ? open : HW_TELL_ANSWER);
  return asked->open && !answer.settled;
}

/* Asks for those of n rows that are open, and of these only for such as programs rely on, or only
   for the others.  Returns how many more effort may make known. */
static size_t engine_reask(struct hw_engine *engine, struct engine_asked *asked, size_t n,
                           bool relied, const struct hw_told *told) {
  size_t left = 0;

  for (size_t i = 0; i < n; i++)
    if (asked[i].open && engine_relied_on(asked[i].param) == relied)
      left += engine_ask(engine, &asked[i], told, HW_TELL_OPEN);
  return left;
}

/* Tells a row once more of which later curves say something else than was told, or nothing. */
static void engine_revise(struct hw_engine *engine, struct engine_asked *asked,
                          const struct hw_told *told) {
  struct hw_bench *bench = &engine->bench;
  struct hw_answer answer = hw_param_reduce(asked->param, &bench->curves, bench->log);

  answer = hw_param_published(asked->param, &bench->curves, answer);
  if (memcmp(&(double[]){answer.value, answer.low, answer.high, answer.known},
             &(double[]){asked->said.value, asked->said.low, asked->said.high, true},
             4 * sizeof(double)) != 0)
    told->tell(told->context, asked->param, engine_reason(engine, asked->param, answer),
               HW_TELL_ANEW);
}

/* Tells, unasked, that there are several kinds of processors: what rows say is of one of them. */
static void engine_tell_kinds(const struct hw_engine *engine, const struct hw_param *const *row,
                              size_t n, const struct hw_told *told) {
  const struct hw_param *kinds = hw_param_find("HW_CPU_KINDS");
  const struct hw_answer answer = hw_param_reduce(kinds, &engine->bench.curves, engine->bench.log);

  for (size_t i = 0; i < n; i++)
    if (row[i] == kinds)
      return;
  if (answer.known && answer.value > 1)
    told->tell(told->context, kinds, answer, HW_TELL_ANSWER);
}

void hw_engine_ask(struct hw_engine *engine, const struct hw_param *const *row, size_t n,
                   const struct hw_told *told) {
  struct engine_asked *asked = calloc(n + 1, sizeof *asked);
  size_t left = 0;

  if (asked == NULL)
    return; /* nothing is told: no answer */
  engine->bench.level = engine->bench.reach = 0;
  for (size_t i = 0; i < n; i++) {
    if (engine->bench.level < engine_level(row[i]))
      engine->bench.level = engine_level(row[i]);
    if (engine->bench.reach < engine_reach(row[i]))
      engine->bench.reach = engine_reach(row[i]);
  }
  for (size_t i = 0; i < n; i++) {
    asked[i].param = row[i];
    left += engine_ask(engine, &asked[i], told, HW_TELL_OPEN);
    if (i == 0)
      engine_tell_kinds(engine, row, n, told);
  }
  for (unsigned pass = 1; left > 0 && pass < engine->bench.effort.attempts; pass++) {
    if (!hw_engine_again(engine))
      break;
    left = engine_reask(engine, asked, n, true, told);
    left += engine_reask(engine, asked, n, false, told);
  }
  for (size_t i = 0; i < n; i++)
    if (asked[i].open)
      (void)engine_ask(engine, &asked[i], told, HW_TELL_ANSWER);
    else
      engine_revise(engine, &asked[i], told);
  free(asked);
}

void hw_engine_print(const struct hw_param *param, struct hw_answer answer, FILE *out) {
  if (answer.known)
    fprintf(out, "%s = %.0f\n", param->name, round(answer.value));
  else
    fprintf(out, "# %s unknown: %s\n", param->name, answer.why);
  hw_engine_print_range(param, answer, false, out);
}

/* The rows that have groups, and the curves of these. */
static const struct engine_groups {
  const char *row;
  const char *curve;
  const char *name;
  const char *key;
} engine_groups[] = {
#define HW_LIST(macro, list, row, curve) {"HW_" #row, #curve, "HW_" #macro, #list},
#include "probes/params.h"
};

/* Prints the group whose first member is at a place, as "0,1": by the numbers of the processors, or
   by their places if these have none. */
static void engine_print_group(const struct hw_engine *engine, const struct hw_curve *curve,
                               size_t first, FILE *out) {
  size_t n = 0;
  const unsigned *number = engine->bench.machine->ops->processors(engine->bench.machine, &n);

  for (size_t i = first; i < curve->n; i++)
    if (curve->point[i].y >= (double)first && curve->point[i].y <= (double)first)
      fprintf(out, "%s%u", i > first ? "," : "", i < n ? number[i] : (unsigned)i);
}

/* Prints the largest bundles of a curve, each as "4,0,1", its operations of each kind. */
static void engine_print_bundles(const struct hw_curve *curve, bool profile, FILE *out) {
  bool more = false;

  for (size_t i = 0; i < curve->n; i++) {
    double x = curve->point[i].x;
    if (!hw_mix_largest(curve, x))
      continue;
    for (unsigned k = 0; k < HW_BUNDLE_KINDS; k++, x = floor(x / 10))
      fprintf(out, "%s%.0f", k > 0 ? "," : !more ? "" : profile ? "/" : " ", fmod(x, 10));
    more = true;
  }
  fputc('\n', out);
}

void hw_engine_print_groups(const struct hw_engine *engine, const struct hw_param *param,
                            struct hw_answer answer, bool profile, FILE *out) {
  const struct hw_curves *curves = &engine->bench.curves;
  const struct engine_groups *groups = engine_groups;
  const struct hw_curve *curve;
  size_t lead;

  while (strcmp(groups->row, param->name) != 0)
    if (++groups == engine_groups + sizeof engine_groups / sizeof engine_groups[0])
      return;
  curve = hw_curves_get(curves, groups->curve);
  if (curve == NULL || curve->n < 2 || (!answer.known && strcmp(answer.why, HW_GROUPS_UNEVEN) != 0))
    return;
  fprintf(out, profile ? "hw_cv_%s=" : "%s = ", profile ? groups->key : groups->name);
  if (strcmp(groups->curve, HW_NAME_BUNDLES) == 0) {
    engine_print_bundles(curve, profile, out);
    return;
  }
  lead = strcmp(groups->curve, "kinds") == 0 ? hw_kinds_lead(curves) : 0;
  engine_print_group(engine, curve, lead, out);
  for (size_t i = 0; i < curve->n; i++)
    if (i != lead && curve->point[i].y >= (double)i) {
      fputc(profile ? '/' : ' ', out);
      engine_print_group(engine, curve, i, out);
    }
  fputc('\n', out);
}

void hw_engine_print_range(const struct hw_param *param, struct hw_answer answer, bool profile,
                           FILE *out) {
  if (!answer.known || !(answer.high > 0) || engine_kind(param)->kind == ENGINE_EXACT)
    return;
  fprintf(out, profile ? "hw_cv_%s_range=%.0f:%.0f\n" : "# %s range %.0f %.0f\n",
          profile ? param->key : param->name, floor(answer.low), ceil(answer.high));
}
