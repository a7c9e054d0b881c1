/* The engine: from a parameter's name to its value.  It runs the probes that the parameter needs,
   each once, keeps their curves, and measures again where a reduction is unclear. */
#ifndef HW_ENGINE_H
#define HW_ENGINE_H

#include "probes/probe.h"

/* A row of the registry. */
struct hw_param {
  const char *name; /* with HW_ */
  const char *key;  /* the name of its value, in a profile behind hw_cv_ */
  const char *probe;
  const char *unit;
  const char *title;
  double low;
  double high;
  const char *fallback; /* what programs have in its place where it is unknown: a number, or not */
  struct hw_answer (*value)(const struct hw_curves *curves);
};

/* The rows, in order; the last has no name. */
extern const struct hw_param hw_params[];

/* The row of that name, or NULL. */
const struct hw_param *hw_param_find(const char *name);

/* The effort of that name (quick, default, thorough).  0, or -1 when there is none. */
int hw_effort_find(const char *name, struct hw_effort *effort);

/* The probes of the registry. */
enum {
#define HW_PROBE(name, group, needs) HW_PROBE_##name,
#include "probes/params.h"
  HW_PROBES
};

/* Seconds for the whole run when nothing else is said, but where effort has no limit. */
#define HW_BUDGET 60.0

/* Room for a reason. */
#define HW_ENGINE_WHY 80

struct hw_engine {
  struct hw_bench bench;
  const char *directory;              /* where curves are kept, or NULL */
  bool waits[HW_PROBES];              /* a probe for its code */
  bool measured[HW_PROBES];           /* a probe, here: once, whatever came of it */
  bool anew[HW_PROBES];               /* a probe is to be measured though it has been */
  char why[HW_PROBES][HW_ENGINE_WHY]; /* why there is no curve of a probe that was measured; empty:
                                         there is one */
  bool settled;                       /* on a processor */
};

/* Gives all probes together so many seconds, beside those that earlier processes have spent, and
   each of them no more than its part, by the bench's effort. */
void hw_engine_budget(struct hw_engine *engine, double seconds, double spent);

/* Measures and reduces what the row needs.  Curves that the directory holds are not measured
   again.  No answer where it stays unclear, is out of the row's range, or time ran out. */
struct hw_answer hw_engine_value(struct hw_engine *engine, const struct hw_param *param);

/* Has the probes measured anew of which an earlier process has left a row unclear that programs
   rely on, those they need that are unclear too, and those that had no curve for want of one of
   these. */
void hw_engine_again(struct hw_engine *engine);

/* The row read off the curves.  No answer when it is out of the row's range, which the log then
   has. */
struct hw_answer hw_param_reduce(const struct hw_param *param, const struct hw_curves *curves,
                                 FILE *log);

/* Keeps the curves of that probe in the directory, if there is one, for later processes. */
void hw_engine_keep(const struct hw_engine *engine, const char *probe);

/* Whether an earlier process has kept curves of that probe, which are then the bench's. */
bool hw_engine_recall(struct hw_engine *engine, const char *probe);

/* Prints the groups of processors that stand behind the answer, where there are any: as make has
   them, "HW_COMM1_GROUPS = 0,1 2,3", by the numbers of the system, or as a profile has them,
   "hw_cv_comm1_groups=0,1/2,3". */
void hw_engine_print_groups(const struct hw_engine *engine, const struct hw_param *param,
                            struct hw_answer answer, bool profile, FILE *out);

/* Prints a line of make for the row: "HW_X = 1", or "# HW_X unknown: why". */
void hw_engine_print(const struct hw_param *param, struct hw_answer answer, FILE *out);

#endif
