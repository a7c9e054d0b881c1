#include "sim/neighbour.h"

#include <math.h>

/* Addresses of the other threads, apart from ours, and from one thread's to the next's, bytes. */
#define NEIGHBOUR_BASE (UINT64_C(1) << 60)
#define NEIGHBOUR_APART (UINT64_C(1) << 56)
/* Lines that a chasing thread loads at random: more than any cache holds or TLB reaches. */
#define NEIGHBOUR_CHASED (UINT64_C(1) << 36)
/* The working set of a computing thread, its variables and tables, is 1/8 of level 1. */
#define NEIGHBOUR_HOT 8u
/* Cycles between two of its loads of different lines: every third instruction is a load, the
   sibling issues less than one a cycle, and most loads are of the line of one before. */
#define NEIGHBOUR_LOADS 8.0
/* Most lines that a process brings in in its turn, as a multiple of those of levels 1 and 2: then
   these hold only its lines, and more changes nothing. */
#define NEIGHBOUR_TURN 2.0

/* The factor by which an SMT sibling slows each kind of work, by what the sibling does.
   Two threads that both compute share issue and units: each gets 55 to 60 % of its throughput
   alone.  A streaming one waits for memory half of the time, but takes half of the bandwidth; a
   chasing one issues one load in hundreds of cycles.  A dependent chain of additions leaves most
   slots free and rarely loses one; one of loads competes for load ports and level 1. */
static const double neighbour_factor[][HW_FEELINGS] = {
    [HW_SIM_ABSENT] = {1, 1, 1, 1},
    [HW_SIM_COMPUTING] = {1.01, 1.03, 1.75, 1.3},
    [HW_SIM_STREAMING] = {1.005, 1.05, 1.3, 1.9},
    [HW_SIM_CHASING] = {1, 1.01, 1.02, 1.04},
};

/* ns between two lines that a thread with such work uses; 0: it uses none. */
static double neighbour_line_ns(const struct hw_description *description,
                                enum hw_sim_kind_of_work work) {
  double cycles = 0;

  if (work == HW_SIM_COMPUTING)
    cycles = NEIGHBOUR_LOADS;
  else if (work == HW_SIM_STREAMING)
    cycles = (double)description->level[0].line / description->memory_read_rate;
  else if (work == HW_SIM_CHASING)
    cycles = description->memory_latency;
  return cycles * description->cycle_ns;
}

static void neighbour_arrive(struct hw_neighbours *neighbours, struct hw_visitor *visitor) {
  double part = hw_random_unit(&neighbours->random);

  visitor->there = true;
  visitor->line_due =
      visitor->line_ns > 0 ? neighbours->now_ns + part * visitor->line_ns : INFINITY;
  visitor->page_due =
      visitor->page_ns > 0 ? neighbours->now_ns + part * visitor->page_ns : INFINITY;
}

/* The sibling starts to run, or stops, at the edge; the next one is drawn. */
static void neighbour_sibling(struct hw_neighbours *neighbours, bool there) {
  const struct hw_sim_visits *sibling = &neighbours->description->noise.sibling;

  neighbours->sibling.there = false;
  if (there)
    neighbour_arrive(neighbours, &neighbours->sibling);
  hw_hierarchy_share(neighbours->hierarchy, there);
  neighbours->edge_ns +=
      hw_pace_exponential(&neighbours->random, there ? sibling->length_ns : sibling->gap_ns);
}

static void neighbour_next(struct hw_neighbours *neighbours) {
  double next = fmin(neighbours->edge_ns, neighbours->turn_ns);

  if (neighbours->sibling.there)
    next = fmin(next, neighbours->sibling.line_due);
  if (neighbours->other.there)
    next = fmin(next, fmin(neighbours->other.line_due, neighbours->other.page_due));
  neighbours->next_ns = next;
}

void hw_neighbours_start(struct hw_neighbours *neighbours, const struct hw_description *description,
                         struct hw_hierarchy *hierarchy, struct hw_frontend *frontend,
                         struct hw_pace *pace, uint64_t seed) {
  const struct hw_sim_noise *noise = &description->noise;
  const struct hw_sim_visits *sibling = &noise->sibling, *process = &noise->process;

  *neighbours = (struct hw_neighbours){.description = description,
                                       .hierarchy = hierarchy,
                                       .frontend = frontend,
                                       .pace = pace,
                                       .random = {seed},
                                       .edge_ns = INFINITY,
                                       .turn_ns = INFINITY};
  neighbours->sibling.work = sibling->work;
  neighbours->sibling.line_ns = neighbour_line_ns(description, sibling->work);
  neighbours->process.work = process->work;
  neighbours->process.line_ns = neighbour_line_ns(description, process->work);
  neighbours->other.work = HW_SIM_CHASING;
  if (noise->line_ns > 0) {
    neighbours->other.line_ns = noise->line_ns;
    neighbours->other.page_ns = noise->page_ns;
    neighbour_arrive(neighbours, &neighbours->other);
  }
  if (sibling->work != HW_SIM_ABSENT) {
    neighbours->edge_ns = 0;
    neighbour_sibling(neighbours,
                      hw_random_unit(&neighbours->random) * (sibling->length_ns + sibling->gap_ns) <
                          sibling->length_ns);
  }
  if (process->work != HW_SIM_ABSENT)
    neighbours->turn_ns = hw_pace_exponential(&neighbours->random, process->gap_ns);
  neighbour_next(neighbours);
}

bool hw_neighbours_any(const struct hw_neighbours *neighbours) {
  const struct hw_sim_noise *noise = &neighbours->description->noise;

  return noise->line_ns > 0 || noise->sibling.work != HW_SIM_ABSENT ||
         noise->process.work != HW_SIM_ABSENT;
}

/* The working set of a computing thread, lines. */
static uint64_t neighbour_hot(const struct hw_description *description) {
  uint64_t lines = description->level[0].bytes / description->level[0].line / NEIGHBOUR_HOT;

  return lines > 0 ? lines : 1;
}

/* Has a visitor use its next line: of its stream, a random one of many, or of its working set. */
static void neighbour_line(struct hw_neighbours *neighbours, struct hw_visitor *visitor,
                           uint64_t space) {
  uint64_t line = neighbours->description->level[0].line, which = visitor->lines++;
  uint64_t base = NEIGHBOUR_BASE + space * NEIGHBOUR_APART;

  if (visitor->work == HW_SIM_CHASING)
    which = hw_random_bits(&neighbours->random) % NEIGHBOUR_CHASED;
  else if (visitor->work == HW_SIM_COMPUTING)
    which = hw_random_bits(&neighbours->random) % neighbour_hot(neighbours->description);
  hw_hierarchy_foreign_line(neighbours->hierarchy, base + which * line);
}

/* Brings in the line and the page of a visitor that are due. */
static void neighbour_bring(struct hw_neighbours *neighbours, struct hw_visitor *visitor,
                            uint64_t space) {
  if (!visitor->there)
    return;
  if (neighbours->now_ns >= visitor->line_due) {
    neighbour_line(neighbours, visitor, space);
    visitor->line_due += visitor->line_ns;
    neighbours->events++;
  }
  if (neighbours->now_ns >= visitor->page_due) {
    hw_hierarchy_foreign_page(neighbours->hierarchy);
    visitor->page_due += visitor->page_ns;
    neighbours->events++;
  }
}

/* Lines of a visitor after which levels 1 and 2 hold as many of its lines as they ever will. */
static double neighbour_most(const struct hw_neighbours *neighbours,
                             const struct hw_visitor *visitor) {
  const struct hw_description *description = neighbours->description;
  double most = 0;

  if (visitor->work == HW_SIM_COMPUTING)
    return NEIGHBOUR_TURN * (double)neighbour_hot(description);
  for (unsigned k = 0; k < description->levels && k < 2; k++)
    most += (double)(description->level[k].bytes / description->level[k].line);
  return NEIGHBOUR_TURN * most;
}

/* Brings in the lines that a visitor owes, neighbour_most of them at most. */
static void neighbour_settle(struct hw_neighbours *neighbours, struct hw_visitor *visitor,
                             uint64_t space) {
  double lines = fmin(visitor->owed, neighbour_most(neighbours, visitor));

  for (; lines >= 1; lines--) {
    neighbour_line(neighbours, visitor, space);
    neighbours->events++;
  }
  visitor->owed = visitor->owed < 1 ? visitor->owed : 0;
}

/* The process has its turn: then its lines fill levels 1 and 2, its pages the TLBs, and its code a
   part of the frontend. */
static void neighbour_turn(struct hw_neighbours *neighbours) {
  const struct hw_sim_visits *process = &neighbours->description->noise.process;
  double away = hw_pace_exponential(&neighbours->random, process->length_ns);

  neighbours->process.owed = away / neighbours->process.line_ns + 1;
  neighbour_settle(neighbours, &neighbours->process, 2);
  if (neighbours->frontend != NULL)
    hw_frontend_foreign(neighbours->frontend);
  hw_pace_away(neighbours->pace, away);
  neighbours->now_ns += away;
  neighbours->sibling.line_due += away;
  neighbours->other.line_due += away;
  neighbours->other.page_due += away;
  neighbours->turn_ns =
      neighbours->now_ns + hw_pace_exponential(&neighbours->random, process->gap_ns);
  neighbours->events++;
}

/* Handles the events that are due.  brings: lines and pages come in, too. */
static void neighbour_event(struct hw_neighbours *neighbours, bool brings) {
  if (neighbours->now_ns >= neighbours->turn_ns)
    neighbour_turn(neighbours);
  if (brings) {
    neighbour_bring(neighbours, &neighbours->sibling, 0);
    neighbour_bring(neighbours, &neighbours->other, 1);
  }
  if (neighbours->now_ns >= neighbours->edge_ns)
    neighbour_sibling(neighbours, !neighbours->sibling.there);
  neighbour_next(neighbours);
}

/* Draws anew when a visitor's next line is due, if it fell into time that does not count. */
static void neighbour_forget(struct hw_neighbours *neighbours, struct hw_visitor *visitor) {
  if (visitor->there &&
      (neighbours->now_ns > visitor->line_due || neighbours->now_ns > visitor->page_due))
    neighbour_arrive(neighbours, visitor);
}

void hw_neighbours_skip(struct hw_neighbours *neighbours, double ns) {
  neighbours->now_ns += ns;
  neighbour_forget(neighbours, &neighbours->sibling);
  neighbour_forget(neighbours, &neighbours->other);
  neighbour_next(neighbours);
}

/* Lets time pass up to the beginning of an operation. */
static void neighbour_begin(struct hw_neighbours *neighbours) {
  const struct hw_sim_noise *noise = &neighbours->description->noise;

  if (noise->line_ns > 0 && noise->shared_ns > 0)
    neighbours->other.there = hw_pace_share(neighbours->pace) > 1;
  hw_neighbours_skip(neighbours, neighbours->pace->now_ns - neighbours->now_ns);
}

void hw_neighbours_begin_memory(struct hw_neighbours *neighbours) {
  neighbour_begin(neighbours);
  neighbour_settle(neighbours, &neighbours->sibling, 0);
  neighbour_settle(neighbours, &neighbours->other, 1);
}

double hw_neighbours_factor(const struct hw_neighbours *neighbours, enum hw_feels feels) {
  return neighbour_factor[neighbours->sibling.work][feels];
}

double hw_neighbours_share(const struct hw_neighbours *neighbours, enum hw_feels feels) {
  return neighbours->sibling.there ? hw_neighbours_factor(neighbours, feels) : 1;
}

/* Passes ns in which a visitor, if it is there, uses lines that are brought in later. */
static void neighbour_owe(struct hw_visitor *visitor, double ns) {
  if (visitor->there && visitor->line_ns > 0)
    visitor->owed += ns / visitor->line_ns;
}

/* Passes the time of ns of work.  brings: lines and pages come in as they are due, else later. */
static double neighbour_pass(struct hw_neighbours *neighbours, double ns, double factor,
                             bool brings) {
  double felt = 0;

  for (;;) {
    double times = neighbours->sibling.there ? factor : 1;
    double stretch =
        brings ? fmax(neighbours->next_ns - neighbours->now_ns, 0) : hw_neighbours_stay(neighbours);
    double some = fmin(ns * times, stretch);

    if (!brings) {
      neighbour_owe(&neighbours->sibling, some);
      neighbour_owe(&neighbours->other, some);
    }
    neighbours->now_ns += some;
    felt += some;
    if (ns * times < stretch)
      return felt;
    ns -= stretch / times;
    neighbour_event(neighbours, brings);
  }
}

double hw_neighbours_pass(struct hw_neighbours *neighbours, double ns, double factor) {
  return neighbour_pass(neighbours, ns, factor, true);
}

double hw_neighbours_rest(struct hw_neighbours *neighbours, double ns, double factor) {
  neighbour_begin(neighbours);
  return neighbour_pass(neighbours, ns, factor, false);
}

double hw_neighbours_run(struct hw_neighbours *neighbours) {
  const struct hw_sim_visits *process = &neighbours->description->noise.process;

  return process->work == HW_SIM_ABSENT ? INFINITY
                                        : hw_pace_exponential(&neighbours->random, process->gap_ns);
}

double hw_neighbours_turn(struct hw_neighbours *neighbours) {
  return hw_pace_exponential(&neighbours->random, neighbours->description->noise.process.length_ns);
}

double hw_neighbours_quiet(const struct hw_neighbours *neighbours) {
  if (neighbours->sibling.there || neighbours->other.there)
    return 0;
  return fmax(neighbours->next_ns - neighbours->now_ns, 0);
}

double hw_neighbours_stay(const struct hw_neighbours *neighbours) {
  return fmax(fmin(neighbours->edge_ns, neighbours->turn_ns) - neighbours->now_ns, 0);
}
