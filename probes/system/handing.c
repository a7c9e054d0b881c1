/* The overhead of handing work to another thread.

   Curve   handing: x work of a piece (ns), y overhead of handing it over (ns): the time until both
           threads have done it, less that of doing it once.
   Method  A sleeping thread is woken to do a piece of additions; the thread that woke it does as
           many, and sleeps until it is told that those are done.  The pieces range around the
           overhead of one of a microsecond.  Both have cores of their own where cores are known,
           and no other process may be using them: beside others it took ten times as long.
   Rows    PAR_MIN_NS.
   Cost    1500 times the overhead: here 80 ms; none in quick.
   Limits  Threads that spin while they wait are told sooner, but keep their processor busy; a
           thread that has to be created costs more.
   See     BB 3.4; SV III-D for the words that pass meanwhile. */
#include "analysis/groups.h"
#include "analysis/names.h"
#include "analysis/rows/processors.h"

#include "analysis/samples.h"
#include "probes/bench/team.h"
#include "probes/probe.h"

#include <math.h>

/* Pieces that make a sample. */
#define HANDING_TIMES 8ul
/* The first piece, ns, and its tries, of which the least counts. */
#define HANDING_FIRST 1000.0
#define HANDING_TRIES 5
/* Most overhead, ns: with more, the threads take turns on one processor. */
#define HANDING_MOST 1e6
/* Pieces that are measured: the overhead of the first, times powers of two from the least on. */
#define HANDING_PIECES 5
#define HANDING_LEAST 0.25
/* Additions that time the cycle. */
#define HANDING_ADDS 8192ul
/* Samples at most. */
#define HANDING_ROUNDS 12u

struct handing_pair {
  struct hw_bench *bench;
  size_t place[2];
  double cycle; /* ns, about */
};

/* Overhead of handing over a piece of about ns, in ns; *work becomes the time of the piece.  Not
   positive if there are no threads. */
static double handing_once(const struct handing_pair *pair, double ns, double *work) {
  struct hw_machine *machine = pair->bench->machine;
  struct hw_part part[2] = {{.work = HW_WORK_HAND, .n = HANDING_TIMES, .adds = HANDING_ADDS}};

  part[0].processor = pair->place[0];
  part[0].piece = (unsigned long)ceil(ns / pair->cycle / HW_GRAIN) * HW_GRAIN;
  part[1] = part[0];
  part[1].processor = pair->place[1];
  if (machine->ops->team(machine, part, 2) != 0 || !(part[0].cycle_ns > 0))
    return -1;
  *work = (double)part[0].piece * part[0].cycle_ns;
  return part[0].work_ns / part[0].done - *work;
}

/* The overhead, about, ns; negative if there are no threads. */
static double handing_guess(const struct handing_pair *pair) {
  double guess = INFINITY, work;

  for (int i = 0; i < HANDING_TRIES; i++) {
    double cost = handing_once(pair, HANDING_FIRST, &work);
    if (!(cost > 0))
      return -1;
    guess = fmin(guess, cost);
  }
  return guess;
}

/* Measures pieces around guess, ns, in rounds.  0, or -1. */
static int handing_pieces(const struct handing_pair *pair, double guess, struct hw_curve *curve) {
  double cost[HANDING_PIECES][HANDING_ROUNDS], least[HANDING_PIECES], work;
  unsigned rounds = pair->bench->effort.rounds;

  rounds = rounds < HANDING_ROUNDS ? rounds : HANDING_ROUNDS;
  for (unsigned r = 0; r < rounds; r++) {
    double ns = HANDING_LEAST * guess;
    for (int i = 0; i < HANDING_PIECES; i++, ns *= 2) {
      if (hw_late(pair->bench))
        return -1;
      cost[i][r] = handing_once(pair, ns, &work);
      if (!(cost[i][r] > 0))
        return -1;
      least[i] = r == 0 ? work : fmin(least[i], work);
    }
  }
  for (int i = 0; i < HANDING_PIECES; i++) {
    struct hw_point point = hw_low_end(cost[i], rounds);
    point.x = least[i];
    if (hw_curve_put(curve, point) < 0)
      return -1;
  }
  return 0;
}

int hw_probe_handing(struct hw_bench *bench) {
  struct hw_answer cpus = hw_value_cpus(&bench->curves);
  struct hw_answer cycle = hw_value_cycle_ps(&bench->curves);
  struct handing_pair pair = {.bench = bench, .place = {0, 1}, .cycle = cycle.value / 1e3};
  size_t place[HW_THINGS], n = cpus.known ? (size_t)cpus.value : 0;
  struct hw_curve curve;
  double guess;

  if (!cpus.known || !cycle.known)
    return hw_lacks(bench, cpus.known ? "HW_CYCLE_PS is unknown" : "HW_CPUS is unknown");
  if (n < 2 || hw_team_wanted(bench, n))
    return -1;
  if (hw_curves_get(&bench->curves, HW_NAME_PROCESSORS) == NULL)
    pair.place[0] = pair.place[1] = HW_ANYWHERE;
  else if (n <= HW_THINGS && hw_core_order(&bench->curves, place, n) == NULL) {
    pair.place[0] = place[0];
    pair.place[1] = place[1];
  }
  guess = handing_guess(&pair);
  if (!(guess > 0 && guess <= HANDING_MOST))
    return -1;
  hw_curve_init(&curve, HW_NAME_HANDING, "work of a piece (ns)", "cost of handing it over (ns)");
  return hw_publish(bench, &curve, "handing", handing_pieces(&pair, guess, &curve));
}
