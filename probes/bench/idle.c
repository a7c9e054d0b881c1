/* Whether the core is left alone: no work on its SMT sibling.

   What an SMT sibling takes of the core is charged to no thread, and hardly lengthens a dependent
   chain, such as that of the cycle.  It shows in the throughput of independent additions: these are
   timed before and after what must have the core to itself.  A sibling's work begins and ends
   within milliseconds, so it is waited for.  One busy from the first probe on is not seen until it
   pauses: then the baseline is replaced by a lower one, for this process and those after it. */
#include "probes/bench/idle.h"

#include "analysis/names.h"

#include "analysis/samples.h"

#include <math.h>
#include <stdlib.h>

/* A busy SMT sibling lengthens independent additions by the share that it takes of the core.  The
   core is left alone where one takes as long as the baseline, give or take IDLE_SCATTERS times the
   baseline's scatter: IDLE_SHARED at least, since the clock tells the additions, their cycle and
   the baseline to 1 % each; IDLE_SHARED_MOST at most, since two threads that both keep the core
   busy take a third longer or more. */
#define IDLE_SCATTERS 4
#define IDLE_SHARED 0.03
#define IDLE_SHARED_MOST 0.15
/* The baseline is not clear where it scatters by more than what counts as alone anyway, and by
   more than this many times the least scatter of the cycle. */
#define IDLE_UNCLEAR 2
/* Independent additions for each dependent one: they take about as long, so that the mispredicted
   end of their loop lengthens them by much less than IDLE_SHARED. */
#define IDLE_BESIDE 4
/* Repetitions at most of work during which the SMT sibling became busy. */
#define IDLE_TRIES 3u
/* Wait before moving to another core, ns: some times what it costs to get there. */
#define IDLE_MOVE 3e5
/* The baseline is measured for one part in this many of the time that a probe may wait for the core
   to be left alone. */
#define IDLE_QUIET 10
/* Samples of the baseline at most on one core, cores in turn, and turns at most until it is clear.
 */
#define IDLE_QUIET_MOST 4096u
#define IDLE_QUIET_CORES 8
#define IDLE_QUIET_TURNS 8
/* Samples at most for hw_idle_share. */
#define IDLE_SHARE_MOST 256u

/* Times dependent additions, in *cycle, and as many independent ones, returned; both in ns. */
static double idle_both(const struct hw_bench *bench, double *cycle) {
  struct hw_machine *machine = bench->machine;
  double start = hw_now(bench), middle, end;

  machine->ops->add(machine, bench->adds);
  middle = hw_now(bench);
  machine->ops->issue(machine, IDLE_BESIDE * bench->adds);
  end = hw_now(bench);
  *cycle = fmax(middle - start - bench->read_ns, 1);
  return (end - middle - bench->read_ns) / IDLE_BESIDE;
}

/* Cycles of an independent addition. */
static double idle_issue(const struct hw_bench *bench) {
  double cycle, issue = idle_both(bench, &cycle);

  return issue / cycle;
}

/* Puts samples of an independent addition, in cycles, into issue[], for ns and room of them at
   most; returns how many.  The lesser of two cycles in a row counts, so that what disturbs one does
   not make additions cheap. */
static size_t idle_issues(const struct hw_bench *bench, double ns, double *issue, size_t room) {
  double end = hw_now(bench) + ns, last, cycle;
  size_t n = 0;

  for (idle_both(bench, &last); n < room && hw_now(bench) < end; last = cycle) {
    double time = idle_both(bench, &cycle);
    issue[n++] = time / fmin(cycle, last);
  }
  return n;
}

struct hw_point hw_quiet(const struct hw_bench *bench, double ns) {
  const size_t room = (size_t)IDLE_QUIET_TURNS * IDLE_QUIET_CORES * IDLE_QUIET_MOST;
  double *issue = calloc(room, sizeof *issue);
  struct hw_point quiet = {0};
  bool clear = false;
  size_t n = 0;

  for (int turn = 0; issue != NULL && turn < IDLE_QUIET_TURNS && !clear; turn++) {
    for (int core = 0; core < IDLE_QUIET_CORES && !hw_late(bench); core++) {
      n += idle_issues(bench, ns / IDLE_QUIET_CORES, issue + n, IDLE_QUIET_MOST);
      bench->machine->ops->move(bench->machine);
    }
    quiet = hw_lowest(issue, n, &clear);
  }
  quiet.x = IDLE_BESIDE * (double)bench->adds;
  free(issue);
  return quiet;
}

struct hw_idle hw_idle_begin(struct hw_bench *bench, struct hw_point issue, bool anywhere,
                             double wait) {
  struct hw_idle alone = {
      .bench = bench, .issue = issue, .anywhere = anywhere, .wait = fmin(wait, bench->wait)};

  if (issue.y > 0 && bench->issue.y > 0 && bench->issue.y < issue.y)
    alone.issue = bench->issue;
  return alone;
}

bool hw_idle(const struct hw_idle *alone, double issue) {
  double shared = fmax(IDLE_SCATTERS * alone->issue.spread, IDLE_SHARED);

  return issue <= (1 + fmin(shared, IDLE_SHARED_MOST)) * alone->issue.y;
}

double hw_idle_await(struct hw_idle *alone) {
  struct hw_bench *bench = alone->bench;
  double start, now, came, issue = alone->last;

  if (!(alone->issue.y > 0) || (issue > 0 && hw_idle(alone, issue)))
    return issue;
  start = came = hw_now(bench);
  for (;;) {
    issue = idle_issue(bench);
    now = hw_now(bench);
    if (hw_idle(alone, issue) || now - start > alone->wait || hw_late(bench))
      break;
    if (alone->anywhere && now - came > IDLE_MOVE) {
      bench->machine->ops->move(bench->machine);
      came = now;
    }
  }
  alone->wait -= now - start;
  bench->wait -= now - start;
  bench->waited += now - start;
  return issue;
}

double hw_idle_look(struct hw_idle *alone) {
  alone->last = alone->issue.y > 0 ? idle_issue(alone->bench) : 0;
  return alone->last;
}

bool hw_idle_again(struct hw_idle *alone, unsigned try) {
  return !hw_idle(alone, hw_idle_look(alone)) && try < IDLE_TRIES && alone->wait > 0 &&
         !hw_late(alone->bench);
}

struct hw_point hw_issue(const struct hw_curves *curves) {
  const struct hw_curve *curve = hw_curves_get(curves, HW_NAME_ISSUE);
  struct hw_point least = {0};

  for (size_t i = 0; curve != NULL && i < curve->n; i++)
    if (i == 0 || curve->point[i].y < least.y)
      least = curve->point[i];
  return least;
}

/* Publishes a baseline. */
static int idle_publish(struct hw_bench *bench, struct hw_point baseline) {
  struct hw_curve curve;

  bench->renewed = true;
  hw_curve_init(&curve, HW_NAME_ISSUE, "independent additions (count)", "time of one (cycles)");
  return hw_publish(bench, &curve, "clock", hw_curve_put(&curve, baseline));
}

/* Whether a baseline is lower than another by what only a busy SMT sibling takes, or
   about as low and clearer. */
static bool idle_better(const struct hw_point *baseline, const struct hw_point *other) {
  if (other->count == 0 || baseline->y < (1 - IDLE_SHARED) * other->y)
    return true;
  return baseline->y < (1 + IDLE_SHARED) * other->y && baseline->spread < other->spread;
}

int hw_issue_measure(struct hw_bench *bench) {
  struct hw_point quiet = hw_quiet(bench, bench->effort.wait / IDLE_QUIET);
  struct hw_point earlier = hw_issue(&bench->curves);

  if (quiet.count == 0)
    return earlier.count > 0 ? 0 : -1;
  return idle_better(&quiet, &earlier) ? idle_publish(bench, quiet) : 0;
}

int hw_issue_lower(struct hw_bench *bench) {
  struct hw_point earlier = hw_issue(&bench->curves), lower = bench->issue;

  if (earlier.count == 0 || lower.count == 0 || !(lower.y < (1 - IDLE_SHARED) * earlier.y))
    return 0;
  lower.x = earlier.x;
  return idle_publish(bench, lower);
}

bool hw_issue_clear(const struct hw_curves *curves) {
  const struct hw_curve *cycle = hw_curves_get(curves, HW_NAME_CYCLE);
  struct hw_point issue = hw_issue(curves);
  double scatter = INFINITY;

  for (size_t i = 0; cycle != NULL && i < cycle->n; i++)
    scatter = fmin(scatter, cycle->point[i].spread);
  return issue.spread <= fmax(IDLE_UNCLEAR * scatter, IDLE_SHARED / IDLE_SCATTERS);
}

struct hw_point hw_idle_share(const struct hw_bench *bench, double ns) {
  const struct hw_idle alone = {.issue = hw_issue(&bench->curves)};
  double issue[IDLE_SHARE_MOST];
  struct hw_point share = {0};

  if (!(alone.issue.y > 0))
    return share;
  share.count = idle_issues(bench, ns, issue, IDLE_SHARE_MOST);
  for (size_t i = 0; i < share.count; i++)
    share.y += hw_idle(&alone, issue[i]) ? 1 / (double)share.count : 0;
  return share;
}
