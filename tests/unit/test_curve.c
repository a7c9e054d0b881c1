/* Curves: the order of their points, their text form there and back, every kind of damage, and the
   set that keeps them. */
#include "analysis/curve.h"
#include "probes/bench/random.h"
#include "tests/unit/curve.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192

static void assert_share(double got, double expected, double share) {
  assert_close(got, expected, share * fabs(expected));
}

static void put(struct hw_curve *curve, double x, double y) { put_point(curve, x, y, 0.25, 7); }

/* ---- points ---- */

/* A point of two measurements is known by the samples of both. */
static void test_join(void **state) {
  struct hw_curve now, earlier;

  (void)state;
  hw_curve_init(&now, "now", "x", "y");
  hw_curve_init(&earlier, "earlier", "x", "y");
  put(&now, 1, 5);
  put(&now, 2, 6);
  put(&earlier, 3, 9);
  put_point(&earlier, 2, 10, 0.05, 21);
  put_point(&now, 4, 3, 0, 0); /* no samples are behind either: the earlier one stays */
  put_point(&earlier, 4, 5, 0, 0);
  assert_int_equal(hw_curve_join(&now, &earlier), 0);
  assert_int_equal(now.n, 4);
  assert_share(now.point[3].y, 5, 1e-12);
  assert_share(now.point[0].y, 5, 1e-12);
  assert_int_equal(now.point[0].count, 7);
  assert_share(now.point[1].y, 9, 1e-12);
  assert_share(now.point[1].spread, 0.1, 1e-12);
  assert_int_equal(now.point[1].count, 28);
  assert_share(now.point[2].y, 9, 1e-12);
  assert_int_equal(now.point[2].count, 7);
  hw_curve_free(&now);
  hw_curve_free(&earlier);
}

/* Points stand in the order of x, in whatever order they come, also past the first 32. */
static void test_points_in_order(void **state) {
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "c", "x", "y");
  for (unsigned i = 0; i < 101; i++) {
    unsigned x = i * 37 % 101;
    put(&curve, x, 2 * x);
    for (size_t j = 1; j < curve.n; j++)
      assert_true(curve.point[j - 1].x < curve.point[j].x);
  }
  assert_int_equal(curve.n, 101);
  for (size_t j = 0; j < curve.n; j++) {
    assert_share(curve.point[j].x, (double)j, 0);
    assert_share(curve.point[j].y, 2 * (double)j, 0);
  }
  hw_curve_free(&curve);
  assert_int_equal(curve.n, 0);
  assert_null(curve.point);
}

/* A point with the x of another takes its place, all of it. */
static void test_same_x_replaces(void **state) {
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "c", "x", "y");
  for (int x = -1; x <= 1; x++)
    put(&curve, x, 5);
  for (int x = -1; x <= 1; x++) {
    struct hw_point p = {.x = x, .y = 10 + x, .spread = 0.5, .count = 3};
    assert_int_equal(hw_curve_put(&curve, p), 0);
    assert_int_equal(curve.n, 3);
    assert_memory_equal(&curve.point[x + 1], &p, sizeof p);
  }
  hw_curve_free(&curve);
}

/* The error of a point follows from spread, level and count: 1.4 (1 + 3 / n) s y / sqrt n; a point
   of one to three samples is not known at all, one of none is exact. */
static void test_point_error(void **state) {
  static const struct {
    struct hw_point point;
    double error;
  } expected[] = {
      {{.x = 1, .y = 100, .spread = 0.1, .count = 100}, 1.442},
      {{.x = 1, .y = -100, .spread = 0.1, .count = 100}, 1.442},
      {{.x = 9, .y = 50, .spread = 0.02, .count = 9}, 0.46666666666666667 * 4 / 3},
      {{.x = 9, .y = 50, .spread = 0.02, .count = 4}, 0.7 * 7 / 4},
      {{.x = 1, .y = 100, .spread = 0, .count = 16}, 0},
      {{.x = 1, .y = -100, .spread = 0, .count = 1}, 100},
      {{.x = 1, .y = 100, .spread = 0.01, .count = 3}, 100},
      {{.x = 1, .y = 100, .spread = 0.1, .count = 0}, 0},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(expected); i++)
    assert_share(hw_point_error(&expected[i].point), expected[i].error, 1e-12);
}

/* ---- header ---- */

/* A text too long for its field is cut, and a neighbouring field is left alone. */
static void test_long_fields_are_cut(void **state) {
  struct hw_curve curve;
  char text[2 * HW_CURVE_TEXT];

  (void)state;
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  hw_curve_init(&curve, text, "x", "y");
  hw_curve_set(&curve, HW_CURVE_FIELD_COMPILER, text);
  assert_int_equal(strlen(curve.name), HW_CURVE_NAME - 1);
  assert_int_equal(strspn(curve.name, "a"), HW_CURVE_NAME - 1);
  assert_int_equal(strlen(curve.compiler), HW_CURVE_TEXT - 1);
  assert_string_equal(curve.probe, "");
  assert_string_equal(curve.x_title, "x");
  assert_string_equal(curve.y_title, "y");
  assert_string_equal(curve.clock, "");
  assert_string_equal(curve.flags, "");
}

/* Each field is set under its own name, and is one line. */
static void test_fields(void **state) {
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "old", "old", "old");
  hw_curve_set(&curve, HW_CURVE_FIELD_NAME, "the\nname");
  hw_curve_set(&curve, HW_CURVE_FIELD_PROBE, "the\rprobe");
  hw_curve_set(&curve, HW_CURVE_FIELD_X, "\r\nx\n");
  hw_curve_set(&curve, HW_CURVE_FIELD_Y, "y: # \t");
  hw_curve_set(&curve, HW_CURVE_FIELD_CLOCK, "clock");
  hw_curve_set(&curve, HW_CURVE_FIELD_COMPILER, "compiler");
  hw_curve_set(&curve, HW_CURVE_FIELD_FLAGS, "");
  assert_string_equal(curve.name, "the name");
  assert_string_equal(curve.probe, "the probe");
  assert_string_equal(curve.x_title, "  x ");
  assert_string_equal(curve.y_title, "y: # \t");
  assert_string_equal(curve.clock, "clock");
  assert_string_equal(curve.compiler, "compiler");
  assert_string_equal(curve.flags, "");
}

/* ---- there and back ---- */

/* Writes the curve into text. */
static void write_text(const struct hw_curve *curve, char *text) {
  FILE *out = tmpfile();
  size_t n;

  assert_non_null(out);
  assert_int_equal(hw_curve_write(curve, out), 0);
  rewind(out);
  n = fread(text, 1, ROOM - 1, out);
  text[n] = '\0';
  fclose(out);
}

/* Reads a curve from n bytes of text; what was said about it in said. */
static int read_text(struct hw_curve *curve, const char *text, size_t n, char *said, size_t room) {
  FILE *in = tmpfile(), *err = tmpfile();
  size_t got;
  int result;

  assert_non_null(in);
  assert_non_null(err);
  assert_int_equal(fwrite(text, 1, n, in), n);
  rewind(in);
  result = hw_curve_read(curve, "FILE", in, err);
  rewind(err);
  got = fread(said, 1, room - 1, err);
  said[got] = '\0';
  fclose(in);
  fclose(err);
  return result;
}

/* Reads what was written, and writes it again: the same bytes. */
static void check_round_trip(const struct hw_curve *curve) {
  char first[ROOM], second[ROOM], said[256];
  struct hw_curve copy;

  write_text(curve, first);
  if (read_text(&copy, first, strlen(first), said, sizeof said) != 0)
    fail_msg("%s was said of\n%s", said, first);
  assert_string_equal(said, "");
  write_text(&copy, second);
  assert_string_equal(second, first);
  assert_int_equal(copy.n, curve->n);
  hw_curve_free(&copy);
}

/* What is written reads back as the same text, and all ten digits of it. */
static void test_round_trip(void **state) {
  static const struct hw_point point[] = {
      {-1e300, 1.0 / 3, 1e-9, 1}, {-0.5, -2, 0, 0},           {0, 1e-300, 0.123456789, 7},
      {1.0 / 3, 5e9, 0.05, 1000}, {8, 4.0000000001, 0.01, 3}, {1e15, 1, 12.5, 4000000000},
  };
  struct hw_curve curve;

  (void)state;
  hw_curve_init(&curve, "", "", "");
  check_round_trip(&curve);
  hw_curve_set(&curve, HW_CURVE_FIELD_NAME, "l1_stride_64");
  hw_curve_set(&curve, HW_CURVE_FIELD_X, "elements 64 bytes apart (count): all");
  hw_curve_set(&curve, HW_CURVE_FIELD_FLAGS, "-O2 -DA='b c' # points: 9 %s");
  curve.seed = ULONG_MAX;
  check_round_trip(&curve);
  for (size_t i = 0; i < COUNT(point); i++)
    assert_int_equal(hw_curve_put(&curve, point[i]), 0);
  check_round_trip(&curve);
  hw_curve_free(&curve);
}

/* The longest header there can be reads back. */
static void test_round_trip_longest(void **state) {
  struct hw_curve curve;
  char text[2 * HW_CURVE_TEXT];

  (void)state;
  memset(text, '#', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  hw_curve_init(&curve, text, text, text);
  for (int field = HW_CURVE_FIELD_NAME; field <= HW_CURVE_FIELD_FLAGS; field++)
    hw_curve_set(&curve, (enum hw_curve_field)field, text);
  check_round_trip(&curve);
}

/* Neighbouring whole numbers are told apart, as far as a double tells them. */
static void test_large_x(void **state) {
  struct hw_curve curve, copy;
  char text[ROOM], said[256];

  (void)state;
  hw_curve_init(&curve, "c", "x", "y");
  put(&curve, 68719476735, 1);
  put(&curve, 68719476736, 2);
  put(&curve, 999999999999999, 3);
  write_text(&curve, text);
  assert_int_equal(read_text(&copy, text, strlen(text), said, sizeof said), 0);
  for (size_t i = 0; i < curve.n; i++)
    assert_share(copy.point[i].x, curve.point[i].x, 0);
  hw_curve_free(&copy);
  hw_curve_free(&curve);
}

#define HEAD_TEXTS                                                                                 \
  "# hwconfig curve 1\n# name: n\n# probe: p\n# x: s (bytes)\n# y: t (cycles)\n# clock: c\n"       \
  "# compiler: gcc\n# flags: -O2\n"
#define HEAD_NUMBERS "# build: 3\n# seed: 42\n"
#define COLUMNS "# x y spread count\n"
#define HEAD(points) HEAD_TEXTS HEAD_NUMBERS "# points: " points "\n" COLUMNS

/* The file is read as it is documented: every field, every point. */
static void test_read_literal(void **state) {
  static const char text[] = HEAD("2") "8 3.25 0.5 16\n1.6e1 -4 0 0\n";
  struct hw_curve curve;
  char said[256];

  (void)state;
  assert_int_equal(read_text(&curve, text, strlen(text), said, sizeof said), 0);
  assert_string_equal(said, "");
  assert_string_equal(curve.name, "n");
  assert_string_equal(curve.probe, "p");
  assert_string_equal(curve.x_title, "s (bytes)");
  assert_string_equal(curve.y_title, "t (cycles)");
  assert_string_equal(curve.clock, "c");
  assert_string_equal(curve.compiler, "gcc");
  assert_string_equal(curve.flags, "-O2");
  assert_int_equal(curve.seed, 42);
  assert_int_equal(curve.n, 2);
  assert_memory_equal(&curve.point[0], (&(struct hw_point){8, 3.25, 0.5, 16}),
                      sizeof(struct hw_point));
  assert_memory_equal(&curve.point[1], (&(struct hw_point){16, -4, 0, 0}), sizeof(struct hw_point));
  hw_curve_free(&curve);
}

/* A stream that cannot be written to is told. */
static void test_write_fails(void **state) {
  struct hw_curve curve;
  FILE *out = fopen("/dev/null", "r");

  (void)state;
  hw_curve_init(&curve, "c", "x", "y");
  assert_non_null(out);
  assert_int_equal(hw_curve_write(&curve, out), -1);
  fclose(out);
}

/* ---- damage ---- */

struct bad {
  const char *text;
  unsigned long line;
  const char *reason;
};

/* Reads damaged text: it must be refused with that line and reason, in one line, and leave an empty
   curve. */
static void check_refused(const char *text, size_t n, unsigned long line, const char *reason) {
  struct hw_curve curve;
  char said[512], expected[256];
  int result = read_text(&curve, text, n, said, sizeof said);

  snprintf(expected, sizeof expected, "FILE:%lu: %s\n", line, reason);
  if (result != -1 || strcmp(said, expected) != 0)
    fail_msg("for\n%s\nit should be %d, %sbut was %d, %s", text, -1, expected, result, said);
  assert_int_equal(curve.n, 0);
  assert_int_equal(curve.room, 0);
  assert_null(curve.point);
}

static void check_bad(const struct bad *bad, size_t n) {
  for (size_t i = 0; i < n; i++)
    check_refused(bad[i].text, strlen(bad[i].text), bad[i].line, bad[i].reason);
}

#define X300                                                                                       \
  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
  "xxxxxx"                                                                                         \
  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
  "xxxxxx"                                                                                         \
  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
  "xxxxxx"

/* A damaged header is refused, at its line. */
static void test_bad_header(void **state) {
  static const char late[] = "the header is not complete";
  static const char unknown[] = "unknown header line";
  static const char number[] = "a number is expected";
  static const struct bad bad[] = {
      {"", 0, "empty file"},
      {"\n", 1, "not a curve"},
      {"# hwconfig curve 2\n", 1, "not a curve"},
      {"# hwconfig curve 1 \n", 1, "not a curve"},
      {"# hwconfig curve 1\r\n# name: n\r\n", 1, "not a curve"},
      {"\xef\xbb\xbf# hwconfig curve 1\n", 1, "not a curve"},
      {"name: n\n# hwconfig curve 1\n", 1, "not a curve"},
      {"# hwconfig curve 1", 1, "line is too long or has no end"},
      {"# hwconfig curve 1\n", 1, late},
      {"# hwconfig curve 1\n# name: n\n# probe", 3, "line is too long or has no end"},
      {HEAD_TEXTS, 8, late},
      {HEAD_TEXTS HEAD_NUMBERS "# points: 0\n", 11, late},
      {HEAD_TEXTS "# serial: 3\n# points: 0\n" COLUMNS, 11, late},
      {HEAD_TEXTS HEAD_NUMBERS COLUMNS, 11, late},
      {"# hwconfig curve 1\n# probe: p\n# x: x\n# y: y\n# clock: c\n# compiler: c\n# flags: f\n"
       "# seed: 1\n# points: 0\n" COLUMNS,
       10, late},
      {"# hwconfig curve 1\n# name: n\n# probe: p\n# x: x\n# y: y\n# clock: c\n# compiler: c\n"
       "# seed: 1\n# points: 0\n" COLUMNS,
       10, late},
      {HEAD_TEXTS "# seeds 3\n", 9, unknown},
      {HEAD_TEXTS "# seed 3\n", 9, unknown},
      {HEAD_TEXTS "# seed:3\n", 9, unknown},
      {HEAD_TEXTS "# seed: \n", 9, number},
      {HEAD_TEXTS "# seed: -3\n", 9, number},
      {HEAD_TEXTS "# seed: 3.5\n", 9, number},
      {HEAD_TEXTS "# seed: 0x3\n", 9, number},
      {HEAD_TEXTS "# seed: 3\r\n", 9, number},
      {HEAD_TEXTS "# seed: 99999999999999999999999\n", 9, number},
      {HEAD_TEXTS "# seed: x\n", 9, number},
      {HEAD_TEXTS "# points: many\n", 9, number},
      {HEAD_TEXTS "# points: 99999999999999999999999\n", 9, number},
      {HEAD_TEXTS "# colour: blue\n", 9, late},
      {HEAD_TEXTS "#\n", 9, unknown},
      {HEAD_TEXTS "#seed: 3\n", 9, unknown},
      {HEAD_TEXTS "# hwconfig curve 1\n", 9, unknown},
      {HEAD_TEXTS "# x y spread\n", 9, unknown},
      {HEAD_TEXTS "# name: n\n", 9, "header line is given twice"},
      {HEAD_TEXTS HEAD_NUMBERS "# seed: 42\n", 11, "header line is given twice"},
      {HEAD_TEXTS "# points: 1\n# points: 1\n", 10, "header line is given twice"},
      {HEAD("1") "# name: n\n", 13, "header line after the header"},
      {HEAD("1") COLUMNS, 13, "header line after the header"},
      {HEAD("1") "1 2 0 1\n# seed: 1\n", 14, "header line after the header"},
      {"# hwconfig curve 1\n# flags: " X300 X300 "\n", 2, "line is too long or has no end"},
  };

  (void)state;
  check_bad(bad, COUNT(bad));
}

/* Damaged data is refused, at its line. */
static void test_bad_data(void **state) {
  static const char columns[] = "expected x y spread count";
  static const char early[] = "data before the header's end";
  static const char order[] = "x does not ascend";
  static const struct bad bad[] = {
      {HEAD_TEXTS "1 2 0 1\n", 9, early},
      {HEAD_TEXTS HEAD_NUMBERS "# points: 1\n1 2 0 1\n", 12, early},
      {HEAD("1"), 12, "fewer points than the header says"},
      {HEAD("2") "1 2 0 1\n", 13, "fewer points than the header says"},
      {HEAD("0") "1 2 0 1\n", 13, "more points than the header says"},
      {HEAD("1") "1 2 0 1\n2 2 0 1\n", 14, "more points than the header says"},
      {HEAD("2") "1 2 0 1\n2 2 0 1", 14, "line is too long or has no end"},
      {HEAD("2") "1 2 0 1\n2 2", 14, "line is too long or has no end"},
      {HEAD("2") "1 2 0 1\n1 2 0 1\n", 14, order},
      {HEAD("2") "1 2 0 1\n0.5 2 0 1\n", 14, order},
      {HEAD("1") "\n", 13, columns},
      {HEAD("1") "1\n", 13, columns},
      {HEAD("1") "1 2\n", 13, columns},
      {HEAD("1") "1 2 0\n", 13, columns},
      {HEAD("1") "1 2 0 \n", 13, "count is no number"},
      {HEAD("1") "1 2 0 -1\n", 13, "count is no number"},
      {HEAD("1") "1 2 0 x\n", 13, "count is no number"},
      {HEAD("1") "1 2 0 99999999999999999999999\n", 13, "count is no number"},
      {HEAD("1") "1 2 0 1.5\n", 13, "text after the count"},
      {HEAD("1") "1 2 0 1 \n", 13, "text after the count"},
      {HEAD("1") "1 2 0 1 9\n", 13, "text after the count"},
      {HEAD("1") "1 2 0 1\r\n", 13, "text after the count"},
      {HEAD("1") "nan 2 0 1\n", 13, columns},
      {HEAD("1") "1 nan 0 1\n", 13, columns},
      {HEAD("1") "1 2 nan 1\n", 13, columns},
      {HEAD("1") "inf 2 0 1\n", 13, columns},
      {HEAD("1") "1 -inf 0 1\n", 13, columns},
      {HEAD("1") "1 1e999 0 1\n", 13, columns},
      {HEAD("1") "1 2 inf 1\n", 13, columns},
      {HEAD("1") "1 2 -0.1 1\n", 13, "negative spread"},
      {HEAD("1") "one 2 0 1\n", 13, columns},
      {HEAD("1") "0x10 2 0 1\n", 13, columns},
      {HEAD("1") " 1 2 0 1\n", 13, columns},
      {HEAD("1") "1  2 0 1\n", 13, columns},
      {HEAD("1") "1\t2\t0\t1\n", 13, columns},
      {HEAD("1") "1;2;0;1\n", 13, columns},
      {HEAD("1") "1,5 2 0 1\n", 13, columns},
      {HEAD("1") "1 2,5 0 1\n", 13, columns},
      {HEAD("1") "1 2 0,1 1\n", 13, columns},
      {HEAD("1") X300 X300 "\n", 13, "line is too long or has no end"},
      {HEAD("1") "1 2 0 1\n\n", 14, columns},
  };

  (void)state;
  check_bad(bad, COUNT(bad));
}

/* A byte 0 ends nothing unseen: the line is refused. */
static void test_bad_bytes(void **state) {
  static const char inside[] = HEAD("1") "1 2 0 1\0\n";
  static const char first[] = HEAD("1") "\0"
                                        "1 2 0 1\n";

  (void)state;
  check_refused(inside, sizeof inside - 1, 13, "line is too long or has no end");
  check_refused(first, sizeof first - 1, 13, "line is too long or has no end");
}

/* Cut anywhere, a good file is bad. */
static void test_cut_anywhere(void **state) {
  static const char text[] = HEAD("3") "1 2 0 1\n2 2.5 0.125 12\n3 4 0 0\n";
  char said[256];
  struct hw_curve curve;

  (void)state;
  assert_int_equal(read_text(&curve, text, sizeof text - 1, said, sizeof said), 0);
  hw_curve_free(&curve);
  for (size_t n = 0; n < sizeof text - 1; n++) {
    assert_int_equal(read_text(&curve, text, n, said, sizeof said), -1);
    assert_int_equal(strncmp(said, "FILE:", 5), 0);
    assert_int_equal(curve.n, 0);
    assert_null(curve.point);
  }
}

/* A stream that cannot be read is no empty file. */
static void test_read_fails(void **state) {
  struct hw_curve curve;
  FILE *in = fopen(".", "r"), *err = tmpfile();
  char said[64];

  (void)state;
  assert_non_null(err);
  if (in == NULL) /* not every system opens folders */
    in = fopen("/dev/null", "w");
  assert_non_null(in);
  assert_int_equal(hw_curve_read(&curve, "FILE", in, err), -1);
  rewind(err);
  assert_non_null(fgets(said, sizeof said, err));
  assert_string_equal(said, "FILE:0: cannot be read\n");
  assert_int_equal(curve.n, 0);
  fclose(in);
  fclose(err);
}

/* ---- the set ---- */

/* A set with curves one and two, of one and two points. */
static void fill(struct hw_curves *curves) {
  struct hw_curve curve;

  hw_curve_init(&curve, "one", "x", "y");
  put(&curve, 1, 1);
  put_curve(curves, curve);
  hw_curve_init(&curve, "two", "x", "y");
  put(&curve, 1, 1);
  put(&curve, 2, 1);
  put_curve(curves, curve);
}

/* Curves are found by their whole name; what is not there is not found. */
static void test_set_get(void **state) {
  struct hw_curves curves = {0};

  (void)state;
  assert_null(hw_curves_get(&curves, "one"));
  fill(&curves);
  assert_int_equal(curves.n, 2);
  assert_int_equal(hw_curves_get(&curves, "one")->n, 1);
  assert_int_equal(hw_curves_get(&curves, "two")->n, 2);
  assert_null(hw_curves_get(&curves, "on"));
  assert_null(hw_curves_get(&curves, "ones"));
  assert_null(hw_curves_get(&curves, ""));
  hw_curves_free(&curves);
  assert_int_equal(curves.n, 0);
  assert_null(curves.curve);
  hw_curves_free(&curves);
}

/* A curve replaces that of its name, at its place, and no other. */
static void test_set_replaces(void **state) {
  struct hw_curves curves = {0};
  struct hw_curve curve;

  (void)state;
  fill(&curves);
  hw_curve_init(&curve, "one", "new x", "y");
  for (int x = 0; x < 40; x++)
    put(&curve, x, x);
  put_curve(&curves, curve);
  assert_int_equal(curves.n, 2);
  assert_ptr_equal(hw_curves_get(&curves, "one"), curves.curve[0]);
  assert_int_equal(curves.curve[0]->n, 40);
  assert_string_equal(curves.curve[0]->x_title, "new x");
  assert_int_equal(hw_curves_get(&curves, "two")->n, 2);
  hw_curves_free(&curves);
}

/* Whatever a curve has, it is written and read again as the same text: x exactly, y and spread to
   the digits that are written. */
static void test_round_trip_any(void **state) {
  const char *given = getenv("HW_TEST_SEED");
  struct hw_random random = {given != NULL ? strtoul(given, NULL, 10) : 1};

  (void)state;
  for (unsigned run = 0; run < 500; run++) {
    struct hw_curve curve, copy;
    char text[ROOM], again[ROOM], said[256];
    double x = (hw_random_unit(&random) - 0.5) * 100;
    size_t n = hw_random_below(&random, 60);

    hw_curve_init(&curve, "any", "x", "y");
    for (size_t i = 0; i < n; i++) {
      /* Up to the next double there is, or over many orders of magnitude. */
      x = hw_random_below(&random, 3) == 0 ? nextafter(x, INFINITY)
                                           : x + pow(10, 30 * (hw_random_unit(&random) - 0.5));
      assert_int_equal(
          hw_curve_put(&curve,
                       (struct hw_point){.x = x,
                                         .y = (hw_random_unit(&random) - 0.5) *
                                              pow(10, 300 * (hw_random_unit(&random) - 0.5)),
                                         .spread = hw_random_unit(&random),
                                         .count = hw_random_bits(&random) >> 33}),
          0);
    }
    write_text(&curve, text);
    if (read_text(&copy, text, strlen(text), said, sizeof said) != 0)
      fail_msg("run %u: %s", run, said);
    assert_string_equal(said, "");
    assert_int_equal(copy.n, curve.n);
    for (size_t i = 0; i < curve.n; i++) {
      const struct hw_point *p = &curve.point[i], *q = &copy.point[i];
      assert_true(p->x >= q->x && p->x <= q->x);
      assert_share(q->y, p->y, 1e-9);
      assert_share(q->spread, p->spread, 1e-3);
      assert_int_equal(p->count, q->count);
    }
    write_text(&copy, again);
    assert_string_equal(text, again);
    hw_curve_free(&curve);
    hw_curve_free(&copy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_points_in_order),     cmocka_unit_test(test_join),
      cmocka_unit_test(test_same_x_replaces),     cmocka_unit_test(test_point_error),
      cmocka_unit_test(test_long_fields_are_cut), cmocka_unit_test(test_fields),
      cmocka_unit_test(test_round_trip),          cmocka_unit_test(test_round_trip_longest),
      cmocka_unit_test(test_round_trip_any),      cmocka_unit_test(test_large_x),
      cmocka_unit_test(test_read_literal),        cmocka_unit_test(test_write_fails),
      cmocka_unit_test(test_bad_header),          cmocka_unit_test(test_bad_data),
      cmocka_unit_test(test_bad_bytes),           cmocka_unit_test(test_cut_anywhere),
      cmocka_unit_test(test_read_fails),          cmocka_unit_test(test_set_get),
      cmocka_unit_test(test_set_replaces),
  };

  return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
