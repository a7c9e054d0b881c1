/* Curves: what a probe measured.  Text files, one for each curve, that stay on disk and that
   gnuplot can read. */
#ifndef HW_CURVE_H
#define HW_CURVE_H

#include <stddef.h>
#include <stdio.h>

struct hw_point {
  double x;
  double y;
  double spread;       /* of the samples' low end, as a share of y */
  unsigned long count; /* samples behind y; 0: y is itself reduced from a curve */
};

#define HW_CURVE_NAME 48
#define HW_CURVE_TEXT 256

/* One curve.  x ascends strictly. */
struct hw_curve {
  char name[HW_CURVE_NAME];
  char probe[HW_CURVE_NAME];
  char x_title[HW_CURVE_TEXT]; /* what x is, unit in parentheses */
  char y_title[HW_CURVE_TEXT];
  char clock[HW_CURVE_TEXT]; /* name and step of the clock */
  char compiler[HW_CURVE_TEXT];
  char flags[HW_CURVE_TEXT];
  unsigned long seed;
  size_t n;
  size_t room;
  struct hw_point *point;
};

/* The text fields of a curve's header. */
enum hw_curve_field {
  HW_CURVE_FIELD_NAME,
  HW_CURVE_FIELD_PROBE,
  HW_CURVE_FIELD_X,
  HW_CURVE_FIELD_Y,
  HW_CURVE_FIELD_CLOCK,
  HW_CURVE_FIELD_COMPILER,
  HW_CURVE_FIELD_FLAGS
};

/* Makes an empty curve. */
void hw_curve_init(struct hw_curve *curve, const char *name, const char *x_title,
                   const char *y_title);
void hw_curve_free(struct hw_curve *curve);

/* Sets a text field; a text too long is cut, a line break becomes a space. */
void hw_curve_set(struct hw_curve *curve, enum hw_curve_field field, const char *text);

/* Inserts a point by x, in place of one with the same x.  0, or -1 without memory. */
int hw_curve_put(struct hw_curve *curve, struct hw_point point);

/* Counts that x was seen that many times more.  0, or -1 without memory. */
int hw_curve_count(struct hw_curve *curve, double x, double times);

/* The point of that x; NULL when the curve has none, or is NULL. */
struct hw_point *hw_curve_at(const struct hw_curve *curve, double x);

/* Adds an earlier measurement, or NULL: a point that both have counts the samples of both, y and
   spread being averages by their number, and one that only the earlier has is taken over.  0, or -1
   without memory. */
int hw_curve_join(struct hw_curve *curve, const struct hw_curve *earlier);

/* The points with low <= x <= high: a view of the curve, which owns them. */
struct hw_curve hw_curve_part(const struct hw_curve *curve, double low, double high);

/* Standard error of a point's y, in units of y; y itself when its samples are too few to tell. */
double hw_point_error(const struct hw_point *point);

/* y of the fastest samples behind a point: disturbances do not slow all samples. */
double hw_point_best(const struct hw_point *point);

/* What the undisturbed y is no less than, though the point scatters: the fastest samples may be
   disturbed too, by no more than they differ from the others; and 3 % for what disturbs all. */
double hw_point_least(const struct hw_point *point);

/* Writes the curve.  0, or -1 when the stream failed. */
int hw_curve_write(const struct hw_curve *curve, FILE *out);

/* Reads a curve that hw_curve_write wrote.  0, or -1 after one line "FILE:LINE: reason" to err
   when it is damaged; the curve is then empty. */
int hw_curve_read(struct hw_curve *curve, const char *file, FILE *in, FILE *err);

/* The curves at hand, by name. */
struct hw_trace;
struct hw_curves {
  size_t n;
  struct hw_curve **curve;
  struct hw_trace *trace; /* where what is read off them is noted, or NULL: see trace.h */
  void (*looked)(struct hw_trace *trace, const struct hw_curve *curve);
  const char *hidden; /* the name of a row that is unknown whatever the curves say, or NULL */
};

/* The curve of that name, or NULL. */
const struct hw_curve *hw_curves_get(const struct hw_curves *curves, const char *name);

/* Takes the curve's points over, in place of a curve of the same name.  0, or -1 without memory:
   the points are then still the caller's. */
int hw_curves_put(struct hw_curves *curves, const struct hw_curve *curve);

void hw_curves_free(struct hw_curves *curves);

/* Sorts n values, the least first. */
void hw_sort(double *value, size_t n);

#endif
