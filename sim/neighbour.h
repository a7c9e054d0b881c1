/* Other threads on a simulated core: an SMT sibling, which runs at times, and another process,
   which takes turns with ours.  They bring lines and pages of their own into our caches. */
#ifndef HW_NEIGHBOUR_H
#define HW_NEIGHBOUR_H

#include "sim/description.h"
#include "sim/frontend.h"
#include "sim/hierarchy.h"
#include "sim/pace.h"

#include <stdbool.h>
#include <stdint.h>

/* The kinds of work that an SMT sibling slows. */
enum hw_feels {
  HW_FEELS_CHAIN, /* dependent operations */
  HW_FEELS_LOAD,  /* dependent loads */
  HW_FEELS_ISSUE, /* bound by issue and units of the core */
  HW_FEELS_MOVE,  /* bound by bandwidth between levels and memory */
  HW_FEELINGS
};

/* A thread that brings lines in. */
struct hw_visitor {
  enum hw_sim_kind_of_work work;
  bool there;
  double line_ns; /* between two lines that it uses; 0: none */
  double page_ns; /* between two pages of which it uses no line; 0: none */
  double line_due;
  double page_due;
  uint64_t lines; /* used so far */
  double owed;    /* lines that it used and that are not brought in yet */
};

struct hw_neighbours {
  const struct hw_description *description;
  struct hw_hierarchy *hierarchy;
  struct hw_frontend *frontend; /* or NULL */
  struct hw_pace *pace;
  struct hw_random random;
  struct hw_visitor sibling;
  struct hw_visitor other;   /* that of the noise statement's lines and pages */
  struct hw_visitor process; /* never there: its turns are done at once */
  double edge_ns;            /* when the sibling next starts or stops */
  double turn_ns;            /* when the process gets its next turn */
  double now_ns;             /* the wall clock, within an operation */
  double next_ns;            /* when the next event is due; infinite: never */
  unsigned long events;      /* so far */
};

/* Starts the threads that the description has, and no others.  Keeps the pointers to the hierarchy,
   the frontend (or NULL) and the pace. */
void hw_neighbours_start(struct hw_neighbours *neighbours, const struct hw_description *description,
                         struct hw_hierarchy *hierarchy, struct hw_frontend *frontend,
                         struct hw_pace *pace, uint64_t seed);

/* Whether the description has any. */
bool hw_neighbours_any(const struct hw_neighbours *neighbours);

/* Begins an operation that uses memory: the lines that other threads used meanwhile come in. */
void hw_neighbours_begin_memory(struct hw_neighbours *neighbours);

/* The factor by which the sibling slows such work while it runs. */
double hw_neighbours_factor(const struct hw_neighbours *neighbours, enum hw_feels feels);

/* The factor at present: 1 while the sibling does not run. */
double hw_neighbours_share(const struct hw_neighbours *neighbours, enum hw_feels feels);

/* Passes the time of ns of work that takes factor times as long while the sibling runs; other
   threads start, stop and bring in lines meanwhile.  Returns the time, ns, without the turns of the
   process, which the pace is told. */
double hw_neighbours_pass(struct hw_neighbours *neighbours, double ns, double factor);

/* The same of an operation that uses no memory: their lines come in when an operation next uses
 * memory. */
double hw_neighbours_rest(struct hw_neighbours *neighbours, double ns, double factor);

/* Passes ns as they are, in which other threads bring in nothing. */
void hw_neighbours_skip(struct hw_neighbours *neighbours, double ns);

/* ns until another thread changes anything; 0 while one that brings lines in runs. */
double hw_neighbours_quiet(const struct hw_neighbours *neighbours);

/* For a thread of a team on the first processor, whose caches are not simulated.  ns that it runs
   until the process has its next turn, drawn anew; and ns that the turn takes. */
double hw_neighbours_run(struct hw_neighbours *neighbours);
double hw_neighbours_turn(struct hw_neighbours *neighbours);

/* ns until the sibling starts or stops, or the process has its turn. */
double hw_neighbours_stay(const struct hw_neighbours *neighbours);

#endif
