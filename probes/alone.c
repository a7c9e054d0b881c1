/* The core to oneself.

   Another thread on the same core is charged to nobody, and hardly seen by what waits, the cycle
   first of all.  It shows in what an addition costs that waits for no other: that is looked at
   before and after what must have the core to itself.  Such a neighbour comes and goes within
   milliseconds, so it is waited for.  One that stays, from the first probe on, is not seen. */
#include "probes/alone.h"

#include "probes/sampler.h"

#include <math.h>
#include <stdlib.h>

/* Another thread lengthens what keeps the core busy by the share that it takes of the core.  The
   core is left alone where an addition that waits for no other takes as long as with the core to
   oneself, give or take so many times the scatter that it has then: this share at least, since the
   clock tells the additions, their cycle and what they are compared with to 1 % each; and that at
   most, since two threads that both keep the core busy take a third longer or more. */
#define ALONE_SCATTERS 4
#define ALONE_SHARED 0.03
#define ALONE_SHARED_MOST 0.15
/* The least cost is not clear where it scatters by more than what counts as alone anyway, and by
   more than so many times what the cycle does where that does least. */
#define ALONE_UNCLEAR 2
/* Additions are timed in so many pieces: what disturbs one does not decide. */
#define ALONE_PIECES 4
/* What somebody comes to is done again so many times at most. */
#define ALONE_TRIES 3u
/* After so long, ns, another core may be left alone sooner: some times what it costs to get there.
 */
#define ALONE_MOVE 3e5
/* What an addition costs that waits for no other is looked at for this part of the time that a
   probe may wait for the core to be left alone. */
#define ALONE_QUIET 10
/* What an addition costs that waits for no other is looked at so many times at most on one core, on
   so many cores in turn, and on as many again and again until it is clear, so often at most. */
#define ALONE_QUIET_MOST 4096u
#define ALONE_QUIET_CORES 8
#define ALONE_QUIET_TURNS 8
/* Looks that make up a share of them, at most. */
#define ALONE_SHARE_MOST 256u
/* Costs gather where so many at least lie within this share of each other, and this part of the
   most that do next to there. */
#define ALONE_GATHER 24
#define ALONE_GATHERED 0.01
#define ALONE_SCATTERED 0.1
#define ALONE_SCATTERED_PART 5

static double alone_now(const struct hw_bench *bench) {
  return bench->machine->ops->now(bench->machine);
}

/* How many of n sorted values, from the i-th on, lie no more than a share above it. */
static size_t alone_within(const double *sorted, size_t n, size_t i, double share) {
  size_t in = i, out = n;

  while (in + 1 < out) {
    size_t middle = in + (out - in) / 2;
    if (sorted[middle] <= (1 + share) * sorted[i])
      in = middle;
    else
      out = middle;
  }
  return out - i;
}

/* The first of n sorted values, from the i-th on, at which no fewer than so many gather. */
static size_t alone_gathers(const double *sorted, size_t n, size_t i, size_t least) {
  while (i < n && alone_within(sorted, n, i, ALONE_GATHERED) < least)
    i++;
  return i;
}

/* The most that gather at any of n sorted values from the i-th to a share above it. */
static size_t alone_most(const double *sorted, size_t n, size_t i, double share) {
  size_t most = 0;

  for (size_t k = i; k < n && sorted[k] <= (1 + share) * sorted[i]; k++) {
    size_t within = alone_within(sorted, n, k, ALONE_GATHERED);
    if (within > most)
      most = within;
  }
  return most;
}

struct hw_point hw_lowest(double *sample, size_t n, bool *clear) {
  size_t i, least, peak, gathered;

  hw_sort(sample, n);
  i = alone_gathers(sample, n, 0, ALONE_GATHER);
  least = alone_most(sample, n, i, ALONE_SCATTERED) / ALONE_SCATTERED_PART;
  i = alone_gathers(sample, n, i, least);
  /* Where they gather most within this share of there. */
  peak = alone_gathers(sample, n, i, alone_most(sample, n, i, ALONE_GATHERED));
  gathered = peak < n ? alone_within(sample, n, peak, ALONE_GATHERED) : 0;
  *clear = peak < n && 2 * alone_within(sample, n, peak, 2 * ALONE_GATHERED) <= 3 * gathered;
  if (*clear || peak == n)
    return hw_low_end(sample + peak, gathered);
  return hw_low_end(sample + i, alone_within(sample, n, i, ALONE_SCATTERED));
}

/* Times additions that wait for each other, in *cycle, and as many that do not. */
static double alone_both(const struct hw_bench *bench, double *cycle) {
  struct hw_machine *machine = bench->machine;
  unsigned long piece = hw_grains((double)bench->adds / ALONE_PIECES);
  double start = alone_now(bench), middle, end;

  for (int i = 0; i < ALONE_PIECES; i++)
    machine->ops->add(machine, piece);
  middle = alone_now(bench);
  for (int i = 0; i < ALONE_PIECES; i++)
    machine->ops->issue(machine, 2 * piece);
  end = alone_now(bench);
  *cycle = fmax(middle - start - bench->read_ns, 1);
  return (end - middle - bench->read_ns) / 2;
}

/* Cycles of an addition that waits for no other. */
static double alone_issue(const struct hw_bench *bench) {
  double cycle, issue = alone_both(bench, &cycle);

  return issue / cycle;
}

/* Puts into issue[] what an addition costs that waits for no other, as often as fits into so long,
   ns, and into its room; returns how often.  The lesser of two cycles in a row counts, so that what
   disturbs one does not make additions cheap. */
static size_t alone_issues(const struct hw_bench *bench, double ns, double *issue, size_t room) {
  double end = alone_now(bench) + ns, last, cycle;
  size_t n = 0;

  for (alone_both(bench, &last); n < room && alone_now(bench) < end; last = cycle) {
    double time = alone_both(bench, &cycle);
    issue[n++] = time / fmin(cycle, last);
  }
  return n;
}

struct hw_point hw_quiet(const struct hw_bench *bench, double ns) {
  const size_t room = (size_t)ALONE_QUIET_TURNS * ALONE_QUIET_CORES * ALONE_QUIET_MOST;
  double *issue = calloc(room, sizeof *issue);
  struct hw_point quiet = {0};
  bool clear = false;
  size_t n = 0;

  for (int turn = 0; issue != NULL && turn < ALONE_QUIET_TURNS && !clear; turn++) {
    for (int core = 0; core < ALONE_QUIET_CORES && !hw_late(bench); core++) {
      n += alone_issues(bench, ns / ALONE_QUIET_CORES, issue + n, ALONE_QUIET_MOST);
      bench->machine->ops->move(bench->machine);
    }
    quiet = hw_lowest(issue, n, &clear);
  }
  quiet.x = 2 * (double)bench->adds;
  free(issue);
  return quiet;
}

struct hw_alone hw_alone_begin(struct hw_bench *bench, struct hw_point issue, bool anywhere,
                               double wait) {
  struct hw_alone alone = {
      .bench = bench, .issue = issue, .anywhere = anywhere, .wait = fmin(wait, bench->wait)};

  if (issue.y > 0 && bench->issue.y > 0 && bench->issue.y < issue.y)
    alone.issue = bench->issue;
  return alone;
}

bool hw_alone(const struct hw_alone *alone, double issue) {
  double shared = fmax(ALONE_SCATTERS * alone->issue.spread, ALONE_SHARED);

  return issue <= (1 + fmin(shared, ALONE_SHARED_MOST)) * alone->issue.y;
}

double hw_alone_await(struct hw_alone *alone) {
  struct hw_bench *bench = alone->bench;
  double start, now, came, issue = alone->last;

  if (!(alone->issue.y > 0) || (issue > 0 && hw_alone(alone, issue)))
    return issue;
  start = came = alone_now(bench);
  for (;;) {
    issue = alone_issue(bench);
    now = alone_now(bench);
    if (hw_alone(alone, issue) || now - start > alone->wait || hw_late(bench))
      break;
    if (alone->anywhere && now - came > ALONE_MOVE) {
      bench->machine->ops->move(bench->machine);
      came = now;
    }
  }
  alone->wait -= now - start;
  bench->wait -= now - start;
  return issue;
}

double hw_alone_look(struct hw_alone *alone) {
  alone->last = alone->issue.y > 0 ? alone_issue(alone->bench) : 0;
  return alone->last;
}

bool hw_alone_again(struct hw_alone *alone, unsigned try) {
  return !hw_alone(alone, hw_alone_look(alone)) && try < ALONE_TRIES && alone->wait > 0 &&
         !hw_late(alone->bench);
}

struct hw_point hw_issue(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, "issue");
  struct hw_point least = {0};

  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    if (i == 0 || curve->point[i].y < least.y)
      least = curve->point[i];
  return least;
}

int hw_issue_measure(struct hw_bench *bench) {
  struct hw_point quiet = hw_quiet(bench, bench->effort.wait / ALONE_QUIET);
  struct hw_curve curve;

  hw_curve_init(&curve, "issue", "independent additions (count)", "time of one (cycles)");
  if (quiet.count > 0 && hw_curve_put(&curve, quiet) == 0)
    return hw_publish(bench, &curve, "clock", 1);
  hw_curve_free(&curve);
  return -1;
}

bool hw_issue_clear(const struct hw_curves *curves) {
  const struct hw_curve *cycle = hw_curves_get(curves, "cycle");
  struct hw_point issue = hw_issue(curves);
  double scatter = INFINITY;

  for (size_t i = 0; cycle != NULL && i < cycle->n; i++)
    scatter = fmin(scatter, cycle->point[i].spread);
  return issue.spread <= fmax(ALONE_UNCLEAR * scatter, ALONE_SHARED / ALONE_SCATTERS);
}

struct hw_point hw_issue_again(const struct hw_curves *curves, const char *name) {
  return hw_curves_get(curves, name) != NULL ? hw_issue(curves) : (struct hw_point){0};
}

struct hw_point hw_alone_share(const struct hw_bench *bench, double ns) {
  const struct hw_alone alone = {.issue = hw_issue(&bench->curves)};
  double issue[ALONE_SHARE_MOST];
  struct hw_point share = {0};

  if (!(alone.issue.y > 0))
    return share;
  share.count = alone_issues(bench, ns, issue, ALONE_SHARE_MOST);
  for (size_t i = 0; i < share.count; i++)
    share.y += hw_alone(&alone, issue[i]) ? 1 / (double)share.count : 0;
  return share;
}
