/* The description of a simulated machine, as doc/machines.md has it. */
#ifndef HW_DESCRIPTION_H
#define HW_DESCRIPTION_H

#include "sim/cache.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HW_SIM_LEVELS 5u
#define HW_SIM_TLBS 3u
#define HW_SIM_NAME 64u
#define HW_SIM_WORD 12u
#define HW_SIM_OPERATIONS 48u
#define HW_SIM_FILES 8u
#define HW_SIM_GROUPS 4u
#define HW_SIM_PROCESSORS 1024u

/* How a level relates to the one above it, n-1. */
enum hw_sim_relation {
  HW_SIM_NOT_GIVEN, /* as independent */
  HW_SIM_INDEPENDENT,
  HW_SIM_INCLUSIVE, /* a line evicted from it leaves those above, too */
  HW_SIM_EXCLUSIVE  /* holds what the one above evicted */
};

/* The addresses that choose a set. */
enum hw_sim_index {
  HW_SIM_INDEX_DEFAULT, /* virtual in level 1, else physical */
  HW_SIM_INDEX_VIRTUAL,
  HW_SIM_INDEX_PHYSICAL
};

/* What a level does with a store that hits it. */
enum hw_sim_write {
  HW_SIM_BACK,   /* keeps it until the line is evicted */
  HW_SIM_THROUGH /* hands it on */
};

/* What a level does with a store that misses it. */
enum hw_sim_write_miss {
  HW_SIM_ALLOCATE, /* brings the line in */
  HW_SIM_AROUND    /* hands the store on */
};

/* What a level's prefetcher brings in. */
enum hw_sim_prefetch {
  HW_SIM_PREFETCH_NONE,
  HW_SIM_PREFETCH_NEXT,   /* after a miss: the next line */
  HW_SIM_PREFETCH_PAIR,   /* after a miss: the other of two lines, aligned */
  HW_SIM_PREFETCH_REGION, /* after a miss: the others of four lines, aligned */
  HW_SIM_PREFETCH_STRIDE  /* after three loads at one stride: what a fourth would load */
};

/* The frames that the pages of a mapping get. */
enum hw_sim_frames {
  HW_SIM_RANDOM,
  HW_SIM_CONTIGUOUS,
  HW_SIM_COLOURED /* frame and page agree modulo colours */
};

struct hw_sim_level {
  uint64_t bytes;
  uint64_t ways;
  uint64_t line;  /* bytes */
  double latency; /* of a hit, load to use, cycles */
  enum hw_policy policy;
  enum hw_sim_relation relation;
  enum hw_sim_index index;
  enum hw_sim_prefetch prefetch;
  enum hw_sim_write write;
  enum hw_sim_write_miss write_miss;
  double uneven;    /* hit latency of its farthest part above that of its nearest, cycles */
  uint64_t keeps;   /* ways of each set, for the SMT sibling while that runs */
  uint64_t slices;  /* this many, chosen by a hash of the address; 0: sets by the address */
  double read_rate; /* bytes a cycle */
  double write_rate;
};

struct hw_sim_tlb {
  uint64_t entries;
  uint64_t ways;
  double miss; /* miss penalty, cycles */
  enum hw_policy policy;
};

/* An instruction cache, or a micro-op cache. */
struct hw_sim_code {
  uint64_t bytes; /* 0: there is none */
  uint64_t ways;
  uint64_t line;
  double miss; /* penalty of a jump that misses it, cycles */
  enum hw_policy policy;
  enum hw_sim_index index;
  uint64_t spacing; /* of the pieces of code, bytes */
  uint64_t ahead;   /* bytes behind the target of a jump whose lines are prefetched, or 0 */
  uint64_t shields; /* of micro-ops: 1 when each place has an entry, and a hit looks no further */
};

struct hw_sim_page {
  uint64_t bytes;
  uint64_t huge;   /* bytes; 0: there are none */
  double first_ns; /* page fault of the first store to a page, besides clearing it; 0: all pages are
                      mapped from the beginning */
  enum hw_sim_frames frames;
  uint64_t colours;
};

/* What an operation costs. */
struct hw_sim_operation {
  char op[HW_SIM_WORD];
  char type[HW_SIM_WORD];
  double latency; /* cycles */
  double units;   /* that can execute it */
  double busy;    /* cycles that it occupies a unit; 0: 1, pipelined */
  double slots;   /* issue slots that it takes; 0: 1 */
};

struct hw_sim_registers {
  char type[HW_SIM_WORD];
  uint64_t count;
};

struct hw_sim_core {
  double penalty;  /* cycles of a misprediction; 0: branches cannot be timed */
  double period;   /* longest pattern of outcomes of one branch that is predicted */
  double outcomes; /* most outcomes of a pattern of several branches that are */
  double width;    /* issue width, operations a cycle; 0: there is no core */
  double loop;     /* cycles that the end of a loop takes */
  double astride;  /* statements of a loop whose code is badly placed, or 0 */
  unsigned operations;
  struct hw_sim_operation operation[HW_SIM_OPERATIONS];
  unsigned files;
  struct hw_sim_registers file[HW_SIM_FILES];
};

/* Processors, or groups of them, that share something.  What is 0 they do not have. */
struct hw_sim_group {
  uint64_t members;
  uint64_t step;     /* between the numbers of one member and the next */
  double latency_ns; /* of a word from one member to another */
  double rate;       /* of a block, bytes a ns */
  uint64_t fits;     /* the largest block of which that is so, bytes; 0: all */
  double beyond;     /* of larger ones */
  double crowd;      /* slowdown factor by one pair more that passes something here */
  double core;       /* slowdown factor of what keeps a core busy, by one member more */
  double int_core;   /* the same of divisions */
  double fp_core;
  uint64_t cache; /* the group shares its instances of this level and of those behind it */
  double path;    /* bytes a ns that all of the group together read from memory */
  double far;     /* slowdown factor of memory that another member has touched first */
};

/* The scheduler. */
struct hw_sim_scheduler {
  double slot_ns;
  double wake_ns;   /* from the wakeup of a sleeping thread until it runs */
  double strangers; /* probability, by processor and team, that another process is there */
  uint64_t first;   /* processors, by number, that may be used; 0: all */
};

/* Processors of the second kind. */
struct hw_sim_kind {
  uint64_t from;
  double speed; /* of the first kind's */
};

/* What another thread does. */
enum hw_sim_kind_of_work {
  HW_SIM_ABSENT,
  HW_SIM_COMPUTING, /* on a small working set */
  HW_SIM_STREAMING, /* over memory */
  HW_SIM_CHASING    /* through memory, a dependent chain of loads */
};

/* Another thread that runs at times: mean times. */
struct hw_sim_visits {
  enum hw_sim_kind_of_work work;
  double length_ns;
  double gap_ns;
};

/* Shares are fractions, not per cent.  0: no such noise. */
struct hw_sim_noise {
  double jitter; /* standard deviation */
  double burst_ns;
  double burst_gap_ns;
  double burst_factor;
  double shared_ns;
  double shared_gap_ns;
  double shared_factor;
  double page_ns;               /* between two new pages that other threads use */
  double line_ns;               /* between two new lines */
  struct hw_sim_visits sibling; /* the other thread of the core */
  struct hw_sim_visits process; /* another process on the processor */
  double drift;
  double drift_ns;
  double outliers;
  double outlier_ns;
};

struct hw_description {
  char name[HW_SIM_NAME];
  double cycle_ns;
  double clock_step_ns;
  double clock_cost_ns;
  unsigned levels;
  struct hw_sim_level level[HW_SIM_LEVELS];
  double memory_latency;    /* cycles */
  uint64_t memory_parallel; /* misses in flight at most */
  double memory_read_rate;  /* bytes a cycle */
  double memory_write_rate;
  unsigned tlbs;
  struct hw_sim_tlb tlb[HW_SIM_TLBS];
  struct hw_sim_code icache;
  struct hw_sim_code opcache;
  struct hw_sim_tlb targets; /* entries 0: there is none */
  struct hw_sim_page page;
  unsigned groups; /* 0: one processor */
  struct hw_sim_group group[HW_SIM_GROUPS];
  struct hw_sim_scheduler scheduler;
  struct hw_sim_kind kind;
  struct hw_sim_noise noise;
  struct hw_sim_core core;
  uint64_t seed;
};

/* Why a description is not valid. */
struct hw_sim_fault {
  const char *statement; /* its word */
  unsigned number;       /* the statement's, from 1; 0: it has none */
  const char *reason;
};

/* Whether statements that are each in range contradict each other or themselves. */
bool hw_description_fault(const struct hw_description *description, struct hw_sim_fault *fault);

/* log2 of a power of two, as lines and pages are. */
unsigned hw_sim_log2(uint64_t power);

/* Reads a description.  0, or -1 after one line "FILE:LINE: reason" to err when it is bad; file
   is the name for that line. */
int hw_description_read(struct hw_description *description, const char *file, FILE *in, FILE *err);

#endif
