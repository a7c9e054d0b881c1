/* The words and numbers of a description file. */
#ifndef HW_WORDS_H
#define HW_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HW_WORDS_LINE 512u

/* A file that is read a line at a time, and where it stands. */
struct hw_words {
  const char *file; /* its name, for messages */
  FILE *in;
  FILE *err;
  unsigned long line;       /* number of the current one, from 1 */
  char text[HW_WORDS_LINE]; /* the current line, without its comment */
  char *next;               /* what is left of it */
};

/* What a number counts. */
enum hw_unit {
  HW_UNIT_COUNT, /* whole, no unit */
  HW_UNIT_BYTES, /* whole, with K, M, G for powers of 1024 */
  HW_UNIT_PLAIN, /* no unit: cycles, factors */
  HW_UNIT_TIME,  /* ps, ns, us, ms or s; becomes ns */
  HW_UNIT_SHARE  /* %; becomes a fraction */
};

/* Writes "FILE:LINE: reason" to err, reason as printf has it.  Returns -1. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
int hw_words_fail(const struct hw_words *words, unsigned long line, const char *format, ...);

/* Reads the next line.  1, 0 at the end of the file, or -1 after a message when it is no line of
   text or cannot be read. */
int hw_words_line(struct hw_words *words);

/* The next word of the line, or NULL at its end. */
char *hw_words_next(struct hw_words *words);

/* What is left of the line, without the white space around it. */
char *hw_words_rest(struct hw_words *words);

/* Reads a number, and its unit when that is a word of its own.  what: what it is, for messages.
   low, high: its range, in bytes, ns, fractions.  0, or -1 after a message. */
int hw_words_number(struct hw_words *words, const char *what, enum hw_unit unit, double low,
                    double high, double *value);

#endif
