/* The size curve: levels of data cache, their latencies and effective sizes, and the memory's
   latency.

   Curve   levels: x working set (bytes), y time of a load (cycles); levels_farther, the largest
           and the last of each plateau again, with lines farther apart; levels_near_N, two of them
           again, by turns; levels_rise_N and levels_lines_N_K, see rise.c.
   Method  Rings over every line of working sets that double, and four to an octave where the curve
           rises.  A segment of some pages is done before the next, so that the TLB stays out of
           it; of each segment only lines that lie apart, in random order, and the others laps
           later, since what prefetchers bring along then comes too early.  Plateaus are levels.
           The last is the memory's when no cache is so slow or so much larger than the one before.
           Two whose latencies are near to each other must differ when they are measured by turns,
           too: a neighbour makes a shared level slower for a while.
           All with the core to itself while there is time to wait for that, beside whoever is there
           when not.
           What TLBs add that are not known is told by lines farther apart, of which a page has
           fewer: it is no part of a latency, and no level.
           Where a rise is wide, its pages tell whether another level hides in it, and single lines
           whether that is one, and what it costs: see rise.c.
   Rows    CACHE_LEVELS, HAVE_L1, HAVE_L2, HAVE_L3, L2_LAT, L2_LAT_X100, L2_LAT_PS, L2_EFF_BYTES,
           the same of L3, MEM_LAT, MEM_LAT_X100, MEM_LAT_PS.
   Cost    0.5 s, 0.35 s at quick effort, half as much again for each further attempt, 0.1 s where
           a level hides; up to the memory that a probe may have, 128 MiB where that shows the
           memory.
   Limits  Levels whose latencies differ by less than a quarter are one.  A level of which less than
           half an octave is flat (scattered pages, and the next not four times as large) is told by
           single lines, its latency and rates are unknown; so is the number of levels where two
           hide in one rise or the clock is too coarse for a line.  It is not seen where the sets of
           the one before are hashed or its replacement is random, so that the pages do not tell,
           and where both rises together look like one: nowhere less steep than before, and behind
           level 1 no cheaper than if it held all that it can.  Memory under 300 ns behind a level 2
           of 0.5 to 4 MiB needs up to 1 GiB to be told from a large level 3.  Where a mixture of
           lines and pages keeps part of a working set in a cache, memory is a few per cent cheaper
           than its latency.
   See     BB 3.1.2, 4.2.3, 5; SV III-A. */
#include "probes/memory/levels.h"

#include "probes/memory/l1.h"
#include "probes/memory/rise.h"

#include <math.h>
#include <stdlib.h>

/* A segment: one page, but no less than this, in which no prefetcher finds its way, and of small
   pages no more than the first-level TLB holds: so many where that is not known, or it holds more.
 */
#define LEVELS_SEGMENT ((size_t)64 << 10)
#define LEVELS_PAGES 16u
/* A page that is not known is no smaller than this. */
#define LEVELS_PAGE ((size_t)4096)
/* The least working set, as a part of the level-1 cache. */
#define LEVELS_LEAST 4u
/* Working sets of an octave where the curve rises; one where it does not. */
#define LEVELS_OCTAVE 4u
#define LEVELS_POINTS 128u
/* A neighbouring working set that costs this much more is a rise. */
#define LEVELS_RISE 1.06
/* Lines of a segment so far apart are visited in one lap: no level's line is longer, and no
   prefetcher brings more. */
#define LEVELS_APART ((size_t)128)
/* What is brought in with a line shows when lines so many times as far apart are loaded in a lap: a
   load costs that share more.  So does what TLBs add to a load: of a page that misses, so many
   times fewer loads are done at a time. */
#define LEVELS_FARTHER 4u
#define LEVELS_BROUGHT HW_CLUSTER_WIDTH
/* Standard errors by which it must cost more for that to be said. */
#define LEVELS_SURE 2.0
/* What memory is and no cache: a load of so many ns at all, twice what the slowest caches take
   (the fourth level of mainframes, on a chip of its own, 150).
   Or a plateau that goes on beyond so many times the size where the one before ended.  Of the
   caches that are known none is more than 256 times as large as the one above (504 MiB behind 2
   MiB); of each other's effective sizes, which are a half of that or the whole, 1024 is safe. Or so
   many ns, what a row of DRAM takes to be opened and read (30, since there is DDR) and the way
   there, in a plateau beyond so many bytes: larger than any cache but a third level
   behind a second one, from which the ratio tells it; it is none where the one before is larger
   than this, or three levels are before. */
#define LEVELS_SLOW_NS 300.0
#define LEVELS_FAR 1024.0
#define LEVELS_FAR_NS 50.0
#define LEVELS_FAR_BYTES ((double)((size_t)128 << 20))
#define LEVELS_FAR_RATIO 256.0
#define LEVELS_SECOND ((double)((size_t)4 << 20))
#define LEVELS_THREE 3u
/* Large working sets are measured in visits of so many rounds, far from each other in time; the
   lowest counts.  Another that costs so much more or less, half of what keeps all points of two
   levels apart, does not confirm it: then the point scatters by more than a latency may.  So does a
   small one that was walked beside a neighbour: as many samples as there are, all are longer. */
#define LEVELS_VISIT 6u
#define LEVELS_DIFFER (HW_CLUSTER_WIDTH / 2)
#define LEVELS_UNSURE (2 * HW_LEVEL_ERROR)
/* And those that cost more than a larger one again, so many times. */
#define LEVELS_CORRECT 2u
/* An attempt waits for no more than this part of what a probe may for its working sets to be walked
   with the core to itself: they can do without, what is looked at in the rises cannot. */
#define LEVELS_WAIT 3
/* Up to so many lines a ring is laid out anew for each sample, at another place, and walked until
   it is warm: so many laps, since replacement that is not LRU takes some to settle. */
#define LEVELS_SMALL ((size_t)1 << 13)
#define LEVELS_LAPS 8u
/* A larger one is laid out once, and streamed over before a sample; a sample walks no more than
   this part of it, and no more loads than it takes to be sure of them. */
#define LEVELS_PART 16u
#define LEVELS_LOADS 4096.0

/* Another level may hide in a rise over more than this factor.  It shows in the pages of working
   sets that cost so much of the rise more: some pages of a group of four miss, but few groups have
   two of them, and fewer than half of the groups miss.  The least is so low because from one point
   of the curve to the next that share grows up to sixfold, and with a hidden level at a quarter of
   the rise an eighth means that half of the pages miss. */
#define LEVELS_NARROW 2.0
#define LEVELS_LEFT (1.0 / 128)
#define LEVELS_GONE (1.0 / 8)

/* Two plateaus whose latencies differ by less than this factor are measured again by turns.  They
   are two levels when the second still costs more by what visits may differ. */
#define LEVELS_NEAR 2.0

/* Where another level hides single lines are timed: in so many working sets, at which the curve has
   risen by equal ratios, and in one behind the rise, of which fewer than this part lies between. */
#define LEVELS_SETS 4u
#define LEVELS_BEHIND (1.0 / 8)

/* The ring of a working set. */
struct levels_ring {
  struct hw_bench *bench;
  struct hw_memory *memory;
  size_t line;
  size_t apart;   /* lines from one visit of a segment to the next in the same lap */
  size_t page;    /* bytes, as that of the TLB or smaller */
  size_t segment; /* bytes */
  size_t mapped;  /* bytes */
  size_t *offset; /* the loads */
  size_t *order;  /* of the segments */
  size_t *entry;  /* the load with which each begins, in that order */
  size_t n;
  size_t segments;
  size_t place;  /* where the working set starts */
  size_t bytes;  /* of the working set that is linked; 0: none is */
  size_t first;  /* the segment with which it was last begun */
  size_t walked; /* loads since then */
  unsigned long loads;
  unsigned visits; /* of large working sets */
  double wait;     /* ns that these may still wait for the core to be left alone */
};

/* Puts into the ring every so many-th line of a segment. */
static void levels_put(struct levels_ring *ring, size_t segment, size_t turn,
                       struct hw_random *random) {
  size_t at = segment * ring->segment, first = ring->n;
  size_t end = at + ring->segment < ring->bytes ? at + ring->segment : ring->bytes;

  for (at += turn * ring->line; at < end; at += ring->apart * ring->line)
    ring->offset[ring->n++] = ring->place + at;
  hw_random_order(random, ring->offset + first, ring->n - first);
}

/* Lays the ring out over so many bytes from the place on, and links it. */
static int levels_link(struct levels_ring *ring, size_t bytes, size_t place,
                       struct hw_random *random) {
  struct hw_machine *machine = ring->bench->machine;

  ring->bytes = bytes;
  ring->place = place;
  ring->segments = (bytes + ring->segment - 1) / ring->segment;
  ring->n = 0;
  for (size_t i = 0; i < ring->segments; i++)
    ring->order[i] = i;
  hw_random_order(random, ring->order, ring->segments);
  /* Descending: where a miss brings the next line, that one was visited not long ago. */
  for (size_t turn = ring->apart; turn-- > 0;)
    for (size_t i = 0; i < ring->segments; i++) {
      if (turn + 1 == ring->apart)
        ring->entry[i] = ring->n;
      levels_put(ring, ring->order[i], turn, random);
    }
  return machine->ops->link(machine, ring->memory, ring->offset, ring->n);
}

/* Streams over the segments in the order of the ring, from one of them on, and has the next walk
   start there.  A line of the ring was then last used as long ago as a lap takes, or almost, as
   long as only a small part is walked. */
static void levels_stream(struct levels_ring *ring, size_t first) {
  struct hw_machine *machine = ring->bench->machine;

  for (size_t i = 0; i < ring->segments; i++) {
    size_t at = ring->order[(first + i) % ring->segments] * ring->segment;
    size_t bytes = at + ring->segment < ring->bytes ? ring->segment : ring->bytes - at;
    machine->ops->stream(machine, ring->memory, HW_STREAM_READ, ring->place + at,
                         bytes / HW_STREAM_GRAIN * HW_STREAM_GRAIN);
  }
  machine->ops->enter(machine, ring->memory, ring->offset[ring->entry[first]]);
  ring->first = first;
  ring->walked = 0;
}

static int levels_prepare_small(struct levels_ring *ring, size_t bytes, struct hw_random *random) {
  struct hw_machine *machine = ring->bench->machine;
  size_t room = (ring->mapped < 4 * bytes ? ring->mapped : 4 * bytes) - bytes;
  size_t place = hw_random_below(random, room / ring->page + 1) * ring->page;

  if (levels_link(ring, bytes, place, random) < 0)
    return -1;
  machine->ops->walk(machine, ring->memory, hw_grains((double)(LEVELS_LAPS * ring->n)));
  ring->loads = hw_grains(fmax((double)ring->n, (double)ring->bench->adds / 4));
  return 0;
}

/* Streams over it before it is walked too far.  Then it is walked from where it was not yet: a
   cache that keeps what is loaded from what is only streamed over would still hold the rest. */
static int levels_prepare_large(struct levels_ring *ring, size_t bytes, struct hw_random *random) {
  double loads = fmin(LEVELS_LOADS, (double)bytes / (double)ring->line / LEVELS_PART);
  size_t lines = ring->segment / ring->line;
  size_t each = lines < ring->apart ? 1 : lines / ring->apart; /* loads of a segment in one turn */

  ring->loads = hw_grains(fmax(loads, (double)ring->bench->adds / 4));
  if (ring->bytes != bytes) {
    if (levels_link(ring, bytes, 0, random) < 0)
      return -1;
    levels_stream(ring, 0);
  } else if (ring->walked + ring->loads > ring->n / LEVELS_PART) {
    levels_stream(ring, (ring->first + ring->walked / each + 1) % ring->segments);
  }
  return 0;
}

static int levels_prepare(void *context, double x, struct hw_random *random) {
  struct levels_ring *ring = context;
  size_t bytes = (size_t)x;

  return bytes / ring->line <= LEVELS_SMALL ? levels_prepare_small(ring, bytes, random)
                                            : levels_prepare_large(ring, bytes, random);
}

static double levels_work(void *context, double x) {
  struct levels_ring *ring = context;
  struct hw_machine *machine = ring->bench->machine;

  (void)x;
  machine->ops->walk(machine, ring->memory, ring->loads);
  ring->walked += ring->loads;
  return (double)ring->loads;
}

/* Bytes that the largest working set may have: beside it there is the list of its lines. */
static size_t levels_most(const struct hw_bench *bench, size_t line) {
  size_t grain = line > HW_STREAM_GRAIN ? line : HW_STREAM_GRAIN;

  return bench->memory / (line + sizeof(size_t)) * line / grain * grain;
}

/* What misses of the first TLB add to a load of a lap that visits lines so many times as far apart
   as the size curve does: one for each page of a segment.  0 where they are not known, or there are
   none yet.  Negative where some sets of the TLB hold their pages and some do not. */
static double levels_translation(const struct hw_curves *curves, double bytes, double farther) {
  struct hw_answer line = hw_value_l1_line(curves), page = hw_value_page_bytes(curves);
  struct hw_answer reach = hw_value_tlb1_reach_bytes(curves), ways = hw_value_tlb1_assoc(curves);
  struct hw_answer miss = hw_value_tlb1_miss(curves);

  if (!(line.known && page.known && reach.known && ways.known && miss.known) ||
      !(bytes > reach.value))
    return 0;
  if (bytes < reach.value * (1 + 1 / ways.value))
    return -1;
  return miss.value * fmin(1, fmax(2 * line.value, (double)LEVELS_APART) * farther / page.value);
}

/* The curve without what misses of the first TLB add, as far as that is known; without the points
   where it differs from set to set. */
static int levels_without_tlb(const struct hw_curves *curves, const struct hw_curve *curve,
                              struct hw_curve *pure) {
  hw_curve_init(pure, curve->name, curve->x_title, curve->y_title);
  for (size_t i = 0; i < curve->n; i++) {
    struct hw_point p = curve->point[i];
    double more = levels_translation(curves, p.x, 1);
    if (more < 0)
      continue;
    p.y -= more;
    if (hw_curve_put(pure, p) < 0) {
      hw_curve_free(pure);
      return -1;
    }
  }
  return 0;
}

/* Cycles that a load of a plateau may take less than the curve says, or, where what is loaded
   farther apart takes less, more: what TLBs add that are not known, or not known to be in the way,
   is so many times as much there. */
static double levels_more_tlb(const struct hw_curves *curves, const struct hw_curve *pure,
                              const struct hw_plateau *plateau) {
  const struct hw_curve *farther = hw_curves_get(curves, "levels_farther");
  const struct hw_point *near = &pure->point[plateau->last], *far;
  double more, sure;

  far = farther != NULL ? hw_curve_at(farther, near->x) : NULL;
  if (far == NULL)
    return 0;
  more = far->y - levels_translation(curves, far->x, LEVELS_FARTHER) - near->y;
  /* Beside a neighbour both scatter: what that explains is no TLB's. */
  sure = LEVELS_SURE * hypot(hw_point_error(near), hw_point_error(far));
  if (!(fabs(more) > sure))
    return 0;
  return more > 0 ? more / (LEVELS_FARTHER - 1) : -more;
}

/* Whether the last plateau of the curve is the memory's. */
static bool levels_far(const struct hw_curves *curves, const struct hw_curve *curve) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);
  struct hw_plateau plateau[HW_LEVELS];
  size_t n = hw_plateaus(curve, plateau, HW_LEVELS);
  const struct hw_point *before;
  double ns, bytes, ratio;

  if (n < 2 || plateau[n - 1].last + 1 < curve->n)
    return false;
  ns = hw_plateau_level(curve, &plateau[n - 1], true).value;
  ns = cycle.known ? ns * cycle.value / 1e3 : 0;
  bytes = curve->point[curve->n - 1].x;
  before = &curve->point[plateau[n - 2].last];
  ratio = bytes / before[1].x; /* it may end at any size below the next */
  return ratio >= LEVELS_FAR || ns >= LEVELS_SLOW_NS ||
         (ns >= LEVELS_FAR_NS && bytes >= LEVELS_FAR_BYTES &&
          (ratio >= LEVELS_FAR_RATIO || before->x > LEVELS_SECOND || n > LEVELS_THREE));
}

/* Whether the curve needs no larger working set. */
static bool levels_done(const struct hw_curves *curves, const struct hw_curve *curve) {
  struct hw_curve pure;
  bool done;

  if (levels_without_tlb(curves, curve, &pure) < 0)
    return true;
  done = levels_far(curves, &pure);
  hw_curve_free(&pure);
  return done;
}

static bool levels_small(const struct levels_ring *ring, double bytes) {
  return bytes / (double)ring->line <= LEVELS_SMALL;
}

/* Puts a point into the curve.  Of a large working set the lowest counts: what disturbs there lasts
   longer than a visit, and only adds.  A visit that does not confirm it is more than scatter. */
static int levels_keep(const struct levels_ring *ring, struct hw_curve *curve,
                       struct hw_point point) {
  const struct hw_point *earlier = hw_curve_at(curve, point.x);

  if (!levels_small(ring, point.x) && earlier != NULL) {
    double apart = fabs(point.y / earlier->y - 1);
    if (earlier->y < point.y)
      point.y = earlier->y;
    if (apart > LEVELS_DIFFER)
      point.spread = fmax(point.spread, LEVELS_UNSURE);
  }
  return hw_curve_put(curve, point);
}

/* Bytes of a segment of such pages. */
static size_t levels_segment(const struct hw_curves *curves, size_t page) {
  struct hw_answer entries = hw_value_tlb1_entries(curves);
  size_t pages = LEVELS_PAGES;

  if (page > LEVELS_SEGMENT)
    return page;
  if (entries.known && entries.value < LEVELS_PAGES)
    pages = (size_t)entries.value;
  return pages * page < LEVELS_SEGMENT ? pages * page : LEVELS_SEGMENT;
}

/* Measures those of n working sets of which there is no sample with the core to oneself: beside
   whoever is there, who lengthens all of them. */
static int levels_beside(struct levels_ring *ring, struct hw_task *task, const double *x, size_t n,
                         struct hw_curve *visit) {
  double left[LEVELS_POINTS];
  size_t lefts = 0;
  int result = 0;

  for (size_t i = 0; i < n; i++)
    if (hw_curve_at(visit, x[i]) == NULL)
      left[lefts++] = x[i];
  task->issue.y = 0;
  if (lefts > 0)
    result = hw_sample_task(ring->bench, task, left, lefts, visit);
  for (size_t i = 0; i < lefts && result == 0; i++) {
    struct hw_point p = *hw_curve_at(visit, left[i]);
    if (levels_small(ring, p.x))
      p.spread = fmax(p.spread, LEVELS_UNSURE);
    result = hw_curve_put(visit, p);
  }
  return result;
}

/* Measures n working sets once, in so many interleaved rounds. */
static int levels_visit(struct levels_ring *ring, const double *x, size_t n, unsigned rounds,
                        struct hw_curve *curve) {
  struct hw_task task = {.prepare = levels_prepare,
                         .work = levels_work,
                         .context = ring,
                         .issue = hw_issue(&ring->bench->curves),
                         .anywhere = levels_small(ring, x[n - 1])};
  struct hw_effort *effort = &ring->bench->effort, whole = *effort;
  const double wait = ring->bench->wait;
  struct hw_curve visit = {.n = 0};
  int result;

  ring->bytes = 0;
  effort->rounds = effort->rounds_max = rounds;
  ring->bench->wait = ring->wait;
  result = hw_sample_task(ring->bench, &task, x, n, &visit);
  if (result < 0 && task.issue.y > 0)
    result = levels_beside(ring, &task, x, n, &visit);
  *effort = whole;
  ring->wait = ring->bench->wait;
  ring->bench->wait = wait;
  for (size_t i = 0; i < visit.n && result == 0; i++)
    result = levels_keep(ring, curve, visit.point[i]);
  hw_curve_free(&visit);
  return result;
}

/* Rounds of a visit of large working sets. */
static unsigned levels_visit_rounds(unsigned rounds) {
  return rounds < LEVELS_VISIT ? rounds : LEVELS_VISIT;
}

/* Measures n working sets, by ascending size: small ones in interleaved rounds, large ones one by
   one. */
static int levels_sample(struct levels_ring *ring, const double *x, size_t n,
                         struct hw_curve *curve) {
  unsigned rounds = ring->bench->effort.rounds;
  size_t small = 0;

  while (small < n && levels_small(ring, x[small]))
    small++;
  if (small > 0 && levels_visit(ring, x, small, rounds, curve) < 0)
    return -1;
  for (unsigned visit = 0; visit < ring->visits; visit++)
    for (size_t i = small; i < n; i++)
      if (levels_visit(ring, &x[i], 1, levels_visit_rounds(rounds), curve) < 0)
        return -1;
  return 0;
}

/* Measures again the large working sets that cost more than a larger one: noise. */
static int levels_correct(struct levels_ring *ring, struct hw_curve *curve) {
  struct hw_curve risen;
  double x[LEVELS_POINTS];
  size_t n = 0;

  if (hw_monotone(curve, &risen) < 0)
    return -1;
  for (size_t i = 0; i < curve->n && n < LEVELS_POINTS; i++)
    if (curve->point[i].y > LEVELS_RISE * risen.point[i].y)
      x[n++] = curve->point[i].x;
  hw_curve_free(&risen);
  ring->visits = 1;
  return n == 0 ? 0 : levels_sample(ring, x, n, curve);
}

/* Measures what lies between neighbouring working sets where the curve changes. */
static int levels_refine(struct levels_ring *ring, struct hw_curve *curve) {
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i + 1 < curve->n; i++) {
    const struct hw_point *p = &curve->point[i], *next = p + 1;
    if (next->y > LEVELS_RISE * p->y || p->y > LEVELS_RISE * next->y)
      for (unsigned k = 1; k < LEVELS_OCTAVE; k++) {
        double at = p->x * (1 + (double)k / LEVELS_OCTAVE);
        if (at < next->x && n < LEVELS_POINTS)
          x[n++] = at;
      }
  }
  return n == 0 ? 0 : levels_sample(ring, x, n, curve);
}

/* Measures what makes a coarse curve whole. */
static int levels_finish(struct levels_ring *ring, struct hw_curve *curve) {
  if (levels_refine(ring, curve) < 0)
    return -1;
  for (unsigned i = 0; i < LEVELS_CORRECT; i++)
    if (levels_correct(ring, curve) < 0)
      return -1;
  return 0;
}

/* Another visit of all working sets that an earlier curve has, which it is to correct. */
static int levels_again(struct levels_ring *ring, const struct hw_curve *earlier,
                        struct hw_curve *curve) {
  double x[LEVELS_POINTS];
  size_t n = 0;

  for (size_t i = 0; i < earlier->n && n < LEVELS_POINTS; i++) {
    if (hw_curve_put(curve, earlier->point[i]) < 0)
      return -1;
    if (earlier->point[i].x <= (double)ring->mapped)
      x[n++] = earlier->point[i].x;
  }
  ring->visits = 1;
  return levels_sample(ring, x, n, curve) < 0 ? -1 : levels_finish(ring, curve);
}

/* The working sets that are measured once more with lines farther apart: the largest, and the
   last of each plateau behind the first, where TLBs miss most. */
static size_t levels_farther_sets(const struct hw_curves *curves, const struct hw_curve *curve,
                                  double x[HW_LEVELS]) {
  struct hw_plateau plateau[HW_LEVELS];
  struct hw_curve pure;
  size_t n, sets = 0;

  if (levels_without_tlb(curves, curve, &pure) < 0)
    return 0;
  n = hw_plateaus(&pure, plateau, HW_LEVELS);
  for (size_t i = 1; i < n; i++)
    x[sets++] = pure.point[plateau[i].last].x;
  hw_curve_free(&pure);
  x[sets++] = curve->point[curve->n - 1].x;
  return sets;
}

/* Measures some working sets once more, with lines farther apart, as the curve levels_farther.
   Where it is not known how many pages the first TLB holds, those of a segment are fewer: were they
   too many, what they miss is then less. */
static int levels_farther(struct levels_ring *ring, const struct hw_curve *curve) {
  struct hw_answer entries = hw_value_tlb1_entries(&ring->bench->curves);
  const size_t segment = ring->segment, apart = ring->apart;
  double x[HW_LEVELS];
  size_t n = levels_farther_sets(&ring->bench->curves, curve, x);
  struct hw_curve farther;
  int result = n > 0 ? 0 : -1;

  hw_curve_init(&farther, "levels_farther", "working set (bytes)", "time of a load (cycles)");
  ring->apart *= LEVELS_FARTHER;
  if (!entries.known && segment >= LEVELS_FARTHER * ring->page)
    ring->segment /= LEVELS_FARTHER;
  for (size_t i = 0; i < n && result == 0; i++)
    result =
        levels_visit(ring, &x[i], 1, levels_visit_rounds(ring->bench->effort.rounds), &farther);
  ring->apart = apart;
  ring->segment = segment;
  if (result == 0)
    return hw_publish(ring->bench, &farther, "levels", 1);
  hw_curve_free(&farther);
  return -1;
}

/* Measures the curve: working sets that double until the memory's plateau was seen, then what lies
   between. */
static int levels_curve(struct levels_ring *ring, double least, struct hw_curve *curve) {
  double x[LEVELS_POINTS], at = least;
  size_t n = 0;

  for (; at / (double)ring->line <= LEVELS_SMALL && at <= (double)ring->mapped; at *= 2)
    x[n++] = at;
  if (levels_sample(ring, x, n, curve) < 0)
    return -1;
  for (; at <= (double)ring->mapped && !levels_done(&ring->bench->curves, curve); at *= 2)
    if (levels_sample(ring, &at, 1, curve) < 0)
      return -1;
  return levels_finish(ring, curve);
}

static void levels_close(struct levels_ring *ring) {
  ring->bench->machine->ops->unmap(ring->bench->machine, ring->memory);
  free(ring->offset);
  free(ring->order);
  free(ring->entry);
}

/* Has memory for the ring, so much of it as there is, but no less than the least.  0, or -1. */
static int levels_open(struct levels_ring *ring, size_t least) {
  struct hw_machine *machine = ring->bench->machine;

  for (; ring->mapped >= least; ring->mapped /= 2) {
    size_t segments = ring->mapped / ring->segment * LEVELS_FARTHER + LEVELS_FARTHER;
    ring->offset = calloc(ring->mapped / ring->line + 1, sizeof *ring->offset);
    ring->order = calloc(segments, sizeof *ring->order);
    ring->entry = calloc(segments, sizeof *ring->entry);
    ring->memory = machine->ops->map(machine, ring->mapped, HW_PAGES_PLAIN);
    if (ring->offset != NULL && ring->order != NULL && ring->entry != NULL && ring->memory != NULL)
      return 0;
    levels_close(ring);
  }
  return -1;
}

static const char levels_method[] = "plateaus of the size curve";

/* The name of the curve of the rise behind plateau n. */
static void levels_rise_name(char name[HW_CURVE_NAME + 1], size_t n) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_rise_%zu", n + 1);
}

/* Where the pages of a rise are looked at between one point of it and the next, or 0: where few
   have left the plateau. */
static double levels_place(const struct hw_point *at, double low, double high) {
  double left = (at->y - low) / (high - low), next = (at[1].y - low) / (high - low);

  if (left >= LEVELS_LEFT)
    return left <= LEVELS_GONE ? at->x : 0;
  return next > LEVELS_GONE ? (at->x + at[1].x) / 2 : 0;
}

/* Looks at the pages of the first working sets behind plateau n that have left it, until one is
   clear, unless the next plateau is too near for another level. */
static int levels_rise(struct levels_ring *ring, struct hw_rise_pages *pages,
                       const struct hw_curve *pure, const struct hw_plateau *plateau, size_t n) {
  const struct hw_point *low = &pure->point[plateau[n].last];
  const struct hw_point *high = &pure->point[plateau[n + 1].first];
  enum hw_missed missed = HW_MISSED_UNCLEAR;
  char name[HW_CURVE_NAME + 1];
  int result = 0;

  if (high->x <= LEVELS_NARROW * low->x)
    return 0;
  levels_rise_name(name, n);
  pages->apart = low->y * (hw_missed_apart(low->y, high->y) - 1);
  for (const struct hw_point *at = low; at < high && missed == HW_MISSED_UNCLEAR; at++) {
    double bytes = levels_place(at, low->y, high->y);
    struct hw_curve curve;
    if (!(bytes > 0))
      continue;
    hw_curve_init(&curve, name, "part of the working set (bytes)", "time of a load (cycles)");
    result = hw_rise_measure(ring->bench, pages, (size_t)bytes, &curve);
    if (result != 0) {
      hw_curve_free(&curve);
      break;
    }
    missed = hw_reduce_missed(&curve, low->y, high->y);
    if (hw_publish(ring->bench, &curve, "levels", 1) < 0)
      return -1;
  }
  return result < 0 ? -1 : 0;
}

/* What the pages say of the rise behind plateau n. */
static enum hw_missed levels_missed(const struct hw_curves *curves, const struct hw_curve *pure,
                                    const struct hw_plateau *plateau, size_t n) {
  const struct hw_point *low = &pure->point[plateau[n].last];
  const struct hw_point *high = &pure->point[plateau[n + 1].first];
  const struct hw_curve *pages;
  char name[HW_CURVE_NAME + 1];
  double bytes;

  levels_rise_name(name, n);
  pages = hw_curves_get(curves, name);
  bytes = pages != NULL && pages->n > 0 ? pages->point[pages->n - 1].x : 0;
  /* Of another rise, seen by an earlier attempt? */
  if (!(bytes > low->x && bytes < high->x))
    return HW_MISSED_UNCLEAR;
  return hw_reduce_missed(pages, low->y, high->y);
}

/* Whether a working set behind the first plateau costs less than it can by the second.  In a lap
   over more lines than level 1 holds, no more of them hit it than it holds, however it is replaced:
   what the others take on average is less than the second plateau only where some lie in a level
   before it, which is as near to it as levels may be, or nearer. */
static bool levels_cheap(const struct hw_curves *curves, const struct hw_curve *pure,
                         const struct hw_plateau *plateau) {
  struct hw_answer l1 = hw_value_l1_bytes(curves);
  double hit = pure->point[plateau[0].last].y;
  double miss = pure->point[plateau[1].first].y / (1 + HW_CLUSTER_WIDTH);

  for (size_t i = plateau[0].last + 1; l1.known && i < plateau[1].first; i++) {
    const struct hw_point *point = &pure->point[i];
    double held = fmin(1, l1.value / point->x);
    if ((1 + HW_LEVEL_ERROR) * point->y < held * hit + (1 - held) * miss)
      return true;
  }
  return false;
}

/* Whether there may be another level behind plateau n, which is not seen.  Where the pages do not
   tell, the shape of the rise must. */
static bool levels_hidden(const struct hw_curves *curves, const struct hw_curve *pure,
                          const struct hw_plateau *plateau, size_t n) {
  const struct hw_plateau *low = &plateau[n], *high = &plateau[n + 1];
  enum hw_missed missed = levels_missed(curves, pure, plateau, n);

  return missed == HW_MISSED_MORE || hw_plateau_shoulder(pure, low, high) ||
         (n == 0 && levels_cheap(curves, pure, plateau)) ||
         (missed == HW_MISSED_UNCLEAR && hw_plateau_wide(pure, low, high));
}

/* The name of the curve of the lines of working set k in the rise behind plateau n; 0: behind it.
 */
static void levels_lines_name(char name[HW_CURVE_NAME + 1], size_t n, unsigned k) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_lines_%zu_%u", n + 1, k);
}

/* The k-th working set of which lines are timed in the rise from one point to another; 0: the first
   behind it. */
static double levels_set(const struct hw_point *low, const struct hw_point *high, unsigned k) {
  double y = low->y * pow(high->y / low->y, (double)k / (LEVELS_SETS + 1));
  const struct hw_point *at = low;

  while (at < high && at->y < y)
    at++;
  return k == 0 ? high->x : at > low ? (at[-1].x + at->x) / 2 : low->x;
}

/* Times single lines in the rise behind plateau n. */
static int levels_lines(struct levels_ring *ring, const struct hw_rise_pages *pages,
                        const struct hw_curve *pure, const struct hw_plateau *plateau, size_t n) {
  const struct hw_point *low = &pure->point[plateau[n].last];
  const struct hw_point *high = &pure->point[plateau[n + 1].first];
  const double latency[2] = {low->y, high->y};
  size_t held = (size_t)sqrt(pure->point[plateau[n].first].x * low->x);
  int result = 0;

  for (unsigned k = 0; k <= LEVELS_SETS && result == 0; k++) {
    char name[HW_CURVE_NAME + 1];
    struct hw_curve curve;
    levels_lines_name(name, n, k);
    hw_curve_init(&curve, name, "part of the working set (bytes)", "time of a load (cycles)");
    result =
        hw_rise_lines(ring->bench, pages, (size_t)levels_set(low, high, k), held, latency, &curve);
    if (result == 0)
      result = hw_publish(ring->bench, &curve, "levels", 1);
    else
      hw_curve_free(&curve);
  }
  return result < 0 ? -1 : 0;
}

/* The name of the curve of the ends of plateau n and the next. */
static void levels_near_name(char name[HW_CURVE_NAME + 1], size_t n) {
  snprintf(name, HW_CURVE_NAME + 1, "levels_near_%zu", n + 1);
}

/* Whether the next plateau is so near to plateau n that both have to be measured by turns. */
static bool levels_near(const struct hw_curve *pure, const struct hw_plateau *plateau, size_t n) {
  return pure->point[plateau[n + 1].first].y < LEVELS_NEAR * pure->point[plateau[n].last].y;
}

/* Measures the ends of plateau n and the next again, by turns. */
static int levels_turns(struct levels_ring *ring, const struct hw_curve *pure,
                        const struct hw_plateau *plateau, size_t n) {
  const double x[2] = {pure->point[plateau[n].last].x, pure->point[plateau[n + 1].first].x};
  char name[HW_CURVE_NAME + 1];
  struct hw_curve curve;

  levels_near_name(name, n);
  hw_curve_init(&curve, name, "working set (bytes)", "time of a load (cycles)");
  if (levels_visit(ring, x, 2, ring->bench->effort.rounds, &curve) == 0)
    return hw_publish(ring->bench, &curve, "levels", 1);
  hw_curve_free(&curve);
  return -1;
}

/* Whether plateau n and the next differ, by more than TLBs may add, and measured by turns too where
   they are near. */
static bool levels_differ(const struct hw_curves *curves, const struct hw_curve *pure,
                          const struct hw_plateau *plateau, size_t n) {
  double least =
      pure->point[plateau[n + 1].last].y - levels_more_tlb(curves, pure, &plateau[n + 1]);
  const struct hw_curve *turns;
  char name[HW_CURVE_NAME + 1];

  if (!(least > (1 + LEVELS_DIFFER) * pure->point[plateau[n].last].y))
    return false;
  if (!levels_near(pure, plateau, n))
    return true;
  levels_near_name(name, n);
  turns = hw_curves_get(curves, name);
  /* Of other plateaus, seen by an earlier attempt? */
  return turns != NULL && turns->n == 2 && !(turns->point[0].x < pure->point[plateau[n].first].x) &&
         !(turns->point[0].x > pure->point[plateau[n].last].x) &&
         !(turns->point[1].x < pure->point[plateau[n + 1].first].x) &&
         turns->point[1].y > (1 + LEVELS_DIFFER) * turns->point[0].y;
}

/* Looks at the pages in each rise behind level 2 and on, and at plateaus that are near. */
static int levels_rises(struct levels_ring *ring, const struct hw_curve *curve) {
  struct hw_answer cycle = hw_value_cycle_ps(&ring->bench->curves);
  struct hw_rise_pages pages = {ring->memory, ring->mapped, ring->page, ring->line, 0, 0, 0};
  struct hw_plateau plateau[HW_LEVELS];
  struct hw_curve pure;
  size_t n;
  int result = 0;

  if (!cycle.known)
    return 0;
  if (levels_without_tlb(&ring->bench->curves, curve, &pure) < 0)
    return -1;
  n = hw_plateaus(&pure, plateau, HW_LEVELS);
  pages.hit = pure.point[0].y;
  pages.cycle_ns = cycle.value / 1e3;
  for (size_t i = 1; i + 1 < n && result == 0; i++)
    result = levels_rise(ring, &pages, &pure, plateau, i);
  for (size_t i = 1; i + 1 < n && result == 0; i++)
    if (levels_hidden(&ring->bench->curves, &pure, plateau, i))
      result = levels_lines(ring, &pages, &pure, plateau, i);
  for (size_t i = 0; i + 1 < n && result == 0; i++)
    if (levels_near(&pure, plateau, i))
      result = levels_turns(ring, &pure, plateau, i);
  hw_curve_free(&pure);
  return result;
}

int hw_probe_levels(struct hw_bench *bench) {
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct hw_answer page = hw_value_page_bytes(&bench->curves);
  const struct hw_curve *earlier = hw_curves_get(&bench->curves, "levels");
  const struct hw_effort effort = bench->effort;
  struct levels_ring ring = {.bench = bench,
                             .visits = effort.rounds / levels_visit_rounds(effort.rounds),
                             .wait = effort.wait / LEVELS_WAIT};
  struct hw_l1_shape l1;
  struct hw_curve curve;
  int result = -1;

  if (!line.known || hw_l1_shape(&bench->curves, &l1) < 0)
    return -1;
  ring.line = (size_t)line.value;
  ring.apart = 2 * ring.line > LEVELS_APART ? 2 : LEVELS_APART / ring.line;
  ring.page = page.known ? (size_t)page.value : l1.stride < LEVELS_PAGE ? l1.stride : LEVELS_PAGE;
  ring.segment = levels_segment(&bench->curves, ring.page);
  ring.mapped = levels_most(bench, ring.line);
  if (earlier != NULL)
    bench->effort.rounds /= 2; /* as many as before: the earlier ones count */
  hw_curve_init(&curve, "levels", "working set (bytes)", "time of a load (cycles)");
  if (levels_open(&ring, 4 * l1.bytes) == 0) {
    result = earlier != NULL ? levels_again(&ring, earlier, &curve)
                             : levels_curve(&ring, (double)(l1.bytes / LEVELS_LEAST), &curve);
    if (result == 0)
      result = levels_farther(&ring, &curve);
    if (result == 0)
      result = levels_rises(&ring, &curve);
    levels_close(&ring);
  }
  bench->effort = effort;
  if (result == 0)
    return hw_publish(bench, &curve, "levels", 1);
  hw_curve_free(&curve);
  return -1;
}

/* Whether the curve nowhere falls, beyond what does not matter. */
static bool levels_quiet(const struct hw_curve *curve) {
  struct hw_curve risen;
  bool quiet = true;

  if (hw_monotone(curve, &risen) < 0)
    return false;
  for (size_t i = 0; i < curve->n; i++)
    quiet = quiet && curve->point[i].y <= (1 + HW_LEVEL_ERROR) * risen.point[i].y;
  hw_curve_free(&risen);
  return quiet;
}

/* Whether the pages tell of a level that is not seen. */
static bool levels_more(const struct hw_curves *curves, const struct hw_curve *curve) {
  struct hw_plateau plateau[HW_LEVELS];
  struct hw_curve pure;
  bool more = false;
  size_t n;

  if (levels_without_tlb(curves, curve, &pure) < 0)
    return false;
  n = hw_plateaus(&pure, plateau, HW_LEVELS);
  for (size_t i = 0; i + 1 < n; i++)
    more = more || levels_missed(curves, &pure, plateau, i) == HW_MISSED_MORE;
  hw_curve_free(&pure);
  return more;
}

/* Measuring again changes nothing where there is no noise, nor where the pages tell of a level that
   is not seen. */
static struct hw_answer levels_unclear(const struct hw_curves *curves) {
  static const char why[] = "the levels are not clear";
  const struct hw_curve *curve = hw_curves_get(curves, "levels");

  if (curve != NULL && levels_more(curves, curve))
    return hw_absent(levels_method, "a level hides between two others");
  return curve != NULL && levels_quiet(curve) ? hw_absent(levels_method, why)
                                              : hw_unknown(levels_method, why);
}

/* A point still belongs to a plateau when a load costs less than half as much again, or lies in the
   first third of a lower rise by ratio. */
#define LEVELS_IN 1.5
#define LEVELS_THIRD (1.0 / 3)

/* The end of a plateau of the curve, with another level behind it. */
static struct hw_answer levels_end(const struct hw_curve *curve, const struct hw_plateau *plateau,
                                   double level, double next) {
  static const char method[] = "end of a plateau";
  double bound = level * fmin(LEVELS_IN, pow(next / level, LEVELS_THIRD));
  size_t last = curve->n - 1;

  while (last > plateau->last && curve->point[last].y > bound)
    last--;
  if (last + 1 == curve->n)
    return hw_unknown(method, "no end of the plateau was seen");
  return hw_known(method, curve->point[last].x, curve->point[last + 1].x - curve->point[last].x,
                  HW_CLEAR);
}

/* A latency is known when it is to 3 % or half a cycle. */
static struct hw_answer levels_clear(struct hw_answer latency) {
  if (latency.known && latency.error > fmax(HW_LEVEL_ERROR * latency.value, 0.5))
    return hw_absent(latency.method, "the plateau is slanted by more than 3 %");
  return latency;
}

/* The latency of a plateau, if TLBs add no more to it than it may be off. */
static struct hw_answer levels_sure(const struct hw_curves *curves, const struct hw_curve *pure,
                                    const struct hw_plateau *plateau, struct hw_answer latency) {
  latency = levels_clear(latency);
  latency.error += levels_more_tlb(curves, pure, plateau);
  if (latency.known && latency.error > fmax(HW_LEVEL_ERROR * latency.value, 0.5))
    return hw_unknown(latency.method, "it depends on how far lines lie apart");
  return latency;
}

/* The latency, if at most half of the points from least to most (bytes) scatter by more than 3 %:
   what a neighbour does to a shared level only adds, so that no number of samples makes up for it.
 */
static struct hw_answer levels_calm(const struct hw_curves *curves, struct hw_answer latency,
                                    double least, double most) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  size_t n = 0, scattered = 0;

  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    if (curve->point[i].x >= least && curve->point[i].x <= most) {
      n++;
      scattered += curve->point[i].spread > HW_LEVEL_ERROR;
    }
  if (latency.known && 2 * scattered > n)
    return hw_absent(latency.method, "the samples scatter by more than 3 %");
  return latency;
}

/* Whether a load of the largest working set brings in more than the next ones of its lap are apart.
   Then it is not known what a miss costs beyond level 2. */
static bool levels_brought(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  const struct hw_curve *farther = hw_curves_get(curves, "levels_farther");
  const struct hw_point *near, *far;

  if (curve == NULL || curve->n == 0 || farther == NULL)
    return false;
  near = &curve->point[curve->n - 1];
  far = hw_curve_at(farther, near->x);
  return far != NULL && far->y > (1 + LEVELS_BROUGHT) * near->y;
}

static struct hw_answer levels_fetched(const struct hw_curves *curves, struct hw_answer latency) {
  return latency.known && levels_brought(curves)
             ? hw_absent(latency.method, "a miss brings in what is loaded next")
             : latency;
}

/* The level that hides behind plateau n, as single lines have it. */
static struct hw_answer levels_between(const struct hw_curves *curves, const struct hw_curve *pure,
                                       const struct hw_plateau *plateau, size_t n) {
  const struct hw_point *low = &pure->point[plateau[n].last];
  const struct hw_point *high = &pure->point[plateau[n + 1].first];
  const struct hw_curve *lines[LEVELS_SETS];
  size_t sets = 0;

  for (unsigned k = 0; k <= LEVELS_SETS; k++) {
    const struct hw_curve *curve;
    char name[HW_CURVE_NAME + 1];
    double bytes;
    levels_lines_name(name, n, k);
    curve = hw_curves_get(curves, name);
    bytes = curve != NULL && curve->n > 0 ? curve->point[curve->n - 1].x : 0;
    if (k > 0 && bytes > low->x && bytes < high->x)
      lines[sets++] = curve;
    else if (k == 0 &&
             (bytes < high->x || hw_between_share(curve, low->y, high->y) > LEVELS_BEHIND))
      return hw_unknown(levels_method, "what lies between is no level");
  }
  return hw_reduce_between(lines, sets, low->y, high->y);
}

/* A level that is seen, or that hides: then its latency is known, and it has no points where first
   is behind last. */
struct levels_found {
  struct hw_plateau at;
  struct hw_answer between;
};

/* Where a level of that latency hides in the rise behind a plateau: the points of the size curve
   that are as near to it as those of a flat stretch are to each other. */
static struct hw_plateau levels_where(const struct hw_curve *curve,
                                      const struct hw_plateau *plateau, double latency) {
  struct hw_plateau at = {plateau[0].last + 1, plateau[1].first - 1};
  double near = 1 + HW_CLUSTER_WIDTH / 2;

  while (at.first <= at.last && curve->point[at.first].y * near < latency)
    at.first++;
  while (at.last >= at.first && curve->point[at.last].y > latency * near)
    at.last--;
  return at;
}

/* All levels, those that hide among them, up to where it is not clear.  In *whole whether all of n
   plateaus are. */
static size_t levels_find(const struct hw_curves *curves, const struct hw_curve *pure,
                          const struct hw_plateau *plateau, size_t n,
                          struct levels_found found[HW_LEVELS], bool *whole) {
  size_t clear = 0, i = 0;

  for (; i < n && clear < HW_LEVELS; i++) {
    struct hw_answer between;
    found[clear++] = (struct levels_found){.at = plateau[i]};
    if (i + 1 < n && !levels_differ(curves, pure, plateau, i))
      break;
    if (i + 1 == n || !levels_hidden(curves, pure, plateau, i))
      continue;
    between = levels_between(curves, pure, plateau, i);
    if (!between.known || clear == HW_LEVELS)
      break;
    found[clear++] = (struct levels_found){levels_where(pure, &plateau[i], between.value), between};
  }
  *whole = i == n;
  return clear;
}

/* What single lines cost is known to a step of the clock: no latency, but good enough to tell a hit
   from a miss. */
static struct hw_answer levels_rough(struct hw_answer between) {
  struct hw_answer latency = hw_absent(between.method, "its plateau is too short to be measured");

  latency.value = between.value;
  return latency;
}

/* What is known of n levels.  Where the next level is not known, it is no lower than half as much
   again, if the curve rises that far without what TLBs may add. */
static void levels_fill(const struct hw_curves *curves, const struct hw_curve *curve,
                        const struct levels_found *found, size_t n, struct hw_level *level) {
  const struct hw_plateau largest = {curve->n - 1, curve->n - 1};
  const double farthest = curve->point[largest.last].y - levels_more_tlb(curves, curve, &largest);

  for (size_t i = 0; i < n; i++) {
    const struct hw_point *last = &curve->point[found[i].at.last];
    double y = found[i].between.known ? found[i].between.value : last->y;
    double next = i + 1 == n                   ? LEVELS_IN * y
                  : found[i + 1].between.known ? found[i + 1].between.value
                                               : curve->point[found[i + 1].at.first].y;
    bool ends = i + 1 < n || next <= farthest;
    struct hw_answer flat = found[i].between;
    if (!flat.known)
      flat = hw_plateau_level(curve, &found[i].at, !ends);
    level[i].latency = found[i].between.known ? levels_rough(flat)
                                              : levels_sure(curves, curve, &found[i].at, flat);
    level[i].effective = ends ? levels_end(curve, &found[i].at, flat.value, next)
                              : hw_unknown("end of a plateau", "no end of the plateau was seen");
    level[i].least = curve->point[found[i].at.first].x;
    level[i].most = last->x;
  }
}

/* The plateaus that are clear, as far as they go; in *memory the latency of the last of all if it
   is the memory's. */
static size_t levels_read(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                          bool *whole, struct hw_answer *memory) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  struct hw_plateau plateau[HW_LEVELS];
  struct levels_found found[HW_LEVELS];
  struct hw_curve pure;
  size_t n, clear;
  bool all;

  *whole = false;
  *memory = levels_unclear(curves);
  if (curve == NULL || levels_without_tlb(curves, curve, &pure) < 0)
    return 0;
  n = hw_plateaus(&pure, plateau, HW_LEVELS);
  if (n == 0 || plateau[0].first != 0) {
    hw_curve_free(&pure);
    return 0;
  }
  clear = levels_find(curves, &pure, plateau, n, found, &all);
  if (levels_far(curves, &pure)) {
    *whole = all;
    *memory = hw_plateau_level(&pure, &plateau[n - 1], true);
    *memory = levels_calm(curves, levels_sure(curves, &pure, &plateau[n - 1], *memory),
                          pure.point[plateau[n - 1].first].x, pure.point[plateau[n - 1].last].x);
  }
  levels_fill(curves, &pure, found, clear, level);
  hw_curve_free(&pure);
  return clear;
}

size_t hw_levels_seen(const struct hw_curves *curves, struct hw_level level[HW_LEVELS],
                      bool *whole) {
  struct hw_answer memory;

  return levels_read(curves, level, whole, &memory);
}

size_t hw_levels(const struct hw_curves *curves, struct hw_level level[HW_LEVELS]) {
  bool whole;
  size_t n = hw_levels_seen(curves, level, &whole);

  return whole ? n : 0;
}

/* Level n of the caches, from 1 on: 1 when it exists, 0 when not, -1 when that is not clear.  The
   last plateau that is seen is a cache's if it ends. */
static int levels_cache(const struct hw_curves *curves, size_t n, struct hw_level *found) {
  struct hw_level level[HW_LEVELS];
  bool whole;
  size_t seen = hw_levels_seen(curves, level, &whole);

  if (n < seen || (n == seen && level[n - 1].effective.known)) {
    *found = level[n - 1];
    return 1;
  }
  return whole ? 0 : -1;
}

struct hw_answer hw_value_cache_levels(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  size_t n = hw_levels(curves, level);

  return n > 0 ? hw_known(levels_method, (double)n - 1, 0, HW_CLEAR) : levels_unclear(curves);
}

static struct hw_answer levels_have(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  return have < 0 ? levels_unclear(curves) : hw_known(levels_method, have, 0, HW_CLEAR);
}

static struct hw_answer levels_latency(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  if (have == 0)
    return hw_absent(levels_method, "there is no such level");
  if (have < 0)
    return levels_unclear(curves);
  level.latency = levels_calm(curves, level.latency, level.least, level.most);
  return n > 2 ? levels_fetched(curves, level.latency) : level.latency;
}

static struct hw_answer levels_effective(const struct hw_curves *curves, size_t n) {
  struct hw_level level;
  int have = levels_cache(curves, n, &level);

  if (have == 0 && n > 2)
    return levels_effective(curves, n - 1);
  if (have == 0) {
    struct hw_answer l1 = hw_value_l1_eff_bytes(curves);
    l1.settled = !l1.known; /* not by measuring this curve again */
    return l1;
  }
  return have < 0 ? levels_unclear(curves) : level.effective;
}

/* In whole cycles, and right to that share of them or half a cycle: a cache's is one number, which
   is right or not (share 0); memory's may be some per cent less, see above. */
static struct hw_answer levels_whole(struct hw_answer latency, double share) {
  double whole = round(latency.value);

  if (latency.known && fabs(latency.value - whole) + latency.error > fmax(share * whole, 0.5))
    return hw_absent(latency.method, "it lies between two whole numbers");
  latency.value = whole;
  return latency;
}

static struct hw_answer levels_memory(const struct hw_curves *curves) {
  struct hw_level level[HW_LEVELS];
  struct hw_answer memory;
  bool whole;

  (void)levels_read(curves, level, &whole, &memory);
  return levels_fetched(curves, memory);
}

struct hw_answer hw_levels_memory(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, "levels");
  struct hw_answer memory = levels_unclear(curves);
  struct hw_plateau plateau[HW_LEVELS];
  struct hw_curve pure;

  if (curve == NULL || levels_without_tlb(curves, curve, &pure) < 0)
    return memory;
  if (levels_far(curves, &pure)) {
    size_t n = hw_plateaus(&pure, plateau, HW_LEVELS);
    memory = hw_plateau_level(&pure, &plateau[n - 1], false);
  }
  hw_curve_free(&pure);
  return levels_fetched(curves, memory);
}

/* In time. */
static struct hw_answer levels_ps(const struct hw_curves *curves, struct hw_answer latency) {
  struct hw_answer cycle = hw_value_cycle_ps(curves);

  return !latency.known ? latency : cycle.known ? hw_scaled(latency, cycle.value) : cycle;
}

struct hw_answer hw_value_have_l1(const struct hw_curves *curves) {
  return levels_have(curves, 1);
}

struct hw_answer hw_value_have_l2(const struct hw_curves *curves) {
  return levels_have(curves, 2);
}

struct hw_answer hw_value_have_l3(const struct hw_curves *curves) {
  return levels_have(curves, 3);
}

struct hw_answer hw_value_l2_lat(const struct hw_curves *curves) {
  return levels_whole(levels_latency(curves, 2), 0);
}

struct hw_answer hw_value_l2_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_latency(curves, 2), 100);
}

struct hw_answer hw_value_l2_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_latency(curves, 2));
}

struct hw_answer hw_value_l2_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 2);
}

struct hw_answer hw_value_l3_lat(const struct hw_curves *curves) {
  return levels_whole(levels_latency(curves, 3), 0);
}

struct hw_answer hw_value_l3_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_latency(curves, 3), 100);
}

struct hw_answer hw_value_l3_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_latency(curves, 3));
}

struct hw_answer hw_value_l3_eff_bytes(const struct hw_curves *curves) {
  return levels_effective(curves, 3);
}

struct hw_answer hw_value_mem_lat(const struct hw_curves *curves) {
  return levels_whole(levels_memory(curves), HW_LEVEL_ERROR);
}

struct hw_answer hw_value_mem_lat_x100(const struct hw_curves *curves) {
  return hw_scaled(levels_memory(curves), 100);
}

struct hw_answer hw_value_mem_lat_ps(const struct hw_curves *curves) {
  return levels_ps(curves, levels_memory(curves));
}
