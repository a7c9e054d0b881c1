/* Communication between processes of MPI: a program of its own, which configure compiles with mpicc
   and starts with mpiexec.  It writes the curves, and the probes read values off them as off any
   others.

   Curve   mpi_pairs, mpi_groups_K, mpi_size_K, mpi_crowd_K: as those of comm
           (probes/system/comm.c), between processes by their ranks, of messages.  mpi_size_K has
           messages a little shorter and longer than the powers of two, too.
   Method  One process sends and the other answers (ping-pong).  The other processes poll for orders
           a thousand times a second, and sleep in between.  Pairs are measured until the layers are
           known; then one pair of each layer exchanges longer messages, and all disjoint pairs of
           the layer exchange short ones at once.  Where a library changes from one protocol to
           another, it does so at about a power of two, less what its own header takes.
   Rows    MPI_LAYERS, MPI1_LAT_NS, MPI1_MBS, MPI1_EAGER_BYTES, MPI1_SLOWDOWN_X100 and so on.
   Cost    Two processes: 0.8 s, and what mpiexec takes.
   Limits  Samples in which a process was preempted are dropped: with more processes than processors
           little is known.  An MPI that sleeps while it waits cannot be told from that.
   See     SV III-D, figure 7. */
#include "probes/machine/features.h" /* first */

#include "analysis/curve.c"
#include "analysis/environment.h"
#include "analysis/groups.c"
#include "probes/system/pairs_search.c"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Bytes of messages; two more are around each power of two at which protocols may change. */
static const size_t mpi_sizes[] = HW_COMM_SIZES;
#define MPI_SIZES (sizeof mpi_sizes / sizeof *mpi_sizes)
#define MPI_LENGTHS 32u
/* If another process shares a processor, messages take longer for many samples: rounds are
   multiplied by MPI_OFTEN where few pairs are measured, all of up to MPI_FEW processes or one of
   each layer, but not of all sizes.  Other processes only add time: of the samples the lowest
   1/MPI_LOW counts. */
#define MPI_OFTEN 4u
#define MPI_FEW 4
#define MPI_LOW 12u
/* Round trips of a sample at most, and those before it: libraries change to faster protocols after
   some messages.  Samples that a pair needs at least. */
#define MPI_WORDS 128
#define MPI_WARM 64
#define MPI_TRUSTED 4u
/* Rounds at most, as a multiple of the undisturbed ones wanted. */
#define MPI_PATIENCE 4u
/* Layers that have rows. */
#define MPI_LAYERS 4u
#define MPI_PAUSE_NS 1000000

enum { MPI_TAG_ORDER = 1, MPI_TAG_RESULT, MPI_TAG_WORD };

/* What a process is told to do; partner negative: to end. */
struct mpi_order {
  long partner;
  long first; /* whether it sends first */
  long times;
  long bytes;
};

struct mpi_run {
  int processes;
  unsigned rounds;
  double deadline; /* ns */
  const char *directory;
  FILE *list;
  char *block; /* for the longest message */
};

static double mpi_now(clockid_t clock) {
  struct timespec now;

  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Waits for a message, mostly asleep. */
static void mpi_wait(int source, int tag) {
  const struct timespec pause = {0, MPI_PAUSE_NS};
  int there = 0;

  while (MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         !there)
    nanosleep(&pause, NULL);
}

static void mpi_turns(const struct mpi_order *order, char *block, long times) {
  int partner = (int)order->partner, bytes = (int)order->bytes;

  for (long i = 0; i < times; i++) {
    if (order->first)
      MPI_Send(block, bytes, MPI_BYTE, partner, MPI_TAG_WORD, MPI_COMM_WORLD);
    MPI_Recv(block, bytes, MPI_BYTE, partner, MPI_TAG_WORD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!order->first)
      MPI_Send(block, bytes, MPI_BYTE, partner, MPI_TAG_WORD, MPI_COMM_WORLD);
  }
}

/* Exchanges messages as ordered.  ns of one way, or negative when the process was preempted. */
static double mpi_obey(const struct mpi_order *order, char *block) {
  double wall, cpu;

  mpi_turns(order, block, order->times < MPI_WARM ? 1 : MPI_WARM);
  wall = -mpi_now(CLOCK_MONOTONIC);
  cpu = -mpi_now(CLOCK_PROCESS_CPUTIME_ID);
  mpi_turns(order, block, order->times);
  wall += mpi_now(CLOCK_MONOTONIC);
  cpu += mpi_now(CLOCK_PROCESS_CPUTIME_ID);
  return wall - cpu > HW_STOLEN * wall + HW_STOLEN_TOGETHER_NS ? -1
                                                               : wall / (2 * (double)order->times);
}

/* What all but the first process do. */
static void mpi_serve(char *block) {
  for (;;) {
    struct mpi_order order;
    double way;

    mpi_wait(0, MPI_TAG_ORDER);
    MPI_Recv(&order, 4, MPI_LONG, 0, MPI_TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order.partner < 0)
      return;
    way = mpi_obey(&order, block);
    MPI_Send(&way, 1, MPI_DOUBLE, 0, MPI_TAG_RESULT, MPI_COMM_WORLD);
  }
}

/* Has pairs of processes exchange messages at once.  Puts ns of one way of each into way[], NAN
   if one of the two was preempted. */
static void mpi_pass(struct mpi_run *run, const size_t *rank, size_t pairs, long times,
                     size_t bytes, double *way) {
  struct mpi_order own = {.partner = -1};
  size_t own_pair = 0;

  for (size_t i = 0; i < 2 * pairs; i++) {
    struct mpi_order order = {(long)rank[i ^ 1], i % 2 == 0, times, (long)bytes};

    way[i / 2] = 0;
    if (rank[i] == 0) {
      own = order;
      own_pair = i / 2;
    } else
      MPI_Send(&order, 4, MPI_LONG, (int)rank[i], MPI_TAG_ORDER, MPI_COMM_WORLD);
  }
  if (own.partner >= 0)
    way[own_pair] = mpi_obey(&own, run->block);
  for (size_t i = 0; i < 2 * pairs; i++) {
    double result;

    if (rank[i] == 0)
      continue;
    mpi_wait((int)rank[i], MPI_TAG_RESULT);
    MPI_Recv(&result, 1, MPI_DOUBLE, (int)rank[i], MPI_TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    way[i / 2] = result < 0 || way[i / 2] < 0 ? -1 : result > way[i / 2] ? result : way[i / 2];
  }
  for (size_t i = 0; i < pairs; i++)
    if (way[i] < 0)
      way[i] = NAN;
}

/* The low end of one pair's undisturbed samples, and their number in count; 0 if too few. */
static struct hw_point mpi_low(const double *sample, size_t pairs, unsigned rounds,
                               double *scratch) {
  size_t n = 0;
  double low;

  for (unsigned r = 0; r < rounds; r++)
    if (!isnan(sample[r * pairs]))
      scratch[n++] = sample[r * pairs];
  if (n < MPI_TRUSTED)
    return (struct hw_point){0};
  hw_sort(scratch, n);
  low = scratch[n / MPI_LOW];
  return (struct hw_point){.y = low, .spread = (low - scratch[n / MPI_LOW / 2]) / low, .count = n};
}

/* What is sampled: pairs at once, round trips of each, and bytes of a message. */
struct mpi_job {
  size_t pairs;
  long times;
  size_t bytes;
};

/* The average of the pairs' times.  Count 0 when one was disturbed too often. */
static struct hw_point mpi_point(const double *sample, size_t pairs, unsigned rounds,
                                 double *scratch) {
  struct hw_point point = {.count = rounds};

  for (size_t i = 0; i < pairs; i++) {
    struct hw_point p = mpi_low(&sample[i], pairs, rounds, scratch);

    point.y += p.y / (double)pairs;
    point.spread += p.spread / (double)pairs;
    point.count = p.count < point.count ? p.count : point.count;
  }
  return point;
}

static bool mpi_late(const struct mpi_run *run) { return mpi_now(CLOCK_MONOTONIC) > run->deadline; }

/* Samples jobs in rounds, so that a burst of noise hits all of them, until each has enough
   undisturbed ones, or it is late; count is 0 of one that was disturbed too often.  0, or -1
   without memory. */
static int mpi_sample(struct mpi_run *run, const size_t *rank, const struct mpi_job *job,
                      size_t jobs, struct hw_point *point) {
  unsigned most = MPI_PATIENCE * run->rounds, rounds = 0;
  double *scratch = calloc(most, sizeof *scratch);
  double *sample[MPI_LENGTHS] = {NULL};
  unsigned clear[MPI_LENGTHS] = {0}, least = 0;
  int result = scratch == NULL ? -1 : 0;

  for (size_t j = 0; j < jobs; j++) {
    sample[j] = calloc(job[j].pairs * most, sizeof *sample[j]);
    result = sample[j] == NULL ? -1 : result;
  }
  for (; result == 0 && rounds < most && least < run->rounds && !mpi_late(run); rounds++) {
    least = run->rounds;
    for (size_t j = 0; j < jobs; j++) {
      double *way = &sample[j][rounds * job[j].pairs];
      bool good = true;

      mpi_pass(run, rank, job[j].pairs, job[j].times, job[j].bytes, way);
      for (size_t i = 0; i < job[j].pairs; i++)
        good = good && !isnan(way[i]);
      clear[j] += good;
      least = clear[j] < least ? clear[j] : least;
    }
  }
  for (size_t j = 0; j < jobs; j++) {
    if (result == 0) {
      double x = point[j].x;

      point[j] = mpi_point(sample[j], job[j].pairs, rounds, scratch);
      point[j].x = x;
    }
    free(sample[j]);
  }
  free(scratch);
  return result;
}

static double mpi_pair(void *context, size_t i, size_t j) {
  const size_t rank[2] = {i, j};
  const struct mpi_job job = {1, MPI_WORDS, HW_COMM_WORD};
  struct hw_point point = {0};

  return mpi_sample(context, rank, &job, 1, &point) == 0 && point.count > 0 ? point.y : -1;
}

/* Writes a curve and notes it in the list, unless bad says that it lacks points; frees it. */
static int mpi_write(struct mpi_run *run, struct hw_curve *curve, int bad) {
  char path[4096];
  FILE *out;

  snprintf(path, sizeof path, "%s/%s.curve", run->directory, curve->name);
  hw_curve_set(curve, HW_CURVE_FIELD_PROBE, "mpi");
  hw_curve_set(curve, HW_CURVE_FIELD_CLOCK, "CLOCK_MONOTONIC");
  hw_curve_set(curve, HW_CURVE_FIELD_COMPILER, "mpicc");
  hw_curve_set(curve, HW_CURVE_FIELD_FLAGS, "none");
  out = bad != 0 ? NULL : fopen(path, "w");
  bad |= out == NULL || hw_curve_write(curve, out) < 0;
  if (out != NULL && fclose(out) != 0)
    bad = 1;
  if (!bad)
    fprintf(run->list, "%s\n", curve->name);
  hw_curve_free(curve);
  return bad ? -1 : 0;
}

/* Writes a curve of layer k, from 0. */
static int mpi_write_layer(struct mpi_run *run, const char *name, size_t k, const char *x_title,
                           const char *y_title, const struct hw_point *point, size_t n) {
  char text[HW_CURVE_NAME];
  struct hw_curve curve;
  int result = 0;

  snprintf(text, sizeof text, "mpi_%s_%zu", name, k + 1);
  hw_curve_init(&curve, text, x_title, y_title);
  for (size_t i = 0; result == 0 && i < n; i++)
    result = hw_curve_put(&curve, point[i]);
  return mpi_write(run, &curve, result);
}

static int mpi_write_groups(struct mpi_run *run, const size_t *group, size_t n, size_t k) {
  char text[HW_CURVE_NAME];
  struct hw_curve curve;

  snprintf(text, sizeof text, "mpi_groups_%zu", k + 1);
  hw_curve_init(&curve, text, "process", "first of its group");
  return mpi_write(run, &curve, hw_groups_put(&curve, group, n));
}

static int mpi_write_pairs(struct mpi_run *run, const struct hw_pairs *pairs) {
  struct hw_curve curve;

  hw_curve_init(&curve, "mpi_pairs", "two processes (one * 1024 + other)",
                "time of a short message (ns)");
  fprintf(stderr, "mpi: %zu of %zu pairs measured\n", pairs->measured,
          pairs->n * (pairs->n - 1) / 2);
  return mpi_write(run, &curve, hw_pairs_put_all(pairs, 0, &curve));
}

/* Writes the times that one pair takes for short messages, and all pairs of layer k at once. */
static void mpi_crowd(struct mpi_run *run, size_t k, const size_t *rank, size_t pairs) {
  const struct mpi_job job[2] = {{1, MPI_WORDS, HW_COMM_WORD}, {pairs, MPI_WORDS, HW_COMM_WORD}};
  struct hw_point crowd[2] = {{.x = 1}, {.x = (double)pairs}};
  size_t jobs = pairs < 2 ? 1 : 2; /* with one pair there is nothing to compare */

  if (mpi_sample(run, rank, job, jobs, crowd) == 0 && crowd[0].count > 0 &&
      (jobs < 2 || crowd[1].count > 0))
    mpi_write_layer(run, "crowd", k, "pairs (count)", "time of a short message (ns)", crowd, jobs);
}

/* The job of messages of that size. */
static struct mpi_job mpi_job(size_t bytes) {
  return (struct mpi_job){1, (long)hw_comm_times(bytes, MPI_WORDS), bytes};
}

/* Writes the times that one pair of layer k takes for messages of all sizes. */
static void mpi_lengths(struct mpi_run *run, size_t k, const size_t *rank) {
  struct hw_point length[MPI_LENGTHS];
  struct mpi_job job[MPI_LENGTHS];
  size_t n = 0, clear = 0;

  while (n < MPI_SIZES) {
    job[n] = mpi_job(mpi_sizes[n]);
    n++;
  }
  for (size_t step = HW_COMM_STEP_LEAST; step <= HW_COMM_STEP_MOST; step *= 2) {
    job[n++] = mpi_job(step - HW_COMM_STEP_BESIDE);
    job[n++] = mpi_job(step + HW_COMM_STEP_BESIDE);
  }
  for (size_t i = 0; i < n; i++)
    length[i].x = (double)job[i].bytes;
  if (mpi_sample(run, rank, job, n, length) != 0)
    return;
  for (size_t i = 0; i < n; i++)
    if (length[i].count > 0)
      length[clear++] = length[i];
  if (clear > 0)
    mpi_write_layer(run, "size", k, "message (bytes)", "time of one way (ns)", length, clear);
}

/* Measures and writes the curves of layer k. */
static void mpi_layer(struct mpi_run *run, const struct hw_layers *layers, size_t k) {
  struct mpi_run often = *run;
  size_t rank[HW_THINGS];

  often.rounds *= MPI_OFTEN;
  mpi_write_groups(run, &layers->group[k * layers->n], layers->n, k);
  mpi_crowd(&often, k, rank, hw_layer_match(layers, k, rank));
  mpi_lengths(run, k, rank);
}

/* What the first process does. */
static int mpi_lead(struct mpi_run *run) {
  const size_t alone = 0;
  struct mpi_run often = *run;
  struct hw_layers layers;
  struct hw_pairs pairs;
  int result;

  if (run->processes < 2)
    return mpi_write_groups(run, &alone, 1, 0);
  if (hw_pairs_init(&pairs, (size_t)run->processes) != 0)
    return -1;
  often.rounds *= MPI_OFTEN;
  result = hw_pairs_search(&pairs, NULL, 1, mpi_pair, run->processes <= MPI_FEW ? &often : run);
  if (result == 0)
    result = mpi_write_pairs(run, &pairs);
  if (result == 0 && hw_layers_find(&pairs, &layers) == NULL) {
    for (size_t k = 0; k < layers.layers && k < MPI_LAYERS; k++)
      mpi_layer(run, &layers, k);
    hw_layers_free(&layers);
  }
  hw_pairs_free(&pairs);
  return result;
}

/* hwmpi DIRECTORY ROUNDS SECONDS: the first process writes the curves to the directory. */
int main(int argc, char **argv) {
  struct mpi_run run = {.rounds = 12};
  double seconds = argc > 3 ? strtod(argv[3], NULL) : 4;
  char path[4096];
  int rank, status = 0;

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &run.processes);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  alarm((unsigned)seconds + 30); /* a process that waits for one that died */
  run.block = calloc(1, HW_COMM_LARGE);
  if (argc < 4 || run.block == NULL || run.processes > (int)HW_THINGS)
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (rank != 0)
    mpi_serve(run.block);
  else {
    const struct mpi_order end = {.partner = -1};

    run.directory = argv[1];
    run.rounds = (unsigned)strtoul(argv[2], NULL, 10);
    run.deadline = mpi_now(CLOCK_MONOTONIC) + seconds * 1e9;
    snprintf(path, sizeof path, "%s/mpi.list", run.directory);
    run.list = fopen(path, "w");
    if (run.list == NULL || mpi_lead(&run) != 0)
      status = 1;
    if (run.list != NULL)
      fclose(run.list);
    for (int i = 1; i < run.processes; i++)
      MPI_Send(&end, 4, MPI_LONG, i, MPI_TAG_ORDER, MPI_COMM_WORLD);
  }
  free(run.block);
  MPI_Finalize();
  return status;
}
