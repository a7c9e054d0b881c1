/* errors [DECISIONS]: how often each kind of decision is wrong, on samples whose truth is known.

   Prints a table in Markdown, a row for each kind, truth and condition: of so many decisions how
   many were wrong, how many unknown, and the share that may be wrong, where that is bounded.  Exit
   status 1 where more were wrong than that.

   The fit test counts beside any other thread.  The others rest on samples of a core that is left
   alone, which the sampler sees to: the rows beside another thread have it hidden from that, and
   no bound. */
#include "analysis/reduce.h"
#include "analysis/samples.h"
#include "analysis/values.h"
#include "tests/unit/rounds.h"
#include "tests/unit/stub.h"

#include <limits.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define DECISIONS 100000ul
/* Samples of a point, points of a curve, and cycles of a load. */
#define SAMPLES 20
#define POINTS 24
#define LOW 5.0
/* The share of wrong answers that is accepted: of the fit test, and of what has to be clear by
   HW_CLEAR standard errors. */
#define FIT 1e-6
#define CLEAR 1e-4
/* Wrong answers that chance may bring beyond a bound that holds: standard errors. */
#define CHANCE 4.0

enum outcome { RIGHT, UNKNOWN, WRONG };

/* What else runs. */
struct condition {
  const char *text;
  double there;  /* share of the time that another thread is there, */
  double stay;   /* samples for which it stays */
  double longer; /* by which share at most it makes a sample longer */
  double spoils; /* and, where nobody is there, this share of samples */
};

static const struct condition conditions[] = {{"alone", 0, 1, 1, 0.02},
                                              {"half of the time in bursts", 0.5, 8, 1, 0.1},
                                              {"three quarters of it", 0.75, 30, 2, 0.1}};

/* Who draws the samples of one decision. */
struct draw {
  struct hw_random random;
  const struct condition *condition;
  bool busy;
};

static double draw_unit(struct draw *draw) { return hw_random_unit(&draw->random); }

/* A sample that takes so long alone: noise only adds time. */
static double draw_sample(struct draw *draw, double y) {
  const struct condition *c = draw->condition;
  const double leaves = 1 / c->stay, comes = leaves * c->there / (1 - c->there);
  const bool spoiled = draw_unit(draw) < c->spoils;

  if (draw_unit(draw) < (draw->busy ? leaves : fmin(comes, 1)))
    draw->busy = !draw->busy;
  y *= 1 + 0.004 * fabs(hw_pace_normal(&draw->random));
  return draw->busy || spoiled ? y * (1 + c->longer * draw_unit(draw)) : y;
}

/* A point of the curve, as a probe takes it. */
static void draw_point(struct draw *draw, struct hw_curve *curve, double x, double y) {
  double sample[SAMPLES];
  struct hw_point point;

  for (size_t i = 0; i < SAMPLES; i++)
    sample[i] = draw_sample(draw, y);
  point = hw_low_end(sample, SAMPLES);
  point.x = x;
  if (hw_curve_put(curve, point) != 0)
    abort();
}

static enum outcome outcome_of(struct hw_answer answer, bool there, double truth) {
  if (!answer.known)
    return UNKNOWN;
  return there && fabs(answer.value - truth) < 0.5 ? RIGHT : WRONG;
}

/* ---- Whether something fits ---- */

static enum outcome fit(struct draw *draw, bool fits) {
  struct sim sim = {.random = draw->random,
                    .there = draw->condition->there,
                    .stay = draw->condition->stay,
                    .spoils = 0.35,
                    .fits = fits};
  const enum hw_fit_verdict verdict = sim_decide(&sim, HW_FIT_SURE);

  draw->random = sim.random;
  if (verdict != HW_FIT_YES && verdict != HW_FIT_NO)
    return UNKNOWN;
  return (verdict == HW_FIT_YES) == fits ? RIGHT : WRONG;
}

/* ---- Whether and where a curve steps ---- */

/* What the misses of a level add at least, of LOW; the points before the step. */
#define STEP 0.25
#define BEFORE 12

static struct hw_answer middle(const struct hw_curve *curve) {
  return hw_reduce_middle(curve, STEP * LOW / 2);
}

static enum outcome step(struct draw *draw, double height,
                         struct hw_answer (*reduce)(const struct hw_curve *curve)) {
  struct hw_curve curve;
  struct hw_answer answer;

  hw_curve_init(&curve, "step", "x", "y");
  for (size_t i = 1; i <= POINTS; i++)
    draw_point(draw, &curve, (double)i, i > BEFORE ? LOW * (1 + height) : LOW);
  answer = reduce(&curve);
  hw_curve_free(&curve);
  return outcome_of(answer, height > 0, BEFORE);
}

static enum outcome step_middle(struct draw *draw, bool there) {
  return step(draw, there ? STEP : 0, middle);
}

/* ---- A level: cycles as a whole number ---- */

static enum outcome level(struct draw *draw, bool slope) {
  struct hw_curve curve;
  struct hw_answer answer;

  hw_curve_init(&curve, "level", "x", "y");
  for (size_t i = 1; i <= 6; i++)
    draw_point(draw, &curve, (double)i, slope ? 40 + LOW * (double)i : LOW);
  answer = slope ? hw_reduce_slope(&curve) : hw_reduce_level(&curve);
  hw_curve_free(&curve);
  return outcome_of(answer, true, LOW);
}

/* ---- The range of a time that scatters too much to be known alone ---- */

/* Whether a range, published no narrower than 3 %, holds the truth. */
static enum outcome range_of(struct hw_answer known, struct hw_answer range, double truth) {
  const double most = HW_CYCLES_ERROR * range.value;

  if (known.known || !range.known)
    return UNKNOWN;
  return fmin(range.low, range.value - most) <= truth &&
                 truth <= fmax(range.high, range.value + most)
             ? RIGHT
             : WRONG;
}

static enum outcome range_level(struct draw *draw, bool difference) {
  struct hw_curve hits, misses;
  struct hw_answer range, known;

  hw_curve_init(&hits, "hits", "x", "y");
  hw_curve_init(&misses, "misses", "x", "y");
  for (size_t i = 1; i <= 6; i++) {
    draw_point(draw, &hits, (double)i, LOW);
    draw_point(draw, &misses, (double)i, 3 * LOW);
  }
  range = hw_reduce_level_range(&hits);
  known = hw_reduce_level(&hits);
  if (difference) {
    known = known.known ? hw_reduce_level(&misses) : known;
    range = hw_difference(hw_reduce_level_range(&misses), range);
  }
  hw_curve_free(&hits);
  hw_curve_free(&misses);
  return range_of(known, range, difference ? 2 * LOW : LOW);
}

/* Of independent streams of which LOW take no longer than one. */
static enum outcome range_streams(struct draw *draw, bool throughput) {
  struct hw_curve curve;
  enum outcome outcome;

  hw_curve_init(&curve, "streams", "x", "y");
  for (size_t i = 1; i <= 9; i++)
    draw_point(draw, &curve, (double)i, fmax(LOW, (double)i));
  outcome = throughput
                ? range_of(hw_reduce_throughput(&curve), hw_reduce_throughput_range(&curve), 1)
                : range_of(hw_reduce_chain(&curve), hw_reduce_chain_range(&curve), LOW);
  hw_curve_free(&curve);
  return outcome;
}

/* ---- Two passes that agree ---- */

/* The other thread comes and goes for as long as several passes take, and takes a share of the
   core. told: independent additions tell that it is there. */
static enum outcome agreement(struct draw *draw, bool told) {
  static const double x[] = {LOW};
  struct stub stub;
  struct hw_bench bench = stub_ready(&stub);
  const struct hw_task task = {
      .work = stub_work, .context = &stub, .issue.y = told ? 0.25 : 0, .issue.spread = 0.01};
  struct hw_curve curve;
  enum outcome outcome = UNKNOWN;

  stub.random = draw->random;
  stub.jitter = 0.002;
  stub.period = draw->condition->there * 4e7 * (0.5 + draw_unit(draw));
  stub.rest = (1 - draw->condition->there) * 4e7 * (0.5 + draw_unit(draw));
  stub.now = 1e8 * draw_unit(draw);
  stub.share = 1.2;
  stub.scatter = 0.5;
  stub.everywhere = true;
  hw_curve_init(&curve, "agreement", "x", "y");
  if (hw_sample_apart(&bench, &task, x, 1, &curve) == 0 && curve.n == 1 && curve.point[0].count > 1)
    outcome = fabs(curve.point[0].y - LOW) <= HW_CYCLES_ERROR * LOW ? RIGHT : WRONG;
  hw_curve_free(&curve);
  draw->random = stub.random;
  return outcome;
}

/* ---- The table ---- */

static const struct kind {
  const char *kind;
  const char *truth[2]; /* of false and true */
  enum outcome (*decide)(struct draw *draw, bool truth);
  double bound;  /* share of wrong answers at most, alone */
  double beside; /* and beside another thread; 1: any */
} kinds[] = {
    {"fit test", {"does not fit", "fits"}, fit, FIT, FIT},
    {"middle of a rise", {"no step", "step of 25 %"}, step_middle, CLEAR, 1},
    {"level", {"of points", "of a slope"}, level, CLEAR, 1},
    {"range", {"of a level", "of a difference"}, range_level, CLEAR, 1},
    {"range", {"of a chain", "of a throughput"}, range_streams, CLEAR, 1},
    {"two passes agree", {"nothing tells", "additions tell"}, agreement, CLEAR, 1},
};

static bool row(const struct kind *kind, bool truth, const struct condition *condition,
                unsigned long n) {
  struct draw draw = {.random = {7}, .condition = condition};
  unsigned long tally[3] = {0, 0, 0};
  const double bound = condition->there > 0 ? kind->beside : kind->bound;
  const double expected = bound * (double)n;

  for (unsigned long i = 0; i < n; i++)
    tally[kind->decide(&draw, truth)]++;
  printf("| %s | %s | %s | %lu | %lu | %.3g |", kind->kind, kind->truth[truth], condition->text, n,
         tally[WRONG], 100 * (double)tally[UNKNOWN] / (double)n);
  printf(bound < 1 ? " %.0e |\n" : " none |\n", bound);
  fflush(stdout);
  return (double)tally[WRONG] <= expected + CHANCE * sqrt(expected);
}

int main(int argc, char **argv) {
  char *end = NULL;
  const unsigned long n = argc > 1 ? strtoul(argv[1], &end, 10) : DECISIONS;
  bool good = true;

  if (argc > 2 || n == 0 || n == ULONG_MAX || (end != NULL && *end != '\0')) {
    fputs("usage: errors [DECISIONS]\n", stderr);
    return 2;
  }
  puts("| decision | truth | another thread | decisions | wrong | unknown, % | bound |");
  puts("|---|---|---|---|---|---|---|");
  for (size_t k = 0; k < COUNT(kinds); k++)
    for (int truth = 0; truth < 2; truth++)
      for (size_t c = 0; c < COUNT(conditions); c++)
        good &= row(&kinds[k], truth, &conditions[c], n);
  return good ? 0 : 1;
}
