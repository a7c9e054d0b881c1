/* Curves: points in order, and their text form. */
#include "analysis/curve.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The first line of every curve: name and version of the format. */
static const char curve_magic[] = "# hwconfig curve 1";

/* The last line of every header, without its "# ". */
static const char curve_columns[] = "x y spread count";

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

int hw_curve_count(struct hw_curve *curve, double x, double times) {
  const struct hw_point *earlier = hw_curve_at(curve, x);
  double y = times + (earlier != NULL ? earlier->y : 0);

  return hw_curve_put(curve, (struct hw_point){.x = x, .y = y, .count = (unsigned long)y});
}

struct hw_point *hw_curve_at(const struct hw_curve *curve, double x) {
  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    if (curve->point[i].x >= x && curve->point[i].x <= x)
      return &curve->point[i];
  return NULL;
}

int hw_curve_join(struct hw_curve *curve, const struct hw_curve *earlier) {
  for (size_t i = 0; earlier != NULL && i < earlier->n; i++) {
    struct hw_point p = earlier->point[i];
    const struct hw_point *now = hw_curve_at(curve, p.x);
    if (now != NULL && p.count + now->count > 0) {
      double part = (double)now->count / (double)(p.count + now->count);
      p.y += (now->y - p.y) * part;
      p.spread += (now->spread - p.spread) * part;
      p.count += now->count;
    }
    if (hw_curve_put(curve, p) < 0)
      return -1;
  }
  return 0;
}

struct hw_curve hw_curve_part(const struct hw_curve *curve, double low, double high) {
  struct hw_curve part = *curve;

  for (; part.n > 0 && part.point->x < low; part.n--)
    part.point++;
  while (part.n > 0 && part.point[part.n - 1].x > high)
    part.n--;
  return part;
}

/* The lower quartile of n normal samples has an error of 1.4 s / sqrt n, s being its distance to
   the lowest twentieth.  For few samples that distance is too short by 3 / n, and fewer than four
   do not show it. */
#define CURVE_ERROR 1.4
#define CURVE_ERROR_FEW 3.0
#define CURVE_SAMPLES 4u
/* The share by which the fastest samples may be above what is undisturbed. */
#define CURVE_LEAST 0.03

double hw_point_error(const struct hw_point *point) {
  double n = (double)point->count;

  if (point->count == 0)
    return 0;
  if (point->count < CURVE_SAMPLES)
    return fabs(point->y);
  return CURVE_ERROR * (1 + CURVE_ERROR_FEW / n) * point->spread * fabs(point->y) / sqrt(n);
}

double hw_point_best(const struct hw_point *point) { return point->y * (1 - point->spread); }

double hw_point_least(const struct hw_point *point) {
  return (1 - CURVE_LEAST) * point->y * (1 - 2 * point->spread);
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

/* The digits that tell a number from adjacent ones: two points whose x were written alike could not
   be read again. */
static int curve_digits(double x) {
  char text[64];

  snprintf(text, sizeof text, "%.15g", x);
  return strtod(text, NULL) < x || strtod(text, NULL) > x ? 17 : 15;
}

int hw_curve_write(const struct hw_curve *curve, FILE *out) {
  fprintf(out, "%s\n", curve_magic);
  for (size_t i = 0; i < CURVE_FIELDS; i++)
    fprintf(out, "# %s: %s\n", curve_field[i].key, (const char *)curve + curve_field[i].offset);
  fprintf(out, "# seed: %lu\n# points: %zu\n# %s\n", curve->seed, curve->n, curve_columns);
  for (size_t i = 0; i < curve->n; i++) {
    const struct hw_point *p = &curve->point[i];
    fprintf(out, "%.*g %.10g %.4g %lu\n", curve_digits(p->x), p->x, p->y, p->spread, p->count);
  }
  return ferror(out) ? -1 : 0;
}

/* The state of the reader. */
struct curve_reader {
  struct hw_curve *curve;
  unsigned long points; /* as the header says */
  bool counted;         /* the header said it */
  bool seed;
  bool text[CURVE_FIELDS];
  bool ended; /* the header, by the line with the columns */
};

/* Reads a whole number of digits alone.  What follows it, or NULL when there is none or it is too
   large. */
static const char *curve_whole(const char *text, unsigned long *value) {
  char *end;

  if (*text < '0' || *text > '9')
    return NULL;
  errno = 0;
  *value = strtoul(text, &end, 10);
  return errno == 0 ? end : NULL;
}

/* The greatest number that is read: one near the end of the range of double could not be written
   again with fewer digits. */
#define CURVE_MOST 1e300

/* Reads a decimal number with a space behind it.  What follows the space, or NULL.  strtod takes
   more: leading spaces, hexadecimal digits, words. */
static const char *curve_decimal(const char *text, double *value) {
  size_t length = strspn(text, "+-.0123456789e");
  char *end;

  *value = strtod(text, &end);
  return end > text && end == text + length && *end == ' ' && fabs(*value) <= CURVE_MOST ? end + 1
                                                                                         : NULL;
}

/* The text behind "KEY: " when the line has that key, else NULL. */
static const char *curve_value(const char *line, const char *key) {
  size_t length = strlen(key);

  return strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0 ? line + length + 2
                                                                                 : NULL;
}

/* Takes "KEY: NUMBER" into an unsigned long, once.  True when the line has that key; what is wrong
   in *wrong. */
static bool curve_number(const char *line, const char *key, unsigned long *value, bool *seen,
                         const char **wrong) {
  const char *text = curve_value(line, key);
  const char *end;

  if (text == NULL)
    return false;
  end = curve_whole(text, value);
  *wrong = end == NULL || *end != '\0' ? "a number is expected"
           : *seen                     ? "header line is given twice"
                                       : NULL;
  *seen = true;
  return true;
}

/* Whether the header is whole, at its end.  NULL, or what is wrong. */
static const char *curve_header_end(const struct curve_reader *reader) {
  for (size_t i = 0; i < CURVE_FIELDS; i++)
    if (!reader->text[i])
      return "the header is not complete";
  return reader->counted && reader->seed ? NULL : "the header is not complete";
}

/* Takes one line of the header, without its "# ".  NULL, or what is wrong.  A key that it does not
   know, of another version, is left out. */
static const char *curve_header(struct curve_reader *reader, const char *line) {
  const char *wrong = NULL;

  if (reader->ended)
    return "header line after the header";
  if (strcmp(line, curve_columns) == 0) {
    reader->ended = true;
    return curve_header_end(reader);
  }
  for (size_t i = 0; i < CURVE_FIELDS; i++) {
    const char *text = curve_value(line, curve_field[i].key);
    if (text != NULL) {
      wrong = reader->text[i] ? "header line is given twice" : NULL;
      hw_curve_set(reader->curve, (enum hw_curve_field)i, text);
      reader->text[i] = true;
      return wrong;
    }
  }
  if (!curve_number(line, "seed", &reader->curve->seed, &reader->seed, &wrong) &&
      !curve_number(line, "points", &reader->points, &reader->counted, &wrong) &&
      strstr(line, ": ") == NULL)
    wrong = "unknown header line";
  return wrong;
}

/* Takes one line of data.  NULL, or what is wrong. */
static const char *curve_data(struct curve_reader *reader, const char *line) {
  struct hw_curve *curve = reader->curve;
  struct hw_point p;
  double *const number[3] = {&p.x, &p.y, &p.spread};

  for (size_t i = 0; i < 3; i++) {
    line = curve_decimal(line, number[i]);
    if (line == NULL)
      return "expected x y spread count";
  }
  line = curve_whole(line, &p.count);
  if (line == NULL)
    return "count is no number";
  if (*line != '\0')
    return "text after the count";
  if (p.spread < 0)
    return "negative spread";
  if (curve->n > 0 && p.x <= curve->point[curve->n - 1].x)
    return "x does not ascend";
  if (curve->n >= reader->points)
    return "more points than the header says";
  return hw_curve_put(curve, p) < 0 ? "out of memory" : NULL;
}

/* Whether the file was complete at its end.  NULL, or what is wrong. */
static const char *curve_complete(const struct curve_reader *reader) {
  if (!reader->ended)
    return "the header is not complete";
  return reader->curve->n < reader->points ? "fewer points than the header says" : NULL;
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
  return reader->ended ? curve_data(reader, line) : "data before the header's end";
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
    if (strcmp(curves->curve[i]->name, name) == 0) {
      if (curves->looked != NULL)
        curves->looked(curves->trace, curves->curve[i]);
      return curves->curve[i];
    }
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

static int curve_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

void hw_sort(double *value, size_t n) { qsort(value, n, sizeof *value, curve_order); }
