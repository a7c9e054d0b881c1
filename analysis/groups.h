/* Groups of things by what is measured between two of them: which cores are near each other. */
#ifndef HW_GROUPS_H
#define HW_GROUPS_H

#include "analysis/reduce.h"

#include <stdbool.h>
#include <stddef.h>

/* Things at most, and layers of them at most. */
#define HW_THINGS 1024u
#define HW_LAYERS 8u

/* Two values that differ by HW_LAYER_GAP are of two layers, when no other lies between them: by
   more than those of one cluster do.  From HW_LAYER_DOUBT, half of that, on it is unclear. */
#define HW_LAYER_GAP (1 + HW_CLUSTER_WIDTH)
#define HW_LAYER_DOUBT (1 + HW_CLUSTER_WIDTH / 2)

/* Bytes of what one thing passes to another: of a word, of the largest of the blocks that level 1
   holds on nearly all machines, and of the largest at all. */
#define HW_COMM_WORD 8u
#define HW_COMM_NEAR ((size_t)16 << 10)
#define HW_COMM_LARGE ((size_t)4 << 20)
#define HW_COMM_SIZES                                                                              \
  {                                                                                                \
    HW_COMM_WORD, 64, 1u << 10, 4u << 10, HW_COMM_NEAR, 64u << 10, 256u << 10, 1u << 20,           \
        HW_COMM_LARGE                                                                              \
  }

/* Bytes of the blocks that pairs pass at once; and of how many pairs these blocks, as a single
   block, are no larger than the largest: the pairs, or fewer. */
#define HW_COMM_CROWD ((size_t)64 << 10)
size_t hw_comm_gathered(size_t pairs);

/* Bytes that a sample of larger blocks passes each way; and the blocks of that size that it passes,
   most at most. */
#define HW_COMM_MOVES ((size_t)512 << 10)
size_t hw_comm_times(size_t bytes, size_t most);

/* Powers of two, the least and the most, at which messages change from one protocol to another, and
   bytes by which messages are shorter and longer to show that: more than a library's header. */
#define HW_COMM_STEP_LEAST ((size_t)1 << 10)
#define HW_COMM_STEP_MOST ((size_t)512 << 10)
#define HW_COMM_STEP_BESIDE 128u

/* The reason when groups have no one size: they are known all the same. */
#define HW_GROUPS_UNEVEN "groups differ in size"

/* What was measured between n things: the nearer they are, the less. */
struct hw_pairs {
  size_t n;
  double *y;       /* n * n, symmetric; NAN: not measured */
  size_t measured; /* pairs */
  size_t taken;    /* those that were not measured, but taken over from others like them */
};

/* A tree: in each layer, from the nearest, groups of things that are no farther from each other. In
   the last all are in one group, but for those of which no pair was measured. */
struct hw_layers {
  size_t n;
  size_t layers;
  double y[HW_LAYERS];    /* median of the pairs that are of this layer */
  double low[HW_LAYERS];  /* the nearest of them */
  double high[HW_LAYERS]; /* the farthest */
  size_t *group;          /* layers * n: for each thing the first one of its group */
};

/* Makes room for n things, none of them measured.  0, or -1 without memory. */
int hw_pairs_init(struct hw_pairs *pairs, size_t n);
void hw_pairs_free(struct hw_pairs *pairs);

/* None is measured. */
void hw_pairs_clear(struct hw_pairs *pairs);

/* Notes y between two things; the lower of two values stays. */
void hw_pairs_put(struct hw_pairs *pairs, size_t i, size_t j, double y);

/* Notes y between two things that was measured between two others, unless theirs was, too. */
void hw_pairs_take(struct hw_pairs *pairs, size_t i, size_t j, double y);

/* y between two things, or NAN. */
double hw_pairs_get(const struct hw_pairs *pairs, size_t i, size_t j);

/* Groups the things by the pairs that were measured (BB 3.1.4, cliques of a locality tree): two are
   in a group of a layer when a path of pairs of that layer or nearer joins them.  NULL, or why
   there are no such layers: it is unclear whether some are one layer or two, or a pair is farther
   apart than its group. */
const char *hw_layers_find(const struct hw_pairs *pairs, struct hw_layers *layers);

/* The same, even if pairs are farther apart than their groups; and whether a pair at distance y
   is. */
const char *hw_layers_find_all(const struct hw_pairs *pairs, struct hw_layers *layers);
bool hw_layers_contradict(const struct hw_layers *layers, size_t i, size_t j, double y);

void hw_layers_free(struct hw_layers *layers);

/* Whether i and j are in one group of a layer, and in none of a nearer one. */
bool hw_layer_joins(const struct hw_layers *layers, size_t layer, size_t i, size_t j);

/* Puts disjoint pairs of a layer into thing[], two things a pair: group by group, each the first
   that is free.  Returns how many. */
size_t hw_layer_match(const struct hw_layers *layers, size_t layer, size_t *thing);

/* How many groups n things have, of which group[] has the first one of each thing's group; and the
   size of each group, or 0 when they differ. */
size_t hw_groups_count(const size_t *group, size_t n);
size_t hw_groups_size(const size_t *group, size_t n);
size_t hw_layer_size(const struct hw_layers *layers, size_t layer);

/* Puts the groups into a curve: x thing, y the first of its group.  0, or -1 without memory. */
int hw_groups_put(struct hw_curve *curve, const size_t *group, size_t n);

/* What a curve of pairs of processors has as x; x of the pair i < j; and the pair of an x. */
#define HW_PAIRS_TITLE "places of two processors (one * 1024 + other)"
double hw_pair_x(size_t i, size_t j);
void hw_pair_of(double x, size_t *i, size_t *j);

/* Puts the pairs that are known into a curve, with that count.  0, or -1 without memory. */
int hw_pairs_put_all(const struct hw_pairs *pairs, unsigned long count, struct hw_curve *curve);

/* A curve of pairs as pairs of n things, n one more than the last thing in a pair.  0, or -1 when
   it is no such curve, or without memory. */
int hw_pairs_read(struct hw_pairs *pairs, const struct hw_curve *curve);

/* The groups of n things by a curve of pairs: for each thing the first of its group.  side says
   whether a pair is of one group, 1, or not, 2, or that it is not clear, -1: then unclear is the
   reason returned.  NULL, or why the groups are not known. */
const char *hw_pairs_groups(const struct hw_curve *curve, double (*side)(const struct hw_point *),
                            const char *unclear, size_t *group, size_t n);

/* The layers that a curve of pairs has.  NULL, or why there are none. */
const char *hw_layers_read(const struct hw_curve *curve, struct hw_layers *layers);

#endif
