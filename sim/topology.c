/* The processors of a simulated machine.  A thread's work takes as long as alone, times the
   slowdown by other threads of its core and of its processor. */
#include "sim/topology.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The issue width, additions a cycle, and cycles of an integer and a floating-point division. */
#define PROC_ISSUE 4.0
#define PROC_INT 6.0
#define PROC_FP 5.0
/* The share by which each other thread of the core slows what waits for its loads. */
#define PROC_WAIT 0.02
/* What each thread of a team adds to the time in which all meet, ns. */
#define PROC_MEET 10.0
/* Cycles of a store to a line to which another thread stores, too (false sharing); else it is 1. */
#define PROC_DESTROYED 4.0
/* As on the real machine: a thread that passes a word waits no longer, ns. */
#define PROC_PASS_LIMIT 2e7

struct proc_team {
  const struct hw_description *description;
  struct hw_pace *pace;
  struct hw_neighbours *neighbours; /* on the first processor, or NULL */
  struct hw_part *part;
  size_t n;
  size_t *at;                        /* the processor of each part */
  bool *late;                        /* whether a part begins only after another process' turn */
  size_t lates;                      /* parts that do */
  size_t own[HW_SIM_PROCESSORS];     /* threads of each processor */
  size_t threads[HW_SIM_PROCESSORS]; /* those of other processes, too */
  /* Of each group of one size: threads that keep their core busy, and of them those not late. */
  size_t busy[HW_SIM_GROUPS][HW_SIM_PROCESSORS];
  size_t there[HW_SIM_GROUPS][HW_SIM_PROCESSORS];
  double start;
  double end;
};

size_t hw_processors_count(const struct hw_description *description) {
  size_t n = 1;

  for (unsigned k = 0; k < description->groups; k++)
    n *= (size_t)description->group[k].members;
  if (description->scheduler.first > 0 && description->scheduler.first < n)
    n = (size_t)description->scheduler.first;
  return n;
}

/* Whether part j is at work while part i is timed: a late part finds all at work, one that is not
   late is done before late ones begin. */
static bool proc_beside(const struct proc_team *team, size_t i, size_t j) {
  return team->late[i] || !team->late[j];
}

/* Which member of its group k the processor belongs to. */
static size_t proc_member(const struct hw_description *description, size_t processor, unsigned k) {
  const struct hw_sim_group *group = &description->group[k];

  return processor / (size_t)group->step % (size_t)group->members;
}

unsigned hw_processors_common(const struct hw_description *description, size_t one, size_t other) {
  for (unsigned k = description->groups; k > 0; k--)
    if (proc_member(description, one, k - 1) != proc_member(description, other, k - 1))
      return k;
  return 0;
}

/* The lowest number of a processor in the same group k. */
static size_t proc_first(const struct hw_description *description, size_t processor, unsigned k) {
  for (unsigned j = 0; j <= k; j++)
    processor -= proc_member(description, processor, j) * (size_t)description->group[j].step;
  return processor;
}

/* The slowdown factor of the work by one thread more in the group; 1 if it does not matter. */
static double proc_factor(const struct hw_sim_group *group, enum hw_work work) {
  if (group->core <= 1)
    return 1;
  if (work == HW_WORK_INT && group->int_core > 0)
    return group->int_core;
  if (work == HW_WORK_FP && group->fp_core > 0)
    return group->fp_core;
  return work == HW_WORK_WALK || work == HW_WORK_CHASE || work == HW_WORK_READ ? 1 + PROC_WAIT
                                                                               : group->core;
}

static bool proc_counts(enum hw_work work) {
  return work != HW_WORK_MEET && work != HW_WORK_PASS && work != HW_WORK_WATCH &&
         work != HW_WORK_TOUCH;
}

/* ns of a cycle of that processor. */
static double proc_cycle(const struct hw_description *description, size_t processor) {
  const struct hw_sim_kind *kind = &description->kind;

  return description->cycle_ns / (processor >= kind->from ? kind->speed : 1);
}

/* The first of the processors that share this processor's instance of the level, from 1. */
static size_t proc_instance(const struct hw_description *description, size_t processor,
                            unsigned level) {
  for (unsigned k = description->groups; k > 0; k--) {
    uint64_t shared = description->group[k - 1].cache;

    if (shared > 0 && shared <= level)
      return proc_first(description, processor, k - 1);
  }
  return processor;
}

/* The slowdown factor of a part's memory, which another processor may have touched first. */
static double proc_far(const struct proc_team *team, size_t i) {
  const struct hw_sim_home *home = (const void *)team->part[i].memory;
  unsigned common =
      home == NULL ? 0 : hw_processors_common(team->description, team->at[i], home->processor);

  return common == 0 ? 1 : fmax(team->description->group[common - 1].far, 1);
}

/* Cycles of a load of a ring: of the first level that holds the working sets of all threads that
   share its instance. */
static double proc_chase(const struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;

  for (unsigned n = 1; n <= description->levels; n++) {
    double bytes = 0;

    for (size_t j = 0; j < team->n; j++)
      if (team->part[j].work == HW_WORK_CHASE && proc_beside(team, i, j) &&
          proc_instance(description, team->at[j], n) == proc_instance(description, team->at[i], n))
        bytes += (double)team->part[j].bytes;
    if (bytes <= (double)description->level[n - 1].bytes)
      return description->level[n - 1].latency;
  }
  return description->memory_latency * proc_far(team, i);
}

/* ns of a byte that is read from memory: all threads that read over a path share its bandwidth. */
static double proc_read(const struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  double ns = description->cycle_ns / description->memory_read_rate;

  for (unsigned k = 0; k < description->groups; k++) {
    size_t readers = 0, first = proc_first(description, team->at[i], k);

    for (size_t j = 0; j < team->n; j++)
      readers += team->part[j].work == HW_WORK_READ && proc_beside(team, i, j) &&
                 proc_first(description, team->at[j], k) == first;
    if (description->group[k].path > 0)
      ns = fmax(ns, (double)readers / description->group[k].path);
  }
  return ns;
}

/* The granularity of false sharing, bytes: a line, or the pair of lines that come in together. */
static size_t proc_reach(const struct hw_description *description) {
  bool pair = false;

  for (unsigned k = 0; k < description->levels; k++)
    pair = pair || description->level[k].prefetch == HW_SIM_PREFETCH_PAIR;
  return (size_t)description->level[0].line << pair;
}

/* Cycles of a store, to a line to which a thread with another level 1 may store, too. */
static double proc_store(const struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  size_t reach = proc_reach(description);

  for (size_t j = 0; j < team->n; j++)
    if (j != i && team->part[j].work == HW_WORK_STORE && proc_beside(team, i, j) &&
        team->part[j].memory == team->part[i].memory &&
        team->part[j].offset / reach == team->part[i].offset / reach &&
        proc_instance(description, team->at[j], 1) != proc_instance(description, team->at[i], 1))
      return PROC_DESTROYED;
  return 1;
}

/* Cycles of a unit of work, without the slowdown by other threads of the core. */
static double proc_cycles(const struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  enum hw_work work = team->part[i].work;

  if (work == HW_WORK_CHASE)
    return proc_chase(team, i);
  if (work == HW_WORK_READ)
    return proc_read(team, i) / proc_cycle(description, team->at[i]);
  if (work == HW_WORK_STORE)
    return proc_store(team, i);
  if (work == HW_WORK_ISSUE)
    return 1 / PROC_ISSUE;
  if (work == HW_WORK_INT)
    return PROC_INT;
  return work == HW_WORK_FP ? PROC_FP : description->level[0].latency;
}

/* Another process has its turns on the first processor while ns of work are done there. */
static void proc_away(struct proc_team *team, struct hw_pace *pace, double ns) {
  for (double run; (run = hw_neighbours_run(team->neighbours)) < ns; ns -= run)
    hw_pace_away(pace, hw_neighbours_turn(team->neighbours));
}

/* The slowdown factor of part i by an SMT sibling on the first processor. */
static double proc_sibling(const struct proc_team *team, size_t i) {
  enum hw_work work = team->part[i].work;
  enum hw_feels feels = HW_FEELS_ISSUE;

  if (team->neighbours == NULL || team->at[i] != 0)
    return 1;
  if (work == HW_WORK_WALK || work == HW_WORK_CHASE)
    feels = HW_FEELS_LOAD;
  else if (work == HW_WORK_READ || work == HW_WORK_STORE)
    feels = HW_FEELS_MOVE;
  return hw_neighbours_share(team->neighbours, feels);
}

/* The time that ns of work take, with the machine's noise, ns.  Each part begins at from, while the
   random numbers go on.  *away: ns of it in which the thread was preempted. */
static double proc_interval(struct proc_team *team, size_t i, double from, double ns,
                            double *away) {
  struct hw_pace pace = *team->pace;
  double preempted = pace.preempted_ns;

  pace.now_ns = from;
  hw_pace_interval(&pace, ns);
  if (team->neighbours != NULL && team->at[i] == 0)
    proc_away(team, &pace, ns);
  team->pace->random = pace.random;
  team->pace->switches = pace.switches;
  if (away != NULL)
    *away = pace.preempted_ns - preempted;
  team->end = fmax(team->end, pace.now_ns);
  return pace.now_ns - from;
}

/* Work that is counted: it takes turns with others of the team on the processor, and with other
   processes when it takes longer than a slot. */
static void proc_count(struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  struct hw_part *part = &team->part[i];
  double cycle = proc_cycle(description, team->at[i]), factor = 1, away = 0, before = 0, turns, add,
         unit, warm;

  for (unsigned k = 0; k < description->groups; k++) {
    size_t group = proc_first(description, team->at[i], k);
    size_t threads = team->late[i] ? team->busy[k][group] : team->there[k][group];

    factor += (proc_factor(&description->group[k], part->work) - 1) * (double)(threads - 1);
  }
  add = (double)part->adds * cycle;
  unit = proc_cycles(team, i) * cycle * factor * proc_sibling(team, i);
  warm = (double)part->warm * unit;
  part->cycle_ns =
      part->adds == 0 ? 0 : proc_interval(team, i, team->start, add, &before) / (double)part->adds;
  part->work_ns = proc_interval(team, i, team->start + add + warm, (double)part->n * unit, &away);
  part->done = (double)part->n;
  part->wall_ns = part->work_ns + (double)part->adds * part->cycle_ns + warm;
  part->cpu_ns = part->wall_ns - before - away;
  part->later = team->late[i] ? 0 : team->lates;
  turns = (double)(part->wall_ns < description->scheduler.slot_ns ? team->own[team->at[i]]
                                                                  : team->threads[team->at[i]]);
  part->wall_ns += (turns - 1) * part->work_ns;
  part->work_ns *= turns;
  team->end = fmax(team->end, team->start + part->wall_ns);
}

/* The share of the time in which all of the team run: none when two of them take turns, halved by
   each other process with which one does. */
static double proc_together(const struct proc_team *team) {
  double share = 1;

  for (size_t i = 0; i < team->n; i++) {
    if (team->own[team->at[i]] > 1)
      return 0;
    share /= (double)team->threads[team->at[i]];
  }
  return share;
}

static void proc_meet(struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  struct hw_part *part = &team->part[i];
  double round = (double)team->n * PROC_MEET, share = proc_together(team);

  if (description->groups > 0)
    round += 2 * description->group[description->groups - 1].latency_ns;
  part->work_ns = part->wall_ns = proc_interval(team, i, team->start, (double)part->n, NULL);
  part->cpu_ns = part->wall_ns / (double)team->threads[team->at[i]];
  part->done =
      floor(share * part->work_ns / round + part->work_ns / description->scheduler.slot_ns);
}

/* ns for part i to pass something in group k, with all other pairs that do so there. */
static double proc_way(const struct proc_team *team, size_t i, unsigned k) {
  const struct hw_description *description = team->description;
  const struct hw_sim_group *group = &description->group[k];
  size_t others = 0, first = proc_first(description, team->at[i], k), bytes = team->part[i].bytes;

  for (size_t j = 0; j + 1 < team->n; j += 2)
    others += j / 2 != i / 2 && proc_first(description, team->at[j], k) == first &&
              hw_processors_common(description, team->at[j], team->at[j + 1]) == k + 1;
  return (group->latency_ns +
          (double)bytes / (group->fits > 0 && bytes > group->fits ? group->beyond : group->rate)) *
         (1 + fmax(group->crowd - 1, 0) * (double)others);
}

static void proc_pass(struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  struct hw_part *part = &team->part[i], *partner = &team->part[i ^ 1];
  unsigned common = hw_processors_common(description, team->at[i], team->at[i ^ 1]);
  double way = common > 0 ? proc_way(team, i, common - 1) : 0, away = 0;

  if (i % 2 == 1) {
    part->done = partner->done;
    part->work_ns = partner->work_ns;
    part->wall_ns = partner->wall_ns;
    part->cpu_ns = partner->cpu_ns;
    return;
  }
  if (team->threads[team->at[i]] > 1 || team->threads[team->at[i ^ 1]] > 1)
    way = description->scheduler.slot_ns;
  part->done = fmin((double)part->n, floor(PROC_PASS_LIMIT / (2 * way)));
  part->work_ns = proc_interval(team, i, team->start, 2 * part->done * way, &away);
  part->wall_ns = part->work_ns;
  part->cpu_ns = part->wall_ns - away;
}

/* Watches for part->n ns on the first processor, which runs this thread and, in its turns, another
   process. */
static void proc_watch_alone(struct proc_team *team, size_t i) {
  struct hw_part *part = &team->part[i];
  double now = team->start, end = now + (double)part->n, away = 0;

  part->gaps = 0;
  while (now < end) {
    double run = hw_neighbours_run(team->neighbours), gone;

    if (now + run >= end)
      break;
    now += run;
    gone = hw_neighbours_turn(team->neighbours);
    if (part->gaps < HW_GAPS)
      part->gap[part->gaps++] = (struct hw_gap){now, now + gone};
    team->pace->switches++;
    now += gone;
    away += gone;
  }
  now = fmax(now, end);
  part->done = part->work_ns = part->wall_ns = now - team->start;
  part->cpu_ns = part->wall_ns - away;
  team->end = fmax(team->end, now);
}

/* Threads of one processor take turns, each for a slot; those of other processes come last. */
static void proc_watch(struct proc_team *team, size_t i) {
  struct hw_part *part = &team->part[i];
  size_t threads = team->threads[team->at[i]], before = 0, turn = 0;
  double now = team->start, end = now + (double)part->n, gap = now, away = 0;

  for (size_t j = 0; j < i; j++)
    before += team->at[j] == team->at[i];
  if (threads == 1 && team->neighbours != NULL && team->at[i] == 0) {
    proc_watch_alone(team, i);
    return;
  }
  part->gaps = 0;
  while (now < end) {
    double length = threads == 1 ? end - now : team->description->scheduler.slot_ns;

    if (turn == before) {
      if (now > gap && part->gaps < HW_GAPS)
        part->gap[part->gaps++] = (struct hw_gap){gap, now};
      away += now - gap;
      gap = now + length;
    }
    now += length;
    turn = (turn + 1) % threads;
  }
  part->done = part->work_ns = part->wall_ns = now - team->start;
  part->cpu_ns = part->wall_ns - away - fmax(now - gap, 0);
  team->end = fmax(team->end, now);
}

/* Takes no time. */
static void proc_touch(struct proc_team *team, size_t i) {
  struct hw_part *part = &team->part[i];

  ((struct hw_sim_home *)(void *)part->memory)->processor = team->at[i];
  part->done = (double)part->n;
  part->work_ns = part->wall_ns = part->cpu_ns = 0;
}

/* The second of a pair has to be woken, and then the first, which has done as much meanwhile. */
static void proc_hand(struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  struct hw_part *part = &team->part[i];
  double cycle = proc_cycle(description, team->at[i]),
         other = proc_cycle(description, team->at[i ^ 1]);
  double way = description->scheduler.wake_ns, piece, away = 0;

  if (team->threads[team->at[i]] > 1 || team->threads[team->at[i ^ 1]] > 1)
    way = description->scheduler.slot_ns;
  piece = 2 * way + (double)part->piece * (i % 2 == 0 ? other : cycle);
  part->cycle_ns = part->adds == 0
                       ? 0
                       : proc_interval(team, i, team->start, (double)part->adds * cycle, NULL) /
                             (double)part->adds;
  part->done = (double)part->n;
  part->work_ns = proc_interval(team, i, team->start, part->done * piece, &away);
  part->wall_ns = part->work_ns + part->done * (double)HW_HAND_APART * cycle +
                  2 * (double)part->adds * part->cycle_ns;
  part->cpu_ns = part->wall_ns - away;
  team->end = fmax(team->end, team->start + part->wall_ns);
}

static void proc_part(struct proc_team *team, size_t i) {
  enum hw_work work = team->part[i].work;

  team->part[i].cycle_ns = 0;
  team->part[i].later = 0;
  if (work == HW_WORK_MEET)
    proc_meet(team, i);
  else if (work == HW_WORK_PASS)
    proc_pass(team, i);
  else if (work == HW_WORK_WATCH)
    proc_watch(team, i);
  else if (work == HW_WORK_TOUCH)
    proc_touch(team, i);
  else if (work == HW_WORK_HAND)
    proc_hand(team, i);
  else
    proc_count(team, i);
}

static bool proc_chance(struct proc_team *team, double share) {
  return share > 0 && hw_random_unit(&team->pace->random) < share;
}

/* Counts part i as busy, and as late if another process has its turn: with probability 1/2. */
static void proc_begin(struct proc_team *team, size_t i) {
  const struct hw_description *description = team->description;
  size_t at = team->at[i];

  if (!proc_counts(team->part[i].work))
    return;
  team->late[i] = team->threads[at] > team->own[at] && proc_chance(team, 0.5);
  team->lates += team->late[i];
  for (unsigned k = 0; k < description->groups; k++) {
    size_t group = proc_first(description, at, k);

    team->busy[k][group]++;
    team->there[k][group] += !team->late[i];
  }
}

/* Puts the threads on their processors, those of other processes, too.  0, or -1 when there is no
   such processor. */
static int proc_place(struct proc_team *team) {
  const struct hw_description *description = team->description;
  size_t processors = hw_processors_count(description);

  for (size_t i = 0; i < team->n; i++) {
    size_t at = team->part[i].processor;

    team->at[i] = at == HW_ANYWHERE ? i % processors : at;
    if (team->at[i] >= processors)
      return -1;
    team->own[team->at[i]]++;
  }
  for (size_t p = 0; p < processors; p++)
    team->threads[p] = team->own[p] + proc_chance(team, description->scheduler.strangers);
  for (size_t i = 0; i < team->n; i++)
    proc_begin(team, i);
  return 0;
}

int hw_processors_team(const struct hw_description *description, struct hw_pace *pace,
                       struct hw_part *part, size_t n, struct hw_neighbours *neighbours) {
  struct proc_team *team = calloc(1, sizeof *team);
  size_t *at = calloc(n, sizeof *at);
  bool *late = calloc(n, sizeof *late);
  int result = -1;

  if (team != NULL && at != NULL && late != NULL) {
    team->description = description;
    team->pace = pace;
    team->neighbours = neighbours;
    team->part = part;
    team->n = n;
    team->at = at;
    team->late = late;
    team->start = team->end = pace->now_ns;
    result = proc_place(team);
    for (size_t i = 0; result == 0 && i < n; i++)
      proc_part(team, i);
    pace->now_ns = team->end;
  }
  free(team);
  free(at);
  free(late);
  return result;
}
