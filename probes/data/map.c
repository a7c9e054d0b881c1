/* The map: what everybody asks first, of a machine of which nothing but the clock is known.

   Curve   levels: x working set (bytes), y time of a load (cycles): the mean of the two
           rounds in which it took least; levels_round_K: the same in round K.
           map_spread: x loads (count), each in a page of its own, y the same; map_spread_round_K.
           map_alone: x round, y share of its visits at which the core was left alone.
   Method  Two chains of dependent loads in random order: packed over adjacent lines, and spread
           over pages.  Samples are short, since what disturbs comes in slots and only adds: their
           low end counts, and nothing waits for the core to be left alone.  Working sets grow until
           memory is seen, four to an octave where the time rises; then rounds over all of them in
           turn, until each has cost the same in two.
           A lap finishes a block of pages before the next, so that few loads miss the TLB; of a
           block it loads lines that lie apart, and those between come turns later, when a
           prefetcher's lines are evicted again.  Of a large working set a part of a turn is linked,
           and all of it streamed over in the order of the lap: then the loads of that part were
           last used a lap ago.  Each is loaded once, since it hits then; and no more of them than
           shorten the way back by half a step between working sets, as a load brings in a line
           where a lap would bring in the others of its part too.
   Rows    MEM_LAT, MEM_LAT_X100, MEM_LAT_PS; where other probes measure.
   Cost    0.6 to 1 s, 4 s beside other processes; up to 128 MiB, 1 GiB where that shows memory; of
           level 1 alone 50 ms, of levels 1 and 2 0.2 s.
   Limits  Behind a level 2 of 0.5 to 4 MiB, memory under 300 ns is told from a large level 3 by
           working sets up to 1 GiB.  A level whose plateau is shorter than an octave shows in
           levels.c only.  A level 3 whose slices lie at different distances shows its average
           latency.
   See     BB 3.1.2, 4.2.3; SV III-A. */
#include "probes/data/map.h"

#include "analysis/names.h"
#include "analysis/rows/size_curve.h"
#include "analysis/samples.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a block, in which no prefetcher finds a pattern, and no more pages than the smallest
   first-level TLB holds; of the part of it of which a turn loads one line. */
#define MAP_BLOCK ((size_t)32 << 10)
#define MAP_PART ((size_t)512)
#define MAP_TURNS (MAP_PART / HW_MAP_APART)
/* Bytes: the spread chain's loads lie this far apart, and one line. */
#define MAP_SPACING ((size_t)4096)
/* Working sets: the least, and the largest that is walked before it is timed, bytes.  A larger one
   is streamed over alone, which takes a tenth of the time; but of that a level 2 that is too small
   for a lap and resists scans keeps a third, which looks like a level between. */
#define MAP_LEAST 2048.0
#define MAP_WALKED ((size_t)4 << 20)
/* Laps of streaming before a working set is timed, and bytes of all beyond the second: a shared
   level that others have had keeps but a part of what is new to it, and more at each lap; and a
   victim level has nothing of what was walked once. */
#define MAP_STREAMS 4u
#define MAP_STREAMED ((size_t)256 << 20)
/* Laps of a working set before it is timed: replacement policies other than LRU take some to
   settle; no more than this many loads, but one lap. */
#define MAP_LAPS 8u
#define MAP_WARM ((size_t)8192)
/* Loads of a larger working set that are linked: more than a visit needs by most clocks. */
#define MAP_CHAIN ((size_t)16384)
/* Samples of a visit, of a larger working set at least, and loads of one at least: fewer do not
   show an average. */
#define MAP_SAMPLES 16u
#define MAP_FEW 4u
#define MAP_LOADS 256.0
/* Loads of a small chain, which is laid out so often for a visit, at other pages each time: how
   many conflict misses it has depends on them. */
#define MAP_SMALL ((size_t)1 << 14)
#define MAP_LAYOUTS 8u
/* Rounds; and at most, until each point has cost the same in two of them, but for this share, and
   memory is clear. */
#define MAP_ROUNDS 3u
#define MAP_ROUNDS_MOST 8u
#define MAP_AGREE 0.1
/* Bytes: from MAP_LONG on working sets grow by four times, from MAP_SHOWS on by two: a plateau is
   flat over an octave, and over more the page walks of memory make it rise.  Later rounds leave out
   those beyond MAP_AGAIN, but for the largest up to MAP_SHOWS. */
#define MAP_LONG ((double)((size_t)8 << 20))
#define MAP_AGAIN ((double)((size_t)32 << 20))
#define MAP_SHOWS HW_SIZE_CURVE_BYTES
/* Bytes: the largest working set where level 1 alone is asked for: several times the largest. */
#define MAP_NEAR ((double)((size_t)1 << 20))
/* Where level 2 is the last one: a plateau behind it that is as long as this, as a factor, is what
   its misses cost, be it a level 3's or memory's: twice as long as what scattered pages make of a
   rise. */
#define MAP_BEHIND 4.0
/* Points of an octave where the curve rises, by more than this factor between two; and in all. */
#define MAP_OCTAVE 4u
#define MAP_RISE 1.06
#define MAP_POINTS 128u
/* Pages of the spread chain: the fewest and the most. */
#define MAP_PAGES ((size_t)8)
#define MAP_PAGES_MOST ((size_t)4096)

static int map_link(struct hw_map *map) {
  struct hw_machine *machine = map->bench->machine;

  return machine->ops->link(machine, map->memory, map->offset, map->n);
}

/* Stores to each page, for a page frame of its own: pages only read may all map the zero page. */
static void map_touch(struct hw_map *map, size_t bytes) {
  struct hw_machine *machine = map->bench->machine;

  if (bytes > map->touched) {
    machine->ops->stream(machine, map->memory, HW_STREAM_WRITE, map->touched, bytes - map->touched);
    map->touched = bytes;
  }
}

/* The line of a part that a turn loads: adjacent ones come half a lap apart, as a miss may bring in
   both, and which it is varies between parts: the lowest bits of a line's number may choose the
   slice of a shared level, and of lines of a page at one distance a prefetcher finds the next. */
static size_t map_line(size_t turn, size_t part) {
  struct hw_random random = {.state = part};
  size_t line = 0;

  for (size_t bit = 1; bit < MAP_TURNS; bit *= 2, turn /= 2)
    line = 2 * line + turn % 2;
  return line ^ hw_random_below(&random, MAP_TURNS);
}

/* Puts one line of each part of a block into the chain, in random order. */
static void map_block(struct hw_map *map, size_t at, size_t end, size_t turn) {
  size_t first = map->n;

  for (; at < end; at += MAP_PART) {
    size_t line = at + map_line(turn, at / MAP_PART) * HW_MAP_APART;
    if (line < end)
      map->offset[map->n++] = line;
  }
  hw_random_order(&map->bench->random, map->offset + first, map->n - first);
}

/* Walks a chain until it is warm. */
static void map_warm(const struct hw_map *map) {
  struct hw_machine *machine = map->bench->machine;
  size_t laps = MAP_WARM / map->n < MAP_LAPS ? MAP_WARM / map->n : MAP_LAPS;
  size_t loads = (laps > 0 ? laps : 1) * map->n;

  machine->ops->walk(machine, map->memory, hw_grains((double)loads));
}

/* Reads blocks, in the order of the lap: the rest of the first, and others. */
static void map_stream(const struct hw_map *map, size_t place, size_t first, size_t blocks) {
  struct hw_machine *machine = map->bench->machine;

  for (size_t lap = 0; lap < MAP_STREAMS; lap++, first = 0) {
    if (lap > 1 && (lap + 1) * blocks * MAP_BLOCK > MAP_STREAMED)
      return;
    for (size_t i = first; i < blocks; i++)
      machine->ops->stream(machine, map->memory, HW_STREAM_READ, place + map->block[i] * MAP_BLOCK,
                           MAP_BLOCK);
  }
}

/* A random place for that many bytes, in memory that is up to four times as large. */
static size_t map_place(struct hw_map *map, size_t bytes) {
  size_t room = map->mapped < 4 * bytes ? map->mapped : 4 * bytes, place;

  if (bytes >= MAP_WALKED)
    room = bytes;
  place = hw_random_below(&map->bench->random, (room - bytes) / MAP_SPACING + 1) * MAP_SPACING;
  map_touch(map, (place + bytes + 2 * HW_STREAM_GRAIN - 1) / (2 * HW_STREAM_GRAIN) *
                     (2 * HW_STREAM_GRAIN));
  return place;
}

/* Lays out a lap of a small working set. */
static void map_lap(struct hw_map *map, size_t place, size_t bytes, size_t blocks) {
  for (size_t turn = 0; turn < MAP_TURNS; turn++)
    for (size_t i = 0; i < blocks; i++) {
      size_t at = map->block[i] * MAP_BLOCK;
      size_t end = at + MAP_BLOCK < bytes ? at + MAP_BLOCK : bytes;
      map_block(map, place + at, place + end, turn);
    }
}

int hw_map_packed(struct hw_map *map, size_t bytes) {
  size_t blocks = (bytes + MAP_BLOCK - 1) / MAP_BLOCK, place = map_place(map, bytes), i;

  for (i = 0; i < blocks; i++)
    map->block[i] = i;
  hw_random_order(&map->bench->random, map->block, blocks);
  map->n = 0;
  map->whole = bytes <= MAP_WALKED;
  if (map->whole) {
    map_lap(map, place, bytes, blocks);
    if (map_link(map) < 0)
      return -1;
    if (map->n > MAP_WARM)
      map_stream(map, place, 0, bytes / MAP_BLOCK);
    map_warm(map);
    return 0;
  }
  for (i = 0; i < blocks && map->n < MAP_CHAIN; i++)
    map_block(map, place + map->block[i] * MAP_BLOCK, place + (map->block[i] + 1) * MAP_BLOCK, 0);
  if (map_link(map) < 0)
    return -1;
  map->once = bytes / (2 * MAP_OCTAVE) / (MAP_PART - HW_MAP_APART);
  if (map->once > map->n)
    map->once = map->n;
  map_stream(map, place, i, blocks);
  return 0;
}

int hw_map_spread(struct hw_map *map, size_t pages) {
  const size_t lines = MAP_SPACING / HW_MAP_APART;
  size_t place = map_place(map, pages * MAP_SPACING);

  for (size_t i = 0; i < pages; i++)
    map->offset[i] = place + i * MAP_SPACING + (i + i / lines) % lines * HW_MAP_APART;
  map->n = pages;
  map->whole = true;
  hw_random_order(&map->bench->random, map->offset, map->n);
  if (map_link(map) < 0)
    return -1;
  map_warm(map);
  return 0;
}

/* The samples of a visit. */
struct map_samples {
  double work[MAP_SAMPLES];  /* ns a load */
  double cycle[MAP_SAMPLES]; /* ns */
  size_t n;
};

/* Takes samples of a walk along the chain, of as many loads as the clock resolves. */
static void map_walk(const struct hw_map *map, size_t n, struct map_samples *samples) {
  struct hw_bench *bench = map->bench;
  struct hw_machine *machine = bench->machine;
  double start = hw_now(bench), middle, ns;
  unsigned long loads = hw_grains(MAP_LOADS);

  machine->ops->walk(machine, map->memory, loads);
  ns = fmax(1e-3, (hw_now(bench) - start) / (double)loads);
  loads = hw_grains(fmax(MAP_LOADS, bench->sample_ns / ns));
  if (!map->whole) {
    const unsigned long left =
        (unsigned long)map->once / HW_GRAIN * HW_GRAIN - hw_grains(MAP_LOADS);
    loads = loads < left ? loads : left;
    n = n < left / loads ? n : left / loads;
  }
  for (size_t i = 0; i < n; i++) {
    start = hw_now(bench);
    machine->ops->add(machine, bench->adds);
    middle = hw_now(bench);
    machine->ops->walk(machine, map->memory, loads);
    samples->work[samples->n] = (hw_now(bench) - middle - bench->read_ns) / (double)loads;
    samples->cycle[samples->n++] = (middle - start - bench->read_ns) / (double)bench->adds;
  }
}

int hw_map_visit(struct hw_map *map, hw_map_chain *chain, double x, struct hw_point *point) {
  struct map_samples samples = {.n = 0};
  size_t each = MAP_SAMPLES;
  double unit;

  do {
    if (chain(map, (size_t)x) < 0)
      return -1;
    if (map->n <= MAP_SMALL && map->whole)
      each = MAP_SAMPLES / MAP_LAYOUTS;
    map_walk(map, each < MAP_SAMPLES - samples.n ? each : MAP_SAMPLES - samples.n, &samples);
  } while (samples.n < (map->whole ? MAP_SAMPLES : MAP_FEW));
  unit = hw_low_end(samples.cycle, samples.n).y;
  *point = hw_low_end(samples.work, samples.n);
  point->x = x;
  point->y /= unit;
  return hw_late(map->bench) ? -1 : 0;
}

/* A curve and its rounds. */
struct map_curve {
  const char *stem;
  const char *x_title;
  hw_map_chain *chain;
  double x[MAP_POINTS]; /* ascending */
  size_t n;
  struct hw_curve round; /* the one that is under way */
  unsigned rounds;       /* before it */
};

/* Looks whether the core is left alone. */
static void map_look(struct hw_map *map) {
  bool idle = hw_idle(&map->idle, hw_idle_look(&map->idle));

  map->alone.y += ((idle ? 1 : 0) - map->alone.y) / (double)++map->alone.count;
}

/* Visits a point in the round that is under way. */
static int map_visit(struct hw_map *map, struct map_curve *curve, double x) {
  struct hw_point point;

  if (curve->chain == hw_map_packed)
    map_look(map);
  if (hw_map_visit(map, curve->chain, x, &point) < 0)
    return -1;
  return hw_curve_put(&curve->round, point);
}

/* Begins a round of a curve. */
static void map_begin(struct map_curve *curve) {
  char name[HW_CURVE_NAME + 1];

  hw_size_curve_round_name(name, curve->stem, curve->rounds + 1);
  hw_curve_init(&curve->round, name, curve->x_title, "time of a load (cycles)");
}

/* Whether what lies behind level 2 is seen. */
static bool map_behind(const struct hw_size_curve *sizes) {
  return sizes->n > 2 && sizes->pure.point[sizes->plateau[2].last].x >=
                             MAP_BEHIND * sizes->pure.point[sizes->plateau[2].first].x;
}

/* Whether the packed curve shows all that is asked for: that its last plateau is memory's, if not
   less. */
static bool map_enough(const struct hw_map *map, const struct hw_curve *packed) {
  struct hw_size_curve sizes;
  bool enough;

  if (packed->n == 0 || hw_size_curve_read(&map->bench->curves, packed, &sizes) < 0)
    return packed->n > 0;
  enough = (map->last == 2 && map_behind(&sizes)) || hw_size_curve_memory(&sizes);
  hw_size_curve_free(&sizes);
  return enough;
}

/* The next working set of a curve that has to show memory. */
static double map_next(const struct hw_curve *round) {
  double at = round->n > 0 ? round->point[round->n - 1].x : MAP_LEAST / 2;

  if (at < MAP_LONG)
    return 2 * at;
  return at < MAP_SHOWS ? fmin(4 * at, MAP_SHOWS) : 2 * at;
}

/* Visits working sets of growing size until what is asked for is seen.  1 when there are none of
   that size. */
static int map_coarse(struct hw_map *map, struct map_curve *packed) {
  int result = 0;

  while (result == 0 && !map_enough(map, &packed->round)) {
    if (map_next(&packed->round) > (double)map->mapped ||
        (map->last == 1 && map_next(&packed->round) > MAP_NEAR))
      return 1;
    result = map_visit(map, packed, map_next(&packed->round));
  }
  return result;
}

/* Whether the curve changes between a point and the next. */
static bool map_changes(const struct hw_point *low, const struct hw_point *high) {
  return high->y > MAP_RISE * low->y || low->y > MAP_RISE * high->y;
}

/* Visits working sets between those where the curve changes: octaves, and then MAP_OCTAVE to each,
   but not of what takes longest. */
static int map_refine(struct hw_map *map, struct map_curve *packed) {
  const struct hw_curve *round = &packed->round;
  int result = 0;

  for (size_t i = 0; result == 0 && i + 1 < round->n && round->n < MAP_POINTS - MAP_OCTAVE;) {
    const double low = round->point[i].x, high = round->point[i + 1].x;
    if (high < 2 * low || low >= MAP_SHOWS ||
        !map_changes(&round->point[i], &round->point[i + 1])) {
      i++;
      continue;
    }
    if (high >= 4 * low)
      result = map_visit(map, packed, 2 * low);
    for (unsigned k = 1; high < 4 * low && k < MAP_OCTAVE && result == 0; k++, i++)
      result = map_visit(map, packed, low * (1 + (double)k / MAP_OCTAVE));
  }
  return result;
}

/* The first round of the packed curve: what is seen between may show that it is not memory yet. */
static int map_first(struct hw_map *map, struct map_curve *packed) {
  int result = 0, refined = 0;

  do {
    result = map_coarse(map, packed);
    if (result >= 0)
      refined = map_refine(map, packed);
  } while (result == 0 && refined == 0 && !map_enough(map, &packed->round));
  for (size_t i = 0; i < packed->round.n; i++)
    packed->x[packed->n++] = packed->round.point[i].x;
  return result < 0 || refined < 0 ? -1 : 0;
}

/* Whether a later round visits a point: not of what takes longest, but of memory. */
static bool map_again(const struct map_curve *curve, size_t i) {
  return curve->x[i] <= MAP_AGAIN ||
         (curve->x[i] <= MAP_SHOWS && (i + 1 == curve->n || curve->x[i + 1] > MAP_SHOWS));
}

/* A point of all rounds: the mean of the two that took least.  *agree: whether these agree. */
static struct hw_point map_low(const struct hw_curves *curves, const char *stem, double x,
                               bool *agree) {
  struct hw_point least = {.y = INFINITY}, next = {.y = INFINITY};
  const struct hw_curve *round;
  char name[HW_CURVE_NAME + 1];

  for (unsigned k = 1;; k++) {
    const struct hw_point *point;
    hw_size_curve_round_name(name, stem, k);
    round = hw_curves_get(curves, name);
    if (round == NULL)
      break;
    point = hw_curve_at(round, x);
    if (point != NULL && point->y < least.y) {
      next = least;
      least = *point;
    } else if (point != NULL && point->y < next.y)
      next = *point;
  }
  *agree = next.y <= (1 + MAP_AGREE) * least.y;
  if (next.y < INFINITY)
    least = (struct hw_point){x, (least.y + next.y) / 2, fmax(least.spread, next.spread),
                              least.count + next.count};
  return least;
}

/* Whether a point that all rounds visit has not cost the same in two of them yet. */
static bool map_unsure(const struct hw_curves *curves, const struct map_curve *curve) {
  bool agree = true;

  for (size_t i = 0; i < curve->n && agree; i++)
    if (map_again(curve, i))
      map_low(curves, curve->stem, curve->x[i], &agree);
  return !agree;
}

/* Publishes the round that has ended, and the low end of all. */
static int map_publish(struct hw_map *map, struct map_curve *curve) {
  struct hw_curves *curves = &map->bench->curves;
  struct hw_curve low;
  int result = 0;

  if (hw_publish_some(map->bench, &curve->round, "map", 0) < 0)
    return -1;
  hw_curve_init(&low, curve->stem, curve->x_title, "time of a load (cycles)");
  for (size_t i = 0; i < curve->n && result == 0; i++) {
    bool agree;
    struct hw_point point = map_low(curves, curve->stem, curve->x[i], &agree);
    if (point.y < INFINITY) /* else the deadline came before it was visited */
      result = hw_curve_put(&low, point);
  }
  return hw_publish_some(map->bench, &low, "map", result);
}

/* Visits a larger working set where the low end of the rounds so far does not show memory: in the
   first one others may have made a part of the rise as slow. */
static int map_grow(struct hw_map *map, struct map_curve *packed) {
  const struct hw_curve *low = hw_curves_get(&map->bench->curves, packed->stem);
  const double next = low == NULL ? INFINITY : map_next(low);

  if (map->last == 1 || next > (double)map->mapped || map_enough(map, low))
    return 0;
  packed->x[packed->n++] = next;
  return map_visit(map, packed, next);
}

/* Publishes how much the core was left alone in the round that has ended. */
static int map_publish_alone(struct hw_map *map) {
  struct hw_curves *curves = &map->bench->curves;
  const struct hw_curve *earlier = hw_curves_get(curves, HW_NAME_MAP_ALONE);
  struct hw_curve alone;
  int result = 0;

  if (!(map->idle.issue.y > 0) || map->alone.count == 0)
    return 0;
  hw_curve_init(&alone, HW_NAME_MAP_ALONE, "round",
                "share of visits at which the core was left alone");
  if (earlier != NULL)
    result = hw_curve_join(&alone, earlier);
  if (result == 0)
    result = hw_curve_put(&alone, map->alone);
  return hw_publish(map->bench, &alone, "map", result);
}

/* A round over all points of a curve. */
static int map_take(struct hw_map *map, struct map_curve *curve) {
  int result = 0;

  map_begin(curve);
  map->alone = (struct hw_point){0};
  if (curve->n == 0)
    result = map_first(map, curve);
  else
    for (size_t i = 0; i < curve->n && result == 0; i++)
      if (map_again(curve, i))
        result = map_visit(map, curve, curve->x[i]);
  if (result == 0 && curve->rounds > 0 && curve->chain == hw_map_packed)
    result = map_grow(map, curve);
  curve->rounds++;
  map->alone.x = curve->rounds;
  if (curve->chain == hw_map_packed && map_publish_alone(map) < 0)
    return -1;
  return map_publish(map, curve) < 0 ? -1 : result;
}

/* Pages of the spread chain. */
static void map_pages(struct map_curve *spread, size_t most) {
  most = most < MAP_PAGES_MOST ? most : MAP_PAGES_MOST;
  for (size_t octave = MAP_PAGES; octave <= most; octave *= 2)
    for (unsigned k = 0; k < MAP_OCTAVE && (k == 0 || octave < most); k++)
      spread->x[spread->n++] = (double)(octave + octave * k / MAP_OCTAVE);
}

int hw_map_open(struct hw_map *map, struct hw_bench *bench, size_t most) {
  struct hw_machine *machine = bench->machine;

  *map = (struct hw_map){.bench = bench, .mapped = most};
  while (map->mapped > bench->memory)
    map->mapped /= 2;
  for (; map->mapped >= 4 * MAP_BLOCK; map->mapped /= 2) {
    map->offset = calloc(MAP_WALKED / HW_MAP_APART + MAP_CHAIN, sizeof *map->offset);
    map->block = calloc(map->mapped / MAP_BLOCK + 1, sizeof *map->block);
    map->memory = machine->ops->map(machine, map->mapped, HW_PAGES_PLAIN);
    if (map->offset != NULL && map->block != NULL && map->memory != NULL)
      return 0;
    hw_map_close(map);
  }
  return -1;
}

void hw_map_close(struct hw_map *map) {
  map->bench->machine->ops->unmap(map->bench->machine, map->memory);
  free(map->offset);
  free(map->block);
  map->memory = NULL;
  map->offset = map->block = NULL;
}

/* What is asked for of the last level that is looked at. */
static struct hw_answer map_wanted(const struct hw_map *map) {
  const struct hw_curves *curves = &map->bench->curves;

  switch (map->last) {
  case 1:
    return hw_value_l1_eff_bytes(curves);
  case 2:
    return hw_value_l2_eff_bytes(curves);
  case 3:
    return hw_value_l3_eff_bytes(curves);
  default:
    return hw_value_mem_lat(curves);
  }
}

/* Whether another round may tell more.  Of levels 2 and 3 the rounds need not agree: in the rise
   behind them they do not, since each has other pages. */
static bool map_goes_on(const struct hw_map *map, const struct map_curve *packed, unsigned rounds) {
  const bool alike = map->last == 2 || map->last == 3 || !map_unsure(&map->bench->curves, packed);

  return rounds < MAP_ROUNDS || (rounds < MAP_ROUNDS_MOST && !(alike && map_wanted(map).known));
}

/* Measures both curves, up to a level. */
static int map_measure(struct hw_map *map, unsigned last) {
  struct map_curve packed = {
      HW_NAME_LEVELS, "working set (bytes)", hw_map_packed, {0}, 0, {.n = 0}, 0};
  struct map_curve spread = {
      HW_NAME_MAP_SPREAD, "pages (count)", hw_map_spread, {0}, 0, {.n = 0}, 0};
  unsigned before = 0; /* rounds of earlier attempts */
  int result;

  while (hw_size_curve_round(&map->bench->curves, before + 1) != NULL)
    before++;
  map->last = last;
  map->idle = hw_idle_begin(map->bench, hw_issue(&map->bench->curves), false, 0);
  map_pages(&spread, (last == 1 ? (size_t)MAP_NEAR : map->mapped) / MAP_SPACING);
  packed.rounds = spread.rounds = before;
  do {
    result = map_take(map, &packed);
    if (result == 0)
      result = map_take(map, &spread);
  } while (result == 0 && map_goes_on(map, &packed, packed.rounds - before));
  return result;
}

int hw_probe_map(struct hw_bench *bench) {
  const unsigned last = hw_map_reach(bench);
  struct hw_map map;
  int result;

  if (hw_map_open(&map, bench, (size_t)1 << 30) < 0)
    return -1;
  result = map_measure(&map, last);
  if (result == 0 && last < 3 && !map_wanted(&map).known)
    result = map_measure(&map, HW_LEVEL_MEMORY);
  hw_map_close(&map);
  return result;
}
