/* Who shares a simulated core: another thread of it, an SMT sibling, who comes and goes, and
   another process, with which we take turns.  They bring lines and pages of their own into our
   caches. */
#ifndef HW_NEIGHBOUR_H
#define HW_NEIGHBOUR_H

#include "sim/description.h"
#include "sim/frontend.h"
#include "sim/hierarchy.h"
#include "sim/pace.h"

#include <stdbool.h>
#include <stdint.h>

/* What a sibling lengthens. */
enum hw_feels {
  HW_FEELS_CHAIN, /* operations that wait for each other */
  HW_FEELS_LOAD,  /* loads that do */
  HW_FEELS_ISSUE, /* what keeps the core busy */
  HW_FEELS_MOVE,  /* what keeps the ways between levels and memory busy */
  HW_FEELINGS
};

/* What brings lines in. */
struct hw_visitor {
  enum hw_sim_kind_of_work work;
  bool there;
  double line_ns; /* between two of his lines; 0: none */
  double page_ns; /* between two pages of which he uses no line; 0: none */
  double line_due;
  double page_due;
  uint64_t lines; /* so far */
  double owed;    /* lines that he used while nobody looked at the caches */
};

struct hw_neighbours {
  const struct hw_description *description;
  struct hw_hierarchy *hierarchy;
  struct hw_frontend *frontend; /* or NULL */
  struct hw_pace *pace;
  struct hw_random random;
  struct hw_visitor sibling;
  struct hw_visitor other;   /* whose lines the noise statement counts: lines and pages */
  struct hw_visitor process; /* there: never while we look */
  double edge_ns;            /* when the sibling comes or goes */
  double turn_ns;            /* when the process gets its turn */
  double now_ns;             /* the wall clock, within an operation */
  double next_ns;            /* when something happens next; infinite: never */
  unsigned long events;      /* that there were */
};

/* Nobody is there who is not described.  The hierarchy, the frontend (or NULL) and the pace stay
   where they are. */
void hw_neighbours_start(struct hw_neighbours *neighbours, const struct hw_description *description,
                         struct hw_hierarchy *hierarchy, struct hw_frontend *frontend,
                         struct hw_pace *pace, uint64_t seed);

/* Whether anybody can come: if not, there is no need for the following. */
bool hw_neighbours_any(const struct hw_neighbours *neighbours);

/* An operation begins now that uses no memory; or one that does: then what the neighbours have used
   meanwhile comes in. */
void hw_neighbours_begin(struct hw_neighbours *neighbours);
void hw_neighbours_begin_memory(struct hw_neighbours *neighbours);

/* How many times as long something takes while the sibling is there. */
double hw_neighbours_factor(const struct hw_neighbours *neighbours, enum hw_feels feels);

/* The same now, whether he is there or not. */
double hw_neighbours_share(const struct hw_neighbours *neighbours, enum hw_feels feels);

/* Lets ns of work be done that takes factor times as long while the sibling is there: who is to
   come comes, and brings what he brings.  How long it takes, but for the turns of the process,
   which the pace is told. */
double hw_neighbours_pass(struct hw_neighbours *neighbours, double ns, double factor);

/* The same of work that uses no memory: what they bring comes in when somebody looks. */
double hw_neighbours_rest(struct hw_neighbours *neighbours, double ns, double factor);

/* The same for ns that are passed as they are, in which what the neighbours bring does not count.
 */
void hw_neighbours_skip(struct hw_neighbours *neighbours, double ns);

/* ns for which nobody will change anything; 0 while somebody who brings lines is there. */
double hw_neighbours_quiet(const struct hw_neighbours *neighbours);

/* Of a thread of a team on the first processor, whose caches nobody looks at.  For how long, ns, it
   runs until the process has its next turn, drawn anew; and how long the turn is. */
double hw_neighbours_run(struct hw_neighbours *neighbours);
double hw_neighbours_turn(struct hw_neighbours *neighbours);

/* ns until the sibling comes or goes, or the process has its turn. */
double hw_neighbours_stay(const struct hw_neighbours *neighbours);

#endif
