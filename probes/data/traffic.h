/* What the probes of traffic between the levels have in common: working sets inside of a level,
   and flushing the caches. */
#ifndef HW_TRAFFIC_H
#define HW_TRAFFIC_H

#include "analysis/rows/traffic.h"
#include "probes/probe.h"

/* The smallest common page, bytes: a block needs one translation. */
#define HW_TRAFFIC_BLOCK ((size_t)4096)

/* Working sets of a curve in one level, at most, and the unit of their size, bytes: both halves of
   a copy are whole grains. */
#define HW_TRAFFIC_POINTS 3u
#define HW_TRAFFIC_UNIT ((size_t)2 * HW_STREAM_GRAIN)

/* The levels, each with working sets that lie well inside of it, ascending. */
struct hw_traffic {
  bool memory;   /* the last is memory; else it may be one more cache */
  size_t caches; /* level[0] is level 1, level[caches] memory */
  struct hw_level level[HW_LEVELS];
  size_t x[HW_LEVELS][HW_TRAFFIC_POINTS]; /* bytes, multiples of HW_TRAFFIC_UNIT */
  size_t n[HW_LEVELS];                    /* of x */
  size_t line;                            /* of level 1, bytes, or an assumed one */
};

/* Reads the levels off the curves.  0, or -1 when they are not known. */
int hw_traffic_open(const struct hw_curves *curves, struct hw_traffic *traffic);

/* -1, and says which row hw_traffic_open, or what needs all levels, lacks. */
int hw_traffic_lacks(struct hw_bench *bench);

/* The level, 0 the first, of a working set of x bytes. */
size_t hw_traffic_level(const struct hw_traffic *traffic, double x);

/* The offsets of all lines of a working set of x bytes, segment by segment of a few blocks, so
   that the TLB does not miss: first the even lines, one lap later the odd ones, in random order,
   against prefetchers.  Returns their number; 0 without memory. */
size_t hw_traffic_lines(const struct hw_traffic *traffic, size_t x, struct hw_random *random,
                        size_t *offset);

/* Joins the curve with that of earlier attempts, and publishes it as hw_publish does. */
int hw_traffic_publish(struct hw_bench *bench, struct hw_curve *curve, const char *probe,
                       int result);

/* Memory that is measured, and other memory that is read to evict it from the caches. */
struct hw_flushed {
  struct hw_machine *machine;
  struct hw_memory *memory; /* that is measured, on huge pages if there are any */
  struct hw_memory *other;  /* on plain ones: huge ones are cleared first, and there are few */
  size_t rest;              /* bytes of the other */
};

/* Maps both and writes all once.  0, or -1 without memory. */
int hw_flushed_open(struct hw_flushed *flushed, struct hw_bench *bench, size_t bytes, double rest);

/* Reads the first bytes of the other, this many, or all. */
void hw_flush(const struct hw_flushed *flushed, size_t bytes);
void hw_flushed_close(struct hw_flushed *flushed);

/* Most points of a batch. */
#define HW_BATCH HW_CHAINS

/* Points whose samples begin with memory that no cache holds: all are laid out together, then
   evicted together, and each serves one sample. */
struct hw_batch {
  struct hw_bench *bench;
  struct hw_flushed flushed;
  size_t blocks; /* of HW_TRAFFIC_BLOCK, of all points together */
  size_t *block; /* their order, random */
  size_t n;
  double x[HW_BATCH]; /* ascending */
  bool fresh[HW_BATCH];
  /* Lays out point i over blocks from *block on, which it sets to the next.  0, or -1. */
  int (*lay)(void *context, struct hw_batch *batch, size_t i, const size_t **block,
             struct hw_random *random);
  /* Walks over point i.  Returns the number of loads. */
  double (*walk)(void *context, struct hw_batch *batch, size_t i);
  void *context;
};

/* Measures cycles per load of each point and puts them into the curve.  The caller has set bench,
   blocks, n, x, lay, walk and context; reading rest bytes flushes the caches.  0, or -1 when memory
   or time is short. */
int hw_batch_sample(struct hw_batch *batch, double rest, struct hw_curve *curve);

/* The effort for a curve of which only the order of magnitude of its noise matters: a point is done
   at this relative precision, or after times the least number of rounds. */
struct hw_effort hw_traffic_effort(const struct hw_bench *bench, double precision, unsigned times);

#endif
