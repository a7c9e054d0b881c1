/* Plateaus and levels on literal curves: what is no plateau must not become one, and what may hide
   must not be denied. */
#include "analysis/rows/size_curve.h"
#include "analysis/rows/traffic.h"
#include "probes/probe.h"
#include "tests/unit/curve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The curve under test: four points an octave from 1 KiB on. */
static struct hw_curve curve;

/* The working set of point i. */
static double size_of(size_t i) { return 1024 * pow(2, (double)i / 4); }

/* The last points of its longer flat stretches. */
static struct hw_point ends[HW_LEVELS];
static size_t ended;

static void start(void) {
  hw_curve_init(&curve, "levels", "x", "y");
  ended = 0;
}

/* So many points more of that y. */
static void flat(double y, size_t n) {
  for (size_t i = 0; i < n; i++)
    put_point(&curve, size_of(curve.n), y, 0.001, 12);
  if (n > 1 && ended < HW_LEVELS)
    ends[ended++] = curve.point[curve.n - 1];
}

/* So many points that rise evenly by ratio, from behind low up to before high. */
static void rise(double low, double high, size_t n) {
  for (size_t i = 1; i <= n; i++)
    flat(low * pow(high / low, (double)i / (double)(n + 1)), 1);
}

static size_t plateaus_of(struct hw_plateau plateau[HW_LEVELS]) {
  size_t n = hw_plateaus(&curve, plateau, HW_LEVELS);

  hw_curve_free(&curve);
  return n;
}

static void test_steps(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(4, 8);
  flat(12, 8);
  flat(46, 8);
  assert_int_equal(plateaus_of(plateau), 3);
  assert_int_equal(plateau[1].first, 8);
  assert_int_equal(plateau[1].last, 15);
}

/* Two levels a third apart, with the rise of scattered pages between them. */
static void test_close(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(12, 9);
  rise(12, 16, 7);
  flat(16, 9);
  assert_int_equal(plateaus_of(plateau), 2);
}

/* A rise of eight octaves is no plateau, nor many. */
static void test_slow_rise(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(10, 8);
  rise(10, 100, 16);
  flat(100, 8);
  assert_int_equal(plateaus_of(plateau), 2);
}

/* What a TLB adds, and a slant, are no level. */
static void test_slant(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(12, 8);
  flat(12.9, 4);
  flat(13.4, 4);
  flat(46, 8);
  assert_int_equal(plateaus_of(plateau), 2);
}

/* A point that is too high in the middle of a rise, and one too low behind it: together they look
   flat where it falls back. */
static void test_noise(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(40, 8);
  flat(60, 1);
  flat(130, 1);
  flat(180, 1);
  flat(240, 1);
  flat(190, 1);
  flat(250, 1);
  flat(300, 1);
  flat(350, 8);
  assert_int_equal(plateaus_of(plateau), 2);
}

/* A level that is short but does not rise at all. */
static void test_short(void **state) {
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(14, 8);
  flat(45, 4);
  flat(220, 8);
  assert_int_equal(plateaus_of(plateau), 3);
}

static bool hidden_of(void) {
  struct hw_plateau plateau[HW_LEVELS];
  size_t n = hw_plateaus(&curve, plateau, HW_LEVELS);
  bool hidden;

  assert_int_equal(n, 2);
  hidden = hw_plateau_wide(&curve, &plateau[0], &plateau[1]) ||
           hw_plateau_shoulder(&curve, &plateau[0], &plateau[1]);
  hw_curve_free(&curve);
  return hidden;
}

/* A shoulder, or a rise over too large a factor, may be a level. */
static void test_hidden(void **state) {
  (void)state;
  start();
  flat(15, 8);
  rise(15, 300, 7);
  flat(300, 8);
  assert_false(hidden_of());
  start();
  flat(15, 8);
  rise(15, 300, 16);
  flat(300, 8);
  assert_true(hidden_of());
  start();
  flat(15, 8);
  rise(15, 68, 2);
  flat(68, 1);
  flat(70, 1);
  flat(71.5, 1);
  rise(71.5, 300, 3);
  flat(300, 8);
  assert_true(hidden_of());
}

/* Nor is a level denied that noise hides: who else is there can only lengthen, so that what lies
   above larger working sets is not known, and these are as flat as a shoulder is. */
static void test_shoulder_noisy(void **state) {
  static const double noisy[] = {33, 40.6, 122.6, 141, 327, 115.8};
  struct hw_plateau plateau[HW_LEVELS];

  (void)state;
  start();
  flat(25, 8);
  for (size_t i = 0; i < COUNT(noisy); i++)
    flat(noisy[i], 1);
  flat(439, 8);
  curve.point[curve.n - 7].y = 438; /* of a single sample, which tells no slope */
  curve.point[curve.n - 7].count = 1;
  assert_int_equal(hw_plateaus(&curve, plateau, HW_LEVELS), 2);
  assert_true(hw_plateau_shoulder(&curve, &plateau[0], &plateau[1]));
  hw_curve_free(&curve);
}

/* Nor is a rise that of one cache when it becomes less steep and then steeper again, though nothing
   of it is flat. */
static void test_bent(void **state) {
  static const double two[] = {10, 11.3, 12.4, 14.9, 16.4, 17.8, 19.1, 35, 57, 110, 135};
  static const double one[] = {10, 12, 15, 20, 27, 38, 55, 80, 105, 125, 135};

  (void)state;
  for (int bent = 0; bent < 2; bent++) {
    start();
    flat(9, 8);
    for (size_t i = 0; i < COUNT(two); i++)
      flat(bent ? two[i] : one[i], 1);
    flat(149, 8);
    assert_int_equal(hidden_of(), bent);
  }
}

/* The share of pages that miss a cache of so many ways, when so many times as many lie at random as
   it has sets for. */
static double share_of(double load, unsigned ways) {
  double term = exp(-load), hit = 0;

  for (unsigned k = 0; k < ways; term *= load / ++k)
    hit += term;
  return 1 - hit;
}

/* One cache under pages that lie at random, whatever its ways and however far the next level is,
   has two plateaus and nothing between; of four ways or more nothing can hide in its rise. */
static void test_one_cache(void **state) {
  static const double ratios[] = {1.7, 2, 3, 5, 10, 30};

  (void)state;
  for (unsigned ways = 1; ways <= 16; ways *= 2)
    for (size_t r = 0; r < COUNT(ratios); r++) {
      struct hw_plateau plateau[HW_LEVELS];
      size_t n;
      start();
      for (int i = 0; i < 88; i++) { /* the sizes that the probe takes */
        double load = pow(2, i / 4 - 14) * (1 + i % 4 / 4.0) * ways;
        double y = 10 + 10 * (ratios[r] - 1) * share_of(load, ways);
        put_point(&curve, load, y, 0.001, 12);
      }
      n = hw_plateaus(&curve, plateau, HW_LEVELS);
      assert_int_equal(n, 2);
      if (ways >= 4)
        assert_false(hw_plateau_wide(&curve, &plateau[0], &plateau[1]));
      if (ways >= 2)
        assert_false(hw_plateau_shoulder(&curve, &plateau[0], &plateau[1]));
      hw_curve_free(&curve);
    }
}

/* What single lines of so many working sets have that cost this much beside those that two levels
   hold: so many of a hundred in each set. */
static struct hw_answer between_of(size_t sets, const double cost[], size_t n, size_t many) {
  struct hw_curve set[4];
  const struct hw_curve *lines[4] = {NULL};
  struct hw_answer answer;

  for (size_t k = 0; k < sets; k++) {
    hw_curve_init(&set[k], "lines", "x", "y");
    for (size_t i = 0; i < 100; i++) {
      double y = i < many ? cost[i % n] : i % 2 ? 340 : 18;
      put_point(&set[k], (double)i + 1, y, 0, 3);
    }
    lines[k] = &set[k];
  }
  answer = hw_reduce_between(lines, sets, 18, 340);
  for (size_t k = 0; k < sets; k++)
    hw_curve_free(&set[k]);
  return answer;
}

/* Lines that are held by neither of two levels are another's when they are all alike, and enough of
   them. */
static void test_between(void **state) {
  static const double one[] = {100, 104, 98}, two[] = {60, 160}, scattered[] = {40, 80, 120, 160};

  (void)state;
  assert_true(between_of(4, one, 3, 40).known);
  assert_int_equal((int)between_of(3, one, 3, 40).value, 100);
  assert_false(between_of(2, one, 3, 40).known);
  assert_false(between_of(0, one, 3, 40).known);
  assert_false(between_of(4, one, 3, 5).known);
  assert_false(between_of(4, two, 2, 40).known);
  assert_false(between_of(4, scattered, 4, 40).known);
}

static void test_level(void **state) {
  struct hw_plateau plateau = {0, 15};
  struct hw_answer level;

  (void)state;
  start();
  flat(11, 1);
  flat(11.9, 7);
  flat(12.6, 4);
  flat(12.7, 4);
  level = hw_plateau_level(&curve, &plateau, false);
  assert_true(level.known && level.value > 11.8 && level.value < 12);
  level = hw_plateau_level(&curve, &plateau, true);
  assert_true(level.known && level.value > 12.5);
  hw_curve_free(&curve);
}

/* Somebody takes a part of the cache while smaller working sets are timed: larger ones tell. */
static void test_level_taken(void **state) {
  static const struct hw_point point[] = {{64, 14.1, 0.022, 12},   {128, 14.84, 0.023, 12},
                                          {256, 15.04, 0.047, 12}, {320, 14.34, 0.001, 12},
                                          {384, 14.37, 0.001, 12}, {448, 14.38, 0.001, 12},
                                          {512, 15.63, 0.074, 12}, {640, 16.6, 0.017, 12}};
  const size_t n = COUNT(point);
  const struct hw_plateau plateau = {0, n - 1};
  struct hw_answer level;

  (void)state;
  curve = curve_of_points("levels", point, n);
  level = hw_plateau_level(&curve, &plateau, false);
  assert_true(fabs(level.value - 14.9) > 0.2);
  assert_true(fabs(level.value - 14.35) < fmax(level.error, 0.2));
  hw_curve_free(&curve);
}

/* Puts the curve among the curves, and a cycle of so many ps. */
static void publish(struct hw_curves *curves, double ps) {
  struct hw_curve clock;

  hw_curve_init(&clock, "cycle", "additions", "time (ns)");
  for (size_t i = 1; i <= 6; i++)
    put_point(&clock, (double)i * 128, (double)i * 128 * ps / 1000, 0, 9);
  put_curve(curves, clock);
  put_curve(curves, curve);
}

/* Puts round k of the map: the size curve, but that what lies from least to most (bytes) costs that
   many times as much. */
static void put_round(struct hw_curves *curves, unsigned k, double least, double most,
                      double times) {
  const struct hw_curve *size = hw_curves_get(curves, "levels");
  char name[HW_CURVE_NAME + 1];
  struct hw_curve round;

  hw_size_curve_round_name(name, "levels", k);
  hw_curve_init(&round, name, "x", "y");
  for (size_t i = 0; i < size->n; i++) {
    struct hw_point point = size->point[i];
    point.y *= point.x >= least && point.x <= most ? times : 1;
    assert_int_equal(hw_curve_put(&round, point), 0);
  }
  put_curve(curves, round);
}

/* Puts the map's spread chain: y over pages, from some pages on (count) more (cycles). */
static void put_spread(struct hw_curves *curves, double pages, double more) {
  const struct hw_curve *size = hw_curves_get(curves, "levels");
  struct hw_curve spread;

  hw_curve_init(&spread, "map_spread", "x", "y");
  for (double x = 8; x <= 4096; x *= 2) {
    const struct hw_point *packed = &size->point[0];
    for (size_t i = 0; i < size->n && size->point[i].x <= 64 * x; i++)
      packed = &size->point[i];
    put_point(&spread, x, packed->y + (x >= pages ? more : 0), 0, 12);
  }
  put_curve(curves, spread);
}

/* Two points that were measured by turns: the end of plateau n, from 1 on, and the next. */
static void take_turns(struct hw_curves *curves, size_t n, struct hw_point low,
                       struct hw_point high) {
  const struct hw_point point[] = {low, high};
  char name[HW_CURVE_NAME + 1];

  hw_size_curve_near_name(name, n - 1);
  put_points(curves, name, point, 2);
}

/* The first two levels. */
static void two_levels(void) {
  start();
  flat(4, 20);
  rise(4, 12, 1);
  flat(12, 16);
}

/* Three levels, and memory that takes so many cycles of so many ps, up to so many points. */
static struct hw_curves machine(double memory, double ps, size_t n) {
  struct hw_curves curves = {0};

  two_levels();
  rise(12, 46, 5);
  flat(46, 16);
  rise(46, memory, 4);
  flat(memory, n);
  publish(&curves, ps);
  return curves;
}

/* The same machine, of a rise behind level 2 that has a shoulder or not. */
static struct hw_curves risen(bool shoulder) {
  struct hw_curves curves = {0};

  two_levels();
  if (shoulder) {
    rise(12, 24, 1);
    flat(24, 3);
    ended--;
    rise(25, 46, 1);
  } else {
    rise(12, 46, 5);
  }
  flat(46, 16);
  rise(46, 300, 4);
  flat(300, 14);
  publish(&curves, 300);
  return curves;
}

/* The same with single lines that cost so much in the rise, so many of a hundred, and behind it. */
static struct hw_curves with_lines(bool shoulder, double between, size_t within, size_t behind) {
  static const size_t place[] = {44, 37, 38, 39, 40};
  struct hw_curves curves = risen(shoulder);

  for (unsigned k = 0; k <= 4; k++) {
    struct hw_curve lines;
    char name[HW_CURVE_NAME];
    snprintf(name, sizeof name, "levels_lines_2_%u", k);
    hw_curve_init(&lines, name, "x", "y");
    for (size_t i = 1; i <= 100; i++) {
      double y = i <= (k > 0 ? within : behind) ? between : k > 0 && i < 60 ? 12 : 46;
      put_point(&lines, size_of(place[k]) * (double)i / 100, y, 0, 1);
    }
    put_curve(&curves, lines);
  }
  return curves;
}

/* How many levels there are then; 0: unknown. */
static int lines_of(bool shoulder, double between, size_t within, size_t behind) {
  struct hw_curves curves = with_lines(shoulder, between, within, behind);
  struct hw_answer levels = hw_value_cache_levels(&curves);

  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  assert_int_equal((int)hw_value_mem_lat(&curves).value, 300);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* The same where lines were timed in the upper part of the rise in place of behind it, and those
   that miss level 2 cost so much. */
static int lines_early(double missed) {
  struct hw_curves curves = with_lines(true, 25, 0, 0);
  struct hw_answer levels;
  struct hw_curve lines;

  hw_curve_init(&lines, "levels_lines_2_0", "x", "y");
  for (size_t i = 1; i <= 100; i++)
    put_point(&lines, size_of(40) * (double)i / 100, i <= 20 ? 12 : missed, 0, 1);
  put_curve(&curves, lines);
  levels = hw_value_cache_levels(&curves);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* A level that hides is counted where single lines tell of it, whatever shape the rise has, and not
   where they cost as much behind it; there is none where lines cost what one of the two levels
   does.  Without lines the shape of the rise tells whether one may hide. */
static void test_lines(void **state) {
  struct hw_level level[HW_LEVELS];
  struct hw_curves curves;

  (void)state;
  for (int shoulder = 0; shoulder < 2; shoulder++) {
    curves = risen(shoulder);
    assert_int_equal(hw_value_cache_levels(&curves).known, !shoulder);
    assert_int_equal(hw_value_have_l3(&curves).known, !shoulder);
    assert_int_equal(hw_value_l3_lat(&curves).known, !shoulder);
    hw_curves_free(&curves);
    curves = with_lines(shoulder, 25, 30, 5);
    assert_int_equal(hw_levels(&curves, level), 5);
    assert_int_equal((int)level[2].latency.value, 25);
    assert_false(hw_value_l3_lat(&curves).known);
    assert_true(hw_value_l3_lat(&curves).settled);
    hw_curves_free(&curves);
    assert_int_equal(lines_of(shoulder, 25, 30, 5), 4);
    assert_int_equal(lines_of(shoulder, 25, 30, 30), 0);
    assert_int_equal(lines_of(shoulder, 46, 30, 5), 3);
    assert_int_equal(lines_of(shoulder, 25, 10, 5), 3);
    assert_int_equal(lines_of(shoulder, 37, 30, 30), 3); /* rows that are open */
  }
  assert_int_equal(lines_of(false, 17, 30, 5), 3);
  assert_int_equal(lines_of(true, 17, 30, 5), 0);
  assert_int_equal(lines_early(46), 3);
  assert_int_equal(lines_early(36), 0); /* of a level between, maybe */
}

/* How many levels there are where the curve rises to its end, as level 3 holds so many of a hundred
   lines of the largest working set, and others cost so much; 0: unknown. */
static int rising(size_t held, double between) {
  static const size_t place[] = {68, 54, 58, 62, 66};
  struct hw_curves curves = {0};
  struct hw_answer levels, memory;

  two_levels();
  rise(12, 46, 5);
  flat(46, 10);
  rise(46, 300, 17);
  publish(&curves, 300);
  for (unsigned k = 0; k <= 4 && held < 100; k++) {
    struct hw_curve lines;
    char name[HW_CURVE_NAME];
    snprintf(name, sizeof name, "levels_lines_3_%u", k);
    hw_curve_init(&lines, name, "x", "y");
    for (size_t i = 1; i <= 100; i++) {
      double y = i <= (k > 0 ? 50 : held) ? 46 : i <= 70 ? between : 300;
      put_point(&lines, size_of(place[k]) * (double)i / 100, y, 0, 1);
    }
    put_curve(&curves, lines);
  }
  levels = hw_value_cache_levels(&curves);
  memory = hw_value_mem_lat(&curves);
  assert_false(memory.known); /* it is of a part of them */
  assert_int_equal((int)hw_value_l3_lat(&curves).value, 46);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* What lines of the largest working set cost that miss is the memory's, where they are most of
   them, and all alike. */
static void test_rising(void **state) {
  (void)state;
  assert_int_equal(rising(100, 300), 0); /* none were timed */
  assert_int_equal(rising(20, 300), 3);
  assert_int_equal(rising(60, 300), 0);
  assert_int_equal(rising(20, 120), 0);
}

/* Gives the machine a clock of so many ns. */
static void put_clock(struct hw_curves *curves, double step) {
  struct hw_curve clock;

  hw_curve_init(&clock, "clock_step", "x", "y");
  for (size_t i = 1; i <= 20; i++)
    put_point(&clock, step * (double)i, 40, 0, 40);
  put_curve(curves, clock);
}

/* Lines that were read a step of the clock late look like a level. */
static void test_coarse(void **state) {
  struct hw_curves curves = with_lines(true, 25, 30, 5);

  (void)state;
  put_clock(&curves, 1); /* 25 cycles are four steps more than 12 */
  assert_true(hw_value_clock_ns(&curves).known);
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 4);
  put_clock(&curves, 4); /* one step */
  assert_true(hw_value_clock_ns(&curves).known);
  assert_false(hw_value_cache_levels(&curves).known);
  hw_curves_free(&curves);
  curves = with_lines(false, 25, 30, 5);
  put_clock(&curves, 4); /* where the rise is one's they are no other */
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 3);
  hw_curves_free(&curves);
  curves = with_lines(false, 25, 50, 5);
  put_clock(&curves, 4); /* but if most of those that hit are so, it may be a level */
  assert_false(hw_value_cache_levels(&curves).known);
  hw_curves_free(&curves);
}

/* How many levels of cache there are where the last but one costs 40 and the last 54 cycles, and
   one load of each, measured by turns, as much as that; 0: unknown. */
static int near(double low, double high, size_t at) {
  struct hw_curves curves = {0};
  struct hw_answer levels;

  two_levels();
  rise(12, 40, 3);
  flat(40, 8);
  flat(54, 10);
  rise(54, 300, 2);
  flat(300, 14);
  publish(&curves, 300);
  if (low > 0)
    take_turns(&curves, 3, (struct hw_point){size_of(at - 1), low, 0, 12},
               (struct hw_point){size_of(at), high, 0, 12});
  levels = hw_value_cache_levels(&curves);
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* What costs little more than what was measured at another time is a level of its own only when it
   still does when they take turns. */
static void test_near(void **state) {
  (void)state;
  assert_int_equal(near(0, 0, 0), 0);
  assert_int_equal(near(54, 54, 48), 0);
  assert_int_equal(near(41, 41, 48), 3); /* one level, which was slower for a while */
  assert_int_equal(near(40, 53, 48), 4);
  assert_int_equal(near(40, 53, 40), 0); /* elsewhere */
}

/* How many levels of cache there are where a stretch of two points lies between the last and
   memory, which scatter by so much, and measured by turns with memory cost so much; 0: unknown. */
static int shaky(double spread, double turn) {
  struct hw_curves curves = {0};
  struct hw_answer levels;
  size_t first;

  two_levels();
  rise(12, 44, 3);
  flat(44, 12);
  rise(44, 240, 2);
  first = curve.n;
  flat(240, 5);
  flat(340, 14);
  for (size_t i = first; i < first + 5; i++)
    curve.point[i].spread = spread;
  /* Those in the middle were not measured. */
  memmove(&curve.point[first + 1], &curve.point[first + 4],
          (curve.n - first - 4) * sizeof *curve.point);
  curve.n -= 3;
  publish(&curves, 300);
  take_turns(&curves, 3, (struct hw_point){size_of(first - 3), 44, 0, 12},
             (struct hw_point){size_of(first), 235, 0, 12});
  take_turns(&curves, 4, (struct hw_point){size_of(first + 4), turn, 0, 12},
             (struct hw_point){size_of(first + 5), 330, 0, 12});
  levels = hw_value_cache_levels(&curves);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* Working sets that a shared level holds by half while others use it look flat by chance: they are
   none when they cost something else once more. */
static void test_shaky(void **state) {
  (void)state;
  assert_int_equal(shaky(0.2, 198), 0);
  assert_int_equal(shaky(0.2, 235), 4);
}

static void test_values(void **state) {
  struct hw_curves curves = machine(300, 300, 14);
  struct hw_level level;

  (void)state;
  assert_true(hw_value_cycle_ps(&curves).known);
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 3);
  assert_true(hw_value_cache_levels(&curves).known);
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  assert_int_equal((int)hw_value_l3_lat_x100(&curves).value, 4600);
  assert_int_equal((int)hw_value_mem_lat(&curves).value, 300);
  assert_true(hw_levels_effective(&curves, 2, &level).value >= size_of(36));
  assert_true(hw_levels_effective(&curves, 2, &level).value < size_of(40));
  hw_curves_free(&curves);
}

/* A Zen 5 guest: of 3.5 and 4 MiB what others did cost as much again in each round.  Most points of
   the octave from 2 MiB on lie as low as those behind it. */
static void test_noise_within(void **state) {
  static const struct hw_point point[] = {
      {2048, 3.99, 0.001, 32},       {4096, 3.99, 0.000, 32},
      {8192, 3.99, 0.000, 32},       {16384, 3.99, 0.001, 32},
      {32768, 3.99, 0.001, 32},      {40960, 4.01, 0.002, 32},
      {49152, 5.44, 0.021, 32},      {57344, 13.65, 0.010, 32},
      {65536, 13.91, 0.006, 32},     {131072, 13.97, 0.001, 32},
      {262144, 13.97, 0.001, 32},    {327680, 14.05, 0.002, 32},
      {393216, 14.59, 0.003, 32},    {458752, 14.88, 0.004, 32},
      {524288, 14.89, 0.002, 32},    {655360, 15.14, 0.016, 32},
      {786432, 17.60, 0.090, 32},    {917504, 22.73, 0.145, 32},
      {1048576, 28.88, 0.082, 32},   {1310720, 37.46, 0.037, 32},
      {1572864, 42.11, 0.055, 32},   {1835008, 45.37, 0.051, 32},
      {2097152, 46.98, 0.024, 32},   {2621440, 48.65, 0.011, 32},
      {3145728, 51.44, 0.050, 32},   {3670016, 89.77, 0.173, 32},
      {4194304, 113.48, 0.117, 32},  {5242880, 50.72, 0.032, 8},
      {6291456, 50.00, 0.021, 10},   {7340032, 50.07, 0.020, 14},
      {8388608, 50.97, 0.034, 16},   {10485760, 52.08, 0.043, 20},
      {12582912, 52.01, 0.021, 24},  {14680064, 53.11, 0.042, 30},
      {16777216, 56.10, 0.066, 32},  {20971520, 92.41, 0.160, 32},
      {25165824, 154.81, 0.104, 32}, {29360128, 186.02, 0.097, 32},
      {33554432, 225.38, 0.122, 32}, {41943040, 418.82, 0.034, 16},
      {50331648, 440.61, 0.037, 16}, {58720256, 477.96, 0.048, 16},
      {67108864, 506.73, 0.043, 16}, {134217728, 520.85, 0.024, 32},
      {268435456, 525.53, 0.007, 16}};
  struct hw_curves curves = {0};

  (void)state;
  start();
  for (size_t i = 0; i < COUNT(point); i++)
    assert_int_equal(hw_curve_put(&curve, point[i]), 0);
  publish(&curves, 284);
  assert_true(hw_value_cache_levels(&curves).known);
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 3);
  assert_true(hw_value_l3_eff_bytes(&curves).known);
  hw_curves_free(&curves);
}

/* How many levels there are where level 2 has so many ways, and a level 3 that holds twice as much
   has more of them, or none; pages lie at random, memory costs 340 cycles and each point is up to
   noise times dearer or cheaper.  0: unknown. */
static int two_caches(unsigned ways, unsigned more, double third, double noise) {
  struct hw_random random = {.state = ways};
  struct hw_curves curves = {0};
  struct hw_answer levels;

  start();
  for (int i = 0; i < 72; i++) { /* the sizes that the probe takes */
    double kib = pow(2, i / 4) * (1 + i % 4 / 4.0), load = kib / (12 << 10);
    double missed = share_of(load * ways, ways), again = share_of(load / 2 * more, more);
    double y = 18 + (third - 18) * missed + (340 - third) * fmin(missed, again);
    put_point(&curve, kib * 1024,
              (kib > 48 ? y : 4) * (1 + noise * (2 * hw_random_unit(&random) - 1)), 0.03, 32);
  }
  publish(&curves, 312);
  assert_int_equal((int)hw_value_have_l2(&curves).value, 1);
  levels = hw_value_cache_levels(&curves);
  assert_int_equal(levels.known, hw_value_have_l3(&curves).known);
  hw_curves_free(&curves);
  return levels.known ? (int)levels.value : 0;
}

/* A rise that two caches may make as well as one of fewer ways is not said to be that of one, where
   no lines were timed; a narrower one is. */
static void test_two_caches(void **state) {
  (void)state;
  for (unsigned ways = 6; ways <= 16; ways++)
    for (double third = 40; third <= 160; third += 20) {
      assert_int_not_equal(two_caches(ways, 16, third, 0), 2);
      assert_int_not_equal(two_caches(ways, 16, third, 0.05), 2);
    }
  for (unsigned ways = 17; ways <= 24; ways++)
    assert_int_not_equal(two_caches(ways, 24, 100, 0), 2);
  for (unsigned ways = 20; ways <= 24; ways++)
    assert_int_equal(two_caches(ways, ways, 340, 0), 2);
  assert_int_equal(two_caches(4, 4, 340, 0), 0); /* as two of sixteen */
}

/* Nor where noise and the places of few pages hide the foot of the rise: two caches of 12 and 24 MB
   on a simulated machine. */
static void test_two_caches_foot(void **state) {
  static const double y[] = {19.9, 52.8, 65.6, 77.3, 132.9, 207.5, 261.9, 313.8};
  static const double mib[] = {10, 12, 14, 16, 20, 24, 28, 32};
  static const double spread[] = {0.08, 0.33, 0.1, 0.64, 0.06, 0.1, 0.08, 0.04};
  struct hw_curves curves = {0};

  (void)state;
  start();
  for (double x = 2048; x < 9e6; x *= 2)
    put_point(&curve, x, x > 200e3 ? 17.9 : 3, 0.04, 32);
  for (size_t i = 0; i < COUNT(y); i++)
    put_point(&curve, mib[i] * (1 << 20), y[i], spread[i], 32);
  put_point(&curve, 128 << 20, 332.6, 0.04, 32);
  publish(&curves, 312);
  assert_int_equal((int)hw_value_have_l2(&curves).value, 1);
  assert_false(hw_value_cache_levels(&curves).known);
  assert_non_null(strstr(hw_value_cache_levels(&curves).why, "another level may hide"));
  hw_curves_free(&curves);
}

/* What is said to be the effective size of a level 2 that holds so many bytes, at whose loads miss
   what must, or as many times that as given, where the next level costs ratio times as much. */
static double effective_of(double bytes, double ratio, double times) {
  struct hw_curves curves = {0};
  struct hw_answer answer;
  struct hw_level level;

  start();
  flat(4, 20);
  while (curve.n < 69) {
    double missed = fmin(1, times * fmax(0, 1 - bytes / size_of(curve.n)));
    flat(12 * (1 + (ratio - 1) * (curve.n < 56 ? missed : 1)), 1);
  }
  publish(&curves, 300);
  answer = hw_levels_effective(&curves, 2, &level);
  hw_curves_free(&curves);
  return answer.known ? answer.value : 0;
}

/* However little more the next level costs, and however well lines are replaced: no more than the
   capacity, but for what misses within a latency's error; and where the end is sharp no less than
   the next smaller working set, rounded down. */
static void test_effective(void **state) {
  (void)state;
  for (double bytes = size_of(30); bytes < size_of(34); bytes *= 1.03)
    for (double ratio = 1.6; ratio < 20; ratio *= 1.3)
      for (double times = 1; times < 20; times *= 2) {
        double effective = effective_of(bytes, ratio, times);
        assert_true(effective * (1 - HW_CYCLES_ERROR / (ratio - 1)) <= bytes);
        assert_true(times < 8 || effective == 0 || effective > bytes / 1.3);
      }
  assert_true(effective_of(size_of(32), 3.4, 1) > 0.75 * size_of(32));
}

/* A working set that noise makes dearer than the next level says nothing of larger ones, which
   level 3 holds. */
static void test_effective_burst(void **state) {
  struct hw_curves curves = {0};
  struct hw_level level;
  double held;

  (void)state;
  two_levels();
  rise(12, 46, 5);
  flat(46, 8);
  flat(320, 1);
  flat(46, 7);
  held = curve.point[curve.n - 1].x;
  rise(46, 300, 4);
  flat(300, 14);
  publish(&curves, 300);
  assert_true(hw_levels_effective(&curves, 3, &level).value > held / 1.1);
  hw_curves_free(&curves);
}

/* The effective size of a level of y 10 behind which a miss costs 100, off points of a size curve.
 */
static struct hw_answer effective_of_points(const double (*point)[2], size_t n, size_t last) {
  const struct hw_plateau level = {0, last};
  struct hw_curve size;
  struct hw_answer answer;

  hw_curve_init(&size, "levels", "working set (bytes)", "time of a load (cycles)");
  for (size_t i = 0; i < n; i++)
    put_point(&size, point[i][0], point[i][1], 0, 12);
  answer = hw_reduce_effective(&size, &level, 10, 100);
  hw_curve_free(&size);
  return answer;
}

/* One access in twenty misses between two points; all at once, no more than the last that hits; a
   dearer point before the last that hits is a part of the range; no end, no answer. */
static void test_effective_share(void **state) {
  static const double slow[][2] = {{65536, 10}, {131072, 10}, {163840, 19}, {262144, 100}};
  static const double cliff[][2] = {{16384, 10}, {32768, 10}, {40960, 100}, {49152, 100}};
  static const double moved[][2] = {
      {65536, 10}, {98304, 10}, {114688, 40}, {131072, 10}, {163840, 100}};
  static const double flat[][2] = {{16384, 10}, {32768, 10}, {40960, 10}};
  struct hw_answer answer = effective_of_points(slow, 4, 1);

  (void)state;
  assert_true(answer.known && fabs(answer.value - 147456) < 0.5); /* 14.5 cycles */
  assert_true(fabs(answer.low - answer.value) < 0.5);
  answer = effective_of_points(cliff, 4, 1);
  assert_true(answer.known && fabs(answer.value - 32768) < 0.5);
  answer = effective_of_points(moved, 5, 1);
  assert_true(answer.known && fabs(answer.value - 131072) < 0.5);
  assert_true(fabs(answer.low - 98304) < 0.5);
  assert_false(effective_of_points(flat, 3, 2).known);
}

/* Whether an answer is a range that has both. */
static bool in_range(struct hw_answer answer, double low, double high) {
  return answer.known && answer.low > 0 && answer.low <= low && answer.high >= high &&
         answer.high <= HW_RANGE_WIDEST * 1.0001 * answer.low;
}

/* What others share is the median of the rounds, with their range; it changes no other latency. */
static void test_rounds(void **state) {
  struct hw_curves curves = machine(300, 300, 14);
  const double least = ends[1].x + 1, most = ends[2].x;

  (void)state;
  put_round(&curves, 1, least, most, 1);
  put_round(&curves, 2, least, most, 1.2);
  put_round(&curves, 3, least, most, 1.1);
  assert_int_equal((int)hw_value_l3_lat(&curves).value, 51);
  assert_true(in_range(hw_value_l3_lat(&curves), 46, 55));
  assert_true(in_range(hw_value_l3_lat_x100(&curves), 4600, 5520));
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  assert_int_equal((int)hw_value_mem_lat(&curves).value, 300);
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 3);
  put_round(&curves, 2, least, most, 4);
  assert_false(hw_value_l3_lat(&curves).known); /* more than a factor of two */
  assert_false(hw_value_l3_lat(&curves).settled);
  assert_int_equal((int)hw_value_mem_lat(&curves).value, 300);
  hw_curves_free(&curves);
}

/* Of many rounds those count in which others were there least. */
static void test_rounds_many(void **state) {
  struct hw_curves curves = machine(300, 300, 14);

  (void)state;
  for (unsigned k = 1; k <= 8; k++)
    put_round(&curves, k, ends[1].x + 1, ends[2].x, k % 2 == 0 ? 1 : 5);
  assert_int_equal((int)hw_value_l3_lat(&curves).value, 46);
  assert_true(hw_value_l3_lat(&curves).high < 52);
  hw_curves_free(&curves);
}

/* Level by level: on a Zen 3 others took so much of level 3 that another level may hide behind it.
   What comes before is known, and memory is what comes last. */
static void test_hiding(void **state) {
  static const struct hw_point size[] =
      {{8192, 4.008, 0.00036, 12},    {16384, 4.007, 0.0011, 12},    {20480, 4.009, 0.0014, 11},
       {24576, 4.019, 0.00098, 12},   {28672, 4.078, 0.0023, 11},    {32768, 4.383, 0.03, 12},
       {40960, 10.39, 0.026, 12},     {49152, 11.43, 0.012, 11},     {57344, 11.9, 0.0044, 12},
       {65536, 11.99, 0.0075, 12},    {131072, 12.06, 0.00089, 12},  {262144, 12.14, 0.0034, 12},
       {327680, 13.98, 0.099, 11},    {393216, 17.15, 0.055, 12},    {458752, 19.43, 0.068, 12},
       {524288, 27.72, 0.14, 12},     {655360, 37.07, 0.3, 12},      {786432, 48.16, 0.094, 11},
       {917504, 46.83, 0.073, 12},    {1048576, 45.58, 0.011, 12},   {2097152, 48.3, 0.0095, 12},
       {4194304, 49.2, 0.023, 12},    {8388608, 51.24, 0.011, 12},   {10485760, 145.2, 0.098, 12},
       {12582912, 250.4, 0.15, 12},   {14680064, 252.5, 0.06, 12},   {16777216, 79.31, 0.14, 12},
       {20971520, 321.6, 0.06, 12},   {25165824, 338.4, 0.15, 12},   {29360128, 252.1, 0.21, 12},
       {33554432, 344.9, 0.13, 12},   {41943040, 425.5, 0.075, 12},  {50331648, 438.5, 0.015, 12},
       {58720256, 447.3, 0.019, 12},  {67108864, 467.7, 0.03, 12},   {83886080, 470.9, 0.048, 12},
       {100663296, 442.6, 0.018, 12}, {117440512, 433.2, 0.012, 12}, {134217728, 452.7, 0.028, 12},
       {536870912, 444.1, 0.037, 12}},
                               read[] = {{14336, 0.012, 0.01, 12},
                                         {139264, 0.014, 0.01, 12},
                                         {2097152, 0.022, 0.01, 12},
                                         {536870912, 0.075, 0.01, 12}};
  struct hw_curves curves = {0};
  struct hw_level level[HW_LEVELS];
  bool memory;

  (void)state;
  start();
  hw_curve_free(&curve);
  curve = curve_of_points("levels", size, COUNT(size));
  publish(&curves, 391);
  put_points(&curves, "bandwidth_read", read, COUNT(read));
  assert_false(hw_value_cache_levels(&curves).known);
  assert_int_equal((int)hw_value_have_l3(&curves).value, 1);
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  assert_true(in_range(hw_value_mem_lat(&curves), 429, 495));
  assert_int_equal(hw_traffic_levels(&curves, level, &memory), 4);
  assert_true(memory);
  assert_true(hw_value_l1_read_mbs(&curves).known && hw_value_l2_read_mbs(&curves).known);
  assert_true(hw_value_l3_read_mbs(&curves).known && hw_value_mem_read_mbs(&curves).known);
  assert_true(hw_traffic_has(&curves, 2, "").known);
  assert_false(hw_traffic_has(&curves, 3, "").known); /* nor what misses of it cost */
  hw_curves_free(&curves);
}

/* A last plateau that may be a cache's: the levels before it stay known. */
static void test_not_far(void **state) {
  struct hw_curves curves = machine(100, 300, 14);

  (void)state;
  assert_false(hw_value_cache_levels(&curves).known);
  assert_false(hw_value_mem_lat(&curves).known);
  assert_int_equal((int)hw_value_have_l3(&curves).value, 1);
  assert_int_equal((int)hw_value_l3_lat(&curves).value, 46);
  hw_curves_free(&curves);
  curves = machine(300, 300, 1); /* it still rises */
  assert_false(hw_value_cache_levels(&curves).known);
  assert_false(hw_value_mem_lat(&curves).known);
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  hw_curves_free(&curves);
}

/* Two levels, the second up to so many points, and what costs so many cycles of 300 ps from there
   up to 128 MiB. */
static struct hw_answer memory_of(size_t second, double memory) {
  struct hw_curves curves = {0};
  struct hw_answer answer;

  start();
  flat(4, 20);
  flat(12, second);
  flat(memory, 69 - 20 - second);
  publish(&curves, 300);
  answer = hw_value_mem_lat(&curves);
  hw_curves_free(&curves);
  return answer;
}

/* What may be the third level of a large processor is not memory. */
static void test_memory(void **state) {
  (void)state;
  assert_true(size_of(68) >= 128 << 20);
  assert_true(memory_of(16, 250).known);  /* behind 0.5 MiB */
  assert_false(memory_of(26, 250).known); /* behind 2.4 MiB */
  assert_true(memory_of(26, 1100).known); /* 330 ns */
  assert_true(memory_of(32, 250).known);  /* behind 7 MiB */
  assert_false(memory_of(32, 150).known); /* 45 ns */
  assert_true(memory_of(7, 100).known);   /* 30 ns, over a factor of 1024 */
  assert_false(memory_of(10, 100).known);
}

/* Where others make most samples of level 2 scatter its latency has a range, too. */
static void test_scatter(void **state) {
  struct hw_curves curves = machine(300, 300, 14);
  const struct hw_curve *size = hw_curves_get(&curves, "levels");

  (void)state;
  assert_true(hw_value_l2_lat(&curves).low < 1);
  for (size_t i = 0; i < size->n; i++)
    size->point[i].spread = 0.06;
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 12);
  assert_true(in_range(hw_value_l2_lat(&curves), 11, 13));
  assert_true(in_range(hw_value_l2_lat_x100(&curves), 1100, 1300));
  hw_curves_free(&curves);
}

/* Where a flat stretch begins: at a point that does not rise for an octave, or for three points. */
static void test_flat(void **state) {
  (void)state;
  start();
  flat(7, 4);
  flat(9, 4);
  flat(25, 8);
  assert_true(hw_plateau_flat(&curve, 0));
  assert_true(hw_plateau_flat(&curve, 4));
  assert_false(hw_plateau_flat(&curve, 6));
  assert_true(hw_plateau_flat(&curve, 8));
  assert_false(hw_plateau_flat(&curve, 15));
  hw_curve_free(&curve);
}

/* What TLBs may add leaves two whole numbers for a latency: it is neither surely, though both
   are within 3 %. */
static void test_whole(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  start();
  flat(4, 20);
  flat(30.6, 14);
  flat(300, 35);
  publish(&curves, 300);
  assert_int_equal((int)hw_value_l2_lat(&curves).value, 31);
  put_spread(&curves, 8, 6);
  assert_false(hw_value_l2_lat(&curves).known);
  assert_true(hw_value_l2_lat_x100(&curves).known);
  hw_curves_free(&curves);
}

/* Only level 1 is there. */
static void test_one_level(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  start();
  flat(2, 12);
  flat(40, 48);
  publish(&curves, 5000);
  assert_int_equal((int)hw_value_cache_levels(&curves).value, 1);
  assert_int_equal((int)hw_value_have_l2(&curves).value, 0);
  assert_true(hw_value_have_l2(&curves).known);
  assert_false(hw_value_l2_lat(&curves).known);
  assert_true(hw_value_l2_lat(&curves).settled);
  hw_curves_free(&curves);
}

/* What TLB misses add to an eighth of the loads is subtracted where it is theirs for sure, and
   where it may be a cache miss it is no level. */
static void test_translation(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  {
    start();
    flat(2, 12);
    flat(10, 12);
    flat(13, 12);
    flat(300, 40);
    publish(&curves, 1000);
    assert_false(hw_value_cache_levels(&curves).known); /* they are near: measured by turns? */
    put_spread(&curves, 64, 24);
    assert_int_equal((int)hw_value_cache_levels(&curves).value, 2);
    assert_int_equal((int)hw_value_l2_lat(&curves).value, 10);
    hw_curves_free(&curves);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_close),
      cmocka_unit_test(test_slow_rise),
      cmocka_unit_test(test_slant),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_short),
      cmocka_unit_test(test_hidden),
      cmocka_unit_test(test_level),
      cmocka_unit_test(test_shoulder_noisy),
      cmocka_unit_test(test_level_taken),
      cmocka_unit_test(test_near),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_not_far),
      cmocka_unit_test(test_one_level),
      cmocka_unit_test(test_one_cache),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_coarse),
      cmocka_unit_test(test_rising),
      cmocka_unit_test(test_between),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_effective),
      cmocka_unit_test(test_effective_burst),
      cmocka_unit_test(test_noise_within),
      cmocka_unit_test(test_two_caches),
      cmocka_unit_test(test_two_caches_foot),
      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_translation),
      cmocka_unit_test(test_bent),
      cmocka_unit_test(test_shaky),
      cmocka_unit_test(test_flat),
      cmocka_unit_test(test_hiding),
      cmocka_unit_test(test_scatter),
      cmocka_unit_test(test_effective_share),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_rounds_many),
  };

  return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
