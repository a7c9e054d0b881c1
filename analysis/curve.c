/* Curves: points in order, and their text form. */
#include "analysis/curve.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The first line of every curve: name and version of the format. */
static const char curve_magic[] = "# hwconfig curve 1";

/* Copies text into a field of size bytes, cut at its end and on one line. */
static void curve_copy(char *field, size_t size, const char *text) {
  size_t i = 0;

  for (; text[i] != '\0' && i + 1 < size; i++)
    field[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
  field[i] = '\0';
}

void hw_curve_init(struct hw_curve *curve, const char *name, const char *x_title,
                   const char *y_title) {
  memset(curve, 0, sizeof *curve);
  hw_curve_set(curve, HW_CURVE_FIELD_NAME, name);
  hw_curve_set(curve, HW_CURVE_FIELD_X, x_title);
  hw_curve_set(curve, HW_CURVE_FIELD_Y, y_title);
}

void hw_curve_free(struct hw_curve *curve) {
  free(curve->point);
  curve->point = NULL;
  curve->n = curve->room = 0;
}

/* Makes room for one more point. */
static int curve_grow(struct hw_curve *curve) {
  struct hw_point *point;
  size_t room = curve->room == 0 ? 32 : 2 * curve->room;

  if (curve->n < curve->room)
    return 0;
  point = realloc(curve->point, room * sizeof *point);
  if (point == NULL)
    return -1;
  curve->point = point;
  curve->room = room;
  return 0;
}

int hw_curve_put(struct hw_curve *curve, struct hw_point point) {
  size_t i = curve->n;

  while (i > 0 && curve->point[i - 1].x >= point.x)
    i--;
  if (i < curve->n && !(curve->point[i].x > point.x)) {
    curve->point[i] = point;
    return 0;
  }
  if (curve_grow(curve) < 0)
    return -1;
  memmove(curve->point + i + 1, curve->point + i, (curve->n - i) * sizeof point);
  curve->point[i] = point;
  curve->n++;
  return 0;
}

double hw_point_error(const struct hw_point *point) {
  /* The lower quartile of n samples with relative scatter s is known to 1.36 s / sqrt n. */
  if (point->count == 0)
    return 0;
  return 1.36 * point->spread * fabs(point->y) / sqrt((double)point->count);
}

/* The text fields of the header, in the order in which they are written. */
static const struct {
  const char *key;
  size_t offset;
  size_t size;
} curve_field[] = {
#define CURVE_FIELD(key, member)                                                                   \
  { key, offsetof(struct hw_curve, member), sizeof((struct hw_curve *)0)->member }
    CURVE_FIELD("name", name),   CURVE_FIELD("probe", probe), CURVE_FIELD("x", x_title),
    CURVE_FIELD("y", y_title),   CURVE_FIELD("clock", clock), CURVE_FIELD("compiler", compiler),
    CURVE_FIELD("flags", flags),
#undef CURVE_FIELD
};

#define CURVE_FIELDS (sizeof curve_field / sizeof curve_field[0])

void hw_curve_set(struct hw_curve *curve, enum hw_curve_field field, const char *text) {
  curve_copy((char *)curve + curve_field[field].offset, curve_field[field].size, text);
}

int hw_curve_write(const struct hw_curve *curve, FILE *out) {
  fprintf(out, "%s\n", curve_magic);
  for (size_t i = 0; i < CURVE_FIELDS; i++)
    fprintf(out, "# %s: %s\n", curve_field[i].key, (const char *)curve + curve_field[i].offset);
  fprintf(out, "# serial: %u\n# seed: %lu\n# points: %zu\n# x y spread count\n", curve->serial,
          curve->seed, curve->n);
  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    fprintf(out, "%.10g %.10g %.4g %lu\n", p->x, p->y, p->spread, p->count);
  }
  return ferror(out) ? -1 : 0;
}

/* Where the reader stands. */
struct curve_reader {
  struct hw_curve *curve;
  unsigned long points; /* as the header says */
  bool counted;         /* the header said it */
  bool serial;
  bool seed;
  bool text[CURVE_FIELDS];
};

/* Reads "KEY: VALUE" into an unsigned long.  True when the line has that key and a number. */
static bool curve_number(const char *line, const char *key, unsigned long *value) {
  size_t length = strlen(key);
  char *end;

  if (strncmp(line, key, length) != 0 || strncmp(line + length, ": ", 2) != 0)
    return false;
  line += length + 2;
  if (*line < '0' || *line > '9')
    return false;
  *value = strtoul(line, &end, 10);
  return *end == '\0';
}

/* Takes one line of the header, without its "# ".  NULL, or what is wrong. */
static const char *curve_header(struct curve_reader *reader, const char *line) {
  unsigned long number;

  if (strcmp(line, "x y spread count") == 0)
    return NULL;
  for (size_t i = 0; i < CURVE_FIELDS; i++) {
    size_t length = strlen(curve_field[i].key);
    if (strncmp(line, curve_field[i].key, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
      hw_curve_set(reader->curve, (enum hw_curve_field)i, line + length + 2);
      reader->text[i] = true;
      return NULL;
    }
  }
  if (curve_number(line, "serial", &number)) {
    reader->curve->serial = (unsigned)number;
    reader->serial = true;
  } else if (curve_number(line, "seed", &number)) {
    reader->curve->seed = number;
    reader->seed = true;
  } else if (curve_number(line, "points", &number)) {
    reader->points = number;
    reader->counted = true;
  } else {
    return "unknown header line";
  }
  return NULL;
}

/* Takes one line of data.  NULL, or what is wrong. */
static const char *curve_data(struct curve_reader *reader, const char *line) {
  struct hw_curve *curve = reader->curve;
  struct hw_point p;
  double *const number[3] = {&p.x, &p.y, &p.spread};
  const char *at = line;
  char *end;

  for (size_t i = 0; i < 3; i++) {
    *number[i] = strtod(at, &end);
    if (end == at || *end != ' ' || !isfinite(*number[i]))
      return "expected x y spread count";
    at = end + 1;
  }
  if (*at < '0' || *at > '9')
    return "count is no number";
  p.count = strtoul(at, &end, 10);
  if (*end != '\0')
    return "text after the count";
  if (p.spread < 0)
    return "negative spread";
  if (curve->n > 0 && p.x <= curve->point[curve->n - 1].x)
    return "x does not ascend";
  if (curve->n >= reader->points)
    return "more points than the header says";
  return hw_curve_put(curve, p) < 0 ? "out of memory" : NULL;
}

/* Whether all is there once the file has ended.  NULL, or what is wrong. */
static const char *curve_complete(const struct curve_reader *reader) {
  for (size_t i = 0; i < CURVE_FIELDS; i++)
    if (!reader->text[i])
      return "the header is not complete";
  if (!reader->counted || !reader->serial || !reader->seed)
    return "the header is not complete";
  if (reader->curve->n < reader->points)
    return "fewer points than the header says";
  return NULL;
}

/* Takes one line.  NULL, or what is wrong. */
static const char *curve_line(struct curve_reader *reader, unsigned long number, char *line) {
  size_t length = strlen(line);

  if (length == 0 || line[length - 1] != '\n')
    return "line is too long or has no end";
  line[length - 1] = '\0';
  if (number == 1)
    return strcmp(line, curve_magic) == 0 ? NULL : "not a curve";
  if (line[0] == '#')
    return line[1] == ' ' ? curve_header(reader, line + 2) : "unknown header line";
  return reader->counted ? curve_data(reader, line) : "data before the header's points";
}

int hw_curve_read(struct hw_curve *curve, const char *file, FILE *in, FILE *err) {
  struct curve_reader reader = {.curve = curve};
  char line[HW_CURVE_TEXT + 64];
  unsigned long number = 0;
  const char *wrong = NULL;

  memset(curve, 0, sizeof *curve);
  while (wrong == NULL && fgets(line, sizeof line, in) != NULL)
    wrong = curve_line(&reader, ++number, line);
  if (wrong == NULL && ferror(in))
    wrong = "cannot be read";
  else if (wrong == NULL)
    wrong = number == 0 ? "empty file" : curve_complete(&reader);
  if (wrong == NULL)
    return 0;
  fprintf(err, "%s:%lu: %s\n", file, number, wrong);
  hw_curve_free(curve);
  return -1;
}

const struct hw_curve *hw_curves_get(const struct hw_curves *curves, const char *name) {
  for (size_t i = 0; i < curves->n; i++)
    if (strcmp(curves->curve[i]->name, name) == 0)
      return curves->curve[i];
  return NULL;
}

int hw_curves_put(struct hw_curves *curves, const struct hw_curve *curve) {
  struct hw_curve *copy = malloc(sizeof *copy);
  struct hw_curve **grown;

  if (copy == NULL)
    return -1;
  *copy = *curve;
  for (size_t i = 0; i < curves->n; i++)
    if (strcmp(curves->curve[i]->name, curve->name) == 0) {
      hw_curve_free(curves->curve[i]);
      free(curves->curve[i]);
      curves->curve[i] = copy;
      return 0;
    }
  grown = realloc(curves->curve, (curves->n + 1) * sizeof *grown);
  if (grown == NULL) {
    free(copy);
    return -1;
  }
  curves->curve = grown;
  curves->curve[curves->n++] = copy;
  return 0;
}

void hw_curves_free(struct hw_curves *curves) {
  for (size_t i = 0; i < curves->n; i++) {
    hw_curve_free(curves->curve[i]);
    free(curves->curve[i]);
  }
  free(curves->curve);
  curves->curve = NULL;
  curves->n = 0;
}
