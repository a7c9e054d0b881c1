/* The engine: from a parameter's name to its value.  It runs the probes that the parameter needs,
   each once, keeps their curves, and measures again where a reduction is unclear: later, when all
   others have had their turn.  What disturbs lasts longer than a probe, so that a second attempt
   right after the first mostly ends as that did, and takes the others' time. */
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
  const char *fallback; /* the number that programs use if it is unknown, or no number */
  struct hw_answer (*value)(const struct hw_curves *curves);
};

/* The rows, in order; the last has no name. */
extern const struct hw_param hw_params[];

/* The row of that name, or NULL. */
const struct hw_param *hw_param_find(const char *name);

/* Puts all rows into that list, by worth: by their stages, and in a stage as it names the probes.
   Their number; without a list that alone. */
size_t hw_params_by_worth(const struct hw_param **row);

/* The effort of that name (quick, default, thorough).  0, or -1 when there is none. */
int hw_effort_find(const char *name, struct hw_effort *effort);

/* The probes of the registry. */
enum {
#define HW_PROBE(name, group, needs) HW_PROBE_##name,
#include "probes/params.h"
  HW_PROBES
};

/* Seconds for the whole run by default, where the effort has a limit of time. */
#define HW_BUDGET 60.0

/* Bytes of a reason. */
#define HW_ENGINE_WHY 80

struct hw_engine {
  struct hw_bench bench;
  const char *directory;     /* where curves are kept, or NULL */
  bool codeless[HW_PROBES];  /* no code was compiled for the probe */
  bool measured[HW_PROBES];  /* this process has measured the probe, or failed to */
  bool anew[HW_PROBES];      /* the probe is to be measured though it has been */
  bool cut[HW_PROBES];       /* the last attempt at the probe did not come to its end */
  double ended[HW_PROBES];   /* ns: when this process's last attempt at the probe ended */
  double own[HW_PROBES];     /* ns that this took, less waiting for the core */
  unsigned tries[HW_PROBES]; /* attempts at the probe, those of earlier processes included */
  char why[HW_PROBES][HW_ENGINE_WHY]; /* why there is no curve of a probe that was measured, or some
                                         are missing; empty: all are there */
  double wait_most;                   /* ns that all probes may wait for the core; 0: no limit */
  bool named;                         /* rows are named: a brief run leaves out none of them */
  bool settled;                       /* whether a processor has been chosen */
  bool again;                         /* whether unclear probes have been marked */
  bool third;                         /* whether that was so twice: all had a second attempt */
};

/* The time of a run, in seconds. */
struct hw_budget {
  double seconds; /* of all its processes */
  double left;    /* to this one */
  double spent;   /* by earlier ones, measuring */
};

/* Gives all probes together a budget, a part of which they may wait for the core, and each of them
   no more than its part, by the bench's effort. */
void hw_engine_budget(struct hw_engine *engine, const struct hw_budget *budget);

/* Measures and reduces what the row needs, each probe once.  Curves that the directory holds are
   not measured again, unless hw_engine_again has marked them.  No answer where it stays unclear, is
   out of the row's range, or time ran out. */
struct hw_answer hw_engine_value(struct hw_engine *engine, const struct hw_param *param);

/* Marks to be measured anew: the probes that have left a row unclear, in this process or an earlier
   one, unclear probes that these need, and probes without a curve that need one of them; none more
   often than the effort says, and none for a third attempt before the others have had their second.
   If its patience has ended only such as programs rely on, and the
   second time none.  False: none, or there is no time. */
bool hw_engine_again(struct hw_engine *engine);

/* How a row is told: unknown so far, and to be asked for again; its answer; another one, which
   curves say that were measured later for other rows. */
enum hw_telling { HW_TELL_OPEN, HW_TELL_ANSWER, HW_TELL_ANEW };

struct hw_told {
  void (*tell)(void *context, const struct hw_param *param, struct hw_answer answer,
               enum hw_telling telling);
  void *context;
};

/* Asks for n rows in turn, and for what is unclear again when all have had their turn: first for
   what programs rely on. */
void hw_engine_ask(struct hw_engine *engine, const struct hw_param *const *row, size_t n,
                   const struct hw_told *told);

/* The row read off the curves.  No answer when it is out of the row's range, which is logged. */
struct hw_answer hw_param_reduce(const struct hw_param *param, const struct hw_curves *curves,
                                 FILE *log);

/* The answer as it is told: of a row in cycles that is not known for now its range, if it has one,
   and no narrower than values of such a row may differ.  Until then it may be measured again. */
struct hw_answer hw_param_published(const struct hw_param *param, const struct hw_curves *curves,
                                    struct hw_answer answer);

/* Keeps the curves of that probe in the directory, if there is one, for later processes. */
void hw_engine_keep(const struct hw_engine *engine, const char *probe);

/* Loads the curves of that probe that an earlier process has kept.  Whether that worked. */
bool hw_engine_recall(struct hw_engine *engine, const char *probe);

/* Prints the groups of processors behind the answer, if any, by the system's numbers: as a line
   of make, "HW_COMM1_GROUPS = 0,1 2,3", or of a profile, "hw_cv_comm1_groups=0,1/2,3". */
void hw_engine_print_groups(const struct hw_engine *engine, const struct hw_param *param,
                            struct hw_answer answer, bool profile, FILE *out);

/* Prints the range of the answer, rounded to whole numbers that hold it, if it has one and the row
   is not of kind exact: "# HW_X range 429 495", or of a profile, "hw_cv_x_range=429:495". */
void hw_engine_print_range(const struct hw_param *param, struct hw_answer answer, bool profile,
                           FILE *out);

/* Prints a line of make for the row: "HW_X = 1", or "# HW_X unknown: why"; then its range. */
void hw_engine_print(const struct hw_param *param, struct hw_answer answer, FILE *out);

#endif
