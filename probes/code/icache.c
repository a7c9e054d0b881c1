/* Capacity, associativity, line and miss penalty of the level-1 instruction cache.

   Curve   icache_stride_<S>: x pieces of code S bytes apart, y time of a visit (cycles).
           icache_packed: the same for a few pieces that lie close together.
           icache_strides: x stride S (bytes), y largest compact number of pieces.
           icache_pair_<the same three>, icache_triple_stride_<S>, icache_quad_stride_<S>: each
           piece has two entry points, three, or four, of which a random one is taken.
           icache_offset: x shift of half of the pieces of an overfull set (bytes), y time of a
           visit (cycles); icache_quad_offset: the same with four entries.
           icache_miss: x pieces of one set, more than it ever holds, y time of a visit (cycles).
           icache_hit: x pieces that lie close together and fit, y the same in the same rounds.
   Method  Pieces are visited in ever new orders, each once before any is visited again, so that no
           visit can be predicted: each waits until its target is known, and then for the code
           there.  Neither the branch target buffer nor an instruction prefetcher can help.
           The number of pieces that are held halves as their stride doubles, down to the ways, as
           in a data cache.  If it is constant from the first stride on, ever smaller strides
           are tried, as far as there are pieces.  At the stride that was found, and half and twice
           of it, the same is measured with two entry points to each piece; where the number
           differs, also with three and with four.  Half of an overfull set is then shifted within
           its pages.  If pieces of code in one line count as several, a branch target buffer
           overflowed: the cache, with its higher miss penalty, is then searched for again, with all
           pieces there are.  The first piece too many costs little: if that is not clear of the
           noise, the points next to it are measured better.  The time of a visit differs from one
           process to another, and with the number of pieces, a few of which are predicted by
           chance: misses are timed next to about as many hits, in the same rounds.
   Rows    L1I_BYTES, L1I_ASSOC, L1I_LINE, L1I_MISS.
   Cost    250 ms, 512 KiB of code that take 0.3 s to compile.
   Limits  Caches of 1 to 16 ways of 2 to 32 KiB; more and smaller ways where pieces of code lie
           that close.
   See     DM table I; XM 3, 4.1.2, 4.1.3; XT 6. */
#include "analysis/rows/icache.h"

#include "analysis/environment.h"
#include "analysis/names.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewest visits of a sample, and most that are linked for it: their order is too long for a
   predictor to learn. */
#define ICACHE_VISITS 1024u
#define ICACHE_VISITS_MAX 8192u
/* Strides, bytes: the first, that of the control's pieces too; the largest; and the least. */
#define ICACHE_STRIDE ((size_t)1 << 10)
#define ICACHE_STRIDE_MAX ((size_t)64 << 10)
#define ICACHE_STRIDE_MIN ((size_t)64)
/* Pieces of the control: enough that one more changes little, few enough to fit anywhere. */
#define ICACHE_PACKED 8u
/* Pieces of the first look. */
#define ICACHE_LIMIT 16u
/* Multiple of the length found that is measured: a micro-op cache overflows before the instruction
   cache, which is at most this many times as large. */
#define ICACHE_RANGE 4u
/* Most pieces that are visited, and the offset of x for those of the control. */
#define ICACHE_PIECES 512u
#define ICACHE_CONTROL 1024.0
/* Points of one look, and those that are inserted where the rise begins. */
#define ICACHE_POINTS 40u
#define ICACHE_BETWEEN 6u
/* Closer looks at most. */
#define ICACHE_LOOKS 4u
/* Times that the points next to the toe (where the rise begins) are measured better, at most; and
   the factor on precision, finer there and coarser in a survey. */
#define ICACHE_CLOSER 2u
#define ICACHE_TIMES 4u
/* Stride of pieces with four entries, bytes: a multiple of the stride of most caches. */
#define ICACHE_QUAD_STRIDE ((size_t)32 << 10)
/* Parts in which pieces that all miss are visited, each more than a set holds. */
#define ICACHE_PARTS 2u

/* Runs of pieces at a stride that all have that many entries: length[i] from piece i on. */
struct icache_runs {
  size_t stride;
  size_t entries;
  size_t longest;
  size_t *length; /* room for all pieces */
};

/* The measurement of one curve. */
struct icache_job {
  struct hw_bench *bench;
  const size_t *position; /* of the pieces */
  size_t n;
  size_t entries; /* of a piece, that are taken: 1 to 4 */
  size_t parts;   /* in which pieces are visited */
  bool all;       /* whether to visit all pieces */
  size_t from;    /* the first stride that is tried */
  size_t stride;  /* of the pieces that are visited */
  size_t ways;    /* of the cache, for the offset and the misses */
  size_t *member; /* pieces of one sample; room for twice as many as there are */
  size_t *order;  /* visits; room for ICACHE_VISITS_MAX, and ICACHE_PIECES before them */
  struct icache_runs packed;
  struct icache_runs apart;
  struct hw_curve control;
};

/* The piece at that position, or n. */
static size_t icache_at(const struct icache_job *job, size_t position) {
  size_t low = 0, high = job->n;

  while (low < high) {
    size_t middle = (low + high) / 2;
    if (job->position[middle] < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low < job->n && job->position[low] == position ? low : job->n;
}

/* Whether a piece has that many entries, each within HW_ICACHE_PAIR bytes of the one before. */
static bool icache_enters(const struct icache_job *job, size_t piece, size_t entries) {
  return piece + entries <= job->n && job->position[piece + entries - 1] - job->position[piece] <=
                                          (entries - 1) * HW_ICACHE_PAIR;
}

/* Finds the runs at a stride, of pieces with that many entries, aligned so that a line holds all of
   them unless it is too short. */
static void icache_find_runs(const struct icache_job *job, size_t stride, size_t entries,
                             struct icache_runs *runs) {
  if (runs->stride == stride && runs->entries == entries)
    return;
  runs->stride = stride;
  runs->entries = entries;
  runs->longest = 0;
  for (size_t i = job->n; i-- > 0;) {
    size_t next = icache_at(job, job->position[i] + stride);
    bool whole =
        icache_enters(job, i, entries) && job->position[i] % (entries * HW_ICACHE_PAIR) == 0;
    runs->length[i] = whole ? 1 + (next < job->n ? runs->length[next] : 0) : 0;
    if (runs->length[i] > runs->longest)
      runs->longest = runs->length[i];
  }
}

/* The longest run at a stride, capped at ICACHE_PIECES: with one entry the same as with two, with
   three the same as with four. */
static size_t icache_room(struct icache_job *job, size_t stride) {
  icache_find_runs(job, stride,
                   job->entries > HW_ICACHE_ENTRIES ? HW_ICACHE_QUAD : HW_ICACHE_ENTRIES,
                   &job->apart);
  return job->apart.longest < ICACHE_PIECES ? job->apart.longest : ICACHE_PIECES;
}

/* Picks n pieces at the stride of the runs, from a random first one, into job->member: another
   process's line in one set then spoils a sample, and not the curve.  There must be a run of n. */
static void icache_pick(struct icache_job *job, const struct icache_runs *runs, size_t n,
                        struct hw_random *random) {
  size_t start;

  do
    start = hw_random_below(random, job->n);
  while (runs->length[start] < n);
  for (size_t i = 0; i < n; i++)
    job->member[i] = icache_at(job, job->position[start] + i * runs->stride);
}

/* Links visits of n picked pieces, each at a random entry, in a new order each time around.  The
   pieces are visited in parts, one after the other, each in a new order, so that a piece is not
   visited again before the other parts are.  Visits each piece once untimed: these first misses
   would look like a slow rise.  0, or -1. */
static int icache_link(struct icache_job *job, struct hw_random *random, size_t n) {
  struct hw_machine *machine = job->bench->machine;
  size_t visits = ICACHE_VISITS, part = n / job->parts;
  size_t warm = (n + HW_GRAIN - 1) / HW_GRAIN * HW_GRAIN;

  while (visits < job->bench->adds / 16 && visits < ICACHE_VISITS_MAX)
    visits *= 2;
  visits += warm;
  for (size_t i = 0, at = 0; i < visits; i++, at = at + 1 < part * job->parts ? at + 1 : 0) {
    if (at % part == 0)
      hw_random_order(random, job->member + at, part);
    job->order[i] = job->member[at];
    if (job->entries > 1)
      job->order[i] += hw_random_below(random, job->entries);
  }
  if (machine->ops->code_link(machine, job->order, visits) < 0)
    return -1;
  return machine->ops->code_walk(machine, warm);
}

/* Links x pieces at the job's stride; above ICACHE_CONTROL, the excess in pieces close together. */
static int icache_prepare(void *context, double x, struct hw_random *random) {
  struct icache_job *job = context;
  bool control = x > ICACHE_CONTROL;
  size_t n = (size_t)(control ? x - ICACHE_CONTROL : x);

  icache_pick(job, control ? &job->packed : &job->apart, n, random);
  return icache_link(job, random, n);
}

/* Puts the pieces that lie shift bytes behind a multiple of the job's stride, counted from the
   first piece, in random order.  Returns how many. */
static size_t icache_shifted(struct icache_job *job, size_t shift, size_t *piece,
                             struct hw_random *random) {
  size_t n = 0;

  for (size_t i = 0; i < job->n; i++)
    if ((job->position[i] - job->position[0]) % job->stride == shift &&
        icache_enters(job, i, job->entries))
      piece[n++] = i;
  hw_random_order(random, piece, n);
  return n;
}

/* Pieces of the offset curve: more than one set holds, no more than two hold.  Half of them must
   exceed a set of the micro-op cache, where that holds more lines than the instruction cache. */
static size_t icache_overfull(const struct icache_job *job) {
  return job->ways + (job->entries > 1 ? job->ways : (job->ways + 1) / 2);
}

/* Whether one of m moved pieces lies shift bytes behind the piece: both may be in one line. */
static bool icache_shares(const struct icache_job *job, size_t piece, const size_t *moved, size_t m,
                          size_t shift) {
  for (size_t i = 0; i < m; i++)
    if (job->position[moved[i]] == job->position[piece] + shift)
      return true;
  return false;
}

/* Links an overfull set, half of it shifted by x bytes: no piece to x behind one that stays, or
   they would take fewer lines. */
static int icache_prepare_offset(void *context, double x, struct hw_random *random) {
  struct icache_job *job = context;
  size_t n = icache_overfull(job), m = x > 0 ? n / 2 : 0, stay = 0;
  size_t all = icache_shifted(job, 0, job->member, random), *moved = job->member + all;

  if (m > 0)
    icache_shifted(job, (size_t)x, moved, random);
  for (size_t i = 0; i < all && stay < n - m; i++)
    if (!icache_shares(job, job->member[i], moved, m, (size_t)x))
      job->member[stay++] = job->member[i];
  memmove(job->member + stay, moved, m * sizeof *moved);
  return icache_link(job, random, n);
}

static double icache_work(void *context, double x) {
  const struct icache_job *job = context;
  struct hw_machine *machine = job->bench->machine;
  unsigned long visits = ICACHE_VISITS;

  (void)x;
  while (visits < job->bench->adds / 16)
    visits *= 2;
  return machine->ops->code_walk(machine, visits) < 0 ? 0 : (double)visits;
}

/* Samples the n points x, with that effort, or the bench's if it is NULL. */
static int icache_sample(struct icache_job *job,
                         int (*prepare)(void *context, double x, struct hw_random *random),
                         const struct hw_effort *effort, const double *x, size_t n,
                         struct hw_curve *curve) {
  const struct hw_task task = {.prepare = prepare,
                               .work = icache_work,
                               .context = job,
                               .issue = hw_issue(&job->bench->curves),
                               .effort = effort,
                               .anywhere = true};

  return hw_sample_task(job->bench, &task, x, n, curve);
}

/* Puts a point in unless there is a lower one: an SMT sibling may evict lines, but never adds any.
 */
static int icache_lower(struct hw_curve *curve, struct hw_point point) {
  const struct hw_point *earlier = hw_curve_at(curve, point.x);

  return earlier != NULL && earlier->y < point.y ? 0 : hw_curve_put(curve, point);
}

/* Samples n numbers of pieces at the job's stride, in the first look with the control. */
static int icache_look(struct icache_job *job, const struct hw_effort *effort, double *x, size_t n,
                       struct hw_curve *curve) {
  struct hw_curve both;
  int result;

  for (size_t i = 1; i <= ICACHE_PACKED && job->control.n < ICACHE_PACKED; i++)
    x[n++] = ICACHE_CONTROL + (double)i;
  hw_curve_init(&both, curve->name, curve->x_title, curve->y_title);
  result = icache_sample(job, icache_prepare, effort, x, n, &both);
  for (size_t i = 0; i < both.n && result == 0; i++) {
    struct hw_point p = both.point[i];
    bool control = p.x > ICACHE_CONTROL;
    p.x -= control ? ICACHE_CONTROL : 0;
    result = icache_lower(control ? &job->control : curve, p);
  }
  hw_curve_free(&both);
  return result;
}

/* Numbers of pieces from low to high: the first few in steps of one, then in growing steps. Returns
   how many; x has room for the control's points behind them. */
static size_t icache_grid(double *x, size_t low, size_t high, size_t few) {
  size_t n = 0;

  for (size_t at = low; at < high && n + ICACHE_PACKED + 1 < ICACHE_POINTS;
       at += n <= few ? 1 : at / 6 + 1)
    x[n++] = (double)at;
  x[n++] = (double)high;
  return n;
}

/* Measures around the toe until it no longer moves.  The answer, or no answer. */
static struct hw_answer icache_refine(struct icache_job *job, size_t room, struct hw_curve *curve) {
  struct hw_answer toe = hw_reduce_toe(curve, &job->control);
  double last = 0;

  for (unsigned look = 0; look < ICACHE_LOOKS && (toe.value > last || toe.value < last); look++) {
    double x[ICACHE_POINTS];
    size_t low = (size_t)toe.value, high = low + (size_t)toe.error + 1, n;
    last = toe.value;
    low = low > (size_t)toe.error + 1 ? low - (size_t)toe.error - 1 : 1;
    n = icache_grid(x, low, high < room ? high : room, ICACHE_BETWEEN);
    if (icache_look(job, NULL, x, n, curve) < 0)
      return hw_unknown(toe.method, "time or memory was short");
    toe = hw_reduce_toe(curve, &job->control);
  }
  return toe;
}

/* If the rise is not clear of the noise, measures the points next to its toe better: the first
   piece too many costs little.  They replace the earlier ones together, because the time of a visit
   varies from run to run.  The answer, or no answer. */
static struct hw_answer icache_closer(struct icache_job *job, size_t room, struct hw_curve *curve,
                                      struct hw_answer toe) {
  struct hw_effort effort = job->bench->effort;

  effort.precision /= ICACHE_TIMES;
  effort.rounds_max *= ICACHE_TIMES;
  for (unsigned look = 0; look < ICACHE_CLOSER && !toe.known && toe.error > 0; look++) {
    double x[ICACHE_BETWEEN];
    struct hw_curve near;
    size_t n = 0;
    int result;
    for (size_t at = (size_t)toe.value > 1 ? (size_t)toe.value - 1 : 1;
         at <= (size_t)toe.value + 2 && at <= room; at++)
      x[n++] = (double)at;
    hw_curve_init(&near, curve->name, curve->x_title, curve->y_title);
    result = icache_sample(job, icache_prepare, &effort, x, n, &near);
    for (size_t i = 0; i < near.n && result == 0; i++)
      result = hw_curve_put(curve, near.point[i]);
    hw_curve_free(&near);
    if (result < 0)
      break;
    toe = hw_reduce_toe(curve, &job->control);
  }
  return toe;
}

/* Whether the curve rises at its end by the least miss penalty of a cache, or by half of it, where
   some visits still hit: a smaller rise has another cause, such as the rounding of the clock. */
static bool icache_risen(const struct hw_curve *curve) {
  double low = curve->point[0].y;

  for (size_t i = 1; i < curve->n; i++)
    low = fmin(low, curve->point[i].y);
  return curve->point[curve->n - 1].y - low >= HW_ICACHE_MISS_LEAST / 2.0;
}

/* Measures the curve of the job's stride to far beyond the toe.  Returns the answer. */
static struct hw_answer icache_toe(struct icache_job *job, struct hw_curve *curve) {
  size_t room = icache_room(job, job->stride), low = 1, limit = job->all ? room : ICACHE_LIMIT;
  struct hw_effort effort = job->bench->effort;
  struct hw_answer toe;
  double x[ICACHE_POINTS];

  /* The toe may be far: coarser precision, half of the rounds. */
  effort.precision *= ICACHE_TIMES;
  effort.rounds = (effort.rounds + 1) / 2;
  job->control.n = 0; /* the time of a visit may have changed since the last stride */
  for (;;) {
    if (limit > room)
      limit = room;
    if (icache_look(job, &effort, x, icache_grid(x, low, limit, ICACHE_LIMIT), curve) < 0)
      return hw_unknown(HW_NO_METHOD, "time or memory was short");
    toe = hw_reduce_toe(curve, &job->control);
    if (limit == room ||
        (toe.known && ICACHE_RANGE * (size_t)toe.value <= limit && icache_risen(curve)))
      break;
    low = limit + 1;
    limit *= 2;
  }
  if (!icache_risen(curve))
    return hw_unknown(toe.method, "it rises less than a miss costs");
  toe = icache_closer(job, room, curve, icache_refine(job, room, curve));
  if (toe.known && toe.error > 1)
    return hw_unknown(toe.method, "the number of pieces of code that fit is not exact");
  if (toe.known && (size_t)toe.value + HW_ICACHE_BEHIND > room)
    return hw_unknown(toe.method, "too little memory for code");
  return toe;
}

static const char *icache_stem(const struct icache_job *job) {
  static const char *const stem[] = {"icache", "icache_pair", "icache_triple", "icache_quad"};

  return stem[job->entries - 1];
}

/* Makes a curve of visits. */
static void icache_curve(const struct icache_job *job, const char *what, size_t number,
                         const char *x_title, struct hw_curve *curve) {
  char name[HW_CURVE_NAME];

  if (number > 0)
    snprintf(name, sizeof name, "%s_%.8s_%zu", icache_stem(job), what, number);
  else
    snprintf(name, sizeof name, "%s_%.8s", icache_stem(job), what);
  hw_curve_init(curve, name, x_title, "time of a visit (cycles)");
}

/* Measures a stride, publishes its curve and puts the compact length into lengths.  Returns that
   length, in pieces, 0 when it is not clear, -1 on failure. */
static long icache_length(struct icache_job *job, size_t stride, struct hw_curve *lengths) {
  struct hw_bench *bench = job->bench;
  struct hw_curve curve;
  struct hw_answer toe;
  char title[HW_CURVE_TEXT];
  unsigned long count;

  snprintf(title, sizeof title, "pieces of code %zu bytes apart (count)", stride);
  icache_curve(job, "stride", stride, title, &curve);
  job->stride = stride;
  toe = icache_toe(job, &curve);
  count = curve.n;
  if (hw_publish(bench, &curve, "icache", 0) < 0 || hw_late(bench))
    return -1;
  fprintf(bench->log, "%s: stride %zu: %s %.0f\n", icache_stem(job), stride,
          toe.known ? "compact up to" : toe.why, toe.value);
  if (!toe.known)
    return 0;
  return hw_curve_put(lengths, (struct hw_point){(double)stride, toe.value, 0, count}) < 0
             ? -1
             : (long)toe.value;
}

/* Drops lengths which a new one shows to be those of a micro-op cache, seen where the strides are
   too small, or the pieces too few, for the instruction cache to overflow: lengths before a longer
   one, and an equal one before a length that fell again. */
static void icache_reset(struct hw_curve *lengths) {
  size_t n = lengths->n, keep = n;

  if (n > 1 && lengths->point[n - 1].y > lengths->point[n - 2].y)
    keep = 1;
  else if (n > 2 && !(lengths->point[n - 3].y > lengths->point[n - 2].y))
    keep = 2;
  if (keep < n)
    memmove(lengths->point, lengths->point + (n - keep), keep * sizeof *lengths->point);
  lengths->n = keep;
}

/* Whether the last two lengths are equal, and one before them is longer. */
static bool icache_stays(const struct hw_curve *lengths) {
  const struct hw_point *end = lengths->point + lengths->n;

  return lengths->n > 2 && !(end[-2].y > end[-1].y) && lengths->point[0].y > end[-1].y;
}

/* Doubles the stride until the length stays the same.  0, or -1 on failure. */
static int icache_up(struct icache_job *job, struct hw_curve *lengths) {
  for (size_t stride = job->from; stride <= ICACHE_STRIDE_MAX && !icache_stays(lengths);
       stride *= 2) {
    if (icache_room(job, stride) <= HW_ICACHE_BEHIND)
      break;
    if (icache_length(job, stride, lengths) < 0)
      return -1;
    icache_reset(lengths);
  }
  return 0;
}

/* If the first two lengths are equal, halves the stride until one is longer, as far as there are
   pieces.  0, or -1 on failure. */
static int icache_down(struct icache_job *job, struct hw_curve *lengths) {
  long length = lengths->n > 1 ? (long)lengths->point[0].y : 0;

  if (length == 0 || (long)lengths->point[1].y != length)
    return 0;
  for (size_t stride = (size_t)lengths->point[0].x / 2;
       stride >= ICACHE_STRIDE_MIN && !icache_stays(lengths); stride /= 2) {
    size_t ways = (size_t)length;
    lengths->n = 2;
    if (icache_room(job, stride) < 2 * ways + HW_ICACHE_BEHIND)
      break;
    length = icache_length(job, stride, lengths);
    if (length < (long)ways)
      return length < 0 ? -1 : 0;
  }
  return 0;
}

/* If the lengths together give no answer, measures each again that differs from the one expected
   of the ways and the stride: noise may have moved it. */
static int icache_doubted(struct icache_job *job, size_t ways, size_t own,
                          struct hw_curve *lengths) {
  if (hw_reduce_compact_ways(lengths).known)
    return 0;
  for (size_t i = 0; i < lengths->n; i++) {
    size_t stride = (size_t)lengths->point[i].x;
    size_t fits = stride < own ? ways * own / stride : ways;
    if ((size_t)lengths->point[i].y != fits && icache_length(job, stride, lengths) < 0)
      return -1;
  }
  return 0;
}

/* Measures the strides, and odd multiples of the one from which the length stays (see compact_odd)
   as far as pieces suffice.  An unclear length there is put as 0, which no reduction accepts. */
static int icache_lengths(struct icache_job *job, struct hw_curve *lengths) {
  static const size_t odd[] = {3, 5};
  size_t own, ways;

  if (icache_up(job, lengths) < 0 || (!icache_stays(lengths) && icache_down(job, lengths) < 0) ||
      !icache_stays(lengths))
    return -1;
  own = (size_t)lengths->point[lengths->n - 2].x;
  ways = (size_t)lengths->point[lengths->n - 2].y;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    struct hw_point unclear = {.x = (double)(odd[i] * own), .count = 1};
    long length;
    if (icache_room(job, odd[i] * own) < ways + HW_ICACHE_BEHIND)
      continue;
    length = icache_length(job, odd[i] * own, lengths);
    if (length < 0 || (length == 0 && hw_curve_put(lengths, unclear) < 0))
      return -1;
  }
  return icache_doubted(job, ways, own, lengths);
}

/* Measures the cache's stride, twice it, and half of it if there are pieces enough, with two
   entries to each piece. */
static int icache_pairs(struct icache_job *job, struct hw_curve *lengths) {
  size_t ways, own;

  if (hw_icache_shape(&job->bench->curves, &ways, &own) < 0)
    return -1;
  if (icache_length(job, own, lengths) < 0 || icache_length(job, 2 * own, lengths) < 0)
    return -1;
  return icache_room(job, own / 2) < 4 * ways || icache_length(job, own / 2, lengths) >= 0 ? 0 : -1;
}

/* Measures pieces of four entries, of which that many are taken, precisely: each point counts. */
static int icache_quads(struct icache_job *job, size_t entries) {
  struct hw_effort effort = job->bench->effort;
  struct hw_curve curve;
  double x[ICACHE_LIMIT];
  size_t n;
  int result;

  job->entries = entries;
  job->stride = ICACHE_QUAD_STRIDE;
  n = icache_room(job, job->stride);
  n = n < ICACHE_LIMIT ? n : ICACHE_LIMIT;
  for (size_t i = 0; i < n; i++)
    x[i] = (double)(i + 1);
  icache_curve(job, "stride", job->stride, "pieces of code 32768 bytes apart (count)", &curve);
  effort.rounds *= ICACHE_TIMES;
  effort.rounds_max *= ICACHE_TIMES;
  effort.precision /= ICACHE_TIMES;
  result = n > 0 ? icache_sample(job, icache_prepare, &effort, x, n, &curve) : -1;
  return hw_publish(job->bench, &curve, "icache", result);
}

/* Runs one search for lengths, and publishes its control and its compact lengths. */
static int icache_search(struct icache_job *job,
                         int (*search)(struct icache_job *job, struct hw_curve *lengths)) {
  struct hw_bench *bench = job->bench;
  struct hw_curve lengths;
  char name[HW_CURVE_NAME];
  int result;

  icache_curve(job, "packed", 0, "pieces of code close together (count)", &job->control);
  snprintf(name, sizeof name, "%s_strides", icache_stem(job));
  hw_curve_init(&lengths, name, "stride (bytes)", "compact pieces of code (count)");
  result = search(job, &lengths);
  if (result < 0)
    lengths.n = 0; /* an incomplete search has no lengths */
  if (hw_publish(bench, &job->control, "icache", 0) < 0)
    result = -1;
  return hw_publish(bench, &lengths, "icache", 0) < 0 ? -1 : result;
}

/* Measures shifts of half of an overfull set, as far as there are pieces for it: doubling, up to
   most bytes and below half of the cache's stride, and half of that stride. */
static int icache_offset(struct icache_job *job, size_t most) {
  struct hw_random random = job->bench->random;
  struct hw_curve curve;
  double x[ICACHE_POINTS];
  size_t n = 0, need = icache_overfull(job);
  int result;
  size_t least = job->entries == HW_ICACHE_QUAD ? HW_ICACHE_DECODED : HW_ICACHE_PAIR;

  if (icache_shifted(job, 0, job->member, &random) < need)
    return -1;
  for (size_t shift = 0; shift <= most && 2 * shift < job->stride;
       shift = shift == 0 ? least : 2 * shift)
    if (icache_shifted(job, shift, job->member, &random) >= need / 2)
      x[n++] = (double)shift;
  if (icache_shifted(job, job->stride / 2, job->member, &random) >= need / 2)
    x[n++] = (double)(job->stride / 2);
  hw_curve_init(&curve,
                job->entries == HW_ICACHE_QUAD ? HW_NAME_ICACHE_QUAD_OFFSET : HW_NAME_ICACHE_OFFSET,
                "shift of half of the pieces of a set (bytes)", "time of a visit (cycles)");
  result = n < 3 ? -1 : icache_sample(job, icache_prepare_offset, NULL, x, n, &curve);
  return hw_publish(job->bench, &curve, "icache", result);
}

/* Pieces close together that fit the cache, with a quarter to spare. */
static size_t icache_fits(const struct icache_job *job) {
  size_t n = job->ways * job->stride / ICACHE_STRIDE * 3 / 4;

  n = n < job->packed.longest ? n : job->packed.longest;
  return n > ICACHE_PACKED ? n : ICACHE_PACKED;
}

/* Publishes the control's points of both, or the other ones. */
static int icache_part(struct icache_job *job, const struct hw_curve *both, bool control,
                       const char *name, const char *x_title) {
  struct hw_curve curve;
  int result = 0;

  hw_curve_init(&curve, name, x_title, "time of a visit (cycles)");
  for (size_t i = 0; i < both->n && result == 0; i++) {
    struct hw_point p = both->point[i];
    if ((p.x > ICACHE_CONTROL) != control)
      continue;
    p.x -= control ? ICACHE_CONTROL : 0;
    result = hw_curve_put(&curve, p);
  }
  return hw_publish(job->bench, &curve, "icache", result);
}

/* Measures two numbers of pieces that all miss, next to about as many that all hit.  Each of the
   parts exceeds a set of the cache, and of the micro-op cache.  Pieces have one entry, so that few
   suffice: the TLB must hold all of their pages. */
static int icache_miss(struct icache_job *job) {
  const struct hw_answer one =
      hw_reduce_named(&job->bench->curves, HW_NAME_ICACHE_STRIDES, hw_reduce_compact_ways);
  const size_t few = job->ways > ICACHE_PACKED / 2 ? job->ways : ICACHE_PACKED / 2;
  const size_t held =
      hw_icache_outlasted(&job->bench->curves) ? ICACHE_PARTS * (size_t)one.value : 0;
  const size_t some = 3 * few > held ? 3 * few : held, more = some + few;
  const size_t fits = icache_fits(job);
  const double x[] = {(double)some, (double)more,
                      ICACHE_CONTROL + (double)(fits < some ? fits : some)};
  struct hw_curve both;
  int result;

  job->entries = 1;
  job->parts = ICACHE_PARTS; /* each piece is to be evicted before it is visited again */
  if (icache_room(job, job->stride) < more)
    return 0;
  hw_curve_init(&both, "icache_both", "x", "y");
  result = icache_sample(job, icache_prepare, NULL, x, sizeof x / sizeof x[0], &both);
  if (result == 0)
    result =
        icache_part(job, &both, false, HW_NAME_ICACHE_MISS, "pieces of code in one set (count)");
  if (result == 0)
    result =
        icache_part(job, &both, true, HW_NAME_ICACHE_HIT, "pieces of code close together (count)");
  hw_curve_free(&both);
  return result;
}

/* Looks for an instruction cache that holds fewer lines than the micro-op cache before it. */
static int icache_behind(struct icache_job *job) {
  struct hw_answer ways;

  if (icache_quads(job, HW_ICACHE_TRIPLE) < 0 || icache_quads(job, HW_ICACHE_QUAD) < 0)
    return -1;
  ways = hw_icache_behind_ways(&job->bench->curves);
  if (!ways.known)
    return -1;
  job->ways = (size_t)ways.value;
  if (icache_offset(job, job->stride) < 0)
    return -1;
  job->entries = HW_ICACHE_ENTRIES;
  return icache_offset(job, job->stride);
}

/* Looks for the structure that overflows, and its line.  0, or -1. */
static int icache_find(struct icache_job *job) {
  const struct hw_curves *curves = &job->bench->curves;

  job->entries = 1;
  if (icache_search(job, icache_lengths) < 0)
    return -1;
  job->entries = HW_ICACHE_ENTRIES;
  if (icache_search(job, icache_pairs) < 0)
    return -1;
  if (!hw_icache_alike(curves))
    return icache_behind(job);
  job->entries = 1;
  return hw_icache_shape(curves, &job->ways, &job->stride) < 0
             ? -1
             : icache_offset(job, HW_LINE_LONGEST);
}

/* Looks for the cache.  0, or -1. */
static int icache_search_all(struct icache_job *job) {
  if (icache_find(job) < 0)
    return -1;
  if (hw_icache_apart(&job->bench->curves)) {
    job->from = job->stride;
    job->all = true;
    if (icache_find(job) < 0)
      return -1;
  }
  if (hw_icache_outlasted(&job->bench->curves)) {
    struct hw_icache_shifts shifts;
    if (hw_icache_behind_shifts(&job->bench->curves, (double)job->ways, &shifts) == NULL)
      job->stride = (size_t)shifts.period;
  }
  return 0;
}

/* Takes the cache's shape from the curves of an earlier attempt, if they tell all of it. */
static bool icache_found(struct icache_job *job) {
  const struct hw_curves *curves = &job->bench->curves;
  struct hw_answer bytes = hw_value_l1i_bytes(curves), ways = hw_value_l1i_assoc(curves);

  if (!bytes.known || !ways.known || !hw_value_l1i_line(curves).known)
    return false;
  job->ways = (size_t)ways.value;
  job->stride = (size_t)(bytes.value / ways.value);
  return true;
}

static int icache_measure(struct icache_job *job) {
  icache_find_runs(job, ICACHE_STRIDE, HW_ICACHE_ENTRIES, &job->packed);
  job->from = ICACHE_STRIDE;
  if (job->packed.longest < ICACHE_PACKED)
    return -1;
  return icache_found(job) || icache_search_all(job) == 0 ? icache_miss(job) : -1;
}

int hw_probe_icache(struct hw_bench *bench) {
  struct icache_job job = {.bench = bench, .parts = 1};
  int result = -1;

  job.position = bench->machine->ops->code(bench->machine, &job.n);
  if (job.position == NULL || job.n == 0)
    return -1;
  job.member = calloc(2 * job.n, sizeof *job.member);
  job.packed.length = calloc(job.n, sizeof *job.packed.length);
  job.apart.length = calloc(job.n, sizeof *job.apart.length);
  job.order = calloc(ICACHE_VISITS_MAX + ICACHE_PIECES, sizeof *job.order);
  if (job.member != NULL && job.packed.length != NULL && job.apart.length != NULL &&
      job.order != NULL)
    result = icache_measure(&job);
  free(job.member);
  free(job.packed.length);
  free(job.apart.length);
  free(job.order);
  return result;
}
