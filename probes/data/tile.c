/* The edge of a square tile, by guided tuning: a model proposes some, and the plain blocked product
   is timed with each.

   Curve   tile_f32, tile_f32_power, tile_f64, tile_f64_power: x edge of a tile (elements), y time
           of a multiply-add (cycles).  The last point is not tiled.
   Method  Matrices of more bytes than level 2 has, of an edge that is no power of two and of one
           that is, where the rows of a tile fall into few sets.  Edges from that of three tiles
           which fit level 1 to that of one which fits level 2.  A sample is some tiles of the whole
           product, one after the other, or a row of it if it is not tiled, at a random place.
   Rows    TILE_F32, TILE_F64, TILE_F32_GAIN_X100, TILE_F64_GAIN_X100.
   Cost    200 ms, three matrices.
   Limits  The places of a product where a tile is cut are not timed, nor are products that fit
           level 2, where tiles matter less.
   See     BB 6. */
#include "analysis/names.h"
#include "probes/probe.h"

#include <math.h>
#include <string.h>

/* Edges that are timed. */
#define TILE_EDGES 6u
/* Bytes of the levels if these are not known: edges of F64 from 16 to 256. */
#define TILE_LEVEL1 6144.0
#define TILE_LEVEL2 524288.0
/* Tiles that fit level 1, and level 2, at the least and the greatest edge: all three, and the one
   that is read over and over. */
#define TILE_SMALL 3.0
#define TILE_LARGE 1.0
/* Edges are whole lines, bytes. */
#define TILE_LINE 64.0
/* Edge of a matrix, at least and at most, and of one that is no power of two, as a share of it. */
#define TILE_LEAST ((size_t)1024)
#define TILE_MOST ((size_t)4096)
#define TILE_OTHER(n) ((n)-3 * (n) / 128)
/* The matrix that is read over and over is larger than level 2 by this factor at least. */
#define TILE_BEYOND 2.0
/* Time of a sample, ns, about; rows of a tile that it has at least, so that what brings the tile in
   does not count. */
#define TILE_SAMPLE 4e5
#define TILE_ROWS ((size_t)16)
/* Rounds of a pass, and the precision of a point. */
#define TILE_ROUNDS 4u
#define TILE_PRECISION 0.03
/* Times agree when they differ by this share at most. */
#define TILE_AGREE 0.03

/* Tiles of the smallest edge, that tell how long the others take. */
#define TILE_FIRST 64.0
/* Sizes of matrix. */
#define TILE_SIZES 2u

static const struct tile_type {
  bool single;
  const char *curve[TILE_SIZES];
} tile_types[] = {{true, {HW_NAME_TILE_F32, HW_NAME_TILE_F32_POWER}},
                  {false, {HW_NAME_TILE_F64, HW_NAME_TILE_F64_POWER}}};

/* The product at one size. */
struct tile_shape {
  struct hw_machine *machine;
  struct hw_memory *memory;
  struct hw_product at;
  double least; /* multiply-adds of a sample */
};

/* The edge of a tile of that many bytes, elements of S bytes, in whole lines. */
static double tile_edge_of(double bytes, double S) {
  const double line = TILE_LINE / S;

  return fmax(1, floor(sqrt(bytes / S) / line)) * line;
}

/* The edges, ascending; what is behind them is not tiled.  Powers of two and half as much again:
   what they leave of a matrix whose edge is a power of two is a third of a tile at least, or
   nothing. Returns their number. */
static size_t tile_edges(const struct hw_curves *curves, double S, double n, double *x) {
  const struct hw_answer small = hw_value_l1_eff_bytes(curves),
                         large = hw_value_l2_eff_bytes(curves);
  const double line = TILE_LINE / S;
  double low = tile_edge_of((small.known ? small.value : TILE_LEVEL1) / TILE_SMALL, S);
  double high = tile_edge_of((large.known ? large.value : TILE_LEVEL2) / TILE_LARGE, S);
  size_t edges = 0;

  low = fmin(low, n / 16);
  high = fmin(fmax(high, 4 * low), n / 2);
  for (double whole = line; whole <= high; whole *= 2)
    for (double edge = whole; edge <= high && edge < 2 * whole; edge += whole / 2) {
      if (edge < low || fmod(edge, line) > 0)
        continue;
      if (edges == TILE_EDGES)
        memmove(x, x + 1, --edges * sizeof *x);
      x[edges++] = edge;
    }
  x[edges] = n;
  return edges;
}

/* A random place of the product. */
static int tile_prepare(void *context, double x, struct hw_random *random) {
  struct tile_shape *shape = context;
  struct hw_product *at = &shape->at;

  at->edge = (size_t)fmin(x, (double)at->n);
  at->rows = (size_t)(shape->least / ((double)at->edge * (double)at->edge));
  if (at->edge == at->n)
    at->rows = 1;
  else if (at->rows < TILE_ROWS)
    at->rows = TILE_ROWS;
  else if (at->rows > at->edge)
    at->rows = at->edge;
  at->row = hw_random_below(random, at->n / at->rows) * at->rows;
  at->column = hw_random_below(random, at->n / at->edge) * at->edge;
  at->depth = 0;
  return 0;
}

/* On to the next whole tile, in the order of the product. */
static void tile_next(struct hw_product *at) {
  at->depth += at->edge;
  if (at->depth + at->edge <= at->n)
    return;
  at->depth = 0;
  at->column += at->edge;
  if (at->column + at->edge <= at->n)
    return;
  at->column = 0;
  at->row += at->rows;
  if (at->row + at->rows > at->n)
    at->row = 0;
}

/* Multiply-adds. */
static double tile_work(void *context, double x) {
  struct tile_shape *shape = context;
  const struct hw_product *at = &shape->at;
  double done = 0;

  (void)x;
  for (; done < shape->least; tile_next(&shape->at)) {
    shape->machine->ops->multiply(shape->machine, shape->memory, at);
    done += (double)at->rows * (double)at->edge * (double)at->edge;
  }
  return done;
}

/* Sets how many multiply-adds take as long as a sample. */
static void tile_calibrate(const struct hw_bench *bench, struct tile_shape *shape, double edge) {
  struct hw_random random = {bench->seed};
  double start, done;

  shape->least = edge * edge * TILE_FIRST;
  tile_prepare(shape, edge, &random);
  start = hw_now(bench);
  done = tile_work(shape, edge);
  shape->least = fmax(1, done * TILE_SAMPLE / fmax(hw_now(bench) - start, 1));
}

/* Begins a curve with the points of an earlier attempt; those in doubt are to be timed again.  0,
   or -1 without memory. */
static int tile_begin(const struct hw_curves *curves, const char *name, struct hw_curve *curve) {
  hw_curve_init(curve, name, "edge of a tile (elements)", "time of a multiply-add (cycles)");
  if (hw_curve_join(curve, hw_curves_get(curves, name)) < 0)
    return -1;
  for (size_t i = 0; i < curve->n; i++)
    if (hw_point_error(&curve->point[i]) > TILE_PRECISION * curve->point[i].y)
      curve->point[i].count = 1;
  return 0;
}

/* The edge of the matrices, a power of two. */
static size_t tile_size(const struct hw_bench *bench, double S) {
  const struct hw_answer large = hw_value_l2_eff_bytes(&bench->curves);
  size_t n = TILE_LEAST;

  while (large.known && n < TILE_MOST && (double)n * (double)n * S < TILE_BEYOND * large.value)
    n *= 2;
  while (n > TILE_ROWS && 3.0 * (double)n * (double)n * S > (double)bench->memory)
    n /= 2;
  return n;
}

/* Times both curves at n edges.  0, or -1. */
static int tile_measure(struct hw_bench *bench, struct tile_shape *shape, const double *x, size_t n,
                        struct hw_curve *curve) {
  struct hw_effort effort = bench->effort;
  struct hw_task task[TILE_SIZES];

  effort.rounds = effort.rounds_max = TILE_ROUNDS;
  effort.precision = TILE_PRECISION;
  for (size_t i = 0; i < TILE_SIZES; i++) {
    tile_calibrate(bench, &shape[i], x[0]);
    task[i] = (struct hw_task){.prepare = tile_prepare,
                               .work = tile_work,
                               .context = &shape[i],
                               .issue = hw_issue(&bench->curves),
                               .agree = TILE_AGREE,
                               .effort = &effort};
  }
  return hw_sample_turns(bench, task, TILE_SIZES, x, n, curve);
}

/* Times the edges of a type, in memory, and publishes what there is. */
static int tile_curves(struct hw_bench *bench, const struct tile_type *type,
                       struct hw_memory *memory, size_t n) {
  const double S = type->single ? sizeof(float) : sizeof(double);
  const size_t size[TILE_SIZES] = {TILE_OTHER(n), n};
  struct tile_shape shape[TILE_SIZES];
  struct hw_curve curve[TILE_SIZES];
  double x[TILE_EDGES + 1];
  size_t points = 0;
  int result = 0;

  for (size_t i = 0; i < TILE_SIZES; i++) {
    const struct hw_product at = {
        .n = size[i], .stride = n * n * (size_t)S, .single = type->single};
    shape[i] = (struct tile_shape){bench->machine, memory, at, 1};
    if (tile_begin(&bench->curves, type->curve[i], &curve[i]) < 0)
      result = -1;
  }
  for (; points < curve[0].n && points <= TILE_EDGES; points++)
    x[points] = curve[0].point[points].x;
  if (points == 0)
    points = tile_edges(&bench->curves, S, (double)n, x) + 1;
  if (result == 0)
    result = tile_measure(bench, shape, x, points, curve);
  for (size_t i = 0; i < TILE_SIZES; i++)
    if (hw_publish_some(bench, &curve[i], "tile", curve[i].n > 0 ? 0 : result) < 0)
      result = -1;
  return result;
}

int hw_probe_tile(struct hw_bench *bench) {
  const struct hw_product none = {0};
  struct hw_machine *machine = bench->machine;
  int result = 0;

  for (size_t i = 0; i < sizeof tile_types / sizeof tile_types[0] && result == 0; i++) {
    const double S = tile_types[i].single ? sizeof(float) : sizeof(double);
    const size_t n = tile_size(bench, S), bytes = 3 * n * n * (size_t)S;
    struct hw_memory *memory = machine->ops->map(machine, bytes, HW_PAGES_USUAL);
    if (memory == NULL)
      return -1;
    result = machine->ops->multiply(machine, memory, &none);
    if (result < 0)
      bench->why = "a program's loops do not run here";
    else {
      /* Pages that were never written may all map the zero page. */
      machine->ops->stream(machine, memory, HW_STREAM_WRITE, 0, bytes);
      result = tile_curves(bench, &tile_types[i], memory, n);
    }
    machine->ops->unmap(machine, memory);
  }
  return result;
}
