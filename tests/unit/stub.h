/* A machine whose every answer a test sets. */
#ifndef HW_UNIT_STUB_H
#define HW_UNIT_STUB_H

#include "probes/engine.h"
#include "sim/pace.h"

#include <math.h>
#include <stdio.h>

/* A machine that takes one ns for an addition and what the ring's first offset says for a load. */
struct stub {
  struct hw_machine machine;
  double now;       /* ns */
  double step;      /* of the clock, ns */
  double slow;      /* factor on everything */
  double growth;    /* of slow with every load or addition */
  double stolen;    /* ns that the wall clock runs further during every third walk */
  double cost;      /* of a load, ns */
  double away;      /* ns that the wall clock has run further so far */
  unsigned walks;   /* so far */
  unsigned long n;  /* loads so far */
  int out_of_links; /* link fails */
  double period;    /* ns: another thread takes its share of the core for so long; 0: never */
  double rest;      /* and leaves it alone for so long */
  double share;     /* by which factor that lengthens what keeps the core busy */
  bool everywhere;  /* on whatever core */
  double scatter;   /* that factor differs by so much */
  unsigned jolts;   /* one of so many runs of additions takes longer; 0: none does */
  unsigned adds;    /* runs of additions so far */
  unsigned calm;    /* with so many more runs of additions what is slow ends; 0: never */
  double jitter;    /* what is spent scatters by this share */
  double evicted;   /* ns that the next walk takes longer when the system was asked for something */
  double cold;      /* the same, as long as that walk has not been */
  struct hw_random random;
};

static inline struct stub *stub_of(struct hw_machine *machine) { return (struct stub *)machine; }

static inline double stub_now(struct hw_machine *machine) {
  struct stub *stub = stub_of(machine);

  stub->now += 10;
  return floor(stub->now / stub->step) * stub->step;
}

static inline void stub_usage(struct hw_machine *machine, struct hw_usage *usage) {
  usage->cpu_ns = stub_of(machine)->now - stub_of(machine)->away;
  usage->switches = 0;
  stub_of(machine)->cold = stub_of(machine)->evicted;
}

static inline void stub_spend(struct stub *stub, double ns) {
  stub->now += ns * stub->slow * (1 + stub->jitter * hw_pace_normal(&stub->random));
  stub->slow *= 1 + stub->growth;
}

static inline void stub_add(struct hw_machine *machine, unsigned long n) {
  struct stub *stub = stub_of(machine);

  if (stub->calm > 0 && --stub->calm == 0)
    stub->slow = 1;
  stub_spend(stub, (double)n * (stub->jolts > 0 && ++stub->adds % stub->jolts == 0 ? 1.6 : 1));
}

/* How many times as long at present takes what keeps the core busy. */
static inline double stub_share(const struct stub *stub) {
  if (stub->period > 0 && fmod(stub->now, stub->period + stub->rest) < stub->period)
    return stub->share + stub->scatter * fmod(stub->now * 0.618, 1);
  return 1;
}

static inline void stub_issue(struct hw_machine *machine, unsigned long n) {
  stub_spend(stub_of(machine), (double)n / 4 * stub_share(stub_of(machine)));
}

static inline int stub_link(struct hw_machine *machine, struct hw_memory *memory,
                            const size_t *offset, size_t n) {
  (void)memory;
  (void)n;
  stub_of(machine)->cost = (double)offset[0];
  return stub_of(machine)->out_of_links ? -1 : 0;
}

static inline void stub_walk(struct hw_machine *machine, struct hw_memory *memory,
                             unsigned long n) {
  struct stub *stub = stub_of(machine);

  (void)memory;
  stub_spend(stub, (double)n * stub->cost * stub_share(stub) + stub->cold);
  stub->cold = 0;
  stub->n += n;
  if (++stub->walks % 3 == 0) {
    stub->now += stub->stolen;
    stub->away += stub->stolen;
  }
}

/* To a core that is left alone. */
static inline void stub_move(struct hw_machine *machine) {
  if (!stub_of(machine)->everywhere)
    stub_of(machine)->period = 0;
}

static const struct hw_machine_ops stub_ops = {.now = stub_now,
                                               .usage = stub_usage,
                                               .add = stub_add,
                                               .issue = stub_issue,
                                               .link = stub_link,
                                               .walk = stub_walk,
                                               .move = stub_move};

static inline struct hw_bench stub_bench(struct stub *stub) {
  struct hw_bench bench = {.machine = &stub->machine,
                           .effort = {8, 32, 1, 0.01, INFINITY, INFINITY, 0},
                           .deadline = INFINITY,
                           .compiler = "none",
                           .flags = "none",
                           .seed = 1,
                           .log = stderr};

  *stub = (struct stub){
      .machine = {.ops = &stub_ops, .clock = "stub"}, .step = 1, .slow = 1, .share = 2};
  return bench;
}

/* The same, calibrated. */
static inline struct hw_bench stub_ready(struct stub *stub) {
  struct hw_bench bench = stub_bench(stub);

  hw_bench_calibrate(&bench);
  return bench;
}

/* Work of that many ns a unit. */
static inline double stub_work(void *context, double x) {
  struct stub *stub = context;

  stub_spend(stub, 1000 * x * stub_share(stub));
  return 1000;
}

#endif
