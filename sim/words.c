#include "sim/words.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* More digits than these would not be exact in a double. */
#define WORDS_DIGITS 15

int hw_words_fail(const struct hw_words *words, unsigned long line, const char *format, ...) {
  va_list arguments;

  fprintf(words->err, "%s:%lu: ", words->file, line);
  va_start(arguments, format);
  vfprintf(words->err, format, arguments);
  va_end(arguments);
  fputc('\n', words->err);
  return -1;
}

static bool words_is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool words_is_digit(char c) { return c >= '0' && c <= '9'; }

int hw_words_line(struct hw_words *words) {
  size_t n = 0;
  bool comment = false;
  int c = getc(words->in);

  if (c == EOF && !ferror(words->in))
    return 0;
  words->line++;
  for (; c != EOF && c != '\n'; c = getc(words->in)) {
    /* Other than white space, only what can be shown in a message. */
    if (!words_is_space((char)c) && (c < ' ' || c == 127))
      return hw_words_fail(words, words->line, "not a text file (byte %d)", c);
    comment = comment || c == '#';
    if (comment)
      continue;
    if (c > 127)
      return hw_words_fail(words, words->line, "not ASCII (byte %d)", c);
    if (n == sizeof words->text - 1)
      return hw_words_fail(words, words->line, "line too long");
    words->text[n++] = (char)c;
  }
  if (ferror(words->in))
    return hw_words_fail(words, words->line, "cannot be read: %s", strerror(errno));
  words->text[n] = '\0';
  words->next = words->text;
  return 1;
}

char *hw_words_next(struct hw_words *words) {
  char *word = words->next;
  char *end;

  while (words_is_space(*word))
    word++;
  if (*word == '\0')
    return NULL;
  for (end = word; *end != '\0' && !words_is_space(*end); end++)
    continue;
  words->next = *end == '\0' ? end : end + 1;
  *end = '\0';
  return word;
}

char *hw_words_rest(struct hw_words *words) {
  char *rest = words->next;
  char *end = rest + strlen(rest);

  while (words_is_space(*rest))
    rest++;
  while (end > rest && words_is_space(end[-1]))
    end--;
  *end = '\0';
  words->next = end;
  return rest;
}

/* Reads digits[.digits] and sets *rest behind it.  Not strtod: that takes the locale's comma, hex
   numbers and infinity. */
static bool words_decimal(const char *word, double *value, const char **rest) {
  double scale = 1;
  double digits = 0;
  unsigned n = 0;
  bool point = false;

  for (; words_is_digit(*word) || (*word == '.' && !point && n > 0); word++) {
    if (*word == '.') {
      point = true;
      if (!words_is_digit(word[1]))
        return false;
      continue;
    }
    if (++n > WORDS_DIGITS)
      return false;
    digits = digits * 10 + (*word - '0');
    if (point)
      scale *= 10;
  }
  *value = digits / scale;
  *rest = word;
  return n > 0;
}

struct words_suffix {
  enum hw_unit unit;
  const char *name;
  double factor;
  double divisor;
};

static const struct words_suffix words_suffixes[] = {
    {HW_UNIT_COUNT, "", 1, 1},          {HW_UNIT_PLAIN, "", 1, 1},
    {HW_UNIT_BYTES, "", 1, 1},          {HW_UNIT_BYTES, "K", 1024, 1},
    {HW_UNIT_BYTES, "M", 1048576, 1},   {HW_UNIT_BYTES, "G", 1073741824, 1},
    {HW_UNIT_TIME, "ps", 1, 1000},      {HW_UNIT_TIME, "ns", 1, 1},
    {HW_UNIT_TIME, "us", 1000, 1},      {HW_UNIT_TIME, "ms", 1000000, 1},
    {HW_UNIT_TIME, "s", 1000000000, 1}, {HW_UNIT_SHARE, "%", 1, 100},
};

static const struct words_suffix *words_suffix(enum hw_unit unit, const char *name) {
  for (size_t i = 0; i < sizeof words_suffixes / sizeof words_suffixes[0]; i++)
    if (words_suffixes[i].unit == unit && strcmp(words_suffixes[i].name, name) == 0)
      return &words_suffixes[i];
  return NULL;
}

static const char *const words_wanted[] = {
    [HW_UNIT_COUNT] = "a whole number",
    [HW_UNIT_BYTES] = "a whole number, with K, M or G if need be",
    [HW_UNIT_PLAIN] = "a number",
    [HW_UNIT_TIME] = "a number of ps, ns, us, ms or s",
    [HW_UNIT_SHARE] = "a number of %",
};

int hw_words_number(struct hw_words *words, const char *what, enum hw_unit unit, double low,
                    double high, double *value) {
  const char *word = hw_words_next(words);
  const char *rest = NULL;
  const char *name;
  const struct words_suffix *suffix = NULL;

  if (word == NULL)
    return hw_words_fail(words, words->line, "%s: a number is missing", what);
  if (words_decimal(word, value, &rest)) {
    bool apart = *rest == '\0' && (unit == HW_UNIT_TIME || unit == HW_UNIT_SHARE);

    name = apart ? hw_words_next(words) : rest;
    suffix = words_suffix(unit, name == NULL ? "" : name);
  }
  if (suffix != NULL && (unit == HW_UNIT_COUNT || unit == HW_UNIT_BYTES) &&
      memchr(word, '.', strlen(word)) != NULL)
    suffix = NULL;
  if (suffix == NULL)
    return hw_words_fail(words, words->line, "%s: '%s' is not %s", what, word, words_wanted[unit]);
  *value = *value * suffix->factor / suffix->divisor;
  if (!(*value >= low && *value <= high))
    return hw_words_fail(words, words->line, "%s: '%s' is out of range", what, word);
  return 0;
}
