/* Reductions: curves in, values out.  All are pure: no clock, no machine, no state.  A reduction
   that cannot tell says so, and why: that is a result. */
#ifndef HW_REDUCE_H
#define HW_REDUCE_H

#include "analysis/curve.h"

#include <stdbool.h>

/* Standard errors that a difference must have before it counts.  Four: of the some hundred
   differences that one run compares, chance passes three too often. */
#define HW_CLEAR 4.0

/* The factor by which the ends of a range differ at most. */
#define HW_RANGE_WIDEST 2.0

/* The error, as a share, with which a time of kind cycles stands alone, without a range: latencies
   of one to thirty cycles differ by more than that. */
#define HW_CYCLES_ERROR 0.03

/* The clarity of a difference without any noise to compare it with. */
#define HW_CLARITY_MAX 1e6

/* The result of a reduction. */
struct hw_answer {
  bool known;
  double value;   /* where known */
  double error;   /* how far off it may be, in units of value; for a step, the gap in x */
  double low;     /* of a value that others or the clock move: its range over the rounds; 0 and 0 */
  double high;    /* for a value that is exact */
  double clarity; /* the deciding difference in standard errors; where known, HW_CLEAR or more */
  const char *method; /* the reduction's name */
  const char *why;    /* where not known: the reason; else NULL */
  bool settled;       /* where not known: measuring again would not change that */
};

/* The method of an answer for which there was no curve to reduce. */
#define HW_NO_METHOD "none"

struct hw_answer hw_known(const char *method, double value, double error, double clarity);
struct hw_answer hw_unknown(const char *method, const char *why);

/* A value that others or the clock move, with its range.  No answer when the range is wider than a
   factor of HW_RANGE_WIDEST, or holds no positive value. */
struct hw_answer hw_ranged(const char *method, double value, double low, double high);

/* The same range, wider by a factor at either end, but by no more than HW_RANGE_WIDEST allows: what
   others leave of a cache, or of memory, at other times than those that were measured.  The
   factors are what runs of one machine show: two of them differ by no more than its square. */
#define HW_OTHERS_CACHE 1.1
#define HW_OTHERS_MEMORY 1.2
struct hw_answer hw_at_other_times(struct hw_answer ranged, double factor);

/* Unknown and settled, as nothing can be known: a level that does not exist has no latency. */
struct hw_answer hw_absent(const char *method, const char *why);

/* Monotonicity enforcement (BB 4.1): a copy of the curve in which y never falls, each y being the
   least of those from there on.  For curves that can only rise, so that a fall is noise.  A point
   takes the spread and count of the point whose y it takes.  0, or -1 without memory. */
int hw_monotone(const struct hw_curve *curve, struct hw_curve *risen);

/* Standard error of the difference between two points' y, in units of y.  The spread of a few
   samples is itself uncertain and by chance too small: no point counts as scattering less, by
   ratio, than the median of all points. */
double hw_rise_error(const struct hw_curve *curve, const struct hw_point *low,
                     const struct hw_point *high);

enum hw_step {
  HW_STEP_RELATIVE, /* dY / Y: the first of several alike */
  HW_STEP_SCALED    /* dY * Y: the last of several alike */
};

/* Biggest step (BB 4.2.2).  value: x of the last point before it.  No answer as above, and when a
   second step is not clearly smaller. */
struct hw_answer hw_reduce_biggest_step(const struct hw_curve *curve, enum hw_step step);

/* Biggest relative step of a curve that can only fall, from its end.  value: x of the first point
   behind the drop.  No answer as above. */
struct hw_answer hw_reduce_biggest_drop(const struct hw_curve *curve);

/* Toe of the steepest rise of a curve over another that has none of it: the y of the control's last
   point up to there is subtracted at each x.  The steepest over the logarithm of x, so that of
   parts that overflow one after the other the one that costs most is found.  value: x of the last
   point before the rise.  No answer when it is not clear, or when the curve rises before it at more
   than half its slope, or falls to it; value and error then tell where to look closer. */
struct hw_answer hw_reduce_toe(const struct hw_curve *curve, const struct hw_curve *control);

/* Whether a curve falls to its point at x, clear of the noise: conditions changed while it was
   measured, and a rise before x is hidden. */
bool hw_reduce_falls(const struct hw_curve *curve, double x);

/* Middle of the rise of a curve that starts on one level and rises to another.  value: x of the
   last point below the middle; where the sets of a cache overflow one after another, the capacity
   or up to one way more (XM 3.2).  What rises further than half as far again behind it is left out.
   No answer when the curve rises by less than least (units of y), not clearly, no more than it
   falls, or ends too soon. */
struct hw_answer hw_reduce_middle(const struct hw_curve *curve, double least);

/* The same when the rise is one step: all sets of a cache overflow at once, from ways to ways and
   one, and the line evicted is the one needed next.  No answer as above, and when the curve rises
   by degrees. */
struct hw_answer hw_reduce_cliff(const struct hw_curve *curve, double least);

/* A group of points of like y. */
struct hw_cluster {
  size_t n;
  double y_low;
  double y_high;
};

/* Largest width of a cluster, as a share of its average (BB 4.2.3). */
#define HW_CLUSTER_WIDTH 0.25

/* Quality-threshold clustering (BB 4.2.3): parts the points into clusters by y.  member[i] is the
   cluster of point i; cluster holds up to curve->n clusters, by ascending y.  Returns their
   number, or 0 when the curve is empty or memory is short. */
size_t hw_qt_clusters(const struct hw_curve *curve, size_t *member, struct hw_cluster *cluster);

/* A stretch of a curve over which y stays: its first and last point. */
struct hw_plateau {
  size_t first;
  size_t last;
};

/* Plateaus of a curve that rises in steps, x being sizes: the clusters (see above) of the points on
   flat stretches.  Over one x doubles and y rises by no more than half of a cluster's width, or x
   grows by half and y, in at least three points, by no more than 3 %.  Of an octave fewer than half
   of the points may be noise, clearly above those behind them; the first is none.  Finds up to
   most, by ascending x; returns how many. */
size_t hw_plateaus(const struct hw_curve *curve, struct hw_plateau *plateau, size_t most);

/* The level of a plateau: the median of y over the flattest stretch of it over which x doubles;
   from_end: over the last one that is flat to 3 %, if there is one.  A stretch that a
   later point of the plateau lies clearly below does not count; without any, the whole plateau
   does.  error: half of the range of its points, and their scatter. */
struct hw_answer hw_plateau_level(const struct hw_curve *curve, const struct hw_plateau *plateau,
                                  bool from_end);

/* Effective capacity: the working set of which one access in HW_EFFECTIVE_MISSES misses, between
   points of a size curve by a straight line, and no more than the level holds by any point: in a
   lap no more lines hit than that, under any replacement policy.  level: a plateau of the curve,
   low and high: y of a hit and of a miss.  Misses count from 3 % on.  value: x, rounded
   down to one of HW_EFFECTIVE_OCTAVE steps of an octave, so that it stands still from run to run;
   low and high: the first and the last size, where the curve is not monotone; error: the gap to the
   next point.  No answer when the curve does not get there. */
#define HW_EFFECTIVE_MISSES 20.0
#define HW_EFFECTIVE_OCTAVE 16.0
struct hw_answer hw_reduce_effective(const struct hw_curve *curve, const struct hw_plateau *level,
                                     double low, double high);

/* Whether a flat stretch begins at point i: one that spans an octave and rises by less than the
   misses of one way do, or a shorter one of three points that does not rise at all.  false without
   memory. */
bool hw_plateau_flat(const struct hw_curve *curve, size_t i);

/* Whether the rise between two plateaus takes longer than that of one cache does, or has a
   shoulder or becomes less steep and steeper again: another plateau, too short to be seen, may hide
   in it. */
bool hw_plateau_wide(const struct hw_curve *curve, const struct hw_plateau *low,
                     const struct hw_plateau *high);
bool hw_plateau_shoulder(const struct hw_curve *curve, const struct hw_plateau *low,
                         const struct hw_plateau *high);

/* Whether the rise between two plateaus is so high and wide that it may be that of two caches as
   well as of one. */
bool hw_plateau_two(const struct hw_curve *curve, const struct hw_plateau *low,
                    const struct hw_plateau *high);

/* By what factor a line's latency must differ from one of the two to be another. */
double hw_lines_apart(double low, double high);

/* The cost of lines of a working set that a level of latency low does not hold: lines is a part of
   the working set over the cost of its lines, ascending.  value: their median, but for few that are
   cheaper as DRAM rows are open; error: how much less all but few of them cost at least.  No answer
   when these are less than half, or not of one level. */
struct hw_answer hw_reduce_missed(const struct hw_curve *lines, double low);

/* The share of a working set's lines that cost more than above and less than below. */
double hw_lines_share(const struct hw_curve *lines, double above, double below);

/* Working sets of a rise that must be measured, so that no level has lines in none of them. */
#define HW_BETWEEN_SETS 3u

/* A level between two others, off the costs of single lines in working sets of the rise: lines[i]
   is a part of a working set over the cost of its lines, ascending.  value: the cost of lines that
   neither of the two holds; error: half of the range of all but some of them.  No answer for fewer
   than three working sets, when few lines are held by neither, or when such are not all alike. */
struct hw_answer hw_reduce_between(const struct hw_curve *const *lines, size_t n, double low,
                                   double high);

/* Smallest step of a clock, from a distribution of differences between its readings: the greatest
   of which all distances between observed values are whole multiples.  Readings have whole units of
   x, so that a step that is no whole number shows as pairs of adjacent values, and one whose
   readings are converted as three or four, whose average is the value.  More of them, or as many
   and the next as near, or distances that have no step of four units in common: the step is too
   small to tell, and called one.  error: as it follows from whole units. */
struct hw_answer hw_reduce_tick(const struct hw_curve *distribution);

/* Slope of a straight line, y over x: the median of the slopes between all pairs of points, which
   no constant overhead in y changes.  error: two standard errors.  No answer for fewer than
   four points, or when the error is more than HW_CYCLES_ERROR. */
struct hw_answer hw_reduce_slope(const struct hw_curve *curve);

/* Level of a flat curve: the median of y.  error: two standard errors.  No answer for fewer
   than three points, or when the error is more than HW_CYCLES_ERROR. */
struct hw_answer hw_reduce_level(const struct hw_curve *curve);

/* The range of such a level that scatters more: from the fastest samples of the point that has the
   least, since noise only adds.  No answer for fewer than three points. */
struct hw_answer hw_reduce_level_range(const struct hw_curve *curve);

/* The y of that rank among a curve's, 0 the least. */
double hw_ranked(const struct hw_curve *curve, size_t rank);

/* Level of points that depend a little on x beside the noise, as bandwidths do: the median of y.
   error: the largest distance of a point from it, with the point's own error.  No answer without
   points, or when the error is more than HW_RATE_ERROR; settled if that is not due to noise. */
struct hw_answer hw_reduce_rate(const struct hw_curve *curve);

/* The same of points that others move: the median of those at which two times agreed, which have a
   count above 1, and their range, wider by a factor of others.  Without any the least, which may be
   alone times too high; then the range is the widest. */
struct hw_answer hw_reduce_range(const struct hw_curve *curve, double others, double alone);

/* Error allowed for a rate: it serves to choose between methods that differ by tens of percents. */
#define HW_RATE_ERROR 0.15

/* Operations in flight, sustained (Little's law; memory-level parallelism if they are misses): x
   independent streams, y time of an operation.  value: y of a single stream over the median of y
   beyond half of the most streams; its range is that of these.  No answer without a single stream,
   with fewer than two points in a half of that flat part, or when it still falls at its end: its
   second half is lower than the first by more than a tenth, and by a fifth or in itself. */
struct hw_answer hw_reduce_sustained(const struct hw_curve *streams);

/* Associativity and capacity from compact sequences (XM 3.2, theorem 1; XM 4.1.2).  x is a stride S
   in bytes, a power of two, y the largest number of elements at that stride that is still compact.
   y halves as the stride doubles until it stays at the associativity A, from the cache's own stride
   T on; the capacity is A T.  No answer unless the last two strides agree, a smaller stride was
   measured, and every y obeys the theorem: y = A T/S at the next smaller stride, A T/S <= y < (A+1)
   T/S at others; from the second smaller one on y may be less, but more than half of it, as another
   thread that holds a line of any of many sets makes it less. */
struct hw_answer hw_reduce_compact_ways(const struct hw_curve *lengths);
struct hw_answer hw_reduce_compact_capacity(const struct hw_curve *lengths);

/* Where a curve that lies on two levels goes from the lower to the higher one.  value: x of the
   last point below halfway between low and high; error: the gap to the next.  No answer when points
   below and above halfway are mixed, when there are none of either, or when the two next to it are
   not clear of halfway: by their noise, and by a tenth of the difference. */
struct hw_answer hw_reduce_crossing(const struct hw_curve *curve, double low, double high);

/* The same, from the curve's first point to its last. */
struct hw_answer hw_reduce_halfway(const struct hw_curve *curve);

/* The work from which on handing it over pays, both being times: x the work, y the cost of handing
   it to another thread.  value: where y = x, between two points by a straight line of the
   logarithms.  No answer when the curve does not cross that, or more than once, or when the costs
   are not known to a half by four standard errors. */
struct hw_answer hw_reduce_worth(const struct hw_curve *curve);

/* First drop of a curve that starts level, at least below x = least, and falls (XM 4.1.3).  value:
   x of the first point below the level; error: 0 when the curve falls at once and stays there, else
   down to least: a fall by degrees is due to prefetchers, which make a line look longer.  No answer
   when the drop is not clear, when the curve comes back to the level, or when the fastest samples
   of a point before the drop lie halfway down or lower. */
struct hw_answer hw_reduce_first_drop(const struct hw_curve *curve, double least);

/* Whether the replacement policy behaves like LRU (XT 6): x is a number of lines of one set, walked
   in turn, y the time of a load, which hits up to ways and surely misses at twice as many.  value:
   1 when with one line more than ways all miss, so that another one changes nothing, 0 when a part
   of them hits, as with random replacement.  Tree PLRU, walked in turn, misses all.  No answer in
   between, or when the curve lacks a point. */
struct hw_answer hw_reduce_lru(const struct hw_curve *curve, double ways);

/* What is known of a rise of the size curve, from one level to the next. */
struct hw_rise {
  double low; /* y of a hit and of a miss */
  double high;
  double page; /* bytes */
  double ways;
};

/* Servet's probabilistic estimate (SV III-A, figures 1, 3, 4): the capacity for which pages that
   lie at random have the miss rates of the curve, x working set (bytes), y time of a load. value:
   bytes; error: the step between those that were tried.  No answer for fewer than three points, or
   when none fits: where pages are physically contiguous or coloured the curve rises at once. */
struct hw_answer hw_reduce_servet(const struct hw_curve *curve, const struct hw_rise *rise);

/* Of a curve of loops: x independent streams of an operation, y the time of one operation of each.
   Chain (XT 3.2, BB 3.3.1): y of one stream, a dependent chain.  error: two standard errors, or by
   how much less more streams take, which they cannot.  No answer when either is more than
   HW_CYCLES_ERROR. */
struct hw_answer hw_reduce_chain(const struct hw_curve *streams);

/* The range of the latency if that is not known: up to the least of all, since more streams take
   no less time than one, and down to its fastest samples, since noise only adds.  No answer when
   one stream was not timed by passes that agree. */
struct hw_answer hw_reduce_chain_range(const struct hw_curve *streams);

/* Of a unit that is not pipelined (BB 3.3.2): the least y of all numbers of streams, since none can
   take less time than its chains.  Such a unit may delay a lone operation by a cycle that it does
   not lose with more streams.  No answer when y of one stream or of two is not clear, or of one
   more than that above the least. */
struct hw_answer hw_reduce_chains(const struct hw_curve *streams);

/* The point that gives it: the one with the least y if that is clear, and clearly less than of
   one stream; else that of one stream.  The curve has at least one point. */
const struct hw_point *hw_streams_quickest(const struct hw_curve *streams);

/* Reciprocal throughput (BB 3.3.2): the second least time per operation, as the least may be luck;
   points not known to HW_CYCLES_ERROR do not count, and where one of them takes less by more than
   its scatter there is no answer.  error: by how much the least is less, with its own error: points
   that agree with it and take more share the units unevenly.  No answer, settled when all points
   are known, unless three agree with the least, to HW_STREAMS_ALIKE and their errors, or two of
   which one has the most streams and takes about the least: where registers run out before the
   units are busy few do. */
struct hw_answer hw_reduce_throughput(const struct hw_curve *streams);

/* The range of the same where points scatter: up to the second least, down to the fastest samples.
   No answer unless as many points as above may agree. */
struct hw_answer hw_reduce_throughput_range(const struct hw_curve *streams);

/* The same of a unit that takes one operation at a time, as a divider: how soon it takes the next
   depends on how the streams interleave, so that each number of streams is clear and no three
   agree.  Then two that agree to 1 % are enough; or it is the middle of all clear times from the
   least on, where these lie within HW_RATE_ERROR, and error half of that range.  Not for a
   pipelined unit: there more streams take longer because of spills. */
struct hw_answer hw_reduce_throughput_unit(const struct hw_curve *streams);

/* The same where no operation can take less time than bound: a least time within HW_STREAMS_ALIKE
   of that counts alone.  error: its distance from bound. */
struct hw_answer hw_reduce_throughput_bound(const struct hw_curve *streams, double bound);

/* Operations in flight (BB 3.3.3): the number of streams from which y grows, where the level of one
   stream meets the line on which each more costs the reciprocal throughput, time.  No answer when y
   does not grow within the streams measured, when the points on either side contradict it, when it
   is almost one more, or may be and no known point decides. */
struct hw_answer hw_reduce_in_flight(const struct hw_curve *streams, struct hw_answer time);

/* Times per operation that differ by less than this share are alike: streams share units unevenly
   by some per cent. */
#define HW_STREAMS_ALIKE 0.03

/* Variables in registers (XT 3.5, BB 3.5): x variables live at once, y the time of a store (cycles)
   in a loop that does nothing but stores as fast as they go, each times max(x, least) of them, and
   additions to the variables that hide behind them.  A variable that is spilled has to be stored
   too, so that y gives the stores beyond the loop's own.  value: the last x with less than half a
   store more than on the plateau; error: the gap to the next point.  No answer when one of the two
   is not clear of half a store, when more than one point before it has more (but for those of few
   variables, less than least, which dependent chains bind), when there are fewer than two points
   behind it and no gap, or one of those has less than the first or than half a store for each
   variable beyond it, when there is no plateau, or when y does not rise (settled). */
struct hw_answer hw_reduce_spills(const struct hw_curve *curve, double each, double least);

/* The index of the last x with less than half a store more, clear or not. */
size_t hw_spills_last(const struct hw_curve *curve, double each, double least);

/* The relative standard error of y at which x variables are clear of half a store. */
double hw_spills_precision(double x, double each, double least);

#endif
