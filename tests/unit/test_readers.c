/* Rows and reductions on literal curves: what the tables of tests/unit/readers say.

   A line of a table, with those that begin with a space behind it:
     == TITLE               no curves from here on
     set NAME               what follows, up to the next == or set, is done by: use NAME WORD...
                            where $1, $2 ... are those words; from NAME WORD... has no other curves
     all spread=S count=N   of points that say nothing else, up to the end of the table
     CURVE: POINT...        a curve in place of one of that name
     CURVE + POINT...       points more, or in place of those of the same x
     CURVE - X...           fewer points
     CURVE * FACTOR [A..B]  y of the points from A to B times FACTOR
     CURVE ~ [spread=S] [count=N] [A..B]
     WHAT... = VALUE [low|high|error|clarity VALUE]... [holds A..B]
     WHAT... ~= VALUE ...   the same, of an answer that is not known
     WHAT... ? [REASON]     unknown; with ! settled, with ?? not settled
   and several of them with semicolons between.

   POINT is X:Y[:SPREAD[:COUNT]], or Y or Y*TIMES at the next X: 1, 2, 3 ... or those of step=S or
   sizes (@0, @1 ...), or LOW~HIGH*TIMES: between the two by equal ratios.  as=CURVE: those of
   another curve.  A number may have K, M or G behind it, or be A/B; @I is 1 KiB times 2^(I/4), and
   I_J the pair of processors I and J.  WHAT is a row without HW_, or NAME(CURVE or number,...), a
   function of tests/unit/readers.def.  VALUE is V, V+-ERROR, A..B, or * for any. */
#include "tests/unit/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 2000
#define WORDS 400
#define SETS 64

struct table {
  const char *name;
  char text[1 << 17];
  size_t used;
  char *line[LINES]; /* each with those that continue it */
  unsigned number[LINES];
  size_t lines;
  const char *set[SETS]; /* the line of each */
  size_t set_line[SETS], sets;
  double spread;
  unsigned long count;
  const char *title;
  unsigned at, wrong; /* the line that is done */
  struct hw_curves curves;
};

static void wrong(struct table *t, const char *what, const char *why) {
  print_message("%s:%u: %s: %s: %s\n", t->name, t->at, t->title, what, why);
  t->wrong++;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static double number(const char *text, char **end) {
  double value = text[0] == '@' ? 1024 * exp2(strtod(text + 1, end) / 4) : strtod(text, end);

  if (*end > text && (*end)[-1] == '.')
    --*end;
  if (**end == '_')
    value = value * HW_THINGS + strtod(*end + 1, end);
  while (**end != '\0' && strchr("KMG", **end) != NULL)
    value *= exp2(*(*end)++ == 'K' ? 10 : (*end)[-1] == 'M' ? 20 : 30);
  if (**end == '/')
    value /= number(*end + 1, end);
  return value;
}

/* The whole of the text, as a number. */
static double whole(const char *text) {
  char *end;
  double value = number(text, &end);

  if (end == text || *end != '\0')
    fail_msg("%s is no number", text);
  return value;
}

/* A..B; everything when there is no text. */
struct span {
  double low, high;
};

static struct span span_of(const char *text) {
  struct span span = {-INFINITY, INFINITY};
  char *end;

  if (text == NULL || strcmp(text, "*") == 0)
    return span;
  span.low = span.high = number(text, &end);
  if (strncmp(end, "..", 2) == 0) {
    span.high = whole(end + 2);
  } else {
    double error = strncmp(end, "+-", 2) == 0 ? whole(end + 2) : 1e-9 * fabs(span.low) + 1e-12;
    span.low -= error;
    span.high += error;
  }
  return span;
}

static bool spans(struct span span, double value) {
  return value >= span.low && value <= span.high;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static struct hw_curve *curve_named(struct table *t, const char *name) {
  struct hw_curve *curve = (struct hw_curve *)(uintptr_t)hw_curves_get(&t->curves, name);

  if (curve == NULL)
    fail_msg("%s:%u: there is no curve %s", t->name, t->at, name);
  return curve;
}

/* Where the next point of a curve lies that says only its y. */
struct places {
  double step; /* 0: sizes */
  double spread;
  unsigned long count;
};

/* What a word like step=3 sets; whether it is one. */
static bool option(const char *word, struct places *places) {
  const char *value = strchr(word, '=');

  if (strcmp(word, "sizes") == 0)
    places->step = 0;
  else if (strncmp(word, "step=", 5) == 0)
    places->step = whole(value + 1);
  else if (strncmp(word, "spread=", 7) == 0)
    places->spread = whole(value + 1);
  else if (strncmp(word, "count=", 6) == 0)
    places->count = (unsigned long)whole(value + 1);
  else
    return false;
  return true;
}

static double next_x(const struct hw_curve *curve, const struct places *places) {
  double n = (double)curve->n;

  return places->step > 0 ? places->step * (n + 1) : 1024 * exp2(n / 4);
}

/* What lies behind a curve's last point is none: who reads it is to come out wrong. */
static void spoil_room(struct hw_curve *curve) {
  for (size_t i = curve->n; i < curve->room; i++)
    curve->point[i] = (struct hw_point){1e15, -1e15, 1e3, 1};
}

/* Y, Y*TIMES or LOW~HIGH*TIMES. */
static void put_y(struct hw_curve *curve, const char *word, const struct places *places) {
  char *end;
  double y = number(word, &end), high = *end == '~' ? number(end + 1, &end) : 0;
  size_t n = *end == '*' ? (size_t)number(end + 1, &end) : 1;

  if (end == word || *end != '\0')
    fail_msg("%s: %s is no point", curve->name, word);
  for (size_t i = 1; i <= n; i++)
    put_point(curve, next_x(curve, places),
              high > 0 ? y * pow(high / y, (double)i / (double)(n + 1)) : y, places->spread,
              places->count);
}

static void put_word(struct table *t, struct hw_curve *curve, const char *word,
                     struct places *places) {
  char *end;
  struct hw_point point = {.spread = places->spread, .count = places->count};

  if (option(word, places))
    return;
  if (strncmp(word, "as=", 3) == 0) {
    const struct hw_curve *other = curve_named(t, word + 3);
    for (size_t i = 0; i < other->n; i++)
      assert_int_equal(hw_curve_put(curve, other->point[i]), 0);
    return;
  }
  point.x = number(word, &end);
  if (*end != ':') {
    put_y(curve, word, places);
    return;
  }
  point.y = number(end + 1, &end);
  if (*end == ':')
    point.spread = number(end + 1, &end);
  if (*end == ':')
    point.count = (unsigned long)number(end + 1, &end);
  if (*end != '\0')
    fail_msg("%s:%u: %s is no point", t->name, t->at, word);
  put_point(curve, point.x, point.y, point.spread, point.count);
}

static void put_words(struct table *t, struct hw_curve *curve, char *const *word, size_t n) {
  struct places places = {1, t->spread, t->count};

  for (size_t i = 0; i < n; i++)
    put_word(t, curve, word[i], &places);
}

static void new_curve(struct table *t, char *const *word, size_t n) {
  struct hw_curve curve;

  word[0][strlen(word[0]) - 1] = '\0';
  hw_curve_init(&curve, word[0], "x", "y");
  put_words(t, &curve, word + 1, n - 1);
  spoil_room(&curve);
  put_curve(&t->curves, curve);
}

static void drop_point(struct hw_curve *curve, double x) {
  struct hw_point *point = hw_curve_at(curve, x);

  assert_non_null(point);
  memmove(point, point + 1, (size_t)(curve->point + --curve->n - point) * sizeof *curve->point);
}

/* CURVE + - * or ~. */
static void change_curve(struct table *t, char *const *word, size_t n) {
  struct hw_curve *curve = curve_named(t, word[0]);
  struct places places = {1, -1, (unsigned long)-1};
  bool ranged = n > 3 || strstr(word[n - 1], "..") != NULL;
  struct span span = span_of(ranged && strchr(word[n - 1], '=') == NULL ? word[n - 1] : NULL);

  if (word[1][0] == '+')
    put_words(t, curve, word + 2, n - 2);
  for (size_t i = 2; i < n && word[1][0] == '-'; i++)
    drop_point(curve, whole(word[i]));
  for (size_t i = 2; i < n && word[1][0] == '~'; i++)
    option(word[i], &places);
  for (size_t i = 0; i < curve->n && strchr("*~", word[1][0]) != NULL; i++) {
    struct hw_point *point = &curve->point[i];
    if (!spans(span, point->x))
      continue;
    if (word[1][0] == '*')
      point->y *= whole(word[2]);
    if (places.spread >= 0)
      point->spread = places.spread;
    if (places.count != (unsigned long)-1)
      point->count = places.count;
  }
  spoil_room(curve);
}

/* ---- What they say --------------------------------------------------------------------------- */

/* The answer of a row, or of a function of curves and numbers. */
static struct hw_answer answer_of(struct table *t, char *what) {
  struct reader_call call = {.curves = &t->curves};
  char *arguments = strchr(what, '('), row[64], copy[256];

  if (arguments == NULL) {
    snprintf(row, sizeof row, "HW_%s", what);
    if (hw_param_find(row) == NULL)
      fail_msg("%s:%u: there is no row %s", t->name, t->at, row);
    return hw_param_find(row)->value(&t->curves);
  }
  snprintf(copy, sizeof copy, "%s", what);
  arguments = copy + (arguments - what);
  *arguments++ = '\0';
  for (char *word = strtok(arguments, ",)"); word != NULL; word = strtok(NULL, ",)")) {
    bool name = hw_curves_get(&t->curves, word) != NULL;
    assert_true(name ? call.n < READER_MOST : call.numbers < READER_MOST);
    if (name)
      call.curve[call.n++] = hw_curves_get(&t->curves, word);
    else
      call.number[call.numbers++] = whole(word);
  }
  for (const struct reader *reader = readers; reader->name != NULL; reader++)
    if (strcmp(reader->name, copy) == 0)
      return reader->call(&call);
  fail_msg("%s:%u: there is no function %s", t->name, t->at, copy);
  return hw_unknown("none", "never");
}

static bool same(struct hw_answer answer, const char *field, const char *value) {
  struct span span = span_of(value);

  if (strcmp(field, "holds") == 0)
    return answer.low > 0 && answer.low <= span.low && answer.high >= span.high &&
           answer.high <= HW_RANGE_WIDEST * 1.0001 * answer.low;
  return spans(span, strcmp(field, "low") == 0       ? answer.low
                     : strcmp(field, "high") == 0    ? answer.high
                     : strcmp(field, "error") == 0   ? answer.error
                     : strcmp(field, "clarity") == 0 ? answer.clarity
                                                     : answer.value);
}

/* Known, or with ~= not, and as the words say. */
static void check_known(struct table *t, const char *what, struct hw_answer answer,
                        char *const *word, size_t n) {
  char text[128];

  snprintf(text, sizeof text, "%s%.10g (%.10g to %.10g) +- %.6g, clear by %.3g",
           answer.known ? "" : "unknown: ", answer.value, answer.low, answer.high, answer.error,
           answer.clarity);
  if (answer.known != (word[0][0] == '='))
    wrong(t, what, answer.known ? "it is known" : answer.why);
  else if (answer.method == NULL || (answer.why != NULL) == answer.known)
    wrong(t, what, "an answer has a method, and either a value or a reason");
  for (size_t i = 0; i + 1 < n; i += 2)
    if (!same(answer, word[i], word[i + 1]))
      wrong(t, what, text);
}

static void check_reason(struct table *t, const char *what, struct hw_answer answer,
                         const char *verb, char *const *word, size_t n) {
  char reason[256] = "";

  for (size_t i = 0; i < n; i++)
    snprintf(reason + strlen(reason), sizeof reason - strlen(reason), "%s%s", i > 0 ? " " : "",
             word[i]);
  if (answer.known)
    wrong(t, what, "it is known");
  else if (answer.why == NULL || answer.method == NULL ||
           (n > 0 && strcmp(answer.why, reason) != 0))
    wrong(t, what, answer.why == NULL ? "no reason" : answer.why);
  else if (strcmp(verb, "?") != 0 && answer.settled != (verb[0] == '!'))
    wrong(t, what, answer.settled ? "it is settled" : "it is not settled");
}

/* WHAT... VERB ... */
static void check(struct table *t, char **word, size_t n) {
  size_t verb = 0;

  while (verb < n && strcmp(word[verb], "=") != 0 && strcmp(word[verb], "?") != 0 &&
         strcmp(word[verb], "~=") != 0 && strcmp(word[verb], "??") != 0 &&
         strcmp(word[verb], "!") != 0)
    verb++;
  if (verb == 0 || verb == n)
    fail_msg("%s:%u: %s: nothing is said", t->name, t->at, word[0]);
  for (size_t i = 0; i < verb; i++) {
    struct hw_answer answer = answer_of(t, word[i]);
    if (strchr(word[verb], '=') != NULL)
      check_known(t, word[i], answer, word + verb, n - verb);
    else
      check_reason(t, word[i], answer, word[verb], word + verb + 1, n - verb - 1);
  }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void forget(struct table *t) {
  hw_curves_free(&t->curves);
  t->curves = (struct hw_curves){0};
}

static void do_line(struct table *t, size_t i, char *const *argument, size_t arguments);

static void use(struct table *t, char *const *word, size_t n) {
  for (size_t s = 0; s < t->sets; s++)
    if (strcmp(t->set[s], word[1]) == 0) {
      for (size_t i = t->set_line[s] + 1;
           i < t->lines && strncmp(t->line[i], "set ", 4) != 0 && strncmp(t->line[i], "==", 2) != 0;
           i++)
        do_line(t, i, word + 2, n - 2);
      return;
    }
  fail_msg("%s:%u: there is no set %s", t->name, t->at, word[1]);
}

static void do_statement(struct table *t, char *text) {
  char *word[WORDS], *rest;
  size_t n = 0;

  for (char *w = strtok_r(text, " \n", &rest); w != NULL; w = strtok_r(NULL, " \n", &rest)) {
    assert_true(n < WORDS);
    word[n++] = w;
  }
  if (n == 0)
    return;
  if (strcmp(word[0], "use") == 0 || strcmp(word[0], "from") == 0) {
    if (word[0][0] == 'f')
      forget(t);
    use(t, word, n);
  } else if (strcmp(word[0], "all") == 0) {
    struct places places = {1, t->spread, t->count};
    for (size_t i = 1; i < n; i++)
      assert_true(option(word[i], &places));
    t->spread = places.spread;
    t->count = places.count;
  } else if (word[0][strlen(word[0]) - 1] == ':') {
    new_curve(t, word, n);
  } else if (n > 2 && word[1][1] == '\0' && strchr("+-*~", word[1][0]) != NULL) {
    change_curve(t, word, n);
  } else {
    check(t, word, n);
  }
}

/* A line with the arguments in place of $1, $2 ... */
static void do_line(struct table *t, size_t i, char *const *argument, size_t arguments) {
  char text[8192], *rest;
  unsigned at = t->at;
  size_t n = 0;

  for (const char *from = t->line[i]; *from != '\0'; from++) {
    size_t k = from[0] == '$' ? (size_t)(*++from - '1') : WORDS;
    assert_true(n + 64 < sizeof text && (k == WORDS || k < arguments));
    if (k < arguments)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s", argument[k]);
    else
      text[n++] = *from;
  }
  text[n] = '\0';
  if (arguments == 0)
    t->at = t->number[i];
  for (char *s = strtok_r(text, ";", &rest); s != NULL; s = strtok_r(NULL, ";", &rest))
    do_statement(t, s);
  t->at = at;
}

/* Takes one line of the file: a new one, or one that continues the last. */
static void take_line(struct table *t, char *text) {
  char *comment = text[0] == '#' ? text : strstr(text, " #");

  if (comment != NULL)
    *comment = '\0';
  text[strcspn(text, "\n")] = '\0';
  if (text[0] == '\0')
    return;
  assert_true(t->used + strlen(text) + 1 < sizeof t->text && t->lines < LINES);
  if (text[0] == ' ' && t->lines > 0) {
    t->text[t->used - 1] = ' ';
  } else {
    t->number[t->lines] = t->at;
    t->line[t->lines++] = t->text + t->used;
  }
  strcpy(t->text + t->used, text);
  t->used += strlen(text) + 1;
}

static void load(struct table *t, const char *name) {
  const char *top = getenv("srcdir");
  char text[1024];
  FILE *in;

  snprintf(text, sizeof text, "%s/tests/unit/readers/%s", top == NULL ? "." : top, name);
  in = fopen(text, "r");
  if (in == NULL)
    fail_msg("%s cannot be read", text);
  t->name = name;
  while (fgets(text, sizeof text, in) != NULL) {
    t->at++;
    take_line(t, text);
  }
  fclose(in);
}

/* Does all lines of a table. */
static void test_table(const char *name) {
  static struct table t;
  bool set = false;

  memset(&t, 0, sizeof t);
  load(&t, name);
  for (size_t i = 0; i < t.lines; i++) {
    t.at = t.number[i];
    if (strncmp(t.line[i], "set ", 4) == 0) {
      assert_true(t.sets < SETS);
      t.set_line[t.sets] = i;
      t.set[t.sets++] = t.line[i] + 4;
      set = true;
    } else if (strncmp(t.line[i], "== ", 3) == 0) {
      t.title = t.line[i] + 3;
      forget(&t);
      set = false;
    } else if (!set) {
      do_line(&t, i, NULL, 0);
    }
  }
  forget(&t);
  if (t.wrong > 0)
    fail_msg("%s: %u wrong", name, t.wrong);
}

#define TABLE(name)                                                                                \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    test_table(#name);                                                                             \
  }
#define TABLES(each)                                                                               \
  each(colours) each(icache) each(levels) each(nano) each(reduce) each(system) each(tlbs)          \
      each(traffic) each(values)
TABLES(TABLE)

int main(void) {
#define TEST(name) cmocka_unit_test(test_##name),
  const struct CMUnitTest tests[] = {TABLES(TEST)};

  return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
