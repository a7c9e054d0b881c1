/* Laps over a working set.

   Every line of the working set is loaded once a lap.  A segment of some pages is finished before
   the next, so that the TLB does not miss.  A turn loads of each segment only lines that lie apart,
   in random order; the lines between come turns later, when prefetched ones are evicted again.

   A small working set is laid out anew for each sample, at another place, and walked until it is
   warm; a larger one is kept for several samples, as how much of it a level holds depends on its
   pages.  Of a large one only the part that is walked is linked, before all of it is streamed over
   in the order of the lap, in a tenth of the time of dependent loads.  Then the part that was
   streamed over first is walked: its lines were last used a lap ago, while the part is small.  The
   next part is one that was not walked yet, after another pass. */
#include "probes/data/lap.h"

#include "analysis/environment.h"
#include "analysis/rows/hint.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a segment: one page, at least 64 KiB, in which no prefetcher finds a pattern; of small
   pages no more than the first-level TLB holds, or this number where that is unknown or larger. */
#define LAP_SEGMENT ((size_t)64 << 10)
#define LAP_PAGES 16u
/* Lines of the largest working set that is laid out anew for each sample. */
#define LAP_SMALL ((size_t)1 << 13)
/* Lines of the largest that is laid out anew at all, every LAP_STAY samples: twice what the level 2
   of a core holds. */
#define LAP_MOVED ((size_t)1 << 16)
#define LAP_STAY 2u
/* Lines of the largest that is walked lap by lap: four times what the level 2 of a core holds.  A
   replacement policy may insert streamed lines as used once, and evict these first: of a working
   set little larger than the level those streamed first, which are walked next, would then stay. */
#define LAP_WHOLE ((size_t)1 << 17)
/* Laps of the warm-up, since replacement policies other than LRU take some to settle.  The last of
   them are walked, one at least, up to LAP_WARM loads; the others stream, up to LAP_WARM_NS. */
#define LAP_LAPS 8u
#define LAP_WARM ((size_t)1 << 13)
#define LAP_WARM_NS 2e6
/* Loads of a sample, at most: enough for its precision. */
#define LAP_LOADS 4096.0
/* The same as a multiple of what the clock can resolve: longer samples are disturbed. */
#define LAP_LONG 64.0
/* After a pass over a large working set 1 / LAP_PART of it at most is walked in all, and no more
   than half of the lines of a turn: some samples are taken again. */
#define LAP_PART 4.0
/* Bytes, and ns, of all passes over a large working set together, except the first: bounds the time
   where a pass is slow. */
#define LAP_STREAMED ((double)((size_t)32 << 20))
#define LAP_STREAMED_NS 1e7
/* The spread of a point sampled with the SMT sibling active: twice what a latency's may be. */
#define LAP_BESIDE 0.06
/* One sample in this number may be disturbed and taken again before the next pass. */
#define LAP_SPARE 3u

bool hw_lap_small(const struct hw_lap *lap, double bytes) {
  return bytes / (double)lap->line <= (double)LAP_SMALL;
}

bool hw_lap_walked(const struct hw_lap *lap, double bytes) {
  return bytes / (double)lap->line <= (double)LAP_WHOLE;
}

/* Loads of a sample: this number, or as many as the clock resolves, up to LAP_LONG times those. */
static unsigned long lap_loads(const struct hw_lap *lap, const struct hw_lap_walk *walk,
                               double loads) {
  double least = (double)lap->bench->adds / walk->cycles;

  return hw_grains(fmin(fmax(loads, least), LAP_LONG * least));
}

/* Passes over a large working set that are followed by samples. */
static size_t lap_passes(const struct hw_lap *lap, size_t bytes) {
  double passes = LAP_STREAMED / (double)bytes;

  if (lap->pass_ns > 0)
    passes = fmin(passes, LAP_STREAMED_NS / (lap->pass_ns * (double)bytes));
  return (size_t)fmin(HW_LAP_PASSES, fmax(1, passes));
}

/* Whether all of it is linked and walked lap by lap: a lap is short, or no part of it is long
   enough for a sample. */
static bool lap_whole(const struct hw_lap *lap, const struct hw_lap_walk *walk) {
  size_t lines = walk->bytes / lap->line;

  return lines <= LAP_SMALL || (lap->walks == 1 && lines <= LAP_WHOLE) ||
         lines / (lap->apart * lap->farthest) < 2 * lap_loads(lap, walk, 0);
}

/* Bytes that a walk visits at once.  Where the reach of the first-level TLB is not known, a visit
   with lines farther apart has fewer pages: if it exceeds the TLB, it misses less. */
static size_t lap_block(const struct hw_lap *lap, size_t farther) {
  return lap->entries || lap->segment < farther * lap->page ? lap->segment : lap->segment / farther;
}

/* Lays out a working set in blocks of block bytes, in random order. */
static void lap_lay(struct hw_lap *lap, size_t bytes, size_t place, size_t block) {
  lap->bytes = bytes;
  lap->place = place;
  lap->block = block;
  lap->blocks = (bytes + block - 1) / block;
  lap->n = 0;
  for (size_t i = 0; i < lap->blocks; i++)
    lap->order[i] = i;
  hw_random_order(&lap->bench->random, lap->order, lap->blocks);
}

/* Where the block at this byte of the working set ends. */
static size_t lap_end(const struct hw_lap *lap, size_t at, size_t block) {
  return at + block < lap->bytes ? at + block : lap->bytes;
}

/* Makes room for n more loads.  0, or -1 without memory. */
static int lap_grow(struct hw_lap *lap, size_t n) {
  size_t *offset;

  if (lap->n + n <= lap->room)
    return 0;
  offset = realloc(lap->offset, 2 * (lap->n + n) * sizeof *offset);
  if (offset == NULL)
    return -1;
  lap->offset = offset;
  lap->room = 2 * (lap->n + n);
  return 0;
}

/* The line, of step lines, a power of two, that a turn of a lap visits: adjacent lines come half a
   lap apart, as a miss may bring in both. */
static size_t lap_turn(size_t turn, size_t step) {
  size_t line = 0;

  for (size_t bit = 1; bit < step; bit *= 2, turn /= 2)
    line = 2 * line + turn % 2;
  return line;
}

/* The line, of step lines, that a turn visits in a page: it varies between pages, since the lowest
   bits of a line's number may choose the slice of a shared level, near or far, for many pages
   alike. */
static size_t lap_line(const struct hw_lap *lap, size_t page, size_t turn, size_t step) {
  struct hw_random random = {.state = lap->seed ^ (lap->place + page)};

  return lap_turn(turn, step) ^ hw_random_below(&random, step);
}

/* Puts every step-th line of the pages from one byte of the working set to another into the ring,
   in random order.  0, or -1 without memory. */
static int lap_put(struct hw_lap *lap, size_t from, size_t to, size_t turn, size_t step) {
  size_t first = lap->n;

  if (lap_grow(lap, (to - from) / lap->line) < 0)
    return -1;
  for (size_t page = from; page < to; page += lap->page) {
    size_t end = page + lap->page < to ? page + lap->page : to;
    for (size_t at = page + lap_line(lap, page, turn, step) * lap->line; at < end;
         at += step * lap->line)
      lap->offset[lap->n++] = lap->place + at;
  }
  hw_random_order(&lap->bench->random, lap->offset + first, lap->n - first);
  return 0;
}

static int lap_link(struct hw_lap *lap, size_t first) {
  struct hw_machine *machine = lap->bench->machine;

  return machine->ops->link(machine, lap->memory, lap->offset + first, lap->n - first);
}

/* Streams over n of the blocks in their order, from one of them on. */
static void lap_stream(const struct hw_lap *lap, size_t first, size_t n) {
  struct hw_machine *machine = lap->bench->machine;

  for (size_t i = 0; i < n; i++) {
    size_t at = lap->order[(first + i) % lap->blocks] * lap->block;
    machine->ops->stream(machine, lap->memory, HW_STREAM_READ, lap->place + at,
                         (lap_end(lap, at, lap->block) - at) / HW_STREAM_GRAIN * HW_STREAM_GRAIN);
  }
}

/* Streams over all of a working set from a block on, and notes the time of a byte. */
static void lap_stream_all(struct hw_lap *lap, size_t first) {
  struct hw_machine *machine = lap->bench->machine;
  double start = machine->ops->now(machine);

  lap_stream(lap, first, lap->blocks);
  lap->pass_ns = (machine->ops->now(machine) - start) / (double)lap->bytes;
}

/* Links all lines of a working set. */
static int lap_link_whole(struct hw_lap *lap, const struct hw_lap_walk *walk, size_t place) {
  size_t step = lap->apart * walk->farther;

  lap_lay(lap, walk->bytes, place, lap_block(lap, walk->farther));
  for (size_t turn = 0; turn < step; turn++)
    for (size_t i = 0; i < lap->blocks; i++) {
      size_t at = lap->order[i] * lap->block;
      if (lap_put(lap, at, lap_end(lap, at, lap->block), turn, step) < 0)
        return -1;
    }
  return lap_link(lap, 0);
}

/* The place of the next sample of a small working set, bytes: the same for the i-th samples of all
   walks of that size, so that all of them have the same conflict misses. */
static size_t lap_place(const struct hw_lap *lap, size_t k) {
  const size_t bytes = lap->walk[k].bytes;
  size_t room = (lap->mapped < 4 * bytes ? lap->mapped : 4 * bytes) - bytes;
  struct hw_random random = {.state = lap->seed ^ (bytes + lap->taken[k]++)};

  return hw_random_below(&random, room / lap->page + 1) * lap->page;
}

/* Lays out and warms a working set that is linked as a whole; one that is not small stays in place
   for some samples, or for all. */
static int lap_prepare_whole(struct hw_lap *lap, size_t k) {
  const struct hw_lap_walk *walk = &lap->walk[k];
  struct hw_machine *machine = lap->bench->machine;
  bool small = hw_lap_small(lap, (double)walk->bytes);
  bool moved = small || (walk->farther == 1 && walk->bytes / lap->line <= LAP_MOVED);
  size_t walked;
  double start;

  if (!small && lap->walks == 1 && lap->bytes == walk->bytes &&
      (!moved || lap->stayed++ % LAP_STAY != 0))
    return 0;
  if (lap_link_whole(lap, walk, moved ? lap_place(lap, k) : 0) < 0)
    return -1;
  walked = LAP_WARM / lap->n < LAP_LAPS ? LAP_WARM / lap->n : LAP_LAPS;
  walked = walked > 0 ? walked : 1;
  start = machine->ops->now(machine);
  for (size_t n = walked; n < LAP_LAPS && machine->ops->now(machine) - start < LAP_WARM_NS; n++)
    lap_stream(lap, 0, lap->blocks);
  machine->ops->walk(machine, lap->memory, hw_grains((double)(walked * lap->n)));
  lap->loads[0] = lap_loads(lap, walk, fmin((double)lap->n, LAP_LOADS));
  return 0;
}

/* Stores to each page, for a page frame of its own: pages only read may all map the zero page. */
static int lap_touch(struct hw_lap *lap) {
  struct hw_machine *machine = lap->bench->machine;

  if (lap->touched >= lap->bytes)
    return 0;
  lap->n = 0;
  if (lap_grow(lap, (lap->bytes - lap->touched) / lap->page + 1) < 0)
    return -1;
  for (; lap->touched < lap->bytes; lap->touched += lap->page)
    lap->offset[lap->n++] = lap->touched;
  machine->ops->store(machine, lap->memory, lap->offset, lap->n);
  lap->n = 0;
  return 0;
}

/* Links the loads of walk k after a pass, from the next block on.  1 when too few are left. */
static int lap_link_part(struct hw_lap *lap, size_t k, struct hw_lap_part *part) {
  const struct hw_lap_walk *walk = &lap->walk[k];
  const size_t step = lap->apart * walk->farther, block = lap_block(lap, walk->farther);
  const unsigned samples = lap->samples + lap->samples / LAP_SPARE;
  double apart = fmax(LAP_PART * HW_LINE_USUAL, (double)(2 * lap->apart * lap->line));
  double loads = (double)walk->bytes / apart / (double)(lap->walks * lap->samples);

  lap->loads[k] = lap_loads(lap, walk, fmin(LAP_LOADS, loads) / (double)walk->farther);
  *part = (struct hw_lap_part){.first = lap->n};
  for (; lap->next < lap->blocks && lap->n - part->first < samples * lap->loads[k]; lap->next++) {
    size_t at = lap->order[lap->next] * lap->block, end = lap_end(lap, at, lap->block);
    for (; at < end; at += block)
      if (lap_put(lap, at, at + block < end ? at + block : end, 0, step) < 0)
        return -1;
  }
  part->n = lap->n - part->first;
  return part->n < lap->loads[k] ? 1 : lap_link(lap, part->first);
}

/* Samples of each walk after one pass: all together visit 1 / LAP_PART of the set at most. */
static unsigned lap_samples(const struct hw_lap *lap, size_t passes) {
  unsigned wanted = (lap->rounds + (unsigned)passes - 1) / (unsigned)passes;
  double bytes = 0;

  for (size_t k = 0; k < lap->walks; k++)
    bytes +=
        (double)(lap_loads(lap, &lap->walk[k], 0) * lap->walk[k].farther * lap->apart * lap->line);
  return (unsigned)fmax(1, fmin(wanted, (double)lap->bytes / LAP_PART / bytes));
}

/* Lays out a large working set, links the parts to be walked after the next passes, streams over
   the rest, and then makes the first pass over all.  So all lines were used equally often: else a
   replacement policy that keeps lines used twice would hold the linked ones.  0, or -1. */
static int lap_begin(struct hw_lap *lap, const struct hw_lap_walk *walk) {
  const size_t passes = lap_passes(lap, walk->bytes);
  int more = 0;

  lap_lay(lap, walk->bytes, 0, lap->segment);
  lap->samples = lap_samples(lap, passes);
  if (lap_touch(lap) < 0)
    return -1;
  lap->next = lap->pass = lap->passes = 0;
  while (more == 0 && lap->passes < passes) {
    lap->start[lap->passes] = lap->next;
    for (size_t k = 0; k < lap->walks && more == 0; k++)
      more = lap_link_part(lap, k, &lap->part[lap->passes][k]);
    lap->passes += more == 0;
  }
  if (more < 0 || lap->passes == 0) {
    lap->bytes = 0;
    return -1;
  }
  lap_stream(lap, lap->next, lap->blocks - lap->next);
  lap_stream_all(lap, lap->start[0]);
  return 0;
}

/* Whether this pass has no sample of walk k left. */
static bool lap_used(const struct hw_lap *lap, size_t k) {
  return lap->part[lap->pass][k].walked + lap->loads[k] > lap->part[lap->pass][k].n;
}

static int lap_prepare_part(struct hw_lap *lap, size_t k) {
  struct hw_machine *machine = lap->bench->machine;
  struct hw_lap_part *part;

  bool laid = lap->bytes == lap->walk[k].bytes;

  if (laid && lap_used(lap, k) && ++lap->pass < lap->passes)
    lap_stream_all(lap, lap->start[lap->pass]);
  else if ((!laid || lap->pass == lap->passes) && lap_begin(lap, &lap->walk[k]) < 0)
    return -1;
  part = &lap->part[lap->pass][k];
  machine->ops->enter(machine, lap->memory, lap->offset[part->first + part->walked]);
  part->walked += lap->loads[k];
  return 0;
}

/* The index into lap->loads for walk k: 0 for those that are linked as a whole, of which there may
   be many; they are prepared and walked one after another. */
static size_t lap_number(const struct hw_lap *lap, size_t k) {
  return lap_whole(lap, &lap->walk[k]) ? 0 : k;
}

static int lap_prepare(void *context, double x, struct hw_random *random) {
  struct hw_lap *lap = context;
  size_t k = (size_t)x - 1;

  (void)random;
  return lap_whole(lap, &lap->walk[k]) ? lap_prepare_whole(lap, k) : lap_prepare_part(lap, k);
}

static double lap_work(void *context, double x) {
  struct hw_lap *lap = context;
  struct hw_machine *machine = lap->bench->machine;
  unsigned long loads = lap->loads[lap_number(lap, (size_t)x - 1)];

  machine->ops->walk(machine, lap->memory, loads);
  return (double)loads;
}

/* Measures, even with the SMT sibling active, those of n walks that got too few samples with the
   core to itself.  The sibling slows all samples of a small working set: its spread is then set to
   more than a latency's may be. */
static int lap_beside(struct hw_lap *lap, struct hw_task *task, const double *x, size_t n,
                      struct hw_curve *curve) {
  double *left = calloc(n, sizeof *left);
  size_t lefts = 0;
  int result = left != NULL ? 0 : -1;

  for (size_t i = 0; result == 0 && i < n; i++) {
    const struct hw_point *point = hw_curve_at(curve, x[i]);
    if (point == NULL || point->count < lap->rounds / 2)
      left[lefts++] = x[i];
  }
  task->issue.y = 0;
  if (lefts > 0)
    result = hw_sample_task(lap->bench, task, left, lefts, curve);
  for (size_t i = 0; result == 0 && i < lefts; i++) {
    struct hw_point p = *hw_curve_at(curve, left[i]);
    if (hw_lap_small(lap, (double)lap->walk[(size_t)p.x - 1].bytes)) {
      p.spread = fmax(p.spread, LAP_BESIDE);
      result = hw_curve_put(curve, p);
    }
  }
  free(left);
  return result;
}

int hw_lap_sample(struct hw_lap *lap, const struct hw_lap_walk *walk, size_t n, unsigned rounds,
                  struct hw_curve *curve) {
  struct hw_effort effort = lap->bench->effort;
  struct hw_task task = {.prepare = lap_prepare,
                         .work = lap_work,
                         .effort = &effort,
                         .context = lap,
                         .issue = hw_issue(&lap->bench->curves),
                         .anywhere = hw_lap_small(lap, (double)walk[n - 1].bytes)};
  double *x = calloc(n, sizeof *x);
  int result = -1;

  lap->taken = calloc(n, sizeof *lap->taken);
  lap->farthest = HW_SIZE_CURVE_FARTHER;
  for (size_t i = 0; x != NULL && i < n; i++) {
    x[i] = (double)(i + 1);
    lap->farthest = walk[i].farther > lap->farthest ? walk[i].farther : lap->farthest;
  }
  lap->walk = walk;
  lap->walks = n;
  lap->bytes = 0;
  lap->stayed = 1;
  lap->rounds = rounds;
  effort.rounds = effort.rounds_max = rounds;
  if (x != NULL && lap->taken != NULL)
    result = hw_sample_task(lap->bench, &task, x, n, curve);
  if (x != NULL && lap->taken != NULL && result < 0 && task.issue.y > 0 && !hw_late(lap->bench))
    result = lap_beside(lap, &task, x, n, curve);
  free(lap->taken);
  free(x);
  return result;
}

/* Bytes of a segment. */
static size_t lap_segment(const struct hw_curves *curves, size_t page) {
  struct hw_answer entries = hw_value_tlb1_entries(curves);
  size_t pages = LAP_PAGES;

  if (page > LAP_SEGMENT)
    return page;
  if (entries.known && entries.value < LAP_PAGES)
    pages = (size_t)entries.value;
  return pages * page < LAP_SEGMENT ? pages * page : LAP_SEGMENT;
}

/* Bytes of the largest working set: memory also has to hold the list of its lines. */
static size_t lap_most(const struct hw_bench *bench, size_t line) {
  size_t grain = line > HW_STREAM_GRAIN ? line : HW_STREAM_GRAIN;

  return bench->memory / (line + sizeof(size_t)) * line / grain * grain;
}

static int lap_map(struct hw_lap *lap, size_t least) {
  struct hw_machine *machine = lap->bench->machine;

  for (; lap->mapped >= least; lap->mapped /= 2) {
    lap->order =
        calloc(lap->mapped / lap->segment * HW_LAP_FARTHEST + HW_LAP_FARTHEST, sizeof *lap->order);
    lap->memory = machine->ops->map(machine, lap->mapped, HW_PAGES_PLAIN);
    if (lap->order != NULL && lap->memory != NULL)
      return 0;
    hw_lap_close(lap);
  }
  return -1;
}

int hw_lap_open(struct hw_lap *lap, struct hw_bench *bench, size_t least) {
  struct hw_answer page = hw_value_page_bytes(&bench->curves);
  struct hw_l1_shape l1;

  *lap = (struct hw_lap){.bench = bench, .seed = hw_random_bits(&bench->random)};
  if (hw_l1_shape(&bench->curves, &l1) < 0)
    l1.stride = HW_SIZE_CURVE_PAGE;
  lap->line = hw_hint_line(&bench->curves, HW_HINT_LONGEST);
  lap->page = page.known                       ? (size_t)page.value
              : l1.stride < HW_SIZE_CURVE_PAGE ? l1.stride
                                               : HW_SIZE_CURVE_PAGE;
  lap->apart = (size_t)hw_size_curve_apart((double)lap->line, (double)lap->page) / lap->line;
  lap->segment = lap_segment(&bench->curves, lap->page);
  lap->entries = hw_value_tlb1_entries(&bench->curves).known;
  lap->mapped = lap_most(bench, lap->line);
  return lap_map(lap, least);
}

void hw_lap_close(struct hw_lap *lap) {
  lap->bench->machine->ops->unmap(lap->bench->machine, lap->memory);
  free(lap->offset);
  free(lap->order);
  lap->memory = NULL;
  lap->offset = lap->order = NULL;
  lap->room = 0;
}
