/* Groups of processors that share what is private to a group, as a core or a level of cache, found
   by having many of them work at once. */
#ifndef HW_CROWDS_H
#define HW_CROWDS_H

#include "analysis/company.h"
#include "probes/bench/bench.h"

/* Has n things work at the same time; point[] becomes how each of them did.  0, or -1. */
typedef int hw_measure_crowd(void *context, const size_t *thing, size_t n, struct hw_point *point);

/* The n things, ascending. */
struct hw_crowds {
  struct hw_bench *bench;
  const size_t *thing;
  size_t n;
  hw_measure_crowd *measure;
  enum hw_company (*of)(
      const struct hw_point *); /* whether a thing shared with another of a crowd */
  void *context;
  size_t asked;            /* crowds measured so far */
  struct hw_point *beside; /* of each thing: beside the first of its group, a first beside all other
                              firsts */
};

/* Finds the groups; group[i] becomes the index of the first of the group of thing i.  Needs only
   that sharing is transitive, whatever the numbers.  All at once tell which share nothing.  The
   group of one thing is found by bisecting the others; the other groups are taken to be like it,
   and then all are proved at once.  If that fails, each is found by bisecting.  0, or -1 if
   they are not clear. */
int hw_crowds_search(struct hw_crowds *crowds, size_t *group);

/* Proves the groups, as often as one likes.  If the largest has g things and there are m with
   more than one: all at once, one of each group (the firsts), g - 1 times another one of each,
   without the firsts and with them, and for each bit of the groups' numbers the firsts with all
   others of the groups that have it, and of those that do not.  0, or -1. */
int hw_crowds_prove(struct hw_crowds *crowds, const size_t *group);

/* Puts the proof into a curve of pairs: of each first and another of its group, and of each first
   and the next.  0, or -1 without memory. */
int hw_crowds_put(const struct hw_crowds *crowds, const size_t *group, struct hw_curve *pairs);

#endif
